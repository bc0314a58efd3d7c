"""The table of Tong-its, drawn from real rounds."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, Card, Cards, cards_of, in_order
from p2pcards.games.base import Seat
from p2pcards.games.tongits.state import Meld, View
from p2pcards.table.tableview import SeatView, Stage, TableView
from p2pcards.ui import scoresheet, tongits_table
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.theme import Look, Size
from tests.testing.fake_node import FakeNode
from tests.testing.odd_tables import moments
from tests.testing.screens import texts, widest

NORMAL = Size(80, 24)
WORD = re.compile("[A2-9TJQK][♣♦♥♠]")


def cards(text: str) -> tuple[Card, ...]:
    return ACE_LOW.parse_all(text)


def sitting(seed: int = 1, options: dict[str, str] | None = None) -> TableView:
    """A table in its first round, at our turn."""
    node = FakeNode(seed, options=options)
    node.sit(bots=1, others=1)
    node.start()
    assert node.table is not None
    return node.table


def shown(table: TableView, local: Local | None = None, size: Size = NORMAL) -> str:
    local = local or Local()
    if not local.hand:
        local = local._replace(hand=tuple(in_order(table.view.hand)))
    return "\n".join(texts(compose(tongits_table.draw(table, size, local), size, Look(), local)))


def with_public(table: TableView, **changes: object) -> TableView:
    return replace(table, view=replace(table.view, public=replace(table.view.public, **changes)))


MELDS = (
    Meld(Seat(1), cards_of(cards("7D 7H 7S"))),
    Meld(Seat(1), cards_of(cards("3H 4H 5H 6H"))),
    Meld(Seat(2), cards_of(cards("JC QC KC"))),
)


def test_players_with_their_counts_and_whose_turn_it_is() -> None:
    lines = shown(replace(sitting(), scores=(1, 2, 0))).splitlines()
    assert " ▸ ana (you)              12     1  │ nothing yet" in lines
    assert any(line.startswith("   ben                    12     2  │") for line in lines)
    assert any("bot-1 easy bot" in line for line in lines)
    assert lines[0].endswith("▸ your turn")


def test_another_s_turn_is_named() -> None:
    lines = shown(replace(sitting(), to_act=(1,))).splitlines()
    assert lines[0].endswith("turn ben")
    assert any(line.startswith(" ▸ ben") for line in lines)
    assert "connection" not in lines[0]
    lost = shown(replace(sitting(), connected=False)).splitlines()
    assert lost[0].endswith("line to the host lost, trying again")


def test_melds_with_their_names_and_owners_and_what_is_new() -> None:
    table = with_public(sitting(), melds=MELDS)
    text = shown(table, Local(fresh=frozenset(cards("6H"))))
    assert "│ m1 ben   7♦ 7♥ 7♠\n" in text
    assert "│ m2 ben   3♥ 4♥ 5♥ 6♥•\n" in text
    assert "│ m3 bot-1 J♣ Q♣ K♣\n" in text


def test_with_room_melds_and_the_top_discard_are_drawn() -> None:
    table = with_public(sitting(), melds=MELDS, discards=cards("9D TC QS"))
    lines = shown(table, size=Size(120, 40)).splitlines()
    assert any("│7♦││7♥││7♠│" in line for line in lines)
    assert any("discards 9♦ T♣ │Q♠│" in line for line in lines)


@pytest.mark.parametrize("count", [1, 2, 20, 40, 52])
def test_the_pile_has_one_order_at_every_size(count: int) -> None:
    table = with_public(sitting(), discards=tuple(in_order(Cards((1 << count) - 1))))
    for size in (NORMAL, Size(120, 40), Size(200, 60)):
        lines = shown(table, size=size).splitlines()
        first = next(place for place, line in enumerate(lines) if "discards" in line)
        pile = [word for line in lines[first:] for word in WORD.findall(line.split(" │ ")[-1])][:count]
        assert pile == [sign(card) for card in in_order(Cards((1 << count) - 1))]


def test_the_whole_discard_pile_newest_last() -> None:
    table = with_public(sitting(), discards=cards("9D TC QS"))
    assert "discards 9♦ T♣ [Q♠•]" in shown(table, Local(fresh=frozenset(cards("QS"))))
    many = in_order(Cards((1 << 40) - 1))
    lines = shown(with_public(sitting(), discards=tuple(many))).splitlines()
    first = next(place for place, line in enumerate(lines) if "discards" in line)
    pile = " ".join(line.split("discards")[-1] for line in lines[first : first + 2]).split()
    assert len(pile) == 40
    assert pile[-1] == "[T♠]"
    assert "none yet" in shown(with_public(sitting(), discards=()))


def test_the_pot_is_visible_where_there_is_one() -> None:
    assert "pot" not in shown(sitting())
    assert "pot 6" in shown(sitting(options={"scoring": "chips", "ante": "2"}))
    assert "pot 6" in shown(sitting(options={"scoring": "chips", "ante": "2"}), size=Size(60, 14))
    assert "chips" in shown(sitting(options={"scoring": "chips"}))


def test_my_hand_with_deadwood_and_the_melds_underlined() -> None:
    hand = cards("AS 2S 3S 9C 9D 9H QD KH")
    table = sitting()
    table = replace(table, view=replace(table.view, hand=cards_of(hand)))
    lines = shown(table, Local(hand=hand)).splitlines()
    drawn = next(place for place, line in enumerate(lines) if "│A♠││2♠│" in line)
    assert lines[drawn].endswith("deadwood 20")
    assert set(lines[drawn + 2].split()) <= {"━" * 10, "═" * 10, "─" * 10}
    assert len(lines[drawn + 2].split()) == 2
    text = shown(table, Local(hand=hand), LEAST)
    assert "A♠ 2♠ 3♠ 9♣ 9♦ 9♥ Q♦ K♥   deadwood 20\n ━━━━━━━━" in text.replace("═", "━")


def test_a_hidden_hand_is_not_on_the_screen_and_nothing_moves() -> None:
    table = sitting()
    text = shown(table, Local(hidden=True))
    assert "Your 12 cards are hidden" in text
    assert "│░░│" * 12 in text
    corners = [[place for place, line in enumerate(one.splitlines()) if "╭──╮" in line] for one in (text, shown(table))]
    assert corners[0] == corners[1]
    assert "Your 12 cards are hidden" in shown(table, Local(hidden=True), LEAST)
    held = {ACE_LOW.format(card) for card in in_order(table.view.hand)}
    assert not any(f"│{card[0]}{'♣♦♥♠'['CDHS'.index(card[1])]}│" in text for card in held)
    assert "deadwood" not in text


def test_spectators_have_no_hand() -> None:
    node = sitting()
    public = replace(node.view, seat=None, hand=0)
    assert "You are watching as ana;" in shown(replace(node, me=None, view=public), Local(hand=cards("AS")))


def test_what_an_act_put_on_the_table() -> None:
    before: View = sitting().view
    public = replace(before.public, discards=cards("QS"), melds=())
    taken = replace(public, discards=cards("2C"), melds=(Meld(Seat(0), cards_of(cards("QS QD QH"))),))
    fresh = tongits_table.laid(replace(before, public=public), replace(before, public=taken))
    assert fresh == frozenset(cards("QS QD QH 2C"))


def test_the_fullest_table_still_fits_a_normal_screen() -> None:
    """Twelve melds of three, long names and all other cards discarded."""
    ranks = "A23456789TJQ"
    melds = tuple(
        Meld(Seat(place % 3), cards_of(cards(" ".join(rank + suit for suit in "CDH"))))
        for place, rank in enumerate(ranks)
    )
    seats = tuple(SeatView(f"player-name-{place:04}", bytes([place]) * 32) for place in range(3))
    table = replace(sitting(), seats=seats, pot=99, scores=(-100, 50, 50))
    table = with_public(table, melds=melds, discards=cards(" ".join(rank + "S" for rank in ranks)))
    text = shown(table, Local(hand=cards("KC KD KH KS")))
    for place in range(1, 13):
        assert f"m{place} " in text
    assert "K♣" in text
    assert "[Q♠]" in text
    assert "more lines" not in text


SIGNS = dict(zip("CDHS", "♣♦♥♠", strict=True))
LARGE = st.builds(Size, st.integers(80, 200), st.integers(24, 60))


def sign(card: Card) -> str:
    text = ACE_LOW.format(card)
    return text[0] + SIGNS[text[1]]


@st.composite
def spreads(draw: st.DrawFn) -> tuple[tuple[Meld, ...], tuple[Card, ...], tuple[Card, ...]]:
    """Melds, up to twelve and as long as runs can be, a hand and discards: every card in one place."""
    ranks, suits = "A23456789TJQK", "CDHS"
    left = {rank + suit for rank in ranks for suit in suits}
    melds = []
    for _ in range(draw(st.integers(0, 12))):
        if draw(st.booleans()):
            first, suit = draw(st.integers(0, 10)), draw(st.sampled_from(suits))
            found = [rank + suit for rank in ranks[first : first + draw(st.integers(3, 13))]]
        else:
            found = [draw(st.sampled_from(ranks)) + suit for suit in suits]
        found = found[: next((place for place, card in enumerate(found) if card not in left), len(found))]
        if len(found) >= 3:
            left -= set(found)
            melds.append(Meld(Seat(draw(st.integers(0, 2))), cards_of(cards(" ".join(found)))))
    rest = draw(st.permutations(sorted(left)))
    held = draw(st.integers(0, min(13, len(rest))))
    thrown = draw(st.integers(0, len(rest) - held))
    return tuple(melds), cards(" ".join(rest[:held])), cards(" ".join(rest[held : held + thrown]))


@settings(max_examples=100, deadline=None)
@given(spreads(), LARGE | st.sampled_from([NORMAL, Size(100, 30), Size(120, 40)]), st.booleans(), st.booleans())
def test_nothing_of_the_table_is_ever_invisible(
    spread: tuple[tuple[Meld, ...], tuple[Card, ...], tuple[Card, ...]], size: Size, news: bool, marked: bool
) -> None:
    melds, hand, discards = spread
    table = sitting()
    table = replace(table, seats=(replace(table.seats[0], nick="name-of-sixteen-"), *table.seats[1:]), pot=99)
    table = replace(table, view=replace(table.view, hand=cards_of(hand)))
    table = with_public(table, melds=melds, discards=discards)
    lying = [card for meld in melds for card in in_order(meld.cards)] + list(discards[-1:])
    happened = (Happened("ben drew."), Happened("ben discarded nothing.", fresh=True)) if news else ()
    text = shown(table, Local(hand=hand, fresh=frozenset(lying if marked else ()), happened=happened), size)
    for card in [*lying, *hand]:
        assert sign(card) in text
    for place in range(1, len(melds) + 1):
        assert f"m{place} " in text
    assert "more lines" not in text
    assert not news or "ben discarded nothing." in text
    if news and (size.cols < 100 or size.rows < 30):
        assert sum(set(line) == {"─"} for line in text.splitlines()) == 3  # under title, table and what happened


def test_a_run_too_long_for_boxes_is_written_and_one_too_long_for_a_line_goes_on_in_the_next() -> None:
    run = cards("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS")
    table = with_public(sitting(), melds=(*MELDS, Meld(Seat(2), cards_of(run))))
    text = shown(table, Local(fresh=frozenset(run)), Size(120, 40))
    for card in run:
        assert f"{sign(card)}•" in text
    assert "…" not in text


def test_melds_stand_under_each_other_in_columns() -> None:
    ranks = "A23456"
    melds = tuple(Meld(Seat(0), cards_of(cards(" ".join(rank + suit for suit in "CDH")))) for rank in ranks[:5])
    melds += (Meld(Seat(1), cards_of(cards("7S 8S 9S TS JS"))),)
    table = with_public(sitting(), melds=melds, discards=cards("9D TC QS"))
    lines = shown(table, Local(happened=(Happened("one"), Happened("two")), hand=cards("KC KD KH KS"))).splitlines()
    places = [[place for place, sign in enumerate(line) if line[place : place + 2] in NAMES] for line in lines]
    assert len({place for found in places for place in found}) <= 3
    assert sum(map(len, places)) == 6
    assert sum(set(line) == {"─"} for line in lines) == 3


NAMES = {f"m{place}" for place in range(1, 7)}


# ---- whatever is played, on whatever screen

LOOKS = st.builds(Look, st.booleans(), st.booleans(), st.booleans(), st.sampled_from("A1"))
SIZES = [Size(LEAST.cols, LEAST.rows), Size(55, 14), NORMAL, Size(100, 30), Size(120, 40), Size(200, 60)]


CHIPS = {"scoring": "chips", "ante": "2", "match_rounds": "2"}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), LOOKS, st.data())
def test_no_line_is_ever_wider_than_the_screen(seed: int, look: Look, data: st.DataObject) -> None:
    odd = data.draw(st.builds(Size, st.integers(LEAST.cols, 200), st.integers(LEAST.rows, 60)))
    for place, table in enumerate(moments("tongits", seed, CHIPS, bots=1)):
        for size in (SIZES[place % len(SIZES)], odd):
            if table.stage is Stage.PLAYING:
                local = Local(hand=tuple(in_order(table.view.hand)), hidden=seed % 5 == 0)
                screen = tongits_table.draw(table, size, local)
            else:
                local = Local()
                assert table.last is not None
                screen = scoresheet.draw(table, table.last, size, local)
            assert widest(compose(screen, size, look, local)) <= size.cols


@pytest.mark.parametrize("size", SIZES)
def test_the_hand_does_not_move_while_a_round_is_played(size: Size) -> None:
    """From the first turn to the last, as long as the same drawing of the hand fits."""
    places = set()
    for table in moments("tongits", 7, CHIPS, bots=1):
        if table.stage is not Stage.PLAYING or table.round > 1:
            continue
        local = Local(hand=tuple(in_order(table.view.hand)), coach="Your turn.")
        lines = texts(compose(tongits_table.draw(table, size, local), size, Look(), local))
        corners = [place for place, line in enumerate(lines) if line.startswith(" ╭──╮") and "│" not in line]
        places.update(corners[-1:])
    assert len(places) <= 1

"""The table of One Card, drawn from real rounds."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, Card
from p2pcards.commands.arrange import arrange
from p2pcards.games.base import Seat
from p2pcards.games.onecard.state import State
from p2pcards.table.tableview import RoundResult, SeatView, Stage, TableView
from p2pcards.ui import onecard_table, scoresheet
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.theme import Look, Size
from tests.testing.fake_node import FakeNode
from tests.testing.odd_tables import moments
from tests.testing.onecard_spot import NICKS, OPTIONS, cards, game_of, moment, random_states, stepped
from tests.testing.screens import texts, widest

NORMAL, LARGE = Size(80, 24), Size(120, 40)
OTHERS = ("4S 4D TC", "5S", "6S 6H TH")
HAND = "8C 9H KC"


def table_of(state: State, options: dict[str, str] | None = None, seat: int | None = 0, **more: object) -> TableView:
    """The table as that seat sees it; bots sit from seat 4 on."""
    game, nicks = game_of(options), NICKS[: len(state.hands)]
    view = game.view(state, None if seat is None else Seat(seat))
    node = FakeNode(options=options)
    node.sit("onecard", seats=len(nicks))
    assert node.table is not None
    seats = tuple(
        SeatView(nick, bytes([place]) * 32) if place < 4 else SeatView(nick, b"", "easy")
        for place, nick in enumerate(nicks)
    )
    told = {"to_act": tuple(place for place in game.to_act(view) if place >= 0), "round": 2, "stage": Stage.PLAYING}
    table = replace(node.table, seats=seats, view=view, me=seat, scores=tuple(-place for place in range(len(nicks))))
    return replace(table, **{**told, **more})


def shown(table: TableView, size: Size = NORMAL, local: Local | None = None) -> list[str]:
    local = local or Local()
    if not local.hand:
        local = local._replace(hand=arrange(table.game, table.view.hand, "rank"))
    return texts(compose(onecard_table.draw(table, size, local), size, Look(), local))


def line_of(lines: list[str], text: str) -> str:
    return next(line for line in lines if text in line)


def test_players_with_counts_scores_and_who_is_next() -> None:
    lines = shown(table_of(moment((HAND, *OTHERS), "8H"), {"rounds": "3"}))
    assert lines[0].startswith(" One Card · Friday night · round 2 of 3")
    assert lines[0].endswith("▸ your turn")
    assert line_of(lines, "player").startswith("   player            cards   score          │")
    assert line_of(lines, "ana (you)").startswith(" ▸ ana (you)             3       0          │")
    assert line_of(lines, "   ben  ").startswith("   ben                   3      −1 next     │")
    assert line_of(lines, "   cy ").startswith("   cy                    1 !    −2          │")


def test_the_top_card_is_large_with_what_fits_it() -> None:
    lines = shown(table_of(moment((HAND, *OTHERS), "3H")), local=Local(fresh=frozenset(cards("3H"))))
    row = next(place for place, line in enumerate(lines) if "╭───────╮" in line)
    assert [line.split("│ ", 1)[1].rstrip() for line in lines[row : row + 5]] == [
        "╭───────╮",
        "│3♥     │  fits   hearts or 3s",
        "│draw 3 │• stock  6",
        "│     3♥│  under  4♣",
        "╰───────╯",
    ]


@pytest.mark.parametrize(
    ("top", "word"), [("2H", "draw 2"), ("7H", "cancel"), ("JH", "skip"), ("QH", "turn"), ("8H", "       ")]
)
def test_the_large_card_says_what_it_does(top: str, word: str) -> None:
    lines = shown(table_of(moment((HAND, *OTHERS), top)))
    row = next(place for place, line in enumerate(lines) if "╭───────╮" in line)
    assert word in lines[row + 2].split("│", 2)[2]


def test_the_starter_card_does_nothing_unless_the_table_says_so() -> None:
    fresh = moment((HAND, *OTHERS), "2H", actions=0)
    assert "│starter│" in "\n".join(shown(table_of(fresh)))
    assert "│draw 2 │" in "\n".join(shown(table_of(fresh, {"starter_effect": "true"})))


def test_an_attack_and_whom_it_would_hit() -> None:
    state = moment((HAND, *OTHERS), "3H", pending=5, turn=1)
    lines = shown(table_of(state))
    assert "attack 5 for ben" in "\n".join(lines)
    assert "answer 2♥ 7♥ J♥ Q♥" in "\n".join(lines)
    assert "   −1 faces 5" in line_of(lines, "▸ ben")
    mine = shown(table_of(moment((HAND, *OTHERS), "3H", pending=5)))
    assert "attack 5 for you" in "\n".join(mine)


def test_the_order_of_turns_and_its_direction() -> None:
    lines = shown(table_of(moment((HAND, *OTHERS), "8H")))
    assert "order  you → ben → cy → dan" in "\n".join(lines)
    lines = shown(table_of(moment((HAND, *OTHERS), "8H", direction=-1, turn=1)))
    assert "order  ben → you → dan → cy" in "\n".join(lines)
    assert "next" in line_of(lines, "ana (you)")
    seats = (HAND, *OTHERS, *OTHERS, "2C")
    long = tuple(SeatView(f"name-of-sixteen{place}", bytes([place]) * 32) for place in range(8))
    for direction, way in ((1, "down"), (-1, "up")):
        lines = shown(table_of(moment(seats, "8H", direction=direction), seats=long))
        assert [line.split("│ ")[1].rstrip() for line in lines if "order" in line] == [f"order  {way} the list"]


def test_who_was_skipped_and_who_is_bankrupt() -> None:
    skipped = stepped(moment(("JH 9C 9D", *OTHERS), "8H"), "play JH")
    lines = shown(table_of(skipped))
    assert "−1 skipped" in line_of(lines, "ben")
    lines = shown(table_of(moment((HAND, *OTHERS), "8H", bankrupt=(1,))))
    assert "−1 bankrupt" in line_of(lines, "ben")
    assert "order  you → cy → dan" in "\n".join(lines)


def test_the_order_cards_stand_beside_the_players_in_the_first_turns() -> None:
    order = ((0, "4S"), (1, "9D"), (2, "4D"), (3, "KC"), (0, "JH"), (2, "6C"))
    lines = shown(table_of(moment((HAND, *OTHERS), "8H", actions=0, order=order)))
    assert line_of(lines, "ana (you)").split("│")[0].rstrip().endswith("0 4♠ J♥")
    assert line_of(lines, "   dan").split("│")[0].rstrip().endswith("−3 K♣")
    lines = shown(table_of(moment((HAND, *OTHERS), "8H", actions=4, order=order)))
    assert "4♠" not in "\n".join(lines)


def test_a_shuffle_under_way() -> None:
    waits = stepped(moment((HAND, *OTHERS), "2S", stock="", pending=2), "draw")
    lines = shown(table_of(waits))
    assert "stock  0, shuffling" in "\n".join(lines)
    assert "0 draws…" in line_of(lines, "ana (you)")
    assert "stock shuffling" in "\n".join(shown(table_of(waits), LEAST))


def test_what_was_played_before() -> None:
    state = moment((HAND, *OTHERS), "8H", under="2C 3C 4C 5C 6C 7C 8C 9C")
    lines = shown(table_of(state), local=Local(fresh=frozenset(cards("9C 8H"))))
    assert "under  5♣ 6♣ 7♣ 8♣ 9♣•" in "\n".join(lines)
    assert "under  nothing" in "\n".join(shown(table_of(moment((HAND, *OTHERS), "8H", under=""))))
    older = moment((HAND, *OTHERS), "8H", under="9C 5C 9C")
    lines = shown(table_of(older), local=Local(fresh=frozenset(cards("9C 8H"))))
    assert "under  9♣ 5♣ 9♣•" in "\n".join(lines)
    drawn = "\n".join(shown(table_of(state), LARGE))
    assert "played  │2♣││3♣││4♣││5♣││6♣││7♣││8♣││9♣│" in drawn


def test_what_an_act_put_on_the_pile() -> None:
    state = moment((HAND, *OTHERS), "8H")
    game = game_of()
    before, after = (game.view(one, Seat(1)) for one in (state, stepped(state, "play 8C")))
    assert onecard_table.laid(before, after) == frozenset(cards("8C"))
    drew = stepped(moment(("9C", *OTHERS), "8H"), "draw")
    assert (
        onecard_table.laid(game.view(moment(("9C", *OTHERS), "8H"), Seat(1)), game.view(drew, Seat(1))) == frozenset()
    )


def test_a_shuffle_lays_nothing() -> None:
    game = game_of()
    state = moment(("9C", *OTHERS), "8H", stock="")
    drew = stepped(stepped(state, "draw"), "shuffle")
    assert drew.public.discards == cards("8H")
    assert onecard_table.laid(game.view(state, Seat(1)), game.view(drew, Seat(1))) == frozenset()
    calls = {"call_one_card": "self"}
    state = moment(("8C 9C", *OTHERS), "8H", stock="")
    played = stepped(stepped(state, "play 8C", calls), "shuffle", calls)
    assert onecard_table.laid(game.view(state, Seat(1)), game.view(played, Seat(1))) == frozenset(cards("8C"))


def test_spectators_see_the_table_and_no_hand() -> None:
    lines = shown(table_of(moment((HAND, *OTHERS), "8H"), seat=None))
    assert "order  ana → ben → cy → dan" in "\n".join(lines)
    assert any(line.startswith(" You are watching as ana") for line in lines)


def test_a_hidden_hand_is_not_on_the_screen() -> None:
    table = table_of(moment((HAND, *OTHERS), "8H"))
    for size in (NORMAL, LEAST, LARGE):
        text = "\n".join(shown(table, size, Local(hidden=True)))
        assert "9♥" not in text
        assert "K♣" not in text
        assert "3 cards are hidden" in text


# ---- how much has room


LONG = tuple(SeatView(f"name-of-sixteen{place}", bytes([place]) * 32) for place in range(8))
EIGHT = ("AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC AD 2D 3D", *["4S 4D TC"] * 7)


def test_what_fits_is_never_cut() -> None:
    text = "\n".join(shown(table_of(moment(EIGHT, "KD"), seats=LONG)))
    assert "diamonds or" in text
    assert "kings" in text


@pytest.mark.parametrize("held", [16, 26, 40])
@pytest.mark.parametrize("pending", [0, 4])
def test_eight_players_with_long_names_fit_a_normal_screen(held: int, pending: int) -> None:
    hand = " ".join(ACE_LOW.format(Card(card)) for card in range(held))
    seats = tuple(replace(seat, held_until=60.0 if place == 3 else None) for place, seat in enumerate(LONG))
    table = table_of(moment((hand, *EIGHT[1:]), "2S", pending=pending), seats=seats)
    happened = (Happened("ben drew."), Happened("name-of-sixteen7 played 2♠.", fresh=True))
    lines = shown(table, local=Local(happened=happened, hand=arrange(table.game, table.view.hand, "rank")))
    text = "\n".join(lines)
    assert "more lines" not in text
    assert "held 60 s" in text
    assert "name-of-sixteen7 played 2♠." in text
    assert "│2♠     │" in text
    assert "stock  6" in text
    assert ("attack 4 for you" in text) == bool(pending)
    for place in (1, 2, 4, 5, 6, 7):
        assert f"name-of-sixteen{place}" in text
    for card in arrange(table.game, table.view.hand, "rank"):
        assert sign(card) in text


def sign(card: Card) -> str:
    text = ACE_LOW.format(card)
    return text[0] + "♣♦♥♠"["CDHS".index(text[1])]


def test_forty_cards_of_four_decks_are_wrapped_and_counted() -> None:
    hand = " ".join(f"{rank}{suit}" for rank in "A23456789T" for suit in "CCHH")
    lines = shown(table_of(moment((hand, *OTHERS), "8S")))
    assert any(line.startswith(" A♣×2 A♥×2 2♣×2") for line in lines)
    assert "T♥×2" in "\n".join(lines)


@pytest.mark.parametrize("pending", [0, 3])
def test_the_least_screen_shows_the_pile_the_counts_and_the_hand(pending: int) -> None:
    happened = (Happened("ben drew."),)
    few = "\n".join(shown(table_of(moment((HAND, *OTHERS), "3S", pending=pending)), LEAST, Local(happened=happened)))
    assert "[3♠]" in few
    assert ("3 for you" if pending else "spades or 3s") in few
    assert "▸ana (you) 3  ben 3  cy 1!  dan 3" in few
    assert "8♣ 9♥ K♣" in few
    many = "\n".join(shown(table_of(moment(EIGHT, "3S", pending=pending), seats=LONG), LEAST, Local(happened=happened)))
    assert "[3♠]" in many
    assert "cards 16 → 3 → 3 → 3 → 3 → 3 → 3 → 3" in many
    for card in EIGHT[0].split():
        assert sign(cards(card)[0]) in many


def test_on_a_narrow_screen_the_pile_stands_under_the_players() -> None:
    table = table_of(moment((HAND, *OTHERS), "3S", pending=3))
    tall = "\n".join(shown(table, Size(60, 34)))
    assert "   ╭───────╮  attack 3 for you" in tall
    assert "   │3♠     │  answer 2♠ 7♠ J♠ Q♠ any 3" in tall
    lower = "\n".join(shown(table, Size(60, 24)))
    assert "   top    [3♠]" in lower
    assert "   attack 3 for you" in lower
    for text in (tall, lower):
        assert "   ben                   3      −1 next" in text
        assert "   order  you → ben → cy → dan" in text


def test_the_clock_is_seen_though_names_are_long() -> None:
    table = table_of(moment((HAND, *OTHERS), "8H", turn=1), clock_at=105.0)
    seats = tuple(replace(seat, nick=f"a-name-of-16-{place:03}") for place, seat in enumerate(table.seats))
    table = replace(table, seats=seats, host="a-name-of-16-000", mine=False)
    assert shown(table, NORMAL, Local(now=100.0))[0].endswith("turn a-name-of-16-001 0:05")


# ---- the score sheet


def sheet(state: State, options: dict[str, str] | None = None, size: Size = NORMAL) -> str:
    game = game_of(options)
    outcome = game.outcome(state)
    assert outcome is not None
    result = RoundResult(1, outcome.reason, outcome.winners, outcome.points, game.view(state, Seat(0)), verified=True)
    table = table_of(state, options, stage=Stage.BETWEEN, to_act=(), last=result, scores=outcome.points)
    return "\n".join(texts(compose(scoresheet.draw(table, result, size, Local()), size, Look(), Local())))


OVER = stepped(moment(("8C", "4S 4S TC", "KS"), "8H"), "play 8C")


def test_the_cards_left_and_what_they_count() -> None:
    text = sheet(OVER, size=LARGE)
    assert "   ana          no card left" in text
    assert "   ben          4♠×2 T♣   3 cards" in text
    assert "   cy           K♠   1 card" in text
    assert "0 − 3   =   −3" in text
    text = sheet(
        stepped(moment(("8C", "4S 4S TC", "KS"), "8H"), "play 8C", {"scoring": "points"}), {"scoring": "points"}, LARGE
    )
    assert "   ben          4♠×2 T♣   18 points" in text


def test_the_bankrupt_are_said_to_be() -> None:
    state = moment(("8C", "4S 4S TC", "KS"), "8H", bankrupt=(1,))
    assert "   ben          4♠×2 T♣   3 cards, bankrupt" in sheet(stepped(state, "play 8C"), size=LARGE)


def test_a_long_hand_goes_on_under_itself() -> None:
    hand = " ".join(f"{rank}{suit}" for rank in "A23456789T" for suit in "CDHS")
    text = sheet(stepped(moment(("8C", hand), "8H"), "play 8C"), size=LARGE)
    assert "40 cards" in text
    assert "T♠" in text


def eight(hands: tuple[str, ...], size: Size = NORMAL, **changes: object) -> str:
    """The sheet of eight players, of whom ana has gone out; the others hold these cards, and have long names."""
    state = stepped(moment(("8C", *hands), "8H"), "play 8C")
    game = game_of({})
    outcome = game.outcome(state)
    assert outcome is not None
    view = game.view(state, Seat(0))
    last = RoundResult(1, outcome.reason, outcome.winners, outcome.points, view, verified=True, starter=0)
    table = table_of(state, stage=Stage.BETWEEN, to_act=(), last=last, scores=outcome.points, next_at=20.0, ready=(1,))
    seats = [replace(seat, nick=f"a-name-of-16-{place:03}", level="") for place, seat in enumerate(table.seats)]
    table = replace(table, seats=tuple(seats), nick="a-name-of-16-000", **changes)
    return "\n".join(texts(compose(scoresheet.draw(table, last, size, Local()), size, Look(), Local())))


def test_with_eight_players_the_cards_left_stand_beside_the_scores() -> None:
    hand = " ".join(f"{rank}{suit}" for rank in "A2345" for suit in "CDHS")
    text = eight((hand, "5S", "6S 6H TH", "2C 2C", "3D", "4D 6D", "KH"))
    assert " ▸ a-name-of-16-000 (you)     0 + 0   =    0    no card left" in text
    assert "   a-name-of-16-001           0 − 20  =  −20 ✓  A♣ A♦ A♥ A♠ 2♣ 2♦ …  20 cards" in text
    assert "   a-name-of-16-003           0 − 3   =   −3    6♥ 6♠ T♥  3 cards" in text
    assert "   a-name-of-16-004           0 − 2   =   −2    2♣×2  2 cards" in text
    assert "You start the next round." in text
    assert "verified" in text
    assert "more lines" not in text
    over = eight((hand, "5S", "6S 6H TH", "2C 2C", "3D", "4D 6D", "KH"), winners=(1, 2))
    assert "   a-name-of-16-001           0 − 20  =  −20 ✓  A♣ …  20 cards  won the match" in over
    assert "   a-name-of-16-002           0 − 1   =   −1    5♠  1 card  won the match" in over
    assert over.count("▸") == 1
    large = eight((hand, "5S", "6S 6H TH", "2C 2C", "3D", "4D 6D", "KH"), LARGE)
    assert "   a-name-of-16-003 6♥ 6♠ T♥   3 cards" in large  # the whole name
    assert "5♠   20 cards" in large


def test_beside_the_scores_too_the_bankrupt_are_said_to_be() -> None:
    state = moment(("8C", "4S 4S TC", "KS", "5S", "6S", "7S", "7D", "9S"), "8H", bankrupt=(1,))
    assert "4♠×2 T♣  3 cards, bankrupt" in sheet(stepped(state, "play 8C"))


# ---- whatever is played, on whatever screen


SIZES = [LEAST, Size(55, 14), NORMAL, Size(100, 30), LARGE, Size(200, 60)]


@settings(max_examples=12, deadline=None)
@given(
    st.integers(0, 2**32),
    st.integers(2, 8),
    OPTIONS,
    st.builds(Look, st.booleans(), st.booleans(), suits=st.booleans(), ace=st.sampled_from("A1")),
    st.builds(Size, st.integers(LEAST.cols, 200), st.integers(LEAST.rows, 60)),
    st.builds(Size, st.integers(1, LEAST.cols), st.integers(1, LEAST.rows)),
)
def test_no_line_is_ever_wider_than_the_screen(
    seed: int, seats: int, options: dict[str, str], look: Look, size: Size, tiny: Size
) -> None:
    options = {**options, "rounds": "2", "turn_limit": "50", "cards": str(2 + seed % 6)}
    for place, table in enumerate(moments("onecard", seed, options, seats=seats)):
        for each in (SIZES[place % len(SIZES)], size):
            if table.stage is Stage.PLAYING:
                local = Local(hand=arrange(table.game, table.view.hand, "suit"), hidden=seed % 5 == 0)
                screen = onecard_table.draw(table, each, local)
                onecard_table.draw(table, tiny, local)
            else:
                local = Local()
                assert table.last is not None
                screen = scoresheet.draw(table, table.last, each, local)
            assert widest(compose(screen, each, look, local)) <= each.cols


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 8), OPTIONS, st.sampled_from([NORMAL, Size(100, 30), LARGE]))
def test_nothing_that_matters_is_ever_invisible(seed: int, seats: int, options: dict[str, str], size: Size) -> None:
    """Whatever is played: the top card, the attack, all counts, all cards of the hand."""
    options = {**options, "decks": "2", "cards": "4", "turn_limit": "90"}
    for state in list(random_states(seed, seats, options))[seed % 5 : -1 : 5]:
        table = table_of(state, options)
        public, hand = table.view.public, arrange(table.game, table.view.hand, "rank")
        happened = (Happened("ben drew."), Happened("cy drew.", fresh=True))
        lines = shown(table, size, Local(hand=hand, happened=happened))
        text = "\n".join(lines)
        assert f"│{sign(public.top)}     │" in text or f"[{sign(public.top)}]" in text
        assert f"stock  {public.stock}" in text
        for card in hand:
            assert sign(card) in text
        for nick, count in zip(NICKS, public.counts, strict=False):
            assert f" {count} " in line_of([line.split("│")[0] for line in lines[2:]], f" {nick} ")
        if public.pending:
            hit = "you" if public.turn == 0 else NICKS[public.turn]
            assert f"attack {public.pending} for {hit}" in text
        assert "more lines" not in text


def test_drawn_cards_say_what_they_do_at_this_table() -> None:
    hand = "2H 3C 7S JD QD KC"
    state = moment((hand, *OTHERS), "8H")
    local = Local(hand=arrange(table_of(state).game, table_of(state).view.hand, "rank"), mode="art")
    text = "\n".join(shown(table_of(state), LARGE, local))
    for word in ("draw 2", "draw 3", "cancel", "skip", "turn"):
        assert f"│{word:^7}│" in text
    two = moment((hand, "8D"), "8H")
    text = "\n".join(shown(table_of(two), LARGE, local))
    assert "│ again │" in text
    assert "│ turn  │" in text
    text = "\n".join(shown(table_of(two, {"two_player_queen": "skip"}), LARGE, local))
    assert text.count("│ again │") == 2


def test_as_text_the_top_card_is_text() -> None:
    table = table_of(moment((HAND, *OTHERS), "8H"))
    local = Local(hand=arrange(table.game, table.view.hand, "rank"), mode="text")
    for size in (NORMAL, LARGE):
        text = "\n".join(shown(table, size, local))
        assert "top    [8♥]" in text
        assert "╭" not in text

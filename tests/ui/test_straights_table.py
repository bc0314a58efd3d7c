"""The table of Straights, drawn from real rounds."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, Card, deck, in_order
from p2pcards.games.base import Seat
from p2pcards.games.straights.state import View
from p2pcards.table.tableview import RoundResult, Stage, TableView
from p2pcards.ui import scoresheet, straights_table
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.theme import Look, Size
from tests.testing.fake_node import FakeNode
from tests.testing.odd_tables import moments
from tests.testing.screens import text_of, texts, widest
from tests.testing.straights_spot import cards, ended, spot

NORMAL, LARGE = Size(80, 24), Size(120, 40)
SIZES = [Size(LEAST.cols, LEAST.rows), Size(55, 14), NORMAL, Size(100, 30), LARGE, Size(200, 60)]
PASSING, OPEN = {"mode": "sevens_pass"}, {"open_discards": "true"}


def sitting(view: View, options: dict[str, str] | None = None, scores: tuple[int, ...] = (31, 12, 44, 20)) -> TableView:
    """A table at that moment of its second round."""
    node = FakeNode(1, options=options)
    node.sit("straights", others=1, bots=2)
    node.start()
    assert node.table is not None
    acting = (view.public.turn,)
    return replace(node.table, view=view, to_act=acting, scores=scores, round=2, me=view.seat)


def shown(table: TableView, size: Size = NORMAL, **local: Any) -> str:
    told = Local(hand=tuple(in_order(table.view.hand)))._replace(**local)
    return "\n".join(texts(compose(straights_table.draw(table, size, told), size, Look(), told)))


def fresh(text: str) -> frozenset[Card]:
    return frozenset(ACE_LOW.parse_all(text))


SKETCH = spot(
    "2C KD 4S TS 8H AH QC",
    "5S 6S 7S 8S 9S 6H 7H 7D 8D 9D TD JD",
    aside="3C",
    counts=(7, 7, 6, 6),
    stuck=(1, 0, 2, 0),
)


def test_the_rows_grow_around_the_sevens() -> None:
    lines = shown(sitting(SKETCH), fresh=fresh("JD")).splitlines()
    assert lines[2].startswith("   A  2  3  4  5  6  7  8  9  T  J  Q  K ")
    assert lines[3].startswith(" ♠ ·  ·  · [4] 5  6  7  8  9 [T] ·  ·  · ")
    assert lines[4].startswith(" ♥ ·  ·  ·  ·  ·  6  7 [8] ·  ·  ·  ·  · ")
    assert lines[5].startswith(" ♦ ·  ·  ·  ·  ·  ·  7  8  9  T  J• ·  · ")
    assert lines[6].startswith(" ♣ ·  ·  ×  ·  ·  ·  ·  ·  ·  ·  ·  ·  · ")


def test_the_players_with_cards_put_aside_and_points() -> None:
    lines = shown(sitting(SKETCH)).splitlines()
    assert lines[2].endswith(" │   player           cards aside points")
    assert lines[3].endswith(" ▸ ana (you)            7     1     31")
    assert lines[4].endswith("   ben                  7     0     12")
    assert lines[5].endswith("   bot-1 easy bot       6     2     44")
    assert lines[6].endswith("   bot-2 easy bot       6     0     20")
    passing = shown(sitting(SKETCH, PASSING)).splitlines()
    assert passing[2].endswith("cards  pass points")
    assert not any("aside" in line for line in passing)


def test_the_title_says_which_round_of_what_match() -> None:
    assert "Straights · Friday night · round 2 of a match to 80 " in shown(sitting(SKETCH))
    assert "round 2 of a match to 50 " in shown(sitting(SKETCH, {"threshold": "50"}))
    assert "round 2 of 3, or to 80 " in shown(sitting(SKETCH, {"match_rounds": "3"}))
    assert "round 2 of 3 " in shown(sitting(SKETCH, {"match_rounds": "3"}), Size(60, 20))
    assert "round 2, to 80 " in shown(sitting(SKETCH), Size(72, 24))
    assert " round 2, to 80 " in shown(sitting(SKETCH), Size(60, 20))
    assert " round 2  " in shown(sitting(SKETCH), Size(52, 20))
    playoff = sitting(SKETCH, {"tie_rule": "playoff"}, (81, 81, 90, 85))
    assert "round 2, playoff " in shown(playoff)
    assert shown(sitting(SKETCH)).splitlines()[0].endswith("▸ your turn")
    assert "turn ben" in shown(sitting(replace(SKETCH, public=replace(SKETCH.public, turn=Seat(1)))))


def test_my_own_cards_put_aside_and_no_other_ones() -> None:
    view = replace(SKETCH, discards=ACE_LOW.parse_all("3C KH"))
    assert "you put aside  3♣ K♥ = 16" in shown(sitting(view))
    assert "you put aside  nothing yet" in shown(sitting(replace(SKETCH, discards=())))
    watching = shown(sitting(replace(spot("", seat=None), discards=())))
    assert "put aside" not in watching
    assert "You are watching" in watching


def test_a_place_whose_card_is_known_to_be_aside_is_crossed_out() -> None:
    """Mine face down, everybody's face up, and nothing of mine while the hand is hidden."""
    assert " ♣ ··×·········· " in shown(sitting(SKETCH), Size(60, 20))
    assert "×" not in shown(sitting(SKETCH), hidden=True)
    public = replace(SKETCH.public, discards=((), (), ACE_LOW.parse_all("KC AD"), ()))
    openly = shown(sitting(replace(SKETCH, public=public, discards=()), OPEN), LARGE, hidden=True)
    assert "  ♦  ×   ·   ·   ·   ·   ·  │7♦│" in openly
    assert "  ♣  ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ·   ×" in openly
    assert openly.count("×") == 2


def test_open_discards_lie_open_for_all() -> None:
    public = replace(SKETCH.public, discards=(ACE_LOW.parse_all("3C"), (), ACE_LOW.parse_all("KC AD"), ()))
    text = shown(sitting(replace(SKETCH, public=public), OPEN), fresh=fresh("AD"))
    assert "aside   ana 3♣   ben –   bot-1 K♣ A♦•   bot-2 –" in text


def test_what_i_can_play_stands_beside_my_hand() -> None:
    assert "can play 4♠ T♠ 8♥" in shown(sitting(SKETCH), hand=ACE_LOW.parse_all("4S TS 8H QC"))
    many = spot("6S 8S 6H 8H 6D 8D", "7S 7H 7D")
    assert "can play 6♦ 6♥ 6♠ 8♦ …" in shown(sitting(many))
    assert "nothing fits" in shown(sitting(spot("KD 2C")))


def test_a_hidden_hand_gives_nothing_away() -> None:
    text = shown(sitting(SKETCH), hidden=True)
    assert "Your 7 cards are hidden" in text
    assert "you put aside  1 card, hidden" in text
    for told in ("[4]", "[T]", "[8]", "can play", "3♣"):
        assert told not in text
        assert told in shown(sitting(SKETCH))


def test_what_i_can_play_is_marked_while_others_act_too() -> None:
    view = replace(SKETCH, public=replace(SKETCH.public, turn=Seat(1)))
    screen = straights_table.draw(sitting(view), NORMAL, Local(hand=tuple(in_order(view.hand))))
    rows, _ = screen.drawings[1]
    spades = next(line for line in rows if text_of(line).startswith(" ♠"))
    assert ("class:dim", "[") in spades
    assert ("class:turn", "[") not in spades


def test_with_room_the_rows_are_drawn_as_cards() -> None:
    lines = shown(sitting(SKETCH), LARGE, fresh=fresh("JD")).splitlines()
    assert any(line.startswith("     A   2   3   4   5   6   7   8   9   T   J   Q   K") for line in lines)
    assert any(line.startswith("  ♠  ·   ·   ·  [4♠]│5♠││6♠││7♠││8♠││9♠│[T♠] ·   ·   ·") for line in lines)
    assert any("│7♦││8♦││9♦││T♦││J♦│" in line for line in lines)
    assert any("╭──╮╭─•╮" in line for line in lines)
    assert any(line.startswith(" ▸ ana (you)                    7     1     31") for line in lines)
    seats = sitting(SKETCH).seats
    strange = replace(sitting(SKETCH), seats=(*seats[:3], replace(seats[3], level="seed-medium")))
    assert "   bot-2 seed-medium bot " in shown(strange, LARGE)
    assert "you put aside  3♣ = 3" in "\n".join(lines)


def test_with_little_room_a_card_takes_one_cell_and_then_a_row_two() -> None:
    lines = shown(sitting(SKETCH), Size(60, 20)).splitlines()
    assert any(line.startswith(" ♠ ····56789····  ▸ ana (you)            7     1     31") for line in lines)
    lines = shown(sitting(SKETCH), Size(44, 20)).splitlines()
    assert any("cards/aside/points" in line for line in lines)
    assert any(line.startswith(" ♦ ······789TJ··") and line.endswith("6/2/44") for line in lines)
    least = shown(sitting(SKETCH), LEAST).splitlines()
    assert " ♠5–9  ♥6–7  ♦7–J  ♣–" in least
    assert " ▸ana (you) 7/1/31  ben 7/0/12" in least
    legend = shown(sitting(SKETCH, PASSING), Size(44, 20))
    assert "cards/passed/points" in legend


@pytest.mark.parametrize("size", SIZES)
def test_an_ace_is_written_as_the_display_says_wherever_it_stands(size: Size) -> None:
    table = sitting(spot("2C KD", "AS 2S 3S 4S 5S 6S 7S", aside="AC AH"))
    table = replace(table, seats=tuple(replace(seat, nick="x") for seat in table.seats))
    local = Local(hand=tuple(in_order(table.view.hand)))
    text = "\n".join(texts(compose(straights_table.draw(table, size, local), size, Look(ace="1"), local))[1:])
    assert "1" in text
    assert "A" not in text


def test_what_an_act_laid() -> None:
    before, after = spot("2C", "7S"), spot("2C", "7S 7H 8S")
    assert straights_table.laid(before, after) == fresh("7H 8S")
    aside = replace(after, public=replace(after.public, discards=((), ACE_LOW.parse_all("KD"), (), ())))
    assert straights_table.laid(after, aside) == fresh("KD")
    assert straights_table.laid(after, after) == frozenset()


# ---- the score sheet


def over(view: View, size: Size = NORMAL, options: dict[str, str] | None = None, **more: object) -> str:
    public = view.public
    table = sitting(spot("2C"), options)
    last = RoundResult(2, public.reason or "", public.winners, public.points or (0,) * 4, view, True)
    table = replace(table, view=None, to_act=(), stage=Stage.BETWEEN, last=last, me=0, **more)
    return "\n".join(texts(compose(scoresheet.draw(table, last, size, Local()), size, Look(), Local())))


ROUND = ended(("AC 6D KH", "", "2C 2D", "QS"))


def test_the_sheet_shows_what_was_put_aside_in_order_and_how_points_came_about() -> None:
    lines = over(ROUND, scores=(51, 12, 48, 32)).splitlines()
    assert any(line.startswith("   ana (you)") and "31 + 20  =   51" in line for line in lines)
    assert any(line.startswith(" ▸ ben") and "12 + 0   =   12" in line and "won the round" in line for line in lines)
    assert "   ana          A♣ 6♦ K♥  = 20 points" in lines
    assert "   ben          nothing put aside" in lines
    assert "   bot-1        2♣ 2♦  = 4 points" in lines
    assert "   bot-2        Q♠  = 12 points" in lines


def test_the_sheet_says_who_leads_until_when_and_who_starts() -> None:
    assert "ben leads with 12; the match ends at 80. The holder of 7♠ starts." in over(ROUND, scores=(51, 12, 48, 32))
    text = over(ROUND, options={"start_card": "7H", "match_rounds": "3"}, scores=(12, 12, 48, 32))
    assert "ana and ben lead with 12; the match ends at 80, or after round 3. The holder" in text
    assert "of 7♥ starts." in text
    playoff = over(ROUND, options={"tie_rule": "playoff"}, scores=(81, 81, 90, 99))
    assert "ana and ben share the lowest total, so all play on until one is ahead." in playoff


def test_the_lowest_total_wins_the_match_jointly() -> None:
    text = over(ROUND, scores=(85, 81, 81, 90), winners=(1, 2))
    assert "The lowest total wins: 81." in text
    assert "ben and bot-1 won the match." in text
    assert text.count("  won the match") == 2
    assert "starts" not in text


def test_the_sheet_of_a_round_with_passes() -> None:
    lines = over(ended(left=("KD 2C", "", "3H", "4H")), options=PASSING).splitlines()
    assert "   ana          2♣ K♦  = 15 points" in lines
    assert "   ben          no card left" in lines


def test_a_round_that_does_not_count_shows_no_hidden_card() -> None:
    void = replace(SKETCH, public=replace(SKETCH.public, reason=None))
    text = over(void)
    assert "ana          1 card put aside, not shown" in text
    table = sitting(SKETCH)
    assert straights_table.sheet(table, RoundResult(2, "void", (), (0,) * 4, None), False, 80)


def test_thirteen_cards_put_aside_are_all_on_the_sheet() -> None:
    spades = "AS 2S 3S 4S 5S 6S 8S 9S TS JS QS KS 7D"
    text = over(ended((spades, "AC", "2C", "3C")), Size(50, 30))
    assert " ".join(text.split()).count("♠") == 12 + 1  # and the start card
    assert "= 91 points" in text


# ---- whatever is played, on whatever screen


@settings(max_examples=8, deadline=None)
@given(
    st.integers(0, 2**32),
    st.sampled_from([{}, OPEN, PASSING, {"tie_rule": "playoff", "threshold": "1"}]),
    st.builds(Look, st.booleans(), st.booleans(), st.booleans(), st.sampled_from("A1")),
    st.builds(Size, st.integers(LEAST.cols, 200), st.integers(LEAST.rows, 60)),
)
def test_no_line_is_ever_wider_than_the_screen(seed: int, options: dict[str, str], look: Look, odd: Size) -> None:
    for place, table in enumerate(moments("straights", seed, {"match_rounds": "2", **options}, bots=2)):
        for size in (SIZES[place % len(SIZES)], odd):
            if table.stage is Stage.PLAYING:
                local = Local(hand=tuple(in_order(table.view.hand)), hidden=seed % 5 == 0)
                screen = straights_table.draw(table, size, local)
            else:
                local = Local()
                assert table.last is not None
                screen = scoresheet.draw(table, table.last, size, local)
            assert widest(compose(screen, size, look, local)) <= size.cols


@pytest.mark.parametrize("size", SIZES)
def test_the_hand_does_not_move_while_a_round_is_played(size: Size) -> None:
    """From the first turn to the last, as long as the same drawing of the hand fits."""
    places = set()
    for table in moments("straights", 7, {"match_rounds": "2"}, bots=2):
        if table.stage is not Stage.PLAYING or table.round > 1:
            continue
        local = Local(hand=tuple(in_order(table.view.hand)), coach="Your turn.")
        lines = texts(compose(straights_table.draw(table, size, local), size, Look(), local))
        corners = [place for place, line in enumerate(lines) if line.startswith(" ╭──╮") and "│" not in line]
        places.update(corners[-1:])
    assert len(places) <= 1


def test_the_fullest_tables_still_fit_a_normal_screen() -> None:
    """Thirteen cards in hand, a full table, much put aside; all rows, all players, and something that happened."""
    table = replace(
        SKETCH,
        hand=cards("AC 2C 3C 4C 5C 6C 8C 9C TC JC QC KC AD"),
        discards=ACE_LOW.parse_all("AH 2H 3H 4H 5H 6H"),
    )
    text = shown(sitting(table), happened=(Happened("ben played J♦.", True),) * 4)
    assert "more lines" not in text
    assert "│A♣│" in text
    assert text.count("ben played J♦.") >= 2
    everything = tuple(tuple(list(deck())[seat * 13 : seat * 13 + 10]) for seat in range(4))
    opened = replace(table, public=replace(table.public, discards=everything))
    lying = shown(sitting(opened, OPEN))
    assert "more lines" not in lying
    assert lying.count("♠") >= 10

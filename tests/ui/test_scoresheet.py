"""Between rounds and after the match."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, cards_of
from p2pcards.games.base import Seat
from p2pcards.games.tongits.state import Meld
from p2pcards.table.tableview import RoundResult, Stage, TableView
from p2pcards.ui import scoresheet
from p2pcards.ui.frame import compose
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.theme import Look, Size
from tests.testing.fake_node import KEY, FakeNode
from tests.testing.screens import texts

SIZE = Size(80, 24)


def sitting(**changes: object) -> TableView:
    """Between rounds: ben won a called draw against ana, bot-1 folded."""
    node = FakeNode(1)
    node.sit(bots=1, others=1)
    node.start()
    table = node.table
    assert table is not None
    hand = cards_of(ACE_LOW.parse_all("2S 4D 9C 9D 9H"))
    shown = ((Seat(1), cards_of(ACE_LOW.parse_all("AS 2D")), 3), (Seat(0), hand, 6))
    view = replace(table.view, hand=hand, public=replace(table.view.public, shown=shown, counts=(5, 2, 9)))
    last = RoundResult(3, "call", (1,), (0, 1, 0), view, True)
    return replace(table, stage=Stage.BETWEEN, view=None, to_act=(), scores=(1, 3, 0), last=last, **changes)


def seen(table: TableView, local: Local | None = None) -> str:
    local = local or Local()
    assert table.last is not None
    return "\n".join(texts(compose(scoresheet.draw(table, table.last, SIZE, local), SIZE, Look(), local)))


def of_round(**changes: object) -> TableView:
    table = sitting()
    assert table.last is not None
    return replace(table, last=replace(table.last, **changes))


def test_which_round_is_over_and_how() -> None:
    text = seen(sitting())
    assert "round 3 is over" in text
    assert "ben won the call." in text


def test_points_and_how_they_came_about() -> None:
    lines = seen(sitting()).splitlines()
    assert any(line.startswith(" ▸ ben") and "2 + 1   =    3" in line and "won the round" in line for line in lines)
    assert any(line.startswith("   ana (you)") and "1 + 0   =    1" in line for line in lines)
    lost = seen(replace(of_round(points=(-4, 6, -2)), scores=(-4, 6, -2)))
    assert "0 − 4   =   −4" in lost


def test_hands_face_up_with_the_melds_that_were_found() -> None:
    text = seen(sitting())
    assert "ana          9♣ 9♦ 9♥ | 2♠ 4♦   deadwood 6" in text
    assert "ben          A♠ 2♦   deadwood 3" in text
    assert "bot-1        9 cards, not shown" in text


def test_what_was_laid_off_at_the_showdown_is_shown_apart() -> None:
    table = sitting()
    assert table.last is not None
    public = table.last.view.public
    melds = (Meld(Seat(1), cards_of(ACE_LOW.parse_all("AS 2S 3S"))),)
    held = cards_of(ACE_LOW.parse_all("4S 5S 6D KD"))
    for points, line in ((25, "4♠ 5♠ 6♦ K♦"), (16, "4♠ 5♠ laid off | 6♦ K♦")):
        public = replace(public, melds=melds, shown=((Seat(0), held, points),))
        text = seen(replace(table, last=replace(table.last, view=replace(table.last.view, public=public))))
        assert f"ana          {line}   deadwood {points}" in text


def test_a_long_name_stands_whole_beside_its_hand_where_there_is_room() -> None:
    table = sitting()
    long = tuple(replace(seat, nick=f"a-name-of-16-{place:03}", key=KEY) for place, seat in enumerate(table.seats))
    text = seen(replace(table, seats=long))
    assert "   a-name-of-16-000 9♣ 9♦ 9♥ | 2♠ 4♦   deadwood 6" in text
    assert "   a-name-of-16-002 9 cards, not shown" in text
    assert table.last is not None
    narrow = scoresheet.draw(replace(table, seats=long), table.last, Size(40, 24), Local())
    shown = "\n".join(texts(compose(narrow, Size(40, 24), Look(), Local())))
    assert "   a-name-of-…0 9♣" in shown
    assert "   a-name-of…0 (you)      1 + 0   =    1\n" in shown
    assert " ▸ a-name-of-16-001       2 + 1   =    3" in shown


def test_my_own_hand_is_shown_to_me_unless_it_is_hidden() -> None:
    table = sitting()
    assert table.last is not None
    public = replace(table.last.view.public, shown=())
    table = replace(table, last=replace(table.last, view=replace(table.last.view, public=public)))
    assert "ana          9♣ 9♦ 9♥ | 2♠ 4♦" in seen(table)
    assert "ana          5 cards, not shown" in seen(table, Local(hidden=True))


def test_my_own_deadwood_is_told_though_it_was_not_counted() -> None:
    table = sitting()
    assert table.last is not None
    public = replace(table.last.view.public, shown=())
    table = replace(table, last=replace(table.last, view=replace(table.last.view, public=public)))
    assert "ana          9♣ 9♦ 9♥ | 2♠ 4♦   deadwood 6" in seen(table)


def test_a_bot_that_stands_in_is_said_to_behind_a_long_name() -> None:
    table = sitting()
    first, *others = table.seats
    first = replace(first, nick="a-name-of-16-000", bot_plays=True)
    text = seen(replace(table, seats=(first, *others), nick="a-name-of-16-000"))
    assert "   a-name-of-16-000 (you) bot  " in text
    first = replace(first, nick="ana", bot_plays=True)
    assert "   ana (you) a bot plays on  " in seen(replace(table, seats=(first, *others)))


def test_for_whom_it_waits_and_when_it_goes_on_by_itself() -> None:
    table = sitting(next_at=142.0)
    assert "Waiting for you and ben · goes on by itself in 42 s" in seen(table, Local(now=100.0))
    mine = seen(replace(table, ready=(0,)), Local(now=141.0))
    assert "Waiting for ben · goes on by itself in 1 s" in mine
    assert [line.split()[0] for line in mine.splitlines() if "✓ ready" in line] == ["ana"]
    theirs = seen(replace(table, ready=(1,), next_at=None))
    assert "Waiting for you\n" in theirs
    assert any("✓ ready" in line and "won the round" in line for line in theirs.splitlines())
    watching = seen(replace(table, me=None, ready=(0, 1)), Local(now=100.0))
    assert "Goes on by itself in 42 s" in watching


def test_after_a_match_it_waits_once_somebody_wants_another() -> None:
    over = sitting(winners=(1,))
    over = replace(over, stage=Stage.OVER)
    assert "Waiting for" not in seen(over)
    assert "Waiting for you" in seen(replace(over, ready=(1,)))


def test_whether_everything_was_in_order() -> None:
    assert "✓ deal and moves verified" in seen(sitting())
    assert "checking deal and moves…" in seen(of_round(verified=None))
    bad = of_round(verified=False, trouble="the deck was changed", bad=7, whose="ben")
    assert "✗ NOT in order: the deck was changed (entry 7, ben's)" in seen(bad)


@pytest.mark.parametrize("cols", [40, 50, 80, 120])
def test_the_title_tells_while_cards_are_shuffled(cols: int) -> None:
    table = sitting(dealing=True)
    assert table.last is not None
    size = Size(cols, 24)
    first, *_ = texts(compose(scoresheet.draw(table, table.last, size, Local()), size, Look(), Local()))
    assert first.rstrip().endswith("shuffling")
    assert len(first) <= cols


def test_whose_programs_verified_it() -> None:
    assert "✓ deal and moves verified by you and ben\n" in seen(of_round(verdicts=(("ben", True),)))
    assert "✓ deal and moves verified by you, ben and cy\n" in seen(of_round(verdicts=(("ben", True), ("cy", True))))
    assert "✓ deal and moves verified\n" in seen(sitting())


def test_a_program_that_found_something_is_shown_in_alarm() -> None:
    table = of_round(verdicts=(("ben", True), ("cy", False)), doubts=(("cy", 7, "another result"),))
    assert "✓ deal and moves verified by you and ben\n" in seen(table)
    assert "✗ cy's program says NOT in order: another result (entry 7)\n" in seen(table)
    assert table.last is not None
    drawings = scoresheet.draw(table, table.last, SIZE, Local()).drawings
    (alarm,) = [line for line in drawings[0][0] if any("cy's program" in text for _, text in line)]
    assert {style for style, _ in alarm} == {"class:warn"}


@pytest.mark.parametrize("cols", [40, 46, 60, 80, 100, 120])
@pytest.mark.parametrize("rows", [10, 16, 24, 40])
def test_no_line_is_wider_than_the_screen_whatever_was_found(cols: int, rows: int) -> None:
    names = tuple(f"a-name-of-16-{place:03}" for place in range(8))
    doubts = tuple((nick, 12345, "a reason that is long enough to be cut " * 5) for nick in names[4:])
    table = of_round(verdicts=tuple((nick, place < 4) for place, nick in enumerate(names)), doubts=doubts)
    assert table.last is not None
    bad = replace(table.last, verified=False, trouble="x" * 200, bad=7, whose=names[0])
    for last in (table.last, bad):
        size = Size(cols, rows)
        lines = texts(compose(scoresheet.draw(table, last, size, Local()), size, Look(), Local()))
        assert len(lines) == rows - 2
        assert max(map(len, lines)) <= cols
        assert any("0 + 1" in line or "2 + 1" in line for line in lines)


def test_many_programs_with_long_names_are_told_in_several_lines() -> None:
    names = tuple((f"a-name-of-16-{place:03}", True) for place in range(7))
    text = seen(of_round(verdicts=names)).replace("\n     ", " ")
    assert f"verified by you, {', '.join(nick for nick, _ in names[:-1])} and {names[-1][0]}" in text


def test_what_comes_next() -> None:
    assert "starts the next round" not in seen(sitting())  # a game whose next starter is in the cards, or drawn
    for starter, told in enumerate(("You start", "ben starts", "bot-1 starts")):
        assert f"{told} the next round." in seen(of_round(starter=starter))
        assert f"{told} the next round." in seen(of_round(starter=starter, winners=()))
    assert "6 in the pot of the next round." in seen(sitting(pot=6))
    over = seen(replace(sitting(), stage=Stage.OVER, winners=(1,), pot=6))
    assert "match over" in over
    assert "ben won the match. The pot of 6 lapses." in over
    for winners, told in (((0,), "You"), ((0, 1, 2), "You, ben and bot-1"), ((1, 2), "ben and bot-1")):
        assert f"   {told} won the match.\n" in seen(replace(sitting(), stage=Stage.OVER, winners=winners))
    assert "starts the next" not in seen(replace(of_round(starter=1), stage=Stage.OVER, winners=(1,)))


def test_with_little_room_the_scores_come_first() -> None:
    table = sitting()
    assert table.last is not None
    for size, kept, gone in (
        (Size(80, 18), "deadwood", "deal and moves"),
        (Size(80, 14), "deal and moves", "deadwood"),
        (Size(80, 13), "won the call", "deal and moves"),
        (Size(40, 10), "bot-1", "deal and moves"),
    ):
        screen = scoresheet.draw(table, table.last, size, Local())
        text = "\n".join(texts(compose(screen, size, Look(), Local())))
        assert kept in text
        assert gone not in text
        assert "1 + 0   =    1" in text
        assert "more lines" not in text


@pytest.mark.parametrize("reason", ["call", "tongits", "exhausted"])
@pytest.mark.parametrize("verified", [True, False])
def test_the_longest_sheet_still_fits_a_normal_screen(reason: str, verified: bool) -> None:
    table = sitting(pot=12, next_at=142.0)
    assert table.last is not None
    long = [replace(seat, nick=f"a-name-of-16-{place:03}", level="", key=KEY) for place, seat in enumerate(table.seats)]
    hands = (
        "2S 4D 9C 9D 9H TS JS QS KS 3H 3D 5C",
        "AS 2D AD AH 6C 6D 6H 7C 7H 8D 8S 9S",
        "TC JC QC KC KD KH QH QD JD JH TD TH",
    )
    shown = tuple((Seat(seat), cards_of(ACE_LOW.parse_all(held)), 60) for seat, held in enumerate(hands))
    view = replace(table.last.view, public=replace(table.last.view.public, shown=shown))
    last = replace(table.last, reason=reason, verified=verified, trouble="the deck was changed", view=view)
    table = replace(table, seats=tuple(long), nick="a-name-of-16-000", last=last)
    happened = (Happened("Round 1: deal and moves verified."), Happened("ben is ready."))
    text = seen(table, Local(now=100.0, happened=happened))
    assert "more lines" not in text
    assert "in 42 s" in text.replace("\n  ", "")
    assert "ben is ready." in text


@pytest.mark.parametrize("game", ["tongits", "tienlen", "straights", "onecard"])
@pytest.mark.parametrize("size", [Size(120, 40), Size(80, 18)])
def test_who_comes_when_the_round_is_over_is_shown_what_there_is_without_the_hands(game: str, size: Size) -> None:
    node = FakeNode(1)
    node.sit(game, others=1)
    node.start()
    table = node.table
    assert table is not None
    points = (1,) * len(table.seats)
    last = RoundResult(3, "out", (1,), points, None, True)
    table = replace(table, stage=Stage.BETWEEN, view=None, to_act=(), scores=points, last=last)
    text = "\n".join(texts(compose(scoresheet.draw(table, last, size, Local()), size, Look(), Local())))
    assert "round 3" in text
    assert "ben" in text


def test_who_has_got_up_since_still_stands_on_the_sheet_and_newcomers_do_not() -> None:
    table = sitting(winners=(1,))
    assert table.last is not None
    last = replace(table.last, nicks=tuple(seat.nick for seat in table.seats))
    was, nobody = seen(replace(table, last=last)), replace(table.seats[2], nick="", key=b"", level="")
    new = replace(table.seats[2], nick="dan", key=KEY, level="")
    for seats in ((table.seats[0], table.seats[1], nobody), (table.seats[0], table.seats[1], new, nobody)):
        assert seen(replace(table, last=last, seats=seats)).split() == was.replace(" easy bot", "").split()
    gone = seen(replace(table, last=last, seats=(new, *table.seats[1:])))
    assert "(you)" in was
    assert "(you)" not in gone
    assert "dan" not in gone

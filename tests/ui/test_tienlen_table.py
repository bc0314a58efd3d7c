"""The table of Tiến lên: what must be beaten is always there, at every size."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import NONE, THREE_LOW, Card, in_order
from p2pcards.games.tienlen.state import Phase, View
from p2pcards.table.tableview import RoundResult, Stage, TableView
from p2pcards.ui import scoresheet, tienlen_table
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.local import Happened, Local
from p2pcards.ui.theme import Look, Size
from tests.testing.fake_node import FakeNode
from tests.testing.odd_tables import ODD, moments
from tests.testing.screens import texts, widest
from tests.testing.tienlen_spot import NICKS, game, played, spot

NORMAL, LARGE = Size(80, 24), Size(120, 40)
LONG = ("name-of-sixteen-", "another-long-one", "third-long-name-", "fourth-long-name")
GOES_OUT = {"instant_win": "goes_out_first"}
SKETCH = spot(
    "3C 7S 8H 9D TS JH AC 2D",
    "1 5S, 2 8D, 1 pass, 2 6S 7D 8C 9H",
    counts=(0, 6, 3, 0),
    places=(3,),
)


def sitting(
    view: View,
    options: dict[str, str] | None = None,
    nicks: tuple[str, ...] = NICKS,
    scores: tuple[int, ...] = (1, 1, 0, 2),
) -> TableView:
    """A table of as many players at that moment of its third round."""
    node = FakeNode(1, options=options)
    node.sit("tienlen", others=2, bots=1)
    node.start()
    assert node.table is not None
    seats = tuple(replace(seat, nick=nick) for seat, nick in zip(node.table.seats, nicks, strict=True))
    count = len(view.public.counts)
    return replace(
        node.table,
        game=game(options),
        nick=nicks[0],
        seats=seats[:count],
        scores=scores[:count],
        view=view,
        round=3,
        me=view.seat,
        to_act=tuple(game(options).to_act(view)),
    )


def shown(table: TableView, size: Size = NORMAL, **local: Any) -> str:
    told = Local(hand=tuple(in_order(table.view.hand)))._replace(**local)
    return "\n".join(texts(compose(tienlen_table.draw(table, size, told), size, Look(), told)))


def fresh(text: str) -> frozenset[Card]:
    return frozenset(THREE_LOW.parse_all(text))


# ---- the trick


def test_what_lies_there_whose_it_is_and_what_beats_it() -> None:
    lines = shown(sitting(SKETCH)).splitlines()
    beside = [line.split(" │ ", 1)[1] for line in lines if "  │ " in line]
    assert beside[:4] == ["to beat  a straight of 4", "╭──╮╭──╮╭──╮╭──╮", "│6♠││7♦││8♣││9♥│  by cy", "╰──╯╰──╯╰──╯╰──╯"]
    assert beside[4:] == ["beaten by  a higher straight of 4", "if you pass, cy leads"]


def test_who_did_what_in_the_trick_in_turn() -> None:
    assert "   trick ben 5♠ → cy 8♦ → ben passed → cy 6♠ 7♦ 8♣ 9♥\n" in shown(sitting(SKETCH))
    marked = shown(sitting(SKETCH), fresh=fresh("6S 7D 8C 9H"))
    assert "→ cy 6♠ 7♦ 8♣ 9♥•\n" in marked
    assert "│9♥│• by cy" in marked
    assert "   trick nothing yet\n" in shown(sitting(spot("3S")))


def test_players_with_cards_state_and_score() -> None:
    lines = shown(sitting(SKETCH)).splitlines()
    assert lines[0].endswith("▸ your turn")
    assert any(line.startswith(" ▸ ana (you)               8             1  │") for line in lines)
    assert any(line.startswith("   ben                     6 passed      1  │") for line in lines)
    assert any(line.startswith("   cy                      3             0  │") for line in lines)
    assert any(line.startswith("   dan easy bot            – out 1st     2  │") for line in lines)
    assert "chips" in shown(sitting(SKETCH, {"scoring": "chips"}))


def test_few_cards_left_catch_the_eye() -> None:
    screen = tienlen_table.draw(sitting(SKETCH), NORMAL, Local(hand=tuple(in_order(SKETCH.hand))))
    drawn, _ = screen.drawings[0]
    bold = [text.strip() for line in drawn for style, text in line if style == "class:fresh" and text.strip()]
    assert bold == ["3"]


def test_who_leads_and_what_must_be_in_the_first_lead() -> None:
    mine = shown(sitting(spot("3S 4C")))
    assert "│ new trick  you lead\n" in mine
    assert "│ any combination, but no pass\n" in mine
    assert "│ new trick  cy leads\n" in shown(sitting(spot("3S 4C", turn=2)))
    must = shown(sitting(spot("3S 4C", must="3S"), {"first_lead": "lowest_card"}))
    assert re.search(r"│ any combination with 3♠ in it, the\n.*│   lowest card dealt\n", must)
    assert "│ one card, two to four of a rank,\n" in mine
    assert "one card, two to four of a rank," in shown(sitting(spot("3S 4C", counts=(2, 9))))
    assert "one card, two to four of a rank" not in shown(sitting(spot("3S", turn=1)))
    assert "you lead with 3♠" in shown(sitting(spot("3S 4C", must="3S")), LEAST)


def test_bombs_are_named_where_they_beat_what_lies_there() -> None:
    def beaten_by(acts: str, options: dict[str, str] | None = None) -> str:
        pile = spot("3S", acts).public.pile
        assert pile is not None
        return tienlen_table.beaten_by(sitting(spot("3S", acts), options), pile)

    assert beaten_by("3 AH") == "a higher card"
    assert beaten_by("3 2S") == "a higher card, four of a kind or three or more pairs in a row"
    assert beaten_by("3 2S 2C") == "a higher pair, four of a kind or four or more pairs in a row"
    strict = {"bomb_quad_beats_pair_of_twos": "false"}
    assert beaten_by("3 2S 2C", strict) == "a higher pair, four or more pairs in a row"
    assert beaten_by("3 2S 2C 2D") == "three of a higher rank, five or more pairs in a row"
    assert beaten_by("3 5S 5C 5D 5H") == "four of a higher rank"
    southern = {"bomb_chain": "southern"}
    assert beaten_by("3 5S 5C 5D 5H", southern) == "four of a higher rank, four or more pairs in a row"
    lock = {"suited_straight_lock": "true"}
    assert beaten_by("3 5S 6S 7S", lock) == "a higher straight of 3 of one suit"
    assert beaten_by("3 5S 6S 7C", lock) == "a higher straight of 3"


@pytest.mark.parametrize(
    ("view", "options", "text"),
    [
        (spot("3S", "3 5S"), {}, "if all pass, dan leads"),
        (spot("3S", "1 pass, 3 5S"), {}, "if you and cy pass, dan leads"),
        (spot("3S", "2 pass, 3 5S, 0 pass", turn=1), {}, "if ben passes, dan leads"),
        (spot("3S", "0 5S, 1 pass", turn=2), {}, "if cy and dan pass, you lead"),
        (spot("3S", "3 5S", counts=(0, 2, 2, 0), places=(3,), phase=Phase.AFTER_OUT), {}, "if you pass, you lead"),
        (spot("3S", "3 5S", counts=(0, 2, 2, 0), places=(3,)), {"out_rule": "all_may_beat"}, "if all pass, you lead"),
    ],
)
def test_who_leads_if_nobody_beats_it(view: View, options: dict[str, str], text: str) -> None:
    assert f"│ {text}\n" in shown(sitting(view, options))


def test_after_somebody_went_out_with_what_lies_there() -> None:
    view = spot("3S AS", "1 TH, 2 pass, 3 KH", counts=(0, 4, 5, 0), places=(3,), phase=Phase.AFTER_OUT)
    assert "│K♥│  by dan, who is out\n" in shown(sitting(view))


def test_an_instant_hand_that_took_the_first_place_is_told() -> None:
    view = played(("3S 9C", "2S 2C 2D 2H", "4S 9D", "5S 9H"), options=GOES_OUT)
    text = shown(sitting(view, GOES_OUT))
    assert "   ben was dealt all four 2s.\n" in text
    assert "– out 1st" in text


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "round 3"),
        ({"match_rounds": "5"}, "round 3 of 5"),
        ({"scoring": "placement", "target_score": "21"}, "round 3, to 21 points"),
        ({"scoring": "penalty"}, "round 3, to 6 penalty points"),
        ({"scoring": "cards_left", "target_score": "30"}, "round 3, to −30 points"),
    ],
)
def test_which_round_it_is_of_how_many(options: dict[str, str], text: str) -> None:
    assert shown(sitting(SKETCH, options)).splitlines()[0].startswith(f" Tiến lên · Friday night · {text}  ")


# ---- room


def test_with_room_the_trick_is_a_list() -> None:
    text = shown(sitting(SKETCH), LARGE)
    assert "   this trick\n   ben  5♠\n   cy   8♦\n   ben  passed\n   cy   6♠ 7♦ 8♣ 9♥\n" in text
    assert "│6♠││7♦││8♣││9♥│  by cy\n" in text


ALL = "1 3S, 2 4S, 3 4H, 0 5S, 1 6S, 2 7H, 3 8S, 0 8H, 1 pass, 2 9S, 3 TS, 0 JS, 2 QS, 3 KS, 0 AS, 2 2S"


def test_a_long_trick_of_long_names_leaves_the_hand_its_boxes() -> None:
    view = spot("3H 4C 5C 6C 8C 9H JH QH KH", ALL, counts=(0, 12, 8, 2))
    happened = (Happened("one"), Happened("two", fresh=True))
    text = shown(sitting(view, nicks=LONG), happened=happened)
    assert "   trick … → " in text
    assert "→ third-lon… 2♠\n" in text
    assert "│3♥││4♣│" in text
    assert "two" in text
    assert "more lines" not in text
    assert text.count(" → ") < ALL.count(",")
    assert shown(sitting(view), Size(100, 40)).count("→ ") == ALL.count(",")


def test_a_straight_too_long_for_boxes_beside_the_players_is_text_there_and_boxes_under_them() -> None:
    run = "3C 4D 5C 6D 7C 8S 9C TC JC QC KC AS"
    view = spot("3S 4C AH", f"3 {run}", counts=(0, 4, 0, 1), places=(2,))
    assert "│ 3♣4♦5♣6♦7♣8♠9♣T♣J♣Q♣K♣A♠ by dan\n" in shown(sitting(view))
    assert "│3♣││4♦││5♣││6♦││7♣││8♠││9♣││T♣││J♣││Q♣││K♣││A♠│  by dan" in shown(sitting(view), LARGE)


def test_the_smallest_screen_says_what_is_to_be_beaten_and_how_everybody_stands() -> None:
    lines = shown(sitting(SKETCH), LEAST).splitlines()
    assert lines[1] == " to beat 6♠ 7♦ 8♣ 9♥ cy"
    assert " ".join(lines[2:4]).split() == [
        "▸you",
        "8",
        "(1)",
        "ben",
        "6",
        "passed",
        "(1)",
        "cy",
        "3",
        "(0)",
        "dan",
        "out",
        "1st",
        "(2)",
    ]


def test_a_hidden_hand_and_none_at_all() -> None:
    assert "Your 8 cards are hidden" in shown(sitting(SKETCH), hidden=True)
    watching = replace(SKETCH, seat=None, hand=NONE)
    text = shown(sitting(watching))
    assert "You are watching as ana;" in text
    assert "if ana passes, cy leads" in text


def test_what_an_act_put_on_the_table() -> None:
    hands = ("3S 5S", "4S 6S")
    before, after = played(hands), played(hands, "3S")
    assert tienlen_table.laid(before, after) == fresh("3S")
    assert tienlen_table.laid(after, played(hands, "3S", "pass")) == frozenset()


# ---- the score sheet


def sheet(view: View, options: dict[str, str] | None = None, size: Size = NORMAL) -> list[str]:
    rules = game(options)
    table = sitting(view, options)
    public = view.public
    points = (0,) * len(public.counts)
    last = RoundResult(3, str(public.reason), public.winners, points, view, True)
    over = replace(table, game=rules, stage=Stage.BETWEEN, view=None, to_act=(), last=last)
    return texts(compose(scoresheet.draw(over, last, size, Local()), size, Look(), Local()))


def test_the_sheet_has_places_and_what_was_left() -> None:
    lines = sheet(played(("9S", "4S", "TS JH"), "9S", "pass", "4S"))
    first = next(place for place, line in enumerate(lines) if line.startswith("   1st"))
    assert lines[first : first + 3] == [
        "   1st  ana              no card left",
        "   2nd  ben              no card left",
        "   3rd  cy               T♠ J♥",
    ]
    assert not any("3♠" in line for line in lines)


def test_a_win_with_the_single_3_has_a_line_of_its_own() -> None:
    lines = sheet(played(("3S", "4S 6S"), "3S"))
    assert "   You went out on the single 3♠, the lowest card of all." in lines
    lost = sheet(played(("3S", "4S 6S"), "3S", options={"objective": "hold"}), {"objective": "hold"})
    assert not any("single" in line for line in lost)


def test_an_instant_win_shows_the_hand_first() -> None:
    lines = sheet(played(("3S", "2S 2C 2D 2H 5S", "4S")))
    assert "   ben was dealt all four 2s and won at once." in lines
    rows = [line.split() for line in lines if re.match(r" {8}(ana|ben|cy) ", line)]
    assert rows == [["ben", "5♠", "2♠", "2♣", "2♦", "2♥"], ["ana", "3♠"], ["cy", "4♠"]]
    first = sheet(played(("3S", "2S 2C 2D 2H 5S", "4S"), "3S", options=GOES_OUT), GOES_OUT)
    assert any(line.startswith("   1st  ben              5♠ 2♠ 2♣ 2♦ 2♥") for line in first)


def test_chips_are_explained() -> None:
    chips = {"scoring": "chips"}
    view = played(("3S", "4S", "2D 2H"), "3S", "4S", options=chips)
    assert "   cy still held 2♦ 2♥: 4 chips to ben." in sheet(view, chips)
    assert not any("4 chips" in line for line in sheet(view))


# ---- whatever is played, on whatever screen

SIZES = [LEAST, Size(55, 14), NORMAL, Size(100, 30), LARGE, Size(200, 60)]
TINY = [Size(cols, rows) for cols in (1, 2, 7, 39) for rows in (1, 2, 3, 9)]


def rounds(seed: int, options: dict[str, str] | None = None, others: int = 2) -> Iterator[TableView]:
    """Every moment of a match of two rounds."""
    return moments("tienlen", seed, {"match_rounds": "2", **(options or {})}, bots=1, others=others, seats=others + 2)


LOOKS = st.sampled_from([Look(unicode, colours) for unicode in (True, False) for colours in (True, False)])
RULES = st.sampled_from(
    [
        {},
        {"scoring": "chips", "bomb_after_pass": "four_pairs", "out_rule": "all_may_beat"},
        {"scoring": "penalty", "first_lead": "lowest_card", "pass_lock": "false"},
        {"scoring": "cards_left", "bomb_chain": "southern", "instant_win_extra": "six_pairs", **GOES_OUT},
    ]
)


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), RULES, st.integers(0, 2), LOOKS, st.data())
def test_no_line_is_ever_wider_than_the_screen(
    seed: int, options: dict[str, str], others: int, look: Look, data: st.DataObject
) -> None:
    sizes = [*SIZES, data.draw(st.builds(Size, st.integers(LEAST.cols, 200), st.integers(LEAST.rows, 60)))]
    for table in islice(rounds(seed, options, others), seed % 4, None, 4):
        for size in sizes:
            if table.stage is Stage.PLAYING:
                lying = table.view.public.played if seed % 2 else NONE
                local = Local(
                    hand=tuple(in_order(table.view.hand)), hidden=seed % 5 == 0, fresh=frozenset(in_order(lying))
                )
                screen = tienlen_table.draw(table, size, local)
            else:
                local = Local()
                assert table.last is not None
                screen = scoresheet.draw(table, table.last, size, local)
            lines = compose(screen, size, look, local)
            assert widest(lines) <= size.cols
            assert len(lines) <= size.rows


ROOMY = st.sampled_from([NORMAL, Size(100, 30), LARGE]) | st.builds(Size, st.integers(80, 200), st.integers(24, 60))


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32), ROOMY)
def test_nothing_that_counts_is_ever_invisible(seed: int, size: Size) -> None:
    """The cards to beat, whose they are, who is out or has passed, counts and scores, my hand."""
    for table in rounds(seed):
        if table.stage is not Stage.PLAYING:
            continue
        public = table.view.public
        table = replace(
            table, seats=tuple(replace(seat, nick=nick) for seat, nick in zip(table.seats, LONG, strict=True))
        )
        text = shown(table, size, happened=(Happened("ben passed.", fresh=True),))
        lying = NONE if public.pile is None else public.pile.cards
        for card in [*in_order(lying), *in_order(table.view.hand)]:
            assert sign(card) in text
        assert text.count(" passed ") >= sum(public.passed)
        assert "more lines" not in text
        assert "ben passed." in text
        assert ("to beat  " in text) == (public.pile is not None)
        assert (" leads" in text) or (" lead" in text)
        for seat in public.places:
            assert f"out {('1st', '2nd', '3rd')[public.places.index(seat)]}" in text


SIGNS = dict(zip("CDHS", "♣♦♥♠", strict=True))


def sign(card: Card) -> str:
    text = THREE_LOW.format(card)
    return text[0] + SIGNS[text[1]]


@pytest.mark.parametrize("nicks", [NICKS, LONG, (ODD,) * 4])
def test_the_smallest_windows_raise_nothing(nicks: tuple[str, ...]) -> None:
    for acts in ("", "3 6S 7D 8C 9H", ALL):
        table = sitting(spot("3S 4C", acts), nicks=nicks)
        for size in TINY:
            assert tienlen_table.draw(table, size, Local(hand=tuple(in_order(table.view.hand)))).drawings


@pytest.mark.parametrize("size", SIZES)
def test_the_hand_does_not_move_while_a_round_is_played(size: Size) -> None:
    """From the first turn to the last, as long as the same drawing of the hand fits."""
    places = set()
    for table in rounds(7):
        if table.stage is not Stage.PLAYING or table.round > 1:
            continue
        local = Local(hand=tuple(in_order(table.view.hand)), coach="Your turn.")
        lines = texts(compose(tienlen_table.draw(table, size, local), size, Look(), local))
        corners = [place for place, line in enumerate(lines) if line.startswith(" ╭──╮") and "│" not in line]
        places.update(corners[-1:])
    assert len(places) <= 1


def test_at_80_columns_the_hand_always_has_its_boxes() -> None:
    for seed in range(5):
        for table in rounds(seed):
            if table.stage is Stage.PLAYING:
                happened = (Happened("one"), Happened("two"))
                text = shown(table, happened=happened)
                assert sum(line.startswith(" ╭──╮") for line in text.splitlines()) == 1

"""What matches came to, in words: every game and ending has some, and no line is wider than the screen."""

from __future__ import annotations

from enum import StrEnum
from importlib import import_module

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.registry import GAMES
from p2pcards.store.statistics import called, detailed, merits
from p2pcards.table.merits import Against, Merit, Merits, Rating, Tally
from p2pcards.ui.width import cells
from p2pcards.ui.words_stats import (
    ENDINGS,
    LOW,
    MOST,
    TITLES,
    leaders,
    nobody,
    nothing,
    person,
    sentences,
    several,
    told,
)
from tests.testing.results import key, result

PLAYED = [
    result("ana 1 3", "ben 2 1", "bot-1/hard 3 0", endings="tongits 0, call 0", number=1),
    result("ben 1 2", "ana 1 2", "cy? 3 0", endings="call 0 1", number=2),
    result("ana 2 9", "ben 1 4", game="straights", endings="played 1", number=3),
    result("ana 1 5", "bot-1/easy 2 1", number=4),
]


def ana() -> Merit:
    """She, with everything about her."""
    (one,) = called(merits(PLAYED, {key("ana")}), "ana")
    return detailed(one, PLAYED)


def test_every_game_has_its_title_and_every_ending_words() -> None:
    assert {name: game.title for name, game in GAMES.items()} == TITLES
    assert {name for name, game in GAMES.items() if game().low_wins()} == LOW
    reasons: set[str] = set()
    for name in GAMES:
        state = import_module(f"p2pcards.games.{name}.state")
        reason: type[StrEnum] = state.Reason
        reasons |= {one.value for one in reason}
    assert reasons == set(ENDINGS)


def test_leaders() -> None:
    lines = leaders(merits(PLAYED, {key("ana")}), 80)
    assert lines[:10] == [
        "All games, 4 matches",
        "                  matches  won  share  places  row",
        "  1  ana (you)          4    3   75 %     3 1   +1",
        "  2  ben                3    2   67 %     2 1   +2",
        "  3  cy (no key)        1    0    0 %   0 0 1   -1",
        "",
        "Straights, 1 match",
        "                    rating  sure  matches  won  share  places  points  row",
        "  1  ben        27.6 ± 8.1   3.4        1    1  100 %       1    4.00   +1",
        "  2  ana (you)  22.4 ± 8.1  -1.8        1    0    0 %     0 1    9.00   -1",
    ]
    assert lines[16:21] == [
        "",
        "Bots",
        "                  matches  won  share  places  points",
        "  easy, Tong-its        1    0    0 %     0 1    1.00",
        "  hard, Tong-its        1    0    0 %   0 0 1    0.00",
    ]
    assert "(in Straights few are good)" in " ".join(lines[22:])


def test_where_only_bots_played_no_table_is_empty() -> None:
    lines = leaders(merits([result("bot-1/easy 1 3", "bot-2/hard 2 1", number=1)], set()), 80)
    assert lines[:2] == ["Only bots have played so far.", ""]
    assert [line for line in lines if line.startswith(("Tong-its", "All games"))] == []
    assert "Bots" in lines


def test_one_person_in_tables() -> None:
    lines = person(ana(), 80)
    assert lines[4:8] == [
        "                 rating  sure  matches  won  share  places  points  row",
        "  Straights  22.4 ± 8.1  -1.8        1    0    0 %     0 1    9.00   -1",
        "  Tong-its   27.1 ± 7.8   3.7        3    3  100 %       3    3.33   +3",
        "  All games                          4    3   75 %     3 1           +1",
    ]
    assert lines[10:14] == [
        "Against",
        "       matches  ahead  behind  level",
        "  ben        3      1       1      1",
        "  cy         1      1       0      0",
    ]


def test_who_leads_is_surely_strong_and_who_has_no_rating_comes_last() -> None:
    rated = {name: {"tongits": rating} for name, rating in (("sure", Rating(26, 1, 9)), ("lucky", Rating(30, 8, 1)))}
    tally = {"tongits": Tally(9, 5)}
    people = [
        Merit(name, name, whole=tally["tongits"], games=tally, ratings=rated.get(name, {}))
        for name in ("new", "lucky", "sure")
    ]
    lines = sentences(Merits({"tongits": 9}, tuple(people)))
    assert [line.split(":")[0] for line in lines[1:]] == ["1 sure", "2 lucky", "3 new"]
    assert [line.split()[1] for line in leaders(Merits({"tongits": 9}, tuple(people)), 80)[2:5]] == [
        "sure",
        "lucky",
        "new",
    ]


def test_the_owner_is_shown_wherever_they_stand() -> None:
    people = tuple(
        Merit(f"k{n}", f"p{n:02}", n == 15, Tally(20 - n), {"tongits": Tally(20 - n, 20 - n)}) for n in range(20)
    )
    found = Merits({"tongits": 40}, people)
    assert sum(": " not in line and "  p" in line[2:8] for line in leaders(found, 80)) == MOST + 1
    assert "  9 more: `stats --game tongits` lists everybody." not in leaders(found, 80, "tongits")
    assert any("p15 (you)" in line for line in leaders(found, 80))
    assert len([line for line in sentences(found) if ": " in line]) == MOST + 1
    assert len([line for line in sentences(found, "tongits") if ": " in line]) == 20


def test_one_person_in_sentences() -> None:
    assert told(ana()) == [
        f"ana, you ({key('ana')}) played 4 matches and won 3 (75 %).",
        "In a row: 1 won now, 2 at most.",
        "Against bots alone: 1 match, 1 won (100 %).",
        "Straights: rating 22.4 ± 8.1, 1 match, 0 won (0 %).",
        "Tong-its: rating 27.1 ± 7.8, 3 matches, 3 won (100 %).",
        "Rounds won in Tong-its: a call 2, tongits 1.",
        "Against ben: 3 matches, ahead 1 time, behind 1 time.",
        "Against cy: 1 match, ahead 1 time, behind 0 times.",
    ]


def test_people_of_one_name_are_told_apart() -> None:
    twins = (Merit("mango-tiger-a-b-c-d", "ana"), Merit("plum-otter-a-b-c-d", "Ana"), Merit("", "ana"))
    assert several("ana", twins) == (
        "3 people go by the name ana; `stats mango-tiger` or `stats plum-otter` shows one alone."
    )
    games = {"tongits": Tally(1, 1)}
    people = tuple(Merit(one.key, one.nick, whole=Tally(1, 1), games=games) for one in twins)
    shown = sentences(Merits({"tongits": 3}, people))
    assert {line.split(":")[0][2:] for line in shown[1:]} == {"ana (mango-tiger)", "Ana (plum-otter)", "ana (no key)"}
    met = Merit("k", "ben", others=(Against("mango-tiger-a", "ana", 1, 1), Against("plum-otter-a", "ana", 1, 0, 1)))
    assert told(met)[-2:] == [
        "Against ana (mango-tiger): 1 match, ahead 1 time, behind 0 times.",
        "Against ana (plum-otter): 1 match, ahead 0 times, behind 1 time.",
    ]


def test_where_there_is_nothing_the_sentence_says_what_to_do() -> None:
    assert nothing("p2pcards practise") == (
        "No match was played to its end yet, so there is nothing to count; `p2pcards practise tongits` plays one."
    )
    assert nothing("practise", "onecard") == (
        "No match of One Card was played to its end yet, so there is nothing to count; `practise onecard` plays one."
    )
    assert nobody("eve\x1b[31m") == "No finished match with eve[31m is in the history."


NAMES = st.sampled_from(["ana", "卡牌桌卡牌桌卡牌桌", "a" * 64, "e\u0301\u0301\u0301", "\x1b[31mred", "👩‍👩‍👧", "\n"])


@given(st.lists(NAMES, min_size=1, max_size=4), st.integers(28, 130))
def test_no_line_is_wider_than_the_screen(names: list[str], width: int) -> None:
    tally = Tally(1234, 567, (567, 300, 300, 67), 12.345, -12, 30)
    games = {"tongits": tally, "no game of ours at all": tally}
    others = tuple(Against(name, name, 1234, 500, 700, 34) for name in names)
    people = tuple(
        Merit(
            name, name, True, tally, games, {"tongits": Rating(25, 8.3, 3)}, tally, {"tongits": (("x" * 9, 3),)}, others
        )
        for name in names
    )
    lines = leaders(Merits(dict.fromkeys(games, 1234), people, {"tongits": {"hard": tally}}), width)
    lines += [line for one in people for line in person(one, width)]
    assert [line for line in lines if cells(line) > width] == []
    assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize(
    ("width", "head"), [(30, "matches won"), (38, "matches won share"), (44, "matches won share row")]
)
def test_columns_go_where_there_is_no_room(width: int, head: str) -> None:
    lines = leaders(merits(PLAYED), width)
    assert " ".join(lines[1].split()) == head

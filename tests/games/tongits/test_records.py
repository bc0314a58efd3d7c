"""Hand-written records of Tong-its (docs/records.md): results, and the exact list of legal actions where one stops."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2pcards.games.replay import replay

NAMES = ("ana", "ben", "cy")
VERBS = {"!": "discard", "+": "expose", "^": "take", ">": "layoff"}


def a_round(hands: str, actions: str, stock: str = "KD KC KH KS QS", starter: str = "ana") -> str:
    """One round; hands apart by bars, actions by commas: a, b or c, then a verb, or a sign of VERBS and cards."""
    lines = []
    for action in filter(None, map(str.strip, actions.split(","))):
        seat, what = action.split(" ", 1)
        verb = f"{VERBS[what[0]]} {what[1:]}" if what[0] in VERBS else what
        lines.append(f"{NAMES['abc'.index(seat)]}: {verb}")
    held = ", ".join(f'{name} = "{hand}"' for name, hand in zip(NAMES, hands.split("|"), strict=True))
    return (
        f'[[rounds]]\nstarter = "{starter}"\nhands = {{ {held} }}\nstock = "{stock}"\nactions = {json.dumps(lines)}\n'
    )


def report(*rounds: str, **options: Any) -> dict[str, Any]:
    changed = "".join(f"{key} = {json.dumps(value)}\n" for key, value in options.items())
    head = f'format = 1\ngame = "tongits"\nplayers = {json.dumps(NAMES)}\n[options]\n{changed}'
    return replay(head + "".join(rounds)).report


def legal(*rounds: str, **options: Any) -> dict[str, list[str]]:
    found = report(*rounds, **options)
    assert found["ok"] is True, found
    result: dict[str, list[str]] = found["legal"]
    return result


def ended(*rounds: str, **options: Any) -> tuple[str, list[str], list[int]]:
    """Reason, winners and points of the last round."""
    found = report(*rounds, **options)
    assert found["ok"] is True, found
    last = found["rounds"][-1]
    assert last["over"] is True
    return last["reason"], last["winners"], list(last["points"].values())


NOBODY = a_round("AC 5H|2C 6H|3C 8H", "a draw, a !KD", stock="KD")
ANA_WINS = a_round("AC 2C|4D 9H|5H 6D", "a draw, a +AC 2C 3C", stock="3C 8D")
BEN_WINS = a_round("4D 9H|AC 2C|5H 6D", "b draw, b +AC 2C 3C", stock="3C 8D", starter="ben")


def test_everyone_burned() -> None:
    assert ended(NOBODY) == ("exhausted", [], [0, 0, 0])
    assert ended(NOBODY, scoring="chips") == ("exhausted", [], [0, 0, 0])
    assert ended(NOBODY, scoring="chips", ante=2) == ("exhausted", [], [-2, -2, -2])
    assert report(NOBODY, match_rounds=1)["winners"] == ["ana", "ben", "cy"]


def test_chips_of_a_tongits_by_the_item() -> None:
    """3 for it, 1 for the ace and 1 for being burned, from each."""
    assert ended(ANA_WINS, scoring="chips") == ("tongits", ["ana"], [10, -5, -5])
    assert ended(ANA_WINS, scoring="chips", stake=3, ante=2) == ("tongits", ["ana"], [34, -17, -17])


def test_a_pot_that_nobody_won_waits_for_the_next_winner() -> None:
    assert ended(NOBODY, ANA_WINS, scoring="chips", ante=2)[2] == [10 + 12 - 2, -7, -7]


@pytest.mark.parametrize(
    ("rounds", "points"),
    [
        ("a", [8, -7, -7]),
        ("aa", [20, -7, -7]),
        ("aaa", [8, -7, -7]),
        ("aaaa", [20, -7, -7]),
        ("a-a", [8, -7, -7]),
        ("abb", [-7, 26, -7]),
        ("abaa", [32, -7, -7]),
    ],
)
def test_the_hitter_takes_the_pot(rounds: str, points: list[int]) -> None:
    played = [{"a": ANA_WINS, "b": BEN_WINS, "-": NOBODY}[winner] for winner in rounds]
    assert ended(*played, scoring="chips", ante=2, hitter_pot=True)[2] == points


HANDS = "2S 3S 4S 6C|AH 2H 3H 4C|5D 6D 7D TC"
CALL = "a draw, a +2S 3S 4S, a !KD, b draw, b +AH 2H 3H, b !KC, c draw, c +5D 6D 7D, c !KH, a call"


@pytest.mark.parametrize(
    ("answers", "winner", "points"),
    [
        ("b challenge, c fold", "ben", [-4, 6, -2]),
        ("c fold, b challenge", "ben", [-4, 6, -2]),
        ("b fold, c fold", "ana", [2, -1, -1]),
        ("b fold, c challenge", "ana", [4, -1, -3]),
        ("b challenge, c challenge", "ben", [-4, 8, -4]),
    ],
)
def test_what_a_call_costs(answers: str, winner: str, points: list[int]) -> None:
    assert ended(a_round(HANDS, f"{CALL}, {answers}"), scoring="chips") == ("call", [winner], points)


def test_both_are_asked_and_the_burned_are_not() -> None:
    answer = ["challenge", "fold"]
    assert legal(a_round(HANDS, CALL)) == {"ben": answer, "cy": answer}
    assert legal(a_round(HANDS, f"{CALL}, c fold")) == {"ben": answer}
    burned = CALL.replace("b +AH 2H 3H, ", "")
    assert legal(a_round(HANDS, burned)) == {"cy": answer}
    assert report(a_round(HANDS, f"{burned}, b fold"))["line"] == 10
    assert ended(a_round(HANDS, f"{burned}, c challenge"), scoring="chips") == ("call", ["ana"], [5, -2, -3])
    alone = burned.replace("c +5D 6D 7D, ", "")
    assert ended(a_round(HANDS, alone), scoring="chips") == ("call", ["ana"], [4, -2, -2])


@pytest.mark.parametrize(
    ("ana", "ben", "cy", "winner"),
    [("4C", "4D", "TC", "ben"), ("6C", "4D", "4H", "ben"), ("4C", "4D", "4H", "ben"), ("4C", "5C", "4H", "cy")],
)
def test_ties_of_a_call(ana: str, ben: str, cy: str, winner: str) -> None:
    hands = f"2S 3S 4S {ana}|AH 2H 3H {ben}|5D 6D 7D {cy}"
    assert ended(a_round(hands, f"{CALL}, b challenge, c challenge"))[1] == [winner]


def test_leftovers_laid_off_at_a_showdown() -> None:
    """Ana lays 5S and 6S on her run one after the other; Ben's 4C fits nowhere, his 4D ties, and the caller loses."""
    actions = f"{CALL}, b challenge, c fold"
    hands = "2S 3S 4S 6S 5S|AH 2H 3H 4C|5D 6D 7D TC"
    assert ended(a_round(hands, actions))[1] == ["ben"]
    assert ended(a_round(hands, actions), showdown_layoff=True)[1] == ["ana"]
    assert ended(a_round(hands.replace("4C", "4D"), actions), showdown_layoff=True)[1] == ["ben"]


def test_thirteen_cards_for_the_starter() -> None:
    hands = "AC 2C 3C 9D|2D 6H|3D 8H"
    out = ["discard 2C", "discard 3C", "discard 9D", "discard AC", "expose AC 2C 3C"]
    assert legal(a_round(hands, ""), dealer_13=True) == {"ana": out}
    assert legal(a_round(hands, "a !9D"), dealer_13=True) == {"ben": ["draw"]}
    assert report(a_round(hands, "a draw"), dealer_13=True)["line"] == 1
    assert ended(a_round(hands, "a +AC 2C 3C, a !9D"), dealer_13=True)[:2] == ("tongits", ["ana"])


def test_the_top_discard_and_all_that_may_be_taken_with_it() -> None:
    takes = ["take 5H 6H", "take 5H 6H 8H", "take 5H 6H 8H 9H", "take 6H 8H", "take 6H 8H 9H", "take 8H 9H"]
    assert legal(a_round("AC 5C|5H 6H 8H 9H|3C 8S", "a draw, a !7H", stock="7H KD")) == {"ben": ["draw", *takes]}
    laid = a_round("4C 5C 6C 9D|2D TH|3D 8H", "a draw, a +4C 5C 6C, a !7C", stock="7C KD")
    assert legal(laid) == {"ben": ["draw"]}
    assert legal(laid, discard_layoff=True) == {"ben": ["draw", "take m1"]}


@pytest.mark.parametrize("name", ["m0", "m2", "m01", "m99999999999999999999", "m", "M1", "m-1", "m١"])
def test_melds_that_are_not_there(name: str) -> None:
    found = report(a_round("4C 5C 6C 7C 9D|2D TH|3D 8H", f"a draw, a +4C 5C 6C, a >7C {name}"))
    assert (found["ok"], found["line"]) == (False, 3)

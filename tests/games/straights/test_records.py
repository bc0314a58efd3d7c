"""Hand-written records of Straights (docs/records.md), replayed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2pcards.games.record import read, write
from p2pcards.games.replay import Replay, replay

HEAD = 'format = 1\ngame = "straights"\nplayers = ["ana", "ben", "cy", "dan"]\n'
NAMES = ("ana", "ben", "cy", "dan")
HANDS = ("7S 8S KD", "6S 2C", "9S TH", "7H AD")
TO_THE_END = (
    "ana: play 7S",
    "ben: play 6S",
    "cy: discard 10h",
    "dan: play 7H",
    "ana: play 8S",
    "ben: discard 2C",
    "cy: play 9S",
    "dan: discard 1D",
    "ana: discard KD",
)


def options(**values: bool | int | str) -> str:
    """The table of options."""
    return "\n[options]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in values.items())


def a_round(*actions: str, hands: tuple[str, ...] = HANDS, rest: str = "") -> str:
    """One round with these hands and actions; `rest` are further lines of its table."""
    held = ", ".join(f'{name} = "{hand}"' for name, hand in zip(NAMES, hands, strict=True))
    return f"\n[[rounds]]\nhands = {{ {held} }}\nactions = {json.dumps(actions)}\n{rest}\n"


def scored(*points: int) -> str:
    """A round in which each seat scores so much: ana opens, who scores nothing plays on, the rest is put aside."""
    spades, loose = ["8S", "9S", "TS"], [f"{rank}{suit}" for rank in "KQJT9865432A" for suit in "CDH"]
    hands: list[list[str]] = [[], [], [], []]
    for seat in sorted(range(4), key=lambda seat: -points[seat]):
        wanted = points[seat]
        for card in list(loose):
            if (value := "A23456789TJQK".index(card[0]) + 1) <= wanted:
                hands[seat].append(card)
                loose.remove(card)
                wanted -= value
        assert not wanted
    for seat, hand in enumerate(hands):
        if seat == 0:
            hand.insert(0, "7S")
        elif not hand:
            hand.append(spades.pop(0))
    lines = [
        f"{NAMES[seat]}: {'play' if hands[seat][turn][1] == 'S' else 'discard'} {hands[seat][turn]}"
        for turn in range(max(map(len, hands)))
        for seat in range(4)
        if turn < len(hands[seat])
    ]
    return a_round(*lines, hands=tuple(map(" ".join, hands)))


def sound(text: str) -> dict[str, Any]:
    """The report of an exit 0."""
    found = replay(text)
    assert (found.exit_code, found.error) == (0, "")
    return found.report


def wrong(text: str) -> tuple[object, object, object]:
    """Round, line and reason of an exit 1."""
    found = replay(text)
    assert found.exit_code == 1, found.report
    return found.report["round"], found.report["line"], found.report["error"]


def no_record(text: str) -> str:
    """The sentence of an exit 2."""
    found: Replay = replay(text)
    assert found.exit_code == 2, found.report
    return found.error


def test_a_round_from_beginning_to_end() -> None:
    report = sound(
        HEAD + a_round(*TO_THE_END, rest='winners = ["dan"]\npoints = { ana = 13, ben = 2, cy = 10, dan = 1 }')
    )
    assert report == {
        "ok": True,
        "game": "straights",
        "over": False,
        "rounds": [
            {
                "over": True,
                "reason": "played",
                "winners": ["dan"],
                "points": {"ana": 13, "ben": 2, "cy": 10, "dan": 1},
            }
        ],
        "scores": {"ana": 13, "ben": 2, "cy": 10, "dan": 1},
        "winners": [],
        "legal": {},
    }


@pytest.mark.parametrize(
    ("done", "legal"),
    [
        (0, {"ana": ["play 7S"]}),
        (1, {"ben": ["play 6S"]}),
        (2, {"cy": ["discard 9S", "discard TH"]}),
        (3, {"dan": ["play 7H"]}),
        (4, {"ana": ["play 8S"]}),
        (5, {"ben": ["discard 2C"]}),
        (6, {"cy": ["play 9S"]}),
        (7, {"dan": ["discard AD"]}),
        (8, {"ana": ["discard KD"]}),
    ],
)
def test_what_is_legal_where_a_record_stops(done: int, legal: dict[str, list[str]]) -> None:
    report = sound(HEAD + a_round(*TO_THE_END[:done]))
    assert report["legal"] == legal
    assert report["rounds"] == [{"over": False, "reason": None, "winners": [], "points": {}}]


def test_hidden_discards_are_written_out_and_canonical() -> None:
    found = replay(HEAD + a_round(*TO_THE_END))
    assert found.record is not None
    text = write(found.record)
    assert '"cy: discard TH"' in text
    assert '"dan: discard AD"' in text
    assert 'starter = "ana"' in text
    assert read(text) == found.record


def test_the_starter_may_be_stated_and_must_hold_the_start_card() -> None:
    sound(HEAD + a_round(rest='starter = "ana"'))
    assert no_record(HEAD + a_round(rest='starter = "ben"')) == "round 1: starter: by the cards ana starts, not ben"
    assert no_record(HEAD + a_round(rest='starter = "eve"')) == "round 1: eve is not seated"
    assert no_record(HEAD + a_round(rest='starter = ""')) == "round 1: an empty name is not seated"


def test_somebody_must_hold_the_start_card() -> None:
    hands = ("8S", "6S", "9S", "7H")
    assert no_record(HEAD + a_round(hands=hands)) == "round 1: nobody holds 7S, which opens the round"
    assert sound(HEAD + options(start_card="7H") + a_round(hands=hands))["legal"] == {"dan": ["play 7H"]}
    in_round_2 = HEAD + a_round(*TO_THE_END) + a_round(hands=hands)
    assert no_record(in_round_2) == "round 2: nobody holds 7S, which opens the round"


def test_the_next_round_is_begun_by_who_then_holds_it() -> None:
    report = sound(HEAD + a_round(*TO_THE_END) + a_round(hands=("KC", "KD", "KH", "7S 7D")))
    assert report["legal"] == {"dan": ["play 7S"]}
    assert report["scores"] == {"ana": 13, "ben": 2, "cy": 10, "dan": 1}


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        (["ana: play 8S"], 1, "start card: 7S"),
        (["ana: discard KD"], 1, "start card: 7S"),
        (["ben: play 6S"], 1, "not your turn"),
        (["ana: play 7S", "ben: discard 2C"], 2, "must play: 6S"),
        (["ana: play 7S", "ben: play 2C"], 2, "suit not open: 2C, 7C"),
        (["ana: play 7S", "ben: pass"], 2, "nobody passes"),
        (["ana: play 7S", "ben: play 8S"], 2, "not held: 8S"),
        (["ana: play 7S", "ben: play 6S", "cy: play 9S"], 3, "does not fit: 9S, 5S 8S"),
        (["ana: play 7S", "ana: play 8S"], 2, "not your turn"),
        (["ana: play"], 1, "play needs one card"),
        (["ana: play 7X"], 1, "not a card: 7X"),
        (["ana: draw"], 1, "no action of Straights: draw"),
        (["dealer: shuffle 2C"], 1, "no shuffle is due"),
        ([*TO_THE_END, "ben: pass"], 10, "over"),
    ],
)
def test_what_is_against_the_rules_is_named_with_its_line(lines: list[str], line: int, reason: str) -> None:
    assert wrong(HEAD + a_round(*lines)) == (1, line, reason)


def test_stated_results_must_agree() -> None:
    for rest in ('winners = ["ana"]', "points = { ana = 13, ben = 2, cy = 10, dan = 2 }"):
        found = wrong(HEAD + a_round(*TO_THE_END, rest=rest))
        assert found[:2] == (1, None)


@pytest.mark.parametrize(
    ("hands", "reason"),
    [
        (("7S", "7S", "KD", "KH"), "round 1: ben's hand: 7S is there more often than in the cards dealt from"),
        (("7S", "", "KD", "KH"), "round 1: ben has no cards"),
        (("7S", "11C", "KD", "KH"), "round 1: ben's hand: not a card: 11C"),
    ],
)
def test_cards_that_cannot_be_there(hands: tuple[str, ...], reason: str) -> None:
    assert no_record(HEAD + a_round(hands=hands)) == reason


def test_four_must_sit() -> None:
    assert "Straights has 4 of them, not 3" in no_record(HEAD.replace(', "dan"', "") + a_round())


def test_a_seat_without_cards_is_left_out() -> None:
    hands = ("7S 8S KD", "KC", "9S", "2D 3D")
    lines = ("ana: play 7S", "ben: discard KC", "cy: discard 9S", "dan: discard 3D", "ana: play 8S")
    assert sound(HEAD + a_round(*lines, hands=hands))["legal"] == {"dan": ["discard 2D"]}
    assert wrong(HEAD + a_round(*lines, "ben: discard KC", hands=hands))[1:] == (6, "not your turn")
    assert sound(HEAD + a_round(*lines, "dan: discard 2D", hands=hands))["legal"] == {"ana": ["discard KD"]}


def test_the_threshold_exactly_reached_ends_the_match() -> None:
    below, reached = scored(79, 60, 42, 55), scored(80, 60, 42, 55)
    assert sound(HEAD + below)["over"] is False
    report = sound(HEAD + reached)
    assert (report["over"], report["winners"]) == (True, ["cy"])
    assert sound(HEAD + below + scored(1, 0, 0, 0))["scores"] == {"ana": 80, "ben": 60, "cy": 42, "dan": 55}
    assert no_record(HEAD + reached + scored(0, 0, 0, 0)) == "round 2: the match is over before it"


@pytest.mark.parametrize(
    ("points", "winners"),
    [
        ((30, 30, 80, 44), ["ana", "ben"]),
        ((0, 0, 0, 80), ["ana", "ben", "cy"]),
        ((20, 20, 20, 20), list(NAMES)),
        ((70, 61, 62, 1), ["dan"]),
    ],
)
def test_ties_of_every_kind(points: tuple[int, ...], winners: list[str]) -> None:
    report = sound(HEAD + options(threshold=max(points)) + scored(*points))
    assert (report["over"], report["winners"]) == (True, winners)
    assert report["rounds"][0]["winners"] == winners
    in_two = sound(HEAD + options(threshold=max(points) + 1) + scored(*points) + scored(2, 2, 2, 2))
    assert (in_two["over"], in_two["winners"]) == (True, winners)


def test_joint_winners_beyond_the_threshold() -> None:
    """85, 81, 81, 90 in two rounds: a round has no more than 364 points, less the seven."""
    report = sound(HEAD + scored(79, 40, 41, 70) + scored(6, 41, 40, 20))
    assert (report["scores"], report["winners"]) == ({"ana": 85, "ben": 81, "cy": 81, "dan": 90}, ["ben", "cy"])


def test_a_playoff_is_played_round_by_round() -> None:
    tied = HEAD + options(tie_rule="playoff") + scored(80, 10, 10, 30)
    assert sound(tied)["over"] is False
    still = tied + scored(0, 3, 3, 0)
    assert sound(still)["over"] is False
    report = sound(still + scored(1, 0, 2, 0))
    assert (report["over"], report["winners"]) == (True, ["ben"])
    assert sound(HEAD + scored(80, 10, 10, 30))["winners"] == ["ben", "cy"]


def test_so_many_rounds_end_a_tied_match_too() -> None:
    report = sound(HEAD + options(match_rounds=2, tie_rule="playoff") + scored(1, 2, 3, 4) + scored(2, 1, 3, 4))
    assert (report["over"], report["winners"]) == (True, ["ana", "ben"])


def test_sevens_pass() -> None:
    hands = ("7S 9S", "KD 8S", "2C", "7H AC")
    lines = ("ana: play 7S", "ben: play 8S", "cy: pass", "dan: play 7H")
    start = HEAD + options(mode="sevens_pass")
    assert sound(start + a_round(*lines[:2], hands=hands))["legal"] == {"cy": ["pass"]}
    assert wrong(start + a_round(*lines[:2], "cy: discard 2C", hands=hands))[2] == "nobody discards"
    assert wrong(start + a_round("ana: play 7S", "ben: pass", hands=hands))[2] == "must play: 8S"
    report = sound(start + a_round(*lines, "ana: play 9S", hands=hands))
    assert report["rounds"] == [
        {"over": True, "reason": "played", "winners": ["ana"], "points": {"ana": 0, "ben": 13, "cy": 2, "dan": 1}}
    ]


def test_four_passes_in_a_row_end_a_puzzle() -> None:
    lines = ("ana: play 7S", "ben: pass", "cy: pass", "dan: pass", "ana: pass")
    text = HEAD + options(mode="sevens_pass") + a_round(*lines, hands=("7S KS", "2C", "2D", "2H"))
    report = sound(text)
    assert report["rounds"][0]["reason"] == "blocked"
    assert report["rounds"][0]["winners"] == ["ben", "cy", "dan"]

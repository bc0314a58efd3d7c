"""Records replayed (docs/records.md, "Replaying")."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.errors import IllegalAction
from p2pcards.games.record import write
from p2pcards.games.replay import Replay, replay, told
from tests.games.test_record import HEAD, SMALL, WHOLE

EXPOSED = """\
[[rounds]]
starter = "ana"
hands = { ana = "AS 2S 3S 9C 9D", ben = "4C 4D 4H QC 8C", cy = "5C 5D 5H QD 7C" }
stock = "KC KD KH KS JC JD"
actions = [
"""
TO_THE_CALL = [
    "ana: draw",
    "ana: expose AS 2S 3S",
    "ana: discard KC",
    "ben: draw",
    "ben: expose 4C 4D 4H",
    "ben: discard KD",
    "cy: draw",
    "cy: expose 5C 5D 5H",
    "cy: discard KH",
    "ana: call",
]
ROUND = SMALL[SMALL.index("[[rounds]]") :]


def with_actions(*actions: str, rest: str = "", options: str = "") -> str:
    """A record of one round with these actions."""
    return HEAD + options + EXPOSED + "".join(f"  {json.dumps(line)},\n" for line in actions) + "]\n" + rest


def wrong(text: str) -> tuple[int | None, int | None, str]:
    """Round, line and reason of an exit 1."""
    found = replay(text)
    assert found.exit_code == 1, found.report
    assert found.report["ok"] is False
    assert found.error.startswith(f"round {found.report['round']}")
    line, action = found.report["line"], found.report["action"]
    assert (line is None) is (action is None)
    assert set(found.report) == {"ok", "round", "line", "action", "error"}
    number, reason = found.report["round"], found.report["error"]
    assert isinstance(number, int)
    assert isinstance(line, int | None)
    assert isinstance(reason, str)
    return number, line, reason


def no_record(text: str) -> str:
    """The sentence of an exit 2."""
    found = replay(text)
    assert found.exit_code == 2, found.report
    assert found.report == {"ok": False, "error": found.error}
    return found.error


def sound(text: str) -> Replay:
    """The replay of an exit 0."""
    found = replay(text)
    assert (found.exit_code, found.error) == (0, ""), found.report
    json.dumps(found.report)
    return found


def test_a_finished_round() -> None:
    assert sound(SMALL).report == {
        "ok": True,
        "game": "tongits",
        "over": False,
        "rounds": [
            {"over": True, "reason": "tongits", "winners": ["ana"], "points": {"ana": 1, "ben": 0, "cy": 0}},
        ],
        "scores": {"ana": 1, "ben": 0, "cy": 0},
        "winners": [],
        "legal": {},
    }


def test_a_position_tells_what_is_legal_sorted() -> None:
    report = sound(WHOLE).report
    assert report["legal"] == {"ana": ["draw"]}
    assert report["rounds"] == [{"over": False, "reason": None, "winners": [], "points": {}}]
    assert report["scores"] == {"ana": 0, "bot-1": 0, "C_y": 0}
    text = with_actions("ana: draw", "ana: expose AS 2S 3S", "ana: discard 9C", "ben: draw")
    assert sound(text).report["legal"] == {
        "ben": ["discard 4C", "discard 4D", "discard 4H", "discard 8C", "discard KD", "discard QC", "expose 4C 4D 4H"]
    }


def test_both_seats_that_are_asked_stand_in_legal() -> None:
    assert sound(with_actions(*TO_THE_CALL)).report["legal"] == {
        "ben": ["challenge", "fold"],
        "cy": ["challenge", "fold"],
    }


@pytest.mark.parametrize("lines", [("ben: challenge", "cy: fold"), ("cy: fold", "ben: challenge")])
def test_answers_may_stand_in_either_order(lines: tuple[str, str]) -> None:
    report = sound(with_actions(*TO_THE_CALL, *lines)).report
    assert report["rounds"] == [
        {"over": True, "reason": "call", "winners": ["ben"], "points": {"ana": 0, "ben": 1, "cy": 0}}
    ]
    half = sound(with_actions(*TO_THE_CALL, lines[0])).report
    assert list(half["legal"]) == ["cy" if lines[0][0] == "b" else "ben"]  # type: ignore[call-overload]  # a report is plain data


def test_a_seat_that_folds_by_rule_has_no_line() -> None:
    lines = [line for line in TO_THE_CALL if line != "ben: expose 4C 4D 4H"]
    assert sound(with_actions(*lines)).report["legal"] == {"cy": ["challenge", "fold"]}
    assert wrong(with_actions(*lines, "ben: fold")) == (1, 10, "not your turn")


def test_the_match_is_over_by_its_options() -> None:
    text = HEAD + "[options]\nmatch_rounds = 2\n" + ROUND + ROUND.replace("ana: ", "ana:  ")
    report = sound(text).report
    assert (report["over"], report["winners"]) == (True, ["ana"])
    assert report["scores"] == {"ana": 2, "ben": 0, "cy": 0}
    assert no_record(text + ROUND) == "round 3: the match is over before it"
    assert sound(HEAD + ROUND + ROUND + ROUND).report["over"] is False


def test_points_of_chips_hold_antes_and_pot() -> None:
    head = HEAD + '[options]\nscoring = "chips"\nante = 2\nhitter_pot = true\n'
    first = ROUND.replace("{ ana = 1, ben = 0, cy = 0 }", "{ ana = 8, ben = -7, cy = -7 }")
    second = ROUND.replace("{ ana = 1, ben = 0, cy = 0 }", "{ ana = 20, ben = -7, cy = -7 }")
    assert sound(head + first + second).report["scores"] == {"ana": 28, "ben": -14, "cy": -14}


@pytest.mark.parametrize(
    ("lines", "line", "reason"),
    [
        (["ben: draw"], 1, "not your turn"),
        (["ana: draw", "ana: draw"], 2, "already drawn"),
        (["ana: draw", "ana: discard KD"], 2, "not held: KD"),
        (["ana: draw", "ana: discard JH"], 2, "not held: JH"),
        (["ana: draw", "ana: expose 9C 9D KC"], 2, "no meld: 9C 9D KC"),
        (["ana: draw", "ana: layoff 9C m1"], 2, "unknown meld: m1"),
        (["ana: draw", "ana: discard 11C"], 2, "not a card: 11C"),
        (["ana: draw", "ana: pass"], 2, "no action of Tong-its: pass"),
        (["ana: Draw"], 1, "no action of Tong-its: Draw"),
        (["ana: draw KD"], 1, "draw stands alone"),
        (["ana:"], 1, "no action of Tong-its: "),
        (["draw"], 1, "not an action: it has no name before a colon"),
        ([""], 1, "not an action: it has no name before a colon"),
        (["dealer: shuffle AS 2S"], 1, "no shuffle is due"),
        ([*TO_THE_CALL, "ana: fold"], 11, "not your turn"),
        ([*TO_THE_CALL, "ben: fold", "ben: fold"], 12, "not your turn"),
        ([*TO_THE_CALL, "ben: fold", "cy: fold", "ben: draw"], 13, "over"),
        ([*TO_THE_CALL[:-1], "ana: take 9C 9D"], 10, "no meld: 9C 9D KH"),
    ],
)
def test_an_illegal_action_is_told_with_its_place(lines: list[str], line: int, reason: str) -> None:
    text = with_actions(*lines)
    assert wrong(text) == (1, line, reason)
    assert replay(text).report["action"] == lines[line - 1]
    assert len(replay(text).rounds) == 0


def test_a_name_that_is_not_seated_is_no_record() -> None:
    assert no_record(with_actions("ana: draw", "dan: draw")) == "round 1, line 2: dan is not seated"
    assert no_record(with_actions("Ana: draw")) == "round 1, line 1: Ana is not seated"
    assert no_record(with_actions(" ana: draw")) == "round 1, line 1:  ana is not seated"


def test_the_first_mistake_of_the_file_is_told() -> None:
    assert wrong(with_actions("ana: draw", "ana: pass", "dan: draw"))[1] == 2
    assert no_record(with_actions("ana: draw", "dan: draw", "ana: pass")).startswith("round 1, line 2")
    assert wrong(SMALL.replace("ana = 1,", "ana = 2,") + ROUND.replace("KD", "XX"))[0] == 1
    assert no_record(SMALL + ROUND.replace("KD", "XX")).startswith("round 2")


def test_only_the_last_round_may_be_unfinished() -> None:
    open_round = ROUND.replace('  "ana: expose AS 2S 3S",\n', "")
    assert sound(HEAD + ROUND + open_round).report["over"] is False
    assert no_record(HEAD + open_round + ROUND) == "round 2: the round before it isn't finished"


def test_results_of_an_open_round_are_not_looked_at() -> None:
    text = with_actions("ana: draw", rest='winners = ["zoe"]\npoints = { ben = 99 }\n')
    record = sound(text).record
    assert record is not None
    assert "winners" not in write(record)


@pytest.mark.parametrize(
    ("stated", "reason"),
    [
        ('winners = ["ben"]', "winners: ben stated, ana by the rules"),
        ("winners = []", "winners: nobody stated, ana by the rules"),
        ('winners = ["ana", "ben"]', "winners: ana, ben stated, ana by the rules"),
        ("points = { ana = 2, ben = 0, cy = 0 }", "points: ana 2, ben 0, cy 0 stated, ana 1, ben 0, cy 0 by the rules"),
        ("points = { ana = 1, ben = 0 }", "points: ana 1, ben 0 stated, ana 1, ben 0, cy 0 by the rules"),
        ("points = {}", "points: none stated, ana 1, ben 0, cy 0 by the rules"),
    ],
)
def test_a_stated_result_that_differs(stated: str, reason: str) -> None:
    text = SMALL[: SMALL.index("winners")] + stated
    assert wrong(text) == (1, None, reason)
    assert replay(text).error == f"round 1: {reason}"


def test_results_may_be_missing_and_winners_are_a_set() -> None:
    bare = SMALL[: SMALL.index("winners")]
    assert sound(bare).report == sound(SMALL).report
    assert sound(bare + 'winners = ["ana", "ana"]').report == sound(SMALL).report


def test_results_name_seated_players() -> None:
    bare = SMALL[: SMALL.index("winners")]
    assert no_record(bare + 'winners = ["dan"]') == "round 1: winners: dan is not seated"
    assert no_record(bare + "points = { ana = 1, dan = 0 }") == "round 1: points: dan is not seated"


def test_no_starter_is_checked_against_the_round_before() -> None:
    other = ROUND.replace("ana", "XX").replace("ben", "ana").replace("XX", "ben").replace("ben = 1", "ben = 1")
    assert sound(SMALL + other).report["scores"] == {"ana": 1, "ben": 1, "cy": 0}


def test_cards_are_read_with_forgiveness_in_actions() -> None:
    text = SMALL.replace("expose AS 2S 3S", "expose 3♠️,s2 1s")
    found = sound(text)
    assert found.record is not None
    assert write(found.record) == SMALL


def test_a_sound_record_comes_back_canonical_with_its_results() -> None:
    found = sound(SMALL[: SMALL.index("winners")].replace("AS 2S", "2S,AS"))
    assert found.record is not None
    assert write(found.record) == SMALL


def test_refusals_can_be_said_in_other_words() -> None:
    def say(refused: IllegalAction) -> str:
        return f"<{refused.code.value} {refused.detail}>"

    found = replay(with_actions("ana: draw", "ana: discard KD"), say)
    assert found.report["error"] == "<not_held ('KD',)>"
    assert found.error == "round 1, line 2, ana: discard KD: <not_held ('KD',)>"


def test_what_stands_in_a_record_cannot_drive_the_terminal() -> None:
    found = replay(with_actions("ana: \x1b[2J"))
    assert found.error == "round 1, line 1, ana: ?[2J: no action of Tong-its: ?[2J"
    assert found.report["action"] == "ana: \x1b[2J"
    assert json.dumps(found.report).isascii()


def test_a_round_is_told_line_by_line() -> None:
    assert list(told(sound(SMALL))) == [
        "Tong-its: ana, ben, cy",
        "",
        "Round 1: ana starts",
        "  ana  AS 2S",
        "  ben  KC",
        "  cy   KD",
        "  stock  3S 4H",
        "",
        "   1  ana  draw                    3S",
        "   2  ana  expose AS 2S 3S",
        "Over (tongits): ana",
        "Points: ana 1, ben 0, cy 0",
    ]


def test_a_match_and_its_pot_are_told_to_the_end() -> None:
    options = '[options]\nscoring = "chips"\nante = 1\nhitter_pot = true\nmatch_rounds = 1\n'
    lines = list(told(sound(with_actions(*TO_THE_CALL, "ben: fold", "cy: fold", options=options))))
    assert lines[1] == "options: scoring = chips, ante = 1, hitter_pot = true, match_rounds = 1"
    assert lines[-3:] == ["Match: ana", "Scores: ana 3, ben -3, cy -3", "Pot: 3, which lapses"]


def test_an_open_round_is_told_to_where_it_stands() -> None:
    assert list(told(sound(WHOLE)))[-1] == "Open: ana to act"
    assert list(told(sound(with_actions(*TO_THE_CALL))))[-1] == "Open: ben, cy to act"


def test_what_is_sound_before_a_mistake_is_told() -> None:
    found = replay(SMALL + ROUND.replace("expose AS 2S 3S", "discard KD"))
    assert found.exit_code == 1
    assert list(told(found))[-1] == "Points: ana 1, ben 0, cy 0"
    assert list(told(replay("format = 2"))) == []


edits = st.lists(
    st.tuples(
        st.integers(0, 700),
        st.integers(0, 12),
        st.sampled_from(
            [
                "",
                '"',
                "ana",
                "AS",
                "= 1",
                "[",
                "]",
                "{",
                "\n",
                "draw",
                "[[rounds]]",
                "ben: ",
                "\\",
                "#",
                "0x",
                "nan",
                "♠",
            ]
        )
        | st.text(max_size=6),
    ),
    min_size=1,
    max_size=3,
)


@given(edits, st.sampled_from([SMALL, WHOLE, with_actions(*TO_THE_CALL, "ben: fold", "cy: challenge")]))
@settings(max_examples=300, deadline=None)
def test_any_text_is_replayed_or_refused_in_one_sentence(edits: list[tuple[int, int, str]], text: str) -> None:
    for place, length, more in edits:
        text = text[:place] + more + text[place + length :]
    found = replay(text)
    assert found.exit_code in (0, 1, 2)
    assert (found.error == "") is (found.exit_code == 0)
    assert found.error.isprintable()
    json.dumps(found.report)
    list(told(found))


def test_a_record_with_huge_hands_is_counted_all_the_same() -> None:
    """Every card but three is in hand; whoever wins, it takes no time worth speaking of."""
    suits = {suit: " ".join(rank + suit for rank in "A23456789TJQK") for suit in "CDHS"}
    hands = f'ana = "{suits["C"]} {suits["D"]}", ben = "{suits["H"]}", cy = "{suits["S"][:-12]}"'
    text = (
        HEAD
        + f"""[[rounds]]
starter = "ana"
hands = {{ {hands} }}
stock = "TS JS QS KS"
actions = ["ana: draw", "ana: expose AC 2C 3C", "ana: discard KD", "ben: draw", "ben: discard JS", "cy: draw",
  "cy: discard QS", "ana: draw", "ana: discard QD"]
"""
    )
    assert sound(text).report["rounds"] == [
        {"over": True, "reason": "exhausted", "winners": ["ana"], "points": {"ana": 1, "ben": 0, "cy": 0}}
    ]


def test_a_proof_changes_nothing_in_a_replay() -> None:
    proved = SMALL + '\n[rounds.proof]\nentries = [\n  "AQEA",\n]\n'
    assert sound(proved).report == sound(SMALL).report
    assert list(told(sound(proved))) == list(told(sound(SMALL)))
    assert no_record(SMALL + "[rounds.proof]\nentries = 3\n") == "round 1: proof: entries must be a list of texts"

"""Records of One Card (docs/records.md): what lies face up, order cards, and the dealer's shuffles."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import Card, deck
from p2pcards.errors import InvalidRecord
from p2pcards.games.base import DEALER, Seat
from p2pcards.games.onecard import OneCard, OneCardOptions
from p2pcards.games.record import Record, played_round, read, write
from p2pcards.games.replay import Replay, replay, told
from tests.games.test_replay import no_record, sound, wrong

SMALL = """\
format = 1
game = "onecard"
players = ["ana", "ben", "cy"]

[[rounds]]
starter = "ben"
hands = { ana = "KS", ben = "3H 9C", cy = "5C 5D" }
order = { ana = "4S 6D", ben = "4D 2C", cy = "KC" }
discards = "4S 4D KC 6D 2C"
upcard = "8H"
stock = "9D"
actions = [
  "ben: play 3H",
  "cy: draw",
  "dealer: shuffle 4D 4S KC 2C 6D 8H",
  "ana: draw",
]
"""


def record(hands: str, *actions: str, upcard: str = "8H", more: str = "", options: str = "", starter: str = "") -> str:
    """A record of one round; `hands` by seat, apart by slashes, whose names are ana, ben, cy, dan."""
    given = dict(zip(("ana", "ben", "cy", "dan"), map(str.strip, hands.split("/")), strict=False))
    names = ", ".join(f"{name} = {json.dumps(hand)}" for name, hand in given.items())
    return (
        f'format = 1\ngame = "onecard"\nplayers = {json.dumps(list(given))}\n[options]\n{options}\n[[rounds]]\n'
        f'starter = "{starter or "ana"}"\nhands = {{ {names} }}\n'
        f'upcard = "{upcard}"\n{more}\nactions = {json.dumps(list(actions))}\n'
    )


def legal(text: str) -> Any:
    return sound(text).report["legal"]


def ended(text: str) -> tuple[Any, ...]:
    """Reason, winners and points of the last round."""
    rounds = sound(text).report["rounds"]
    assert isinstance(rounds, list)
    return rounds[-1]["reason"], rounds[-1]["winners"], list(rounds[-1]["points"].values())


def hands_after(found: Replay) -> list[int]:
    return [hand.bit_count() for hand in found.rounds[-1].state.hands]


# ---- as they are written


def test_read_and_written_the_same() -> None:
    assert write(read(SMALL)) == SMALL
    found = sound(SMALL)
    assert found.record is not None
    assert write(found.record) == SMALL


def test_every_shape_of_toml_is_the_same_record() -> None:
    other = SMALL.replace("4S 4D KC 6D 2C", "4♠,d4 KC 6d c2").replace('"8H"', "'8♥️'").replace("shuffle", " shuffle ")
    found = sound(other)
    assert found.record is not None
    assert write(found.record) == SMALL
    assert read(SMALL).rounds[0].dealt.order == (
        (0, _card("4S")),
        (1, _card("4D")),
        (2, _card("KC")),
        (0, _card("6D")),
        (1, _card("2C")),
    )


def _card(text: str) -> Card:
    return OneCard.ranking.parse(text)


def test_hands_with_equal_cards_are_written_in_order() -> None:
    text = record("8H 4C 8H/5C", upcard="9H")
    assert 'ana = "4C 8H 8H"' in write(read(text))
    assert read(text).rounds[0].dealt.hands[0].bit_count() == 3


def test_what_lies_face_up_is_told() -> None:
    assert list(told(sound(SMALL))) == [
        "One Card: ana, ben, cy",
        "",
        "Round 1: ben starts",
        "  ana     KS",
        "  ben     3H 9C",
        "  cy      5C 5D",
        "  order   ana 4S 6D, ben 4D 2C, cy KC",
        "  discards  4S 4D KC 6D 2C",
        "  upcard  8H",
        "  stock   9D",
        "",
        "   1  ben     play 3H",
        "   2  cy      draw                    9D",
        "   3  dealer  shuffle 4D 4S KC 2C 6D 8H  cy: 4D 4S",
        "   4  ana     draw                    KC",
        "Open: ben to act",
    ]


def test_a_round_that_waits_for_the_dealer_is_a_position_where_nobody_acts() -> None:
    text = SMALL[: SMALL.index('  "dealer')] + "]\n"
    report = sound(text).report
    assert report["legal"] == {}
    assert report["rounds"] == [{"over": False, "reason": None, "winners": [], "points": {}}]
    assert list(told(sound(text)))[-1] == "Open: the dealer to shuffle"


def test_discards_order_and_stock_may_be_missing() -> None:
    text = record("4C/5C", "ana: draw", "ben: draw")
    assert ended(text) == ("blocked", [], [-1, -1])
    assert sound(record("4C/5C", more='order = { ana = "2C", ben = "3C" }')).record is not None


def test_a_match_with_its_order_cards_comes_back_the_same() -> None:
    game = OneCard(OneCardOptions(cards=2, decks=2))
    order = list(deck(2))[::-1]
    dealt = game.dealt(order, 2, Seat(1))
    opener = game.opener(dealt, Seat(1), True)
    round_ = played_round(("ana", "ben"), dealt, opener, [(opener, "draw")], (), (0, 0))
    written = Record("onecard", game.options, ("ana", "ben"), (round_,))
    assert len(dealt.order) > 2
    assert read(write(written)) == written


def test_the_dealers_acts_of_a_table_are_the_dealers_lines() -> None:
    dealt = read(SMALL).rounds[0].dealt
    round_ = played_round(("ana", "ben", "cy"), dealt, Seat(1), [(DEALER, "shuffle 4D"), (2, "draw")], (), (0, 0, 0))
    assert round_.actions == ("dealer: shuffle 4D", "cy: draw")


# ---- odd corners of play


def test_attacks_redirected_twice_through_three_players() -> None:
    hands = "2H 4S/QH 5S/QS QH 6C"
    lines = ["ana: play 2H", "ben: play QH"]
    assert legal(record(hands, *lines)) == {"ana": ["draw"]}
    hands = "2H QH 4S/QH JS 5S/JH 6C QC"
    lines = ["ana: play 2H", "ben: play QH", "ana: play QH"]
    assert legal(record(hands, *lines)) == {"ben": ["draw"]}
    found = sound(record("2H 4S/JH 5S/QS 6C", "ana: play 2H", "ben: play JH", more='stock = "KC KD KS"'))
    assert found.report["legal"] == {"ana": ["draw"]}
    found = sound(record("2H QH 4S/JH 5S/QH 6C", "ana: play 2H", "ben: play JH", "ana: play QH"))
    assert found.report["legal"] == {"cy": ["draw", "play QH"]}
    assert found.rounds[-1].state.public.pending == 2
    text = record("2H QH 4S/JH 5S 6S/QH 6C", "ana: play 2H", "ben: play JH", "ana: play QH", "cy: play QH")
    assert legal(text) == {"ana": ["draw"]}


def test_the_stock_runs_out_in_the_middle_of_a_draw_of_five() -> None:
    hands, start = "2H 4S/3H 5S/6C 6D", ("ana: play 2H", "ben: play 3H", "cy: draw")
    piles = 'stock = "KC KD"\ndiscards = "9S TS"'
    assert legal(record(hands, *start, more=piles)) == {}
    whole = (*start, "dealer: shuffle TS 2H 9S 8H")
    found = sound(record(hands, *whole, more=piles))
    assert hands_after(found) == [1, 1, 7]
    assert found.report["legal"] == {"ana": ["draw"]}
    assert found.rounds[-1].steps[-1].drawn[0][0] == 2
    assert wrong(record(hands, *start, "ana: draw", more=piles)) == (1, 4, "the dealer's shuffle must stand here")
    assert wrong(record(hands, *start, "cy: draw", more=piles)) == (1, 4, "the dealer's shuffle must stand here")
    assert no_record(record(hands, *start, "eve: draw", more=piles)) == "round 1, line 4: eve is not seated"


def test_five_are_wanted_and_fewer_are_there() -> None:
    hands, start = "2H 4S/3H 5S/6C 6D", ("ana: play 2H", "ben: play 3H", "cy: draw")
    found = sound(record(hands, *start, "dealer: shuffle 2H 8H"))
    assert hands_after(found) == [1, 1, 4]
    assert found.report["legal"] == {"ana": ["draw"]}


def test_both_piles_are_empty() -> None:
    text = record("4S/KC/6C", "ana: draw", "ben: draw")
    assert legal(text) == {"cy": ["draw"]}
    assert wrong(record("4S/KC/6C", "ana: draw", "dealer: shuffle 8H")) == (1, 2, "no shuffle is due")
    assert ended(record("4S/KC/6C", "ana: draw", "ben: draw", "cy: draw")) == ("blocked", [], [-1, -1, -1])


def test_nothing_is_shuffled_before_a_card_is_needed() -> None:
    piles = 'stock = "KC"\ndiscards = "9S"'
    assert wrong(record("4S/5S", "ana: draw", "dealer: shuffle 9S", more=piles)) == (1, 2, "no shuffle is due")
    assert legal(record("4S/5S", "ana: draw", more=piles)) == {"ben": ["draw"]}


def test_two_identical_cards_from_two_decks() -> None:
    assert legal(record("8H 8H/5C", upcard="8H", options="decks = 3")) == {"ana": ["play 8H"]}
    assert legal(record("8H 4C/8H", "ana: play 8H", upcard="9H")) == {"ben": ["play 8H"]}
    assert ended(record("8H 8H/5C", "ana: play 8H", "ben: draw", "ana: play 8H", upcard="9H", more='stock = "4C"')) == (
        "out",
        ["ana"],
        [0, -2],
    )
    assert "more often" in no_record(record("8H 8H/5C", upcard="8H"))
    assert "more often" in no_record(record("8H/5C", upcard="8H", options="decks = 1"))
    shuffled = record(
        "2D 4S/5C/6C",
        "ana: play 2D",
        "ben: draw",
        "dealer: shuffle 9S 9S 8D",
        upcard="8D",
        more='discards = "9S 9S"',
    )
    assert hands_after(sound(shuffled)) == [1, 3, 1]


def test_ties_of_a_match_are_shared() -> None:
    head = 'format = 1\ngame = "onecard"\nplayers = ["ana", "ben", "cy"]\n[options]\nrounds = 2\n'
    first = '[[rounds]]\nstarter = "ana"\nhands = { ana = "8H", ben = "4C 4D", cy = "5C 5D" }\nupcard = "9H"\n'
    second = '[[rounds]]\nstarter = "ben"\nhands = { ana = "KC KD KS", ben = "8H", cy = "5C 5D" }\nupcard = "9H"\n'
    rounds = first + 'actions = ["ana: play 8H"]\n' + second + 'actions = ["ben: play 8H"]\n'
    report = sound(head + rounds).report
    assert report["scores"] == {"ana": -3, "ben": -2, "cy": -4}
    assert (report["over"], report["winners"]) == (True, ["ben"])
    report = sound(head + rounds.replace("KC KD KS", "KC KD")).report
    assert report["winners"] == ["ana", "ben"]
    assert no_record(head + rounds + second + "actions = []") == "round 3: the match is over before it"


def test_the_starter_is_taken_as_it_stands() -> None:
    """Neither the order cards nor the setup limit of new games is looked at."""
    many = 'order = { ana = "2C", ben = "KC" }\ndiscards = "2C KC"'
    assert legal(record("4C/8S", more=many, starter="ben", options="decks = 1\ncards = 15")) == {"ben": ["play 8S"]}


def test_each_option_is_known_in_records() -> None:
    assert legal(record("8H/5C", "ana: draw", upcard="9C", more='stock = "9D"', options="draw_then_play = true")) == {
        "ana": ["pass", "play 9D"]
    }
    assert legal(record("8C 4C/5C", options='call_one_card = "self"')) == {"ana": ["play 8C", "play 8C one"]}
    assert legal(record("8C 4C/5C", options="must_play = false")) == {"ana": ["draw", "play 8C"]}
    assert legal(record("8C/5C/6C", upcard="JH", options="starter_effect = true")) == {"ben": ["draw"]}
    penalty = record("8C 4C/5C", "ana: play 8C", options='call_one_card = "self"')
    assert legal(penalty) == {}
    assert hands_after(sound(penalty.replace('play 8C"]', 'play 8C", "dealer: shuffle 8H"]'))) == [2, 1]


# ---- a meadow of wrong ones


@pytest.mark.parametrize(
    ("text", "line", "reason"),
    [
        (record("8C/5C", "ben: draw"), 1, "not your turn"),
        (record("8C/5C", "ana: draw"), 1, "must play: 8C"),
        (record("8C/5C", "ana: pass"), 1, "no passing"),
        (record("8C 4C/5C", "ana: play 4C"), 1, "no match: 4C, 8H"),
        (record("8C 4C/5C", "ana: play 8S"), 1, "not held: 8S"),
        (record("8C 4C/5C", "ana: play 5C"), 1, "not held: 5C"),
        (record("8C 4C/5C", "ana: play 8C one"), 1, "no calling"),
        (record("8C 4C/5C", "ana: play 8C 4C"), 1, "play needs one card, like play 8H"),
        (record("8C 4C/5C", "ana: play"), 1, "play needs one card, like play 8H"),
        (record("8C 4C/5C", "ana: play 1X"), 1, "not a card: 1X"),
        (record("8C 4C/5C", "ana: draw 8C"), 1, "draw stands alone"),
        (record("8C 4C/5C", "ana: Play 8C"), 1, "no action of One Card: Play"),
        (record("8C 4C/5C", "ana: expose 8C"), 1, "no action of One Card: expose"),
        (record("8C/5C", "ana: play 8C", "ben: draw"), 2, "over"),
        (record("8C/5C", "ana: play 8C", "dealer: shuffle 8H"), 2, "no shuffle is due"),
        (record("8C/5C", "ana: shuffle 8H"), 1, "not your turn"),
        (record("4C/5C", "dealer: shuffle 8H"), 1, "no shuffle is due"),
        (record("4C/5C", "ana: draw", "dealer: draw", more='discards = "9S"'), 2, "the dealer only shuffles"),
        (record("4C/5C", "ana: draw", "dealer: shuffle", more='discards = "9S"'), 2, "shuffle needs cards"),
        (record("4C/5C", "ana: draw", "dealer: shuffle 9X", more='discards = "9S"'), 2, "not a card: 9X"),
        (record("4C/5C", "ana: draw", "dealer: shuffle 9H", more='discards = "9S"'), 2, "wrong shuffle: 9S, 9H"),
        (record("4C/5C", "ana: draw", "dealer: shuffle 9S 8H", more='discards = "9S"'), 2, "wrong shuffle: , 8H"),
        (record("4C/5C", "ana: draw", "dealer: shuffle 9S 9S", more='discards = "9S"'), 2, "wrong shuffle: , 9S"),
        (record("4C/5C", "ana: draw", "ben: draw", more='discards = "9S"'), 2, "the dealer's shuffle must stand here"),
        (record("4C/5C", "dealer shuffle 9S"), 1, "not an action: it has no name before a colon"),
    ],
)
def test_an_illegal_line_is_told_with_its_place(text: str, line: int, reason: str) -> None:
    assert wrong(text) == (1, line, reason)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (record("8C/5C", upcard="8X"), "round 1: upcard: not a card: 8X"),
        (record("8C/5C", upcard=""), "round 1: upcard must be one card, not 0"),
        (record("8C/5C", upcard="8H 9H"), "round 1: upcard must be one card, not 2"),
        (record("8C/5C").replace("upcard", "card"), "round 1: upcard is missing"),
        (record("8C/5C").replace('"8H"', "8"), "round 1: upcard must be a text"),
        (record("8C/5C", more='discards = "9X"'), "round 1: discards: not a card: 9X"),
        (record("8C/5C", more='discards = ["9S"]'), "round 1: discards must be a text"),
        (record("8C/5C", more='discards = "8C 8C"'), "round 1: discards: 8C is there more often"),
        (record("8C/5C", more='discards = "8H 8H"'), "round 1: upcard: 8H is there more often"),
        (record("8C/5C", more='stock = "8H 8H"'), "round 1: stock: 8H is there more often"),
        (record("8C 8C/8C"), "round 1: ben's hand: 8C is there more often"),
        (record("8C/"), "round 1: ben has no cards"),
        (record("8C/5C", more='order = { ana = "9X" }'), "round 1: order: ana: not a card: 9X"),
        (record("8C/5C", more='order = { dan = "9S" }'), "round 1: order: dan is not seated"),
        (record("8C/5C", more='order = "9S"'), "round 1: order must be a table"),
        (record("8C/5C", more="order = { ana = 9 }"), "round 1: order must be a text"),
        (
            record("8C/5C", more='discards = "2S"\norder = { ana = "9S" }'),
            "round 1: order: 9S is not among the discards",
        ),
        (record("8C/5C", more='order = { ana = "8C 8C" }'), "round 1: order: ana: 8C is there more often"),
        (record("8C/5C", starter="dan"), "round 1: dan is not seated"),
        (record("8C/5C", "dan: draw"), "round 1, line 1: dan is not seated"),
        (record("8C/5C", "Dealer: shuffle 8H"), "round 1, line 1: Dealer is not seated"),
        (record("8C/5C", options="decks = 5"), "options: decks can't be 5; allowed: 1 to 4"),
        (record("8C/5C", options="jokers = 2"), "options: One Card has no option jokers"),
        (record("8C"), "players: One Card has 2 to 8 of them, not 1"),
        (record("8C/5C").replace('starter = "ana"', ""), "round 1: starter is missing"),
    ],
)
def test_what_is_no_record_gets_one_sentence(text: str, sentence: str) -> None:
    assert sentence in no_record(text)


@pytest.mark.parametrize("key", ["upcard", "discards", "order"])
def test_a_game_where_nothing_lies_face_up_has_none_of_these(key: str) -> None:
    text = (
        'format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "cy"]\n[[rounds]]\nstarter = "ana"\n'
        f'hands = {{ ana = "AS 2S", ben = "KC", cy = "KD" }}\nstock = "3S"\nactions = []\n{key} = "8H"\n'
    )
    with pytest.raises(InvalidRecord, match=f"round 1: Tong-its has no {key}"):
        read(text)


LINES = ("dealer: shuffle 9S", "ana: draw", "ben: play 8H", "ana: play 2H one")
NESTED: tuple[Any, ...] = ([], {}, [[]], [*LINES], {"ana": "8H"}, {"ana": 3})
VALUES: list[Any] = ["", "8H", "8H 8H", "dealer", "ana", "2C 3C", *LINES, 0, -1, 3, True, 1.5, None, *NESTED]
values = st.sampled_from(VALUES).map(json.dumps)


def _places(table: Any) -> list[tuple[Any, Any]]:
    """Every key or index of every table and list inside."""
    keys = list(table) if isinstance(table, dict) else list(range(len(table))) if isinstance(table, list) else []
    return [(table, key) for key in keys] + [place for key in keys for place in _places(table[key])]


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value)


@given(st.lists(st.tuples(st.integers(0, 10_000), values), min_size=1, max_size=4), st.sampled_from([0, 1, 2]))
@settings(max_examples=400, deadline=None)
def test_whatever_a_value_is_replaced_by_there_is_one_sentence(edits: list[tuple[int, str]], which: int) -> None:
    texts = (SMALL, record("2H 8H 4S/3H 5S/6C 6D", "ana: play 2H", "ben: play 3H", "cy: draw"), record("8C/5C"))
    table = tomllib.loads(texts[which])
    for number, value in edits:
        places = _places(table)
        owner, key = places[number % len(places)]
        if (new := json.loads(value)) is None:
            del owner[key]
        else:
            owner[key] = new
        if not table:
            break
    found = replay("\n".join(f"{json.dumps(key)} = {_toml(value)}" for key, value in table.items()))
    assert found.exit_code in (0, 1, 2)
    assert (found.error == "") is (found.exit_code == 0)
    assert found.error.isprintable()
    json.dumps(found.report)
    list(told(found))
    if found.record is not None and found.record.rounds:
        assert read(write(found.record)) == found.record


def test_the_example_of_the_page_is_sound() -> None:
    page = (Path(__file__).parent.parent.parent.parent / "docs" / "records.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```\n(\[\[rounds\]\]\n.*?)```", page, re.DOTALL)
    head = SMALL[: SMALL.index("[[rounds]]")]
    assert read(head + example) == read(SMALL)


# ---- house rules that meet


def test_an_attack_answered_by_rank_or_without_a_match() -> None:
    answers = "3D 2D 7D JD QD QH 2H 9D / QD 9C / 9H / 9S"
    by_suit = ["draw", "play 2D", "play 7D", "play JD", "play QD"]
    start = ("ana: play 3D", "ben: play QD")
    assert legal(record(answers, *start, upcard="5D")) == {"ana": by_suit}
    by_rank = legal(record(answers, *start, upcard="5D", options="redirect_by_rank = true"))
    assert by_rank == {"ana": [*by_suit, "play QH"]}
    free = legal(record(answers, *start, upcard="5D", options="free_defence = true"))
    assert free == {"ana": sorted([*by_suit, "play 2H"])}


def test_a_last_attack_is_drawn_by_whom_it_falls_on() -> None:
    options, stock = "final_attack_counts = true", 'stock = "KC KD KS 4C 4D"'
    attack = "ana: play 2H"
    assert ended(record("2H 9C / 3H / 5D 5H 5C", attack, "ben: play 3H", options=options, more=stock)) == (
        "out",
        ["ben"],
        [-1, 0, -8],
    )
    for answer, points in (("JH", [-1, 0, -1, -3]), ("QH", [-3, 0, -1, -1]), ("7H", [-1, 0, -1, -1])):
        text = record(f"2H 9C / {answer} / 5D / 9D", attack, f"ben: play {answer}", options=options, more=stock)
        assert ended(text) == ("out", ["ben"], points)
    alone = record("2H 9C / JH", attack, "ben: play JH", options=options, more=stock)
    assert ended(alone) == ("out", ["ben"], [-1, 0])
    waits = record("3H / 3C / 5D", "ana: play 3H", options=options, more='stock = "KC"\ndiscards = "6C"')
    assert legal(waits) == {}
    more = 'stock = "KC"\ndiscards = "6C"'
    done = record("3H / 3C / 5D", "ana: play 3H", "dealer: shuffle 8H 6C", options=options, more=more)
    assert ended(done) == ("out", ["ana"], [0, -4, -1])


def test_a_forgotten_call_may_need_a_shuffle() -> None:
    options = 'call_one_card = "self"\ncall_penalty = 3'
    hands, more = "8C KH / 9D 9C", 'stock = "4H"\ndiscards = "5C"'
    assert legal(record(hands, options=options, more=more)) == {
        "ana": ["play 8C", "play 8C one", "play KH", "play KH one"]
    }
    assert legal(record(hands, "ana: play 8C", options=options, more=more)) == {}
    shuffled = record(hands, "ana: play 8C", "dealer: shuffle 8H 5C", options=options, more=more)
    assert legal(shuffled) == {"ben": ["play 9C", "play 9C one"]}
    assert hands_after(sound(shuffled)) == [4, 2]
    attacked = record("2H KH / 2D 9D / 9S", "ana: play 2H", options=options, more='stock = "QH 4C 4D"')
    assert legal(attacked) == {"ben": ["draw", "play 2D", "play 2D one"]}


def test_who_is_bankrupt_is_passed_over_and_pays() -> None:
    options, stock = "bankrupt_at = 4", 'stock = "KC KD KS"'
    start = ("ana: play 2H", "ben: draw")
    text = record("2H 9C 5S / 3C 4C / 5D 5H 4D", *start, "cy: play 5H", "ana: play 5S", options=options, more=stock)
    assert legal(text) == {"cy": ["play 5D"]}
    text = record(
        "2H 9C / 3C 4C / 5D 5H", *start, "cy: play 5H", "ana: draw", "cy: play 5D", options=options, more=stock
    )
    assert ended(text) == ("out", ["cy"], [-2, -4, 0])
    assert ended(record("2H 9C / 3C 4C", *start, options=options, more=stock)) == ("out", ["ana"], [0, -4])


@pytest.mark.parametrize(
    ("upcard", "expected"),
    [
        ("2C", {"ana": ["draw", "play 2H", "play 3C"]}),
        ("3H", {"ana": ["draw", "play 2H", "play 3C"]}),
        ("7H", {"ana": ["play 2H", "play KH"]}),
        ("JH", {"ben": ["play 9H"]}),
        ("QH", {"ana": ["play 2H", "play KH"]}),
        ("KC", {"ana": ["play 3C", "play KH"]}),
    ],
)
def test_the_starter_card_does_its_work(upcard: str, expected: dict[str, list[str]]) -> None:
    text = record("2H 3C KH / 9H / 4S", upcard=upcard, options="starter_effect = true")
    assert legal(text) == expected


def test_a_blocked_round_costs_the_cards_by_their_worth_only_with_points() -> None:
    hands, idle = "3C / 4C 5C / KD", ("ana: draw", "ben: draw", "cy: draw")
    assert ended(record(hands, *idle)) == ("blocked", [], [-1, -2, -1])
    assert ended(record(hands, *idle, options='scoring = "winner_takes"')) == ("blocked", [], [-1, -2, -1])
    assert ended(record(hands, *idle, options='scoring = "points"')) == ("blocked", [], [-3, -9, -10])


def test_three_and_four_equal_cards() -> None:
    assert no_record(record("8H 8H / 9D")) == "round 1: upcard: 8H is there more often than in the cards dealt from"
    assert legal(record("8H 8H / 9D", options="decks = 3")) == {"ana": ["play 8H"]}
    text = record("8H 8H / 8H 9D", "ana: play 8H", "ben: play 8H", options="decks = 4")
    assert legal(text) == {"ana": ["play 8H"]}

"""One JSON line in, one out: what a bot is told, and what is made of its lines."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.bots.line import PROTOCOL, Fault, Line, Reply
from p2pcards.games.base import DEALER, Carry, Game, Seat
from p2pcards.games.match import Match
from p2pcards.games.onecard import OneCard
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts, TongItsOptions
from tests.games.walk import walk
from tests.testing.dice import dice

GAME = TongIts()


def _turns(game: Game[Any, Any, Any], seats: int) -> list[Any]:
    """What everybody sees who acts in a round."""
    moments = walk(game, dice(3), seats=seats).moments
    return [game.view(each.state, each.seat) for each in moments if each.seat not in (None, DEALER)]


FIRST, *LATER = _turns(GAME, 3)
MATCH = Match.start(GAME, 3)
LEGAL = [GAME.format(action) for action in GAME.legal_actions(FIRST)]


def _asked(line: Line, view: Any = FIRST, game: Game[Any, Any, Any] = GAME) -> list[dict[str, Any]]:
    return [json.loads(told) for told in line.ask(game, view, 1.5, MATCH).splitlines()]


def _answer(number: int, action: str) -> bytes:
    return json.dumps({"id": number, "action": action}).encode()


# ---- what a bot is told


def test_it_is_greeted_first_and_then_asked() -> None:
    hello, request = _asked(Line())
    assert hello == {
        "type": "hello",
        "protocol": PROTOCOL,
        "game": "tongits",
        "options": hello["options"],
        "seat": FIRST.seat,
        "seats": 3,
    }
    assert hello["options"]["stake"] == 1
    assert (request["type"], request["id"], request["seconds"], request["legal"]) == ("request", 1, 1.5, LEGAL)
    assert request["view"]["seat"] == FIRST.seat


def test_it_is_told_how_the_match_stands() -> None:
    game = TongIts(TongItsOptions(scoring="chips", hitter_pot=True, ante=2))
    match = Match(game, (5, -3, -2), (2, 0, 1), 3, carry=Carry(pot=6))
    *_, request = Line().ask(game, FIRST, 1.5, match).splitlines()
    assert json.loads(request)["match"] == {"round": 4, "scores": [5, -3, -2], "wins": [2, 0, 1], "pot": match.pot}
    assert match.pot > 6


def test_fields_stand_in_one_order_and_without_spaces_so_that_a_shell_can_cut_them() -> None:
    request = Line().ask(GAME, FIRST, 1.5, MATCH).splitlines()[1]
    assert request.startswith(b'{"type":"request","id":1,"seconds":1.5,"legal":["' + LEGAL[0].encode() + b'"')


@pytest.mark.parametrize("name", GAMES)
def test_no_action_has_anything_in_it_that_a_shell_would_stumble_over(name: str) -> None:
    game = GAMES[name]()
    for view in _turns(game, game.usual_seats)[::3]:
        texts = [game.format(action) for action in game.legal_actions(view)]
        assert not any(set(text) & set("\"'[],\\*?") for text in texts)
        assert len(set(texts)) == len(texts)


def test_it_is_greeted_again_where_it_sits_elsewhere_and_only_there() -> None:
    line = Line()
    assert [told["type"] for told in _asked(line)] == ["hello", "request"]
    assert [told["type"] for told in _asked(line)] == ["request"]
    other = next(view for view in LATER if view.seat != FIRST.seat)
    assert [told.get("seat") for told in _asked(line, other)] == [other.seat, None]


def test_who_has_nothing_to_do_is_not_asked() -> None:
    state = walk(GAME, dice(3), seats=3).moments[0].state
    for seat in {Seat(0), Seat(1), Seat(2), None} - {FIRST.seat}:
        with pytest.raises(ValueError, match="nothing to choose"):
            Line().ask(GAME, GAME.view(state, seat), 1.0, MATCH)


@pytest.mark.parametrize("name", GAMES)
def test_states_that_look_alike_from_the_seat_are_told_alike(name: str) -> None:
    game = GAMES[name]()
    for moment in walk(game, dice(5)).moments[::7]:
        if moment.seat not in (None, DEALER):
            view = game.view(moment.state, moment.seat)
            other = game.resample(view, dice(1))
            seen = game.view(other, moment.seat)
            assert Line().ask(game, seen, 1.0, MATCH) == Line().ask(game, view, 1.0, MATCH)


# ---- what is made of its lines


def test_a_legal_action_is_that_action() -> None:
    line = Line()
    _asked(line)
    assert line.hear(_answer(1, LEGAL[-1]) + b"\n") == Reply(list(GAME.legal_actions(FIRST))[-1])


def test_further_fields_of_an_answer_are_passed_over() -> None:
    line = Line()
    _asked(line)
    reply = line.hear(json.dumps({"why": "luck", "action": LEGAL[0], "id": 1}).encode())
    assert reply == Reply(GAME.legal_actions(FIRST)[0])


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"\n", b"draw", b"null", b"[]", b"{}", b'{"id":1}', b'{"id":"1","action":"draw"}', b'{"id":1,"action":7}',
        b"\xff\xfe\n", b'{"id":1,"action":"\xff"}', b"[" * 5000, b'{"id":2,"action":"draw"}', b'{"id":-1,"action":""}',
        b'{"id":1e999,"action":""}', b'{"id":1,"action":"draw","x":' + b"[" * 60000, b'{"id":1,"action":"\\ud800"}',
    ],
)  # fmt: skip
def test_what_is_no_answer_is_garbage(raw: bytes) -> None:
    line = Line()
    _asked(line)
    reply = line.hear(raw)
    assert reply is not None
    assert (reply.fault, reply.action) == (Fault.GARBAGE, None)
    assert reply.detail.isprintable()


@pytest.mark.parametrize("action", ["", "win", LEGAL[0].lower() + " ", "discard 7h", "\x1b[2J" * 99])
def test_another_action_is_illegal_however_near_it_comes(action: str) -> None:
    line = Line()
    _asked(line)
    reply = line.hear(_answer(1, action))
    assert reply is not None
    assert (reply.fault, reply.action) == (Fault.ILLEGAL, None)
    assert reply.detail.isprintable()
    assert len(reply.detail) <= 41


def test_an_answer_that_comes_too_late_is_passed_over_once() -> None:
    line = Line()
    _asked(line)
    line.drop()
    _asked(line)
    assert line.hear(_answer(1, "draw")) is None
    reply = line.hear(_answer(1, "draw"))
    assert reply is not None
    assert reply.fault is Fault.GARBAGE


def test_a_second_answer_to_a_request_is_passed_over() -> None:
    line = Line()
    for number in (1, 2, 3):
        _asked(line)
        if number > 1:
            assert line.hear(_answer(number - 1, "win")) is None
        assert line.hear(_answer(number, LEGAL[-1])) == Reply(list(GAME.legal_actions(FIRST))[-1])


def test_an_answer_given_again_and_again_is_garbage() -> None:
    line = Line()
    _asked(line)
    line.hear(_answer(1, LEGAL[0]))
    _asked(line)
    assert line.hear(_answer(1, LEGAL[0])) is None
    reply = line.hear(_answer(1, LEGAL[0]))
    assert reply is not None
    assert (reply.fault, reply.detail) == (Fault.GARBAGE, "its id is 1, not 2")


def test_after_garbage_the_answer_itself_is_one_that_comes_too_late() -> None:
    line = Line()
    _asked(line)
    line.hear(b"thinking...")
    _asked(line)
    assert line.hear(_answer(1, LEGAL[0])) is None
    assert line.hear(_answer(2, LEGAL[0])) == Reply(GAME.legal_actions(FIRST)[0])


@given(st.binary() | st.text().map(str.encode) | st.recursive(st.none() | st.integers() | st.text(), st.lists).map(
    lambda value: json.dumps({"id": value, "action": value}).encode()
))  # fmt: skip
def test_whatever_it_writes_is_heard_out(raw: bytes) -> None:
    line = Line()
    line.ask(OneCard(), _turns(OneCard(), 4)[0], 1.0, MATCH)
    reply = line.hear(raw)
    assert reply is not None
    assert reply.fault in (Fault.GARBAGE, Fault.ILLEGAL)

"""Two doctors' talk over TCP, and what a stranger gets out of one."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from itertools import chain, repeat
from typing import Any

import pytest
from msgspec import json as wire

from p2pcards.net import doctor_desk
from p2pcards.net.dial import Unreachable, Why, dial
from p2pcards.net.doctor_desk import Desk, Line, Reply, TellsNothing, Visit, call
from p2pcards.net.listener import LOOPBACK, Listener
from p2pcards.wire.identity import Identity

A, B = "a" * 16, "b" * 16


class Side:
    """One desk and whoever came to it."""

    def __init__(self, token: str, answers: bool = True) -> None:
        self.visits: list[Visit] = []
        self.token = token
        self.desk = Desk(self.reply, self.visits.append, LOOPBACK[:1], answers)

    def reply(self, line: Line) -> Reply:
        return Reply([self.token], line.tokens, "1", "3", 7.0)

    @property
    def target(self) -> tuple[str, int]:
        return "127.0.0.1", self.desk.port


@pytest.fixture
async def sides() -> AsyncIterator[tuple[Side, Side]]:
    here, there = Side(A, answers=False), Side(B)
    for side in (here, there):
        side.desk.open(0)
        await side.desk.start()
    yield here, there
    for side in (here, there):
        side.desk.close()


Two = tuple[Side, Side]


async def test_a_hello_is_answered_and_tried_back(sides: Two) -> None:
    here, there = sides
    reply = await call(there.target, Line("hello", [A], here.desk.port))
    assert reply == Reply([B], [A], "1", "3", 7.0, "", "ok")
    assert there.visits == [Visit("127.0.0.1", True, "ok")]
    assert here.visits == []  # a knock is no visit


async def test_a_way_back_that_is_shut_or_leads_to_somebody_else(sides: Two) -> None:
    here, there = sides
    assert (await call(there.target, Line("hello", [B], here.desk.port))).back == "stranger"
    here.desk.close()
    assert (await call(there.target, Line("hello", [A], here.desk.port))).back == "refused"


@pytest.mark.parametrize("port", [0, 22, 1023])
async def test_no_well_known_port_is_tried(sides: Two, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def dialled(*_: Any) -> Reply:
        raise AssertionError("nobody is dialled there")

    monkeypatch.setattr(doctor_desk, "call", dialled)
    assert (await call(sides[1].target, Line("hello", [A], port))).back == ""


async def test_who_does_not_listen_answers_only_a_knock(sides: Two) -> None:
    here, _ = sides
    assert (await call(here.target, Line("knock", []))).tokens == [A]
    with pytest.raises(TellsNothing):
        await call(here.target, Line("hello", [B]))


async def said(side: Side, data: bytes) -> bytes:
    """What comes back for these bytes, until the far end hangs up."""
    reader, writer = await asyncio.open_connection(*side.target)
    writer.write(data)
    try:
        return await reader.read()
    except ConnectionError:
        return b""
    finally:
        writer.transport.abort()


@pytest.mark.parametrize(
    "data",
    [
        b"\x01" * 38,
        b"GET / HTTP/1.0\r\n\r\n",
        b"{}\n",
        b"{" + b"[" * 2000 + b"\n",
        b"{" + b"x" * 5000,
        json.dumps({"doctor": "shutdown", "tokens": [], "port": 1}).encode() + b"\n",
        json.dumps({"doctor": "hello", "tokens": [A] * 11, "port": 1}).encode() + b"\n",
        json.dumps({"doctor": "hello", "tokens": ["../../etc"], "port": 1}).encode() + b"\n",
        json.dumps({"doctor": "hello", "tokens": [], "port": 65536}).encode() + b"\n",
    ],
    ids=lambda data: data[:20].decode("latin-1"),
)
async def test_nonsense_gets_not_a_byte_and_the_desk_goes_on(sides: Two, data: bytes) -> None:
    here, there = sides
    assert await said(there, data) == b""
    assert (await call(there.target, Line("hello", [A], here.desk.port))).back == "ok"


async def test_what_is_no_line_is_hung_up_on_at_once(sides: Two, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in ("LINE_SECONDS", "TALK_SECONDS"):
        monkeypatch.setattr(doctor_desk, limit, 3600.0)
    async with asyncio.timeout(20):
        assert await said(sides[1], b"\x01") == b""


async def test_one_that_dawdles_on_every_line_leaves_room_for_others(
    sides: Two, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor_desk, "LINE_SECONDS", 3600.0)
    monkeypatch.setattr(doctor_desk, "TALK_SECONDS", 7200.0)
    come = chain(["10.0.0.1"] * doctor_desk.CALLS_AT_ONCE, repeat("10.0.0.2"))
    monkeypatch.setattr(doctor_desk, "of_socket", lambda transport, which: (next(come), 1))
    _, there = sides
    dawdlers = [await asyncio.open_connection(*there.target) for _ in range(doctor_desk.CALLS_AT_ONCE)]
    assert (await call(there.target, Line("hello", [A]))).tokens == [B]
    for _, writer in dawdlers:
        writer.transport.abort()
    async with asyncio.timeout(20):
        await asyncio.gather(*there.desk._talks)


async def test_hellos_of_one_address_run_out(sides: Two) -> None:
    _, there = sides
    answered = 0
    for _ in range(30):
        try:
            await call(there.target, Line("hello", [A]))
        except TellsNothing:
            break
        answered += 1
    assert doctor_desk.CALLS[1] <= answered < 30


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"nonsense\n",
        b"[" * 3000 + b"\n",
        b'{"tokens": 7}\n',
        b'{"tokens": [], "heard": [], "clock": 253402300800}\n',
    ],
)
async def test_an_answer_that_is_none_is_somebody_else(answer: bytes) -> None:
    async def stranger(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(answer)
        writer.close()

    server = await asyncio.start_server(stranger, "127.0.0.1", 0)
    async with server:
        with pytest.raises(TellsNothing):
            await call(("127.0.0.1", server.sockets[0].getsockname()[1]), Line("hello", []))


async def test_a_game_takes_a_desk_for_no_game_and_a_doctor_takes_a_game_for_no_desk(sides: Two) -> None:
    with pytest.raises(Unreachable) as refused:
        await dial([sides[1].target], Identity(b"x" * 32))
    assert refused.value.why is Why.NO_P2PCARDS
    listener = Listener(Identity(b"y" * 32), lambda link: None, hosts=LOOPBACK[:1])
    port = await listener.open(0)
    try:
        with pytest.raises(TellsNothing):
            await call(("127.0.0.1", port), Line("hello", [A]))
        assert listener.refused == 1
    finally:
        listener.close()


def test_a_line_and_a_reply_have_room(sides: Two) -> None:
    longest = Reply([A] * 10, [B] * 10, "v" * 40, "3" * 40, 1e300, "f" * 40, "b" * 40)
    assert len(wire.encode(longest)) < doctor_desk.LINE_BYTES
    assert len(wire.encode(Line("hello", [A] * 10, 65535))) < doctor_desk.LINE_BYTES

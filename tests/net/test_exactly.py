"""Handshakes under an event loop that reads ahead, as Windows' does: nothing that follows them is lost or believed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from p2pcards.net.dial import _Dialling
from p2pcards.net.exactly import Exactly
from p2pcards.net.link import BUFFER_BYTES
from p2pcards.net.listener import PROOF_SECONDS, _Newcomer
from p2pcards.wire.handshake import M1_BYTES, M2_BYTES, M3_BYTES, Initiator, Responder, Session
from p2pcards.wire.messages import Get, Message, encode
from tests.net.pair import ANA, BEN, HELLO, Door, listening, until


def feed(protocol: Exactly, data: bytes) -> None:
    """Hands over what was read at once, all of it to the protocol that the reading began with."""
    while data:
        room = protocol.get_buffer(len(data))
        assert len(room)
        taken = min(len(room), len(data))
        room[:taken] = data[:taken]
        protocol.buffer_updated(taken)
        data = data[taken:]


def sealed(session: Session, *messages: Message) -> bytes:
    return b"".join(session.sealer.seal(*encode(message)) for message in messages)


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with listening() as door:
        yield door


async def newcomer(door: Door) -> tuple[_Newcomer, asyncio.StreamReader, asyncio.StreamWriter]:
    """A connection before its handshake: the listener's end, and ours."""
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    await until(lambda: door.listener._half_open)
    (found,) = door.listener._half_open
    return found, reader, writer


async def test_what_follows_the_proof_at_once_is_heard(door: Door) -> None:
    there, reader, writer = await newcomer(door)
    initiator = Initiator(BEN, b"e" * 32)
    feed(there, initiator.m1)
    m3, session = initiator.finish(await reader.readexactly(M2_BYTES))
    feed(there, m3 + sealed(session, HELLO, Get(1)))
    assert door.came[0].messages == [HELLO, Get(1)]
    writer.close()


async def test_the_proof_has_the_whole_of_its_time(door: Door) -> None:
    loop = asyncio.get_running_loop()
    before = loop.time()
    there, _, writer = await newcomer(door)
    feed(there, Initiator(BEN, b"e" * 32).m1)
    assert there._timer is not None
    assert there._timer.when() >= before + PROOF_SECONDS
    writer.close()


async def test_garbage_of_any_length_is_dropped_without_a_fault(door: Door) -> None:
    there, reader, writer = await newcomer(door)
    feed(there, bytes(300_000))
    assert await reader.read() == b""
    assert door.listener.refused == 1
    writer.close()


async def test_what_a_dialled_host_says_too_soon_waits_for_the_start() -> None:
    proved: asyncio.Queue[bytes] = asyncio.Queue()

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(M1_BYTES)
        proved.put_nowait(await reader.readexactly(M3_BYTES))
        await reader.read()
        writer.close()

    async with await asyncio.start_server(listen, "127.0.0.1", 0) as server:
        dialling, responder = _Dialling(Initiator(BEN, b"e" * 32)), Responder(ANA, b"r" * 32)
        port = server.sockets[0].getsockname()[1]
        await asyncio.get_running_loop().create_connection(lambda: dialling, "127.0.0.1", port)
        feed(dialling, responder.answer(dialling._initiator.m1))
        link, session = await dialling.done, responder.finish(await proved.get())
        feed(dialling, sealed(session, Get(1)))
        heard: list[Message] = []
        link.start(heard.append, lambda why: None)
        assert heard == [Get(1)]
        link.abort("the test is over")
        await until(lambda: link._gone)


async def test_more_than_is_taken_ends_the_link(door: Door) -> None:
    there, reader, writer = await newcomer(door)
    initiator = Initiator(BEN, b"e" * 32)
    feed(there, initiator.m1)
    m3, session = initiator.finish(await reader.readexactly(M2_BYTES))
    feed(there, m3)
    link = door.came[0].link
    link._on_message = None
    feed(there, sealed(session, *(Get(number) for number in range(BUFFER_BYTES // 100 + 2))))
    await until(lambda: link._gone)
    writer.close()

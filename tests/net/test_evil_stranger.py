"""Strangers on a real socket (protocol 10, suite 6: T6, T7; acceptance A2 of 5.4).

Whatever they send, they hear nothing but M2, nobody is told of them, and not one byte of theirs reaches a decoder.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from p2pcards.net import link as link_module
from p2pcards.net.dial import Unreachable, Why, dial
from p2pcards.wire.encode import digest
from p2pcards.wire.handshake import M1_BYTES, M2_BYTES, M3_BYTES, Initiator, Session
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Chat, Message, Pake, decode, encode
from p2pcards.wire.records import Sealer
from tests.net.pair import ANA, BEN, HELLO, WELCOME, Door, listening, until
from tests.testing.tally import Tally

SUITE = "6 evil guest"


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The kinds that reached the decoder of a link."""
    kinds: list[int] = []

    def noted(kind: int, body: bytes) -> Message:
        kinds.append(kind)
        return decode(kind, body)

    monkeypatch.setattr(link_module, "decode", noted)
    return kinds


class Stranger:
    """A connection by hand."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.sent: list[bytes] = []

    def say(self, data: bytes) -> None:
        self.sent.append(data)
        self.writer.write(data)

    async def knock(self, number: int = 1) -> bytes:
        """M1, and M2 as it came."""
        self.initiator = Initiator(BEN, bytes([number]) * 32)
        self.say(self.initiator.m1)
        return await self.reader.readexactly(M2_BYTES)

    async def prove(self, door: Door) -> Session:
        """The whole handshake."""
        before = len(door.came)
        m2 = await self.knock()
        m3, session = self.initiator.finish(m2)
        self.say(m3)
        await until(lambda: len(door.came) > before)
        return session

    def seal(self, session: Session, message: Message) -> bytes:
        return session.sealer.seal(*encode(message))

    async def rest(self) -> bytes:
        """What comes until the far end hangs up."""
        async with asyncio.timeout(10):
            try:
                return await self.reader.read()
            except ConnectionError:
                return b""


@asynccontextmanager
async def stranger(door: Door) -> AsyncIterator[Stranger]:
    reader, writer = await asyncio.open_connection("127.0.0.1", door.port)
    try:
        yield Stranger(reader, writer)
    finally:
        writer.close()


@asynccontextmanager
async def house() -> AsyncIterator[Door]:
    """ANA's door; an honest guest comes through it afterwards as if nothing had been."""
    async with listening() as door:
        yield door
        before = len(door.came)
        ben = await door.call()
        ben.link.send(HELLO)
        await until(lambda: len(door.came) > before and door.came[-1].messages)
        assert door.came[-1].messages == [HELLO]
        door.came[-1].link.send(WELCOME)
        await until(lambda: ben.messages == [WELCOME])


async def test_what_is_no_handshake_is_hung_up_on_without_a_byte(decoded: list[int], tally: Tally) -> None:
    attempts = (
        b"GET / HTTP/1.1\r\nHost: lan\r\n\r\n".ljust(M1_BYTES),
        bytes(M1_BYTES),
        b"\xff" * 202,
        b"P2PC\x02\x01" + bytes(32),
        b"P2PC\x01\x01" + bytes(32),
        Sealer(b"e" * 32, b"m" * 32).seal(*encode(HELLO)),
        encode(HELLO)[1].ljust(M1_BYTES, b"\0"),
    )
    async with house() as door:
        for count, data in enumerate(attempts, 1):
            async with stranger(door) as someone:
                someone.say(data)
                assert await someone.rest() == b""
            assert door.listener.refused == count
        assert (decoded, door.came) == ([], [])
    tally(SUITE, len(attempts))


async def test_whoever_proves_nothing_gets_no_further(decoded: list[int], tally: Tally) -> None:
    """Acceptance A2: garbage, the far end's own proof sent back, a proof of other keys, of another run."""

    async def old(door: Door) -> bytes:
        async with stranger(door) as earlier:
            await earlier.prove(door)
            door.came.clear()
            return earlier.sent[-1]

    async with house() as door:
        replayed = await old(door)
        for name in ("garbage", "reflected", "other keys", "replayed", "own M1 again", "plain"):
            async with stranger(door) as someone:
                m2 = await someone.knock()
                proofs = {
                    "garbage": b"\xa5" * M3_BYTES,
                    "reflected": m2[32 : 32 + M3_BYTES],
                    "other keys": Initiator(BEN, b"\x09" * 32).m1.ljust(M3_BYTES, b"\0"),
                    "replayed": replayed,
                    "own M1 again": someone.sent[0].ljust(M3_BYTES, b"\0"),
                    "plain": encode(HELLO)[1].ljust(M3_BYTES, b"\0"),
                }
                assert len(proofs[name]) == M3_BYTES
                someone.say(proofs[name])
                assert await someone.rest() == b"", name
        assert (decoded, door.came, door.listener.refused) == ([], [], len(proofs))
    tally(SUITE, len(proofs))


async def test_our_own_key_is_nobody_elses(tally: Tally) -> None:
    """Dialled by accident, and forced with a stolen copy of the key."""
    async with house() as door:
        with pytest.raises(Unreachable) as caught:
            await dial([("127.0.0.1", door.port)], ANA, None)
        assert caught.value.why is Why.OWN_KEY
        async with stranger(door) as someone:
            thief = Initiator(ANA, b"t" * 32)
            someone.say(thief.m1)
            m2 = await someone.reader.readexactly(M2_BYTES)
            th1 = thief._agree(m2[:32], thief.m1, m2[:32])
            thief._identity = Identity(b"x" * 32)  # so that it does not mind meeting itself
            peer = thief._check(m2[32:], th1)
            thief._identity = ANA
            someone.say(thief._prove(digest("th2", th1, m2), peer))
            assert await someone.rest() == b""
        assert door.came == []
    tally(SUITE, 2)


async def test_who_answers_with_what_we_said_is_nobody(tally: Tally) -> None:
    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        m1 = await reader.readexactly(M1_BYTES)
        writer.write(m1[6:] + bytes(M2_BYTES - 32))
        await reader.read()
        writer.close()

    server = await asyncio.start_server(echo, "127.0.0.1", 0)
    async with server:
        with pytest.raises(Unreachable) as caught:
            await dial([("127.0.0.1", server.sockets[0].getsockname()[1])], BEN, ANA.key)
    assert caught.value.why in (Why.NO_P2PCARDS, Why.OWN_KEY)
    tally(SUITE)


async def test_no_record_counts_that_was_changed_repeated_left_out_or_turned_round(
    decoded: list[int], tally: Tally
) -> None:
    names = ("flipped", "repeated", "left out", "swapped", "of the other direction", "of another session", "plain")
    async with house() as door:
        for name in names:
            door.came.clear()
            decoded.clear()
            async with stranger(door) as someone:
                session = await someone.prove(door)
                first, second = someone.seal(session, HELLO), someone.seal(session, HELLO)
                flipped = first[:40] + bytes([first[40] ^ 1]) + first[41:]
                ana = door.came[-1].link.session.sealer
                records = {
                    "flipped": (flipped,),
                    "repeated": (first, first),
                    "left out": (second,),
                    "swapped": (second, first),
                    "of the other direction": (ana.seal(*encode(HELLO)),),
                    "of another session": (Sealer(b"e" * 32, b"m" * 32).seal(*encode(HELLO)),),
                    "plain": (len(first).to_bytes(4, "big") + bytes(96),),
                }
                for record in records[name]:
                    someone.say(record)
                assert await someone.rest() == b"", name
            assert len(decoded) == (name == "repeated"), name
            assert [type(message) for message in door.came[-1].messages] == [type(HELLO)] * len(decoded)
            door.called.extend(door.came)
        door.came.clear()
    tally(SUITE, len(names))


async def test_who_is_not_let_in_says_three_small_things_and_no_large_one(decoded: list[int], tally: Tally) -> None:
    async with house() as door:
        async with stranger(door) as someone:
            session = await someone.prove(door)
            for _ in range(5):
                someone.say(someone.seal(session, Pake(bytes(33))))
            assert await someone.rest() == b""
            assert len(door.came[-1].messages) == 3
        async with stranger(door) as someone:
            before = len(decoded)
            session = await someone.prove(door)
            someone.say(someone.seal(session, Chat(BEN.key, 1, 255, "x" * 300, bytes(64))))
            someone.say(someone.seal(session, Chat(BEN.key, 2, 255, "\U0001f0a1" * 200, bytes(64))))
            assert await someone.rest() == b""
            assert len(decoded) == before + 1
    tally(SUITE, 2)

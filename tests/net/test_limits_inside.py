"""What a guest may cost us: records, acts and what waits for it, at the limit and one beyond (protocol 4.5)."""

from __future__ import annotations

import asyncio
import struct

import pytest

from p2pcards.net import link as link_module
from p2pcards.net.link import ACTS, OTHERS, QUEUE_BYTES, Link
from p2pcards.wire.messages import Act, Entries, Get, Kind, Reason, Want
from tests.net.pair import WELCOME, Ear
from tests.net.standing import MOMENT, call, inside, standing_door, until
from tests.testing.tally import Tally

SUITE = "11 limits"


async def settle(ear: Ear, count: int) -> None:
    """Waits until so many messages came and a few turns of the loop brought no more."""
    await until(lambda: len(ear.messages) >= count)
    for _ in range(50):
        await asyncio.sleep(0)


async def test_two_hundred_acts_a_second_the_others_wait_and_none_is_lost(tally: Tally) -> None:
    acts = [Act(struct.pack(">I", number), b"s" * 64, b"") for number in range(601)]
    async with inside() as (ben, ana, clock):
        for act in acts:
            ben.link.send(act)
        await settle(ana, 200)
        assert ACTS == (200.0, 200.0)
        assert len(ana.messages) == 200
        for count in (400, 600):
            for _ in range(200):
                await clock.advance(1 / ACTS[0] + 1e-9)
            await settle(ana, count)
            assert len(ana.messages) == count
        await clock.advance(1 / ACTS[0] + 1e-9)
        await settle(ana, 601)
        assert ana.messages == acts
        assert not ana.lost
        tally(SUITE, 2)


async def test_a_hundred_others_at_once_fifty_a_second_and_one_more_ends_it(tally: Tally) -> None:
    async with inside() as (ben, ana, clock):
        for burst in (100, 50, 50):
            before = len(ana.messages)
            for _ in range(burst):
                ben.link.send(Want("next"))
            await settle(ana, before + burst)
            assert not ben.closes
            await clock.advance(1.0)
        for _ in range(51):
            ben.link.send(Want("next"))
        await until(lambda: ben.closes)
        assert ben.closes[0].reason == Reason.TOO_FAST
        assert len(ana.messages) == 250
        assert OTHERS == (50.0, 100.0)
        tally(SUITE, 2)


async def test_a_host_that_dialled_us_may_say_as_much_as_it_likes_and_a_member_that_we_dialled_may_not() -> None:
    async with inside() as (ben, ana, _):
        ana.link.limited = False
        for _ in range(1000):
            ben.link.send(Want("next"))
            await asyncio.sleep(0)
        await settle(ana, 1000)
        assert not ben.closes
        ben.link.limited = True
        for _ in range(101):
            ana.link.send(Want("next"))
        await until(lambda: ana.closes)
        assert ana.closes[0].reason == Reason.TOO_FAST


async def test_ten_thousand_records_a_second_are_a_hundred_and_the_end(tally: Tally) -> None:
    async with inside() as (ben, ana, _):
        sealer, transport = ben.link.session.sealer, ben.link._transport
        flood = b"".join(sealer.seal(Kind.GET, b"\x91\x00") for _ in range(10_000))
        transport.write(flood)
        await until(lambda: ana.link._gone or ben.closes or ben.lost)
        assert len(ana.messages) == 100
        assert not ana.link._open
        tally(SUITE, 1)


async def test_ten_thousand_acts_a_second_stay_in_the_socket(tally: Tally) -> None:
    act = Act(b"a" * 100, b"s" * 64, b"")
    async with inside() as (ben, ana, clock):
        for _ in range(10_000):
            ben.link.send(act)
            if not ben.link._open:
                break
        await settle(ana, 200)
        assert len(ana.messages) == 200
        assert ana.link._filled <= len(ana.link._buffer)
        assert not ana.link._transport.is_reading()
        await clock.advance(0.1)
        await settle(ana, 201)
        assert ana.link._open
        tally(SUITE, 1)


@pytest.mark.parametrize(("over", "taken"), [(0, True), (1, False)])
async def test_sixteen_kib_of_a_record(over: int, taken: bool, tally: Tally) -> None:
    async with inside() as (ben, ana, _):
        kind, body = Kind.ENTRIES, b"\x92\x00\x91\xc5" + struct.pack(">H", 16_372) + bytes(16_372)
        assert len(body) == 16 * 1024 - 4 - 2
        if over:
            ben.link._transport.write(struct.pack(">I", 16 * 1024 + 64 + 32) + bytes(16 * 1024 + 96))
        else:
            ben.link._transport.write(ben.link.session.sealer.seal(kind, body))
        await until(lambda: ana.messages or ana.lost)
        assert bool(ana.messages) is taken
        tally(SUITE, 1)


@pytest.mark.parametrize(
    "body",
    [
        b"\x91" * 16_380,  # arrays in arrays
        b"\x81\x00" * 8_000,  # maps in maps
        b"\x93" + b"\x91" * 16_000,
        b"\xdd\xff\xff\xff\xff",  # an array of four thousand million
        b"\xc6\xff\xff\xff\xff",  # as many bytes
        b"\xdf\xff\xff\xff\xff" + bytes(100),
        b"",
        b"\xc1",
    ],
    ids=["arrays", "maps", "an array inside", "a long array", "long bytes", "a long map", "nothing", "no msgpack"],
)
@pytest.mark.parametrize("kind", [kind for kind in Kind if kind is not Kind.CLOSE])
async def test_a_body_deep_or_wide_ends_its_own_link_alone(kind: Kind, body: bytes) -> None:
    async with inside() as (ben, ana, _):
        ben.link._transport.write(ben.link.session.sealer.seal(kind, body))
        await until(lambda: ana.lost)
        assert ana.lost[0].startswith("message of kind")
        assert not ana.messages


@pytest.mark.parametrize("garbage", [b"\0" * 4, b"GET / HTTP/1.1\r\n\r\n" * 20, b"\xff" * 100_000, bytes(96)])
async def test_garbage_after_the_handshake_is_not_even_decoded(garbage: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async with standing_door() as (door, _):
        ben, ana = await call(door)
        monkeypatch.setattr(link_module, "decode", lambda kind, body: pytest.fail("decoded"))
        ben.link._transport.write(struct.pack(">I", 96) + garbage if len(garbage) == 96 else garbage)
        await until(lambda: ana.lost)
        assert not ana.messages


async def test_a_record_at_a_byte_a_second_is_given_up_after_five(tally: Tally) -> None:
    async with inside() as (ben, ana, clock):
        record = ben.link.session.sealer.seal(Kind.GET, b"\x91\x00")
        for number in range(5):
            assert not ana.lost
            ben.link._transport.write(record[number : number + 1])
            await until(lambda: ana.link._filled == number + 1)  # noqa: B023 - it is over before the next
            await clock.advance(1.0 if number < 4 else 1.0 - MOMENT)
        assert not ana.lost
        await clock.advance(MOMENT)
        await until(lambda: ana.lost)
        assert ana.lost == ["a record that doesn't end"]
        tally(SUITE, 2)


# ---- what we keep for who doesn't read


def deaf(ear: Ear) -> None:
    """From now on it reads nothing."""
    ear.link._transport.pause_reading()


async def stuck(link: Link) -> int:
    """Sends until the system takes no more; gives the bytes that wait with us."""
    while not link._stuck:
        link.send(Entries(0, (b"x" * 8_000,)))
        await asyncio.sleep(0)
    return link._transport.get_write_buffer_size()


async def test_two_hundred_and_fifty_six_kib_wait_and_not_a_byte_more(tally: Tally) -> None:
    async with inside() as (ben, ana, _):
        deaf(ben)
        link = ana.link
        await stuck(link)
        record = 4 + 64 + 32
        while link._transport.get_write_buffer_size() + record <= QUEUE_BYTES:
            link.send(Get(0))
        assert link._open
        assert QUEUE_BYTES - record < link._transport.get_write_buffer_size() <= QUEUE_BYTES == 256 * 1024
        link.send(Get(0))
        await until(lambda: ana.lost)
        assert ana.lost == ["doesn't read what we send"]
        tally(SUITE, 2)


async def test_five_seconds_to_take_it(tally: Tally) -> None:
    async with inside() as (ben, ana, clock):
        deaf(ben)
        await stuck(ana.link)
        await clock.advance(5.0 - MOMENT)
        assert not ana.lost
        await clock.advance(MOMENT)
        await until(lambda: ana.lost)
        assert ana.lost == ["doesn't read what we send"]
        tally(SUITE, 2)


async def test_who_does_not_read_costs_nobody_else_anything() -> None:
    async with standing_door() as (door, clock):
        ben, ana = await call(door)
        other, hers = await call(door)
        for ear in (ana, hers):
            ear.link.send(WELCOME)
        await until(lambda: ben.messages and other.messages)
        deaf(ben)
        await stuck(ana.link)
        hers.link.send(Get(7))
        await until(lambda: Get(7) in other.messages)
        await clock.advance(5.0)
        await until(lambda: ana.lost)
        assert not hers.lost

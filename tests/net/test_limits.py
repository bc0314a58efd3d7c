"""What strangers and newcomers may cost us: the limits before the WELCOME, each at it and one beyond (protocol 4.5)."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack

import pytest

from p2pcards.net import listener as listener_module
from p2pcards.net.link import DEAD_SECONDS, DOOR_SECONDS, WELCOME_SECONDS
from p2pcards.net.listener import (
    FIRST_SECONDS,
    HALF_OPEN,
    HALF_OPEN_PER_HOST,
    HANDSHAKES,
    HANDSHAKES_PER_HOST,
    LINKS,
    PROOF_SECONDS,
    RESERVE,
    Listener,
)
from p2pcards.wire.handshake import M1_BYTES, M2_BYTES, M3_BYTES, Initiator
from p2pcards.wire.messages import Chat, Close, Confirm, Get, Keepalive, Kind, Message, Pake, Reason
from tests.net.pair import ANA, BEN, HELLO, WELCOME, Door, listening
from tests.net.standing import MOMENT, Clock, Raw, call, standing, standing_door, until
from tests.testing.tally import Tally

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")

SUITE = "11 limits"


@pytest.fixture
async def door() -> AsyncIterator[Door]:
    async with listening() as door:
        yield door


@pytest.fixture
async def clock(door: Door) -> AsyncIterator[Clock]:
    """Stands still from when the door is open until the test is over."""
    with standing() as clock:
        yield clock


@pytest.fixture
def raw(door: Door) -> Iterator[Callable[..., Raw]]:
    """Makes connections by hand, closed with the test."""
    with ExitStack() as stack:

        def connect(host: str = "127.0.0.2") -> Raw:
            one = Raw(door, host)
            stack.callback(one.sock.close)
            return one

        yield connect


async def half_open(door: Door, count: int) -> None:
    await until(lambda: len(door.listener._half_open) == count)


def m1(number: int = 1) -> bytes:
    return Initiator(BEN, struct.pack(">I", number).rjust(32, b"e")).m1


# ---- before the handshake is through


async def test_two_seconds_to_the_first_message(
    door: Door, clock: Clock, raw: Callable[..., Raw], tally: Tally
) -> None:
    silent = raw()
    await half_open(door, 1)
    await clock.advance(FIRST_SECONDS - MOMENT)
    assert silent.is_open
    await clock.advance(MOMENT)
    await until(lambda: not silent.is_open)
    assert (FIRST_SECONDS, door.listener.refused) == (2.0, 1)
    tally(SUITE, 2)


async def test_a_byte_a_second_is_no_first_message(door: Door, clock: Clock, raw: Callable[..., Raw]) -> None:
    slow = raw()
    await half_open(door, 1)
    (newcomer,) = door.listener._half_open
    for number in range(2):
        slow.send(m1()[number : number + 1])
        await until(lambda: newcomer._filled == number + 1)  # noqa: B023 - it is over before the next
        assert slow.is_open
        await clock.advance(1.0)
    await until(lambda: not slow.is_open)


async def test_five_seconds_to_the_proof_however_late_the_first_message_came(
    door: Door, clock: Clock, raw: Callable[..., Raw], tally: Tally
) -> None:
    slow = raw()
    await half_open(door, 1)
    await clock.advance(FIRST_SECONDS - MOMENT)
    slow.send(m1())
    await until(lambda: len(slow.heard() or b"") == M2_BYTES)
    await clock.advance(PROOF_SECONDS - FIRST_SECONDS)
    assert slow.is_open
    await clock.advance(MOMENT)
    await until(lambda: not slow.is_open)
    assert PROOF_SECONDS == 5.0
    tally(SUITE, 2)


async def test_two_hundred_and_two_bytes_are_read_and_not_one_more(
    door: Door, clock: Clock, raw: Callable[..., Raw], tally: Tally
) -> None:
    eager = raw()
    await half_open(door, 1)
    (newcomer,) = door.listener._half_open
    eager.send(m1() + bytes(M3_BYTES - 1))
    await until(lambda: newcomer._filled == M3_BYTES - 1)
    assert eager.heard() is not None
    assert len(newcomer.get_buffer(-1)) == 1  # all that the socket is asked for
    eager.send(bytes(100_000))
    await until(lambda: not door.listener._half_open)
    assert newcomer._filled == M3_BYTES
    assert (M1_BYTES + M3_BYTES, door.listener.refused, door.came) == (202, 1, [])
    tally(SUITE, 2)


async def test_eight_half_open_of_an_address_and_a_ninth_goes(
    door: Door, clock: Clock, raw: Callable[..., Raw], tally: Tally
) -> None:
    held = [raw() for _ in range(HALF_OPEN_PER_HOST)]
    await half_open(door, HALF_OPEN_PER_HOST)
    ninth = raw()
    await until(lambda: not ninth.is_open)
    assert all(one.is_open for one in held)
    assert (HALF_OPEN_PER_HOST, door.listener.refused) == (8, 1)
    tally(SUITE, 2)


async def test_thirty_two_half_open_and_the_next_takes_the_place_of_the_greediest(
    door: Door, clock: Clock, raw: Callable[..., Raw], tally: Tally
) -> None:
    held = []
    for number in range(HALF_OPEN):
        held.append(raw(f"127.0.0.{2 + max(0, number - 2)}"))  # three of the first address, one each of the others
        await half_open(door, number + 1)
    assert all(one.is_open for one in held)
    last = raw("127.0.0.99")
    await until(lambda: not held[0].is_open)
    assert last.is_open
    assert all(one.is_open for one in held[1:])
    assert (HALF_OPEN, len(door.listener._half_open)) == (32, 32)
    tally(SUITE, 2)


@pytest.mark.parametrize(
    ("hosts", "rate", "burst"), [(1, *HANDSHAKES_PER_HOST), (60, *HANDSHAKES)], ids=["an address", "in all"]
)
async def test_handshakes(hosts: int, rate: float, burst: float, clock: Clock, tally: Tally) -> None:
    listener = Listener(ANA, lambda link: None)
    asked = [listener._may_shake(f"10.0.0.{number % hosts}") for number in range(int(burst) + 1)]
    assert asked == [True] * int(burst) + [False]
    await clock.advance(1.0)
    asked = [listener._may_shake(f"10.0.0.{number % hosts}") for number in range(int(rate) + 1)]
    assert asked == [True] * int(rate) + [False]
    assert (HANDSHAKES_PER_HOST, HANDSHAKES) == ((10.0, 20.0), (20.0, 40.0))
    tally(SUITE, 4)


async def test_a_handshake_too_many_gets_not_a_byte(door: Door, clock: Clock, raw: Callable[..., Raw]) -> None:
    for number in range(int(HANDSHAKES_PER_HOST[1]) + 1):
        one = raw()
        one.send(m1(number))
        heard = bytearray()

        def got(one: Raw = one, heard: bytearray = heard) -> bool:
            more = one.heard()
            heard.extend(more or b"")
            return more is None or len(heard) == M2_BYTES

        await until(got)
        assert len(heard) == (M2_BYTES if number < HANDSHAKES_PER_HOST[1] else 0)
        one.sock.close()
        await half_open(door, 0)


@pytest.fixture
def generous(monkeypatch: pytest.MonkeyPatch) -> None:
    """Handshakes are not what is limited."""
    monkeypatch.setattr(listener_module, "HANDSHAKES", (1e6, 1e6))


@pytest.mark.usefixtures("generous")
async def test_thirty_two_connections_and_the_next_is_told(tally: Tally) -> None:
    async with standing_door() as (door, _):
        for _ in range(LINKS):
            _, ana = await call(door)
            ana.link.send(WELCOME)
        last = await door.call()
        await until(lambda: last.closes)
        assert (LINKS, len(door.came), last.closes[0].reason) == (32, 32, Reason.FULL)
        assert not any(ear.lost for ear in door.came)
        tally(SUITE, 2)


@pytest.mark.usefixtures("generous")
async def test_a_crowd_that_proves_keys_and_says_nothing_pushes_out_its_own(tally: Tally) -> None:
    async with standing_door() as (door, clock):
        for number in range(LINKS):
            _, ana = await call(door)
            ana.link.address = (f"10.0.0.{number if number < 20 else 20}", 1)
            await clock.advance(MOMENT)
        inside, waits, *crowd = door.came
        inside.link.send(WELCOME)
        waits.link.address = ("10.0.0.20", 1)
        waits.link.patience(60)
        for number in range(12):
            await call(door)
            assert len(door.listener.links) <= LINKS + 1
            gone = [ear for ear in door.came if ear.lost]
            assert len(gone) == number + 1
            door.came[-1].link.address = ("10.0.0.20", 1)
        assert not inside.lost
        assert not waits.lost
        assert {ear.link.address[0] for ear in door.came if ear.lost} == {"10.0.0.20"}
        assert all(ear.lost for ear in crowd[18:])  # the oldest of the address with most of them
        tally(SUITE, 1)


# ---- before it is let in


@pytest.mark.parametrize("seconds", [None, 60.0], ids=["at most doors", "where somebody is asked"])
async def test_so_long_a_newcomer_waits_at_the_door(seconds: float | None, tally: Tally) -> None:
    async with standing_door() as (door, clock):
        _, ana = await call(door)
        if seconds is not None:
            ana.link.patience(seconds)
        await clock.advance((seconds or WELCOME_SECONDS) - MOMENT)
        assert not ana.lost
        await clock.advance(MOMENT)
        await until(lambda: ana.lost)
        assert ana.lost == ["was not let in in time"]
        assert WELCOME_SECONDS == 10.0
        tally(SUITE, 2)


async def test_patience_ends_with_the_welcome() -> None:
    async with standing_door() as (door, clock):
        _, ana = await call(door)
        ana.link.patience(60)
        ana.link.send(WELCOME)
        ana.link.patience(600)
        await clock.advance(DEAD_SECONDS - MOMENT)
        assert not ana.lost
        await clock.advance(MOMENT)
        await until(lambda: ana.lost)
        assert "silent" in ana.lost[0]


async def test_whoever_knocks_hears_nothing_for_longer_than_somebody_is_asked() -> None:
    async with standing_door() as (door, clock):
        ben, ana = await call(door)
        ana.link.patience(2 * DOOR_SECONDS)
        await clock.advance(DOOR_SECONDS - MOMENT)
        assert not ben.lost
        await clock.advance(MOMENT)
        await until(lambda: ben.lost)
        assert DOOR_SECONDS > 60


@pytest.mark.parametrize("last", ["at the door", "inside"])
async def test_fifteen_seconds_of_silence(last: str, tally: Tally) -> None:
    async with standing_door() as (door, clock):
        ben, ana = await call(door)
        ana.link.send(WELCOME)
        await until(lambda: ben.messages)
        if last == "inside":
            await clock.advance(10)
            ben.link.send(Keepalive(b"t" * 16, 1, 0, b"h" * 32, b"s" * 64))
            ana.link.send(Get(0))
            await until(lambda: ana.messages and len(ben.messages) == 2)
        await clock.advance(DEAD_SECONDS - MOMENT)
        assert not ana.lost
        assert not ben.lost
        await clock.advance(MOMENT)
        await until(lambda: ana.lost and ben.lost)
        assert ana.lost == ben.lost == ["silent for 15 s"]
        assert DEAD_SECONDS == 15.0
        tally(SUITE, 2)


EARLY: list[Message] = [HELLO, Confirm(b"m" * 32), Get(0)]


async def test_three_records_before_the_welcome(tally: Tally) -> None:
    async with standing_door() as (door, _):
        ben, ana = await call(door)
        for message in EARLY:
            ben.link.send(message)
        await until(lambda: len(ana.messages) == 3)
        assert not ana.lost
        ben.link.send(Close(Reason.BYE, "", 0))
        await until(lambda: ana.lost)
        assert ana.messages == EARLY
        tally(SUITE, 2)


@pytest.mark.parametrize("kind", [Kind.HELLO, Kind.CONFIRM, Kind.CHAT, Kind.PAKE, 0x7F])
@pytest.mark.parametrize(("size", "kept"), [(512 - 4, True), (512 - 3, False)])
async def test_five_hundred_and_twelve_bytes_of_whatever_kind(kind: int, size: int, kept: bool, tally: Tally) -> None:
    async with standing_door() as (door, _):
        ben, ana = await call(door)
        ben.link._transport.write(ben.link.session.sealer.seal(kind, bytes(size)))
        await until(lambda: ana.lost)  # none of them is so long: it is the decoder's word that counts, or the length's
        assert ("kind" in ana.lost[0]) is kept
        assert ("bytes" in ana.lost[0]) is not kept
        tally(SUITE, 1)


async def test_a_run_with_a_code_and_what_is_said_after_it_pass(tally: Tally) -> None:
    said: list[Message] = [HELLO, Confirm(b"m" * 32)]
    chat = Chat(BEN.key, 1, 0xFF, "x" * 300, b"s" * 64)
    async with standing_door() as (door, _):
        ben, ana = await call(door)
        ben.link.send(said[0])
        await until(lambda: ana.messages)
        ana.link.send(Pake(b"p" * 33))
        await until(lambda: ben.messages)
        ben.link.send(said[1])
        await until(lambda: len(ana.messages) == 2)
        ana.link.send(WELCOME)
        await until(lambda: len(ben.messages) == 2)
        ben.link.send(chat)
        await until(lambda: len(ana.messages) == 3)
        assert ana.messages == [*said, chat]
        assert ben.messages == [Pake(b"p" * 33), WELCOME]


# ---- what the system runs out of


async def test_strangers_never_get_the_last_descriptors(
    door: Door, clock: Clock, raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch, tally: Tally
) -> None:
    import resource

    assert RESERVE == 24
    monkeypatch.setattr(listener_module, "RESERVE", 2)
    first = raw()
    await half_open(door, 1)
    (newcomer,) = door.listener._half_open
    number = newcomer.transport.get_extra_info("socket").fileno()
    for limit, comes_in in ((number + 3, True), (number + 2, False)):
        first.sock.close()
        await half_open(door, 0)
        monkeypatch.setattr(resource, "getrlimit", lambda kind, limit=limit: (limit, limit))
        first = raw()
        if comes_in:
            await half_open(door, 1)
        else:
            await until(lambda: not first.is_open)  # noqa: B023 - it is over before the next
        assert door.listener.refused == (0 if comes_in else 1)
    tally(SUITE, 2)


async def test_where_few_are_left_a_newcomer_takes_the_place_of_a_stranger(
    door: Door, clock: Clock, raw: Callable[..., Raw], monkeypatch: pytest.MonkeyPatch
) -> None:
    import resource

    monkeypatch.setattr(listener_module, "RESERVE", 4)
    first = raw()
    await half_open(door, 1)
    (newcomer,) = door.listener._half_open
    number = newcomer.transport.get_extra_info("socket").fileno()
    limit = number + 5  # the next is the first that is short
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (limit, limit))
    await call(door)
    await until(lambda: not first.is_open)


async def test_a_program_with_few_descriptors_has_room_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    for limit, strangers in ((1024, 1000), (64, 48), (16, 12), (resource.RLIM_INFINITY, sys.maxsize)):
        monkeypatch.setattr(resource, "getrlimit", lambda kind, limit=limit: (limit, limit))
        assert listener_module._descriptors(RESERVE) == strangers


@pytest.mark.parametrize("error", [24, 23, 105, 12, 22])
async def test_an_accept_that_fails_is_tried_again_and_told_once(
    error: int, door: Door, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(listener_module, "ACCEPT_PAUSE", 0.0)
    accept, tried = socket.socket.accept, list[int]()

    def full(sock: socket.socket) -> tuple[socket.socket, object]:
        tried.append(1)
        if len(tried) < 50:
            raise OSError(error, "no room")
        return accept(sock)

    monkeypatch.setattr(socket.socket, "accept", full)
    await call(door)
    assert len(tried) == 50
    assert caplog.text.count("no room") == 1

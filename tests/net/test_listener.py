"""The listening port: which one, and what it takes from strangers (protocol 4.5)."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, suppress

import pytest

from p2pcards.errors import UserError
from p2pcards.net import listener as listener_module
from p2pcards.net.address import FIRST_PORT
from p2pcards.net.dial import Unreachable
from p2pcards.net.listener import HALF_OPEN, HALF_OPEN_PER_HOST, LINKS, Listener
from p2pcards.wire.handshake import M2_BYTES, Initiator
from p2pcards.wire.messages import Get, Reason
from tests.net.pair import ANA, BEN, WELCOME, linked, listening, until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has all of 127.0.0.0/8")


class Raw:
    """A connection by hand, from an address of choice."""

    def __init__(self, port: int, host: str = "127.0.0.1") -> None:
        self.sock = socket.socket()
        self.sock.bind((host, 0))
        self.sock.connect(("127.0.0.1", port))
        self.sock.setblocking(False)

    async def read(self, most: int = 2**20) -> bytes:
        """What comes until the far end hangs up, or so many bytes have come."""
        data = b""
        loop = asyncio.get_running_loop()
        async with asyncio.timeout(15):
            while len(data) < most:
                try:
                    more = await loop.sock_recv(self.sock, 4096)
                except ConnectionError:
                    return data
                if not more:
                    return data
                data += more
        return data

    async def send(self, data: bytes) -> None:
        await asyncio.get_running_loop().sock_sendall(self.sock, data)

    @property
    def is_open(self) -> bool:
        """Whether the far end has not hung up, as far as the kernel knows."""
        try:
            return self.sock.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except ConnectionError:
            return False

    def close(self) -> None:
        self.sock.close()


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as stack:
        yield stack


@asynccontextmanager
async def taken(port: int, host: str = "127.0.0.1") -> AsyncIterator[None]:
    """A port that somebody else listens on; leaves it where it was taken already."""
    with socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            sock.bind((host, port))
            sock.listen()
        except OSError:
            pass
        yield


async def open_port(port: int | None, hosts: tuple[str, ...] = ("127.0.0.1",)) -> int:
    listener = Listener(ANA, lambda link: None, hosts=hosts)
    try:
        return await listener.open(port)
    finally:
        listener.close()


async def test_a_wanted_port_is_had() -> None:
    free = await open_port(0)
    assert await open_port(free) == free


async def test_a_wanted_port_in_use_is_a_clear_error() -> None:
    async with listening() as door:
        listener = door.listener
        with pytest.raises(UserError, match=f"Port {listener.port} is in use.*--port") as caught:
            await open_port(listener.port)
        assert caught.value.exit_code == 1


async def test_without_a_wish_it_is_the_next_free_of_ours() -> None:
    async with taken(FIRST_PORT):
        port = await open_port(None)
        assert port > FIRST_PORT


async def test_if_all_of_ours_are_taken_it_is_any(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening() as door:
        listener = door.listener
        monkeypatch.setattr(listener_module, "FIRST_PORT", listener.port)
        monkeypatch.setattr(listener_module, "LAST_PORT", listener.port)
        port = await open_port(None)
        assert port not in (0, listener.port)


async def test_both_families_are_one_port() -> None:
    async with listening(("127.0.0.1", "::1")) as door:
        for host in ("127.0.0.1", "::1"):
            await door.call(host)
        await until(lambda: len(door.came) == 2)
        assert {ear.link.address[0] for ear in door.came} == {"127.0.0.1", "::1"}


async def test_it_follows_the_addresses_of_its_interface_and_keeps_its_port() -> None:
    async with listening(("127.0.0.1", "127.0.0.7")) as door:
        port = door.port
        await door.listener.follow(("127.0.0.7", "127.0.0.8", "203.0.113.1"))
        assert door.listener.port == port
        for host in ("127.0.0.7", "127.0.0.8"):
            await door.call(host)
        with pytest.raises(Unreachable, match="Nothing is open"):
            await door.call("127.0.0.1")


async def test_an_address_that_is_not_ready_yet_is_left_out() -> None:
    async with listening(("127.0.0.1", "203.0.113.1")) as door:
        await door.call()


async def test_closing_gives_the_port_back_and_drops_strangers(stack: ExitStack) -> None:
    async with listening() as door:
        listener = door.listener
        raw = Raw(listener.port)
        stack.callback(raw.close)
        await until(lambda: listener._half_open)
        listener.close()
        assert await raw.read() == b""
        assert await open_port(listener.port) == listener.port


async def test_when_the_system_has_no_room_they_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    accept, tried = socket.socket.accept, list[int]()

    def full(sock: socket.socket) -> tuple[socket.socket, object]:
        tried.append(1)
        if len(tried) < 4:
            raise OSError(24, "Too many open files")
        return accept(sock)

    monkeypatch.setattr(listener_module, "ACCEPT_PAUSE", 0.01)
    async with listening() as door:
        monkeypatch.setattr(socket.socket, "accept", full)
        await door.call()
        assert len(tried) == 4


async def test_whoever_was_being_accepted_when_it_closed_is_dropped_too(stack: ExitStack) -> None:
    async with listening() as door:
        raws = [Raw(door.port) for _ in range(5)]
        for raw in raws:
            stack.callback(raw.close)
        for turns in range(3):
            await asyncio.sleep(0)
            if turns == 1:
                door.listener.close()
        assert [await raw.read() for raw in raws] == [b""] * 5
        assert not door.listener._half_open


@pytest.mark.parametrize(
    "garbage",
    [b"GET / HTTP/1.1\r\nHost: somewhere.example\r\n\r\n", bytes(38), b"\xff" * 100_000, b"P2PC\x01\x02" + bytes(32)],
)
async def test_garbage_instead_of_a_handshake_gets_not_a_byte(garbage: bytes, stack: ExitStack) -> None:
    async with listening() as door:
        listener = door.listener
        raw = Raw(listener.port)
        stack.callback(raw.close)
        with suppress(ConnectionError):
            await raw.send(garbage)
        assert await raw.read() == b""
        assert listener.refused == 1
        assert not door.came


async def test_a_wrong_proof_gets_nothing_but_m2(stack: ExitStack) -> None:
    async with listening() as door:
        listener = door.listener
        raw = Raw(listener.port)
        stack.callback(raw.close)
        await raw.send(Initiator(BEN, b"e" * 32).m1 + bytes(164))
        assert len(await raw.read()) == M2_BYTES
        assert not door.came


async def test_not_a_byte_more_than_the_handshake_is_read_before_the_proof(stack: ExitStack) -> None:
    async with listening() as door:
        listener = door.listener
        raw = Raw(listener.port)
        stack.callback(raw.close)
        await until(lambda: listener._half_open)
        newcomer = next(iter(listener._half_open))
        await raw.send(Initiator(BEN, b"e" * 32).m1 + bytes(100))
        await until(lambda: newcomer._filled == 100)
        assert len(newcomer._message) == 164


async def test_who_connects_and_says_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch, stack: ExitStack) -> None:
    monkeypatch.setattr(listener_module, "FIRST_SECONDS", 0.05)
    async with listening() as door:
        listener = door.listener
        raw = Raw(listener.port)
        stack.callback(raw.close)
        assert await raw.read() == b""
        assert not listener._half_open


async def test_who_never_proves_anything_is_dropped(monkeypatch: pytest.MonkeyPatch, stack: ExitStack) -> None:
    monkeypatch.setattr(listener_module, "FIRST_SECONDS", 0.1)
    monkeypatch.setattr(listener_module, "PROOF_SECONDS", 0.2)
    async with listening() as door:
        listener = door.listener
        raw = Raw(listener.port)
        stack.callback(raw.close)
        await raw.send(Initiator(BEN, b"e" * 32).m1)
        assert len(await raw.read()) == M2_BYTES


async def test_eight_half_open_connections_of_a_host_stay_the_ninth_goes(stack: ExitStack) -> None:
    async with listening() as door:
        listener = door.listener
        raws = [Raw(listener.port, "127.0.0.2") for _ in range(HALF_OPEN_PER_HOST + 1)]
        for raw in raws:
            stack.callback(raw.close)
        assert await raws[-1].read() == b""
        assert len(listener._half_open) == HALF_OPEN_PER_HOST
        assert all(raw.is_open for raw in raws[:-1])


async def test_this_machine_itself_meets_only_the_limit_in_all(stack: ExitStack) -> None:
    async with listening() as door:
        listener = door.listener
        listener._own = lambda: frozenset({"127.0.0.3"})
        raws = [Raw(listener.port, host) for host in ["127.0.0.1", "127.0.0.3"] * (HALF_OPEN // 2)]
        for raw in raws:
            stack.callback(raw.close)
        await until(lambda: len(listener._half_open) == HALF_OPEN)
        assert not listener.refused


async def test_when_all_places_are_taken_the_greediest_host_loses_its_oldest(stack: ExitStack) -> None:
    async with listening() as door:
        listener = door.listener
        hosts = [f"127.0.0.{number}" for number in (4, 3, 2, 2, 2, 2, 2, 3, *range(5, 29))]
        raws: list[Raw] = []
        for host in hosts:
            raws.append(Raw(listener.port, host))
            stack.callback(raws[-1].close)
            await until(lambda: len(listener._half_open) == len(raws))
        assert len(listener._half_open) == HALF_OPEN
        last = Raw(listener.port, "127.0.0.99")
        stack.callback(last.close)
        assert await raws[2].read() == b""
        assert len(listener._half_open) == HALF_OPEN
        assert last.is_open
        assert all(raw.is_open for raw in raws[:2] + raws[3:])


async def test_five_hundred_strangers_and_a_guest_still_gets_in(stack: ExitStack) -> None:
    async with listening() as door:
        listener, raws = door.listener, list[Raw]()
        while len(raws) < 500:
            for number in range(50):
                raws.append(Raw(listener.port, f"127.0.0.{2 + (len(raws) + number) % 60}"))
                stack.callback(raws[-1].close)
            await until(lambda: listener.refused + len(listener._half_open) == len(raws))
        await until(lambda: listener.refused >= 500 - HALF_OPEN)
        await door.call()
        await until(lambda: door.came)
        assert len(listener._half_open) <= HALF_OPEN


async def test_handshakes_of_a_host_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "HANDSHAKES_PER_HOST", (0.001, 20.0))
    async with listening() as door:
        for number in range(1, 22):
            raw = Raw(door.port, "127.0.0.2")
            await raw.send(b"P2PC\x01\x01" + bytes([number]) * 32)
            assert len(await raw.read(M2_BYTES)) == (M2_BYTES if number < 21 else 0)
            raw.close()
        assert door.listener._may_shake("127.0.0.1")


async def test_and_all_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "HANDSHAKES", (0.001, 40.0))
    listener = Listener(ANA, lambda link: None)
    assert [listener._may_shake(f"127.0.1.{number}") for number in range(41)] == [True] * 40 + [False]
    assert not listener._may_shake("127.0.0.1")


def test_hosts_that_are_quiet_again_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "HANDSHAKES", (1e6, 1e6))
    monkeypatch.setattr(listener_module, "HANDSHAKES_PER_HOST", (1e6, 20.0))
    listener = Listener(ANA, lambda link: None)
    monkeypatch.setattr(listener_module, "HANDSHAKES", (20.0, 40.0))
    for number in range(1000):
        listener._may_shake(f"10.0.{number % 4}.{number // 4}")
    assert len(listener._by_host) < 100


async def test_strangers_from_everywhere_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "HANDSHAKES", (0.001, 40.0))
    listener = Listener(ANA, lambda link: None)
    assert sum(listener._may_shake(f"fe80::{number:x}%lo") for number in range(5000)) == 40
    assert len(listener._by_host) == 40


async def test_thirty_two_links_stand_and_the_next_is_told_why_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "HANDSHAKES", (1000.0, 1000.0))
    async with listening() as door:
        listener = door.listener
        for _ in range(LINKS):
            await door.call()
            await until(lambda: len(door.came) == len(door.called))
            door.came[-1].link.send(WELCOME)
        last = await door.call()
        await until(lambda: last.closes)
        assert last.closes[0].reason == Reason.FULL
        assert len(door.came) == LINKS
        door.called[0].link.abort("")
        await until(lambda: len(listener.links) == LINKS - 1)
        again = await door.call()
        await until(lambda: len(door.came) == LINKS + 1)
        assert not again.closes


async def test_who_was_not_let_in_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listener_module, "HANDSHAKES", (1000.0, 1000.0))
    async with listening() as door:
        for _ in range(LINKS):
            await door.call()
            await until(lambda: len(door.came) == len(door.called))
        door.came[0].link.send(WELCOME)
        last = await door.call()
        await until(lambda: len(door.came) == LINKS + 1 and door.came[1].lost)
        assert door.came[1].lost == ["made room for another"]
        assert [ear.lost for ear in (door.came[0], *door.came[2:])] == [[]] * LINKS
        assert not last.closes


async def test_trouble_at_the_door_does_not_reach_those_inside(stack: ExitStack) -> None:
    async with linked() as (ben, ana):
        listener_port = ana.link.local[1]
        for number in range(40):
            raw = Raw(listener_port, "127.0.0.2")
            stack.callback(raw.close)
            if number % 2:
                await raw.send(b"nonsense" * 20)
        ben.link.send(Get(7))
        await until(lambda: Get(7) in ana.messages)
        assert not ana.lost

"""Dialling: several addresses side by side, and a reason for every failure."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest

from p2pcards import PROTOCOL
from p2pcards.net import dial as dial_module
from p2pcards.net.address import Target, with_scope
from p2pcards.net.dial import Unreachable, Why, dial
from tests.net.pair import ANA, BEN, listening, until


@asynccontextmanager
async def answering(
    answer: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> AsyncIterator[Target]:
    """Somebody else's program on a port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await answer(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    try:
        yield "127.0.0.1", server.sockets[0].getsockname()[1]
    finally:
        server.close()
        await asyncio.sleep(0.01)


def closed_port() -> Target:
    """Where nobody listens."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return "127.0.0.1", sock.getsockname()[1]


async def failure(*targets: Target, expected: bytes | None = ANA.key) -> Unreachable:
    with pytest.raises(Unreachable) as caught:
        await dial(targets, BEN, expected)
    assert caught.value.exit_code == 3
    assert str(caught.value).endswith(".")
    return caught.value


async def test_nothing_there() -> None:
    target = closed_port()
    error = await failure(target)
    assert error.why is Why.REFUSED
    assert f"127.0.0.1:{target[1]}" in str(error)


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """The names that this machine knows, and their addresses: no test asks a real name server."""
    known: dict[str, list[str]] = {}

    def look_up(host: str, port: None, type: int) -> list[tuple[int, int, int, str, tuple[object, ...]]]:
        if host not in known:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return [
            (socket.AF_INET6, type, 6, "", (address, 0, 0, 1))
            if ":" in address
            else (socket.AF_INET, type, 6, "", (address, 0))
            for address in known[host]
        ]

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    return known


async def test_a_name_that_nobody_has(names: dict[str, list[str]]) -> None:
    error = await failure(("no-such-machine", 1))
    assert error.why is Why.UNKNOWN_HOST
    assert "no-such-machine" in str(error)


async def test_a_name_that_somebody_has(names: dict[str, list[str]]) -> None:
    names["lab-pc"] = ["127.0.0.9", "127.0.0.1"]
    async with listening() as door:
        link = await dial([("lab-pc", door.port)], BEN, ANA.key)
        link.abort("")
        await until(lambda: link._gone)


async def test_an_address_that_needs_its_interface_keeps_it(names: dict[str, list[str]]) -> None:
    names["lab-pc"] = ["fe80::1"]
    ((address, port),) = await dial_module.resolve(("lab-pc", 7))
    assert (address, port) == (with_scope("fe80::1", 1), 7)
    assert "%" in address


async def test_a_silent_name_server_holds_up_neither_dialling_nor_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    answered = threading.Event()

    def never(*_: object, **__: object) -> None:
        answered.wait(60)
        raise OSError("nobody answered")

    monkeypatch.setattr(socket, "getaddrinfo", never)
    monkeypatch.setattr(dial_module, "CONNECT_SECONDS", 0.1)
    try:
        assert (await failure(("lab-pc", 1))).why is Why.UNKNOWN_HOST
        waiting = [thread for thread in threading.enumerate() if thread.name == "look up"]
        assert waiting
        assert all(thread.daemon for thread in waiting)
    finally:
        answered.set()


async def test_somebody_who_hangs_up() -> None:
    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readexactly(38)

    async with answering(hang_up) as target:
        error = await failure(target)
        assert error.why is Why.NO_P2PCARDS
        assert f"ours: {PROTOCOL}" in str(error)


async def test_somebody_who_talks_about_something_else() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"SSH-2.0-OpenSSH_9.2\r\n" * 100)
        await writer.drain()
        await reader.read()

    async with answering(talk) as target:
        assert (await failure(target)).why is Why.NO_P2PCARDS


async def test_somebody_who_says_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dial_module, "CONNECT_SECONDS", 0.1)

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with answering(listen) as target:
        assert (await failure(target)).why is Why.NO_P2PCARDS


async def test_somebody_else() -> None:
    async with listening() as door:
        target = ("127.0.0.1", door.port)
        assert (await failure(target, expected=b"x" * 32)).why is Why.OTHER_KEY
        assert not door.came


async def test_ourselves() -> None:
    async with listening() as door:
        with pytest.raises(Unreachable) as caught:
            await dial([("127.0.0.1", door.port)], ANA)
        assert caught.value.why is Why.OWN_KEY


async def test_whoever_is_there() -> None:
    async with listening() as door:
        link = await dial([("127.0.0.1", door.port)], BEN)
        assert link.key == ANA.key
        link.abort("")
        await until(lambda: link._gone)


async def test_the_right_one_of_many_is_found_and_the_rest_let_go() -> None:
    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        hung_up.append(await reader.read())

    hung_up: list[bytes] = []
    async with answering(listen) as mute, listening() as door:
        targets = [mute, closed_port(), ("127.0.0.1", door.port), ("127.0.0.1", door.port)]
        link = await dial(targets, BEN, ANA.key)
        assert link.address[1] == door.port
        await until(lambda: len(hung_up) == 1)
        link.abort("")
        await until(lambda: link._gone and not door.listener.links)


async def test_of_several_failures_the_one_that_tells_most_is_told(names: dict[str, list[str]]) -> None:
    async with listening() as door:
        error = await failure(closed_port(), ("127.0.0.1", door.port), ("nowhere", 1), expected=b"x" * 32)
        assert error.why is Why.OTHER_KEY


async def test_an_address_that_does_not_answer_costs_no_more_than_its_head_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(dial_module, "CONNECT_SECONDS", 60.0)

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()

    async with answering(listen) as mute, listening() as door:
        async with asyncio.timeout(20):
            link = await dial([mute, ("127.0.0.1", door.port)], BEN, ANA.key)
        link.abort("")
        await until(lambda: link._gone)


async def test_giving_up_at_the_last_moment_lets_go_of_who_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first address has answered, and the end of the others is waited for."""
    ending, aborted = asyncio.Event(), list[str]()

    class Answered:
        def abort(self, why: str) -> None:
            aborted.append(why)

    async def attempt(target: Target, *_: object) -> Answered:
        if target[1] == 1:
            await asyncio.sleep(0)
            return Answered()
        try:
            await asyncio.Event().wait()
        finally:
            ending.set()
            await asyncio.sleep(0)
        raise AssertionError

    monkeypatch.setattr(dial_module, "_attempt", attempt)
    monkeypatch.setattr(dial_module, "STAGGER_SECONDS", 0)
    task = asyncio.create_task(dial([("127.0.0.1", 2), ("127.0.0.1", 1)], BEN, ANA.key))
    await ending.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert aborted == ["not wanted any more"]


async def test_giving_up_lets_go_of_everything() -> None:
    gone: list[bytes] = []

    async def listen(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        gone.append(await reader.read())

    async with answering(listen) as mute:
        task = asyncio.create_task(dial([mute], BEN, ANA.key))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await until(lambda: gone)


@pytest.mark.parametrize(
    ("error", "why"),
    [
        (ConnectionRefusedError(111, "refused"), Why.REFUSED),
        (OSError(113, "No route to host"), Why.NO_ROUTE),
        (OSError(101, "Network is unreachable"), Why.NO_ROUTE),
        (TimeoutError(110, "timed out"), Why.TIMED_OUT),
        (ConnectionResetError(104, "reset"), Why.NO_P2PCARDS),
        (PermissionError(1, "not permitted"), Why.FAILED),
    ],
)
async def test_the_systems_own_reasons(error: OSError, why: Why, monkeypatch: pytest.MonkeyPatch) -> None:
    async def connect(*_: object) -> None:
        raise error

    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", connect)
    found = await failure(("10.0.0.7", 25252))
    assert found.why is why
    assert "10.0.0.7:25252" in str(found)

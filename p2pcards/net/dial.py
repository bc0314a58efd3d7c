"""Reaching a peer: all its addresses side by side, and the first that proves the right key wins (protocol 4.2).

    link = await dial([("10.0.0.7", 25252), ("fe80::1%wlan0", 25252)], identity, expected=key)    # None: any key
    link.start(on_message, on_lost)

Unreachable says in one sentence why no address led there; `why` is the reason as a value.
"""

from __future__ import annotations

import asyncio
import errno
import secrets
import socket
import threading
from collections.abc import Sequence
from contextlib import suppress
from enum import IntEnum

from p2pcards import PROTOCOL
from p2pcards.errors import ProtocolError, UserError
from p2pcards.net.address import Target, format_target, is_address, with_scope
from p2pcards.net.exactly import Exactly
from p2pcards.net.link import Link
from p2pcards.wire.handshake import M2_BYTES, Initiator, OtherKey, OwnKey
from p2pcards.wire.identity import Identity

CONNECT_SECONDS = 5.0
"""For one address, from the first packet to the proof."""
STAGGER_SECONDS = 0.1
"""Head start of each address before the next."""
ADDRESSES = 16
"""Of one peer, tried at the most."""

_NO_ROUTE = {
    getattr(errno, name)
    for stem in ("EHOSTUNREACH", "ENETUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL")
    for name in (stem, f"WSA{stem}")
    if hasattr(errno, name)
}


class Why(IntEnum):
    """Why an address did not lead to the peer; of several the highest tells most."""

    UNKNOWN_HOST = 1
    TIMED_OUT = 2
    NO_ROUTE = 3
    FAILED = 4
    REFUSED = 5
    NO_P2PCARDS = 6
    OTHER_KEY = 7
    OWN_KEY = 8


_SENTENCES = {
    Why.UNKNOWN_HOST: "No machine called {host} is known here.",
    Why.TIMED_OUT: "{target} did not answer: it is off, a firewall is in the way, or the access point keeps its guests "
    "apart (a phone's hotspot, a cable or one machine for all would help).",
    Why.NO_ROUTE: "There is no way to {target} from here: another network, a firewall, or a program that may not use "
    "the local network.",
    Why.FAILED: "{target} can't be reached: {detail}.",
    Why.REFUSED: "Nothing is open at {target}.",
    Why.NO_P2PCARDS: f"No p2pcards of this version is at {{target}} (ours: {PROTOCOL}).",
    Why.OTHER_KEY: "At {target} answers somebody else than the host in the list.",
    Why.OWN_KEY: "At {target} answers a program with your own key: give this one another with --profile.",
}


class Unreachable(UserError):
    """No address led to the peer; exit code 3."""

    def __init__(self, target: Target, why: Why, detail: str = "") -> None:
        text = _SENTENCES[why].format(host=target[0], target=format_target(target), detail=detail)
        super().__init__(text, 3)
        self.target = target
        self.why = why


async def dial(targets: Sequence[Target], identity: Identity, expected: bytes | None = None) -> Link:
    """A link to the peer at one of the targets (at least one), tried in this order with a little head start each."""
    addresses: list[Target] = []
    failures: list[Unreachable] = []
    for target in targets:
        try:
            addresses += await resolve(target)
        except Unreachable as failure:
            failures.append(failure)
    waiting = list(dict.fromkeys(addresses))[:ADDRESSES]
    running: set[asyncio.Task[Link]] = set()
    won: Link | None = None
    try:
        while waiting or running:
            if waiting:
                running.add(asyncio.create_task(_attempt(waiting.pop(0), identity, expected)))
            done, running = await asyncio.wait(
                running, timeout=STAGGER_SECONDS if waiting else None, return_when=asyncio.FIRST_COMPLETED
            )
            for task in done:
                try:
                    link = task.result()
                except Unreachable as failure:
                    failures.append(failure)
                    continue
                if won is None:
                    won = link
                else:
                    link.abort("another address was faster")
            if won is not None:
                return won
    finally:
        for task in running:
            task.cancel()
        try:
            for result in await asyncio.gather(*running, return_exceptions=True):
                if isinstance(result, Link):
                    result.abort("another address was faster")
        except asyncio.CancelledError:  # whoever dialled has given up meanwhile
            if won is not None:
                won.abort("not wanted any more")
            raise
    raise max(failures, key=lambda failure: failure.why)


async def resolve(target: Target) -> list[Target]:
    """The target itself, or every address of its name; Unreachable where nobody knows that."""
    host, port = target
    if is_address(host):
        return [target]
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            return [(address, port) for address in await _look_up(host)]
    except (OSError, UnicodeError) as error:  # TimeoutError is one
        raise Unreachable(target, Why.UNKNOWN_HOST) from error


def _look_up(host: str) -> asyncio.Future[list[str]]:
    """Every address of the name, asked for in a thread that the end of the program doesn't wait for.

    A name server that is silent keeps it waiting for half a minute.
    """
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def tell(addresses: list[str], error: Exception | None) -> None:
        if found.done():
            return
        if error is None:
            found.set_result(addresses)
        else:
            found.set_exception(error)

    def ask() -> None:
        addresses, failure = [], None
        try:
            for *_, sockaddr in socket.getaddrinfo(host, None, type=socket.SOCK_STREAM):
                addresses.append(with_scope(str(sockaddr[0]), int(sockaddr[3]) if len(sockaddr) == 4 else 0))
        except (OSError, UnicodeError) as error:
            failure = error
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(tell, addresses, failure)

    threading.Thread(target=ask, name="look up", daemon=True).start()
    return found


async def _attempt(target: Target, identity: Identity, expected: bytes | None) -> Link:
    """Connects and shakes hands with one address; Unreachable where that fails."""
    dialling = _Dialling(Initiator(identity, secrets.token_bytes(32), expected))
    link: Link | None = None
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.get_running_loop().create_connection(lambda: dialling, *target)
            link = await dialling.done
            return link
    except TimeoutError as error:
        raise Unreachable(target, Why.NO_P2PCARDS if dialling.connected else Why.TIMED_OUT) from error
    except (OSError, ProtocolError) as error:
        raise Unreachable(target, why_of(error), _detail(error)) from error
    finally:
        if link is None:
            dialling.drop()


def why_of(error: OSError | ProtocolError) -> Why:
    """The reason that an error on the way to a peer stands for; a time-out has to be told apart by the caller."""
    match error:
        case OwnKey():
            return Why.OWN_KEY
        case OtherKey():
            return Why.OTHER_KEY
        case ProtocolError():
            return Why.NO_P2PCARDS
        case ConnectionRefusedError():
            return Why.REFUSED
        case ConnectionError():  # reset before it said anything
            return Why.NO_P2PCARDS
    return Why.NO_ROUTE if error.errno in _NO_ROUTE else Why.FAILED


def _detail(error: OSError | ProtocolError) -> str:
    return (error.strerror or str(error)) if isinstance(error, OSError) else str(error)


class _Dialling(Exactly):
    """A connection of ours before the far end has proved its key; `done` gets the link or the error."""

    def __init__(self, initiator: Initiator) -> None:
        super().__init__(M2_BYTES)
        self._initiator = initiator
        self.connected = False
        self.done: asyncio.Future[Link] = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.connected = True
        self.transport.write(self._initiator.m1)

    def took(self, message: bytes) -> None:
        if self.done.done():
            return
        try:
            m3, session = self._initiator.finish(message)
        except ProtocolError as error:
            self.done.set_exception(error)
            return
        self.transport.write(m3)
        self.done.set_result(Link(self.transport, session, newcomer=False))

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.done.done():
            self.done.set_exception(ProtocolError("hung up"))

    def drop(self) -> None:
        """Ends the connection, if there is one, whoever has it by now."""
        if not self.done.cancel() and not self.done.cancelled():
            self.done.exception()
        if self.connected:
            self.transport.abort()

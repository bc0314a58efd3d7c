"""Two doctors' talk over TCP: one line of JSON each way, on the port where a table would be.

    desk = Desk(me, came, hosts)           # me(line): what we answer; came(Visit): somebody was here
    port = desk.open(None)                 # as for a Listener
    await desk.start()
    reply = await call(target, Line("hello", tokens, port))      # TellsNothing, or OSError, where no doctor is there
    desk.close()

A `hello` tells the tokens that its sender calls everybody with, and where its own desk is; the answer says which of
them were heard, and whether that desk could be reached: at the address that the hello came from, nowhere else, and on
no port below 1024. What comes to it there is a `knock`, which leads to nothing further. Nothing in it is secret and
nothing in it is believed beyond the report that is printed.
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from p2pcards.errors import P2PCardsError
from p2pcards.net.address import Target, of_socket
from p2pcards.net.bucket import Bucket
from p2pcards.net.clock import now
from p2pcards.net.dial import Why, why_of
from p2pcards.net.listener import ANYWHERE, listening

LINE_BYTES = 2048
TALK_SECONDS = 6.0
"""One talk, from the connection to its end."""
LINE_SECONDS = 2.0
"""A line, once the connection stands."""
CONNECT_SECONDS = 2.0
CALLS, CALLS_AT_ONCE = (2.0, 8.0), 8
"""Hellos a second and at once from one address; talks at the same time."""
TALKS_OF_ONE = 4
"""Of those from one address, so that one that dawdles leaves room for others; a doctor needs one for each of ours."""
HOSTS = 64
"""Addresses whose hellos are counted."""
LOWEST_PORT = 1024

_Token = Annotated[str, Meta(pattern="^[0-9a-f]{16}$")]
_Tokens = Annotated[list[_Token], Meta(max_length=10)]
_Word = Annotated[str, Meta(pattern="^[ -~]{0,40}$")]
_Port = Annotated[int, Meta(ge=0, le=65535)]
_Clock = Annotated[float, Meta(ge=0, lt=253402300800)]  # up to the end of the year 9999


class Line(Struct, frozen=True):
    """What a doctor says first: hello, or knock."""

    doctor: Annotated[str, Meta(pattern="^(hello|knock)$")]
    tokens: _Tokens
    port: _Port = 0


class Reply(Struct, frozen=True):
    """What it is answered. tokens: what the answering one calls everybody with; heard: which of theirs came in.

    back: "ok" or why the caller's desk was not reached; clock: seconds since 1970; firewall: as in `Surroundings`.
    """

    tokens: _Tokens
    heard: _Tokens
    version: _Word = ""
    protocol: _Word = ""
    clock: _Clock = 0.0
    firewall: _Word = ""
    back: _Word = ""


class Visit(Struct, frozen=True):
    """Somebody's hello: from where, what they heard of it, how they were reached."""

    host: str
    heard: bool
    back: str


class TellsNothing(P2PCardsError):
    """Somebody took the connection, and is no doctor."""


async def call(target: Target, line: Line) -> Reply:
    """The answer of the doctor at one address; TellsNothing, OSError or TimeoutError where there is none."""
    async with asyncio.timeout(CONNECT_SECONDS):
        reader, writer = await asyncio.open_connection(*target, limit=LINE_BYTES)
    try:
        writer.write(msgspec.json.encode(line) + b"\n")
        async with asyncio.timeout(TALK_SECONDS - LINE_SECONDS):
            said = await reader.readline()
        return msgspec.json.decode(said, type=Reply)
    except (OSError, ValueError, RecursionError, msgspec.MsgspecError) as error:  # TimeoutError is an OSError
        raise TellsNothing(str(error)) from error
    finally:
        writer.transport.abort()


def reason(error: Exception) -> str:
    """Why a call led nowhere, in lower case; "stranger" where somebody else took it."""
    if isinstance(error, TimeoutError):
        return Why.TIMED_OUT.name.lower()
    return why_of(error).name.lower() if isinstance(error, OSError) else "stranger"


class Desk:
    """Our side of such talks."""

    def __init__(
        self,
        me: Callable[[Line], Reply],
        came: Callable[[Visit], None],
        hosts: tuple[str, ...] = ANYWHERE,
        answers: bool = True,
    ) -> None:
        """answers: hellos too; else only the knock of a doctor that we called."""
        self.port = 0
        self._me, self._came, self._hosts, self._answers = me, came, hosts, answers
        self._sockets: list[socket.socket] = []
        self._servers: list[asyncio.Server] = []
        self._talks: dict[asyncio.Task[None], str] = {}  # and with which address
        self._buckets: dict[str, Bucket] = {}

    def open(self, port: int | None) -> int:
        """Takes the port; UserError where the wanted one can't be had."""
        self._sockets = list(listening(self._hosts, port).values())
        self.port = self._sockets[0].getsockname()[1]
        return self.port

    async def start(self) -> None:
        """Answers from now on."""
        for sock in self._sockets:
            self._servers.append(await asyncio.start_server(self._take, sock=sock, limit=LINE_BYTES))

    def close(self) -> None:
        """Gives the port back and ends what is being said."""
        for server in self._servers:
            server.close()
        for sock in self._sockets:
            sock.close()
        for task in self._talks:
            task.cancel()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task, host = asyncio.current_task(), of_socket(writer.transport, "peername")[0]
        crowded = len(self._talks) >= CALLS_AT_ONCE or list(self._talks.values()).count(host) >= TALKS_OF_ONE
        if task is None or crowded:
            writer.transport.abort()
            return
        self._talks[task] = host
        try:
            async with asyncio.timeout(TALK_SECONDS):
                await self._talk(host, reader, writer)
        except (OSError, ValueError, RecursionError, EOFError, msgspec.MsgspecError):
            pass  # nobody that we can help
        except asyncio.CancelledError:
            pass  # the desk closes; streams would log a talk that was cancelled as a fault
        finally:
            del self._talks[task]
            with suppress(OSError):
                writer.close()

    async def _talk(self, host: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(LINE_SECONDS):
            first = await reader.readexactly(1)
            if first != b"{":  # a game's handshake: it sees at once that no game is here
                return
            line = msgspec.json.decode(first + await reader.readline(), type=Line)
        if line.doctor == "hello" and not (self._answers and self._may(host)):
            return
        back = await self._back(host, line) if line.doctor == "hello" else ""
        reply = msgspec.structs.replace(self._me(line), back=back)
        if line.doctor == "hello":
            self._came(Visit(host, bool(reply.heard), back))
        writer.write(msgspec.json.encode(reply) + b"\n")
        await writer.drain()

    async def _back(self, host: str, line: Line) -> str:
        """How the caller's own desk is reached from here."""
        if line.port < LOWEST_PORT:
            return ""
        try:
            reply = await call((host, line.port), Line("knock", []))
        except (OSError, TellsNothing) as error:
            return reason(error)
        return "ok" if set(reply.tokens) & set(line.tokens) else "stranger"

    def _may(self, host: str) -> bool:
        """Whether this address has a hello left."""
        if host not in self._buckets:
            if len(self._buckets) >= HOSTS:
                self._buckets.pop(next(iter(self._buckets)))
            self._buckets[host] = Bucket(*CALLS, now())
        return self._buckets[host].take(now())

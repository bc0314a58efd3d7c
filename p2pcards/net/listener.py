"""Where others reach us: one TCP port, and a door that says nothing to strangers (protocol 4.2, 4.5).

    listener = Listener(identity, on_link, own=lambda: network.own)
    port = await listener.open(None)       # --port P: that or UserError; 0: any; None: 25252, the next free, any
    ...
    listener.close()                       # the port; links that stand are their owners'

on_link(link) is called once the far end has proved its key; it starts the link. Before that a connection may send the
202 bytes of its two messages and nothing else, soon, and gets not a byte but M2: whatever is wrong with it, it is
aborted and counted in `refused`.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import secrets
import socket
import sys
from collections import Counter
from collections.abc import Callable

from p2pcards.errors import ProtocolError, UserError
from p2pcards.net.address import FIRST_PORT, LAST_PORT, of_socket
from p2pcards.net.bucket import Bucket
from p2pcards.net.clock import now
from p2pcards.net.exactly import Exactly
from p2pcards.net.link import Link
from p2pcards.wire.handshake import M1_BYTES, M3_BYTES, Responder
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Reason

FIRST_SECONDS = 2.0
"""From the connection to M1."""
PROOF_SECONDS = 5.0
"""From the connection to the proof."""
HALF_OPEN, HALF_OPEN_PER_HOST = 32, 8
HANDSHAKES, HANDSHAKES_PER_HOST = (20.0, 40.0), (10.0, 20.0)
"""A second, and at once."""
ACCEPT_PAUSE = 0.1
"""Seconds after a connection could not be accepted."""
LINKS = 32
"""Connections that stand at once."""
RESERVE = 24
"""File descriptors that strangers never get: the table's files, and what finds it, go on needing them."""

ANYWHERE = ("0.0.0.0", "::")  # noqa: S104 - others are to reach us
LOOPBACK = ("127.0.0.1", "::1")

_TAKEN = (errno.EADDRINUSE, errno.EACCES) if sys.platform == "win32" else (errno.EADDRINUSE,)
_log = logging.getLogger(__name__)


class Listener:
    """The listening port of this program."""

    def __init__(
        self,
        identity: Identity,
        on_link: Callable[[Link], None],
        *,
        own: Callable[[], frozenset[str]] = frozenset,
        hosts: tuple[str, ...] = ANYWHERE,
    ) -> None:
        """own: the addresses of this machine's interfaces, which meet no limit per address; hosts: where to listen."""
        self.identity = identity
        self.port = 0
        self.refused = 0
        self.links: set[Link] = set()
        self._on_link = on_link
        self._own = own
        self._hosts = hosts
        self._sockets: dict[str, socket.socket] = {}  # by the host they listen at
        self._servers: dict[socket.socket, asyncio.Server] = {}  # Windows alone
        self._warned = False
        self._connecting: set[asyncio.Task[None]] = set()
        self._half_open: dict[_Newcomer, None] = {}  # the oldest first
        self._handshakes = Bucket(*HANDSHAKES, now())
        self._by_host: dict[str, Bucket] = {}

    async def open(self, port: int | None = None) -> int:
        """Listens and returns the port; UserError where the wanted one can't be had."""
        sockets = listening(self._hosts, port)
        self.port = next(iter(sockets.values())).getsockname()[1]
        await self._serve(sockets)
        return self.port

    async def follow(self, hosts: tuple[str, ...]) -> None:
        """Listens at these hosts from now on, on the same port: the addresses of our interface are others."""
        for host in [host for host in self._sockets if host not in hosts]:
            self._stop(host)
        for host in [host for host in hosts if host not in self._sockets]:
            try:
                await self._serve(_listen_on((host,), self.port))
            except OSError as error:
                _log.warning("can't listen at %s: %s", host, error)

    def close(self) -> None:
        """Gives the port back and drops whoever has proved nothing yet."""
        for host in tuple(self._sockets):
            self._stop(host)
        for newcomer in tuple(self._half_open):
            newcomer.drop("closing")

    async def _serve(self, sockets: dict[str, socket.socket]) -> None:
        loop = asyncio.get_running_loop()
        for host, sock in sockets.items():
            self._sockets[host] = sock
            if sys.platform == "win32":  # whose loop has no readers
                self._servers[sock] = await loop.create_server(lambda: _Newcomer(self), sock=sock)
            else:
                loop.add_reader(sock, self._accept, sock)

    def _stop(self, host: str) -> None:
        sock = self._sockets.pop(host)
        if sys.platform == "win32":
            self._servers.pop(sock).close()
        else:
            asyncio.get_running_loop().remove_reader(sock)
            sock.close()

    def _accept(self, sock: socket.socket) -> None:
        """Takes a connection. The loop's own server, when it is closed, forgets those that it is just taking."""
        loop = asyncio.get_running_loop()
        try:
            accepted, _ = sock.accept()
        except (BlockingIOError, ConnectionAbortedError):  # it is gone already
            return
        except OSError as error:  # no descriptors left: those waiting have to wait
            self._warn(f"accept: {error}")
            loop.remove_reader(sock)
            loop.call_later(ACCEPT_PAUSE, self._resume, sock)
            return
        few = accepted.fileno() >= _descriptors(RESERVE)  # the system gives the lowest that is free
        if few:
            self._warn("accept: few file descriptors are left")
            if not self._half_open or accepted.fileno() >= _descriptors(RESERVE // 2):
                self.refused += 1
                accepted.close()
                return
            self._make_room()
        self._warned = few
        accepted.setblocking(False)
        task = loop.create_task(self._connect(accepted))
        self._connecting.add(task)
        task.add_done_callback(self._connecting.discard)

    def _warn(self, why: str) -> None:
        """Logs why nobody is let in, once until somebody is: it may happen a thousand times."""
        if not self._warned:
            _log.warning("%s", why)
        self._warned = True

    def _resume(self, sock: socket.socket) -> None:
        if sock in self._sockets.values():
            asyncio.get_running_loop().add_reader(sock, self._accept, sock)

    async def _connect(self, accepted: socket.socket) -> None:
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: _Newcomer(self), accepted)
        except OSError as error:
            _log.debug("accept: %s", error)
            accepted.close()

    def _admit(self, newcomer: _Newcomer) -> None:
        """A connection came in: it may stay half open if there is room."""
        if not self._sockets:  # it was being accepted when we closed
            newcomer.drop("closing")
            return
        host = newcomer.host
        hosts = Counter(other.host for other in self._half_open)
        if hosts[host] >= HALF_OPEN_PER_HOST and not self._is_own(host):
            newcomer.drop("too many half-open connections from there")
            return
        if len(self._half_open) >= HALF_OPEN:
            self._make_room()
        self._half_open[newcomer] = None

    def _make_room(self) -> None:
        """Drops the oldest half-open connection of the address with most of them."""
        most = Counter(other.host for other in self._half_open).most_common(1)[0][0]
        next(other for other in self._half_open if other.host == most).drop("made room for another")

    def _may_shake(self, host: str) -> bool:
        """Whether a handshake may be answered now."""
        at = now()
        if self._handshakes.wait(at):  # asked first: nobody's bucket is made faster than handshakes are answered
            return False
        if not self._is_own(host):
            if len(self._by_host) > 2 * HANDSHAKES[1]:
                self._by_host = {name: bucket for name, bucket in self._by_host.items() if not bucket.is_full(at)}
            bucket = self._by_host.get(host)
            if bucket is None:
                bucket = self._by_host[host] = Bucket(*HANDSHAKES_PER_HOST, at)
            if not bucket.take(at):
                return False
        return self._handshakes.take(at)

    def _leave(self, newcomer: _Newcomer) -> None:
        """A half-open connection is none any more."""
        self._half_open.pop(newcomer, None)

    def _welcome(self, link: Link) -> None:
        """The far end proved its key."""
        if len(self.links) >= LINKS:
            waiting = [other for other in self.links if not other.let_in]
            if not waiting:
                link.close(Reason.FULL, f"{LINKS} programs are connected here already")
                return
            # no crowd at the door bars it: first goes who has not even knocked, of the address with most of them
            hosts = Counter(other.address[0] for other in waiting)
            min(waiting, key=lambda other: (other.patient, -hosts[other.address[0]], other.born)).abort(
                "made room for another"
            )
        self.links.add(link)
        self._on_link(link)

    def _is_own(self, host: str) -> bool:
        bare = host.partition("%")[0]
        return bare in LOOPBACK or bare in self._own()


class _Newcomer(Exactly):
    """A connection before its far end has proved a key."""

    def __init__(self, listener: Listener) -> None:
        super().__init__(M1_BYTES)
        self._listener = listener
        self._responder: Responder | None = None
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        super().connection_made(transport)
        self.host = of_socket(transport, "peername")[0]
        loop = asyncio.get_running_loop()
        self._born = loop.time()
        self._timer = loop.call_later(FIRST_SECONDS, self.drop, "said nothing")
        self._listener._admit(self)

    def took(self, message: bytes) -> None:
        try:
            if self._responder is None:
                self._answer(message)
            else:
                session = self._responder.finish(message)
                self._settle()
                links = self._listener.links
                self._listener._welcome(Link(self.transport, session, newcomer=True, ended=links.discard))
        except ProtocolError as error:
            self.drop(str(error))

    def _answer(self, m1: bytes) -> None:
        if not self._listener._may_shake(self.host):
            raise ProtocolError("too many handshakes")
        self._responder = Responder(self._listener.identity, secrets.token_bytes(32))
        self.transport.write(self._responder.answer(m1))
        self._expect(M3_BYTES)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_at(self._born + PROOF_SECONDS, self.drop, "proved nothing")

    def drop(self, why: str) -> None:
        """Ends the connection without a word."""
        _log.debug("! %s: %s", self.host, why)
        self._listener.refused += 1
        self._settle()
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._settle()

    def _settle(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._listener._leave(self)


def _descriptors(reserve: int) -> int:
    """The first descriptor that strangers may not have; without meaning on Windows."""
    if sys.platform == "win32":
        return sys.maxsize
    import resource

    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if limit == resource.RLIM_INFINITY else limit - min(reserve, limit // 4)


def listening(hosts: tuple[str, ...], port: int | None) -> dict[str, socket.socket]:
    """Sockets that listen on one port at all these hosts, by host; not those of a family that this machine lacks.

    port: as for `Listener.open`; UserError where it can't be had.
    """
    tried = [port] if port else [0, 0, 0]  # the port that one family is given may be taken in the other
    if port is None:
        tried = [*range(FIRST_PORT, LAST_PORT + 1), *tried]
    for candidate in tried:
        try:
            return _listen_on(hosts, candidate)
        except OSError as error:
            problem = error
            if error.errno not in _TAKEN:
                break
    if port and problem.errno in _TAKEN:
        raise UserError(f"Port {port} is in use on this machine: choose another with --port, or leave --port out.")
    raise UserError(f"Can't listen on port {candidate}: {problem.strerror}.")


def _listen_on(hosts: tuple[str, ...], port: int) -> dict[str, socket.socket]:
    sockets: dict[str, socket.socket] = {}
    try:
        for host in hosts:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            try:
                sock = sockets[host] = socket.socket(family, socket.SOCK_STREAM)
            except OSError as error:
                if error.errno == errno.EAFNOSUPPORT:
                    continue
                raise
            if sys.platform == "win32":
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            else:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if family == socket.AF_INET6:
                sock.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
            try:
                sock.setblocking(False)
                sock.bind((host, port))
                sock.listen(128)
            except OSError as error:
                if error.errno == errno.EADDRNOTAVAIL and len(sockets) > 1:  # IPv6 is off, or not ready on a new cable
                    sockets.pop(host).close()
                    continue
                raise
            port = sock.getsockname()[1]
    except BaseException:
        for sock in sockets.values():
            sock.close()
        raise
    return sockets

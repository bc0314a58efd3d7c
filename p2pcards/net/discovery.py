"""Finding each other by mDNS: our table's advert out, others' adverts in (protocol 5.1).

    discovery = Discovery(network, changed)        # opens nothing yet; `changed`: `trouble` may be another
                                                   # lab=: our lab's key; adverts carry its tag and are told apart by it
    discovery.advertise(advert, port)              # at once, in the background; again with each change
    discovery.browse(heard)                        # Heard and Gone, until `stop_browsing`
    discovery.trouble                              # why nothing can be found, one sentence; "" while all is well
    await discovery.withdraw()                     # says good-bye, within 2 s
    await discovery.close()                        # the same, and lets go of everything

One task makes what is so into what is wanted: the interfaces of `network`, our advert (changes at most one a second), a
browser that asks anew every ASK_SECONDS. What fails is tried again later; the program goes on meanwhile.

Our name on the network is made from the table and the key, so nobody can have it: registering skips the probing that
would take 1.2 s. Browsers ask for answers to everybody (QM): an answer to us alone on the mDNS port (QU) is lost where
another program on this machine listens there. `Question` gets answers to us alone in a way that works.
"""

from __future__ import annotations

import asyncio
import errno
import importlib
import logging
import sys
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from p2pcards.errors import ProtocolError
from p2pcards.net.adverts import TYPE, read, same, service_of
from p2pcards.net.clock import now
from p2pcards.net.interfaces import Interface, Network
from p2pcards.net.question import PORT, Question
from p2pcards.table.hearsay import Gone, Heard
from p2pcards.wire.advert import Advert

if TYPE_CHECKING:  # the library is loaded once it is needed, after the first screen
    from zeroconf import ServiceInfo, ServiceStateChange, Zeroconf
    from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

ASK_SECONDS = 10.0
"""How long one browser asks before a fresh one does: at its start and 1 and 5 s later."""
LEAST_SECONDS = 1.0
"""Between two questions of our own."""
UPDATE_SECONDS = 1.0
"""Between two changes of our advert."""
RETRY_SECONDS = 5.0
GOODBYE_SECONDS = 2.0
RESOLVE_SECONDS = 3.0
RESOLVING = 32
"""Adverts of which a part is being asked for, at once; the oldest gives way."""
EARLY = 64
"""Answers kept while the library is getting ready."""

_log = logging.getLogger(__name__)
logging.getLogger("zeroconf").addHandler(logging.NullHandler())  # else its warnings would go to standard error


class Discovery:
    """This program's part in mDNS."""

    def __init__(self, network: Network, changed: Callable[[], None], lab: bytes = b"") -> None:
        self._network = network
        self._lab = lab
        self._changed = changed
        self._trouble = ""
        # what is wanted
        self._wanted: tuple[Advert, int] | None = None
        self._heard: Callable[[Heard | Gone], None] | None = None
        # what is so
        self._zeroconf: AsyncZeroconf | None = None
        self._tried: tuple[Interface, ...] | None = None
        self._registered: ServiceInfo | None = None
        self._updated_at = 0.0
        self._moved = False  # our addresses are others than were told
        self._telling: asyncio.Future[Any] | None = None  # announces it, three times
        self._browser: AsyncServiceBrowser | None = None
        self._browsing_since = 0.0
        self._question = Question(self._take)
        self._asked_at = -LEAST_SECONDS
        self._early: deque[tuple[bytes, Any]] = deque(maxlen=EARLY)
        self._resolving: dict[str, asyncio.Future[Any]] = {}  # by name, the oldest first
        self._tasks: set[asyncio.Future[Any]] = set()
        # who makes one into the other
        self._stir = asyncio.Event()
        self._settling = asyncio.Lock()
        self._keeper: asyncio.Task[None] | None = None
        network.subscribe(self._stir.set)

    @property
    def trouble(self) -> str:
        """Why nothing can be found, in one sentence; empty while all is well."""
        return self._network.trouble or self._trouble

    def advertise(self, advert: Advert, port: int) -> None:
        """Tells everybody of our table, or of what changed about it."""
        self._wanted = advert, port
        self._wake()

    async def withdraw(self) -> None:
        """Takes our advert back; over within GOODBYE_SECONDS."""
        self._wanted = None
        await _bounded(self._say_goodbye())

    def browse(self, heard: Callable[[Heard | Gone], None]) -> None:
        """Tells of every advert but our own, those known already first."""
        self._heard = heard
        self._browsing_since = -ASK_SECONDS
        self._wake()

    def stop_browsing(self) -> None:
        """Tells no more and asks no more."""
        self._heard = None
        self._wake()

    async def close(self) -> None:
        """Says good-bye and lets go of every socket; over within GOODBYE_SECONDS and a little."""
        self._wanted = self._heard = None
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.gather(self._keeper, return_exceptions=True)
        await _bounded(self._say_goodbye())
        self._question.close()
        if self._browser is not None:
            await self._browser.async_cancel()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._zeroconf is not None:
            await _bounded(self._zeroconf.async_close())
            self._zeroconf = None

    # ---- the keeper

    def _wake(self) -> None:
        self._stir.set()
        if self._keeper is None:
            self._keeper = asyncio.get_running_loop().create_task(self._keep())

    async def _keep(self) -> None:
        """Makes what is so into what is wanted, whenever one of the two may have changed."""
        while True:
            self._stir.clear()
            try:
                async with self._settling:
                    pause = await self._settle()
            except OSError as error:
                self._tell(_sentence(error))
                pause = RETRY_SECONDS
            except Exception:  # a fault of the library must not end the search for good
                _log.exception("mDNS")
                self._tell("Tables can't be found by themselves just now: the log says why. `join HOST` reaches one.")
                pause = RETRY_SECONDS
            with suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._stir.wait()

    async def _settle(self) -> float | None:
        """One round of it; gives the seconds until the next is due."""
        if self._wanted is None and self._heard is None and self._zeroconf is None:
            return None
        await self._use_interfaces()
        if self._zeroconf is None:
            return RETRY_SECONDS
        return min(await self._keep_advertised(self._zeroconf), await self._keep_browsing(self._zeroconf))

    async def _use_interfaces(self) -> None:
        """Opens a socket on every chosen interface that mDNS works on, and closes those on others."""
        chosen = self._network.chosen
        if chosen != self._tried or self._trouble:
            if chosen != self._tried:
                self._tried = chosen
                self._changed()
            failure = await self._ask(chosen)
            if failure is not None and not self._question.worked:
                self._tell(_sentence(failure))
        addresses = [one.addresses[0].partition("%")[0] for one in self._question.worked]
        if self._zeroconf is not None:
            self._follow_addresses()
            await self._zeroconf.async_update_interfaces(addresses)
        elif addresses:
            library = await asyncio.to_thread(importlib.import_module, "zeroconf.asyncio")
            zeroconf: AsyncZeroconf = library.AsyncZeroconf(addresses)
            self._zeroconf = zeroconf
            await zeroconf.zeroconf.async_wait_for_start()
            while self._early:
                self._take(*self._early.popleft())
        if addresses:
            self._tell("")

    def _follow_addresses(self) -> None:
        """Changes our advert before it is told on an interface that is new: the old addresses mean nothing there."""
        if self._registered is not None and self._wanted is not None:
            records = self._service(*self._wanted).dns_addresses()
            if records != self._registered.dns_addresses():
                self._registered.addresses = [record.address for record in records]
                self._moved = True

    async def _keep_advertised(self, zeroconf: AsyncZeroconf) -> float:
        """Registers or changes our advert; gives the seconds until it may be changed."""
        if self._wanted is None:
            return RETRY_SECONDS
        info = self._service(*self._wanted)
        if self._registered is not None and self._registered.name != info.name:
            await self._unregister()
        if self._registered is None:
            self._registered, self._updated_at = info, now()
            telling = await zeroconf.async_register_service(info, cooperating_responders=True, strict=False)
            self._telling = self._run(telling)
        elif self._moved or not same(info, self._registered):
            left = self._updated_at + UPDATE_SECONDS - now()
            if left > 0:
                return left
            self._registered, self._updated_at, self._moved = info, now(), False
            self._fall_silent(zeroconf)
            self._telling = self._run(await zeroconf.async_update_service(info))
        return RETRY_SECONDS

    async def _keep_browsing(self, zeroconf: AsyncZeroconf) -> float:
        """One browser while somebody listens, a fresh one from time to time; gives the seconds until then."""
        age = now() - self._browsing_since
        if self._browser is not None and (self._heard is None or age >= ASK_SECONDS):
            await self._browser.async_cancel()
            self._browser = None
        if self._heard is None:
            return RETRY_SECONDS
        if self._browser is not None:
            return ASK_SECONDS - age
        from zeroconf import DNSQuestionType
        from zeroconf.asyncio import AsyncServiceBrowser

        if now() - self._asked_at >= LEAST_SECONDS:
            await self._ask(self._question.worked)
        self._browsing_since = now()
        self._browser = AsyncServiceBrowser(
            zeroconf.zeroconf, TYPE, handlers=[self._on_change], question_type=DNSQuestionType.QM
        )
        return ASK_SECONDS

    async def _ask(self, interfaces: tuple[Interface, ...]) -> OSError | None:
        self._asked_at = now()
        return await self._question.ask(interfaces)

    async def _say_goodbye(self) -> None:
        async with self._settling:
            await self._unregister()

    async def _unregister(self) -> None:
        info, self._registered = self._registered, None
        if info is not None and self._zeroconf is not None:
            self._fall_silent(self._zeroconf)
            await (await self._zeroconf.async_unregister_service(info))

    def _fall_silent(self, zeroconf: AsyncZeroconf) -> None:
        """Drops what is still to be sent: an announcement's repetitions, answers that wait for their second to pass.

        Sent after what we say next, they would undo it.
        """
        if self._telling is not None:
            self._telling.cancel()
        zeroconf.zeroconf.out_queue.queue.clear()
        zeroconf.zeroconf.out_delay_queue.queue.clear()

    # ---- what others say

    def _take(self, data: bytes, source: Any) -> None:
        """An answer to us alone: the library treats it like those to everybody, once it is ready."""
        if self._zeroconf is None or not self._zeroconf.zeroconf.started:
            self._early.append((data, source))
        else:
            self._zeroconf.zeroconf.engine.protocols[0].datagram_received(data, source)

    def _on_change(self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange) -> None:
        try:
            self._take_change(zeroconf, name, state_change)
        except Exception as error:  # the library would try it again before anything else, for ever
            told = {"message": "hearing of an advert", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)

    def _take_change(self, zeroconf: Zeroconf, name: str, state_change: ServiceStateChange) -> None:
        if self._heard is None or (self._registered is not None and name == self._registered.name):
            return
        if state_change.name == "Removed":
            self._heard(Gone(name))
        elif name not in self._resolving:
            self._resolve(zeroconf, name)

    def _resolve(self, zeroconf: Zeroconf, name: str) -> None:
        """Tells of an advert: at once where all its parts came together, else when they are here."""
        from zeroconf.asyncio import AsyncServiceInfo

        try:
            info = AsyncServiceInfo(TYPE, name)
        except self._faults() as error:
            _log.debug("advert %r: %s", name, error)
            return
        if info.load_from_cache(zeroconf):
            self._hear(name, info)
            return
        if len(self._resolving) >= RESOLVING:
            self._resolving.pop(next(iter(self._resolving))).cancel()
        self._resolving[name] = self._run(self._complete(zeroconf, info, name))

    async def _complete(self, zeroconf: Zeroconf, info: AsyncServiceInfo, name: str) -> None:
        """Asks for what is missing of an advert."""
        from zeroconf import DNSQuestionType

        try:
            complete = await info.async_request(zeroconf, RESOLVE_SECONDS * 1000, DNSQuestionType.QM)
        except self._faults() as error:
            _log.debug("advert %r: %s", name, error)
            return
        finally:
            if self._resolving.get(name) is asyncio.current_task():
                del self._resolving[name]
        if complete:
            self._hear(name, info)

    def _hear(self, name: str, info: ServiceInfo) -> None:
        try:
            heard = read(name, info, self._lab)
        except ProtocolError as error:
            _log.debug("advert %r: %s", name, error)
            return
        if heard is not None and self._heard is not None:
            self._heard(heard)

    @staticmethod
    def _faults() -> tuple[type[Exception], ...]:
        """What the library raises at names that make no sense."""
        from zeroconf import Error

        return Error, ValueError

    # ---- small things

    def _service(self, advert: Advert, port: int) -> AsyncServiceInfo:
        return service_of(advert, port, self._network.addresses, self._lab)

    def _tell(self, trouble: str) -> None:
        if trouble != self._trouble:
            self._trouble = trouble
            self._changed()

    def _run(self, work: Awaitable[Any]) -> asyncio.Future[Any]:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)
        return task

    def _done(self, task: asyncio.Future[Any]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _log.error("mDNS", exc_info=error)


async def _bounded(work: Awaitable[None]) -> None:
    try:
        async with asyncio.timeout(GOODBYE_SECONDS):
            await work
    except (TimeoutError, OSError) as error:
        _log.info("mDNS good-bye: %s", error)


def _sentence(error: OSError) -> str:
    """What to tell people when mDNS doesn't work."""
    if error.errno == errno.EADDRINUSE:
        cause = f"another program keeps UDP port {PORT} to itself"
    elif error.errno in (errno.EHOSTUNREACH, errno.EPERM, errno.EACCES) and sys.platform == "darwin":
        cause = "the system doesn't let this terminal use the local network (Privacy & Security, Local Network)"
    else:
        cause = f"the network takes no multicast ({error.strerror})"
    return f"Tables can't be found by themselves: {cause}. `join HOST` reaches one all the same."

"""A table of our own as the network finds it: the port that it listens on, its advert, the line that leads to it.

hosting = Hosting(network, lookout, setup)
port = await hosting.open(identity, host, came)     # UserError where it can't listen there
hosting.changed()                                   # the table may be another
await hosting.moved()                               # the interfaces are others
hosting.close()
"""

from __future__ import annotations

from collections.abc import Callable

from p2pcards.net.address import format_target, pack_targets
from p2pcards.net.interfaces import Network
from p2pcards.net.link import Link
from p2pcards.net.listener import ANYWHERE, Listener
from p2pcards.net.lookout import Lookout
from p2pcards.net.opening import Setup, advert_of
from p2pcards.table.host import Host
from p2pcards.wire.advert import Advert
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Reason


class Hosting:
    """At most one table at a time."""

    def __init__(self, network: Network, lookout: Lookout, setup: Setup) -> None:
        self._network, self._lookout, self._setup = network, lookout, setup
        self._listener: Listener | None = None
        self._host: Host | None = None
        self._advert: Advert | None = None

    async def open(self, identity: Identity, host: Host, came: Callable[[Link], None]) -> int:
        """Listens for newcomers, as whose links `came` is called; the port."""
        hosts = tuple(address for one in self._network.chosen for address in one.addresses)
        self._listener = listener = Listener(
            identity, came, own=lambda: self._network.own, hosts=hosts if self._setup.interface else ANYWHERE
        )
        port = await listener.open(self._setup.port)
        self._host = host
        host.addresses = pack_targets(self._network.addresses, port)
        return port

    @property
    def line(self) -> str:
        """What others can type where the network hides our table; empty without one."""
        if self._listener is None or not self._network.addresses:
            return ""
        address = next(iter(self._network.addresses))
        return f"p2pcards join {format_target((address, self._listener.port))}"

    def changed(self) -> None:
        """Tells the network of the table, if that is news."""
        host, listener = self._host, self._listener
        if host is None or listener is None or self._setup.hidden:
            return
        advert = advert_of(host)
        if advert != self._advert:
            self._advert = advert
            self._lookout.advertise(advert, listener.port)

    async def moved(self) -> None:
        """Listens where the interfaces are now."""
        host, listener = self._host, self._listener
        if host is not None and listener is not None:
            host.addresses = pack_targets(self._network.addresses, listener.port)
            if self._setup.interface:
                await listener.follow(self._network.addresses)

    def close(self) -> None:
        """The table is gone, as far as the network can see."""
        if self._listener is not None:
            self._listener.close()
        self._listener = self._host = self._advert = None
        self._lookout.withdraw()


def turn_away(link: Link) -> None:
    """Somebody came too late."""
    link.start(lambda message: None, lambda why: None)
    link.close(Reason.BYE, "the table is closed")

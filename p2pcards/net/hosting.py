"""Our table as the network finds it: the port that we listen on, our advert, the line that leads to us.

Everybody at a table listens, for any of them may be its host next; who advertises it is told by the table itself.

hosting = Hosting(network, lookout, setup)
port = await hosting.open(identity, came)     # UserError where it can't listen there
hosting.sits(peer)                            # at this table
hosting.changed()                             # the table may be another, or its host
await hosting.moved()                         # the interfaces are others
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
from p2pcards.table.peer import Peer
from p2pcards.wire.advert import Advert
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Reason


class Hosting:
    """At most one table at a time."""

    def __init__(self, network: Network, lookout: Lookout, setup: Setup) -> None:
        self._network, self._lookout, self._setup = network, lookout, setup
        self._listener: Listener | None = None
        self._peer: Peer | None = None
        self._advert: Advert | None = None

    async def open(self, identity: Identity, came: Callable[[Link], None]) -> int:
        """Listens, with `came` called for the link of everybody who comes; the port."""
        hosts = tuple(address for one in self._network.chosen for address in one.addresses)
        self._listener = listener = Listener(
            identity, came, own=lambda: self._network.own, hosts=hosts if self._setup.interface else ANYWHERE
        )
        return await listener.open(self._setup.port)

    def sits(self, peer: Peer) -> None:
        """This is the table that others come to."""
        self._peer = peer
        self._tell_addresses()

    @property
    def line(self) -> str:
        """What others can type where the network hides our table; empty where we are not its host."""
        hosts = self._peer is not None and self._peer.host is not None
        if self._listener is None or not hosts or not self._network.addresses:
            return ""
        address = next(iter(self._network.addresses))
        return f"p2pcards join {format_target((address, self._listener.port))}"

    def changed(self) -> None:
        """Tells the network of the table, if that is news and ours to tell."""
        peer, listener = self._peer, self._listener
        if peer is None or listener is None:
            return
        self._tell_addresses()
        advert = advert_of(peer, listener.identity.key, self._setup.nick)
        if advert == self._advert:
            return
        self._advert = advert
        if advert is not None:
            self._lookout.advertise(advert, listener.port)
        else:
            self._lookout.withdraw()

    async def moved(self) -> None:
        """Listens where the interfaces are now."""
        self._tell_addresses()
        if self._listener is not None and self._setup.interface:
            await self._listener.follow(self._network.addresses)

    def close(self) -> None:
        """The table is gone, as far as the network can see."""
        if self._listener is not None:
            self._listener.close()
        self._listener = self._peer = self._advert = None
        self._lookout.withdraw()

    def _tell_addresses(self) -> None:
        """Where we are reached, for others to be told."""
        peer, listener = self._peer, self._listener
        if peer is None or listener is None:
            return
        peer.guest.port, peer.guest.addresses = listener.port, pack_targets(self._network.addresses, listener.port)
        if peer.host is not None:
            peer.host.addresses = peer.guest.addresses


def turn_away(link: Link) -> None:
    """Somebody came too late."""
    link.start(lambda message: None, lambda why: None)
    link.close(Reason.BYE, "the table is closed")

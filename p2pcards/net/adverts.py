"""A table's advert as mDNS carries it, out and in (protocol 5.1).

    info = service_of(advert, port, addresses, lab)    # what to register
    heard = read(name, info, lab)                      # what somebody registered; ProtocolError, or None: leads nowhere

The instance's name holds a hash of the table and the key. An advert whose name doesn't fit what it says is refused:
else whoever answers for the name of a table could make it another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from msgspec import structs

from p2pcards import PROTOCOL
from p2pcards.errors import ProtocolError
from p2pcards.net.address import Target, is_dialable, with_scope
from p2pcards.table.hearsay import Heard
from p2pcards.table.settings import NEEDS_LAB
from p2pcards.wire.advert import Advert, decode_advert, encode_advert, host_record, instance_name
from p2pcards.wire.lab import advert_tag, tagged

if TYPE_CHECKING:  # the library is loaded once it is needed, after the first screen
    from zeroconf import ServiceInfo
    from zeroconf.asyncio import AsyncServiceInfo

TYPE = "_p2pcards._tcp.local."
TARGETS = 16
"""Addresses of one advert."""


def service_of(advert: Advert, port: int, addresses: Iterable[str], lab: bytes = b"") -> AsyncServiceInfo:
    """The service that tells of a table; with the lab's tag where its door is the lab's and we have the key."""
    from zeroconf.asyncio import AsyncServiceInfo

    instance = instance_name(advert.title, advert.table, advert.key)
    if lab and advert.door in NEEDS_LAB:
        tag = advert_tag(lab, instance, advert.table, advert.key, port, advert.door, advert.game)
        advert = structs.replace(advert, tag=tag)
    return AsyncServiceInfo(
        TYPE,
        f"{instance}.{TYPE}",
        port=port,
        properties=encode_advert(advert),
        server=host_record(advert.key),
        parsed_addresses=[address.partition("%")[0] for address in addresses][:TARGETS],
    )


def read(name: str, info: ServiceInfo, lab: bytes = b"") -> Heard | None:
    """What an advert says; ProtocolError where it makes no sense, None where it leads nowhere."""
    from zeroconf import IPVersion

    advert, instance, port = decode_advert(info.properties, PROTOCOL), name.removesuffix(f".{TYPE}"), info.port or 0
    if advert.table and not instance.endswith(instance_name("", advert.table, advert.key).rpartition(" ")[2]):
        raise ProtocolError("advert under the name of another")
    hosts = [_named_scope(address) for address in info.parsed_scoped_addresses(IPVersion.All)]
    targets: list[Target] = [(host, port) for host in dict.fromkeys(hosts) if is_dialable(host)][:TARGETS]
    if not targets or not port:
        return None
    ours = tagged(lab, instance, advert.table, advert.key, port, advert.door, advert.game, advert.tag)
    return Heard(name, advert, tuple(targets), ours)


def same(one: ServiceInfo, other: ServiceInfo) -> bool:
    """Whether two services say the same."""
    return one.text == other.text and one.port == other.port and one.dns_addresses() == other.dns_addresses()


def _named_scope(address: str) -> str:
    host, _, scope = address.partition("%")
    return with_scope(host, int(scope)) if scope.isdigit() else address

"""From what was measured to what is found: every judgement of `doctor`, without a clock, a socket or a file.

Each function takes facts and gives findings in the order in which they are told.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from p2pcards.table.findings import Code, Finding, found

CLOCK_SECONDS = 10.0
"""Two clocks this far apart are worth a word: records would tell two stories."""

ERRORS = {
    "refused": Code.PEER_REFUSED,
    "timed_out": Code.PEER_SILENT,
    "no_route": Code.PEER_NO_ROUTE,
    "unknown_host": Code.PEER_UNKNOWN,
    "no_p2pcards": Code.PEER_STRANGER,
}
"""What becomes of the reasons why a machine could not be reached; any other is PEER_FAILED."""


class Plug(Struct, frozen=True):
    """One interface that is up. networks: those of its addresses, "10.77.0.0/24"."""

    name: str
    addresses: tuple[str, ...]
    networks: tuple[str, ...] = ()
    loopback: bool = False
    tunnel: bool = False

    def reaches(self, address: str) -> bool:
        """Whether the address lies in one of its networks."""
        wanted = ipaddress.ip_address(address.partition("%")[0])
        scope = address.partition("%")[2]
        if wanted.version == 6 and wanted.is_link_local:
            return scope == self.name
        return any(wanted in ipaddress.ip_network(network, strict=False) for network in self.networks)


class Surroundings(Struct, frozen=True):
    """This machine on its network. chosen: the interfaces in use, a part of `every`; way: the one to the rest of the
    world, "" for none; firewall: ufw, firewalld, macos, windows or "", with whether it is on (None: can't be told)."""

    every: tuple[Plug, ...]
    chosen: tuple[Plug, ...]
    way: str = ""
    firewall: str = ""
    firewall_on: bool | None = None
    program: str = ""  # the file that a firewall knows the program by

    @property
    def lan(self) -> tuple[Plug, ...]:
        """The interfaces in use on which others may be."""
        return tuple(plug for plug in self.chosen if not (plug.loopback or plug.tunnel))


class Met(Struct, frozen=True):
    """What came of the way to a peer, `peer` as it is typed (HOST:PORT).

    kind: doctor, table, program, or the reason why it wasn't reached. back: how it came back to us, "ok" or the reason;
    "" where it wasn't asked. heard: we heard it by multicast; hears: it heard us; None: can't be told.
    ahead: seconds by which its clock is ahead.
    """

    peer: str
    kind: str
    detail: str = ""
    back: str = ""
    heard: bool | None = None
    hears: bool | None = None
    ahead: float | None = None
    firewall: str = ""  # the peer's
    other: str = ""  # the protocol it speaks, where that isn't ours
    near: bool = True  # it is on a network of ours

    @property
    def reached(self) -> bool:
        """Whether a p2pcards answered there."""
        return self.kind in ("doctor", "table", "program")

    @property
    def host(self) -> str:
        """The machine, without a port."""
        host = self.peer.rpartition(":")[0] if self.peer.startswith("[") or self.peer.count(":") == 1 else self.peer
        return host.strip("[]")

    @property
    def by_multicast(self) -> bool:
        """Whether multicast is known to work between us, both ways."""
        return bool(self.heard) and self.hears is not False


def interfaces(around: Surroundings) -> Finding:
    """Which interfaces are up, and which are in use."""
    used = ", ".join(f"{plug.name} {plug.addresses[0]}" for plug in around.chosen)
    if not around.chosen:
        return found(Code.INTERFACES_NONE)
    rest = [plug.name for plug in around.every if plug not in around.chosen and not plug.loopback]
    if all(plug.loopback for plug in around.chosen):
        return found(Code.INTERFACES_LOOPBACK, used=used)
    return found(Code.INTERFACES, used=used, rest=", ".join(rest))


def route(around: Surroundings) -> Finding:
    """Where the way into the world leads, and whether that is where the others are."""
    lan, way = around.lan, next((plug for plug in around.every if plug.name == around.way), None)
    here = ", ".join(f"{plug.name} {plug.addresses[0]}" for plug in lan)
    if around.chosen and all(plug.tunnel for plug in around.chosen):
        better = [plug.name for plug in around.every if not (plug.tunnel or plug.loopback)]
        return found(Code.ROUTE_ONLY_TUNNEL, used=around.chosen[0].name, better=better[0] if better else "")
    if way is None:
        return found(Code.ROUTE_NONE)
    if way.tunnel and lan:
        return found(Code.ROUTE_TUNNEL, way=way.name, lan=here, better=lan[0].name)
    if lan and way not in around.chosen and not way.loopback:
        return found(Code.ROUTE_ELSEWHERE, way=way.name, lan=here)
    return found(Code.ROUTE, way=way.name)


def way(around: Surroundings, peer: str, address: str, taken: str) -> Finding | None:
    """Over which interface (`taken`; "" none) the machine's packets to a peer go, where that says something.

    None where the peer is on no network of ours: then every way may be right.
    """
    near = [plug for plug in around.every if plug.reaches(address)]
    if not near or not taken:
        return None
    if taken not in [plug.name for plug in near] and not any(address in plug.addresses for plug in near):
        return found(Code.WAY_ELSEWHERE, peer=peer, taken=taken, right=near[0].name)
    if not any(plug in around.chosen for plug in near):
        chosen = ", ".join(plug.name for plug in around.chosen)
        return found(Code.WAY_OTHER_INTERFACE, peer=peer, right=near[0].name, chosen=chosen)
    return found(Code.WAY, peer=peer, taken=taken)


def neighbours(around: Surroundings, heard: int, known: int) -> Finding:
    """Whether anybody else is heard at all. known: machines that the system has met on these networks."""
    where = ", ".join(plug.name for plug in around.chosen)
    if heard:
        return found(Code.NEIGHBOURS, count=heard, where=where)
    if known:
        return found(Code.NEIGHBOURS_SILENT, known=known, where=where)
    return found(Code.NEIGHBOURS_NONE, where=where)


def peer(met: Met, around: Surroundings, own: str, ports: str, echoed: bool) -> Iterator[Finding]:
    """The steps between a peer and us, one after the other. own: where it reaches us; ports: those that a
    firewall should leave open, "25252-25271"; echoed: we hear ourselves.
    """
    about = {"peer": met.peer, "detail": met.detail, "own": own, "ports": ports, "program": around.program}
    mine = {"firewall": around.firewall, **about}
    if not met.reached:
        yield found(ERRORS.get(met.kind, Code.PEER_FAILED), **about)
    elif met.other:
        yield found(Code.PEER_PROTOCOL, other=met.other, **about)
    else:
        kinds = {"doctor": Code.PEER_DOCTOR, "table": Code.PEER_TABLE, "program": Code.PEER_PROGRAM}
        yield found(kinds[met.kind], **about)
    if met.reached:
        yield _back(met, mine)
    yield from _multicast(met, {**mine, "peer": met.host}, echoed)
    if met.ahead is not None:
        off = round(abs(met.ahead))
        how = "ahead of" if met.ahead < 0 else "behind"
        code = Code.CLOCK_OFF if abs(met.ahead) > CLOCK_SECONDS else Code.CLOCK
        yield found(code, seconds=off, how=how, peer=met.host)


def _back(met: Met, mine: Mapping[str, str]) -> Finding:
    """Whether the peer can come to us."""
    match met.back:
        case "ok":
            return found(Code.BACK, **mine)
        case "":
            return found(Code.BACK_UNASKED, **mine)
        case "stranger":
            return found(Code.BACK_WRONG, **mine)
    return found(Code.BACK_BLOCKED, why=met.back, **mine)


def _multicast(met: Met, mine: Mapping[str, str], echoed: bool) -> Iterator[Finding]:
    """Whether the two hear each other. A machine that hears not even itself has a wall of its own."""
    if not met.near and not met.heard:  # multicast stays on its network
        return
    if met.kind == "table" and not met.heard:
        yield found(Code.HEARD_NO_ANSWER, **mine)
        return
    neither = met.heard is False and met.hears is False and echoed
    if met.heard is not None:
        heard_not = Code.HEARD_NEITHER if neither else Code.HEARD_NOT
        yield found(Code.HEARD if met.heard else heard_not, **mine)
    if met.hears is not None:
        hears_not = Code.HEARS_NEITHER if neither else Code.HEARS_NOT
        yield found(Code.HEARS if met.hears else hears_not, **{**mine, "firewall": met.firewall, "program": ""})


def firewall(around: Surroundings, ports: str, back: str) -> Finding:
    """What stands at this machine's door, and whether it let somebody in. back: as in `Met`."""
    about = {"firewall": around.firewall, "ports": ports, "program": around.program}
    if not around.firewall:
        return found(Code.FIREWALL_NONE, **about)
    if around.firewall_on is False:
        return found(Code.FIREWALL_OFF, **about)
    if back == "ok":
        return found(Code.FIREWALL_OPEN, **about)
    return found(Code.FIREWALL_ON if around.firewall_on else Code.FIREWALL_PERHAPS, **about)


def outcome(around: Surroundings, met: Met | None, own: str, heard: int) -> Sequence[Finding]:
    """What the whole points to, and the line that gets two programs to one table anyway.

    own: where we are reached, HOST:PORT, "" for nowhere; heard: how many others were.
    """
    vpn = route(around).code in (Code.ROUTE_TUNNEL, Code.ROUTE_ONLY_TUNNEL)
    if met is None:
        network = found(Code.NETWORK_VPN if vpn and not heard else Code.NETWORK)
        return (network, *([found(Code.JOIN_HERE, own=own)] if own else []))
    about = {"peer": met.peer, "own": own}
    if met.reached and met.by_multicast:
        network = found(Code.NETWORK)
    elif met.reached:
        network = found(Code.NETWORK_NO_MULTICAST if met.near else Code.NETWORK_OTHER, **about)
    elif vpn:
        network = found(Code.NETWORK_VPN, **about)
    elif met.kind in ("timed_out", "no_route") and met.near and not met.heard:
        network = found(Code.NETWORK_APART, **about)
    else:
        network = found(Code.NETWORK)
    return network, _join(met, about)


def _join(met: Met, about: Mapping[str, str]) -> Finding:
    if met.reached:
        return found(Code.JOIN_LIST if met.by_multicast else Code.JOIN_LINE, **about)
    if about["own"] and (met.heard or met.hears or met.kind not in ("unknown_host", "timed_out")):
        return found(Code.JOIN_TURNED, **about)
    return found(Code.JOIN_NOT, **about)

"""What `doctor` finds: one code for each thing that can be so, in its check and with its state.

Codes and facts alone; the sentences stand in `ui`. `detail` has what the sentence needs, by name.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from types import MappingProxyType

from msgspec import Struct

_NOTHING: Mapping[str, str] = MappingProxyType({})


class State(StrEnum):
    """How things stand."""

    OK = "ok"
    WARN = "warn"
    BAD = "bad"


OK, WARN, BAD = State


class Code(Enum):
    """Everything that can be found: the check it belongs to, and its state."""

    check: str
    state: State

    def __new__(cls, check: str, state: State) -> Code:
        """Numbered as they stand here: two of one check and one state stay two."""
        code = object.__new__(cls)
        code._value_ = len(cls.__members__) + 1
        code.check, code.state = check, state
        return code

    VERSION = "version", OK
    # this program's own files
    KEY = "key", OK
    KEY_TO_COME = "key", OK
    KEY_OPEN = "key", BAD
    KEY_OF_ANOTHER = "key", BAD
    KEY_NO_FILE = "key", BAD
    KEY_NO_KEY = "key", BAD
    KEY_UNREADABLE = "key", BAD
    FILES = "files", OK
    FILES_SHARED = "files", WARN
    FILES_SHUT = "files", BAD
    # the terminal
    TERMINAL = "terminal", OK
    TERMINAL_UNMEASURED = "terminal", OK
    TERMINAL_NONE = "terminal", OK
    TERMINAL_SMALL = "terminal", WARN
    TERMINAL_LETTERS = "terminal", WARN
    TERMINAL_WIDTHS = "terminal", WARN
    # this machine on its network
    INTERFACES = "interfaces", OK
    INTERFACES_LOOPBACK = "interfaces", WARN
    INTERFACES_NONE = "interfaces", BAD
    ROUTE = "route", OK
    ROUTE_NONE = "route", OK
    ROUTE_TUNNEL = "route", WARN
    ROUTE_ELSEWHERE = "route", WARN
    ROUTE_ONLY_TUNNEL = "route", WARN
    MULTICAST = "multicast", OK
    MULTICAST_FORBIDDEN = "multicast", BAD
    MULTICAST_FAILED = "multicast", BAD
    MULTICAST_HELD = "multicast", BAD
    ECHO = "echo", OK
    ECHO_NONE = "echo", BAD
    MDNS_ALONE = "mdns", OK
    MDNS_SHARED = "mdns", OK
    PORT = "port", OK
    PORT_NEXT = "port", OK
    PORT_TAKEN = "port", BAD
    # the others
    NEIGHBOURS = "neighbours", OK
    NEIGHBOURS_NONE = "neighbours", WARN
    NEIGHBOURS_SILENT = "neighbours", WARN
    WAY = "way", OK
    WAY_ELSEWHERE = "way", BAD
    WAY_OTHER_INTERFACE = "way", BAD
    PEER_DOCTOR = "peer", OK
    PEER_TABLE = "peer", OK
    PEER_PROGRAM = "peer", OK
    PEER_UNKNOWN = "peer", BAD
    PEER_STRANGER = "peer", BAD
    PEER_PROTOCOL = "peer", BAD
    PEER_REFUSED = "peer", BAD
    PEER_SILENT = "peer", BAD
    PEER_NO_ROUTE = "peer", BAD
    PEER_FAILED = "peer", BAD
    BACK = "back", OK
    BACK_UNASKED = "back", WARN
    BACK_BLOCKED = "back", BAD
    BACK_WRONG = "back", BAD
    HEARD = "hears peer", OK
    HEARD_NOT = "hears peer", BAD
    HEARD_NEITHER = "hears peer", BAD
    HEARD_NO_ANSWER = "hears peer", BAD
    HEARS = "heard by peer", OK
    HEARS_NOT = "heard by peer", BAD
    HEARS_NEITHER = "heard by peer", BAD
    CLOCK = "clock", OK
    CLOCK_OFF = "clock", WARN
    FIREWALL_NONE = "firewall", OK
    FIREWALL_OFF = "firewall", OK
    FIREWALL_OPEN = "firewall", OK
    FIREWALL_PERHAPS = "firewall", OK
    FIREWALL_ON = "firewall", WARN
    # what follows from it
    NETWORK = "network", OK
    NETWORK_NO_MULTICAST = "network", WARN
    NETWORK_OTHER = "network", WARN
    NETWORK_APART = "network", WARN
    NETWORK_VPN = "network", WARN
    JOIN_LIST = "join", OK
    JOIN_HERE = "join", OK
    JOIN_LINE = "join", WARN
    JOIN_TURNED = "join", WARN
    JOIN_NOT = "join", WARN
    # `doctor --listen`: who came
    LISTENING = "listen", OK
    VISITOR_HEARD = "visitor", OK
    VISITOR = "visitor", OK
    VISITOR_UNHEARD = "visitor", BAD
    VISITOR_UNREACHED = "visitor", BAD
    VISITOR_NEITHER = "visitor", BAD


class Finding(Struct, frozen=True):
    """One line of the report."""

    code: Code
    detail: Mapping[str, str] = _NOTHING

    @property
    def check(self) -> str:
        """Which check it belongs to."""
        return self.code.check

    @property
    def state(self) -> State:
        """How things stand there."""
        return self.code.state


def found(code: Code, **detail: object) -> Finding:
    """A finding with its detail as text."""
    return Finding(code, {name: str(value) for name, value in detail.items()})

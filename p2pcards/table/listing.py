"""The list of tables on this network: adverts and probes in, rows out."""

from __future__ import annotations

from msgspec import Struct


class Row(Struct, frozen=True):
    """One table of the list, ready to show."""

    table: bytes  # T
    key: bytes  # the host's
    title: str
    game: str
    host: str  # nick
    seats: int
    taken: int
    state: str  # lobby, playing, waiting
    door: str
    addresses: tuple[tuple[str, int], ...]  # host (with %scope), port; best first
    here: bool = False  # the host runs on this machine
    answers: bool = True  # it answered the last probe
    version: str = ""  # of another protocol version: "theirs / ours", can't be joined
    options: tuple[tuple[str, str], ...] = ()
    interface: str = ""  # where it was seen


class HomeView(Struct, frozen=True):
    """Everything the home screen needs to know."""

    nick: str
    words: str  # chip of the own key: two words
    profile: str
    interfaces: tuple[tuple[str, str], ...]  # name, address
    rows: tuple[Row, ...]
    trouble: str = ""  # why nothing can be found, one sentence; empty while all is well
    searching_for: float = 0.0  # seconds since the search began
    join_line: str = ""

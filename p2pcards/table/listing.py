"""The list of tables on this network: adverts and probes in, rows out (protocol 5.1).

An advert is a hint that anybody may send. So a table is asked over TCP, its host proving the key it advertised, as soon
as it is heard of and again every PROBE_SECONDS while the list is on screen; what it answers counts, not the advert. A
row that misses an answer turns grey, one that misses GONE_AFTER leaves. It is asked on, seldom, until its advert is
taken back: a table comes back with its cable.

One entry is one (table, key); its advert may reach us under several names and addresses, all of which are tried. Who
advertises somebody else's table and key gains nothing, since he can't prove the key; who advertises somebody else's
table with his own key stands beside it, marked.

    listing = Listing(PROTOCOL, {"tongits": 1}, secrets.token_bytes)
    for probe in listing.handle(Heard(name, advert, targets), now): ...      # each ends in one Answered or Missed
    listing.rows, listing.wake_at                                           # call handle(Woke(), now) by then
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct

from p2pcards.table.effects import Woke
from p2pcards.wire.advert import STATES, Advert
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.messages import Info
from p2pcards.wire.text import clean, clean_title, nick

PROBE_SECONDS = 5.0
"""Between two questions to a table, give or take a fifth."""
HIDDEN_SECONDS = 15.0
"""The same for a table that has left the list."""
LEAST_SECONDS = 1.0
"""Between two questions to a table, however often its advert changes."""
AT_ONCE = 16
"""Probes on their way at the same time."""
GONE_AFTER = 3
"""Answers missed in a row."""
ECHO_SECONDS = 3.0
"""How long after an advert was taken back it may still be heard: then the table is not shown before it answers."""
MOST_ROWS = 64
MOST_ENTRIES = 256
"""Kept track of; behind them newcomers push out who never answered."""
MOST_PER_HOST = 16
"""Entries of one address."""
MOST_NAMES, MOST_TARGETS = 4, 16
"""Adverts and addresses of one entry."""
_WORD, _VALUE, _OPTIONS = 16, 40, 32


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
    version: str = ""  # of another version of the protocol or the rules: "theirs / ours", can't be joined
    options: tuple[tuple[str, str], ...] = ()
    interface: str = ""  # where it was seen
    contested: bool = False  # another key answers for the same table
    lab: bool = False  # a member of our lab hosts it
    barred: bool = False  # it answers, but tells nothing to who is no member of its lab


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
    joining: str = ""  # what `join` was given, while we are on the way there; `leave` gives up
    asking: str = ""  # title of the table on our way that asks for its code
    in_lab: bool = False  # we have a lab's key
    key: bytes = b""  # our own


# ---- inputs


class Shown(Struct, frozen=True):
    """The list is on screen from now on, or (False) no longer."""

    shown: bool = True


class Heard(Struct, frozen=True):
    """An advert came in, for the first time or changed. targets: (host, port), host with its %scope."""

    name: str  # of the instance
    advert: Advert
    targets: tuple[tuple[str, int], ...]


class Gone(Struct, frozen=True):
    """An advert was taken back, or ran out."""

    name: str


class Answered(Struct, frozen=True):
    """The host of a probe proved its key and told of its table.

    target: the address that led there; here: it is on this machine; interface: the one we reached it by.
    """

    probe: Probe
    info: Info
    target: tuple[str, int]
    here: bool
    interface: str


class Missed(Struct, frozen=True):
    """A probe led to nobody, or to somebody else."""

    probe: Probe


Input = Shown | Heard | Gone | Answered | Missed | Woke


class Probe(Struct, frozen=True):
    """Asks for a question to the host of a table at any of these addresses."""

    table: bytes
    key: bytes
    targets: tuple[tuple[str, int], ...]


class _Entry:
    """What is known of one (table, key), or of one advert that we can't read."""

    def __init__(self, advert: Advert) -> None:
        self.advert = advert
        self.names: dict[str, tuple[tuple[str, int], ...]] = {}  # of its adverts, with their targets
        self.answer: Answered | None = None
        self.missed = 0
        self.due = 0.0
        self.asked = False  # a probe is on its way
        self.asked_at: float | None = None

    @property
    def host(self) -> str:
        """The address that it counts for."""
        return next(iter(self.names.values()))[0][0]

    @property
    def targets(self) -> tuple[tuple[str, int], ...]:
        """Every address, the one that answered first."""
        best = (self.answer.target,) if self.answer else ()
        every = dict.fromkeys((*best, *(target for targets in self.names.values() for target in targets)))
        return tuple(every)[:MOST_TARGETS]

    @property
    def answers(self) -> bool:
        return self.answer is not None and not self.missed

    @property
    def gone(self) -> bool:
        return self.missed >= GONE_AFTER

    def hurry(self, now: float) -> None:
        """There is something to ask it about."""
        self.due = now if self.asked_at is None else max(now, self.asked_at + LEAST_SECONDS)


class Listing:
    """The machine behind the list."""

    def __init__(self, protocol: int, rules: Mapping[str, int], random: Callable[[int], bytes]) -> None:
        """rules: the rules integer of every game we have; random: so many random bytes, for the jitter."""
        self._protocol, self._rules, self._random = protocol, rules, random
        self._entries: dict[bytes | str, _Entry] = {}  # by table and key, or by name; in the order first heard
        self._keys: dict[str, bytes | str] = {}  # of entries, by the names of their adverts
        self._taken_back: dict[str, float] = {}  # names, and when their adverts were
        self._shown = False

    def handle(self, happened: Input, now: float) -> tuple[Probe, ...]:
        """Takes one input and says whom to ask now."""
        match happened:
            case Shown():
                if happened.shown and not self._shown:
                    for entry in self._entries.values():
                        entry.hurry(now)
                self._shown = happened.shown
            case Heard():
                self._hear(happened, now)
            case Gone():
                self._take_back(happened.name, now)
            case Answered():
                self._take(happened, now)
            case Missed():
                self._miss(happened.probe, now)
            case Woke():
                pass
        return self._probes(now)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What to show: in the order first heard, tables of another version behind, at most 64."""
        by_table: dict[bytes, list[_Entry]] = {}
        foreign = []
        for entry in self._entries.values():
            if not entry.advert.table:
                foreign.append(entry)
            elif not entry.gone:
                by_table.setdefault(entry.advert.table, []).append(entry)
        listed = [(entry, contested) for group in by_table.values() for entry, contested in _chosen(group)]
        if len(listed) > MOST_ROWS:
            listed.sort(key=lambda one: not one[0].answers)
        listed += [(entry, False) for entry in foreign]
        return tuple(self._row(entry, contested) for entry, contested in listed[:MOST_ROWS])

    @property
    def settled(self) -> bool:
        """Whether every table heard of has answered or missed at least once."""
        return all(entry.answer or entry.missed for entry in self._entries.values() if entry.advert.table)

    @property
    def wake_at(self) -> float | None:
        """When the next probe is due; None: not before something happens."""
        return min((entry.due for entry in self._waiting()), default=None)

    # ---- inputs

    def _hear(self, heard: Heard, now: float) -> None:
        advert = heard.advert
        if not heard.targets:
            return
        key = advert.table + advert.key or heard.name
        if self._keys.get(heard.name, key) != key:
            self._forget(heard.name)
        entry = self._entries.get(key)
        if entry is None:
            if not self._make_room(heard):
                return
            entry = self._entries[key] = _Entry(advert)
            if now - self._taken_back.get(heard.name, -ECHO_SECONDS) < ECHO_SECONDS:
                entry.missed = GONE_AFTER
        if heard.name not in entry.names and len(entry.names) >= MOST_NAMES:
            return
        if entry.names.get(heard.name) != heard.targets or entry.advert != advert:
            entry.hurry(now)
        entry.names[heard.name] = heard.targets
        entry.advert = advert
        self._keys[heard.name] = key

    def _make_room(self, heard: Heard) -> bool:
        """Whether one more entry may be kept track of."""
        host = heard.targets[0][0]
        if sum(entry.host == host for entry in self._entries.values()) >= MOST_PER_HOST:
            return False
        if len(self._entries) >= MOST_ENTRIES:
            silent = next((entry for entry in self._entries.values() if entry.answer is None), None)
            if silent is None:
                return False
            for name in tuple(silent.names):
                self._forget(name)
        return True

    def _take_back(self, name: str, now: float) -> None:
        self._forget(name)
        self._taken_back[name] = now
        if len(self._taken_back) > MOST_ENTRIES:
            del self._taken_back[next(iter(self._taken_back))]

    def _forget(self, name: str) -> None:
        """An advert is gone, and its entry with the last of them."""
        key = self._keys.pop(name, None)
        if key is not None:
            entry = self._entries[key]
            del entry.names[name]
            if not entry.names:
                del self._entries[key]

    def _take(self, answered: Answered, now: float) -> None:
        probe, info = answered.probe, answered.info
        if info.table != probe.table or info.host != probe.key:
            self._miss(probe, now)
            return
        entry = self._entries.get(probe.table + probe.key)
        if entry is not None:
            entry.answer, entry.missed, entry.asked = answered, 0, False
            entry.due = now + self._jittered(PROBE_SECONDS)

    def _miss(self, probe: Probe, now: float) -> None:
        entry = self._entries.get(probe.table + probe.key)
        if entry is not None:
            entry.missed += 1
            entry.asked = False
            entry.due = now + self._jittered(HIDDEN_SECONDS if entry.gone else PROBE_SECONDS)

    # ---- probes

    def _waiting(self) -> list[_Entry]:
        if not self._shown or sum(entry.asked for entry in self._entries.values()) >= AT_ONCE:
            return []
        return [entry for entry in self._entries.values() if entry.advert.table and not entry.asked]

    def _probes(self, now: float) -> tuple[Probe, ...]:
        room = AT_ONCE - sum(entry.asked for entry in self._entries.values())
        due = sorted((entry for entry in self._waiting() if entry.due <= now), key=lambda entry: entry.due)[:room]
        for entry in due:
            entry.asked, entry.asked_at = True, now
        return tuple(Probe(entry.advert.table, entry.advert.key, entry.targets) for entry in due)

    def _jittered(self, seconds: float) -> float:
        return seconds * (0.8 + 0.4 * self._random(1)[0] / 255)

    # ---- rows

    def _row(self, entry: _Entry, contested: bool) -> Row:
        advert = entry.advert
        if entry.answer is None:
            version = "" if advert.version == self._protocol else f"{advert.version} / {self._protocol}"
            return Row(
                advert.table,
                advert.key,
                advert.title,
                advert.game,
                advert.host,
                advert.seats,
                advert.taken,
                advert.state,
                advert.door,
                entry.targets,
                answers=False,
                version=version,
            )
        info = entry.answer.info
        return Row(
            advert.table,
            advert.key,
            clean_title(info.title),
            clean(info.game, _WORD),
            nick(info.nick),
            len(info.seats),
            sum(kind != SeatKind.OPEN for _, kind in info.seats),
            info.state if info.state in STATES else STATES[0],
            clean(info.door, _WORD),
            entry.targets,
            here=entry.answer.here,
            answers=entry.answers,
            version=self._difference(info),
            options=tuple((clean(key, _VALUE), clean(value, _VALUE)) for key, value in info.options[:_OPTIONS]),
            interface=entry.answer.interface,
            contested=contested,
        )

    def _difference(self, info: Info) -> str:
        """Both versions, where the table's is not ours."""
        if info.protocol != self._protocol:
            return f"{info.protocol} / {self._protocol}"
        ours = self._rules.get(info.game)
        if ours is None:
            return f"{clean(info.game, _WORD)} / none"
        return "" if info.rules == ours else f"rules {info.rules} / {ours}"


def _chosen(group: list[_Entry]) -> list[tuple[_Entry, bool]]:
    """The entries of one table to show, and whether they are several: all that answer, else the highest term."""
    answering = sorted((entry for entry in group if entry.answers), key=_term, reverse=True)
    return [(entry, len(answering) > 1) for entry in answering] or [(max(group, key=_term), False)]


def _term(entry: _Entry) -> int:
    return entry.answer.info.term if entry.answer else entry.advert.term

"""The list of tables on this network: adverts and probes in, rows out (protocol 5.1).

An advert is a hint that anybody may send. So a table is asked over TCP, its host proving the key it advertised, as soon
as it is heard of and again every PROBE_SECONDS while the list is on screen; what it answers counts, not the advert. A
row that misses an answer turns grey, one that misses GONE_AFTER leaves. It is asked on, seldom, until its advert is
taken back: a table comes back with its cable.

One entry is one (table, key); its advert may reach us under several names and addresses, all of which are tried. Who
advertises somebody else's table and key gains nothing, since he can't prove the key; who advertises somebody else's
table with his own key stands beside it, marked. Where adverts are more than are kept track of, those go first that led
to nothing, and nobody goes who has answered.

Rows are grouped by table: of several that host it, each that answers is shown, marked; a member that doesn't host it
but answers (it advertises while it has no host, or leads on to the new one) stands in where no host does.

    listing = Listing(PROTOCOL, {"tongits": 1}, secrets.token_bytes)
    for probe in listing.handle(Heard(name, advert, targets), now): ...      # each ends in one Answered or Missed
    listing.rows, listing.wake_at                                           # call handle(Woke(), now) by then
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from msgspec import Struct, structs

from p2pcards.table.effects import Woke
from p2pcards.table.hearsay import GONE_AFTER, Answered, Barred, Entry, Gone, Heard, Input, Missed, Probe, Shown
from p2pcards.table.pace import Pace
from p2pcards.table.settings import NEEDS_LAB
from p2pcards.wire.advert import STATES
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.messages import Info
from p2pcards.wire.text import clean, clean_title, nick

PROBE_SECONDS = 5.0
"""Between two questions to a table, give or take a fifth."""
HIDDEN_SECONDS = 15.0
"""The same for a table that has left the list."""
ECHO_SECONDS = 3.0
"""How long after an advert was taken back it may still be heard: then the table is not shown before it answers."""
MOST_ROWS = 64
MOST_ENTRIES = 256
"""Kept track of; behind them newcomers push out who never answered."""
MOST_PER_HOST = 16
"""Entries of one address."""
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


class KeptTable(Struct, frozen=True):
    """A table that we have a seat at and that had not ended when we last saw it: `resume` goes on."""

    table: bytes  # T
    title: str
    game: str
    age: float = 0.0  # seconds since anything was written to its journal
    profile: str = ""  # whose seat it is
    held: int | None = None  # seconds for which our seat is still kept, where that is known


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
    kept: tuple[KeptTable, ...] = ()  # the newest first


class Listing:
    """The machine behind the list."""

    def __init__(self, protocol: int, rules: Mapping[str, int], random: Callable[[int], bytes]) -> None:
        """rules: the rules integer of every game we have; random: so many random bytes, for the jitter."""
        self._protocol, self._rules, self._random = protocol, rules, random
        self._entries: dict[bytes | str, Entry] = {}  # by table and key, or by name; in the order first heard
        self._keys: dict[str, bytes | str] = {}  # of entries, by the names of their adverts
        self._taken_back: dict[str, float] = {}  # names, and when their adverts were
        self._pace = Pace()
        self._made: dict[bytes | str, tuple[Entry, int, Row]] = {}  # rows as they were shown last
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
            case Answered() | Barred():
                self._take(happened, now)
            case Missed():
                self._miss(happened.probe, now)
            case Woke():
                pass
        return self._probes(now)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What to show: tables of our lab, the others, those of another version; each in the order first heard.

        At most 64, those that answer before those that don't.
        """
        by_table: dict[bytes, dict[bytes, Entry]] = {}
        foreign = []
        for entry in self._entries.values():
            if not entry.advert.table:
                foreign.append(entry)
            elif not entry.gone:
                group = by_table.setdefault(entry.table, {})
                if entry.advert.table == entry.table or entry.advert.key not in group:
                    group[entry.advert.key] = entry
        listed = [one for group in by_table.values() for one in _chosen(list(group.values()))]
        if len(listed) > MOST_ROWS:
            listed.sort(key=lambda one: not one[0].answers)
        listed.sort(key=lambda one: not one[0].lab)
        listed += [(entry, False) for entry in foreign]
        before, self._made = self._made, {}
        return tuple(self._row(entry, contested, before) for entry, contested in listed[:MOST_ROWS])

    def ways(self, table: bytes) -> tuple[tuple[bytes, tuple[tuple[str, int], ...]], ...]:
        """Everybody who was heard of at this table, or at one that it became: keys and addresses."""
        entries = self._tables()
        return tuple((entry.advert.key, entry.targets) for entry in entries if entry.is_of(table) and not entry.gone)

    @property
    def settled(self) -> bool:
        """Whether every table heard of has answered or missed at least once."""
        return all(entry.answer or entry.missed for entry in self._entries.values() if entry.advert.table)

    @property
    def wake_at(self) -> float | None:
        """When the next probe is due; None: not before something happens."""
        if not self._shown:
            return None
        return min((self._pace.due(entry) for entry in self._pace.waiting(self._tables())), default=None)

    # ---- inputs

    def _hear(self, heard: Heard, now: float) -> None:
        if not heard.targets:
            return
        key = heard.advert.table + heard.advert.key or heard.name
        if self._keys.get(heard.name, key) != key:
            self._forget(heard.name, now)
        entry = self._entries.get(key)
        if entry is None:
            if not self._make_room(heard):
                return
            entry = self._entries[key] = Entry(heard)
            if now - self._taken_back.get(heard.name, -ECHO_SECONDS) < ECHO_SECONDS:
                entry.missed = GONE_AFTER
        self._keys[heard.name] = key
        for name in entry.hear(heard, now):
            del self._keys[name]

    def _make_room(self, heard: Heard) -> bool:
        """Whether one more entry may be kept track of."""
        host = heard.targets[0][0]
        beside = [key for key, entry in self._entries.items() if entry.host == host]
        if len(beside) >= MOST_PER_HOST and not self._push_out(beside, heard.lab):
            return False
        return len(self._entries) < MOST_ENTRIES or self._push_out(list(self._entries), heard.lab)

    def _push_out(self, keys: list[bytes | str], lab: bool) -> bool:
        """Drops the oldest of those that led to nothing most often, never one that has answered; lab: for one of it."""
        silent = [key for key in keys if self._entries[key].answer is None and (lab or not self._entries[key].lab)]
        if not silent:
            return False
        worst = max(silent, key=lambda key: self._badness(self._entries[key]))
        for name in self._entries.pop(worst).names:
            del self._keys[name]
        return True

    def _badness(self, entry: Entry) -> tuple[bool, int]:
        return not entry.lab, entry.missed + self._pace.failures(entry.host)

    def _take_back(self, name: str, now: float) -> None:
        self._forget(name, now)
        self._taken_back[name] = now
        if len(self._taken_back) > MOST_ENTRIES:
            del self._taken_back[next(iter(self._taken_back))]

    def _forget(self, name: str, now: float) -> None:
        """An advert is gone, and with the last of them its entry, unless it answers: then it is asked whether it is."""
        key = self._keys.pop(name, None)
        if key is None:
            return
        entry = self._entries[key]
        entry.lose(name, now)
        if not entry.names and not (entry.answers and self._shown):
            del self._entries[key]

    def _take(self, answer: Answered | Barred, now: float) -> None:
        probe = answer.probe
        if isinstance(answer, Answered) and probe.table not in (answer.info.table, *answer.info.earlier):
            self._miss(probe, now)
            return
        entry = self._over(probe, answered=True)
        if entry is None:
            return
        before = entry.term if entry.hosts else None
        entry.take(answer, now, now + self._jittered(PROBE_SECONDS))
        if entry.hosts and entry.term != before:
            for other in self._tables():
                if other.table == entry.table and other.hosts and other.term < entry.term:
                    other.supersede(now)

    def _miss(self, probe: Probe, now: float) -> None:
        entry = self._over(probe, answered=False)
        if entry is None:
            return
        if entry.miss():
            del self._entries[entry.key]
        entry.due = now + self._jittered(HIDDEN_SECONDS if entry.gone else PROBE_SECONDS)

    def _over(self, probe: Probe, *, answered: bool) -> Entry | None:
        """A question came to its end; gives the entry that it was about, where there still is one."""
        key = probe.table + probe.key
        entry = self._entries.get(key)
        self._pace.over(key, entry.host if entry else probe.targets[0][0], answered=answered)
        return entry

    # ---- probes

    def _tables(self) -> list[Entry]:
        return [entry for entry in self._entries.values() if entry.advert.table]

    def _probes(self, now: float) -> tuple[Probe, ...]:
        if not self._shown:
            return ()
        return tuple(entry.ask(now, hasty) for entry, hasty in self._pace.chosen(self._tables(), now))

    def _jittered(self, seconds: float) -> float:
        return seconds * (0.8 + 0.4 * self._random(1)[0] / 255)

    # ---- rows

    def _row(self, entry: Entry, contested: bool, before: dict[bytes | str, tuple[Entry, int, Row]]) -> Row:
        """The row of an entry: the one from before where nothing has changed."""
        key = entry.key or next(iter(entry.names))
        last = before.get(key)
        if last is not None and last[0] is entry and last[1] == entry.news and last[2].contested == contested:
            row = last[2]
        else:
            row = self._advertised(entry, contested)
            if isinstance(entry.answer, Answered):
                row = self._told(row, entry.answer)
        self._made[key] = entry, entry.news, row
        return row

    def _told(self, row: Row, answer: Answered) -> Row:
        """The same with what its host says."""
        info = answer.info
        return structs.replace(
            row,
            table=info.table,
            title=clean_title(info.title),
            game=clean(info.game, _WORD),
            host=nick(info.nick),
            seats=len(info.seats),
            taken=sum(kind != SeatKind.OPEN for _, kind in info.seats),
            state=info.state if info.state in STATES else STATES[0],
            door=clean(info.door, _WORD),
            version=self._difference(info),
            options=tuple((clean(key, _VALUE), clean(value, _VALUE)) for key, value in info.options[:_OPTIONS]),
        )

    def _advertised(self, entry: Entry, contested: bool) -> Row:
        """The row of a table by its advert."""
        advert, answer = entry.advert, entry.answer
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
            here=answer is not None and answer.here,
            answers=entry.answers,
            version="" if advert.version == self._protocol else f"{advert.version} / {self._protocol}",
            interface=answer.interface if answer else "",
            contested=contested,
            lab=entry.lab,
            barred=isinstance(answer, Barred) and advert.door in NEEDS_LAB,  # its door may be another since
        )

    def _difference(self, info: Info) -> str:
        """Both versions, where the table's is not ours."""
        if info.protocol != self._protocol:
            return f"{info.protocol} / {self._protocol}"
        ours = self._rules.get(info.game)
        if ours is None:
            return f"{clean(info.game, _WORD)} / none"
        return "" if info.rules == ours else f"rules {info.rules} / {ours}"


def _chosen(group: list[Entry]) -> list[tuple[Entry, bool]]:
    """The entries of one table to show, and whether they are several: every host that answers, the highest term first.

    Without one a member that answers, best one that has a host, else the highest term.
    """
    hosts = sorted((entry for entry in group if entry.hosts), key=lambda entry: entry.term, reverse=True)
    if hosts:
        return [(entry, len(hosts) > 1) for entry in hosts]
    return [(max(group, key=lambda entry: (entry.answers, not entry.waits, entry.term)), False)]

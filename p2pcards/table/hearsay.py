"""What is heard of tables, and what is kept of each: adverts that anybody may send, answers of hosts with their keys.

An entry that has answered is held by its answers: an advert that is taken back, or a name that suddenly tells of
another table, only has it asked. One that never answered is as good as its advert.
"""

from __future__ import annotations

from itertools import chain, zip_longest

from msgspec import Struct

from p2pcards.table.effects import Woke
from p2pcards.wire.advert import Advert
from p2pcards.wire.messages import Info

LEAST_SECONDS = 1.0
"""Between two questions to a table, however often its advert changes."""
DOUBT_SECONDS = 0.25
"""The same where its advert was taken back."""
CALM_SECONDS = 60.0
"""How long nobody is asked in a hurry whose advert was taken back though the table is there: somebody forges."""
GONE_AFTER = 3
"""Answers missed in a row."""
MOST_NAMES, MOST_TARGETS = 4, 16
"""Adverts and addresses of one entry."""
HASTY_TARGETS = 4
"""Addresses tried where many tables wait for their question."""

Target = tuple[str, int]
"""Host, with its %scope, and port."""


class Shown(Struct, frozen=True):
    """The list is on screen from now on, or (False) no longer."""

    shown: bool = True


class Heard(Struct, frozen=True):
    """An advert came in, for the first time or changed. lab: its tag is one of our lab."""

    name: str  # of the instance
    advert: Advert
    targets: tuple[Target, ...]
    lab: bool = False


class Gone(Struct, frozen=True):
    """An advert was taken back, or ran out."""

    name: str


class Probe(Struct, frozen=True):
    """Asks for a question to the host of a table at any of these addresses. hasty: others wait, it is given up soon."""

    table: bytes
    key: bytes
    targets: tuple[Target, ...]
    hasty: bool = False


class Answered(Struct, frozen=True):
    """The far end of a probe proved its key and told of its table: as its host, or as a member who names the host.

    target: the address that led there; here: it is on this machine; interface: the one we reached it by.
    """

    probe: Probe
    info: Info
    target: Target
    here: bool
    interface: str


class Barred(Struct, frozen=True):
    """The host of a probe proved its key and tells nothing to who is no member of its lab."""

    probe: Probe
    target: Target
    here: bool
    interface: str


class Missed(Struct, frozen=True):
    """A probe led to nobody, or to somebody else."""

    probe: Probe


Input = Shown | Heard | Gone | Answered | Barred | Missed | Woke


class Entry:
    """What is known of one (table, key), or of one advert that we can't read."""

    def __init__(self, heard: Heard) -> None:
        self.advert = heard.advert
        self.key = heard.advert.table + heard.advert.key
        self.host = heard.targets[0][0]  # the address that it counts for
        self.names: dict[str, tuple[Target, ...]] = {}  # of its adverts, with their targets
        self.lab = False
        self.answer: Answered | Barred | None = None
        self.missed = 0
        self.due = 0.0
        self.news = 0  # counts what may change its row
        self._known: tuple[Target, ...] = ()  # where it was when its last advert went
        self._asked_at: float | None = None
        self._withdrawn_at: float | None = None
        self._superseded_at: float | None = None
        self._forged_at: float | None = None

    @property
    def targets(self) -> tuple[Target, ...]:
        """Every address: the one that answered, then each advert's first, each advert's second, …"""
        best = (self.answer.target,) if self.answer else ()
        turns = chain.from_iterable(zip_longest(*self.names.values(), self._known))
        return tuple(dict.fromkeys((*best, *(target for target in turns if target is not None))))[:MOST_TARGETS]

    @property
    def answers(self) -> bool:
        return self.answer is not None and not self.missed

    @property
    def hosts(self) -> bool:
        """Whether it answers and is the table's host, as far as it tells, and has told since another took its place."""
        if self._superseded_at is not None:
            return False
        if isinstance(self.answer, Answered):
            return self.answers and self.answer.info.host == self.advert.key
        return self.answers and not self.waits

    @property
    def waits(self) -> bool:
        """Whether it has no host, or is none, and waits for one."""
        state = self.answer.info.state if isinstance(self.answer, Answered) else self.advert.state
        return state == "waiting"

    @property
    def table(self) -> bytes:
        """T, or the one that it has become."""
        return self.answer.info.table if isinstance(self.answer, Answered) else self.advert.table

    def is_of(self, table: bytes) -> bool:
        """Whether this is that table, or what has become of it."""
        if isinstance(self.answer, Answered):
            return table in (self.answer.info.table, *self.answer.info.earlier)
        return self.advert.table == table

    @property
    def gone(self) -> bool:
        return self.missed >= GONE_AFTER

    @property
    def term(self) -> int:
        return self.answer.info.term if isinstance(self.answer, Answered) else self.advert.term

    # ---- adverts

    def hear(self, heard: Heard, now: float) -> tuple[str, ...]:
        """Takes an advert of it; gives the name that it made forget, if any. A few names are enough."""
        self.news += 1
        self.lab |= heard.lab
        pushed: tuple[str, ...] = ()
        if heard.name not in self.names and len(self.names) >= MOST_NAMES:
            if self.answers:
                return (heard.name,)
            pushed = (next(iter(self.names)),)
            del self.names[pushed[0]]
        if self._asked_at is None or self.names.get(heard.name) != heard.targets or self.advert != heard.advert:
            self.hurry(now)
        self.names[heard.name] = heard.targets
        self.advert = heard.advert
        return pushed

    def lose(self, name: str, now: float) -> None:
        """An advert of it is gone."""
        self.news += 1
        self._known = self.targets
        del self.names[name]
        if self.names:
            return
        self._withdrawn_at = now
        if self._forged_at is None or now - self._forged_at >= CALM_SECONDS:
            self.hurry(now, DOUBT_SECONDS)

    # ---- questions

    def supersede(self, now: float) -> None:
        """Another hosts its table in a higher term: what it told before counts no more, and it is asked again."""
        self.news += 1
        self._superseded_at = now
        self.hurry(now)

    def hurry(self, now: float, least: float = LEAST_SECONDS) -> None:
        """There is something to ask it about."""
        self.due = now if self._asked_at is None else max(now, self._asked_at + least)

    def ask(self, now: float, hasty: bool) -> Probe:
        """The question to it."""
        self._asked_at = now
        targets = self.targets[:HASTY_TARGETS] if hasty else self.targets
        return Probe(self.advert.table, self.advert.key, targets, hasty)

    def take(self, answer: Answered | Barred, now: float, later: float) -> None:
        """It answered; the next question is due at `later`, at once where this one was older than the doubt."""
        self.news += 1
        self.answer, self.missed, self.due = answer, 0, later
        if self._superseded_at is not None and self._asked_at is not None:
            if self._asked_at < self._superseded_at:
                self.hurry(now)
            else:
                self._superseded_at = None
        if self._withdrawn_at is None:
            return
        if self._asked_at is not None and self._asked_at < self._withdrawn_at:
            self.hurry(now, DOUBT_SECONDS)
            return
        self._withdrawn_at, self._forged_at = None, now

    def miss(self) -> bool:
        """It did not answer; says whether there is nothing left to believe in it."""
        self.news += 1
        self.missed = self.missed + 1 if self._withdrawn_at is None else GONE_AFTER
        return not self.names

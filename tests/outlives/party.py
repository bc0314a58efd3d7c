"""People at one table, each a program on a machine of its own: told what to do line by line, and killed or cut off.

    with party(folder, "tongits", 3) as table:
        table.deal()
        table.play(3)                       # three acts, whoever's turn it is
        table.kill(table.host)
        table.play_round()
        table.agree()                       # same acts, same scores, every record verified

Who acts chooses by the lot of `seed` among what is legal. Everything waits for what it needs, up to a deadline.
"""

from __future__ import annotations

import re
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from tests.testing.clients import P2PCARDS, Client, Event, homes
from tests.testing.lan import Host, Lan, lan

NICKS = ("ana", "ben", "cy", "dan", "eve", "flo", "gus", "hal")
_STEADY = {"tienlen": ("--option", "instant_win=off")}
"""Without which a round may be over as soon as it is dealt."""

PATIENCE = 80.0
"""Seconds that everything may take: ten times what is promised for the first act under a new host."""

_LIKED = {"tongits": "(?!call)", "tienlen": "play", "straights": "play", "onecard": "play"}
"""What is done where it may be, so that a round ends neither at once nor late."""


class Person:
    """One of them: the running program and what it was told, in the state that it leaves."""

    def __init__(self, nick: str, machine: Host, folder: Path) -> None:
        self.nick, self.machine = nick, machine
        self.home = folder / nick
        self.home.mkdir()
        self.record = folder / f"{nick}.p2pcards.toml"
        self.alive = self.stopped = False
        self._forget()

    def start(self, *words: str) -> None:
        """Runs the program; what it was told in an earlier run is forgotten."""
        command = (*P2PCARDS, *words, "--json", "--nick", self.nick, "--record", str(self.record))
        if words[0] != "watch":
            command = (*command, "--pace", "0")
        self.client = Client(self.machine.start(*command, env=homes(self.home)))
        self.alive, self.stopped = True, False
        self._forget()

    def _forget(self) -> None:
        self.hand = ""
        self.turn: tuple[int, ...] = ()
        self.seat: int | None = None
        self.acts: dict[int, tuple[str, str, str]] = {}
        self.hosts: list[Event] = []
        self.heard: list[Event] = []
        self.said = 0.0  # when it was last told to act
        self.done = 0  # acts of its own that it saw in the journal

    @property
    def host(self) -> str:
        """The host's nick as this program knows it."""
        return str(self.hosts[-1]["nick"]) if self.hosts else ""

    def told(self, name: str) -> Event:
        """The last event of that name."""
        return next(event for event in reversed(self.heard) if event["event"] == name)

    def since(self, place: int, name: str) -> list[Event]:
        """The events of that name from that place of `heard` on."""
        return [event for event in self.heard[place:] if event["event"] == name]

    def count(self, name: str, **fields: object) -> int:
        """How many events of that name it was told."""
        return sum(1 for e in self.heard if e["event"] == name and all(e.get(k) == v for k, v in fields.items()))

    def when(self, name: str, after: float, **fields: object) -> float | None:
        """When (monotonic) it was first told so after that time."""
        for at, event in zip(self.client.times, self.client.events, strict=True):
            if at >= after and event["event"] == name and all(event.get(k) == v for k, v in fields.items()):
                return at
        return None

    def pump(self) -> None:
        """Takes in what has come."""
        while (event := self.client.next(0.0)) is not None:
            self.heard.append(event)
            self._take(event)

    def _take(self, event: Event) -> None:
        match event["event"]:
            case "entered":
                self.seat = event["seat"]
            case "host":
                self.hosts.append(event)
            case "view":
                self.hand = event["hand"]
            case "started":
                self.turn, self.seat = (), event["players"].index(self.nick) if self.nick in event["players"] else None
            case "turn":
                self.turn = tuple(event["seats"])
            case "entry":
                self.acts[event["index"]] = (event["nick"], event["kind"], event["text"])
                self.done += event["nick"] == self.nick
            case "rolled_back":
                for index in [index for index in self.acts if index >= event["index"]]:
                    del self.acts[index]
            case "round":
                self.turn = ()


class Party:
    """All of them and the network between them."""

    def __init__(self, net: Lan, folder: Path, game: str, count: int, seed: int) -> None:
        self.net, self.game, self._rng = net, game, Random(seed)  # noqa: S311 - a game's lot
        self._folder = folder
        self.people = [Person(nick, net.hosts[place], folder) for place, nick in enumerate(NICKS[:count])]
        self.rounds = 0

    # ---- who is who

    def __getitem__(self, nick: str) -> Person:
        return next(person for person in self.people if person.nick == nick)

    @property
    def present(self) -> list[Person]:
        """Those whose programs run."""
        return [person for person in self.people if person.alive and not person.stopped]

    @property
    def host(self) -> Person:
        """Whom most of those present take for the host."""
        return self[Counter(person.host for person in self.present).most_common(1)[0][0]]

    def others(self, *but: Person) -> list[Person]:
        """Those present without these."""
        return [person for person in self.present if person not in but]

    # ---- waiting

    def until(self, holds: Callable[[], object], what: str, seconds: float = PATIENCE) -> None:
        """Listens to everybody until something holds."""
        end = time.monotonic() + seconds
        while True:
            for person in self.people:
                if person.alive:
                    person.pump()
            if holds():
                return
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {what}\n{self.story()}")
            time.sleep(0.005)

    def story(self) -> str:
        """The last that everybody was told, and whose program has ended."""
        told = [f"{person.nick}: {event}" for person in self.people for event in person.heard[-12:]]
        ended = [f"{p.nick}: exit {code}" for p in self.present if (code := p.client.process.poll()) is not None]
        return "\n".join([*told, *ended])

    def ask(self, person: Person, question: str) -> list[str]:
        """What a program answers to a question about the table."""
        place = len(person.heard)

        def answers() -> list[Event]:
            said = [event for event in person.since(place, "answer") if event["command"] == question]
            return [*said, *person.since(place, "legal"), *person.since(place, "refused")]

        person.client.say(question)
        self.until(answers, f"{person.nick}'s answer to {question}")
        answer = answers()[0]
        return [*answer.get("lines", ()), *answer.get("actions", ())]

    # ---- at the table

    def sit(self, *options: str) -> None:
        """The first opens the table and the others join it, one after the other in their seats."""
        first, *others = self.people
        first.start("host", self.game, "--name", "lab", *options)
        self.until(lambda: first.count("table"), "a table")
        self.address = f"{first.machine.address}:{first.told('table')['port']}"
        for person in others:
            person.start("join", self.address)
        self.until(lambda: all(p.count("entered") for p in others), "everybody at the table")
        self.until(lambda: all(first.count("seated", nick=p.nick) for p in others), "everybody in a seat")
        self.until_safe()

    def comes(self, nick: str, machine: Host, *words: str) -> Person:
        """Somebody more comes to the table."""
        person = Person(nick, machine, self._folder)
        self.people.append(person)
        person.start(*words)
        self.until(lambda: person.count("entered"), f"{nick} at the table")
        return person

    def until_safe(self) -> None:
        """Until the table would go on without its host."""
        if len(self.people) > 2:
            person = self.people[-1]
            self.until(lambda: any("goes on" in line for line in self.ask(person, "who")), "a table that is safe")

    def deal(self) -> None:
        """Starts the match."""
        self.host.client.say("start")
        self.until(lambda: all(p.hand and p.turn for p in self.present if p.seat is not None), "everybody's cards")
        self.rounds += 1

    def next_round(self) -> None:
        """Goes on to the next round."""
        for person in self.present:
            person.hand = ""
            person.client.say("next")
        self.rounds += 1
        self.until(lambda: all(person.hand and person.turn for person in self.present), "everybody's next cards")

    def to_act(self) -> Person | None:
        """Who present is to act, by what themselves know."""
        found = (person for person in self.present if person.seat is not None and person.seat in person.turn)
        return next(found, None)

    def choice(self, person: Person, wish: str = "") -> str:
        """One of the person's legal actions; empty where they have none."""
        actions = self.ask(person, "legal")
        for first in filter(None, (wish, _LIKED.get(self.game, ""))):
            if liked := [action for action in actions if re.match(first, action)]:
                return self._rng.choice(liked)
        return self._rng.choice(actions) if actions else ""

    def try_act(self, wish: str = "") -> Person | None:
        """An act of somebody present, if one of them may act; None where nobody may, or may no longer."""
        person = self.to_act()
        if person is None or not (action := self.choice(person, wish)):
            return None
        return person if self.does(person, action) else None

    def does(self, person: Person, action: str) -> bool:
        """Somebody's act; whether it is in the journal, and not refused."""
        before, place, person.turn, person.said = person.done, len(person.heard), (), time.monotonic()
        person.client.say(action)
        self.until(
            lambda: person.done > before or person.since(place, "refused") or person.since(place, "round"),
            f"{person.nick}'s {action} in the journal",
        )
        return person.done > before

    def act(self, wish: str = "") -> Person:
        """One act of somebody present, as soon as one of them may; who it was."""
        acted: list[Person] = []

        def done() -> bool:
            acted.extend(filter(None, [self.try_act(wish)]))
            return bool(acted)

        self.until(done, "somebody's act")
        self.level()
        return acted[0]

    def play(self, acts: int, wish: str = "") -> None:
        """So many acts of those present."""
        for _ in range(acts):
            self.act(wish)

    def level(self) -> None:
        """Until all who are in reach of each other know of the same acts."""
        self.until(lambda: len({max(p.acts, default=0) for p in self._reach()}) <= 1, "everybody knowing of the acts")

    def _reach(self) -> list[Person]:
        return [person for person in self.present if person.machine not in self.net.away]

    def until_turn(self, *persons: Person, wish: str = "", when: Callable[[], bool] = lambda: True) -> Person:
        """Plays until one of these is to act, and that holds."""

        def due() -> Person | None:
            self.until(lambda: self.to_act() is not None, "somebody's turn")
            person = self.to_act()
            return person if person in persons and when() else None

        for _ in range(500):
            if (person := due()) is not None:
                return person
            self.act(wish)
        raise AssertionError("nobody's turn")

    def play_round(self) -> None:
        """Plays to the round's end, until everybody's program has told of it and found it sound."""

        def over() -> bool:
            return all(person.count("round", number=self.rounds) for person in self.present)

        self.until(lambda: over() or (self.try_act() and over()), "the round's end", 2 * PATIENCE)
        self.until(
            lambda: all(person.count("audit", round=self.rounds, ok=True) for person in self.present),
            "everybody's check of the round",
        )

    # ---- what happens to them

    def kill(self, *persons: Person) -> float:
        """kill -9; when."""
        at = time.monotonic()
        for person in persons:
            person.client.process.kill()
        for person in persons:
            person.client.process.wait()
            person.alive = False
        return at

    def freeze(self, person: Person) -> None:
        """SIGSTOP: the program hears and says nothing, and doesn't know it."""
        person.client.process.send_signal(signal.SIGSTOP)
        person.stopped = True

    def thaw(self, person: Person) -> None:
        """SIGCONT."""
        person.client.process.send_signal(signal.SIGCONT)
        person.stopped = False

    def resume(self, *persons: Person) -> None:
        """The same people come back with what is on their disks."""
        for person in persons:
            person.start("resume")

    def after(self, seconds: float) -> None:
        """Listens for so long: what is tried is that something lasts, or does not happen."""
        end = time.monotonic() + seconds
        self.until(lambda: time.monotonic() > end, "the time", seconds + PATIENCE)

    def until_host(self, term: int, *persons: Person) -> Person:
        """Until these (or all present) know one host of at least that term."""
        who = persons or tuple(self.present)
        self.until(
            lambda: all(p.hosts and p.hosts[-1]["term"] >= term for p in who) and len({p.host for p in who}) == 1,
            f"a host of term {term}",
        )
        return self[who[0].host]

    # ---- what must be so

    def hands(self, *persons: Person) -> dict[str, str]:
        """The cards of these, or of all present, as their programs show them now."""
        return {p.nick: "\n".join(self.ask(p, "hand")) for p in persons or self.present}

    def picture(self) -> tuple[str, str]:
        """What lies on the table and the scores, in which all present must agree; and they do."""
        seen = {person.nick: (self._said(person, "table"), self._said(person, "scores")) for person in self.present}
        assert len(set(seen.values())) == 1, seen
        return next(iter(seen.values()))

    def _said(self, person: Person, question: str) -> str:
        said = "\n".join(self.ask(person, question))
        said = re.sub(r"\b[Yy]our\b", f"{person.nick}'s", said)
        said = re.sub(r"\b[Yy]ou\b", person.nick, said)
        return said.replace(f"{person.nick} have ", f"{person.nick} has ").replace(
            f"{person.nick} are ", f"{person.nick} is "
        )

    def agree(self) -> None:
        """All present were told of the same acts, and their records hold before `verify` and are the same."""
        acts = {person.nick: person.acts for person in self.present}
        common = set.intersection(*(set(known) for known in acts.values()))
        assert common
        for known in acts.values():
            assert [known[index] for index in sorted(common)] == [self.present[0].acts[i] for i in sorted(common)]
        records = [person.record for person in self.present]
        self.until(lambda: len({r.read_bytes() if r.exists() else b"" for r in records}) == 1, "equal records")
        done = subprocess.run(
            [*P2PCARDS, "verify", *map(str, records)], capture_output=True, text=True, check=False, timeout=PATIENCE
        )
        assert done.returncode == 0, done.stderr + done.stdout


@contextmanager
def party(folder: Path, game: str, count: int, *options: str, seed: int = 1, machines: int = 0) -> Iterator[Party]:
    """So many people seated at a table of the game. machines: more than there are people, for who comes later."""
    with lan(max(count, machines)) as net:
        table = Party(net, folder, game, count, seed)
        table.sit(*(("-n", str(count)) if game in ("tienlen", "onecard") else ()), *_STEADY.get(game, ()), *options)
        yield table

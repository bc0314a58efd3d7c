"""What happens to tables, case by case (protocol 10, suite 10): each ends with a round that everybody verifies.

`often`: tried in every test run; all of them by `python -m tests.outlives`.
"""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from msgspec import Struct

from tests.outlives.party import Party, party
from tests.outlives.takeover import kill_host
from tests.testing.clients import P2PCARDS

ONE = ("--rounds", "1", "--option", "grace_seconds=2")
"""One round, in which a bot soon plays for who is gone."""

WAITING = ("--rounds", "1", "--option", "grace_seconds=60")
"""One round, in which everybody waits for who is gone."""

Run = Callable[[Path], str]


class Case(Struct, frozen=True):
    """A case: what happens, in a folder of its own; it gives what there is to say of it."""

    run: Run
    often: bool = False


# ---- the host dies


def killed(game: str, people: int, folder: Path, *, options: tuple[str, ...] = (), acts: int = 4) -> str:
    """In the middle of a round; the others play it to its end."""
    with party(folder, game, people, *ONE, *options) as table:
        table.deal()
        table.play(acts)
        table.until_turn(*table.others(table.host))
        return _dies(table)


def killed_under_attack(people: int, folder: Path) -> str:
    """In One Card, while an attack waits for an answer."""
    with party(folder, "onecard", people, *ONE, "--option", "cards=9") as table:
        table.deal()

        def attack() -> bool:
            return any("attack" in line for line in table.ask(table.present[0], "table"))

        table.until_turn(*table.others(table.host), wish="play (2|3)", when=attack)
        return _dies(table)


def _dies(table: Party) -> str:
    took = kill_host(table)
    table.play_round()
    table.agree()
    parts = (took.detection, took.vote, took.recovery, took.act)
    return f"first act after {took.total:.2f} s ({' + '.join(f'{part:.2f}' for part in parts)})"


def two_killed_of_five(folder: Path) -> str:
    """The host and a guest at once: three of five go on."""
    with party(folder, "onecard", 5, *ONE) as table:
        table.deal()
        table.play(3)
        dead = table.host
        table.kill(dead, table.others(dead)[-1])
        table.until_host(2)
        table.play_round()
        table.agree()
        return ""


def two_killed_of_four(folder: Path) -> str:
    """The host and a guest: two of four wait, and go on when one is back."""
    with party(folder, "tienlen", 4, *WAITING) as table:
        table.deal()
        table.play(3)
        dead = table.host
        guest = table.others(dead)[-1]
        table.kill(dead, guest)
        table.until(lambda: all(person.count("waits") for person in table.present), "being told whom they wait for")
        assert all(person.hosts[-1]["term"] == 1 for person in table.present)
        hands = table.hands()
        table.resume(guest)
        table.until_host(2)
        assert {nick: hand for nick, hand in table.hands().items() if nick in hands} == hands
        table.resume(dead)
        table.until_host(2)
        table.play_round()
        table.agree()
        return ""


# ---- everybody dies; two and one


def everybody_killed(people: int, folder: Path, game: str = "tongits") -> str:
    """kill -9 of all of them, and `resume` of all."""
    with party(folder, game, people, *WAITING) as table:
        table.deal()
        table.play(4)
        hands, picture = table.hands(), table.picture()
        table.kill(*table.people)
        table.resume(*table.people)
        table.until_host(1)
        table.until(lambda: all(person.hand and person.turn for person in table.present), "everybody's cards")
        assert table.hands() == hands
        assert table.picture() == picture
        table.play_round()
        table.agree()
        return ""


def host_of_two_back_in_time(folder: Path) -> str:
    """The guest waits, and it is the same term and the same round."""
    with party(folder, "tienlen", 2, *WAITING) as table:
        table.deal()
        table.play(4)
        hands, dead = table.hands(), table.host
        guest = table.others(dead)[0]
        table.kill(dead)
        table.until(lambda: guest.count("line", up=False), "a line that is down")
        table.resume(dead)
        table.until(lambda: guest.count("line", up=True) and dead.hand and dead.turn, "the host back")
        assert table.hands() == hands
        assert [event["term"] for event in guest.hosts] == [1]
        table.play_round()
        table.agree()
        return ""


def host_of_two_gone_for_good(folder: Path) -> str:
    """After the grace time the guest goes on alone, with the scores of the round before."""
    with party(folder, "tienlen", 2, "--rounds", "2", "--option", "grace_seconds=1") as table:
        table.deal()
        table.play_round()
        table.next_round()
        scores = table.ask(table.people[1], "scores")
        table.play(2)
        guest = table.others(table.host)[0]
        place = len(guest.heard)
        table.kill(table.host)
        table.until(lambda: guest.count("go_on"), "the question whether to go on")
        guest.client.say("proceed")
        table.until(lambda: guest.count("went_on") and guest.host == guest.nick, "going on as its own host")
        assert (again := table.ask(guest, "scores")) == scores, (again, scores)
        table.until(lambda: guest.since(place, "started"), "the round dealt anew")
        assert not guest.since(place, "refused")
        table.play_round()
        table.agree()
        return ""


# ---- the host stands still, or is cut off


def stopped(seconds: float, folder: Path) -> str:
    """SIGSTOP of the host for less time than it takes to notice: nothing changes."""
    with party(folder, "tongits", 3, *WAITING) as table:
        table.deal()
        table.play(3)
        host = table.host
        table.freeze(host)
        table.after(seconds)
        table.thaw(host)
        table.play_round()
        for person in table.people:
            assert [event["term"] for event in person.hosts] == [1]
            assert not person.count("changing")
        table.agree()
        return ""


def stopped_until_replaced(seconds: float, folder: Path) -> str:
    """SIGSTOP of the host for so long, and at least until another one is host: it comes back as a guest."""
    with party(folder, "tongits", 3, *WAITING) as table:
        table.deal()
        table.play(3)
        old = table.host
        table.freeze(old)
        began = time.monotonic()
        table.until_host(2)
        table.after(max(0.0, began + seconds - time.monotonic()))
        table.thaw(old)
        return _comes_back(table)


def cut_off(seconds: float, folder: Path, *, people: int = 3) -> str:
    """The host's cable out for so long; the others are more than half and go on, and it comes back as a guest."""
    with party(folder, "tongits" if people == 3 else "onecard", people, *WAITING) as table:
        table.deal()
        table.play(3)
        old = table.host
        table.net.cut(old.machine)
        began = time.monotonic()
        table.until_host(2, *table.others(old))
        table.after(max(0.0, began + seconds - time.monotonic()))
        table.net.heal(old.machine)
        return _comes_back(table)


def apart(folder: Path, *, host_alone: bool) -> str:
    """The switch splits the table in two and one; no interface goes down, so nothing but silence tells of it."""
    with party(folder, "tongits", 3, *WAITING) as table:
        table.deal()
        table.play(3)
        host = table.host
        guest = table.others(host)[0]
        if host_alone:
            table.net.apart(host.machine)
            table.until_host(2, *table.others(host))
        else:
            table.net.apart(guest.machine)
            table.until(lambda: host.count("dropped", nick=guest.nick), "the guest's line down")
        table.net.rules()
        if host_alone:
            return _comes_back(table)
        table.until(lambda: host.count("returned", nick=guest.nick), "the guest's return")
        table.play_round()
        assert all([event["term"] for event in person.hosts] == [1] for person in table.people)
        table.agree()
        return ""


def unheard(folder: Path) -> str:
    """The host hears everybody and nobody hears it."""
    with party(folder, "tongits", 3, *WAITING) as table:
        table.deal()
        table.play(3)
        old = table.host
        table.net.one_way(old.machine)
        table.until_host(2, *table.others(old))
        table.net.rules()
        return _comes_back(table)


def _comes_back(table: Party) -> str:
    table.until_host(2)
    table.play_round()
    table.agree()
    for person in table.people:
        assert person.hosts[-1]["term"] == max(event["term"] for event in person.hosts)
        assert not person.count("closed")
    return ""


def shortly_cut(seconds: float, folder: Path, *, host: bool) -> str:
    """A cable out for so long: afterwards everybody is there, and the round is played to its end."""
    with party(folder, "tongits", 3, *WAITING) as table:
        table.deal()
        table.play(3)
        whose = table.host if host else table.others(table.host)[0]
        table.net.cut(whose.machine)
        table.after(seconds)
        table.net.heal(whose.machine)
        table.play_round()
        table.agree()
        return f"term {table.host.hosts[-1]['term']}"


def lossy(percent: int, folder: Path) -> str:
    """A switch that loses so many frames of a hundred, while the host is killed."""
    with party(folder, "tongits", 3, *ONE) as table:
        table.deal()
        table.net.lose(percent)
        table.play(4)
        table.until_turn(*table.others(table.host))
        return _dies(table)


# ---- at any moment

_LONG = ("--option", "cards=15")
_POINTS = {2: ("onecard", *_LONG), 3: ("tongits",), 4: ("straights",), 5: ("onecard", *_LONG)}
POINTS = 30
"""Acts after which it happens, from none on; the rounds of these tables are longer."""


def at_point(people: int, acts: int, folder: Path) -> str:
    """After so many acts the host is killed (and comes back, of two), or stopped until another one is host."""
    game, *options = _POINTS[people]
    with party(folder, game, people, *ONE, *options, seed=acts) as table:
        table.deal()
        table.play(acts)
        host = table.host
        if people > 2 and acts % 3 == 2:
            table.freeze(host)
            table.until_host(2)
            table.thaw(host)
            return _comes_back(table)
        table.kill(host)
        if people == 2:
            table.resume(host)
            table.until(lambda: host.count("entered") and host.turn, "the host back")
        else:
            table.until_host(2)
        table.play_round()
        table.agree()
        return ""


# ---- the host goes


def goes(how: str, folder: Path) -> str:
    """The host ends in order, by a signal or a command: the others get a line and go on."""
    with party(folder, "tongits", 3, "--rounds", "1") as table:
        table.deal()
        table.play(3)
        old = table.host
        others = table.others(old)
        hands, picture = table.hands(*others), table.picture()
        places = {person.nick: len(person.heard) for person in others}
        began = time.monotonic()
        if how == "leave":
            old.client.say("leave")
        else:
            old.client.process.send_signal(signal.SIGTERM)
        table.until_host(2, *others)
        took = max(person.client.times[-1] for person in others) - began
        table.until(
            lambda: old.client.process.poll() is not None or how == "leave", "the end of the old host's program"
        )
        for person in others:
            assert len(person.since(places[person.nick], "host")) == 1
            for unwanted in ("changing", "line", "rolled_back", "error", "closed"):
                assert not person.since(places[person.nick], unwanted)
        old.alive = False
        assert table.hands() == hands
        assert table.picture()[1] == picture[1]
        table.play_round()
        table.agree()
        return f"another host after {took:.2f} s"


# ---- who comes meanwhile


def found_meanwhile(folder: Path) -> str:
    """The list of another machine has the table all the time, and who knows only the old address gets there."""
    with party(folder, "tongits", 3, *WAITING, machines=5) as table:
        looker, late = table.net.hosts[3:]
        table.deal()
        table.play(2)
        old = table.host
        table.kill(old)
        table.until(lambda: all(person.count("changing") for person in table.present), "the others' notice")
        meanwhile = json.loads(looker.run(*P2PCARDS, "list", "--json", "--wait", "1").stdout)
        new = table.until_host(2)
        watcher = table.comes("dan", late, "watch", "lab")
        table.until(lambda: watcher.host == new.nick, "who joins by title, with the new host")
        rows = json.loads(looker.run(*P2PCARDS, "list", "--json", "--wait", "2").stdout)
        assert [(row["name"], row["host"]) for row in rows] == [("lab", new.nick)]
        assert [row["name"] for row in meanwhile] in ([], ["lab"])
        table.resume(old)
        table.until_host(2)
        directed = table.comes("eve", looker, "watch", table.address)
        table.until(lambda: directed.host == new.nick, "who joins by the old host's address, with the new host")
        table.play_round()
        table.agree()
        return ""


CASES: dict[str, Case] = {
    "killed-tongits-3": Case(partial(killed, "tongits", 3), often=True),
    "killed-tienlen-4": Case(partial(killed, "tienlen", 4), often=True),
    "killed-straights-3": Case(partial(killed, "straights", 3)),
    "killed-straights-4": Case(partial(killed, "straights", 4), often=True),
    "killed-onecard-5-attack": Case(partial(killed_under_attack, 5), often=True),
    "killed-onecard-8": Case(partial(killed_under_attack, 8)),
    "killed-two-of-five": Case(two_killed_of_five),
    "killed-two-of-four": Case(two_killed_of_four),
    "killed-all": Case(partial(everybody_killed, 3), often=True),
    "killed-all-two": Case(partial(everybody_killed, 2, game="tienlen")),
    "killed-all-five": Case(partial(everybody_killed, 5, game="onecard")),
    "two-back": Case(host_of_two_back_in_time),
    "two-alone": Case(host_of_two_gone_for_good, often=True),
    "stopped-3s": Case(partial(stopped, 3.0), often=True),
    "stopped-replaced": Case(partial(stopped_until_replaced, 0.0), often=True),
    "stopped-12s": Case(partial(stopped_until_replaced, 12.0)),
    "cut-replaced": Case(partial(cut_off, 0.0), often=True),
    "cut-20s": Case(partial(cut_off, 20.0)),
    "cut-120s": Case(partial(cut_off, 120.0)),
    "cut-host-3s": Case(partial(shortly_cut, 3.0, host=True)),
    "cut-guest-3s": Case(partial(shortly_cut, 3.0, host=False)),
    "cut-guest-20s": Case(partial(shortly_cut, 20.0, host=False)),
    "cut-guest-120s": Case(partial(shortly_cut, 120.0, host=False)),
    "apart-host-alone": Case(partial(apart, host_alone=True)),
    "apart-guest-alone": Case(partial(apart, host_alone=False)),
    "unheard": Case(unheard),
    "lossy": Case(partial(lossy, 10)),
    "goes-leave": Case(partial(goes, "leave")),
    "goes-sigterm": Case(partial(goes, "sigterm"), often=True),
    "found-meanwhile": Case(found_meanwhile, often=True),
    **{f"at-{people}-{acts}": Case(partial(at_point, people, acts)) for people in _POINTS for acts in range(POINTS)},
}
"""By name."""

"""Places in the program, each reached by real play from a fixed seed: what snapshots, pictures and benchmarks show.

A scene is acted before a person at the screen: the node begins at home, `happens` takes it to the place by what a node
tells, and `typed` is what the person types there. `sees` stands on the screen of 80x24 when all of it has arrived.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from p2pcards.cards import ACE_LOW, cards_of
from p2pcards.commands.command import Command
from p2pcards.games.base import Seat
from p2pcards.games.tongits.state import Meld
from p2pcards.table.people import Person
from p2pcards.table.tableview import Safe, SeatView, Stage, TableView
from tests.testing.dice import dice
from tests.testing.fake_door import WALL, DoorNode
from tests.testing.fake_hosts import KEPT, HostsNode
from tests.testing.fake_node import OTHERS, row

LONG = tuple(f"name-of-sixteen{place}" for place in range(1, 8))
"""Nicks as long as they may be."""

MOST_ACTS = 3000
"""Until a scene gives up waiting for its moment."""


class SceneNode(DoorNode, HostsNode):
    """A table with a door whose host comes and goes."""

    def play(self, until: Callable[[TableView], object], first: tuple[str, ...] = ()) -> None:
        """Acts by chance at our turns, and deals again after each round, until it holds.

        first: of what may be done, what begins so is done before all else.
        """
        rng = dice(len(self.done))
        for _ in range(MOST_ACTS):
            table = self._seated
            if until(table):
                return
            if table.stage is Stage.BETWEEN:
                self.deal()
                continue
            assert table.stage is Stage.PLAYING, "the match is over before that"
            actions = [table.game.format(one) for one in table.game.legal_actions(table.view)]
            wanted = [one for one in actions if one.startswith(first)] if first else []
            self.do(Command("act", (), rng.choice(wanted or actions)))
        raise AssertionError("never")

    def seat_people(self, *nicks: str) -> None:
        """People in the seats behind ours."""
        people = tuple(SeatView(nick, self.key_of(nick)) for nick in nicks)
        mine, *others = self._seated.seats
        self.change(seats=(mine, *people, *others[len(people) :]), host=nicks[0], host_key=people[0].key)


class Scene(NamedTuple):
    """One place, and how it is reached."""

    happens: Callable[[SceneNode], object]
    sees: str
    typed: str = ""
    seed: int = 1
    options: tuple[tuple[str, str], ...] = ()

    def node(self) -> SceneNode:
        """The node that it begins with, at home."""
        return SceneNode(self.seed, options=dict(self.options))


# ---- home and lobby


def _tables(node: SceneNode) -> None:
    chips = (("scoring", "chips"), ("turn_seconds", "30"))
    node.rows(
        row("Friday night", 1, 2, options=chips, interface="wlan0"),
        row("lab 4", 2, 4, game="tienlen", host="cy", seats=4, state="playing", door="code"),
        row("dormitory", 3, 3, game="onecard", host="dan", seats=6, here=True),
        row("straights club, every Thursday evening", 4, 1, game="straights", host="eve", seats=4, state="waiting"),
        row("members", 5, 2, game="tienlen", host="fay", seats=4, door="lab", lab=True),
        row("the old one", 6, 1, host="gil", version="2 / 3"),
        kept=(replace(KEPT, held=63),),
        searching_for=30.0,
        in_lab=True,
    )


def _lobby(node: SceneNode, *, host: bool) -> None:
    (ben, bens), (cy, cys) = OTHERS[:2]
    node.people.kept[bens] = Person(bens, ben, WALL, WALL, "benny", verified=True)
    node.people.kept[cys] = Person(cys, cy, WALL, WALL)
    node.rows(join_line="p2pcards join 10.0.0.7:25252")
    node.sit("onecard", others=2, host=host, seats=5)
    node.do(Command("bot", ("add", "medium")))
    node.change(
        door="code" if host else "open",
        code="mango-tiger" if host else "",
        spectators=("fay",),
        spectator_keys=(b"f" * 32,),
        safe=Safe(True),
        settings=(("turn_seconds", "30"),),
    )
    node.says("ben", "who else is coming?")
    node.says("cy", "dan is on his way, he is still looking for a cable. Shall we add a bot for eve?")


def _knocked(node: SceneNode) -> None:
    _lobby(node, host=True)
    node.knocks("fay", login="fay.k")
    node.knocks("gil")


# ---- a table


def _at(
    game: str,
    until: Callable[[TableView], object],
    *,
    first: tuple[str, ...] = (),
    others: int = 2,
    host: bool = False,
    seats: int | None = None,
    nicks: tuple[str, ...] = (),
    watches: bool = False,
    then: Callable[[SceneNode], object] | None = None,
) -> Callable[[SceneNode], None]:
    """A table of that game with people and bots, played until the moment; then what happens there."""

    def happens(node: SceneNode) -> None:
        node.sit(game, others=others, host=host, seats=seats)
        node.change(safe=Safe(True))
        if nicks:
            node.seat_people(*nicks)
        if watches:
            node.only_looks_on()
        node.start()
        node.play(until, first)
        if then is not None:
            then(node)

    return happens


def _public(table: TableView) -> Any:
    return table.view.public if table.stage is Stage.PLAYING else None


def _playing(table: TableView) -> bool:
    return table.stage is Stage.PLAYING


def _over(table: TableView) -> bool:
    return table.stage is not Stage.PLAYING


def _ended(table: TableView) -> bool:
    return table.stage is Stage.OVER


def _attacked(table: TableView) -> bool:
    return _playing(table) and _public(table).pending >= 4


def _bombed(table: TableView) -> bool:
    return _playing(table) and _public(table).pile is not None and _public(table).pile.is_bomb


def _straight(table: TableView) -> bool:
    return _playing(table) and _public(table).pile is not None and _public(table).pile.size >= 4


def _called(table: TableView) -> bool:
    return _playing(table) and bool(_public(table).asked)


def _melds(count: int) -> Callable[[TableView], bool]:
    return lambda table: _playing(table) and not _public(table).asked and len(_public(table).melds) >= count


def _laid(count: int) -> Callable[[TableView], bool]:
    return lambda table: _playing(table) and _public(table).table.bit_count() >= count


def _holds(count: int) -> Callable[[TableView], bool]:
    return lambda table: _playing(table) and _public(table).counts[0] >= count


def _trick(count: int) -> Callable[[TableView], bool]:
    return lambda table: _playing(table) and len(_public(table).trick) >= count


def _played(count: int) -> Callable[[TableView], bool]:
    return lambda table: _playing(table) and len(_public(table).discards) >= count


def _clock(node: SceneNode) -> None:
    node.change(clock_at=24.0)


def _twelve_melds(node: SceneNode) -> None:
    """More melds than a round of chance brings: four cards in hand, everything else on the table."""
    assert node.table is not None
    view, ranks = node.table.view, "A23456789TJQ"
    suits = [ACE_LOW.parse_all(f"{rank}C {rank}D {rank}H") for rank in ranks]
    melds = tuple(Meld(Seat(place % 3), cards_of(cards)) for place, cards in enumerate(suits))
    discards = ACE_LOW.parse_all(" ".join(f"{rank}S" for rank in ranks))
    public = replace(view.public, melds=melds, discards=discards, stock=0, counts=(4, 1, 1))
    hand = cards_of(ACE_LOW.parse_all("KC KD KH KS"))
    node.change(view=replace(view, public=public, hand=hand), pot=99, scores=(-100, 50, 50))


def _vote(node: SceneNode) -> None:
    node.says("cy", "has ben fallen asleep?")
    node.calls_a_vote("ben", "cy", (2,))


def _silent(node: SceneNode) -> None:
    node.drops("ben", 88.0)
    node.falls_silent()


def _taken_over(node: SceneNode) -> None:
    node.falls_silent()
    node.takes_over("cy")
    node.drops("ben", 63.0)


def _waiting(node: SceneNode) -> None:
    node.drops("ben", 40.0)
    node.stands_still("ben")


F1, F2, F5, CTRL_D = "\x1bOP", "\x1bOQ", "\x1b[15~", "\x04"
UP, RIGHT = "\x1b[A", "\x1b[C"
TRICKS = (("match_rounds", "50"),)
ROUNDS = (("rounds", "50"),)
CROWD = (("decks", "4"), ("cards", "9"), ("must_play", "false"), *ROUNDS)

SCENES: dict[str, Scene] = {
    "home": Scene(_tables, "Friday night"),
    "home-menu": Scene(_tables, "> join", typed="join "),
    "home-empty": Scene(lambda node: node.rows(), "practise tongits"),
    "home-blocked": Scene(lambda node: node.rows(searching_for=12.0), "No table is found"),
    "home-code": Scene(lambda node: node.wants_code(), "code >"),
    "lobby-host": Scene(lambda node: _lobby(node, host=True), "10.0.0.7"),
    "lobby-guest": Scene(lambda node: _lobby(node, host=False), "host"),
    "lobby-knock": Scene(_knocked, "fay knocks"),
    "tongits-early": Scene(_at("tongits", _playing, then=_clock), "deadwood", seed=3),
    "tongits-menu": Scene(_at("tongits", _playing), "> d", typed="d", seed=3),
    "tongits-middle": Scene(_at("tongits", _melds(4)), "m4", seed=26),
    "tongits-picker": Scene(_at("tongits", _melds(4)), "▸ draw", typed=F5 + RIGHT + "\r", seed=26),
    "tongits-late": Scene(_at("tongits", _melds(5), first=("expose",)), "m5", seed=23),
    "tongits-call": Scene(_at("tongits", _called), "called", seed=24),
    "tongits-full": Scene(
        _at("tongits", _melds(2), nicks=LONG[:2], then=_twelve_melds), "m12", seed=7, options=(("scoring", "chips"),)
    ),
    "tongits-sheet": Scene(_at("tongits", _over), "next", seed=3),
    "tienlen-lead": Scene(_at("tienlen", _playing, then=_clock), "lead", seed=4),
    "tienlen-middle": Scene(_at("tienlen", _trick(3)), "beat", seed=6),
    "tienlen-menu": Scene(_at("tienlen", _playing), "> play", typed="play ", seed=4),
    "tienlen-picker": Scene(
        _at("tienlen", _playing), "Enter play", typed=F5 + UP + 3 * RIGHT + UP + RIGHT + UP, seed=6
    ),
    "tienlen-straight": Scene(_at("tienlen", _straight), "straight", seed=5),
    "tienlen-bomb": Scene(_at("tienlen", _bombed), "to beat", seed=34),
    "tienlen-full": Scene(_at("tienlen", _trick(4), nicks=LONG[:3]), "to beat", seed=6),
    "tienlen-sheet": Scene(_at("tienlen", _over), "next", seed=6),
    "straights-early": Scene(_at("straights", _playing, then=_clock), "7", seed=1),
    "straights-middle": Scene(_at("straights", _laid(18)), "aside", seed=2),
    "straights-full": Scene(_at("straights", _laid(32), nicks=LONG[:3]), "aside", seed=4),
    "straights-sheet": Scene(_at("straights", _over), "next", seed=2),
    "onecard-early": Scene(_at("onecard", _playing, then=_clock), "stock", seed=1),
    "onecard-attack": Scene(_at("onecard", _attacked), "attack", seed=17, options=ROUNDS),
    "onecard-full": Scene(
        _at("onecard", _holds(16), first=("draw",), seats=8, nicks=LONG), "stock", seed=2, options=CROWD
    ),
    "onecard-sheet": Scene(_at("onecard", _over), "next", seed=2, options=ROUNDS),
    "match-over": Scene(_at("onecard", _ended, host=True), "again", seed=4),
    "between-ready": Scene(
        _at("tongits", _over, then=lambda node: node.change(ready=(1,), next_at=41.0)), "by itself", seed=5
    ),
    "help": Scene(_at("tongits", _playing), "Esc closes", typed=F1, seed=3),
    "rules": Scene(_at("tongits", _playing), "Esc closes", typed="rules\r", seed=3),
    "log": Scene(_at("tongits", _melds(3)), "Esc closes", typed="log\r", seed=7),
    "settings": Scene(_at("tongits", _playing), "Esc closes", typed="set\r", seed=3),
    "host-changing": Scene(_at("tienlen", _trick(2), then=_silent), "changing host", seed=6),
    "host-changed": Scene(_at("tienlen", _trick(2), then=_taken_over), "host cy", seed=6),
    "waiting-for": Scene(_at("straights", _laid(12), then=_waiting), "standing still", seed=2),
    "go-on": Scene(_at("straights", _laid(12), then=lambda node: node.asks("ben", by="cy")), "proceed", seed=2),
    "seat-held": Scene(_at("tongits", _melds(2), then=lambda node: node.drops("cy", 63.0)), "held 63 s", seed=6),
    "vote-open": Scene(_at("tongits", _melds(2), then=_vote), "vote yes", seed=6),
    "watching": Scene(_at("onecard", _played(6), watches=True), "watching as", seed=1),
    "hand-hidden": Scene(_at("tienlen", _playing), "hidden", typed=F2, seed=4),
    "refused": Scene(_at("tienlen", _trick(2)), "hold the", typed="play 3S 5H\r", seed=6),
    "leaving": Scene(_at("tongits", _playing), "y/n", typed=CTRL_D, seed=3),
}
"""Every screen, by name."""

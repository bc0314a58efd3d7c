"""A program without table and network under it: real rounds of any game for the tests of screens and plain mode.

It is a `ui.ports.Node`: the person sits in one seat, random players in the others move at once. Notices come in the
order in which a guest tells them, and `table` is up to date when they do. Chance, a reshuffle too, comes from a seed.
"""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable, Sequence
from typing import Any

from msgspec.structs import replace

from p2pcards.cards import Card, deck, format_cards
from p2pcards.commands.command import Command
from p2pcards.commands.presets import Rules
from p2pcards.errors import UserError
from p2pcards.games.base import DEALER, Dealt, Game, Seat, Secrecy, Shuffle
from p2pcards.games.match import Match
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.table.listing import HomeView, Row
from p2pcards.table.merits import NoStatistics, Statistics
from p2pcards.table.notices import (
    Acted,
    Audited,
    CardsChanged,
    Closed,
    Entered,
    HostIs,
    MatchOver,
    MatchStarted,
    Notice,
    OptionsSet,
    Ready,
    RoundOver,
    RoundStarted,
    Seated,
    Shuffled,
    Stopped,
    TurnOf,
    Vacated,
)
from p2pcards.table.results import NoPast, Past
from p2pcards.table.tableview import RoundResult, SeatView, Stage, TableView
from tests.testing.kept_people import KeptPeople

NICK = "ana"
KEY = b"\x01" * 32
OTHERS = tuple((nick, bytes([number]) * 32) for number, nick in enumerate(("ben", "cy", "dan", "eve"), 2))


def row(title: str, number: int = 1, taken: int = 1, **more: Any) -> Row:
    """A row of the home list."""
    told = {"game": "tongits", "host": "ben", "seats": 3, "state": "lobby", "door": "open", **more}
    told.setdefault("addresses", (("10.0.0.7", 25252),))
    return Row(bytes([number]) * 16, bytes([number]) * 32, title, taken=taken, **told)


class KeptPresets:
    """Presets in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, dict[str, Rules]] = {}

    def all(self) -> dict[str, dict[str, Rules]]:
        return {game: dict(named) for game, named in self.kept.items()}

    def save(self, game: str, name: str, rules: Rules) -> None:
        self.kept.setdefault(game, {})[name] = rules

    def delete(self, game: str, name: str) -> None:
        del self.kept[game][name]


class FakeNode:
    """Everything is fixed by `seed`. clock is what `now` tells; done, every command that was accepted;
    forsaken, that none can come any more."""

    def __init__(self, seed: int = 0, rows: tuple[Row, ...] = (), options: dict[str, str] | None = None) -> None:
        self._rng = random.Random(seed)  # noqa: S311 - tests want the same round again
        self._options = options or {}
        self._people = KeptPeople(own=(KEY,))
        self._home = HomeView(NICK, "mango-tiger", "default", (("lo", "127.0.0.1"),), rows)
        self._table: TableView | None = None
        self._heard: list[Callable[[Notice | None], None]] = []
        self._state: Any = None
        self._match = Match()
        self._index = 0
        self._turn: tuple[int, ...] = ()
        self._sealed: list[tuple[Seat, str, str]] = []  # choices that are told when the round is over
        self.clock = 0.0
        self.presets = KeptPresets()
        self.history: Past = NoPast()
        self.statistics: Statistics = NoStatistics()
        self.alone = False
        self.done: list[Command] = []
        self.forsaken = asyncio.Event()

    # ---- ui.ports.Node

    @property
    def home(self) -> HomeView:
        return self._home

    @property
    def table(self) -> TableView | None:
        return self._table

    @property
    def people(self) -> KeptPeople:
        return self._people

    def now(self) -> float:
        return self.clock

    def listen(self, heard: Callable[[Notice | None], None]) -> None:
        self._heard.append(heard)

    def unattended(self) -> None:
        """No command can come any more."""
        self.forsaken.set()

    def do(self, command: Command) -> None:
        verb, args = command.verb, command.args
        if command.action:
            self._act(command.action)
        elif verb == "practise":
            self.alone = True
            self.sit(args[0], bots=GAMES[args[0]].usual_seats - 1)
            self.start()
        elif verb == "host":
            self.sit(args[0], title=args[1] if len(args) > 1 else NICK)
        elif verb in ("join", "watch", "resume"):
            self._join(args[0])
        elif verb in ("leave", "ragequit", "quit"):
            self._leave()
        elif verb == "bot":
            self._bot(args)
        elif verb == "set":
            self._set(*args)
        elif verb == "start":
            self.start()
        elif verb in ("skip", "back", "deck", "preset", "away", "sit", "handover", "proceed", "wait"):
            pass
        elif verb in ("next", "again"):
            self._go_on()
        elif verb == "stop":
            self.tell(Stopped(0, NICK))
            self._match = self._match.stop()
            self._end_match()
        else:
            raise UserError(f"The node can't do that: {verb}.")
        self.done.append(command)

    # ---- what tests order

    def rows(self, *rows: Row, **more: Any) -> None:
        """The list of tables changes."""
        self._home = replace(self._home, rows=rows, **more)
        self.tell(None)

    def sit(
        self,
        game: str | type[Game[Any, Any, Any]] = "tongits",
        *,
        title: str = "Friday night",
        bots: int = 0,
        others: int = 0,
        host: bool = True,
        seats: int | None = None,
    ) -> None:
        """A table: we in seat 0, then people, then bots; the person beside us is the host unless we are.

        The game by name, or one that isn't registered; with so many seats, or as many as usual.
        """
        rules = self._rules(GAMES[game] if isinstance(game, str) else game)
        places = rules.usual_seats if seats is None else seats
        people = [SeatView(NICK, KEY), *(SeatView(nick, key) for nick, key in OTHERS[:others])]
        robots = [SeatView(f"bot-{number}", b"", "easy") for number in range(1, bots + 1)]
        sitting = tuple([*people, *robots, *[SeatView("", b"")] * places][:places])
        keeper = people[0] if host else people[1]
        self._table = TableView(
            title=title,
            table=b"\x07" * 16,
            game=rules,
            settings=(),
            door="open",
            host=keeper.nick,
            host_key=keeper.key,
            mine=host,
            me=0,
            nick=NICK,
            seats=sitting,
            spectators=(),
            stage=Stage.LOBBY,
            round=0,
            scores=(0,) * places,
            pot=0,
        )
        self.tell(Entered(0))
        self.tell(HostIs(keeper.nick, 1))
        for place, seat in enumerate(sitting):
            if seat.nick:
                self.tell(Seated(place, seat.nick, seat.key, seat.level))

    def start(self) -> None:
        """Bots take the open seats and the match begins."""
        table = self._seated
        for place, seat in enumerate(table.seats):
            if not seat.nick:
                self._bot(("add",), place)
        table = self._seated
        self._match = Match.start(table.game, len(table.seats))
        self.change(stage=Stage.PLAYING, scores=self._match.scores, endless=self._match.endless, winners=())
        self.tell(MatchStarted(1, self._names))
        self.deal()

    def deal(self, order: Sequence[Card] | None = None, starter: int | None = None) -> None:
        """A round begins: shuffled, or with this order of the cards; others move up to our turn."""
        game, seats = self._seated.game, len(self._seated.seats)
        cards = list(deck(game.decks()))
        self._rng.shuffle(cards)
        first = self._match.starter(self._rng.randrange(seats)) if starter is None else Seat(starter)
        dealt = game.dealt(order or cards, seats, first, self._match.first)
        self.begin(dealt, game.opener(dealt, first, self._match.first))

    def begin(self, dealt: Dealt, opener: Seat) -> None:
        """A round begins with these cards, which need not be a whole deck."""
        self._state = self._seated.game.position(dealt, opener, self._match.first)
        self._sealed.clear()
        self.change(stage=Stage.PLAYING, round=self._match.round + 1, pot=self._match.pot)
        self._turn = ()
        self._look()
        self.tell(RoundStarted(self._seated.round, self._names, opener))
        self._tell_cards(0)
        if self._seated.game.outcome(self._state):  # won by the cards dealt
            self._end_round()
            return
        self._tell_turn()
        self._others()

    def put(self, state: Any) -> None:
        """Continues the open round from another state, for the view that a test wants."""
        self._state = state
        self._look()
        self._tell_turn()
        self._others()

    def change(self, **fields: Any) -> None:
        """Changes the view of the table."""
        self._table = replace(self._seated, **fields)

    def tell(self, notice: Notice | None) -> None:
        """Everybody who listens hears it."""
        for heard in self._heard:
            heard(notice)

    # ---- play

    @property
    def _seated(self) -> TableView:
        assert self._table is not None
        return self._table

    @property
    def _names(self) -> tuple[str, ...]:
        return tuple(seat.nick for seat in self._seated.seats)

    def _rules(self, game: type[Game[Any, Any, Any]]) -> Game[Any, Any, Any]:
        return game(read_options(game, self._options))

    def _act(self, text: str) -> None:
        game, view = self._seated.game, self._seated.view
        game.check(view, game.parse(text))
        self._step(Seat(0), game.parse(text), "")
        self._others()

    def _others(self) -> None:
        """Everybody but us moves until it is our turn or the round is over."""
        game = self._seated.game
        while self._seated.stage is Stage.PLAYING and (acting := game.to_act(game.view(self._state, None))):
            if Seat(0) in acting:
                return
            if acting == (DEALER,):
                self._shuffle()
                continue
            seat = acting[0]
            choices = list(game.legal_actions(game.view(self._state, seat)))
            self._step(seat, self._rng.choice(choices), "bot" if self._seated.seats[seat].level else "")

    def _shuffle(self) -> None:
        """The dealer makes a new stock; nobody is told its order."""
        game = self._seated.game
        cards = list(game.to_shuffle(game.view(self._state, None)))
        self._rng.shuffle(cards)
        self._state = game.step(self._state, DEALER, Shuffle(tuple(cards)))
        self._look()
        self.tell(Shuffled(len(cards)))
        if game.outcome(self._state):  # over with the rest of the draw
            self._end_round()
        else:
            self._tell_turn()

    def _step(self, seat: Seat, action: Any, by: str) -> None:
        game, before, text = self._seated.game, self._seated.view, self._seated.game.format(action)
        secrecy = game.secrecy(action)
        if secrecy is Secrecy.BLIND:
            self._tell_act(seat, "blind", "answer", by, None)
        self._state = game.step(self._state, seat, action)
        self._look()
        if secrecy is Secrecy.SEALED:
            self._sealed.append((seat, text, by))
            self._tell_act(seat, "sealed", text.split(" ")[0], by, before)
        else:
            self._tell_act(seat, "opening" if secrecy is Secrecy.BLIND else "act", text, by, before)
        self._tell_cards(game.hand(before))
        if game.outcome(self._state):
            self._end_round()
        else:
            self._tell_turn()

    def _look(self) -> None:
        view = self._seated.game.view(self._state, Seat(0))
        self.change(view=view, to_act=tuple(self._seated.game.to_act(view)))

    def _tell_act(self, seat: int, kind: str, text: str, by: str, before: Any) -> None:
        self._index += 1
        after = None if before is None else self._seated.view
        self.tell(Acted(self._index, 1, seat, self._names[seat], kind, text, by, before, after))

    def _tell_cards(self, before: int) -> None:
        hand = self._seated.game.hand(self._seated.view)
        if hand != before:
            self.tell(CardsChanged(format_cards(self._seated.game.ranking, hand)))

    def _tell_turn(self) -> None:
        acting, before = self._seated.to_act, self._turn
        self._turn = acting
        self.tell(TurnOf(acting, 0 in acting, acting != before))

    def _end_round(self) -> None:
        game, view = self._seated.game, self._seated.view
        outcome = game.outcome(self._state)
        assert outcome is not None
        self._match = self._match.settle(outcome)
        number, points, winners = self._match.round, self._match.points, tuple(outcome.winners)
        last = RoundResult(number, outcome.reason, winners, points, view, True, starter=outcome.starter)
        self.change(
            stage=Stage.BETWEEN, view=None, to_act=(), scores=self._match.scores, pot=self._match.pot, last=last
        )
        by_nick = tuple(zip(self._names, points, strict=True))
        self.tell(RoundOver(number, outcome.reason, tuple(self._names[seat] for seat in winners), by_nick))
        for seat, text, by in self._sealed:
            self._tell_act(seat, "open", text, by, None)
        self.tell(Audited(number, True))
        if self._match.over:
            self._end_match()

    def _end_match(self) -> None:
        winners = tuple(self._match.winners)
        self.change(stage=Stage.OVER, winners=winners, endless=False)
        scores = tuple(zip(self._names, self._match.scores, strict=True))
        self.tell(MatchOver(scores, tuple(self._names[seat] for seat in winners)))

    # ---- lobby

    def _go_on(self) -> None:
        self.change(ready=(0,))
        self.tell(Ready(0, NICK))
        self.change(ready=())
        if self._seated.stage is Stage.OVER:
            self.start()
        else:
            self.deal()

    def _join(self, name: str) -> None:
        if not self._home.rows:
            raise UserError(f"No table is called {name}.")
        self.sit(title=self._home.rows[0].title, others=1, host=False)

    def _leave(self) -> None:
        if self._table is not None:
            self._table = None
            self.tell(Closed("left", ""))

    def _bot(self, args: tuple[str, ...], place: int | None = None) -> None:
        seats = list(self._seated.seats)
        if args[0] == "add":
            free = [number for number, seat in enumerate(seats) if not seat.nick]
            if not free:
                raise UserError("Every seat is taken.")
            place = free[0] if place is None else place
            number = 1 + sum(bool(seat.level) for seat in seats)
            seats[place] = SeatView(f"bot-{number}", b"", args[1] if len(args) > 1 else "medium")
            self.change(seats=tuple(seats))
            self.tell(Seated(place, seats[place].nick, b"", seats[place].level))
            return
        place = self._names.index(args[1])
        gone = seats[place]
        level = args[2] if args[0] == "level" else ""
        seats[place] = replace(gone, level=level) if level else SeatView("", b"")
        self.change(seats=tuple(seats))
        self.tell(Seated(place, gone.nick, b"", level) if level else Vacated(place, gone.nick, "bot removed"))

    def _set(self, key: str, value: str) -> None:
        try:
            self._options = {**self._options, key: value}
            self.change(game=self._rules(type(self._seated.game)))
        except ValueError as error:
            raise UserError(str(error)) from error
        self.tell(OptionsSet(tuple(self._options.items()), ()))

"""The program's views as the context in which a line is typed; what is dear to make is made once per view."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.cards import Card
from p2pcards.commands.context import Caller, Chair, Choice, Context, Fellow, Listed, Poll, Preset, Stored, Where
from p2pcards.commands.legal import Legal
from p2pcards.errors import InvalidOption, UserError
from p2pcards.games import registry
from p2pcards.games.base import Game
from p2pcards.games.options import explained, written_options
from p2pcards.table import settings
from p2pcards.table.listing import HomeView, KeptTable, Row
from p2pcards.table.notices import Kicked, Notice, Pardoned
from p2pcards.table.people import Ban, Known, People, Person
from p2pcards.table.tableview import SeatView, Stage, TableView
from p2pcards.ui.faces import shown_out
from p2pcards.ui.ordering import Ordering
from p2pcards.ui.ports import Node
from p2pcards.wire.identity import chip
from p2pcards.wire.text import table_text

_WHERE = {
    Stage.LOBBY: Where.LOBBY,
    Stage.PLAYING: Where.PLAYING,
    Stage.BETWEEN: Where.BETWEEN,
    Stage.OVER: Where.OVER,
}


class Kept(Struct, frozen=True):
    """What the program keeps between two runs, as far as lines need it. met: those at the table whom we know.

    A person and a ban stand for all that is told of them, so that nothing is made anew while nothing has changed.
    """

    presets: tuple[Preset, ...]
    met: tuple[Person | None, ...]
    people: tuple[Person, ...]
    bans: tuple[Ban, ...]
    out: tuple[str, ...] = ()  # of those who may not come to our own table now, the nicks


class Here:
    """Makes the Context of a node as it is now.

    ordering: how the hand lies; wall: unix seconds; themes: names of one's own.
    """

    def __init__(self, node: Node, wall: Callable[[], float] = time.time, themes: tuple[str, ...] = ()) -> None:
        self.themes = themes
        self.ordering = Ordering()
        self._node, self._wall = node, wall
        self._made: tuple[HomeView | TableView, int, Kept, str] | None = None
        self._context = Context()
        self._names: tuple[tuple[Person, ...], tuple[str, ...]] = ((), ())
        self._kicked: tuple[Kicked, bytes, int] | None = None  # who, from which table, in which round

    @property
    def order(self) -> str:
        """How the hand is sorted."""
        return self.ordering.order

    @order.setter
    def order(self, order: str) -> None:
        self.ordering = Ordering(order)

    def heard(self, notice: Notice | None) -> None:
        """Something happened: whom we showed out is remembered until the next round, or until they may come again."""
        table = self._node.table
        if isinstance(notice, Kicked) and table is not None and table.mine and notice.by == table.host:
            self._kicked = (notice, table.table, table.round)
        if isinstance(notice, Pardoned) and self._kicked is not None and self._kicked[0].key == notice.key:
            self._kicked = None

    def context(self) -> Context:
        """The context; the same object as long as nothing has changed."""
        table, home = self._node.table, self._node.home
        seen: HomeView | TableView = home if table is None else table
        kept = self._kept(table)
        kicked = self._shown_out(table)
        if self._made is None or self._made[0] != seen or self._made[1:] != (self.ordering.version, kept, kicked):
            made = self._at_home(home) if table is None else self._at_table(table)
            game = "" if table is None else table.game.name
            mine = tuple(preset for preset in kept.presets if preset.game == game or not game)
            self._context = replace(
                made,
                presets=mine,
                kicked=kicked,
                in_lab=home.in_lab,
                themes=self.themes,
                named=self._named(kept.people),
                banned=tuple(sorted({*kept.out, *(ban.nick or ban.login for ban in kept.bans)}, key=str.lower)),
            )
            self._made = (seen, self.ordering.version, kept, kicked)
        return self._context

    def _named(self, people: tuple[Person, ...]) -> tuple[str, ...]:
        """Their nicks and petnames in order, made once: there may be thousands."""
        if self._names[0] is not people:
            names = {name for person in people for name in (person.nick, person.petname) if name}
            self._names = (people, tuple(sorted(names, key=str.lower)))
        return self._names[1]

    def _shown_out(self, table: TableView | None) -> str:
        if table is None or self._kicked is None or self._kicked[1:] != (table.table, table.round):
            return ""
        return self._kicked[0].nick

    def _kept(self, table: TableView | None) -> Kept:
        """Nothing of what can't be read, which whoever uses it is told."""
        people = self._node.people
        keys = () if table is None else tuple(key for key, _, _ in _present(table))
        try:
            out = tuple(nick or chip(kick.key) for nick, kick in shown_out(people, table, self._wall()))
            return Kept(self._presets(), tuple(map(people.person, keys)), people.everybody(), people.bans(), out)
        except UserError:
            return Kept(self._presets(), (None,) * len(keys), (), ())

    def _presets(self) -> tuple[Preset, ...]:
        """Every preset; none where they can't be read, which whoever uses them is told."""
        try:
            kept = self._node.presets.all()
        except UserError:
            return ()
        return tuple(Preset(game, name, rules) for game, named in kept.items() for name, rules in named.items())

    def _at_home(self, home: HomeView) -> Context:
        rows = tuple(_listed(number, row) for number, row in enumerate(home.rows, 1))
        return Context(
            nick=home.nick,
            listed=rows,
            levels=settings.ALLOWED["bot_level"],
            joining=home.joining,
            asking=home.asking,
            kept=tuple(_stored(one) for one in home.kept),
        )

    def _at_table(self, table: TableView) -> Context:
        nicks = tuple(seat.nick for seat in table.seats)
        before = self._context.legal
        legal = None
        if table.view is not None:
            same = before is not None and before.game is table.game and before.view is table.view
            legal = before if same and before is not None and before.nicks == nicks else None
            legal = legal or Legal(table.game, table.view, nicks)
        return Context(
            where=_WHERE[table.stage],
            nick=table.nick,
            levels=settings.levels(table.game.name),
            choices=_choices(table),
            game=table.game,
            host=table.mine,
            host_nick=table.host,
            me=table.me,
            chairs=tuple(Chair(seat.nick, bool(seat.level)) for seat in table.seats),
            to_act=table.to_act,
            legal=legal,
            hand=self._hand(table),
            pending=table.pending,
            endless=table.endless,
            ready=table.me in table.ready,
            awaited=awaited(table),
            watchers=sum(nick != table.nick for nick in table.spectators),
            alone=self._node.alone,
            bot_plays=table.me is not None and table.seats[table.me].bot_plays,
            people=tuple(_fellow(self._node.people, table, *one) for one in _present(table)),
            knocks=tuple(Caller(one.nick, chip(one.key), one.known, one.login, one.asked) for one in table.knocks),
            door=table.door,
            code=table.code,
            vote=_poll(table),
            onlooker=table.onlooker,
            changing=table.changing,
            waiting_for=table.waiting_for,
            may_go_on=table.may_go_on,
            connected=table.connected,
            seat_kept=table.kept_seat is not None,
        )

    def _hand(self, table: TableView) -> tuple[Card, ...]:
        if table.view is None:
            return ()
        return self.ordering.shown(table.game, table.game.hand(table.view), (table.table, table.round))


def _present(table: TableView) -> Iterator[tuple[bytes, str, int | None]]:
    """Everybody beside us who has a key: it, the nick and the seat."""
    for place, seat in enumerate(table.seats):
        if seat.key and place != table.me:
            yield seat.key, seat.nick, place
    for key, nick in zip(table.spectator_keys, table.spectators, strict=False):
        if nick != table.nick:
            yield key, nick, None


def _fellow(people: People, table: TableView, key: bytes, nick: str, seat: int | None) -> Fellow:
    try:
        known, person = people.what(key, nick), people.person(key)
    except UserError:
        known, person = Known.NEW, None
    host = key == table.host_key
    absent = seat is not None and (table.seats[seat].held_until is not None or table.seats[seat].bot_plays)
    if person is None:
        return Fellow(nick, chip(key), host, seat, known, absent=absent)
    return Fellow(nick, chip(key), host, seat, known, person.petname, person.ignored, absent)


def _poll(table: TableView) -> Poll | None:
    vote = table.vote
    if vote is None:
        return None
    seated = table.me is not None and not table.seats[table.me].program
    may = seated and table.me not in (vote.seat, *vote.votes, *vote.against)
    nick = table.seats[vote.seat].nick if vote.seat < len(table.seats) else ""
    return Poll(nick, vote.by, len(vote.votes), vote.needed, may)


def own_nick(table: TableView) -> str:
    """The nick that means us in what is told; none where we watch and a bot has it, in the seat that was ours."""
    taken = table.me is None and any(seat.nick == table.nick for seat in table.seats)
    return "" if taken else table.nick


def awaited(table: TableView) -> tuple[str, ...]:
    """The others who are to type `next` or `again` before it goes on by their wish."""
    return tuple(
        seat.nick
        for place, seat in enumerate(table.seats)
        if place != table.me and place not in table.ready and _decides(seat)
    )


def _decides(seat: SeatView) -> bool:
    """Whether a person sits there and is at the keyboard."""
    return bool(seat.key) and not (seat.level or seat.program or seat.bot_plays) and seat.held_until is None


def _listed(number: int, row: Row) -> Listed:
    game = registry.GAMES.get(row.game)
    title = game.title if game else row.game
    free = row.seats - row.taken
    name = f"~{table_text(row.table)}"
    return Listed(number, name, row.title, title, row.host, free, row.state, row.options, row.door)


def _stored(kept: KeptTable) -> Stored:
    game = registry.GAMES.get(kept.game)
    return Stored(f"~{table_text(kept.table)}", kept.title, game.title if game else kept.game, kept.age)


def _choices(table: TableView) -> tuple[Choice, ...]:
    """What `set` can change: the rules of the game, the settings of the table, and where it can vary how many sit."""
    rules, agreed = dict(written_options(table.game.options)), dict(table.settings)
    options = (
        Choice(one.name, rules.get(one.name, one.default), one.choices, one.effect, one.default, one.allowed)
        for one in explained(type(table.game))
    )
    chairs = [str(seats) for seats in table.game.seats if _fits(table.game, seats)]
    usual = str(table.game.usual_seats)
    seats = Choice("seats", str(len(table.seats)), tuple(chairs), "how many may sit", usual, " or ".join(chairs))
    return (
        *options,
        *(_setting(table.game.name, key, agreed.get(key, usual), usual) for key, usual in settings.DEFAULTS.items()),
        *((seats,) if len(table.game.seats) > 1 else ()),
    )


def _setting(game: str, key: str, now: str, usual: str) -> Choice:
    return Choice(key, now, settings.choices(game, key), settings.EFFECTS[key], usual, allowed(key, game))


def allowed(setting: str, game: str = "") -> str:
    """What a setting of a table can be, in words."""
    if values := settings.choices(game, setting):
        return " or ".join(values)
    least, most = settings.NUMBERS[setting]
    return f"0 or {least} to {most}" if least else f"0 to {most}"


def _fits(game: Game[Any, Any, Any], seats: int) -> bool:
    try:
        game.check_seats(seats)
    except InvalidOption:
        return False
    return True

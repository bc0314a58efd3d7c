"""What the person at the host's keyboard may order: options, settings and bots, before a match and between matches."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.errors import InvalidOption, UserError
from p2pcards.games.options import read_options, written_options
from p2pcards.games.registry import GAMES
from p2pcards.table import lobby, settings
from p2pcards.table.door import Door
from p2pcards.table.pen import Pen
from p2pcards.wire.entries import EntryKind, OptionsPub, Roster


class Orders:
    """The options and settings of a table, and the orders that change them or the bots. Raises UserError."""

    def __init__(
        self, pen: Pen, game: str, options: Mapping[str, str], table_settings: Mapping[str, str], door: str
    ) -> None:
        """Raises InvalidOption."""
        self._pen, self._game, self._door = pen, GAMES[game], door
        self._options = dict(written_options(read_options(self._game, options)))
        for key, value in table_settings.items():
            settings.check_setting(game, key, value)
        self._settings = dict(table_settings)

    def write(self) -> None:
        """Puts options and settings into the journal."""
        pub = OptionsPub(self._door, tuple(self._options.items()), settings.changed(self._settings))
        self._pen.write(EntryKind.OPTIONS, pub)

    def door(self, policy: str) -> None:
        """The table has another door, or the one that it has."""
        if policy == self._door:
            return
        if self._pen.public.round:
            raise UserError("Not inside a round: the door changes in the lobby and between rounds.")
        self._door = policy
        self.write()

    @property
    def policy(self) -> str:
        """The door as it is, or is to be as soon as that can be written."""
        return self._door

    def keep(self, door: Door) -> bool:
        """Opens the door of a table that was another's; True where we can't keep it, and everybody is asked about."""
        try:
            door.check(self._door)
        except UserError:
            fell_back, self._door = self._door != "ask", "ask"
        else:
            fell_back = False
        door.open(self._door)
        return fell_back

    def settle(self) -> None:
        """Writes what the books don't say yet of the door, where that can be written now."""
        if self._door != self._pen.public.door and not self._pen.public.round:
            self.write()

    def take(self, rules: Mapping[str, str]) -> None:
        """These options and settings stand from now on, all others at their defaults: all of it or nothing."""
        self._lobby_only()
        try:
            own = {key: value for key, value in rules.items() if key in settings.DEFAULTS}
            for key, value in own.items():
                settings.check_setting(self._game.name, key, value)
            options = read_options(self._game, {key: value for key, value in rules.items() if key not in own})
            self._game(options).check_seats(len(self._pen.public.seats))
        except InvalidOption as error:
            raise UserError(f"{error}.") from error
        self._options, self._settings = dict(written_options(options)), own
        self.write()

    def set(self, key: str, value: str) -> None:
        """Changes an option of the game or a setting of the table."""
        self._lobby_only()
        try:
            if key == "seats":
                self._resize(value)
            elif key in settings.DEFAULTS:
                settings.check_setting(self._game.name, key, value)
                self._settings[key] = value
                self.write()
            else:
                options = read_options(self._game, {**self._options, key: value})
                self._game(options).check_seats(len(self._pen.public.seats))
                self._options = dict(written_options(options))
                self.write()
        except InvalidOption as error:
            raise UserError(f"{error}.") from error

    def _resize(self, value: str) -> None:
        """Changes the number of seats; raises InvalidOption or UserError."""
        wanted = int(value) if value.isascii() and value.isdigit() and len(value) < 4 else 0
        self._game(read_options(self._game, self._options)).check_seats(wanted)
        self._roster(lobby.resized(self._pen.public, wanted))

    def bot(self, words: tuple[str, ...]) -> None:
        """("add", level) · ("remove", nick) · ("level", nick, level); an empty level is the table's."""
        self._lobby_only()
        match words:
            case ("add", level):
                self._roster(lobby.bot_added(self._pen.public, self._level(level)))
            case ("remove", which):
                self._roster(lobby.bot_removed(self._pen.public, which))
            case ("level", which, level):
                self._roster(lobby.bot_level(self._pen.public, which, self._level(level)))
            case _:
                raise UserError(f"A bot can be added or removed, or its level changed; not: {' '.join(words)}.")

    def _level(self, level: str) -> str:
        known = settings.levels(self._game.name)
        if level and level not in known:
            raise UserError(f"A bot's level is one of: {', '.join(known)}.")
        return level or self._pen.public.setting("bot_level")

    def _lobby_only(self) -> None:
        if not self._pen.public.match_over:
            raise UserError("Not inside a match: only in the lobby, before the start.")

    def _roster(self, roster: Roster) -> None:
        self._pen.write(EntryKind.ROSTER, roster)

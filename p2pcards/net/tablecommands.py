"""What is typed at a table, made inputs and orders of its machines.

commands = TableCommands(presets, moderation, tell)
commands.do(place, command)            # UserError where it is refused at once; nothing has changed then
commands.leave(sitting, 1)
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from p2pcards.commands.command import Command
from p2pcards.commands.presets import Presets, find
from p2pcards.errors import UserError
from p2pcards.net.moderation import Moderation, Place
from p2pcards.net.presets import load_rules
from p2pcards.net.sitting import Sitting
from p2pcards.table.effects import Chose, GoOn, Left, Spoke, Wanted
from p2pcards.table.notices import Failed, Notice, OptionsSet
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.text import clean


class TableCommands:
    """Carries commands out at the table that we are at."""

    def __init__(self, presets: Presets, moderation: Moderation, tell: Callable[[Notice], None]) -> None:
        self._presets, self._moderation, self._tell = presets, moderation, tell
        self.quiet = False  # a preset is loaded: what came of it is told when it is through

    def do(self, place: Place, command: Command) -> None:
        """Carries it out."""
        sitting = place.sitting
        if command.action:
            sitting.feed(Chose(command.action))
            return
        match command.verb, command.args:
            case ("start", ()):
                sitting.order("start")
            case ("next" | "again", ()):
                sitting.feed(Wanted("next"))
            case ("stop", ()):
                sitting.feed(Wanted("stop"))
            case ("back", ()) if sitting.guest.me not in sitting.guest.public.bots_on:
                raise UserError("You play yourself: no bot stands in for you.")
            case ("skip" | "deck" | "back" | "away" | "watch" as wish, ()):
                sitting.feed(Wanted(wish))
            case ("preset", ("load", name)):
                self._load_preset(sitting, name)
            case ("set" | "bot", args):
                sitting.order(command.verb, *(args if len(args) > 1 or command.verb == "set" else (*args, "")))
            case ("handover", _) if place.alone:
                raise UserError("Nobody can come to this table: it is on this machine alone.")
            case ("handover", nick):
                sitting.order("handover", *(nick or ("",)))
            case ("proceed" | "wait" as answer, ()):
                self._go_on(sitting, yes=answer == "proceed")
            case ("hint", ()):
                self._hint(place)
            case ("sit", ()):
                sitting.feed(Wanted("seat"))
            case ("leave", ()):
                self.leave(sitting, LeaveReason.LEAVE)
            case ("ragequit", ()):
                self.leave(sitting, LeaveReason.RAGEQUIT)
            case _:
                self._among_people(place, command)

    def _among_people(self, place: Place, command: Command) -> None:
        """Who comes in, who goes out, and who says what."""
        sitting = place.sitting
        match command.verb, command.args:
            case ("door" | "admit" | "deny" | "kick", _) if place.alone:
                raise UserError("Nobody can come to this table: it is on this machine alone.")
            case ("door" | "admit" as verb, (word,)):
                sitting.order(verb, word)
            case ("deny", (nick, reason)):
                self._moderation.deny(place, nick, reason)
            case ("kick", (nick, reason)):
                self._moderation.kick(place, nick, reason)
            case ("ban", (name, seconds, reason)):
                self._moderation.ban(place, name, seconds, reason)
            case ("unban", (name,)):
                self._moderation.unban(place, name)
            case ("vote", (_, *_) as words):
                self._moderation.vote(place, words)
            case ("say", (text,)):
                sitting.feed(Spoke(text))
            case ("msg", (nick, text)):
                sitting.feed(Spoke(text, _addressee(sitting, nick)))
            case _:
                raise UserError(f"{command.verb} can't be done here.")

    def leave(self, sitting: Sitting, reason: LeaveReason) -> None:
        """Says good-bye, so that the seat is taken care of; a host hands over, or closes its table."""
        sitting.feed(Left(reason))

    def _go_on(self, sitting: Sitting, *, yes: bool) -> None:
        """Says whether to go on without those who are missing."""
        view = sitting.peer.table_view()
        if view is None or not view.may_go_on:
            raise UserError("Nobody asks whether to go on without somebody.")
        sitting.feed(GoOn(yes))

    def _hint(self, place: Place) -> None:
        """What a bot would do; it is told when that is thought out."""
        if not place.alone and place.sitting.guest.public.setting("hints") != "true":
            raise UserError("At this table nobody may ask a bot; the host allows it in the lobby, `set hints true`.")
        if not place.sitting.hint():
            raise UserError("It is not your turn: ask when it is.")

    def begin(self, sitting: Sitting) -> None:
        """A table that nobody watches over starts by itself; where somebody has got up again, later."""
        if sitting.guest.public.match_over and not sitting.closed:
            with suppress(UserError):
                sitting.order("start")

    def _load_preset(self, sitting: Sitting, name: str) -> None:
        """The table gets the rules of the preset and no others; what does not exist any more is told."""
        rules = find(self._presets, sitting.guest.public.rules.name, name)
        self.quiet = True
        try:
            gone = load_rules(sitting, rules)
        finally:
            self.quiet = False
        self._tell(OptionsSet(sitting.guest.public.options, sitting.guest.public.settings))
        if gone:
            self._tell(Failed(f"The preset {name} has what this game no longer has: {', '.join(gone)}.", 0))


def _addressee(sitting: Sitting, wanted: str) -> str:
    """The nick of the player whom a private word is for; UserError where there is no such person."""
    public, lower = sitting.guest.public, wanted.lower()
    held = next((held for held in public.seats if held.nick.lower() == lower and held.kind is not SeatKind.OPEN), None)
    if held is not None and held.kind is SeatKind.BOT:
        raise UserError(f"{held.nick} is a bot, and reads nothing.")
    if held is None and lower in (nick.lower() for _, nick in public.spectators):
        raise UserError(f"{clean(wanted, 40)} only looks on: `msg` is for players, `say` for everybody.")
    if held is None:
        raise UserError(f"No player at this table is called {clean(wanted, 40)}.")
    if public.seat_of(held.key) == sitting.guest.me:
        raise UserError("That is you yourself.")
    return held.nick

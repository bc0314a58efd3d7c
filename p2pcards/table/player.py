"""What the person at this program does and says at a table, and the good-bye (protocol 6.4, 4.7).

Nothing is sent that the rules refuse, and one thing at a time: what is on its way is said anew when the line broke
under it, until the journal has it or the host will not.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard
from p2pcards.games.base import Secrecy
from p2pcards.table.line import Line
from p2pcards.table.notices import Refused
from p2pcards.table.parts import NO_PART
from p2pcards.table.reader import Reader
from p2pcards.table.round import Refused as RefusedByTable
from p2pcards.table.speech import Speech
from p2pcards.table.talk import Talk
from p2pcards.wire import messages
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.identity import Identity
from p2pcards.wire.text import clean

_COUNT = re.compile(r"[0-9]{1,10}")

LEAVING_SECONDS = 2.0
"""How long a good-bye waits to be journaled."""


class Player:
    """The voice of one seat, or of a spectator."""

    def __init__(
        self, identity: Identity, random: Callable[[int], bytes], reader: Reader, line: Line, started: int
    ) -> None:
        """started: see `Guest`."""
        self._key, self._reader, self._line = identity.key, reader, line
        self.speech = Speech(identity, random, reader.journal, reader.public)
        self.talk = Talk(identity, started)
        self.resend = False  # the line was lost, maybe under an act of ours
        self._leaving: LeaveReason | None = None
        self._good_bye = 0  # n of the good-bye
        self.leave_by: float | None = None

    @property
    def my_turn(self) -> Any:
        """The view to choose an action from, if it is our turn and nothing of ours is on its way; else None."""
        reader = self._reader
        if not (self._line.welcomed and self.leave_by is None and reader.settled) or self.speech.busy:
            return None
        return reader.view if self._plays and reader.me in reader.to_act else None

    @property
    def _plays(self) -> bool:
        me = self._reader.me
        return me is not None and self._reader.public.plays_itself(me)

    def chose(self, text: str) -> None:
        """An act, as canonical text."""
        view, seat, books = self.my_turn, self._reader.me, self._reader.public
        if seat in books.bots_on and self._line.welcomed:
            self.want("back")  # who plays again has the seat again, and sees where the game is by now
            return
        if view is None or seat is None:
            code = "no_link" if not self._line.welcomed else "pending" if self.speech.busy else "not_your_turn"
            self._refuse(code)
            return
        game = books.rules
        try:
            action = game.parse(text)
            game.check(view, action)
        except IllegalAction as refusal:
            self._refuse(str(refusal.code.value), " ".join(refusal.detail))
            return
        except (InvalidAction, InvalidCard) as error:
            self._refuse("no_action", str(error))
            return
        say = {
            Secrecy.BLIND: self.speech.answer,
            Secrecy.SEALED: self.speech.sealed,
            Secrecy.PUBLIC: self.speech.act,
        }
        self._line.send(say[game.secrecy(action)](seat, game.format(action)))

    def want(self, text: str) -> None:
        """Asks the host for something that is no act."""
        if self._line.welcomed:
            self._line.send(messages.Want(text))
        else:
            self._refuse("no_link")

    def say(self, text: str, to: str) -> None:
        """Says something to everybody, or to one player."""
        lower, books = to.lower(), self._reader.public
        seats = [seat for seat, held in enumerate(books.seats) if held.nick.lower() == lower and held.key]
        try:
            if not self._line.welcomed:
                raise RefusedByTable("no_link")
            if to and not seats:
                raise RefusedByTable("nobody_there")
            scope = seats[0] if to else messages.TO_ALL
            self._line.send(self.talk.say(self._reader.journal.table, scope, text))
        except RefusedByTable as refusal:
            self._refuse(refusal.code, " ".join(refusal.detail))

    def hear(self, said: messages.Chat) -> None:
        """What nobody at the table has said in truth is dropped."""
        spoken = self.talk.hear(said, self._reader.public)
        if spoken is not None and self._reader.entered:
            self._line.tell(spoken)

    def cast(self, about: int, yes: bool) -> None:
        """Votes on showing somebody out."""
        me = self._reader.me
        if me is None or not self._line.welcomed or self.speech.busy:
            self._refuse("not_seated" if me is None else "pending" if self._line.welcomed else "no_link")
        else:
            self._line.send(self.speech.vote(me, about, yes))

    def speak(self) -> None:
        """Says by itself what is due: what a lost line swallowed, and our answer once all have given theirs."""
        seat, acting = self._reader.me, self._reader.to_act
        again, self.resend = self.resend, False
        if seat is None or not self._plays or self.leave_by is not None:
            return
        said = self.speech.again(seat, acting) if again else None
        if said is None and not acting and not self.speech.busy:
            said = self.speech.opening(seat)
        if said is not None:
            self._line.send(said)

    def refused(self, message: messages.Refused) -> None:
        """The host would not have something of ours."""
        if message.code == NO_PART or self.speech.is_part(message.n):
            return  # it came too late: the entry says so
        if message.n == 0 and message.code == "stale" and _COUNT.fullmatch(message.text):
            again = self.talk.again(self._reader.journal.table, int(message.text))
            if again is not None:
                self._line.send(again)
                return
        self.speech.refused(message.n)
        if self.leave_by is None:
            self._refuse(clean(message.code, 40), clean(message.text, 300))

    def _refuse(self, code: str, text: str = "") -> None:
        self._line.tell(Refused(code, text))

    # ---- going

    def leave(self, reason: LeaveReason, now: float) -> None:
        """Goes, as soon as the journal has the good-bye."""
        if self.leave_by is None:
            self._leaving, self.leave_by = reason, now + LEAVING_SECONDS

    def new_line(self) -> None:
        """Another host listens: what we said to the one before may never be written, a good-bye neither."""
        self.resend, self._good_bye = True, 0

    def is_gone(self, now: float, term: int) -> bool:
        """Says good-bye behind what is on its way; whether it stands in the journal by now, or nobody listens.

        It is said anew where a part of a shuffle, said just before, was counted in its place. term: the newest that we
        know of.
        """
        if self.leave_by is None:
            return False
        counted, has_say = self._reader.public.said.get(self._key, 0), self._has_say
        if self._leaving and has_say and not self.speech.busy and counted >= self._good_bye:
            self._good_bye = counted + 1
            self._line.send(self.speech.leave(self._reader.me, self._leaving, term))
        return not has_say or now >= self.leave_by

    @property
    def _has_say(self) -> bool:
        """Whether the table has to be told when we go: we hold a seat, or vote."""
        return self._reader.me is not None or self._key in self._reader.public.voters

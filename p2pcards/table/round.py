"""The open round as its host runs it: acts, hidden answers, bots, and the end.

A question (Tong-its' call) is answered blind: first every seat asked commits to an answer, the bots and the host's own
seat included, and only when all commitments stand in the journal is any of them opened. So nobody, not even the host,
can answer knowing another's answer. What is not committed or not opened in time gets the default of the rules.
"""

from __future__ import annotations

from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard, P2PCardsError
from p2pcards.games.base import DEALER, Outcome, Secrecy
from p2pcards.table.fold import RoundFold
from p2pcards.table.openround import Blind, OpenRound
from p2pcards.table.pen import Pen
from p2pcards.table.sealed import seal_choice, unpack_choice
from p2pcards.wire.encode import expand, u64
from p2pcards.wire.entries import EntryFlag, EntryKind
from p2pcards.wire.envelope import (
    ActKind,
    Envelope,
    choice_commitment,
    decode_envelope,
    pack_opening,
    unpack_opening,
)

OPENING_SECONDS = 10.0
"""How long a committed answer may stay unopened (protocol 7.1)."""


class Refused(P2PCardsError):
    """An act that the table refuses: code and detail for the player."""

    def __init__(self, code: str, *detail: str) -> None:
        super().__init__(code, *detail)
        self.code, self.detail = code, detail


class HostRound:
    """One round from its deal to its outcome."""

    def __init__(self, pen: Pen, fold: RoundFold, secret: bytes) -> None:
        self._pen, self.fold, self._secret = pen, fold, secret
        self._open_by: float | None = None

    @property
    def outcome(self) -> Outcome | None:
        """How the round ended; None while it is open."""
        return self.fold.outcome

    @property
    def wake_at(self) -> float | None:
        """When an unopened answer runs out of time."""
        return self._open_by

    @property
    def to_act(self) -> tuple[int, ...]:
        """Who has yet to act: of several asked at once, those that have not answered, nobody in a shuffle."""
        books = self._books
        answered = books.blinds.keys() | books.openings.keys() | {DEALER}
        return tuple(seat for seat in self.fold.to_act if seat not in answered)

    def take(self, data: bytes, actsig: bytes, opening: bytes, seat: int, now: float) -> None:
        """A player's signed act, its signature and count checked by the host; raises Refused.

        opening: salt and text of a sealed choice.
        """
        said = decode_envelope(data)
        if said.kind is ActKind.OPENING:
            self._take_opening(said, data, actsig, seat, now)
            return
        self._may_act(said, seat)
        if said.kind is ActKind.BLIND:
            if not self.fold.asks(seat):
                raise Refused("not_a_question")
            self._pen.write_act(data, EntryFlag.ACTSIG, actsig)
            self._answers_moved(now)
        elif said.kind is ActKind.SEALED:
            self._take_sealed(said, data, actsig, opening, seat)
        elif said.kind is ActKind.ACT:
            self._act(said, data, actsig, seat)
        else:
            raise Refused("not_now")

    def bot_chose(self, seat: int, text: str, now: float) -> None:
        """A bot's choice for a seat; one that the rules refuse becomes the safe default."""
        game = self.fold.game
        try:
            secrecy = self.fold.secrecy(seat, text)
            text = game.format(game.parse(text))
        except (IllegalAction, InvalidAction, InvalidCard):
            text = game.format(game.default(self.fold.view(seat)))
            secrecy = self.fold.secrecy(seat, text)
        if secrecy is Secrecy.BLIND:
            index = len(self._pen.journal)
            sealed = self._commit(seat, 0, self._bot_salt(index), text.encode())
            self._pen.speak_for(seat, ActKind.BLIND, sealed, EntryFlag.BOT)
            self._answers_moved(now)
        else:
            self._speak_for(seat, text, secrecy, EntryFlag.BOT)

    def time_out(self, seat: int, now: float) -> None:
        """A seat's time is up: it gives in to a question, or its turn is played to the end by the safe default."""
        if seat in self.to_act and self.fold.asks(seat):
            self.give_up(seat, now)
            return
        game, fold = self.fold.game, self.fold
        while seat in self.to_act:
            text = game.format(game.default(fold.view(seat)))
            self._speak_for(seat, text, fold.secrecy(seat, text), EntryFlag.TIME)
            if not game.mid_turn(fold.view(None)):
                break

    def _speak_for(self, seat: int, text: str, secrecy: Secrecy, flag: EntryFlag) -> None:
        """An act of a bot, or after a time-out, that is no answer to a question."""
        index, body = len(self._pen.journal), text.encode()
        if secrecy is Secrecy.SEALED:
            salt = self._bot_salt(index)
            self._pen.speak_for(
                seat, ActKind.SEALED, self._commit(seat, 0, salt, body), flag, self._seal(index, salt, body)
            )
        else:
            self._pen.speak_for(seat, ActKind.ACT, body, flag)
        self.fold.act(seat, text, index)

    def give_up(self, seat: int, now: float) -> None:
        """A seat asked a question is gone before it answered: it gives in."""
        if seat in self.to_act and self.fold.asks(seat):
            self._default(seat, self.fold.game.questions[-1])
            self._answers_moved(now)

    def go_on(self, now: float) -> None:
        """Under a new host, or after a pause: goes on with an open question, and its answers get the whole time again.

        The answers that bots committed to follow from R, whoever hosts.
        """
        self._open_by = None
        if self.outcome is None and (self._books.blinds or self._books.openings):
            self._answers_moved(now)

    def wake(self, now: float) -> None:
        """Answers not opened in time get the default."""
        if self._open_by is not None and now >= self._open_by:
            for seat in sorted(self._books.blinds.keys() - self._books.openings.keys()):
                self._default(seat, self.fold.game.questions[0])
            self._answers_moved(now)

    # ---- checks and steps

    @property
    def _books(self) -> OpenRound:
        return self._pen.public.open_round

    def _may_act(self, said: Envelope, seat: int) -> None:
        if self.outcome or seat not in self.to_act:
            raise Refused("over" if self.outcome else "not_your_turn")
        journal = self._pen.journal
        if not journal.saw(said.seen_index, said.seen_head) or said.seen_index < self.fold.given[seat]:
            raise Refused("stale")

    def _act(self, said: Envelope, data: bytes, actsig: bytes, seat: int) -> None:
        text = said.payload.decode()
        self._check(seat, text, Secrecy.PUBLIC)
        index = self._pen.write_act(data, EntryFlag.ACTSIG, actsig)
        self.fold.act(seat, text, index)

    def _take_sealed(self, said: Envelope, data: bytes, actsig: bytes, opening: bytes, seat: int) -> None:
        salt, body = unpack_choice(opening)
        if self._commit(seat, said.n, salt, body) != said.payload:
            raise Refused("not_committed")
        text = body.decode("utf-8", "replace")
        self._check(seat, text, Secrecy.SEALED)
        sealed = self._seal(len(self._pen.journal), salt, body)
        index = self._pen.write_act(data, EntryFlag.ACTSIG, actsig, sealed)
        self.fold.act(seat, text, index)

    def _check(self, seat: int, text: str, wanted: Secrecy) -> None:
        """An act must be legal, written canonically, and as secret as it came; raises Refused."""
        try:
            secrecy = self.fold.secrecy(seat, text)
        except IllegalAction as refusal:
            raise Refused(str(refusal.code.value), *refusal.detail) from refusal
        except (InvalidAction, InvalidCard) as error:
            raise Refused("no_action", str(error)) from error
        game = self.fold.game
        if secrecy is not wanted or game.format(game.parse(text)) != text:
            raise Refused("no_action", text)

    def _take_opening(self, said: Envelope, data: bytes, actsig: bytes, seat: int, now: float) -> None:
        books = self._books
        blind = books.blinds.get(seat)
        n, salt, body = unpack_opening(said.payload)
        if blind is None or self.to_act or seat in books.openings or n != blind.n:
            raise Refused("not_now")
        if self._commit(seat, n, salt, body, blind.table) != blind.commitment:
            raise Refused("not_committed")
        if not self._pen.journal.saw(said.seen_index, said.seen_head) or said.seen_index < books.committed_at:
            raise Refused("stale")
        self._pen.write_act(data, EntryFlag.ACTSIG, actsig)
        self._answers_moved(now)

    def _answers_moved(self, now: float) -> None:
        """Goes on with a question: opens the bots' answers when all are in, plays all when all are open."""
        books, asked = self._books, self.fold.to_act
        if self.to_act:
            return
        for seat, blind in list(books.blinds.items()):
            if seat not in books.openings and blind.n == 0:
                self._open_for_bot(seat, blind)
        if all(seat in books.openings for seat in asked):
            self._open_by = None
            self.fold.answer({seat: books.openings[seat] for seat in asked}, self._pen.journal.last)
        elif self._open_by is None:
            self._open_by = now + OPENING_SECONDS

    def _open_for_bot(self, seat: int, blind: Blind) -> None:
        """The bot's answer is the one whose commitment stands: its salt follows from R and the entry."""
        for index in range(self._books.started_at, len(self._pen.journal)):
            entry = self._pen.journal.entries[index]
            if entry.kind is EntryKind.BLIND and entry.seat == seat and entry.flags is EntryFlag.BOT:
                salt = self._bot_salt(index)
                for word in self.fold.game.questions:
                    if self._commit(seat, 0, salt, word.encode(), blind.table) == blind.commitment:
                        payload = pack_opening(0, salt, word.encode())
                        self._pen.speak_for(seat, ActKind.OPENING, payload, EntryFlag.BOT)
                        return

    def _default(self, seat: int, word: str) -> None:
        blind = self._books.blinds.get(seat)
        payload = pack_opening(blind.n if blind else 0, bytes(32), word.encode())
        self._pen.speak_for(seat, ActKind.OPENING, payload, EntryFlag.TIME)

    def _commit(self, seat: int, n: int, salt: bytes, body: bytes, table: bytes = b"") -> bytes:
        """table: the T under which it was committed to; that of now, unless one is given."""
        return choice_commitment(table or self._pen.public.table, self._pen.public.epoch, seat, n, salt, body)

    def _seal(self, index: int, salt: bytes, body: bytes) -> bytes:
        return seal_choice(self._secret, self._pen.public.term, index, salt, body)

    def _bot_salt(self, index: int) -> bytes:
        return expand(self._secret, "bot salt", u64(index))

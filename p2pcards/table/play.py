"""Matches and rounds as the host runs them: who sits where, the deal, the end, and whose turn a bot takes."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from p2pcards.errors import InvalidOption, UserError
from p2pcards.games.match import Match
from p2pcards.table import lobby
from p2pcards.table.access import free_seat
from p2pcards.table.deal import Deal, drawn_seats
from p2pcards.table.dealer import Dealer
from p2pcards.table.fold import RoundFold
from p2pcards.table.leaves import opened
from p2pcards.table.notices import BotTurn
from p2pcards.table.pen import Pen
from p2pcards.table.public import Public
from p2pcards.table.round import HostRound
from p2pcards.table.turnclock import Turn
from p2pcards.wire.entries import (
    Disclose,
    EntryKind,
    MatchEnd,
    MatchStart,
    OpenPub,
    RoundEnd,
    SeatKind,
)

NEXT_SECONDS = 20.0
"""How long the score sheet waits for those who have not typed `next`."""

AGAIN_SECONDS = 60.0
"""The same where a `stop` would end the match (rules 11)."""

Waiting = Iterable[tuple[bytes, str, bool]]
"""Spectators that want a seat: key, nick, whether a program."""


class Play:
    """The match at a table, and its open round."""

    def __init__(self, pen: Pen, random: Callable[[int], bytes], listens: Callable[[bytes], bool]) -> None:
        """listens: whether somebody with that key is here and follows the journal."""
        self._pen = pen
        self.dealer = Dealer(pen, random, listens)
        self.round: HostRound | None = None
        self.match = Match()
        self.ready: set[bytes] = set()  # members that typed `next`
        self.next_by: float | None = None
        self.secrets: list[tuple[str, bytes]] = []  # for the shell to keep or remove
        self._asked: tuple[int, bytes] | None = None  # the bot's turn last asked for: seat and head

    @property
    def _books(self) -> Public:
        return self._pen.public

    @property
    def between(self) -> bool:
        """A round is over and the match goes on."""
        return self._books.round is None and not self._books.match_over

    @property
    def waits_for(self) -> tuple[int, ...]:
        """The seats of people whose move the round waits for."""
        current = self.round
        return tuple(seat for seat in current.to_act if self._books.plays_itself(seat)) if current else ()

    @property
    def turn(self) -> Turn | None:
        """Which turn it is; None where no person is waited for."""
        if self.round is None or not self.waits_for:
            return None
        return self._books.round_number, self.round.fold.turn_at

    def time_out(self, now: float) -> None:
        """The time of those who are waited for is up."""
        for seat in self.waits_for:
            if self.round is not None:
                self.round.time_out(seat, now)

    def lay_open(self) -> bool:
        """Lays the whole deck of the round open for everybody; False where it can't be done now."""
        books = self._books.round
        if self.round is None or books is None or books.deck or books.dealing or self.round.outcome:
            return False
        while books.to_lay_open:
            self._lay_open(self.round.fold, books.to_lay_open)
        return True

    @property
    def open_seats(self) -> int:
        """How many seats nobody holds."""
        return sum(held.kind is SeatKind.OPEN for held in self._books.seats)

    @property
    def may_start_again(self) -> bool:
        """A match is over, and another one can start with those who sit here."""
        books = self._books
        return books.match > 0 and books.match_over and not self.open_seats and not self._pen.journal.full

    def start(self, waiting: Waiting) -> None:
        """Starts a match, bots in the open seats; UserError where it can't start."""
        books = self._books
        if not books.match_over:
            raise UserError("The match is on already.")
        if self._pen.journal.full:
            raise UserError("This table has seen too many rounds; open another one.")
        waiting = list(waiting)
        fills = books.setting("bot_fill") == "true"
        self._check_enough(0 if fills else max(0, self.open_seats - len(waiting)))
        self.seat(waiting)
        if self.open_seats:
            roster = lobby.filled(books, books.setting("bot_level")) if fills else lobby.closed_up(books)
            self._pen.write(EntryKind.ROSTER, roster)
        self._pen.write(EntryKind.MATCH_START, MatchStart(books.match + 1, self._drawn_seats()))
        self.match = Match.start(books.rules, len(books.seats))
        self.deal(())

    def _check_enough(self, empty: int) -> None:
        """Whether the match can be dealt without the empty seats; raises UserError."""
        seats = len(self._books.seats)
        try:
            self._books.rules.check_seats(seats - empty)
        except InvalidOption as error:
            raise UserError(f"{empty} of {seats} seats are still open, and bot_fill is off: {error}.") from error

    def deal(self, waiting: Waiting) -> None:
        """Begins to deal a round, from a secret that is on the disk before it is used (protocol 6.3)."""
        self.seat(waiting)
        self.ready.clear()
        self.next_by = None
        self.dealer.open()
        self.secrets.append((_kept(self._books.epoch), self.dealer.secret))
        self.go_on_dealing()

    def go_on_dealing(self) -> None:
        """Shuffles when every part is in, or its time is up; begins to shuffle anew where the stock has run out."""
        while True:
            if self.round and not self.dealer.dealing and (cards := self.round.fold.to_shuffle):
                self.dealer.reshuffle(cards)
            deal = self.dealer.shuffled()
            if deal is None:
                return
            if self.round:
                index = self.dealer.bind(deal)
                self.round.fold.shuffle(deal.order, index, self._books.epoch)
            else:
                self._begin(deal)
            self.dealer.replace_silent()

    def _begin(self, deal: Deal) -> None:
        """The cards are dealt: those that lie face up are opened for everybody."""
        books, starter = self._books, self.match.starter(deal.lot)
        index = self.dealer.bind(deal, starter)
        fold = RoundFold(books.rules, deal, len(books.seats), starter, self.match.first, index, books.epoch)
        self.round = HostRound(self._pen, fold, self.dealer.secret)
        if fold.leaves.up:
            self._lay_open(fold, fold.leaves.up)

    def _lay_open(self, fold: RoundFold, leaves: Iterable[tuple[int, int]]) -> None:
        self._pen.write(EntryKind.OPEN, OpenPub(opened(fold, self.dealer.secret, leaves)))

    def end_round(self, now: float, publish: Callable[[], None]) -> None:
        """Ends the round if it is over. `publish` is called after each entry that guests are to see by itself."""
        over, books = self.round, self._books
        outcome = over.outcome if over else None
        if over is None or outcome is None:
            return
        publish()
        first_epoch = books.round.first_epoch if books.round else books.epoch
        self.match = self.match.settle(outcome)
        ended = RoundEnd(books.round_number, outcome.reason, tuple(outcome.winners), self.match.points)
        self._pen.write(EntryKind.ROUND_END, ended)
        publish()
        self.round = None
        self._pen.write(EntryKind.DISCLOSE, Disclose(books.round_number, self.dealer.close()))
        self.secrets.append((_kept(first_epoch), b""))
        if self.match.over:
            self._end_match()
        elif self._pen.journal.full:
            self.stop()
        else:
            self.next_by = now + (AGAIN_SECONDS if self.match.endless else NEXT_SECONDS)

    def stop(self) -> None:
        """Ends a match between two rounds, before its options do."""
        self.match = self.match.stop()
        self._end_match()

    def _end_match(self) -> None:
        self.next_by = None
        self.ready.clear()
        ended = MatchEnd(self._books.match, self.match.scores, tuple(self.match.winners))
        self._pen.write(EntryKind.MATCH_END, ended)

    def bot_turn(self) -> BotTurn | None:
        """The turn of a seat that a bot plays, once for each head."""
        books, head = self._books, self._pen.journal.head
        for seat in self.round.to_act if self.round else ():
            if self.round is None or books.plays_itself(seat):
                continue
            if self._asked == (seat, head):
                return None
            self._asked = (seat, head)
            level = books.seats[seat].level or books.setting("bot_level")
            return BotTurn(seat, level, self.round.fold.view(seat), head)
        return None

    def seat(self, waiting: Waiting) -> None:
        """Whoever waits takes a free seat, or one that a bot keeps for nobody."""
        for key, nick, program in waiting:
            seat = free_seat(self._books, key)
            if seat is not None:
                self._pen.write(EntryKind.ROSTER, lobby.seated(self._books, key, nick, seat, program))

    def _drawn_seats(self) -> tuple[int, ...]:
        """The roster's seats in the order of the match (protocol 6.3, step 4)."""
        if self._books.setting("seat_order") == "join_order":
            return tuple(range(len(self._books.seats)))
        return drawn_seats(self._pen.journal.table, self._books.seats)


def _kept(epoch: int) -> str:
    """Name of the file that keeps R of a round."""
    return f"root-{epoch}"

"""The round goes on under another host: what the new one needs, from its journal, its match and R (protocol 7.6).

Nothing of the old host's state is asked for: the journal and R give every hand, every score and every answer that is
still waited for. `Recovery` finds R; when it has it, or `expired`, and the host is active (what follows writes):

    restored = restore(pen, play.dealer, secret, book.match)       # secret: b"" where there is none
    play.match, play.round = restored.match, restored.round
    if restored.void:                                              # not to be had, or not in order
        pen.write(EntryKind.ROUND_END, void(books)); play.dealer.close(); the next round is dealt at once
    elif restored.ended:                                           # its ROUND_END stands
        DISCLOSE with play.dealer.close() as soon as that is committed
    elif restored.round:
        the cards restored.to_open are written as OPEN             # before anything else
        play.round.go_on(now)                                      # answers of bots, and time for those of people
        play.go_on_dealing()                                       # a reshuffle that was cut short, or never begun
    elif restored.deal:                                            # a deal that was cut short, or never begun
        the next round is dealt at once

Under the same term (a host that was stopped and goes on, alone or with one other) it is used in the same way; then a
shuffle under way goes on where it was, with the parts that are said again.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.games.base import Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.table.audit_deal import Unsound
from p2pcards.table.dealer import Dealer
from p2pcards.table.leaves import Leaf
from p2pcards.table.pen import Pen
from p2pcards.table.public import Public
from p2pcards.table.replay import Replay
from p2pcards.table.round import HostRound
from p2pcards.table.rounds import VOID
from p2pcards.wire.entries import EntryKind, RoundEnd


class Restored(Struct, frozen=True):
    """How the match stands.

    match      with the open round in it, if its ROUND_END stands
    round      the open round, from its first DEAL_START to its ROUND_END
    to_open    leaves of cards that the deal turned up and that nobody was shown yet
    ended      the round's ROUND_END stands, and its DISCLOSE is due when that is committed
    void       why the open round can't go on; empty where it can
    bad        index of the entry that is not in order, where that is why
    deal       the next round is to be dealt without waiting for anybody
    """

    match: Match
    round: HostRound | None = None
    to_open: tuple[Leaf, ...] = ()
    ended: bool = False
    void: str = ""
    bad: int | None = None
    deal: bool = False


def restore(pen: Pen, dealer: Dealer, secret: bytes, match: Match) -> Restored:
    """Takes the table over, as it stands in the journal of `pen`; writes nothing.

    secret: R of the open round, none where it can't be had. match: what this program's own audits came to.
    dealer: is given the secret, its shares, and the shuffle under way.
    """
    books = pen.public
    match = credited(match, books.ends)
    current = books.round
    if current is None:
        return Restored(match, deal=not books.match_over and _was_dealt(pen))
    if current.lost or not secret:
        return Restored(match, void="its secret is lost")
    dealer.restore(secret)
    replay = Replay(pen.journal, books.rules, current.opened_at, secret, match)
    for entry in pen.journal.entries[current.opened_at :]:
        try:
            replay.take(entry)
        except (Unsound, ProtocolError) as error:
            if current.ended:  # it is disclosed whatever is wrong with it: the audit says what, and whose fault it is
                return Restored(credited(match, [*books.ends, current.ended]), ended=True, bad=entry.index)
            return Restored(match, void=str(error), bad=entry.index)
    fold = replay.fold
    if fold is None:
        return Restored(match)
    if current.ended and fold.outcome:
        match = match.settle(fold.outcome)
    return Restored(match, HostRound(pen, fold, secret), replay.to_open, current.ended is not None)


def void(books: Public) -> RoundEnd:
    """What ends the open round where it can't go on."""
    return RoundEnd(books.open_round.number, VOID, (), ())


def credited(match: Match, ends: list[RoundEnd]) -> Match:
    """The match with the rounds that our audit did not find in order, as their entries say.

    Somebody has to go on counting; that none of it is verified any more, everybody's own audit says.
    """
    for ended in ends[match.round :]:
        winners = tuple(map(Seat, ended.winners))
        match = replace(
            match,
            scores=tuple(score + won for score, won in zip(match.scores, ended.points, strict=True)),
            wins=tuple(won + (seat in winners) for seat, won in enumerate(match.wins)),
            round=match.round + 1,
            last=Outcome(ended.reason, winners, ended.points, None),
            points=ended.points,
        )
    return match


def _was_dealt(pen: Pen) -> bool:
    """Whether the next round was on its way: the match had just begun, or its deal came to nothing."""
    for entry in reversed(pen.journal.entries):
        if entry.kind in (EntryKind.MATCH_START, EntryKind.DEAL_OPEN, EntryKind.ROUND_END):
            return True
        if entry.kind is EntryKind.DISCLOSE:
            return False
    return False

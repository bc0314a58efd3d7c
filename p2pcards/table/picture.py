"""The table as a guest's screens show it: what it has read and been told, put together."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.cards import Card
from p2pcards.table.reader import Reader
from p2pcards.table.tableview import RoundResult, SeatView, TableView
from p2pcards.table.tidings import Tidings
from p2pcards.table.verdicts import Hearing
from p2pcards.wire.entries import PROGRAM, REASON_CHARS, SeatKind
from p2pcards.wire.text import clean


def picture(reader: Reader, tidings: Tidings, verdicts: Hearing) -> TableView | None:
    """The table by the journal and what came beside it; None before the first entries are here."""
    books = reader.public
    if books.game is None or not reader.entered:
        return None
    return TableView(
        title=books.title,
        table=books.journal.table,
        game=books.game,
        settings=books.settings,
        door=books.door,
        host=books.nick_of(books.host),
        host_key=books.host,
        mine=False,
        me=reader.me,
        nick=books.nick_of(reader.key),
        seats=_seats(reader, tidings),
        spectators=tuple(nick for _, nick in books.spectators),
        spectator_keys=tuple(key for key, _ in books.spectators),
        vote=reader.vote.view(books),
        kicks=tuple(replace(kick, reason=clean(kick.reason, REASON_CHARS)) for kick in books.kicks.values()),
        stage=reader.stage,
        round=books.round_number,
        scores=reader.book.match.scores,
        pot=reader.book.match.pot,
        view=reader.view if books.round else None,
        to_act=reader.to_act,
        clock_at=tidings.clock_at,
        skips=tidings.skips,
        deck=tuple(map(Card, books.round.deck)) if books.round else (),
        dealing=bool(books.round and books.round.dealing),
        last=_last(reader, verdicts),
        endless=reader.book.match.endless,
        winners=books.result.winners if books.result else (),
        ready=tidings.ready,
        next_at=tidings.next_at,
        term=books.term,
        safe=tidings.safe,
        kept_seat=_kept_seat(reader),
    )


def _kept_seat(reader: Reader) -> int | None:
    """The seat that a bot has in our place, since the others went on without us."""
    if reader.me is not None:
        return None
    seats = enumerate(reader.public.seats)
    return next((seat for seat, held in seats if held.kind is SeatKind.BOT and held.key == reader.key), None)


def _seats(reader: Reader, tidings: Tidings) -> tuple[SeatView, ...]:
    books = reader.public
    return tuple(
        SeatView(
            held.nick,
            held.key if held.kind is SeatKind.MEMBER else b"",
            held.level,
            bool(held.flags & PROGRAM),
            seat in books.bots_on and held.kind is SeatKind.MEMBER,
            tidings.held_until(held.key) if held.kind is SeatKind.MEMBER else None,
        )
        for seat, held in enumerate(books.seats)
    )


def _last(reader: Reader, verdicts: Hearing) -> RoundResult | None:
    last = reader.last
    return replace(last, verdicts=verdicts.others, doubts=verdicts.doubts) if last else None

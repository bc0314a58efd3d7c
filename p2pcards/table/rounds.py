"""The round in the books, from its DEAL_OPEN to its DISCLOSE (protocol 6.2, 6.3): what may follow what.

`Public` asks here: what anybody can check is refused at once. What seats say in between is for `acts`.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from p2pcards.errors import ProtocolError
from p2pcards.games.base import Place, Seat, Where
from p2pcards.table.deal import commitment, faces
from p2pcards.table.leaves import turned_up
from p2pcards.table.openround import EpochDeal, OpenRound
from p2pcards.table.parts import asked, escrow, read_parts
from p2pcards.wire.entries import DealOpen, DealReveal, DealStart, Disclose, OpenPub, Parts, RoundEnd
from p2pcards.wire.fields import NO_SEAT

if TYPE_CHECKING:
    from p2pcards.table.public import Public

VOID = "void"
"""The reason of a round that came to nothing, because the host that dealt it is gone with its secret."""

_REASON = re.compile(r"[a-z_]{1,20}")


def open_deal(books: Public, pub: DealOpen, index: int) -> None:
    """A round begins, or its discards are to be shuffled anew."""
    if books.round:
        _reshuffle(books, books.round, pub, index)
        return
    if books.match_over or pub.round != books.round_number + 1:
        raise ProtocolError("a deal out of turn")
    if pub.epoch != books.epoch + 1 or pub.seats != tuple(range(len(books.seats))):
        raise ProtocolError("a deal of another epoch, or to other seats")
    if pub.cards != faces(books.rules.decks()):
        raise ProtocolError("a deal of other cards")
    if (pub.holders, pub.threshold) != escrow(books) or len(pub.shares) != len(pub.holders):
        raise ProtocolError("a secret shared otherwise than by the rule")
    deal = asked(books, pub, index)
    books.epoch, books.round_number = pub.epoch, pub.round
    books.round = OpenRound(
        pub.round,
        pub.epoch,
        index,
        len(pub.seats),
        pub.root,
        pub.holders,
        pub.threshold,
        pub.shares,
        table=books.table,
        term=books.term,
    )
    books.round.epochs[books.epoch] = deal


def _reshuffle(books: Public, current: OpenRound, pub: DealOpen, index: int) -> None:
    if not books.rules.reshuffles or current.dealing or current.over:
        raise ProtocolError("a reshuffle out of turn")
    current.again(pub)
    deal = asked(books, pub, index)
    books.epoch += 1
    current.epochs[books.epoch] = deal


def take_parts(books: Public, pub: Parts, index: int) -> None:
    """What the contributors committed to, or showed; who did not is left out, and that is counted."""
    current = _the_round(books)
    deal = _the_shuffle(current)
    reveals = isinstance(pub, DealReveal)
    if not deal.contributors or deal.committed is not reveals or deal.revealed or current.ended:
        raise ProtocolError("parts of a deal out of turn")
    for envelope in read_parts(books, deal, pub, index):
        books.count(deal.key_of(envelope.seat), envelope, index)
        (deal.parts if reveals else deal.commits)[envelope.seat] = envelope.payload
    deal.asked_at, deal.committed, deal.revealed = index, True, reveals
    deal.left_out |= set(pub.left_out)
    for key in map(deal.key_of, pub.left_out):
        books.drops[key] = books.drops.get(key, 0) + 1


def start_deal(books: Public, pub: DealStart, index: int) -> None:
    """The cards are shuffled and bound."""
    current = _the_round(books)
    deal = _the_shuffle(current)
    reshuffle = current.starter is not None
    if current.ended or (pub.starter != NO_SEAT if reshuffle else pub.starter not in range(current.seats)):
        raise ProtocolError("a deal that can't start")
    deal.start(pub.leaves)
    if not reshuffle:
        current.starter, current.started_at = pub.starter, index
        current.turns_up = any(place.where is Where.FACE_UP for place in _layout(books, current))


def _layout(books: Public, current: OpenRound) -> tuple[Place, ...]:
    return books.rules.layout(current.seats, Seat(current.starter or 0), not books.ends)


def lay_open(books: Public, pub: OpenPub, index: int) -> None:
    """Cards turned up with the deal, or the whole deck where the settings allow it. Which ones, the audit says."""
    current = _the_round(books)
    if current.starter is None or current.over or current.dealing:
        raise ProtocolError("cards laid open out of turn")
    current.opens(pub)
    places = [card[:2] for card in pub.cards]
    if current.turns_up:
        if not turned_up(_layout(books, current), current.first_epoch, places):
            raise ProtocolError("other cards laid open than lie face up")
        current.turns_up = False
        return
    if books.setting("allow_peek") != "true":
        raise ProtocolError("cards laid open at a table that does not allow it")
    if places != current.to_lay_open:
        raise ProtocolError("a deck laid open twice, or in part")
    current.deck += bytes(card[3] for card in pub.cards)


def end_round(books: Public, pub: RoundEnd) -> None:
    """The round is over, or came to nothing. Whether the result is right, the audit says."""
    current = _the_round(books)
    if pub.reason == VOID:
        _void(books, current, pub)
        return
    if current.starter is None or current.over or current.dealing or pub.round != current.number:
        raise ProtocolError("a round that can't end")
    if len(pub.points) != current.seats or any(seat not in range(current.seats) for seat in pub.winners):
        raise ProtocolError("a result for other seats")
    if not _REASON.fullmatch(pub.reason):
        raise ProtocolError("a round ended for no reason")
    if current.turns_up:
        raise ProtocolError("cards of the deal that lie face up and are not opened")
    current.settle_answers()
    current.ended = pub


def _void(books: Public, current: OpenRound, pub: RoundEnd) -> None:
    """In the term of its deal no round is called off, or a host could deal until the cards please it."""
    if books.term <= current.term:
        raise ProtocolError("a round called off by the host that dealt it")
    if (pub.round, pub.winners, pub.points) != (current.number, (), ()):
        raise ProtocolError("a round that came to nothing, and has a result")
    books.round, books.round_number = None, books.round_number - 1


def disclose(books: Public, pub: Disclose, index: int) -> None:
    """R is known to all; the round counts."""
    current = _the_round(books)
    if current.ended is None or pub.round != current.number:
        raise ProtocolError("a disclosure out of turn")
    if commitment(current.table, current.first_epoch, pub.secret) != current.root:
        raise ProtocolError("the disclosed secret is not the one committed to")
    books.ends.append(current.ended)
    books.disclosed, books.disclosed_at = pub.round, index
    books.round = None


def _the_round(books: Public) -> OpenRound:
    if books.round is None:
        raise ProtocolError("an entry out of turn")
    return books.round


def _the_shuffle(current: OpenRound) -> EpochDeal:
    if current.dealing is None:
        raise ProtocolError("an entry out of turn")
    return current.dealing

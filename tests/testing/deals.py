"""The entries of a fair deal as an honest host writes them, for journals made by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from p2pcards.cards import face
from p2pcards.table.deal import card_salt, commitment, deal_from, faces, leaves
from p2pcards.table.escrow import quorum, share_commitment, shares
from p2pcards.wire.entries import DealOpen, DealStart, OpenPub


def opened(
    table: bytes,
    epoch: int,
    secret: bytes,
    voters: Sequence[bytes],
    host: bytes,
    *,
    round: int = 1,
    seats: int = 3,
    contributors: tuple[int, ...] = (),
    cards: bytes | None = None,
) -> DealOpen:
    """The first DEAL_OPEN of a round: the secret committed to, and shared among the voters but for the host."""
    holders = tuple(key for key in voters if key != host) if len(voters) > 2 else ()
    threshold = quorum(len(voters)) if holders else 0
    held = shares(table, epoch, secret, threshold, len(holders))
    return DealOpen(
        round,
        epoch,
        tuple(range(seats)),
        contributors,
        holders,
        threshold,
        faces(1) if cards is None else cards,
        commitment(table, epoch, secret),
        tuple(share_commitment(table, epoch, x, share) for x, share in enumerate(held, 1)),
    )


def started(
    table: bytes,
    epoch: int,
    secret: bytes,
    *,
    seats: int = 3,
    cards: bytes | None = None,
    parts: Mapping[int, bytes] | None = None,
    starter: int | None = None,
) -> DealStart:
    """The DEAL_START that follows from the secret and the parts; the drawn seat starts unless another is named."""
    deal = deal_from(table, epoch, secret, faces(1) if cards is None else cards, seats, parts)
    return DealStart(deal.lot if starter is None else starter, leaves(table, epoch, secret, deal.order))


def laid_open(
    table: bytes, epoch: int, secret: bytes, places: Iterable[int], *, parts: Mapping[int, bytes] | None = None
) -> OpenPub:
    """The OPEN of the cards at these places of the deal."""
    order = deal_from(table, epoch, secret, faces(1), 3, parts).order
    return OpenPub(tuple((epoch, place, card_salt(secret, epoch, place), face(order[place])) for place in places))

"""The plain deal: from R to the order of the cards (protocol 6.3)."""

from __future__ import annotations

import hashlib
import hmac
import itertools

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import DECK
from p2pcards.table.deal import commitment, deal_from, drawn_seats, faces
from p2pcards.wire.entries import SeatPub
from tests.testing.forge import bot, member
from tests.vectors import load

TABLE = bytes(16)


def _enc(label: bytes, *parts: bytes) -> bytes:
    """Protocol 2.1, written anew."""
    label = b"p2pcards/1 " + label
    body = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return bytes([len(label)]) + label + bytes([len(parts)]) + body


def _slow_deal(table: bytes, epoch: int, secret: bytes, cards: list[int], seats: int) -> tuple[list[int], int]:
    """Protocol 6.3 step 4, written anew: the faces in order, and the lot."""
    key = hmac.digest(secret, _enc(b"deal") + b"\1", "sha256")
    salt = hashlib.sha256(_enc(b"deal salt", table, epoch.to_bytes(4, "big"))).digest()
    seed = hmac.digest(salt, key, "sha256")
    words = (
        int.from_bytes(block[at : at + 4], "big")
        for number in itertools.count()
        for block in [hmac.digest(seed, _enc(b"deck", number.to_bytes(4, "big")), "sha256")]
        for at in range(0, 32, 4)
    )

    def below(bound: int) -> int:
        return next(word for word in words if word < 2**32 // bound * bound) % bound

    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        place = below(last + 1)
        order[last], order[place] = order[place], order[last]
    return order, below(seats)


def test_the_commitment_is_the_known_one() -> None:
    vector = load("deal")
    secret = bytes.fromhex(vector["root_secret"])
    assert commitment(bytes.fromhex(vector["table"]), vector["epoch"], secret).hex() == vector["root"]
    assert commitment(TABLE, 2, secret).hex() != vector["root"]


@given(st.binary(min_size=16, max_size=16), st.integers(1, 9), st.binary(min_size=32, max_size=32), st.integers(1, 2))
def test_a_deal_is_the_shuffle_written_down_in_the_protocol(
    table: bytes, epoch: int, secret: bytes, decks: int
) -> None:
    deal = deal_from(table, epoch, secret, faces(decks), 3)
    order, lot = _slow_deal(table, epoch, secret, sorted(list(range(DECK)) * decks), 3)
    assert [card % DECK for card in deal.order] == order
    assert deal.lot == lot
    assert sorted(deal.order) == list(range(DECK * decks))
    for face in range(DECK):  # the k-th copy of a face is copy k
        assert [card // DECK for card in deal.order if card % DECK == face] == list(range(decks))


def test_table_epoch_and_secret_all_count() -> None:
    deals = {
        deal_from(table, epoch, secret, faces(1), 3).order
        for table in (TABLE, b"1" * 16)
        for epoch in (1, 2)
        for secret in (bytes(32), b"1" * 32)
    }
    assert len(deals) == 8


def test_seats_are_drawn_from_table_and_keys_alone() -> None:
    seats: list[SeatPub] = [member("ana"), member("ben"), bot("bot-1"), bot("bot-2")]
    drawn = {
        tuple(order[place].nick for place in drawn_seats(TABLE, order))
        for order in itertools.permutations(seats)
        if order.index(seats[2]) < order.index(seats[3])
    }
    assert len(drawn) == 1  # wherever they sat before
    orders = {drawn_seats(bytes([number]) * 16, seats) for number in range(100)}
    assert len(orders) == 24
    assert all(sorted(order) == [0, 1, 2, 3] for order in orders)

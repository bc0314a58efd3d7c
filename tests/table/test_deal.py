"""The deal: from R and the parts to the order of the cards, and the leaves that bind it (protocol 6.3)."""

from __future__ import annotations

import hashlib
import itertools

from p2pcards.cards import DECK
from p2pcards.table.deal import (
    LEAF_BYTES,
    card_salt,
    commitment,
    deal_from,
    drawn_seats,
    faces,
    leaf,
    leaves,
    part_commitment,
)
from p2pcards.wire.entries import SeatPub
from tests.testing.forge import bot, member
from tests.vectors import load

TABLE = bytes(16)
SECRET = bytes(range(32))


def test_the_commitment_is_the_known_one() -> None:
    vector = load("deal")
    secret = bytes.fromhex(vector["root_secret"])
    assert commitment(bytes.fromhex(vector["table"]), vector["epoch"], secret).hex() == vector["root"]
    assert commitment(TABLE, 2, secret).hex() != vector["root"]


def test_a_deal_is_the_known_one() -> None:
    vector = load("deal")
    parts = {seat: bytes.fromhex(part) for seat, part in vector["contributions"]}
    order = deal_from(TABLE, vector["epoch"], SECRET, faces(1), 4, parts).order
    assert list(order[:13]) == vector["deck_start"]
    assert hashlib.sha256(bytes(order)).hexdigest() == vector["deck_sha256"]
    assert part_commitment(TABLE, vector["epoch"], 1, parts[1]).hex() == vector["commitment_1"]
    assert leaves(TABLE, vector["epoch"], SECRET, order)[:LEAF_BYTES].hex() == vector["leaf_0"]


def test_faces_of_several_decks_come_ascending() -> None:
    assert faces(1) == bytes(range(DECK))
    assert faces(2) == bytes(face for face in range(DECK) for _ in range(2))


def test_a_reshuffle_is_of_its_cards_alone_and_another_in_another_epoch() -> None:
    cards = bytes([3, 3, 17, 40, 51])
    decks = {deal_from(TABLE, epoch, SECRET, cards, 3, {1: b"1" * 32}).order for epoch in range(2, 40)}
    assert len(decks) > 20
    assert {tuple(sorted(deck)) for deck in decks} == {(3, 17, 40, 51, DECK + 3)}
    assert deal_from(TABLE, 2, SECRET, bytes([7]), 3).order == (7,)


def test_nobody_is_asked_and_the_deal_is_of_the_secret_alone() -> None:
    alone = deal_from(TABLE, 1, SECRET, faces(1), 3)
    assert alone == deal_from(TABLE, 1, SECRET, faces(1), 3, {})
    assert alone != deal_from(TABLE, 1, SECRET, faces(1), 3, {0: bytes(32)})


def test_a_part_counts_by_its_seat() -> None:
    one, two = b"1" * 32, b"2" * 32
    decks = {
        deal_from(TABLE, 1, SECRET, faces(1), 3, parts).order
        for parts in ({0: one}, {1: one}, {0: one, 1: two}, {0: two, 1: one}, {1: two})
    }
    assert len(decks) == 5
    assert deal_from(TABLE, 1, SECRET, faces(1), 3, {1: two, 0: one}).order in decks


def test_equal_cards_have_leaves_and_salts_of_their_own() -> None:
    order = deal_from(TABLE, 1, SECRET, bytes([5] * 10), 3).order
    bound = leaves(TABLE, 1, SECRET, order)
    assert len({bound[at : at + LEAF_BYTES] for at in range(0, len(bound), LEAF_BYTES)}) == 10
    assert len({card_salt(SECRET, epoch, place) for epoch in (1, 2) for place in range(10)}) == 20
    assert leaf(TABLE, 1, 3, card_salt(SECRET, 1, 3), 5) == bound[3 * LEAF_BYTES : 4 * LEAF_BYTES]


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

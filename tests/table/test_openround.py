"""The open round in the books: what a shuffle within it may be."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.cards import DECK
from p2pcards.errors import ProtocolError
from p2pcards.table.deal import faces
from p2pcards.table.openround import EpochDeal, OpenRound
from p2pcards.wire.entries import DealOpen

ROOT = bytes(32)
ACE = bytes([0])


def a_round(decks: int) -> OpenRound:
    """Under way at a table of two."""
    current = OpenRound(3, 7, 40, 2, ROOT, (), 0, ())
    current.epochs[7] = EpochDeal(faces(decks), (), (), 40)
    return current


def reshuffle(cards: bytes) -> DealOpen:
    return DealOpen(3, 7, (0, 1), (), (), 0, cards, ROOT, ())


@pytest.mark.parametrize(("decks", "cards"), [(1, ACE), (1, faces(1)), (2, 2 * ACE), (4, 4 * ACE + bytes([5, 51]))])
def test_any_of_the_cards_dealt_may_be_shuffled_again(decks: int, cards: bytes) -> None:
    a_round(decks).again(reshuffle(cards))


@pytest.mark.parametrize(
    ("decks", "cards"),
    [(1, b""), (1, 2 * ACE), (2, 3 * ACE), (1, bytes([DECK])), (1, bytes([0, 255])), (1, bytes([5, 4]))],
    ids=["none", "one twice", "one more often than there are decks", "a 53rd", "a 256th", "not in order"],
)
def test_cards_that_there_are_not_can_not_be(decks: int, cards: bytes) -> None:
    with pytest.raises(ProtocolError, match="others than were dealt"):
        a_round(decks).again(reshuffle(cards))


@pytest.mark.parametrize("change", [{"round": 4}, {"epoch": 8}, {"seats": (0,)}, {"root": bytes(31) + b"x"}])
def test_nor_can_those_of_another_round_or_secret(change: dict[str, object]) -> None:
    with pytest.raises(ProtocolError, match="another round, or from another secret"):
        a_round(1).again(replace(reshuffle(ACE), **change))


@pytest.mark.parametrize("change", [{"holders": (bytes(32),)}, {"threshold": 1}, {"shares": (bytes(32),)}])
def test_nor_with_other_shares(change: dict[str, object]) -> None:
    with pytest.raises(ProtocolError, match="other shares"):
        a_round(1).again(replace(reshuffle(ACE), **change))

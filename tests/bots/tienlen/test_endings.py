"""Ways out that nobody can stop."""

from __future__ import annotations

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from p2pcards.bots.tienlen.endings import Ending
from p2pcards.bots.tienlen.kernel import KERNEL, Position, move_of
from p2pcards.cards import DECK
from tests.games.tienlen.builder import cards
from tests.testing.dice import dice


def is_out(hand: str, first: str, unseen: str, most: int) -> bool:
    """Whether that hand is out for certain when it begins with these cards."""
    return Ending(int(cards(unseen)), most).is_out(int(cards(hand)), move_of(cards(first)))


@pytest.mark.parametrize(
    ("hand", "first", "unseen", "most", "out"),
    [
        ("3S", "3S", "2H 2D", 2, True),  # the last one need not hold
        ("3S AS", "AS", "KC KD KH", 3, True),
        ("3S AS", "3S", "KC KD KH", 3, False),  # and then somebody else leads
        ("3S AS", "AS", "KC KD AH", 3, False),
        ("3S 4S KC KD", "KC KD", "AH QS QC", 3, False),  # 3S and 4S need a turn each
        ("3S 3D KC KD", "KC KD", "AH QS QC", 3, True),
        ("3S 9S 9H", "9S 9H", "TC TD", 1, True),  # in different hands
        ("3S 9S 9H", "9S 9H", "TC TD", 2, False),
        ("3S 9C 9S", "9C 9S", "9D 9H", 2, False),  # the higher pair of a rank
        ("3S 5S 6S 7H", "5S 6S 7H", "5D 6D 7D 8D 9D", 2, True),  # three cards are in no hand
        ("3S 5S 6S 7H", "5S 6S 7H", "5D 6D 7D 8D 9D", 3, False),
        ("3S 2H", "2H", "7S 7C 7D 7H", 4, False),  # a bomb
        ("3S 2H", "2H", "7S 7C 7D 7H", 3, True),
        ("3S 2H", "2H", "7S 7C 8S 8H 9C 9D", 6, False),
        ("3S 2H", "2H", "7S 7C 8S 8H TC TD", 6, True),
        ("3S 2D 2H", "2D 2H", "6S 6C 7S 7C 8S 8H 9C 9D", 8, False),
        ("3S 2D 2H", "2D 2H", "6S 6C 7S 7C 8S 8H", 6, True),
        ("3S 2D 2H", "2D 2H", "6S 6C 6D 6H", 4, False),
        ("3S 2S 2C", "2S 2C", "2D 2H", 2, False),
        ("3S 2C 2D 2H", "2C 2D 2H", "6S 6C 6D 6H 7S 7C 8S 8H 9C 9D", 10, True),
        ("3S 2C 2D 2H", "2C 2D 2H", "6S 6C 7S 7C 8S 8H 9C 9D TS TC", 10, False),
        ("3S 7H 2H", "2H", "4S 5S 6D 8C", 4, False),
        ("3S AD 2H", "2H", "4S 5S 6D AC", 4, True),  # one that holds after another
    ],
)
def test_what_is_out_for_certain(hand: str, first: str, unseen: str, most: int, out: bool) -> None:
    assert is_out(hand, first, unseen, most) is out


def test_a_pass_is_no_way_out() -> None:
    assert not Ending(int(cards("4S")), 1).is_out(int(cards("AS")), 0)


@pytest.mark.parametrize(("twos", "most"), [("2S", 5), ("2S 2C", 7), ("2S 2C 2D", 9)])
def test_whole_ranks_unseen_are_not_paired_in_every_way(twos: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    listed, moves = list[int](), KERNEL.moves

    def listing(position: Position) -> list[int]:
        found = moves(position)
        listed.extend(found)
        return found

    monkeypatch.setattr(KERNEL, "moves", listing)
    unseen = " ".join(rank + suit for rank in "45678" for suit in "SCDH")
    is_out(f"3S {twos}", twos, unseen, most)
    assert len(listed) < 50


@given(st.lists(st.integers(1, 5), min_size=2, max_size=4), st.integers(0, 2**32), st.integers(0, 12))
@example([4, 4, 5], 3, 4)
@settings(max_examples=300)
def test_who_is_out_for_certain_is_out_whatever_the_others_do(sizes: list[int], seed: int, above: int) -> None:
    """The others play by chance; low cards are left out, so that there is something to stop a way with."""
    rng = dice(seed)
    deck = list(range(4 * min(above, 8), DECK))
    rng.shuffle(deck)
    hands = [sum(1 << deck.pop() for _ in range(size)) for size in sizes]
    position = leading(hands)
    number = ahead(position)
    assume(number is not None)
    while position.turn >= 0 and not position.places:
        if position.turn == 0:
            number = ahead(position)
            assert number is not None
        else:
            number = rng.randrange(len(KERNEL.moves(position)))
        KERNEL.play(position, KERNEL.moves(position)[number])
    assert position.places[0] == 0


def leading(hands: list[int]) -> Position:
    """The first of these hands is to lead."""
    position = Position()
    position.hands, position.places = hands, []
    position.turn = position.pile = position.owner = 0
    position.open = position.holders = (1 << len(hands)) - 1
    return position


def ahead(position: Position) -> int | None:
    """A move by which the first hand is out for certain, whose turn it is; None where there is none."""
    hand, *others = position.hands
    ending = Ending(sum(others), max(other.bit_count() for other in others))
    sure = (number for number, move in enumerate(KERNEL.moves(position)) if ending.is_out(hand, move))
    return next(sure, None)

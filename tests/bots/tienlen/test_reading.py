"""What bots read from hand and table, against slower ways to find it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from p2pcards.bots.tienlen.reading import chance_above, chance_to_win, counts, turns
from p2pcards.cards import DECK, Card, Cards, cards_of
from p2pcards.games.base import Seat
from p2pcards.games.tienlen import TienLen
from p2pcards.games.tienlen.combos import combo_of
from tests.games.tienlen.builder import Round, cards, combo
from tests.games.walk import walk
from tests.testing.dice import dice

HANDS = st.sets(st.integers(0, DECK - 1), max_size=13).map(lambda chosen: cards_of(map(Card, chosen)))


@given(HANDS)
def test_counts_are_those_of_each_rank(hand: Cards) -> None:
    assert [counts(hand) >> 4 * rank & 0b1111 for rank in range(13)] == [
        (hand >> 4 * rank & 0b1111).bit_count() for rank in range(13)
    ]


@given(HANDS)
def test_suits_do_not_matter_to_the_turns(hand: Cards) -> None:
    mirrored = cards_of(Card(card ^ 3) for card in range(DECK) if hand >> card & 1)
    assert turns(counts(hand)) == turns(counts(mirrored))


def test_company_saves_turns() -> None:
    def of(text: str) -> float:
        return turns(counts(cards(text)))

    assert turns(0) == 0
    assert of("3S 3C") < of("3S 4S")
    assert of("3S 4S 5S") < of("3S 4S 6S")
    assert of("3S 4S 5S 6S 7S") < of("3S 4S 5S") + of("6S 7S")
    assert of("3S 3C 4S 4C 5S 5C") < of("3S 3C 4S 4C 6S 6C")
    assert of("2S") < 0 < of("9S") < of("3S")


def test_nothing_beats_what_is_highest_of_the_unseen() -> None:
    played = Round("AH 3S", "4S 5S", "6S 7S", "8S 9S 2S 2C 2D 2H", instant_win="off")
    assert chance_to_win(played.game.view(played.state, Seat(0)), combo("AH")) < 1
    played = Round("AH 2H 3S", "4S 5S", "6S 7S")
    assert chance_to_win(played.game.view(played.state, Seat(0)), combo("2H")) == 1
    assert chance_to_win(played.game.view(played.state, Seat(0)), combo("AH")) < 1


def test_who_has_passed_or_too_few_cards_is_no_rival() -> None:
    played = Round("3S 9S 9C 4S", "4D", "6S 7S").play("A 3S", "B pass", "C 6S")
    assert chance_to_win(played.game.view(played.state, Seat(0)), combo("9S")) < 1
    played.play("A 9S", "C pass")
    assert chance_to_win(played.game.view(played.state, Seat(0)), combo("9C")) < 1
    pair = Round("9S 9C 4S", "4D", "6S")
    assert chance_to_win(pair.game.view(pair.state, Seat(0)), combo("9S 9C")) == 1


def test_an_unseen_card_is_higher_as_often_as_there_are_higher_ones() -> None:
    played = Round("AH 2H 3S", "4S 5S", "6S 7S")
    view = played.game.view(played.state, Seat(0))
    assert chance_above(view, Card(51)) == 0
    assert chance_above(view, Card(47)) == 3 / 49
    assert chance_above(view, Card(0)) == 1


@given(st.integers(0, 2**32))
def test_chances_are_chances(seed: int) -> None:
    game = TienLen()
    for moment in walk(game, dice(seed)).moments[::5]:
        if moment.seat is None:
            continue
        view = game.view(moment.state, moment.seat)
        found = [combo_of(action.cards) for action in game.legal_actions(view) if hasattr(action, "cards")]
        assert all(0 <= chance_to_win(view, one) <= 1 for one in found if one)

"""Worlds: hands that a view allows, the likelier ones more often."""

from __future__ import annotations

import pytest

from p2pcards.bots.registry import bot
from p2pcards.bots.tienlen import worlds
from p2pcards.bots.tienlen.worlds import Worlds
from p2pcards.games.base import Seat
from p2pcards.games.tienlen import TienLen
from tests.bots.rounds import views
from tests.games.tienlen.builder import Round, cards
from tests.testing.dice import dice


def test_they_are_made_of_the_unseen_cards() -> None:
    game = TienLen()
    for number, view in enumerate(views(game, [bot("tienlen", "medium")] * 3, 4)):
        hands = Worlds(view).hands(dice(number))
        assert hands[view.seat] == view.hand
        assert tuple(hand.bit_count() for hand in hands) == view.public.counts
        assert sum(hands).bit_count() == sum(view.public.counts)
        assert not sum(hands) & view.public.played


def low_hands() -> int:
    """In how many of 600 worlds a player with two cards left, who passed on a ten as another did, has none higher."""
    played = Round("TS 4H 5H", "6S 6C", "7C 7D", "KS KC 8S").play("A TS", "B pass", "C pass")
    drawn, rng = Worlds(played.game.view(played.state, Seat(3))), dice(1)
    return sum(drawn.hands(rng)[1] < cards("TS") for _ in range(600))


def test_who_passed_is_seldom_given_what_would_have_been_played(monkeypatch: pytest.MonkeyPatch) -> None:
    reasoned = low_hands()
    monkeypatch.setattr(worlds, "TRIES", 1)
    assert reasoned > 1.2 * low_hands()

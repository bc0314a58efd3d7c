"""Hands that the others may hold: all cards at one place each, and what the table tells kept."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.registry import bot
from p2pcards.bots.tongits.rollout import loose, points
from p2pcards.bots.tongits.worlds import Worlds
from p2pcards.cards import cards_of
from p2pcards.games.base import Seat
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.state import Phase, View
from tests.bots.rounds import views
from tests.games.played import NAMES
from tests.games.tongits.builder import Round, cards
from tests.testing.dice import dice

SEEDS = st.integers(0, 2**32)
DECK = (1 << 52) - 1


def seen(played: Round, name: str) -> View:
    """What that player knows."""
    return played.game.view(played.state, Seat(NAMES.index(name)))


def share(view: View, holds: str, rng: random.Random) -> float:
    """In what share of the worlds the next seat holds these cards."""
    worlds, wanted = Worlds(view, rng), cards(holds)
    following = ((view.seat or 0) + 1) % 3
    return sum(worlds.draw()[0][following] & wanted == wanted for _ in range(300)) / 300


@given(SEEDS)
@settings(max_examples=20)
def test_every_card_is_at_one_place_and_each_seat_has_as_many_as_it_has(seed: int) -> None:
    for view in views(TongIts(), [bot("tongits", level) for level in ("medium", "easy", "random")], seed):
        public = view.public
        if public.phase is Phase.RESPOND:
            continue
        worlds = Worlds(view, dice(seed))
        for _ in range(3):
            hands, stock = worlds.draw()
            lying = [meld.cards for meld in public.melds]
            places = [*hands, cards_of(stock), cards_of(public.discards), *lying]  # type: ignore[arg-type]  # plain ints
            assert sum(places) == DECK
            assert sum(place.bit_count() for place in places) == 52
            assert tuple(hand.bit_count() for hand in hands) == public.counts
            assert hands[view.seat or 0] == view.hand


def test_who_has_exposed_nothing_after_a_turn_seldom_has_a_meld() -> None:
    game, held, worlds_seen = TongIts(), 0, 0
    for seed in range(12):
        for view in views(game, [bot("tongits", "medium")] * 3, seed):
            before = ((view.seat or 0) + 2) % 3
            if view.public.discards and view.public.phase is Phase.DRAW:
                worlds = Worlds(view, dice(seed))
                if all(meld.owner != before for meld in view.public.melds):
                    hands = [worlds.draw()[0][before] for _ in range(20)]
                    held += sum(loose(hand) != hand for hand in hands)
                    worlds_seen += len(hands)
    assert worlds_seen > 100
    assert held / worlds_seen < 0.1


def test_who_threw_a_king_away_seldom_holds_another() -> None:
    hands = "2H 4D 7C 9S JH AC", "3S 5D 8C TH KD 6H", "2S 4C 7D 9H JC QD"
    low, king = (Round(*hands, stock="AS 3C 5H 8D QS KC 6S TD", starter="B") for _ in range(2))
    low.play("B draw", "B discard 3S", "C draw", "C discard JC")
    king.play("B draw", "B discard KD", "C draw", "C discard JC")
    kings = [sum(share(seen(played, "A"), card, dice(1)) for card in ("KS", "KH")) for played in (low, king)]
    assert kings[1] < 0.7 * kings[0]


def test_points_of_who_has_exposed_are_lower_than_by_chance() -> None:
    game, fitted, drawn = TongIts(), 0, 0
    for seed in range(15):
        for view in views(game, [bot("tongits", "medium")] * 3, seed):
            public = view.public
            following = ((view.seat or 0) + 1) % 3
            exposed = any(meld.owner == following for meld in public.melds)
            if exposed and public.phase is Phase.DRAW and public.stock < 12:
                worlds = Worlds(view, dice(seed))
                for number in range(10):
                    fitted += points(loose(worlds.draw()[0][following]))
                    drawn += points(loose(game.resample(view, dice(number)).hands[following]))
    assert drawn > 0
    assert fitted < 0.98 * drawn

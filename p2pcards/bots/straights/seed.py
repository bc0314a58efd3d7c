"""The three bots that Straights began with: each looks at ranks alone.

Where they went by the order of the hand, which was that of the deal, these go by the canonical one: a hand in a view
has no other.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.cards import rank
from p2pcards.games.base import Game, Rng
from p2pcards.games.straights.actions import Action, Pass, Play
from p2pcards.games.straights.state import View

FIRST, LOWEST, HIGHEST = 0, 1, -1
"""Which card it takes: the first one in the hand, or by rank; of equal ranks the first."""


class Seed:
    """Plays and puts aside always the same kind of card; chance has no part in it."""

    def __init__(self, plays: int, discards: int) -> None:
        self._plays, self._discards = plays, discards

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """The card of that kind among those that it may play, else put aside."""
        actions = legal_actions(game, view)
        sign = self._plays if isinstance(actions[0], Play) else self._discards
        return min(actions, key=lambda action: 0 if isinstance(action, Pass) else sign * rank(action.card))


SEED_EASY = Seed(plays=LOWEST, discards=HIGHEST)
SEED_MEDIUM = Seed(plays=FIRST, discards=FIRST)
SEED_HARD = Seed(plays=HIGHEST, discards=LOWEST)

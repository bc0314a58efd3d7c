"""Level `easy`: somebody who knows the rules of Straights and little more.

It mostly gets rid of its highest card that it can play, without a thought for what that opens, and else puts its
cheapest card aside. Now and then it does anything.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.straights.reading import points
from p2pcards.games.base import Game, Rng
from p2pcards.games.straights.actions import Action, Discard, Play
from p2pcards.games.straights.state import View

_CARELESS = 3  # one time of so many it does anything


class Easy:
    """Plays like a beginner."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """What a beginner would do."""
        actions = legal_actions(game, view)
        if rng.randrange(_CARELESS) == 0:
            return actions[rng.randrange(len(actions))]
        return max(actions, key=_liking)


def _liking(action: Action) -> int:
    if isinstance(action, Play):
        return points(action.card)
    return -points(action.card) if isinstance(action, Discard) else 0

"""Level `easy`: somebody who knows the rules of Tong-its and little more.

It keeps melds in its hand for too long, sees only some of the cards that could be laid off, seldom calls, and
throws away its highest loose card or, carelessly, any other.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.tongits.reading import loose_discards, way_out
from p2pcards.cards import Cards
from p2pcards.games.base import Game, Rng
from p2pcards.games.tongits.actions import (
    CALL,
    CHALLENGE,
    DRAW,
    FOLD,
    Action,
    Expose,
    Layoff,
    Take,
    TakeLayoff,
)
from p2pcards.games.tongits.melds import deadwood, points
from p2pcards.games.tongits.state import Phase, View

_CALLS_WITH = 20
_CHALLENGES_WITH = 30


class Easy:
    """Plays like a beginner."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """What a beginner would do."""
        actions = legal_actions(game, view)
        match view.public.phase:
            case Phase.RESPOND:
                return CHALLENGE if deadwood(view.hand) <= _CHALLENGES_WITH else FOLD
            case Phase.DRAW:
                return _begin(view, actions, rng)
            case _:
                return _go_on(view, actions, rng)


def _begin(view: View, actions: Sequence[Action], rng: Rng) -> Action:
    if CALL in actions and deadwood(view.hand) <= _CALLS_WITH and _happens(rng, 1, 2):
        return CALL
    takes = [action for action in actions if isinstance(action, Take | TakeLayoff)]
    return takes[rng.randrange(len(takes))] if takes and _happens(rng, 2, 3) else DRAW


def _go_on(view: View, actions: Sequence[Action], rng: Rng) -> Action:
    if step := way_out(view, actions):
        return step
    for kind in (Expose, Layoff):
        seen = [action for action in actions if isinstance(action, kind)]
        if seen and _happens(rng, 1, 2):
            return seen[rng.randrange(len(seen))]
    discards = loose_discards(view.hand, actions)
    if _happens(rng, 1, 3):
        return discards[rng.randrange(len(discards))]
    return max(discards, key=lambda discard: points(Cards(1 << discard.card)))


def _happens(rng: Rng, times: int, of: int) -> bool:
    """True so many times of so many."""
    return rng.randrange(of) < times

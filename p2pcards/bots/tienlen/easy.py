"""Level `easy`: somebody who knows the rules of Tiến lên and little more.

It beats what lies there with the lowest cards that do, whatever they are torn out of, a two as soon as nothing else
will do; now and then it overlooks that it could. It leads its lowest card alone, or any combination that it happens to
see.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.games.base import Game, Rng
from p2pcards.games.tienlen.actions import PASS, Action, Play
from p2pcards.games.tienlen.state import View


class Easy:
    """Plays like a beginner."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """What a beginner would do."""
        plays = [action for action in legal_actions(game, view) if isinstance(action, Play)]
        if not plays:
            return PASS
        last = next((play for play in plays if play.cards == view.hand), None)
        if last is not None:
            return last
        if view.public.pile is None:
            return plays[rng.randrange(len(plays))] if rng.randrange(2) else min(plays, key=_height)
        return PASS if rng.randrange(4) == 0 else min(plays, key=_height)


def _height(play: Play) -> int:
    """Lower for lower cards, whatever their number."""
    return play.cards

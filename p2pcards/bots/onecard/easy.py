"""Level `easy`: somebody who knows the rules of One Card and little more.

It plays whatever card comes first to mind. Of three attacks that it could answer it takes the cards of one, and it
often forgets to say so when it goes down to one card.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.games.base import Game, Rng
from p2pcards.games.onecard.actions import Action, Play
from p2pcards.games.onecard.state import View


class Easy:
    """Plays like a beginner."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """What a beginner would do."""
        actions = legal_actions(game, view)
        plays = [action for action in actions if isinstance(action, Play)]
        if not plays or (view.public.pending and not rng.randrange(3)):
            return actions[-1]
        calls = [play for play in plays if play.one]
        if calls and rng.randrange(3):
            plays = calls
        return plays[rng.randrange(len(plays))]

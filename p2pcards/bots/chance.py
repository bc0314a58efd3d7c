"""Level `random`: any legal action, each as likely as the others, in every game."""

from __future__ import annotations

from typing import Any, TypeVar

from p2pcards.bots.base import legal_actions
from p2pcards.games.base import Game, Rng

V = TypeVar("V")
A = TypeVar("A")


class Chance:
    """Plays at random."""

    def choose(self, game: Game[Any, V, A], view: V, rng: Rng) -> A:
        """Any legal action."""
        actions = legal_actions(game, view)
        return actions[rng.randrange(len(actions))]

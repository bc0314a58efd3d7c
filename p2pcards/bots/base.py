"""What a bot is: a view in, a legal action out."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar

from p2pcards.games.base import Game, Rng

V = TypeVar("V")
A = TypeVar("A")


class Bot(Protocol[V, A]):
    """Plays a seat from what that seat may know; equal views and numbers give equal choices."""

    def choose(self, game: Game[Any, V, A], view: V, rng: Rng) -> A:
        """A legal action for the viewer; raises ValueError where it has nothing to do, as a spectator never has."""


def legal_actions(game: Game[Any, V, A], view: V) -> list[A]:
    """All that the viewer may do, in the game's order; raises ValueError where that is nothing."""
    actions = list(game.legal_actions(view))
    if not actions:
        raise ValueError("nothing to choose: it is not the viewer's turn")
    return actions

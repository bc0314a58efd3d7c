"""The context of a seat while a round is open, in any game."""

from __future__ import annotations

from typing import Any

from p2pcards.bots.registry import levels
from p2pcards.commands.arrange import arrange
from p2pcards.commands.context import Chair, Context, Where
from p2pcards.commands.legal import Legal
from p2pcards.games.base import Game


def playing(game: Game[Any, Any, Any], view: Any, nicks: tuple[str, ...], **more: Any) -> Context:
    """What the viewer's lines are read in, at ben's table; a spectator is ana. nicks: by seat; more: changes."""
    told: dict[str, Any] = {
        "where": Where.PLAYING,
        "nick": nicks[view.seat or 0],
        "levels": levels(game.name),
        "game": game,
        "host_nick": "ben",
        "me": view.seat,
        "chairs": tuple(map(Chair, nicks)),
        "to_act": tuple(game.to_act(view)),
        "legal": Legal(game, view, nicks),
        "hand": arrange(game, game.hand(view), "rank"),
    }
    return Context(**{**told, **more})

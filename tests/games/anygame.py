"""Games under options of all kinds, drawn by hypothesis."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from p2pcards.games.base import Game
from p2pcards.games.options import explained, read_options
from p2pcards.games.registry import GAMES
from tests.games.walk import AnyGame, seatings


def options(kind: type[Game[Any, Any, Any]]) -> st.SearchStrategy[dict[str, str]]:
    """Any choice of what can be counted, and 3 where numbers are asked for; some options left as they are."""
    values = {option.name: st.sampled_from(option.choices or (option.default, "3")) for option in explained(kind)}
    return st.fixed_dictionaries({}, optional=values)


def games(*names: str) -> st.SearchStrategy[AnyGame]:
    """Every game, or those of these names, under such options that somebody can sit down to."""
    return st.sampled_from(names or sorted(GAMES)).flatmap(_with_options).filter(seatings)


def _with_options(name: str) -> st.SearchStrategy[AnyGame]:
    kind = GAMES[name]
    return options(kind).map(lambda texts: kind(read_options(kind, texts)))

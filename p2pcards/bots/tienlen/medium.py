"""Level `medium`: sensible rules of thumb, one play at a time, without guessing at hands.

It looks for the play after which its hand needs the fewest turns (`reading`), and counts the lead that the play may
win as one turn more. So it leads what is low and long, keeps combinations together, spends twos and bombs only where
the lead is worth them, and plays the rest in one go when it can. Against a player with few cards left it hurries.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.tienlen.reading import chance_to_win, counts, turns
from p2pcards.cards import Cards
from p2pcards.games.base import Game, Rng
from p2pcards.games.tienlen.actions import PASS, Action, Play
from p2pcards.games.tienlen.combos import TWOS, Combo, Kind, combo_of
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.state import View

_CARD = 0.02  # turns that a card more in the play is worth
_PATIENCE = -0.2  # turns that passing is worth: it loses the chance to get rid of cards
_FEW = 3  # cards of somebody near the end
_GIFT = 1.5  # turns lost with a single that the next player, with one card left, may beat


class Medium:
    """Plays sensibly; chance has no part in it."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """The most sensible action."""
        actions = legal_actions(game, view)
        if game.options.objective == "hold":
            return game.default(view)
        plays: dict[int, Play] = {}
        for action in actions:
            if isinstance(action, Play):
                if action.cards == view.hand:
                    return action
                plays.setdefault(counts(action.cards), action)
        held = counts(view.hand)
        best, most = PASS, _PATIENCE - turns(held) if view.public.pile is not None else float("-inf")
        chosen: Action = best
        for ranks, play in plays.items():
            combo = combo_of(play.cards)
            if combo is not None and (worth := _worth(game.options, view, combo, held - ranks)) > most:
                chosen, most = play, worth
        return chosen


def _worth(options: TienLenOptions, view: View, combo: Combo, left: int) -> float:
    """What the play is worth in turns, with these counts left in the hand."""
    chance = chance_to_win(view, combo)
    worth = chance - turns(left) + _CARD * combo.cards.bit_count()
    return worth

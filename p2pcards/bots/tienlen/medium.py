"""Level `medium`: sensible rules of thumb, one play at a time, without guessing at hands.

It looks for the play after which its hand needs the fewest turns (`reading`), and counts the lead that the play may
win as a turn saved. So it leads what is low and long, keeps combinations together, spends twos and bombs only where the
lead is worth them, and goes out when it can. It leads no single card that a player with one card left may beat.

The constants come from rounds against `easy` and between three of these bots.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.tienlen.reading import TWOS_ALONE, chance_above, chance_to_win, counts, turns
from p2pcards.games.base import Game, Rng, Seat
from p2pcards.games.tienlen.actions import PASS, Action, Play
from p2pcards.games.tienlen.combos import Combo, combo_of
from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.state import Public, View

_CARD = 0.05  # turns that each card of a play is worth beside
_PASSING = -0.2  # turns that passing is worth: it loses the chance to be rid of cards in this trick
_GIFT = 2.0  # turns lost when a player with one card left beats a single card with it
_UNBEATEN = 0.6  # the chance that nobody else stops a player with one card left from leading it
_STUCK = 3.0  # turns lost with nothing but twos in hand where nobody may finish on them


class Medium:
    """Plays sensibly; chance has no part in it."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """The most sensible action."""
        actions = legal_actions(game, view)
        if game.options.objective == "hold":
            return game.default(view)
        plays: dict[int, Play] = {}  # of those that differ in suits alone the first, which is the lowest
        for action in actions:
            if isinstance(action, Play):
                if action.cards == view.hand:
                    return action
                plays.setdefault(counts(action.cards), action)
        held = counts(view.hand)
        worths = [
            (_worth(game.options, view, combo, held - ranks), play)
            for ranks, play in plays.items()
            if (combo := combo_of(play.cards)) is not None
        ]
        if not worths:
            return PASS
        best, play = max(worths, key=lambda found: found[0])
        return play if view.public.pile is None or best > _worth_of_passing(view, held) else PASS


def _worth(options: TienLenOptions, view: View, combo: Combo, left: int) -> float:
    """What the play is worth in turns, where it leaves these counts in the hand."""
    chance = chance_to_win(view, combo)
    worth = chance - turns(left) + _CARD * combo.cards.bit_count()
    if combo.size == 1 and 1 in _others(view.public, view.seat):
        worth -= _GIFT * chance_above(view, combo.top)
    if options.no_finish_on_two and not left & ~TWOS_ALONE:
        worth -= _STUCK
    return worth


def _worth_of_passing(view: View, held: int) -> float:
    """The same for a pass, with these counts in the hand."""
    public, worth = view.public, _PASSING - turns(held)
    if public.pile is None or public.owner is None:
        return worth
    if public.counts[public.owner] == 1:
        return worth - _GIFT * _UNBEATEN
    if public.pile.size == 1 and 1 in _others(public, view.seat):
        return worth - _GIFT * chance_above(view, public.pile.top)
    return worth


def _others(public: Public, viewer: Seat | None) -> list[int]:
    """How many cards the others hold who are still in the trick."""
    return [count for seat, count in enumerate(public.counts) if seat != viewer and not public.passed[seat]]

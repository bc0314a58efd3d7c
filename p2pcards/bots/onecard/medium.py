"""Level `medium`: sensible rules of thumb, one card at a time, without looking ahead or guessing at hands.

It plays whenever it can, under attack too. What it keeps should fit on as many top cards as possible, best on the one
that it leaves there itself. Cards that answer attacks it would rather keep, until somebody who is nearly out can be hit
or skipped.

The constants win as often as any: where a card that fits must be played there is little to choose, and much is luck.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.onecard.reading import following, reach
from p2pcards.games.base import Game, Rng, Seat
from p2pcards.games.onecard.actions import Action, Play
from p2pcards.games.onecard.pack import FACES, FITTING, JACK, QUEEN, SEVEN, THREE, TWO, without
from p2pcards.games.onecard.state import Public, View

_REACH = 1.0  # how much it is worth that what is kept fits on every card
_FITS = 0.5  # that all of it fits on the card played
_KEPT = {TWO: 0.7, THREE: 0.7, SEVEN: 1.0, QUEEN: 0.5, JACK: 0.5}  # to have it still for an attack
_HIT = 1.0  # a card that somebody with one card has to draw
_MISSED = 1.0  # a turn that somebody with one card doesn't get


class Medium:
    """Plays sensibly; chance has no part in it."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """The most sensible action."""
        actions = legal_actions(game, view)
        plays = [action for action in actions if isinstance(action, Play)]
        return max(plays, key=lambda play: _liking(view, play), default=actions[-1])


def _liking(view: View, play: Play) -> tuple[bool, float]:
    """Calls come first where there are any: silence costs a card."""
    rest = without(view.hand, play.card)
    kept = rest.bit_count()
    if not kept:
        return True, 0
    faces = rest & FACES
    rank = play.card >> 2
    fits = (faces & FITTING[play.card]).bit_count() / kept
    keeping = _REACH * reach(faces) + _FITS * fits - _KEPT.get(rank, 0)
    return play.one, keeping + _effect(view.public, rank)


def _effect(public: Public, rank: int) -> float:
    """What the play does to others; most to those that are nearly out."""
    after, before = following(public, 1), following(public, -1)
    attack = _HIT * public.pending
    if rank in (TWO, THREE):
        return (attack + _HIT * (rank + 1)) / public.counts[after]
    if rank == JACK:
        beyond = following(public, 2)
        return _MISSED / public.counts[after] + _on(public, attack, beyond)
    if rank == QUEEN:
        turned = _MISSED / public.counts[after] - _MISSED / public.counts[before]
        return attack / public.counts[before] if attack else turned
    return 0


def _on(public: Public, attack: float, seat: Seat) -> float:
    """An attack that comes back to oneself is none on others."""
    return -attack if seat == public.turn else attack / public.counts[seat]

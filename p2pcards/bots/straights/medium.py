"""Level `medium`: sensible rules of thumb, one action at a time, without looking ahead or guessing at hands.

A card that can be played stays so: nobody else can take its place. So there is no hurry, and what matters of a play is
only what it opens. It plays what leads to its own far cards and holds back what leads to those of others. It puts aside
what costs least, counted by the chance that the card would have been played at all, and likes to cut off others.

The constants are those that win most against the other bots.
"""

from __future__ import annotations

from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.straights.reading import dead, hidden, inward, outward, points
from p2pcards.cards import Card, Cards
from p2pcards.games.base import Game, Rng
from p2pcards.games.straights.actions import Action, Pass, Play
from p2pcards.games.straights.state import View

PLAYED = 0.85  # the chance that others play a card that they may, and don't hold it back or put it aside before
SPARED = 0.1  # what a point that others are spared costs, in points of its own


class Medium:
    """Plays sensibly; chance has no part in it."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """The most sensible action."""
        actions = legal_actions(game, view)
        gone, others = dead(view), hidden(view)

        def liking(action: Action) -> float:
            if isinstance(action, Pass):
                return 0
            opened = _opened(view.hand, others, action.card)
            if isinstance(action, Play):
                return opened
            return -_reach(view, gone, action.card) * (points(action.card) + opened)

        return max(actions, key=liking)


def _opened(hand: Cards, others: Cards, card: Card) -> float:
    """What it is worth that this card is on the table: own points it makes way for, less some of those of others."""
    worth = 0.0
    for line in outward(card):
        chance = 1.0
        for beyond in map(Card, line):
            if hand >> beyond & 1:
                worth += chance * points(beyond)
            elif others >> beyond & 1:
                worth -= SPARED * chance * points(beyond)
                chance *= PLAYED
            else:
                break
    return worth


def _reach(view: View, gone: Cards, card: Card) -> float:
    """The chance that the card will be playable."""
    chance = 1.0
    for between in inward(card, view.public.table):
        if gone >> between & 1:
            return 0
        if not view.hand >> between & 1:
            chance *= PLAYED
    return chance

"""What an action of Straights does, as a code and what its words need."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from p2pcards.cards import DECK, Card, Cards, cards_of, format_cards, rank
from p2pcards.commands.command import Remark
from p2pcards.games.base import Game
from p2pcards.games.straights.actions import Discard, Pass, Play
from p2pcards.games.straights.state import SEVEN, View


class Does(StrEnum):
    """What an action does; its detail."""

    OPENS_ROUND = "opens_round"  # the card: the first one of the round
    OPENS = "opens"  # the seven, then the cards that can follow
    OPENS_OWN = "opens_own"  # the seven, then those that can follow and are in the own hand
    OPENS_ALONE = "opens_alone"  # the seven: both its neighbours have been put aside
    FOLLOWS = "follows"  # the card that can follow, which somebody else holds or nobody
    FOLLOWS_OWN = "follows_own"  # the card that can follow, from the own hand
    ENDS = "ends"  # the card: an ace, a king, or what follows it has been put aside
    EMPTIES = "empties"  # with sevens_pass
    COSTS = "costs"  # the points
    PASSES = "passes"


def notes(game: Game[Any, Any, Any], view: View, actions: Sequence[Any], nicks: tuple[str, ...]) -> tuple[Remark, ...]:
    """What each of the legal actions does in this view; nicks by seat."""
    return tuple(_note(game, view, action) for action in actions)


def _note(game: Game[Any, Any, Any], view: View, action: Any) -> Remark:
    match action:
        case Play(card):
            return _play(game, view, card)
        case Discard(card):
            return Remark(Does.COSTS, (str(rank(card) + 1),))
        case Pass():
            return Remark(Does.PASSES)
    raise AssertionError(action)


def _play(game: Game[Any, Any, Any], view: View, card: Card) -> Remark:
    name = game.ranking.format(card)
    if not view.public.table:
        return Remark(Does.OPENS_ROUND, (name,))
    if game.options.mode == "sevens_pass" and view.hand == 1 << card:
        return Remark(Does.EMPTIES)
    behind = Cards(following(card) & ~known_aside(view))
    own = Cards(behind & view.hand)
    shown = (format_cards(game.ranking, own or behind),)
    if rank(card) == SEVEN and not behind:
        return Remark(Does.OPENS_ALONE, (name,))
    if rank(card) == SEVEN:
        return Remark(Does.OPENS_OWN if own else Does.OPENS, (name, *shown))
    if not behind:
        return Remark(Does.ENDS, (name,))
    return Remark(Does.FOLLOWS_OWN if own else Does.FOLLOWS, shown)


def following(card: Card) -> Cards:
    """What can be played when this card has been: its neighbours away from the seven."""
    up = 1 << card + 4 if rank(card) >= SEVEN and card + 4 < DECK else 0
    down = 1 << card - 4 if rank(card) <= SEVEN and card >= 4 else 0
    return Cards(up | down)


def known_aside(view: View) -> Cards:
    """The cards put aside that one knows of: the own ones, and all that lie open."""
    return Cards(cards_of(view.discards) | cards_of(card for cards in view.public.discards for card in cards))

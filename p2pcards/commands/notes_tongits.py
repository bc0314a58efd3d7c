"""What an action of Tong-its does, as a code and what its words need."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from p2pcards.cards import Card, Cards, cards_of, format_cards
from p2pcards.commands.command import Remark
from p2pcards.games.base import Game
from p2pcards.games.tongits import showdown
from p2pcards.games.tongits.actions import (
    Call,
    Challenge,
    Discard,
    Draw,
    Expose,
    Fold,
    Layoff,
    Take,
    TakeLayoff,
    meld_name,
)
from p2pcards.games.tongits.melds import Split, points, split
from p2pcards.games.tongits.state import View


class Does(StrEnum):
    """What an action does; its detail."""

    DRAW = "draws"  # cards in the stock
    TAKE = "takes"  # the meld that it exposes
    TAKE_ON = "takes_on"  # the top discard, whose meld, the meld's name
    CALL = "calls"  # what the own hand would count
    OPEN = "opens"  # the first meld of one's own
    EXPOSE = "exposes"  # "set" or "run", its cards
    LAYOFF = "lays_off"  # whose meld, its cards
    LAYOFF_BLOCKS = "lays_off_blocks"  # likewise: its owner may not call now
    LAYOFF_OWN = "lays_off_own"  # the meld's cards
    LAYOFF_OWN_BLOCKS = "lays_off_own_blocks"  # likewise: one may not call next turn
    DISCARD = "discards"  # the card's points
    BREAKS = "breaks"  # likewise: the card is part of a meld in the hand
    EMPTIES = "empties"
    CHALLENGE = "challenges"  # what the own hand would count
    FOLD = "folds"


def notes(game: Game[Any, Any, Any], view: View, actions: Sequence[Any], nicks: tuple[str, ...]) -> tuple[Remark, ...]:
    """What each of the legal actions does in this view; nicks by seat."""
    best = split(view.hand)
    return tuple(_note(game, view, action, nicks, best) for action in actions)


def _counted(game: Game[Any, Any, Any], view: View) -> str:
    """What the hand would count at a showdown."""
    return str(showdown.counted(game.options, view.public, view.hand).points)


def _note(game: Game[Any, Any, Any], view: View, action: Any, nicks: tuple[str, ...], best: Split) -> Remark:
    public, hand = view.public, view.hand
    match action:
        case Draw():
            return Remark(Does.DRAW, (str(public.stock),))
        case Take(cards):
            if cards == hand:
                return Remark(Does.EMPTIES)
            meld = Cards(cards | cards_of(public.discards[-1:]))
            return Remark(Does.TAKE, (format_cards(game.ranking, meld),))
        case TakeLayoff(meld=place):
            owner = nicks[public.melds[place].owner]
            return Remark(Does.TAKE_ON, (game.ranking.format(public.discards[-1]), owner, meld_name(place)))
        case Call():
            return Remark(Does.CALL, (_counted(game, view),))
        case Expose(cards):
            return _expose(game, view, cards)
        case Layoff(card, place):
            return _layoff(game, view, card, place, nicks)
        case Discard(card):
            return _discard(hand, card, best)
        case Challenge():
            return Remark(Does.CHALLENGE, (_counted(game, view),))
        case Fold():
            return Remark(Does.FOLD)
    raise AssertionError(action)


def _expose(game: Game[Any, Any, Any], view: View, cards: Cards) -> Remark:
    if cards == view.hand:
        return Remark(Does.EMPTIES)
    if all(meld.owner != view.seat for meld in view.public.melds):
        return Remark(Does.OPEN)
    return Remark(Does.EXPOSE, (kind(cards), format_cards(game.ranking, cards)))


def _layoff(game: Game[Any, Any, Any], view: View, card: Card, place: int, nicks: tuple[str, ...]) -> Remark:
    if view.hand == 1 << card:
        return Remark(Does.EMPTIES)
    meld = view.public.melds[place]
    cards = format_cards(game.ranking, meld.cards)
    if meld.owner == view.seat:
        blocks = game.options.self_layoff_blocks_draw
        return Remark(Does.LAYOFF_OWN_BLOCKS if blocks else Does.LAYOFF_OWN, (cards,))
    free = view.public.call_blocked[meld.owner] is None
    return Remark(Does.LAYOFF_BLOCKS if free else Does.LAYOFF, (nicks[meld.owner], cards))


def _discard(hand: Cards, card: Card, best: Split) -> Remark:
    one = Cards(1 << card)
    if hand == one:
        return Remark(Does.EMPTIES)
    return Remark(Does.DISCARD if best.leftovers & one else Does.BREAKS, (str(points(one)),))


def kind(meld: Cards) -> str:
    """ "set" or "run": cards of one rank are four neighbours, so a set ends where it began."""
    lowest = (meld & -meld).bit_length() - 1
    return "set" if lowest >> 2 == (meld.bit_length() - 1) >> 2 else "run"

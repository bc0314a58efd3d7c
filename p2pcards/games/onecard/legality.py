"""Why a seat may not do something, from its view alone (docs/rules/onecard.md, R11 to R17, R30 to R39)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import Enum

from p2pcards.cards import ACE_LOW, Card, Cards, format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games import base
from p2pcards.games.base import Shuffle
from p2pcards.games.onecard.actions import PLAYS, Action, Draw, Play
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import ANSWERS, FITTING
from p2pcards.games.onecard.refusals import Refusal
from p2pcards.games.onecard.state import DRAWN, ENDED, SHUFFLE, Public, View


def to_shuffle(public: Public) -> tuple[Card, ...]:
    """The discards under the top card, where the dealer is waited for."""
    return tuple(sorted(public.discards[:-1])) if public.phase is SHUFFLE else ()


def check(options: OneCardOptions, view: View, legal: Sequence[Action], action: Action) -> None:
    """Raises IllegalAction with the reason when the action is none of the legal ones."""
    if action in legal:
        return
    if view.public.phase is ENDED:
        raise IllegalAction(base.Refusal.OVER)
    if isinstance(action, Shuffle):
        _check_shuffle(view, action)
        return
    if view.public.phase is SHUFFLE:
        raise IllegalAction(Refusal.SHUFFLE_FIRST)
    if view.seat != view.public.turn:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    if isinstance(action, Play):
        raise IllegalAction(*_unplayable(options, view, legal, action))
    if isinstance(action, Draw):
        if view.public.phase is DRAWN:
            raise IllegalAction(Refusal.ALREADY_DRAWN)
        raise IllegalAction(Refusal.MUST_PLAY, format_cards(ACE_LOW, Cards(view.hand & FITTING[view.public.top])))
    passing = options.draw_then_play or options.draw_until_playable
    raise IllegalAction(Refusal.DRAW_FIRST if passing else Refusal.NO_PASSING)


def _unplayable(
    options: OneCardOptions, view: View, legal: Sequence[Action], play: Play
) -> tuple[Enum, *tuple[str, ...]]:
    """Why a play is not allowed: the code, and what its sentence needs."""
    public, card = view.public, play.card
    name, top = ACE_LOW.format(card), ACE_LOW.format(public.top)
    if not view.hand >> card & 1:
        return base.Refusal.NOT_HELD, name
    if view.drawn is not None and card != view.drawn:
        return Refusal.ONLY_DRAWN, name, ACE_LOW.format(view.drawn)
    if play.one and PLAYS[card] in legal:
        if options.call_one_card == "off":
            return (Refusal.NO_CALLING,)
        return Refusal.NOT_ONE_CARD, str(public.counts[public.turn] - 1)
    if public.pending and not ANSWERS >> card & 1:
        return Refusal.UNDER_ATTACK, name, top, str(public.pending)
    if public.pending and FITTING[public.top] >> card & 1:
        return Refusal.REDIRECT_BY_SUIT, name, top
    return Refusal.NO_MATCH, name, top


def _check_shuffle(view: View, action: Shuffle) -> None:
    """The dealer sees what a spectator sees; nobody who plays may shuffle."""
    if view.seat is not None:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    if view.public.phase is not SHUFFLE:
        raise IllegalAction(Refusal.NO_SHUFFLE)
    due, given = Counter(to_shuffle(view.public)), Counter(action.order)
    if due != given:
        raise IllegalAction(Refusal.WRONG_SHUFFLE, _listed(due - given), _listed(given - due))


def _listed(cards: Counter[Card]) -> str:
    return " ".join(map(ACE_LOW.format, sorted(cards.elements())))

"""What a seat may do, from its view alone, and the reason why not (docs/rules/onecard.md, R11 to R17, R30 to R39)."""

from __future__ import annotations

from collections import Counter
from enum import Enum

from p2pcards.cards import ACE_LOW, Card, Cards, deck, each, format_cards, picked
from p2pcards.errors import IllegalAction
from p2pcards.games import base
from p2pcards.games.base import Shuffle
from p2pcards.games.onecard.actions import CALLS, DRAW, PASS, PLAYS, Action, Draw, Play
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import ANSWERING, ANSWERS, FITTING
from p2pcards.games.onecard.refusals import Refusal
from p2pcards.games.onecard.state import DRAWN, ENDED, SHUFFLE, TURN, Public, View

_BITS = tuple(1 << card for card in deck())
_NOTHING: tuple[Action, ...] = ()
_DRAWING: tuple[Action, ...] = (DRAW,)
_PASSING: tuple[Action, ...] = (PASS,)


def to_shuffle(public: Public) -> tuple[Card, ...]:
    """The discards under the top card, where the dealer is waited for."""
    return tuple(sorted(public.discards[:-1])) if public.phase is SHUFFLE else ()


def allowed(options: OneCardOptions, view: View) -> tuple[Action, ...]:
    """Everything the viewer may do now, in a fixed order; nothing when it isn't its turn."""
    public = view.public
    phase = public.phase
    if view.seat != public.turn or (phase is not TURN and phase is not DRAWN):
        return ()
    top = public.discards[-1]
    if public.pending:
        cards, last = view.hand & ANSWERING[options.free_defence][options.redirect_by_rank][top], _DRAWING
    elif view.drawn is None:
        cards = view.hand & FITTING[top]
        last = _NOTHING if cards and options.must_play else _DRAWING
    else:
        cards, last = 1 << view.drawn & FITTING[top], _PASSING
    if not cards:
        return last
    if public.counts[public.turn] == 2 and options.call_one_card == "self":
        return (*(kind[card] for card in each(Cards(cards)) for kind in (CALLS, PLAYS)), *last)
    return (*picked(PLAYS, cards), *last)


def check(options: OneCardOptions, view: View, action: Action) -> None:
    """Raises IllegalAction with the reason when the viewer may not do this now."""
    public = view.public
    if view.seat == public.turn and public.phase is TURN and not public.pending:  # most of the time
        fitting = view.hand & FITTING[public.discards[-1]]
        if type(action) is Play:
            if not action.one and fitting & _BITS[action.card]:
                return
        elif type(action) is Draw and not (fitting and options.must_play):
            return
    if action in allowed(options, view):
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
        raise IllegalAction(*_unplayable(options, view, action))
    if isinstance(action, Draw):
        if view.public.phase is DRAWN:
            raise IllegalAction(Refusal.ALREADY_DRAWN)
        raise IllegalAction(Refusal.MUST_PLAY, format_cards(ACE_LOW, Cards(view.hand & FITTING[view.public.top])))
    passing = options.draw_then_play or options.draw_until_playable
    raise IllegalAction(Refusal.DRAW_FIRST if passing else Refusal.NO_PASSING)


def _unplayable(options: OneCardOptions, view: View, play: Play) -> tuple[Enum, *tuple[str, ...]]:
    """Why a play is not allowed: the code, and what its sentence needs."""
    public, card = view.public, play.card
    name, top = ACE_LOW.format(card), ACE_LOW.format(public.top)
    if not view.hand >> card & 1:
        return base.Refusal.NOT_HELD, name
    if view.drawn is not None and card != view.drawn:
        return Refusal.ONLY_DRAWN, name, ACE_LOW.format(view.drawn)
    if play.one and PLAYS[card] in allowed(options, view):
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

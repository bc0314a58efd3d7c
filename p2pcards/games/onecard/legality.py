"""What a seat may do, from its view alone, and the reason why not (docs/rules/onecard.md, R11 to R17, R30 to R39)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from p2pcards.cards import ACE_LOW, Card, Cards, each, format_cards
from p2pcards.errors import IllegalAction
from p2pcards.games import base
from p2pcards.games.base import Shuffle
from p2pcards.games.onecard.actions import CALLS, DRAW, PASS, PLAYS, Action, Draw, Play
from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.pack import ANSWERING, ANSWERS, FACES, FITTING
from p2pcards.games.onecard.refusals import Refusal
from p2pcards.games.onecard.state import DRAWN, ENDED, SHUFFLE, TURN, Public, View


def fitting(options: OneCardOptions, public: Public) -> Cards:
    """The faces that may be played on the top card as things stand."""
    top = public.discards[-1]
    return ANSWERING[options.free_defence][options.redirect_by_rank][top] if public.pending else FITTING[top]


def playable(options: OneCardOptions, view: View) -> Cards:
    """The faces that the viewer may play in its turn."""
    hand = view.hand & FACES if view.drawn is None else 1 << view.drawn
    return Cards(hand & fitting(options, view.public))


def to_shuffle(public: Public) -> tuple[Card, ...]:
    """The discards under the top card, where the dealer is waited for."""
    return tuple(sorted(public.discards[:-1])) if public.phase is SHUFFLE else ()


def legal(options: OneCardOptions, view: View) -> Iterator[Action]:
    """Everything the viewer may do now, in a fixed order; nothing when it isn't its turn."""
    public = view.public
    phase = public.phase
    if view.seat != public.turn or phase is SHUFFLE or phase is ENDED:
        return iter(())
    cards = playable(options, view)
    if phase is DRAWN:
        last = _PASSES
    elif public.pending or not cards or not options.must_play:
        last = _DRAWS
    else:
        last = _NOTHING
    return iter(_actions(cards, last, options.call_one_card == "self" and public.counts[public.turn] == 2))


_LAST: tuple[tuple[Action, ...], ...] = ((), (DRAW,), (PASS,))
_NOTHING, _DRAWS, _PASSES = range(3)


@lru_cache(4096)
def _actions(cards: Cards, last: int, calls: bool) -> tuple[Action, ...]:
    """The plays of these faces, each with the call before the one in silence, and what else there is to do."""
    kinds = (CALLS, PLAYS) if calls else (PLAYS,)
    return (*(kind[card] for card in each(cards) for kind in kinds), *_LAST[last])


def check(options: OneCardOptions, view: View, action: Action) -> None:
    """Raises IllegalAction with the reason when the viewer may not do this now."""
    public = view.public
    phase = public.phase
    if phase is ENDED:
        raise IllegalAction(base.Refusal.OVER)
    if isinstance(action, Shuffle):
        _check_shuffle(view, action)
    elif phase is SHUFFLE:
        raise IllegalAction(Refusal.SHUFFLE_FIRST)
    elif view.seat != public.turn:
        raise IllegalAction(base.Refusal.NOT_YOUR_TURN)
    elif isinstance(action, Play):
        _check_play(options, view, action)
    elif isinstance(action, Draw):
        if phase is DRAWN:
            raise IllegalAction(Refusal.ALREADY_DRAWN)
        if options.must_play and not public.pending and (cards := playable(options, view)):
            raise IllegalAction(Refusal.MUST_PLAY, format_cards(ACE_LOW, cards))
    elif phase is TURN:
        passing = options.draw_then_play or options.draw_until_playable
        raise IllegalAction(Refusal.DRAW_FIRST if passing else Refusal.NO_PASSING)


def _check_play(options: OneCardOptions, view: View, action: Play) -> None:
    public, card = view.public, action.card
    if not view.hand >> card & 1:
        raise IllegalAction(base.Refusal.NOT_HELD, ACE_LOW.format(card))
    if not playable(options, view) >> card & 1:
        raise IllegalAction(*_unplayable(view, card))
    if action.one:
        if options.call_one_card == "off":
            raise IllegalAction(Refusal.NO_CALLING)
        if (left := public.counts[public.turn] - 1) != 1:
            raise IllegalAction(Refusal.NOT_ONE_CARD, str(left))


def _unplayable(view: View, card: Card) -> tuple[Refusal, *tuple[str, ...]]:
    public, texts = view.public, (ACE_LOW.format(card), ACE_LOW.format(view.public.top))
    if view.drawn is not None and card != view.drawn:
        return Refusal.ONLY_DRAWN, texts[0], ACE_LOW.format(view.drawn)
    if public.pending and not ANSWERS >> card & 1:
        return Refusal.UNDER_ATTACK, *texts, str(public.pending)
    if public.pending and FITTING[public.top] >> card & 1:
        return Refusal.REDIRECT_BY_SUIT, *texts
    return Refusal.NO_MATCH, *texts


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

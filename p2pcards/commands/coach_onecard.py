"""The coach of One Card: what fits, what answers an attack, and why something that seems to fit does not."""

from __future__ import annotations

from enum import StrEnum

from p2pcards.cards import ACE_LOW, Card, Cards, each, rank
from p2pcards.commands.command import Remark
from p2pcards.commands.legal import Legal
from p2pcards.commands.notes_onecard import order
from p2pcards.errors import IllegalAction
from p2pcards.games.onecard.actions import DRAW, PLAYS, Play
from p2pcards.games.onecard.pack import FACES, FITTING, JACK
from p2pcards.games.onecard.refusals import Refusal
from p2pcards.games.onecard.state import View


class Tip(StrEnum):
    """What the coach of One Card says; its detail."""

    PLAY = "play"  # the top card, then cards that fit
    PLAY_OR_DRAW = "play_or_draw"  # likewise, where both are allowed
    PLAY_MANY = "play_many"  # the top card, how many cards fit
    PLAY_MANY_OR_DRAW = "play_many_or_draw"  # likewise, where both are allowed
    DRAW = "draw"  # the top card
    DRAW_NOTHING = "draw_nothing"  # the top card
    ANSWER = "answer"  # the cards of the attack, then cards that answer it
    NO_ANSWER = "no_answer"  # the cards of the attack
    GO_OUT = "go_out"  # the line that empties the hand
    STAYS = "stays"  # jacks with which the attack stays with oneself
    SAY_ONE = "say_one"  # how to say it, the cards to draw where one doesn't
    DREW = "drew"  # the drawn card, which fits
    DREW_MISFIT = "drew_misfit"  # the drawn card, the top card


MOST = 6
"""Cards that are named; the menu has them all."""


def coach(legal: Legal) -> tuple[Remark, ...]:
    """The coach's remarks while it is our turn."""
    view: View = legal.view
    fitting = [action.card for action in legal.actions if isinstance(action, Play) and not action.one]
    if view.hand.bit_count() == 1 and fitting:
        return (Remark(Tip.GO_OUT, (legal.lines[0],)),)
    if view.drawn is not None:
        return (_drawn(view.drawn, view, fitting), *_one(legal))
    if view.public.pending:
        return (_answer(view, fitting), *_jacks(view, fitting), *_by_suit(legal, view), *_one(legal))
    return (_turn(legal, view, fitting), *_one(legal))


def _turn(legal: Legal, view: View, fitting: list[Card]) -> Remark:
    public, top = view.public, ACE_LOW.format(view.public.top)
    if not fitting:
        return Remark(Tip.DRAW if public.stock or len(public.discards) > 1 else Tip.DRAW_NOTHING, (top,))
    free = DRAW in legal.actions
    if len(fitting) > MOST:
        return Remark(Tip.PLAY_MANY_OR_DRAW if free else Tip.PLAY_MANY, (top, str(len(fitting))))
    return Remark(Tip.PLAY_OR_DRAW if free else Tip.PLAY, (top, *map(ACE_LOW.format, fitting)))


def _drawn(drawn: Card, view: View, fitting: list[Card]) -> Remark:
    if fitting:
        return Remark(Tip.DREW, (ACE_LOW.format(drawn),))
    return Remark(Tip.DREW_MISFIT, (ACE_LOW.format(drawn), ACE_LOW.format(view.public.top)))


def _answer(view: View, fitting: list[Card]) -> Remark:
    pending = str(view.public.pending)
    if not fitting:
        return Remark(Tip.NO_ANSWER, (pending,))
    return Remark(Tip.ANSWER, (pending, *map(ACE_LOW.format, fitting)))


def _jacks(view: View, fitting: list[Card]) -> tuple[Remark, ...]:
    """Between two players a jack skips the other one only."""
    jacks = [ACE_LOW.format(card) for card in fitting if rank(card) == JACK]
    return (Remark(Tip.STAYS, tuple(jacks)),) if jacks and len(order(view.public)) == 2 else ()


def _by_suit(legal: Legal, view: View) -> tuple[Remark, ...]:
    """The first card that would fit if it weren't for the attack, and does not turn it."""
    for card in each(Cards(view.hand & FACES & FITTING[view.public.top])):
        try:
            legal.game.check(view, PLAYS[card])
        except IllegalAction as refused:
            if refused.code is Refusal.REDIRECT_BY_SUIT:
                return (Remark(refused.code, refused.detail),)
    return ()


def _one(legal: Legal) -> tuple[Remark, ...]:
    """With the last card but one: the call, where the table has it."""
    calls = [
        line for line, action in zip(legal.lines, legal.actions, strict=True) if isinstance(action, Play) and action.one
    ]
    return (Remark(Tip.SAY_ONE, (calls[0], str(legal.game.options.call_penalty))),) if calls else ()

"""The coach of Tong-its: the choices of each phase, and why the call is not among them."""

from __future__ import annotations

from enum import StrEnum

from p2pcards.cards import Cards, format_cards
from p2pcards.commands.command import Remark
from p2pcards.commands.legal import Legal
from p2pcards.errors import IllegalAction
from p2pcards.games.tongits.actions import Call, Discard, Expose, Layoff, Take, TakeLayoff
from p2pcards.games.tongits.showdown import counted
from p2pcards.games.tongits.state import Phase, View


class Tip(StrEnum):
    """What the coach of Tong-its says; its detail."""

    DRAW = "draw"
    DRAW_OR_TAKE = "draw_or_take"  # the top discard, then each way to take it
    MAY_CALL = "may_call"  # what the own hand would count
    GO_OUT = "go_out"  # the line that empties the hand
    DISCARD = "discard"
    NO_DISCARD = "no_discard"
    MAY_EXPOSE = "may_expose"  # melds that can be exposed
    MAY_LAY_OFF = "may_lay_off"  # `6H m2`, one detail for each
    ANSWER = "answer"  # who called, what the own hand would count


MOST = 3
"""Choices that are named; the menu has them all."""


def coach(legal: Legal) -> tuple[Remark, ...]:
    """The coach's remarks while it is our turn."""
    view: View = legal.view
    match view.public.phase:
        case Phase.DRAW:
            return (_draw(legal, view), _call(legal, view))
        case Phase.ACT:
            return _act(legal, view)
        case _:
            return (Remark(Tip.ANSWER, (legal.nicks[view.public.turn], _counted(legal, view))),)


def _draw(legal: Legal, view: View) -> Remark:
    ways = [" ".join(words) for words, action in _with_words(legal) if isinstance(action, Take | TakeLayoff)]
    if not ways:
        return Remark(Tip.DRAW)
    return Remark(Tip.DRAW_OR_TAKE, (legal.game.ranking.format(view.public.discards[-1]), *ways[:MOST]))


def _call(legal: Legal, view: View) -> Remark:
    try:
        legal.game.check(view, Call())
    except IllegalAction as refused:
        return Remark(refused.code, refused.detail)
    return Remark(Tip.MAY_CALL, (_counted(legal, view),))


def _counted(legal: Legal, view: View) -> str:
    """What the hand would count at a showdown."""
    return str(counted(legal.game.options, view.public, view.hand).points)


def _act(legal: Legal, view: View) -> tuple[Remark, ...]:
    out = [line for line, action in zip(legal.lines, legal.actions, strict=True) if _laid(action) == view.hand]
    if out:
        return (Remark(Tip.GO_OUT, (out[0],)),)
    discards = any(isinstance(action, Discard) for action in legal.actions)
    remarks = [Remark(Tip.DISCARD if discards else Tip.NO_DISCARD)]
    melds = [action.cards for action in legal.actions if isinstance(action, Expose)]
    longest = [meld for meld in melds if not any(meld != other and meld & other == meld for other in melds)]
    if longest:
        texts = (format_cards(legal.game.ranking, meld) for meld in longest[:MOST])
        remarks.append(Remark(Tip.MAY_EXPOSE, tuple(texts)))
    layoffs = [words for words, action in _with_words(legal) if isinstance(action, Layoff)]
    if layoffs:
        remarks.append(Remark(Tip.MAY_LAY_OFF, tuple(" ".join(words) for words in layoffs[:MOST])))
    return tuple(remarks)


def _laid(action: object) -> Cards | None:
    """The cards that leave the hand."""
    match action:
        case Expose(cards):
            return cards
        case Layoff(card) | Discard(card):
            return Cards(1 << card)
    return None


def _with_words(legal: Legal) -> list[tuple[tuple[str, ...], object]]:
    return list(zip(legal.words, legal.actions, strict=True))

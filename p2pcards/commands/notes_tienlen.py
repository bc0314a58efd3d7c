"""What an action of Tiến lên does, as a code and what its words need.

A hand can hold hundreds of leads, so that nothing here is looked at twice: a hand is taken apart once, and what a play
breaks in it is found by a few operations on the bits of all ranks together.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from p2pcards.cards import THREE_LOW, Cards, format_cards
from p2pcards.commands.command import Remark
from p2pcards.games.base import Game, Seat
from p2pcards.games.tienlen.actions import PASS, Action, Pass
from p2pcards.games.tienlen.combos import Combo, combo_of
from p2pcards.games.tienlen.state import Public, State, View


class Does(StrEnum):
    """What an action does; its detail. A combination is `straight 4`, a group of one rank in the hand `pair 9`."""

    LEAD = "leads"  # the combination
    LEAD_BREAKING = "leads_breaking"  # likewise, the group that it is taken out of
    LEAD_BREAKING_BOMB = "leads_breaking_bomb"  # the combination: a sequence of pairs in the hand is gone then
    BEAT = "beats"  # the card to beat, the own highest card
    BEAT_BREAKING = "beats_breaking"  # likewise, the group
    BEAT_BREAKING_BOMB = "beats_breaking_bomb"  # as BEAT
    BOMB = "bombs"  # the cards of the pile
    EMPTIES = "empties"  # the place that it gives
    LOCKED_OUT = "locked_out"  # by passing, until the trick ends
    MAY_RETURN = "may_return"  # one passes and may come back in the trick
    TRICK_ENDS = "trick_ends"  # by passing: who leads then
    THEN_LEADS = "then_leads"  # by passing: one leads oneself
    STAYS_OUT = "stays_out"  # one has passed before, and was asked for four pairs


_RANKS = Cards(0x1111111111111)
_KINDS = {2: "pair", 3: "triple", 4: "quad"}


def notes(
    game: Game[Any, Any, Any], view: View, actions: Sequence[Action], nicks: tuple[str, ...]
) -> tuple[Remark, ...]:
    """What each of the legal actions does in this view; nicks by seat."""
    breaks = _Breaks(view.hand)
    return tuple(
        _pass(game, view, nicks) if isinstance(action, Pass) else _play(view, action.cards, breaks)
        for action in actions
    )


def _play(view: View, cards: Cards, breaks: _Breaks) -> Remark:
    pile, combo = view.public.pile, combo_of(cards)
    if cards == view.hand:
        return Remark(Does.EMPTIES, (str(len(view.public.places) + 1),))
    if combo is None:  # no legal play is
        return Remark(Does.LEAD, ("single 1",))
    broken = breaks.by(combo)
    if pile is None:
        told: tuple[str, ...] = (f"{combo.kind.value} {combo.size}",)
        codes = (Does.LEAD, Does.LEAD_BREAKING, Does.LEAD_BREAKING_BOMB)
    elif combo.kind is not pile.kind or combo.size != pile.size:
        return Remark(Does.BOMB, (format_cards(THREE_LOW, pile.cards),))
    else:
        told = (THREE_LOW.format(pile.top), THREE_LOW.format(combo.top))
        codes = (Does.BEAT, Does.BEAT_BREAKING, Does.BEAT_BREAKING_BOMB)
    if not broken:
        return Remark(codes[0], told)
    return Remark(codes[2], told) if broken == "bomb" else Remark(codes[1], (*told, broken))


class _Breaks:
    """What plays out of one hand leave behind."""

    def __init__(self, hand: Cards) -> None:
        self._hand = hand
        self._bomb = _pairs_in_a_row(hand)
        self._groups = {
            rank: f"{_KINDS[count]} {THREE_LOW.ranks[rank]}"
            for rank in range(13)
            if (count := (hand >> 4 * rank & 0b1111).bit_count()) > 1
        }

    def by(self, combo: Combo) -> str:
        """The largest group that loses some of its cards, or `bomb`; empty where nothing is broken."""
        cards, rest = combo.cards, self._hand & ~combo.cards
        if self._bomb and not combo.is_bomb and not _pairs_in_a_row(Cards(rest)):
            return "bomb"
        both = (cards | cards >> 1 | cards >> 2 | cards >> 3) & (rest | rest >> 1 | rest >> 2 | rest >> 3) & _RANKS
        if not both:
            return ""
        groups = [self._groups[rank] for rank in range(13) if both >> 4 * rank & 1]
        return max(groups, key=lambda group: group[0] == "q" or (group[0] == "t") / 2)


def _pairs_in_a_row(hand: Cards) -> bool:
    """Whether there are three pairs in a row in it."""
    second, third, fourth = hand >> 1, hand >> 2, hand >> 3
    pairs = ((hand & second) | (third & fourth) | ((hand | second) & (third | fourth))) & _RANKS
    return pairs & pairs >> 4 & pairs >> 8 != 0


# ---- passing


def _pass(game: Game[Any, Any, Any], view: View, nicks: tuple[str, ...]) -> Remark:
    public = view.public
    asked, leader = if_all_pass(game, public)
    if len(asked) == 1:
        return Remark(Does.THEN_LEADS) if leader == view.seat else Remark(Does.TRICK_ENDS, (nicks[leader],))
    if public.passed[public.turn]:
        return Remark(Does.STAYS_OUT)
    return Remark(Does.LOCKED_OUT if game.options.pass_lock else Does.MAY_RETURN)


def if_all_pass(game: Game[Any, Any, Any], public: Public) -> tuple[tuple[Seat, ...], Seat]:
    """Who is asked, in turn, while nobody beats what lies there, and who leads then."""
    asked: list[Seat] = []
    while public.pile is not None and public.reason is None:
        asked.append(public.turn)
        public = game.apply(State(public, ()), public.turn, PASS).public
    return tuple(asked), public.turn

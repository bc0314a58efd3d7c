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
_BOMB = "bomb"
_KINDS = {2: "pair", 3: "triple", 4: "quad"}


def notes(
    game: Game[Any, Any, Any], view: View, actions: Sequence[Action], nicks: tuple[str, ...]
) -> tuple[Remark, ...]:
    """What each of the legal actions does in this view; nicks by seat."""
    told = _Plays(view)
    return tuple(_pass(game, view, nicks) if isinstance(action, Pass) else told.of(action.cards) for action in actions)


class _Plays:
    """What plays out of one hand do, and what they leave behind: the remarks are few, whatever the number of plays."""

    def __init__(self, view: View) -> None:
        self._hand, self._pile = view.hand, view.public.pile
        self._empties = Remark(Does.EMPTIES, (str(len(view.public.places) + 1),))
        self._bomb = _pairs_in_a_row(view.hand)
        self._broken: dict[int, str] = {0: ""}
        self._known: dict[tuple[Any, ...], Remark] = {}

    def of(self, cards: Cards) -> Remark:
        """What the play does."""
        combo = combo_of(cards)
        if cards == self._hand or combo is None:  # no legal play is none
            return self._empties
        pile, broken = self._pile, self._breaks(combo)
        key = (combo.kind, combo.size, broken) if pile is None else (combo.kind, combo.size, combo.top, broken)
        if (known := self._known.get(key)) is None:
            known = self._known[key] = self._remark(combo, broken)
        return known

    def _remark(self, combo: Combo, broken: str) -> Remark:
        pile = self._pile
        if pile is None:
            codes = (Does.LEAD, Does.LEAD_BREAKING, Does.LEAD_BREAKING_BOMB)
            told: tuple[str, ...] = (f"{combo.kind.value} {combo.size}",)
        elif combo.kind is not pile.kind or combo.size != pile.size:
            return Remark(Does.BOMB, (format_cards(THREE_LOW, pile.cards),))
        else:
            codes = (Does.BEAT, Does.BEAT_BREAKING, Does.BEAT_BREAKING_BOMB)
            told = (THREE_LOW.format(pile.top), THREE_LOW.format(combo.top))
        if not broken:
            return Remark(codes[0], told)
        return Remark(codes[2], told) if broken == _BOMB else Remark(codes[1], (*told, broken))

    def _breaks(self, combo: Combo) -> str:
        """The largest group that loses some of its cards, or a sequence of pairs; empty where nothing is broken."""
        cards, rest = combo.cards, Cards(self._hand & ~combo.cards)
        if self._bomb and not combo.is_bomb and not _pairs_in_a_row(rest):
            return _BOMB
        some = (cards | cards >> 1 | cards >> 2 | cards >> 3) & (rest | rest >> 1 | rest >> 2 | rest >> 3) & _RANKS
        if (broken := self._broken.get(some)) is None:
            ranks = (rank for rank in range(13) if some >> 4 * rank & 1)
            count, rank = max(((self._hand >> 4 * rank & 0b1111).bit_count(), rank) for rank in ranks)
            broken = self._broken[some] = f"{_KINDS[count]} {THREE_LOW.ranks[rank]}"
        return broken


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


def purpose(view: View, own: str) -> str:
    """What `play` is for: somebody leads, or beats what lies there."""
    if own != "play":
        return ""
    return "lead a combination" if view.public.pile is None else "beat what lies there"

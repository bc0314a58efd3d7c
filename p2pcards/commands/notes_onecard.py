"""What an action of One Card does, as a code and what its words need."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Any

from p2pcards.cards import Card, rank
from p2pcards.commands.command import Remark
from p2pcards.games.base import Game, Seat
from p2pcards.games.onecard.actions import Draw, Pass, Play
from p2pcards.games.onecard.pack import JACK, QUEEN, SEVEN, THREE, TWO
from p2pcards.games.onecard.state import Public, View


class Does(StrEnum):
    """What an action does; its detail."""

    PLAY = "plays"  # who is next
    AGAIN = "plays_again"  # a card after which one plays on oneself: who is skipped
    ATTACK = "attacks"  # whom, with how many cards
    ADD = "adds"  # how many cards, who faces the attack then, how many cards it has
    CANCEL = "cancels"  # the cards of the attack
    SKIP = "skips"  # whom, who is next
    OVER = "goes_over"  # who is skipped, who faces the attack then, its cards
    STAYS = "stays"  # likewise, where it is oneself: who is skipped, its cards
    TURN = "turns"  # who is next
    TURN_ATTACK = "turns_attack"  # who faces the attack then, its cards
    EMPTIES = "empties"
    EMPTIES_HITS = "empties_hits"  # who draws for the last card, how many cards
    UNSAID = "unsaid"  # cards drawn for a call that is forgotten
    DRAW = "draws"  # cards in the stock
    DRAW_UNTIL = "draws_until"  # likewise
    DRAW_SHUFFLED = "draws_shuffled"  # the discards that are shuffled first
    DRAW_NOTHING = "draws_nothing"
    DRAW_ATTACK = "draws_attack"  # the cards of the attack
    DRAW_BANKRUPT = "draws_bankrupt"  # cards that make one bankrupt
    KEEP = "keeps"  # who is next


def order(public: Public, direction: int = 0) -> tuple[Seat, ...]:
    """The seats in the round in the order of their turns, whose turn it is first; in the direction of play, or that."""
    seats, step = len(public.counts), direction or public.direction
    turns = (Seat((public.turn + step * place) % seats) for place in range(seats))
    return tuple(seat for seat in turns if seat not in public.bankrupt)


def notes(game: Game[Any, Any, Any], view: View, actions: Sequence[Any], nicks: tuple[str, ...]) -> tuple[Remark, ...]:
    """What each of the legal actions does in this view; nicks by seat."""
    return tuple(_note(game.options, view, action, nicks) for action in actions)


def _note(options: Any, view: View, action: Any, nicks: tuple[str, ...]) -> Remark:
    match action:
        case Play(card, one):
            return _play(options, view.public, card, one, nicks)
        case Draw():
            return _draw(options, view.public)
        case Pass():
            return Remark(Does.KEEP, (nicks[_after(view.public, 1)],))
    raise AssertionError(action)


def _play(options: Any, public: Public, card: Card, one: bool, nicks: tuple[str, ...]) -> Remark:
    left = public.counts[public.turn] - 1
    if not left:
        return _last(options, public, card, nicks)
    if left == 1 and not one and options.call_one_card == "self":
        return Remark(Does.UNSAID, (str(options.call_penalty),))
    following, pending = nicks[_after(public, 1)], public.pending
    which = rank(card)
    if which in (TWO, THREE):
        force = which + 1
        if pending:
            return Remark(Does.ADD, (str(force), following, str(pending + force)))
        return Remark(Does.ATTACK, (following, str(force)))
    if which == SEVEN and pending:
        return Remark(Does.CANCEL, (str(pending),))
    if _skips(options, public, card):
        return _skip(public, nicks)
    if which == QUEEN:
        following = nicks[_after(public, 1, -public.direction)]
        return Remark(Does.TURN_ATTACK, (following, str(pending))) if pending else Remark(Does.TURN, (following,))
    return Remark(Does.PLAY, (following,))


def _skip(public: Public, nicks: tuple[str, ...]) -> Remark:
    skipped, hit, pending = nicks[_after(public, 1)], _after(public, 2), public.pending
    if hit == public.turn:
        return Remark(Does.STAYS, (skipped, str(pending))) if pending else Remark(Does.AGAIN, (skipped,))
    if pending:
        return Remark(Does.OVER, (skipped, nicks[hit], str(pending)))
    return Remark(Does.SKIP, (skipped, nicks[hit]))


def _last(options: Any, public: Public, card: Card, nicks: tuple[str, ...]) -> Remark:
    """The card with which the hand is empty."""
    which, pending = rank(card), public.pending
    force = pending + (which + 1 if which in (TWO, THREE) else 0)
    if not options.final_attack_counts or not force or which == SEVEN:
        return Remark(Does.EMPTIES)
    direction = -public.direction if which == QUEEN else public.direction
    hit = _after(public, 2 if which == JACK else 1, direction)
    return Remark(Does.EMPTIES) if hit == public.turn else Remark(Does.EMPTIES_HITS, (nicks[hit], str(force)))


def _draw(options: Any, public: Public) -> Remark:
    stock, under, due = public.stock, len(public.discards) - 1, public.pending or 1
    there = min(due, stock + under)
    if not there:
        return Remark(Does.DRAW_NOTHING)
    if 0 < options.bankrupt_at <= public.counts[public.turn] + there:
        return Remark(Does.DRAW_BANKRUPT, (str(options.bankrupt_at),))
    if public.pending:
        return Remark(Does.DRAW_ATTACK, (str(public.pending),))
    if not stock:
        return Remark(Does.DRAW_SHUFFLED, (str(under),))
    return Remark(Does.DRAW_UNTIL if options.draw_until_playable else Does.DRAW, (str(stock),))


def _after(public: Public, turns: int, direction: int = 0) -> Seat:
    """Who plays so many turns after this one."""
    turn = order(public, direction)
    return turn[turns % len(turn)]


def _skips(options: Any, public: Public, card: Card) -> bool:
    if rank(card) == QUEEN and options.two_player_queen == "skip":
        return not public.pending and len(order(public)) == 2
    return rank(card) == JACK

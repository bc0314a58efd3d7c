"""Level `medium`: sensible rules of thumb, one action at a time, without looking ahead or guessing at hands.

It exposes one meld as soon as it has one, since a seat without one can neither call nor contest nor survive the end of
the stock, and keeps further melds in its hand, where nobody lays off on them and they count nothing at a showdown
either. It throws away what costs most to keep, lays off whatever it can, and calls when its hand is likely to be the
lowest. Everything it likes is in points of deadwood.

The constants come from rounds between three of these bots: what a hand counts there for each card in it, and which
values win most against the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Any

from p2pcards.bots.base import legal_actions
from p2pcards.bots.tongits.reading import (
    chance_to_take,
    completing,
    has_exposed,
    loose_discards,
    rivals,
    unseen,
    way_out,
)
from p2pcards.cards import Cards, each
from p2pcards.games.base import Game, Rng, Seat
from p2pcards.games.tongits.actions import (
    CALL,
    CHALLENGE,
    DRAW,
    FOLD,
    Action,
    Discard,
    Expose,
    Layoff,
    Take,
    TakeLayoff,
)
from p2pcards.games.tongits.melds import deadwood, fits
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.showdown import counted
from p2pcards.games.tongits.state import Phase, Public, View

_POINTS_A_CARD, _POINTS_A_CARD_AND_STOCK = 3.0, 0.15  # of a rival's hand: less when there is less stock left
_SPREAD = 0.33  # of those points, as a share
_CALLER = 0.65  # a caller's hand counts less than others by this factor
_CALLS_AT = 0.5  # chance to be the lowest
_CONTESTS_AT = 0.3  # the same, where losing a contest costs more than folding
_FIRST_MELD = 10  # points that the first exposed meld may cost
_TURNS = 3  # how often a card that is missing may still come, out of the stock or from the seat before
_TAKEN = 6  # points lost when the next seat takes the discard


class Medium:
    """Plays sensibly; chance has no part in it."""

    def choose(self, game: Game[Any, View, Action], view: View, rng: Rng) -> Action:
        """The most sensible action."""
        actions = legal_actions(game, view)
        match view.public.phase:
            case Phase.RESPOND:
                return _answer(game.options, view)
            case Phase.DRAW:
                return _begin(game.options, view, actions)
            case _:
                return _go_on(game.options, view, actions)


def _answer(options: TongItsOptions, view: View) -> Action:
    caller = view.public.turn
    contests = options.scoring == "wins" or _chance_below(options, view, {caller: _CALLER}) > _CONTESTS_AT
    return CHALLENGE if contests else FOLD


def _begin(options: TongItsOptions, view: View, actions: Sequence[Action]) -> Action:
    public, hand = view.public, view.hand
    if CALL in actions:
        contenders = {seat: 1.0 for seat in rivals(view) if has_exposed(public, seat)}
        if _chance_below(options, view, contenders) > _CALLS_AT:
            return CALL
    takes = [action for action in actions if isinstance(action, Take)]
    if takes:
        best = min(takes, key=lambda take: deadwood(Cards(hand & ~take.cards)))
        price = deadwood(Cards(hand & ~best.cards)) - deadwood(hand)
        if price < (0 if has_exposed(public, view.seat) else _FIRST_MELD):
            return best
    laid = [action for action in actions if isinstance(action, TakeLayoff)]
    return min(laid, key=lambda lay: public.melds[lay.meld].owner == view.seat, default=DRAW)


def _go_on(options: TongItsOptions, view: View, actions: Sequence[Action]) -> Action:
    if step := way_out(view, actions):
        return step
    if not has_exposed(view.public, view.seat) and (meld := _first_meld(options, view, actions)):
        return meld
    for action in actions:
        if isinstance(action, Layoff) and _is_worth(view, action):
            return action
    return _cheapest(view, loose_discards(view.hand, actions))


def _first_meld(options: TongItsOptions, view: View, actions: Sequence[Action]) -> Action | None:
    """Of the melds that leave no more points in the hand the one that others can extend least."""
    hand, hidden, points = view.hand, unseen(view), deadwood(view.hand)

    def drawbacks(expose: Expose) -> tuple[bool, int]:
        blocks = options.four_meld_is_self_layoff and options.self_layoff_blocks_draw and expose.cards.bit_count() > 3
        return blocks, (fits(expose.cards) & hidden).bit_count()

    exposes = [action for action in actions if isinstance(action, Expose)]
    free = [expose for expose in exposes if deadwood(Cards(hand & ~expose.cards)) <= points]
    return min(free, key=drawbacks, default=None)


def _is_worth(view: View, layoff: Layoff) -> bool:
    """Whether laying the card off lowers the hand, or costs nothing and keeps a rival from calling."""
    public = view.public
    owner = public.melds[layoff.meld].owner
    change = deadwood(Cards(view.hand & ~(1 << layoff.card))) - deadwood(view.hand)
    return change < 0 or (change == 0 and owner != view.seat and not public.call_blocked[owner])


def _cheapest(view: View, discards: Sequence[Discard]) -> Discard:
    """The discard that leaves least in the hand, what may yet come of the rest and what it gives away included."""
    hidden = unseen(view)
    following = view.public.counts[rivals(view)[0]]

    def cost(discard: Discard) -> float:
        rest = Cards(view.hand & ~(1 << discard.card))
        points = deadwood(rest)
        hope = sum(points - deadwood(Cards(rest | 1 << card)) for card in each(Cards(completing(rest) & hidden)))
        return (
            points
            - _TURNS * hope / max(hidden.bit_count(), 1)
            + _TAKEN * chance_to_take(discard.card, hidden, following)
        )

    return min(discards, key=cost)


def _chance_below(options: TongItsOptions, view: View, contenders: dict[Seat, float]) -> float:
    """The chance that the hand counts less than those of all contenders; each with a factor for how low it is."""
    public = view.public
    points = counted(options, public, view.hand).points if options.showdown_layoff else deadwood(view.hand)
    chance = 1.0
    for seat, factor in contenders.items():
        likely = factor * _likely_points(public, seat)
        chance /= 1 + exp(1.7 * (points - likely) / (_SPREAD * likely + 1))  # near the normal distribution
    return chance


def _likely_points(public: Public, seat: Seat) -> float:
    return public.counts[seat] * (_POINTS_A_CARD + _POINTS_A_CARD_AND_STOCK * public.stock)

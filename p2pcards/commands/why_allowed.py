"""Why an action is allowed: the rule that lets it be done, as a code with its number."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from p2pcards.cards import ACE_LOW, THREE_LOW, Card, Cards, each, format_cards, rank, suit
from p2pcards.commands.command import Remark
from p2pcards.games.base import Game
from p2pcards.games.onecard import actions as onecard
from p2pcards.games.onecard.pack import FITTING, SEVEN
from p2pcards.games.onecard.state import View as OneCardView
from p2pcards.games.straights import actions as straights
from p2pcards.games.straights.state import SUITS
from p2pcards.games.straights.state import View as StraightsView
from p2pcards.games.tienlen import actions as tienlen
from p2pcards.games.tienlen.combos import combo_of
from p2pcards.games.tienlen.state import View as TienLenView
from p2pcards.games.tongits import actions as tongits
from p2pcards.games.tongits.state import View as TongItsView


class Because(StrEnum):
    """Why it is allowed; its detail."""

    SUIT = "suit"  # the card, the top card
    RANK = "rank"  # likewise
    TWIN = "twin"  # likewise: the same card of another pack
    ANSWERS_SUIT = "answers_suit"  # likewise, under attack
    ANSWERS_RANK = "answers_rank"
    ANSWERS_FREE = "answers_free"  # the card: it need not match
    DREW_FITS = "drew_fits"  # the drawn card, the top card
    MAY_TAKE = "may_take"  # the cards of the attack
    NOTHING_FITS = "nothing_fits"  # the top card
    FREE_TO_DRAW = "free_to_draw"
    MAY_KEEP = "may_keep"
    OPENS = "opens"  # the card that opens the round
    SEVENS = "sevens"  # the card
    NEIGHBOUR = "neighbour"  # the card, its neighbour on the table
    ASIDE = "aside"
    STUCK = "stuck"
    LEADS = "leads"
    LEADS_WITH = "leads_with"  # the card that must be in it
    ABOVE = "above"  # the card, the one to beat
    HIGHER = "higher"  # the highest card, the one to beat
    BOMBS = "bombs"  # the cards that are bombed
    BOMBS_BOMB = "bombs_bomb"  # likewise, a bomb
    FOUR_PAIRS = "four_pairs"  # the 2s
    PASSES = "passes"
    BEGINS = "begins"
    MELDS_TOP = "melds_top"  # the top discard
    FITS_TOP = "fits_top"  # the top discard, the meld
    MAY_CALL = "may_call"
    IS_SET = "is_set"  # the cards
    IS_RUN = "is_run"  # the cards
    FITS = "fits"  # the card, the meld
    ENDS_TURN = "ends_turn"
    ASKED = "asked"


Why = tuple[Remark, str]


def allowed(game: Game[Any, Any, Any], view: Any, action: Any) -> Why | None:
    """What lets a legal action be done, and the number of the rule; None in a game that has none here."""
    return _GAMES[game.name](game.options, view, action) if game.name in _GAMES else None


def _onecard(options: Any, view: OneCardView, action: onecard.Action) -> Why:
    public, top = view.public, view.public.top
    match action:
        case onecard.Play(card):
            return _fits(options, view, card)
        case onecard.Draw() if public.pending:
            return Remark(Because.MAY_TAKE, (str(public.pending),)), "R15"
        case onecard.Draw() if view.hand & FITTING[top]:
            return Remark(Because.FREE_TO_DRAW), "R30"
        case onecard.Draw():
            return Remark(Because.NOTHING_FITS, (ACE_LOW.format(top),)), "R13"
    return Remark(Because.MAY_KEEP), "R32" if options.draw_until_playable else "R31"


def _fits(options: Any, view: OneCardView, card: Card) -> Why:
    top = view.public.top
    told = (ACE_LOW.format(card), ACE_LOW.format(top))
    if view.public.pending:
        if not FITTING[top] >> card & 1:
            return Remark(Because.ANSWERS_FREE, told[:1]), "R33"
        if suit(card) == suit(top):
            return Remark(Because.ANSWERS_SUIT, told), "R16"
        return Remark(Because.ANSWERS_RANK, told), "R34" if rank(card) > SEVEN else "R16"
    if view.drawn is not None:
        return Remark(Because.DREW_FITS, told), "R32" if options.draw_until_playable else "R31"
    if card == top:
        return Remark(Because.TWIN, told), "R11"
    return Remark(Because.SUIT if suit(card) == suit(top) else Because.RANK, told), "R11"


def _straights(options: Any, view: StraightsView, action: straights.Action) -> Why:
    public = view.public
    match action:
        case straights.Play(card) if not public.table:
            return Remark(Because.OPENS, (ACE_LOW.format(card),)), "R5"
        case straights.Play(card) if rank(card) == SEVEN:
            return Remark(Because.SEVENS, (ACE_LOW.format(card),)), "R7"
        case straights.Play(card):
            row = each(Cards(public.table & SUITS[suit(card)]))
            beside = min(row, key=lambda lying: abs(rank(lying) - rank(card)))
            return Remark(Because.NEIGHBOUR, (ACE_LOW.format(card), ACE_LOW.format(beside))), "R7"
        case straights.Discard():
            return Remark(Because.ASIDE), "R9"
    return Remark(Because.STUCK), "R22"


def _tienlen(options: Any, view: TienLenView, action: tienlen.Action) -> Why:
    public, pile = view.public, view.public.pile
    combo = combo_of(action.cards) if isinstance(action, tienlen.Play) else None
    if combo is None:
        return Remark(Because.PASSES), "R15"
    if pile is None:
        if public.must is not None:
            return Remark(Because.LEADS_WITH, (THREE_LOW.format(public.must),)), "R35"
        return Remark(Because.LEADS), "R14"
    lying = format_cards(THREE_LOW, pile.cards)
    if public.passed[public.turn]:
        return Remark(Because.FOUR_PAIRS, (lying,)), "R42"
    if combo.kind is pile.kind and combo.size == pile.size:
        tops = (THREE_LOW.format(combo.top), THREE_LOW.format(pile.top))
        return Remark(Because.ABOVE if combo.size == 1 else Because.HIGHER, tops), "R9"
    return (Remark(Because.BOMBS, (lying,)), "R10") if pile.only_twos else (Remark(Because.BOMBS_BOMB, (lying,)), "R40")


def _tongits(options: Any, view: TongItsView, action: tongits.Action) -> Why:
    public = view.public
    top = ACE_LOW.format(public.discards[-1]) if public.discards else ""
    match action:
        case tongits.Draw():
            return Remark(Because.BEGINS), "R11"
        case tongits.Take():
            return Remark(Because.MELDS_TOP, (top,)), "R12"
        case tongits.TakeLayoff(meld):
            return Remark(Because.FITS_TOP, (top, tongits.meld_name(meld))), "R38"
        case tongits.Call():
            return Remark(Because.MAY_CALL), "R17"
        case tongits.Expose(cards):
            ranks = {rank(card) for card in each(cards)}
            told = (format_cards(ACE_LOW, cards),)
            return (Remark(Because.IS_SET, told), "R4") if len(ranks) == 1 else (Remark(Because.IS_RUN, told), "R5")
        case tongits.Layoff(card, meld):
            return Remark(Because.FITS, (ACE_LOW.format(card), tongits.meld_name(meld))), "R14"
        case tongits.Discard():
            return Remark(Because.ENDS_TURN), "R15"
    return Remark(Because.ASKED), "R18"


_GAMES: dict[str, Callable[[Any, Any, Any], Why]] = {
    "onecard": _onecard,
    "straights": _straights,
    "tienlen": _tienlen,
    "tongits": _tongits,
}

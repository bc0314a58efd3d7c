"""Why the rules of Tong-its refuse an action, beside the refusals of every game."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """One code for each reason that a player would want to hear; behind it, what `IllegalAction.detail` holds."""

    DRAW_FIRST = "draw_first"  # (): a turn begins with drawing, taking or calling
    ALREADY_DRAWN = "already_drawn"  # (): draw or take a second time; the turn ends with a discard
    CALL_FIRST = "call_first"  # (): a draw is called before anything else in the turn
    ANSWER_THE_CALL = "answer_the_call"  # (): only challenge and fold are possible now
    NO_CALL = "no_call"  # (): nobody has called
    NO_DISCARD = "no_discard"  # (): the discard pile is empty
    NO_MELD = "no_meld"  # (cards): they are neither a set nor a run; the top discard is among them where one is taken
    NOT_ON_MELDS = "not_on_melds"  # (): the option discard_layoff is off
    UNKNOWN_MELD = "unknown_meld"  # (meld): there is none of that name
    DOES_NOT_FIT = "does_not_fit"  # (card, meld, its cards)
    FITS_A_MELD = "fits_a_meld"  # (card, meld): the option must_not_discard_layoffable is on
    NOTHING_EXPOSED = "nothing_exposed"  # (): who calls needs an exposed meld
    BLOCKED_OWN = "blocked_own"  # (): laid off on a meld of one's own in the turn before
    BLOCKED_OWN_OR_FOUR = "blocked_own_or_four"  # (): that or a meld of four or more (four_meld_is_self_layoff is on)
    BLOCKED_LAID = "blocked_laid"  # (): somebody laid off on one's meld since the turn before
    BLOCKED_TAKEN = "blocked_taken"  # (): one's discard was taken, and the option taken_discard_blocks_draw is on

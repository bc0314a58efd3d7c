"""Why the rules of Straights refuse an action, beside the refusals of every game."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """One code for each reason that a player would want to hear; behind it, what `IllegalAction.detail` holds."""

    START_CARD = "start_card"  # (card): the round opens with that card and no other action
    SUIT_NOT_OPEN = "suit_not_open"  # (card, its seven): no card of the suit lies on the table
    DOES_NOT_FIT = "does_not_fit"  # (card, the one or two cards that would go on its suit)
    MUST_PLAY = "must_play"  # (cards): discard or pass with these cards in hand that can be played
    NOBODY_PASSES = "nobody_passes"  # (): who can't play discards
    NOBODY_DISCARDS = "nobody_discards"  # (): the option mode is sevens_pass: who can't play passes

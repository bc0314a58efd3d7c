"""Why the rules of One Card refuse an action, beside the refusals of every game."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """One code for each reason that a player would want to hear; behind it, what `IllegalAction.detail` holds."""

    NO_MATCH = "no_match"  # (card, top card): neither suit nor rank is that of the top card
    UNDER_ATTACK = "under_attack"  # (card, top card, cards pending): only 2, 3, 7, Q and J answer an attack
    REDIRECT_BY_SUIT = "redirect_by_suit"  # (card, top card): under attack a queen or jack must match the suit
    MUST_PLAY = "must_play"  # (cards that fit): who can play may not draw; the option must_play is on
    ONLY_DRAWN = "only_drawn"  # (card, drawn card): after drawing only the drawn card may be played
    ALREADY_DRAWN = "already_drawn"  # (): draw a second time in a turn
    DRAW_FIRST = "draw_first"  # (): pass without having drawn, under draw_then_play or draw_until_playable
    NO_PASSING = "no_passing"  # (): pass where nobody ever may: both of these options are off
    NO_CALLING = "no_calling"  # (): `one` though the option call_one_card is off
    NOT_ONE_CARD = "not_one_card"  # (cards left after the play): `one` though it isn't one card that is left
    SHUFFLE_FIRST = "shuffle_first"  # (): the stock ran out, and the dealer must shuffle before anybody acts
    NO_SHUFFLE = "no_shuffle"  # (): a shuffle where none is waited for
    WRONG_SHUFFLE = "wrong_shuffle"  # (cards missing, cards too many): not the discards under the top card; "" for none

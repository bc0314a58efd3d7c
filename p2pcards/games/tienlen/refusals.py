"""Why the rules of Tiến lên refuse an action, beside the refusals of every game."""

from __future__ import annotations

from enum import StrEnum


class Refusal(StrEnum):
    """One code for each reason that a player would want to hear; behind it, what `IllegalAction.detail` holds.

    A kind is a `Kind`; its size is the number of cards, of a double sequence the number of pairs.
    """

    MUST_LEAD = "must_lead"  # (): the leader may not pass
    MUST_CONTAIN = "must_contain"  # (card): the first lead must have it in it (first_lead = lowest_card)
    NO_COMBINATION = "no_combination"  # (cards)
    TWO_IN_SEQUENCE = "two_in_sequence"  # (cards): a sequence with a 2 in it, and twos_in_sequences is off
    WRONG_KIND = "wrong_kind"  # (kind, size, cards of the pile): what must be beaten
    WRONG_SIZE = "wrong_size"  # (kind, size to beat, size played, cards of the pile): the right kind
    TOO_LOW = "too_low"  # (kind, size, card to beat, card that ought to be higher)
    BOMBS_BEAT_TWOS = "bombs_beat_twos"  # (kind, size, cards of the pile): a bomb on what isn't only 2s
    BOMB_TOO_SMALL = "bomb_too_small"  # (pairs needed, "quad" where that would do too, else "", cards of the pile): 2s
    ONE_SUIT = "one_suit"  # (cards of the pile): a straight of one suit lies there (suited_straight_lock)
    NO_FINISH_ON_TWO = "no_finish_on_two"  # (): these would be the last cards, and 2s alone
    ONLY_FOUR_PAIRS = "only_four_pairs"  # (cards of the pile): has passed, and bomb_after_pass allows only those

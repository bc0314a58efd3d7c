"""Which rule of docs/rules/<game>.md stands behind a refusal: its number."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from msgspec import Struct

from p2pcards.commands.command import Problem, Remark
from p2pcards.games import base
from p2pcards.games.base import Game
from p2pcards.games.onecard.refusals import Refusal as OneCard
from p2pcards.games.straights.refusals import Refusal as Straights
from p2pcards.games.tienlen.refusals import Refusal as TienLen
from p2pcards.games.tongits.refusals import Refusal as TongIts


class Reason(Struct, frozen=True):
    """One sentence of an explanation. rule: the number of the rule behind it, `R11`; about: lines or verbs that it is
    said of; does: what the line does, if it is legal; now: it is so now, not only if it were one's turn."""

    said: Problem | Remark
    rule: str = ""
    about: tuple[str, ...] = ()
    does: Remark | None = None
    now: bool = True


TURNS: Mapping[str, str] = {"onecard": "R9", "straights": "R10", "tienlen": "R15", "tongits": "R10"}
"""The rule of each game that says whose turn it is."""

RULES: Mapping[type[Enum], Mapping[Enum, str]] = {
    OneCard: {
        OneCard.NO_MATCH: "R11",
        OneCard.UNDER_ATTACK: "R16",
        OneCard.REDIRECT_BY_SUIT: "R17",
        OneCard.MUST_PLAY: "R13",
        OneCard.ONLY_DRAWN: "R31",
        OneCard.ALREADY_DRAWN: "R31",
        OneCard.DRAW_FIRST: "R31",
        OneCard.NO_PASSING: "R12",
        OneCard.NO_CALLING: "R39",
        OneCard.NOT_ONE_CARD: "R39",
        OneCard.SHUFFLE_FIRST: "R21",
        OneCard.NO_SHUFFLE: "R21",
        OneCard.WRONG_SHUFFLE: "R21",
    },
    Straights: {
        Straights.START_CARD: "R5",
        Straights.SUIT_NOT_OPEN: "R7",
        Straights.DOES_NOT_FIT: "R7",
        Straights.MUST_PLAY: "R8",
        Straights.NOBODY_PASSES: "R10",
        Straights.NOBODY_DISCARDS: "R22",
    },
    TienLen: {
        TienLen.MUST_LEAD: "R14",
        TienLen.MUST_CONTAIN: "R35",
        TienLen.NO_COMBINATION: "R4",
        TienLen.TWO_IN_SEQUENCE: "R37",
        TienLen.WRONG_KIND: "R9",
        TienLen.WRONG_SIZE: "R9",
        TienLen.TOO_LOW: "R9",
        TienLen.BOMBS_BEAT_TWOS: "R11",
        TienLen.BOMB_TOO_SMALL: "R10",
        TienLen.ONE_SUIT: "R46",
        TienLen.NO_FINISH_ON_TWO: "R45",
        TienLen.ONLY_FOUR_PAIRS: "R42",
    },
    TongIts: {
        TongIts.DRAW_FIRST: "R10",
        TongIts.ALREADY_DRAWN: "R10",
        TongIts.CALL_FIRST: "R16",
        TongIts.ANSWER_THE_CALL: "R18",
        TongIts.NO_CALL: "R18",
        TongIts.NO_DISCARD: "R12",
        TongIts.NO_MELD: "R6",
        TongIts.NOT_ON_MELDS: "R12",
        TongIts.UNKNOWN_MELD: "R6",
        TongIts.DOES_NOT_FIT: "R14",
        TongIts.FITS_A_MELD: "R42",
        TongIts.NOTHING_EXPOSED: "R17",
        TongIts.BLOCKED_OWN: "R17",
        TongIts.BLOCKED_OWN_OR_FOUR: "R41",
        TongIts.BLOCKED_LAID: "R17",
        TongIts.BLOCKED_TAKEN: "R36",
    },
}
"""The rule behind each refusal of a game."""


def rule(game: Game[Any, Any, Any], view: Any, code: Enum) -> str:
    """The number of the rule behind a refusal in this view; nothing where it is no matter of the rules."""
    if code is base.Refusal.NOT_YOUR_TURN:
        return TURNS.get(game.name, "")
    if code is OneCard.NO_MATCH and view.public.pending:
        return "R16"
    if type(code) is OneCard and RULES[OneCard].get(code) == "R31" and game.options.draw_until_playable:
        return "R32"
    return RULES.get(type(code), {}).get(code, "")

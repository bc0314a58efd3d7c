"""The coach of Straights: what fits, and when a card may be put aside."""

from __future__ import annotations

from enum import StrEnum

from p2pcards.cards import rank
from p2pcards.commands.command import Remark
from p2pcards.commands.legal import Legal
from p2pcards.games.straights.actions import Discard, Play
from p2pcards.games.straights.state import View


class Tip(StrEnum):
    """What the coach of Straights says; its detail."""

    START = "start"  # the card that opens the round
    PLAY = "play"  # the cards that fit
    PLAY_ONLY = "play_only"  # the one card that fits
    PLAY_ON = "play_on"  # the cards that fit, with sevens_pass
    ASIDE = "aside"  # the card that counts least, its points
    ASIDE_OPEN = "aside_open"  # likewise, where everybody sees it
    ASIDE_LAST = "aside_last"  # the last card, its points
    STUCK = "stuck"


def coach(legal: Legal) -> tuple[Remark, ...]:
    """The coach's remarks while it is our turn."""
    view: View = legal.view
    name = legal.game.ranking.format
    plays = [name(action.card) for action in legal.actions if isinstance(action, Play)]
    if plays:
        return (_play(legal, view, plays),)
    lowest = min((action.card for action in legal.actions if isinstance(action, Discard)), default=None)
    if lowest is None:
        return (Remark(Tip.STUCK),)
    if len(legal.actions) == 1:
        tip = Tip.ASIDE_LAST
    else:
        tip = Tip.ASIDE_OPEN if legal.game.options.open_discards else Tip.ASIDE
    return (Remark(tip, (name(lowest), str(rank(lowest) + 1))),)


def _play(legal: Legal, view: View, plays: list[str]) -> Remark:
    if not view.public.table:
        return Remark(Tip.START, tuple(plays))
    if len(plays) == 1:
        return Remark(Tip.PLAY_ONLY, tuple(plays))
    return Remark(Tip.PLAY_ON if legal.game.options.mode == "sevens_pass" else Tip.PLAY, tuple(plays))

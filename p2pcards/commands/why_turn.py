"""Why it is not somebody's turn, and what their view would be if it were, the table standing as it stands."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Any

from msgspec.structs import replace

from p2pcards.cards import THREE_LOW, format_cards
from p2pcards.commands.command import Remark
from p2pcards.commands.legal import Legal
from p2pcards.commands.why_rules import TURNS, Reason
from p2pcards.games.onecard import state as onecard
from p2pcards.games.straights import state as straights
from p2pcards.games.tienlen import state as tienlen
from p2pcards.games.tongits import state as tongits


class Waits(StrEnum):
    """Why somebody has no turn; its detail."""

    BY_SEAT = "by_seat"  # whose turn it is
    SKIPPED = "skipped"  # likewise
    BANKRUPT = "bankrupt"  # the cards that one holds
    SHUFFLING = "shuffling"
    LOCKED = "locked"
    OUT = "out"  # one's place
    OWN_PILE = "own_pile"  # the cards that lie there
    CALLED = "called"  # whose answers are awaited
    ANSWERED = "answered"  # likewise
    BURNED = "burned"  # who called
    OVER = "over"


def why_not_mine(legal: Legal) -> Reason | None:
    """What keeps the viewer, who has a seat and is not to act, from acting; None in a game that says nothing here."""
    return _WAITS[legal.game.name](legal) if legal.game.name in _WAITS else None


def supposed(legal: Legal) -> Legal | None:
    """What the viewer could do if it were their turn now; None where that can't be."""
    view = _SUPPOSED[legal.game.name](legal) if legal.game.name in _SUPPOSED else None
    return None if view is None else Legal(legal.game, view, legal.nicks)


def _by_seat(legal: Legal) -> Reason:
    return Reason(Remark(Waits.BY_SEAT, (legal.nicks[legal.view.public.turn],)), TURNS[legal.game.name])


# ---- One Card


def _onecard(legal: Legal) -> Reason:
    view: onecard.View = legal.view
    public, seat = view.public, view.seat
    if public.phase is onecard.ENDED:
        return Reason(Remark(Waits.OVER))
    if public.phase is onecard.SHUFFLE:
        return Reason(Remark(Waits.SHUFFLING), "R21")
    if seat in public.bankrupt:
        return Reason(Remark(Waits.BANKRUPT, (str(view.hand.bit_count()),)), "R40")
    if seat == public.skipped:
        return Reason(Remark(Waits.SKIPPED, (legal.nicks[public.turn],)), "R14")
    return _by_seat(legal)


def _in_onecard(legal: Legal) -> onecard.View | None:
    view: onecard.View = legal.view
    public = view.public
    if view.seat is None or public.phase in (onecard.ENDED, onecard.SHUFFLE) or view.seat in public.bankrupt:
        return None
    return replace(view, public=replace(public, turn=view.seat, phase=onecard.TURN), drawn=None)


# ---- Straights


def _straights(legal: Legal) -> Reason:
    return Reason(Remark(Waits.OVER)) if legal.view.public.reason else _by_seat(legal)


def _in_straights(legal: Legal) -> straights.View | None:
    view: straights.View = legal.view
    if view.seat is None or view.public.reason or not view.hand:
        return None
    if not view.public.table and not view.hand & view.public.fits:
        return None  # somebody else opens the round
    return replace(view, public=replace(view.public, turn=view.seat))


# ---- Tiến lên


def _tienlen(legal: Legal) -> Reason:
    view: tienlen.View = legal.view
    public, seat = view.public, view.seat
    if public.phase is tienlen.ENDED or seat is None:
        return Reason(Remark(Waits.OVER))
    if seat in public.places:
        return Reason(Remark(Waits.OUT, (str(public.places.index(seat) + 1),)), "R18")
    if public.pile is not None and public.passed[seat]:
        return Reason(Remark(Waits.LOCKED), "R16") if legal.game.options.pass_lock else _by_seat(legal)
    if public.pile is not None and public.owner == seat:
        return Reason(Remark(Waits.OWN_PILE, (format_cards(THREE_LOW, public.pile.cards),)), "R17")
    return _by_seat(legal)


def _in_tienlen(legal: Legal) -> tienlen.View | None:
    view: tienlen.View = legal.view
    public, seat = view.public, view.seat
    if seat is None or public.phase is tienlen.ENDED or not view.hand or seat in public.places:
        return None
    if public.pile is not None and (public.owner == seat or (public.passed[seat] and legal.game.options.pass_lock)):
        return None
    if public.must is not None and not view.hand >> public.must & 1:
        return None  # somebody else leads with the lowest card
    passed = tuple(done and place != seat for place, done in enumerate(public.passed))
    return replace(view, public=replace(public, turn=seat, passed=passed))


# ---- Tong-its


def _tongits(legal: Legal) -> Reason:
    view: tongits.View = legal.view
    public, seat = view.public, view.seat
    if public.phase is tongits.ENDED:
        return Reason(Remark(Waits.OVER))
    if public.phase is not tongits.RESPONDING:
        return _by_seat(legal)
    asked = tuple(legal.nicks[other] for other in public.asked)
    if seat == public.turn:
        return Reason(Remark(Waits.CALLED, asked), "R18")
    if any(other == seat for other, _ in public.answers):
        return Reason(Remark(Waits.ANSWERED, asked), "R18")
    return Reason(Remark(Waits.BURNED, (legal.nicks[public.turn],)), "R18")


def _in_tongits(legal: Legal) -> tongits.View | None:
    view: tongits.View = legal.view
    if view.seat is None or view.public.phase in (tongits.ENDED, tongits.RESPONDING):
        return None
    return replace(view, public=replace(view.public, turn=view.seat, phase=tongits.DRAWING))


_WAITS: dict[str, Callable[[Legal], Reason]] = {
    "onecard": _onecard,
    "straights": _straights,
    "tienlen": _tienlen,
    "tongits": _tongits,
}
_SUPPOSED: dict[str, Callable[[Legal], Any]] = {
    "onecard": _in_onecard,
    "straights": _in_straights,
    "tienlen": _in_tienlen,
    "tongits": _in_tongits,
}

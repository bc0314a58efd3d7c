"""The coach of Tiến lên: what must be beaten and by what, what passing means, and why one waits."""

from __future__ import annotations

from enum import StrEnum

from p2pcards.cards import THREE_LOW, format_cards
from p2pcards.commands.command import Remark
from p2pcards.commands.legal import Legal
from p2pcards.commands.notes_tienlen import if_all_pass
from p2pcards.errors import IllegalAction
from p2pcards.games.tienlen.actions import Play
from p2pcards.games.tienlen.combos import Combo, bombs_on, one_suit
from p2pcards.games.tienlen.refusals import Refusal
from p2pcards.games.tienlen.state import Phase, View


class Tip(StrEnum):
    """What the coach of Tiến lên says; its detail. A combination is `straight 4`."""

    LEAD = "lead"
    LEAD_WITH = "lead_with"  # the card that must be in it
    BEAT = "beat"  # the cards to beat, their combination
    BEAT_OPEN = "beat_open"  # likewise, where passing locks nobody out
    BEAT_LAST = "beat_last"  # likewise, and who leads if one passes: nobody else is asked any more
    CANT = "cant"  # as BEAT: nothing in the hand does
    CANT_FINISH = "cant_finish"  # as BEAT: the hand would do, but may not be the last cards
    BOMBS = "bombs"  # pairs in a row from how many on, "quad" where that will do
    BOMBS_CANT = "bombs_cant"  # likewise, where there is none in the hand
    AFTER_OUT = "after_out"  # who went out, the cards, their combination
    AFTER_OUT_CANT = "after_out_cant"  # likewise
    AFTER_OUT_CANT_FINISH = "after_out_cant_finish"  # likewise, as CANT_FINISH
    ASKED = "asked"  # the cards: four pairs in a row may be played on them after passing, too
    ASKED_CANT = "asked_cant"  # likewise: there are none in the hand
    GO_OUT = "go_out"  # the line that empties the hand
    LOCKED = "locked"  # one has passed and waits for the end of the trick
    OUT = "out"  # the own place
    INSTANT = "instant"  # who was dealt what (a `Hand`), and is out first


def coach(legal: Legal) -> tuple[Remark, ...]:
    """The coach's remarks while it is our turn."""
    view: View = legal.view
    out = [line for line, action in zip(legal.lines, legal.actions, strict=True) if _empties(view, action)]
    remarks = [*_instant(legal), *(_lead(view) if view.public.pile is None else _follow(legal, view, view.public.pile))]
    if out:
        remarks.append(Remark(Tip.GO_OUT, (out[0],)))
    elif view.public.pile is None and _kept_from_finishing(legal, view):
        remarks.append(Remark(Refusal.NO_FINISH_ON_TWO))
    return tuple(remarks)


def waiting(legal: Legal) -> tuple[Remark, ...]:
    """What there is to say while others act: why they do."""
    view: View = legal.view
    public, seat = view.public, view.seat
    if seat is None or public.phase is Phase.OVER:
        return ()
    if seat in public.places:
        return (Remark(Tip.OUT, (str(public.places.index(seat) + 1),)),)
    if public.pile is not None and public.passed[seat] and legal.game.options.pass_lock:
        return (Remark(Tip.LOCKED),)
    return ()


def _instant(legal: Legal) -> list[Remark]:
    """Somebody is out by the cards dealt: told in the first trick."""
    public = legal.view.public
    if public.instant is None or any(act.seat == legal.view.seat and act.cards for act in public.trick):
        return []
    if any(public.active[seat] and all(act.seat != seat for act in public.trick) for seat in range(len(public.active))):
        return []
    return [Remark(Tip.INSTANT, (legal.nicks[public.instant.seat], public.instant.kind.value))]


def _lead(view: View) -> list[Remark]:
    must = view.public.must
    return [Remark(Tip.LEAD) if must is None else Remark(Tip.LEAD_WITH, (THREE_LOW.format(must),))]


def _follow(legal: Legal, view: View, pile: Combo) -> list[Remark]:
    public, options = view.public, legal.game.options
    able = any(isinstance(action, Play) for action in legal.actions)
    lying = (format_cards(THREE_LOW, pile.cards), f"{pile.kind.value} {pile.size}")
    if public.passed[public.turn]:
        return [Remark(Tip.ASKED if able else Tip.ASKED_CANT, lying[:1])]
    kept = not able and _kept_from_finishing(legal, view)
    if public.phase is Phase.AFTER_OUT and public.owner is not None:
        cant = Tip.AFTER_OUT_CANT_FINISH if kept else Tip.AFTER_OUT_CANT
        remarks = [Remark(Tip.AFTER_OUT if able else cant, (legal.nicks[public.owner], *lying))]
    elif not able:
        remarks = [Remark(Tip.CANT_FINISH if kept else Tip.CANT, lying)]
    else:
        asked, leader = if_all_pass(legal.game, public)
        if len(asked) == 1 and leader != view.seat:
            remarks = [Remark(Tip.BEAT_LAST, (*lying, legal.nicks[leader]))]
        else:
            remarks = [Remark(Tip.BEAT if options.pass_lock else Tip.BEAT_OPEN, lying)]
    quads, pairs = bombs_on(options, pile)
    if pairs:
        remarks.append(Remark(Tip.BOMBS if able else Tip.BOMBS_CANT, (str(pairs), "quad" if quads else "")))
    elif options.suited_straight_lock and pile.is_sequence and one_suit(pile.cards):
        remarks.append(Remark(Refusal.ONE_SUIT, lying[:1]))
    return remarks


def _empties(view: View, action: object) -> bool:
    return isinstance(action, Play) and action.cards == view.hand


def _kept_from_finishing(legal: Legal, view: View) -> bool:
    """Whether the whole hand would be a play but for the rule against going out on 2s."""
    try:
        legal.game.check(view, Play(view.hand))
    except IllegalAction as refused:
        return refused.code is Refusal.NO_FINISH_ON_TWO
    return False

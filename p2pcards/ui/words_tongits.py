"""The sentences of Tong-its: why not, what an action does, what the coach says, what somebody did."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any

from p2pcards.cards import ACE_LOW, NONE, Cards, format_cards
from p2pcards.commands.coach_tongits import Tip
from p2pcards.commands.notes_tongits import Does, kind
from p2pcards.errors import InvalidAction, InvalidCard
from p2pcards.games.base import Game
from p2pcards.games.tongits.actions import (
    Call,
    Challenge,
    Discard,
    Draw,
    Expose,
    Fold,
    Layoff,
    Take,
    TakeLayoff,
    meld_name,
    parse_action,
)
from p2pcards.games.tongits.melds import deadwood
from p2pcards.games.tongits.refusals import Refusal
from p2pcards.games.tongits.showdown import laid_out
from p2pcards.games.tongits.state import Public, Reason, View
from p2pcards.table.notices import Acted
from p2pcards.ui.voice import Voice, listed

REFUSALS: type[StrEnum] = Refusal

SENTENCES: Mapping[type[Enum], Mapping[Enum, str]] = {
    Refusal: {
        Refusal.DRAW_FIRST: "Your turn begins with a card: draw one, or take the top discard",
        Refusal.ALREADY_DRAWN: "You have your card for this turn already; a discard ends it",
        Refusal.CALL_FIRST: "You may call only at the beginning of your turn, before anything else",
        Refusal.ANSWER_THE_CALL: "Somebody called: you can only challenge or fold",
        Refusal.NO_CALL: "Nobody has called",
        Refusal.NO_DISCARD: "There is no discard to take",
        Refusal.NO_MELD: "{0:cards} is no meld: a meld is 3 or 4 of one rank, or 3 or more in a row of one suit",
        Refusal.NOT_ON_MELDS: "At this table the top discard can only be taken for a meld with your own cards",
        Refusal.UNKNOWN_MELD: "There is no {0} on the table",
        Refusal.DOES_NOT_FIT: "{0:The} does not fit {1}: {2:cards}",
        Refusal.FITS_A_MELD: "{0:The} fits {1}, and this table's rules forbid discarding such a card",
        Refusal.NOTHING_EXPOSED: "You may not call: nothing of yours is exposed",
        Refusal.BLOCKED_OWN: "You may not call: you laid off on a meld of your own in your last turn",
        Refusal.BLOCKED_OWN_OR_FOUR: "You may not call: you laid off on a meld of your own in your last turn, "
        "or exposed one of four cards or more",
        Refusal.BLOCKED_LAID: "You may not call: somebody laid off on a meld of yours since your last turn",
        Refusal.BLOCKED_TAKEN: "You may not call: the card that you discarded was taken",
    },
    Does: {
        Does.DRAW: "from the stock ({0} left)",
        Does.TAKE: "exposes {0:cards}, then you discard",
        Does.TAKE_ON: "lays {0:the} on {1:whose} {2}, then you discard",
        Does.CALL: "claims the lowest hand; yours counts {0}",
        Does.OPEN: "your first meld: now you may challenge, later call",
        Does.EXPOSE: "lays down a {0}",
        Does.LAYOFF: "goes on {0:whose} {1:cards}",
        Does.LAYOFF_BLOCKS: "goes on {0:whose} {1:cards}, so {0} may not call next",
        Does.LAYOFF_OWN: "goes on your {0:cards}",
        Does.LAYOFF_OWN_BLOCKS: "goes on your {0:cards}, but then you may not call next turn",
        Does.DISCARD: "{0:count point}",
        Does.BREAKS: "{0:count point}, but it breaks a meld in your hand",
        Does.EMPTIES: "empties your hand: Tong-its, you win",
        Does.CHALLENGE: "shows your hand, which counts {0}; the lowest wins",
        Does.FOLD: "gives in without showing your hand",
    },
    Tip: {
        Tip.DRAW: "Your turn: draw a card",
        Tip.DRAW_OR_TAKE: "Your turn: draw, or take {rest:or cards} with {0:the}",
        Tip.MAY_CALL: "You may also call: your hand counts {0}",
        Tip.GO_OUT: "You can empty your hand and win: {0}",
        Tip.DISCARD: "Discard a card to end your turn",
        Tip.NO_DISCARD: "Every card of yours fits a meld on the table, so none may be discarded: lay one off",
        Tip.MAY_EXPOSE: "You may first expose {all:or cards}",
        Tip.MAY_LAY_OFF: "You may lay off {all:or on}",
        Tip.ANSWER: "{0} called: challenge (your hand counts {1}) or fold",
    },
}

VEILED: Mapping[Enum, str] = {Tip.ANSWER: "{0} called: challenge or fold."}


def acted(voice: Voice, notice: Acted, who: str, nicks: tuple[str, ...]) -> str:
    """What a seat did, from the views around it where we have them. who: the subject; nicks: by seat."""
    try:
        action = parse_action(notice.text)
    except (InvalidAction, InvalidCard):  # a host may write anything
        return f"{who} did what is no action of Tong-its"
    after = notice.after.public if isinstance(notice.after, View) else None
    match action:
        case Draw():
            return f"{who} drew {_drawn(voice, notice)}"
        case Take(cards):
            return f"{who} took {_taken(voice, notice, cards)}"
        case TakeLayoff(meld):
            return f"{who} took {_top(voice, notice)} and laid it on {_target(voice, meld, notice, nicks)}"
        case Call():
            return f"{who} called{_burned(voice, notice, nicks)}"
        case Expose(cards):
            return f"{who} exposed {_meld(voice, cards, after)}"
        case Layoff(card, meld):
            return f"{who} laid {voice.card(ACE_LOW.format(card))} on {_target(voice, meld, notice, nicks)}"
        case Discard(card):
            return f"{who} discarded {voice.card(ACE_LOW.format(card))}"
        case Challenge():
            return f"{who} challenged the call"
        case Fold():
            return f"{who} folded"


def _burned(voice: Voice, notice: Acted, nicks: tuple[str, ...]) -> str:
    """Who is out of the call without being asked (rule R18)."""
    if not isinstance(notice.after, View) or not nicks:
        return ""
    asked = notice.after.public.asked
    burned = [voice.who(nick) for seat, nick in enumerate(nicks) if seat != notice.seat and seat not in asked]
    if not burned:
        return ""
    have = "have" if len(burned) > 1 or burned == ["you"] else "has"
    return f"; {listed(burned, 'and')} {have} no meld on the table, so can't challenge"


def _drawn(voice: Voice, notice: Acted) -> str:
    """The card that came into our hand; others' cards are theirs."""
    before, after = notice.before, notice.after
    if isinstance(before, View) and isinstance(after, View) and after.seat == notice.seat:
        new = Cards(after.hand & ~before.hand)
        return voice.card(format_cards(ACE_LOW, new)) if new else "a card"
    return "a card"


def _top(voice: Voice, notice: Acted) -> str:
    """The discard that was taken."""
    discards = notice.before.public.discards if isinstance(notice.before, View) else ()
    return voice.card(ACE_LOW.format(discards[-1])) if discards else "the top discard"


def _taken(voice: Voice, notice: Acted, cards: Cards) -> str:
    after = notice.after
    if isinstance(after, View) and after.public.melds:
        return f"{_top(voice, notice)} and exposed {_meld(voice, after.public.melds[-1].cards, after.public)}"
    return f"{_top(voice, notice)} and exposed it with {voice.cards(format_cards(ACE_LOW, cards))}"


def _meld(voice: Voice, cards: Cards, public: Public | None) -> str:
    """A meld that has just come to the table."""
    names = {meld.cards: meld_name(place) for place, meld in enumerate(public.melds if public else ())}
    name = f" as {names[cards]}" if cards in names else ""
    return voice.cards(format_cards(ACE_LOW, cards)) + name


def _target(voice: Voice, meld: int, notice: Acted, nicks: tuple[str, ...]) -> str:
    """The meld that was laid off on, whose it is, and that its owner may not call because of it."""
    melds = notice.after.public.melds if isinstance(notice.after, View) else ()
    if meld >= len(melds) or melds[meld].owner >= len(nicks):
        return meld_name(meld)
    owner = nicks[melds[meld].owner]
    if melds[meld].owner == notice.seat:
        return f"{voice.whose(owner)} own {meld_name(meld)}"
    return f"{voice.whose(owner)} {meld_name(meld)}, so {voice.who(owner)} may not call next"


def ending(voice: Voice, view: View | None, reason: str, winners: tuple[str, ...], nicks: tuple[str, ...]) -> list[str]:
    """How the round ended: who won by what, and the hands of a showdown."""
    who = voice.who(winners[0]) if winners else ""
    lines = []
    if reason == Reason.TONGITS:
        lines.append(f"{who} went out: Tong-its")
    elif reason == Reason.CALL:
        contested = view is None or view.public.shown
        lines.append(f"{who} won the call" if contested else f"Nobody challenged, so {who} won the call")
        if view is not None and _was_burned(view):
            lines.append("you had no meld on the table, so you could not challenge")
    elif not winners:
        lines.append("The stock is used up and nobody has exposed a meld: nobody wins")
    else:
        lines.append(f"The stock is used up: {who} won{_why_lowest(view)}")
        if view is not None and view.seat not in (None, *(seat for seat, _, _ in view.public.shown)):
            lines.append("you had no meld on the table, so your hand did not count")
    for seat, hand, count in view.public.shown if view is not None else ():
        held = voice.cards(format_cards(ACE_LOW, hand)) or "no cards"
        laid = laid_out(view.public, hand, count).laid if view is not None else NONE
        rest = f", {voice.cards(format_cards(ACE_LOW, laid))} laid off" if laid else ""
        lines.append(f"{voice.who(nicks[seat])} showed {held}{rest}: deadwood {count}")
    return lines


def _why_lowest(view: View | None) -> str:
    """Of those who had a meld when the stock was used up the lowest hand wins (rule R23)."""
    if view is None:
        return ""
    return " with the lowest hand" if len(view.public.shown) > 1 else ", as nobody else had a meld on the table"


def _was_burned(view: View) -> bool:
    """Whether we were out of the call that ended the round."""
    public = view.public
    seats = {public.turn, *(seat for seat, _ in public.answers), *(meld.owner for meld in public.melds)}
    return view.seat is not None and view.seat not in seats


def table(voice: Voice, view: View, nicks: tuple[str, ...]) -> list[str]:
    """What lies on the table, for plain mode's `table`."""
    public, lines = view.public, []
    for place, meld in enumerate(public.melds):
        owner = voice.whose(nicks[meld.owner])
        cards = voice.cards(format_cards(ACE_LOW, meld.cards))
        lines.append(f"{meld_name(place)} is {owner} {kind(meld.cards)}: {cards}")
    lines = lines or ["No melds are exposed yet"]
    top = ACE_LOW.format(public.discards[-1]) if public.discards else ""
    lines.append(f"The top discard is {voice.card(top)}" if top else "The discard pile is empty")
    counts = [f"{voice.who(nick)} {count}" for nick, count in zip(nicks, public.counts, strict=True)]
    lines.append(f"The stock has {public.stock} cards left; cards in hand: {', '.join(counts)}")
    return lines


def hand(view: View) -> str:
    """What the own hand counts."""
    return f"Deadwood {deadwood(view.hand)}."


def unit(game: Game[Any, Any, Any]) -> str:
    """What scores count."""
    return str(game.options.scoring)

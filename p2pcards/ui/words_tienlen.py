"""The sentences of Tiến lên: why not, what an action does, what the coach says, what somebody did."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any

from p2pcards.cards import THREE_LOW, Cards, format_cards
from p2pcards.commands.coach_tienlen import Tip
from p2pcards.commands.notes_tienlen import Does
from p2pcards.errors import InvalidAction, InvalidCard
from p2pcards.games.base import Game
from p2pcards.games.tienlen.actions import Pass, parse_action
from p2pcards.games.tienlen.combos import TWOS, combo_of
from p2pcards.games.tienlen.refusals import Refusal
from p2pcards.games.tienlen.scoring import worth
from p2pcards.games.tienlen.state import Instant, Phase, Public, Reason, View
from p2pcards.table.notices import Acted
from p2pcards.ui.combinations import KINDS, combination, dealt, higher, nth, pile_of
from p2pcards.ui.voice import Voice, counted

REFUSALS: type[StrEnum] = Refusal

SENTENCES: Mapping[type[Enum], Mapping[Enum, str]] = {
    Refusal: {
        Refusal.MUST_LEAD: "You must lead: the leader can't pass",
        Refusal.MUST_CONTAIN: "The first lead must have {0:card} in it, the lowest card that was dealt",
        Refusal.NO_COMBINATION: f"{{0:cards}} is no combination: that is {KINDS}",
        Refusal.TWO_IN_SEQUENCE: "{0:cards} has a 2 in it, and at this table no straight or row of pairs may",
        Refusal.WRONG_KIND: "You must beat {2:card} with {all:higher}",
        Refusal.WRONG_SIZE: "You must beat {3:card} with {all:higher}; yours is {2} long",
        Refusal.TOO_LOW: "You must beat {all:topped}: {3:card} is too low",
        Refusal.BOMBS_BEAT_TWOS: "Bombs beat only 2s; you must beat {2:card} with {all:higher}",
        Refusal.BOMB_TOO_SMALL: "That bomb is too small for {2:card}: it takes {all:bombs}",
        Refusal.ONE_SUIT: "{0:cards} is of one suit, and at this table only a straight of one suit beats it",
        Refusal.NO_FINISH_ON_TWO: "At this table you may not go out on 2s alone",
        Refusal.ONLY_FOUR_PAIRS: "You have passed: all that you may still play on {0:card} is four pairs in a row",
    },
    Does: {
        Does.LEAD: "leads {0:combo}",
        Does.LEAD_BREAKING: "leads {0:combo}, but breaks {1:group}",
        Does.LEAD_BREAKING_BOMB: "leads {0:combo}, but breaks your bomb",
        Does.BEAT: "beats {0:cards} with {1:cards}",
        Does.BEAT_BREAKING: "beats {0:cards} with {1:cards}, but breaks {2:group}",
        Does.BEAT_BREAKING_BOMB: "beats {0:cards} with {1:cards}, but breaks your bomb",
        Does.BOMB: "a bomb on {0:cards}",
        Does.EMPTIES: "empties your hand: you are out, {0:nth}",
        Does.LOCKED_OUT: "you are out of this trick until it ends",
        Does.MAY_RETURN: "you may still play when the turn comes round",
        Does.TRICK_ENDS: "ends the trick, and {0} leads",
        Does.THEN_LEADS: "ends the trick, and you lead",
        Does.STAYS_OUT: "you stay out of this trick",
    },
    Tip: {
        Tip.LEAD: "Your turn: lead any combination; a leader can't pass",
        Tip.LEAD_WITH: "Your turn: lead a combination with {0:card} in it, the lowest card that was dealt",
        Tip.BEAT: "Your turn: beat {0:card} with {1:higher}, or pass and be out of this trick",
        Tip.BEAT_OPEN: "Your turn: beat {0:card} with {1:higher}, or pass",
        Tip.BEAT_LAST: "Your turn: beat {0:card} with {1:higher}, or pass: then {2} leads",
        Tip.CANT: "You can only pass: beating {0:card} takes {1:higher}, and you have none",
        Tip.CANT_FINISH: "You can only pass: your 2s beat {0:card}, but at this table you may not go out on 2s alone",
        Tip.BOMBS: "Bombs beat it, too: {all:bombs}",
        Tip.BOMBS_CANT: "You have no bomb for it either: {all:bombs}",
        Tip.AFTER_OUT: "{0} is out: beat {1:card} with {2:higher}, or pass and lead",
        Tip.AFTER_OUT_CANT: "{0} is out, and nothing of yours beats {1:card}: pass, and you lead",
        Tip.AFTER_OUT_CANT_FINISH: "{0} is out: pass, and you lead; you may not go out on 2s alone at this table",
        Tip.ASKED: "You have passed, but four pairs in a row may still be played on {0:card}",
        Tip.ASKED_CANT: "You are asked for four pairs in a row on {0:card}, and have none: pass",
        Tip.GO_OUT: "You can go out: {0}",
        Tip.LOCKED: "You have passed, so you are out of this trick until it ends",
        Tip.OUT: "You are out, {0:nth}, while the others play on",
        Tip.INSTANT: "{0} was dealt {1:dealt} and is out first",
    },
}

VEILED: Mapping[Enum, str] = {
    Tip.LEAD: SENTENCES[Tip][Tip.LEAD] + ".",
    Tip.BEAT: "Your turn: beat {0:card} with {1:higher}, or pass.",
    Tip.BEAT_OPEN: "Your turn: beat {0:card} with {1:higher}, or pass.",
    Tip.BEAT_LAST: "Your turn: beat {0:card} with {1:higher}, or pass.",
    Tip.CANT: "Your turn: beat {0:card} with {1:higher}, or pass.",
    Tip.CANT_FINISH: "Your turn: beat {0:card} with {1:higher}, or pass.",
    Tip.BOMBS: SENTENCES[Tip][Tip.BOMBS] + ".",
    Tip.BOMBS_CANT: SENTENCES[Tip][Tip.BOMBS] + ".",
    Tip.AFTER_OUT: "{0} is out: beat {1:card} with {2:higher}, or pass and lead.",
    Tip.AFTER_OUT_CANT: "{0} is out: beat {1:card} with {2:higher}, or pass and lead.",
    Tip.AFTER_OUT_CANT_FINISH: "{0} is out: beat {1:card} with {2:higher}, or pass and lead.",
    Tip.ASKED: "Four pairs in a row may still be played on {0:card}.",
    Tip.ASKED_CANT: "Four pairs in a row may still be played on {0:card}.",
    Tip.LOCKED: SENTENCES[Tip][Tip.LOCKED] + ".",
    Tip.OUT: SENTENCES[Tip][Tip.OUT] + ".",
}

# ---- what somebody did


def acted(voice: Voice, notice: Acted, who: str, nicks: tuple[str, ...]) -> str:
    """What a seat did, from the views around it where we have them. who: the subject; nicks: by seat."""
    try:
        action = parse_action(notice.text)
    except (InvalidAction, InvalidCard):  # a host may write anything
        return f"{who} did what is no action of Tiến lên"
    before = notice.before.public if isinstance(notice.before, View) else None
    after = notice.after.public if isinstance(notice.after, View) else None
    done = "passed" if isinstance(action, Pass) else _played(voice, action.cards, before, nicks)
    return f"{who} {done}{_then(voice, notice.seat, who, after, nicks)}"


def _played(voice: Voice, cards: Cards, before: Public | None, nicks: tuple[str, ...]) -> str:
    combo, shown = combo_of(cards), _cards(voice, cards)
    if before is None or combo is None:
        return f"played {shown}"
    pile, owner = before.pile, before.owner
    if pile is None or owner is None or owner >= len(nicks):
        return f"led {shown}" if combo.size == 1 else f"led {combination(combo.kind, combo.size)}: {shown}"
    whose = voice.whose(nicks[owner])
    if combo.kind is not pile.kind or combo.size != pile.size:
        lying = voice.cards(format_cards(THREE_LOW, pile.cards))
        return f"bombed {whose} {lying} with {combination(combo.kind, combo.size)}: {shown}"
    lying = voice.cards(THREE_LOW.format(pile.top)) if pile.size == 1 else pile_of(pile.kind, pile.size)
    return f"beat {whose} {lying} with {shown}"


def _cards(voice: Voice, cards: Cards) -> str:
    text = format_cards(THREE_LOW, cards)
    return voice.card(text) if cards.bit_count() == 1 else voice.cards(text)


def _then(voice: Voice, seat: int, who: str, after: Public | None, nicks: tuple[str, ...]) -> str:
    """That the seat is out now, and who leads where the trick is over."""
    if after is None:
        return ""
    text = ""
    if seat in after.places:
        text = f" and {_is(who)} out, {nth(after.places.index(seat) + 1)}"
    if after.phase is not Phase.LEAD or after.turn >= len(nicks):
        return text
    leader = voice.who(nicks[after.turn])
    lead = "lead" if leader == "you" else "leads"
    return f" and {lead}" if leader == who else f"{text}, so {leader} {lead}"


def _is(who: str) -> str:
    return "are" if who == "you" else "is"


# ---- how a round ended


def ending(voice: Voice, view: View | None, reason: str, winners: tuple[str, ...], nicks: tuple[str, ...]) -> list[str]:
    """How the round ended: who won by what, then the places and what was left."""
    who = voice.who(winners[0]) if winners else "nobody"
    public = view.public if view is not None else None
    if public is None or (reason == Reason.INSTANT and public.instant is None):
        return [f"{who} won at once with the cards dealt" if reason == Reason.INSTANT else f"{who} won the round"]
    if public.instant is not None and reason == Reason.INSTANT:
        shown = voice.cards(format_cards(THREE_LOW, public.instant.cards))
        return [f"{instant(voice, public.instant, nicks)} and won at once", f"The hand: {shown}"]
    if public.winners[0] == public.places[-1]:
        lines = [f"{who} held cards to the end and won"]
    elif public.instant is not None:
        lines = [f"{instant(voice, public.instant, nicks)}, came out first and won"]
    else:
        lines = [f"{who} went out first and won"]
    if won_with_three(public):
        lines.append(three(voice, who))
    return [*lines, _places(voice, public, nicks)]


def won_with_three(public: Public) -> bool:
    """Whether the winner's last play was the single 3 of spades."""
    return public.three and public.winners == public.places[:1]


def three(voice: Voice, who: str) -> str:
    """That the first one out did it with the lowest card of all."""
    return f"{who} went out on the single {voice.cards('3S')}, the lowest card of all"


def instant(voice: Voice, found: Instant, nicks: tuple[str, ...]) -> str:
    """Whose dealt hand won."""
    who = voice.who(nicks[found.seat])
    return f"{who} {'were' if who == 'you' else 'was'} dealt {dealt(found.kind)}"


def _places(voice: Voice, public: Public, nicks: tuple[str, ...]) -> str:
    """Who was out when, and what the last one held."""
    *out, last = public.places
    order = [f"{voice.who(nicks[seat])} {nth(place)}" for place, seat in enumerate(out, 1)]
    who, left = voice.who(nicks[last]), public.shown[last]
    kept = f"{who} {'were' if who == 'you' else 'was'} left with {_cards(voice, left)}"
    return f"Out: {', '.join(order)}; {kept}" if len(out) > 1 else kept


def paid(voice: Voice, public: Public, nicks: tuple[str, ...]) -> list[str]:
    """What cost chips beside the places: 2s under bombs and in the last hand, and never having played."""
    lines = []
    for chop in public.chops:
        twos = voice.cards(format_cards(THREE_LOW, chop.twos))
        pays = counted(worth(chop.twos), "chip")
        lines.append(f"{voice.who(nicks[chop.bomber])} bombed {voice.whose(nicks[chop.owner])} {twos}: {pays}")
    if public.reason is not Reason.OUT or not public.shown:
        return lines
    last, before = public.places[-1], public.places[-2]
    who, left = voice.who(nicks[last]), Cards(public.shown[last] & TWOS)
    if left:
        twos = voice.cards(format_cards(THREE_LOW, left))
        lines.append(f"{who} still held {twos}: {counted(worth(left), 'chip')} to {voice.who(nicks[before])}")
    if not public.active[last] and any(public.active):
        lines.append(f"{who} never played a card: 2 chips to {voice.who(nicks[public.places[0]])}")
    return lines


# ---- plain mode


def table(voice: Voice, view: View, nicks: tuple[str, ...]) -> list[str]:
    """What lies on the table, for plain mode's `table`."""
    public = view.public
    lines = _lying(voice, public, nicks)
    if public.trick and public.phase is not Phase.OVER:
        acts = [f"{voice.who(nicks[act.seat])} {_cards(voice, act.cards) or 'passed'}" for act in public.trick]
        lines.append(f"In this trick: {', then '.join(acts)}")
    if public.instant is not None and public.phase is not Phase.OVER:
        lines.append(instant(voice, public.instant, nicks))
    if public.phase is Phase.OVER and public.places:
        return [*lines, _places(voice, public, nicks)]
    held = [f"{voice.who(nick)} {_held(public, seat)}" for seat, nick in enumerate(nicks)]
    return [*lines, f"Cards in hand: {', '.join(held)}"]


def _lying(voice: Voice, public: Public, nicks: tuple[str, ...]) -> list[str]:
    if public.phase is Phase.OVER:
        return ["The round is over"]
    if public.pile is None or public.owner is None:
        who = voice.who(nicks[public.turn])
        must = f", with {voice.card(THREE_LOW.format(public.must))} in it" if public.must is not None else ""
        return [f"{who} {_is(who)} to lead any combination{must}"]
    who = voice.who(nicks[public.owner])
    out = f", who {_is(who)} out" if not public.counts[public.owner] else ""
    pile = public.pile
    bomb = ", or a bomb" if pile.only_twos else ""
    shown, by = _cards(voice, pile.cards), f"by {who}{out}"
    return [
        f"To beat: {shown}, {by}" if pile.size == 1 else f"To beat: {combination(pile.kind, pile.size)} {by}: {shown}",
        f"It takes {higher(pile.kind, pile.size)}{bomb}",
    ]


def _held(public: Public, seat: int) -> str:
    if seat in public.places and not public.counts[seat]:
        return f"out {nth(public.places.index(seat) + 1)}"
    return f"{public.counts[seat]}{' and passed' if public.passed[seat] else ''}"


def hand(view: View) -> str:
    """How many they are."""
    return f"{counted(view.hand.bit_count(), 'card')}." if view.hand else ""


def unit(game: Game[Any, Any, Any]) -> str:
    """What scores count."""
    return {"first_out": "wins", "chips": "chips", "penalty": "penalty"}.get(game.options.scoring, "points")

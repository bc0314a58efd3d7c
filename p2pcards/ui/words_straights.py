"""The sentences of Straights: why not, what an action does, what the coach says, what somebody did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any

from p2pcards.cards import ACE_LOW, DECK, Card, Cards, each, format_cards, rank
from p2pcards.commands.coach_straights import Tip
from p2pcards.commands.notes_straights import Does, known_aside
from p2pcards.errors import InvalidAction, InvalidCard
from p2pcards.games.base import Game
from p2pcards.games.straights.actions import Discard, Pass, Play, parse_action
from p2pcards.games.straights.refusals import Refusal
from p2pcards.games.straights.state import SEVEN, Public, Reason, View
from p2pcards.table.notices import Acted
from p2pcards.ui.voice import Voice, counted, in_words, listed

REFUSALS: type[StrEnum] = Refusal

SENTENCES: Mapping[type[Enum], Mapping[Enum, str]] = {
    Refusal: {
        Refusal.START_CARD: "The round opens with {0:the}, and with nothing else",
        Refusal.SUIT_NOT_OPEN: "{0:Suit} are not open: somebody must play {1:the} first",
        Refusal.DOES_NOT_FIT: "{0:The} has no neighbour on the table yet: {0:suit} go on with {rest:cards}",
        Refusal.MUST_PLAY: "You must play while a card of yours fits: {0:card}",
        Refusal.NOBODY_PASSES: "Nobody passes here: who can play nothing puts a card aside",
        Refusal.NOBODY_DISCARDS: "At this table nobody puts a card aside: who can play nothing passes",
    },
    Does: {
        Does.OPENS_ROUND: "opens the round",
        Does.OPENS: "opens {0:suit}: {1:cards} can follow",
        Does.OPENS_OWN: "opens {0:suit}: your {1:cards} can follow",
        Does.OPENS_ALONE: "opens {0:suit}, but nothing can follow",
        Does.FOLLOWS: "lets {0:the} follow",
        Does.FOLLOWS_OWN: "lets your {0:cards} follow",
        Does.ENDS: "ends the row: nothing follows it",
        Does.EMPTIES: "empties your hand: the round is over",
        Does.COSTS: "costs you {0:count point}",
        Does.PASSES: "nothing of yours fits",
    },
    Tip: {
        Tip.START: "Your turn: you hold {0:the}, which opens the round, so play it",
        Tip.PLAY: "Your turn: play {all:or cards}; while a card of yours fits, you may put none aside",
        Tip.PLAY_ONLY: "Your turn: {0:the} is the only card of yours that fits, so you must play it",
        Tip.PLAY_ON: "Your turn: play {all:or cards}; while a card of yours fits, you may not pass",
        Tip.ASIDE: (
            "Your turn: put a card aside, face down, as nothing of yours fits. It counts against you: {0:the} least, "
            "{1:count point}"
        ),
        Tip.ASIDE_OPEN: (
            "Your turn: put a card aside, face up, as nothing of yours fits. It counts against you: {0:the} least, "
            "{1:count point}"
        ),
        Tip.ASIDE_LAST: "Your turn: {0:the} does not fit, so it goes aside and costs you {1:count point}",
        Tip.STUCK: "Your turn: nothing of yours fits, so you can only pass",
    },
}

VEILED: Mapping[Enum, str] = {
    Refusal.MUST_PLAY: "You must play while a card of yours fits",
    Tip.START: "Your turn: you open the round with {0:the}.",
}


def acted(voice: Voice, notice: Acted, who: str, nicks: tuple[str, ...]) -> str:
    """What a seat did, from the views around it where we have them. who: the subject; nicks: by seat."""
    if notice.kind == "sealed":
        return _sealed(voice, notice, who)
    try:
        action = parse_action(notice.text)
    except (InvalidAction, InvalidCard):  # a host may write anything
        return f"{who} did what is no action of Straights"
    match action:
        case Play(card):
            return _played(voice, notice, who, card)
        case Discard(card):
            return f"{who} put {_card(voice, card)} aside: {_points((card,))}"
        case Pass():
            return f"{who} could play nothing and passed"


def _sealed(voice: Voice, notice: Acted, who: str) -> str:
    """A card put aside face down; our own one we know."""
    before, after = notice.before, notice.after
    if isinstance(before, View) and isinstance(after, View) and after.seat == notice.seat:
        new = after.discards[len(before.discards) :]
        if new:
            return f"{who} put {_card(voice, new[0])} aside, face down: {_points(new)}"
    return f"{who} put a card aside, face down"


def _played(voice: Voice, notice: Acted, who: str, card: Card) -> str:
    if rank(card) != SEVEN:
        return f"{who} played {_card(voice, card)}"
    first = isinstance(notice.before, View) and not notice.before.public.table
    opened = "the round" if first else voice.say("{0:suit}", (ACE_LOW.format(card),))
    return f"{who} opened {opened} with {_card(voice, card)}"


def ending(voice: Voice, view: View | None, reason: str, winners: tuple[str, ...], nicks: tuple[str, ...]) -> list[str]:
    """How the round ended: who has the fewest points, and what everybody put aside or was left with."""
    who = listed([voice.who(nick) for nick in winners], "and")
    public = view.public if view is not None and view.public.reason else None
    over = (
        "Nobody can go on, all have passed in a row"
        if reason == Reason.BLOCKED
        else "Every card is played or put aside"
    )
    if public is None:
        lines = [f"{over}: {who} won the round"]
    elif reason != Reason.BLOCKED and any(public.left):
        lines = [f"{who} went out, so the round is over"]
    elif fewest := min(public.points):
        held = "held the least" if reason == Reason.BLOCKED else "put the least aside"
        lines = [f"{over}: {who} {held}, {counted(fewest, 'point')}"]
    else:
        lines = [f"{over}: {who} put nothing aside"]
    return [*lines, *(_account(voice, public, seat, nick) for seat, nick in enumerate(nicks) if public)]


def _account(voice: Voice, public: Public, seat: int, nick: str) -> str:
    """What a seat's points of the round are made of."""
    who, cards, held = voice.who(nick), counting(public, seat), any(public.left)
    if not cards:
        return f"{who} had no card left" if held else f"{who} put nothing aside"
    how = "still held" if held else "put aside"
    return f"{who} {how} {voice.cards(' '.join(map(ACE_LOW.format, cards)))}: {_points(cards)}"


def counting(public: Public, seat: int) -> tuple[Card, ...]:
    """The cards that make a seat's points of a round that is over: first put aside first, or those left in hand."""
    return tuple(each(public.left[seat])) if any(public.left) else public.discards[seat]


def table(voice: Voice, view: View, nicks: tuple[str, ...]) -> list[str]:
    """What lies on the table, for plain mode's `table`."""
    public = view.public
    fits = format_cards(ACE_LOW, Cards(public.fits & ~known_aside(view)))
    if public.table:
        sevens = {suit: ACE_LOW.format(Card(SEVEN * 4 + suit)) for suit in (3, 2, 1, 0)}
        lines = [_row(voice, seven, pile) for suit, seven in sevens.items() if (pile := public.piles[suit])]
        closed = [voice.say("{0:suit}", (seven,)) for suit, seven in sevens.items() if not public.piles[suit]]
        lines += [f"Not open yet: {listed(closed, 'and')}"] if closed else []
        lines += [f"Next can be played: {voice.cards(fits)}"] if fits and not public.reason else []
    else:
        lines = [f"Nothing is on the table yet; {voice.card(fits)} opens the round"]
    lines.append(f"Cards in hand: {_each(voice, nicks, public.counts)}")
    if any(public.aside):
        lines.append(f"{'Passed' if passes(public) else 'Put aside'}: {_each(voice, nicks, public.aside)}")
    return lines


def _row(voice: Voice, seven: str, pile: tuple[Card, Card]) -> str:
    """`Spades from 5 to 9`."""
    low, high = (in_words((ACE_LOW.format(card),)).split(" ")[0] for card in pile)
    suit = voice.say("{0:Suit}", (seven,))
    return f"{suit}: {low}" if low == high else f"{suit} from {low} to {high}"


def _each(voice: Voice, nicks: tuple[str, ...], counts: Sequence[int]) -> str:
    return ", ".join(f"{voice.who(nick)} {count}" for nick, count in zip(nicks, counts, strict=True))


def passes(public: Public) -> bool:
    """Whether who could play nothing passed: then every card is in a hand or on the table."""
    return sum(public.counts) + public.table.bit_count() == DECK


def hand(view: View) -> str:
    """What was put aside from it, and what that counts."""
    if not view.discards:
        return ""
    return f"You put aside {counted(len(view.discards), 'card')}: {_points(view.discards)}."


def unit(game: Game[Any, Any, Any]) -> str:
    """What scores count."""
    return "points"


def points(cards: Sequence[Card]) -> int:
    """What cards put aside, or left in a hand, count."""
    return sum(rank(card) + 1 for card in cards)


def _points(cards: Sequence[Card]) -> str:
    return counted(points(cards), "point")


def _card(voice: Voice, card: Card) -> str:
    return voice.card(ACE_LOW.format(card))

"""The sentences about the own cards on the own screen: their order, how they are drawn, places in the hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from p2pcards.commands.arrange import OWN
from p2pcards.commands.hand import Place
from p2pcards.ui.voice import Cards, Voice

SENTENCES: Mapping[type[Enum], Mapping[Enum, str]] = {
    Place: {
        Place.OF: "card #{0} of your hand",
        Place.FIRST: "the left end, where {0:the} lies",
        Place.LAST: "the right end, where {0:the} lies",
        Place.CARD: "{0}",
    },
}

_DRAWN = {
    "boxes": "Cards stand in boxes where there is room",
    "art": "Cards are drawn where there is room, else they stand in boxes",
}


PICKER_ON = "The arrows pick cards now: Up raises one, Down lowers it, Enter plays; the last line has all keys."
PICKER_ON_LINES = "The arrows choose now: Up and Down go along the lines, Enter does the chosen one, Esc lets you type."
PICKER_PLAIN = "The card picker is for the full screen; here you type, `help` says what."
NOTHING_RAISED = "Raise cards with Up, then Enter plays them."


def picker_off(key: str) -> str:
    """What `picker off` has done. key: the picker's, if it has one."""
    return f"You type again; `picker on`{f', or {key},' if key else ''} brings the arrows back."


def hidden_from_picker(key: str) -> str:
    """Why no card can be picked. key: what shows them, if there is one."""
    return f"Your cards are hidden; {key or '`hide`'} shows them, so that you can pick some."


def sorted_by(order: str) -> str:
    """What `sort` has done."""
    if order == OWN:
        return "Your cards lie in your own order; `move #3 #1` moves one."
    return f"Your cards are sorted by {order}."


def moved_to(voice: Voice, card: str, place: int, hidden: bool) -> str:
    """What `move` has done; of a hidden hand nothing is named."""
    return f"{'The card' if hidden else voice.cards(card)} is #{place} of your hand now."


def cards_are(mode: str, voice: Voice) -> list[str]:
    """What `cardmode` has done. Where words are written there is nothing to draw."""
    written = voice.cards("AS TH")
    if mode not in _DRAWN:
        return [f"Cards are written so: {written}."]
    if voice.style is Cards.WORDS:
        return [f"Boxes and drawings are for the full screen; here cards are written so: {written}."]
    return [f"{_DRAWN[mode]}; in sentences they are written so: {written}."]


def after(one: str, among: Sequence[str]) -> str:
    """The next of them, the first after the last and after what is none of them."""
    return among[(among.index(one) + 1) % len(among)] if one in among else among[0]

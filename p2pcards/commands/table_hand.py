"""The commands about the own cards on the own screen: their order, how they are drawn and written, and hiding them."""

from __future__ import annotations

from p2pcards.commands.arrange import ORDERS, OWN
from p2pcards.commands.entry import EVERYWHERE, PLAYING, SWITCH, Arg, By, Entry, Kind

CARD_MODES = ("text", "ascii", "boxes", "art")
"""How cards are shown: as text with signs, as text with letters, in small boxes, as cards with pips and figures."""

HAND: tuple[Entry, ...] = (
    Entry(
        "sort",
        "put your cards in order",
        PLAYING,
        By.UI,
        (Arg("|".join((*ORDERS, OWN)), Kind.CHOICE, True, (*ORDERS, OWN), "order"),),
        seated=True,
        more="Without a word behind it, it takes the next order. `own` is as you have put them with `move`.",
        examples=("sort suit", "sort melds", "sort own"),
    ),
    Entry(
        "move",
        "put a card at another place of your hand",
        PLAYING,
        By.UI,
        (Arg("CARD", Kind.CARD), Arg("PLACE", Kind.PLACE)),
        seated=True,
        more="Your hand lies as you put it then, until the round is over; new cards come behind. `sort rank` sorts "
        "it again, and `sort own` goes back.",
        examples=("move 7H 1", "move #2 #1"),
    ),
    Entry(
        "cardmode",
        "show cards as text, in boxes, or drawn",
        EVERYWHERE,
        By.UI,
        (Arg("|".join(CARD_MODES), Kind.CHOICE, True, CARD_MODES, "card mode"),),
        more="Without a word behind it, it takes the next one. Drawn cards become boxes where they have no room, and "
        "boxes text. It changes your own screen alone.",
        examples=("cardmode art", "cardmode text"),
    ),
    Entry(
        "picker",
        "pick cards with the arrows, not by typing",
        EVERYWHERE,
        By.UI,
        (SWITCH,),
        more="The arrows choose and raise cards, Enter plays them, Space passes or draws where it may. What is "
        "typed still goes into the line, and the arrows are its own then. Without a word behind it, it switches; so "
        "does its key, F5 as a rule.",
        examples=("picker", "picker off"),
    ),
    Entry(
        "aces",
        "write aces as A, or as 1",
        EVERYWHERE,
        By.UI,
        (Arg("A|1", Kind.CHOICE, True, ("A", "1")),),
        more="Without a word behind it, it takes the other one. Both can be typed, always.",
        examples=("aces 1",),
    ),
)

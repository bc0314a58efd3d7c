"""What may be typed behind `why`: all that could be asked about, legal or not."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from enum import StrEnum

from p2pcards.commands import cardwords
from p2pcards.commands.command import Remark
from p2pcards.commands.context import Context
from p2pcards.commands.help import usage


class Asks(StrEnum):
    """What stands beside something that may be asked about; its detail."""

    VERB = "verb"  # the verb's line of help
    CAN = "can"  # something can be done with the card now
    CANT = "cant"  # nothing can
    CARD = "card"  # it is not one's turn
    MELD = "meld"  # whose it is


_WORD = re.compile(r"[^\s,]+")


def asked(tail: str, context: Context) -> Iterator[tuple[int, str, Remark]]:
    """Where in the tail of the line each next word goes, the word, and what it is."""
    legal, game = context.legal, context.game
    if game is None or legal is None or context.me is None:
        return
    words = [(found.start(), found.group()) for found in _WORD.finditer(tail)]
    at, fragment = words.pop() if words and not tail[-1:].isspace() and tail[-1:] != "," else (len(tail), "")
    typed = [word for _, word in words]
    lower = fragment.lower()
    own = typed[0].lower() if typed and typed[0].lower() in game.verbs else ""
    if not typed:
        for name, about in game.verbs.items():
            if name.startswith(lower):
                yield at, f"{name} " if usage(game.name, name) else name, Remark(Asks.VERB, (about,))
    takes = usage(game.name, own) if own else "CARDS"
    cards = {cardwords.read(game.ranking, context.hand, word) for word in typed}
    named = len([card for card in cards if isinstance(card, str)])
    if takes and not (takes.startswith("CARD") and not takes.startswith("CARDS") and named):
        yield from ((at, *one) for one in _cards(fragment, cards, context))
    if "MELD" in takes and named:
        yield from ((at, *one) for one in _melds(lower, context))


def _cards(fragment: str, typed: Collection[object], context: Context) -> Iterator[tuple[str, Remark]]:
    """The own cards that the fragment may become, none twice."""
    legal, game = context.legal, context.game
    if legal is None or game is None:
        return
    mine, upper = context.me in context.to_act, fragment.upper()
    told = set(typed)
    for place, card in enumerate(context.hand, 1):
        text = game.ranking.format(card)
        if text in told:
            continue
        forms = (f"#{place}",) if upper.startswith("#") else cardwords.forms(text)
        if upper and not any(form.startswith(upper) for form in forms):
            continue
        told.add(text)
        yield text, Remark((Asks.CAN if text in legal.containing else Asks.CANT) if mine else Asks.CARD)


def _melds(lower: str, context: Context) -> Iterator[tuple[str, Remark]]:
    """The melds on the table, by name."""
    if context.legal is None:
        return
    for place, meld in enumerate(getattr(context.legal.view.public, "melds", ()), 1):
        if f"m{place}".startswith(lower):
            yield f"m{place}", Remark(Asks.MELD, (context.legal.nicks[meld.owner],))

"""A card of the own hand and a place in it, as arguments of a command: read from a line, and offered for one."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from p2pcards.commands import cardwords
from p2pcards.commands.command import Problem, Remark, Trouble
from p2pcards.commands.context import Context
from p2pcards.commands.entry import Arg, Kind
from p2pcards.games.base import Refusal


class Place(StrEnum):
    """What is said of a place in the hand; its detail."""

    OF = "of"  # the place of a card, then the card
    FIRST = "first"
    LAST = "last"
    CARD = "card"  # the card that lies there


def hand_argument(arg: Arg, typed: str, context: Context) -> str | Problem:
    """The place that a card or a number means, `#3`. Of copies a card means the first."""
    if context.game is None:
        return Problem(Trouble.NO_SUCH_CARD, (typed,))
    ranking = context.game.ranking
    number = typed.removeprefix("#")
    if typed.startswith("#") or arg.kind is Kind.PLACE:
        if not (number.isdecimal() and number.isascii()):
            return Problem(Trouble.BAD_NUMBER, (typed,))
        there = len(number) <= len(str(len(context.hand))) + 1 and 1 <= int(number) <= len(context.hand)
        return f"#{int(number)}" if there else Problem(Trouble.NO_SUCH_PLACE, (f"#{number}", str(len(context.hand))))
    card = cardwords.read(ranking, context.hand, typed)
    if not isinstance(card, str):
        return Problem(Trouble.BARE_NUMBER if number.isdecimal() else Trouble.NO_SUCH_CARD, (typed,))
    texts = [ranking.format(one) for one in context.hand]
    return f"#{texts.index(card) + 1}" if card in texts else Problem(Refusal.NOT_HELD, (card,))


def hand_values(kind: Kind, lower: str, context: Context) -> Iterator[tuple[str, Remark]]:
    """The cards of the hand, by their numbers once a `#` is typed; or the places in it, the ends first."""
    if context.game is None:
        return
    texts = [context.game.ranking.format(card) for card in context.hand]
    numbered = [(f"#{place}", text) for place, text in enumerate(texts, 1)]
    if kind is Kind.CARD and not lower.startswith("#"):
        seen = dict.fromkeys(texts)
        for text in seen:
            form = next((form for form in cardwords.forms(text) if form.lower().startswith(lower)), "")
            if form:
                yield form, Remark(Place.OF, (str(texts.index(text) + 1), text))
        return
    ends = {numbered[0][0]: Place.FIRST, numbered[-1][0]: Place.LAST} if kind is Kind.PLACE and numbered else {}
    for number, text in sorted(numbered, key=lambda one: one[0] not in ends):
        yield number, Remark(ends.get(number, Place.CARD), (text,))

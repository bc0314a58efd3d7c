"""What only this screen knows: the line being typed, what was said, what is hidden. Everything else is in the views."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.ui.keynames import NAMES

if TYPE_CHECKING:
    from p2pcards.cards import Card
    from p2pcards.ui.faces import Face
    from p2pcards.ui.width import Line


class Happened(NamedTuple):
    """One line of what happened.

    fresh: of the game, since the end of my last turn, and not by me. wrong: a refusal, an alarm, a loss. begins: a
    round begins. veiled: the text while the own cards are hidden, where it is another. chat: somebody said it. stays:
    it is to be seen until I have acted, whatever comes behind it.
    """

    text: str
    fresh: bool = False
    wrong: bool = False
    begins: bool = False
    veiled: str = ""
    chat: bool = False
    stays: bool = False


class Offer(NamedTuple):
    """One line of the menu: the word and what it does."""

    word: str
    note: str = ""


class Local(NamedTuple):
    """Beside the view and the size everything that a screen is drawn from.

    happened: at this table, oldest first. fresh: cards that others put on the table since the end of my last turn;
    gained: seats whose score has changed since.
    hand: my cards, left to right; mode: how cards are shown (`commands.table_hand.CARD_MODES`). said: the answer to
    what I typed last; it stands in the coach's place until the next line. question: asked before something is done.
    page: the name of the page that covers the table, scroll its first line shown. faces: of everybody at the table, by
    key. call: who waits at the door and the open vote, the same in several lengths, the longest first. way: where we
    are going, while we are; lab_only: other tables of the list are hidden. alone: the table has no network under it.
    picking: cards are picked with the arrows, which stand at `cursor`; raised: those that are picked; flat: they are
    marked, not drawn a row higher. keys: the names of the keys, by action. replayed: a record is looked at, so nobody
    checks anything any more.
    """

    now: float = 0.0
    happened: tuple[Happened, ...] = ()
    fresh: frozenset[Card] = frozenset()
    gained: frozenset[int] = frozenset()
    hidden: bool = False
    hand: tuple[Card, ...] = ()
    mode: str = "boxes"
    coach: str = ""
    said: str = ""
    wrong: bool = False  # what is said is a refusal
    question: str = ""
    menu: tuple[Offer, ...] = ()
    chosen: int | None = None
    page: str = ""
    scroll: int = 0
    faces: Mapping[bytes, Face] = MappingProxyType({})
    call: tuple[Line, ...] = ()
    way: str = ""
    lab_only: bool = False
    alone: bool = False
    picking: bool = False
    cursor: Card | None = None
    raised: frozenset[Card] = frozenset()
    flat: bool = False
    keys: Mapping[str, str] = NAMES
    replayed: bool = False

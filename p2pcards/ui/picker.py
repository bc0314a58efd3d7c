"""The card picker: the hand played with a few keys, for people who don't type.

A card that lies under the cursor is raised or lowered; what the raised cards can mean stands in the menu as whole
lines, and what is done is such a line, done as if it had been typed. Nothing of the rules is in here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.cards import Card, face
from p2pcards.commands.context import Context, Where
from p2pcards.commands.pick import picked, refusal, unable, whole, without_cards
from p2pcards.commands.suggest_people import ANSWERS
from p2pcards.ui.offers import LIKELY, verb_of
from p2pcards.ui.words_hand import NOTHING_RAISED

if TYPE_CHECKING:
    from p2pcards.commands.command import Problem
    from p2pcards.commands.suggest import Suggestion
    from p2pcards.ui.local import Offer

Round = tuple[bytes, int] | None
"""A table, and the number of the round there."""


class Reach(NamedTuple):
    """What the picker sees of the program, and what it does there.

    context, hidden, round: as they are now; suggest: what an empty line offers; typed: does a line; refused: tells why
    not; say: one sentence; settled: what was said is not shown any more; hiding: why no card can be picked then.
    """

    context: Callable[[], Context]
    hidden: Callable[[], bool]
    round: Callable[[], Round]
    suggest: Callable[[], Iterable[Suggestion]]
    typed: Callable[[str], None]
    refused: Callable[[Problem], None]
    say: Callable[[str], None]
    settled: Callable[[], None]
    hiding: Callable[[], str]


class Picker:
    """Which cards are raised, which one the cursor is at, and which line of the menu is chosen.

    Cards are known by themselves: a hand that is sorted or grows changes nothing, and a card that goes is raised no
    more. A new round begins with nothing raised.
    """

    def __init__(self, reach: Reach) -> None:
        self._reach = reach
        self._hand: tuple[Card, ...] = ()
        self._round: Round = None
        self._raised: frozenset[Card] = frozenset()
        self._place = 0
        self._chosen = ""  # the line, since its place may change
        self._made: tuple[Context, frozenset[Card], bool, tuple[Suggestion, ...]] | None = None
        self.agrees = False  # the answer that is chosen while something is asked

    # ---- what is seen

    @property
    def raised(self) -> frozenset[Card]:
        """The raised cards."""
        self._look()
        return self._raised

    @property
    def cursor(self) -> Card | None:
        """The card that the arrows are at; None without cards, and while they are hidden."""
        self._look()
        return self._hand[self._place] if self._hand and not self._reach.hidden() else None

    @property
    def choosing(self) -> bool:
        """Whether a line of the menu is chosen."""
        return self._at is not None

    @property
    def engaged(self) -> bool:
        """Whether something has been begun."""
        return bool(self.raised) or self.choosing

    def let_go(self) -> None:
        """A line is done: nothing is chosen in the menu, and no answer; what there is to choose may be another."""
        self._chosen, self.agrees, self._made = "", False, None

    def answer(self, words: tuple[str, str]) -> str:
        """The one that is chosen of no and yes; it is no again then."""
        agreed, self.agrees = self.agrees, False
        return words[agreed]

    @property
    def lines(self) -> tuple[Suggestion, ...]:
        """What the raised cards can mean; with none raised what is to be done without cards."""
        self._look()
        context, hidden = self._reach.context(), self._reach.hidden()
        raised = frozenset() if hidden else self._raised
        made = self._made
        if made is None or made[0] is not context or made[1:3] != (raised, hidden):
            found = picked(self._in_hand(), context) if raised else tuple(self._without(context))
            self._made = made = (context, raised, hidden, found)
        return made[3]

    def menu(self, offer: Callable[[Suggestion], Offer]) -> tuple[tuple[Offer, ...], int | None]:
        """The lines for the screen, and the place of the chosen one."""
        return tuple(map(offer, self.lines)), self._at

    @property
    def keys(self) -> tuple[tuple[str, str], ...]:
        """The keys and what they do now, those first that are needed most."""
        shown, lines = self.cursor is not None, self.lines
        if self.choosing:
            return (("Up Down", "choose"), ("Enter", "do it"), ("Esc", "back"))
        raised = bool(self._raised) and shown
        enter = lines[0].text.split(" ")[0] if raised and len(lines) == 1 else "choose" if lines else "why"
        space = without_cards(self._reach.context())
        return (
            *((("Left Right", "card"), ("Up Down", "raise, lower")) if shown else (("Up Down", "choose"),)),
            *((("Enter", enter),) if shown and (lines or raised) else ()),
            *((("Space", space),) if space else ()),
            ("Esc", "lower" if raised else "type"),
        )

    @property
    def _at(self) -> int | None:
        texts = [one.text for one in self.lines] if self._chosen else []
        return texts.index(self._chosen) if self._chosen in texts else None

    def _look(self) -> None:
        """Follows the hand."""
        hand, round_ = self._reach.context().hand, self._reach.round()
        if round_ != self._round:
            self._round, self._raised, self._place, self._chosen = round_, frozenset(), 0, ""
        elif hand is not self._hand and hand != self._hand:
            gone = [card for card in self._hand if card not in hand]
            self._raised -= {self._stands_for(card) for card in gone}
            there = self._hand[self._place] if self._hand else None
            self._place = hand.index(there) if there in hand else max(0, min(self._place, len(hand) - 1))
        self._hand = hand

    def _stands_for(self, gone: Card) -> Card:
        """Of copies of one card another one may have gone than the raised one."""
        copies = sorted(card for card in self._raised if face(card) == face(gone))
        return gone if gone in self._raised or not copies else copies[0]

    def _in_hand(self) -> tuple[Card, ...]:
        return tuple(card for card in self._hand if card in self._raised)

    def _without(self, context: Context) -> Iterator[Suggestion]:
        """Answers to who waits, moves that need no card; where no round is open what is likely to be done."""
        offered = tuple(self._reach.suggest())
        answers = (one for one in offered if one.note.code in ANSWERS)
        if context.where is Where.PLAYING:
            secret = {context.game.ranking.format(card) for card in context.hand} if context.game is not None else set()
            moves = (
                one
                for one in picked((), context)
                if not (self._reach.hidden() and secret.intersection(one.note.detail))
            )
            yield from chain(moves, answers) if not context.may_go_on else chain(answers, moves)
            return
        likely = (one for one in offered if one.note.code not in ANSWERS and verb_of(one) in LIKELY[context.where])
        yield from whole(chain(answers, likely), context)

    # ---- what keys do

    def move(self, by: int) -> None:
        """The cursor to another card, around the ends."""
        self._chosen = ""
        if self._cards_shown():
            self._place = (self._place + by) % len(self._hand)

    def end(self, last: bool) -> None:
        """The cursor to the first card or to the last."""
        self._chosen = ""
        if self._cards_shown():
            self._place = len(self._hand) - 1 if last else 0

    def up(self) -> None:
        """Raises the card; among the lines of the menu the one above, and from the first back to the cards."""
        if (at := self._at) is not None:
            lines = self.lines
            self._chosen = lines[at - 1].text if at else "" if self.cursor is not None else lines[-1].text
        elif (card := self.cursor) is None:
            self._choose(-1)
        else:
            self._lift(self._raised | {card})

    def down(self) -> None:
        """Lowers the card, or goes on into the menu; there the line below."""
        card = self.cursor
        if not self.choosing and card is not None and card in self._raised:
            self._lift(self._raised - {card})
        else:
            self.next_line()

    def next_line(self) -> None:
        """The next line of the menu."""
        if (at := self._at) is not None:
            self._chosen = self.lines[(at + 1) % len(self.lines)].text
        else:
            self._choose(0)

    def enter(self) -> None:
        """Does the one thing that the raised cards can mean, or the line that is chosen; else chooses the first."""
        if (at := self._at) is not None:
            self._do(self.lines[at].text)
        elif self._raised and self._cards_shown():
            lines = self.lines
            if len(lines) == 1:
                self._do(lines[0].text)
            elif lines:
                self._choose(0)
            else:
                self._reach.refused(refusal(self._in_hand(), self._reach.context()))
        elif self.lines:
            self._choose(0)
        elif self._cards_shown():
            context = self._reach.context()
            waits = context.me not in context.to_act or context.pending or context.halts
            problem = unable(context) if waits else None
            if problem is None:
                self._reach.say(NOTHING_RAISED)
            else:
                self._reach.refused(problem)

    def space(self) -> None:
        """Plays no card."""
        context = self._reach.context()
        if line := without_cards(context):
            self._do(line)
        elif (problem := unable(context)) is not None:
            self._reach.refused(problem)

    def back(self) -> None:
        """Leaves the menu, or lowers all cards; where there is nothing to leave it ends."""
        if self.choosing:
            self._chosen = ""
        elif self.raised:
            self._lift(frozenset())
        else:
            self._reach.typed("picker off")

    def _lift(self, raised: frozenset[Card]) -> None:
        if raised != self._raised:
            self._raised = raised
            self._reach.settled()

    def _choose(self, place: int) -> None:
        if lines := self.lines:
            self._chosen = lines[place].text

    def _do(self, line: str) -> None:
        self.let_go()
        self._reach.typed(line)

    def _cards_shown(self) -> bool:
        """Whether there are cards to be picked; says so where they are hidden."""
        self._look()
        if self._hand and self._reach.hidden():
            self._reach.say(self._reach.hiding())
            return False
        return bool(self._hand)

"""What a typed line does: the one core under the screen, plain mode and the JSON client.

A line is parsed in its context; what the node carries out is handed to it, what the screen knows by itself is answered
in sentences, and what can't be taken back is asked about once.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from enum import Enum
from functools import partial
from typing import Literal, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from p2pcards.commands.cardwords import read
from p2pcards.commands.coach import Advice, coach
from p2pcards.commands.command import Command, Problem, Remark, Trouble
from p2pcards.commands.context import Where
from p2pcards.commands.entry import By, Entry
from p2pcards.commands.parse import MELD, parse
from p2pcards.commands.questions import Asked, question
from p2pcards.commands.table import LEAVING, meant, named
from p2pcards.commands.table_forced import PLAY
from p2pcards.commands.table_hand import CARD_MODES
from p2pcards.commands.table_look import USUAL_THEME, themes
from p2pcards.errors import UserError
from p2pcards.table.notices import (
    Acted,
    Closed,
    Entered,
    HostIs,
    Kicked,
    Notice,
    OptionsSet,
    Refused,
    Spoken,
)
from p2pcards.table.settings import IN_PRACTICE
from p2pcards.ui import (
    history,
    phases,
    presets,
    queries,
    stats,
    whois,
    words_deal,
    words_forced,
    words_hand,
    words_look,
    words_stats,
    words_tell,
    words_why,
)
from p2pcards.ui.choices import Keep, chosen, nowhere
from p2pcards.ui.context import Here, own_nick
from p2pcards.ui.cover import Cover
from p2pcards.ui.faces import Circle
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.keynames import names
from p2pcards.ui.news import News
from p2pcards.ui.ports import Node
from p2pcards.ui.tell import SHOWN_OUT, changed, wanted
from p2pcards.ui.verdicts import Agreement
from p2pcards.ui.voice import WRITTEN, Cards, sentence
from p2pcards.ui.ways import Lack
from p2pcards.ui.words import Words
from p2pcards.ui.words_hand import after, cards_are, moved_to, sorted_by
from p2pcards.ui.words_host import asked_soon, not_asked

LOG_LENGTH = 500
"""Sentences that are kept for `log`."""

LISTED, SPOKEN = 100, 10
"""Matches that `history` shows on a page, and in lines."""

NO_PEEK = "At this table nobody may look at the deck: the host allows it in the lobby, `set allow_peek true`."

SINCE = "Since your last turn:"

SITS = "A seat that is free when this round is over is yours then."

MUTED = "What others say is not shown; `mute off` shows it again."
HEARS = "What others say is shown; `mute on` keeps it off this screen."

_PEOPLE = frozenset({"whois", "petname", "vouch", "ignore", "unignore", "bans", "door"})

_LATER = frozenset({Where.PLAYING, Where.BETWEEN})
"""Where seats are given later than they are asked for."""

YES = ("yes", "y")
NO = ("no", "n", "")


class Kind(Enum):
    """What came of a line."""

    NOTHING = "nothing"  # an empty line
    DONE = "done"  # the node has it; what comes of it arrives as notices
    SHOWN = "shown"  # answered here
    ASKED = "asked"  # waits for yes or no
    WRONG = "wrong"  # refused; nothing has changed
    LATER = "later"  # takes longer than a key may wait: `Answer.later` has it


class Answer(Struct, frozen=True):
    """What came of a line: the command where it was one, the sentences to show, a refusal's code.

    later: gives the answer in place of one that is LATER, and runs in any thread.
    """

    kind: Kind
    lines: tuple[str, ...] = ()
    command: Command | None = None
    code: str = ""
    later: Callable[[], Answer] | None = None


class Told(NamedTuple):
    """One sentence of what happened. veiled: the same, naming no card that only we have seen."""

    text: str
    veiled: str


class Settings(Struct):
    """What only this screen knows. cards, ace: how they are written; asks: whether irreversible commands ask once."""

    cards: Cards
    ace: Literal["A", "1"] = "A"
    coach: bool = True
    bell: bool = True
    cover: Cover = field(default_factory=Cover)  # of our cards
    tell: Mapping[str, tuple[str, ...]] = {}  # event to ways
    asks: bool = True
    muted: bool = False  # what others say is not shown
    mode: str = "boxes"  # of `CARD_MODES`; words stay words in each
    picker: bool = False  # cards are picked with the arrows
    theme: str = USUAL_THEME
    lab_only: bool = False  # tables of others than the own lab are not listed
    forced: bool = False  # a move that leaves no choice is played for us


class Prompt:
    """Takes lines for one node and keeps the log of what it was told. rules: a game's rules as text; wall: the time in
    unix seconds; habits: what is set when it begins; keep: keeps what is set then; minus: that sign."""

    def __init__(
        self,
        node: Node,
        cards: Cards,
        rules: Callable[[str], str],
        wall: Callable[[], float] = time.time,
        habits: Habits = USUAL,
        keep: Keep = nowhere,
        minus: str = WRITTEN,
    ) -> None:
        self.here = Here(node, wall, tuple(habits.themes))
        self.here.order = habits.sort or self.here.order
        self.settings = _settings(cards, habits)
        self.keys = names(habits.keys, vi=habits.editing == "vi")
        self.log: deque[Told] = deque(maxlen=LOG_LENGTH)
        self.news = News()
        self.leaving = False  # the last command handed to the node leaves the table
        self.verb = ""  # of the game, typed without all its cards: the next line may be the rest of them
        self._node, self._cards, self._rules, self._wall, self._keep = node, cards, rules, wall, keep
        self._minus = minus
        self._waiting: tuple[Command, Remark] | None = None
        self._last: Told | None = None
        self._before: Notice | None = None
        self._entered = False
        self.shown_out = False  # we were, and that was told
        self._agreement = Agreement()
        self._me = node.home.nick  # at the last table, which may have ended before its end is told
        self._host = "" if node.table is None else node.table.host  # who runs the table, as told last
        self.did = ""  # verb of the last command that was handed to the node
        self.lacking: Mapping[str, Lack] = {}  # ways of being told that there are not here

    @property
    def words(self) -> Words:
        """The sentences for the person who sits here."""
        return self._words(self.hidden)

    @property
    def hidden(self) -> bool:
        """Whether our cards are hidden now."""
        return self.settings.cover.hides(self._node.table)

    def _words(self, hidden: bool) -> Words:
        if (table := self._node.table) is not None:
            self._me = own_nick(table)
        circle = Circle(self._node.people, self._wall())
        return Words(self.settings.cards, self._me, hidden, self.settings.ace, circle, self._host, self._minus)

    @property
    def question(self) -> str:
        """What was asked and not answered yet."""
        return "" if self._waiting is None else self.words.question(self._waiting[1])

    def heard(self, notice: Notice) -> tuple[str, ...]:
        """The sentences of a notice, as they are told now."""
        return tuple(map(self.shown, self.told(notice)))

    def hears(self, notice: Notice) -> bool:
        """Whether it is shown at all: what somebody says who is ignored is not, and nothing of others while muted."""
        if not isinstance(notice, Spoken) or self._is_me(notice.nick):
            return True
        person = self._node.people.person(notice.key)
        return not (self.settings.muted or (person is not None and person.ignored))

    def _is_me(self, nick: str) -> bool:
        """Whether the table knows us by that nick, a seat that a bot has taken over included."""
        return self._node.table is not None and self._node.table.nick == nick

    def told(self, notice: Notice) -> tuple[Told, ...]:
        """The sentences of a notice, kept for `log` and `last`; a refusal at the door, or the own way out, is told
        once."""
        before, self._before = self._before, notice
        self.settings.cover.heard(notice)
        self.here.heard(notice)
        self.news.heard(notice, self._node.table)
        if isinstance(notice, Closed) and isinstance(before, Refused) and before.code == notice.reason:
            return ()
        if not self.hears(notice):
            return ()
        if not self._agreement.is_news(notice, self._node.table):
            return ()
        if isinstance(notice, Closed) and notice.reason in SHOWN_OUT and self.shown_out:
            self.shown_out = self._entered = False
            return ()
        if isinstance(notice, Kicked):
            self.shown_out = self._is_me(notice.nick)
        if isinstance(notice, Entered | Closed):
            self.shown_out = False
            if not self._entered and isinstance(notice, Closed) and notice.reason == "left":
                notice = Closed("given_up", "")
            self._entered = isinstance(notice, Entered)
        if isinstance(notice, OptionsSet) and self._node.alone:
            notice = replace(notice, settings=tuple(one for one in notice.settings if one[0] not in IN_PRACTICE))
        ways = (self._words(hidden).notice(notice, self._node.table) for hidden in (False, True))
        told = tuple(map(Told, *ways))
        if isinstance(notice, HostIs):
            self._host = notice.nick
        self.log.extend(told)
        self.news.told(len(told))
        if isinstance(notice, Acted) and told:
            self._last = told[-1]
        return told

    def shown(self, told: Told) -> str:
        """The sentence as it may be read now."""
        return told.veiled if self.hidden else told.text

    def coach(self, untold: frozenset[Enum] = frozenset()) -> str:
        """The coach's line, whether or not the coach is on. untold: codes of what is left out."""
        table = self._node.table
        halts = table is not None and (table.changing or table.waiting_for or table.may_go_on)
        if table is not None and not halts and (shuffling := words_deal.shuffling(table)):
            return shuffling
        told = self.words.coach(tuple(one for one in coach(self.here.context()) if one.code not in untold))
        if table is not None and Advice.STANDS_STILL not in untold and (soon := asked_soon(table, self._node.now())):
            return f"{told} {sentence(soon[0].upper() + soon[1:])}"
        return told

    def enter(self, line: str, *, sure: bool = False) -> Answer:
        """Does what the line says. sure: nothing is asked before."""
        waiting, self._waiting = self._waiting and self._waiting[0], None
        verb, self.verb = self.verb, ""
        word = line.strip().lower()
        if waiting is not None and word in YES:
            return self._do(waiting)
        if waiting is not None and word in NO:
            return Answer(Kind.SHOWN, ("Not done.",), waiting)
        completes = bool(verb) and self._are_cards(line)
        found = parse(self._completed(verb, line) if completes else line, self.here.context())
        if isinstance(found, Problem):
            if found.code is Trouble.EMPTY:
                return Answer(Kind.NOTHING)
            asks = found.code in (Trouble.WHICH_CARD, Trouble.WHICH_CARDS)
            self.verb = found.detail[0] if asks else verb if completes else ""
            kind = Kind.SHOWN if asks and self.settings.asks else Kind.WRONG
            return Answer(kind, (self._early(found) or self.words.problem(found),), None, found.code.value)
        entry = _entry(found)
        try:
            if later := self._later(found):
                meanwhile, work = later
                return Answer(Kind.LATER, (meanwhile,), found, later=partial(_worked, found, work))
            if self._is_shown(found, entry):
                before = chosen(self.settings, self.here.order)
                shown = tuple(self._show(found))
                for name, value in chosen(self.settings, self.here.order).items() - before.items():
                    self._keep(name, value)
                return Answer(Kind.SHOWN, shown, found)
        except UserError as error:
            return Answer(Kind.WRONG, (sentence(str(error)),), found, "error")
        asks = self.settings.asks and not sure and found != waiting
        if asks and (at_stake := question(found, self.here.context())):
            self._waiting = (found, at_stake)
            return Answer(Kind.ASKED, (self.question,), found)
        return self._do(found)

    def allows(self, line: str) -> bool:
        """Whether the line would be done now, or asked about once; while the cards are hidden, none that names one."""
        context = self.here.context()
        found = parse(self._completed(self.verb, line) if self.verb and self._are_cards(line) else line, context)
        if isinstance(found, Problem):
            return False
        if self.hidden and context.game is not None:
            secret = {context.game.ranking.format(card) for card in context.hand}
            typed = [read(context.game.ranking, context.hand, word) for word in line.replace(",", " ").split()]
            if not secret.isdisjoint([*found.action.split(), *typed]):
                return False
        try:
            return bool(found.action) or self._is_shown(found, _entry(found)) is not None
        except UserError:
            return False

    def play(self, line: str) -> Answer:
        """Hands an action to the node as if it had been typed; nothing is asked, and what was asked stays."""
        found = parse(line, self.here.context())
        if isinstance(found, Problem) or not found.action:
            return Answer(Kind.NOTHING)
        return self._do(found)

    def _completed(self, begun: str, line: str) -> str:
        """The line behind what was begun, or in the place of its cards where it names one of them again."""
        context = self.here.context()
        verb, *cards = begun.split(" ")
        ranking = None if context.game is None else context.game.ranking
        typed = (
            [] if ranking is None else [read(ranking, context.hand, word) for word in line.replace(",", " ").split()]
        )
        return f"{verb} {line}" if any(card in typed for card in cards) else f"{begun} {line}"

    def _early(self, found: Problem) -> str:
        """What is said to an answer that nobody has asked for yet."""
        table = self._node.table
        if found.code is not Trouble.NOBODY_MISSING or table is None:
            return ""
        return not_asked(found.detail[0], table, self._node.now())

    def _are_cards(self, line: str) -> bool:
        """Whether the line begins with a card, with the place of one, or with the name of a meld."""
        context = self.here.context()
        word = (line.replace(",", " ").split() or [""])[0]
        if not word or context.game is None:
            return False
        return bool(MELD.fullmatch(word.lower())) or read(context.game.ranking, context.hand, word) is not None

    def _later(self, command: Command) -> tuple[str, Callable[[], list[str]]] | None:
        """What is said until it is there, and what answers in whatever thread, where a file is read for it."""
        given = "".join(command.args)
        match command.verb:
            case "stats":
                return words_stats.COUNTING, stats.asked(given, self._node)
            case "history":
                most = SPOKEN if self._cards is Cards.WORDS else LISTED
                work = partial(history.answer, given, self._node.history, most, self._wall(), self._minus)
                return history.READING, work
        return None

    def _is_shown(self, command: Command, entry: Entry | None) -> bool:
        """Whether the answer is known here. Raises UserError where there is a reason not even to ask."""
        table = self._node.table
        if command.verb != "deck" or table is None:
            return entry is not None and entry.by is By.UI
        if not table.deck and not self._node.alone and dict(table.settings).get("allow_peek") != "true":
            raise UserError(NO_PEEK)
        return bool(table.deck)

    def _do(self, command: Command) -> Answer:
        self.leaving = command.verb in LEAVING
        asked = question(command, self.here.context())
        quiet = command.verb == "unban" or (command.verb == "ban" and (not asked or asked.code is Asked.TURN_AWAY))
        changed: tuple[str, ...] = ()
        try:
            before = self._node.people.bans() if quiet else ()
            self.did = command.verb
            self._node.do(command)
            if quiet:  # nobody is shown out, so no notice tells it
                changed = whois.changed_bans(before, self._node, self._wall())
        except UserError as error:
            self.leaving, self.did = False, ""
            return Answer(Kind.WRONG, (sentence(str(error)),), command, "error")
        if command.verb == "sit" and self.here.context().where in _LATER:
            changed = (SITS,)
        return Answer(Kind.SHOWN if changed else Kind.DONE, changed, command)

    def _show(self, command: Command) -> list[str]:
        """Settings are changed here; everything else is a question about what is known."""
        match command.verb, command.args:
            case (("sort" | "move"), args):
                return self._arranged(command.verb, args)
            case "hide", args:
                return [self.settings.cover.change(args[0] if args else "", self._node.table)]
            case "coach", args:
                self.settings.coach = args[0] == "on" if args else self.settings.coach
                return [_switch("coach", self.settings.coach)]
            case "forced", args:
                self.settings.forced = args[0] == PLAY if args else self.settings.forced
                return [words_forced.setting(self.settings.forced)]
            case "bell", args:
                self.settings.bell = args[0] == "on" if args else self.settings.bell
                return [_switch("bell", self.settings.bell)]
            case "tell", args:
                return self._tell(*args)
            case "mute", args:
                self.settings.muted = args[0] == "on" if args else self.settings.muted
                return [MUTED if self.settings.muted else HEARS]
            case "list", (which,):
                self.settings.lab_only = which == "lab"
            case "cardmode", args:
                modes = CARD_MODES if self._cards is Cards.SIGNS else CARD_MODES[:2]
                self.settings.mode = args[0] if args else after(self.settings.mode, modes)
                self.settings.cards = Cards.LETTERS if self.settings.mode == "ascii" else self._cards
                return cards_are(self.settings.mode, self.words.voice)
            case "picker", args:
                if self._cards is Cards.WORDS:
                    return [words_hand.PICKER_PLAIN]
                self.settings.picker = args[0] == "on" if args else not self.settings.picker
                if not self.settings.picker:
                    return [words_hand.picker_off(self.keys["picker"])]
                return [words_hand.PICKER_ON if self.here.context().hand else words_hand.PICKER_ON_LINES]
            case "aces", args:
                ones = args[0] == "1" if args else self.settings.ace == "A"
                self.settings.ace = "1" if ones else "A"
                return [f"Aces are written so: {self.words.voice.cards('AS')}."]
            case "theme", args:
                plain = self._cards is Cards.WORDS
                if not args:
                    return words_look.themes(self.settings.theme, themes(self.here.context()), plain=plain)
                self.settings.theme = args[0]
                return [words_look.taken(args[0], plain=plain)]
            case "preset", (second, *rest):
                return presets.answer(second, rest, self._node, self.here.context())
            case "log", args:
                return self._logged(int(args[0] if args else 10))
            case "last", _:
                return [self.shown(self._last) if self._last else "Nobody has done anything yet."]
            case "rules", args:
                return self._rules_of(args)
            case (("hand" | "legal"), _) if self.hidden:
                return [words_tell.HIDDEN]
            case "why", args:
                hidden, here = self.hidden, self.here.context()
                return words_why.answer(" ".join(args), here, self.words, hidden) or [self.coach()]
            case "turn", _:
                return [self.coach(), *queries.goes_on(self._node.table, self._node.now())]
        if command.verb in _PEOPLE:
            return whois.answer(command, self._node, self._wall())
        return queries.answer(command, self._node, self.here.context(), self.words, self.settings.lab_only)

    def _arranged(self, verb: str, args: tuple[str, ...]) -> list[str]:
        """Puts the own cards in another order, and says which."""
        before, ordering = self.here.context(), self.here.ordering
        if before.game is None:
            return ["You hold no cards."]
        if verb == "sort":
            ordering.sort(args[0] if args else "", before.game, before.hand)
            told = sorted_by(ordering.order)
        else:
            place, to = (int(arg.removeprefix("#")) for arg in args)
            ordering.move(before.hand, place, to)
            card = before.game.ranking.format(before.hand[place - 1])
            told = moved_to(self.words.voice, card, to, self.hidden)
        return [told, *([] if self.hidden else queries.hand(self.here.context(), self.words))]

    def _tell(self, event: str = "", ways: str = "") -> list[str]:
        settings = self.settings
        if not event:
            return words_tell.overview(settings.tell, settings.bell, self.lacking)
        if ways:
            settings.tell = {**settings.tell, event: changed(event, ways)}
        return words_tell.one(event, settings.tell.get(event, ()), settings.bell, self.lacking)

    def _logged(self, last: int) -> list[str]:
        """The last sentences, a line between what was before the end of my last turn and what came after."""
        told = [self.shown(one) for one in list(self.log)[-last:]]
        new = min(self.news.count, len(told)) if self.news.of_turn else 0
        if new:
            told.insert(len(told) - new, SINCE)
        return told or ["Nothing has happened yet."]

    def _rules_of(self, args: tuple[str, ...]) -> list[str]:
        """A game's rules; at a table of that game those of the table first."""
        context = self.here.context()
        name = args[0] if args else "" if context.game is None else context.game.name
        if not name:
            return ["Of which game? `rules tongits` shows those of Tong-its."]
        text = self._rules(name).splitlines()
        table = self._node.table
        if table is None or table.game.name != name:
            return text
        return [*queries.agreed(context), *phases.marked(text, phases.section(table))]


def _settings(cards: Cards, habits: Habits) -> Settings:
    """As somebody with these habits begins. Words stay words: who is read to wants no letters."""
    return Settings(
        Cards.LETTERS if habits.cards == "ascii" and cards is Cards.SIGNS else cards,
        ace="1" if habits.aces == "1" else "A",
        mode=habits.cards or "boxes",
        coach=habits.coach != "off",
        theme=habits.theme or USUAL_THEME,
        picker=habits.input == "picker",
        cover=Cover(habits.hand == "hidden", habits.hand == "my_turn"),
        tell=wanted(habits.tell),
        forced=habits.forced == PLAY,
    )


def _entry(command: Command) -> Entry | None:
    """The table's entry for the command; None for an action of the game."""
    entries = () if command.action else meant(named(command.verb), len(command.args))
    return next((entry for entry in entries if not entry.second or entry.second == command.args[0]), None)


def _worked(command: Command, work: Callable[[], list[str]]) -> Answer:
    """What came of work that takes its time."""
    try:
        return Answer(Kind.SHOWN, tuple(work()), command)
    except UserError as error:
        return Answer(Kind.WRONG, (sentence(str(error)),), command, "error")


def _switch(name: str, on: bool) -> str:
    """Whether something is on, and how to change that."""
    return (
        f"The {name} is on; `{name} off` switches it off." if on else f"The {name} is off; `{name} on` switches it on."
    )

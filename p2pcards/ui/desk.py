"""The program as the person at the full screen sees it: hears what happens, does what is typed, says what to draw.

No terminal in here: `App` has the prompt and the keys, the screens are functions of what this Desk hands them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec.structs import replace

from p2pcards.cards import Card
from p2pcards.commands.command import Command
from p2pcards.commands.help import overview
from p2pcards.commands.questions import question
from p2pcards.commands.suggest import Suggestion
from p2pcards.commands.table_look import themes as known_themes
from p2pcards.errors import UserError
from p2pcards.games import registry
from p2pcards.table.notices import (
    Acted,
    Closed,
    CodeWanted,
    Entered,
    Failed,
    Kicked,
    Notice,
    Opened,
    OtherKey,
    Refused,
    RolledBack,
    RoundOver,
    RoundStarted,
    Spoken,
    TurnOf,
    Waiting,
)
from p2pcards.table.tableview import Stage, TableView
from p2pcards.ui import home, lobby, pages, people, phases, queries, scoresheet, themes, words_forced
from p2pcards.ui.alarms import stands_out, stays
from p2pcards.ui.calls import CALLED, calls
from p2pcards.ui.choices import Keep, nowhere
from p2pcards.ui.conversation import exit_code
from p2pcards.ui.faces import Face, faces
from p2pcards.ui.forced import Forced
from p2pcards.ui.frame import Screen
from p2pcards.ui.gamescreens import GAME_SCREENS, next_mode, open_round
from p2pcards.ui.habits import USUAL, Habits
from p2pcards.ui.local import Happened, Local, Offer
from p2pcards.ui.offers import offers
from p2pcards.ui.picker import Picker, Reach
from p2pcards.ui.ports import Node
from p2pcards.ui.prompt import LOG_LENGTH, Answer, Kind, Prompt
from p2pcards.ui.tell import Teller
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import DRAWN, Cards, aced, sentence
from p2pcards.ui.ways import Ways
from p2pcards.ui.words_hand import hidden_from_picker
from p2pcards.wire.code import read_code

_PAGES = {"help", "history", "log", "rules", "stats"}
_OF_TURN = {"why", "legal", "turn", "clock"}
"""Whose answer holds until the turn moves on."""
_SAID = 150  # characters of an answer that fit into the coach's place; more is a page


Apart = Callable[[Callable[[], Answer], Callable[[Answer], None]], None]
"""Does the work in a thread, and then the other thing with what came of it where the screen is painted."""


class Desk:
    """manual: a game's rules as text; exit_: ends the program with a code; habits, keep: what is set, and where that is
    kept; ways: how the person is reached."""

    def __init__(
        self,
        node: Node,
        manual: Callable[[str], str],
        *,
        exit_: Callable[[int], None],
        habits: Habits = USUAL,
        keep: Keep = nowhere,
        ways: Ways | None = None,
    ) -> None:
        self._node, self._exit = node, exit_
        self._prompt = Prompt(node, Cards.SIGNS, manual, habits=habits, keep=keep, minus=DRAWN)
        self._habits = habits
        self._teller = Teller(node, self._prompt, ways or Ways())
        self._titles = {name: game.title for name, game in registry.GAMES.items()}
        self._happened: deque[Happened] = deque(maxlen=LOG_LENGTH)
        self._since = 0  # how many of the last ones belong to this table
        self._entered = b""  # the table that they belong to
        self._fresh: frozenset[Card] = frozenset()
        self._scores: tuple[int, ...] = ()  # as I saw them last
        self._table = node.table
        self._my_turn = False
        self._said, self._wrong = "", False
        self._of_turn = False  # what was said holds until the turn moves on
        self.engaged: Callable[[], bool] = lambda: False  # a line has been begun, or something is being asked
        self.few: Callable[[], bool] = lambda: False  # the terminal has 16 colours
        self.apart: Apart = lambda work, then: then(work())
        self._counts = ""  # the line whose answer comes later, until another one is typed
        self._forced = Forced(node, self._prompt, armed=self._make_room, busy=lambda: self.engaged())
        self._page, self._text, self._scroll = "", [""], 0
        self._opened = ""  # the line that opened the page
        self._at = 0  # the line of its text that it opens at
        self._code = 0
        self._until: float | None = None  # when the host has to have let us in
        self._pictured: tuple[TableView, Local] | None = None  # the last that was drawn with cards
        self._faces: dict[bytes, Face] | None = None  # to be looked up; seconds that pass are no reason

        self.picker = Picker(
            Reach(
                context=self._prompt.here.context,
                hidden=lambda: self._prompt.hidden,
                round=lambda: None if node.table is None else (node.table.table, node.table.round),
                suggest=lambda: self.suggest(""),
                typed=self.typed,
                refused=lambda problem: self.say(self._prompt.words.problem(problem), wrong=True),
                say=self.say,
                settled=self.close_page,
                hiding=lambda: hidden_from_picker(self._prompt.keys["hide"]),
            )
        )

    # ---- what is typed

    @property
    def asks_code(self) -> bool:
        """Whether a table on our way wants its code."""
        return self._node.table is None and bool(self._node.home.asking)

    def is_secret(self, line: str) -> bool:
        """Whether the line is not to be remembered: a code, or what may have been meant for one."""
        return self.asks_code or line.split()[:1] == ["code"] or read_code(line) is not None

    def allows(self, line: str) -> bool:
        """Whether the line can be done now; nothing that names a card of a hidden hand."""
        return self._prompt.allows(line)

    def begin(self, command: Command) -> None:
        """What the command line asked for; when it comes to nothing, the exit code says so later."""
        self._prompt.did = command.verb
        try:
            self._node.do(command)
        except UserError as refused:
            self._code = refused.exit_code
            self.say(sentence(str(refused)), wrong=True)

    def typed(self, line: str, *, sure: bool = False) -> None:
        """Does what the line says, or answers the question. sure: nothing is asked before."""
        self.attended()
        self.picker.let_go()
        if self._forced.repeats(line):
            self.say(words_forced.played(self._forced.last))
            return
        answer = self._prompt.enter(line, sure=sure)
        self._faces, self._counts = None, ""
        if answer.later is not None:
            self.say(answer.lines[0])
            self._counts = line
            self.apart(answer.later, partial(self._counted, line))
        else:
            self._came(answer, line)
        self._forced.look()

    def _counted(self, line: str, answer: Answer) -> None:
        """What was to come later is there; it is shown unless something else has been typed since."""
        if self._counts == line:
            self._came(answer, line)

    def _came(self, answer: Answer, line: str) -> None:
        """What came of a line."""
        if answer.kind is Kind.DONE:
            self.close_page()
            if answer.command is not None and answer.command.verb == "quit":
                self.quit()
        elif answer.kind is Kind.SHOWN:
            self._show(answer)
            self._opened = line if self._page else ""
        elif answer.kind is not Kind.NOTHING:
            self.say(" ".join(answer.lines), wrong=answer.kind is Kind.WRONG)

    def attended(self) -> None:
        """A key was pressed: the person is there, and what was about to be played for them is theirs."""
        self._teller.attended()
        if self._forced.stop():
            self._said, self._wrong, self._of_turn = words_forced.STOPPED, False, False

    def _make_room(self) -> None:
        """A move is about to be played, which is to be read where the coach speaks."""
        self._said, self._wrong = "", False

    def pressed(self, line: str) -> None:
        """A key that stands for the line: pressed again it closes the page that it opened; in a round help leads to the
        rules first."""
        if not self._page or self._opened != line:
            self.typed(line)
        elif line == self._page == "help" and self._table is not None and self._table.stage is Stage.PLAYING:
            self.typed("rules")
            self._opened = line
        else:
            self.close_page()

    def at_stake(self, verb: str) -> str:
        """What is asked before that command; empty where nothing is lost by it."""
        remark = question(Command(verb), self._prompt.here.context())
        return "" if remark is None else self._prompt.words.question(remark)

    def quit(self) -> None:
        """Ends the program; the code tells whether what the command line asked for came to something."""
        self._exit(self._code)

    @property
    def question(self) -> str:
        """What was asked and not answered yet."""
        return self._prompt.question

    @property
    def asks_cards(self) -> bool:
        """Whether cards are asked for that a verb wants."""
        return bool(self._prompt.verb)

    def drop(self) -> None:
        """Takes back the verb whose cards are asked for."""
        self._prompt.verb = ""
        self.close_page()

    def suggest(self, text: str) -> Iterator[Suggestion]:
        """What may be typed next."""
        context, hidden = self._prompt.here.context(), self._prompt.hidden
        lab_only = self._prompt.settings.lab_only
        numbered = enumerate(self._node.home.rows, 1)
        free = frozenset(number for number, row in numbered if home.joinable(row) and (row.lab or not lab_only))
        if verb := self._prompt.verb:  # typed alone, so its cards may follow
            asked = f"{verb} "
            for one in offers(asked + text, context, free, hidden):
                if one.start >= len(asked):
                    yield replace(one, start=one.start - len(asked))
            if not text.strip():
                return
            yield from (one for one in offers(text, context, free, hidden) if not one.text.startswith(asked))
            return
        yield from offers(text, context, free, hidden)

    def look(self, look: Look) -> Look:
        """How the screen is painted, with what was said about cards."""
        settings = self._prompt.settings
        return look._replace(suits=settings.cards is not Cards.LETTERS, ace=settings.ace)

    def shown(self, suggestion: Suggestion) -> str:
        """The suggestion as it stands in the menu."""
        return " ".join(aced(word, self._prompt.settings.ace) for word in suggestion.display.split(" "))

    def say_note(self, suggestion: Suggestion) -> str:
        """What stands beside the suggestion."""
        return self._prompt.words.note(suggestion.note)

    # ---- what is picked

    @property
    def picks(self) -> bool:
        """Whether the card picker is on."""
        return self._prompt.settings.picker

    def menu(self) -> tuple[tuple[Offer, ...], int | None]:
        """What the picker offers, and the place of the chosen line."""
        return self.picker.menu(lambda one: Offer(self.shown(one), self.say_note(one)))

    def next_cards(self, size: Size) -> None:
        """Shows cards in the next way that has room."""
        self.pressed(f"cardmode {next_mode(self._node.table, size, self.local())}")

    # ---- what is shown of what was typed

    def _show(self, answer: Answer) -> None:
        verb = "" if answer.command is None else answer.command.verb
        if verb == "list":
            self.say(self._listed() if self._node.home.rows else answer.lines[0])
        elif verb == "hide" and self.holds_cards:
            self.close_page()  # the hand itself shows it
        elif verb in ("sort", "move"):
            self.say(answer.lines[0])  # the hand itself is there to be seen
        elif verb == "theme" and answer.command is not None and not answer.command.args:
            known = tuple(known_themes(self._prompt.here.context()))
            self._page, self._text, self._scroll, self._said = verb, [name for name, _ in known], 0, ""
        elif verb in _PAGES or sum(map(len, answer.lines)) > _SAID or (verb == "why" and _lists(answer.lines)):
            self._page, self._text, self._scroll, self._said = verb, self._page_text(answer), 0, ""
            if verb == "log":
                self._scroll = len(self._text)
            self._at = phases.place(self._text) if verb == "rules" else 0
        else:
            self.say((" · " if verb == "legal" else " ").join(answer.lines))
            self._of_turn = verb in _OF_TURN

    def _listed(self) -> str:
        hidden = sum(not row.lab for row in self._node.home.rows) if self._prompt.settings.lab_only else 0
        more = f" Others that are hidden: {hidden}; `list all` shows them." if hidden else ""
        return f"The tables that were found stand above.{more}"

    def _page_text(self, answer: Answer) -> list[str]:
        command = answer.command
        if command == Command("help"):
            context = self._prompt.here.context()
            return [
                *pages.help_text(overview(context)),
                "",
                *queries.typing(context),
                "",
                *pages.keys_text(self._prompt.keys),
            ]
        if command is not None and command.verb in ("history", "legal", "set", "stats", "tell"):
            return [line.replace(": ", "\t", 1) for line in answer.lines]
        if command is not None and command.verb == "rules":
            return pages.paragraphs(answer.lines)
        if command is not None and command.verb == "log" and self._happened:
            told = [self._veil(one) for one in self._happened]
            told = told[-int(command.args[0]) if command.args else 0 :]
            return pages.log_text(told, self._prompt.news.count if self._prompt.news.of_turn else 0)
        return list(answer.lines)

    def close_page(self) -> None:
        """Shows the table again, and the coach."""
        self._page, self._said, self._wrong = "", "", False

    @property
    def theme(self) -> str:
        """The theme of the screen."""
        return self._prompt.settings.theme

    @property
    def page_open(self) -> bool:
        """Whether a page covers the table."""
        return bool(self._page)

    def turn_page(self, pages_on: int, size: Size) -> None:
        """Moves the page that is open."""
        self._scroll = pages.scrolled(self._text, self._first(size), pages_on, size)
        self._at = 0

    def _first(self, size: Size) -> int:
        """The first line of the page that is shown, before anybody turned it the one that it is about."""
        return pages.first_line(self._text, self._at, size) if self._at else self._scroll

    # ---- what happens

    def say(self, text: str, wrong: bool = False) -> None:
        """One sentence in the coach's place, until the next line."""
        self._page, self._said, self._wrong, self._of_turn = "", text, wrong, wrong

    def tell(self, text: str) -> None:
        """Something happened to the program itself. What goes wrong again and again is told once."""
        if not self._happened or self._happened[-1].text != text:
            self._happened.append(Happened(text, wrong=True))
            self._prompt.news.told(1)
            self._since += 1
            if self._node.table is None and not self._page:  # at home nothing else shows what happened
                self._said, self._wrong = text, True

    def heard(self, notice: Notice | None) -> None:
        """Something happened; None: the list of tables changed."""
        before, self._table = self._table, self._node.table
        self._faces = None
        moved = _place(before) != _place(self._table)
        was, acts = (() if table is None else table.to_act for table in (before, self._table))
        turned = was not in ((), acts)  # where nobody was to act, the turn was only out of sight
        if (moved or (turned and self._of_turn)) and not isinstance(notice, Closed | Failed):
            self._said, self._wrong = "", False
        self._teller.heard(notice)
        if isinstance(notice, Waiting | CodeWanted) and not self._wrong:  # a wrong code is asked for again
            self._said = ""
        if isinstance(notice, Waiting):
            self._until = self._node.now() + notice.seconds
        elif notice is not None or not self._node.home.joining:
            self._until = None
        if notice is not None:
            self._note(notice, before)
        self._forced.heard(notice)

    def _note(self, notice: Notice, before: TableView | None) -> None:
        new, news = self._prompt.told(notice), self._prompt.news
        if news.seen:
            self._settle(notice)
        fresh = news.marks(notice, self._table)
        if self._over(notice):
            self._happened = deque((one._replace(stays=False) for one in self._happened), LOG_LENGTH)
        match notice:
            case TurnOf():
                if notice.mine and notice.fresh:
                    self._said, self._wrong = "", False
                self._my_turn = notice.mine
            case RoundStarted():
                self._said, self._wrong = "", False
        match notice:
            case Acted(before=old, after=now) if fresh and old is not None and now is not None and self._table:
                self._fresh |= GAME_SCREENS[self._table.game.name].laid(old, now)
            case Opened():
                self._begin_feed(notice.table)
            case Entered():
                self._code = 0
                self._begin_feed(b"" if self._table is None else self._table.table)
            case Closed():
                stage = None if before is None else before.stage
                self._code = exit_code(notice, self._prompt.leaving, stage)
            case Failed():
                self._code = notice.exit_code
        for place, told in enumerate(new):
            begins = isinstance(notice, RoundStarted) and not place
            chat = isinstance(notice, Spoken)
            urgent, stay = stands_out(notice), self._table is not None and stays(notice, self._table.nick)
            self._happened.append(Happened(told.text, fresh, urgent, begins, told.veiled, chat, stay))
            self._since += 1
            if isinstance(notice, Refused | Failed | Closed):
                self.say(told.text, wrong=self._code != 0 or isinstance(notice, Refused))
            elif isinstance(notice, RolledBack) and place:
                self.say(told.veiled if self._prompt.hidden else told.text, wrong=True)
            elif isinstance(notice, OtherKey) or (isinstance(notice, Kicked) and self._prompt.shown_out):
                self.say(told.text, wrong=True)
        if isinstance(notice, Closed):
            self._entered = b""

    def _over(self, notice: Notice) -> bool:
        """Whether what stays has been seen: I have acted since, or the round is over without me."""
        table = self._table
        match notice:
            case Acted(seat=seat, by=""):
                return table is not None and seat == table.me
            case RoundOver():
                return table is None or table.me is None
        return False

    def _begin_feed(self, table: bytes) -> None:
        """What happened before belongs to another table."""
        if self._entered != table:
            self._entered, self._since = table, 0

    def _settle(self, notice: Notice) -> None:
        """What I have seen is marked no more; scores are until a turn of mine is over after them."""
        if not isinstance(notice, RoundStarted):
            self._scores = () if self._table is None else self._table.scores
        self._fresh = frozenset()
        self._happened = deque((one._replace(fresh=False) for one in self._happened), LOG_LENGTH)

    # ---- what is shown

    @property
    def at_table(self) -> bool:
        """Whether there is a table to leave."""
        return self._node.table is not None

    @property
    def at_others(self) -> bool:
        """Whether there is a table that others sit at too."""
        return self._node.table is not None and not self._node.alone

    @property
    def counts_down(self) -> bool:
        """Whether the screen changes with the seconds."""
        if self._node.table is None:
            looking = not self._node.home.rows and self._node.home.searching_for < home.PATIENCE
            return looking or self._until is not None
        return people.counts_down(self._node.table)

    @property
    def window_title(self) -> str:
        """Where I am and whether it is my turn; nothing of the cards."""
        return self._teller.title

    def local(self) -> Local:
        """What the screens need beside the views; question and menu are the prompt's."""
        settings = self._prompt.settings
        context = self._prompt.here.context()
        now, table = self._node.now(), self._node.table
        if self._faces is None:
            self._faces = faces(self._node.people, table)
        return Local(
            now=now,
            happened=tuple(self._veil(one) for one in list(self._happened)[-self._since :]) if self._since else (),
            fresh=self._fresh,
            gained=self._gained(),
            hidden=self._prompt.hidden,
            hand=context.hand,
            mode=settings.mode,
            coach=self._forced.sentence or (self._coach() if settings.coach else ""),
            said=self._said,
            wrong=self._wrong,
            question=self.question,
            page=self._page,
            scroll=self._scroll,
            faces=self._faces,
            call=calls(table, self._faces, now),
            way=queries.on_the_way(self._node.home, self._until, now) if table is None else "",
            lab_only=settings.lab_only,
            alone=self._node.alone,
            picking=self.picks and self.picker.cursor is not None,
            cursor=self.picker.cursor if self.picks else None,
            raised=self.picker.raised if self.picks else frozenset(),
            keys=self._prompt.keys,
        )

    def _coach(self) -> str:
        if self._prompt.hidden and self._my_turn:
            return "Your turn."
        return self._prompt.coach(CALLED)

    def _gained(self) -> frozenset[int]:
        if self._table is None or len(self._scores) != len(self._table.scores):
            return frozenset()
        both = enumerate(zip(self._scores, self._table.scores, strict=True))
        return frozenset(seat for seat, (then, now) in both if then != now)

    @property
    def holds_cards(self) -> bool:
        """Whether there is a hand to be shown and hidden."""
        return self._table is not None and self._table.view is not None and self._table.me is not None

    def _veil(self, one: Happened) -> Happened:
        """As it may be read now."""
        return one._replace(text=one.veiled) if self._prompt.hidden and one.veiled else one

    def screen(self, size: Size, local: Local) -> Screen:
        """The screen of the place where I am."""
        table = self._node.table
        if self._page == "theme":
            return self._show_themes(size)
        if self._page:
            return pages.draw(self._page, self._text, size, local._replace(scroll=self._first(size)))
        if table is None:
            return home.draw(self._node.home, self._titles, size, local)
        table, local = self._with_cards(table, local)
        if table.view is not None and table.stage is Stage.PLAYING:
            return open_round(table, size, local)
        if table.last is not None:
            return scoresheet.draw(table, table.last, size, local)
        return lobby.draw(table, self._node.home.join_line, size, local)

    def _show_themes(self, size: Size) -> Screen:
        known = tuple(known_themes(self._prompt.here.context()))
        now, own = self._prompt.settings.theme, self._habits.themes
        return themes.draw(known, now, own, size, self._scroll, few=self.few(), keys=self._prompt.keys)

    def _with_cards(self, table: TableView, local: Local) -> tuple[TableView, Local]:
        """The table as it lay, while nobody can say how it lies: between two hosts there may be no view of it."""
        if table.view is not None:
            self._pictured = table, local
        elif self._pictured and table.stage is Stage.PLAYING:
            before, then = self._pictured
            if people.halts(table) and (before.table, before.round, before.me) == (table.table, table.round, table.me):
                return replace(table, view=before.view), local._replace(hand=then.hand)
        return table, local


def _lists(lines: Sequence[str]) -> bool:
    """Whether the lines behind one of them are its list."""
    return any(line.endswith(":") for line in lines)


def _place(table: TableView | None) -> tuple[bytes, Stage] | None:
    return None if table is None else (table.table, table.stage)

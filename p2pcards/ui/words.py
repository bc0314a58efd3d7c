"""Every sentence that people read or hear: notices, refusals, advice, suggestions. Codes come in, words go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from typing import Any

from msgspec.structs import replace

from p2pcards.commands.coach import Advice
from p2pcards.commands.command import Problem, Remark, Trouble
from p2pcards.commands.notes import Plain
from p2pcards.commands.questions import Asked
from p2pcards.commands.suggest import Note
from p2pcards.games.base import Refusal
from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import TableView
from p2pcards.ui.context import awaited
from p2pcards.ui.gamewords import GAME_WORDS, OPENINGS
from p2pcards.ui.voice import Cards, Voice, counted, house_rules, listed, sentence
from p2pcards.wire.text import clean

_SENTENCES: Mapping[type[Enum], Mapping[Enum, str]] = {
    Trouble: {
        Trouble.EMPTY: "",
        Trouble.TOO_LONG: "That line is too long for a command",
        Trouble.UNKNOWN: "There is no command {0}",
        Trouble.LINES: "That is more than one line: type them one by one",
        Trouble.NOT_HERE: "`{0}` does not work here",
        Trouble.HOST_ONLY: "Only the host of the table can `{0}`",
        Trouble.MISSING: "Something is missing: {all:or}",
        Trouble.TOO_MANY: "There is something too much behind it: it is typed `{0}`",
        Trouble.LONG_TITLE: "That title is too long: {0} would be left of it",
        Trouble.BAD_NUMBER: "{0} is no number that fits here",
        Trouble.BAD_CHOICE: "{0} is not possible here; try {rest:or}",
        Trouble.NO_SUCH_GAME: "There is no game {0}; there is {rest:or}",
        Trouble.NO_SUCH_ROW: "There is no table {0} in the list",
        Trouble.NO_SUCH_OPTION: "There is no option {0}",
        Trouble.NO_SUCH_BOT: "No bot is called {0}",
        Trouble.NO_BOT_THERE: "No bot sits in seat {0}",
        Trouble.BAD_PRESET: "{0} can't be the name of a preset: it has 1 to 24 of a-z 0-9 _ -",
        Trouble.NO_SUCH_TOPIC: "There is no command {0}",
        Trouble.NO_SUCH_CARD: "{0} is no card: a card is a rank and a suit, like 7H, TD or QS",
        Trouble.NO_SUCH_PLACE: "There is no card {0}: you hold {1:count card}",
        Trouble.BARE_NUMBER: "{0} is no card: `#{0}` is the card with that number, and a rank needs its suit, like 7H",
        Trouble.TWICE: "{0:cards} stands there twice, but there is only one",
        Trouble.NO_ROUND: "No round is open, so there is nothing to {0}",
        Trouble.WATCHING: "You are watching: `{0}` is for those who sit at the table",
        Trouble.MATCH_OVER: "The match is over, so there is nothing to `{0}`: `again` starts another one",
        Trouble.PENDING: "Your `{0}` is still on its way",
        Trouble.NO_USE: "There is nothing that you can do with {all:cards} now",
        Trouble.WHICH: "Which one: {all:or}",
        Trouble.WHICH_CARD: "{0} which card: {rest:or}",
        Trouble.NOTHING_TO: "There is nothing that you can `{0}` now: `turn` tells what you may do",
        Trouble.NOT_AN_ACTION: "`{0}` can't be understood like that; it is typed like {rest:or code}",
    },
    Refusal: {
        Refusal.NOT_YOUR_TURN: "It is not your turn",
        Refusal.OVER: "The round is over",
        Refusal.NOT_HELD: "You don't hold {all:the}",
    },
    Advice: {
        Advice.START: "You are the host: `start` deals",
        Advice.START_WITH_BOTS: "You are the host: `start` deals, and bots take {0:count open seat}",
        Advice.WAIT_FOR_START: "Waiting for {0} to start",
        Advice.WATCHING: "It is {0:whose} turn. A seat that is free between rounds is yours",
        Advice.LOOKING_ON: "It is {0:whose} turn",
        Advice.WATCHING_ON: "You are watching: a seat that is free between rounds is yours",
        Advice.SENT: "Your `{0}` is on its way",
        Advice.WAIT_FOR: "Waiting for {all:who}",
        Advice.BOT_PLAYS: "A bot plays for you: `back` takes the seat again",
        Advice.NEXT: "`next` goes on to the next round",
        Advice.NEXT_OR_STOP: "`next` goes on to the next round, `stop` ends the match",
        Advice.READY: "You are ready",
        Advice.READY_WAIT: "You are ready; waiting for {all:who}",
        Advice.WATCHED: "The match is over: `start` begins another one, `leave` goes home",
        Advice.MATCH_OVER: "The match is over: `again` plays another one, `leave` goes home",
    },
    Asked: {
        Asked.CALL: "Call the draw? You can't take it back",
        Asked.FOLD: "Fold? You give in without showing your hand",
        Asked.STOP: "Stop? The match ends for everybody",
        Asked.CLOSES: "{0}? You are the host: the table closes for everybody",
        Asked.ENDS: "{0}? You are the host: the match ends for everybody, and the table closes",
        Asked.ENDS_ALONE: "{0}? The match ends with it",
        Asked.DECK: "Lay the whole deck open? Everybody at the table will see all cards",
        Asked.BOT_PLAYS: "{0}? The round goes on, and a bot plays for you",
    },
    Note: {
        Note.HELP: "{0}",
        Note.WAYS: "{0:count way} to go on",
        Note.GAME: "{0}",
        Note.ROW: "{0} · {1} · {3:count seat} free · {5} · host {2} · {4}",
        Note.OPTION: "{0}: {1}",
        Note.CHANGED: "{0} (usually {2}): {1}",
        Note.VALUE: "{0}",
        Note.PRESET: "{0}",
        Note.NOW: "as it is now: {0}",
        Note.USUAL: "as usual: {0}",
        Note.PLAIN: "",
    },
    Plain: {Plain.VERB: "{0}"},
    **{code: texts for words in GAME_WORDS.values() for code, texts in words.SENTENCES.items()},
}

_TABLE_CODES: Mapping[str, str] = {
    "not_seated": "You have no seat at this table",
    "no_round": "No round is open",
    "bot_plays": "A bot plays your seat at the moment",
    "stale": "The table had moved on before that arrived; look again",
    "no_action": "The host could not read that action",
    "not_a_question": "Nobody asked you anything",
    "not_now": "That is not possible now",
    "has_an_end": "This match ends by itself; there is nothing to stop",
    "nobody_waited_for": "The table waits for nobody, so there is nothing to skip",
    "own_turn": "It is your own turn: play, and nobody waits any longer",
    "programs_wait": "A program can't ask for that: it waits as long as it takes",
    "no_peek": "At this table nobody may look at the deck (`set allow_peek true` in the lobby allows it)",
    "not_committed": "What was put aside is not what was announced; try again",
    "no_such_wish": "The host does not know that request",
    "no_link": "The line to the host is down at the moment",
    "pending": "Your last action is still on its way",
}
"""Refusals of the table itself, by code."""

_REFUSALS: Mapping[str, Mapping[str, str]] = {
    game: {
        **_TABLE_CODES,
        **{str(code.value): text for codes in (Refusal, words.REFUSALS) for code, text in _SENTENCES[codes].items()},
    }
    for game, words in GAME_WORDS.items()
}
"""By game, every refusal that comes from the host as a code; behind it the details, apart by spaces, the last one the
rest."""

_VEILED: Mapping[Enum, str] = {code: text for words in GAME_WORDS.values() for code, text in words.VEILED.items()}

_LEFT: Mapping[str, str] = {
    "left": "{0} left the table",
    "ragequit": "{0} left in a rage",
    "kicked": "{0} was shown out",
    "bot removed": "{0} was sent away",
    "lost": "{0} did not come back, so the seat is free",
}

_GOOD_BYES = frozenset({"left", "ragequit"})
"""Ways to go that are one's own: of one's own seat the end of the table tells."""

_CLOSED: Mapping[str, str] = {
    "left": "You left the table",
    "given_up": "You no longer look for the table",
    "bye": "The table is closed",
    "full": "Every seat is taken",
    "version": "This table needs another version of p2pcards",
    "wrong_code": "That is not the code of this table",
    "not_a_member": "This table is for members of its lab only",
    "declined": "The host did not let you in",
    "kicked": "You were shown out of the table",
    "banned": "You may not come to this table",
    "too_fast": "Too many attempts; wait a moment and try again",
    "superseded": "You came in from elsewhere, so this program is out",
    "already_here": "You are at this table already, with another program",
    "not_the_host": "That program is not the host of the table",
    "members_only": "Only the players of this table may come in now",
    "broken": "The other side sent something that makes no sense, so the connection was ended",
    "lost": "The host is lost, and the table with it",
    "no_such_table": "There is no such table",
}

STATES: Mapping[str, str] = {"lobby": "in the lobby", "waiting": "waiting for its players"}
"""What tables of the list are doing, where the word of the network is not that of people."""

MOST = 6
"""Possible lines that are named in one sentence."""

_PLACES = {
    "home": "at home, where the tables are listed",
    "lobby": "in the lobby",
    "playing": "during a round",
    "between": "between rounds",
    "over": "after the match",
}

_LISTS = {Trouble.UNKNOWN: "help", Trouble.NO_SUCH_TOPIC: "help", Trouble.NO_SUCH_OPTION: "set"}
"""What lists those that there are."""

_LEAVING = {
    "leave": "Leave the table",
    "ragequit": "Leave in a rage, and let everybody know",
    "quit": "Leave the table and the program",
}


class Words:
    """Sentences for one person. me: the own nick, as the table knows it; hidden: the own cards are not named; ace: how
    that rank is written."""

    def __init__(self, cards: Cards = Cards.SIGNS, me: str = "", hidden: bool = False, ace: str = "A") -> None:
        self.voice, self._hidden = Voice(cards, me, ace), hidden

    def problem(self, problem: Problem) -> str:
        """Why a line was not carried out, one sentence."""
        details = problem.detail
        match problem.code:
            case Trouble.NOT_HERE:
                return f"`{details[0]}` works only {at(details[1:])}."
            case Trouble.WHICH_CARD if self._hidden:
                return f"{details[0].capitalize()} which card? `hide` shows your cards again."
            case Trouble.WHICH_CARD:
                more = ("…",) if len(details) > MOST + 1 else ()
                details = (*map(str.capitalize, details[:1]), *details[1 : MOST + 1], *more)
            case Trouble.WHICH if self._hidden:
                return "That can mean more than one thing; `hide` shows your cards again."
            case Trouble.WHICH if len(details) == 1:
                return f"Type it in full: {details[0]}."
            case Trouble.WHICH if len(details) > MOST:
                details = (*details[:MOST], "…")
            case Refusal.NOT_YOUR_TURN if details:
                return sentence(f"It is {_whose_turn(self.voice, details)}")
        veiled = _VEILED.get(problem.code) if self._hidden else None
        text = self._say(problem.code, details) if veiled is None else self.voice.say(veiled, details)
        if problem.code in _LISTS:
            text += (
                f"; did you mean `{details[1]}`" if len(details) > 1 else f"; `{_LISTS[problem.code]}` lists them all"
            )
            return f"{text}?" if len(details) > 1 else sentence(text)
        return f"{text}?" if problem.code in (Trouble.WHICH, Trouble.WHICH_CARD) else sentence(text)

    def question(self, remark: Remark) -> str:
        """What is asked before something is done, with its consequence."""
        details = tuple(_LEAVING[verb] for verb in remark.detail)
        return f"{self._say(remark.code, details)}: yes or no?"

    def note(self, remark: Remark) -> str:
        """What stands beside a suggestion."""
        details = remark.detail
        if remark.code is Note.PRESET:
            details = (house_rules(tuple(zip(details[1::2], details[2::2], strict=False))),)
        if remark.code is Note.ROW:
            rules = house_rules(tuple(zip(details[5::2], details[6::2], strict=False)))
            details = (*details[:4], *(STATES.get(state, state) for state in details[4:5]), rules)
        return self._say(remark.code, details)

    def coach(self, remarks: tuple[Remark, ...]) -> str:
        """The coach's line; with hidden cards nothing of what is in the hand."""
        mine = [remark for remark in remarks if not isinstance(remark.code, Advice)]
        if self._hidden and mine:
            told = [self._veiled(remark) for remark in remarks]
            told = list(filter(None, told)) or ["Your turn."]
            return " ".join([*told, "Your cards are hidden; `hide` shows them again."])
        return " ".join(sentence(self._say(remark.code, remark.detail)) for remark in remarks)

    def _veiled(self, remark: Remark) -> str:
        """What may be told of it beside hidden cards."""
        if isinstance(remark.code, Advice):
            return sentence(self._say(remark.code, remark.detail))
        return self.voice.say(_VEILED.get(remark.code, ""), remark.detail)

    def _say(self, code: Enum, details: tuple[str, ...]) -> str:
        return self.voice.say(_SENTENCES[type(code)][code], details)

    # ---- notices

    def notice(self, notice: Notice, table: TableView | None) -> tuple[str, ...]:
        """What happened, one sentence each; none for what is no news to the person here."""
        return tuple(sentence(line) for line in self._lines(notice, table) if line)

    def _lines(self, notice: Notice, table: TableView | None) -> list[str]:
        voice = self.voice
        match notice:
            case notices.Entered(seat):
                return [_entered(seat, table)]
            case notices.HostIs(nick):
                return ["you are the host" if nick == voice.me else f"{nick} is the host"]
            case notices.Seated(seat, nick, _, level):
                took = f"in seat {seat + 1}"
                if nick == voice.me:
                    return [f"You are {took}"]
                return [f"{nick} is {took}, a bot ({level})" if level else f"{nick} is {took}"]
            case notices.Watching(nick):
                return [f"{nick} came to watch"] if nick != voice.me else []
            case notices.Vacated(_, nick, reason):
                return [] if nick == voice.me and reason in _GOOD_BYES else [_left(voice, nick, reason)]
            case notices.Unwatched(nick):
                return [f"{nick} no longer watches"] if nick != voice.me else []
            case notices.OptionsSet(options, settings):
                return [_rules(options, settings)]
            case notices.MatchStarted(_, players):
                return [_match_begins(voice, players, table)]
            case notices.RoundStarted(number, players, starter):
                if starter is None:
                    return [f"Round {number} begins"]
                begins = f"Round {number}: {voice.who(players[starter])} {_start(players[starter], voice)}"
                return [begins, *_opening(voice, players, table)]
            case notices.Acted():
                return [self._acted(notice, table)]
            case notices.Shuffled(cards):
                return [f"The stock ran out: {counted(cards, 'discard')} were shuffled into a new one"]
            case notices.TimeShort(_, nicks, seconds):
                whose = listed([voice.whose(nick) for nick in nicks], "and")
                return [f"{counted(seconds, 'second')} left of {whose} time"]
            case notices.SkipWanted(_, nick, wants, needed) if wants >= needed:
                return [f"{voice.who(nick)} had the turn skipped"]
            case notices.SkipWanted(_, nick, wants, needed):
                return [f"{voice.who(nick)} wanted the turn skipped ({wants} of the {needed} who must want it)"]
            case notices.DeckShown(_, nick):
                return [f"{voice.who(nick)} laid the whole deck open: everybody can see it with `deck`"]
            case notices.RoundOver():
                return self._round_over(notice, table)
            case notices.MatchOver(scores, winners):
                return [self._match_over(scores, winners)]
            case notices.Ready(seat, nick):
                return [self._ready(nick, table)]
            case notices.Stopped(_, nick):
                return [f"{voice.who(nick)} ended the match"]
            case notices.Refused(code, text):
                return [self._refused(code, text, table)]
            case notices.Closed(reason, text):
                return [_closed(voice, reason, clean(text, 300))]
            case _:
                return self._line_or_audit(notice)

    def _line_or_audit(self, notice: Notice) -> list[str]:
        """What happens to connections, and what the check of a round found."""
        voice = self.voice
        match notice:
            case notices.Dropped(_, nick, seconds):
                kept = f"the seat is kept for {counted(seconds, 'second')}"
                return [f"{voice.whose(nick)} line is lost; {kept}"]
            case notices.Returned(_, nick):
                return ["You are back" if nick == voice.me else f"{nick} is back"]
            case notices.BotPlays(_, nick, on, reason):
                plays = "you play" if nick == voice.me else f"{nick} plays"
                why = ": three turns in a row ran out" if reason == "time-outs" else ""
                how = f"A bot plays for {voice.who(nick)} now{why}" if on else f"{plays} again"
                return [how] if reason != "lobby" else []
            case notices.Audited(number, ok, _, whose, why):
                if ok:
                    return [f"Round {number} was checked: the deal and every move are in order"]
                return [f"Round {number} is NOT in order: {clean(why, 300)}" + (f" ({whose})" if whose else "")]
            case notices.LinkLost():
                return ["The line to the host is lost; trying to get back"]
            case notices.LinkBack():
                return ["The line to the host is back"]
            case notices.Opened(title, _, port):
                return [f"Your table {clean(title, 40)} is open for others, at port {port}"]
            case notices.Failed(text):
                return [clean(text, 300)]
            case notices.Alarm(text):
                return [f"Warning: the host did what no honest host does: {clean(text, 300)}"]
            case _:
                return []

    def _acted(self, notice: notices.Acted, table: TableView | None) -> str:
        who = self.voice.who(notice.nick)
        if notice.by == "bot" and table is not None and not table.seats[notice.seat].level:
            who = f"{self.voice.whose(notice.nick)} bot"
        if self._hidden and notice.nick == self.voice.me:
            notice = replace(notice, before=None)
        if notice.kind == "blind":
            others = "the others see it" if notice.nick == self.voice.me else "it is seen"
            return f"{who} answered the call; {others} when all have answered"
        if table is None or notice.kind == "open":  # the score sheet has it
            return ""
        done = GAME_WORDS[table.game.name].acted(self.voice, notice, who, tuple(seat.nick for seat in table.seats))
        if notice.by != "time":
            return done
        return f"{done}, because the {'turn was skipped' if table.skips else 'time was up'}"

    def _round_over(self, notice: notices.RoundOver, table: TableView | None) -> list[str]:
        if notice.reason == "void":
            return [f"Round {notice.number} does not count"]
        nicks = tuple(nick for nick, _ in notice.points)
        lines = []
        if table is not None:
            view = _last_view(table, notice.number)
            lines = GAME_WORDS[table.game.name].ending(self.voice, view, notice.reason, notice.winners, nicks)
        points = ", ".join(f"{self.voice.who(nick)} {count:+d}" for nick, count in notice.points if count)
        return [*lines, f"Points: {points}" if points else "Nobody gets a point"]

    def _match_over(self, scores: tuple[tuple[str, int], ...], winners: tuple[str, ...]) -> str:
        won = listed([self.voice.who(nick) for nick in winners], "and")
        return f"The match is over, and {won} won it. {self.scores(scores)}"

    def _ready(self, nick: str, table: TableView | None) -> str:
        if nick != self.voice.me:
            return f"{nick} is ready"
        waiting = () if table is None else awaited(table)
        return "You are ready" + (f"; waiting for {listed(waiting, 'and')}" if waiting else "")

    def scores(self, scores: tuple[tuple[str, int], ...]) -> str:
        """Everybody's match score."""
        return sentence(f"Scores: {', '.join(f'{self.voice.who(nick)} {score}' for nick, score in scores)}")

    def _refused(self, code: str, text: str, table: TableView | None) -> str:
        """A refusal that came by code: our own sentence for it where we have one, else what the host wrote."""
        known = _TABLE_CODES if table is None else _REFUSALS[table.game.name]
        text, template = clean(text, 300), known.get(code)
        if code in _CLOSED:
            return _closed(self.voice, code, text)
        if template is not None:
            named = [int(name) for _, name, *_ in self.voice.parse(template) if name and name.isdecimal()]
            return self.voice.say(template, tuple(text.split(" ", max(named, default=0))) if text else ())
        return text or "The host refused that"


def at(places: Sequence[str]) -> str:
    """The places in which a command works, `in the lobby or after the match`; no place, or all but home: at a table."""
    if not places or set(places) == _PLACES.keys() - {"home"}:
        return "at a table"
    return listed([_PLACES[place] for place in places], "or")


def _last_view(table: TableView, number: int) -> Any:
    """The view of the end of that round: the score sheet's, else the open round's, else None."""
    if table.last is not None and table.last.number == number:
        return table.last.view
    return table.view if table.view is not None and not table.game.to_act(table.view) else None


def _entered(seat: int | None, table: TableView | None) -> str:
    if table is None:
        return ""
    at = f"the table {table.title}, {table.game.title}"
    if seat is None and table.mine:
        return f"You are watching {at}"
    if seat is None:
        return f"You are watching {at}; when a seat is free between two rounds, it is yours"
    return f"You sit at {at}"


def _match_begins(voice: Voice, players: tuple[str, ...], table: TableView | None) -> str:
    drawn = table is not None and dict(table.settings).get("seat_order") != "join_order"
    names = listed([voice.who(nick) for nick in players], "and")
    return f"The match begins; the seats are drawn: {names}" if drawn else f"The match begins: {names}"


def _opening(voice: Voice, players: tuple[str, ...], table: TableView | None) -> list[str]:
    """What was turned up before the first turn."""
    if table is None or table.view is None or table.game.name not in OPENINGS:
        return []
    return OPENINGS[table.game.name](voice, table.view, players)


def _rules(options: tuple[tuple[str, str], ...], settings: tuple[tuple[str, str], ...]) -> str:
    if not (options or settings):
        return "This table has the usual rules; `rules` shows them"
    return f"Rules of this table: {house_rules((*options, *settings))}"


def _start(nick: str, voice: Voice) -> str:
    return "start" if nick == voice.me else "starts"


def _whose_turn(voice: Voice, nicks: tuple[str, ...]) -> str:
    return f"not your turn; the table waits for {listed([voice.who(nick) for nick in nicks], 'and')}"


def _left(voice: Voice, nick: str, reason: str) -> str:
    return _LEFT.get(reason, "{0} got up").format(voice.who(nick))


def _closed(voice: Voice, reason: str, text: str) -> str:
    told = _CLOSED.get(reason, "The connection ended")
    if reason == "bye":
        if text == "match over":
            return "The match is over, and the table is closed"
        return "You closed the table" if text == f"{voice.me} closed the table" else text or told
    if reason == "no_such_table":
        return text or told
    if text.lower().startswith(told.lower()):
        return told + text[len(told) :]
    return f"{told}: {text}" if text else told

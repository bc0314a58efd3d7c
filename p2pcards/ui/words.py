"""Sentences for what is typed and what may be typed: problems, questions, advice, suggestions. Codes in, words out.

Those for what happens are in `words_table`, `words_people` and `words_refusals`, those of a game in `words_<game>`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum

from p2pcards.commands.coach import Advice
from p2pcards.commands.command import Problem, Remark, Trouble
from p2pcards.commands.notes import Plain
from p2pcards.commands.questions import Asked
from p2pcards.commands.suggest import Note
from p2pcards.commands.suggest_people import About
from p2pcards.commands.suggest_why import Asks
from p2pcards.games.base import Refusal
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import TableView
from p2pcards.ui import words_hand
from p2pcards.ui.dates import span
from p2pcards.ui.faces import KNOWN, Circle
from p2pcards.ui.gamewords import GAME_WORDS
from p2pcards.ui.voice import WRITTEN, Cards, Voice, house_rules, listed, sentence
from p2pcards.ui.words_people import DOORS, lets_in
from p2pcards.ui.words_refusals import REFUSALS
from p2pcards.ui.words_table import Told

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
        Trouble.A_FLAG: "`{0}` works only where p2pcards is started: here open the table first, then `door` and `set` "
        "change it",
        Trouble.SHELL_FLAG: "Options such as `{0}` belong behind `p2pcards {1}` in the shell: here it is typed `{2}`",
        Trouble.LONG_TITLE: "That title is too long: {0} would be left of it",
        Trouble.BAD_NUMBER: "{0} is no number that fits here",
        Trouble.BAD_CHOICE: "It can be {rest:or}, not {0}",
        Trouble.NO_SUCH: "There is no {0} {1}; there is {further:or}",
        Trouble.LEAVE_FIRST: "`{0}` does not work here; `leave` goes home",
        Trouble.RULES_LATER: "Rules can be changed only in the lobby or after the match",
        Trouble.RULES_HOST: "Only the host of the table can change its rules",
        Trouble.NO_SUCH_GAME: "There is no game {0}; there is {rest:or}",
        Trouble.NO_SUCH_ROW: "There is no table {0} in the list",
        Trouble.NO_SUCH_OPTION: "There is no option {0}",
        Trouble.NO_SUCH_BOT: "No bot is called {0}",
        Trouble.NO_BOT_THERE: "No bot sits in seat {0}",
        Trouble.BAD_PRESET: "{0} can't be the name of a preset: it has 1 to 24 of a-z 0-9 _ -",
        Trouble.ALONE: "Nobody else can be here in practice, so there is nobody for `{0}`",
        Trouble.NO_SUCH_PERSON: "Nobody here is called {0}",
        Trouble.YOURSELF: "That is you: `{0}` is for others",
        Trouble.THE_HOST: "{1} is the host, and can't be shown out: `leave` is the way",
        Trouble.A_BOT: "{1} is a bot: `{0}` is for people",
        Trouble.NO_SEAT: "{1} only watches: `{0}` is about those who sit at the table",
        Trouble.AT_THE_DOOR: "{0} is still at the door: `deny {0}` turns them away",
        Trouble.NOBODY_WAITS: "Nobody waits at the door",
        Trouble.SEVERAL_WAIT: "Several wait at the door, so say whom: {rest:or}",
        Trouble.NOT_WAITING: "Nobody called {0} waits at the door; there is {rest:or}",
        Trouble.NO_VOTE: "No vote is open: `vote kick NICK` calls one",
        Trouble.VOTE_OPEN: "A vote is open already, about {0:who}",
        Trouble.VOTED: "You have voted on {0} already",
        Trouble.ABOUT_YOU: "The vote is about you, so you have none in it",
        Trouble.NO_SUCH_DOOR: "There is no door {0}; there is {rest:or}",
        Trouble.NO_LAB: "`{0}` needs the key of your lab: start p2pcards with --lab-key FILE",
        Trouble.BAD_DURATION: "{0} is no time: it is typed like 10m, 2h, 7d or forever",
        Trouble.LONG_TEXT: "That is {1:count character} too long: {0} can be said at once",
        Trouble.LONG_REASON: "That reason is {1:count character} too long: it may have {0}",
        Trouble.BAD_NAME: "{0} can't be a name: it has 1 to 16 of A-Z a-z 0-9 _ -, and is no word of the table",
        Trouble.BAD_CODE: "{0} is no code: it has two words, like mango-tiger",
        Trouble.NOT_ASKED: "No table asks for a code: `join` the table first",
        Trouble.NOTHING_KEPT: "You have no seat at a table that was cut off, so there is nothing to `resume`",
        Trouble.NO_SUCH_KEPT: "You have no seat at a table called {0}; there is {rest:or}",
        Trouble.SEVERAL_KEPT: "You have a seat at several tables, so say at which: {all:or}",
        Trouble.NO_HEIR: "Nobody else at this table could be its host now",
        Trouble.ABSENT: "{0} is not there at the moment, so the table can't be handed over to them",
        Trouble.NOBODY_MISSING: "Nobody is asked to go on without anybody, so there is nothing to `{0}`",
        Trouble.NO_HOST: "Nobody hosts the table just now, so nothing was played; nothing is lost, and another host "
        "is being chosen",
        Trouble.NO_LINE: "The line to the host is lost just now, so nothing was played; nothing is lost, and it is "
        "being tried again",
        Trouble.STANDS_STILL: "The table stands still, so nothing was played; nothing is lost, and it waits "
        "for {all:who}",
        Trouble.SEAT_KEPT: "Your seat waits for you: a bot plays it until this round is over",
        Trouble.AWAY: "A bot plays for you already: `back` takes the seat again",
        Trouble.SEATED: "You have a seat",
        Trouble.NO_SUCH_TOPIC: "There is no command {0}",
        Trouble.NO_SUCH_CARD: "{0} is no card: a card is a rank and a suit, like 7H, TD or QS",
        Trouble.NO_SUCH_PLACE: "There is no card {0}: you hold {1:count card}",
        Trouble.BARE_NUMBER: "{0} is no card: `#{0}` is the card at that place of your hand, and a rank needs its "
        "suit, like 7H",
        Trouble.TWICE: "{0:cards} stands there twice, but there is only one",
        Trouble.OTHER_GAME: "There is no `{0}` in {1}: `turn` tells what you may do",
        Trouble.NO_ROUND: "No round is open, so there is nothing to {0}",
        Trouble.WATCHING: "You are watching: `{0}` is for those who sit at the table",
        Trouble.MATCH_OVER: "The match is over, so there is nothing to `{0}`: `again` starts another one",
        Trouble.PENDING: "Your `{0}` is still on its way",
        Trouble.NO_USE: "There is nothing that you can do with {all:cards} now",
        Trouble.WHICH: "Which one: {all:or}",
        Trouble.WHICH_CARD: "{0} which card: {rest:or}",
        Trouble.WHICH_CARDS: "{0} with which cards: {rest:or}",
        Trouble.NOTHING_TO: "There is nothing that you can `{0}` now: `turn` tells what you may do",
        Trouble.ONE_CARD: "One card at a time: {rest:and cards} are {0}",
        Trouble.NOT_AN_ACTION: "`{0}` can't be understood like that; it is typed like {rest:or code}",
    },
    Refusal: REFUSALS,
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
        Advice.KNOCK: "{0} waits at the door: `admit {0}` or `deny {0}`",
        Advice.KNOCK_NAMED: "Somebody waits at the door who is NOT the {0} you know: `deny {0}` or `admit {0}`",
        Advice.KNOCKS: "At the door wait {all:who}: `admit NICK` or `deny NICK`",
        Advice.VOTE: "{1:who} wants {0:who} shown out: `vote yes` or `vote no`",
        Advice.ABOUT_YOU: "{0} wants you shown out, and the others vote on it",
        Advice.DOOR_ASK: "{0} could come again under another key: with `door ask` you decide who comes in",
        Advice.CHANGING: "No word from {0}, who hosts: another host is being chosen, and your turn waits for it",
        Advice.STANDS_STILL: "The table stands still until it has {all:who} back",
        Advice.LINE_LOST: "No word from {0}, who hosts: your turn waits until the line is back, or another hosts",
        Advice.SEAT_KEPT: "Your seat waits for you: a bot plays it until this round is over",
        Advice.GO_ON: "Go on without {all:who}? `proceed` does, if all who are here agree; `wait` does not",
        Advice.ONLOOKING: "You are watching: `sit` asks for a seat that is free between rounds",
        Advice.CODE_WANTED: "The table {0} asks for its code, two words that its host can see",
    },
    Asked: {
        Asked.CALL: "Call: claim the lowest hand? You can't take it back",
        Asked.FOLD: "Fold? You give in without showing your hand",
        Asked.STOP: "Stop? The match ends for everybody",
        Asked.CLOSES: "{0}? You are the host: the table closes for everybody",
        Asked.ENDS: "{0}? You are the host: the match ends for everybody, and the table closes",
        Asked.HANDS_OVER: "{0}? The table goes on, and {rest:or} will host it",
        Asked.HANDS_OVER_PLAYS: "{0}? The round goes on: {rest:or} will host the table, and a bot plays for you",
        Asked.ENDS_ALONE: "{0}? The match ends with it",
        Asked.DECK: "Lay the whole deck open? Everybody at the table will see all cards",
        Asked.STANDS_STILL: "{0}? The table stands still now; once it goes on, a bot plays for you",
        Asked.BOT_PLAYS: "{0}? The round goes on, and a bot plays for you",
        Asked.KICK: "Show {0} out? Everybody is told, and for ten minutes there is no way back",
        Asked.KICK_PLAYS: "Show {0} out? A bot plays the round on, and for ten minutes there is no way back",
        Asked.BAN: "Show {0} out, and keep them from your tables for {1}? Everybody is told",
        Asked.TURN_AWAY: "Turn {0} away, and keep them from your tables for {1}",
        Asked.BAN_FOREVER: "Show {0} out, and keep them from your tables for good? Everybody is told; `unban` lifts it",
    },
    Note: {
        Note.HELP: "{0}",
        Note.WAYS: "{0:count way} to go on",
        Note.GAME: "{0}",
        Note.ROW: "{0} · {1} · host {2} · {3:count seat} free · {4}",
        Note.OPTION: "{0}: {1}",
        Note.CHANGED: "{0} (usually {2}): {1}",
        Note.VALUE: "{0}",
        Note.PRESET: "{0}",
        Note.NOW: "now: {0}",
        Note.USUAL: "usual: {0}",
        Note.PLAIN: "",
    },
    About: {
        About.CALLER: "{0}",
        About.CALLER_NAMED: "{0}, NOT the one you know by that name",
        About.FELLOW: "{0}",
        About.KNOWN: "not here",
        About.BANNED: "may not come in",
        About.VOTE: "{1:who} wants {0:who} shown out: {2} of {3} needed",
        About.VOTE_NO: "{0:who} may stay",
        About.DURATION: "for {0}",
        About.OPEN: DOORS["open"],
        About.ASK: lets_in("ask", mine=True),
        About.CODE: DOORS["code"],
        About.OTHER_CODE: "another code; the old one opens no more",
        About.LAB: DOORS["lab"],
        About.LAB_UID: DOORS["lab+uid"],
        About.GO_ON: "the table goes on without {all:who}, if all who are here agree",
        About.WAIT: "the table waits for {all:who}",
        About.KEPT: "{2} · {0} · you were there {1} ago",
        About.WORD: "",
    },
    Asks: {
        Asks.VERB: "{0}",
        Asks.CAN: "something can be done with it",
        Asks.CANT: "nothing can be done with it now",
        Asks.CARD: "",
        Asks.MELD: "{0:whose} meld",
    },
    Plain: {Plain.VERB: "{0}"},
    **{code: texts for words in GAME_WORDS.values() for code, texts in words.SENTENCES.items()},
    **words_hand.SENTENCES,
}

_VEILED: Mapping[type[Enum], Mapping[Enum, str]] = {
    kind: {code: text for code, text in words.VEILED.items() if type(code) is kind}
    for words in GAME_WORDS.values()
    for kind in words.SENTENCES
}
"""By kind, for codes of several games may be equal."""

STATES: Mapping[str, str] = {"lobby": "in the lobby", "waiting": "changing its host"}
"""What tables of the list are doing, where the word of the network is not that of people."""

MOST = 6
"""Possible lines that are named in one sentence."""

WOULD = 3
"""Likewise of lines that would do, where the one that was typed does not."""

NUMBERS = {2: "two", 3: "three", 4: "four"}

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


_WAYS_OUT = frozenset(
    {
        *(Asked.CLOSES, Asked.ENDS, Asked.HANDS_OVER, Asked.HANDS_OVER_PLAYS),
        *(Asked.ENDS_ALONE, Asked.BOT_PLAYS, Asked.STANDS_STILL),
    }
)


class Words:
    """Sentences for one person. me: the own nick, as the table knows it; hidden: the own cards are not named; ace: how
    that rank is written; circle: whom they know; host: who ran the table until now; minus: that sign."""

    def __init__(
        self,
        cards: Cards = Cards.SIGNS,
        me: str = "",
        hidden: bool = False,
        ace: str = "A",
        circle: Circle | None = None,
        host: str = "",
        minus: str = WRITTEN,
    ) -> None:
        self.voice, self._hidden = Voice(cards, me, ace, minus), hidden
        self._told = Told(self.voice, hidden, circle or Circle(), host)

    def notice(self, notice: Notice, table: TableView | None) -> tuple[str, ...]:
        """What happened, one sentence each; none for what is no news to the person here."""
        return self._told.notice(notice, table)

    def scores(self, scores: tuple[tuple[str, int], ...]) -> str:
        """Everybody's match score."""
        return self._told.scores(scores)

    def problem(self, problem: Problem) -> str:
        """Why a line was not carried out, one sentence."""
        details = problem.detail
        match problem.code:
            case Trouble.NOT_HERE:
                return f"`{details[0]}` works only {at(details[1:])}."
            case Trouble.LEAVE_FIRST if details[1:]:
                return f"`{details[0]}` works only {at(details[1:])}; `leave` goes home."
            case Trouble.WHICH_CARD | Trouble.WHICH_CARDS if self._hidden:
                asked = "which card" if problem.code is Trouble.WHICH_CARD else "which cards"
                return f"{_begun(*details[:1])} {asked}? `hide` shows your cards again."
            case Trouble.WHICH_CARD | Trouble.WHICH_CARDS:
                more = ("…",) if len(details) > MOST + 1 else ()
                details = (_begun(*details[:1]), *details[1 : MOST + 1], *more)
            case Trouble.ONE_CARD:
                details = (NUMBERS.get(len(details), str(len(details))), *details)
            case Trouble.NOT_AN_ACTION if details[2:] and not self._hidden:
                details = (details[0], *details[2 : 2 + WOULD])
            case Trouble.NOT_AN_ACTION:
                details = details[:2]
            case Trouble.WHICH if self._hidden:
                return "That can mean more than one thing; `hide` shows your cards again."
            case Trouble.WHICH if len(details) == 1:
                return f"Type it in full: {details[0]}."
            case Trouble.WHICH if len(details) > MOST:
                details = (*details[:MOST], "…")
            case Refusal.NOT_YOUR_TURN if details:
                return sentence(f"It is {_whose_turn(self.voice, details)}")
        veiled = _VEILED.get(type(problem.code), {}).get(problem.code) if self._hidden else None
        text = self._say(problem.code, details) if veiled is None else self.voice.say(veiled, details)
        if problem.would and not self._hidden:
            text = f"{text.rstrip('.')}; {listed([f'`{line}`' for line in problem.would[:WOULD]], 'or')} would do"
        if problem.code is Trouble.HOST_ONLY and details[:1] in (("kick",), ("ban",)):
            return f"{text}; `vote kick NICK` asks the others."
        if problem.code is Trouble.NO_SUCH_PERSON and len(details) > 1:
            return f"{text}; did you mean {details[1]}?"
        if problem.code is Trouble.BAD_CODE and len(details) > 1:
            meant = f"; did you mean {details[2]}?" if len(details) > 2 else ""
            return f"No code has the word {details[1]}{meant or '.'}"
        if problem.code is Trouble.UNKNOWN and len(details) > 1 and details[1].startswith("say "):
            return f"{text}; `help` lists them all, and `{details[1]}` says it to the table."
        if problem.code in _LISTS:
            text += (
                f"; did you mean `{details[1]}`" if len(details) > 1 else f"; `{_LISTS[problem.code]}` lists them all"
            )
            return f"{text}?" if len(details) > 1 else sentence(text)
        asks = problem.code in (Trouble.WHICH, Trouble.WHICH_CARD, Trouble.WHICH_CARDS)
        return f"{text}?" if asks else sentence(text)

    def question(self, remark: Remark) -> str:
        """What is asked before something is done, with its consequence."""
        details = remark.detail
        if remark.code in _WAYS_OUT:
            details = (_LEAVING[details[0]], *details[1:])
        if remark.code in (Asked.BAN, Asked.TURN_AWAY):
            details = (details[0], span(int(details[1])) if details[1] != "0" else "good")
        return f"{self._say(remark.code, details)}: yes or no?"

    def note(self, remark: Remark) -> str:
        """What stands beside a suggestion."""
        details = remark.detail
        if remark.code is Note.PRESET:
            details = (house_rules(tuple(zip(details[1::2], details[2::2], strict=False))),)
        if remark.code is Note.ROW:
            rules = house_rules(tuple(zip(details[5::2], details[6::2], strict=False)))
            state = "" if details[4:5] == ("lobby",) else "".join(STATES.get(one, one) for one in details[4:5])
            details = (*details[:4], " · ".join(filter(None, (state, rules))))
        if remark.code in (About.CALLER, About.FELLOW):
            details = (self._known(remark.code, *details[:3]),)
        if remark.code is About.KEPT and details:
            details = (details[0], *(span(int(text)) for text in details[1:2] if text.isdecimal()), *details[2:])
        if remark.code is About.DURATION:
            details = tuple("good" if text == "0" else span(int(text)) for text in details[:1])
        return self._say(remark.code, details)

    def _known(self, code: Enum, chip: str = "", known: str = "", name: str = "") -> str:
        """Two words of a key and what else is known: of a caller the proved login, of others our name for them."""
        kind = KNOWN.get(known, "NOT the one you know")
        more = f"verified login {name}" if code is About.CALLER else f"called {name}"
        return ", ".join([chip, kind, *([more] if name else [])])

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
        return self.voice.say(_VEILED.get(type(remark.code), {}).get(remark.code, ""), remark.detail)

    def _say(self, code: Enum, details: tuple[str, ...]) -> str:
        return self.voice.say(_SENTENCES[type(code)][code], details)


def at(places: Sequence[str]) -> str:
    """The places in which a command works, `in the lobby or after the match`; no place, or all but home: at a table."""
    if not places or set(places) == _PLACES.keys() - {"home"}:
        return "at a table"
    return listed([_PLACES[place] for place in places], "or")


def _begun(line: str = "") -> str:
    """The beginning of a line as that of a sentence."""
    return line[:1].upper() + line[1:]


def _whose_turn(voice: Voice, nicks: tuple[str, ...]) -> str:
    return f"not your turn; the table waits for {listed([voice.who(nick) for nick in nicks], 'and')}"

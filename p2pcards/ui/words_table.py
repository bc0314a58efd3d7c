"""What happens at a table, in sentences: seats, rounds, moves, lines."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import TableView
from p2pcards.ui import words_deal, words_host, words_people
from p2pcards.ui.context import awaited
from p2pcards.ui.dates import span
from p2pcards.ui.faces import Circle
from p2pcards.ui.gamewords import GAME_WORDS, OPENINGS
from p2pcards.ui.voice import Voice, counted, house_rules, listed, sentence
from p2pcards.ui.words_refusals import closed, refused
from p2pcards.wire.text import clean

_LEFT: Mapping[str, str] = {
    "left": "{0} left the table",
    "ragequit": "{0} left in a rage",
    "bot removed": "{0} was sent away",
    "lost": "{0} did not come back, so the seat is free",
}

_WHY_BOT: Mapping[str, str] = {
    "away": " until `back`",
    "time-outs": ": three turns in a row ran out",
    "contributions": ": twice no part of the shuffle came in time",
}

_LONGEST = 1000
"""Characters of one sentence."""

_GOOD_BYES = frozenset({"left", "ragequit"})
"""Ways to go that are one's own: of one's own seat the end of the table tells."""


class Told:
    """Sentences for notices.

    hidden: the own cards are not named; circle: whom the listener knows; host: who ran the table until now.
    """

    def __init__(self, voice: Voice, hidden: bool, circle: Circle, host: str = "") -> None:
        self.voice, self._hidden, self._circle, self._host = voice, hidden, circle, host

    def notice(self, notice: Notice, table: TableView | None) -> tuple[str, ...]:
        """What happened, one sentence each; none for what is no news to the person here."""
        if isinstance(notice, notices.Spoken):  # said by people, so it stays as they wrote it
            return (words_people.spoken(notice, self.voice, table, self._circle),)
        return tuple(sentence(clean(line, _LONGEST)) for line in self._lines(notice, table) if line)

    def _lines(self, notice: Notice, table: TableView | None) -> list[str]:
        voice = self.voice
        match notice:
            case notices.Entered(seat):
                return [_entered(seat, table)]
            case notices.Seated(seat, nick, _, level, again):
                took = f"in seat {seat + 1}"
                if again and nick == voice.me:
                    return [f"You have your seat again, number {seat + 1}: until now a bot played it"]
                if again:
                    return [f"{nick} plays again {took}, where a bot sat"]
                if nick == voice.me:
                    return [f"You are {took}"]
                return [f"{nick} is {took}, a bot ({level})" if level else f"{nick} is {took}"]
            case notices.Watching(nick):
                own = table is not None and table.me is None and nick == table.nick  # a bot may have the name too
                return [] if own or nick == voice.me else [f"{nick} came to watch"]
            case notices.Vacated(_, nick, reason):
                told = reason == "kicked" or (nick == voice.me and reason in _GOOD_BYES)
                return [] if told else [_left(voice, nick, reason)]
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
            case notices.TimeShort((), _, seconds):
                return [f"The table closes in {span(seconds)} unless somebody does something"]
            case notices.TimeShort(_, nicks, seconds):
                whose = listed([voice.whose(nick) for nick in nicks], "and")
                return [f"{counted(seconds, 'second')} left of {whose} time"]
            case notices.SkipWanted(_, nick, wants, needed) if wants >= needed or (table and nick == table.host):
                return [f"{voice.who(nick)} had the turn skipped"]
            case notices.SkipWanted(_, nick, wants, needed):
                return [f"{voice.who(nick)} wanted the turn skipped ({wants} of the {needed} who must want it)"]
            case notices.DeckShown(_, nick):
                return [f"{voice.who(nick)} laid the whole deck open: everybody can see it with `deck`"]
            case notices.RoundOver():
                return self._round_over(notice, table)
            case notices.MatchOver(scores, winners):
                lapses = [f"The pot of {table.pot} lapses"] if table is not None and table.pot else []
                return [self._match_over(scores, winners), *lapses]
            case notices.Ready(seat, nick):
                return [self._ready(nick, table)]
            case notices.Stopped(_, nick):
                return [f"{voice.who(nick)} ended the match"]
            case notices.Hinted():
                return [_hint(notice, voice, table, hidden=self._hidden)]
            case notices.Refused(code, text, until):
                game = "" if table is None else table.game.name
                return [refused(voice, code, text, until, game, self._circle.wall)]
            case notices.Closed(reason, text, until):
                return [closed(voice, reason, text, until, self._circle.wall)]
            case _:
                return self._line_or_audit(notice, table)

    def _line_or_audit(self, notice: Notice, table: TableView | None) -> list[str]:
        """What happens to connections, and to the shuffle before a round and its check afterwards."""
        voice = self.voice
        match notice:
            case notices.Dropped(_, nick, seconds):
                kept = f"the seat is kept for {counted(seconds, 'second')}"
                return [f"{voice.whose(nick)} line is lost; {kept}"]
            case notices.Returned(_, nick):
                return ["You are back" if nick == voice.me else f"{nick} is back"]
            case notices.BotPlays(_, nick, on, reason):
                plays = "you play" if nick == voice.me else f"{nick} plays"
                how = f"A bot plays for {voice.who(nick)} now{_WHY_BOT.get(reason, '')}" if on else f"{plays} again"
                return [how]
            case notices.LinkLost():
                return ["The line to the host is lost; trying to get back"]
            case notices.LinkBack(another):
                return [] if another else ["The line to the host is back"]
            case notices.Opened(title, _, port):
                return [f"Your table {clean(title, 40)} is open for others, at port {port}"]
            case notices.Failed(text):
                return [clean(text, 300)]
            case notices.Alarm(text):
                return [f"Warning: the host did what no honest host does: {clean(text, 300)}"]
            case _:
                if isinstance(notice, notices.RolledBack) and self._hidden:
                    table = None  # what was done names cards
                told = words_deal.lines(notice, voice, table)
                told = words_host.lines(notice, voice, table, self._host) if told is None else told
                return words_people.lines(notice, voice, table, self._circle) if told is None else told

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
        clocked = dict(table.settings).get("turn_seconds", "0") != "0"
        return f"{done}, because the {'time was up' if clocked and not table.skips else 'turn was skipped'}"

    def _round_over(self, notice: notices.RoundOver, table: TableView | None) -> list[str]:
        if notice.reason == "void":
            return [f"Round {notice.number} does not count"]
        nicks = tuple(nick for nick, _ in notice.points)
        lines = []
        if table is not None:
            view = _last_view(table, notice.number)
            lines = GAME_WORDS[table.game.name].ending(self.voice, view, notice.reason, notice.winners, nicks)
        points = ", ".join(
            f"{self.voice.who(nick)} {self.voice.points(count, gained=True)}" for nick, count in notice.points if count
        )
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
        told = (f"{self.voice.who(nick)} {self.voice.points(score)}" for nick, score in scores)
        return sentence(f"Scores: {', '.join(told)}")


def _last_view(table: TableView, number: int) -> Any:
    """The view of the end of that round: the score sheet's, else the open round's, else None."""
    if table.last is not None and table.last.number == number:
        return table.last.view
    return table.view if table.view is not None and not table.game.to_act(table.view) else None


def _entered(seat: int | None, table: TableView | None) -> str:
    if table is None:
        return ""
    at = f"the table {table.title}, {table.game.title}"
    if seat is None and table.kept_seat is not None:
        return f"You are watching {at}; your seat waits for you: a bot plays it until this round is over"
    if seat is None and table.mine:
        return f"You are watching {at}"
    if seat is None and table.onlooker:
        return f"You are watching {at}; `sit` asks for a seat"
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


def _left(voice: Voice, nick: str, reason: str) -> str:
    return _LEFT.get(reason, "{0} got up").format(voice.who(nick))


def _hint(hint: notices.Hinted, voice: Voice, table: TableView | None, *, hidden: bool) -> str:
    """What a bot would do, and why: it names cards of the own hand."""
    if hidden:
        return "Your cards are hidden, and so is the hint; `hide` shows them again"
    would = f"A bot would `{voice.action(hint.action)}`"
    if hint.sure:
        return f"{would}: with that you win the round, whatever the others hold"
    if not hint.second:
        legal = () if table is None or table.view is None else tuple(table.game.legal_actions(table.view))
        return f"{would}: there is nothing else that you can do" if len(legal) == 1 else would
    deals = counted(hint.worlds, "deal")
    return f"{would}: of {deals} that fit what you know it came out best; next was `{voice.action(hint.second)}`"

"""Who runs the table, whether it would outlive that, and what happens when it does, in sentences."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import Safe, Stage, TableView
from p2pcards.ui.voice import Voice, counted, listed
from p2pcards.ui.words_people import lets_in
from p2pcards.wire.text import NICK_CHARS, clean

IF_THE_HOST_GOES: Sequence[str] = (
    "Who is the host: the program that deals and keeps the table's journal, first that of whoever opened the "
    "table. All other programs hold the same journal, and shares of the round's secret that are worth nothing one "
    "by one.",
    "When the host leaves, quits or types `handover NICK`: another player's program takes over within a second, "
    "and nothing else changes. Only a table where nobody else plays closes with its host.",
    "When the host's program dies, with three players or more: after some five seconds the others choose the next "
    "host. More than half of the table must be there for that, the dead host counted in. They put their shares "
    "together, and the round goes on with every hand, meld and score as it was. Whose last move had not reached "
    "the others is told, and makes it again. Of four players three must be there; if two are, the table waits.",
    "With two players there is no majority, and no share, since it would show all cards. When the guest's program "
    "dies, a bot plays on until the guest is back. When the host's dies, the guest waits, and may then go on "
    "alone: the open round is lost, scores stay, and a bot plays for the host. A host whose program comes back "
    "goes on where it stopped.",
    "When too few are there, the table stands still, and waits. After a while it asks all who are there whether "
    "to go on without the others: `proceed` agrees, `wait` does not, and it takes everybody. The scores of "
    "finished rounds stay; the open round goes on if its host is among those who are there, and is dealt anew if "
    "not.",
    "Two halves of a table that can't reach each other never both go on: at most one of them has the majority. "
    "What the other one did meanwhile is undone there, and told.",
    "Coming back: your seat is yours by your key. The program looks for the table by itself; after a crash, "
    "`resume` at home or `p2pcards resume` goes back to it. Until then a bot plays for you once the grace time is "
    "over.",
    "`safe` beside the host's name says that all of this would work now; `who` tells what is missing if it would not.",
)
"""What becomes of a table when somebody goes, a paragraph each."""

_WHY_NOT: Mapping[str, str] = {
    "alone": "nobody else plays here, so the table would stand still until {0} back",
    "two": "with two players the open round would be lost, and the scores kept",
    "links": "not all programs reach each other yet ({nicks})",
    "votes": "until the next round {nicks} can't vote on another host",
    "shares": "shares of this round are not confirmed yet by {nicks}",
    "host": "there is no host now",
}
"""What would become of the table if its host were gone now, or why; by `tableview.Safe.why`."""

_CALLED_OFF = "; the open round would not count then"


def lines(notice: Notice, voice: Voice, table: TableView | None, host: str) -> list[str] | None:
    """What happened; None for notices that are not about this. host: who was it before, "" where that isn't known."""
    match notice:
        case notices.HostIs():
            return _host_is(notice, voice, host, table)
        case notices.HostChanging(nick) if nick == voice.me:
            return ["The others have not heard from you for too long: another host is being chosen"]
        case notices.HostChanging(nick):
            return [f"No word from {_name(nick)}, who hosts: another host is being chosen"]
        case notices.TableWaits(()):
            return ["The table goes on"]
        case notices.TableWaits(nicks):
            return [f"The table stands still, for too few are here: it waits for {_names(nicks, voice)}"]
        case notices.GoOnAsked():
            return [_asked(notice, voice, table)]
        case notices.GoOnDenied(nick):
            return [f"{voice.who(_name(nick))} would rather wait, so the table does"]
        case notices.WentOn(nicks) if voice.me in nicks or (table is not None and table.nick in nicks):
            return ["The others went on without you, and a bot has your seat; it is yours again from the next round on"]
        case notices.WentOn(nicks):
            seats = (
                "a bot has the seat until its player comes"
                if len(nicks) == 1
                else "bots have the seats until they come"
            )
            return [f"The table goes on without {_names(nicks, voice)}; {seats} back"]
        case notices.RolledBack():
            return _rolled_back(notice, table)
        case notices.RoundVoid(number):
            return [f"The cards of round {number} are lost with their host, so it is dealt anew"]
        case notices.SharesAwaited(nicks, seconds):
            most = f", {counted(seconds, 'second')} at the most" if seconds else ""
            return [f"To go on with these cards, the new host needs a share from {_names(nicks, voice)}{most}"]
        case notices.DoorFellBack(door):
            does = lets_in(door, mine=True)
            return [
                f"Without the key of the lab you can't keep its door: it is {door} now{f', {does}' if does else ''}"
            ]
    return _lies(notice, voice)


def _lies(notice: Notice, voice: Voice) -> list[str] | None:
    """Who did what nobody honest does."""
    match notice:
        case notices.FalseShare(nick):
            who = voice.who(_name(nick))
            return [f"Warning: the share that {who} sent is not the one that was handed out, so it is left out"]
        case notices.DoubleVote(nick, term):
            return [f"Warning: {voice.who(_name(nick))} voted for two hosts at once (term {term}); the proof is kept"]
    return None


def _host_is(notice: notices.HostIs, voice: Voice, before: str, table: TableView | None) -> list[str]:
    nick, mine = _name(notice.nick), notice.nick == voice.me
    hosts = "you host" if mine else f"{nick} hosts"
    match notice.why:
        case "" if mine and table is not None and not table.mine:
            return []  # so it was when we went, and the others have yet to tell us how it is
        case "":
            return ["you are the host" if mine else f"{nick} is the host"]
        case "handed over" if before and before != notice.nick:
            hands = "you handed" if before == voice.me else f"{_name(before)} handed"
            return [f"{hands} the table over: {hosts} now"]
        case "elected" if before and before != notice.nick:
            gone = "you were out of reach" if before == voice.me else f"{_name(before)}'s program is gone"
            return [f"{hosts} now: {gone}"]
    return [] if notice.nick == before else [f"{hosts} now"]


def _asked(notice: notices.GoOnAsked, voice: Voice, table: TableView | None) -> str:
    without = f"go on without {_names(notice.nicks, voice)}"
    lost = _CALLED_OFF if notice.void else ""
    if notice.by:
        return f"{_name(notice.by)} wants to {without}: `proceed` agrees, `wait` does not{lost}"
    if table is not None and _players(table) <= {voice.me, *notice.nicks}:
        return f"You can {without}: `proceed` does, `wait` waits{lost}"
    return f"The table could {without}: type `proceed`, and it does if all who are here agree{lost}"


def _players(table: TableView) -> set[str]:
    """Nicks of the members who play themselves."""
    return {seat.nick for seat in table.seats if seat.key and not seat.bot_plays}


def _rolled_back(notice: notices.RolledBack, table: TableView | None) -> list[str]:
    steps, them = ("The last step was", "it") if notice.count == 1 else (f"The last {notice.count} steps were", "them")
    undone = f"{steps} undone, for too few had heard of {them}"
    if not notice.mine:
        return [undone]
    again = "do it again"
    if table is not None:
        again = f"type {listed([f'`{clean(text, 60)}`' for text in notice.mine], 'and')} again"
    return [undone, f"What you did last is undone with it: {again}"]


def safety(table: TableView) -> str:
    """Whether the table would outlive its host, and what not; a part of a sentence, empty where nobody has said."""
    safe = table.safe
    if safe is None:
        return ""
    if safe.ok:
        return f"the table goes on if {_gone(table)}"
    template = _WHY_NOT.get(safe.why, "")
    if "{nicks}" in template and not safe.nicks:
        template = ""
    if safe.why == "links" and len(safe.nicks) == 1:
        template = "there is no line to {nicks}"
    if safe.why == "shares" and table.host in safe.nicks:  # it took over: what it holds itself goes with it
        template = "this round would have to be dealt anew; the next ones would not"
    nicks = listed([_name(nick) for nick in safe.nicks], "and")
    told = template.format("you are" if table.mine else f"{_name(table.host)} is", nicks=nicks)
    return f"not safe if {_gone(table)}" + (f": {told}" if told else "")


def hangs_on(safe: Safe) -> str:
    """Why it would not, in a few words for the first line of a screen; empty where there is little to say."""
    nicks = listed([_name(nick) for nick in safe.nicks], "and")
    match safe.why:
        case "two":
            return "two play"
        case "links" if len(safe.nicks) == 1:
            return f"no line to {nicks}"
        case "links":
            return "lines are missing"
        case "votes" if nicks:
            return f"{nicks} can't vote yet"
        case "shares":
            return "shares on their way"
    return ""


def _gone(table: TableView) -> str:
    return "your program is gone" if table.mine else f"{_name(table.host)}'s program is gone"


def asked_soon(table: TableView, now: float) -> str:
    """When we may go on without whom, a part of a sentence; empty where that is not to come, or has come."""
    if table.asks_at is None or table.may_go_on or not table.waiting_for:
        return ""
    names = listed([_name(nick) for nick in table.waiting_for], "and")
    return f"in {max(1, round(table.asks_at - now))} s you may go on without {names}"


def not_asked(verb: str, table: TableView, now: float) -> str:
    """Why `proceed` or `wait` comes too early, and when it will do; empty where it is out of place altogether."""
    if soon := asked_soon(table, now):
        return f"Not yet: {soon}."
    if table.changing:
        return f"Another host is being chosen: you are asked for `{verb}` only if nobody can be."
    if table.waiting_for:
        return f"You are not asked for `{verb}`: that is for those who had a seat when this round began."
    if not table.connected:
        return f"The line to the host has just been lost: you are asked for `{verb}` if it stays so."
    return ""


def standing(table: TableView, now: float) -> list[str]:
    """Why nothing moves, and when one may go on, a sentence each; nothing where all is well."""
    if table.waiting_for:
        names = listed([_name(nick) for nick in table.waiting_for], "and")
        soon = asked_soon(table, now)
        return [f"The table stands still and waits for {names}.", *([f"{soon[0].upper()}{soon[1:]}."] if soon else [])]
    if table.changing:
        return [f"No word from {_name(table.host)}, who hosts: another host is being chosen."]
    return [] if table.connected else [f"No word from {_name(table.host)}, who hosts; trying to get back."]


def banner(table: TableView, now: float = 0.0) -> tuple[str, ...]:
    """Why nothing moves, in several lengths, the longest first; nothing where all is well."""
    if table.may_go_on:
        names = listed([_name(nick) for nick in table.may_go_on], "and")
        return (
            f"go on without {names}? `proceed` or `wait`",
            f"without {names}? `proceed`, `wait`",
            "`proceed` or `wait`?",
        )
    if table.waiting_for:
        names = listed([_name(nick) for nick in table.waiting_for], "and")
        more = "; moves wait too" if table.stage is Stage.PLAYING else ""
        waits = (f"too few are here: waiting for {names}{more}", f"waiting for {names}", "waiting…")
        if soon := asked_soon(table, now):
            return (f"waiting for {names}{more}; {soon}", f"waiting; {soon}", *waits[1:])
        return waits
    if table.changing:
        why = "you were away too long" if table.host == table.nick else f"no word from {_name(table.host)}"
        return (f"{why}: changing host…", "changing host…", "changing…")
    return ()


def _name(nick: str) -> str:
    return clean(nick, NICK_CHARS)


def _names(nicks: Sequence[str], voice: Voice) -> str:
    return listed([voice.who(_name(nick)) for nick in nicks], "and")

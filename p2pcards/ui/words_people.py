"""Doors, people, what they say to each other, and who is shown out, in sentences."""

from __future__ import annotations

from collections.abc import Mapping

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.people import Known
from p2pcards.table.tableview import TableView
from p2pcards.ui import dates
from p2pcards.ui.faces import Circle, namesake, waiting
from p2pcards.ui.voice import Voice, counted
from p2pcards.wire.entries import REASON_CHARS
from p2pcards.wire.identity import chip
from p2pcards.wire.messages import CHAT_CHARS
from p2pcards.wire.text import NICK_CHARS, clean

DOORS: Mapping[str, str] = {
    "open": "everybody on this network can come in",
    "ask": "the host is asked about everybody who comes",
    "code": "who knows the code can come in",
    "lab": "members of the lab can come in",
    "lab+uid": "members of the lab can come in, each under a login that the lab has proved",
}
"""What each door of a table does."""

_OWN_DOORS: Mapping[str, str] = {**DOORS, "ask": "you are asked about everybody who comes"}
"""The same for the host."""

CODE = "two words to tell whom you want in"
"""What the code of one's own table is for."""

KNOWN_CODE = "code {0}: who knows these two words can come in"
"""The door of one's own table that asks for its code."""

SPECTATORS = "spectators"
"""Whom words are for that players don't hear."""

_CODE_SINCE: Mapping[str, str] = {
    "opened": "The code of this table is {0}: tell it to whom you want in",
    "guessed": "Too many wrong guesses: the code of this table is now {0}",
    "kicked": "Somebody was shown out, so the code of this table is now {0}",
}

_WENT: Mapping[str, str] = {
    "admitted": "",  # they come in, which is told
    "declined": "{0} was not let in",
    "late": "{0} waited at the door too long, and was not let in",
    "gone": "{0} no longer waits at the door",
}


def lets_in(door: str, mine: bool) -> str:
    """What that door does, to its host or to others; nothing of one that is not known."""
    return (_OWN_DOORS if mine else DOORS).get(door, "")


def lines(notice: Notice, voice: Voice, table: TableView | None, circle: Circle) -> list[str]:
    """What happened; nothing for notices that are not about people."""
    match notice:
        case notices.DoorSet(door):
            does = lets_in(door, table is not None and table.mine)
            return [f"The door of the table is {clean(door, NICK_CHARS)} now{f': {does}' if does else ''}"]
        case notices.CodeIs(code, why):
            return [_CODE_SINCE.get(why, "The code of this table is now {0}").format(code)]
        case notices.Knocked():
            return [_knocked(notice, circle)]
        case notices.WentAway(nick, why):
            return [_WENT.get(why, _WENT["gone"]).format(nick)]
        case notices.Waiting(seconds):
            at_most = counted(seconds, "second")
            return [f"You wait at the door: the host is asked, for {at_most} at the most; `leave` gives up"]
        case notices.CodeWanted(title):
            return [f"{wanted(title)} Type it; `leave` gives up"]
        case notices.OtherKey(nick, key, known):
            return [_other_key(nick, key, known)]
        case _:
            return _shown_out(notice, voice, table, circle)


def wanted(title: str) -> str:
    """That a table asks for its code, a sentence."""
    return f"The table {clean(title, 40)} asks for its code, two words that its host can see."


def asks(notice: notices.Knocked, circle: Circle) -> str:
    """`ana (mango-tiger, new)`."""
    who = waiting(circle.people, notice.key, notice.nick, notice.known, notice.login)
    return f"{who.nick} ({who.about})"


def _knocked(notice: notices.Knocked, circle: Circle) -> str:
    nick = clean(notice.nick, NICK_CHARS)
    choice = f"`admit {nick}` or `deny {nick}`"
    if notice.known != Known.OTHER:
        return f"{asks(notice, circle)} asks to come in: {choice}"
    like = namesake(circle.people, nick)
    known = [person for person in circle.people.named(like) if person.key != notice.key]
    words_of = f" ({chip(known[0].key)})" if known else ""
    login = f", verified login {clean(notice.login, NICK_CHARS)}" if notice.login else ""
    return (
        f"Warning: {nick} ({chip(notice.key)}{login}) asks to come in and is NOT the {like} you know{words_of}: ask by "
        f"voice before you type {choice}; `whois {nick}` tells more"
    )


def _other_key(nick: str, key: bytes, known: bytes) -> str:
    nick = clean(nick, NICK_CHARS)
    return (
        f"Warning: {nick} at this table ({chip(key)}) is NOT the {nick} you know ({chip(known)}): the name is the "
        f"same, the key is another; `whois {nick}` tells more"
    )


def _shown_out(notice: Notice, voice: Voice, table: TableView | None, circle: Circle) -> list[str]:
    match notice:
        case notices.Kicked():
            return [kicked(notice, own(voice, table), circle.wall)]
        case notices.Pardoned(key, by):
            person = circle.people.person(key)
            who = chip(key) if person is None else f"{clean(person.nick, NICK_CHARS)} ({chip(key)})"
            return [f"{voice.who(by)} let {who} come again"]
        case notices.VoteCalled(_, nick, by, needed, seconds):
            wants = "want" if by == voice.me else "wants"
            told = f"{voice.who(by)} {wants} {voice.who(nick)} shown out: {needed} must say yes in {seconds} seconds"
            return [told if voice.me in (nick, by) or not _votes(table) else f"{told}, `vote yes` or `vote no`"]
        case notices.VoteCast(nick, by, yes, votes, against, needed):
            no = f", {against} against" if against else ""
            how = "for" if yes else "against"
            return [f"{voice.who(by)} voted {how} showing {voice.who(nick)} out: {votes} of the {needed} needed{no}"]
        case notices.VoteFailed(nick):
            stays = "you stay" if nick == voice.me else f"{nick} stays"
            return [f"The vote on showing {voice.who(nick)} out came to nothing; {stays}"]
    return []


def own(voice: Voice, table: TableView | None) -> str:
    """The nick that the table knows us by, in a seat that a bot has taken over too."""
    return voice.me if table is None else table.nick


def kicked(notice: notices.Kicked, me: str, wall: float) -> str:
    """Who was shown out, by whom, until when and why."""
    who = "You were" if notice.nick == me else f"{notice.nick} was"
    by = "by vote" if notice.by == "vote" else f"by {notice.by}"
    told = f"You showed {notice.nick} out" if notice.by == me else f"{who} shown out {by}"
    reason = clean(notice.reason, REASON_CHARS)
    return f"{told} {dates.until(notice.until, wall)}" + (f": {reason}" if reason else "")


def spoken(notice: notices.Spoken, voice: Voice, table: TableView | None, circle: Circle) -> str:
    """What somebody said, and to whom: `ana: hi`, `ana to you: hi`; whose name is another's is told with the key."""
    me = own(voice, table)
    who = "you" if notice.nick == me else clean(notice.nick, NICK_CHARS)
    if notice.nick != me and circle.people.what(notice.key, notice.nick) == Known.OTHER:
        who = f"{who} ({chip(notice.key)}, NOT the one you know)"
    to = "you" if notice.to == me else clean(notice.to, NICK_CHARS)
    if to:
        third = table is not None and notice.to != SPECTATORS and table.host not in (notice.nick, notice.to)
        who = f"{who} to {to}{' (the host can read it)' if third and who == 'you' else ''}"
    elif table is not None and notice.nick in table.spectators:
        who = f"{who} (watching)"
    return f"{who}: {clean(notice.text, CHAT_CHARS)}"


def _votes(table: TableView | None) -> bool:
    return table is not None and table.me is not None

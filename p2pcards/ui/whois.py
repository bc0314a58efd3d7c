"""Who is who, and what is kept about them: `whois`, `petname`, `vouch`, `ignore`, `bans`, and the table's `door`."""

from __future__ import annotations

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.table.people import Ban, Known, goes_by
from p2pcards.table.tableview import TableView
from p2pcards.ui import dates
from p2pcards.ui.faces import NAME_CHARS, Face, face, faces, shown_out
from p2pcards.ui.ports import Node
from p2pcards.ui.voice import listed
from p2pcards.ui.words_people import CODE, lets_in
from p2pcards.wire.entries import REASON_CHARS
from p2pcards.wire.identity import chip, words
from p2pcards.wire.text import NICK_CHARS, clean


def answer(command: Command, node: Node, wall: float) -> list[str]:
    """The sentences that answer the command, once it is done. wall: unix seconds. Raises UserError."""
    match command.verb, command.args:
        case "whois", ():
            return oneself(node)
        case "whois", (name,):
            return _whois(name, node, wall)
        case "petname", (name, *rest):
            return _petname(_meant(name, node), rest[0] if rest else "", node)
        case "vouch", (name, *rest):
            return _vouch(_meant(name, node), rest[0] if rest else "", node)
        case (("ignore" | "unignore"), (name,)):
            return _ignore(_meant(name, node), command.verb == "ignore", node)
        case "bans", _:
            return bans(node, wall)
        case "door", _:
            return [] if node.table is None else door(node.table, node)
    raise AssertionError(command.verb)


# ---- who is meant


def found(name: str, node: Node) -> list[Face]:
    """Everybody who goes by that name: those who are here first, then whom we know from elsewhere, then the banned."""
    here = list(faces(node.people, node.table).values())
    known = [face(node.people, person.key, person.nick) for person in node.people.everybody()]
    kept = [face(node.people, ban.key, ban.nick) for ban in node.people.bans() if ban.key]
    met: dict[bytes, Face] = {}
    for one in (*here, *known, *kept):
        if goes_by(name, one.key, (one.nick, one.petname, one.login)):
            met.setdefault(one.key, one)
    return list(met.values())


def _meant(name: str, node: Node) -> Face:
    """The one who is meant; raises UserError where there is none, or several."""
    here = faces(node.people, node.table)
    several = found(name, node)
    if not several:
        raise _nobody(name)
    present = [one for one in several if one.key in here]
    if len(present) == 1 or len(several) == 1:
        return (present or several)[0]
    named = listed([f"{one.nick} ({one.chip})" for one in several], "and")
    raise UserError(f"Several people go by that name, {named}: type the two words of the one that you mean.")


def _nobody(name: str) -> UserError:
    return UserError(f"Nobody here is called {clean(name, NAME_CHARS)}, and nobody whom you have met.")


# ---- what is told


def oneself(node: Node) -> list[str]:
    """Who we are to others."""
    nick = node.home.nick if node.table is None else node.table.nick
    if not (key := _own_key(node)):
        return [f"You are {nick} ({node.home.words})."]
    login = clean(node.people.login(key), NAME_CHARS)
    return [
        f"You are {nick}; the six words of your key are {words(key)}.",
        *([f"Your login is {login} (verified login)."] if login else []),
        "Read the words to somebody by voice: if they see the same ones, nobody stands between you.",
    ]


def _own_key(node: Node) -> bytes:
    if node.home.key or node.table is None:
        return node.home.key
    table = node.table
    if table.me is not None:
        return table.seats[table.me].key
    return dict(zip(table.spectators, table.spectator_keys, strict=False)).get(table.nick, b"")


def _whois(name: str, node: Node, wall: float) -> list[str]:
    own = node.home.nick if node.table is None else node.table.nick
    several = found(name, node)
    if name.lower() == own.lower():
        others = [one for one in several if one.known != Known.OWN and one.key != _own_key(node)]
        return [*oneself(node), *(line for one in others for line in about(one, node, wall))]
    if not several:
        raise _nobody(name)
    if len(several) == 1:
        return about(several[0], node, wall)
    told = f"{len(several)} people go by the name {clean(name, NAME_CHARS)}."
    return [told, *(line for one in several for line in about(one, node, wall, one.chip))]


def about(one: Face, node: Node, wall: float, name: str = "") -> list[str]:
    """All that is known of somebody, one sentence each. name: what means them alone, where the nick does not."""
    person, nick = node.people.person(one.key), one.nick
    lines = [f"{nick}: the six words of their key are {words(one.key)}."]
    if one.other:
        known = [other for other in node.people.named(one.like) if other.key != one.key]
        words_of = f", whose words are {words(known[0].key)}" if known else ""
        lines.append(f"This is NOT the {one.like} you know{words_of}.")
    if one.known == Known.OWN:
        lines.append("It is a program of yours.")
    elif person is None:
        lines.append("You have never met before.")
    else:
        lines.append(f"First met {dates.day(person.first, wall)}, last seen {dates.day(person.last, wall)}.")
    lines += [f"You call them {one.petname}."] if one.petname else []
    lines += [f"Their login is {one.login} (verified login)."] if one.login else []
    if person is not None and person.verified:
        lines.append("You have compared the words: verified.")
    elif one.known != Known.OWN:
        lines.append(f"Not verified: compare the six words by voice, then `vouch {name or nick} on`.")
    if person is not None and person.ignored:
        lines.append(f"What they say is not shown; `unignore {nick}` changes that.")
    ban = node.people.banned(one.key, one.login, wall)
    return [*lines, *([f"Banned from your tables {_ban_text(ban, wall)}."] if ban else [])]


def _petname(one: Face, petname: str, node: Node) -> list[str]:
    _stranger_no_more(one, node)
    node.people.call(one.key, petname)
    if not petname:
        return [f"You call {one.nick} ({one.chip}) by no other name any more."]
    return [f"You call {one.nick} ({one.chip}) {petname} from now on; only you see it, and it stays with the key."]


def _vouch(one: Face, switch: str, node: Node) -> list[str]:
    who = f"{one.nick} ({one.chip})"
    if not switch:
        return [
            f"The six words of {one.nick}'s key are {words(one.key)}.",
            f"Compare them by voice first: {one.nick} sees them with `whois`. If they are the same, "
            f"`vouch {one.chip} on` keeps that.",
        ]
    _stranger_no_more(one, node)
    node.people.vouch(one.key, switch == "on")
    if switch == "on":
        return [f"{who} is verified from now on: you have compared the words."]
    return [f"{who} is no longer verified."]


def _ignore(one: Face, on: bool, node: Node) -> list[str]:
    _stranger_no_more(one, node)
    node.people.ignore(one.key, on)
    if on:
        return [f"What {one.nick} ({one.chip}) says is no longer shown; `unignore {one.nick}` changes that."]
    return [f"What {one.nick} ({one.chip}) says is shown again."]


def _stranger_no_more(one: Face, node: Node) -> None:
    """Nothing is kept about our own keys."""
    if one.known == Known.OWN:
        raise UserError(f"{one.nick} ({one.chip}) is a program of yours.")


def bans(node: Node, wall: float) -> list[str]:
    """Who may not come to our tables, then who may not come to this one."""
    standing = [ban for ban in node.people.bans() if ban.stands(wall)]
    lines = [f"{_banned(ban)}: {_ban_text(ban, wall)}, since {dates.day(ban.since, wall)}." for ban in standing]
    for nick, kick in shown_out(node.people, node.table, wall):
        if not any(ban.key == kick.key for ban in standing):
            who = f"{nick} ({chip(kick.key)})" if nick else chip(kick.key)
            lines.append(f"{who}: shown out of this table {_out_text(kick.until, kick.reason, wall)}.")
    return lines or ["You keep nobody out of your tables."]


def changed_bans(before: tuple[Ban, ...], node: Node, wall: float) -> tuple[str, ...]:
    """What has changed in our own list since, one sentence each."""
    after = node.people.bans()
    new = [ban for ban in after if ban not in before]
    kept = {(ban.key, ban.login) for ban in after}
    lifted = [ban for ban in before if (ban.key, ban.login) not in kept]
    return (
        *(f"{_banned(ban)} may not come to your tables {_ban_text(ban, wall)}." for ban in new),
        *(f"{_banned(ban)} may come to your tables again." for ban in lifted),
    )


def _banned(ban: Ban) -> str:
    key = f" ({chip(ban.key)})" if ban.key else ""
    login = f", login {clean(ban.login, NAME_CHARS)}" if ban.login else ""
    return f"{clean(ban.nick, NICK_CHARS)}{key}{login}"


def _ban_text(ban: Ban, wall: float) -> str:
    return _out_text(ban.until, ban.reason, wall)


def _out_text(until: int, reason: str, wall: float) -> str:
    reason = clean(reason, REASON_CHARS).rstrip(".")
    return dates.until(until, wall) + (f" ({reason})" if reason else "")


def door(table: TableView, node: Node) -> list[str]:
    """The door of a table, and to its host the code and who waits."""
    does = lets_in(table.door, table.mine)
    lines = [f"The door of this table is {clean(table.door, NICK_CHARS)}{f': {does}' if does else ''}."]
    if table.mine and table.code:
        lines.append(f"The code is {table.code}, {CODE}.")
    met = faces(node.people, table)
    for knock in table.knocks:
        one = met[knock.key]
        left = max(0, round(knock.until - node.now()))
        lines.append(f"{one.nick} ({one.about}) waits at the door, for {left} seconds more.")
    return lines

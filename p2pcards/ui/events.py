"""Notices as events for programs: one JSON object a line, `{"event": "turn", "seats": [1]}`; seats count from 0."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from p2pcards.table import notices
from p2pcards.table.listing import Row
from p2pcards.table.notices import Notice
from p2pcards.ui.streams import visible
from p2pcards.wire.identity import chip
from p2pcards.wire.text import table_text

VERSION = 1
"""Of these events: raised when a field changes its meaning."""

Event = dict[str, Any]


def encode(event: Event) -> str:
    """The event's line, without its end, and without what can't be seen: a program may show it as it is."""
    return msgspec.json.encode(_visible(event)).decode()


def listed(row: Row) -> Event:
    """A row of the list, the object that `list --json` prints."""
    event: Event = {
        "name": row.title,
        "id": table_text(row.table),
        "game": row.game,
        "host": row.host,
        "seats": row.seats,
        "taken": row.taken,
        "state": row.state,
        "door": row.door,
        "addresses": [f"[{host}]:{port}" if ":" in host else f"{host}:{port}" for host, port in row.addresses],
        "lab": row.lab,
        "barred": row.barred,
    }
    return {key: _visible(value) for key, value in event.items()}


def events(notice: Notice, text: str) -> Iterator[Event]:
    """The events of a notice; text: its sentences, for a refusal and what went wrong."""
    for name, fields in _events(notice, text):
        yield {"event": name, **fields}


def _visible(value: Any) -> Any:
    match value:
        case str():
            return visible(value)
        case dict():
            return {visible(key): _visible(one) for key, one in value.items()}
        case list() | tuple():
            return [_visible(one) for one in value]
    return value


def _events(notice: Notice, text: str) -> Iterator[tuple[str, Event]]:
    match notice:
        case notices.Opened(title, table, port, code):
            told = {"v": VERSION, "name": title, "id": table_text(table), "port": port}
            yield "table", {**told, **({"code": code} if code else {})}
        case notices.Entered(seat):
            yield "entered", {"seat": seat}
        case notices.HostIs(nick, term, why):
            yield "host", {"nick": nick, "term": term, **({"why": why} if why else {})}
        case notices.Seated(seat, nick, _, level):
            yield "seated", {"seat": seat, "nick": nick, **({"bot": level} if level else {})}
        case notices.Vacated(seat, nick, reason):
            yield "left", {"seat": seat, "nick": nick, "reason": reason}
        case notices.Watching(nick):
            yield "watching", {"nick": nick}
        case notices.Unwatched(nick):
            yield "unwatched", {"nick": nick}
        case notices.OptionsSet(options, settings):
            yield "options", {"options": dict(options), "settings": dict(settings)}
        case notices.RoundStarted(number, players, starter):
            begins = None if starter is None else players[starter]
            yield "started", {"round": number, "players": players, "starter": begins}
        case notices.Shuffled(cards):
            yield "shuffled", {"cards": cards}
        case notices.TimeShort(seats, _, seconds):
            yield "warning", {"seats": seats, "seconds": seconds}
        case notices.SkipWanted(seat, nick, wants, needed):
            yield "skip", {"seat": seat, "nick": nick, "wants": wants, "needed": needed}
        case notices.DeckShown(seat, nick):
            yield "deck", {"seat": seat, "nick": nick}
        case notices.CardsChanged(hand):
            yield "view", {"hand": hand}
        case notices.TurnOf(seats):
            yield "turn", {"seats": seats}
        case notices.Acted(index, term, seat, nick, kind, act, by):
            done = {"index": index, "term": term, "seat": seat, "nick": nick, "kind": kind, "text": act}
            yield "entry", {**done, **({"by": by} if by else {})}
        case notices.RoundOver(number, reason, winners, points):
            yield "round", {"number": number, "winners": winners, "points": dict(points), "reason": reason}
        case notices.MatchOver(scores, winners):
            yield "match", {"scores": dict(scores), "winners": winners}
        case notices.Ready(seat, nick):
            yield "ready", {"seat": seat, "nick": nick}
        case notices.Stopped(seat, nick):
            yield "stopped", {"seat": seat, "nick": nick}
        case notices.Hinted(action, second, worlds, sure):
            tried = {"second": second, "worlds": worlds} if second else {}
            yield "hint", {"text": action, **tried, **({"sure": True} if sure else {})}
        case notices.Refused(code, _, until):
            yield "refused", {"reason": code, "text": text, **({"until": until} if until else {})}
        case notices.Closed(reason, _, until):
            yield "closed", {"reason": reason, "text": text, **({"until": until} if until else {})}
        case _:
            yield from _deal_events(notice, text)


def _deal_events(notice: Notice, text: str) -> Iterator[tuple[str, Event]]:
    """Parts of a shuffle, and what programs found when they checked a round."""
    match notice:
        case notices.Audited(number, ok, bad, whose, why):
            trouble = {"index": bad, "whose": whose, "reason": why, "text": text}
            yield "audit", {"round": number, "ok": ok, **({} if ok else trouble)}
        case notices.Verdict(number, nick, _, bad, why):
            trouble = {"index": bad, "reason": why, "text": text}
            yield "verdict", {"round": number, "nick": nick, "ok": bad is None, **({} if bad is None else trouble)}
        case notices.LeftOut(number, players, twice, sent):
            seats, nicks = [seat for seat, _ in players], [nick for _, nick in players]
            told = {"round": number, "seats": seats, "nicks": nicks, "twice": twice}
            yield "left_out", {**told, **({"sent": True, "text": text} if sent else {})}
        case notices.BadShare(number):
            yield "bad_share", {"round": number, "text": text}
        case _:
            yield from _host_events(notice, text)


def _host_events(notice: Notice, text: str) -> Iterator[tuple[str, Event]]:
    """What happens when a host goes, and when too few are there."""
    match notice:
        case notices.HostChanging(nick):
            yield "changing", {"nick": nick}
        case notices.TableWaits(nicks):
            yield "waits", {"nicks": nicks}
        case notices.GoOnAsked(nicks, by, void):
            yield "go_on", {"nicks": nicks, "by": by, "void": void}
        case notices.GoOnDenied(nick):
            yield "go_on_denied", {"nick": nick}
        case notices.WentOn(nicks):
            yield "went_on", {"nicks": nicks}
        case notices.RolledBack(index, count, mine):
            yield "rolled_back", {"index": index, "count": count, **({"mine": mine, "text": text} if mine else {})}
        case notices.RoundVoid(number):
            yield "round_void", {"round": number}
        case notices.SharesAwaited(nicks, seconds):
            yield "shares_awaited", {"nicks": nicks, "seconds": seconds}
        case notices.FalseShare(nick):
            yield "false_share", {"nick": nick, "text": text}
        case notices.DoubleVote(nick, term):
            yield "double_vote", {"nick": nick, "term": term, "text": text}
        case notices.DoorFellBack(door):
            yield "door_fell_back", {"door": door, "text": text}
        case _:
            yield from _line_events(notice, text)


def _line_events(notice: Notice, text: str) -> Iterator[tuple[str, Event]]:
    """What happens to the lines between programs."""
    match notice:
        case notices.Dropped(seat, nick, seconds):
            yield "dropped", {"seat": seat, "nick": nick, "seconds": seconds}
        case notices.Returned(seat, nick):
            yield "returned", {"seat": seat, "nick": nick}
        case notices.BotPlays(seat, nick, on, reason):
            yield "bot", {"seat": seat, "nick": nick, "on": on, "reason": reason}
        case notices.LinkLost() | notices.LinkBack():
            yield "line", {"up": isinstance(notice, notices.LinkBack)}
        case notices.Alarm() | notices.Failed():
            yield "error", {"text": text}
        case _:
            yield from _door_events(notice, text)


def _door_events(notice: Notice, text: str) -> Iterator[tuple[str, Event]]:
    """Who comes to the door, and what is heard there."""
    match notice:
        case notices.DoorSet(door):
            yield "door", {"door": door}
        case notices.CodeIs(code, why):
            yield "code", {"code": code, "why": why}
        case notices.Knocked(_, nick, key, known, login, asked):
            who = {"nick": nick, "words": chip(key), "known": known, "asked": asked}
            yield "knock", {**who, **({"login": login} if login else {})}
        case notices.WentAway(nick, why):
            yield "went_away", {"nick": nick, "why": why}
        case notices.Waiting(seconds):
            yield "waiting", {"seconds": seconds}
        case notices.CodeWanted(title):
            yield "code_wanted", {"name": title}
        case notices.OtherKey(nick, key, known_key):
            yield "other_key", {"nick": nick, "words": chip(key), "known": chip(known_key), "text": text}
        case _:
            yield from _people_events(notice)


def _people_events(notice: Notice) -> Iterator[tuple[str, Event]]:
    """What people say to each other, and whom they show out."""
    match notice:
        case notices.Spoken(nick, _, to, said):
            yield "chat", {"nick": nick, "text": said, **({"to": to} if to else {})}
        case notices.Kicked(nick, _, by, reason, until):
            yield "kicked", {"nick": nick, "by": by, "reason": reason, "until": until}
        case notices.Pardoned(key, by):
            yield "pardoned", {"words": chip(key), "by": by}
        case notices.VoteCalled(seat, nick, by, needed, seconds):
            called = {"what": "called", "seat": seat, "nick": nick, "by": by}
            yield "vote", {**called, "needed": needed, "seconds": seconds}
        case notices.VoteCast(nick, by, yes, votes, against, needed):
            cast = {"nick": nick, "by": by, "yes": yes, "votes": votes, "against": against, "needed": needed}
            yield "vote", {"what": "cast", **cast}
        case notices.VoteFailed(nick):
            yield "vote", {"what": "failed", "nick": nick}

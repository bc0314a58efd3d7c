"""Notices as JSON lines: the fields that programs rely on."""

from __future__ import annotations

import json
from typing import Any, get_args

import pytest

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.ui.events import encode, events, listed
from p2pcards.wire.identity import chip
from tests.testing.fake_node import row

T = bytes(16)
ANA, EVE = b"a" * 32, b"e" * 32
TEXT = "One sentence."


EVENTS: list[tuple[Notice, dict[str, Any]]] = [
    (notices.Opened("lab", T, 25252), {"event": "table", "v": 1, "name": "lab", "id": "a" * 26, "port": 25252}),
    (notices.Entered(2), {"event": "entered", "seat": 2}),
    (notices.Entered(None), {"event": "entered", "seat": None}),
    (notices.HostIs("ben", 1), {"event": "host", "nick": "ben", "term": 1}),
    (notices.HostIs("cy", 2, "elected"), {"event": "host", "nick": "cy", "term": 2, "why": "elected"}),
    (notices.HostChanging("ben"), {"event": "changing", "nick": "ben"}),
    (notices.TableWaits(("ben", "cy")), {"event": "waits", "nicks": ["ben", "cy"]}),
    (notices.TableWaits(()), {"event": "waits", "nicks": []}),
    (notices.GoOnAsked(("ben",), "cy", True), {"event": "go_on", "nicks": ["ben"], "by": "cy", "void": True}),
    (notices.GoOnDenied("cy"), {"event": "go_on_denied", "nick": "cy"}),
    (notices.WentOn(("ben",)), {"event": "went_on", "nicks": ["ben"]}),
    (notices.RolledBack(17, 2), {"event": "rolled_back", "index": 17, "count": 2}),
    (
        notices.RolledBack(17, 2, ("discard KD",)),
        {"event": "rolled_back", "index": 17, "count": 2, "mine": ["discard KD"], "text": TEXT},
    ),
    (notices.RoundVoid(3), {"event": "round_void", "round": 3}),
    (notices.SharesAwaited(("ben",), 30), {"event": "shares_awaited", "nicks": ["ben"], "seconds": 30}),
    (notices.FalseShare("eve"), {"event": "false_share", "nick": "eve", "text": TEXT}),
    (notices.DoubleVote("eve", 3), {"event": "double_vote", "nick": "eve", "term": 3, "text": TEXT}),
    (notices.DoorFellBack("ask"), {"event": "door_fell_back", "door": "ask", "text": TEXT}),
    (notices.Seated(1, "ben", T, ""), {"event": "seated", "seat": 1, "nick": "ben"}),
    (notices.Seated(1, "bot-1", b"", "easy"), {"event": "seated", "seat": 1, "nick": "bot-1", "bot": "easy"}),
    (notices.Vacated(1, "ben", "left"), {"event": "left", "seat": 1, "nick": "ben", "reason": "left"}),
    (notices.Watching("dan", T), {"event": "watching", "nick": "dan"}),
    (notices.Unwatched("dan"), {"event": "unwatched", "nick": "dan"}),
    (notices.Dropped(1, "ben", 90), {"event": "dropped", "seat": 1, "nick": "ben", "seconds": 90}),
    (notices.Returned(1, "ben"), {"event": "returned", "seat": 1, "nick": "ben"}),
    (
        notices.BotPlays(1, "ben", True, "grace"),
        {"event": "bot", "seat": 1, "nick": "ben", "on": True, "reason": "grace"},
    ),
    (
        notices.OptionsSet((("scoring", "chips"),), (("bot_fill", "false"),)),
        {"event": "options", "options": {"scoring": "chips"}, "settings": {"bot_fill": "false"}},
    ),
    (
        notices.RoundStarted(1, ("ana", "ben", "cy"), 1),
        {"event": "started", "round": 1, "players": ["ana", "ben", "cy"], "starter": "ben"},
    ),
    (
        notices.RoundStarted(1, ("ana", "ben", "cy"), None),
        {"event": "started", "round": 1, "players": ["ana", "ben", "cy"], "starter": None},
    ),
    (notices.Shuffled(31), {"event": "shuffled", "cards": 31}),
    (notices.TimeShort((0,), ("ana",), 10), {"event": "warning", "seats": [0], "seconds": 10}),
    (notices.SkipWanted(1, "ben", 1, 2), {"event": "skip", "seat": 1, "nick": "ben", "wants": 1, "needed": 2}),
    (notices.DeckShown(1, "ben"), {"event": "deck", "seat": 1, "nick": "ben"}),
    (
        notices.Acted(8, 1, 0, "ana", "sealed", "discard", ""),
        {"event": "entry", "index": 8, "term": 1, "seat": 0, "nick": "ana", "kind": "sealed", "text": "discard"},
    ),
    (notices.CardsChanged("AS 7H"), {"event": "view", "hand": "AS 7H"}),
    (notices.TurnOf((0, 2), True), {"event": "turn", "seats": [0, 2]}),
    (
        notices.Acted(7, 1, 2, "cy", "act", "discard KD", "bot"),
        {
            "event": "entry",
            "index": 7,
            "term": 1,
            "seat": 2,
            "nick": "cy",
            "kind": "act",
            "text": "discard KD",
            "by": "bot",
        },
    ),
    (
        notices.Acted(8, 1, 0, "ana", "blind", "answer", ""),
        {"event": "entry", "index": 8, "term": 1, "seat": 0, "nick": "ana", "kind": "blind", "text": "answer"},
    ),
    (
        notices.RoundOver(1, "tongits", ("ana",), (("ana", 1), ("ben", 0), ("cy", 0))),
        {
            "event": "round",
            "number": 1,
            "winners": ["ana"],
            "points": {"ana": 1, "ben": 0, "cy": 0},
            "reason": "tongits",
        },
    ),
    (notices.MatchOver((("ana", 2),), ("ana",)), {"event": "match", "scores": {"ana": 2}, "winners": ["ana"]}),
    (notices.Ready(1, "ben"), {"event": "ready", "seat": 1, "nick": "ben"}),
    (notices.Stopped(1, "ben"), {"event": "stopped", "seat": 1, "nick": "ben"}),
    (notices.Audited(1, True), {"event": "audit", "round": 1, "ok": True}),
    (
        notices.Audited(1, False, 7, "ben", "another result"),
        {
            "event": "audit",
            "round": 1,
            "ok": False,
            "index": 7,
            "whose": "ben",
            "reason": "another result",
            "text": TEXT,
        },
    ),
    (notices.Verdict(1, "eve", EVE, None, ""), {"event": "verdict", "round": 1, "nick": "eve", "ok": True}),
    (
        notices.Verdict(1, "eve", EVE, 7, "another result"),
        {
            "event": "verdict",
            "round": 1,
            "nick": "eve",
            "ok": False,
            "index": 7,
            "reason": "another result",
            "text": TEXT,
        },
    ),
    (
        notices.LeftOut(2, ((1, "ben"), (2, "cy")), (2,)),
        {"event": "left_out", "round": 2, "seats": [1, 2], "nicks": ["ben", "cy"], "twice": [2]},
    ),
    (
        notices.LeftOut(2, ((0, "ana"),), (), True),
        {"event": "left_out", "round": 2, "seats": [0], "nicks": ["ana"], "twice": [], "sent": True, "text": TEXT},
    ),
    (notices.BadShare(2), {"event": "bad_share", "round": 2, "text": TEXT}),
    (
        notices.Opened("lab", T, 25252, "mango-tiger"),
        {"event": "table", "v": 1, "name": "lab", "id": "a" * 26, "port": 25252, "code": "mango-tiger"},
    ),
    (notices.DoorSet("ask"), {"event": "door", "door": "ask"}),
    (notices.CodeIs("mango-tiger", "asked"), {"event": "code", "code": "mango-tiger", "why": "asked"}),
    (
        notices.Knocked(3, "eve", EVE, "new", "", "ask"),
        {"event": "knock", "nick": "eve", "words": chip(EVE), "known": "new", "asked": "ask"},
    ),
    (
        notices.Knocked(3, "eve", EVE, "other", "eva", "name"),
        {"event": "knock", "nick": "eve", "words": chip(EVE), "known": "other", "asked": "name", "login": "eva"},
    ),
    (notices.WentAway("eve", "late"), {"event": "went_away", "nick": "eve", "why": "late"}),
    (notices.Waiting(60), {"event": "waiting", "seconds": 60}),
    (notices.CodeWanted("lab"), {"event": "code_wanted", "name": "lab"}),
    (
        notices.OtherKey("eve", EVE, ANA),
        {"event": "other_key", "nick": "eve", "words": chip(EVE), "known": chip(ANA), "text": TEXT},
    ),
    (notices.Spoken("eve", EVE, "", "hi"), {"event": "chat", "nick": "eve", "text": "hi"}),
    (notices.Spoken("eve", EVE, "ana", "hi"), {"event": "chat", "nick": "eve", "text": "hi", "to": "ana"}),
    (
        notices.Kicked("eve", EVE, "ana", "too loud", 1_800_000_000),
        {"event": "kicked", "nick": "eve", "by": "ana", "reason": "too loud", "until": 1_800_000_000},
    ),
    (notices.Pardoned(EVE, "ana"), {"event": "pardoned", "words": chip(EVE), "by": "ana"}),
    (
        notices.VoteCalled(2, "eve", "ana", 2, 30),
        {"event": "vote", "what": "called", "seat": 2, "nick": "eve", "by": "ana", "needed": 2, "seconds": 30},
    ),
    (
        notices.VoteCast("eve", "ben", False, 1, 1, 2),
        {
            "event": "vote",
            "what": "cast",
            "nick": "eve",
            "by": "ben",
            "yes": False,
            "votes": 1,
            "against": 1,
            "needed": 2,
        },
    ),
    (notices.VoteFailed("eve"), {"event": "vote", "what": "failed", "nick": "eve"}),
    (notices.Hinted("draw"), {"event": "hint", "text": "draw"}),
    (notices.Hinted("call", sure=True), {"event": "hint", "text": "call", "sure": True}),
    (notices.Hinted("discard KS", "draw", 40), {"event": "hint", "text": "discard KS", "second": "draw", "worlds": 40}),
    (notices.Refused("stale", ""), {"event": "refused", "reason": "stale", "text": TEXT}),
    (
        notices.Refused("banned", "", 1_800_000_000),
        {"event": "refused", "reason": "banned", "text": TEXT, "until": 1_800_000_000},
    ),
    (
        notices.Closed("kicked", "", 1_800_000_000),
        {"event": "closed", "reason": "kicked", "text": TEXT, "until": 1_800_000_000},
    ),
    (notices.LinkLost(), {"event": "line", "up": False}),
    (notices.LinkBack(), {"event": "line", "up": True}),
    (notices.Alarm("it lied"), {"event": "error", "text": TEXT}),
    (notices.Failed("No.", 1), {"event": "error", "text": TEXT}),
    (notices.Closed("bye", ""), {"event": "closed", "reason": "bye", "text": TEXT}),
]


@pytest.mark.parametrize(("notice", "event"), EVENTS)
def test_events(notice: Notice, event: dict[str, Any]) -> None:
    (made,) = events(notice, TEXT)
    line = encode(made)
    assert "\n" not in line
    assert json.loads(line) == event


INSIDE = {
    *(notices.MatchStarted, notices.Recorded, notices.BotTurn, notices.PakeRun, notices.SeatsFull),
    notices.HostElsewhere,
}
"""Notices that say nothing that a program does not learn otherwise."""


def test_every_kind_of_notice_is_told_or_known_to_be_silent() -> None:
    told = {type(notice) for notice, _ in EVENTS}
    assert told | INSIDE == set(get_args(Notice))
    assert list(events(notices.Recorded(("…",)), TEXT)) == []
    assert list(events(notices.SeatsFull(), TEXT)) == []


def test_a_row_of_the_list() -> None:
    one = listed(row("lab", 1, 2, addresses=(("10.0.0.7", 25252), ("fe80::1%eth0", 25253))))
    assert json.loads(encode(one)) == {
        "name": "lab",
        "id": "aeaqcaibaeaqcaibaeaqcaibae",
        "game": "tongits",
        "host": "ben",
        "seats": 3,
        "taken": 2,
        "state": "lobby",
        "door": "open",
        "addresses": ["10.0.0.7:25252", "[fe80::1%eth0]:25253"],
        "lab": False,
        "barred": False,
    }


def test_a_row_tells_whether_it_is_of_the_lab_and_whether_it_is_for_members_only() -> None:
    one = listed(row("lab", lab=True, barred=True))
    assert (one["lab"], one["barred"]) == (True, True)

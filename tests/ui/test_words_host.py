"""Who hosts and what happens when a host goes: one full sentence each, in players' words."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import Safe
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from p2pcards.ui.words_host import IF_THE_HOST_GOES, banner, safety
from tests.testing.fake_hosts import at_table, playing


def told(notice: Notice, host: str = "ben", *, hidden: bool = False) -> tuple[str, ...]:
    return Words(Cards.SIGNS, "ana", hidden, host=host).notice(notice, playing().table)


@pytest.mark.parametrize(
    ("notice", "text"),
    [
        (notices.HostIs("ben", 1), "ben is the host."),
        (notices.HostIs("cy", 2, "elected"), "cy hosts now: ben's program is gone."),
        (notices.HostIs("ana", 2, "elected"), "You host now: ben's program is gone."),
        (notices.HostIs("cy", 2, "handed over"), "ben handed the table over: cy hosts now."),
        (notices.HostIs("ana", 2, "handed over"), "ben handed the table over: you host now."),
        (notices.HostIs("cy", 2, "forked"), "cy hosts now."),
        (notices.HostChanging("ben"), "No word from ben, who hosts: another host is being chosen."),
        (notices.TableWaits(("ben", "cy")), "The table stands still, for too few are here: it waits for ben and cy."),
        (notices.TableWaits(()), "The table goes on."),
        (
            notices.GoOnAsked(("ben",)),
            "The table could go on without ben: type `proceed`, and it does if all who are here agree.",
        ),
        (
            notices.GoOnAsked(("ben", "cy"), "", True),
            "You can go on without ben and cy: `proceed` does, `wait` waits; the open round would not count then.",
        ),
        (
            notices.GoOnAsked(("ben", "dan"), "cy", True),
            "cy wants to go on without ben and dan: `proceed` agrees, `wait` does not; "
            "the open round would not count then.",
        ),
        (notices.GoOnDenied("cy"), "cy would rather wait, so the table does."),
        (notices.WentOn(("ben",)), "The table goes on without ben; a bot has the seat until its player comes back."),
        (
            notices.WentOn(("ben", "cy")),
            "The table goes on without ben and cy; bots have the seats until they come back.",
        ),
        (
            notices.WentOn(("ana",)),
            "The others went on without you, and a bot has your seat; it is yours again from the next round on.",
        ),
        (notices.RolledBack(17, 2), "The last 2 steps were undone, for too few had heard of them."),
        (notices.RolledBack(17, 1), "The last step was undone, for too few had heard of it."),
        (notices.RoundVoid(3), "The cards of round 3 are lost with their host, so it is dealt anew."),
        (
            notices.SharesAwaited(("ben", "ana"), 30),
            "To go on with these cards, the new host needs a share from ben and you, 30 seconds at the most.",
        ),
        (
            notices.FalseShare("eve"),
            "Warning: the share that eve sent is not the one that was handed out, so it is left out.",
        ),
        (notices.DoubleVote("eve", 3), "Warning: eve voted for two hosts at once (term 3); the proof is kept."),
        (
            notices.DoorFellBack("ask"),
            "Without the key of the lab you can't keep its door: it is ask now, "
            "you are asked about everybody who comes.",
        ),
    ],
)
def test_one_sentence_each(notice: Notice, text: str) -> None:
    assert told(notice) == (text,)


def test_the_host_that_was_is_you() -> None:
    assert told(notices.HostIs("ben", 2, "elected"), "ana") == ("ben hosts now: you were out of reach.",)
    assert told(notices.HostIs("ben", 2, "handed over"), "ana") == ("You handed the table over: ben hosts now.",)
    assert told(notices.HostChanging("ana")) == (
        "The others have not heard from you for too long: another host is being chosen.",
    )


def test_who_was_host_when_it_went_is_not_told_that_it_is_when_it_comes_back() -> None:
    ours, theirs = at_table(host=True), at_table()
    words = Words(Cards.SIGNS, "ana", False)
    assert words.notice(notices.HostIs("ana", 1), ours.table) == ("You are the host.",)
    assert words.notice(notices.HostIs("ana", 1), theirs.table) == ()


def test_where_nobody_knows_who_it_was_only_the_new_host_is_told() -> None:
    for why in ("elected", "handed over", "forked"):
        assert told(notices.HostIs("cy", 2, why), "") == ("cy hosts now.",)


def test_a_host_that_stays_is_no_news() -> None:
    assert told(notices.HostIs("ben", 2, "forked")) == ()
    assert told(notices.HostIs("ben", 2, "elected")) == ()


def test_whoever_lost_a_move_is_told_what_to_do_again() -> None:
    undone, again = told(notices.RolledBack(17, 3, ("draw", "discard KD")))
    assert undone == "The last 3 steps were undone, for too few had heard of them."
    assert again == "What you did last is undone with it: type `draw` and `discard KD` again."


def test_hidden_cards_stay_hidden_in_it() -> None:
    _, again = told(notices.RolledBack(17, 3, ("discard KD",)), hidden=True)
    assert again == "What you did last is undone with it: do it again."


def test_names_of_others_are_cleaned() -> None:
    evil = "a\x1b[31mb"
    for notice in (
        notices.HostChanging(evil),
        notices.TableWaits((evil,)),
        notices.GoOnAsked((evil,), evil),
        notices.WentOn((evil,)),
        notices.FalseShare(evil),
        notices.RolledBack(1, 1, (evil,)),
    ):
        assert all("\x1b" not in line for line in told(notice)), notice


@pytest.mark.parametrize(
    ("safe", "text"),
    [
        (Safe(True), "the table goes on if ben's program is gone"),
        (
            Safe(False, "two"),
            "not safe if ben's program is gone: with two players the open round would be lost, and the scores kept",
        ),
        (
            Safe(False, "alone"),
            "not safe if ben's program is gone: "
            "nobody else plays here, so the table would stand still until ben is back",
        ),
        (
            Safe(False, "links", ("ana", "cy")),
            "not safe if ben's program is gone: not all programs reach each other yet (ana and cy)",
        ),
        (
            Safe(False, "shares", ("cy",)),
            "not safe if ben's program is gone: shares of this round are not confirmed yet by cy",
        ),
        (
            Safe(False, "shares", ("ben", "cy")),
            "not safe if ben's program is gone: this round would have to be dealt anew; the next ones would not",
        ),
        (
            Safe(False, "votes", ("ana",)),
            "not safe if ben's program is gone: until the next round ana can't vote on another host",
        ),
        (Safe(False, "links", ("cy",)), "not safe if ben's program is gone: there is no line to cy"),
        (Safe(False, "links"), "not safe if ben's program is gone"),
        (Safe(False, "host"), "not safe if ben's program is gone: there is no host now"),
        (Safe(False, "something later"), "not safe if ben's program is gone"),
    ],
)
def test_whether_the_table_would_outlive_its_host(safe: Safe, text: str) -> None:
    node = at_table()
    node.change(safe=safe)
    assert node.table is not None
    assert safety(node.table) == text
    assert safety(replace(node.table, safe=None)) == ""
    mine = safety(replace(node.table, mine=True))
    assert "if your program is gone" in mine
    assert "ben" not in mine.partition("gone")[0]


def test_banners_get_shorter_and_the_question_comes_before_the_waiting() -> None:
    node = at_table()
    assert node.table is not None
    assert banner(node.table) == ()
    for fields, word in (
        ({"changing": True}, "changing host…"),
        ({"changing": True, "waiting_for": ("cy",)}, "waiting for cy"),
        ({"changing": True, "waiting_for": ("cy",), "may_go_on": ("cy",)}, "`proceed`"),
    ):
        texts = banner(replace(node.table, **fields))
        assert word in texts[0]
        assert [len(text) for text in texts] == sorted(map(len, texts), reverse=True)
        assert len(set(texts)) == len(texts) == 3
    mine = replace(node.table, changing=True, host=node.table.nick)  # we were the host, and our program started again
    assert banner(mine)[0] == "you were away too long: changing host…"


def test_the_page_about_it_speaks_of_what_players_do() -> None:
    page = " ".join(IF_THE_HOST_GOES)
    for word in ("`handover NICK`", "`proceed`", "`wait`", "`resume`", "`who`", "two players", "three players"):
        assert word in page
    assert not re.search(r"quorum|epoch|term\b|voter", page)

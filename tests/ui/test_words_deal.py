"""The sentences of the fair deal."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import TableView
from p2pcards.ui import words_deal
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from tests.ui.test_scoresheet import sitting

KEY = b"\2" * 32
WORDS = Words(Cards.SIGNS, "ana")


def told(notice: Notice, table: TableView | None = None) -> tuple[str, ...]:
    return WORDS.notice(notice, table)


def said(*verdicts: tuple[str, bool], verified: bool | None = True) -> TableView:
    """Between rounds, round 3 behind us: ana here, ben, a bot; what others said of it."""
    table = sitting()
    assert table.last is not None
    return replace(table, last=replace(table.last, verified=verified, verdicts=verdicts))


@pytest.mark.parametrize(
    ("notice", "text"),
    [
        (notices.Audited(3, True), "Round 3: deal and moves verified."),
        (
            notices.Audited(3, False, 7, "ben", "an act that the rules forbid"),
            "Warning: round 3 is NOT in order: an act that the rules forbid (entry 7, ben's).",
        ),
        (
            notices.Audited(3, False, 7, "ana", "another result"),
            "Warning: round 3 is NOT in order: another result (entry 7, yours).",
        ),
        (
            notices.Audited(3, False, 7, "host", "another result"),
            "Warning: round 3 is NOT in order: another result (entry 7, the host's).",
        ),
        (
            notices.Audited(3, False, None, "", "a round before it was not"),
            "Warning: round 3 is NOT in order: a round before it was not.",
        ),
        (notices.Verdict(3, "ben", KEY, None, ""), "ben's program verified deal and moves of round 3."),
        (
            notices.Verdict(3, "ben", KEY, 7, "another result"),
            "Warning: ben's program says that round 3 is NOT in order: another result (entry 7).",
        ),
        (
            notices.LeftOut(3, ((1, "ben"),)),
            "ben's part of the shuffle did not come in time: shuffled without it.",
        ),
        (
            notices.LeftOut(3, ((0, "ana"),)),
            "Your part of the shuffle did not come in time: shuffled without it.",
        ),
        (
            notices.LeftOut(3, ((1, "ben"), (2, "cy"))),
            "ben's and cy's parts of the shuffle did not come in time: shuffled without them.",
        ),
        (
            notices.LeftOut(3, ((1, "ben"),), (1,)),
            "ben's part of the shuffle did not come in time, for the second time: shuffled without it, and ben's "
            "program is asked for no more parts in this match.",
        ),
        (
            notices.LeftOut(3, ((0, "ana"), (1, "ben")), (0, 1)),
            "Your and ben's parts of the shuffle did not come in time, for the second time: shuffled without them, and "
            "your and ben's programs are asked for no more parts in this match.",
        ),
        (
            notices.BadShare(3),
            "Warning: the host gave you another share of the round's secret than it committed to, so your program adds "
            "no part to this shuffle.",
        ),
        (
            notices.BotPlays(1, "ben", True, "contributions"),
            "A bot plays for ben now: twice no part of the shuffle came in time.",
        ),
    ],
)
def test_each_notice_of_the_deal_is_one_sentence(notice: Notice, text: str) -> None:
    assert told(notice) == (text,)


def test_who_is_left_out_for_the_second_time_is_told_apart() -> None:
    assert told(notices.LeftOut(4, ((0, "ana"), (1, "ben")), (1,))) == (
        "Your part of the shuffle did not come in time: shuffled without it.",
        "ben's part of the shuffle did not come in time, for the second time: shuffled without it, and ben's program "
        "is asked for no more parts in this match.",
    )


def test_whose_part_was_sent_and_left_out_is_told_so() -> None:
    assert told(notices.LeftOut(4, ((0, "ana"),), sent=True)) == (
        "Warning: the host shuffles without your part, which was there in time: once is chance, twice is not.",
    )


def test_who_was_given_no_share_is_told_why_its_part_is_missing() -> None:
    assert told(notices.BadShare(4, missing=True)) == (
        "Warning: the host gave you no share of the round's secret, so your program added no part to this shuffle.",
    )


def test_the_last_of_those_that_agree_is_told_as_all_of_them() -> None:
    last = notices.Verdict(3, "ben", KEY, None, "")
    assert told(last, said(("ben", True))) == ("Round 3: deal and moves verified by every player's program.",)
    three = said(("ben", True), ("cy", True))
    assert told(last, three) == ("Round 3: deal and moves verified by every player's program.",)
    assert told(notices.Audited(3, True), three) == ("Round 3: deal and moves verified by every player's program.",)


def test_nobody_speaks_for_all_while_one_is_awaited_or_disagrees() -> None:
    for table in (said(), said(("cy", True)), said(("ben", True), ("cy", False)), said(("ben", True), verified=None)):
        assert told(notices.Audited(3, True), table) == ("Round 3: deal and moves verified.",)


def test_what_peers_write_cannot_move_the_cursor() -> None:
    evil = "\x1b[2Jgone\u202e\r\nnext"
    for notice in (notices.Audited(1, False, 3, evil, evil), notices.Verdict(1, evil, KEY, 3, evil)):
        (line,) = told(notice)
        assert re.search(r"[\x00-\x1f\u202e]", line) is None


def test_a_shuffle_is_told_without_a_name_for_the_host_alone_knows_whose_part_is_missing() -> None:
    table = sitting(dealing=True)
    assert words_deal.shuffling(table) == "Shuffling: everybody's program adds a part."
    assert words_deal.shuffling(replace(table, dealing=False)) == ""


def test_nothing_is_told_of_a_shuffle_while_the_line_to_the_host_is_lost() -> None:
    assert words_deal.shuffling(sitting(dealing=True, connected=False)) == ""

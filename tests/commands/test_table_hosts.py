"""Commands of a table that outlives its host: who can take it, where they work, what is offered and what is refused."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.coach import Advice, coach
from p2pcards.commands.command import Command, Problem, Remark, Trouble
from p2pcards.commands.context import Context, Stored, Where
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import suggest
from p2pcards.commands.suggest_people import About
from p2pcards.commands.table import offered
from p2pcards.commands.table_hosts import heirs
from tests.testing.crowd import ANA, BEN, EVE, GUEST, HOST, WATCHER
from tests.testing.tongits_spot import context, spot

LAB, CLUB = Stored("~aaaabbbb", "Lab 2", "Tong-its", 240), Stored("~aaaacccc", "club", "One Card", 20)
ONE, TWO = Context(kept=(LAB,)), Context(kept=(LAB, CLUB))
ASKED = replace(GUEST, where=Where.PLAYING, waiting_for=("cy",), may_go_on=("cy",))


def words(where: Context) -> set[str]:
    return {entry.words for entry in offered(where)}


def texts(text: str, where: Context) -> list[str]:
    return [one.text for one in suggest(text, where)]


def trouble(line: str, where: Context) -> Trouble:
    found = parse(line, where)
    assert isinstance(found, Problem), found
    assert isinstance(found.code, Trouble)
    return found.code


# ---- handover


def test_the_host_hands_over_to_a_player_who_is_there() -> None:
    assert parse("handover ben", HOST) == Command("handover", ("ben",))
    assert parse("HANDOVER Boss", HOST) == Command("handover", ("ben",))  # by what we call them
    assert parse("handover", HOST) == Command("handover", ("",))
    assert texts("handover ", HOST) == ["ben"]
    assert "handover" in words(HOST)
    for where in (Where.PLAYING, Where.BETWEEN, Where.OVER):
        assert parse("handover ben", replace(HOST, where=where)) == Command("handover", ("ben",))


def test_nobody_is_made_host_who_could_not_be() -> None:
    gone = replace(BEN, absent=True)
    cy = replace(BEN, nick="cy", petname="", chip="fox-fossil", seat=2)
    assert heirs(replace(HOST, people=(gone, EVE))) == ()
    assert trouble("handover", replace(HOST, people=(gone, EVE))) is Trouble.NO_HEIR
    assert trouble("handover", replace(HOST, people=())) is Trouble.NO_HEIR
    assert trouble("handover ben", replace(HOST, people=(gone, cy))) is Trouble.ABSENT
    assert texts("handover ", replace(HOST, people=(gone, cy))) == ["cy"]
    assert trouble("handover eve", HOST) is Trouble.NO_SEAT
    assert trouble("handover bot-1", HOST) is Trouble.A_BOT
    assert trouble("handover ana", HOST) is Trouble.YOURSELF
    assert trouble("handover zoe", HOST) is Trouble.NO_SUCH_PERSON
    assert "handover" not in words(replace(HOST, people=(gone, EVE)))


def test_only_the_host_hands_over_and_never_in_practice() -> None:
    assert trouble("handover ana", GUEST) is Trouble.HOST_ONLY
    assert "handover" not in words(GUEST)
    assert trouble("handover", replace(HOST, people=(), alone=True)) is Trouble.ALONE


# ---- going on without somebody


@pytest.mark.parametrize("line", ["proceed", "go", "wait"])
def test_going_on_is_answered_only_where_it_is_asked(line: str) -> None:
    word = {"go": "proceed"}.get(line, line)
    assert parse(line, ASKED) == Command(word)
    assert word in words(ASKED)
    for where in (GUEST, HOST, replace(ASKED, may_go_on=())):
        assert trouble(line, where) is Trouble.NOBODY_MISSING
        assert word not in words(where)


def test_the_answers_stand_first_on_an_empty_line() -> None:
    first, second, *_ = suggest("", ASKED)
    assert (first.text, first.note) == ("proceed", Remark(About.GO_ON, ("cy",)))
    assert (second.text, second.note) == ("wait", Remark(About.WAIT, ("cy",)))
    assert "proceed" not in texts("", GUEST)


def test_the_coach_tells_why_nothing_moves_and_nothing_else() -> None:
    mine = replace(context(spot("AS 2S 3S 7H")), host_nick="ben")
    assert coach(replace(mine, changing=True)) == (Remark(Advice.CHANGING, ("ben",)),)
    still = replace(mine, changing=True, waiting_for=("cy", "dan"))
    assert coach(still) == (Remark(Advice.STANDS_STILL, ("cy", "dan")),)
    assert coach(replace(still, may_go_on=("cy",))) == (Remark(Advice.GO_ON, ("cy",)),)
    assert not {remark.code for remark in coach(mine)} & set(Advice)


# ---- coming back, watching, being away


def test_the_only_table_that_is_kept_needs_no_name() -> None:
    assert parse("resume", ONE) == Command("resume", ("~aaaabbbb",))
    assert texts("resume ", ONE) == ["Lab 2"]
    assert "resume" in words(ONE)
    assert "resume" not in words(Context())
    assert trouble("resume", Context()) is Trouble.NOTHING_KEPT
    assert trouble("resume lab", Context()) is Trouble.NOTHING_KEPT
    assert trouble("resume", replace(GUEST, kept=(LAB,))) is Trouble.LEAVE_FIRST


@pytest.mark.parametrize("typed", ["Lab 2", "lab 2", "la", "~aaaab", '"Lab 2"'])
def test_one_of_several_is_named_by_its_title_or_id(typed: str) -> None:
    assert parse(f"resume {typed}", TWO) == Command("resume", ("~aaaabbbb",))


def test_what_names_no_table_or_several_is_refused_with_those_that_there_are() -> None:
    assert parse("resume", TWO) == Problem(Trouble.SEVERAL_KEPT, ("Lab 2", "club"))
    for typed in ("x", "~aaaa", "~"):
        assert parse(f"resume {typed}", TWO) == Problem(Trouble.NO_SUCH_KEPT, (typed, "Lab 2", "club"))


def test_two_tables_of_one_title_are_offered_by_their_ids() -> None:
    twins = Context(kept=(LAB, replace(CLUB, title="lab 2")))
    assert texts("resume ", twins) == ["~aaaabbbb", "~aaaacccc"]
    assert trouble("resume lab 2", twins) is Trouble.NO_SUCH_KEPT
    for text in texts("resume ", twins):
        assert parse(f"resume {text}", twins) == Command("resume", (text,))


@pytest.mark.parametrize("begun", ["", "l", "Lab", "lab ", "lab 2"])
def test_a_title_of_several_words_is_completed_as_one(begun: str) -> None:
    (one, *_) = suggest(f"resume {begun}", TWO)
    assert f"resume {begun}"[: one.start] + one.text == "resume Lab 2"
    assert one.note == Remark(About.KEPT, ("Tong-its", "240", "Lab 2"))


def test_a_table_is_watched_like_one_that_is_joined() -> None:
    assert parse("watch Friday night", Context()) == Command("watch", ("Friday night",))
    assert trouble("watch", Context()) is Trouble.MISSING
    assert trouble("watch lab", GUEST) is Trouble.LEAVE_FIRST


def test_a_seat_is_asked_for_by_who_has_none() -> None:
    assert parse("sit", WATCHER) == Command("sit")
    assert "sit" in words(WATCHER)
    assert trouble("sit", GUEST) is Trouble.SEATED
    assert "sit" not in words(GUEST)


def test_away_and_back_are_each_others_way_out() -> None:
    here = replace(GUEST, where=Where.PLAYING)
    away = replace(here, bot_plays=True)
    assert parse("away", here) == Command("away")
    assert trouble("away", away) is Trouble.AWAY
    assert ("away" in words(here), "back" in words(here)) == (True, False)
    assert ("away" in words(away), "back" in words(away)) == (False, True)
    assert trouble("away", WATCHER) is Trouble.WATCHING
    assert "away" not in words(GUEST)  # in the lobby nobody plays


def test_who_came_to_watch_is_told_how_to_ask_for_a_seat() -> None:
    looks = replace(WATCHER, where=Where.BETWEEN, onlooker=True)
    assert coach(looks) == (Remark(Advice.ONLOOKING),)
    assert coach(replace(looks, onlooker=False)) == (Remark(Advice.WATCHING_ON),)
    turn = replace(looks, where=Where.PLAYING, to_act=(0,))
    assert coach(turn) == (Remark(Advice.LOOKING_ON, ("ana",)),)
    assert ANA in turn.people

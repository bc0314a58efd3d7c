"""What is asked once before it is done: only where something is lost, and what is lost."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command, Remark
from p2pcards.commands.context import Chair, Context, Fellow, Where
from p2pcards.commands.parse import parse
from p2pcards.commands.questions import Asked, question
from p2pcards.commands.table import LEAVING
from tests.testing import crowd

ALONE = Context(where=Where.LOBBY, host=True, me=0, chairs=(Chair("ana"), Chair("bot-1", bot=True), Chair("")))
HOST = replace(ALONE, chairs=(Chair("ana"), Chair("ben"), Chair("bot-1", bot=True)))
GUEST = replace(HOST, host=False, me=1)


@pytest.mark.parametrize("verb", sorted(LEAVING))
@pytest.mark.parametrize(
    ("context", "where", "asked"),
    [
        (ALONE, Where.LOBBY, None),
        (ALONE, Where.OVER, None),
        (ALONE, Where.PLAYING, Asked.ENDS_ALONE),
        (ALONE, Where.BETWEEN, Asked.ENDS_ALONE),
        (replace(ALONE, watchers=1), Where.LOBBY, Asked.CLOSES),
        (HOST, Where.LOBBY, Asked.CLOSES),
        (HOST, Where.OVER, Asked.CLOSES),
        (HOST, Where.PLAYING, Asked.ENDS),
        (HOST, Where.BETWEEN, Asked.ENDS),
        (GUEST, Where.LOBBY, None),
        (GUEST, Where.PLAYING, Asked.BOT_PLAYS),
        (GUEST, Where.BETWEEN, None),
        (GUEST, Where.OVER, None),
        (replace(GUEST, me=None), Where.PLAYING, None),
        (Context(), Where.HOME, None),
    ],
)
def test_who_leaves(verb: str, context: Context, where: Where, asked: Asked | None) -> None:
    remark = question(Command(verb), replace(context, where=where))
    assert (remark and remark.code) is asked
    assert remark is None or remark.detail == (verb,)


BEN, CY = Fellow("ben", "mango-tiger", seat=1), Fellow("cy", "lemon-lens", seat=2)


@pytest.mark.parametrize("verb", sorted(LEAVING))
@pytest.mark.parametrize("where", [Where.LOBBY, Where.PLAYING, Where.BETWEEN, Where.OVER])
def test_a_host_hears_who_will_host_where_somebody_can(verb: str, where: Where) -> None:
    context = replace(HOST, where=where, people=(BEN, CY))
    remark = question(Command(verb), context)
    plays = where is Where.PLAYING
    assert remark is not None
    assert remark == Remark(Asked.HANDS_OVER_PLAYS if plays else Asked.HANDS_OVER, (verb, "ben", "cy"))
    seatless = question(Command(verb), replace(context, me=None))
    assert seatless is not None
    assert seatless.code is Asked.HANDS_OVER


@pytest.mark.parametrize("people", [(replace(BEN, absent=True),), (replace(BEN, seat=None),), ()])
def test_who_is_not_there_or_only_watches_is_no_heir(people: tuple[Fellow, ...]) -> None:
    remark = question(Command("leave"), replace(HOST, where=Where.PLAYING, people=people))
    assert remark is not None
    assert remark.code is Asked.ENDS


def test_what_ends_a_match_or_cannot_be_taken_back() -> None:
    between = replace(GUEST, where=Where.BETWEEN)
    assert question(Command("next"), between) is None
    for command, asked in (
        (Command("stop"), Asked.STOP),
        (Command("call", (), "call"), Asked.CALL),
        (Command("fold", (), "fold"), Asked.FOLD),
    ):
        remark = question(command, between)
        assert remark is not None
        assert remark.code is asked
    assert question(Command("draw", (), "draw"), between) is None


@pytest.mark.parametrize(
    ("line", "where", "asked"),
    [
        ("kick ben", Where.LOBBY, (Asked.KICK, "ben")),
        ("kick ben rude", Where.BETWEEN, (Asked.KICK, "ben")),
        ("kick ben", Where.PLAYING, (Asked.KICK_PLAYS, "ben")),
        ("kick eve", Where.PLAYING, (Asked.KICK, "Eve")),  # she watches
        ("ban boss 2h", Where.LOBBY, (Asked.BAN, "ben", "7200")),
        ("ban ben", Where.LOBBY, (Asked.BAN_FOREVER, "ben")),
        ("ban ben forever", Where.PLAYING, (Asked.BAN_FOREVER, "ben")),
        ("ban dan", Where.LOBBY, (Asked.TURN_AWAY, "dan", "0")),  # at the door
        ("ban dan 2h rude", Where.LOBBY, (Asked.TURN_AWAY, "dan", "7200")),
        ("ban mallory", Where.LOBBY, None),  # not here: `unban` takes it back
        ("deny dan", Where.LOBBY, None),
        ("unban mallory", Where.LOBBY, None),
        ("door ask", Where.LOBBY, None),
    ],
)
def test_who_is_shown_out(line: str, where: Where, asked: tuple[object, ...] | None) -> None:
    context = replace(crowd.HOST, where=where, knocks=(crowd.DAN,))
    command = parse(line, context)
    assert isinstance(command, Command)
    remark = question(command, context)
    assert (remark and (remark.code, *remark.detail)) == asked


def test_a_vote_asks_nothing_of_who_calls_it() -> None:
    assert question(Command("vote", ("kick", "ben")), replace(GUEST, where=Where.PLAYING)) is None
    assert question(Command("ban", ("ben", "0", "")), Context()) is None

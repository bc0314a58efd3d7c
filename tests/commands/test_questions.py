"""What is asked once before it is done: only where something is lost, and what is lost."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.context import Chair, Context, Where
from p2pcards.commands.questions import Asked, question
from p2pcards.commands.table import LEAVING

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

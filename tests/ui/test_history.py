"""What was played, in words: one sentence a match, one match whole, on the screen and in lines."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable
from datetime import UTC, datetime

import pytest

from p2pcards.commands.suggest import suggest
from p2pcards.errors import UserError
from p2pcards.table.results import Ending, Result, Taker
from p2pcards.ui.app import run_app
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import compose
from p2pcards.ui.history import answer, match_lines, outcome, told
from p2pcards.ui.plain import run_plain
from p2pcards.ui.prompt import Answer, Kind, Prompt
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from tests.testing.fake_node import FakeNode
from tests.testing.screens import texts
from tests.testing.talking import talking
from tests.testing.terminal import Terminal, running

DAY = "2026-11-30T12:00:00Z"
LATER = datetime(2027, 2, 1, tzinfo=UTC).timestamp()

ANA = Taker("ana", "eyebrow-wrist-tired-vote-mango-such", "", 3, 1, True)
BEN = Taker("ben", "", "", 1, 2, False)
BOT = Taker("bot-1", "", "easy", 0, 3, False)


def match(number: int = 7, *takers: Taker, **more: object) -> Result:
    given = {"title": "Friday night", "endings": (Ending("call", (0,)), Ending("exhausted", (0, 1))), **more}
    return Result(number, "t", DAY, "tongits", rounds=2, takers=takers or (BOT, BEN, ANA), **given)  # type: ignore[arg-type] # any field


class Kept:
    """A history in memory, the newest first."""

    def __init__(self, *results: Result) -> None:
        self.results = results

    def newest(self, game: str | None = None, *, limit: int = -1) -> list[Result]:
        return list(self.results[:limit])

    def result(self, number: int) -> Result | None:
        return next((one for one in self.results if one.number == number), None)


def test_a_match_is_a_sentence_with_who_won_first_and_the_others_by_place() -> None:
    assert told(match(), LATER) == ("Tong-its, 30 November 2026, at Friday night: ana won with 3; ben 1, bot-1 0.")


@pytest.mark.parametrize(
    ("result", "sentence"),
    [
        (match(7, ANA, Taker("cy", "", "", 3, 1, True)), "ana and cy won with 3"),
        (match(7, Taker("ana", "", "", 3, 1, False), BEN, over=False), "not over after 2 rounds: ana 3, ben 1"),
        (Result(1, "t", DAY, "tongits", "", 0, (ANA, BEN), (), False), "not over"),
    ],
)
def test_joint_winners_and_matches_without_an_end_are_told_as_such(result: Result, sentence: str) -> None:
    assert outcome(result) == sentence


@pytest.mark.parametrize(
    ("result", "head"),
    [
        (match(7, ANA, BOT), "Tong-its, 30 November 2026, practice: "),
        (match(7, ANA, BEN, title=""), "Tong-its, 30 November 2026: "),
        (Result(1, "", "", "whist", "", 1, (ANA, BEN)), "whist, no date: "),
        (Result(1, "", "9999-12-31T23:59:59Z", "whist", "", 1, (ANA, BEN)), "whist, "),
    ],
)
def test_where_and_when_are_told_as_far_as_they_are_known(result: Result, head: str) -> None:
    assert told(result, LATER).startswith(head)


def test_a_match_is_shown_by_place_with_keys_and_bots_and_how_each_round_ended() -> None:
    assert match_lines(match(), LATER) == [
        "Match 7: Tong-its, 30 November 2026, at Friday night, 2 rounds.",
        "1: ana (eyebrow-wrist-tired-vote-mango-such), 3, won.",
        "2: ben, 1.",
        "3: bot-1 (a bot, easy), 0.",
        "Round 1: bot-1 won (a call).",
        "Round 2: bot-1 and ben won (the stock ran out).",
    ]


def test_nothing_that_a_record_from_elsewhere_says_reaches_the_terminal_as_it_is() -> None:
    evil = "\x1b[2J\u202e" + "x" * 500
    found = match(7, Taker(evil, evil, "", 1, 1, True), Taker(evil, "", evil, 0, 2, False), title=evil)
    found = Result(7, evil, DAY, evil, evil, 1, found.takers, (Ending(evil, (0, 9)),))
    for line in [told(found, LATER), *match_lines(found, LATER)]:
        assert line.isprintable()
        assert len(line) < 300


def test_history_lists_the_newest_and_says_where_the_others_are() -> None:
    kept = Kept(*(match(number) for number in (9, 8, 7)))
    lines = answer("", kept, 2, LATER)
    assert [line.partition(":")[0] for line in lines[:2]] == ["9", "8"]
    assert lines[2:] == ["There are older ones; `p2pcards history` on the command line shows them all."]
    assert len(answer("", kept, 3, LATER)) == 3
    one = answer("8", kept, 2, LATER)
    assert one[0].startswith("Match 8: ")
    assert one[-1] == "`p2pcards replay --history 8` on the command line shows every move."
    with pytest.raises(
        UserError, match="No match of the history has the number 5; `history` shows those that there are"
    ):
        answer("5", kept, 2, LATER)


def at_home(*results: Result) -> FakeNode:
    node = FakeNode()
    node.history = Kept(*results)
    return node


def entered(line: str, *results: Result) -> Answer:
    return came(Prompt(at_home(*results), Cards.WORDS, lambda game: "", lambda: LATER), line)


def came(prompt: Prompt, line: str) -> Answer:
    """What comes of the line in the end; until then it is LATER, and nothing has been read."""
    answer = prompt.enter(line)
    assert (answer.kind, answer.lines) == (Kind.LATER, ("The history is read…",))
    assert answer.later is not None
    return answer.later()


def test_at_the_prompt_it_answers_in_sentences() -> None:
    assert entered("history", match()).lines == (f"7: {told(match(), LATER)}",)
    assert entered("history 7", match()).lines[:-1] == tuple(match_lines(match(), LATER))
    assert entered("history").lines == (
        "Nothing has been played yet; `practise tongits` plays bots now, and every match is kept.",
    )
    refused = entered("history 3", match())
    assert (refused.kind, len(refused.lines)) == (Kind.WRONG, 1)
    assert len(entered("history", *(match(number) for number in range(30, 0, -1))).lines) == 11


def test_where_nothing_is_kept_that_is_the_answer() -> None:
    answer = came(Prompt(FakeNode(), Cards.WORDS, lambda game: ""), "history")
    assert (answer.kind, answer.lines) == (Kind.WRONG, ("What was played is not kept here.",))


@pytest.mark.parametrize("line", ["practise tongits", "host straights"])
def test_at_a_table_it_is_the_same_whatever_is_played_there(line: str) -> None:
    prompt = Prompt(at_home(match()), Cards.WORDS, lambda game: "", lambda: LATER)
    prompt.enter(line)
    assert came(prompt, "history").lines == entered("history", match()).lines
    assert came(prompt, "history 7").lines == entered("history 7", match()).lines
    assert "history" in {one.text.strip() for one in suggest("hist", prompt.here.context())}
    assert any("what was played" in line for line in prompt.enter("help history").lines)


@pytest.mark.parametrize("size", [Size(60, 20), Size(80, 24), Size(120, 40)])
def test_on_the_screen_it_is_a_page_with_the_numbers_in_a_column(size: Size) -> None:
    node = at_home(*(match(number) for number in range(120, 0, -1)))
    desk = Desk(node, lambda game: "", exit_=lambda code: None)
    for line, begins in (("history", "120 Tong-its,"), ("history 12", "Match 12 Tong-its,")):
        desk.typed(line)
        assert desk.page_open
        heading, _, first, *_ = texts(compose(desk.screen(size, desk.local()), size, Look(), desk.local()))
        assert "what was played" in heading
        assert " ".join(first.split()).startswith(begins)


WAITS = 10.0
"""Seconds after which a loop is held up for good."""


class Held(Kept):
    """A history that another program holds: read as soon as it is let go, or in vain. loop: lets go when it turns."""

    def __init__(self, *results: Result, loop: asyncio.AbstractEventLoop | None = None) -> None:
        super().__init__(*results)
        self._loop = loop
        self.asked, self.let_go = threading.Event(), threading.Event()

    def newest(self, game: str | None = None, *, limit: int = -1) -> list[Result]:
        self.asked.set()
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.let_go.set)
        if not self.let_go.wait(WAITS):
            raise UserError("The loop was held up.")
        return super().newest(game, limit=limit)


async def test_in_lines_the_table_goes_on_while_it_is_read() -> None:
    node = at_home()
    node.history = Held(match(), loop=asyncio.get_running_loop())
    with talking() as talk:
        talk.type("history", "list")
        talk.end()
        await run_plain(node, talk.stdin, talk.stdout, rules=str, look=0.0)
        said = talk.said
    assert [line[:12] for line in said if line.startswith(("7: Tong-its", "The loop"))] == ["7: Tong-its,"]


async def test_on_the_screen_keys_work_while_it_is_read_and_one_can_leave() -> None:
    node = at_home()
    node.history = held = Held(match())

    async def made() -> FakeNode:
        return node

    def run(terminal: Terminal) -> Awaitable[int]:
        return run_app(made, input=terminal.keys, output=terminal.output, manual=str)

    async with running(run) as (terminal, task):
        await terminal.sees("mango-tiger")
        terminal.type("history\r")
        await terminal.sees("The history is read…")
        assert await asyncio.to_thread(held.asked.wait, WAITS)
        terminal.type("coach")
        await terminal.sees("coach")
        assert not held.let_go.is_set()
        terminal.type("\x15quit\r")
        assert await asyncio.wait_for(task, WAITS) == 0
    held.let_go.set()

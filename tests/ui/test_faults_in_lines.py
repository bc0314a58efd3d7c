"""Faults without a screen: a line that fails ends nothing, what can't be told has happened, the background is heard."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from p2pcards.commands.command import Command
from p2pcards.ui.faults import Faults
from p2pcards.ui.headless import run_headless, run_json
from p2pcards.ui.plain import run_plain
from tests.testing.fake_node import FakeNode
from tests.testing.talking import DEADLINE, Talking, talking

SENTENCE = "Something went wrong inside p2pcards, the game goes on; the log is /state/default.log."


def boom(*args: object, **more: object) -> Any:
    raise ZeroDivisionError


class Table(FakeNode):
    """One that tells everybody, whoever fails at it, as the real one does."""

    def tell(self, notice: Any) -> None:
        for heard in self._heard:
            try:
                heard(notice)
            except ZeroDivisionError as error:
                context = {"message": "telling", "exception": error}
                asyncio.get_running_loop().call_exception_handler(context)


@contextmanager
def told() -> Iterator[list[str]]:
    """What is said of faults."""
    sentences: list[str] = []
    with Faults(sentences.append, Path("/state/default.log")).watched(asyncio.get_running_loop()):
        yield sentences


async def until(holds: Callable[[], object]) -> None:
    async with asyncio.timeout(DEADLINE):
        while not holds():  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(0.01)


Run = Callable[[FakeNode, Talking], asyncio.Task[int]]


def plain(node: FakeNode, talk: Talking) -> asyncio.Task[int]:
    return asyncio.create_task(run_plain(node, talk.stdin, talk.stdout, rules=str, look=0.0, stay=False))


def json(node: FakeNode, talk: Talking) -> asyncio.Task[int]:
    return asyncio.create_task(run_json(node, talk.stdin, talk.stdout, rules=str, stay=False))


@pytest.mark.parametrize("run", [plain, json])
@pytest.mark.parametrize("broken", ["p2pcards.ui.prompt.Prompt._do", "p2pcards.ui.prompt.parse"])
async def test_a_line_that_fails_ends_nothing(run: Run, broken: str, monkeypatch: pytest.MonkeyPatch) -> None:
    node = FakeNode(3)
    node.do(Command("practise", ("tongits",)))
    with talking() as talk, told() as sentences:
        running = run(node, talk)
        with monkeypatch.context() as patched:
            patched.setattr(broken, boom)
            talk.type("draw")
            await until(lambda: sentences or running.done())
        talk.type("draw", "quit", "yes")
        assert await asyncio.wait_for(running, DEADLINE) == 0
    assert sentences == [SENTENCE]
    assert Command("draw", (), "draw") in node.done


@pytest.mark.parametrize("run", [plain, json])
async def test_a_table_that_is_gone_ends_it_though_that_can_not_be_told(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = Table(3)
    node.do(Command("practise", ("tongits",)))
    with talking() as talk, told() as sentences:
        running = run(node, talk)
        await asyncio.sleep(0)
        monkeypatch.setattr("p2pcards.ui.prompt.Prompt.heard", boom)
        node.do(Command("leave"))
        await asyncio.wait_for(running, DEADLINE)
    assert set(sentences) == {SENTENCE}


async def test_a_match_that_is_over_ends_it_though_that_can_not_be_told(monkeypatch: pytest.MonkeyPatch) -> None:
    node = Table(3)
    with talking() as talk, told() as sentences:
        first = Command("practise", ("tongits",))
        running = asyncio.create_task(run_headless(node, talk.stdout, json=False, rules=str, first=first))
        await asyncio.sleep(0)
        monkeypatch.setattr("p2pcards.ui.prompt.Prompt.heard", boom)
        node.do(Command("leave"))
        await asyncio.wait_for(running, DEADLINE)
    assert set(sentences) == {SENTENCE}


@pytest.mark.parametrize("run", [plain, json])
async def test_a_fault_in_the_background_is_told_and_lines_are_heard_on(run: Run) -> None:
    async def fails() -> None:
        boom()

    node = FakeNode(3)
    node.do(Command("practise", ("tongits",)))
    with talking() as talk, told() as sentences:
        running = run(node, talk)
        asyncio.get_running_loop().call_soon(boom)
        asyncio.get_running_loop().call_soon(lambda: asyncio.ensure_future(fails()) and None)
        talk.type("draw", "quit", "yes")
        assert await asyncio.wait_for(running, DEADLINE) == 0
    assert sentences == [SENTENCE] * 2
    assert Command("draw", (), "draw") in node.done

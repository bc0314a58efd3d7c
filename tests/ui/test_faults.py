"""What nobody caught: logged without arguments, told once in a sentence, wherever it happened."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from p2pcards.ui.faults import Faults


class Boom(Exception):
    """What goes wrong."""


def boom(*args: object) -> None:
    raise Boom


class Dying:
    """Goes wrong where Python can't raise it."""

    def __del__(self) -> None:
        boom()


async def in_task() -> None:
    boom()


def in_loop() -> None:
    asyncio.get_running_loop().call_soon(boom, "code maple tiger")


def in_a_task() -> None:
    asyncio.get_running_loop().call_soon(lambda: asyncio.ensure_future(in_task()))


def in_a_thread() -> None:
    threading.Thread(target=boom, name="sound").start()


def in_del() -> None:
    Dying()


@pytest.mark.parametrize("fault", [in_loop, in_a_task, in_a_thread, in_del])
async def test_it_is_logged_and_told_and_nothing_is_printed(
    fault: Callable[[], None], caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    hooks = threading.excepthook, sys.unraisablehook
    with Faults(told.put_nowait, Path("/state/default.log")).watched(asyncio.get_running_loop()):
        fault()
        async with asyncio.timeout(20):
            sentence = await told.get()
    assert sentence == "Something went wrong inside p2pcards, the game goes on; the log is /state/default.log."
    assert "Boom" in caplog.text
    assert "maple" not in caplog.text
    assert capfd.readouterr() == ("", "")
    assert (threading.excepthook, sys.unraisablehook) == hooks


def test_what_is_done_safely_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    told: list[str] = []
    faults = Faults(told.append)
    faults.safely(boom)
    assert told == ["Something went wrong inside p2pcards, the game goes on."]
    assert [record.levelno for record in caplog.records] == [logging.ERROR]


async def test_a_thread_that_outlives_the_loop_tells_nobody() -> None:
    loop = Mock(call_soon_threadsafe=Mock(side_effect=RuntimeError("closed")))
    with Faults(lambda text: pytest.fail(text)).watched(loop):
        thread = threading.Thread(target=boom)
        thread.start()
        thread.join()
    assert loop.call_soon_threadsafe.called

"""Work that goes on by itself: what becomes of its faults, and that nothing of it outlives the program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from p2pcards.errors import UserError
from p2pcards.net.background import Background


async def fail(error: Exception) -> None:
    raise error


async def forever(ended: Callable[[], object] = lambda: None) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended()


@pytest.mark.parametrize(("error", "logged"), [(UserError("no port"), 0), (RuntimeError("a fault"), 1)])
async def test_what_fails_is_told_and_a_fault_of_ours_is_logged(
    error: Exception, logged: int, caplog: pytest.LogCaptureFixture
) -> None:
    failed: list[Exception] = []
    background = Background(failed.append)
    await background.start(fail(error))
    assert failed == [error]
    assert len(caplog.records) == logged


async def test_what_is_cancelled_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    failed: list[Exception] = []
    background = Background(failed.append)
    begun, never = background.start(forever()), background.start(forever())
    await asyncio.sleep(0)
    begun.cancel()
    never.cancel()
    await background.close()
    assert (failed, caplog.records) == ([], [])


async def test_closing_ends_all_and_what_that_sets_going_too() -> None:
    background = Background(lambda error: None)
    started: list[asyncio.Task[None]] = []
    background.start(forever(lambda: started.append(background.start(forever()))))
    await asyncio.sleep(0)
    await background.close()
    assert [task.cancelled() for task in started] == [True]

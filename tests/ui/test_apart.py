"""Beside the loop: what the work gives or raises comes to who waits, and nobody has to wait for its end."""

from __future__ import annotations

import asyncio
import threading

import pytest

from p2pcards.errors import UserError
from p2pcards.ui.apart import apart
from tests.testing.threadless import no_threads

WAITS = 20.0
"""Seconds after which something is held up for good."""


async def test_what_the_work_gives_comes_and_the_loop_goes_on_meanwhile() -> None:
    turned = threading.Event()
    asyncio.get_running_loop().call_soon(turned.set)
    assert await apart(lambda: turned.wait(WAITS))


async def test_what_it_raises_is_raised_where_one_waits() -> None:
    def broken() -> None:
        raise UserError("The disk is gone.")

    with pytest.raises(UserError, match="gone"):
        await apart(broken)


def test_the_end_of_the_loop_waits_for_no_work() -> None:
    begun, let_go, over = threading.Event(), threading.Event(), threading.Event()

    def work() -> None:
        begun.set()
        let_go.wait(WAITS)

    async def left() -> None:
        task = asyncio.get_running_loop().create_task(apart(work))
        await asyncio.to_thread(begun.wait, WAITS)
        task.cancel()

    def program() -> None:
        asyncio.run(left())
        over.set()

    threading.Thread(target=program, daemon=True).start()
    in_time = over.wait(WAITS / 2)
    let_go.set()
    assert in_time


async def test_without_a_thread_it_is_done_in_place(monkeypatch: pytest.MonkeyPatch) -> None:
    no_threads(monkeypatch)
    assert await apart(lambda: 7) == 7

"""Everybody hears what happens, whoever else fails at it."""

from __future__ import annotations

import asyncio
from typing import Any

from p2pcards.net.audience import Audience
from p2pcards.table.notices import Failed, Notice


async def test_one_who_fails_is_loud_and_keeps_nobody_from_hearing() -> None:
    loud: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: loud.append(context))
    heard: list[Notice | None] = []
    fault = RuntimeError("can't tell it")

    def fail(notice: Notice | None) -> None:
        raise fault

    audience = Audience()
    for listener in (heard.append, fail, heard.append):
        audience.listen(listener)
    told = Failed("no port", 1)
    audience.tell(told)
    audience.tell(None)
    assert heard == [told, told, None, None]
    assert [context["exception"] for context in loud] == [fault, fault]

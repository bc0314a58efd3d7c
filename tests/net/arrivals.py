"""Two programs on loopback, one of whom opens a table and the other comes to its door."""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest

from p2pcards.table.listing import Row
from p2pcards.table.notices import Closed, Refused
from tests.testing.program import Program, programs

LAB = b"lab".ljust(32, b".")
CODE = "mango-tiger"
OWN_CODE: dict[str, Any] = {"code": CODE, "code_written": lambda code: None}


async def met(tmp_path: Path, stack: AsyncExitStack, host: dict[str, Any], guest: dict[str, Any]) -> list[Program]:
    """ana and ben, each set up in their own way."""
    ana = await stack.enter_async_context(programs(tmp_path / "a", "ana", **host))
    ben = await stack.enter_async_context(programs(tmp_path / "b", "ben", **guest))
    return [*ana, *ben]


def listed(ana: Program, address: str, door: str, **more: Any) -> Row:
    """The row of ana's table as somebody's list has it, who has heard of that door."""
    table = ana.node.table
    assert table is not None
    host, _, port = address.partition(":")
    return Row(
        table.table, table.host_key, table.title, "tongits", "ana", 3, 1, "lobby", door, ((host, int(port)),), **more
    )


def lists(program: Program, monkeypatch: pytest.MonkeyPatch, row: Row) -> None:
    """Whatever the program looks for, it finds that row."""

    async def find(wanted: str, wait: float) -> Row:
        return row

    monkeypatch.setattr(program.node._lookout, "find", find)


async def refused(program: Program, reason: str) -> Refused:
    """It was refused for that reason, and is at no table."""
    told = await program.hear(Refused)
    closed = await program.hear(Closed)
    assert (told.code, closed.reason) == (reason, reason)
    assert (told.text, told.until) == (closed.text, closed.until)
    assert program.node.table is None
    assert not program.node.home.joining
    return told

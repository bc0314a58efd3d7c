"""What the command line and the file of settings come to."""

from __future__ import annotations

import asyncio
import gc
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from p2pcards import program
from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.net.node import Node
from p2pcards.program import DEMO_PACE, _on_screen, _pace
from p2pcards.store.settings import Settings
from p2pcards.ui.choices import nowhere
from p2pcards.ui.habits import USUAL


@pytest.mark.parametrize(
    ("settings", "wanted", "seconds"),
    [
        (Settings(), "", None),
        (Settings(), "natural", None),
        (Settings(), "instant", 0.0),
        (Settings(), "slow", 2.5),
        (Settings(demo=True), "", DEMO_PACE),
        (Settings(demo=True), "slow", 2.5),
        (Settings(demo=True, json=True), "slow", 0.0),
        (Settings(headless=True), "slow", 0.0),
    ],
)
def test_how_fast_bots_play_where_the_command_line_says_nothing(
    settings: Settings, wanted: str, seconds: float | None
) -> None:
    assert _pace(settings, True, wanted) == seconds


async def no_node() -> Node:
    raise UserError("The port 25252 is in use.")


@pytest.mark.parametrize("ends", [UserError("no node"), asyncio.CancelledError(), None])
async def test_garbage_is_collected_again_however_the_screen_ends(
    ends: BaseException | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    collecting: list[bool] = []

    async def run_app(*args: Any, **more: Any) -> int:
        collecting.append(gc.isenabled())
        if ends is not None:
            raise ends
        return 0

    monkeypatch.setattr("p2pcards.ui.app.run_app", run_app)
    with suppress(UserError, asyncio.CancelledError):
        await _on_screen(Settings(), no_node, None, Path("log"), USUAL, nowhere)
    assert (collecting, gc.isenabled()) == ([False], True)


class Writer:
    """Writes nothing, and has something to tell in the end."""

    closed = False
    untold = ""

    def close(self) -> None:
        self.closed, self.untold = True, "No space is left."


async def test_who_is_interrupted_still_waits_for_what_was_played_to_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def interrupted(*about: object) -> int:
        raise asyncio.CancelledError

    for name in ("CONFIG", "DATA", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))
    writer = Writer()
    monkeypatch.setattr(program, "_remember", lambda node, own: writer)
    monkeypatch.setattr(program, "_in_lines", interrupted)
    with pytest.raises(asyncio.CancelledError):
        await program._run(Settings(game="tongits"), Command("practise", ("tongits",)), False, False)
    assert writer.closed
    assert "No space is left." in capsys.readouterr().err

"""The screens with a fault in them: `python -m tests.testing.faulty FAULT LOG_FILE`, over a fake node.

What is broken here stays out of the program. The fault, one of `FAULTS`, is there from the line `draw` on.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from unittest import mock

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.ui import app
from tests.testing.fake_node import FakeNode


class Boom(Exception):
    """What goes wrong."""


def boom(*args: object, **more: object) -> None:
    """Goes wrong."""
    raise Boom


async def in_task() -> None:
    """Goes wrong in a task that nobody waits for."""
    boom()


def again(target: str) -> Callable[[], object]:
    """That goes wrong from now on."""
    return lambda: mock.patch(target, side_effect=boom).start()


FAULTS: dict[str, Callable[[], object]] = {
    "callback": lambda: asyncio.get_running_loop().call_soon(boom),
    "task": lambda: asyncio.ensure_future(in_task()),
    "thread": lambda: threading.Thread(target=boom, name="broken").start(),
    "key": again("p2pcards.ui.menu.Menu.accept"),
    "completer": again("p2pcards.ui.completer.Suggesting.get_completions"),
    "drawing": again("p2pcards.ui.frame.compose"),
    "painting": again("prompt_toolkit.renderer._output_screen_diff"),
}
"""Name to what sets it going."""


def main() -> int:
    """Runs it and returns the exit code."""
    fault, file = FAULTS[sys.argv[1]], Path(sys.argv[2])
    logging.basicConfig(filename=file, level=logging.INFO)

    async def make_node() -> FakeNode:
        node = FakeNode(3)
        does = node.do

        def do(command: Command) -> None:
            if command.verb == "draw":
                fault()
            does(command)

        node.do = do  # type: ignore[method-assign]  # of this one node
        return node

    try:
        start = Command("practise", ("tongits",))
        return asyncio.run(app.run_app(make_node, start, manual=str, log_file=file))
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())

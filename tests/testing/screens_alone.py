"""The screens as a program, over a fake node: `python -m tests.testing.screens_alone SEED CODE_FILE [GAME|break]`.

The exit code also goes to a file, for tests that close the terminal. `break` lets the screen itself fail for good.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.ui.app import run_app
from tests.testing.fake_node import FakeNode


async def make_node() -> FakeNode:
    """A node at home; with `break` the program falls over a second key."""
    if "break" in sys.argv:
        raise RuntimeError("broken on purpose")
    return FakeNode(int(sys.argv[1]))


def main() -> int:
    """Runs it and returns the exit code."""
    game = next((word for word in sys.argv[3:] if word in GAMES), "tongits")
    try:
        code = asyncio.run(run_app(make_node, Command("practise", (game,)), manual=str))
    except UserError as error:
        sys.stderr.write(f"{error}\n")
        code = error.exit_code
    Path(sys.argv[2]).write_text(str(code), encoding="utf-8")
    return code


if __name__ == "__main__":
    sys.exit(main())

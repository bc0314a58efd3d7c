"""Bots as programs of their own, in Python (docs/bots.md): a class with one method, and the lines are done.

class MyBot(LineBot):
    def choose(self, request: Request) -> str:
        return request.legal[0]

if __name__ == "__main__":
    MyBot().run()
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from contextlib import redirect_stdout, suppress
from typing import Any, BinaryIO

import msgspec

from p2pcards.bots.line import PROTOCOL, Answer, Hello, Request
from p2pcards.bots.telling import telling_of
from p2pcards.games.base import Game
from p2pcards.games.registry import GAMES

_TOLD = msgspec.json.Decoder(Hello | Request)


class LineBot(ABC):
    """Plays the seat of whoever starts this program. What it prints goes to standard error, and so into a log."""

    hello: Hello
    """Where the bot sits now."""

    game: Game[Any, Any, Any]
    """The game there, under the options of that table."""

    def begin(self) -> None:  # noqa: B027 - most bots need not care
        """The bot has sat down somewhere: `hello` and `game` say where. For bots that remember something."""

    @abstractmethod
    def choose(self, request: Request) -> str:
        """One of `request.legal`."""

    def view(self, request: Request) -> Any:
        """The view as the rules have it: for `game.legal_actions(view)`, `game.resample(view, random)` and the like."""
        return telling_of(self.game).read(request.view)

    def run(self, lines: BinaryIO | None = None, out: BinaryIO | None = None) -> None:
        """Answers until nothing more is asked. lines, out: standard input and output, unless others are given."""
        lines, out = lines or sys.stdin.buffer, out or sys.stdout.buffer
        with suppress(BrokenPipeError, KeyboardInterrupt), redirect_stdout(sys.stderr):
            for line in lines:
                said = _TOLD.decode(line)
                if isinstance(said, Hello):
                    self._sit_down(said)
                else:
                    answer = Answer(said.id, self.choose(said))
                    out.write(msgspec.json.encode(answer) + b"\n")
                    out.flush()

    def _sit_down(self, hello: Hello) -> None:
        if hello.protocol != PROTOCOL:
            raise ValueError(f"this bot knows protocol {PROTOCOL}, and is asked by protocol {hello.protocol}")
        rules = GAMES[hello.game]
        self.hello, self.game = hello, rules(msgspec.convert(hello.options, rules.options_type))
        self.begin()

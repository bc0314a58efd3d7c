"""How far something long has come: a bar on standard error, on a terminal alone, and sentences that it makes way for.

with Progress(len(files)) as bar:
    for file in files:
        found = work(file)
        bar.make_way()          # before anything is printed
        click.echo(found)
        bar.step()
"""

from __future__ import annotations

import os
import sys
from types import TracebackType
from typing import Self

import click

FIGURES = 30
"""Columns beside the bar: how far it is, how long it will take, and its edges."""

FEW = 2
"""So many steps at least, for a bar."""

_CLEAR = "\r\x1b[2K"


class Progress:
    """A bar over so many steps; there is none over a single one, nor where nobody would see it."""

    def __init__(self, steps: int) -> None:
        width = _width() if steps >= FEW else 0
        self._shown = width > 0
        self._bar = click.progressbar(length=steps, file=sys.stderr, hidden=not width, width=width)

    def __enter__(self) -> Self:
        self._bar.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.__exit__(kind, error, trace)

    def step(self) -> None:
        """One more is done."""
        self._bar.update(1)

    def expect(self, steps: int) -> None:
        """There will be so many, as things look now."""
        self._bar.length = steps

    def make_way(self) -> None:
        """What is printed next has the bar's line; the bar comes back below it with the next step."""
        if self._shown:
            click.echo(_CLEAR, nl=False, err=True)

    def say(self, sentence: str) -> None:
        """One sentence on standard error, above the bar."""
        self.make_way()
        click.echo(sentence, err=True)


def _width() -> int:
    """Columns for the bar itself, whose figures take others; 0 where there is no terminal, or none so wide."""
    if not sys.stderr.isatty():
        return 0
    try:
        columns = os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        columns = 80
    return max(0, min(36, columns - FIGURES))

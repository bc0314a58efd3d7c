"""Every command line of the program that the documentation shows is one that it takes: command, options, values.

What they do when they are run is tested by test_docs_alone and test_docs_tables, lines of other programs by
test_docs_tree; test_docs_shown sees to it that none is left out.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from p2pcards import cli
from tests.testing.bots_of_readers import bots_of_their_own
from tests.testing.shown import ALL, commands

SHOWN = sorted({(found.page, words) for found in ALL for words in commands(found.line)})


def everything(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for below in command.commands.values():
            yield from everything(below)


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Commands are read as ever, and do nothing but to stand in this list; programs that they name are there."""
    bots_of_their_own(tmp_path)
    monkeypatch.chdir(tmp_path)
    names: list[str] = []

    def note(name: str) -> int:
        names.append(name)
        return 0

    for command in everything(cli.program):
        name = str(command.name)
        monkeypatch.setattr(command, "callback", lambda *given, name=name, **more: note(name))
    return names


@pytest.mark.parametrize(("page", "words"), SHOWN, ids=[f"{page}: {shlex.join(words)}" for page, words in SHOWN])
def test_the_program_takes_it(
    page: str, words: tuple[str, ...], asked: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code = cli.run(words)
    assert (code, capsys.readouterr().err) == (0, "")
    assert asked or words[-1] in ("--help", "--version")


def test_there_are_many_and_each_page_has_its_own() -> None:
    assert len(SHOWN) > 40
    assert {"README.md", "docs/play.md", "docs/lab.md", "docs/bots.md"} <= {page for page, _ in SHOWN}


@pytest.mark.parametrize(
    "wrong", [("hots", "tongits"), ("host", "tongit"), ("host", "tongits", "--seat-no"), ("join",) * 4]
)
def test_what_it_does_not_take_is_found(wrong: tuple[str, ...], asked: list[str]) -> None:
    assert cli.run(wrong) == 2
    assert asked in ([], ["p2pcards"], ["program"])

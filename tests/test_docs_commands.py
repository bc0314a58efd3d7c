"""Every command line of the program that the documentation shows is one that it takes: command, options, values.

What lines do is tested where the commands are; those of the lab's page are run as they stand (test_lab_evening).
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from p2pcards import cli
from tests.testing.house import ROOT, relative

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

_STANDS_FOR = {"GAME": "tongits", "LEVEL": "easy", "N": "3", "S": "3", "SHELL": "bash", "P": "25252", "POLICY": "code"}
"""Words of a usage that need a value of their kind; any other word in capitals is as good as what it stands for."""


def lines(page: Path) -> Iterator[str]:
    """The lines of the page's shell blocks, and the commands that its sentences show."""
    text = page.read_text(encoding="utf-8")
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        yield from block.replace("\\\n", " ").splitlines()
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    for code in re.findall(r"`(p2pcards [^`\n]+)`", prose):
        if not re.search(r"[…[<]", code):
            yield code if code.count(" ") > 1 else f"{code} --help"  # a command that is only named


def commands(page: Path) -> Iterator[tuple[str, ...]]:
    """The words behind each `p2pcards` in them."""
    for line in lines(page):
        if line.startswith("#"):
            continue
        for part in re.split(r"&&|\|(?!\|)|;| > | 2> | & ?$| < ", line):
            words = shlex.split(part, comments=True)
            if words and words[0].rpartition("/")[2] == "p2pcards":
                yield tuple(_STANDS_FOR.get(word, word) for word in words[1:])


SHOWN = sorted({(relative(page), words) for page in PAGES for words in commands(page) if words})


def everything(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        for below in command.commands.values():
            yield from everything(below)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Commands are read as ever, and do nothing but to stand in this list."""
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

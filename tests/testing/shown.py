"""What command lines the README and the pages of docs/ show, and in which way a test runs each."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from typing import NamedTuple

import click
import pytest

from p2pcards import cli
from tests.testing.house import ROOT, relative
from tests.testing.shown_tables import ALONE, CANNOT, ELSEWHERE, IN_A_TREE, TABLES, WITHOUT_ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

IN_A_POSIX_SHELL = pytest.mark.skipif(sys.platform == "win32", reason="the lines are those of a POSIX shell")
"""Of tests that run them: quotes, `~`, `>` and the rights of files mean something else, or nothing, on Windows."""

COMMAND_BLOCKS = ("sh", "console", "powershell")
PROGRAMS = frozenset(
    {
        "apt",
        "apt-get",
        "bash",
        "brew",
        "cat",
        "chgrp",
        "chmod",
        "chown",
        "cp",
        "curl",
        "dnf",
        "docker",
        "eval",
        "export",
    }
    | {"git", "install", "kill", "man", "mkdir", "mv", "mypy", "p2pcards", "pip", "pip3", "pipx", "py", "pytest"}
    | {"python", "python3", "ruff", "sh", "source", "ssh", "sudo", "systemctl", "uv", "wget", "winpty"}
)
"""With which words a line of a sentence, or of a block in another language, is a command line."""

STANDS_FOR = {"GAME": "tongits", "LEVEL": "easy", "SHELL": "bash", "POLICY": "code", "<game>": "tongits"}
"""Words of a usage that need a value of their kind; any other word in capitals is as good as what it stands for."""


class Shown(NamedTuple):
    """A command line as `page` has it, without a comment behind it; block: in a block of its own."""

    page: str
    line: str
    block: bool


def shown(page: str, text: str) -> Iterator[Shown]:
    """The command lines in the text of a page: those of its blocks, then those of its sentences."""
    for language, block in re.findall(r"^```(\w*)\n(.*?)^```", text, re.DOTALL | re.MULTILINE):
        only_commands = language in COMMAND_BLOCKS and not block.startswith("#!")
        for line in block.replace("\\\n", " ").splitlines():
            bare = _bare(line if only_commands else line.lstrip("# "))
            if bare and (only_commands or _is_command(bare)):
                yield Shown(page, bare, True)
    for code in re.findall(r"`([^`\n]+)`", re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)):
        if _is_command(code):
            yield Shown(page, code, False)


def _bare(line: str) -> str:
    return " ".join(re.sub(r"(^|\s)#\s.*", "", line).split())


def _is_command(code: str) -> bool:
    """A name of a program alone is a name, but for ours, which does something by itself, and for a path that is run."""
    words = [word for word in code.split() if not re.fullmatch(r"[A-Z_0-9]+=\S*", word)]
    if not words or "…" in code:
        return False
    if words[0] in ("p2pcards", "pytest") or re.fullmatch(r"\./\S+|\.ci/run|\.venv/bin/\S+", words[0]):
        return True
    return words[0] in PROGRAMS and len(words) > 1


ALL = list(dict.fromkeys(found for page in PAGES for found in shown(relative(page), page.read_text(encoding="utf-8"))))
"""Those of all pages, a line once for each page (and once more where a sentence repeats it)."""


def commands(line: str) -> Iterator[tuple[str, ...]]:
    """The words behind each `p2pcards` in a line; with --help where a sentence only names what needs more words."""
    for part in re.split(r"&&|\|(?!\|)|;| > | 2> | & ?$| </?", line):
        words = shlex.split(part, comments=True) if "\\" not in part else []
        if words and words[0].rpartition("/")[2] == "p2pcards":
            given = tuple(STANDS_FOR.get(word, word) for word in words[1:])
            yield (*given, "--help") if _is_only_named(given) else given


def _is_only_named(given: tuple[str, ...]) -> bool:
    if len(given) != 1 or given[0].startswith("-"):
        return False
    command = cli.program.get_command(click.Context(cli.program), given[0])
    return command is not None and any(of.required for of in command.params)


def way(found: Shown) -> str:
    """How a test runs it: alone, tables, tree, unrooted; elsewhere or cannot where none of these does; or nothing."""
    in_lab = (found.page, found.block) == ("docs/lab.md", True) and found.line.startswith("p2pcards ")
    if in_lab or found.line in ELSEWHERE:
        return "elsewhere"
    for name, lines in (("cannot", CANNOT), ("tree", IN_A_TREE), ("unrooted", WITHOUT_ROOT)):
        if found.line in lines:
            return name
    words = shlex.split(found.line) if "\\" not in found.line else [""]
    if words[0] != "p2pcards" or set(words) & {"&&", "|", ">", ";"}:
        return ""
    verb = words[1] if len(words) > 1 else ""
    return "alone" if verb in ALONE else "tables" if verb in TABLES else ""


def lines(of: str) -> list[str]:
    """All lines that are run in that way, each once."""
    return sorted({found.line for found in ALL if way(found) == of})

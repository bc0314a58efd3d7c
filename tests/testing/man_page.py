"""docs/p2pcards.6, the manual page, made from the command line. To write it anew:

python -m tests.testing.man_page > docs/p2pcards.6
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator

import click

from p2pcards import __version__
from p2pcards.cli import ALIASES, program

EXIT_CODES = (
    ("0", "done; also where there was nothing to list"),
    ("1", "it failed"),
    ("2", "it was called wrongly"),
    ("3", "there is no such table"),
    ("4", "refused, kicked or banned; it says why"),
    ("5", "the connection or the host was lost for good"),
    ("6", "something is not as it was played"),
    ("130", "Ctrl-C"),
)

FILES = (
    ("~/.config/p2pcards/config.toml", "settings"),
    ("~/.config/p2pcards/presets.toml", "rules under a name"),
    ("~/.local/share/p2pcards/", "keys, whom you know, whom you keep out, what was played"),
    ("~/.local/state/p2pcards/", "live tables, locks, logs"),
)


def page() -> str:
    """The whole page."""
    return "\n".join([*_head(), *_commands(), *_tail()]) + "\n"


def _head() -> Iterator[str]:
    yield f'.TH P2PCARDS 6 "" "p2pcards {__version__}" "Games Manual"'
    yield ".SH NAME"
    yield f"p2pcards \\- {_escaped((program.help or '').splitlines()[0].rstrip('.').lower())}"
    yield ".SH SYNOPSIS"
    yield ".B p2pcards"
    yield "[OPTIONS] [COMMAND [ARGS]]"
    yield ".SH DESCRIPTION"
    yield from _prose(program.help or "")
    yield ".SH OPTIONS"
    yield from _options(program)


def _commands() -> Iterator[str]:
    yield ".SH COMMANDS"
    for name, command in _every(program, ""):
        yield f".SS {_escaped(_usage(name, command))}"
        yield from _prose(command.help or "")
        yield from _options(command)
    yield ".SH ALIASES"
    for alias, name in ALIASES.items():
        yield f"{alias} is {name}."


def _tail() -> Iterator[str]:
    yield ".SH EXIT STATUS"
    for code, meaning in EXIT_CODES:
        yield from (".TP", f".B {code}", _escaped(meaning))
    yield ".SH FILES"
    for file, meaning in FILES:
        yield from (".TP", f".I {_escaped(file)}", _escaped(meaning))
    yield "The XDG variables are honoured; macOS and Windows have their own places:"
    yield ".B p2pcards where"
    yield "prints them."
    yield ".SH ENVIRONMENT"
    yield ".TP"
    yield ".B NO_COLOR, FORCE_COLOR, COLORTERM, TERM"
    yield "How much colour there is, and whether there is a screen at all."


def _every(group: click.Group, before: str) -> Iterator[tuple[str, click.Command]]:
    """Every command, each group before its own."""
    for name, command in sorted(group.commands.items()):
        yield f"{before}{name}", command
        if isinstance(command, click.Group):
            yield from _every(command, f"{before}{name} ")


def _usage(name: str, command: click.Command) -> str:
    return " ".join((name, *command.collect_usage_pieces(_context(command))))


def _context(command: click.Command) -> click.Context:
    """One as the program makes it; the command keeps the --help that its first one gave it."""
    return click.Context(command, help_option_names=program.context_settings["help_option_names"])


def _options(command: click.Command) -> Iterator[str]:
    context = _context(command)
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) is not None and record[1]:  # the usage has the others
            yield from (".TP", f".B {_escaped(record[0])}", _escaped(record[1]))


def _prose(text: str) -> Iterator[str]:
    """Paragraphs; one that begins with \\b stays as it is."""
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        first, *lines = paragraph.splitlines()
        if first == "\b":
            yield from (".PP", ".nf", *(_escaped(line) for line in lines), ".fi")
        else:
            yield from (".PP", _escaped(" ".join((first, *lines))))


def _escaped(text: str) -> str:
    text = text.replace("\\", "\\\\").replace("-", "\\-").replace("…", "...")
    return f"\\&{text}" if text.startswith((".", "'")) else text


if __name__ == "__main__":
    sys.stdout.write(page())

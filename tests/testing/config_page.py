"""docs/config.md, made from the schema of the file. To write it anew:

python -m tests.testing.config_page > docs/config.md
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from p2pcards.store.choices import CHOICES
from p2pcards.store.config import KEYS
from p2pcards.store.config_tables import TABLES


def page() -> str:
    """The whole page."""
    return "\n".join([*_head(), *_keys(), *_example()]) + "\n"


def _head() -> Iterator[str]:
    yield "# Settings"
    yield ""
    yield "`config.toml` in the config folder (`p2pcards where` prints where it is; it need not exist) says once what"
    yield "would else be said on each command line. The command line goes on top. Paths begin at `/`, at `~`, or at the"
    yield "folder of the file. The program reads the file when it starts and never writes it. This page is made from"
    yield "the schema of the file (`python -m tests.testing.config_page`)."
    yield ""
    named = [f"`{name}`" for name in CHOICES]
    yield f"What it does not say of {', '.join(named[:-1])} and {named[-1]} stays as you set it last at the"
    yield "prompt; that is kept in `choices.toml` in the folder of data, and gone if you delete it."


def _keys() -> Iterator[str]:
    yield ""
    yield "| key | value | what it is |"
    yield "| --- | --- | --- |"
    for key in KEYS:
        yield f"| `{key.name}` | {key.allowed} | {key.effect} |"
    for table in TABLES:
        yield f"| `[{table.name}]` | {table.allowed} | {table.effect} |"


def _example() -> Iterator[str]:
    yield ""
    yield "```toml"
    for key in KEYS:
        yield f'{key.name} = "{key.example}"'
    for table in TABLES:
        yield ""
        yield f"[{table.name.replace('NAME', 'sea')}]"
        yield from table.example.splitlines()
    yield "```"


if __name__ == "__main__":
    sys.stdout.write(page())

"""`python -m tests.bench [NAME]... [--json]`: figures beside what is aimed at. It judges nothing and fails nothing.

`engine` and `strength` are all items whose names begin so.
"""

from __future__ import annotations

import argparse
from itertools import chain

import click
import msgspec

from tests.bench.figure import Figure, Item, Missing
from tests.bench.items import ITEMS

WIDTH = max(map(len, ITEMS))


def main() -> None:
    """Measures what is named, or everything."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description="Figures and what is aimed at.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help=f"of {', '.join(ITEMS)}, or how several begin; none: all"
    )
    parser.add_argument("--json", action="store_true", help="one line of JSON each")
    given = parser.parse_args()
    named = {name: [item for item in ITEMS if f"{item}-".startswith(f"{name}-")] for name in given.names}
    if unknown := sorted(name for name, items in named.items() if not items):
        parser.error(f"nothing is called {', '.join(unknown)}; there is: {', '.join(ITEMS)}")
    for name in chain(*named.values()) if named else ITEMS:
        item = ITEMS[name]
        try:
            figure = item.measure()
        except Missing as missing:
            click.echo(as_json_missing(name, missing) if given.json else f"{name:<{WIDTH}} {missing}")
            continue
        click.echo(as_json(name, item, figure) if given.json else as_line(name, item, figure))


def as_line(name: str, item: Item, figure: Figure) -> str:
    """`deadwood            2.10 us  aim <= 2.50  ok      best deadwood …`"""
    aim = f"aim {'>=' if item.more_is_better else '<='} {item.aim:.2f}"
    parts = ", ".join(f"{value:.2f} {what}" for what, value in figure.parts.items())
    verdict = "ok" if item.is_met(figure) else "missed"
    return f"{name:<{WIDTH}} {figure.value:>7.2f} {item.unit:<2}  {aim}  {verdict:<6}  {item.what} ({parts})"


def as_json(name: str, item: Item, figure: Figure) -> str:
    """The same for programs."""
    told = {
        "name": name,
        "value": figure.value,
        "unit": item.unit,
        "aim": item.aim,
        "at": "least" if item.more_is_better else "most",
        "ok": item.is_met(figure),
        "parts": figure.parts,
    }
    return msgspec.json.encode(told).decode()


def as_json_missing(name: str, missing: Missing) -> str:
    """That it wasn't measured, and why."""
    return msgspec.json.encode({"name": name, "missing": str(missing)}).decode()


if __name__ == "__main__":
    main()

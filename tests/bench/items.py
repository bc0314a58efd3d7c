"""What the benchmark measures."""

from __future__ import annotations

from tests.bench import deadwood, frame, listed, sealed, tongits, version
from tests.bench.figure import Item

ITEMS: dict[str, Item] = {
    "sealed": Item("sealed round trip over a bare echo", "x", 2.0, sealed.measure),
    "tongits": Item("random rounds over the plain engine", "x", 5.0, tongits.measure, more_is_better=True),
    "deadwood": Item("best deadwood of 12 cards", "us", 2.5, deadwood.measure),
    "version": Item("p2pcards --version over python -c pass", "x", 1.3, version.measure),
    "frame": Item("first frame over the smallest full-screen program", "x", 1.3, frame.measure),
    "listed": Item("opening to the row on another machine that looks", "s", 0.5, listed.listed),
    "late": Item("start of `list --watch` to the row of an open table", "s", 1.0, listed.late),
    "gone": Item("`leave` to the end of the row on another machine", "s", 1.0, listed.gone),
}

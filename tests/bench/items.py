"""What the benchmark measures."""

from __future__ import annotations

from tests.bench import deadwood, engine, frame, listed, sealed, tongits, version
from tests.bench.figure import Item

ITEMS: dict[str, Item] = {
    "sealed": Item("sealed round trip over a bare echo", "x", 2.0, sealed.measure),
    "tongits": Item("random rounds over the plain engine", "x", 5.0, tongits.measure, more_is_better=True),
    "deadwood": Item("best deadwood of 12 cards", "us", 2.5, deadwood.measure),
    "engine-tongits": Item(
        "a step of Tong-its over one of OpenSpiel's gin_rummy", "x", 0.5, engine.beside("tongits", 3, engine.GIN_RUMMY)
    ),
    "engine-tienlen": Item(
        "a step of Tiến lên over one of OpenSpiel's crazy_eights",
        "x",
        3.0,
        engine.beside("tienlen", 4, engine.CRAZY_EIGHTS),
    ),
    "engine-straights": Item(
        "a step of Straights over one of OpenSpiel's crazy_eights",
        "x",
        1.5,
        engine.beside("straights", 4, engine.CRAZY_EIGHTS),
    ),
    "engine-onecard": Item(
        "a step of One Card over one of OpenSpiel's crazy_eights",
        "x",
        3.0,
        engine.beside("onecard", 4, engine.CRAZY_EIGHTS),
    ),
    "version": Item("p2pcards --version over python -c pass", "x", 1.3, version.measure),
    "frame": Item("first frame over the smallest full-screen program", "x", 1.3, frame.measure),
    "listed": Item("opening to the row on another machine that looks", "s", 0.5, listed.listed),
    "late": Item("start of `list --watch` to the row of an open table", "s", 1.0, listed.late),
    "gone": Item("`leave` to the end of the row on another machine", "s", 1.0, listed.gone),
}

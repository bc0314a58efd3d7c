"""Lines become cells as prompt_toolkit's own window makes them, and what was made before is never in their way."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.application import Application
from prompt_toolkit.application.current import set_app
from prompt_toolkit.data_structures import Size as Terminal
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.layout import Container, FormattedTextControl, HSplit, Layout, Window
from prompt_toolkit.layout.mouse_handlers import MouseHandlers
from prompt_toolkit.layout.screen import Screen, WritePosition
from prompt_toolkit.output import DummyOutput

from p2pcards.ui.canvas import Canvas
from p2pcards.ui.theme import Size
from p2pcards.ui.width import Line, clean

STYLES = st.sampled_from(["", "class:turn", "class:suit.h", "bold"])
SIGNS = st.sampled_from([*"abc A♠│▸…", "漢", "ñ", "n\u0303", "q\u0301\u0302", "漢\u0301", "🂡", "👍"])
TEXTS = st.lists(SIGNS, max_size=4).map(lambda signs: clean("".join(signs)) if signs else "")
LINES = st.lists(st.tuples(STYLES, TEXTS), max_size=3)
SCREENS = st.lists(LINES, max_size=4)

COLS, ROWS = 32, 3


class Output(DummyOutput):
    """A terminal of that size."""

    cols = COLS

    def get_size(self) -> Terminal:
        return Terminal(rows=ROWS, columns=self.cols)


OUTPUT = Output()
APP: Application[None] = Application(Layout(Window()), output=OUTPUT)


def painted(container: Container, cols: int = COLS, ground: str = "") -> Screen:
    OUTPUT.cols = cols
    screen = Screen()
    with set_app(APP):
        HSplit([container], style=ground).write_to_screen(
            screen, MouseHandlers(), WritePosition(0, 0, cols, ROWS), "", False, None
        )
    return screen


def shown(container: Container, cols: int = COLS, ground: str = "") -> list[list[tuple[str, list[str]]]]:
    """Sign and style of all cells that it paints; `last-line` is a class that no theme has."""
    screen = painted(container, cols, ground)
    assert screen.height == ROWS
    rows = [[screen.data_buffer[row][col] for col in range(cols)] for row in range(ROWS)]
    return [
        [(cell.char, [one for one in cell.style.split() if one != "class:last-line"]) for cell in row] for row in rows
    ]


def theirs(lines: list[Line]) -> Container:
    text: StyleAndTextTuples = []
    for line in lines[:ROWS]:
        text += [*line, ("", "\n")]
    return Window(FormattedTextControl(text[:-1]))


@given(SCREENS, st.sampled_from(["", "class:screen"]))
def test_cells_are_those_of_a_window(lines: list[Line], ground: str) -> None:
    lines = [[*line, ("", ".")] for line in lines]  # a window leaves an accent at the very end in a cell of its own
    assert shown(Canvas(lambda size: lines), ground=ground) == shown(theirs(lines), ground=ground)


@given(st.lists(st.tuples(SCREENS, st.sampled_from(["", "class:screen"]), st.integers(1, COLS)), max_size=4))
def test_one_that_has_painted_before_paints_like_a_new_one(paints: list[tuple[list[Line], str, int]]) -> None:
    now: list[Line] = []

    def draw(size: Size) -> list[Line]:
        return [*now]

    canvas = Canvas(draw)
    for lines, ground, cols in paints:
        now[:] = lines
        assert shown(canvas, cols, ground) == shown(Canvas(draw), cols, ground)


@pytest.mark.parametrize(
    ("line", "cols", "ground"),
    [
        ([("bold", "漢 one")], COLS, ""),
        ([("", "漢 two")], COLS, ""),
        ([("", "漢"), ("bold", " one")], COLS, ""),
        ([("", "漢 one")], 4, ""),
        ([("", "漢 one")], COLS, "class:screen"),
    ],
    ids=["style", "text", "where a style begins", "width", "ground"],
)
def test_nothing_of_what_cells_are_made_of_stays_behind(line: Line, cols: int, ground: str) -> None:
    now: list[Line] = [[("", "漢 one")]]
    canvas = Canvas(lambda size: [*now])
    shown(canvas, cols)
    now[0] = line
    assert shown(canvas, COLS, ground) == shown(Canvas(lambda size: [line]), COLS, ground)


def test_an_accent_at_the_end_stays_on_its_letter() -> None:
    last = Canvas(lambda size: [[("", "x" * (COLS - 1) + "q\u0301")], [("", "q\u0301")]])
    full, short, *_ = shown(last)
    assert full[-1][0] == short[0][0] == "q\u0301"
    assert short[1][0] == " "


def test_a_line_that_stays_is_not_made_anew() -> None:
    asked: list[Size] = []

    def draw(size: Size) -> list[Line]:
        asked.append(size)
        return [[("", "one")], [("", "two")]]

    canvas = Canvas(draw)
    shown(canvas)
    before = {line: id(row) for line, row in canvas._made.items()}
    shown(canvas)
    assert asked == [Size(COLS, ROWS)] * 2, "its lines are asked for at every paint"
    assert {line: id(row) for line, row in canvas._made.items()} == before


def test_what_is_written_over_its_cells_is_gone_at_the_next_paint() -> None:
    canvas = Canvas(lambda size: [[("", "one")]])
    first = shown(canvas)
    painted(canvas).append_style_to_content("class:exit")
    assert shown(canvas) == first


def test_only_the_cells_of_the_last_paint_are_kept() -> None:
    count = iter(range(1000))
    canvas = Canvas(lambda size: [[("", f"line {next(count)}")], [("", "stays")]])
    for _ in range(50):
        shown(canvas)
    assert len(canvas._made) == ROWS

"""Whatever characters a name is written in, everything beside it stands where it stands beside a plain one."""

from __future__ import annotations

from itertools import pairwise
from unicodedata import combining

import pyte
import pytest
from prompt_toolkit.utils import get_cwidth

from p2pcards.games.registry import GAMES
from p2pcards.table.tableview import Stage
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import compose
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.width import Line, cells
from p2pcards.wire.text import clean
from tests.testing.fake_node import FakeNode, row
from tests.ui.test_every_name import at_table

PLAIN = "ЖЩЮЯБФЭЫЦ"
"""Letters of one cell that nothing else on a screen has, one for each name."""

NAMES = {
    "wide": "漢字かな",
    "hangul": "한글이름",
    "half width": "ｶﾅｶﾅ",
    "ambiguous": "αβ①★…°",
    "combining": "q\u0301x\u0302m\u0308",
    "composed": "e\u0301a\u0308o\u0302",
    "thai": "กำที่นี่",
    "indic": "क्षत्रिय",
    "arabic": "\u0645\u0631\u062d\u0628\u0627",
    "emoji": "👍🎲♥️",
    "joined": "👩‍👧‍👦👨🏽‍🚀",
    "flags": "🇵🇭🇻🇳",
    "mixed": "a漢e\u0301👍z",
    "longest": "a" + "界" * 7,
}
SIZES = (Size(80, 24), Size(200, 60))
STEP = 3
"""Seats of the smallest table."""


def people(first: int) -> tuple[list[str], list[str]]:
    """Names from there on, and plain ones as wide."""
    kinds = [clean(name, 16) for name in (*NAMES.values(), *NAMES.values())]
    odd = kinds[first : first + len(PLAIN)]
    return odd, [letter * cells(name) for letter, name in zip(PLAIN, odd, strict=True)]


def pictures(lines: list[Line], size: Size) -> list[list[str]]:
    """The cells of a terminal that shows them; pyte gives a line up at an accent that has no class of its own."""
    screen = pyte.Screen(size.cols, size.rows)
    told = "\r\n".join("".join(text for _, text in line).rstrip() for line in lines)
    pyte.Stream(screen).feed("".join(char for char in told if get_cwidth(char) or combining(char) or char in "\r\n"))
    return [[screen.buffer[line][column].data for column in range(size.cols)] for line in range(size.rows)]


def screens(game: str, names: list[str], size: Size) -> list[list[Line]]:
    """The table, the score sheet, the log and the lobby, with people of these names."""
    node, desk = at_table(game, 7, names, 12)
    drawn = [shown(desk, size)]
    for line in ("scores", "log"):
        desk.typed(line)
        drawn.append(shown(desk, size))
        desk.close_page()
    node.change(stage=Stage.LOBBY, view=None, last=None)
    return [*drawn, shown(desk, size)]


def shown(desk: Desk, size: Size) -> list[Line]:
    local = desk.local()
    return compose(desk.screen(size, local), size, desk.look(Look()), local)


def assert_same_places(odd: list[Line], plain: list[Line], size: Size) -> None:
    """What is no part of a name, nor the end of one that is cut, is in both the same."""
    for there, here in zip(pictures(plain, size), pictures(odd, size), strict=True):
        places = [column for column, cell in enumerate(there) if cell not in (*PLAIN, "…")]
        assert [here[column] for column in places] == [there[column] for column in places], "".join(here)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("first", range(0, len(NAMES), STEP))
@pytest.mark.parametrize("game", GAMES)
def test_columns_of_a_table_stay(game: str, first: int, size: Size) -> None:
    odd, plain = people(first)
    for there, here in zip(screens(game, plain, size), screens(game, odd, size), strict=True):
        assert any(PLAIN[1] in text for line in there for _, text in line)
        assert_same_places(here, there, size)


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("first", range(0, len(NAMES), STEP))
def test_columns_of_the_list_of_tables_stay(first: int, size: Size) -> None:
    odd, plain = (listed(names, size) for names in people(first))
    assert any(PLAIN[1] in text for line in plain for _, text in line)
    assert_same_places(odd, plain, size)


def listed(names: list[str], size: Size) -> list[Line]:
    """Home with tables and hosts of these names."""
    rows = [row(title, number, host=host) for number, (title, host) in enumerate(pairwise(names), 1)]
    return shown(Desk(FakeNode(3, rows=tuple(rows)), str, exit_=lambda code: None), size)

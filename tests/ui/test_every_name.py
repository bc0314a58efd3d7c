"""No line is wider than the screen and no column moves, whatever people and tables are called: each screen of random
play is painted on a terminal with names of every character that a peer may send."""

from __future__ import annotations

import random

import pyte
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from prompt_toolkit.utils import get_cwidth

from p2pcards.commands.command import Command
from p2pcards.games.registry import GAMES
from p2pcards.table.tableview import SeatView, Stage
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import BELOW, compose
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.width import Line
from p2pcards.wire.text import clean, clean_title
from tests.testing.fake_node import row
from tests.testing.scenes import SceneNode

SENT = st.text(st.characters(codec="utf-8"), min_size=1, max_size=24).map(lambda text: clean(text, 16) or "?")
"""What is left of any text that a peer sends as a name."""

ODD = st.sampled_from(
    [
        "界" * 8,
        "a卡é",
        "x" * 16,
        "e\u0301\u0301" * 5,
        "กำ",
        "👩👧👦",
        "🇵🇭🇵🇭",
        "ﷺ",
        "𒐫",
        "\u0600\u0601a",
        "क्ष",
        "W\u20dd",
    ]
).map(lambda text: clean(text, 16) or "?")

NAMES = st.lists(SENT | ODD, min_size=9, max_size=9, unique=True)
SIZES = st.sampled_from([Size(80, 24), Size(100, 30), Size(120, 40), Size(200, 60), Size(40, 10), Size(53, 17)])
EVERY = st.builds(Size, st.integers(1, 200), st.integers(1, 60))
LOOKS = st.builds(Look, unicode=st.booleans(), suits=st.booleans(), ace=st.sampled_from(["A", "1"]))


def at_table(game: str, seed: int, names: list[str], acts: int) -> tuple[SceneNode, Desk]:
    """A table of people with these names, the last name being the table's, so many acts into its match."""
    seats = {"onecard": 8}.get(game)
    node = SceneNode(seed)
    node.sit(game, others=2, host=False, seats=seats, title=clean_title(names[-1]))
    desk = Desk(node, str, exit_=lambda code: None)
    node.listen(desk.heard)
    assert node.table is not None
    people = tuple(SeatView(name, bytes([place + 1]) * 32) for place, name in enumerate(names[:-1]))
    node.change(
        seats=people[: len(node.table.seats)],
        nick=names[0],
        host=names[1],
        host_key=people[1].key,
        spectators=(names[-1],),
        spectator_keys=(b"s" * 32,),
    )
    for name in names[:2]:
        node.says(name, f"{names[2]}: {names[3]}")
    node.start()
    rng = random.Random(seed)  # noqa: S311 - the same again
    for _ in range(acts):
        table = node.table
        if table is None or table.stage is Stage.OVER:
            break
        if table.stage is Stage.BETWEEN:
            node.deal()
        else:
            actions = list(table.game.legal_actions(table.view))
            node.do(Command("act", (), table.game.format(rng.choice(actions))))
    return node, desk


def crowd(node: SceneNode, names: list[str]) -> None:
    """All that may stand on top of a table's screen: a seat that is held, somebody at the door, a vote."""
    node.drops(names[2], 63.0)
    node.knocks(names[-1])
    node.calls_a_vote(names[1], names[2], (2,))


def assert_fits(lines: list[Line], size: Size) -> None:
    """As many rows as there are, none wider than the screen, as prompt_toolkit and as the terminal count cells."""
    assert len(lines) <= size.rows
    for line in lines:
        text = "".join(part for _, part in line)
        assert sum(map(get_cwidth, text)) <= size.cols, text
        if text.isascii():
            continue
        screen = pyte.Screen(size.cols, 2)
        pyte.Stream(screen).feed(text)
        assert not screen.display[1].strip(), text


def picks(desk: Desk, seed: int) -> None:
    """Some cards are raised, and a line of the menu is chosen."""
    desk.typed("picker on")
    rng = random.Random(seed)  # noqa: S311 - the same again
    for _ in range(rng.randrange(6)):
        desk.picker.move(rng.randrange(20))
        desk.picker.up()
    desk.picker.next_line()


def assert_screen_fits(desk: Desk, size: Size, look: Look) -> None:
    menu, chosen = desk.menu() if desk.picks else ((), None)
    local = desk.local()._replace(menu=menu, chosen=chosen)
    if size.cols >= 40 and size.rows >= 10:
        lines = compose(desk.screen(size, local), size, desk.look(look), local)
        assert len(lines) == size.rows - BELOW
        assert_fits(lines, size)


@pytest.mark.parametrize("game", GAMES)
@settings(deadline=None, max_examples=12)
@given(st.integers(0, 2**32), NAMES, st.integers(0, 60), SIZES | EVERY, LOOKS)
def test_no_line_is_wider_than_the_screen(
    game: str, seed: int, names: list[str], acts: int, size: Size, look: Look
) -> None:
    node, desk = at_table(game, seed, names, acts)
    assert_screen_fits(desk, size, look)
    desk.typed("log")
    assert_screen_fits(desk, size, look)
    desk.typed("who")
    assert_screen_fits(desk, size, look)
    desk.close_page()
    picks(desk, seed)
    assert_screen_fits(desk, size, look)
    crowd(node, names)
    assert_screen_fits(desk, size, look)
    desk.typed("picker off")
    node.falls_silent()
    assert_screen_fits(desk, size, look)
    node.change(stage=Stage.LOBBY, view=None, last=None)
    assert_screen_fits(desk, size, look)


@settings(deadline=None, max_examples=20)
@given(NAMES, SIZES | EVERY, LOOKS)
def test_no_row_of_the_list_is_wider_than_the_screen(names: list[str], size: Size, look: Look) -> None:
    node = SceneNode(1)
    rows = [row(clean_title(name), place + 1, host=name, interface=name) for place, name in enumerate(names)]
    node.rows(*(replace(one, lab=place % 2 == 0) for place, one in enumerate(rows)), trouble=names[0], in_lab=True)
    desk = Desk(node, str, exit_=lambda code: None)
    assert_screen_fits(desk, size, look)
    node.wants_code(names[1])
    assert_screen_fits(desk, size, look)

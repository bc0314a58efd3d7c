"""The rules open where the table stands."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.games.registry import GAMES
from p2pcards.store.manual import rules_text
from p2pcards.table.tableview import Stage, TableView
from p2pcards.ui import phases
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.theme import Look, Size
from tests.testing.dice import dice
from tests.testing.fake_node import FakeNode
from tests.testing.screens import texts

SIZES = (LEAST, Size(80, 24), Size(120, 40))


def sitting(game: str, seed: int = 1) -> tuple[FakeNode, Desk]:
    node = FakeNode(seed)
    desk = Desk(node, rules_text, exit_=lambda code: None)
    node.listen(desk.heard)
    desk.typed(f"practise {game}")
    return node, desk


def page(desk: Desk, size: Size) -> list[str]:
    local = desk.local()
    return texts(compose(desk.screen(size, local), size, Look(), local))


def headings(game: str) -> set[str]:
    return {line.lstrip("#").strip() for line in rules_text(game).splitlines() if line.startswith("#")}


def at(game: str, **public: Any) -> TableView:
    node, _ = sitting(game)
    table = node.table
    assert table is not None
    return replace(table, view=replace(table.view, public=replace(table.view.public, **public)))


@pytest.mark.parametrize("game", GAMES)
def test_wherever_a_round_stands_the_rules_have_that_section(game: str) -> None:
    seen = set()
    for seed in range(3):
        node, _ = sitting(game, seed)
        for step in range(60):
            table = node.table
            assert table is not None
            seen.add(phases.section(table))
            if table.stage is Stage.PLAYING:
                legal = list(table.game.legal_actions(table.view))
                node.do(Command("act", (), table.game.format(dice(step).choice(legal))))
            elif table.stage is Stage.BETWEEN:
                node.do(Command("next"))
    assert table is not None
    assert seen <= headings(game)
    assert phases.section(replace(table, stage=Stage.PLAYING, view=None)) in headings(game)
    assert phases.section(replace(table, stage=Stage.OVER)) in headings(game)
    assert phases.section(replace(table, stage=Stage.LOBBY)) == ""


@pytest.mark.parametrize(
    ("game", "public", "heading"),
    [
        ("tongits", {"phase": "draw"}, "Your turn"),
        ("tongits", {"phase": "respond"}, "Calling a draw"),
        ("tienlen", {"pile": None}, "Tricks"),
        ("tienlen", {"phase": "after_out"}, "Going out"),
        ("straights", {}, "Your turn"),
        ("onecard", {"pending": 0}, "Your turn"),
        ("onecard", {"pending": 5}, "What cards do"),
        ("onecard", {"phase": "shuffle"}, "The stock runs out"),
    ],
)
def test_each_phase_has_its_section(game: str, public: dict[str, Any], heading: str) -> None:
    assert phases.section(at(game, **public)) == heading


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", SIZES)
def test_the_page_opens_there_and_the_rest_is_a_page_up_or_down(game: str, size: Size) -> None:
    node, desk = sitting(game)
    desk.typed("rules")
    assert node.table is not None
    heading = f" {phases.section(node.table)}{phases.HERE}"
    lines = page(desk, size)
    assert heading in [line.rstrip() for line in lines[:3]]
    title = rules_text(game).splitlines()[0].lstrip("# ")
    assert f" {title}" not in [line.rstrip() for line in lines]
    for _ in range(99):
        desk.turn_page(-1, size)
    assert "This table has the usual rules." in "\n".join(page(desk, size))
    for _ in range(99):
        desk.turn_page(1, size)
    assert heading not in [line.rstrip() for line in page(desk, size)]


def test_a_page_that_nobody_turned_stays_there_when_the_window_changes() -> None:
    _, desk = sitting("tienlen")
    desk.typed("rules")
    for size in (*SIZES, *reversed(SIZES)):
        assert any(line.rstrip().endswith(phases.HERE) for line in page(desk, size)[:3])


def test_the_rules_of_another_game_begin_at_their_beginning() -> None:
    _, desk = sitting("tongits")
    desk.typed("rules onecard")
    text = "\n".join(page(desk, Size(80, 24)))
    assert phases.HERE not in text
    assert " One Card" in text


def test_the_help_key_leads_on_to_the_rules_and_back_to_the_table() -> None:
    _, desk = sitting("tongits")
    seen = []
    for _ in range(4):
        desk.pressed("help")
        seen.append(desk.local().page)
    assert seen == ["help", "rules", "", "help"]
    desk.typed("leave")
    desk.typed("yes")
    desk.pressed("help")
    desk.pressed("help")
    assert desk.local().page == ""

"""Keys of one's own, and the line edited as in vi."""

from __future__ import annotations

import pytest

from p2pcards.store.config_tables import ACTIONS
from p2pcards.ui.habits import Habits
from p2pcards.ui.keynames import NAMES, USUAL, keymap, named, names, shown
from tests.ui.test_app import ESCAPE, F1, playing, program

F5 = "\x1b[15~"


def test_what_can_have_another_key_is_what_the_file_of_settings_knows() -> None:
    assert tuple(USUAL) == ACTIONS


@pytest.mark.parametrize(
    ("key", "text"), [("f5", "F5"), ("c-x", "Ctrl-X"), ("c-f5", "Ctrl-F5"), ("pageup", "PageUp"), ("s-f1", "Shift-F1")]
)
def test_keys_are_named_as_people_write_them(key: str, text: str) -> None:
    assert shown(key) == text


async def test_a_key_of_ones_own_does_it_and_the_usual_one_no_longer() -> None:
    node, start = playing()
    async with program(node, start, habits=Habits(keys={"help": "f5"})) as (terminal, _):
        assert " F5 help" in terminal.lines()[-1]
        terminal.type(F1 + "sc")
        await terminal.sees(" > sc")
        assert "Esc closes" not in terminal.text()
        terminal.type(F5)
        await terminal.sees("Esc closes")


def test_a_usual_key_that_has_another_action_does_that_alone() -> None:
    own = keymap({"help": "f5", "log": "c-x"})
    assert (own["help"], own["picker"], own["log"], own["hide"]) == ("f5", "", "c-x", "f2")


def test_sentences_name_the_keys_that_do_it() -> None:
    assert named("{hide} or {log}", NAMES) == "F2 or F4"
    assert named("{hide} or {log}", names({"hide": "c-x"})) == "Ctrl-X or F4"
    assert named("{picker}", names({"hide": "f5"})) == ""
    assert (names({})["close"], names({}, vi=True)["close"]) == ("Esc", "Ctrl-G")


async def test_what_is_said_names_a_key_of_ones_own() -> None:
    node, start = playing()
    keys = {"hide": "c-x", "picker": "f7", "page_down": "c-n"}
    async with program(node, start, habits=Habits(keys=keys, editing="vi")) as (terminal, _):
        terminal.type("\x18")
        await terminal.sees("hidden; Ctrl-X or `hide` shows them")
        terminal.type("picker on\rpicker off\r")
        await terminal.sees("`picker on`, or F7, brings")
        terminal.type("help\r")
        await terminal.sees("PageUp, Ctrl-N · Ctrl-G closes")


async def test_what_has_no_key_any_more_is_not_on_the_last_line() -> None:
    node, start = playing()
    async with program(node, start, habits=Habits(keys={"help": "f5"})) as (terminal, _):
        assert "F5 help" in terminal.lines()[-1]
        assert "pick" not in terminal.lines()[-1]


async def test_in_vi_mode_escape_is_for_the_line() -> None:
    node, start = playing()
    async with program(node, start, habits=Habits(editing="vi")) as (terminal, _):
        terminal.type("score")
        await terminal.sees(" > score")
        terminal.type(ESCAPE)
        terminal.type("0x")
        await terminal.sees(" > core")

"""A pasted block is one line, and plays nothing by itself."""

from __future__ import annotations

import unicodedata
from collections import deque

from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys

from p2pcards.ui.pasting import BURST, BURST_SECONDS, PASTE, Burst, pasted


def keys(text: str) -> deque[KeyPress]:
    return deque(KeyPress(Keys.ControlM if char == "\r" else char, char) for char in text)


def test_line_ends_and_tabs_are_spaces_and_what_a_terminal_obeys_is_left_out() -> None:
    assert pasted("draw\r\ndiscard\t7H\n\n") == "draw discard 7H"
    assert pasted("\x1b[31mred\x1b[0m \x1b]2;title\x07say\x07 \x00hi\x7f\x9b") == "red say hi"
    assert pasted("\x1b[200~x\x1b[201~\u202ey") == "xy"


def test_it_is_no_longer_than_anybody_needs() -> None:
    assert pasted("x" * 100_000) == "x" * PASTE
    assert pasted("\x1b" * 100_000) == ""


@given(st.text())
def test_it_never_holds_what_moves_the_cursor(block: str) -> None:
    assert not {unicodedata.category(char) for char in pasted(block)} & {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_many_lines_at_once_are_a_block_and_nothing_is_left_of_it() -> None:
    coming = keys("draw\r" * BURST)
    assert Burst().taken(coming, 0.0) == " ".join(["draw"] * BURST)
    assert not coming


def test_what_is_typed_ahead_is_no_block() -> None:
    coming = keys("draw\r" * (BURST - 1))
    assert Burst().taken(coming, 1.0) is None
    assert len(coming) == 5 * (BURST - 1)
    assert Burst().taken(keys("\r" * 50), 1.0) is None


def test_the_end_of_a_block_that_comes_in_parts_belongs_to_it() -> None:
    burst = Burst()
    assert burst.taken(keys("draw\r" * BURST), 1.0) is not None
    assert burst.taken(keys("w\r"), 1.0 + BURST_SECONDS) == "w"
    assert burst.taken(keys(""), 1.0 + 3 * BURST_SECONDS) is None

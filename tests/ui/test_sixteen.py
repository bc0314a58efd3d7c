"""Colours beyond the 16 become the one of their hue."""

from __future__ import annotations

import pytest

from p2pcards.ui.sixteen import sixteen


@pytest.mark.parametrize(
    ("look", "made"),
    [
        ("bold #87d75f", "bold ansibrightgreen"),
        ("#005f00", "ansigreen"),
        ("#ff8787 bg:#000000", "ansibrightred bg:ansiblack"),
        ("#af5f00", "ansibrightred"),
        ("#ffaf00", "ansibrightyellow"),
        ("#87d7ff", "ansibrightcyan"),
        ("#005faf", "ansibrightblue"),
        ("#87005f", "ansimagenta"),
        ("#d7005f", "ansired"),
        ("underline bg:#00005f", "underline bg:ansiblack"),
        ("bg:#ffffd7", "bg:ansiwhite"),
        ("bg:#af0000", "bg:ansired"),
        ("#fff", "ansiwhite"),
        ("dim #767676", "dim ansibrightblack"),
        ("#bcbcbc", "ansigray"),
        ("bold ansired underline", "bold ansired underline"),
        ("", ""),
    ],
)
def test_a_colour_becomes_the_nearest_in_hue(look: str, made: str) -> None:
    assert sixteen(look) == made


def test_none_of_the_cube_of_216_is_anything_else() -> None:
    from prompt_toolkit.styles import parse_color

    parts = ("00", "5f", "87", "af", "d7", "ff")
    for red in parts:
        for green in parts:
            for blue in parts:
                made = sixteen(f"#{red}{green}{blue}")
                assert parse_color(made) == made
                if len({red, green, blue}) == 3:
                    assert made not in ("ansiblack", "ansibrightblack", "ansigray", "ansiwhite")

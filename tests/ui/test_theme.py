"""The palette: the terminal's own colours, and never a colour alone."""

from __future__ import annotations

import itertools

from prompt_toolkit.styles import default_ui_style

from p2pcards.ui.theme import PALETTE, style

SAFE = {"ansired", "ansigreen", "ansimagenta", "ansibrightblue"}
"""Colours of the 16 that are read on black, on white and on the common tinted grounds."""


def test_only_colours_that_can_be_read_on_dark_and_light() -> None:
    words = {word for look in PALETTE.values() for word in look.split()}
    assert {word for word in words if word.startswith(("ansi", "#", "bg:", "fg:"))} <= SAFE


def test_suits_differ_by_colour_from_each_other() -> None:
    looks = [PALETTE[f"suit.{suit}"] for suit in "cdhs"]
    assert all(one != other for one, other in itertools.combinations(looks, 2))


def test_no_name_inherits_a_look_of_the_library() -> None:
    plain = default_ui_style()
    for name in PALETTE:
        attributes = plain.get_attrs_for_style_str(f"class:{name}")
        assert attributes == plain.get_attrs_for_style_str(""), name
        assert style().get_attrs_for_style_str(f"class:{name}") is not None

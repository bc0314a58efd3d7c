"""The pictures in docs/screens are what the program paints; `python -m tests.testing.screens_svg` paints them anew."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pyte
import pytest

from tests.testing.house import ROOT
from tests.testing.painted import Cells
from tests.testing.screens_svg import FOLDER, PICTURES, file_of, picture
from tests.testing.snapshots import NAMES
from tests.testing.svg import svg


@pytest.mark.parametrize("name", PICTURES)
async def test_a_picture_is_what_the_program_paints(name: str) -> None:
    found = await picture(name)
    assert found == file_of(name).read_text(encoding="utf-8"), "python -m tests.testing.screens_svg paints it anew"


def test_every_picture_is_of_a_scene_and_none_lies_there_beside() -> None:
    assert {what.scene for what in PICTURES.values()} <= set(NAMES)
    assert sorted(FOLDER.iterdir()) == sorted(map(file_of, PICTURES))


def test_the_pages_show_only_pictures_that_are_there() -> None:
    shown = {
        folder / name
        for page, folder in ((ROOT / "README.md", ROOT), (ROOT / "docs" / "play.md", ROOT / "docs"))
        for name in re.findall(r"\]\(([^)]*\.svg)\)", page.read_text(encoding="utf-8"))
    }
    assert shown
    assert shown <= set(map(file_of, PICTURES))


def painted(text: str) -> ElementTree.Element:
    screen = Cells(12, 2)
    pyte.Stream(screen).feed(text)
    return ElementTree.fromstring(svg(screen, "a <b> & c"))  # noqa: S314 - our own


def test_text_stands_on_its_cells_in_its_colour() -> None:
    root = painted("\x1b[0;1;31mA♥\x1b[0m  \x1b[0;2m<b>\x1b[0m")
    first, second = root.iter("{http://www.w3.org/2000/svg}text")
    assert (first.text, first.get("font-weight"), first.get("textLength")) == ("A♥", "bold", "16.8")
    assert first.get("fill") == "#e06c75"
    assert (second.text, second.get("opacity"), second.get("x")) == ("<b>", "0.62", "45.6")


def test_boxes_are_drawn_and_not_written() -> None:
    root = painted("╭──╮\r\n│7♦│")
    assert [one.text for one in root.iter("{http://www.w3.org/2000/svg}text")] == ["7♦"]
    assert sum(one.get("d", "").count("M") for one in root.iter("{http://www.w3.org/2000/svg}path")) == 4 + 1 + 2


def test_what_is_reversed_has_a_ground_of_its_own() -> None:
    root = painted("\x1b[0;7mon\x1b[0m off")
    ground = list(root.iter("{http://www.w3.org/2000/svg}rect"))
    assert [one.get("width") for one in ground[1:]] == ["16.8"]

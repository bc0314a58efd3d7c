"""The themes: read on their ground, told apart by eyes of every kind, and never by colour alone."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence

import pytest

from p2pcards.commands import table_look
from p2pcards.store import config_tables
from p2pcards.ui import frame, themes
from p2pcards.ui.habits import Habits
from p2pcards.ui.local import Local
from p2pcards.ui.sixteen import sixteen
from p2pcards.ui.theme import PALETTE, Look, Size
from p2pcards.ui.themes import THEMES, Skin, palette
from p2pcards.ui.width import width_of
from tests.testing.fake_node import FakeNode
from tests.ui.test_app import PRACTISE, program

DARK = ("#000000", "#1c1c1c", "#262626")
LIGHT = ("#ffffff", "#eeeeee", "#fdf6e3")
GROUNDS = {"dark": DARK, "light": LIGHT, "deuter": ("#000000", "#ffffff"), "tritan": ("#000000", "#ffffff")}

BLINDNESS = {
    "deuter": (
        ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
        ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    ),
    "tritan": (((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),),
}
"""What such eyes make of red, green and blue light: without the second, the first, the third kind of cones."""

Light = tuple[float, ...]


def light(colour: str) -> Light:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    return tuple(part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4) for part in parts)


def bright(seen: Light) -> float:
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), seen, strict=True))


def contrast(one: str, other: str) -> float:
    dark, pale = sorted((bright(light(one)), bright(light(other))))
    return (pale + 0.05) / (dark + 0.05)


def apart(one: Light, other: Light) -> float:
    """How different two colours look, in CIE Lab; below 10 they are hardly told apart."""
    return math.dist(_lab(one), _lab(other))


def _lab(seen: Light) -> Light:
    red, green, blue = seen
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.0888
    roots = [part ** (1 / 3) if part > 0.008856 else 7.787 * part + 16 / 116 for part in (x, bright(seen), z)]
    return (116 * roots[1] - 16, 500 * (roots[0] - roots[1]), 200 * (roots[1] - roots[2]))


def seen_by(eyes: Sequence[Sequence[float]], colour: str) -> Light:
    parts = light(colour)
    return tuple(
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, parts, strict=True)))) for row in eyes
    )


def colours(look: str) -> Iterator[str]:
    return (word for word in look.split() if word.startswith("#"))


def test_every_room_knows_the_same_themes() -> None:
    assert tuple(THEMES) == tuple(table_look.THEMES) == config_tables.THEMES
    assert themes.USUAL == table_look.USUAL_THEME == next(iter(THEMES))
    assert THEMES[themes.USUAL] == PALETTE


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_has_all_styles_and_no_other(name: str) -> None:
    assert set(THEMES[name]) == set(PALETTE)


@pytest.mark.parametrize("name", ["dark", "light"])
def test_a_theme_is_read_on_its_ground(name: str) -> None:
    for place, look in THEMES[name].items():
        least = 3.0 if place in ("rule", "card.edge") else 4.5
        for colour, ground in itertools.product(colours(look), GROUNDS[name]):
            assert contrast(colour, ground) >= least, (place, colour, ground)


PALE_OF_16 = {"ansiblack", "ansibrightblack", "ansiblue"}
"""What is hardly seen on dark ground."""


@pytest.mark.parametrize("name", ["dark", "contrast", "deuter", "tritan"])
def test_what_is_said_on_dark_ground_is_read_where_there_are_16_colours(name: str) -> None:
    for place, look in THEMES[name].items():
        front = {word for word in sixteen(look).split() if word.startswith("ansi")}
        assert place in ("rule", "card.edge") or not front & PALE_OF_16, (place, front)


@pytest.mark.parametrize("name", THEMES)
def test_suits_differ_where_there_are_16_colours(name: str) -> None:
    suits = [sixteen(THEMES[name][f"suit.{suit}"]).replace("bright", "") for suit in "shdc"]
    assert len(set(suits)) == 4 or name == "mono"
    assert sixteen(THEMES[name]["good"]) != sixteen(THEMES[name]["warn"])


@pytest.mark.parametrize("name", ["deuter", "tritan"])
def test_themes_for_other_eyes_are_read_on_any_ground(name: str) -> None:
    for place, look in THEMES[name].items():
        for colour, ground in itertools.product(colours(look), GROUNDS[name]):
            assert contrast(colour, ground) >= 4.0, (place, colour, ground)


def test_high_contrast_is_high_on_the_ground_that_it_brings() -> None:
    front, ground = THEMES["contrast"]["screen"].split()
    assert contrast(front, ground.removeprefix("bg:")) == pytest.approx(21)
    for place, look in THEMES["contrast"].items():
        assert "dim" not in look.split(), place
        for colour in colours(look):
            assert contrast(colour, ground.removeprefix("bg:")) >= 7, place


@pytest.mark.parametrize("name", ["deuter", "tritan"])
def test_eyes_that_see_colours_otherwise_tell_suits_good_and_bad_apart(name: str) -> None:
    theme = THEMES[name]
    suits = [next(colours(theme[f"suit.{suit}"])) for suit in "hdc"]
    for eyes in BLINDNESS[name]:
        for ground in GROUNDS[name]:
            text = "#ffffff" if ground == "#000000" else "#000000"  # spades have the colour of the text
            for one, other in itertools.combinations([*suits, text], 2):
                assert apart(seen_by(eyes, one), seen_by(eyes, other)) >= 40, (one, other)
        good, warn = (next(colours(theme[place])) for place in ("good", "warn"))
        assert apart(seen_by(eyes, good), seen_by(eyes, warn)) >= 60


def test_without_colours_there_are_none() -> None:
    assert not [word for look in THEMES["mono"].values() for word in look.split() if "ansi" in word or "#" in word]
    assert palette("dark", {}, colours=False) == THEMES["mono"]
    own = {"sea": {"based_on": "dark", "turn": "underline"}}
    assert palette("sea", own, colours=False) == {**THEMES["mono"], "turn": "underline"}


def test_an_own_theme_lies_on_what_it_is_based_on() -> None:
    own = {"sea": {"based_on": "light", "turn": "reverse"}, "deep": {"based_on": "sea", "me": "italic"}}
    assert palette("deep", own) == {**THEMES["light"], "turn": "reverse", "me": "italic"}
    assert palette("plain", {"plain": {"based_on": ""}}) == palette("", {}) == palette("gone", {}) == PALETTE


def test_a_skin_follows_the_theme_and_is_made_once_for_each() -> None:
    worn = ["dark"]
    skin = Skin(lambda: worn[0], {}, colours=True)
    dark = skin.style()
    assert (skin.style() is dark, skin.ground()) == (True, "")
    worn[0] = "contrast"
    assert (skin.style() is dark, skin.ground()) == (False, "class:screen")
    worn[0] = "dark"
    assert skin.style() is dark


def test_a_skin_has_no_colour_beyond_those_of_the_terminal() -> None:
    few = [True]
    skin = Skin(lambda: "dark", {}, colours=True, few=lambda: few[0])
    assert skin.style().get_attrs_for_style_str("class:turn").color == "ansibrightgreen"
    few[0] = False
    assert skin.style().get_attrs_for_style_str("class:turn").color == "87d75f"


def test_the_page_shows_what_a_terminal_of_16_colours_makes_of_a_theme() -> None:
    screen = themes.draw(tuple(table_look.THEMES.items()), "light", {}, Size(80, 24), 0, few=True)
    ((body, _),) = screen.drawings
    assert not [style for line in body for style, _ in line if "#" in style]


@pytest.mark.parametrize("name", ["dark", "light"])
def test_new_cards_are_read_on_their_tint(name: str) -> None:
    (tint,) = (word for word in THEMES[name]["card.new"].split() if word.startswith("bg:"))
    for suit in "hdc":
        (colour,) = colours(THEMES[name][f"suit.{suit}"])
        assert contrast(colour, tint.removeprefix("bg:")) >= 4.5, suit


OWN = {f"own-{number}": {"based_on": "mono"} for number in range(40)}
KNOWN = (*table_look.THEMES.items(), *((name, table_look.OWN_THEME) for name in OWN))


@pytest.mark.parametrize("cols", [40, 80, 120])
@pytest.mark.parametrize("unicode", [True, False])
def test_the_page_shows_each_theme_in_its_colours(cols: int, unicode: bool) -> None:
    size = Size(cols, 24)
    screen = themes.draw(tuple(table_look.THEMES.items()), "light", {}, size, 0)
    lines = frame.compose(screen, size, Look(unicode=unicode), Local())
    assert all(width_of(line) <= cols for line in lines)
    for name in table_look.THEMES:
        line = next(line for line in lines if any(text.strip() == name for _, text in line))
        mark, _, _, *samples = line
        assert (mark[1].strip() != "") == (name == "light")
        heart = next(style for style, text in samples if text in ("K♥", "KH"))
        assert THEMES[name]["suit.h"] in heart


def test_the_page_can_be_turned_when_there_are_many() -> None:
    screen = themes.draw(KNOWN, "both", OWN, Size(80, 24), 20)
    ((body, _),) = screen.drawings
    assert KNOWN[20][0] in body[0][1][1]
    assert f"of {len(KNOWN)}" in screen.status[0][1]


# ---- on the screen


async def test_a_theme_is_on_at_once_and_shown_as_the_one_that_is() -> None:
    async with program(FakeNode(3), PRACTISE) as (terminal, _):
        terminal.type("theme contrast\r")
        await terminal.sees("The theme is contrast now.")
        cells = [terminal.screen.buffer[row][col] for row in range(24) for col in range(80)]
        assert {cell.bg for cell in cells if not cell.reverse} == {"black"}
        terminal.type("theme\r")
        await terminal.sees("white on black")
        assert " ▸ contrast" in terminal.text()
        terminal.type("theme both\r")
        await terminal.sees("The theme is both")
        assert {cell.bg for row in range(24) for cell in terminal.screen.buffer[row].values()} == {"default"}


async def test_the_screen_begins_with_the_theme_that_is_wanted() -> None:
    own = {"sea": {"based_on": "contrast", "screen": "ansiwhite bg:ansiblue"}}
    async with program(FakeNode(3), PRACTISE, habits=Habits(theme="sea", themes=own)) as (terminal, _):
        assert terminal.screen.buffer[20][70].bg == "blue"
        terminal.type("theme\r")
        await terminal.sees("▸ sea")
        assert "of your config.toml" in terminal.text()


async def test_without_colours_no_theme_brings_any() -> None:
    async with program(FakeNode(3), PRACTISE, look=Look(colours=False)) as (terminal, _):
        for name in THEMES:
            terminal.type(f"theme {name}\r")
            await terminal.sees(f"The theme is {name} now.")
        terminal.type("theme\r")
        await terminal.sees("white on black")
        assert {(cell.fg, cell.bg) for row in range(24) for cell in terminal.screen.buffer[row].values()} == {
            ("default", "default")
        }

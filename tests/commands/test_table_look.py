"""The command `theme`: its names are read, refused with what there is, and completed with what each is for."""

from __future__ import annotations

import pytest

from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Context, Where
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import suggest
from p2pcards.commands.table_look import OWN_THEME, THEMES
from p2pcards.ui.habits import Habits
from p2pcards.ui.prompt import Kind, Prompt
from p2pcards.ui.voice import Cards
from tests.testing.fake_node import FakeNode

OWN = Context(themes=("sea", "dust"))


@pytest.mark.parametrize("where", Where)
def test_a_theme_is_taken_everywhere_in_letters_of_any_size(where: Where) -> None:
    assert parse("Theme LIGHT", Context(where=where)) == Command("theme", ("light",))
    assert parse("theme", Context(where=where)) == Command("theme")


def test_an_own_theme_is_one_of_them() -> None:
    assert parse("theme sea", OWN) == Command("theme", ("sea",))
    assert parse("theme sea", Context()) == Problem(Trouble.NO_SUCH, ("theme", "sea", *THEMES))
    assert parse("theme se", OWN) == Problem(Trouble.NO_SUCH, ("theme", "se", *THEMES, "sea", "dust"))


def test_each_theme_is_offered_with_what_it_is_for() -> None:
    offered = {one.text: one.note.detail for one in suggest("theme ", OWN)}
    assert offered == {name: (about,) for name, about in {**THEMES, "sea": OWN_THEME, "dust": OWN_THEME}.items()}
    assert [one.text for one in suggest("theme D", OWN)] == ["dark", "deuter", "dust"]


def test_what_is_said_of_themes() -> None:
    prompt = Prompt(FakeNode(), Cards.SIGNS, str, habits=Habits(theme="sea", themes={"sea": {}}))
    first, *others = prompt.enter("theme").lines
    assert first == "The theme is sea; `theme NAME` takes another one."
    assert others[-1] == "sea: of your config.toml (this one)"
    assert len(others) == len(THEMES) + 1
    (line,) = prompt.enter("theme dark").lines
    assert line == "The theme is dark now."
    assert prompt.settings.theme == "dark"
    answer = prompt.enter("theme black")
    assert (answer.kind, prompt.settings.theme) == (Kind.WRONG, "dark")
    assert answer.lines[0].startswith("There is no theme black; there is both, dark, light")


def test_who_is_read_to_hears_one_sentence() -> None:
    prompt = Prompt(FakeNode(), Cards.WORDS, str)
    (line,) = prompt.enter("theme").lines
    assert line == (
        "Plain mode has no colours. The theme of the screen is both; "
        "there are both, dark, light, contrast, deuter, tritan and mono."
    )
    (line,) = prompt.enter("theme mono").lines
    assert line == "The theme of the screen is mono; plain mode has no colours."

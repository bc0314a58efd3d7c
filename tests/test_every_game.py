"""What a game needs to be one of the house (docs/adding-a-game.md): it stands in every table, and has its pages."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.bots import registry as bots
from p2pcards.commands import coach, help, notes
from p2pcards.games.base import Game
from p2pcards.games.registry import GAMES
from p2pcards.ui.gamescreens import GAME_SCREENS, GameScreens
from p2pcards.ui.gamewords import GAME_WORDS, GameWords
from tests.testing.house import ROOT

every_game = pytest.mark.parametrize("name", GAMES)


@pytest.mark.parametrize(
    "table",
    [bots._BOTS, coach._COACHES, help._VERBS, notes._NOTES, GAME_SCREENS, GAME_WORDS],
    ids=["bots", "coach", "help", "notes", "screens", "words"],
)
def test_every_game_stands_in_every_table_and_nothing_else_does(table: dict[str, object]) -> None:
    assert set(table) == set(GAMES)


@every_game
def test_a_game_is_called_what_the_registry_calls_it(name: str) -> None:
    assert GAMES[name].name == name


@every_game
def test_every_page_and_file_of_a_game_is_there(name: str) -> None:
    for file in (
        f"docs/rules/{name}.md",
        f"docs/samples/{name}.p2pcards.toml",
        f"docs/samples/{name}.txt",
        f"tests/playthroughs/{name}.txt",
    ):
        assert (ROOT / file).is_file()


@every_game
@pytest.mark.parametrize("form", [GameWords, GameScreens])
def test_words_and_screens_are_of_one_form(name: str, form: type) -> None:
    module: Any = (GAME_WORDS if form is GameWords else GAME_SCREENS)[name]
    wanted = {member for member in vars(form) if not member.startswith("_")}
    assert {member for member in wanted if not hasattr(module, member)} == set()


@every_game
def test_every_code_of_refusals_coach_and_menu_has_a_sentence(name: str) -> None:
    words = GAME_WORDS[name]
    assert words.REFUSALS in words.SENTENCES
    assert {kind for kind, told in words.SENTENCES.items() if set(kind) != set(told)} == set()


@every_game
def test_documents_speak_of_every_game(name: str) -> None:
    game: type[Game[Any, Any, Any]] = GAMES[name]
    for file in ("README.md", "docs/commands.md"):
        assert game.title in (ROOT / file).read_text(encoding="utf-8"), file

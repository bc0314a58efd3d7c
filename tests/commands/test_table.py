"""The command table: every command once, and no game verb among its words."""

from __future__ import annotations

from collections import Counter

import pytest

from p2pcards.commands.context import Where
from p2pcards.commands.table import (
    ENTRIES,
    GAME_ALIASES,
    VERB_ALIASES,
    Kind,
    entries,
    named,
    verb,
)
from p2pcards.games.base import Game
from p2pcards.games.registry import GAMES

WORDS = {word for entry in ENTRIES for word in (entry.word, *entry.aliases)}


def test_every_command_stands_there_once() -> None:
    assert [words for words, count in Counter(entry.words for entry in ENTRIES).items() if count > 1] == []
    owners = Counter(word for word in WORDS for entry in {e.word for e in ENTRIES if word in (e.word, *e.aliases)})
    assert [word for word, count in owners.items() if count > 1] == []


@pytest.mark.parametrize("game", GAMES.values())
def test_no_game_verb_is_a_word_of_the_table(game: type[Game[object, object, object]]) -> None:
    assert WORDS & set(game.verbs) == set()
    assert WORDS & set(VERB_ALIASES) == set()


def test_second_words_belong_to_all_commands_of_a_word_or_to_none() -> None:
    for entry in ENTRIES:
        assert len({bool(other.second) for other in named(entry.word)}) == 1


def test_optional_arguments_come_last_and_choices_are_named() -> None:
    for entry in ENTRIES:
        needed = [not arg.optional for arg in entry.args]
        assert needed == sorted(needed, reverse=True)
        assert all(bool(arg.choices) == (arg.kind is Kind.CHOICE) for arg in entry.args)


def test_help_is_one_line_that_says_what_to_do() -> None:
    for entry in ENTRIES:
        assert "\n" not in entry.help
        assert not entry.help.endswith(".")
        assert entry.help[0].islower()
        assert len(f"{entry.usage}  {entry.help}") < 78


def test_usage_shows_what_can_be_left_out() -> None:
    assert {entry.usage for entry in named("bot")} == {"bot add [LEVEL]", "bot remove BOT", "bot level BOT LEVEL"}
    assert named("practice")[0].usage == "practise GAME"


def test_the_host_alone_gets_the_hosts_commands() -> None:
    guests = {entry.words for entry in entries(Where.LOBBY, host=False)}
    hosts = {entry.words for entry in entries(Where.LOBBY, host=True)}
    assert hosts - guests == {"start", "set", "bot add", "bot remove", "bot level"}
    assert "next" not in hosts


def test_every_place_has_help_and_a_way_out() -> None:
    for where in Where:
        words = {entry.word for entry in entries(where, host=False)}
        assert {"help", "quit"} <= words
        assert ("leave" in words) == (where is not Where.HOME)


def test_aliases_name_what_there_is() -> None:
    tongits = GAMES["tongits"]
    assert verb(tongits, "fight") == verb(tongits, "knock") == verb(tongits, "call") == "call"
    assert verb(tongits, "cal") is None
    assert set(GAME_ALIASES.values()) <= set(GAMES)

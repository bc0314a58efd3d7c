"""Help is made from the tables and says what works in this place."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.context import Caller, Chair, Choice, Context, Fellow, Stored, Where
from p2pcards.commands.help import _VERBS, explain, overview
from p2pcards.commands.parse import parse
from p2pcards.commands.table import ENTRIES
from p2pcards.games.base import Game
from p2pcards.games.options import explained
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts
from tests.testing.tongits_spot import LEVELS, context, spot

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))


def page(name: str) -> str:
    return (Path(__file__).parents[2] / "docs" / "rules" / f"{name}.md").read_text(encoding="utf-8")


ACT = context(spot("KD 7H"))


def test_the_overview_has_the_games_verbs_only_while_a_round_is_open() -> None:
    usages = [line.usage for line in overview(ACT)]
    assert [usage.split()[0] for usage in usages[: len(TongIts.verbs)]] == list(TongIts.verbs)
    assert "layoff CARD MELD" in usages
    assert "hand" in usages
    assert "start" not in usages
    at_home = [line.usage for line in overview(Context())]
    assert "draw" not in at_home
    assert {"list [lab|all]", "join TABLE", "practise GAME"} <= set(at_home)


def test_everything_in_the_overview_works_here() -> None:
    for where in (ACT, Context(), Context(where=Where.LOBBY, game=TongIts(), host=True)):
        assert all(line.here and line.help for line in overview(where))


def test_one_word() -> None:
    (line,) = explain("call", ACT)
    assert (line.usage, line.aliases, line.here) == ("call", ("fight", "knock"), True)
    assert [line.usage for line in explain("bot", ACT)] == ["bot add [LEVEL]", "bot remove BOT", "bot level BOT LEVEL"]
    assert not any(line.here for line in explain("bot", ACT))
    assert explain("practice", Context())[0].aliases == ("practice",)
    assert explain("draw", Context())[0].here is False
    assert explain("xyzzy", ACT) == ()


@every_game
def test_every_verb_is_explained_and_no_other(game: type[Game[Any, Any, Any]]) -> None:
    assert set(_VERBS[game.name]) == set(game.verbs)


@every_game
def test_every_verb_says_by_which_rules_it_may_be_done(game: type[Game[Any, Any, Any]]) -> None:
    for own, told in _VERBS[game.name].items():
        numbers = re.findall(r"R\d+", told.more)
        assert numbers, own
        assert all(f"**{number}.**" in page(game.name) for number in numbers), own


@every_game
def test_every_verb_has_examples_that_are_actions(game: type[Game[Any, Any, Any]]) -> None:
    for own, told in _VERBS[game.name].items():
        assert told.examples[0].split()[0] == own
        for example in told.examples:
            if example.split()[0] != own:
                game.ranking.parse_all(example)  # cards alone
            elif "#" not in example:
                assert game().format(game().parse(example)).split()[0] == own


def test_examples_of_commands_are_understood() -> None:
    rules = tuple(Choice(option.name, option.default, option.choices, "") for option in explained(TongIts))
    lobby = Context(
        where=Where.LOBBY,
        choices=rules,
        game=TongIts(),
        host=True,
        levels=LEVELS,
        chairs=(Chair("ana"), Chair("bot-1", bot=True)),
    )
    crowd = replace(
        lobby,
        me=0,
        people=(Fellow("ana", "mango-tiger", seat=1),),
        knocks=(Caller("ana", "mango-tiger", "new", "", "ask"),),
    )
    kept = Context(kept=(Stored("~ab", "Friday night", "Tong-its"),))
    seat = replace(crowd, people=(Fellow("ben", "mango-tiger", seat=1),), knocks=())
    places = (Context(in_lab=True), Context(asking="lab"), kept, lobby, crowd, seat, replace(crowd, knocks=()), ACT)
    for line in (line for entry in ENTRIES for line in entry.examples):
        assert any(isinstance(parse(line, where), Command) for where in places) or line in ("join 1", "watch 2"), line


def test_a_watcher_is_told_no_verbs() -> None:
    watching = context(spot("", turn=1, seat=None))
    assert not {line.usage.split()[0] for line in overview(watching)} & set(TongIts.verbs)
    assert not explain("draw", watching)[0].here


@every_game
def test_the_rules_can_be_read_on_any_terminal(game: type[Game[Any, Any, Any]]) -> None:
    assert page(game.name).replace(game.title, "").isascii()

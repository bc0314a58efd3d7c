"""Help is made from the tables and says what works in this place."""

from __future__ import annotations

import re
from pathlib import Path

from p2pcards.commands.command import Command
from p2pcards.commands.context import Chair, Choice, Context, Where
from p2pcards.commands.help import explain, overview
from p2pcards.commands.parse import parse
from p2pcards.commands.table import ENTRIES
from p2pcards.games.options import explained
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts
from tests.testing.tongits_spot import LEVELS, context, spot

ACT = context(spot("KD 7H"))


def test_the_overview_has_the_games_verbs_only_while_a_round_is_open() -> None:
    usages = [line.usage for line in overview(ACT)]
    assert [usage.split()[0] for usage in usages[: len(TongIts.verbs)]] == list(TongIts.verbs)
    assert "layoff CARD MELD" in usages
    assert "hand" in usages
    assert "start" not in usages
    at_home = [line.usage for line in overview(Context())]
    assert "draw" not in at_home
    assert {"list", "join TABLE", "practise GAME"} <= set(at_home)


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


def test_every_verb_says_when_it_may_be_done_and_how_it_looks() -> None:
    for own in TongIts.verbs:
        (line,) = explain(own, ACT)
        assert re.search(r"\(R\d+.*\)", line.more), own
        assert line.examples
        assert {example.split()[0] for example in line.examples} <= {own, "KD"}


def test_examples_of_verbs_are_actions() -> None:
    for own in TongIts.verbs:
        for example in explain(own, ACT)[0].examples:
            if "#" not in example and example != "KD":
                TongIts().parse(example)


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
    for line in (line for entry in ENTRIES for line in entry.examples):
        assert any(isinstance(parse(line, where), Command) for where in (Context(), lobby, ACT)) or line == "join 1"


def test_a_watcher_is_told_no_verbs() -> None:
    watching = context(spot("", turn=1, seat=None))
    assert not {line.usage.split()[0] for line in overview(watching)} & set(TongIts.verbs)
    assert not explain("draw", watching)[0].here


def test_the_rules_can_be_read_on_any_terminal() -> None:
    for game in GAMES:
        text = (Path(__file__).parents[2] / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
        assert text.replace(GAMES[game].title, "").isascii()
        told = {number for line in overview(ACT) for number in re.findall(r"R\d+", line.more)}
        assert all(f"**{number}.**" in text for number in told)

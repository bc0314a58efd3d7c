"""Help is made from the tables and says what works in this place."""

from __future__ import annotations

from p2pcards.commands.context import Context, Where
from p2pcards.commands.help import explain, overview
from p2pcards.games.tongits import TongIts
from tests.testing.tongits_spot import context, spot

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

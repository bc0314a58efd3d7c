"""The base class of bots in Python: what it makes of the lines, and that a bot of ours plays the same through them."""

from __future__ import annotations

import io
import re
from itertools import islice

import pytest

from p2pcards.bots.line import Line, Reply, Request, Scores
from p2pcards.bots.linebot import LineBot
from p2pcards.bots.registry import bot
from p2pcards.games.match import Match
from p2pcards.games.onecard import OneCard, OneCardOptions
from p2pcards.games.registry import GAMES
from tests.bots.rounds import views
from tests.testing.dice import dice


class Medium(LineBot):
    """The bot of that level, with the rules and views as it gets them through the lines."""

    def choose(self, request: Request) -> str:
        print("thinking")  # noqa: T201 - as somebody does who looks for a fault
        return self.game.format(bot(self.game.name, "medium").choose(self.game, self.view(request), dice(request.id)))


@pytest.mark.parametrize("name", GAMES)
def test_a_bot_plays_the_same_through_the_lines(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    game, line, player = GAMES[name](), Line(), Medium()
    seen = views(game, [bot(name, "random")] * game.usual_seats, 4)
    for number, view in enumerate(islice(seen, 60), 1):
        out = io.BytesIO()
        player.run(io.BytesIO(line.ask(game, view, 1.0, Match())), out)
        assert line.hear(out.getvalue()) == Reply(bot(name, "medium").choose(game, view, dice(number)))
    told = capsys.readouterr()
    assert (told.out, told.err[:9]) == ("", "thinking\n")


def test_it_knows_where_it_sits_and_under_which_options() -> None:
    sat: list[tuple[int, int, int]] = []

    class Remembers(Medium):
        def begin(self) -> None:
            sat.append((self.hello.seat, self.hello.seats, self.game.options.cards))

    game = OneCard(OneCardOptions(cards=7))
    line, player = Line(), Remembers()
    for view in islice(views(game, [bot("onecard", "random")] * 3, 1), 3):
        player.run(io.BytesIO(line.ask(game, view, 1.0, Match())), io.BytesIO())
    assert sorted(sat) == [(0, 3, 7), (1, 3, 7), (2, 3, 7)]


def test_it_is_told_how_the_match_stands_where_that_is_said() -> None:
    asked: list[Request] = []

    class Reads(Medium):
        def choose(self, request: Request) -> str:
            asked.append(request)
            return request.legal[0]

    game = OneCard()
    view = next(views(game, [bot("onecard", "random")] * 3, 1))
    told = Line().ask(game, view, 1.0, Match(game, (3, 0, 9), (1, 0, 2), 3))
    without = re.sub(rb',"match":{[^}]*}', b"", told)
    assert without != told
    Reads().run(io.BytesIO(told + without), io.BytesIO())
    assert [request.match for request in asked] == [Scores(4, (3, 0, 9), (1, 0, 2)), Scores()]


def test_another_protocol_than_its_own_ends_it_with_the_reason() -> None:
    game = OneCard()
    view = next(views(game, [bot("onecard", "random")] * 3, 1))
    told = Line().ask(game, view, 1.0, Match()).replace(b'"protocol":1', b'"protocol":2')
    with pytest.raises(ValueError, match="knows protocol 1, and is asked by protocol 2"):
        Medium().run(io.BytesIO(told), io.BytesIO())

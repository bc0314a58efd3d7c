"""Programs in the arena: the documented examples play every game, and nothing that a program does stops a deal."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.bots.arena import play_deal, plays_matches
from p2pcards.bots.registry import bot
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts
from p2pcards.net.arenabot import ProgramBot
from p2pcards.net.botprogram import Patience
from tests.testing.odd_bots import CAUTIOUS_PY, FIRST_SH, written

QUICK = Patience(seconds=20.0, start=20.0)


@pytest.mark.parametrize("command", [FIRST_SH, CAUTIOUS_PY], ids=["first.sh", "cautious.py"])
@pytest.mark.parametrize("name", GAMES)
def test_the_examples_play_every_game_without_a_fault(name: str, command: str) -> None:
    game, told = GAMES[name](), list[str]()
    rules = game.stopped(1) if plays_matches(game) else game
    seats = rules.seats.start
    with ProgramBot(command, told.append, QUICK) as program:
        played = play_deal(rules, [program, *[bot(name, "easy")] * (seats - 1)], 0, 0)
    assert told == []
    assert sum(played.shares) == pytest.approx(1)


def test_two_programs_can_meet(tmp_path: Path) -> None:
    told = list[str]()
    with ProgramBot(FIRST_SH, told.append, QUICK) as one, ProgramBot(CAUTIOUS_PY, told.append, QUICK) as other:
        first = play_deal(TongIts(), [one, other, bot("tongits", "medium")], 1, 0)
        assert play_deal(TongIts(), [one, other, bot("tongits", "medium")], 1, 0) == first
    assert told == []


@pytest.mark.parametrize("body", ["sys.exit(2)", "print('!', flush=True)", "say(id=number, action='win')"])
def test_a_deal_is_played_to_its_end_whatever_the_program_does(body: str, tmp_path: Path) -> None:
    told = list[str]()
    with ProgramBot(written(tmp_path, body), told.append, QUICK) as program:
        played = play_deal(TongIts(), [program, bot("tongits", "easy"), bot("tongits", "easy")], 0, 0)
    assert sum(played.shares) == pytest.approx(1)
    assert told[0].startswith("The bot odd.py ")
    assert played.defaults[0] > 5
    assert played.defaults[1:] == (0, 0)


def test_a_program_that_is_not_there_is_refused_before_anything_is_played() -> None:
    with pytest.raises(UserError, match=r"The bot \./nothing is not there\."):
        ProgramBot("./nothing", lambda told: None)

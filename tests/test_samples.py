"""The matches in docs/samples: sound, canonical, and read as `replay` tells them."""

from __future__ import annotations

import pytest

from p2pcards.cli import run
from p2pcards.games.record import read, write
from p2pcards.games.registry import GAMES
from p2pcards.games.replay import replay
from tests.testing.samples import FOLDER, record_file, sample, story_file

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_is_a_whole_match_in_which_everything_agrees(game: str) -> None:
    found = replay(record_file(game).read_bytes())
    assert (found.exit_code, found.error) == (0, "")
    assert (found.report["ok"], found.report["over"]) == (True, True)
    assert found.report["winners"]


@pytest.mark.parametrize("game", GAMES)
def test_a_sample_is_written_canonically(game: str) -> None:
    text = record_file(game).read_bytes()
    assert write(read(text)).encode() == text


@pytest.mark.parametrize("game", GAMES)
def test_a_play_through_is_what_replay_prints(game: str, capsys: Capture) -> None:
    assert run(["replay", str(record_file(game))]) == 0
    assert capsys.readouterr().out == story_file(game).read_text(encoding="utf-8")


def test_the_sample_of_one_card_has_a_reshuffle() -> None:
    assert "dealer: shuffle" in record_file("onecard").read_text(encoding="utf-8")


def test_nothing_else_lies_there() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {
        file.name for game in GAMES for file in (record_file(game), story_file(game))
    }


def test_the_bots_play_the_same_match_again() -> None:
    assert sample("tongits") == sample("tongits")

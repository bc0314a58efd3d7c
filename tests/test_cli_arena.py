"""`p2pcards arena`: what it prints, and that every error is one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest

from p2pcards.bots import arena
from p2pcards.cli import run

BOTS = ("--seat", "medium", "--seat", "random", "--seat", "random")

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *arguments: str, code: int = 0) -> str:
    """What arena prints on standard output, and nothing else."""
    assert run(["arena", "tongits", *arguments]) == code
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


def test_json_holds_a_row_for_each_seat_in_their_order(capsys: Capture) -> None:
    report = json.loads(printed(capsys, *BOTS, "--rounds", "30", "--json"))
    assert list(report) == ["game", "rounds", "seats"]
    assert (report["game"], report["rounds"]) == ("tongits", 30)
    assert [list(row) for row in report["seats"]] == [["bot", "win_share", "low", "high", "mean_points"]] * 3
    assert [row["bot"] for row in report["seats"]] == ["medium", "random", "random"]
    assert all(0 <= row["low"] <= row["win_share"] <= row["high"] <= 1 for row in report["seats"])
    assert report["seats"][0]["win_share"] > 0.5
    turned = json.loads(printed(capsys, *BOTS[2:], *BOTS[:2], "--rounds", "30", "--json"))
    assert [row["bot"] for row in turned["seats"]] == ["random", "random", "medium"]
    assert turned["seats"][2]["win_share"] > 0.5


def test_the_same_command_prints_the_same_and_another_seed_does_not(capsys: Capture) -> None:
    command = (*BOTS, "--rounds", "60", "--seed", "7")
    assert printed(capsys, *command) == printed(capsys, *command)
    assert printed(capsys, *command) != printed(capsys, *command[:-1], "8")
    assert printed(capsys, *BOTS, "--rounds", "9") == printed(capsys, *BOTS, "--rounds", "9", "--seed", "0")


def test_rounds_are_filled_up_to_whole_deals(capsys: Capture) -> None:
    assert json.loads(printed(capsys, *BOTS, "--rounds", "4", "--json"))["rounds"] == 6
    assert "6 rounds (4 asked for): 2 deals, each played from all 3 seats" in printed(capsys, *BOTS, "--rounds", "4")


def test_options_are_those_of_the_game_and_a_match_of_theirs_is_won_whole(capsys: Capture) -> None:
    told = printed(capsys, *BOTS, "--rounds", "3", "--option", "match_rounds=4", "--option", "scoring=chips")
    assert told.startswith("Tong-its, 3 matches: 1 deal,")


def test_ctrl_c_prints_what_there_is(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    play = arena.play_deal

    def two(game: Any, bots: Any, seed: int, number: int) -> arena.Played:
        if number == 2:
            raise KeyboardInterrupt
        return play(game, bots, seed, number)

    monkeypatch.setattr(arena, "play_deal", two)
    told = printed(capsys, *BOTS, "--rounds", "3000", code=130)
    assert told.startswith("Tong-its, 6 rounds (3000 asked for): 2 deals,")
    assert json.loads(printed(capsys, *BOTS, "--rounds", "3000", "--json", code=130))["rounds"] == 6


def test_ctrl_c_before_the_first_deal_prints_nothing(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*_: Any) -> arena.Played:
        raise KeyboardInterrupt

    monkeypatch.setattr(arena, "play_deal", none)
    assert printed(capsys, *BOTS, "--json", code=130) == ""


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--seat", "hal", *BOTS[2:]), "No bot level is called 'hal'; there are: random, easy, medium"),
        (BOTS[2:], "Tong-its is for 3 players, not 2."),
        ((*BOTS, *BOTS), "Tong-its is for 3 players, not 6."),
        ((), "Missing option '--seat'."),
        ((*BOTS, "--rounds", "0"), "'0' is not a number of rounds, 1 or more."),
        ((*BOTS, "--rounds", "many"), "'many' is not a number of rounds, 1 or more."),
        ((*BOTS, "--seed", "x"), "'x' is not a valid integer"),
        ((*BOTS, "--option", "scoring"), "'scoring' is not KEY=VALUE."),
        ((*BOTS, "--option", "scoring=gold"), "scoring can't be gold; allowed: chips or wins."),
        ((*BOTS, "--option", "colour=red"), "Tong-its has no option colour; it has"),
    ],
)
def test_mistakes_are_one_sentence(capsys: Capture, arguments: tuple[str, ...], says: str) -> None:
    assert run(["arena", "tongits", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert says in told.err
    assert told.err.count("\n") == 1

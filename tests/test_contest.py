"""Deals played here or in several processes: the same ones, and nothing is left behind."""

from __future__ import annotations

import os
import signal
from contextlib import closing
from multiprocessing import active_children
from pathlib import Path

import pytest

from p2pcards.contest import Contest, cores
from p2pcards.errors import InvalidOption, UserError
from tests.testing.odd_bots import written

CONTEST = Contest("tongits", (("scoring", "chips"),), ("medium", "easy", "random"), seed=7)


def silent(sentence: str) -> None:
    """No bot does anything wrong."""
    raise AssertionError(sentence)


def test_several_processes_play_the_same_deals_in_the_same_order() -> None:
    numbers = [5, 2, 3, 0, 1, 4, 11]
    here = list(CONTEST.play(numbers, 1, silent))
    assert list(CONTEST.play(numbers, 3, silent)) == here
    assert len(set(here)) > 1
    assert active_children() == []


def test_closing_ends_the_processes() -> None:
    with closing(CONTEST.play(range(10_000), 2, silent)) as deals:
        next(deals)
        assert len(active_children()) == 2
    assert active_children() == []


def test_no_process_is_started_for_nothing() -> None:
    with closing(CONTEST.play(range(1), 2, silent)) as deals:
        next(deals)
        assert active_children() == []
    assert list(CONTEST.play(range(3, 3), 2, silent)) == []


def test_what_goes_wrong_in_a_process_is_raised_here() -> None:
    with pytest.raises(InvalidOption, match="3 players, not 2") as raised:
        list(Contest("tongits", (), ("medium", "easy")).play(range(4), 2, silent))
    assert "_work" in "".join(raised.value.__notes__)
    assert active_children() == []


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system kills otherwise")
def test_a_process_that_was_killed_ends_it_with_a_sentence() -> None:
    with closing(CONTEST.play(range(10_000), 2, silent)) as deals:
        next(deals)
        for child in active_children():
            os.kill(child.pid or 0, signal.SIGKILL)
        with pytest.raises(UserError, match="has ended before its time"):
            list(deals)
    assert active_children() == []


def test_there_is_a_core() -> None:
    assert cores() >= 1


def test_names_are_those_of_bots() -> None:
    with pytest.raises(UserError, match="No bot level is called 'hal'; there are: random, easy, medium"):
        Contest("tongits", (), ("medium", "hal", "easy")).bots(silent)


def test_a_program_here_can_be_meant(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mybot.py").touch(0o755)
    with pytest.raises(UserError, match=r"No bot level is called 'mybot'; did you mean \./mybot\.py\?"):
        Contest("tongits", (), ("medium", "mybot", "easy")).bots(silent)


def test_the_time_to_think_matters_where_a_bot_thinks() -> None:
    assert not CONTEST.thinks()


# ---- programs


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_program_plays_a_seat_and_ends_with_the_deals(tmp_path: Path, jobs: int) -> None:
    starts = tmp_path / "starts"
    command = written(tmp_path, f"open({str(starts)!r}, 'a').write(f'{{os.getpid()}}\\n'); sys.exit(3)")
    told: list[str] = []
    deals = list(Contest("tongits", (), (command, "easy", "random")).play(range(2), jobs, told.append))
    assert all(sum(deal.shares) == pytest.approx(1) for deal in deals)
    assert told[0] == "The bot odd.py ended with exit code 3 before it answered; the safe default was played."
    assert len(starts.read_text().split()) == 3 * jobs


def test_a_program_that_is_not_there_is_refused() -> None:
    with pytest.raises(UserError, match=r"The bot \./hal is not there\."):
        Contest("tongits", (), ("./hal", "easy", "easy")).bots(silent)
    with pytest.raises(UserError, match="a name that can't be shown"):
        Contest("tongits", (), ("./\udcff", "easy", "easy")).bots(silent)

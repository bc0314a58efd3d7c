"""A record told in lines, as it is asked for."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading

import pytest

from p2pcards.games.base import Seat
from p2pcards.games.registry import GAMES
from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.replay_plain import run_plain_viewer
from p2pcards.ui.signals import INTERRUPTED
from tests.testing.replays import WRONG, reel, sample_reel


class Silent:
    """Standard input on which nobody types until `close`."""

    def __init__(self) -> None:
        self._closed = threading.Event()

    def read(self, size: int, /) -> bytes:
        self._closed.wait()
        return b""

    def close(self) -> None:
        self._closed.set()


async def said(desk: Viewing, *lines: str) -> list[str]:
    """What is answered to these lines, without prompts."""
    out = io.StringIO()
    code = await run_plain_viewer(desk, io.BytesIO("".join(f"{line}\n" for line in lines).encode()), out)
    assert code == 0
    told = [line.removeprefix("> ").removeprefix("> ") for line in out.getvalue().splitlines()]
    return [line for line in told if line]


async def test_an_empty_line_is_the_next_move() -> None:
    told = await said(Viewing(sample_reel("tongits")), "", "", "quit")
    assert told[:2] == ["Tong-its: bot-1, bot-2 and bot-3.", "An empty line is the next move; `help` lists the words."]
    assert told[2] == "Round 1: bot-2 starts."
    assert "bot-2 drew the queen of hearts." in told
    assert "bot-2 exposed 7 of clubs, diamonds, hearts as m1." in told
    assert told[-1] == "bot-2 is to act."


async def test_jumps_tell_where_it_is_and_what_lies_there() -> None:
    told = await said(Viewing(sample_reel("tongits")), "round 2", "move 20", "quit")
    assert "Round 2 of 3, move 0 of 40." in told
    assert "Round 2 of 3, move 20 of 40." in told
    assert any(line.startswith("m4 is bot-3's") for line in told)
    assert any(line.startswith("bot-3 holds ") for line in told)


async def test_eyes_see_their_own_hand_alone() -> None:
    told = await said(Viewing(sample_reel("tongits")), "eyes bot-2", "", "hint", "legal", "quit")
    at = told.index("You see it as bot-2.")
    hands = [line for line in told[at:] if " hold" in line]
    assert len(hands) == 1
    assert hands[0].startswith("You hold ")
    assert "You drew the queen of hearts." in told[at:]
    assert any(line.startswith("In your place the hard bot would") for line in told)
    assert any(line.startswith("discard AS: 1 point") for line in told)


async def test_what_cannot_be_is_one_sentence() -> None:
    told = await said(Viewing(sample_reel("tongits")), "round 9", "dance", "hint", "quit")
    assert told[-3:] == [
        "There is no round 9. The record has 3 rounds.",
        "There is no 'dance' here; `help` lists the words.",
        "The bot knows no more than a player: `eyes bot-2` first.",
    ]


async def test_help_lists_the_words() -> None:
    told = await said(Viewing(sample_reel("tongits")), "help", "quit")
    assert "next [N]: one move on, or N." in told
    assert "quit: leave." in told


async def test_the_end_of_input_ends_it() -> None:
    told = await said(Viewing(sample_reel("tongits")), "end", "next")
    assert "bot-3 won the match." in told
    assert "Scores: bot-1 -1, bot-2 -9, bot-3 10." in told
    assert "The record ends here." in told


@pytest.mark.parametrize("game", GAMES)
async def test_it_runs_by_itself_through_a_whole_match(game: str) -> None:
    desk = Viewing(sample_reel(game), Seat(0))
    desk.speed = 10000
    out, silent = io.StringIO(), Silent()
    step = desk.step

    def stepped(moves: int) -> None:
        step(moves)
        if desk.ended:
            silent.close()

    desk.step = stepped  # type: ignore[method-assign]  # to know when it is over
    desk.playing = True
    assert await run_plain_viewer(desk, silent, out) == 0
    assert out.getvalue().count("won the match") == 1
    assert out.getvalue().count("\nRound ") >= desk.reel.rounds


async def test_a_wrong_record_says_so_first_and_where_it_ends() -> None:
    told = await said(Viewing(reel(WRONG)), "end", "quit")
    assert told[1].startswith("round 1, line 3, ben: draw: ")
    assert told[1].endswith("; it is told up to there.")
    assert told[-1].startswith("Here it goes wrong: round 1, line 3")


async def test_ctrl_c_leaves() -> None:
    silent = Silent()
    work = asyncio.ensure_future(run_plain_viewer(Viewing(sample_reel("tongits")), silent, io.StringIO()))
    await asyncio.sleep(0)
    os.kill(os.getpid(), signal.SIGINT)
    assert await work == INTERRUPTED
    silent.close()

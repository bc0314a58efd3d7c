"""Whole games through plain mode by somebody who knows only what it said: `legal` is read, a line of it is typed."""

from __future__ import annotations

import asyncio
import random

import pytest

from p2pcards.games.registry import GAMES
from p2pcards.table.tableview import Stage
from p2pcards.ui.plain import run_plain
from tests.testing.fake_node import FakeNode
from tests.testing.talking import Talking, talking

OPTIONS = {
    "tongits": {"match_rounds": "2"},
    "tienlen": {"match_rounds": "2"},
    "straights": {"threshold": "20"},
    "onecard": {"rounds": "2", "cards": "7"},
}
QUERIES = ("hand", "table", "last", "scores", "turn", "why")
END = "There is no turn clock at this table"
"""How the answer to `clock` begins: with it behind a line, everything said before belongs to that line."""


class Reader:
    """Somebody who listens and types."""

    def __init__(self, talk: Talking, rng: random.Random) -> None:
        self._talk, self._rng, self._asked = talk, rng, 0

    async def told(self, *lines: str) -> list[str]:
        """What is said to these lines."""
        before = len(self._talk.said)
        self._asked += 1
        self._talk.type(*lines, "clock")
        await self._talk.until_said(END, self._asked)
        return [line for line in self._talk.said[before:] if not line.startswith(END)]

    async def plays(self) -> bool:
        """One act out of those that `legal` offers; False where it offers none."""
        offers = [line.split(":")[0] for line in await self.told("legal") if ": " in line]
        if not offers:
            return False
        for query in self._rng.sample(QUERIES, 2):
            answer = await self.told(query)
            assert answer, query
            assert [line for line in answer if line[-1] not in ".?!"] == []
        line = self._rng.choice(offers)
        said = await self.told(line)
        if any("yes or no?" in one for one in said):
            said = await self.told("yes")
        assert said, line
        return True


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("game", GAMES)
async def test_a_match_is_played_by_listening_and_typing_alone(game: str, seed: int) -> None:
    node = FakeNode(seed, options=OPTIONS[game])
    with talking() as talk:
        running = asyncio.create_task(run_plain(node, talk.stdin, talk.stdout, rules=str, look=0.0))
        reader = Reader(talk, random.Random(seed))  # noqa: S311 - the same choices again
        await reader.told(f"practise {game}")
        assert node.table is not None
        turns = 0
        while node.table.stage is not Stage.OVER:
            if await reader.plays():
                turns += 1
            else:
                await reader.told("next")
        await reader.told("scores")
        talk.type("leave")
        talk.end()
        assert await running == 0
        said = talk.said
    assert turns > 4
    for wanted in ("Round 1: deal and moves verified.", "The match is over"):
        assert [line for line in said if line.startswith(wanted)], wanted

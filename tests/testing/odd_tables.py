"""Whole matches as a screen is given them, with names that no screen expects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.table.tableview import Stage, TableView
from tests.testing.dice import dice
from tests.testing.fake_node import FakeNode

ODD = "a卡🇵🇭👩‍👧\u202e\u0301é"


def moments(
    game: str, seed: int, options: Mapping[str, str], *, bots: int = 0, others: int = 1, seats: int | None = None
) -> Iterator[TableView]:
    """Every moment of a match played at random, as seat 0 sees it; options that give it an end."""
    rng = dice(seed)
    node = FakeNode(seed, options=dict(options))
    node.sit(game, bots=bots, others=others, seats=seats)
    node.change(title=ODD, host=ODD)
    node.start()
    while node.table is not None and node.table.stage is not Stage.OVER:
        table = node.table
        yield replace(table, seats=(replace(table.seats[0], nick=ODD * 3), *table.seats[1:]))
        if table.stage is Stage.BETWEEN:
            node.deal()
        else:
            action = rng.choice(list(table.game.legal_actions(table.view)))
            node.do(Command("act", (), table.game.format(action)))
    assert node.table is not None
    yield node.table

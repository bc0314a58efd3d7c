"""What `stats` and `stats NICK` answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from p2pcards.errors import UserError
from p2pcards.table.merits import Statistics
from p2pcards.ui import words_stats
from p2pcards.ui.ports import Node
from p2pcards.ui.whois import found
from p2pcards.wire.identity import words


def asked(name: str, node: Node) -> Callable[[], list[str]]:
    """What answers, in whatever thread: it reads the whole history. At a table of its game alone, at home of all; it
    raises UserError where there is nobody of that name."""
    game = "" if node.table is None else node.table.game.name
    if not name:
        return partial(_all, game, node.statistics)
    return partial(_person, name, _meant(name, node), game, node.statistics)


def _all(game: str, statistics: Statistics) -> list[str]:
    return words_stats.sentences(statistics.everybody(game), game) or [words_stats.nothing("practise", game)]


def _person(name: str, meant: str, game: str, statistics: Statistics) -> list[str]:
    several = statistics.called(meant, game)
    if not several:
        raise UserError(words_stats.nobody(name, game))
    lines = [words_stats.several(name, several)] if len(several) > 1 else []
    return [*lines, *(line for one in several[: words_stats.MOST_NAMESAKES] for line in words_stats.told(one))]


def _meant(name: str, node: Node) -> str:
    """Who is at the table is meant by their key, whatever they were called; else everybody of that name."""
    present = set() if node.table is None else {seat.key for seat in node.table.seats if seat.key}
    here = [face for face in found(name, node) if face.key in present]
    return words(here[0].key) if len(here) == 1 else name

"""What `stats` and `stats NICK` answer."""

from __future__ import annotations

from p2pcards.errors import UserError
from p2pcards.table.merits import Merit
from p2pcards.ui import words_stats
from p2pcards.ui.ports import Node
from p2pcards.ui.whois import found
from p2pcards.wire.identity import words


def answer(name: str, node: Node) -> list[str]:
    """At a table of its game alone, at home of all; UserError where there is nobody of that name."""
    game = "" if node.table is None else node.table.game.name
    if not name:
        merits = node.statistics.everybody(game)
        return words_stats.sentences(merits, game) or [words_stats.nothing("practise", game)]
    several = _called(name, node, game)
    if not several:
        raise UserError(words_stats.nobody(name, game))
    lines = [words_stats.several(name, several)] if len(several) > 1 else []
    return [*lines, *(line for one in several for line in words_stats.told(one))]


def _called(name: str, node: Node, game: str) -> tuple[Merit, ...]:
    """Who is at the table is meant by their key, whatever they were called; else everybody of that name."""
    present = set() if node.table is None else {seat.key for seat in node.table.seats if seat.key}
    here = [face for face in found(name, node) if face.key in present]
    if len(here) == 1:
        return node.statistics.called(words(here[0].key), game)
    return node.statistics.called(name, game)

"""Every refusal of a table has a sentence of its own."""

from __future__ import annotations

import ast
from pathlib import Path

from p2pcards import table
from p2pcards.ui.voice import Cards, Voice
from p2pcards.ui.words_refusals import refused

FOLDER = Path(next(iter(table.__path__)))
RAISES = {"Refused": 0, "RefusedByTable": 0, "NoBallot": 0, "_refuse": 2}
"""Where the code stands among the arguments of what refuses."""


def codes() -> set[str]:
    """Every code that stands in the sources of the table."""
    found: set[str] = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
            at = RAISES.get(name)
            if at is not None and len(node.args) > at:
                found |= {
                    part.value
                    for part in ast.walk(node.args[at])
                    if isinstance(part, ast.Constant) and isinstance(part.value, str) and part.value
                }
    return found


def test_every_code_of_the_table_has_a_sentence() -> None:
    voice = Voice(Cards.SIGNS, "ana")
    known = codes()
    assert {"chat_flood", "vote_self", "not_now", "stale", "not_yours"} <= known
    for code in known:
        assert refused(voice, code, "", 0, "tongits", 0.0) != "The host refused that", code


def test_details_are_part_of_the_sentence() -> None:
    voice = Voice(Cards.SIGNS, "ana")
    assert refused(voice, "chat_flood", "15", 0, "tongits", 0.0).endswith("nobody hears you for 15 seconds")
    assert refused(voice, "vote_soon", "1", 0, "", 0.0).endswith("you can call the next in 1 second")
    assert refused(voice, "vote_open", "ana", 0, "", 0.0).endswith("the table is voting on you")
    assert refused(voice, "vote_open", "cy", 0, "", 0.0).endswith("the table is voting on cy")

"""Suggestions as completions of the prompt."""

from __future__ import annotations

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from p2pcards.commands.command import Remark
from p2pcards.commands.suggest import Note, Suggestion
from p2pcards.ui.completer import Suggesting


def test_a_suggestion_replaces_what_it_begins_at_and_says_what_it_does() -> None:
    asked: list[str] = []

    def suggest(text: str) -> list[Suggestion]:
        asked.append(text)
        return [Suggestion("discard KD", "discard KD", Remark(Note.WAYS, ("3",)), 2)]

    completer = Suggesting(suggest, lambda one: f"note of {one.display}")
    (found,) = completer.get_completions(Document("  disc and more", 6), CompleteEvent())
    assert asked == ["  disc"]
    assert found.text == "discard KD"
    assert found.start_position == -4
    assert found.display_text == "discard KD"
    assert found.display_meta_text == "note of discard KD"

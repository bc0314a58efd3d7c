"""Suggestions as the prompt's completions."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from p2pcards.commands.suggest import Suggestion


class Suggesting(Completer):
    """suggest: from the text before the cursor; say: the words of a suggestion's note; show: of itself."""

    def __init__(
        self,
        suggest: Callable[[str], Iterable[Suggestion]],
        say: Callable[[Suggestion], str],
        show: Callable[[Suggestion], str] = lambda one: one.display,
    ) -> None:
        self._suggest, self._say, self._show = suggest, say, show

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """All of them at once; they come from memory."""
        typed = document.text_before_cursor
        for one in self._suggest(typed):
            yield Completion(
                one.text, start_position=one.start - len(typed), display=self._show(one), display_meta=self._say(one)
            )

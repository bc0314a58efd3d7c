"""What may follow the line being typed, and what Tab and the arrows take of it."""

from __future__ import annotations

from prompt_toolkit.buffer import Buffer, CompletionState
from prompt_toolkit.completion import CompleteEvent, Completer, DummyCompleter
from prompt_toolkit.document import Document

from p2pcards.ui.local import Offer


class Menu:
    """The suggestions for one line. completer: where they come from."""

    def __init__(self, buffer: Buffer) -> None:
        self.completer: Completer = DummyCompleter()
        self._buffer = buffer
        self._accepted: tuple[Document, str] | None = None  # the line before and after the only suggestion was taken

    def offer(self) -> None:
        """Suggestions for the line as it is now, at once: nothing typed quickly can overtake them."""
        document = self._buffer.document
        found = list(self.completer.get_completions(document, CompleteEvent(text_inserted=True)))
        self._buffer.complete_state = CompletionState(document, found)

    def close(self) -> None:
        """Nothing is offered, and nothing chosen."""
        self._buffer.complete_state = None

    def accept(self) -> None:
        """Takes the next suggestion; the only one there is is final, so the words that may follow it are offered."""
        state = self._buffer.complete_state
        if state is None or not state.completions:
            return
        choices = [place for place, one in enumerate(state.completions) if one.text]
        if len(choices) == 1 and state.complete_index is None:
            before = self._buffer.document
            self._buffer.apply_completion(state.completions[choices[0]])
            self._accepted = before, self._buffer.text
        elif state.complete_index is None:
            self._buffer.go_to_completion(choices[0])
        else:
            self._buffer.complete_next()

    def take_back(self) -> bool:
        """The line as it was before a suggestion was chosen or taken; whether there was one."""
        if self.choosing:
            self._buffer.cancel_completion()
        elif self._accepted is not None and self._buffer.text == self._accepted[1]:
            self._buffer.document, self._accepted = self._accepted[0], None
        else:
            return False
        return True

    @property
    def choosing(self) -> bool:
        """Whether a suggestion is chosen, so that arrows move among them."""
        state = self._buffer.complete_state
        return state is not None and state.complete_index is not None

    @property
    def chosen_with_space(self) -> bool:
        """Whether a suggestion is chosen that brings the space behind it along."""
        return self.choosing and self._buffer.document.text_before_cursor.endswith(" ")

    @property
    def shown(self) -> tuple[tuple[Offer, ...], int | None]:
        """The offers for the screen, and the place of the chosen one."""
        state = self._buffer.complete_state
        if state is None:
            return (), None
        return tuple(Offer(one.display_text, one.display_meta_text) for one in state.completions), state.complete_index

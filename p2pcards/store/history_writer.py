"""Keeps what is played, beside the game: a disk that is slow, full or gone holds nobody up and ends nothing."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from p2pcards.errors import InvalidRecord, UserError
from p2pcards.games import record
from p2pcards.table.notices import Audited, Entered, Notice, Recorded

if TYPE_CHECKING:
    from p2pcards.store.history import History
    from p2pcards.store.history_match import MatchReader

CLOSING_SECONDS = 8.0
"""How long the end of the program waits for what is not on the disk yet."""


class HistoryWriter:
    """Hears what a table tells, and keeps each match that its owner played or saw a round of, after every round."""

    def __init__(self, history: Callable[[], History], me: Callable[[], str], warn: Callable[[], None]) -> None:
        """history: asked for in a thread of our own, or in place where there is none, once there is something to
        keep. me: our own fingerprint. warn: called there, once, when there is something `untold`."""
        self._history, self._me, self._warn = history, me, warn
        self._saw = False  # a round's end, at this table
        self._pending: dict[str, tuple[str, ...]] = {}  # by first round: the newest of each match
        self._change = threading.Condition()
        self._thread: threading.Thread | None = None
        self._tried: set[tuple[str, ...]] = set()  # written, or in vain: again with whatever comes next
        self._ends = self._ended = False
        self._warned = False
        self.untold = ""  # what went wrong, a sentence; whoever tells it empties it

    def heard(self, notice: Notice | None) -> None:
        """Whatever is told; a match told of to who comes to a table is theirs alone who play in it."""
        match notice:
            case Entered():
                self._saw = False
            case Audited(ok=True):
                self._saw = True
            case Recorded(parts) if self._saw or self._played(parts[0]):
                with self._change:
                    self._pending[parts[1]] = parts
                    self._change.notify()
                if self._thread is None and not self._beside():
                    self._in_place()

    def close(self) -> None:
        """Waits until everything is kept, as long as that may take; what could not be is `untold`."""
        with self._change:
            self._ends = True
            self._change.notify()
        if self._thread is not None:
            self._thread.join(CLOSING_SECONDS)
            if self._thread.is_alive():
                self._wrong("The history could not be written in time: the last rounds may be missing there.")
        elif self._pending:
            self._in_place()

    def _played(self, head: str) -> bool:
        return self._me() in record.head(record.parse(head)).identities.values()

    def _beside(self) -> bool:
        """Whether a thread writes from now on; not where the system has none left."""
        thread = threading.Thread(target=self._work, name="history", daemon=True)
        try:
            thread.start()
        except RuntimeError:
            return False
        self._thread = thread
        return True

    def _in_place(self) -> None:
        """Without a thread: rather a game that halts for a moment than a match that is lost."""
        from p2pcards.store.history_match import MatchReader

        self._write(self._history(), MatchReader(), dict(self._pending))

    def _work(self) -> None:
        from p2pcards.store.history_match import MatchReader

        history, reader = self._history(), MatchReader()
        while not self._ended:
            self._write(history, reader, self._next())

    def _write(self, history: History, reader: MatchReader, waiting: Mapping[str, tuple[str, ...]]) -> None:
        """waiting: what of `_pending` is to be tried."""
        for first, parts in waiting.items():
            if self._keep(history, reader, parts):
                with self._change:
                    if self._pending[first] is parts:
                        del self._pending[first]

    def _next(self) -> dict[str, tuple[str, ...]]:
        """What is to be written, as soon as there is something new; in the end what is left."""
        with self._change:
            self._change.wait_for(lambda: self._ends or set(self._pending.values()) - self._tried)
            self._ended, self._tried = self._ends, set(self._pending.values())
            return dict(self._pending)

    def _keep(self, history: History, reader: MatchReader, parts: tuple[str, ...]) -> bool:
        """Whether there is nothing more to be done for it."""
        try:
            history.keep(reader.match(parts))
        except InvalidRecord as error:
            self._wrong(f"This match can't be kept in the history: {error}.")
        except UserError as error:
            self._wrong(f"{error} What is played is not kept there.")
            return False
        return True

    def _wrong(self, sentence: str) -> None:
        if not self._warned:
            self._warned, self.untold = True, sentence
            self._warn()

"""What nobody caught, wherever it happened: to the log, one sentence to the person, and the program goes on.

    faults = Faults(tell, log_file)
    with faults.watched(loop):
        …                               # callbacks and tasks of the loop, threads, what Python can't raise
        faults.safely(work)

The log gets what went wrong and where, never what the arguments were: among them may be cards, codes and keys.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

_LOG = logging.getLogger(__name__)


def loud(error: BaseException, where: str) -> None:
    """Tells of it like of one that nobody caught in the loop that runs."""
    asyncio.get_running_loop().call_exception_handler({"message": where, "exception": error})


class Faults:
    """tell: says the sentence, in the loop's own thread; log_file: where the rest stands, None where nowhere."""

    def __init__(self, tell: Callable[[str], None], log_file: Path | None = None) -> None:
        self._tell = tell
        self.where = f"; the log is {log_file}" if log_file else ""

    @property
    def sentence(self) -> str:
        """That something went wrong, that nothing is lost, and where more about it stands."""
        return f"Something went wrong inside p2pcards, the game goes on{self.where}."

    @property
    def last_words(self) -> str:
        """The same, where nothing can go on."""
        return f"Something went wrong inside p2pcards, and it had to end{self.where}."

    def caught(self, where: str, error: BaseException | None) -> None:
        """Logs it and says the sentence."""
        _LOG.error("%s", where, exc_info=error)
        self._tell(self.sentence)

    def safely(self, work: Callable[[], None], where: str = "on the screen") -> None:
        """Whatever goes wrong in it is told, and ends nothing."""
        try:
            work()
        except Exception as error:
            self.caught(where, error)

    @contextmanager
    def watched(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        """Nothing is printed and nothing gets lost until the block ends."""

        def in_loop(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
            where = str(context.get("message", "")).partition("(")[0].strip()  # behind it stand arguments
            self.caught(f"in the background: {where}", context.get("exception"))

        def in_thread(args: threading.ExceptHookArgs) -> None:
            if args.exc_type is SystemExit:
                return
            name = args.thread.name if args.thread else "?"
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                loop.call_soon_threadsafe(self.caught, f"in the thread {name}", args.exc_value)

        def unraisable(args: UnraisableHookArgs) -> None:
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(self.caught, "in what Python can't raise", args.exc_value)

        before = threading.excepthook, sys.unraisablehook
        loop.set_exception_handler(in_loop)
        threading.excepthook, sys.unraisablehook = in_thread, unraisable
        try:
            yield
        finally:
            loop.set_exception_handler(None)
            threading.excepthook, sys.unraisablehook = before

"""A real terminal: a shell in tmux, on a server of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.testing.require import require

DEADLINE = 30.0
"""Seconds until a test gives up waiting."""

_ENVIRONMENT = {**os.environ, "LC_ALL": "C.UTF-8", "PROMPT_TOOLKIT_NO_CPR": "1"}


class Tmux:
    """One window with a plain `sh` in it."""

    def __init__(self, cols: int, rows: int) -> None:
        self._server = f"p2pcards-{uuid.uuid4().hex[:12]}"
        shell = shutil.which("dash") or "/bin/sh"  # bash changes the terminal's settings by itself
        self._do("-f", "/dev/null", "new-session", "-d", "-s", "a", "-x", str(cols), "-y", str(rows), shell)
        self._do("set", "-g", "status", "off")
        self._socket = Path(self._do("display", "-p", "#{socket_path}").strip())

    def _do(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._server, *words], capture_output=True, text=True, env=_ENVIRONMENT, check=True
        )
        return done.stdout

    def type(self, text: str) -> None:
        """Types the text as it is."""
        self._do("send-keys", "-t", "a", "-l", text)

    def keys(self, *names: str) -> None:
        """Presses keys by tmux's names: Enter, Tab, C-c."""
        self._do("send-keys", "-t", "a", *names)

    def text(self) -> str:
        """What stands on the screen."""
        return self._do("capture-pane", "-p", "-t", "a")

    def resize(self, cols: int, rows: int) -> None:
        """Another size, told by the kernel."""
        self._do("resize-window", "-t", "a", "-x", str(cols), "-y", str(rows))

    def history(self) -> str:
        """The same with everything that was scrolled out of it."""
        return self._do("capture-pane", "-p", "-S", "-", "-t", "a")

    def behind(self) -> str:
        """What stands on the usual screen while the alternate one is shown."""
        return self._do("capture-pane", "-p", "-a", "-t", "a")

    def paste(self, text: str, *, bracketed: bool) -> None:
        """Pastes the text, marked as pasted or as if it were typed."""
        self._do("set-buffer", "-b", "pasted", "--", text)
        self._do("paste-buffer", *(("-p",) if bracketed else ()), "-b", "pasted", "-t", "a")

    def alternate(self) -> bool:
        """Whether the alternate screen is shown."""
        return self._do("display", "-p", "-t", "a", "#{alternate_on}").strip() == "1"

    def settings(self) -> str:
        """The terminal's own settings, as stty tells them."""
        tty = self._do("display", "-p", "-t", "a", "#{pane_tty}").strip()
        return subprocess.run(["stty", "-a", "-F", tty], capture_output=True, text=True, check=True).stdout

    def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Waits until it holds; shows the screen when it never does."""
        end = time.monotonic() + DEADLINE
        while not holds():
            assert time.monotonic() < end, f"never: {what}\n{self.text()}"
            time.sleep(0.05)

    def sees(self, text: str) -> None:
        """Waits until the text stands on the screen."""
        self.until(lambda: text in self.text(), text)

    def close_window(self) -> None:
        """Closes the window under the program, as a person closes a terminal."""
        self._do("kill-session", "-t", "a")

    def stop(self) -> None:
        """Ends the server and everything in it, and takes away the socket, which it leaves behind."""
        subprocess.run(["tmux", "-L", self._server, "kill-server"], capture_output=True, env=_ENVIRONMENT, check=False)
        self._socket.unlink(missing_ok=True)


@contextmanager
def terminal(cols: int = 80, rows: int = 24) -> Iterator[Tmux]:
    """A window until the block ends; the test is skipped where there is no tmux."""
    require(shutil.which("tmux"), "tmux is not installed")
    window = Tmux(cols, rows)
    try:
        yield window
    finally:
        window.stop()

"""p2pcards as processes of a test: headless tables with JSON events, and clients driven line by line."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

P2PCARDS = (sys.executable, "-m", "p2pcards")
PATIENCE = 30.0
"""Seconds that a test waits for what takes a moment."""

Event = dict[str, Any]
Start = Callable[..., subprocess.Popen[str]]


class Client:
    """One process: its events as they come, what it is told, how it ended."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.events: list[Event] = []
        self.times: list[float] = []  # monotonic, when each event was read
        self._lines: queue.Queue[tuple[float, str] | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put((time.monotonic(), line))
        self._lines.put(None)

    def say(self, line: str) -> None:
        """One line on its standard input."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def hear(self, name: str, seconds: float = PATIENCE, **fields: Any) -> Event:
        """The next event of that name with these fields; AssertionError with what came instead."""
        end = time.monotonic() + seconds
        while (event := self.next(end)) is not None:
            if event["event"] == name and all(event.get(key) == value for key, value in fields.items()):
                return event
        raise AssertionError(f"no {name} {fields} among {self.events[-12:]}")

    def line(self, seconds: float = PATIENCE) -> str:
        """The next line, whatever it is."""
        return self.timed_line(seconds)[1]

    def timed_line(self, seconds: float = PATIENCE) -> tuple[float, str]:
        """The same, and when it was read (monotonic)."""
        item = self._lines.get(timeout=seconds)
        assert item is not None, "the program ended"
        return item

    def next(self, end: float) -> Event | None:
        """The next event before `end` (monotonic); None when there is none."""
        try:
            item = self._lines.get(timeout=max(0.0, end - time.monotonic()))
        except queue.Empty:
            return None
        if item is None:
            self._lines.put(None)
            return None
        at, line = item
        event: Event = json.loads(line)
        self.events.append(event)
        self.times.append(at)
        return event

    def told(self, name: str) -> list[Event]:
        """The events of that name heard so far."""
        return [event for event in self.events if event["event"] == name]

    def finish(self, seconds: float = PATIENCE) -> int:
        """Waits for the end, hearing the rest, and gives the exit code; AssertionError where there is no end."""
        end = time.monotonic() + seconds
        while self.next(end) is not None:
            pass
        try:
            return self.process.wait(max(0.1, end - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise AssertionError(f"it goes on after {seconds} s: {self.events[-12:]}") from None


def homes(folder: Path) -> dict[str, str]:
    """An environment with folders of its own: another user, as it were."""
    return {
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_STATE_HOME": str(folder / "state"),
        "XDG_RUNTIME_DIR": str(folder),
    }


@contextmanager
def local(folder: Path) -> Iterator[Callable[..., Client]]:
    """Starts programs of one user on this machine, on loopback; ends them afterwards."""
    folder.mkdir(parents=True, exist_ok=True)
    started: list[subprocess.Popen[str]] = []

    def start(*words: str, home: Path | None = None, program: Sequence[str] = P2PCARDS) -> Client:
        process = subprocess.Popen(
            [*program, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, **homes(home or folder)},
        )
        started.append(process)
        return Client(process)

    try:
        yield start
    finally:
        for process in started:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout, process.stderr):
                if pipe is not None:
                    pipe.close()

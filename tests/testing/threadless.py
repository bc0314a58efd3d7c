"""A system on which no more threads can be begun."""

from __future__ import annotations

import threading

import pytest


def no_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every thread fails as it does at the limit of the system."""

    def start(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", start)

"""The bots that a reader of the documentation has written, under the names that its command lines use."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.testing.house import ROOT

NAMES = ("mybot", "mybot.py")


def bots_of_their_own(folder: Path) -> None:
    """Puts them there: the example in Python, which `./mybot` starts with the Python of the tests."""
    text = (ROOT / "docs" / "bots" / "cautious.py").read_text(encoding="utf-8")
    for name in NAMES:
        file = folder / name
        file.write_text(text.replace("/usr/bin/env python3", sys.executable, 1), encoding="utf-8")
        file.chmod(0o755)

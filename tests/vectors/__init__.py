"""Known answers (protocol, appendix A) as JSON, so that any other program can be held against them too."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any


def load(name: str) -> dict[str, Any]:
    """The known answers of one file here."""
    loaded: dict[str, Any] = json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
    return loaded

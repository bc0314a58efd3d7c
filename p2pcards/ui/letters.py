"""Text on streams that can't show every character: suits become letters there, and nothing ends for it."""

from __future__ import annotations

import codecs
from typing import Any

LETTERS = "p2pcards.letters"
"""The name under which an encoding finds it, for `errors=`."""


def _spelled(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    from p2pcards.ui.width import ascii_only  # who can show everything never needs it

    return ascii_only(error.object[error.start : error.end]), error.end


codecs.register_error(LETTERS, _spelled)


def mend(stream: Any, encoding: str | None = None) -> None:
    """From now on the stream writes letters for what its encoding (or this one) lacks; any other stream stays."""
    if hasattr(stream, "reconfigure"):
        stream.reconfigure(encoding=encoding, errors=LETTERS)

"""Text that a peer sent, made safe to show, and names made to fit (protocol 3)."""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Iterable

from p2pcards.errors import ProtocolError

NICK_CHARS = 16
TITLE_BYTES = 40

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs"})  # control, format and bidi, private, unassigned, surrogate
_SPACES = frozenset({"Zs", "Zl", "Zp"})
_MARKS = frozenset({"Mn", "Me"})  # drawn over the letter before them
_MOST_MARKS = 2  # on one letter: Vietnamese and Thai need two; piles of them grow over the neighbouring lines
_BLANKS = frozenset("\u115f\u1160\u2800\u3164\uffa0")  # letters and a sign that show nothing
_FORMLESS = frozenset(  # marks that show nothing: a joiner, vowels, and what selects a variant, often of another width
    map(chr, (0x034F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
_RESERVED = frozenset(
    {"dealer", "all", "host", "everyone", "you", "your", "vote", "spectators", "warning", "points", "scores"}
)
_FALLBACK = "player"


def clean(text: str, limit: int) -> str:
    """At most `limit` characters of the text, all of them visible or single spaces between visible ones.

    What would steer a terminal, turn the direction of writing, or be drawn over other lines is not in it.
    """
    if not (text.isascii() and text.isprintable()):
        shown = "".join(_shown(char) for char in text)
        text = _few_marks(unicodedata.normalize("NFC", shown))
    return " ".join(text.split())[:limit].rstrip()


def _shown(char: str) -> str:
    category = unicodedata.category(char)
    if category in _SPACES or char in _BLANKS or char.isspace():
        return " "
    return "" if category in _HIDDEN or char in _FORMLESS else char


def _few_marks(text: str) -> str:
    """The text without the marks that stand on no letter or on top of too many others."""
    kept, marks = [], _MOST_MARKS
    for char in text:
        marks = marks + 1 if unicodedata.category(char) in _MARKS else _MOST_MARKS if char == " " else 0
        if marks <= _MOST_MARKS:
            kept.append(char)
    return "".join(kept)


def clean_title(text: str) -> str:
    """A table's title: at most 40 bytes of UTF-8, cut between characters; "table" where nothing is left."""
    return _cut(clean(text, TITLE_BYTES), TITLE_BYTES) or "table"


def _cut(text: str, limit: int) -> str:
    return text.encode("utf-8", "ignore")[:limit].decode("utf-8", "ignore").rstrip()


def is_reserved(nick: str) -> bool:
    """Whether nobody may be called so: it would pass for the table's own voice or for a bot."""
    lower = nick.lower()
    return lower in _RESERVED or lower.startswith("bot")


def nick(text: str) -> str:
    """The text made a nick: 1 to 16 of [A-Za-z0-9_-], not reserved (then with "p-" before it)."""
    fitted = re.sub(r"[^A-Za-z0-9_-]", "-", clean(text, NICK_CHARS))
    if not any(char.isalnum() for char in fitted):
        return _FALLBACK
    return f"p-{fitted}"[:NICK_CHARS] if is_reserved(fitted) else fitted


def unique_nick(wanted: str, taken: Iterable[str]) -> str:
    """The nick, or with -2, -3, … behind it the first that nobody of `taken` has, upper and lower case being one."""
    used = {name.lower() for name in taken}
    candidate, count = nick(wanted), 1
    base = candidate
    while candidate.lower() in used:
        count += 1
        suffix = f"-{count}"
        candidate = base[: NICK_CHARS - len(suffix)] + suffix
    return candidate


def table_text(table: bytes) -> str:
    """T as people and adverts see it: 26 lower-case base32 characters."""
    return base64.b32encode(table).decode("ascii").rstrip("=").lower()


def parse_table(text: str) -> bytes:
    """The 16 bytes of a T; ProtocolError for anything that `table_text` doesn't write."""
    try:
        table = base64.b32decode(text.upper() + "======")
    except ValueError as error:
        raise ProtocolError("not a table's id") from error
    if len(table) != 16 or table_text(table) != text:
        raise ProtocolError("not a table's id")
    return table

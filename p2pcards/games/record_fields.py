"""The fields of a record as TOML gives them: each is of its type, or InvalidRecord says where it is not."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time

from p2pcards.errors import InvalidRecord

Table = Mapping[str, object]
"""A TOML table as read."""

MOST = 10**18 - 1
"""The highest number in a record: every reader of TOML has room for it."""

PROOF_LINE = "\n[rounds.proof]\n"
"""Where a proof begins in canonical text."""

_PROOF = re.compile(re.escape(PROOF_LINE) + r'entries = \[\n((?:  "[A-Za-z0-9+/=]+",\n)+)\]\n')
_ROUND_LINE = "\n[[rounds]]\n"


def table(value: object, where: str) -> Table:
    """A table."""
    if not isinstance(value, dict):
        raise InvalidRecord(f"{where} must be a table")
    return value


def string(of: Table, key: str, where: str, default: str | None = None) -> str:
    """The text under a key of the table; without a default it must be there."""
    value = of.get(key, default)
    if value is None:
        raise InvalidRecord(f"{where} is missing")
    if not isinstance(value, str):
        raise InvalidRecord(f"{where} must be a text")
    return value


def strings(value: object, where: str) -> tuple[str, ...]:
    """A list of texts."""
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise InvalidRecord(f"{where} must be a list of texts")
    return tuple(value)


def numbers(value: object, where: str) -> dict[str, int]:
    """Whole numbers by name."""
    stated = table(value, where)
    whole = {key: number for key, number in stated.items() if isinstance(number, int) and not isinstance(number, bool)}
    if len(whole) < len(stated):
        raise InvalidRecord(f"{where} must be whole numbers")
    if any(abs(number) > MOST for number in whole.values()):
        raise InvalidRecord(f"{where} must be numbers of at most {len(str(MOST))} digits")
    return whole


def date_text(value: object) -> str:
    """A date, be it written as a text or as TOML's own; a datetime is a date."""
    if isinstance(value, date | time):
        return value.isoformat()
    if not isinstance(value, str):
        raise InvalidRecord("date: not a date")
    return value


def proof(value: object, where: str) -> tuple[bytes, ...]:
    """The entries of a round's proof, whatever they are; none where the table has none."""
    listed = strings(table(value, where).get("entries", []), f"{where}: entries")
    return tuple(_bytes(text, f"{where}: entry {place}") for place, text in enumerate(listed, 1))


def _bytes(text: str, where: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except ValueError:
        raise InvalidRecord(f"{where} is not base64") from None


def without_proofs(text: str) -> tuple[str, dict[int, tuple[bytes, ...]]]:
    """A record's text without what is written like `proof_lines`, and those proofs by the round (from 0) before them.

    For who compares the whole afterwards: it is no reading of TOML, but many times faster.
    """
    pieces = _PROOF.split(text)
    proofs, number = {}, -1
    for piece, lines in zip(pieces[::2], pieces[1::2], strict=False):
        number += piece.count(_ROUND_LINE)
        proofs[number] = proof({"entries": lines[3:-3].split('",\n  "')}, f"round {number + 1}: proof")
    return "".join(pieces[::2]), proofs


def proof_lines(entries: Iterable[bytes]) -> Iterator[str]:
    """The canonical writing of a proof, which stands last in its round."""
    yield from ("", "[rounds.proof]", "entries = [")
    yield from (f'  "{base64.b64encode(entry).decode("ascii")}",' for entry in entries)
    yield "]"

"""What a table says of itself on the network (protocol 5.1): a hint, to be believed only after a handshake."""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping

from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import digest
from p2pcards.wire.identity import check_key, short
from p2pcards.wire.lab import TAG_BYTES
from p2pcards.wire.text import clean_title, nick, parse_table, table_text

VALUE_BYTES = 100
"""Every value is shorter."""
TXT_BYTES = 400
"""All fields together, with a length byte and "=" each, are no longer."""

STATES = ("lobby", "playing", "waiting")

_WORD = re.compile(r"[a-z0-9+-]{1,16}")
_PLACES = re.compile(r"([0-9]{1,2})/([0-9]{1,2})")
_NUMBER = re.compile(r"[0-9]{1,10}")


class Advert(Struct, frozen=True):
    """The TXT fields of one table. `table` and `key` are empty in an advert of a version we can't read."""

    version: int  # protocol
    table: bytes
    key: bytes  # the host's
    door: str
    game: str
    taken: int  # seats
    seats: int
    title: str
    host: str  # nick
    state: str
    term: int
    tag: bytes = b""  # of a lab (`wire.lab`), unproved


def encode_advert(advert: Advert) -> dict[str, str]:
    """The TXT fields by name."""
    fields = {
        "v": str(advert.version),
        "t": table_text(advert.table),
        "k": _base64(advert.key),
        "a": advert.door,
        "g": advert.game,
        "p": f"{advert.taken}/{advert.seats}",
        "n": clean_title(advert.title),
        "h": advert.host,
        "s": advert.state,
        "e": str(advert.term),
    }
    return fields | {"m": _base64(advert.tag)} if advert.tag else fields


def decode_advert(fields: Mapping[bytes, bytes | None], version: int) -> Advert:
    """The advert in the TXT fields that anybody may have sent; ProtocolError where it makes no sense.

    Fields with unknown names are passed over. Of an advert of another version than ours only title, host and game
    are read, where they can be: enough to say why it can't be joined.
    """
    texts = _texts(fields)
    theirs = int(_match(_NUMBER, texts, "v")[0])
    title = clean_title(texts.get("n", ""))
    host = nick(texts.get("h", ""))
    if theirs != version:
        game = texts.get("g", "")
        game = game if _WORD.fullmatch(game) else ""
        return Advert(theirs, b"", b"", "", game, 0, 0, title, host, "", 0)
    taken, seats = (int(number) for number in _match(_PLACES, texts, "p").groups())
    state = texts.get("s", "")
    term = int(_match(_NUMBER, texts, "e")[0])
    if taken > seats or state not in STATES or term >= 2**32:
        raise ProtocolError("advert with impossible seats, state or term")
    return Advert(
        theirs,
        parse_table(texts.get("t", "")),
        _key(texts.get("k", "")),
        _match(_WORD, texts, "a")[0],
        _match(_WORD, texts, "g")[0],
        taken,
        seats,
        title,
        host,
        state,
        term,
        _tag(texts.get("m", "")),
    )


def _texts(fields: Mapping[bytes, bytes | None]) -> dict[str, str]:
    total = sum(len(name) + 2 + len(value or b"") for name, value in fields.items())
    if total > TXT_BYTES or any(len(value or b"") >= VALUE_BYTES for value in fields.values()):
        raise ProtocolError("advert too long")
    try:
        return {name.decode("ascii").lower(): (value or b"").decode("utf-8") for name, value in fields.items()}
    except ValueError as error:
        raise ProtocolError("advert that is no text") from error


def _match(pattern: re.Pattern[str], texts: Mapping[str, str], name: str) -> re.Match[str]:
    match = pattern.fullmatch(texts.get(name, ""))
    if match is None:
        raise ProtocolError(f"advert with a malformed {name!r}")
    return match


def _base64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode("ascii").rstrip("=")


def _bytes(text: str) -> bytes:
    """The bytes of which `text` is `_base64`."""
    try:
        data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError as error:
        raise ProtocolError("advert with malformed base64") from error
    if _base64(data) != text:
        raise ProtocolError("advert with malformed base64")
    return data


def _key(text: str) -> bytes:
    key = _bytes(text)
    check_key(key)
    return key


def _tag(text: str) -> bytes:
    tag = _bytes(text)
    if tag and len(tag) != TAG_BYTES:
        raise ProtocolError("advert with a tag of the wrong length")
    return tag


def instance_name(title: str, table: bytes, key: bytes) -> str:
    """`<title> ~<8 hex>`: the table's own name on the network, no dots in it, 50 bytes at the most."""
    return f"{clean_title(title.replace('.', '-'))} ~{digest('inst', table, key)[:4].hex()}"


def host_record(key: bytes) -> str:
    """The name whose addresses are the host's: of the key, never of the machine."""
    return f"p2pc-{short(key)}.local."

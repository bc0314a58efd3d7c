"""The join code: two words that let somebody in, and what proves that both ends know them (protocol 5.3).

    w  = enc("code", code)        the password; I is side A of SPAKE2, R is side B
    idA, idB = enc("pake i", pkI, th3), enc("pake r", pkR, th3)
    I -> R  point A[33]      R -> I  point B[33]
    I -> R  MAC(K, enc("conf i", th3, A, B))      R -> I  MAC(K, enc("conf r", th3, A, B))

22 bits are few: a hash of the code under any key that the far end knows would give it away in seconds. SPAKE2 takes
one guess a run instead, of either side: a wrong one only ends in another K, which says nothing about the code.
Keys and session stand in the identities, so a run can't be carried over to another connection.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Protocol

from p2pcards.errors import ProtocolError
from p2pcards.wire.encode import enc, mac
from p2pcards.wire.identity import check_key, word_list

POINT_BYTES = 33
"""One end's half of a run: its side, "A" or "B", and a point."""

_WORDS = 2


def code_words() -> tuple[str, ...]:
    """The 2048 words of which a code has two."""
    return word_list()


def new_code(random: Callable[[int], bytes]) -> str:
    """A fresh code, canonical. random: as many random bytes as it is asked for."""
    bits = int.from_bytes(random(3), "big")
    return "-".join(code_words()[bits >> 11 * place & 0x7FF] for place in range(_WORDS))


def read_code(text: str) -> str | None:
    """The code in canonical form, words apart by "-" or by spaces and in any case; None where there is none in it."""
    words = text.lower().replace("-", " ").split()
    return "-".join(words) if len(words) == _WORDS and set(words) <= set(code_words()) else None


class Joining:
    """The run of the end that dialled: send `point`, then `finish` with the other's gives the common secret."""

    __slots__ = ("_run", "point")

    def __init__(self, code: str, key_i: bytes, key_r: bytes, session: bytes, random: Callable[[int], bytes]) -> None:
        """code: canonical. key_i: of the end that dialled; session: th3 of the handshake."""
        self._run = _run("A", code, key_i, key_r, session, random)
        self.point = self._run.start()

    def finish(self, point: bytes) -> bytes:
        """32 bytes that the other end has too if it knows the code; ProtocolError for a bad half or a second one."""
        return _secret(self._run, point, b"B")

    def __repr__(self) -> str:
        return "Joining()"


def answer(
    code: str, key_i: bytes, key_r: bytes, session: bytes, point: bytes, random: Callable[[int], bytes]
) -> tuple[bytes, bytes]:
    """Our point and the secret, at the end that was dialled; ProtocolError where `point` is a bad half."""
    run = _run("B", code, key_i, key_r, session, random)
    return run.start(), _secret(run, point, b"A")


def confirm_i(secret: bytes, session: bytes, point_i: bytes, point_r: bytes) -> bytes:
    """What the end that dialled says to show that it has the secret, 32 bytes."""
    return mac(secret, enc("conf i", session, point_i, point_r))


def confirm_r(secret: bytes, session: bytes, point_i: bytes, point_r: bytes) -> bytes:
    """What the end that was dialled says, 32 bytes."""
    return mac(secret, enc("conf r", session, point_i, point_r))


def confirms_i(secret: bytes, session: bytes, point_i: bytes, point_r: bytes, said: bytes) -> bool:
    """Whether `said` is `confirm_i` of the rest."""
    return hmac.compare_digest(said, confirm_i(secret, session, point_i, point_r))


def confirms_r(secret: bytes, session: bytes, point_i: bytes, point_r: bytes, said: bytes) -> bool:
    """Whether `said` is `confirm_r` of the rest."""
    return hmac.compare_digest(said, confirm_r(secret, session, point_i, point_r))


class _Run(Protocol):
    """One side of SPAKE2, of a library without types."""

    def start(self) -> bytes: ...

    def finish(self, inbound: bytes, /) -> bytes: ...


def _run(side: str, code: str, key_i: bytes, key_r: bytes, session: bytes, random: Callable[[int], bytes]) -> _Run:
    import spake2  # type: ignore[import-untyped] # costs a tenth of the start: only who uses a code pays

    begin = spake2.SPAKE2_A if side == "A" else spake2.SPAKE2_B
    id_a, id_b = enc("pake i", key_i, session), enc("pake r", key_r, session)
    run: _Run = begin(enc("code", code.encode()), id_a, id_b, entropy_f=random)
    return run


def _secret(run: _Run, point: bytes, side: bytes) -> bytes:
    if len(point) != POINT_BYTES or point[:1] != side:  # the library relies on asserts, which -O removes
        raise ProtocolError("half of a run with the code of the wrong length or side")
    check_key(point[1:])  # the library lets two spellings of the neutral point pass
    try:
        return run.finish(point)
    except Exception as error:  # off the curve, of the wrong order, our own, a second one: of several unrelated classes
        raise ProtocolError("bad half of a run with the code") from error

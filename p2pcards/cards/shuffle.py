"""The shuffle that every peer can repeat (protocol.md 6.3, step 4).

A seed of 32 bytes gives a stream of 32-bit words: blocks HMAC-SHA256(seed, enc("deck", u32 j)), read big-endian.
A word is used only below the largest multiple of n, so that every place is equally likely; Python's own generator is
not used because its algorithms may change between versions and its state can be recovered from its output.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")

_LABEL = b"p2pcards/1 deck"
_BLOCK = bytes([len(_LABEL)]) + _LABEL + b"\x01\x00\x00\x00\x04"  # enc("deck", u32 j) up to j
_WORDS = 1 << 32


class Stream:
    """Numbers drawn from a seed, each below the bound asked for."""

    def __init__(self, seed: bytes) -> None:
        self._seed, self._block = seed, 0
        self._words: Iterator[int] = iter(())

    def below(self, bound: int) -> int:
        """The next number of range(bound); raises ValueError unless 1 <= bound <= 2^32."""
        if not 0 < bound <= _WORDS:
            raise ValueError(f"no number below {bound} can be drawn at once")
        limit = _WORDS // bound * bound
        while (word := self._next()) >= limit:
            pass
        return word % bound

    def shuffle(self, items: Sequence[T]) -> tuple[T, ...]:
        """The items in a new order (Fisher-Yates from the last place down)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            place = self.below(last + 1)
            order[last], order[place] = order[place], order[last]
        return tuple(order)

    def _next(self) -> int:
        for word in self._words:
            return word
        block = hmac.digest(self._seed, _BLOCK + self._block.to_bytes(4, "big"), "sha256")
        self._block += 1
        self._words = iter(int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))
        return self._next()

"""The round's secret in shares, so that most of the table together can open it when the host is gone (protocol 6.5).

R is the value at 0 of a polynomial over a prime field; holder x has the value at x. Any t values give R, fewer tell
nothing. The other coefficients follow from R: whoever knows R can say what everybody's share must be, so a wrong one
is found out, and the commitment to each share in DEAL_OPEN says whose fault it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

from msgspec import Struct

from p2pcards.table.deal import commitment
from p2pcards.wire.encode import digest, expand, u8, u16, u32

PRIME = 2**521 - 1

SHARE_BYTES = 66

SECRET_BYTES = 32

_COEFFICIENT_BYTES = 80  # so much wider than the field that the remainder is even
_VERSION = 0  # v: one split of each R


def quorum(voters: int) -> int:
    """How many of the voters decide, and how many shares open R (protocol 6.6)."""
    return voters // 2 + 1


def shares(table: bytes, epoch: int, secret: bytes, threshold: int, holders: int) -> tuple[bytes, ...]:
    """The shares of holders 1, 2, …; `threshold` of them open the secret. epoch: the first one of the round."""
    coefficients = [int.from_bytes(secret, "big")]
    for power in range(1, threshold):
        place = u32(epoch) + u16(_VERSION) + u8(power)
        drawn = expand(secret, "share coeff", table, place, length=_COEFFICIENT_BYTES)
        coefficients.append(int.from_bytes(drawn, "big") % PRIME)
    return tuple(_value(coefficients, x).to_bytes(SHARE_BYTES, "big") for x in range(1, holders + 1))


def _value(coefficients: list[int], x: int) -> int:
    value = 0
    for coefficient in reversed(coefficients):
        value = (value * x + coefficient) % PRIME
    return value


def share_commitment(table: bytes, epoch: int, x: int, share: bytes) -> bytes:
    """SC_x, what DEAL_OPEN says of the share of holder x."""
    return digest("share", table, u32(epoch) + u16(_VERSION) + u8(x), share)


class Recovered(Struct, frozen=True):
    """What some shares came to.

    secret: R, or none where they don't open it; liars: holders whose share is not the one they are bound to;
    host_lied: whether the host bound somebody to a share that is none of R's.
    """

    secret: bytes
    liars: tuple[int, ...]
    host_lied: bool

    def __repr__(self) -> str:
        return f"Recovered(open={bool(self.secret)}, liars={self.liars}, host_lied={self.host_lied})"


def recover(
    table: bytes,
    epoch: int,
    root: bytes,
    shares: Mapping[int, bytes],
    threshold: int,
    commitments: Sequence[bytes],
) -> Recovered:
    """Opens R, whose commitment is `root`, with these shares by holder; `commitments` are SC_1, SC_2, …

    A share that its holder never had is left out. One that the host bound its holder to may still be none of R's: so
    every choice of `threshold` of them is tried until one opens R, and R tells what each holder should have been given.
    """
    right = {x: value for x, value in shares.items() if is_bound(table, epoch, x, value, commitments)}
    liars = tuple(sorted(shares.keys() - right.keys()))
    points = [(x, int.from_bytes(value, "big")) for x, value in sorted(right.items())]
    for some in combinations(points, threshold) if threshold else ():
        secret = _at_zero(some)
        if secret.bit_length() <= 8 * SECRET_BYTES:
            opened = secret.to_bytes(SECRET_BYTES, "big")
            if commitment(table, epoch, opened) == root:
                return Recovered(opened, liars, not escrowed(table, epoch, opened, threshold, commitments))
    return Recovered(b"", liars, len(points) >= threshold > 0)


def escrowed(table: bytes, epoch: int, secret: bytes, threshold: int, commitments: Sequence[bytes]) -> bool:
    """Whether the host bound every holder to its share of this very secret."""
    right = enumerate(shares(table, epoch, secret, threshold, len(commitments)), 1)
    return all(
        share_commitment(table, epoch, x, value) == bound for (x, value), bound in zip(right, commitments, strict=True)
    )


def is_bound(table: bytes, epoch: int, x: int, value: bytes, commitments: Sequence[bytes]) -> bool:
    """Whether this is the share that the host bound holder x to."""
    known = 1 <= x <= len(commitments) and len(value) == SHARE_BYTES and int.from_bytes(value, "big") < PRIME
    return known and share_commitment(table, epoch, x, value) == commitments[x - 1]


def _at_zero(points: Sequence[tuple[int, int]]) -> int:
    """The value at 0 of the polynomial through these points (Lagrange)."""
    total = 0
    for x, y in points:
        over = under = 1
        for other, _ in points:
            if other != x:
                over, under = over * other % PRIME, under * (other - x) % PRIME
        total += y * over * pow(under, -1, PRIME)
    return total % PRIME

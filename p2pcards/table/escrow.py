"""The round's secret in shares, so that most of the table together can open it when the host is gone (protocol 6.5).

R is the value at 0 of a polynomial over a prime field; holder x has the value at x. Any t values give R, fewer tell
nothing. The other coefficients follow from R: whoever knows R can say what everybody's share must be, so a wrong one
is found out, and the commitment to each share in DEAL_OPEN says whose fault it is.
"""

from __future__ import annotations

from p2pcards.wire.encode import digest, expand, u8, u16, u32

PRIME = 2**521 - 1

SHARE_BYTES = 66

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

"""What came out of the arena: each bot's share of the wins, and how sure that is.

The deal is the unit. The rotations of one deal hang together (a hand that wins for one bot wins for most), so a deal
counts once, by the mean of its rotations, and the interval is Student's over these means.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt
from typing import Protocol

from msgspec import Struct

from p2pcards.bots.arena import Played

_Z = 1.959963984540054  # 97.5 % of a normal distribution lie below
_FEW = (12.706205, 4.302653, 3.182446, 2.776445, 2.570582)
"""Student's quantile for 1 to 5 degrees of freedom."""


class Standing(Struct, frozen=True):
    """A bot's share of the wins, the limits of its 95 % interval, its mean points, and how often it got the default."""

    win_share: float
    low: float
    high: float
    mean_points: float
    defaults: int = 0


class Until(Protocol):
    """What was played for, if it was not a number of deals set before: then other intervals hold."""

    def interval(self, shares: Sequence[float]) -> tuple[float, float]:
        """Like `interval` below."""


def standings(played: Sequence[Played], until: Until | None = None) -> tuple[Standing, ...]:
    """How the bots stand after these deals, of which there is at least one, in the order in which they were named."""
    limits = until.interval if until else interval
    shares = zip(*(deal.shares for deal in played), strict=True)
    points = zip(*(deal.points for deal in played), strict=True)
    defaults = [sum(deal.defaults[seat] for deal in played if deal.defaults) for seat in range(len(played[0].shares))]
    return tuple(
        Standing(_mean(won), *limits(won), _mean(made), wrong)
        for won, made, wrong in zip(shares, points, defaults, strict=True)
    )


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of the mean of these numbers from 0 to 1, one for each deal; inside [0, 1].

    Deals that all came out alike show no spread to calculate with. Then it is the exact one for how many deals may come
    out otherwise though none of so many did (Clopper and Pearson), whatever their share would be.
    """
    deals, mean = len(shares), _mean(shares)
    squares = fsum((share - mean) ** 2 for share in shares)
    if squares < 1e-12:
        alike = 0.025 ** (1 / deals)
        return mean * alike, 1 - (1 - mean) * alike
    reach = student(deals - 1) * sqrt(squares / (deals - 1) / deals)
    return max(0.0, mean - reach), min(1.0, mean + reach)


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t with so many degrees of freedom, to three digits (Cornish and Fisher)."""
    if freedom <= len(_FEW):
        return _FEW[freedom - 1]
    z, n = _Z, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
    )


def _mean(numbers: Sequence[float]) -> float:
    return fsum(numbers) / len(numbers)

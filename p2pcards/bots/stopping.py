"""When the arena may stop before all rounds are played, and what its intervals are worth then.

Whoever looks at an interval made for a number of deals that was set before, and stops as soon as it shows something,
finds something sooner or later where there is nothing. Both ways of stopping here allow looking after every deal.

* `Narrow` looks at how far the intervals reach, never at what they show, and adds 1/n to the variance, so that a few
  deals that came out alike don't end it. The intervals that it ends with are right 19 times in 20, the more exactly the
  less they reach (Chow and Robbins, "On the asymptotic theory of fixed-width sequential confidence intervals for the
  mean", 1965).
* `Clear` looks at what they show, so its interval has to hold after every deal at once. It is what is left when one
  bets against each share in turn: to bet the part f of what one has that the true share is above m makes 1 - f + f x/m
  of it by a deal that gave x, on average nothing more where the true share is m. So whoever begins with 1 has 40 at any
  time, ever, with a chance of at most 1 in 40 (Ville), and a share against which that was reached, from below or from
  above, is ruled out. The stake is spread over several f, for shares near m and far from it. This is exact for
  whatever lies between 0 and 1, however few the deals (Waudby-Smith and Ramdas, "Estimating means of bounded random
  variables by betting", 2024). It reaches about half as far again as an interval for a number of deals set before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import exp, fsum, log, sqrt
from typing import Protocol

from msgspec import Struct

from p2pcards.bots.arena import Played
from p2pcards.bots.standing import student

_PARTS = tuple(0.64 / 2**halvings for halvings in range(8))
"""Of what one has, staked on each deal; equally much goes into each."""

_RULED_OUT = log(2 / 0.05)
"""What has to be made, as a logarithm: half of 1 in 20 for too low, half for too high."""


class Watch(Protocol):
    """Is told of one deal after another."""

    def over(self, deal: Played) -> bool:
        """Whether the arena may stop after this deal."""

    def needed(self) -> float:
        """How many deals there may have to be in all, as far as one can guess by now; infinite where one can't."""


class Narrow(Struct, frozen=True):
    """Until the interval of each bot reaches at most so far to either side; `reach` is a share."""

    reach: float

    def watch(self, seats: int) -> Watch:
        """Watches the intervals of all bots."""
        return _Widths(self.reach, seats)

    def interval(self, shares: Sequence[float]) -> tuple[float, float]:
        """Student's, with the greater variance."""
        if len(shares) < 2:
            return 0.0, 1.0
        mean = fsum(shares) / len(shares)
        reach = _reach(len(shares), fsum((share - mean) ** 2 for share in shares))
        return max(0.0, mean - reach), min(1.0, mean + reach)


class Clear(Struct, frozen=True):
    """Until chance lies outside the interval of the first bot."""

    def watch(self, seats: int) -> Watch:
        """Bets against chance, for the first bot."""
        return _Bets(1 / seats)

    def interval(self, shares: Sequence[float]) -> tuple[float, float]:
        """Where the bets were not won."""
        counts = Counter(shares)
        return _lowest(counts), 1 - _lowest(Counter(1 - share for share in shares))


Until = Narrow | Clear
"""What an arena is played for."""


class _Widths:
    """Mean and squares of each bot's shares, deal by deal (Welford)."""

    def __init__(self, aim: float, seats: int) -> None:
        self._aim, self._deals = aim, 0
        self._means, self._squares = [0.0] * seats, [0.0] * seats

    def over(self, deal: Played) -> bool:
        self._deals += 1
        for seat, share in enumerate(deal.shares):
            off = share - self._means[seat]
            self._means[seat] += off / self._deals
            self._squares[seat] += off * (share - self._means[seat])
        return self._deals > 1 and self._widest() <= self._aim

    def needed(self) -> float:
        """By the square of how far the widest reaches still."""
        return self._deals * (self._widest() / self._aim) ** 2 if self._deals > 1 else float("inf")

    def _widest(self) -> float:
        return _reach(self._deals, max(self._squares))


class _Bets:
    """What was made by betting against one share, from either side."""

    def __init__(self, share: float) -> None:
        self._share, self._deals = share, 0
        self._above, self._below = [0.0] * len(_PARTS), [0.0] * len(_PARTS)

    def over(self, deal: Played) -> bool:
        self._deals += 1
        won = deal.shares[0]
        for place, part in enumerate(_PARTS):
            self._above[place] += log(1 - part + part * won / self._share)
            self._below[place] += log(1 - part + part * (1 - won) / (1 - self._share))
        return self._made() >= _RULED_OUT

    def needed(self) -> float:
        """What is made by a true difference grows as fast as it did."""
        made = self._made()
        return self._deals * _RULED_OUT / made if made > 1 else float("inf")

    def _made(self) -> float:
        return max(_together(self._above), _together(self._below))


def _reach(deals: int, squares: float) -> float:
    return student(deals - 1) * sqrt(squares + 1) / deals


def _lowest(counts: Counter[float]) -> float:
    """The lowest share that bets on more don't rule out; they make the less, the higher it is, and nothing at the mean.

    counts: how many deals gave each share.
    """
    low, high = 0.0, sum(share * deals for share, deals in counts.items()) / counts.total()
    for _ in range(40):
        middle = (low + high) / 2
        if middle <= 0:
            break
        won = [fsum(deals * log(1 - part + part * x / middle) for x, deals in counts.items()) for part in _PARTS]
        low, high = (middle, high) if _together(won) >= _RULED_OUT else (low, middle)
    return low


def _together(logarithms: Sequence[float]) -> float:
    """The logarithm of the mean of what stands behind these."""
    most = max(logarithms)
    return most + log(sum(exp(one - most) for one in logarithms) / len(logarithms))

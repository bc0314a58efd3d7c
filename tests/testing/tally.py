"""How many cases the suites of protocol 10 tried: each test reports its own, and the run prints the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, Protocol

import pytest


class Tally(Protocol):
    """Reports cases of a suite: its number in protocol 10 and what they are, as "3 single-bit flips"."""

    def __call__(self, suite: str, cases: int = 1) -> None: ...


_PROPERTY = "tally"


def reporter(node: pytest.Item) -> Tally:
    """The tally of one test. It travels with the test's report, so from other processes too."""

    def tally(suite: str, cases: int = 1) -> None:
        node.user_properties.append((_PROPERTY, [suite, cases]))

    return tally


def sums(reports: Iterable[Any]) -> list[tuple[str, int]]:
    """Each suite and its cases in all tests that passed, by number."""
    found: Counter[str] = Counter()
    for report in reports:
        if getattr(report, "when", None) != "call":  # the other phases repeat what the test has reported
            continue
        for name, value in report.user_properties:
            if name == _PROPERTY:
                suite, cases = value
                found[suite] += cases
    return sorted(found.items(), key=lambda line: (_number(line[0]), line[0]))


def _number(suite: str) -> int:
    return int(suite.split()[0])

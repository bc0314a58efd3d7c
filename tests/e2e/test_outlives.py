"""Tables that outlive their hosts, with real processes on machines of their own (protocol 10, suite 10).

Those cases that take little time; `python -m tests.outlives` tries all of them.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.outlives.cases import CASES
from tests.testing.tally import Tally


@pytest.mark.parametrize("case", [name for name, case in CASES.items() if case.often])
def test_a_table_outlives_its_host(case: str, tmp_path: Path, tally: Tally) -> None:
    CASES[case].run(tmp_path)
    tally("10 real processes whose host dies, stands still, is cut off or goes")


def test_enough_cases_are_tried_in_every_run() -> None:
    assert sum(case.often for case in CASES.values()) >= 10

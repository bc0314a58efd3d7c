"""What always holds of elections under heavy faults (protocol 7.4); and the model notices when a rule is missing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import pytest

from p2pcards.errors import ProtocolError
from p2pcards.table import election
from p2pcards.table.election import Election
from p2pcards.wire import identity, vote
from tests.testing.ballot_box import BallotBox, Broken

SEEDS = 6
"""Of each size."""


@pytest.fixture(autouse=True, scope="module")
def _votes_checked_once() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vote, "verify", lru_cache(1 << 16)(identity.verify))
        yield


@pytest.mark.parametrize("voters", [3, 4, 5])
def test_one_host_at_a_time_and_no_committed_entry_lost(voters: int) -> None:
    elections = 0
    for seed in range(SEEDS):
        box = BallotBox(seed, voters)
        box.run(100.0)
        box.heal(35.0)
        elections += box.elections
    assert elections > SEEDS


def test_nor_where_nobody_waits_for_a_rank(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(election, "STEP", 0.0)
    monkeypatch.setattr(election, "MARGIN", 0.0)
    for seed in range(SEEDS):
        BallotBox(seed, 3).run(100.0)


def test_a_quiet_table_elects_nobody() -> None:
    box = BallotBox(1, 5)
    box.heal(120.0)
    assert box.elections == 0
    assert len(box.committed) > 100


# ---- mutants


class VotesAtOnce(Election):
    """Without R5."""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **how)
        self.heard -= 60.0


class VotesForAnybody(Election):
    """Without the comparison of journals."""

    def _would_vote(self, term: int, shown: Any, hostsig: bytes, now: float) -> bool:
        return super()._would_vote(term, (10**6, 10**6, bytes(32)), hostsig, now) or (self.runs and self.quiet(now))


class NeedsNoFile(Election):
    """Votes without a vote file."""

    @property
    def vote_file(self) -> bool:
        return self.may_ack


@pytest.mark.parametrize("mutant", [VotesAtOnce, VotesForAnybody, NeedsNoFile, None])
def test_the_model_catches_a_voter_without_one_of_the_rules(
    mutant: type[Election] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """None: what is kept is not read back (R3)."""
    monkeypatch.setattr(election, "STEP", 0.0)
    monkeypatch.setattr(election, "MARGIN", 0.0)

    def runs() -> None:
        for seed in range(60):
            BallotBox(seed, 3, mutant or Election, files=mutant is not None).run(100.0)

    with pytest.raises((Broken, ProtocolError)):
        runs()

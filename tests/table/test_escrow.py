"""The secret in shares: who gets how many, and what they open (protocol 6.5, 6.6)."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.table import escrow
from p2pcards.table.escrow import PRIME, SHARE_BYTES, quorum, share_commitment, shares
from tests.testing import second
from tests.vectors import load
from tests.wire.strategies import KEYS

TABLE = bytes(16)
R = bytes(range(32))


def opens(some: list[tuple[int, bytes]]) -> int:
    """What these shares say that the secret is."""
    return second.at_zero(some)


def test_the_shares_are_the_known_ones() -> None:
    known = load("deal")
    first = shares(TABLE, 1, R, 3, 3)[0]
    assert first.hex() == known["share_1"]
    assert share_commitment(TABLE, 1, 1, first).hex() == known["share_commitment_1"]


@pytest.mark.parametrize(
    ("voters", "enough"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4), (7, 4), (8, 5), (9, 5), (33, 17)]
)
def test_most_of_the_voters_are_a_quorum(voters: int, enough: int) -> None:
    assert quorum(voters) == enough
    assert 2 * enough > voters >= 2 * (enough - 1)


@pytest.mark.parametrize("voters", range(3, 10))
def test_any_quorum_of_the_holders_opens_the_secret_and_one_fewer_does_not(voters: int) -> None:
    made = list(enumerate(shares(TABLE, 1, R, quorum(voters), voters - 1), 1))
    for some in combinations(made, quorum(voters)):
        assert opens(list(some)) == int.from_bytes(R, "big")
    for few in combinations(made, quorum(voters) - 1):
        assert opens(list(few)) != int.from_bytes(R, "big")


@given(KEYS, st.integers(2, 17), st.integers(0, 15))
def test_a_share_says_the_same_whenever_it_is_made_and_however_many_there_are(
    secret: bytes, enough: int, more: int
) -> None:
    """Whoever lost its share gets the same again; and nobody gets a second point by being listed elsewhere."""
    few, many = shares(TABLE, 1, secret, enough, enough), shares(TABLE, 1, secret, enough, enough + more)
    assert many[:enough] == few
    assert {len(share) for share in many} == {SHARE_BYTES}
    assert len(set(many)) == len(many)
    assert all(int.from_bytes(share, "big") < PRIME for share in many)


def test_another_table_epoch_or_threshold_has_other_shares() -> None:
    made = [shares(table, epoch, R, enough, 4) for table in (TABLE, b"1" * 16) for epoch in (1, 2) for enough in (2, 3)]
    assert len({share for some in made for share in some}) == 4 * len(made)


def test_coefficients_are_even_over_the_whole_field_zero_included(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leaving zero out would tell something of the secret each time; and bytes as wide as the field are not even."""
    widths = []

    def drawn(prk: bytes, label: str, *parts: bytes, length: int = 32) -> bytes:
        widths.append(length)
        return PRIME.to_bytes(length, "big")  # 0 in the field

    monkeypatch.setattr(escrow, "expand", drawn)
    assert {int.from_bytes(share, "big") for share in shares(TABLE, 1, R, 3, 5)} == {int.from_bytes(R, "big")}
    assert widths == [80, 80]


def test_no_share_is_the_secret_itself() -> None:
    for enough, holders in ((2, 2), (17, 32)):
        assert int.from_bytes(R, "big") not in {int.from_bytes(s, "big") for s in shares(TABLE, 1, R, enough, holders)}


def test_a_commitment_is_to_a_share_in_the_hand_of_its_holder() -> None:
    one, two = shares(TABLE, 1, R, 2, 2)
    made = {
        share_commitment(table, epoch, x, share)
        for table in (TABLE, b"1" * 16)
        for epoch in (1, 2)
        for x in (1, 2)
        for share in (one, two)
    }
    assert len(made) == 16

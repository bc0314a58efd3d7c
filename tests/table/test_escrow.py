"""The secret in shares: who gets how many, and what they open (protocol 6.5, 6.6)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.table import escrow
from p2pcards.table.deal import commitment
from p2pcards.table.escrow import PRIME, SHARE_BYTES, Recovered, escrowed, quorum, recover, share_commitment, shares
from tests.testing import second
from tests.vectors import Vector, every, load
from tests.wire.strategies import KEYS, TABLES, U32S

TABLE = bytes(16)
R = bytes(range(32))

FALSE = st.integers(0, 2**528 - 1).map(lambda value: value.to_bytes(SHARE_BYTES, "big")) | st.just(bytes(SHARE_BYTES))
"""What stands in the place of a share, be it in the field or not."""


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


# ---- opened again


class Split:
    """A secret as its host has split it: who lies about his share, and to what the host bound whom, tests say."""

    def __init__(
        self,
        voters: int,
        secret: bytes = R,
        table: bytes = TABLE,
        epoch: int = 1,
        lies: Mapping[int, bytes] | None = None,
    ) -> None:
        """lies: what the host gave these holders in place of their shares, and bound them to."""
        self.table, self.epoch, self.enough = table, epoch, quorum(voters)
        self.root = commitment(table, epoch, secret)
        self.given = {**dict(enumerate(shares(table, epoch, secret, self.enough, voters - 1), 1)), **(lies or {})}
        self.bound = tuple(share_commitment(table, epoch, x, value) for x, value in self.given.items())

    def opened(self, said: Mapping[int, bytes]) -> Recovered:
        """What these shares come to."""
        return recover(self.table, self.epoch, self.root, said, self.enough, self.bound)

    def of(self, *holders: int) -> dict[int, bytes]:
        """What these holders were given."""
        return {x: self.given[x] for x in holders}


@every({"shares": 12})
def test_known_shares_open_the_known_secret(name: str, vector: Vector) -> None:
    table, secret, epoch = bytes.fromhex(vector["table"]), bytes.fromhex(vector["secret"]), vector["epoch"]
    bound = [bytes.fromhex(one) for one in vector["commitments"]]
    given = list(enumerate(map(bytes.fromhex, vector["shares"]), 1))
    enough = vector["threshold"]
    root = second.root(table, epoch, secret)
    for some in (given[:enough], given[-enough:]):
        assert recover(table, epoch, root, dict(some), enough, bound) == Recovered(secret, (), False)
    assert recover(table, epoch, root, dict(given[1:enough]), enough, bound) == Recovered(b"", (), False)


@pytest.mark.parametrize("voters", range(3, 10))
def test_every_choice_of_enough_holders_opens_the_secret_and_none_of_fewer(voters: int) -> None:
    split = Split(voters)
    for some in combinations(split.given, split.enough):
        assert split.opened(split.of(*some)) == Recovered(R, (), False)
    for few in combinations(split.given, split.enough - 1):
        assert split.opened(split.of(*few)) == Recovered(b"", (), False)
    assert split.opened(split.given) == Recovered(R, (), False)


@given(st.integers(3, 9), KEYS, TABLES, U32S, st.data())
def test_any_enough_shares_open_the_secret_fewer_do_not_and_who_lies_is_named(
    voters: int, secret: bytes, table: bytes, epoch: int, data: st.DataObject
) -> None:
    split = Split(voters, secret, table, epoch)
    holders = st.sets(st.sampled_from(sorted(split.given)))
    here = data.draw(holders)
    liars = data.draw(st.sets(st.sampled_from(sorted(here)))) if here else set()
    said = {x: data.draw(FALSE) if x in liars else value for x, value in split.of(*here).items()}
    liars = {x for x in liars if said[x] != split.given[x]}
    opens = len(here - liars) >= split.enough
    assert split.opened(said) == Recovered(secret if opens else b"", tuple(sorted(liars)), False)
    honest = sorted(here - liars)
    if opens:
        assert second.at_zero([(x, said[x]) for x in honest[: split.enough]]) == int.from_bytes(secret, "big")


@given(st.integers(3, 9), KEYS, st.data())
def test_a_host_that_gave_away_wrong_shares_is_named_and_the_right_ones_open_the_secret(
    voters: int, secret: bytes, data: st.DataObject
) -> None:
    right = Split(voters, secret)
    holders = st.sampled_from(sorted(right.given))
    lies = {x: data.draw(FALSE) for x in data.draw(st.sets(holders, min_size=1))}
    split = Split(voters, secret, lies=lies)
    wrong = {x for x in lies if split.given[x] != right.given[x]}
    here = data.draw(st.sets(holders))
    in_field = {x for x in here if int.from_bytes(split.given[x], "big") < PRIME}
    found = split.opened(split.of(*here))
    assert set(found.liars) == here - in_field
    opens = len(here - wrong) >= split.enough
    assert found.secret == (secret if opens else b"")
    assert found.host_lied is (len(in_field) >= split.enough and bool(wrong))


def test_a_wrong_share_that_nobody_shows_names_the_host_all_the_same() -> None:
    split = Split(5, lies={4: bytes(66)})
    assert split.opened(split.of(1, 2, 3)) == Recovered(R, (), True)
    assert not escrowed(split.table, split.epoch, R, split.enough, split.bound)
    assert escrowed(split.table, split.epoch, R, split.enough, Split(5).bound)


def test_a_share_of_the_wrong_holder_or_of_nobody_opens_nothing() -> None:
    split = Split(5)
    swapped = {1: split.given[2], 2: split.given[1], 3: split.given[3], 4: split.given[4]}
    assert split.opened(swapped) == Recovered(b"", (1, 2), False)
    for nobody in (0, 5, 255, 256, -1):
        assert split.opened({**split.of(1, 2), nobody: split.given[3]}) == Recovered(b"", (nobody,), False)
    assert split.opened({**split.of(1, 2, 3), 0: split.given[4]}) == Recovered(R, (0,), False)


@pytest.mark.parametrize("off", ["more than the field", "one byte more", "one byte fewer", "nothing"])
def test_a_share_that_is_none_is_false_whatever_it_is_bound_to(off: str) -> None:
    value = int.from_bytes(Split(4).given[1], "big")
    other = {
        "more than the field": (value + PRIME).to_bytes(SHARE_BYTES, "big"),
        "one byte more": b"\0" + value.to_bytes(SHARE_BYTES, "big"),
        "one byte fewer": value.to_bytes(SHARE_BYTES, "big")[1:],
        "nothing": b"",
    }[off]
    split = Split(4, lies={1: other})
    assert split.opened(split.of(1, 2, 3)) == Recovered(b"", (1,), False)


def test_shares_of_something_wider_than_a_secret_open_nothing() -> None:
    """The polynomial of a host that chose another number for its value at 0."""
    wide = [(2**256 + 7 * x) % PRIME for x in (1, 2)]
    split = Split(3, lies={x: value.to_bytes(SHARE_BYTES, "big") for x, value in enumerate(wide, 1)})
    assert second.at_zero(list(split.given.items())) == 2**256
    assert split.opened(split.given) == Recovered(b"", (), True)


def test_where_there_is_no_escrow_nothing_is_opened() -> None:
    assert recover(TABLE, 1, commitment(TABLE, 1, R), {}, 0, ()) == Recovered(b"", (), False)
    assert recover(TABLE, 1, commitment(TABLE, 1, R), {1: bytes(66)}, 0, ()) == Recovered(b"", (1,), False)


def test_what_was_opened_is_not_shown() -> None:
    assert R.hex() not in repr(Recovered(R, (), False))
    assert repr(R) not in repr(Recovered(R, (), False))

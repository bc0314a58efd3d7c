"""The vote file: what is read is what was written, and damage is as good as no file."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.table.votefile import NEVER, VoteFile
from p2pcards.wire.vote import sign_vote
from tests.testing.cluster import identity

T, FRESH = b"t" * 16, b"f" * 16
VOTE = sign_vote(identity("ana"), T, 3, identity("ben").key, 1, (2, 17, bytes(32)))

tables = st.binary(min_size=16, max_size=16)
files = st.builds(
    VoteFile,
    vote=st.sampled_from((None, VOTE)),
    left=st.booleans(),
    since=st.integers(0, NEVER),
    forks=st.lists(st.tuples(tables, tables), max_size=4).map(tuple),
)


@given(files)
def test_what_is_read_is_what_was_written(file: VoteFile) -> None:
    assert VoteFile.decode(file.encode()) == file


@given(files, st.data())
def test_a_file_cut_short_or_with_something_behind_it_is_none(file: VoteFile, data: st.DataObject) -> None:
    whole = file.encode()
    assert VoteFile.decode(whole[: data.draw(st.integers(0, len(whole) - 1))]) is None
    assert VoteFile.decode(whole + b"\0") is None


@given(st.binary(max_size=300))
def test_any_bytes_are_a_file_or_none(data: bytes) -> None:
    read = VoteFile.decode(data)
    assert read is None or read.encode()


def test_a_file_of_a_later_version_is_none() -> None:
    fields = msgspec.msgpack.decode(VoteFile(vote=VOTE).encode())
    assert VoteFile.decode(msgspec.msgpack.encode([2, *fields[1:]])) is None


def test_a_vote_counts_as_the_table_that_it_was_given_at() -> None:
    file = VoteFile(vote=VOTE)
    assert file.voted(T) == VOTE
    assert file.voted(FRESH) is None
    assert VoteFile().voted(T) is None


def test_a_table_left_by_a_fork_is_refused_whatever_it_was_left_for() -> None:
    file = VoteFile(vote=VOTE).forked(T, FRESH)
    assert file.refuses(T)
    assert not file.refuses(FRESH)
    assert file.voted(T) == VOTE
    again = file.forked(T, b"g" * 16).forked(FRESH, b"h" * 16)
    assert again.forks == ((T, b"g" * 16), (FRESH, b"h" * 16))


@pytest.mark.parametrize("since", [-1, 0.5])
def test_since_is_the_index_of_an_entry(since: float) -> None:
    assert VoteFile.decode(msgspec.msgpack.encode([1, None, False, since, []])) is None
    assert VoteFile.decode(msgspec.msgpack.encode([1, None, False, 0, []])) == VoteFile(since=0)

"""Who is meant by what is typed."""

from __future__ import annotations

import pytest

from p2pcards.table.people import goes_by
from p2pcards.wire.identity import chip, words

KEY = bytes(range(32))


@pytest.mark.parametrize("typed", ["ana", "ANA", "Annie", "alice", chip(KEY), words(KEY).upper(), "~000102", "~00"])
def test_somebody_is_meant_by_any_name_by_words_and_by_the_beginning_of_the_key(typed: str) -> None:
    assert goes_by(typed, KEY, ("ana", "annie", "alice", ""))


@pytest.mark.parametrize("typed", ["", "an", "~", "~01", "000102", chip(KEY).partition("-")[0], words(KEY, 3)])
def test_nobody_is_meant_by_less(typed: str) -> None:
    assert not goes_by(typed, KEY, ("ana", ""))


def test_who_is_known_by_a_login_alone_has_no_key_to_be_named_by() -> None:
    assert goes_by("alice", b"", ("alice",))
    assert not goes_by("~", b"", ("alice",))
    assert not goes_by("~00", b"", ("alice",))

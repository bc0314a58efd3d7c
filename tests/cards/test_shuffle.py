"""The shuffle and its known answers (docs/protocol.md 6.3, Appendix A)."""

from __future__ import annotations

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.cards import Stream

ZERO = """51 2 21 22 42 31 5 33 16 26 46 39 9 1 48 25 32 3 29 14 4 50 17 0 30 43 7 23 19 10 13 41 35 18 8 6 36 37 45 15
34 44 40 49 38 12 20 28 24 27 11 47"""
SEED = bytes.fromhex("b3c8b2bcceac441374d17dfb3185f365ac6d9ff288e9aeb5b5e00bc632efde7b")
seeds = st.binary(min_size=32, max_size=32)


def test_known_answer_of_the_zero_seed() -> None:
    assert Stream(bytes(32)).shuffle(range(52)) == tuple(map(int, ZERO.split()))


def test_known_answer_of_the_appendix() -> None:
    order = Stream(SEED).shuffle(range(52))
    assert order[:13] == (19, 9, 27, 15, 37, 25, 10, 26, 11, 40, 31, 50, 34)
    digest = "2b351fa84e5fe9251e5874fa6efbe641b8f85e25798a8f8e00602fa449019641"
    assert hashlib.sha256(bytes(order)).hexdigest() == digest


@given(seeds, st.lists(st.integers()))
def test_a_shuffle_is_the_same_items_the_same_way(seed: bytes, items: list[int]) -> None:
    order = Stream(seed).shuffle(items)
    assert Counter(order) == Counter(items)
    assert Stream(seed).shuffle(items) == order


@given(seeds, st.integers(1, 2**32))
def test_below_its_bound(seed: bytes, bound: int) -> None:
    stream = Stream(seed)
    assert all(0 <= stream.below(bound) < bound for _ in range(10))


def test_words_past_the_last_whole_multiple_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 2^32 words the topmost one is no whole third: it must not make 0 likelier."""
    words = b"\xff\xff\xff\xff" + (7).to_bytes(4, "big") + bytes(24)
    monkeypatch.setattr(hmac, "digest", lambda *_: words)
    assert Stream(bytes(32)).below(3) == 7 % 3
    assert Stream(bytes(32)).below(2**32) == 2**32 - 1


def test_every_place_is_about_equally_likely() -> None:
    counts: Counter[tuple[int, ...]] = Counter(
        Stream(number.to_bytes(32, "big")).shuffle((0, 1, 2)) for number in range(6000)
    )
    assert len(counts) == 6
    assert all(abs(count - 1000) < 150 for count in counts.values())


@pytest.mark.parametrize("bound", [-1, 0, 2**32 + 1])
def test_no_number_is_drawn_below_what_one_word_can_not_hold(bound: int) -> None:
    with pytest.raises(ValueError, match="can be drawn at once"):
        Stream(bytes(32)).below(bound)

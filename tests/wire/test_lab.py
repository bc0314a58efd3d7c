"""What a lab's key proves (protocol 5.2): one role on one connection, and nothing without it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.wire.lab import LAB_BYTES, TAG_BYTES, advert_tag, proof_i, proof_r, proves_i, proves_r, tagged

LAB, SESSION = b"k" * 32, b"s" * 32
PLACE: dict[str, Any] = {
    "instance": "lab ~01234567",
    "table": b"t" * 16,
    "key": b"h" * 32,
    "port": 25252,
    "door": "lab",
    "game": "tongits",
}
BYTES_32 = st.binary(min_size=32, max_size=32)


@given(BYTES_32, BYTES_32)
def test_a_proof_is_good_for_its_role_key_and_session_only(lab: bytes, session: bytes) -> None:
    ours, theirs = proof_i(lab, session), proof_r(lab, session)
    assert (len(ours), len(theirs)) == (32, 32)
    assert proves_i(lab, session, ours)
    assert proves_r(lab, session, theirs)
    assert not proves_i(lab, session, theirs)
    assert not proves_r(lab, session, ours)
    other = bytes([lab[0] ^ 1]) + lab[1:]
    assert not proves_i(other, session, ours)
    assert not proves_i(lab, bytes([session[0] ^ 1]) + session[1:], ours)


@given(st.binary(max_size=64))
def test_nothing_made_up_is_a_proof(said: bytes) -> None:
    assert not proves_i(LAB, SESSION, said)
    assert not proves_r(LAB, SESSION, said)
    assert not tagged(LAB, **PLACE, tag=said)


def test_a_proof_cut_short_is_none() -> None:
    for length in range(32):
        assert not proves_i(LAB, SESSION, proof_i(LAB, SESSION)[:length])
    for length in range(TAG_BYTES):
        assert not tagged(LAB, **PLACE, tag=advert_tag(LAB, **PLACE)[:length])


@pytest.mark.parametrize("length", [0, 16, 31, 33, 64])
def test_whoever_has_no_key_makes_no_proof_and_believes_none(length: int) -> None:
    """An empty key would be one that everybody has."""
    assert length != LAB_BYTES
    lab = b"k" * length
    makers: list[Callable[[], bytes]] = [
        lambda: proof_i(lab, SESSION),
        lambda: proof_r(lab, SESSION),
        lambda: advert_tag(lab, **PLACE),
    ]
    for make in makers:
        with pytest.raises(ValueError, match=f"{length} bytes"):
            make()
    for said in (b"", proof_i(LAB, SESSION), proof_r(LAB, SESSION)):
        assert not proves_i(lab, SESSION, said)
        assert not proves_r(lab, SESSION, said)
    assert not tagged(lab, **PLACE, tag=b"")


@pytest.mark.parametrize(
    "change",
    [
        {"instance": "lab ~01234568"},
        {"table": b"u" * 16},
        {"key": b"e" * 32},
        {"port": 25253},
        {"door": "open"},
        {"game": "tienlen"},
        {"door": "labt", "game": "ongits"},
    ],
    ids=str,
)
def test_a_tag_is_of_one_table_at_one_place(change: dict[str, Any]) -> None:
    tag = advert_tag(LAB, **PLACE)
    assert len(tag) == TAG_BYTES
    assert tagged(LAB, **PLACE, tag=tag)
    assert not tagged(LAB, **(PLACE | change), tag=tag)
    assert not tagged(b"e" * 32, **PLACE, tag=tag)

"""Records of tables whose host did not play fair: everything in them is signed, and the host is named."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.table.notices import Audited
from p2pcards.table.verify import CHANGED, Verified, verify_record
from p2pcards.wire.entries import Entry, EntryKind, MatchEnd, decode_pub, decode_wire, encode_pub
from tests.testing.cluster import identity, started
from tests.testing.evil_host import close_round
from tests.testing.recorded import index_of, one_game, play, proofs, record_of, refuted, signed_anew, with_proofs


def rewritten(kind: EntryKind, parts: Mapping[str, object], signer: str = "host") -> str:
    """The record of a round whose host wrote other things into one entry, and signed everything anew."""
    text = one_game("tongits", 1)
    index = index_of(text, kind)

    def change(entry: Entry) -> Entry:
        if entry.index != index:
            return entry
        return replace(entry, pub=encode_pub(replace(decode_pub(kind, entry.pub), **parts)))

    return with_proofs(text, [signed_anew(proofs(text)[0], change, identity(signer))])


def test_a_round_ended_as_the_host_liked() -> None:
    cluster = started(2, options={"match_rounds": "1"})
    close_round(cluster)
    text = with_proofs(one_game("tongits", 1), [cluster.host_journal])
    found = refuted(text)
    end = index_of(text, EntryKind.ROUND_END)
    assert (found.exit_code, found.whose, found.round, found.entry) == (CHANGED, "ana", 1, end)
    assert found.why == "the round was not over"


@pytest.mark.parametrize(
    ("kind", "parts", "why"),
    [
        (EntryKind.ROUND_END, {"points": (9, 0, 0)}, "another result"),
        (EntryKind.DISCLOSE, {"secret": bytes(32)}, "the disclosed secret is not the one committed to"),
        (EntryKind.MATCH_START, {"seats": (1, 0, 2)}, "seats drawn otherwise than by the rule"),
        (EntryKind.DEAL_OPEN, {"threshold": 3}, "a secret shared otherwise than by the rule"),
    ],
)
def test_what_the_host_signed_and_must_not_is_the_hosts(kind: EntryKind, parts: dict[str, object], why: str) -> None:
    text = rewritten(kind, parts)
    found = refuted(text)
    assert (found.exit_code, found.whose, found.entry) == (CHANGED, "ana", index_of(text, kind))
    assert found.why == why


def test_a_move_that_its_player_did_not_sign_is_the_hosts() -> None:
    text = one_game("tongits", 1)
    index = index_of(text, EntryKind.ACT, -1)

    def change(entry: Entry) -> Entry:
        return replace(entry, actsig=bytes(64)) if entry.index == index else entry

    found = refuted(with_proofs(text, [signed_anew(proofs(text)[0], change)]))
    assert (found.whose, found.entry, found.why) == ("ana", index, "an act that its player did not sign")


def test_a_host_under_another_key_needs_the_signatures_of_all_players() -> None:
    text = rewritten(EntryKind.GENESIS, {"host": identity("mallory").key}, signer="mallory")
    found = refuted(text)
    assert (found.exit_code, found.whose) == (CHANGED, "host")
    assert found.entry is not None


def test_a_match_is_not_to_blame_for_the_one_before_it() -> None:
    cluster = started(2, options={"match_rounds": "1"})
    close_round(cluster)
    cluster.host._pen.write(EntryKind.MATCH_END, MatchEnd(1, (1, 0, 0), (0,)))
    cluster.order("start")
    play(cluster, 1)
    assert [audit.ok for audit in cluster.peers["ben"].told(Audited)] == [False, True]
    found = verify_record(record_of(cluster).encode())
    assert isinstance(found, Verified)
    assert found.rounds == 1


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_whatever_a_host_signs_is_judged(data: st.DataObject) -> None:
    """One byte of an entry's body is another, and everything from there on is signed by the host."""
    wires = proofs(one_game("tongits", 1))[0]
    index = data.draw(st.integers(0, len(wires) - 1))
    pub = decode_wire(wires[index])[0].pub
    at, byte = data.draw(st.integers(0, len(pub) - 1)), data.draw(st.integers(1, 255))
    other = pub[:at] + bytes([pub[at] ^ byte]) + pub[at + 1 :]

    def change(entry: Entry) -> Entry:
        return replace(entry, pub=other) if entry.index == index else entry

    found = refuted(with_proofs(one_game("tongits", 1), [signed_anew(wires, change)]))
    assert found.exit_code == CHANGED
    assert found.entry is None or found.entry >= index

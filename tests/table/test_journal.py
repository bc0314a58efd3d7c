"""The chain: what fits on it and what is refused (protocol 6.2)."""

from __future__ import annotations

import pytest

from p2pcards.errors import ProtocolError
from p2pcards.table import journal
from p2pcards.table.journal import NO_HEAD, Journal
from p2pcards.wire.entries import Entry, EntryFlag, EntryKind, decode_wire, encode_entry, head, head_signed, table_id
from p2pcards.wire.fields import NO_SEAT
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, member

HOST = identity("host").key
FRESH = bytes(15) + b"f"


def accepted(wires: list[bytes], host: bytes = HOST) -> Journal:
    """A journal of somebody who was sent these."""
    journal = Journal()
    for wire in wires:
        journal.accept(wire, host)
    return journal


def test_who_accepts_what_another_appends_holds_the_same_journal() -> None:
    forge = Forge()
    wires = forge.round()
    journal = accepted(wires)
    assert journal.wires == forge.journal.wires == wires
    assert (journal.table, journal.heads, journal.last) == (forge.journal.table, forge.journal.heads, len(wires) - 1)
    assert journal.hostsig == wires[-1][-64:]
    assert len(journal.table) == 16


def test_a_host_can_not_fill_the_memory_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    wires = Forge().round()
    size = sum(map(len, wires))
    monkeypatch.setattr(journal, "ROUND_BYTES", 0)
    monkeypatch.setattr(journal, "JOURNAL_BYTES", size)
    assert len(accepted(wires)) == len(wires)
    monkeypatch.setattr(journal, "JOURNAL_BYTES", size - 1)
    with pytest.raises(ProtocolError, match="without an end"):
        accepted(wires)


def test_an_empty_journal_has_no_head() -> None:
    journal = Journal()
    assert (len(journal), journal.last, journal.head) == (0, -1, NO_HEAD)
    assert not journal.saw(0, NO_HEAD)


def test_saw_asks_for_the_head_of_that_entry() -> None:
    journal = accepted(Forge().lobby())
    assert journal.saw(1, journal.heads[1])
    assert not journal.saw(2, journal.heads[1])
    assert not journal.saw(3, journal.heads[2])


@pytest.mark.parametrize("place", [0, 1, 2])
def test_an_entry_left_out_repeated_or_moved_does_not_follow(place: int) -> None:
    wires = Forge().lobby()
    journal = accepted(wires[:place])
    for wire in wires[:place] + wires[place + 1 :]:
        with pytest.raises(ProtocolError, match="does not follow"):
            journal.accept(wire, HOST)
    journal.accept(wires[place], HOST)
    assert journal.wires == wires[: place + 1]


def test_an_entry_over_another_head_does_not_follow() -> None:
    """The same table, the same host, the same place: but the host tells it differently."""
    forge = Forge()
    genesis = forge.genesis()
    fork = Forge(journal=forge.journal)
    options, _ = forge.options(), fork.options(options=(("ante", "1"),))
    with pytest.raises(ProtocolError, match="does not follow"):
        accepted([genesis, options, fork.roster(*map(member, NAMES))])


def test_an_entry_of_another_index_does_not_follow() -> None:
    forge = Forge()
    genesis, sign = forge.genesis(), identity("host").sign
    entry = Entry(EntryKind.OPTIONS, EntryFlag(0), NO_SEAT, 1, 0, 2, forge.journal.head, 0, b"\x93\xa4open\x90\x90")
    body, table = encode_entry(entry), forge.journal.table
    with pytest.raises(ProtocolError, match="entry 2 does not follow entry 0"):
        accepted([genesis, body + sign(head_signed(table, 1, 2, head(table, body)))])


def test_every_changed_byte_of_an_entry_is_refused() -> None:
    genesis, options = Forge().lobby()[:2]
    for place in range(len(options)):
        changed = options[:place] + bytes([options[place] ^ 1]) + options[place + 1 :]
        with pytest.raises(ProtocolError):
            accepted([genesis, changed])


def test_an_entry_cut_short_or_longer_is_refused() -> None:
    genesis, options = Forge().lobby()[:2]
    for changed in (options[:-1], options + b"\0", b"", options[64:]):
        with pytest.raises(ProtocolError):
            accepted([genesis, changed])


def test_only_the_host_signs() -> None:
    mallory = Forge(identity("mallory"))
    with pytest.raises(ProtocolError, match="not signed by the host"):
        accepted(mallory.lobby()[:1])
    honest = Forge()
    wires = honest.lobby()
    taken_over = Forge(identity("mallory"))
    taken_over.journal = honest.journal
    with pytest.raises(ProtocolError, match="not signed by the host"):
        accepted([*wires, taken_over.roster(*map(member, NAMES))])


def test_a_signature_binds_table_term_and_index() -> None:
    """The head of an entry is signed together with its place, for this table alone."""
    wire = Forge().genesis()
    entry, _ = decode_wire(wire)
    body, table = encode_entry(entry), table_id(entry.pub)
    digest, sign = head(table, body), identity("host").sign
    accepted([body + sign(head_signed(table, 1, 0, digest))])
    for signed in (
        head_signed(bytes(16), 1, 0, digest),
        head_signed(table, 2, 0, digest),
        head_signed(table, 1, 1, digest),
        digest,
    ):
        with pytest.raises(ProtocolError, match="not signed"):
            accepted([body + sign(signed)])


def test_genesis_stands_first_and_nowhere_else() -> None:
    forge = Forge()
    with pytest.raises(ProtocolError, match="genesis"):
        accepted([forge.options()])
    forge = Forge()
    with pytest.raises(ProtocolError, match="genesis"):
        accepted([*forge.lobby(), forge.genesis()])


def test_two_tables_of_one_host_have_nothing_in_common() -> None:
    wires, other = Forge().lobby(), Forge()
    other.genesis(title="another")
    assert accepted(wires).table != other.journal.table
    with pytest.raises(ProtocolError):
        accepted([*wires, other.options()])


def test_an_entry_that_cannot_be_read_back_is_never_written() -> None:
    journal = Journal()
    odd = Entry(EntryKind.OPTIONS, EntryFlag.BOT, NO_SEAT, 1, 0, 0, NO_HEAD, 0, b"\x90")
    with pytest.raises(ValueError, match="flags"):
        journal.append(odd, identity("host").sign)
    assert len(journal) == 0


# ---- cut short, and copied


def three_terms() -> Journal:
    """Eight entries: five of term 1, then a fork, then two of term 7 under the new T."""
    forge = Forge()
    forge.lobby()
    forge.match()
    forge.deal_open()
    forge.forked("ana", "ana", "ben", fresh=FRESH)
    forge.elected("ben", "ana", "ben", term=7)
    forge.options()
    return forge.journal


def _parts(journal: Journal) -> tuple[object, ...]:
    places = range(len(journal))
    at = [(journal.table_at(index), journal.term_at(index)) for index in places]
    return journal.entries, journal.wires, journal.heads, journal.table, journal.head, at


@pytest.mark.parametrize("length", range(9))
def test_a_journal_cut_short_is_as_it_was_when_it_was_so_long(length: int) -> None:
    whole = three_terms()
    grown = Journal()
    for wire, entry in zip(whole.wires[:length], whole.entries, strict=False):
        grown.accept(wire, _signer(entry))
    cut, copied = whole.copy(), whole.copy(length)
    cut.truncate(length)
    assert _parts(cut) == _parts(copied) == _parts(grown)
    for wire, entry in zip(whole.wires[length:], whole.entries[length:], strict=True):
        cut.accept(wire, _signer(entry))
    assert _parts(cut) == _parts(whole)


def _signer(entry: Entry) -> bytes:
    at = {1: "host", 2: "ana", 7: "ben"}
    return identity(at[entry.term]).key


def test_each_entry_stands_under_the_t_and_the_term_of_its_time() -> None:
    journal = three_terms()
    old = table_id(journal.entries[0].pub)
    assert [journal.table_at(index) for index in range(8)] == [old] * 5 + [FRESH] * 3
    assert [journal.term_at(index) for index in range(-1, 9)] == [0, *[1] * 5, 2, 7, 7, 0]
    assert (journal.table_at(-1), journal.table_at(8), journal.table) == (b"", b"", FRESH)
    assert not journal.saw(-1, journal.head)


def test_a_copy_goes_its_own_way() -> None:
    journal = Forge().lobby()
    forge = Forge(journal=accepted(journal))
    copy = forge.journal.copy()
    forge.match()
    assert len(copy) == 3
    copy.truncate(1)
    assert len(forge.journal) == 4


def test_what_is_cut_off_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    wires = Forge().round()
    monkeypatch.setattr(journal, "ROUND_BYTES", 0)
    monkeypatch.setattr(journal, "JOURNAL_BYTES", sum(map(len, wires)))
    whole = accepted(wires)
    assert whole.full
    for _ in range(3):
        whole.truncate(2)
        assert not whole.full
        for wire in wires[2:]:
            whole.accept(wire, HOST)
    assert whole.full
    assert whole.copy().full
    assert not whole.copy(2).full


def test_an_entry_under_another_t_is_refused_before_the_fork_and_the_old_t_behind_it() -> None:
    whole = three_terms()
    other = Forge()
    other.lobby()
    other.match()
    other.deal_open()
    other.forked("ana", "ana", "ben", fresh=bytes(16))
    with pytest.raises(ProtocolError, match="does not follow"):
        other.journal.accept(whole.wires[6], identity("ben").key)
    with pytest.raises(ProtocolError, match="not signed"):
        whole.copy(5).accept(_resigned(whole), identity("ana").key)


def _resigned(whole: Journal) -> bytes:
    """The FORK, its head signed under the old T."""
    body, entry = whole.wires[5][:-64], whole.entries[5]
    old = whole.table_at(4)
    return body + identity("ana").sign(head_signed(old, entry.term, entry.index, head(old, body)))

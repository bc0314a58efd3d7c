"""Rounds that several hosts dealt and played, audited and verified as any other (protocol 6.3, 6.8, 7.3; suite 16)."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2pcards.games.record import read
from p2pcards.games.registry import GAMES
from p2pcards.table.deal import faces
from p2pcards.table.public import Public
from p2pcards.table.verify import CHANGED, Verified, verify_record
from p2pcards.wire.entries import BotPub, BotReason, EntryKind, RoundEnd, decode_wire, table_id
from p2pcards.wire.text import table_text
from tests.testing.books import key
from tests.testing.recorded import SUITE, proofs, refuted, with_proofs
from tests.testing.tally import Tally
from tests.testing.written import Written

SEEDS = range(3)


def verified(text: str) -> Verified:
    found = verify_record(text.encode())
    assert isinstance(found, Verified), found
    return found


# ---- what may happen between two acts


def elects(table: Written) -> None:
    """Another host, by the votes of the others."""
    books = table.public
    names = [name for name in ("host", "ana", "ben", "cy") if books.votes(key(name))]
    if len(names) < 3:
        return
    others = [name for name in names if key(name) != books.host]
    table.forge.elected(table.rng.choice(others), *names[: len(names) // 2 + 1])
    table.read()


def hands_over(table: Written) -> None:
    others = [name for name in ("host", "ana", "ben", "cy") if table.public.votes(key(name))]
    others = [name for name in others if key(name) != table.public.host]
    if others:
        name = table.rng.choice(others)
        table.forge.hands_over(name)
        table.forge.took_over(name)
        table.read()


def forks(table: Written) -> None:
    """The host and all but one of the others go on."""
    books = table.public
    names = [name for name in ("host", "ana", "ben", "cy") if books.votes(key(name))]
    (host,) = (name for name in names if key(name) == books.host)
    others = [name for name in names if name != host]
    gone = table.rng.choice(others) if others else ""
    table.forge.forked(host, *(name for name in names if name != gone), fresh=table.rng.randbytes(16))
    table.read()


CHANGES = {"elections": elects, "hand-overs": hands_over, "forks": forks}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("game", GAMES)
def test_a_round_goes_through_the_audit_whoever_hosts(game: str, seed: int, tally: Tally) -> None:
    table = Written(game, seed, draws=8)
    table.deal()
    for _ in range(200):
        if table.rng.randrange(6) == 0:
            table.rng.choice(list(CHANGES.values()))(table)
        if not table.step():
            break
    table.end()
    assert [audit.ok for audit in table.audits] == [True], table.audits
    found = verified(table.record())
    assert found.rounds == 1
    hosts = {one.key for one in found.keys if one.host}
    assert hosts == {host for _, host in table.public.reigns}
    assert found.table == table_text(table_id(table.forge.journal.entries[0].pub)) == read(table.record()).table
    assert Public.of(table.forge.journal).ends == table.public.ends
    tally(SUITE)


def test_the_games_meet_shuffles_sealed_choices_and_answers_on_their_way() -> None:
    assert EntryKind.SEALED in _kinds("straights", 0)
    assert any(_kinds("onecard", seed).count(EntryKind.DEAL_OPEN) > 1 for seed in SEEDS)


def _kinds(game: str, seed: int) -> list[EntryKind]:
    table = Written(game, seed, draws=8)
    table.deal()
    table.end()
    return [entry.kind for entry in table.forge.journal.entries]


# ---- single ones


def called(seed: int = 0) -> Written:
    """Tong-its, where somebody has called: the others answer."""
    for at in range(seed, 400):
        table = Written("tongits", at)
        table.deal()
        while table.fold is not None and table.fold.outcome is None:
            if table.fold.asks(table.fold.to_act[0]):
                return table
            table.step()
    raise AssertionError("nobody calls")


@pytest.mark.parametrize("change", CHANGES)
def test_answers_committed_to_under_one_host_are_opened_under_another(change: str) -> None:
    table = called()
    table.answer(lambda: CHANGES[change](table))
    table.end()
    assert table.audits[-1].ok, table.audits
    assert verified(table.record())


def shuffling() -> Written:
    """One Card, where the stock has run out."""
    for at in range(400):
        table = Written("onecard", at, draws=9)
        table.deal()
        assert table.fold is not None
        while not table.fold.to_shuffle and table.step():
            pass
        if table.fold.to_shuffle:
            return table
    raise AssertionError("the stock never runs out")


@pytest.mark.parametrize("change", CHANGES)
def test_a_reshuffle_that_a_change_of_hosts_cut_short_is_repeated(change: str, tally: Tally) -> None:
    table = shuffling()
    assert table.fold is not None
    table.open_deal(table.fold.to_shuffle)
    CHANGES[change](table)
    table.shuffle()
    table.end()
    assert table.audits[-1].ok, table.audits
    assert verified(table.record())
    tally(SUITE)


def test_another_shuffle_than_was_due_is_found_under_any_host() -> None:
    table = shuffling()
    assert table.fold is not None
    table.open_deal(table.fold.to_shuffle[:-1])
    elects(table)
    bad = table.forge.journal.last
    table.shuffle()
    table.end()
    assert not table.audits[-1].ok
    assert table.audits[-1].bad is not None
    assert table.audits[-1].bad < bad
    assert table.audits[-1].whose == "host"  # of the host that opened it, not of the next one


def test_a_deal_that_nobody_finished_is_of_no_account(tally: Tally) -> None:
    table = Written("tienlen", 4)
    table.secret = bytes(32)
    table.open_deal(faces(1))
    elects(table)
    table.deal()
    table.end()
    assert table.audits == [replace(table.audits[0], ok=True, round=1)]
    found = verified(table.record())
    assert (found.rounds, found.alone, found.stood_in) == (1, (), ())
    tally(SUITE)


def void_round(game: str = "tienlen") -> Written:
    """The second round came to nothing, and was dealt anew; cy's bot had played in it."""
    table = Written(game, 5)
    table.deal()
    table.end()
    table.deal()
    for _ in range(6):
        table.step()
    elects(table)
    table.forge.void(2)
    table.read()
    table.deal()
    table.end()
    return table


@pytest.mark.parametrize("game", GAMES)
def test_a_void_round_stands_in_the_proof_of_the_next(game: str, tally: Tally) -> None:
    table = void_round(game)
    assert [audit.round for audit in table.audits] == [1, 2]
    assert all(audit.ok for audit in table.audits)
    found = verified(table.record())
    assert found.rounds == 2
    void = [
        wire
        for wire in proofs(table.record())[1]
        if (entry := decode_wire(wire)[0]).kind is EntryKind.ROUND_END and b"void" in entry.pub
    ]
    assert len(void) == 1
    tally(SUITE)


def test_how_a_void_round_was_dealt_and_played_is_not_said_of_the_next(tally: Tally) -> None:
    table = Written("tienlen", 9)
    table.alone = True
    table.deal()
    table.forge.entry(EntryKind.BOT, BotPub(2, True, BotReason.GRACE))
    table.read()
    for _ in range(8):
        table.step()
    elects(table)
    assert verified_notes(table, void=False) == ((1,), ((1, "cy"),))
    assert verified_notes(table, void=True) == ((), ())
    tally(SUITE)


def verified_notes(table: Written, void: bool) -> tuple[object, object]:
    """What is said of the round, played on as it is, or dealt anew after it came to nothing."""
    other = copy.deepcopy(table)
    other.forge.entry(EntryKind.BOT, BotPub(2, False, BotReason.BACK))
    if void:
        other.forge.void()
    other.read()
    other.alone = False
    if void:
        other.deal()
    other.end()
    found = verified(other.record())
    return found.alone, found.stood_in


def test_a_void_round_left_out_of_the_proof_is_missed() -> None:
    text = void_round().record()
    first, second = proofs(text)
    kinds = [decode_wire(wire)[0].kind for wire in second]
    after = kinds.index(EntryKind.ROUND_END) + 1
    assert refuted(with_proofs(text, [first, second[after:]])).exit_code == CHANGED


def test_without_its_dealer_a_round_is_void_and_the_match_goes_on_under_the_new_t(tally: Tally) -> None:
    table = Written("straights", 6)
    table.deal()
    table.end()
    table.deal()
    table.step()
    first = table.public.table
    table.forge.forked("ben", "ana", "ben", fresh=bytes(16))
    table.forge.void(2)
    table.read()
    table.deal()
    table.end()
    assert [audit.ok for audit in table.audits] == [True, True]
    found = verified(table.record())
    assert (found.rounds, found.table) == (2, table_text(first))
    assert [(one.nick, one.host, one.player) for one in found.keys] == [
        ("", True, False),
        ("ben", True, True),
        ("ana", False, True),
        ("cy", False, True),
    ]
    assert (2, "cy") in found.stood_in
    tally(SUITE)


CUT: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "the votes": lambda wires: _without(wires, EntryKind.TERM_START),
    "what was handed over": lambda wires: _without(wires, EntryKind.HANDOVER),
}


def _without(wires: list[bytes], kind: EntryKind) -> list[bytes]:
    return [wire for wire in wires if decode_wire(wire)[0].kind is not kind]


@pytest.mark.parametrize("what", CUT)
def test_a_record_whose_hosts_nobody_chose_is_refused(what: str) -> None:
    table = Written("tongits", 7)
    elects(table)
    hands_over(table)
    table.deal()
    table.end()
    text = table.record()
    verified(text)
    assert refuted(with_proofs(text, [CUT[what](part) for part in proofs(text)])).exit_code == CHANGED


def test_a_host_that_nobody_chose_is_named(tally: Tally) -> None:
    table = Written("tongits", 8)
    table.deal()
    table.end()
    text = table.record()
    forge = table.forge
    forge.elected("cy", "ana", "cy")  # of four
    at = forge.journal.last
    forge.entry(EntryKind.ROUND_END, RoundEnd(2, "void", (), ()))
    found = refuted(with_proofs(text, [[*proofs(text)[0], *forge.journal.wires[at:]]]))
    assert (found.exit_code, found.whose, found.entry) == (CHANGED, "cy", at)
    assert "too few" in found.why
    tally(SUITE)

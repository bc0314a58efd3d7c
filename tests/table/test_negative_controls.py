"""Suite 9: the suites are shown programs with one thing wrong in them, and notice.

A mutant is a word of the source changed. Each is held against the test that is there to see it, which must pass without
the change and fail with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar, cast

import pytest
from msgspec import Struct, structs

from p2pcards.cards.shuffle import Stream
from p2pcards.table import acts, deal, dealer, escrow
from p2pcards.table.candidacy import VOTE_WINDOW, Asking
from p2pcards.table.election import Election
from p2pcards.table.lease import Lease
from p2pcards.table.public import Public
from p2pcards.wire import handshake, identity, lab, records
from p2pcards.wire.messages import Ack
from tests.cards import test_shuffle
from tests.sim.invariants import Broken
from tests.sim.plan import Cut, Fault, plan
from tests.sim.signatures import cheap
from tests.sim.world import World
from tests.table import test_deal_vectors, test_election, test_election_members, test_escrow, test_play, test_public
from tests.testing.mutants import Anything, Survived, kills, mutate
from tests.testing.tally import Tally
from tests.vectors import vectors
from tests.wire import test_damage, test_identity, test_lab, test_records


class Change(Struct, frozen=True):
    """`old`, in the source of `place`, is `new`."""

    place: Anything
    old: str
    new: str


class Mutant(Struct, frozen=True):
    """What is wrong, and the test that sees it."""

    changes: tuple[Change, ...]
    killer: Callable[[], Any]


def _untold(suite: str, cases: int = 1) -> None:
    """In place of a tally."""


def _patched(test: Callable[[pytest.MonkeyPatch], None]) -> Callable[[], None]:
    """A test that changes something itself, and undoes it."""

    def run() -> None:
        with pytest.MonkeyPatch.context() as patch:
            test(patch)

    return run


CRYPTO = {
    "no seq in the MAC": Mutant(
        (Change(records._Direction._tag, "_PLACE.pack(self._seq, ", "_PLACE.pack(0, "),),
        test_records.test_replayed_reordered_and_skipped_records_are_refused,
    ),
    "the same key both ways": Mutant(
        (
            Change(
                handshake._Side._keys,
                'f"{phase} {role} enc"), expand(secret, f"{phase} {role} mac")',
                'f"{phase} enc"), expand(secret, f"{phase} mac")',
            ),
        ),
        partial(test_damage.test_a_record_is_good_in_its_own_place_alone, "act", 0, _untold),
    ),
    "no role label": Mutant(
        (Change(lab._proof, "enc(label, session)", 'enc("lab", session)'),),
        test_lab.test_a_proof_is_good_for_its_role_key_and_session_only,
    ),
    "a truncated tag": Mutant(
        (
            Change(
                records.Opener.open_plain,
                "compare_digest(tag, self._tag(ct))",
                "compare_digest(tag[:16], self._tag(ct)[:16])",
            ),
        ),
        partial(test_damage.test_every_flipped_bit_is_refused, "act", _untold),
    ),
    "salt omitted": Mutant(
        (Change(deal.leaf, "salt, u8(card)", "u8(card)"),),
        partial(test_deal_vectors.test_our_answers_are_the_known_ones, "leaves", vectors("leaves")[0], _untold),
    ),
    "modulo bias": Mutant(
        (Change(Stream.below, "_WORDS // bound * bound", "_WORDS"),),
        _patched(test_shuffle.test_words_past_the_last_whole_multiple_are_skipped),
    ),
    "no check for small order": Mutant(
        (Change(identity.check_key, "key[:31] + bytes([key[31] & 0x7F]) in _SMALL_ORDER", "False"),),
        partial(test_identity.test_no_forgery_passes_under_a_small_order_key, test_identity.SMALL[0]),
    ),
    "zero as a coefficient excluded": Mutant(
        (Change(escrow.shares, "% PRIME)", "% PRIME or 1)"),),
        _patched(test_escrow.test_coefficients_are_even_over_the_whole_field_zero_included),
    ),
    "the seen head ignored": Mutant(
        (Change(acts.check_seen, "books.journal.saw(seen, envelope.seen_head)", "True"),),
        partial(test_public.test_what_cannot_follow_is_refused, "an act over another history"),
    ),
    "R reused": Mutant(
        (Change(dealer.Dealer.open, "self._random(SECRET_BYTES)", "bytes(SECRET_BYTES)"),),
        test_play.test_every_round_has_a_secret_of_its_own,
    ),
}


# ---- the election


class _Entry(Struct):
    term: int


class _Journal:
    """Three entries, each of another term."""

    entries: ClassVar = [_Entry(1), _Entry(2), _Entry(3)]
    last = 2

    def saw(self, index: int, head: bytes) -> bool:
        return index <= self.last and head == bytes(32)


class _Books:
    """A table of three voters in term 3; who is shown out has no vote."""

    voters: ClassVar = (b"ana", b"ben", b"cy")
    term = 3
    lapsed = (-1, ())
    journal = _Journal()

    def __init__(self, going: bytes = b"") -> None:
        self.going = going

    def votes(self, key: bytes) -> bool:
        return key != self.going


def _committed(books: _Books, key: bytes, index: int) -> int:
    """What ana's lease counts as committed when one of the others says to hold the journal up to there."""
    lease = Lease(cast(Public, books), b"ana")
    lease.take(key, Ack(bytes(16), 3, index, bytes(32), 0, 0, True))
    lease.advance(lambda _: True)
    return lease.commit


def _an_earlier_term_waits_for_an_entry_of_ours() -> None:
    assert _committed(_Books(), b"ben", 1) == 0
    assert _committed(_Books(), b"ben", 2) == 2


def _who_is_shown_out_commits_nothing() -> None:
    assert _committed(_Books(b"cy"), b"ben", 2) == 2
    assert _committed(_Books(b"cy"), b"cy", 2) == 0


def _one_host_in(*faults: Fault) -> None:
    """Three programs, of which these things befall the first."""
    for seed in range(4):
        drawn = structs.replace(
            plan(seed, 3, "tongits"), faults=faults, match=False, real=False, coded=False, started=0.6
        )
        with cheap():
            World(drawn).run()


OTHERS = (1, 2)

_CUT_OFF = partial(_one_host_in, Cut(3.0, (0,), 12.0, False))
"""The host is alone for 12 seconds."""

_ANSWERED_LATE = partial(_one_host_in, Cut(3.0, OTHERS, 5.5, True), Cut(3.6, (0,), 12.0, True))
"""What the host is answered comes seconds later, and what it says next doesn't get out."""


ELECTION = {
    "votes not persisted": Mutant(
        (Change(Election._write, "file, file.encode()", "file, replace(file, vote=None).encode()"),),
        test_election.test_a_vote_is_remembered_over_a_restart,
    ),
    "a lease from the arrival of answers": Mutant(
        (
            Change(
                Lease.active,
                "voters = self._asked",
                "voters = (setattr(self._books, 'looked', now), self._asked)[1]",
            ),
            Change(Lease.beat, "now - at < LEASE", "True"),
            Change(Lease.take, "max(sent, self._fresh.get(key, sent))", "getattr(self._books, 'looked', sent)"),
        ),
        _ANSWERED_LATE,
    ),
    "a vote does not restart DEAD": Mutant(
        (Change(Election._vote_asked, "self.heard = now  # R4", "pass"),),
        test_election.test_a_vote_counts_as_hearing_a_host,
    ),
    "voting right after a restart": Mutant(
        (Change(Election.__init__, "self.heard = now ", "self.heard = now - 60.0 "),),
        test_election.test_who_has_just_started_waits_before_it_votes,
    ),
    "late votes counted": Mutant(
        (Change(Asking.take, "or now >= self.until ", ""),),
        partial(test_election.test_votes_count_for_a_while_from_when_they_were_asked_for, VOTE_WINDOW, False),
    ),
    "voters not sticky": Mutant(
        (Change(Election._would_vote, "or not self.quiet(now) ", ""),),
        test_election.test_who_hears_a_host_says_no_and_gives_no_vote,
    ),
    "no lease": Mutant((Change(Lease.active, "len(voters) < ELECTS", "True"),), _CUT_OFF),
    "an entry of an earlier term committed by counting": Mutant(
        (Change(Lease.advance, " and journal.entries[reached].term == self._books.term", ""),),
        _an_earlier_term_waits_for_an_entry_of_ours,
    ),
    "a leaver votes": Mutant(
        (Change(Election.leave, "self._write(replace(self._file, left=True))", "pass"),),
        test_election_members.test_who_leaves_votes_and_acknowledges_no_more,
    ),
    "the word of who is shown out counts": Mutant(
        (Change(Lease._others, " and books.votes(key)", ""),),
        _who_is_shown_out_commits_nothing,
    ),
}

MUTANTS = CRYPTO | ELECTION


def test_there_are_20() -> None:
    assert (len(CRYPTO), len(ELECTION), len(MUTANTS)) == (10, 10, 20)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_killed(name: str, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    mutant = MUTANTS[name]
    mutant.killer()
    for change in mutant.changes:
        mutate(monkeypatch, change.place, change.old, change.new)
    kills(mutant.killer)
    tally("9 mutants killed")


@pytest.mark.parametrize("name", ["a lease from the arrival of answers", "no lease"])
def test_the_simulation_sees_two_hosts_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for change in MUTANTS[name].changes:
        mutate(monkeypatch, change.place, change.old, change.new)
    with pytest.raises(Broken, match="two active hosts"):
        MUTANTS[name].killer()


def test_a_mutant_that_no_longer_applies_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(AssertionError, match="0 times"):
        mutate(monkeypatch, Lease.active, "a line that stands nowhere", "")


def test_a_mutant_that_survives_is_told_of() -> None:
    with pytest.raises(Survived):
        kills(lambda: None)

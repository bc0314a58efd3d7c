"""Suite 9: the suites are shown programs with one thing wrong in them, and notice.

A mutant is a word of the source changed. Each is held against the test that is there to see it, which must pass without
the change and fail with it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from msgspec import Struct

from p2pcards.cards.shuffle import Stream
from p2pcards.table import acts, deal, dealer, escrow
from p2pcards.wire import handshake, identity, lab, records
from tests.cards import test_shuffle
from tests.table import test_deal_vectors, test_escrow, test_play, test_public
from tests.testing.mutants import Anything, kills, mutate
from tests.testing.tally import Tally
from tests.vectors import vectors
from tests.wire import test_damage, test_identity, test_lab, test_records


class Mutant(Struct, frozen=True):
    """`old`, in the source of `changed`, is `new`; `killer` is the test that sees it."""

    changed: Anything
    old: str
    new: str
    killer: Callable[[], Any]


def _untold(*_: object) -> None:
    """In place of a tally."""


def _patched(test: Callable[[pytest.MonkeyPatch], None]) -> Callable[[], None]:
    """A test that changes something itself, and undoes it."""

    def run() -> None:
        with pytest.MonkeyPatch.context() as patch:
            test(patch)

    return run


CRYPTO = {
    "no seq in the MAC": Mutant(
        records._Direction._tag,
        "_PLACE.pack(self._seq, ",
        "_PLACE.pack(0, ",
        test_records.test_replayed_reordered_and_skipped_records_are_refused,
    ),
    "the same key both ways": Mutant(
        handshake._Side._keys,
        'f"{phase} {role} enc"), expand(secret, f"{phase} {role} mac")',
        'f"{phase} enc"), expand(secret, f"{phase} mac")',
        partial(test_damage.test_a_record_is_good_in_its_own_place_alone, "act", 0, _untold),
    ),
    "no role label": Mutant(
        lab._proof,
        "enc(label, session)",
        'enc("lab", session)',
        test_lab.test_a_proof_is_good_for_its_role_key_and_session_only,
    ),
    "a truncated tag": Mutant(
        records.Opener.open_plain,
        "compare_digest(tag, self._tag(ct))",
        "compare_digest(tag[:16], self._tag(ct)[:16])",
        partial(test_damage.test_every_flipped_bit_is_refused, "act", _untold),
    ),
    "salt omitted": Mutant(
        deal.leaf,
        "salt, u8(card)",
        "u8(card)",
        partial(test_deal_vectors.test_our_answers_are_the_known_ones, "leaves", vectors("leaves")[0], _untold),
    ),
    "modulo bias": Mutant(
        Stream.below,
        "_WORDS // bound * bound",
        "_WORDS",
        _patched(test_shuffle.test_words_past_the_last_whole_multiple_are_skipped),
    ),
    "no check for small order": Mutant(
        identity.check_key,
        "key[:31] + bytes([key[31] & 0x7F]) in _SMALL_ORDER",
        "False",
        partial(test_identity.test_no_forgery_passes_under_a_small_order_key, test_identity.SMALL[0]),
    ),
    "zero as a coefficient excluded": Mutant(
        escrow.shares,
        "% PRIME)",
        "% PRIME or 1)",
        _patched(test_escrow.test_coefficients_are_even_over_the_whole_field_zero_included),
    ),
    "the seen head ignored": Mutant(
        acts.check_seen,
        "books.journal.saw(seen, envelope.seen_head)",
        "True",
        partial(test_public.test_what_cannot_follow_is_refused, "an act over another history"),
    ),
    "R reused": Mutant(
        dealer.Dealer.open,
        "self._random(SECRET_BYTES)",
        "bytes(SECRET_BYTES)",
        test_play.test_every_round_has_a_secret_of_its_own,
    ),
}


@pytest.mark.parametrize("name", CRYPTO)
def test_a_mutant_of_the_cryptography_is_killed(name: str, monkeypatch: pytest.MonkeyPatch, tally: Tally) -> None:
    mutant = CRYPTO[name]
    mutant.killer()
    mutate(monkeypatch, mutant.changed, mutant.old, mutant.new)
    kills(mutant.killer)
    tally("9 mutants killed")

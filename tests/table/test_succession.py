"""A round taken over by another host, wherever its journal ends (protocol 7.6): what is restored is what was."""

from __future__ import annotations

from functools import partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.games.base import Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.table import dealer as dealer_module
from p2pcards.table.deal import commitment
from p2pcards.table.escrow import share_commitment
from p2pcards.table.gather import RESHUFFLE_SECONDS
from p2pcards.table.round import OPENING_SECONDS, Refused
from p2pcards.table.succession import Restored, credited, restore, void
from p2pcards.wire.entries import (
    EntryFlag,
    EntryKind,
    Fork,
    RoundEnd,
    decode_wire,
)
from p2pcards.wire.envelope import ActKind, decode_envelope, encode_envelope
from p2pcards.wire.messages import Act, Message
from p2pcards.wire.vote import sign_fork
from tests.testing.cluster import Cluster, identity, play_round, started, three
from tests.testing.dealing import ONE_DECK, drawing, losing, next_round
from tests.testing.successor import TABLES, Next, Played, evening, secret_of, standing
from tests.testing.table import fold_of, question, starting

# ---- what is restored is what was


def check(played: Played, length: int, there: Next, secret: bytes) -> Restored:
    """What is restored is what the host stood at, to the letter."""
    live, books = played.live[length], there.pen.public
    restored = there.takes_over(secret)
    assert (restored.void, restored.bad) == ("", None)
    over = restored.round.outcome if restored.round and not restored.ended else None
    match = restored.match.settle(over) if over and live.match.round > restored.match.round else restored.match
    assert replace(match, game=None) == live.match
    current = books.round
    if current is None:
        assert (restored.round, there.dealer.secret, there.dealer.dealing) == (None, b"", False)
        return restored
    assert there.dealer.secret == secret
    assert there.dealer.dealing is (current.dealing is not None)
    if live.secret:
        assert {key: there.dealer.share_of(key) for key in current.holders} == live.shares
    assert restored.ended is (current.ended is not None)
    if live.round is not None:
        assert restored.round is not None
        assert {**standing(restored.round.fold), "waits for": restored.round.to_act} == live.round
    elif not restored.ended:
        assert restored.round is None
    assert restored.to_open == (restored.round.fold.leaves.up if restored.round and current.turns_up else ())
    return restored


@pytest.mark.parametrize("name", TABLES)
def test_whatever_the_journal_ends_with_the_next_host_stands_where_the_last_one_stood(name: str) -> None:
    played, there = evening(name, 1), Next()
    for length, wire in enumerate(played.wires, 1):
        there.holds(wire)
        if length in played.live:
            check(played, length, there, secret_of(played, length))


SEEDS = st.integers(2, 2**32)


@settings(max_examples=max(5, settings().max_examples // 20), suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(TABLES)), SEEDS, st.data())
def test_a_round_is_restored_under_any_host_and_played_on_to_an_end_that_everybody_verifies(
    name: str, seed: int, data: st.DataObject
) -> None:
    played = evening(name, seed)
    for length in data.draw(st.sets(st.sampled_from(sorted(played.live)), min_size=1, max_size=3)):
        taken_over(played, length)


def taken_over(played: Played, length: int) -> Next:
    """ben is elected at that length of the journal, and plays on."""
    there, secret = Next().holds(*played.wires[:length]), secret_of(played, length)
    before = there.pen.public.round
    if there.pen.public.match_over:
        return there
    there.elected()
    books = there.pen.public
    if before is not None and before.starter is None:
        restored = there.takes_over(b"")
        assert (restored.round, restored.deal, restored.void) == (None, True, "")
    else:
        restored = check(played, length, there, secret)
        assert not there.dealer.dealing
        newest = there.pen.journal.entries[-2].kind
        assert restored.deal is (newest is EntryKind.MATCH_START)
    if books.round or restored.deal:
        there.plays_on(restored)
    return there


# ---- deals cut short


def test_a_deal_cut_short_is_dealt_anew_under_the_same_number() -> None:
    cluster = three(settings={"seat_order": "join_order"})
    losing(cluster, ActKind.REVEAL, "cy")
    cluster.order("start")
    there = Next().holds(*cluster.host_journal)
    abandoned = there.pen.public.open_round
    there.elected()
    books = there.pen.public
    assert (books.round, books.round_number, books.epoch) == (None, 0, 1)
    assert books.drops == {identity("host").key: 1}
    restored = there.takes_over(b"")
    assert (restored.deal, restored.round, there.dealer.secret) == (True, None, b"")
    there.plays_on(restored)
    opened_at = [entry for entry in there.pen.journal.entries if entry.kind is EntryKind.DEAL_OPEN]
    assert [entry.epoch for entry in opened_at] == [1, 2]
    assert books.round_number == abandoned.number == 1


def test_so_is_the_deal_of_a_later_round() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    losing(cluster, ActKind.COMMIT, "cy")
    next_round(cluster)
    there = Next().holds(*cluster.host_journal)
    there.elected()
    restored = there.takes_over(b"")
    assert (restored.deal, restored.match.round, there.pen.public.round_number) == (True, 1, 1)
    there.plays_on(restored)
    assert (there.pen.public.round_number, len(there.pen.public.ends)) == (2, 2)


def test_between_rounds_the_next_deal_waits_as_ever() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    there = Next().holds(*cluster.host_journal)
    there.elected()
    assert replace(there.takes_over(b""), match=Match()) == Restored(Match())
    unchecked = restore(there.pen, there.dealer, b"", Match.start(there.pen.public.rules, 3)).match
    assert (unchecked.round, unchecked.scores) == (1, there.book.match.scores)


def test_cards_that_the_deal_turned_up_are_opened_by_the_next_host_before_anybody_plays() -> None:
    played = evening("onecard, order cards", 1)
    dealt = [at for at, wire in enumerate(played.wires, 1) if decode_wire(wire)[0].kind is EntryKind.DEAL_START]
    there = taken_over(played, dealt[0])
    begun = [entry.kind for entry in there.pen.journal.entries[dealt[0] : dealt[0] + 2]]
    assert begun == [EntryKind.TERM_START, EntryKind.OPEN]


def dry() -> Cluster:
    """One Card, at a shuffle within the round: cy does not show its part."""
    cluster = started(game="onecard", options=ONE_DECK)
    losing(cluster, ActKind.REVEAL, "cy")
    while not (cluster.host.public.round and cluster.host.public.round.shuffling):
        cluster.act(cluster.movers[0].name, drawing(cluster, cluster.movers[0]))
    return cluster


def test_a_shuffle_cut_short_is_repeated_under_the_next_epoch_from_the_same_secret() -> None:
    cluster = dry()
    there = Next().holds(*cluster.host_journal)
    there.elected()
    books, secret = there.pen.public, cluster.secrets["root-1"]
    assert books.open_round.dealing is None
    restored = there.takes_over(secret)
    assert restored.round is not None
    due = restored.round.fold.to_shuffle
    assert due == fold_of(cluster).to_shuffle != b""
    assert (restored.round.to_act, there.dealer.dealing) == ((), False)
    restored.round.go_on(100.0)
    assert restored.round.wake_at is None
    there.dealer.reshuffle(due)
    assert (books.epoch, books.open_round.epochs[3].cards, books.open_round.root) == (
        3,
        due,
        commitment(books.table, 1, secret),
    )
    there.plays_on(restored)
    assert (books.epoch >= 3, books.round_number) == (True, 1)


def test_under_the_same_term_a_shuffle_goes_on_where_it_was() -> None:
    """A host that was stopped and comes back to a table that elects nobody."""
    cluster = dry()
    lost: list[Act] = []

    def loses(_: str, message: Message) -> bool:
        if isinstance(message, Act):
            lost.append(message)
        return isinstance(message, Act)

    cluster.loses = loses
    there = Next("host").holds(*cluster.host_journal)
    there.pen.now = cluster.now
    restored = there.takes_over(cluster.secrets["root-1"])
    assert restored.round is not None
    assert there.dealer.dealing
    assert there.dealer.wake_at == there.pen.now + RESHUFFLE_SECONDS
    assert there.dealer.shuffled() is None
    cluster.cut("ben", "cy")
    cluster.back("ben", "cy")  # what was said to the old host and stands in no journal is said again
    for part in lost:
        assert there.dealer.shuffled() is None
        there.dealer.take(decode_envelope(part.envelope), part.envelope, part.actsig)
    assert len(lost) == 2
    assert there.dealer.shuffled() is not None
    assert there.pen.public.open_round.epochs[2].left_out == set()


# ---- a question that was open


def test_bots_answers_are_opened_with_the_secret_and_people_open_theirs_again() -> None:
    cluster = question(away=["cy"], settings={"grace_seconds": "5"})
    lost: list[Act] = []

    def loses(_: str, message: Message) -> bool:
        opening = isinstance(message, Act) and decode_envelope(message.envelope).kind is ActKind.OPENING
        if isinstance(message, Act) and opening:
            lost.append(message)
        return opening

    cluster.loses = loses
    cluster.act("ben", "fold")
    kinds = [entry.kind for entry in cluster.host.public.journal.entries]
    blinds = [at for at, kind in enumerate(kinds) if kind is EntryKind.BLIND]
    assert kinds[blinds[-1] + 1] is EntryKind.OPENING  # the bot's, by the old host
    there = Next().holds(*cluster.host_journal[: blinds[-1] + 1])
    there.elected()
    there.pen.now = 50.0
    restored = there.takes_over(cluster.secrets["root-1"])
    current = restored.round
    assert current is not None
    assert (current.to_act, current.fold.to_act, current.wake_at) == ((), (1, 2), None)
    current.go_on(50.0)
    assert there.pen.public.open_round.openings == {2: "challenge"}
    assert current.wake_at == 50.0 + OPENING_SECONDS
    (mine,) = lost
    with pytest.raises(Refused):  # it saw the answer of the bot, as the old host had opened it
        current.take(mine.envelope, mine.actsig, b"", 1, 51.0)
    journal, said = there.pen.journal, decode_envelope(mine.envelope)
    anew = encode_envelope(replace(said, seen_index=journal.last, seen_head=journal.head))
    current.take(anew, identity("ben").sign(anew), b"", 1, 51.0)
    assert current.outcome is not None
    assert there.pen.public.open_round.openings == {1: "fold", 2: "challenge"}


def test_an_answer_that_is_not_opened_under_the_new_host_either_is_the_default_after_the_whole_time() -> None:
    cluster = question()
    cluster.loses = lambda name, message: (
        isinstance(message, Act) and decode_envelope(message.envelope).kind is ActKind.OPENING and name == "cy"
    )
    for name in ("ben", "cy"):
        cluster.act(name, "fold")
    cluster.pass_time(OPENING_SECONDS - 1)
    there = Next().holds(*cluster.host_journal)
    there.elected()
    restored = there.takes_over(cluster.secrets["root-1"])
    current = restored.round
    assert current is not None
    current.go_on(95.0)
    current.go_on(100.0)
    current.wake(100.0 + OPENING_SECONDS - 0.1)
    assert current.outcome is None
    current.wake(100.0 + OPENING_SECONDS)
    assert current.outcome is not None
    assert there.pen.public.open_round.openings == {1: "fold", 2: "challenge"}


def test_without_a_question_there_is_nothing_to_go_on_with() -> None:
    cluster = started()
    there = Next().holds(*cluster.host_journal)
    there.elected()
    current = there.takes_over(cluster.secrets["root-1"]).round
    assert current is not None
    length = len(there.pen.journal)
    current.go_on(100.0)
    assert (len(there.pen.journal), current.wake_at) == (length, None)


# ---- rounds that can't go on, and ends


def test_a_round_whose_secret_is_not_to_be_had_is_void_and_its_number_free() -> None:
    cluster = started()
    there = Next().holds(*cluster.host_journal)
    there.elected()
    restored = there.takes_over(b"")
    assert (restored.void, restored.round, restored.bad) == ("its secret is lost", None, None)
    there.pen.write(EntryKind.ROUND_END, void(there.pen.public))
    assert (there.pen.public.round, there.pen.public.round_number) == (None, 0)
    again = there.takes_over(b"")
    assert again.deal
    there.plays_on(again)
    assert (there.pen.public.round_number, len(there.pen.public.ends)) == (1, 1)


@pytest.mark.parametrize("ended", [False, True])
def test_a_fork_without_the_dealer_loses_the_open_round_whatever_is_known_of_its_secret(ended: bool) -> None:
    cluster = started()
    secret = cluster.secrets["root-1"]
    if ended:
        play_round(cluster)
    at = [entry.kind for entry in cluster.host.public.journal.entries].index(EntryKind.ROUND_END) if ended else None
    there = Next().holds(*cluster.host_journal[: at and at + 1])
    books, journal, fresh = there.pen.public, there.pen.journal, bytes(16)
    yes = sorted(
        (one.key, sign_fork(one, books.table, journal.head, fresh)) for one in (identity("ben"), identity("cy"))
    )
    fork = Fork(books.table, fresh, journal.last, journal.head, identity("ben").key, tuple(yes))
    there.pen.open_term(EntryKind.FORK, fork, books.term + 1)
    restored = there.takes_over(secret)
    assert (bool(restored.void), restored.round, restored.ended) == (True, None, False)
    there.pen.write(EntryKind.ROUND_END, void(books))
    assert there.takes_over(b"").deal


def test_a_round_whose_secret_was_shared_out_badly_is_void_though_it_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """Played on, it would be found out of order at its end, and no later round of the match could be verified."""
    with monkeypatch.context() as patch:
        bad = partial(share_commitment, share=bytes(66))
        patch.setattr(dealer_module, "share_commitment", lambda table, epoch, x, _: bad(table, epoch, x))
        cluster = started()
    there = Next().holds(*cluster.host_journal)
    restored = there.takes_over(cluster.secrets["root-1"])
    opened_at = [entry.kind for entry in there.pen.journal.entries].index(EntryKind.DEAL_OPEN)
    assert (restored.bad, restored.round) == (opened_at, None)
    assert "share 1" in restored.void


def forbidden(cluster: Cluster) -> int:
    """The host writes what the rules forbid; its index."""
    pen = cluster.host._pen
    seat = fold_of(cluster).to_act[0]
    return pen.speak_for(seat, ActKind.ACT, b"call", EntryFlag.TIME)


def test_a_round_in_which_the_old_host_let_in_what_is_forbidden_is_void() -> None:
    cluster = starting("ana")
    bad = forbidden(cluster)
    there = Next().holds(*cluster.host.public.journal.wires)
    there.elected()
    restored = there.takes_over(cluster.secrets["root-1"])
    assert (bool(restored.void), restored.bad, restored.round) == (True, bad, None)


def test_a_round_that_ended_is_disclosed_even_so_and_counts_as_its_host_said() -> None:
    cluster = starting("ana")
    bad = forbidden(cluster)
    cluster.host._pen.write(EntryKind.ROUND_END, RoundEnd(1, "call", (2,), (-1, -1, 2)))
    there = Next().holds(*cluster.host.public.journal.wires)
    there.elected()
    restored = there.takes_over(cluster.secrets["root-1"])
    assert (restored.void, restored.bad, restored.round, restored.ended) == ("", bad, None, True)
    assert (restored.match.round, restored.match.scores, restored.match.wins) == (1, (-1, -1, 2), (0, 0, 1))
    assert there.dealer.close() == cluster.secrets["root-1"]


def test_rounds_that_nobody_could_verify_count_as_their_entries_say() -> None:
    match = Match.start(started().host.public.rules, 3)
    sound = match.settle(Outcome("call", (Seat(1),), (-1, 2, -1), Seat(1)))
    ends = [RoundEnd(1, "call", (1,), sound.points), RoundEnd(2, "exhausted", (0, 2), (3, -6, 3))]
    assert credited(sound, ends[:1]) == sound
    counted = credited(sound, ends)
    assert counted.scores == tuple(one + two for one, two in zip(sound.scores, (3, -6, 3), strict=True))
    assert (counted.wins, counted.round, counted.points) == ((1, 1, 1), 2, (3, -6, 3))
    assert counted.last == Outcome("exhausted", (Seat(0), Seat(2)), (3, -6, 3), None)


@pytest.mark.parametrize("rounds", [1, 2])
def test_an_end_whose_secret_was_not_laid_open_counts_and_is_laid_open_by_the_next_host(rounds: int) -> None:
    cluster = started(options={"match_rounds": str(rounds)})
    secret = cluster.secrets["root-1"]
    play_round(cluster)
    at = [entry.kind for entry in cluster.host.public.journal.entries].index(EntryKind.ROUND_END)
    there = Next().holds(*cluster.host_journal[: at + 1])
    there.elected()
    restored = there.takes_over(secret)
    assert (restored.ended, restored.match.round, restored.match.over) == (True, 1, rounds == 1)
    there.plays_on(restored)
    after = there.takes_over(b"")
    assert (after.match.scores, after.match.over, after.deal) == (restored.match.scores, rounds == 1, False)


def test_before_a_match_and_behind_it_there_is_nothing_to_restore() -> None:
    cluster = three()
    there = Next().holds(*cluster.host_journal)
    there.elected()
    assert there.takes_over(b"") == Restored(Match())

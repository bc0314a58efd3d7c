"""Answers to a question: given blind by everybody asked, opened together (protocol 6.4, hidden choices)."""

from __future__ import annotations

import itertools

import pytest

from p2pcards.table.effects import Received
from p2pcards.table.notices import Acted, Audited, RoundOver, TurnOf
from p2pcards.table.round import OPENING_SECONDS
from p2pcards.wire.entries import Entry, EntryFlag, EntryKind
from p2pcards.wire.envelope import (
    ActKind,
    Envelope,
    choice_commitment,
    decode_envelope,
    encode_envelope,
    pack_opening,
    unpack_opening,
)
from p2pcards.wire.messages import Act, Message, Refused, View, encode
from tests.testing.cluster import Cluster, Peer, identity, play_round
from tests.testing.table import NAMES, question, to_act

WORDS = ("challenge", "fold")
Opened = tuple[int, str, EntryFlag]


def entries(cluster: Cluster, kind: EntryKind) -> list[Entry]:
    """Entries of that kind, in order."""
    return [entry for entry in cluster.host.public.journal.entries if entry.kind is kind]


def committed(cluster: Cluster) -> list[tuple[int, EntryFlag]]:
    """Seat and voucher of every BLIND, in order."""
    return [(entry.seat, entry.flags) for entry in entries(cluster, EntryKind.BLIND)]


def opened(cluster: Cluster) -> list[Opened]:
    """Seat, word and voucher of every opening, in order."""
    openings = [
        (entry, unpack_opening(decode_envelope(entry.pub).payload)) for entry in entries(cluster, EntryKind.OPENING)
    ]
    return [(entry.seat, body.decode(), entry.flags) for entry, (_, _, body) in openings]


def result(cluster: Cluster) -> tuple[tuple[int, bool], ...]:
    """The answers of the round that is over, True for a challenge; everybody who is there found it in order."""
    for peer in cluster.peers.values():
        if peer.link is not None:
            assert [audit.ok for audit in peer.told(Audited)][-1:] == [True]
    last = cluster.peers["ana"].guest._reader.last
    assert last is not None
    found: tuple[tuple[int, bool], ...] = last.view.public.answers
    return found


def key_of(peer: Peer) -> str:
    """The name whose key the peer has."""
    return "host" if peer.name == "ana" else peer.name


def say(cluster: Cluster, peer: Peer, kind: ActKind, payload: bytes, seen: int | None = None) -> int:
    """An act signed by hand, past the player's program; gives its n."""
    journal, books, key = cluster.host.public.journal, cluster.host.public, identity(key_of(peer))
    n, at = books.said.get(key.key, 0) + 1, journal.last if seen is None else seen
    data = encode_envelope(Envelope(journal.table, books.epoch, peer.seat, n, at, journal.heads[at], kind, payload))
    assert peer.link is not None
    cluster.tell_host(Received(peer.link, Act(data, key.sign(data), b"")))
    cluster.settle()
    return n


def commit(cluster: Cluster, peer: Peer, body: bytes, salt: bytes = bytes(32)) -> int:
    """A BLIND by hand; gives its n."""
    books = cluster.host.public
    n = books.said.get(identity(key_of(peer)).key, 0) + 1
    say(cluster, peer, ActKind.BLIND, choice_commitment(books.journal.table, books.epoch, peer.seat, n, salt, body))
    return n


def refusals(peer: Peer) -> list[str]:
    """Codes of what the host refused."""
    return [message.code for message in peer.received if isinstance(message, Refused)]


# ---- nobody can tell an answer


def test_all_answer_before_any_answer_is_opened() -> None:
    cluster = question()
    cluster.act("cy", "challenge")
    assert committed(cluster) == [(2, EntryFlag.ACTSIG)]
    assert opened(cluster) == []
    assert to_act(cluster) == (1,)
    for peer in cluster.peers.values():
        view = peer.guest.table_view()
        assert view is not None
        assert view.to_act == (1,)
        assert peer.told(TurnOf)[-1].seats == (1,)
    cluster.act("ben", "fold")
    assert committed(cluster) == [(2, EntryFlag.ACTSIG), (1, EntryFlag.ACTSIG)]
    assert sorted(opened(cluster)) == [(1, "fold", EntryFlag.ACTSIG), (2, "challenge", EntryFlag.ACTSIG)]
    assert result(cluster) == ((1, False), (2, True))


def test_nothing_that_is_sent_tells_the_answer() -> None:
    """Two tables that differ in one answer alone: all that differs for anybody is a hash, until both are in."""
    sent: list[list[tuple[str, type[Message], bytes]]] = []
    for word in WORDS:
        cluster = question()
        before = {name: len(peer.received) for name, peer in cluster.peers.items()}
        cluster.act("cy", word)
        cluster.pass_time(30)
        news = [(name, message) for name, peer in cluster.peers.items() for message in peer.received[before[name] :]]
        bodies = [(name, type(message), encode(message)[1]) for name, message in news]
        assert all(other.encode() not in body for _, _, body in bodies for other in (*WORDS, "answer"))
        sent.append([part for part in bodies if part[1] is View])
        books = cluster.host.public
        said = decode_envelope(entries(cluster, EntryKind.BLIND)[0].pub)
        for guess in WORDS:  # the hash is of more than a word
            sealed = choice_commitment(books.journal.table, books.epoch, 2, said.n, bytes(32), guess.encode())
            assert sealed != said.payload
    assert sent[0] == sent[1]
    assert len(sent[0]) == 3


def test_the_same_answer_of_the_same_seat_never_gives_the_same_hash() -> None:
    """Whoever saw an answer opened once can't look it up the next time."""
    seen = set()
    for seed in range(1, 4):
        cluster = question(seed)
        cluster.act("cy", "fold")
        seen.add(decode_envelope(entries(cluster, EntryKind.BLIND)[0].pub).payload)
    assert len(seen) == 3


def test_acted_tells_that_an_answer_was_given_and_not_which() -> None:
    cluster = question()
    cluster.act("cy", "challenge")
    last = cluster.peers["ben"].told(Acted)[-1]
    assert (last.kind, last.text, last.nick) == ("blind", "answer", "cy")
    cluster.act("ben", "fold")
    told = [(notice.kind, notice.nick, notice.text) for notice in cluster.peers["ana"].told(Acted)[-2:]]
    assert sorted(told) == [("opening", "ben", "fold"), ("opening", "cy", "challenge")]


def test_the_hosts_own_seat_commits_like_any_other() -> None:
    cluster = question(caller="ben", asked=(2, 0))
    assert to_act(cluster) == (2, 0)
    cluster.act("ana", "challenge")
    assert committed(cluster) == [(0, EntryFlag.ACTSIG)]
    assert opened(cluster) == []
    cluster.act("cy", "fold")
    assert sorted(opened(cluster)) == [(0, "challenge", EntryFlag.ACTSIG), (2, "fold", EntryFlag.ACTSIG)]
    assert result(cluster) == ((2, False), (0, True))


def test_a_bot_commits_and_opens_with_the_others() -> None:
    cluster = question(left=["cy"])
    assert committed(cluster) == [(2, EntryFlag.BOT)]
    assert opened(cluster) == []
    cluster.act("ben", "fold")
    assert sorted(opened(cluster)) == [(1, "fold", EntryFlag.ACTSIG), (2, "challenge", EntryFlag.BOT)]
    assert result(cluster) == ((1, False), (2, True))


def test_two_bots_answer_each_other_blind() -> None:
    cluster = question(left=["ben", "cy"])
    assert committed(cluster) == [(1, EntryFlag.BOT), (2, EntryFlag.BOT)]
    assert opened(cluster) == [(1, "challenge", EntryFlag.BOT), (2, "challenge", EntryFlag.BOT)]
    assert result(cluster) == ((1, True), (2, True))


@pytest.mark.parametrize("words", list(itertools.product(WORDS, repeat=2)))
def test_the_order_of_arrival_makes_no_difference(words: tuple[str, str]) -> None:
    seen = set()
    for order in itertools.permutations([("ben", words[0]), ("cy", words[1])]):
        cluster = question()
        for name, word in order:
            cluster.act(name, word)
        (over,) = cluster.peers["ana"].told(RoundOver)
        seen.add((result(cluster), over))
    assert len(seen) == 1


def test_only_who_is_asked_may_answer() -> None:
    cluster = question(asked=(1,))
    before = len(cluster.host.public.journal)
    for name in ("ana", "cy"):
        commit(cluster, cluster.peers[name], b"challenge")
        assert refusals(cluster.peers[name]) == ["not_your_turn"]
    assert len(cluster.host.public.journal) == before
    cluster.act("ben", "challenge")
    assert result(cluster) == ((1, True),)


def test_an_answer_is_given_once() -> None:
    cluster = question()
    cluster.act("cy", "challenge")
    before = len(cluster.host.public.journal)
    commit(cluster, cluster.peers["cy"], b"fold")
    assert refusals(cluster.peers["cy"]) == ["not_your_turn"]
    assert len(cluster.host.public.journal) == before
    cluster.act("ben", "fold")
    assert result(cluster) == ((1, False), (2, True))


def test_an_answer_in_public_is_no_answer() -> None:
    cluster = question()
    before = len(cluster.host.public.journal)
    say(cluster, cluster.peers["cy"], ActKind.ACT, b"fold")
    assert refusals(cluster.peers["cy"]) == ["no_action"]
    assert len(cluster.host.public.journal) == before


# ---- openings


def half_open() -> tuple[Cluster, Peer, int]:
    """ben's program has answered; cy's BLIND "fold" was made by hand and waits for its opening."""
    cluster = question()
    cy = cluster.peers["cy"]
    n = commit(cluster, cy, b"fold")
    cluster.act("ben", "fold")
    assert opened(cluster) == [(1, "fold", EntryFlag.ACTSIG)]
    return cluster, cy, n


def test_an_opening_must_match_what_was_committed_to() -> None:
    cluster, cy, n = half_open()
    before = len(cluster.host.public.journal)
    for payload, code in [
        (pack_opening(n, bytes(32), b"challenge"), "not_committed"),
        (pack_opening(n, bytes(31) + b"x", b"fold"), "not_committed"),
        (pack_opening(n + 1, bytes(32), b"fold"), "not_now"),
        (pack_opening(0, bytes(32), b"fold"), "not_now"),
    ]:
        say(cluster, cy, ActKind.OPENING, payload)
        assert refusals(cy)[-1] == code
    assert len(cluster.host.public.journal) == before
    say(cluster, cy, ActKind.OPENING, pack_opening(n, bytes(32), b"fold"))
    assert result(cluster) == ((1, False), (2, False))


def test_an_opening_signed_before_all_had_answered_is_refused() -> None:
    cluster, cy, n = half_open()
    early = next(entry.index for entry in entries(cluster, EntryKind.BLIND))
    say(cluster, cy, ActKind.OPENING, pack_opening(n, bytes(32), b"fold"), seen=early)
    assert refusals(cy) == ["stale"]
    say(cluster, cy, ActKind.OPENING, pack_opening(n, bytes(32), b"fold"), seen=early + 1)
    assert result(cluster) == ((1, False), (2, False))


def test_an_opening_before_all_are_in_is_refused() -> None:
    cluster = question()
    cy = cluster.peers["cy"]
    n = commit(cluster, cy, b"fold")
    say(cluster, cy, ActKind.OPENING, pack_opening(n, bytes(32), b"fold"))
    assert refusals(cy) == ["not_now"]
    assert opened(cluster) == []


def test_an_opening_twice_is_refused() -> None:
    cluster, cy, n = half_open()
    ben = cluster.peers["ben"]
    count = decode_envelope(entries(cluster, EntryKind.BLIND)[1].pub).n
    say(cluster, ben, ActKind.OPENING, pack_opening(count, bytes(32), b"fold"))
    assert refusals(ben) == ["not_now"]
    say(cluster, cy, ActKind.OPENING, pack_opening(n, bytes(32), b"fold"))
    assert result(cluster) == ((1, False), (2, False))


@pytest.mark.parametrize("body", [b"draw", b"discard KD", b"", b"\xff\xfe", b"x" * 32, b"CHALLENGE"])
def test_a_matching_opening_of_no_answer_counts_as_a_challenge(body: bytes) -> None:
    cluster = question()
    cy = cluster.peers["cy"]
    n = commit(cluster, cy, body)
    cluster.act("ben", "fold")
    say(cluster, cy, ActKind.OPENING, pack_opening(n, bytes(32), body))
    assert result(cluster) == ((1, False), (2, True))


def test_an_answer_not_opened_within_ten_seconds_challenges() -> None:
    cluster, _, n = half_open()
    cluster.pass_time(OPENING_SECONDS - 0.01)
    assert len(opened(cluster)) == 1
    cluster.pass_time(0.02)
    assert opened(cluster)[1] == (2, "challenge", EntryFlag.TIME)
    said = decode_envelope(entries(cluster, EntryKind.OPENING)[1].pub)
    assert unpack_opening(said.payload)[:2] == (n, bytes(32))
    assert said.n == 0
    assert cluster.peers["ben"].told(Acted)[-1].by == "time"
    assert result(cluster) == ((1, False), (2, True))


# ---- who is gone


@pytest.mark.parametrize("gone", ["drop", "leave"])
@pytest.mark.parametrize("after", [False, True])
def test_who_goes_before_it_answered_folds_at_once(gone: str, after: bool) -> None:
    """`after`: the other has answered already. A bot takes the seat and is not asked."""
    cluster = question(settings={"grace_seconds": "7"})
    if after:
        cluster.act("ben", "challenge")
    if gone == "drop":
        cluster.cut("cy")
        cluster.pass_time(6.9)
        assert opened(cluster) == []
        cluster.pass_time(0.2)
    else:
        cluster.leave("cy")
    assert opened(cluster)[0] == (2, "fold", EntryFlag.TIME)
    assert cluster.host.public.bots_on == {2}
    if not after:
        assert to_act(cluster) == (1,)
        cluster.act("ben", "challenge")
    assert opened(cluster) == [(2, "fold", EntryFlag.TIME), (1, "challenge", EntryFlag.ACTSIG)]
    assert committed(cluster) == [(1, EntryFlag.ACTSIG)]
    assert result(cluster) == ((1, True), (2, False))


def test_when_all_who_are_asked_leave_the_call_stands() -> None:
    cluster = question()
    cluster.leave("ben")
    cluster.leave("cy")
    assert opened(cluster) == [(1, "fold", EntryFlag.TIME), (2, "fold", EntryFlag.TIME)]
    assert result(cluster) == ((1, False), (2, False))


@pytest.mark.parametrize("gone", ["drop", "leave"])
def test_who_goes_between_answer_and_opening_challenges_by_default(gone: str) -> None:
    """Its program alone knows what was committed to."""
    cluster = question(settings={"grace_seconds": "3"})
    cluster.act("cy", "fold")
    if gone == "drop":
        cluster.cut("cy")
    else:
        cluster.leave("cy")
    cluster.act("ben", "fold")
    cluster.pass_time(OPENING_SECONDS)
    assert opened(cluster) == [(1, "fold", EntryFlag.ACTSIG), (2, "challenge", EntryFlag.TIME)]
    assert result(cluster) == ((1, False), (2, True))


def test_who_is_back_in_time_opens_what_it_answered() -> None:
    cluster = question()
    cluster.act("cy", "fold")
    cluster.cut("cy")
    cluster.act("ben", "fold")
    cluster.pass_time(9)
    assert opened(cluster) == [(1, "fold", EntryFlag.ACTSIG)]
    cluster.back("cy")
    assert opened(cluster) == [(1, "fold", EntryFlag.ACTSIG), (2, "fold", EntryFlag.ACTSIG)]
    assert result(cluster) == ((1, False), (2, False))


def test_who_is_back_after_a_bot_had_its_seat_opens_what_it_answered() -> None:
    cluster = question(settings={"grace_seconds": "3"})
    cluster.act("cy", "fold")
    cluster.cut("cy")
    cluster.pass_time(4)
    assert cluster.host.public.bots_on == {2}
    cluster.back("cy")
    cluster.act("ben", "fold")
    assert sorted(opened(cluster)) == [(1, "fold", EntryFlag.ACTSIG), (2, "fold", EntryFlag.ACTSIG)]
    assert result(cluster) == ((1, False), (2, False))


def test_an_opening_that_a_lost_line_swallowed_is_said_again() -> None:
    cluster = question()
    cy = cluster.peers["cy"]
    cluster.act("cy", "fold")
    cy.mute = True
    cluster.act("ben", "fold")
    assert len(opened(cluster)) == 1
    cluster.cut("cy")
    cluster.back("cy")
    assert opened(cluster)[1] == (2, "fold", EntryFlag.ACTSIG)
    assert result(cluster) == ((1, False), (2, False))


def test_an_answer_that_a_lost_line_swallowed_is_given_again() -> None:
    cluster = question()
    cluster.peers["cy"].mute = True
    cluster.act("cy", "fold")
    assert committed(cluster) == []
    cluster.cut("cy")
    cluster.back("cy")
    assert committed(cluster) == [(2, EntryFlag.ACTSIG)]
    cluster.act("ben", "challenge")
    assert result(cluster) == ((1, True), (2, False))


def test_a_player_started_afresh_answers_anew_if_it_had_not_yet() -> None:
    cluster = question()
    cluster.cut("cy")
    cy = cluster.join("cy")
    assert cy.guest.my_turn is not None
    cluster.act("cy", "fold")
    cluster.act("ben", "fold")
    assert result(cluster) == ((1, False), (2, False))


def test_a_bots_answer_stands_though_the_player_is_back() -> None:
    """Nobody answers twice: the bot opens what it committed to, and the player is not asked."""
    cluster = question(settings={"grace_seconds": "1"}, away=["cy"])
    assert committed(cluster) == [(2, EntryFlag.BOT)]
    cluster.back("cy")
    assert cluster.host.public.bots_on == set()
    assert to_act(cluster) == (1,)
    assert cluster.peers["cy"].guest.my_turn is None
    cluster.act("ben", "fold")
    assert sorted(opened(cluster)) == [(1, "fold", EntryFlag.ACTSIG), (2, "challenge", EntryFlag.BOT)]
    assert result(cluster) == ((1, False), (2, True))


def test_rounds_with_calls_go_on_for_a_whole_match() -> None:
    """Played at random with a love for calls; every round is found in order by everybody."""
    cluster = question(options={"match_rounds": "4"}, seed=5)
    play_round(cluster, choose=_loving_calls)
    for _ in range(3):
        for name in NAMES:
            cluster.want(name, "next")
        play_round(cluster, choose=_loving_calls)
    assert cluster.host.public.match_over
    assert len(entries(cluster, EntryKind.BLIND)) == len(entries(cluster, EntryKind.OPENING)) > 2
    for peer in cluster.peers.values():
        assert [audit.ok for audit in peer.told(Audited)] == [True] * 4


def _loving_calls(cluster: Cluster, peer: Peer) -> str:
    game = peer.guest.public.rules
    legal = [game.format(action) for action in game.legal_actions(peer.guest.my_turn)]
    for verb in ("call", "expose"):
        for text in legal:
            if text.startswith(verb):
                return text
    return cluster.rng.choice(legal)

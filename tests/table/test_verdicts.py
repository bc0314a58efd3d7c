"""What programs found in a round: signed, passed on once, and believed only of who is at the table (protocol 6.8)."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.table import courier
from p2pcards.table.effects import LinkId
from p2pcards.table.journal import Journal
from p2pcards.table.notices import Alarm, Audited, Entered, Verdict
from p2pcards.table.presence import Connection
from p2pcards.table.public import Public
from p2pcards.table.round import Refused
from p2pcards.table.verdicts import MOST, Hearing, Relay
from p2pcards.wire.encode import enc, u32, u64
from p2pcards.wire.entries import Disclose, EntryKind, MatchEnd, RoundEnd
from p2pcards.wire.messages import NOTHING_BAD, REASON_CHARS, Ack, Audit, Entries, Get, Heartbeat, Message
from p2pcards.wire.messages import Refused as RefusedMessage
from p2pcards.wire.verdict import sign_verdict
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Line, Peer, identity, play_round, started
from tests.testing.forge import Forge, member
from tests.testing.table import NAMES

WATCHERS = ("dot", "eve")


def disclose(forge: Forge, round: int) -> None:
    """A round from its first entry to its last."""
    forge.deal_open(round)
    forge.deal_start()
    forge.entry(EntryKind.ROUND_END, RoundEnd(round, "exhausted", (0,), (1, 0, 0)))
    forge.entry(EntryKind.DISCLOSE, Disclose(round, bytes(32)))


def books(forge: Forge) -> Public:
    public = Public(Journal())
    for wire in forge.journal.wires:
        public.fold(public.journal.accept(wire, forge.host.key))
    return public


def lobby() -> Forge:
    """ana, ben and cy in seats 0, 1 and 2; dot and eve watch."""
    forge = Forge()
    forge.genesis()
    forge.options()
    forge.roster(*map(member, NAMES), watchers=WATCHERS)
    return forge


def played(rounds: int = 1) -> Forge:
    """The same in a match of which so many rounds are disclosed."""
    forge = lobby()
    forge.match()
    for round in range(1, rounds + 1):
        disclose(forge, round)
    return forge


BOOKS = books(played())


def verdict(
    name: str,
    bad: int | None = None,
    why: str = "",
    *,
    round: int = 1,
    at: Public = BOOKS,
    head: bytes | None = None,
    table: bytes | None = None,
) -> Audit:
    """What that one says of the round that these books have disclosed."""
    journal = at.journal
    return sign_verdict(
        identity(name),
        journal.table if table is None else table,
        journal.heads[at.disclosed_at] if head is None else head,
        round,
        bad,
        why,
    )


def due(relay: Relay, name: str) -> list[Audit]:
    """What a connection of that key is sent, when it is up to date."""
    return relay.due(Connection(identity(name).key, 0.0))


# ---- the host


@pytest.mark.parametrize("name", ["ben", "dot"])
@pytest.mark.parametrize(("bad", "why"), [(None, ""), (6, "another seat had to start")])
def test_a_verdict_goes_to_everybody_else_once(name: str, bad: int | None, why: str) -> None:
    """A spectator's too."""
    relay, said = Relay(BOOKS), verdict(name, bad, why)
    relay.take(identity(name).key, said)
    there = Connection(identity("cy").key, 0.0)
    assert relay.due(there) == [said]
    assert relay.due(there) == []
    assert due(relay, name) == []
    assert due(relay, "eve") == [said]  # who comes a moment later too
    more = verdict("ana")
    relay.take(identity("ana").key, more)
    assert relay.due(there) == [more]


def test_a_verdict_names_the_history_that_it_is_about_before_what_was_found() -> None:
    head = BOOKS.journal.heads[BOOKS.disclosed_at][:8].hex()
    assert verdict("ben").reason == f"head {head}"
    assert verdict("ben", 6, "so").reason == f"head {head} so"


@pytest.mark.parametrize(("bad", "why"), [(NOTHING_BAD, ""), (6, "another seat had to start")])
def test_a_verdict_that_names_no_history_is_about_the_last_round(bad: int, why: str) -> None:
    ben, table = identity("ben"), BOOKS.journal.table
    signed = enc("audit", table, ben.key, u32(1), u64(bad), why.encode())
    said = Audit(ben.key, 1, bad, why, ben.sign(signed))
    relay = Relay(BOOKS)
    relay.take(ben.key, said)
    assert due(relay, "cy") == [said]
    told = Hearing(identity("cy"), BOOKS).hear(said)
    assert told is not None
    assert told.why == why


LATE_OR_TWICE: dict[str, Callable[[], Audit]] = {
    "a round that is not disclosed": lambda: verdict("ben", round=2),
    "no round": lambda: verdict("ben", round=0),
    "nobody at the table": lambda: verdict("fay"),
}
DISHONEST: dict[str, tuple[Callable[[], Audit], str]] = {
    "another's": (lambda: verdict("cy"), "not_yours"),
    "of another table": (lambda: verdict("ben", table=bytes(16)), "not_yours"),
    "about another history": (lambda: verdict("ben", head=bytes(32)), "not_yours"),
    "not signed": (lambda: replace(verdict("ben"), sig=bytes(64)), "not_yours"),
    "signed for another reason": (lambda: replace(verdict("ben", 6, "so"), reason="why"), "not_yours"),
    "signed for another entry": (lambda: replace(verdict("ben", 6, "so"), bad=5), "not_yours"),
    "steers the terminal": (lambda: verdict("ben", 6, "\x1b[2J"), "not_clean"),
    "two lines": (lambda: verdict("ben", 6, "one\ntwo"), "not_clean"),
    "turned round": (lambda: verdict("ben", 6, "a\u202eb"), "not_clean"),
    "nothing bad, but a reason": (lambda: verdict("ben", None, "vote for me"), "not_clean"),
    "no reason": (lambda: verdict("ben", 6), "not_clean"),
    "an entry that there is not": (lambda: verdict("ben", len(BOOKS.journal), "so"), "not_clean"),
}


@pytest.mark.parametrize("case", LATE_OR_TWICE)
def test_what_comes_too_late_is_dropped(case: str) -> None:
    relay, said = Relay(BOOKS), LATE_OR_TWICE[case]()
    relay.take(said.key, said)
    assert (due(relay, "cy"), relay.dropped) == ([], 1)


@pytest.mark.parametrize("case", DISHONEST)
def test_what_no_honest_program_says_is_refused(case: str) -> None:
    make, code = DISHONEST[case]
    relay = Relay(BOOKS)
    with pytest.raises(Refused) as refused:
        relay.take(identity("ben").key, make())
    assert refused.value.code == code
    assert due(relay, "cy") == []
    relay.take(identity("ben").key, verdict("ben"))  # it uses nothing up
    assert due(relay, "cy") == [verdict("ben")]


def test_nobody_says_two_things_about_a_round() -> None:
    relay, key = Relay(BOOKS), identity("ben").key
    relay.take(key, verdict("ben"))
    relay.take(key, verdict("ben", 6, "on second thoughts"))
    relay.take(key, verdict("ben"))
    assert (due(relay, "cy"), relay.dropped) == ([verdict("ben")], 2)


def test_before_the_first_round_there_is_nothing_to_say() -> None:
    forge = lobby()
    at = books(forge)
    relay, said = Relay(at), verdict("ben", at=at, round=0)
    relay.take(said.key, said)
    assert (due(relay, "cy"), relay.dropped) == ([], 1)


def test_the_next_round_makes_room() -> None:
    forge = played()
    at = books(forge)
    relay, cy = Relay(at), Connection(identity("cy").key, 0.0)
    for name in ("ana", "ben"):
        relay.take(identity(name).key, verdict(name, at=at))
    assert len(relay.due(cy)) == 2
    old = verdict("dot", at=at)
    before = len(forge.journal)
    disclose(forge, 2)
    for wire in forge.journal.wires[before:]:
        at.fold(at.journal.accept(wire, forge.host.key))
    relay.take(identity("dot").key, old)
    assert (due(relay, "cy"), relay.dropped) == ([], 1)
    said = verdict("ben", at=at, round=2)
    relay.take(identity("ben").key, said)
    assert relay.due(cy) == [said]


def test_a_word_about_a_round_of_an_earlier_match_is_none_about_this_one() -> None:
    """Both are round 1, and both were in order; still nobody can pass one off as the other."""
    forge = played()
    old = verdict("ben", at=books(forge))
    forge.entry(EntryKind.MATCH_END, MatchEnd(1, (1, 0, 0), (0,)))
    forge.match(2)
    disclose(forge, 1)
    at = books(forge)
    relay, hearing = Relay(at), Hearing(identity("cy"), at)
    with pytest.raises(Refused, match="not_yours"):
        relay.take(identity("ben").key, old)
    assert hearing.hear(old) is None
    assert hearing.hear(verdict("ben", at=at)) is not None


def test_who_comes_under_ever_new_keys_gets_no_further() -> None:
    forge = Forge()
    forge.genesis()
    forge.options()
    names = tuple(f"p{number}" for number in range(MOST + 1))
    forge.roster(*map(member, NAMES), watchers=names)
    forge.match()
    disclose(forge, 1)
    at = books(forge)
    relay = Relay(at)
    for name in names:
        relay.take(identity(name).key, verdict(name, at=at))
    assert (len(due(relay, "cy")), relay.dropped) == (MOST, 1)


# ---- a guest


def test_a_guest_tells_what_others_found() -> None:
    hearing = Hearing(identity("cy"), BOOKS)
    assert not hearing.others
    assert hearing.hear(verdict("ben")) == Verdict(1, "ben", identity("ben").key, None, "")
    assert hearing.hear(verdict("dot", 6, "so")) == Verdict(1, "dot", identity("dot").key, 6, "so")
    assert hearing.others == (("ben", True), ("dot", False))
    assert hearing.dropped == 0


@pytest.mark.parametrize("case", [*LATE_OR_TWICE, *DISHONEST, "our own", "twice"])
def test_a_guest_believes_nothing_else(case: str) -> None:
    hearing = Hearing(identity("eve"), BOOKS)
    if case == "twice":
        hearing.hear(verdict("ben"))
        assert hearing.hear(verdict("ben", 6, "so")) is None
        assert hearing.others == (("ben", True),)
    elif case == "our own":
        assert hearing.hear(verdict("eve")) is None
    elif case == "another's":
        assert hearing.hear(replace(verdict("ben"), key=identity("cy").key)) is None
    else:
        make = LATE_OR_TWICE.get(case) or DISHONEST[case][0]
        assert hearing.hear(make()) is None
    assert hearing.dropped == 1


def test_a_guest_signs_what_it_found_so_that_others_can_show_it() -> None:
    hearing = Hearing(identity("ben"), BOOKS)
    for found in (
        Audited(1, True),
        Audited(1, False, 6, "ana", "another seat had to start"),
        Audited(1, False, 6, "ana", "because \x1b[2J of\n" + "x" * 400),
    ):
        said = hearing.sign(found)
        assert hearing.ours == said
        assert len(said.reason) <= REASON_CHARS
        Relay(BOOKS).take(identity("ben").key, said)
        told = Hearing(identity("cy"), BOOKS).hear(said)
        assert told is not None
        assert told.bad == found.bad
        assert told.why[:7] == found.why[:7]


@given(
    key=st.sampled_from([*NAMES, *WATCHERS, "fay"]),
    round=st.integers(0, 3) | st.integers(0, 2**32 - 1),
    bad=st.integers(0, 12) | st.sampled_from([NOTHING_BAD, NOTHING_BAD - 1]),
    reason=st.text(max_size=REASON_CHARS),
    signed=st.booleans(),
)
def test_whatever_is_said_what_the_host_passes_on_can_be_shown(
    key: str, round: int, bad: int, reason: str, signed: bool
) -> None:
    said = Audit(identity(key).key, round, bad, reason, bytes(64))
    if signed:
        said = verdict(key, None if bad == NOTHING_BAD else bad, reason, round=round)
    relay = Relay(BOOKS)
    with suppress(Refused):
        relay.take(said.key, said)
    passed = due(relay, "")
    assert passed in ([], [said])
    told = Hearing(identity("zoe"), BOOKS).hear(said)
    assert (told is not None) is bool(passed)


# ---- at a table


def test_everybody_is_told_what_everybody_else_found() -> None:
    cluster = started(options={"match_rounds": "2"})
    cluster.join("dot", watch=True)
    people = {*NAMES, "dot"}
    for round in (1, 2):
        play_round(cluster)
        for name in people:
            peer = cluster.peers[name]
            told = [said for said in peer.told(Verdict) if said.round == round]
            assert sorted(said.nick for said in told) == sorted(people - {name})
            assert {(said.bad, said.why) for said in told} == {(None, "")}
            assert sorted(verdicts_of(peer)) == sorted((other, True) for other in people - {name})
            assert peer.told(Alarm) == []
        if round == 1:
            for name in NAMES:
                cluster.want(name, "next")
    assert cluster.host._house.verdicts.dropped == 0


def verdicts_of(peer: Peer) -> tuple[tuple[str, bool], ...]:
    view = peer.guest.table_view()
    assert view is not None
    assert view.last is not None
    return view.last.verdicts


def test_a_verdict_comes_behind_the_journal_that_it_is_about() -> None:
    cluster = started(options={"match_rounds": "1"})
    order: dict[str, list[str]] = {}

    def look(name: str, message: Message) -> Message:
        if not isinstance(message, Heartbeat):
            order.setdefault(name, []).append(type(message).__name__)
        return message

    cluster.tamper = look
    play_round(cluster)
    assert all(said.guest._verdicts.dropped == 0 for said in cluster.peers.values())
    assert all(kinds[-2:] == ["Audit", "Audit"] for kinds in order.values()), order


def test_a_slow_reader_is_told_when_it_has_the_journal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Before that it could not say what the verdicts are about, and would drop them."""
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    monkeypatch.setattr(courier, "UNDER_WAY", 2048)
    monkeypatch.setattr(courier, "BATCH", 1024)
    line, journal = cluster.line("dot"), cluster.host.public.journal
    line.send(hello("dot", flags=2), Get(0))
    pieces = 0
    while (held := sum(len(entries.wires) for entries in line.heard(Entries)) - 1) < journal.last:
        assert line.heard(Audit) == []
        pieces += 1
        line.send(Ack(journal.table, 1, held, journal.heads[held], 0, 0, False))
    assert pieces > 1
    assert len(line.heard(Audit)) == len(NAMES)


def test_who_comes_later_is_told_too_and_says_nothing_about_rounds_before_it_came() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    late = cluster.join("dot", watch=True)
    assert late.told(Entered)
    assert sorted(said.nick for said in late.told(Verdict)) == ["ana", "ben", "cy"]
    assert sorted(verdicts_of(late)) == [("ana", True), ("ben", True), ("cy", True)]
    assert all(said.nick != "dot" for name in NAMES for said in cluster.peers[name].told(Verdict))


def test_who_was_away_when_the_round_ended_says_what_it_found_when_it_is_back() -> None:
    cluster = started(options={"match_rounds": "2"}, settings={"grace_seconds": "0"})
    cluster.cut("ben")
    play_round(cluster)
    assert [said.nick for said in cluster.peers["cy"].told(Verdict)] == ["ana"]
    cluster.back("ben")
    assert [said.nick for said in cluster.peers["cy"].told(Verdict)] == ["ana", "ben"]
    assert sorted(said.nick for said in cluster.peers["ben"].told(Verdict)) == ["ana", "cy"]


def test_a_verdict_lost_with_the_line_is_said_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = started(options={"match_rounds": "2"})
    deliver, ben = cluster.to_host, cluster.peers["ben"]

    def loses(link: LinkId, message: Message) -> None:
        if not (isinstance(message, Audit) and link == ben.link):
            deliver(link, message)

    with monkeypatch.context() as patch:
        patch.setattr(cluster, "to_host", loses)
        play_round(cluster)
    assert [said.nick for said in cluster.peers["cy"].told(Verdict)] == ["ana"]
    for _ in range(2):
        cluster.cut("ben")
        cluster.back("ben")
    assert [said.nick for said in cluster.peers["cy"].told(Verdict)] == ["ana", "ben"]


def watcher(cluster: Cluster) -> Line:
    """dot, who watches and may say anything."""
    line = cluster.line("dot")
    line.send(hello("dot", flags=2), Get(0))
    return line


def test_what_is_refused_or_dropped_reaches_nobody() -> None:
    cluster = started(options={"match_rounds": "2"})
    line = watcher(cluster)
    early = verdict("dot", at=BOOKS)
    assert line.send(early) == []  # nothing is disclosed yet
    play_round(cluster)
    at = cluster.host.public
    before = {name: len(cluster.peers[name].received) for name in NAMES}
    (answer,) = line.send(verdict("ben", at=at))
    assert isinstance(answer, RefusedMessage)
    assert (answer.n, answer.code) == (0, "not_yours")
    (answer,) = line.send(verdict("dot", 1, "\x1b[2J", at=at))
    assert isinstance(answer, RefusedMessage)
    assert (answer.n, answer.code) == (0, "not_clean")
    assert line.send(verdict("dot", at=at, round=2)) == []
    assert {name: len(cluster.peers[name].received) for name in NAMES} == before
    said = verdict("dot", 3, "I did not like it", at=at)
    assert line.send(said, said) == []
    for name in NAMES:
        (told,) = [told for told in cluster.peers[name].told(Verdict) if told.nick == "dot"]
        assert (told.bad, told.why) == (3, "I did not like it")
        assert cluster.peers[name].told(Alarm) == []


def test_a_host_that_makes_up_a_verdict_is_not_believed() -> None:
    """Not even about the round before, in another's name or its own."""
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    old = verdict("ben", at=cluster.host.public)
    for name in NAMES:
        cluster.want(name, "next")
    play_round(cluster)
    cy = cluster.peers["cy"]
    told = list(cy.told(Verdict))
    at = cluster.host.public
    forged = sign_verdict(identity("host"), at.journal.table, at.journal.heads[at.disclosed_at], 2, 3, "so")
    assert cy.link is not None
    for said in (old, replace(forged, key=identity("dot").key), replace(old, round=2), forged):
        cluster.to_guest(cy.link, said)
    assert cy.told(Verdict) == told
    assert cy.told(Alarm) == []
    assert cy.guest._verdicts.dropped == 4

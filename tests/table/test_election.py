"""The rules of an election, one by one (protocol 7.2, 7.3 R1 to R7, 7.5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.candidacy import VOTE_WINDOW
from p2pcards.table.election import ASK_SECONDS, DEAD, STEP
from p2pcards.table.terms import AHEAD
from p2pcards.wire.entries import EntryKind, Kick
from p2pcards.wire.messages import (
    RAISED_BY_ENTRY,
    RAISED_BY_VOTE,
    Prevote,
    PrevoteAsk,
    Stale,
    VoteAsk,
    encode,
)
from p2pcards.wire.vote import Vote
from tests.testing.cluster import identity
from tests.testing.electorate import DUE, follow, prevote_ask, room, table, three, vote_ask, vote_of, yes
from tests.testing.forge import NAMES, Forge, member

HOST, ANA, BEN, CY = (identity(name).key for name in ("host", *NAMES))


# ---- R1


def test_the_first_in_rank_asks_when_the_host_has_been_silent_and_is_elected() -> None:
    at = room()
    at.tick(DUE - 0.01)
    assert not at.said
    at.tick(DUE)
    won = at.box("ana").won
    assert won is not None
    assert (won.term, won.asked_at) == (2, DUE)
    assert len({vote.voter for vote in won.votes}) == 3
    assert all(vote.candidate == ANA and vote.term == 2 for vote in won.votes)
    assert [at.box(name).won for name in ("ben", "cy")] == [None, None]


def test_the_certificate_stands_in_everybodys_books() -> None:
    forge = table()
    at = room(forge=forge)
    at.tick(DUE)
    won = at.box("ana").won
    assert won is not None
    forge.elected("ana", *won.votes, term=won.term)
    for books in at.books.values():
        follow(books, forge.journal)
        assert (books.host, books.term) == (ANA, 2)
    at.tick(DUE + 0.1)
    assert not any(at.box(name).raised for name in NAMES)


@pytest.mark.parametrize(("absent", "first", "rank"), [("ana", "ben", 1), ("ben", "ana", 0)])
def test_each_rank_waits_a_step_longer(absent: str, first: str, rank: int) -> None:
    forge = three()
    at = room("host", first, forge=forge)
    at.tick(DUE + rank * STEP - 0.01)
    assert not at.said
    at.tick(DUE + rank * STEP)
    assert at.box(first).won is not None


def test_a_host_that_came_back_as_a_follower_stands_last_where_it_holds_most() -> None:
    forge = three()
    forge.options(door="ask")
    at = room("host", "ana", forge=forge, short={"ana": 3})
    at.tick(DUE + 2 * STEP - 0.01)
    assert at.box("ana").won is None
    at.tick(DUE + 2 * STEP)
    won = at.box("host").won
    assert won is not None
    assert {vote.voter for vote in won.votes} == {HOST, ANA}


def test_too_few_ask_nobody() -> None:
    at = room("ana", "ben")
    at.tick(DUE)
    at.tick(60.0)
    assert not at.said
    assert at.box("ana").wake_at is None


def test_who_becomes_linked_is_asked_too() -> None:
    at = room()
    at.lost = lambda sender, far, message: far == "cy"
    at.tick(DUE)
    assert at.box("ana").won is None
    at.lost = lambda sender, far, message: False
    box = at.box("ana")
    box.tick(DUE + 0.1, [HOST, BEN])
    box.tick(DUE + 0.2, [HOST, BEN, CY])
    at.now = DUE + 0.2
    at.pass_on()
    assert box.won is not None


def test_asking_first_changes_nothing() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Prevote)
    at.tick(DUE)
    assert at.heard(PrevoteAsk)
    assert [at.box(name).term for name in NAMES] == [1, 1, 1]
    assert not at.files
    assert not any(at.box(name).raised for name in NAMES)


def test_who_was_not_answered_asks_again_later_by_rank() -> None:
    at = room()
    at.lost = lambda sender, far, message: True
    at.tick(DUE)
    box = at.box("ana")
    assert box.wake_at == DUE + ASK_SECONDS
    at.lost = lambda sender, far, message: False
    at.tick(DUE + ASK_SECONDS, "ana")
    assert box.won is not None
    assert box.won.term == 2


def test_a_candidate_without_enough_votes_asks_again_for_a_higher_term() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    assert at.box("ana").won is None
    assert [at.box(name).term for name in NAMES] == [2, 2, 2]
    at.lost = lambda sender, far, message: False
    later = DUE + DEAD  # the others gave a vote then
    at.tick(later - 0.01, "ana")
    assert at.box("ana").won is None
    at.tick(later + ASK_SECONDS, "ana")
    won = at.box("ana").won
    assert won is not None
    assert won.term == 3


# ---- R2, R4, R5


def test_who_hears_a_host_says_no_and_gives_no_vote() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.box("ben").host_heard(3.0)
    at.now = 3.0 + DEAD - 0.01
    assert not yes(at.take("ana", "ben", prevote_ask(forge)))
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == []
    at.now = 3.0 + DEAD
    assert yes(at.take("ana", "ben", prevote_ask(forge, 3)))


def test_a_vote_asked_for_ends_the_term_even_where_it_is_not_given() -> None:
    forge = table()
    at = room("host", forge=forge)
    at.box("host").host_heard(0.0)
    assert at.take("ana", "host", vote_ask(forge, "ana")) == []
    assert at.box("host").raised
    assert at.box("host").term == 2
    at.box("host").host_heard(20.0)  # of a host whose term is over
    assert at.box("host").heard == 0.0


def test_a_vote_counts_as_hearing_a_host() -> None:
    forge = table()
    at = room("ben", forge=forge, now=0.0)
    at.now = 10.0
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == [at.box("ben").file.vote]
    at.now = 10.0 + DEAD - 0.01
    assert not yes(at.take("cy", "ben", prevote_ask(forge, 3)))
    assert at.take("cy", "ben", vote_ask(forge, "cy", 3)) == []
    at.now = 10.0 + DEAD
    assert len(at.take("cy", "ben", vote_ask(forge, "cy", 4))) == 1


def test_who_has_just_started_waits_before_it_votes() -> None:
    forge = table()
    at = room("ben", forge=forge, now=100.0)
    at.now = 100.0 + DEAD - 0.01
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == []
    at.now = 100.0 + DEAD
    assert len(at.take("ana", "ben", vote_ask(forge, "ana", 3))) == 1


def test_who_has_slept_waits_anew() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.box("ben").slept(100.0)
    at.now = 100.0 + DEAD - 0.01
    assert not yes(at.take("ana", "ben", prevote_ask(forge)))
    at.now = 100.0 + DEAD
    assert yes(at.take("ana", "ben", prevote_ask(forge)))


def test_a_candidate_that_sleeps_gives_up() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    box = at.box("ana")
    box.slept(DUE + 1.0)
    at.now = DUE + 1.0
    for name in ("ben", "cy"):
        at.take(name, "ana", replace(vote_of(at.forge, name, "ana")))
    assert box.won is None


# ---- R3


def test_one_vote_in_a_term_and_the_same_again_to_who_asks_again() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    first = at.take("ana", "ben", vote_ask(forge, "ana"))
    assert at.take("cy", "ben", vote_ask(forge, "cy")) == []
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == first
    forge.options(door="ask")
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == []  # over a newer head it would be a second one


def test_a_vote_is_remembered_over_a_restart() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    first = at.take("ana", "ben", vote_ask(forge, "ana"))
    box = at.restart("ben")
    assert box.term == 2
    at.now = 20.0
    assert at.take("cy", "ben", vote_ask(forge, "cy")) == []
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == first


def test_a_candidate_remembers_its_own_vote_too() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote | VoteAsk)
    at.tick(DUE)
    box = at.restart("ana")
    assert box.term == 2
    at.lost = lambda sender, far, message: False
    at.tick(DUE + DUE, "ana")
    assert box.won is not None
    assert box.won.term == 3


def test_whose_disk_refused_a_vote_says_so_and_tries_again_with_the_next() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    box = at.box("ben")
    box.unkept()
    assert not box.vote_file
    assert [type(said) for said in at.take("ana", "ben", vote_ask(forge, "ana"))] == [Vote]
    assert box.vote_file


def test_who_cannot_keep_the_journal_does_not_vote() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    at.box("ben").unkept(journal=True)
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == []
    assert not at.box("ben").vote_file
    assert not at.box("ben").may_vote


def test_who_keeps_the_journal_again_votes_again() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    at.box("ben").unkept(journal=True)
    at.box("ben").kept_up()
    assert at.box("ben").vote_file
    assert [type(said) for said in at.take("ana", "ben", vote_ask(forge, "ana"))] == [Vote]


@pytest.mark.parametrize("index", [2, 3])
def test_a_candidate_must_hold_all_that_the_voter_holds(index: int) -> None:
    forge = table()
    forge.options(door="ask")
    at = room("ben", forge=forge)
    at.now = 10.0
    assert yes(at.take("ana", "ben", prevote_ask(forge, 2, index))) is (index == 3)
    assert len(at.take("ana", "ben", vote_ask(forge, "ana", 2, index))) == (index == 3)


def test_more_than_the_voter_holds_must_be_signed_by_the_host_of_that_term() -> None:
    forge = table()
    forge.options(door="ask")
    at = room("ben", forge=forge, short={"ben": 3})
    at.now = 10.0
    ask = prevote_ask(forge)
    assert not yes(at.take("ana", "ben", replace(ask, hostsig=bytes(64))))
    assert not yes(at.take("ana", "ben", replace(ask, last=9)))
    assert yes(at.take("ana", "ben", ask))


def test_another_entry_in_the_same_place_is_not_as_good() -> None:
    forge, other = table(), table()
    forge.options(door="ask")
    other.options(door="code")
    at = room("ben", forge=forge)
    at.now = 10.0
    assert not yes(at.take("ana", "ben", prevote_ask(other)))


def test_a_later_term_outweighs_more_entries_if_somebody_of_the_table_signed_it() -> None:
    forge = table()
    short = table()
    forge.elected("cy", "ana", "ben", "cy")
    short.options(door="ask")
    short.options(door="open")
    short.options(door="ask")
    at = room("ben", forge=short)
    at.now = 10.0
    ask = prevote_ask(forge, 3)
    assert yes(at.take("ana", "ben", ask))
    assert not yes(at.take("ana", "ben", replace(ask, hostsig=bytes(64))))


def test_the_head_of_an_entry_that_we_hold_must_be_of_its_term() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    assert not yes(at.take("ana", "ben", prevote_ask(forge, 9, last_term=5)))


# ---- R6, R7


@pytest.mark.parametrize(("after", "wins"), [(VOTE_WINDOW - 0.01, True), (VOTE_WINDOW, False)])
def test_votes_count_for_a_while_from_when_they_were_asked_for(after: float, wins: bool) -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    at.now = DUE + after
    for name in ("ben", "cy"):
        at.take(name, "ana", vote_of(at.forge, name, "ana"))
    assert (at.box("ana").won is not None) is wins


def test_votes_of_an_earlier_question_are_not_counted() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    at.tick(DUE + VOTE_WINDOW, "ana")  # asks anew, whether they would
    at.now = DUE + VOTE_WINDOW
    for name in ("ben", "cy"):
        at.take(name, "ana", vote_of(at.forge, name, "ana"))
    assert at.box("ana").won is None


def test_votes_over_another_entry_or_for_another_are_not_counted() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    at.take("ben", "ana", vote_of(at.forge, "ben", "ana", index=1))
    at.take("ben", "ana", vote_of(at.forge, "ben", "cy"))
    at.take("cy", "ana", vote_of(at.forge, "cy", "ana", term=1))
    at.take("host", "ana", vote_of(at.forge, "host", "ana"))
    assert at.box("ana").won is None


def test_a_candidate_promises_nothing_while_it_waits_for_votes() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    at.now = DUE + VOTE_WINDOW - 0.01
    assert not yes(at.take("cy", "ana", prevote_ask(at.forge, 3)))
    at.tick(DUE + VOTE_WINDOW, "ana")
    assert yes(at.take("cy", "ana", prevote_ask(at.forge, 3)))


def test_who_was_elected_hears_a_host_itself() -> None:
    at = room()
    at.tick(DUE)
    at.now = DUE + DEAD - 0.01
    assert not yes(at.take("cy", "ana", prevote_ask(at.forge, 3)))


def test_votes_for_a_term_that_is_over_are_not_counted() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    at.take("host", "ana", vote_ask(at.forge, "host", 3, index=1))  # it holds less, but its term is a later one
    for name in ("ben", "cy"):
        at.take(name, "ana", vote_of(at.forge, name, "ana"))
    assert at.box("ana").won is None


def test_who_is_shown_out_meanwhile_is_not_counted() -> None:
    at = room()
    at.lost = lambda sender, far, message: isinstance(message, Vote)
    at.tick(DUE)
    at.take("cy", "ana", vote_of(at.forge, "cy", "ana"))
    at.forge.entry(EntryKind.KICK, Kick(CY, "rude", 0, ()))
    follow(at.books["ana"], at.forge.journal)
    at.take("ben", "ana", vote_of(at.forge, "ben", "ana", index=2))
    assert at.box("ana").won is None


def test_a_head_that_is_gone_meanwhile_is_not_voted_for() -> None:
    forge, other = table(), table()
    forge.options(door="ask")
    other.elected("cy", "host", "ben", "cy", term=2)
    at = room(forge=forge)
    at.lost = lambda sender, far, message: isinstance(message, Vote | VoteAsk)
    at.tick(DUE)
    votes = [vote_of(forge, name, "ana") for name in ("ben", "cy")]
    follow(at.books["ana"], other.journal)
    at.tick(DUE + 0.1, "ana")
    for name, vote in zip(("ben", "cy"), votes, strict=True):
        at.take(name, "ana", vote)
    assert at.box("ana").won is None


def test_an_old_term_is_answered_with_the_vote_that_ended_it() -> None:
    forge = table()
    at = room("ben", "cy", forge=forge)
    at.now = 10.0
    at.take("ana", "ben", vote_ask(forge, "ana", 3))
    (answer,) = at.take("cy", "ben", prevote_ask(forge, 2))
    assert isinstance(answer, Stale)
    assert answer.what == RAISED_BY_VOTE
    assert answer == at.box("ben").stale
    at.take("ben", "cy", answer)
    assert (at.box("cy").term, at.box("cy").raised) == (3, True)
    (again,) = at.take("cy", "ben", vote_ask(forge, "cy", 2))
    assert again == answer


def test_an_old_term_is_answered_with_the_entry_that_ended_it() -> None:
    forge = table()
    at = room("host", forge=forge)
    forge.elected("ana", "ana", "ben", "cy")
    newer = room("ben", forge=forge)
    (answer,) = newer.take("host", "ben", prevote_ask(table(), 2))
    assert answer == Stale(RAISED_BY_ENTRY, forge.journal.wires[3])
    at.take("ben", "host", answer)
    assert (at.box("host").term, at.box("host").raised) == (2, True)


def test_in_the_first_term_there_is_nothing_to_show() -> None:
    at = room("ben")
    at.now = 10.0
    assert at.box("ben").stale is None
    assert not yes(at.take("ana", "ben", prevote_ask(at.forge, 1)))


@pytest.mark.parametrize("term", [AHEAD + 1, AHEAD + 2])
def test_terms_that_nobody_can_have_come_to_are_not_believed(term: int) -> None:
    at = room("ben")
    at.take("ana", "ben", vote_ask(at.forge, "ana", term))
    assert at.box("ben").term == (term if term == AHEAD + 1 else 1)


def test_forged_words_are_broken() -> None:
    forge = table()
    at = room("ben", forge=forge)
    ask = vote_ask(forge, "ana")
    for message in (
        replace(ask, vote=replace(ask.vote, term=3)),  # not what was signed
        vote_ask(forge, "cy"),  # somebody else's
        replace(ask, vote=vote_of(forge, "ana", "cy")),  # for somebody else
        vote_of(forge, "cy", "ben"),
        replace(vote_of(forge, "ana", "ben"), last=0),
        Stale(RAISED_BY_VOTE, b"\x90"),
        Stale(RAISED_BY_VOTE, encode(replace(ask.vote, term=3))[1]),
        Stale(RAISED_BY_ENTRY, forge.journal.wires[2]),
        Stale(RAISED_BY_ENTRY, b""),
        Stale(3, b""),
    ):
        with pytest.raises(ProtocolError):
            at.take("ana", "ben", message)
    assert at.box("ben").term == 1


def test_an_entry_that_its_host_did_not_sign_ends_no_term() -> None:
    forge = table()
    at = room("host", forge=forge)
    forge.elected("ana", "ana", "ben", "cy")
    wire = forge.journal.wires[3]
    at.take("ben", "host", Stale(RAISED_BY_ENTRY, wire[:-64] + bytes(64)))
    assert not at.box("host").raised


def test_words_of_who_has_no_vote_count_nothing() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    assert at.take("dot", "ben", vote_ask(forge, "dot")) == []
    assert at.take("eve", "ben", prevote_ask(forge)) == []
    at.take("ana", "ben", Stale(RAISED_BY_VOTE, encode(vote_of(forge, "eve", "eve"))[1]))
    assert at.box("ben").term == 1


def test_words_of_another_table_count_nothing() -> None:
    forge, other = table(), Forge()
    other.genesis(title="another")
    other.options()
    other.roster(*map(member, NAMES))
    at = room("ben", forge=forge)
    at.now = 10.0
    assert at.take("ana", "ben", prevote_ask(other)) == []
    assert at.take("ana", "ben", vote_ask(other, "ana")) == []
    assert at.box("ben").term == 1


def test_the_votes_of_who_is_being_shown_out_are_not_counted() -> None:
    forge = table()
    forge.entry(EntryKind.KICK, Kick(CY, "rude", 0, ()))
    at = room(forge=forge)
    at.tick(DUE)
    assert at.box("ana").won is None  # three of four are needed
    assert not at.box("cy").may_vote

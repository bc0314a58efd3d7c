"""A voter that lies when the host changes: about shares (T23), whom they are for (T24) and votes (T25)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from p2pcards.table.notices import Alarm, DoubleVote, FalseShare
from p2pcards.table.terms import AHEAD
from p2pcards.wire.messages import (
    Close,
    Entries,
    Message,
    Reason,
    Secret,
    Share,
    ShareAsk,
    VoteAsk,
)
from p2pcards.wire.vote import Vote, sign_vote, verify_vote
from tests.testing.cluster import identity
from tests.testing.evil import SUITE
from tests.testing.evil_peers import forge, goes_on, playing, untouched
from tests.testing.forge import Forge
from tests.testing.one_peer import Program
from tests.testing.peers import Lan
from tests.testing.tally import Tally


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(SUITE)


# ---- T23: a false share


WRONG_SHARES: dict[str, Callable[[Share], Share]] = {
    "another value": lambda said: replace(said, value=bytes(66)),
    "a value beside the field": lambda said: replace(said, value=b"\xff" * 66),
    "the share of another": lambda said: replace(said, x=said.x % 4 + 1),
    "the share of nobody": lambda said: replace(said, x=0),
}


@pytest.mark.parametrize("kind", WRONG_SHARES)
def test_who_gives_a_false_share_is_named_and_the_round_goes_on_without_it(kind: str) -> None:
    lan = playing()
    lan.tamper = lambda sender, far, message: (
        WRONG_SHARES[kind](message) if sender == "cy" and isinstance(message, Share) else message
    )
    lan.kill("ana")
    lan.pass_time(8.0)
    assert [notice.nick for notice in lan["ben"].told(FalseShare)] == ["cy"]
    assert lan.host.name == "ben"
    goes_on(lan)


def test_a_share_of_another_round_says_nothing_and_accuses_nobody() -> None:
    lan = playing()
    lan.tamper = lambda sender, far, message: (
        replace(message, epoch=message.epoch + 1) if sender == "cy" and isinstance(message, Share) else message
    )
    lan.kill("ana")
    lan.pass_time(8.0)
    assert lan["ben"].told(FalseShare) == []
    goes_on(lan)


# ---- T24: a share for whom it is not


def shared(script: Program) -> list[Message]:
    """What of a secret came to it."""
    return [*script.heard(Share, "ben"), *script.heard(Secret, "ben")]


def test_no_member_is_given_a_share_for_asking() -> None:
    lan = playing()
    cy = lan.turned("cy")
    before = len(shared(cy))
    for epoch in (lan.books.epoch, 0, 2**32 - 1):
        cy.says("ben", ShareAsk(epoch))
    lan.pass_time(2.0)
    lan.kill("ana")
    for seconds in (2.0, 3.1, 0.5):  # nobody is host; then somebody might be elected, and is not
        cy.says("ben", ShareAsk(lan.books.epoch))
        lan.pass_time(seconds)
    assert len(shared(cy)) == before
    assert lan["ben"].told(Alarm) == []


def _too_few(pen: Forge) -> bytes:
    return pen.elected("cy", "cy", "dot")


def _twice(pen: Forge) -> bytes:
    return pen.elected("cy", "cy", "dot", pen.vote("dot", "cy", 2))


def _forged(pen: Forge) -> bytes:
    return pen.elected("cy", "cy", "dot", pen.vote("eli", "cy", 2, sig=bytes(64)))


def _outsiders(pen: Forge) -> bytes:
    return pen.elected("cy", "cy", "dot", "zed")


def _for_another(pen: Forge) -> bytes:
    return pen.elected("cy", "cy", "dot", pen.vote("eli", "dot", 2))


def _of_another_term(pen: Forge) -> bytes:
    return pen.elected("cy", "cy", "dot", pen.vote("eli", "cy", 3))


def _over_another_history(pen: Forge) -> bytes:
    return pen.elected("cy", "cy", "dot", pen.vote("eli", "cy", 2, head=bytes(32)))


def _by_no_handover(pen: Forge) -> bytes:
    return pen.took_over("cy")


def _by_nobody(pen: Forge) -> bytes:
    return pen.elected("cy")


CERTIFICATES = {
    "two votes of five": _too_few,
    "a vote counted twice": _twice,
    "a vote that nobody gave": _forged,
    "the vote of an outsider": _outsiders,
    "a vote for another": _for_another,
    "a vote of another term": _of_another_term,
    "a vote over another history": _over_another_history,
    "a HANDOVER that is none": _by_no_handover,
    "no votes": _by_nobody,
}


@pytest.mark.parametrize("kind", CERTIFICATES)
@pytest.mark.parametrize("alive", [True, False], ids=["the host is there", "the host is gone"])
def test_a_certificate_that_is_none_opens_no_share_and_its_maker_is_named(kind: str, alive: bool) -> None:
    lan = playing()
    cy = lan.turned("cy")
    before = len(shared(cy))
    if not alive:
        lan.kill("ana")
        lan.pass_time(2.0)
    journal, wire = list(lan["ben"].journal), CERTIFICATES[kind](forge(lan, "cy"))
    answers = cy.says("ben", Entries(2**64 - 1, (wire,)))
    assert isinstance(answers[-1], Close)
    assert answers[-1].reason == Reason.BROKEN
    assert [alarm.text.split(":")[0] for alarm in lan["ben"].told(Alarm)] == ["cy"]
    lan.connect(cy, lan["ben"])
    lan.pass_time(1.0)
    assert lan["ben"].journal == journal
    assert len(shared(cy)) == before
    untouched(lan, "ben", "dot", "eli")


def certified(lan: Lan, *names: str, host: str = "cy") -> bytes:
    """A TERM_START by the votes of these, who all lie together."""
    return forge(lan, host).elected(host, *names)


def test_a_certificate_of_a_whole_quorum_of_liars_waits_until_the_host_is_not_heard() -> None:
    """R2: what stays possible is that they take the table over from a host that everybody hears."""
    lan = playing()
    cy, _, _ = lan.turned("cy"), lan.turned("dot"), lan.turned("eli")
    before = len(shared(cy))
    epoch = lan.books.epoch
    start = certified(lan, "cy", "dot", "eli")
    lan.pass_time(0.5)
    cy.says("ben", Entries(0, (start,)), ShareAsk(epoch))
    assert lan["ben"].the.guest.public.host == identity("cy").key
    for _ in range(8):
        lan.pass_time(0.5)
        cy.says("ben", ShareAsk(epoch))
        assert len(shared(cy)) == before
    lan.pass_time(1.0)
    assert len(shared(cy)) == before + 1


def test_r_is_taken_from_the_host_alone() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    cy.says("ben", Secret(lan.books.epoch, bytes(32)))
    assert lan["ben"].the._reign._secret == (0, b"")
    assert lan["ben"].told(Alarm) == []
    untouched(lan, "ana", "ben", "dot")


def test_a_share_that_nobody_asked_for_is_no_message_of_a_guest() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    assert cy.says("ben", Share(lan.books.epoch, 1, bytes(66))) == []
    (last,) = cy.says("ana", Share(lan.books.epoch, 1, bytes(66)))
    assert isinstance(last, Close)
    assert last.reason == Reason.BROKEN
    untouched(lan, "ana", "ben", "dot")


# ---- T25: votes


def test_two_votes_in_one_term_are_kept_as_proof_and_told_once() -> None:
    lan = playing()
    cy = lan.turned("cy")
    lan.kill("ana")
    lan.pass_time(4.0)
    pen = forge(lan, "cy")
    one, other = pen.vote("cy", "cy", 2), pen.vote("cy", "dot", 2)
    hostsig = lan.books.journal.hostsig
    cy.says("ben", VoteAsk(one, hostsig), other, other)
    assert [(notice.nick, notice.term) for notice in lan["ben"].told(DoubleVote)] == [("cy", 2)]
    votes = msgspec.msgpack.decode(lan["ben"].secrets["proof"], type=tuple[Vote, Vote])
    assert all(verify_vote(vote) and vote.voter == identity("cy").key for vote in votes)
    assert (votes[0].term, votes[0].table) == (votes[1].term, votes[1].table)
    assert votes[0].candidate != votes[1].candidate


def test_a_vote_that_somebody_else_signed_is_no_vote_and_its_bringer_is_named() -> None:
    lan = playing()
    cy = lan.turned("cy")
    (last,) = cy.says("ben", forge(lan, "cy").vote("dot", "cy", 2))
    assert isinstance(last, Close)
    (alarm,) = lan["ben"].told(Alarm)
    assert alarm.text.startswith("cy: ")
    assert lan["ben"].told(DoubleVote) == []


def test_the_votes_of_a_leaver_one_shown_out_and_an_outsider_stop_nobody() -> None:
    lan = playing()
    for name in ("dot", "eli"):  # dot says good-bye, eli is shown out; their links stay in evil hands
        script = lan.turned(name)
        if name == "dot":
            script.says("ana", script.leave())
        else:
            lan["ana"].order("kick", "eli", "", "0")
            lan.pass_time(1.0)
        for term in (2, AHEAD):
            vote = sign_vote(
                identity(name), lan.books.table, term, identity(name).key, None, (1, 0, lan.books.journal.heads[0])
            )
            for far in ("ana", "ben", "cy"):
                if script.has_link_to(far):
                    script.says(far, VoteAsk(vote, bytes(64)))
    zed = lan.bare("zed")
    vote = sign_vote(identity("zed"), lan.books.table, 2, identity("zed").key, None, (1, 0, lan.books.journal.heads[0]))
    for far in ("ana", "ben"):
        lan.connect(zed, lan[far])
        zed.says(far, VoteAsk(vote, bytes(64)))
        assert isinstance(zed.received[-1][1], Close)
    lan.pass_time(2.0)
    assert lan.host.name == "ana"
    assert lan.books.term == 1
    assert len(lan.books.voters) == 3
    untouched(lan, "ana", "ben", "cy")
    goes_on(lan)


def test_a_vote_for_a_term_that_nobody_can_have_come_to_stops_no_host() -> None:
    lan = playing()
    cy = lan.turned("cy")
    for term in (AHEAD + 2, 2**31, 2**32 - 1):
        vote = forge(lan, "cy").vote("cy", "cy", term)
        for far in ("ana", "ben"):
            cy.says(far, VoteAsk(vote, bytes(64)))
    lan.pass_time(2.0)
    assert lan.host.name == "ana"
    assert lan.books.term == 1


def test_terms_used_up_by_a_liar_end_no_program() -> None:
    """What stays possible: a voter may keep a table from having a host; it can be shown out by its own signature."""
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan["ben"].the._election._terms.raise_to(2**32 - 2, None)
    lan["ben"].the._election._terms._bound = (2**32 - 2, None)
    cy.says("ben", VoteAsk(forge(lan, "cy").vote("cy", "cy", 2**32 - 1), bytes(64)))
    lan.kill("ana")
    lan.pass_time(30.0)
    untouched(lan, "ben", "dot")

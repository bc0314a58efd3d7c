"""A voter that lies when the host changes: about shares, votes, its good-bye and who is host (T23 to T25, T28)."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest
from msgspec.structs import replace

from p2pcards.table.effects import Left
from p2pcards.table.election import DEAD
from p2pcards.table.notices import Alarm, Closed, DoubleVote, FalseShare, HostIs, RolledBack
from p2pcards.table.terms import AHEAD
from p2pcards.wire.entries import Cause, EntryKind, Fork, Roster, SeatKind, TermStart, decode_pub
from p2pcards.wire.envelope import ActKind, LeaveReason
from p2pcards.wire.messages import (
    Close,
    Entries,
    ForkAsk,
    ForkSay,
    Get,
    Heartbeat,
    Message,
    Reason,
    Refused,
    Secret,
    Share,
    ShareAsk,
    VoteAsk,
    Welcome,
)
from p2pcards.wire.vote import Vote, sign_fork, sign_vote, verify_vote
from tests.testing.cluster import identity
from tests.testing.evil import SUITE
from tests.testing.forge import Forge
from tests.testing.peers import Lan, Program
from tests.testing.tally import Tally

FIVE = ("ana", "ben", "cy", "dot", "eli")


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(SUITE)


def playing(*names: str) -> Lan:
    """A table in its first round; ana hosts."""
    lan = Lan(*(names or FIVE), game="onecard")
    lan.start()
    return lan


def forge(lan: Lan, name: str, length: int | None = None) -> Forge:
    """A pen that goes on with the table's journal as that name likes."""
    return Forge(identity(name), lan.books.journal.copy(length))


def untouched(lan: Lan, *names: str) -> None:
    """These still sit at the table."""
    for name in names:
        assert not lan[name].the.finished, name
        assert lan[name].told(Closed) == [], name


def goes_on(lan: Lan) -> None:
    """The round is played to its end, and everybody who is honest holds the same."""
    lan.play()
    lan.pass_time(2.0)
    lan.agree()


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
    lan["ben"].the._election._terms._raised = 2**32 - 2
    cy.says("ben", VoteAsk(forge(lan, "cy").vote("cy", "cy", 2**32 - 1), bytes(64)))
    lan.kill("ana")
    lan.pass_time(30.0)
    untouched(lan, "ben", "dot")


# ---- T28: good-byes at a bad moment


def departures(lan: Lan) -> list[str]:
    """Who has left by the newest books, in order."""
    names = {identity(name).key: name for name in (*FIVE, "zed")}
    pubs = (decode_pub(entry.kind, entry.pub) for entry in lan.books.journal.entries if entry.kind is EntryKind.ROSTER)
    return [names[pub.subject] for pub in pubs if isinstance(pub, Roster) and pub.cause is Cause.LEAVES]


def test_a_good_bye_while_nobody_is_host_stands_in_the_next_hosts_journal() -> None:
    lan = playing()
    lan.kill("ana")
    lan.pass_time(1.0)
    lan["dot"].feed(Left(LeaveReason.LEAVE))
    lan.pass_time(8.0)
    assert (lan.host.name, departures(lan)) == ("ben", ["dot"])
    assert identity("dot").key not in lan.books.voters
    goes_on(lan)


def _leaves_at(lan: Lan, name: str, moment: Callable[[Message], bool]) -> None:
    """It goes as soon as such a message is on its way to it."""

    def look(sender: str, far: str, message: Message) -> Message:
        if far == name and moment(message):
            lan.tamper = None
            lan.later(lambda: lan[name].feed(Left(LeaveReason.LEAVE)))
        return message

    lan.tamper = look


def test_who_leaves_in_the_middle_of_an_election_stops_nothing() -> None:
    lan = playing()
    _leaves_at(lan, "dot", lambda message: isinstance(message, VoteAsk))
    lan.kill("ana")
    lan.pass_time(12.0)
    assert (lan.host.name, departures(lan)) == ("ben", ["dot"])
    goes_on(lan)


def test_who_leaves_between_a_handover_and_its_term_stops_nothing() -> None:
    def handed(message: Message) -> bool:
        return isinstance(message, Entries) and any(wire[1] == EntryKind.HANDOVER for wire in message.wires)

    lan = playing()
    _leaves_at(lan, "dot", handed)
    lan["ana"].order("handover", "ben")
    lan.pass_time(5.0)
    assert (lan.host.name, departures(lan)) == ("ben", ["dot"])
    goes_on(lan)


@pytest.mark.parametrize("how", ["no reason", "of another", "over nothing", "of this term's end"])
def test_a_good_bye_that_is_none_does_not_hurt_the_next_host(how: str) -> None:
    lan = playing()
    dot = lan.turned("dot")
    bad = {
        "no reason": dot.act(ActKind.LEAVE, b"\xff" + bytes(4)),
        "of another": replace(dot.leave(by="cy"), actsig=dot.leave(by="dot").actsig),
        "over nothing": dot.leave(n=0),
        "of this term's end": dot.leave(2**32 - 1),
    }[how]
    lan.kill("ana")
    for name in ("ben", "cy", "eli"):
        dot.says(name, bad)
    lan.pass_time(8.0)
    assert (lan.host.name, departures(lan)) == ("ben", [])
    untouched(lan, "ben", "cy", "eli")
    goes_on(lan)


def test_an_old_good_bye_said_again_by_another_does_not_take_the_seat() -> None:
    lan = Lan(*FIVE, game="onecard")
    lan["dot"].feed(Left(LeaveReason.LEAVE))
    lan.pass_time(1.0)
    (old,) = [said for said in lan["dot"].sent if type(said[1]).__name__ == "Act"]
    lan.come("dot")
    lan.start()
    cy = lan.turned("cy")
    cy.says("ana", old[1])
    lan.kill("ana")
    cy.says("ben", old[1])
    lan["cy"].alive = False
    lan.pass_time(8.0)
    assert lan.host.name == "ben"
    assert departures(lan) == ["dot"]
    assert lan.books.seats[3].kind is SeatKind.MEMBER


def test_a_good_bye_of_a_term_that_never_was_stops_no_host() -> None:
    """It is the word of one, so it counts where there are elections, as a vote does, and for what there can be."""
    lan = playing("ana", "cy")
    cy = lan.turned("cy")
    (answer,) = cy.says("ana", cy.leave(2))
    assert isinstance(answer, Refused)
    assert answer.code == "stale"
    lan.pass_time(2.0)
    assert lan.host.name == "ana"
    lan = playing()
    cy = lan.turned("cy")
    (answer,) = cy.says("ana", cy.leave(AHEAD + 2))
    assert isinstance(answer, Refused)
    assert lan.host.name == "ana"
    assert departures(lan) == []


def test_who_asks_for_the_journal_again_and_again_gets_it_and_nothing_else_comes_of_it() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    journal = list(lan["ben"].journal)
    for far in ("ana", "ben"):
        answers = cy.says(far, *[Get(0)] * 50, Get(2**64 - 1), Get(len(journal)))
        wires = [wire for said in answers if isinstance(said, Entries) for wire in said.wires]
        assert wires[: len(journal)] == journal
    lan.pass_time(1.0)
    untouched(lan, "ana", "ben", "dot")
    assert lan["ben"].told(Alarm) == []


# ---- going on without the others


def test_nobody_who_is_no_member_asks_for_a_fork() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    lan.kill("ana", "dot")
    zed = lan.bare("zed")
    lan.connect(zed, lan["ben"])
    journal = lan.books.journal
    keys = tuple(sorted((identity("zed").key, identity("ben").key)))
    zed.says("ben", ForkAsk(journal.table, journal.last, journal.head, bytes(16), keys))
    assert zed.heard(ForkSay) == []
    assert isinstance(zed.received[-1][1], Close)
    assert lan["ben"].the._election.file.forks == ()


def test_the_yes_of_another_is_no_yes_and_who_brings_it_is_named() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan.kill("ana", "dot")
    lan.stays(cy, 25, "ben")
    ask = cy.heard(ForkAsk)[-1]
    sig = sign_fork(identity("dot"), ask.table, ask.head, ask.fresh)
    cy.says("ben", ForkSay(ask.table, ask.fresh, True, sig))
    assert lan["ben"].told(Alarm)[0].text.startswith("cy: ")
    forks = [decode_pub(entry.kind, entry.pub) for entry in lan.books.journal.entries if entry.kind is EntryKind.FORK]
    assert [isinstance(fork, Fork) and dict(fork.said).keys() for fork in forks] in ([], [{identity("ben").key}])


def test_who_has_a_host_is_not_led_away_by_somebody_who_goes_on_alone() -> None:
    lan = playing()
    cy = lan.turned("cy")
    table, journal = lan.books.table, list(lan["ben"].journal)
    told = len(lan["ben"].told(HostIs))
    cy.says("ben", Entries(0, (forge(lan, "cy").forked("cy", "cy"),)))
    lan.pass_time(2.0)
    assert lan["ben"].the.guest.public.table == table
    assert lan["ben"].journal[: len(journal)] == journal
    assert len(lan["ben"].told(HostIs)) == told
    goes_on(lan)


# ---- who says that it is host


def test_what_a_member_calls_committed_is_committed_for_nobody() -> None:
    """Else who was told so would refuse the next host, who holds less."""
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    ben = lan["ben"].the.guest
    lan.tamper = lambda sender, far, message: (
        replace(message, commit=0) if sender == "ana" and isinstance(message, Entries | Heartbeat) else message
    )
    lan.act(lan.movers[0])
    held, newest = ben.committed, ben.journal.last
    assert held < newest
    cy.says("ben", Entries(2**64 - 1, ()))
    assert ben.committed == held


@pytest.mark.parametrize("last", [0, 2**64 - 1])
def test_who_only_says_that_it_is_host_is_not_followed(last: int) -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan.silence("ana", "ben")
    lan.pass_time(4.5)
    lan.breaks("cy", "ben")  # so ben dials it anew
    lan.pass_time(0.6)
    books = lan.books
    welcome = Welcome(books.table, 5, identity("cy").key, 2, "open", last, last, b"")
    answers = cy.says("ben", welcome)
    assert any(isinstance(answer, Get) for answer in answers)
    assert lan["ben"].the.guest.host_link != cy.links[cy.link_to("ben")][1]
    junk = Heartbeat(books.table, 1, 0, bytes(32), 0, 1, bytes(64))
    cy.says("ben", junk)
    untouched(lan, "ben")


def test_a_host_of_two_whose_guest_lies_about_another_table_goes_on() -> None:
    lan = playing("ana", "cy")
    cy = lan.turned("cy")
    lan.breaks("cy", "ana")
    lan.pass_time(1.0)
    assert lan["ana"].the.host is not None
    cy.says("ana", Welcome(bytes(16), 2, identity("cy").key, 1, "open", 0, 0, b""))
    assert lan["ana"].the.host is None, "what is another table by a FORK of the other one is followed"
    cy.says("ana", Entries(0, (b"junk" * 100,)))
    lan.pass_time(1.0)
    assert lan["ana"].the.host is not None
    untouched(lan, "ana")


def test_a_host_of_two_whose_guest_lies_and_is_silent_goes_on() -> None:
    lan = playing("ana", "cy")
    cy = lan.turned("cy")
    lan.breaks("cy", "ana")
    lan.pass_time(1.0)
    cy.says("ana", Welcome(bytes(16), 2, identity("cy").key, 1, "open", 2**64 - 1, 0, b""))
    for beat in range(int(DEAD) + 2):
        if cy.has_link_to("ana"):
            cy.says("ana", Heartbeat(bytes(16), 9, 2**40, bytes(32), 0, beat, bytes(64)))
        lan.pass_time(1.0)
    assert lan["ana"].the.host is not None
    untouched(lan, "ana")


@pytest.mark.parametrize("reason", [Reason.KICKED, Reason.BANNED, Reason.VERSION])
def test_a_member_shows_nobody_out_of_another_hosts_table(reason: Reason) -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan.kill("ben")
    ben = lan.again("ben")
    lan.apart |= {frozenset(("ben", name)) for name in ("ana", "dot")}
    lan.until(lambda: cy.has_link_to("ben"))
    cy.says("ben", Close(reason, "go away", 0))
    assert not ben.the.finished
    lan.apart.clear()
    lan.pass_time(3.0)
    assert ben.the.guest.welcomed
    goes_on(lan)


def test_entries_of_nobodys_make_nobody_a_liar() -> None:
    """A GENESIS or a TERM_START names its own signer: that two of them differ is no proof against either's host."""
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    other = Forge(identity("cy"))
    cy.says("ben", Entries(0, (other.genesis(),)))
    (alarm,) = lan["ben"].told(Alarm)
    assert alarm.text.startswith("cy: ")
    assert "proof" not in lan["ben"].secrets
    untouched(lan, "ben")


def test_what_might_become_another_line_of_the_table_is_not_kept_unchecked() -> None:
    lan = playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    pen = forge(lan, "cy", len(lan.books.journal) - 1)
    pen.term = 7
    lan["ben"].the.guest._reader.committed = 3
    wires = tuple(pen.entry(EntryKind.TERM_START, TermStart(identity("cy").key, (), 0)) for _ in range(3))
    cy.says("ben", Entries(0, wires))
    assert lan["ben"].the.guest._follower._branch == []
    assert lan["ben"].told(Alarm)[0].text.startswith("cy: ")
    assert lan["ben"].told(RolledBack) == []

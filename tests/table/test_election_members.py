"""Elections with voters that come, go, hand over, lie, or go on as another table (protocol 7.2, 7.5)."""

from __future__ import annotations

import pytest

from p2pcards.table.notices import DoubleVote
from p2pcards.table.votefile import NEVER, VoteFile
from p2pcards.wire.entries import Cause, EntryKind, Kick, Roster
from p2pcards.wire.messages import RAISED_BY_ENTRY, RAISED_BY_VOTE, Prevote, Stale, VoteAsk, encode
from tests.testing.cluster import identity
from tests.testing.electorate import DUE, follow, prevote_ask, room, table, two, vote_ask, vote_of, yes
from tests.testing.forge import NAMES, Forge

ANA, BEN, CY = (identity(name).key for name in NAMES)


# ---- tables that elect nobody


def test_two_elect_nobody_and_a_vote_among_them_ends_no_term() -> None:
    forge = two()
    at = room("host", "ana", forge=forge)
    at.tick(100.0)
    assert not at.said
    assert at.box("ana").wake_at is None
    assert at.take("ana", "host", vote_ask(forge, "ana")) == []
    at.take("ana", "host", Stale(RAISED_BY_VOTE, encode(vote_of(forge, "ana", "ana"))[1]))
    at.take("ana", "host", vote_of(forge, "ana", "ana"))
    assert not at.box("host").raised


def test_a_spectator_has_no_part_in_it() -> None:
    at = room("dot", "ana", "ben", "cy")
    box = at.box("dot")
    box.tick(100.0, [ANA, BEN, CY])
    assert not box.sent
    assert not box.may_vote
    assert box.vote_file  # it could be made a voter


# ---- leaving, and coming without a vote file


def test_who_leaves_votes_and_acknowledges_no_more() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    box = at.box("ben")
    box.leave()
    assert VoteFile.decode(box.kept or b"") == VoteFile(left=True, since=0)
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == []
    assert [box.may_vote, box.may_ack, box.vote_file] == [False, False, False]
    box.welcomed(7)  # over a new line, before the good-bye arrived
    assert not box.may_vote


def test_who_comes_back_after_leaving_votes_when_it_is_admitted_anew() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.box("ben").leave()
    at.files["ben"] = at.box("ben").kept or b""
    box = at.restart("ben")
    assert box.may_ack
    assert not box.may_vote
    box.welcomed(forge.journal.last + 1)
    current = at.books["ben"]
    again = Roster(current.seats, current.voters, current.spectators, Cause.READMITTED, BEN)
    forge.entry(EntryKind.ROSTER, again)  # written before the host knew that it was back
    follow(current, forge.journal)
    assert not box.may_vote
    forge.entry(EntryKind.ROSTER, again)
    follow(current, forge.journal)
    assert box.may_vote


@pytest.mark.parametrize("how", ["none", "boot"])
def test_without_a_vote_file_of_this_boot_there_is_no_vote_until_admitted_anew(how: str) -> None:
    forge = table()
    at = room("ben", forge=forge)
    box = at.restart("ben", same_boot=how != "boot", lost=how == "none")
    at.now = 20.0
    assert not box.vote_file
    assert box.may_ack
    assert not yes(at.take("ana", "ben", prevote_ask(forge)))
    assert at.take("ana", "ben", vote_ask(forge, "ana")) == []
    box.welcomed(forge.journal.last)
    assert not box.vote_file
    current = at.books["ben"]
    forge.entry(EntryKind.ROSTER, Roster(current.seats, current.voters, current.spectators, Cause.READMITTED, BEN))
    follow(current, forge.journal)
    assert box.vote_file
    assert len(at.take("ana", "ben", vote_ask(forge, "ana", 3))) == 1


def test_that_the_file_is_new_is_written_down_too() -> None:
    at = room("ben")
    box = at.restart("ben", lost=True)
    assert VoteFile.decode(box.kept or b"") == VoteFile(since=NEVER)
    box.welcomed(7)
    assert VoteFile.decode(box.kept or b"") == VoteFile(since=8)
    box.welcomed(9)
    assert box.file.since == 8


def test_who_opens_a_table_may_vote_from_its_first_entry_on() -> None:
    at = room("host")
    box = at.restart("host", lost=True)
    box.welcomed(-1)
    assert box.may_vote


# ---- shown out


def without_ana(forge: Forge) -> None:
    """The host shows ana out, who has no vote from there on."""
    forge.entry(EntryKind.KICK, Kick(ANA, "rude", 0, ()))


def test_the_term_of_who_is_shown_out_is_none_for_who_did_not_vote_in_it() -> None:
    forge = table()
    at = room("ben", forge=forge)
    box = at.box("ben")
    at.take("ana", "ben", vote_ask(forge, "ana"))  # too early for a vote
    assert (box.term, box.raised) == (2, True)
    without_ana(forge)
    follow(at.books["ben"], forge.journal)
    assert (box.term, box.raised) == (1, False)
    assert box.stale is None


def test_who_voted_in_it_shows_the_host_its_own_vote() -> None:
    forge = table()
    at = room("ben", "host", forge=forge)
    box, host = at.box("ben"), at.box("host")
    at.now = 10.0
    (vote,) = at.take("ana", "ben", vote_ask(forge, "ana"))
    without_ana(forge)
    for books in at.books.values():
        follow(books, forge.journal)
    assert (box.term, box.raised) == (2, True)
    assert box.stale == Stale(RAISED_BY_VOTE, encode(vote)[1])
    at.take("ben", "host", box.stale)
    assert host.raised


def test_who_voted_stays_bound_where_a_later_term_is_taken_back() -> None:
    forge = table()
    at = room("ben", forge=forge)
    at.now = 10.0
    (vote,) = at.take("cy", "ben", vote_ask(forge, "cy"))
    at.take("ana", "ben", vote_ask(forge, "ana", 3))  # too early for another vote
    assert at.box("ben").term == 3
    without_ana(forge)
    follow(at.books["ben"], forge.journal)
    for box in (at.box("ben"), at.restart("ben")):
        assert (box.term, box.raised) == (2, True)
        assert box.stale == Stale(RAISED_BY_VOTE, encode(vote)[1])


# ---- hand-over


def handed_over() -> Forge:
    forge = table()
    forge.hands_over("ben")
    return forge


def test_who_holds_a_handover_votes_only_above_its_term() -> None:
    forge = handed_over()
    at = room("cy", forge=forge)
    at.now = 10.0
    assert not yes(at.take("ana", "cy", prevote_ask(forge, 2)))
    assert at.take("ana", "cy", vote_ask(forge, "ana", 2)) == []
    assert yes(at.take("ana", "cy", prevote_ask(forge, 3)))
    assert len(at.take("ana", "cy", vote_ask(forge, "ana", 3))) == 1


def test_who_holds_a_handover_stands_only_above_its_term() -> None:
    at = room(forge=handed_over())
    at.tick(DUE)
    won = at.box("ana").won
    assert won is not None
    assert won.term == 3


def test_who_stands_for_a_term_that_is_given_to_a_successor_meanwhile_is_not_elected_for_it() -> None:
    forge = table()
    at = room("ana", forge=forge)
    box = at.box("ana")
    at.tick(DUE)
    box.tick(DUE, [BEN, CY])
    for name in ("ben", "cy"):
        at.take(name, "ana", Prevote(forge.journal.table, 2, True))
    votes = [vote_of(forge, name, "ana") for name in ("ben", "cy")]
    forge.hands_over("ana")
    follow(at.books["ana"], forge.journal)
    for name, vote in zip(("ben", "cy"), votes, strict=True):
        at.take(name, "ana", vote)
    assert box.won is None


def test_a_successor_takes_over_its_term() -> None:
    forge = handed_over()
    at = room("ben", forge=forge)
    box = at.box("ben")
    box.adopt(2)
    assert (box.term, box.raised) == (2, True)
    forge.took_over("ben")
    follow(at.books["ben"], forge.journal)
    assert not box.raised


# ---- proof


def test_two_votes_of_one_voter_in_one_term_are_kept_and_told_once() -> None:
    forge = table()
    at = room("ben", forge=forge)
    box = at.box("ben")
    one, other = vote_of(forge, "cy", "cy"), vote_of(forge, "cy", "ana")
    at.take("cy", "ben", VoteAsk(one, forge.journal.hostsig))
    at.take("cy", "ben", VoteAsk(one, forge.journal.hostsig))
    assert not box.proofs
    at.take("cy", "ben", other)
    at.take("cy", "ben", other)
    assert box.proofs == [(one, other)]
    assert box.notices == [DoubleVote("cy", 2)]


def test_a_vote_in_a_certificate_may_be_the_second_one() -> None:
    forge = table()
    at = room("ben", forge=forge)
    one = vote_of(forge, "cy", "cy")
    at.take("cy", "ben", VoteAsk(one, forge.journal.hostsig))
    forge.elected("ana", "ana", "host", "cy", term=2)
    follow(at.books["ben"], forge.journal)
    at.tick(1.0)
    assert [pair[0] for pair in at.box("ben").proofs] == [one]


# ---- another table


def test_behind_a_fork_nothing_of_the_old_table_counts() -> None:
    forge = table()
    at = room("ana", forge=forge)
    box = at.box("ana")
    at.now = 10.0
    at.take("ben", "ana", vote_ask(forge, "ben", 5))
    assert box.term == 5
    box.sign_fork(bytes(15) + b"f")
    assert [box.may_vote, box.may_ack] == [False, False]
    forge.forked("ana", "ana", "ben", "cy")
    follow(at.books["ana"], forge.journal)
    box.tick(11.0, [])
    assert (box.term, box.raised) == (2, False)
    assert box.may_vote
    assert box.may_ack
    assert box.file.refuses(at.books["ana"].tables[0])


def test_a_fork_gives_back_the_vote_that_a_reboot_took() -> None:
    forge = table()
    at = room("ana", forge=forge)
    box = at.restart("ana", same_boot=False)
    assert not box.may_vote
    box.sign_fork(bytes(15) + b"f")
    forge.forked("ana", "ana", "ben", "cy")
    follow(at.books["ana"], forge.journal)
    box.tick(11.0, [])
    assert box.may_vote


def test_a_fork_of_others_ends_no_term() -> None:
    forge = table()
    at = room("host", forge=forge)
    ours = table()
    forge.forked("ana", "ana", "ben")
    at.take("ana", "host", Stale(RAISED_BY_ENTRY, forge.journal.wires[3]))
    assert not at.box("host").raised
    ours.forked("host", "host", "ana")
    at.take("ana", "host", Stale(RAISED_BY_ENTRY, ours.journal.wires[3]))
    assert at.box("host").raised

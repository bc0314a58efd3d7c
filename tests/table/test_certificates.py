"""Who is host, as the journal tells it: no term begins without a quorum's votes or the word of the host before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table import lobby
from p2pcards.table.certificates import host_of
from p2pcards.table.journal import Journal
from p2pcards.table.public import Public
from p2pcards.table.rosters import OPEN
from p2pcards.wire.entries import BotPub, BotReason, Cause, EntryKind, Roster, decode_wire
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.vote import Vote
from tests.testing.books import Table, key
from tests.testing.cluster import identity
from tests.testing.evil_host import SUITE
from tests.testing.forge import NAMES, Forge, bot, member
from tests.testing.tally import Tally

ANA, BEN, CY = map(member, NAMES)


def elected(table: Table, name: str = "ana", *voters: str) -> Table:
    return table.take(table.forge.elected(name, *(voters or ("ana", "ben", "cy"))))


def seated(table: Table, name: str, votes: bool = True) -> Roster:
    """Somebody takes the third seat, and the vote with it."""
    roster = lobby.seated(table.books, key(name), name, 2, program=False)
    return replace(roster, voters=(*roster.voters, key(name))) if votes else roster


# ---- elected


def test_a_quorum_of_the_voters_makes_a_host() -> None:
    table = elected(Table())
    books = table.books
    assert (books.host, books.term, books.epoch) == (key("ana"), 2, 0)
    assert books.reigns == [(0, key("host")), (books.journal.last, key("ana"))]
    table.take(table.forge.options())  # and writes from then on


def test_more_votes_than_needed_and_those_for_an_earlier_head_count() -> None:
    table = Table()
    forge = table.forge
    votes = [forge.vote(name, "ben", 7, at=2) for name in ("host", "ana", "ben", "cy")]
    table.take(forge.options(), forge.elected("ben", *votes, term=7))
    assert (table.books.host, table.books.term) == (key("ben"), 7)


def test_a_host_without_a_seat_votes_on_when_it_is_host_no_more() -> None:
    table = elected(Table())
    assert table.books.votes(key("host"))
    table.take(table.forge.roster(ANA, BEN, CY))
    table.take(table.forge.elected("host", "host", "ben", "cy"))
    assert table.books.host == key("host")


def test_the_old_host_can_write_nothing_more() -> None:
    table = elected(Table())
    table.forge.host = identity("host")
    assert "not signed by the host" in table.refuses(table.forge.options())


def _late(forge: Forge, name: str) -> list[Vote]:
    """Votes of ana and ben as they must be, and one of somebody else."""
    return [forge.vote("ana", "ana", 2), forge.vote("ben", "ana", 2), forge.vote(name, "ana", 2)]


def _but(forge: Forge, **changes: Any) -> bytes:
    """Elected by ana, ben and a vote of cy's that is changed after it was signed, or signed otherwise."""
    return forge.elected("ana", "ana", "ben", forge.vote("cy", "ana", 2, **changes))


NOBODY: dict[str, tuple[Callable[[Forge], bytes], str]] = {
    "by nobody": (lambda f: f.elected("ana"), "nobody has chosen"),
    "by too few": (lambda f: f.elected("ana", "ana", "ben"), "too few"),
    "by one twice": (lambda f: f.elected("ana", "ana", "ben", "ben"), "counted twice"),
    "by one thrice with other heads": (
        lambda f: f.elected("ana", "ana", "ben", f.vote("ben", "ana", 2, at=2)),
        "counted twice",
    ),
    "by a spectator": (lambda f: f.elected("ana", *_late(f, "dot")), "who has none"),
    "by a stranger": (lambda f: f.elected("ana", *_late(f, "eve")), "who has none"),
    "by a quorum and a stranger": (lambda f: f.elected("ana", "ana", "ben", "cy", "eve"), "who has none"),
    "of no vote": (lambda f: f.elected("dot", "ana", "ben", "cy"), "no vote at this table"),
    "from outside": (lambda f: f.elected("eve", "ana", "ben", "cy"), "no vote at this table"),
    "by votes for another": (lambda f: f.elected("ana", "ana", "ben", f.vote("cy", "ben", 2)), "another host"),
    "by votes of another term": (lambda f: f.elected("ana", "ana", "ben", f.vote("cy", "ana", 3)), "term"),
    "by votes of an older term": (lambda f: f.elected("ana", "ana", "ben", f.vote("cy", "ana", 2), term=3), "term"),
    "by a vote at another table": (lambda f: _but(f, table=bytes(16)), "table"),
    "by a vote over another head": (lambda f: _but(f, head=bytes(32)), "another history"),
    "by a vote over what is not yet": (lambda f: _but(f, last=9), "another history"),
    "by a vote over its own entry": (lambda f: _but(f, last=3), "another history"),
    "by a vote over another term": (lambda f: _but(f, last_term=2), "another history"),
    "by a vote signed by another": (lambda f: _but(f, sig=f.vote("ben", "ana", 2).sig), "did not sign"),
    "by a vote with another seat": (lambda f: _but(f, seat=1), "did not sign"),
    "in the same term": (lambda f: f.elected("ana", "ana", "ben", "cy", term=1), "after term 1"),
    "in an older term": (lambda f: f.elected("ana", "ana", "ben", "cy", term=0), "after term 1"),
    "by votes and a HANDOVER": (lambda f: f.elected("ana", "ana", "ben", "cy", handover=2), "counted twice"),
    "by a HANDOVER that there is not": (lambda f: f.took_over("ana"), "nobody has chosen"),
    "over what it was not voted for": (
        lambda f: f.elected("ana", "ana", "ben", f.vote("cy", "ana", 2, at=1)),
        "in which its voter has none yet",
    ),
}


@pytest.mark.parametrize("name", NOBODY)
def test_nobody_is_host(name: str) -> None:
    table = Table()
    make, why = NOBODY[name]
    assert why in table.refuses(make(table.forge))
    assert (table.books.host, table.books.term) == (key("host"), 1)


def test_two_elect_nobody() -> None:
    table = Table()
    table.without("cy", "ben")
    assert table.books.voters == (key("host"), key("ana"))
    assert "too few" in table.refuses(table.forge.elected("ana", "host", "ana"))


def test_an_entry_of_a_new_term_that_is_signed_by_another_than_its_host_is_refused() -> None:
    table = Table()
    wire = table.forge.elected("ana", "ana", "ben", "cy")
    entry, _ = decode_wire(wire)
    with pytest.raises(ProtocolError, match="not signed by the host"):
        table.books.journal.accept(wire, key("ben"))
    assert host_of(entry, table.books) == key("ana")


# ---- whose vote counts


def test_a_leavers_vote_counts_no_more_and_fewer_decide(tally: Tally) -> None:
    table = Table()
    table.take(table.good_bye("cy"))
    assert "who has none" in table.refuses(table.forge.elected("ana", "ana", "ben", "cy"))
    table = Table()
    table.take(table.good_bye("cy"))
    elected(table, "ana", "ana", "ben")
    tally(SUITE)  # TERM_START with the vote of a leaver or outsider


def test_the_vote_of_who_is_being_shown_out_counts_no_more_but_as_many_as_before_decide() -> None:
    table = Table()
    table.take(table.kick("cy"))
    assert "who has none" in table.refuses(table.forge.elected("ana", "ana", "ben", "cy"))
    table = Table()
    table.take(table.kick("cy"))
    assert "too few" in table.refuses(table.forge.elected("ana", "ana", "ben"))
    table = Table()
    table.take(table.kick("cy"))
    assert "no vote at this table" in table.refuses(table.forge.elected("cy", "host", "ana", "ben"))
    table = Table()
    table.take(table.kick("cy"))
    elected(table, "ana", "host", "ana", "ben")
    assert table.books.going == key("cy")  # the new host has to do it
    table.take(table.roster(lobby.kicked(table.books, key("cy"), "easy")))
    assert table.books.going == b""


def test_a_new_voter_counts_over_histories_that_tell_of_it() -> None:
    table = Table()
    table.without("cy")
    table.take(table.roster(seated(table, "eve")))
    at = table.books.journal.last
    assert table.books.admitted[key("eve")] == at
    votes = [table.forge.vote("eve", "ana", 2, at=at - 1), *(table.forge.vote(n, "ana", 2) for n in ("ana", "ben"))]
    assert "has none yet" in table.refuses(table.forge.elected("ana", *votes))


def test_who_lost_its_vote_file_is_admitted_again_and_counts_from_there_on() -> None:
    table = Table()
    again = Roster(table.books.seats, table.books.voters, table.books.spectators, Cause.READMITTED, key("cy"))
    table.take(table.roster(again))
    at = table.books.journal.last
    assert table.books.admitted[key("cy")] == at
    assert table.books.admitted[key("ben")] == 2
    votes = [table.forge.vote("cy", "ana", 2, at=at - 1), *(table.forge.vote(n, "ana", 2) for n in ("ana", "ben"))]
    assert "has none yet" in table.refuses(table.forge.elected("ana", *votes))


def test_a_member_without_a_vote_file_is_seated_and_has_no_vote() -> None:
    table = Table()
    table.without("cy")
    table.take(table.roster(seated(table, "eve", votes=False)))
    assert table.books.seat_of(key("eve")) == 2
    assert not table.books.votes(key("eve"))
    elected(table, "ana", "ana", "ben")


ADMITTED: dict[str, Callable[[Table], Roster]] = {
    "a spectator": lambda t: replace(_same(t), subject=key("dot"), voters=(*t.books.voters, key("dot"))),
    "nobody": lambda t: replace(_same(t), subject=b""),
    "one and another loses its vote": lambda t: replace(_same(t), subject=key("cy"), voters=t.books.voters[1:]),
    "one and seats are changed": lambda t: replace(_same(t), subject=key("cy"), seats=(BEN, ANA, CY)),
    "one and a spectator goes": lambda t: replace(_same(t), subject=key("cy"), spectators=()),
}


def _same(table: Table) -> Roster:
    return Roster(table.books.seats, table.books.voters, table.books.spectators, Cause.READMITTED)


@pytest.mark.parametrize("name", ADMITTED)
def test_nothing_else_is_slipped_in_with_a_voter_admitted_again(name: str) -> None:
    table = Table()
    table.refuses(table.roster(ADMITTED[name](table)))


def test_inside_a_round_nobody_is_made_a_voter() -> None:
    table = Table()
    table.without("cy")
    table.take(table.roster(seated(table, "eve", votes=False)))
    table.take(table.forge.match(), table.forge.deal_open())
    more = Roster(table.books.seats, (*table.books.voters, key("eve")), table.books.spectators, Cause.SEATS)
    for roster in (more, replace(more, cause=Cause.READMITTED, subject=key("eve"))):
        assert "inside a round" in table.refuses(table.forge.entry(EntryKind.ROSTER, roster))
        table.forge = Forge(table.forge.host, table.books.journal)


def test_inside_a_round_nobody_is_admitted_again() -> None:
    table = Table()
    table.take(table.forge.match(), table.forge.deal_open())
    assert "inside a round" in table.refuses(table.roster(replace(_same(table), subject=key("cy"))))


VOTES_TAKEN: dict[str, Callable[[Table], Roster]] = {
    "of one who stays": lambda t: replace(_seats(t), voters=t.books.voters[:-1]),
    "of one named who stays": lambda t: replace(_seats(t), voters=t.books.voters[:-1], subject=key("cy")),
    "of one who goes unnamed": lambda t: replace(_seats(t, CY), voters=t.books.voters[:-1]),
    "of two at once": lambda t: replace(_seats(t, BEN, CY), voters=t.books.voters[:2], subject=key("cy")),
}


def _seats(table: Table, *gone: Any) -> Roster:
    seats = tuple(OPEN if held in gone else held for held in table.books.seats)
    return Roster(seats, table.books.voters, table.books.spectators, Cause.SEATS)


@pytest.mark.parametrize("name", VOTES_TAKEN)
def test_no_vote_is_taken_away_beside_its_voter(name: str) -> None:
    table = Table()
    assert "a vote taken away" in table.refuses(table.roster(VOTES_TAKEN[name](table)))


def test_inside_a_match_the_vote_of_who_was_host_without_a_seat_is_not_taken_away_either() -> None:
    table = elected(Table())
    table.take(table.forge.match())
    gone = replace(_seats(table), voters=table.books.voters[1:], subject=key("host"))
    assert "a vote taken away" in table.refuses(table.roster(gone))


def test_who_lost_the_seat_has_lost_the_vote() -> None:
    table = Table()
    assert "other voters" in table.refuses(table.roster(replace(_seats(table, CY), subject=key("cy"))))
    table = Table()
    table.take(table.roster(lobby.lapsed(table.books, key("cy"))))
    assert not table.books.votes(key("cy"))


# ---- handed over


def handed_over(table: Table, name: str = "ben") -> Table:
    return table.take(table.forge.hands_over(name), table.forge.took_over(name))


def test_a_host_hands_over_to_a_voter_who_goes_on_in_the_next_term() -> None:
    table = Table()
    table.take(table.forge.hands_over("ben"))
    assert table.books.handover is not None
    assert table.books.host == key("host")
    table.take(table.forge.took_over("ben"))
    assert table.books.handover is None
    assert (table.books.host, table.books.term) == (key("ben"), 2)
    table.take(table.forge.hands_over("host"), table.forge.took_over("host"), table.forge.match())


def test_two_hand_over_as_well() -> None:
    table = Table()
    table.without("cy", "ben")
    assert handed_over(table, "ana").books.host == key("ana")


NOT_HANDED: dict[str, tuple[Callable[[Forge], bytes], str]] = {
    "to a spectator": (lambda f: f.hands_over("dot"), "to nobody"),
    "to a stranger": (lambda f: f.hands_over("eve"), "to nobody"),
    "to itself": (lambda f: f.hands_over("host"), "to nobody"),
    "for the same term": (lambda f: f.hands_over("ana", 1), "another term"),
    "for a term ahead": (lambda f: f.hands_over("ana", 3), "another term"),
}


@pytest.mark.parametrize("name", NOT_HANDED)
def test_a_table_is_not_handed_over(name: str) -> None:
    table = Table()
    make, why = NOT_HANDED[name]
    assert why in table.refuses(make(table.forge))


def test_nor_to_who_is_being_shown_out() -> None:
    table = Table()
    table.take(table.kick("ben"))
    assert "to nobody" in table.refuses(table.forge.hands_over("ben"))


BEHIND: dict[str, Callable[[Forge], bytes]] = {
    "options": lambda f: f.options(),
    "a roster": lambda f: f.roster(ANA, BEN, CY),
    "a match": lambda f: f.match(),
    "a bot": lambda f: f.entry(EntryKind.BOT, BotPub(0, True, BotReason.GRACE)),
    "another HANDOVER": lambda f: f.hands_over("cy"),
}


@pytest.mark.parametrize("name", BEHIND)
def test_nothing_stands_behind_a_handover(name: str) -> None:
    table = Table()
    table.take(table.forge.hands_over("ben"))
    assert "has handed over" in table.refuses(BEHIND[name](table.forge))


TAKEN: dict[str, tuple[Callable[[Forge], bytes], str]] = {
    "by another": (lambda f: f.took_over("cy"), "handed over to"),
    "by the host before": (lambda f: f.took_over("host"), "handed over to"),
    "in another term": (lambda f: f.took_over("ben", term=3), "handed over to"),
    "by another entry": (lambda f: f.took_over("ben", handover=2), "nobody has chosen"),
    "by votes in the term of the successor": (lambda f: f.elected("ana", "ana", "ben", "cy"), "of a successor"),
}


@pytest.mark.parametrize("name", TAKEN)
def test_a_table_that_is_handed_over_is_not_taken(name: str) -> None:
    table = Table()
    table.take(table.forge.hands_over("ben"))
    make, why = TAKEN[name]
    assert why in table.refuses(make(table.forge))


def test_a_successor_that_never_came_is_replaced_in_a_term_above_its_own() -> None:
    table = Table()
    table.take(table.forge.hands_over("ben"), table.forge.elected("ana", "host", "ana", "cy", term=3))
    assert table.books.host == key("ana")


# ---- whose the table is


def test_who_was_host_may_be_shown_out_and_who_is_may_not() -> None:
    table = elected(Table())
    assert "its own table" in table.refuses(table.kick("ana"))
    table = elected(Table())
    table.take(table.kick("host"))
    assert table.books.going == key("host")  # a voter, though without a seat
    table.take(table.roster(lobby.kicked(table.books, key("host"), "easy")))
    assert key("host") not in table.books.voters


def test_an_old_host_says_good_bye_like_any_member() -> None:
    table = Table()
    forge = table.forge
    table.take(forge.match(), forge.hands_over("ana"), forge.took_over("ana"))
    table.take(table.good_bye("host"))
    assert key("host") not in table.books.voters
    handed_over(table, "ben")
    table.take(table.good_bye("ana"))
    assert table.books.seats[0] == replace(bot("ana"), key=key("ana"))
    assert table.books.voters == (key("ben"), key("cy"))


def test_a_good_bye_said_to_the_old_host_is_taken_by_the_next() -> None:
    table = elected(Table())
    table.take(table.good_bye("cy", seen=2))
    assert not table.books.votes(key("cy"))


def test_a_good_bye_behind_something_that_was_lost_counts_all_the_same_but_no_older_one() -> None:
    table = Table()
    table.take(table.good_bye("cy", n=4))
    assert table.books.said[key("cy")] == 4
    table.take(table.roster(seated(table, "cy")))
    assert "out of its order" in table.refuses(table.good_bye("cy", n=4))


GOOD_BYES: dict[str, Callable[[Table], bytes]] = {
    "of a voter without a seat, for a seat": lambda t: t.good_bye("host", seat=0),
    "of a player, for none": lambda t: t.good_bye("cy", seat=NO_SEAT),
    "of a spectator": lambda t: t.good_bye("dot"),
    "of a stranger": lambda t: t.good_bye("eve"),
    "over another history": lambda t: t.good_bye("cy", head=bytes(32)),
    "at another table": lambda t: t.good_bye("cy", table=bytes(16)),
}


@pytest.mark.parametrize("name", GOOD_BYES)
def test_no_good_bye_stands(name: str) -> None:
    table = elected(Table())
    table.refuses(GOOD_BYES[name](table))


def test_the_host_gives_no_part_to_a_deal_and_holds_no_share_and_who_was_host_does() -> None:
    table = elected(Table())
    forge = table.forge
    table.take(forge.match(), forge.deal_open(contributors=(1, 2)))
    assert table.books.open_round.holders == (key("host"), key("ben"), key("cy"))
    assert table.books.open_round.term == 2
    table = elected(Table())
    table.take(table.forge.match())
    assert "not to be given" in table.refuses(table.forge.deal_open(contributors=(0, 1)))


def test_the_books_are_folded_anew_from_the_same_journal() -> None:
    table = handed_over(elected(Table()), "cy")
    table.take(table.forge.match(), table.forge.deal_open(), table.forge.deal_start())
    journal, before = table.books.journal, _everything(table.books)
    assert _everything(Public.of(journal)) == before
    table.books.restart()
    assert _everything(table.books) == _everything(Public(journal))
    for entry in journal.entries:
        table.books.fold(entry)
    assert _everything(table.books) == before


def _everything(books: Public) -> dict[str, object]:
    return {name: value for name, value in vars(books).items() if name not in ("journal", "game")}


def test_only_an_entry_that_begins_a_term_names_its_host() -> None:
    table = elected(Table())
    for wire in table.books.journal.wires:
        entry, _ = decode_wire(wire)
        begins = entry.kind in (EntryKind.GENESIS, EntryKind.TERM_START)
        assert host_of(entry, Public(Journal())) == (table.books.host_at(entry.index) if begins else b"")

"""A table that goes on without somebody: another T, whoever said yes, and bots for the others (protocol 7.3, FORK)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table import lobby
from p2pcards.table.chronicle import Before, news
from p2pcards.table.deal import drawn_seats
from p2pcards.table.majority import ballot_text
from p2pcards.table.notices import Audited, HostIs, WentOn
from p2pcards.table.public import Public
from p2pcards.table.rosters import OPEN
from p2pcards.table.verdicts import Hearing, Relay
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    Disclose,
    EntryFlag,
    EntryKind,
    MatchStart,
    RoundEnd,
    SeatPub,
    decode_pub,
)
from p2pcards.wire.envelope import ActKind, choice_commitment, pack_opening
from p2pcards.wire.vote import sign_fork
from tests.testing.books import Table, key
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, bot, member

ANA, BEN, CY = map(member, NAMES)
FRESH = bytes(15) + b"f"
SECRET = bytes(32)
SALT = bytes(32)


def playing() -> Table:
    """The first round is under way."""
    table = Table()
    forge = table.forge
    return table.take(forge.match(), forge.deal_open(), forge.deal_start())


def forked(table: Table, host: str = "ana", *names: str, fresh: bytes = FRESH) -> Table:
    return table.take(table.forge.forked(host, *(names or ("ana", "ben")), fresh=fresh))


def heir(name: str, level: str = "medium") -> SeatPub:
    """A bot that keeps the seat of a member."""
    return replace(bot(name, level), key=key(name))


def ended(table: Table, round: int = 1) -> bytes:
    return table.forge.entry(EntryKind.ROUND_END, RoundEnd(round, "exhausted", (0,), (1, 0, 0)))


def disclosed(table: Table, round: int = 1) -> bytes:
    return table.forge.entry(EntryKind.DISCLOSE, Disclose(round, SECRET))


# ---- the table after it


def test_the_journal_goes_on_under_another_t() -> None:
    table = Table()
    old, at = table.books.table, len(table.books.journal)
    forked(table)
    books, journal = table.books, table.books.journal
    assert (books.table, books.tables, journal.table) == (FRESH, (old,), FRESH)
    assert [journal.table_at(index) for index in range(-1, at + 2)] == [b"", *[old] * at, FRESH, b""]
    assert (books.term, books.host, books.epoch) == (2, key("ana"), 0)
    table.take(table.forge.options())
    assert journal.copy(at).table == old
    journal.truncate(at)
    assert journal.table == old


def test_heads_and_signatures_behind_it_are_under_the_new_t() -> None:
    table = Table()
    one, other = Forge(journal=table.books.journal), Forge(journal=table.books.journal)
    for forge, fresh in ((one, FRESH), (other, bytes(16))):
        forge.forked("ana", "ana", "ben", fresh=fresh)
    assert one.journal.head != other.journal.head
    wire = other.options()
    with pytest.raises(ProtocolError, match="does not follow"):
        one.journal.accept(wire, key("ana"))


def test_those_named_vote_and_bots_have_the_seats_of_the_others_in_a_match() -> None:
    table = forked(playing())
    books = table.books
    assert books.voters == (key("ana"), key("ben"))
    assert books.seats == (ANA, BEN, heir("cy"))
    assert books.bots_on == {2}
    assert not books.plays_itself(2)
    assert books.admitted == dict.fromkeys(books.voters, books.journal.last)
    assert books.spectators == ((key("dot"), "dot"),)


def test_outside_a_match_their_seats_are_open() -> None:
    table = forked(Table())
    assert table.books.seats == (ANA, BEN, OPEN)
    assert table.books.bots_on == set()


def test_a_bot_that_played_for_one_of_them_plays_on() -> None:
    table = playing()
    table.take(*(table.forge.entry(EntryKind.BOT, BotPub(seat, True, BotReason.GRACE)) for seat in (1, 2)))
    forked(table)
    assert table.books.bots_on == {1, 2}
    table.take(table.forge.entry(EntryKind.BOT, BotPub(1, False, BotReason.BACK)))


def test_who_comes_back_has_the_seat_again_between_rounds() -> None:
    table = forked(playing())
    table.take(table.forge.void())
    table.take(table.roster(lobby.seated(table.books, key("cy"), "cy", 2, False)))
    assert table.books.seats == (ANA, BEN, CY)
    assert table.books.bots_on == set()
    assert not table.books.votes(key("cy"))


def test_scores_stay_and_the_next_round_is_dealt_by_the_new_host() -> None:
    table = playing()
    table.take(ended(table))
    table.take(disclosed(table))
    forked(table)
    assert len(table.books.ends) == 1
    table.take(table.forge.deal_open(2))
    assert table.books.open_round.holders == ()  # of two, none
    assert table.books.open_round.table == FRESH


def test_what_was_found_of_a_round_stands_under_the_t_of_the_round() -> None:
    table = playing()
    table.take(ended(table))
    table.take(disclosed(table))
    public, ben = table.books, identity("ben")
    before = Hearing(ben, public).sign(Audited(1, ok=True))
    forked(table)
    assert Hearing(ben, public).sign(Audited(1, ok=True)) == before
    Relay(public).take(ben.key, before)


def test_one_goes_on_alone() -> None:
    table = forked(playing(), "cy", "cy")
    assert (table.books.host, table.books.voters) == (key("cy"), (key("cy"),))
    assert table.books.seats == (heir("ana"), heir("ben"), CY)


def test_a_table_forks_again_and_elects_again() -> None:
    table = forked(forked(Table(), "ben", "ana", "ben", "cy"), "ben", "ben", "cy", fresh=bytes(16))
    assert (table.books.term, table.books.table) == (3, bytes(16))
    assert len(table.books.tables) == 2
    three = forked(Table(), "ben", "ana", "ben", "cy")
    three.take(three.forge.elected("cy", "ana", "cy"))
    assert three.books.host == key("cy")


def test_votes_given_at_the_old_table_count_no_more() -> None:
    table = Table()
    votes = [table.forge.vote(name, "cy", 3) for name in ("ana", "cy")]
    forked(table, "ben", "ana", "ben", "cy")
    assert "table" in table.refuses(table.forge.elected("cy", *votes, term=3))
    table = Table()
    votes = [table.forge.vote(name, "cy", 3, table=FRESH) for name in ("ana", "cy")]  # and over a head from before it
    forked(table, "ben", "ana", "ben", "cy")
    assert "none yet" in table.refuses(table.forge.elected("cy", *votes, term=3))


def test_what_was_signed_at_the_old_table_is_nothing_at_the_new_one() -> None:
    table = playing()
    old = table.books.table
    forked(table, "host", "host", "ana", "ben")
    at = table.books.journal.last
    assert "another table" in table.refuses(table.forge.says(0, "draw", table=old, seen=at - 1))
    table = Table()
    old = table.books.table
    forked(table, "host", "host", "ana", "cy")
    assert "a leave that is none" in table.refuses(table.good_bye("cy", table=old, seen=2))


# ---- whose it is


def test_the_old_host_stays_host_and_its_round_goes_on() -> None:
    table = playing()
    table.take(table.forge.blind(1))
    forked(table, "host", "host", "ana", "ben")
    books, forge = table.books, table.forge
    assert books.host == key("host")
    assert books.open_round.table != books.table
    table.take(forge.blind(0), forge.opens(1), forge.opens(0))  # one committed to before it, one behind it
    table.take(forge.says(0, "draw"), ended(table), disclosed(table))
    assert len(books.ends) == 1


def test_an_answer_committed_to_before_it_is_bound_under_the_old_t() -> None:
    table = playing()
    old = table.books.table
    table.take(table.forge.blind(1))
    forked(table, "host", "host", "ana", "ben")
    wrong = choice_commitment(FRESH, 1, 1, 2, SALT, b"fold")
    assert wrong != choice_commitment(old, 1, 1, 2, SALT, b"fold")
    said = table.forge.says(0, choice_commitment(old, 1, 0, 1, SALT, b"fold"), ActKind.BLIND)
    table.take(said)
    answer = table.forge.says(0, pack_opening(1, SALT, b"fold"), ActKind.OPENING)
    assert "does not match" in table.refuses(answer)


def test_cards_of_a_deal_are_bound_under_its_own_t() -> None:
    table = Table()
    table.take(table.forge.options(("allow_peek", "true"), ("seat_order", "join_order")))
    table.take(table.forge.match(), table.forge.deal_open(), table.forge.deal_start())
    shown = decode_pub(EntryKind.OPEN, _laid_open(table))
    forked(table, "host", "host", "ana", "ben")
    table.take(table.forge.entry(EntryKind.OPEN, shown))


def _laid_open(table: Table) -> bytes:
    """The whole deck as it lay before the fork."""
    forge = Forge(journal=table.books.journal)
    forge.lays_open(52)
    return forge.journal.entries[-1].pub


def test_a_deal_that_was_not_finished_is_dealt_anew_even_by_the_old_host() -> None:
    table = Table()
    table.take(table.forge.match(), table.forge.deal_open())
    forked(table, "host", "host", "ana", "ben")
    assert table.books.round is None
    table.take(table.forge.deal_open(), table.forge.deal_start())
    assert table.books.open_round.table == FRESH
    assert "by the host that dealt it" in table.refuses(table.forge.void())


def test_the_old_host_may_call_off_a_round_whose_secret_a_reboot_took() -> None:
    table = forked(playing(), "host", "host")
    table.take(table.forge.void())
    assert table.books.round is None


WITHOUT_DEALER: dict[str, Callable[[Table], bytes]] = {
    "an act": lambda t: t.forge.says(0, "draw"),
    "an end": lambda t: ended(t),
    "a reshuffle": lambda t: t.forge.deal_open(),
    "a card laid open": lambda t: t.forge.lays_open(52),
    "its secret": lambda t: disclosed(t),
}


@pytest.mark.parametrize("name", WITHOUT_DEALER)
def test_without_its_dealer_an_open_round_can_only_be_void(name: str) -> None:
    table = forked(playing())
    table.refuses(WITHOUT_DEALER[name](table))
    table = forked(playing())
    table.take(table.forge.void(), table.forge.deal_open(), table.forge.deal_start())
    assert table.books.round_number == 1


def test_a_round_that_was_over_is_disclosed_by_who_has_its_secret_and_else_void() -> None:
    table = playing()
    table.take(ended(table))
    forked(table).take(disclosed(table))
    assert len(table.books.ends) == 1
    table = playing()
    table.take(ended(table))
    forked(table)
    table.take(table.forge.void())
    assert table.books.ends == []


def test_behind_a_handover_that_nobody_took_up_the_rest_goes_on_alone() -> None:
    table = playing()
    table.take(table.forge.hands_over("cy"))
    forked(table, "host", "host", "ana")
    assert table.books.handover is None
    assert table.books.host == key("host")


def test_who_is_being_shown_out_is_not_asked_and_has_no_claim_to_the_seat() -> None:
    table = playing()
    table.take(table.kick("cy"))
    assert "members" in table.refuses(table.forge.forked("ana", "ana", "cy"))
    table = playing()
    table.take(table.kick("cy"))
    forked(table)
    assert table.books.seats[2] == bot("cy", "medium")
    assert table.books.going == b""
    table = playing()
    table.take(table.kick("dot"))
    forked(table)
    assert table.books.spectators == ()


# ---- what is none


def _fork(f: Forge, **changes: Any) -> bytes:
    return f.forked("ana", "ana", "ben", **changes)


def _said(f: Forge, *names: str, by: dict[str, str] | None = None) -> tuple[tuple[bytes, bytes], ...]:
    """Yes of these, in the order given; by: who signed for whom."""
    signed = Forge(journal=f.journal)
    signed.forked("ana", "ana", "ben", "cy", "dot", "eve")
    pub = decode_pub(EntryKind.FORK, signed.journal.entries[-1].pub)
    given = dict(pub.said)  # type: ignore[union-attr]  # it is a FORK
    return tuple((key(name), given[key((by or {}).get(name, name))]) for name in names)


def _sorted(*names: str) -> list[str]:
    return sorted(names, key=key)


REFUSED: dict[str, tuple[Callable[[Forge], bytes], str]] = {
    "of nobody": (lambda f: _fork(f, said=()), "members"),
    "with a spectator": (lambda f: _fork(f, said=_said(f, *_sorted("ana", "dot"))), "members"),
    "with a stranger": (lambda f: _fork(f, said=_said(f, *_sorted("ana", "ben", "eve"))), "members"),
    "with one twice": (lambda f: _fork(f, said=_said(f, "ana", "ana")), "members"),
    "in another order": (lambda f: _fork(f, said=_said(f, *_sorted("ana", "ben")[::-1])), "order"),
    "with a yes that is another's": (
        lambda f: _fork(f, said=_said(f, *_sorted("ana", "ben"), by={"ben": "cy"})),
        "did not agree",
    ),
    "with a yes to another table": (lambda f: _fork(f, said=_yes(f, bytes(16))), "did not agree"),
    "with a yes to another head": (lambda f: _fork(f, said=_yes(f, FRESH, bytes(32))), "did not agree"),
    "under a host that is not named": (lambda f: f.forked("cy", "ana", "ben"), "another host"),
    "under another host than the old one": (lambda f: f.forked("ana", "ana", "host"), "another host"),
    "from another table": (lambda f: _fork(f, earlier=bytes(16)), "another history"),
    "from another head": (lambda f: _fork(f, head=bytes(32)), "another history"),
    "from another entry": (lambda f: _fork(f, index=1), "another history"),
    "into the same table": (lambda f: _fork(f, fresh=f.journal.table), "a table that was"),
    "in the same term": (lambda f: _fork(f, term=1), "into term 1"),
    "in a term ahead": (lambda f: _fork(f, term=3), "into term 3"),
}


def _yes(f: Forge, fresh: bytes, head: bytes | None = None) -> tuple[tuple[bytes, bytes], ...]:
    journal = f.journal
    names = _sorted("ana", "ben")
    return tuple(
        (key(name), sign_fork(identity(name), journal.table, journal.head if head is None else head, fresh))
        for name in names
    )


@pytest.mark.parametrize("name", REFUSED)
def test_no_fork_stands(name: str) -> None:
    table = Table()
    make, why = REFUSED[name]
    assert why in table.refuses(make(table.forge))
    assert (table.books.table, table.books.term) != (FRESH, 2)


def test_nor_one_back_into_a_table_that_was() -> None:
    table = Table()
    first = table.books.table
    forked(table, "ana", "ana", "ben")
    assert "a table that was" in table.refuses(table.forge.forked("ana", "ana", "ben", fresh=first))


def test_a_good_bye_ends_the_voice_in_it_too() -> None:
    table = Table()
    table.without("cy")
    assert "members" in table.refuses(table.forge.forked("ana", "ana", "cy"))


def test_seats_are_drawn_by_the_t_as_it_is_when_the_match_starts() -> None:
    table = Table()
    table.take(table.forge.options(("seat_order", "random")))
    seats, old = table.books.seats, table.books.table
    fresh = next(one for n in range(99) if drawn_seats(one := bytes([n] * 16), seats) != drawn_seats(old, seats))
    forked(table, "ana", "ana", "ben", "cy", fresh=fresh)
    wrong = Forge(identity("ana"), table.books.journal)
    copy = Public.of(table.books.journal.copy())
    entry = copy.journal.accept(wrong.entry(EntryKind.MATCH_START, MatchStart(1, drawn_seats(old, seats))), key("ana"))
    with pytest.raises(ProtocolError, match="drawn otherwise"):
        copy.fold(entry)
    table.take(table.forge.entry(EntryKind.MATCH_START, MatchStart(1, drawn_seats(fresh, seats))))


def test_a_vote_on_a_seat_must_have_seen_who_is_in_it_behind_the_fork() -> None:
    table = forked(Table(), "host", "host", "ana", "ben", "cy")
    forge, at = table.forge, table.books.journal.last

    def ballot(seen: int) -> bytes:
        said = forge.envelope(0, 1, ActKind.VOTE, ballot_text(1, True).encode(), seen=seen)
        sig = identity("ana").sign(said)
        return forge.entry(EntryKind.BALLOT, said, seat=0, flags=EntryFlag.ACTSIG, actsig=sig)

    assert "stale" in table.refuses(ballot(at - 1))
    table = forked(Table(), "host", "host", "ana", "ben", "cy")
    forge = table.forge
    table.take(ballot(at))


# ---- what is told


def test_people_are_told_who_went_on_without_whom() -> None:
    table = playing()
    before = Before.of(table.books)
    wire = table.forge.forked("ana", "ana", "ben")
    table.take(wire)
    entry = table.books.journal.entries[-1]
    body = decode_pub(entry.kind, entry.pub)
    assert list(news(before, entry, body, table.books)) == [WentOn(("cy",)), HostIs("ana", 2, "forked")]


def test_the_books_are_folded_anew_from_the_same_journal() -> None:
    table = forked(playing(), "host", "host", "ana", "ben")
    table.take(table.forge.says(0, "draw"), ended(table))
    other = Public.of(table.books.journal)
    same = {name: value for name, value in vars(table.books).items() if name not in ("journal", "game")}
    assert {name: value for name, value in vars(other).items() if name not in ("journal", "game")} == same

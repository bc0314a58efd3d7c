"""Deals that came to nothing: left unfinished by a host that is gone, or void with its secret (protocol 6.3, 6.5)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2pcards.games.base import Seat, Where
from p2pcards.games.registry import GAMES
from p2pcards.table.chronicle import Before, news
from p2pcards.table.notices import HostIs, RoundVoid
from p2pcards.table.public import Public
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    DealOpen,
    DealStart,
    Disclose,
    EntryKind,
    MatchEnd,
    RoundEnd,
    decode_pub,
)
from p2pcards.wire.fields import NO_SEAT
from tests.testing import deals
from tests.testing.books import Table, key
from tests.testing.forge import NAMES, Forge, member

PART = bytes(range(32))
SECRET, OTHER = bytes(32), bytes(31) + b"x"
ANA, BEN, CY = map(member, NAMES)


def dealing(step: int = 0) -> Table:
    """Inside the first deal of a match: asked for parts, committed to, revealed."""
    table = Table()
    forge = table.forge
    table.take(forge.match(), forge.deal_open(contributors=(1, 2)))
    if step > 0:
        table.take(forge.deal_commit({1: PART, 2: PART}))
    if step > 1:
        table.take(forge.deal_reveal({1: PART, 2: PART}))
    return table


def playing() -> Table:
    """The first round is under way."""
    table = Table()
    forge = table.forge
    return table.take(forge.match(), forge.deal_open(), forge.deal_start())


def ended(table: Table, round: int = 1) -> bytes:
    return table.forge.entry(EntryKind.ROUND_END, RoundEnd(round, "exhausted", (0,), (1, 0, 0)))


def disclosed(table: Table, secret: bytes = SECRET, round: int = 1) -> bytes:
    return table.forge.entry(EntryKind.DISCLOSE, Disclose(round, secret))


def elected(table: Table, name: str = "ana", *voters: str) -> Table:
    return table.take(table.forge.elected(name, *(voters or ("ana", "ben", "cy"))))


# ---- deals that nobody finished


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_deal_that_its_host_did_not_finish_is_dealt_anew_under_the_same_number(step: int) -> None:
    table = elected(dealing(step))
    books, forge = table.books, table.forge
    assert books.round is None
    assert (books.round_number, books.epoch) == (0, 1)
    table.take(forge.deal_open(secret=OTHER, contributors=(1, 2)))
    assert (books.round_number, books.epoch, books.open_round.first_epoch) == (1, 2, 2)
    assert books.open_round.root != deals.opened(books.table, 2, SECRET, forge.voters, forge.host.key).root
    table.take(forge.deal_commit({1: PART, 2: PART}), forge.deal_reveal({1: PART, 2: PART}), forge.deal_start(OTHER))
    table.take(ended(table), disclosed(table, OTHER))
    assert len(books.ends) == 1


def test_nobody_but_the_successor_begins_it_anew_and_no_step_of_the_old_one_is_taken() -> None:
    table = elected(dealing())
    assert "out of turn" in table.refuses(table.forge.deal_commit({1: PART, 2: PART}))
    table = elected(dealing(2))
    assert "out of turn" in table.refuses(table.forge.deal_start())
    table = dealing()
    assert "out of turn" in table.refuses(table.forge.deal_open())


def test_its_seat_counts_as_left_out_once_each_time() -> None:
    table = elected(dealing(), "ben", "host", "ben", "cy")
    forge, books = table.forge, table.books
    assert books.drops == {}  # the host had no seat
    for at, name in enumerate(("ana", "ben", "ana"), 1):
        table.take(forge.deal_open(contributors=(2,)), forge.elected(name, "host", "ana", "ben"))
        assert sum(books.drops.values()) == at
    assert books.drops == {key("ben"): 2, key("ana"): 1}
    assert "not to be given" in table.refuses(forge.deal_open(contributors=(1, 2)))


def test_it_is_the_same_when_the_host_hands_over_before_it_has_dealt() -> None:
    table = dealing(2)
    table.take(table.forge.hands_over("ana"), table.forge.took_over("ana"))
    assert table.books.round is None
    assert table.books.round_number == 0


def test_a_round_that_is_dealt_goes_on_under_the_next_host() -> None:
    table = elected(playing())
    forge, books = table.forge, table.books
    assert books.open_round.term == 1
    table.take(forge.says(0, "draw"), forge.says(0, "discard KD"), ended(table), disclosed(table))
    assert len(books.ends) == 1


def test_an_answer_committed_to_under_one_host_is_opened_under_the_next() -> None:
    table = playing()
    forge = table.forge
    table.take(forge.blind(1), forge.blind(2))
    elected(table)
    table.take(forge.opens(1), forge.opens(2), forge.says(0, "draw"))


# ---- a reshuffle cut short


def shuffling(step: int = 0) -> tuple[Table, DealOpen]:
    """A round of One Card whose stock is being shuffled anew."""
    table = Table()
    forge = table.forge = Forge()
    table.books.journal.truncate(0)
    table.books.restart()
    table.take(forge.genesis(game="onecard", rules=GAMES["onecard"].rules), forge.options(options=(("decks", "1"),)))
    table.take(forge.roster(ANA, BEN, CY), forge.match(), forge.deal_open(), forge.deal_start())
    table.take(turns_up(table))
    first = decode_pub(EntryKind.DEAL_OPEN, table.books.journal.entries[4].pub)
    assert isinstance(first, DealOpen)
    again = replace(first, cards=bytes([3, 9]), contributors=(1,))
    table.take(forge.entry(EntryKind.DEAL_OPEN, again))
    if step > 0:
        table.take(forge.deal_commit({1: PART}))
    if step > 1:
        table.take(forge.deal_reveal({1: PART}))
    return table, again


def turns_up(table: Table) -> bytes:
    """The OPEN of the cards that lie face up."""
    current, forge = table.books.open_round, table.forge
    layout = table.books.rules.layout(3, Seat(current.starter or 0), True)
    places = [place for place, goes in enumerate(layout) if goes.where is Where.FACE_UP]
    return forge.entry(EntryKind.OPEN, deals.laid_open(table.books.table, forge.epoch, SECRET, places))


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_reshuffle_cut_short_is_repeated_in_another_epoch_from_the_same_secret(step: int) -> None:
    table, again = shuffling(step)
    elected(table)
    books, forge = table.books, table.forge
    assert books.epoch == 2
    assert not books.open_round.shuffling
    assert list(books.open_round.epochs) == [1]
    assert "out of turn" in table.refuses(forge.entry(EntryKind.DEAL_START, DealStart(NO_SEAT, bytes(64))))
    forge = table.forge = Forge(forge.host, books.journal.copy(books.journal.last))
    books.journal.truncate(books.journal.last)
    table.take(forge.entry(EntryKind.DEAL_OPEN, replace(again, contributors=())))
    table.take(forge.entry(EntryKind.DEAL_START, DealStart(NO_SEAT, bytes(64))))
    assert list(books.open_round.epochs) == [1, 3]
    assert books.epoch == 3
    assert books.drops == {}


def test_it_is_not_repeated_from_another_secret() -> None:
    table, again = shuffling()
    elected(table)
    assert "another secret" in table.refuses(table.forge.entry(EntryKind.DEAL_OPEN, replace(again, root=bytes(32))))


# ---- cards that lie face up


def turned() -> Table:
    """A deal of One Card whose first cards are to be opened."""
    table, _ = shuffling()
    journal = table.books.journal
    journal.truncate(6)
    table.books.restart()
    for entry in journal.entries:
        table.books.fold(entry)
    table.forge = Forge(journal=journal)
    return table


def test_the_next_host_opens_what_lies_face_up_before_anybody_plays() -> None:
    table = elected(turned())
    forge = table.forge
    table.take(forge.entry(EntryKind.BOT, BotPub(1, True, BotReason.GRACE)))  # its own business may come first
    assert "lie face up" in table.refuses(forge.says(0, "draw"))
    for wrong in (lambda t: ended(t), lambda t: t.forge.lays_open(1), lambda t: t.forge.deal_open()):
        table = elected(turned())
        assert "face up" in table.refuses(wrong(table))
    table = elected(turned())
    table.take(turns_up(table), table.forge.says(0, "draw"))


def test_the_host_that_dealt_opens_them_in_the_next_entry() -> None:
    table = turned()
    assert "lie face up" in table.refuses(table.forge.entry(EntryKind.BOT, BotPub(1, True, BotReason.GRACE)))
    table = turned()
    assert "lie face up" in table.refuses(table.forge.hands_over("ana"))


def test_a_round_whose_first_card_was_never_opened_can_be_void() -> None:
    table = elected(turned())
    table.take(table.forge.void())
    assert table.books.round is None


# ---- void


def test_a_round_of_an_earlier_host_is_void_and_its_number_is_free() -> None:
    table = elected(playing())
    books, forge = table.books, table.forge
    table.take(forge.says(0, "draw"), forge.void())
    assert (books.round, books.round_number, books.ends) == (None, 0, [])
    table.take(forge.deal_open(secret=OTHER), forge.deal_start(OTHER), ended(table), disclosed(table, OTHER))
    assert (books.epoch, books.round_number, books.disclosed) == (2, 1, 1)
    table.take(forge.entry(EntryKind.MATCH_END, MatchEnd(1, (1, 0, 0), (0,))))


def test_the_match_may_end_behind_it() -> None:
    table = elected(playing())
    table.take(table.forge.void(), table.forge.entry(EntryKind.MATCH_END, MatchEnd(1, (0, 0, 0), ())))
    assert table.books.match_over


def test_a_round_that_ended_and_whose_secret_is_lost_is_void_as_well() -> None:
    table = playing()
    table.take(ended(table))
    elected(table)
    table.take(table.forge.void())
    assert table.books.ends == []


def test_what_the_next_host_dealt_itself_it_does_not_call_off() -> None:
    table = elected(dealing())
    table.take(table.forge.deal_open(), table.forge.deal_start())
    assert "by the host that dealt it" in table.refuses(table.forge.void())


NO_VOID: dict[str, tuple[Callable[[Table], bytes], str]] = {
    "of another round": (lambda t: t.forge.void(2), "came to nothing"),
    "with winners": (lambda t: t.forge.void(winners=(0,)), "came to nothing"),
    "with points": (lambda t: t.forge.void(points=(1, 0, 0)), "came to nothing"),
}


@pytest.mark.parametrize("name", NO_VOID)
def test_no_round_is_void(name: str) -> None:
    table = elected(playing())
    make, why = NO_VOID[name]
    assert why in table.refuses(make(table))


def test_neither_is_one_that_there_is_not_nor_one_in_the_term_of_its_deal() -> None:
    table = elected(Table())
    assert "out of turn" in table.refuses(table.forge.void())
    table = playing()
    assert "by the host that dealt it" in table.refuses(table.forge.void())
    table = elected(playing())
    table.take(ended(table), disclosed(table))
    assert "out of turn" in table.refuses(table.forge.void())


def test_nothing_of_a_void_round_is_disclosed_and_nobody_plays_on_in_it() -> None:
    table = elected(playing())
    table.take(table.forge.void())
    assert "out of turn" in table.refuses(disclosed(table))
    table = elected(playing())
    table.take(table.forge.void())
    assert "out of turn" in table.refuses(table.forge.says(0, "draw"))


# ---- what is told


def test_people_are_told_who_is_host_and_that_a_round_came_to_nothing() -> None:
    table = playing()
    forge = table.forge
    assert told(table, forge.elected("ana", "ana", "ben", "cy")) == [HostIs("ana", 2, "elected")]
    assert told(table, forge.void()) == [RoundVoid(1)]
    assert told(table, forge.hands_over("ben")) == []
    assert told(table, forge.took_over("ben")) == [HostIs("ben", 3, "handed over")]


def told(table: Table, wire: bytes) -> list[object]:
    """The news of the entry."""
    before = Before.of(table.books)
    table.take(wire)
    entry = table.books.journal.entries[-1]
    books = Public.of(table.books.journal)
    body = decode_pub(entry.kind, entry.pub)
    return list(news(before, entry, body, books))

"""The books: what may follow what, for everybody who reads the journal (protocol 6.2 to 6.4)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.journal import Journal
from p2pcards.table.public import Public
from p2pcards.wire.entries import (
    BotPub,
    BotReason,
    Cause,
    Disclose,
    EntryFlag,
    EntryKind,
    MatchEnd,
    MatchStart,
    Roster,
    RoundEnd,
    SeatKind,
    SeatPub,
)
from p2pcards.wire.envelope import ActKind, LeaveReason, pack_leave, pack_opening
from p2pcards.wire.fields import NO_SEAT
from tests.testing import deals
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, bot, member, roster

HOST = identity("host").key
OPEN = SeatPub(SeatKind.OPEN)
ANA, BEN, CY = map(member, NAMES)


def folded(wires: list[bytes]) -> Public:
    """The books of somebody who was sent these."""
    journal = Journal()
    books = Public(journal)
    for wire in wires:
        books.fold(journal.accept(wire, HOST))
    return books


def lobby(forge: Forge) -> list[bytes]:
    return forge.lobby()


def opened(forge: Forge) -> list[bytes]:
    return forge.round()


def dealing(forge: Forge) -> list[bytes]:
    """Before DEAL_START."""
    return [*forge.lobby(), forge.match(), forge.deal_open()]


def asked(forge: Forge) -> list[bytes]:
    """As if ana had called: ben and cy answer."""
    return forge.round()


def between(forge: Forge) -> list[bytes]:
    """A round is over and disclosed."""
    return [*forge.round(), ended(forge), disclosed(forge)]


def over(forge: Forge) -> list[bytes]:
    return [*forge.round(), ended(forge)]


def ended(forge: Forge, **changes: Any) -> bytes:
    return forge.entry(EntryKind.ROUND_END, replace(RoundEnd(1, "exhausted", (0,), (1, 0, 0)), **changes))


def disclosed(forge: Forge, round: int = 1, secret: bytes = bytes(32)) -> bytes:
    return forge.entry(EntryKind.DISCLOSE, Disclose(round, secret))


def opens(forge: Forge, **changes: Any) -> bytes:
    deal = deals.opened(forge.journal.table, forge.epoch + 1, bytes(32), forge.voters, HOST)
    return forge.entry(EntryKind.DEAL_OPEN, replace(deal, **changes))


def starts(forge: Forge, **changes: Any) -> bytes:
    start = deals.started(forge.journal.table, forge.epoch, bytes(32))
    return forge.entry(EntryKind.DEAL_START, replace(start, **changes))


def on_bot(forge: Forge, seat: int, on: bool, reason: BotReason = BotReason.GRACE) -> bytes:
    return forge.entry(EntryKind.BOT, BotPub(seat, on, reason))


def says(forge: Forge, *words: tuple[int, str]) -> list[bytes]:
    return [forge.says(seat, text) for seat, text in words]


# ---- what may stand


def test_the_usual_course_of_a_table() -> None:
    forge = Forge()
    wires = [*forge.round(), *says(forge, (0, "draw"), (0, "discard KD"), (1, "draw")), ended(forge)]
    books = folded(wires)
    assert (books.title, books.match, books.round_number, books.epoch) == ("lab", 1, 1, 1)
    assert books.names == NAMES
    assert [books.said[identity(name).key] for name in NAMES[:2]] == [2, 1]
    assert books.round is not None
    assert books.round.ended is not None
    books = folded([*wires, disclosed(forge), forge.entry(EntryKind.MATCH_END, MatchEnd(1, (1, 0, 0), (0,)))])
    assert books.round is None
    assert books.match_over
    assert len(books.ends) == 1


def test_folding_is_a_pure_function_of_the_journal() -> None:
    forge = Forge()
    wires = [*forge.round(), *says(forge, (0, "draw"), (0, "discard KD")), on_bot(forge, 2, True)]
    one, two = folded(wires), folded(wires)
    assert _everything(one) == _everything(two)
    assert one.bots_on == {2}


def _everything(books: Public) -> dict[str, object]:
    return {name: value for name, value in vars(books).items() if name not in ("journal", "game")}


def test_the_same_options_may_be_said_again_between_rounds() -> None:
    forge = Forge()
    assert folded([*between(forge), forge.options()]).door == "open"


def test_answers_given_and_opened() -> None:
    forge = Forge()
    books = folded([*asked(forge), forge.blind(1), forge.blind(2), forge.opens(1, n=1), forge.opens(2, n=1)])
    assert books.round is not None
    assert books.round.openings == {1: "fold", 2: "fold"}


def test_who_is_gone_before_he_answered_gives_in_and_the_others_answer_after_him() -> None:
    forge = Forge()
    books = folded([*asked(forge), forge.defaults(1, "fold"), on_bot(forge, 1, True), forge.blind(2)])
    assert books.round is not None
    assert books.round.openings == {1: "fold"}
    assert set(books.round.blinds) == {2}


def test_an_answer_not_opened_in_time_challenges() -> None:
    forge = Forge()
    wires = [*asked(forge), forge.blind(1), forge.blind(2), forge.opens(1, n=1), forge.defaults(2, "challenge", n=1)]
    books = folded(wires)
    assert books.round is not None
    assert books.round.openings == {1: "fold", 2: "challenge"}


def test_a_leaver_inside_a_match_leaves_a_bot_of_its_name() -> None:
    forge = Forge()
    books = folded([*opened(forge), forge.leaves(1, (ANA, bot("ben"), CY))])
    assert books.seats[1] == bot("ben")
    assert identity("ben").key not in books.voters
    assert books.names == NAMES


def test_a_host_that_leaves_its_seat_is_a_voter_still() -> None:
    forge = Forge()
    seat = SeatPub(SeatKind.MEMBER, HOST, "ana")
    wires = [forge.genesis(), forge.options(), forge.roster(seat, BEN, CY)]
    said = forge.envelope(0, 1, ActKind.LEAVE, pack_leave(LeaveReason.LEAVE, 1))
    gone = roster(OPEN, BEN, CY)
    wires.append(
        forge.entry(
            EntryKind.ROSTER, Roster(gone.seats, gone.voters, (), Cause.LEAVES, HOST, said, forge.host.sign(said))
        )
    )
    books = folded(wires)
    assert books.seats[0] == OPEN
    assert HOST in books.voters


def test_a_bots_seat_is_taken_between_rounds_and_plays_itself_then() -> None:
    forge = Forge()
    wires = [*opened(forge), forge.leaves(1, (ANA, bot("ben"), CY)), on_bot(forge, 1, True, BotReason.LEFT)]
    wires += [ended(forge), disclosed(forge), forge.roster(ANA, member("dot"), CY)]
    books = folded(wires)
    assert books.plays_itself(1)
    assert books.names == NAMES


def test_a_bot_plays_for_who_is_away() -> None:
    forge = Forge()
    wires = [*opened(forge), on_bot(forge, 0, True), forge.says(0, "draw", flags=EntryFlag.BOT)]
    assert not folded(wires).plays_itself(0)
    wires.append(on_bot(forge, 0, False, BotReason.BACK))
    assert folded(wires).plays_itself(0)


def test_seats_are_drawn_by_table_and_keys() -> None:
    forge = Forge()
    wires = [forge.genesis(), forge.options(("bot_level", "easy")), forge.roster(ANA, BEN, bot())]
    legal = []
    for order in [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]:
        fork = Forge(journal=forge.journal)
        start = fork.entry(EntryKind.MATCH_START, MatchStart(1, order))
        try:
            folded([*wires, start])
            legal.append(order)
        except ProtocolError as error:
            assert str(error) == "seats drawn otherwise than by the rule"  # noqa: PT017 - five of six raise it
    assert len(legal) == 1


def test_a_bot_goes_with_its_seat() -> None:
    """Whoever sits there next, nobody stands in for him."""
    forge = Forge()
    wires = [*opened(forge), forge.leaves(1, (ANA, bot("ben"), CY)), on_bot(forge, 1, True, BotReason.LEFT)]
    wires += [ended(forge), disclosed(forge), forge.entry(EntryKind.MATCH_END, MatchEnd(1, (1, 0, 0), (0,)))]
    assert folded(wires).bots_on == {1}
    wires.append(forge.roster(ANA, OPEN, CY))
    assert folded(wires).bots_on == set()


def test_a_bot_that_stood_in_stays_when_its_player_leaves() -> None:
    forge = Forge()
    wires = [*opened(forge), on_bot(forge, 1, True), forge.leaves(1, (ANA, bot("ben"), CY))]
    assert folded(wires).bots_on == {1}


# ---- what can't stand

Base = Callable[[Forge], list[bytes]]
Wrong = Callable[[Forge], list[bytes] | bytes]

REFUSED: dict[str, tuple[Base, Wrong, str]] = {
    # the place of an entry
    "another term": (lobby, lambda f: f.entry(EntryKind.MATCH_START, MatchStart(1, (0, 1, 2)), term=2), "term 2"),
    "another epoch": (opened, lambda f: f.entry(EntryKind.BOT, BotPub(1, True, BotReason.GRACE), epoch=2), "epoch 2"),
    "a deal of the old epoch": (between, lambda f: f.entry(EntryKind.DEAL_OPEN, b"", epoch=1), "epoch 1"),
    "a body that is none": (lobby, lambda f: f.entry(EntryKind.MATCH_START, b"\x90"), "MATCH_START"),
    # options
    "a door unknown": (lobby, lambda f: f.options(door="barred"), "door"),
    "an option unknown": (lobby, lambda f: f.options(options=(("jokers", "9"),)), "no option"),
    "an option impossible": (lobby, lambda f: f.options(options=(("ante", "-1"),)), "ante"),
    "a setting unknown": (lobby, lambda f: f.options(("rage", "9")), "rage"),
    "a setting impossible": (lobby, lambda f: f.options(("grace_seconds", "1e9")), "grace_seconds"),
    "options inside a round": (opened, lambda f: f.options(), "inside a round"),
    "options inside a match": (between, lambda f: f.options(options=(("ante", "5"),)), "inside a match"),
    # rosters
    "a key twice": (lobby, lambda f: f.roster(ANA, BEN, member("ben", "other")), "key twice"),
    "a key in a seat and watching": (lobby, lambda f: f.roster(ANA, BEN, CY, watchers=("cy",)), "key twice"),
    "a nick twice": (lobby, lambda f: f.roster(ANA, BEN, member("cy", "ANA")), "nick twice"),
    "a nick too long": (lobby, lambda f: f.roster(ANA, BEN, member("cy", "c" * 17)), "nick that is none"),
    "a nick with an escape": (lobby, lambda f: f.roster(ANA, BEN, member("cy", "\x1b[2J")), "nick that is none"),
    "a nick that is empty": (
        lobby,
        lambda f: f.roster(ANA, BEN, SeatPub(SeatKind.MEMBER, identity("cy").key, "")),
        "nick that is none",
    ),
    "a person called dealer": (lobby, lambda f: f.roster(ANA, BEN, member("cy", "Dealer")), "nick that is none"),
    "a person called like a bot": (lobby, lambda f: f.roster(ANA, BEN, member("cy", "bot-7")), "nick that is none"),
    "a bot called host": (lobby, lambda f: f.roster(ANA, BEN, bot("host")), "nick that is none"),
    "a watcher called all": (lobby, lambda f: f.roster(ANA, BEN, CY, watchers=("all",)), "nick that is none"),
    "an open seat with a name": (lobby, lambda f: f.roster(ANA, BEN, SeatPub(SeatKind.OPEN, b"", "x")), "open seat"),
    "a level unknown": (lobby, lambda f: f.roster(ANA, BEN, bot(level="\x1b")), "levels"),
    "a bot without a level": (lobby, lambda f: f.roster(ANA, BEN, bot(level="")), "levels"),
    "a person with a level": (lobby, lambda f: f.roster(ANA, BEN, replace(CY, level="easy")), "levels"),
    "two seats": (lobby, lambda f: f.roster(ANA, BEN), "seats"),
    "four seats": (lobby, lambda f: f.roster(ANA, BEN, CY, bot()), "seats"),
    "a member whose vote is gone": (lobby, lambda f: _voters(f, HOST, ANA.key, BEN.key), "a vote taken away"),
    "a host that is no voter": (lobby, lambda f: _voters(f, ANA.key, BEN.key, CY.key), "other voters"),
    "a voter twice": (lobby, lambda f: _voters(f, HOST, ANA.key, ANA.key, BEN.key, CY.key), "other voters"),
    "a voter that nobody knows": (
        lobby,
        lambda f: _voters(f, HOST, ANA.key, BEN.key, CY.key, identity("eve").key),
        "other voters",
    ),
    # seats inside a match
    "a seat given to another": (opened, lambda f: f.roster(ANA, member("dot"), CY), "taken away"),
    "a seat given to a bot": (opened, lambda f: f.roster(ANA, bot("ben"), CY), "taken away"),
    "a seat left open": (between, lambda f: f.roster(ANA, OPEN, CY), "taken away"),
    "seats swapped": (between, lambda f: f.roster(BEN, ANA, CY), "taken away"),
    "a seat taken away in its player's name": (
        opened,
        lambda f: f.entry(
            EntryKind.ROSTER, replace(roster(ANA, bot("ben"), CY), cause=Cause.SEATS, subject=identity("ben").key)
        ),
        "taken away",
    ),
    "a bot renamed inside a match": (
        opened,
        lambda f: [f.leaves(1, (ANA, bot("ben"), CY)), f.roster(ANA, bot("bob"), CY)],
        "taken away",
    ),
    "a bot made weaker inside a match": (
        opened,
        lambda f: [f.leaves(1, (ANA, bot("ben"), CY)), f.roster(ANA, bot("ben", "random"), CY)],
        "taken away",
    ),
    "a kick that nobody ordered": (
        opened,
        lambda f: f.roster(ANA, bot("ben"), CY, cause=Cause.KICKED),
        "without a word",
    ),
    "a bot's seat taken in a round": (
        opened,
        lambda f: [f.leaves(1, (ANA, bot("ben"), CY)), f.roster(ANA, member("dot"), CY)],
        "taken away",
    ),
    "a leaver's seat left open": (opened, lambda f: f.leaves(1, (ANA, OPEN, CY)), "without a bot"),
    "a leaver's seat renamed": (opened, lambda f: f.leaves(1, (ANA, bot("bob"), CY)), "without a bot"),
    "a leave that takes two seats": (opened, lambda f: f.leaves(1, (ANA, bot("ben"), bot("cy"))), "taken away"),
    "a leave signed by the host": (opened, lambda f: f.leaves(1, (ANA, bot("ben"), CY), by="host"), "did not sign"),
    "a leave of another seat": (
        opened,
        lambda f: f.leaves(1, (ANA, bot("ben"), CY), said_of=2),
        "another seat",
    ),
    "a leave out of its order": (opened, lambda f: f.leaves(1, (ANA, bot("ben"), CY), n=0), "out of its order"),
    "a leaver that stays": (lobby, lambda f: f.leaves(1, (ANA, BEN, CY)), "kept in the roster"),
    "a leaver that stays a voter": (
        lobby,
        lambda f: f.leaves(1, (ANA, OPEN, CY), voters=(HOST, identity("ben").key)),
        "kept in the roster",
    ),
    "a leaver that stays in its seat": (
        lobby,
        lambda f: f.leaves(1, (ANA, BEN, CY), voters=(HOST,)),
        "kept in the roster",
    ),
    "an act for a leave": (
        opened,
        lambda f: f.entry(EntryKind.ROSTER, _with_leave(f, f.envelope(1, 1, ActKind.ACT, b"draw"))),
        "a leave that is none",
    ),
    "a leave of another table": (
        opened,
        lambda f: f.entry(
            EntryKind.ROSTER,
            _with_leave(f, f.envelope(1, 1, ActKind.LEAVE, pack_leave(LeaveReason.LEAVE, 1), table=bytes(16))),
        ),
        "a leave that is none",
    ),
    "a leave over another history": (
        opened,
        lambda f: f.entry(
            EntryKind.ROSTER,
            _with_leave(f, f.envelope(1, 1, ActKind.LEAVE, pack_leave(LeaveReason.LEAVE, 1), head=bytes(32))),
        ),
        "another history",
    ),
    # matches and rounds
    "a match inside a match": (between, lambda f: f.match(2), "can't start"),
    "a match with another number": (lobby, lambda f: f.match(2), "can't start"),
    "a match with an open seat": (
        lobby,
        lambda f: [f.leaves(2, (ANA, BEN, OPEN)), f.match()],
        "open seats",
    ),
    "seats drawn at will": (
        lobby,
        lambda f: f.entry(EntryKind.MATCH_START, MatchStart(1, (1, 0, 2))),
        "drawn otherwise",
    ),
    "a seat drawn twice": (
        lobby,
        lambda f: f.entry(EntryKind.MATCH_START, MatchStart(1, (0, 0, 2))),
        "drawn otherwise",
    ),
    "a deal in the lobby": (lobby, lambda f: opens(f), "out of turn"),
    "a deal inside a round": (opened, lambda f: opens(f, round=2), "out of turn"),
    "a reshuffle in a game that has none": (opened, lambda f: opens(f, epoch=1), "out of turn"),
    "a round left out": (between, lambda f: opens(f, round=3), "out of turn"),
    "a deal of another epoch": (between, lambda f: opens(f, round=2, epoch=7), "another epoch"),
    "a deal to two": (between, lambda f: opens(f, round=2, seats=(0, 1)), "other seats"),
    "a deal of 51 cards": (between, lambda f: opens(f, round=2, cards=bytes(range(51))), "other cards"),
    "a deal of four more aces": (
        between,
        lambda f: opens(f, round=2, cards=bytes(4) + bytes(range(4, 52))),
        "other cards",
    ),
    "a deal of no card at all": (between, lambda f: opens(f, round=2, cards=b""), "other cards"),
    "a card that there is not": (
        between,
        lambda f: opens(f, round=2, cards=bytes([*range(51), 99])),
        "other cards",
    ),
    "a start without a deal": (between, lambda f: f.deal_start(), "out of turn"),
    "a second start": (opened, lambda f: f.deal_start(), "out of turn"),
    "a starter that there is not": (dealing, lambda f: starts(f, starter=3), "can't start"),
    "a deal that nobody starts": (dealing, lambda f: starts(f, starter=NO_SEAT), "can't start"),
    "a deal bound by no leaves": (dealing, lambda f: starts(f, leaves=b""), "can't start"),
    "a deal short of a leaf": (dealing, lambda f: starts(f, leaves=bytes(32 * 51)), "can't start"),
    "a round that ends before it began": (dealing, lambda f: ended(f), "can't end"),
    "a round that ends twice": (over, lambda f: ended(f), "can't end"),
    "another round ends": (opened, lambda f: ended(f, round=2), "can't end"),
    "points for four": (opened, lambda f: ended(f, points=(1, 0, 0, 0)), "other seats"),
    "a winner that there is not": (opened, lambda f: ended(f, winners=(3,)), "other seats"),
    "a reason with an escape": (opened, lambda f: ended(f, reason="\x1b]0;gone\x07"), "no reason"),
    "an act when the round is over": (over, lambda f: f.says(0, "draw"), "outside a round"),
    "an act before the deal": (dealing, lambda f: f.says(0, "draw"), "outside a round"),
    "an act in the lobby": (lobby, lambda f: f.says(0, "draw"), "out of turn"),
    "a secret before the end": (opened, lambda f: disclosed(f), "out of turn"),
    "the secret of another round": (over, lambda f: disclosed(f, round=2), "out of turn"),
    "another secret": (over, lambda f: disclosed(f, secret=bytes(31) + b"x"), "not the one committed to"),
    "a match that ends in a round": (
        opened,
        lambda f: f.entry(EntryKind.MATCH_END, MatchEnd(1, (0, 0, 0), ())),
        "can't end",
    ),
    "a match that ends twice": (
        lobby,
        lambda f: f.entry(EntryKind.MATCH_END, MatchEnd(0, (0, 0, 0), ())),
        "can't end",
    ),
    "another match ends": (
        between,
        lambda f: f.entry(EntryKind.MATCH_END, MatchEnd(2, (1, 0, 0), (0,))),
        "can't end",
    ),
    "scores for two": (
        between,
        lambda f: f.entry(EntryKind.MATCH_END, MatchEnd(1, (1, 0), (0,))),
        "other seats",
    ),
    "a winner of the match that there is not": (
        between,
        lambda f: f.entry(EntryKind.MATCH_END, MatchEnd(1, (1, 0, 0), (200,))),
        "other seats",
    ),
    # bots
    "a bot that is there already": (opened, lambda f: [on_bot(f, 1, True), on_bot(f, 1, True)], "bot"),
    "a bot that was not there": (opened, lambda f: on_bot(f, 1, False), "bot"),
    "a bot for nobody": (opened, lambda f: on_bot(f, 3, True), "bot"),
    # acts
    "an act of another table": (opened, lambda f: f.says(0, "draw", table=bytes(16)), "another table"),
    "an act of another epoch": (opened, lambda f: f.says(0, "draw", epoch=0), "another table or epoch"),
    "an act signed by another": (opened, lambda f: f.says(0, "draw", by="ben"), "did not sign"),
    "an act signed by the host": (opened, lambda f: f.says(0, "draw", by="host"), "did not sign"),
    "an act in another's name": (opened, lambda f: f.says(0, "draw", stands_for=1), "another seat"),
    "an act of a seat that there is not": (
        opened,
        lambda f: f.entry(EntryKind.ACT, f.envelope(7, 0, ActKind.ACT, b"draw"), seat=7, flags=EntryFlag.BOT),
        "another seat",
    ),
    "an act over another history": (opened, lambda f: f.says(0, "draw", head=bytes(32)), "another history"),
    "an act over what was not yet": (opened, lambda f: f.says(0, "draw", seen=6, head=bytes(32)), "another history"),
    "an act from before the round": (opened, lambda f: f.says(0, "draw", seen=4), "another history"),
    "an act left out": (opened, lambda f: f.says(0, "draw", n=2), "out of its order"),
    "an act repeated": (opened, lambda f: [f.says(0, "draw"), f.says(0, "draw", n=1)], "out of its order"),
    "an act not written canonically": (opened, lambda f: f.says(0, "discard kd"), "canonically"),
    "an act that is none": (opened, lambda f: f.says(0, "cheat"), "none"),
    "an act of no card": (opened, lambda f: f.says(0, "discard 1X"), "none"),
    "an answer in public": (opened, lambda f: f.says(0, "fold"), "in public"),
    "a vote for an act": (opened, lambda f: f.says(0, "draw", ActKind.VOTE), "VOTE"),
    "an act of a member while a bot plays": (
        opened,
        lambda f: [on_bot(f, 0, True), f.says(0, "draw")],
        "did not sign",
    ),
    "a bot's act for who plays himself": (opened, lambda f: f.says(0, "draw", flags=EntryFlag.BOT), "bot's act"),
    "a bot's act that counts": (
        opened,
        lambda f: [on_bot(f, 0, True), f.says(0, "draw", flags=EntryFlag.BOT, n=1)],
        "the seat's own",
    ),
    "a sealed act": (opened, lambda f: f.says(0, bytes(32), ActKind.SEALED), "sealed choice in a game that has none"),
    "an open deck where peeking is off": (
        opened,
        lambda f: f.lays_open(52),
        "does not allow",
    ),
    # answers
    "an answer twice": (asked, lambda f: [f.blind(1), f.blind(1)], "twice"),
    "an answer that nobody gave": (
        asked,
        lambda f: f.says(1, bytes(32), ActKind.BLIND, flags=EntryFlag.TIME),
        "after a time-out",
    ),
    "an opening of nothing": (asked, lambda f: f.opens(1, n=1), "no answer"),
    "an opening of another answer": (asked, lambda f: [f.blind(1), f.opens(1, "challenge", n=1)], "does not match"),
    "an opening of another count": (asked, lambda f: [f.blind(1), f.opens(1, n=2)], "no answer"),
    "an opening twice": (asked, lambda f: [f.blind(1), f.opens(1, n=1), f.opens(1, n=1)], "twice"),
    "an opening before all were in": (
        asked,
        lambda f: [f.blind(1), f.blind(2), f.opens(1, n=1, seen=6)],
        "before all were given",
    ),
    "an answer after an opening": (asked, lambda f: [f.blind(1), f.opens(1, n=1), f.blind(2)], "others were open"),
    "a fold after an opening": (
        asked,
        lambda f: [f.blind(1), f.opens(1, n=1), f.defaults(2, "fold")],
        "others were open",
    ),
    "an answer after giving in": (asked, lambda f: [f.defaults(1, "fold"), f.blind(1)], "twice"),
    "a challenge by default without an answer": (asked, lambda f: f.defaults(1, "challenge"), "default"),
    "a fold by default for an answer": (asked, lambda f: [f.blind(1), f.defaults(1, "fold", n=1)], "default"),
    "a default that is an act": (asked, lambda f: f.defaults(1, "draw"), "default"),
    "a default of another count": (asked, lambda f: [f.blind(1), f.defaults(1, "challenge", n=0)], "default"),
    "a default with a salt": (asked, lambda f: f.defaults(1, "fold", salt=bytes(31) + b"x"), "default"),
    "an act while an answer is unopened": (asked, lambda f: [f.blind(1), f.says(0, "draw")], "unopened"),
    "a round that ends on an unopened answer": (asked, lambda f: [f.blind(1), ended(f)], "unopened"),
    "an answer as an act": (
        asked,
        lambda f: f.entry(
            EntryKind.ACT,
            said := f.envelope(1, 1, ActKind.OPENING, pack_opening(0, bytes(32), b"fold")),
            seat=1,
            flags=EntryFlag.ACTSIG,
            actsig=identity("ben").sign(said),
        ),
        "OPENING",
    ),
}


def _voters(forge: Forge, *voters: bytes) -> bytes:
    return forge.entry(EntryKind.ROSTER, replace(roster(ANA, BEN, CY, watchers=("dot",)), voters=voters))


def _with_leave(forge: Forge, said: bytes) -> Roster:
    after = roster(ANA, bot("ben"), CY)
    return Roster(after.seats, after.voters, (), Cause.LEAVES, identity("ben").key, said, identity("ben").sign(said))


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_follow_is_refused(name: str) -> None:
    base, wrong, why = REFUSED[name]
    forge = Forge()
    books = folded(base(forge))
    added = wrong(forge)
    *good, bad = added if isinstance(added, list) else [added]
    for wire in good:
        books.fold(books.journal.accept(wire, HOST))
    entry = books.journal.accept(bad, HOST)
    with pytest.raises(ProtocolError, match=why):
        books.fold(entry)


@pytest.mark.parametrize(("game", "rules"), [("chess", 1), ("tongits", 2)])
def test_a_table_of_a_game_or_of_rules_that_we_have_not_is_refused(game: str, rules: int) -> None:
    with pytest.raises(ProtocolError, match="a table of"):
        folded([Forge().genesis(game=game, rules=rules)])


def test_a_roster_before_the_options_is_refused() -> None:
    forge = Forge()
    with pytest.raises(ProtocolError, match="no options"):
        folded([forge.genesis(), forge.roster(ANA, BEN, CY)])

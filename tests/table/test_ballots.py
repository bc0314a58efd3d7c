"""Votes on showing a player out: what the journal proves, what the host decides, what a guest sees (wants 3)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.table.ballots import CALL_SECONDS, VOTE_SECONDS, Ballots, Decided, Outcome, VoteWatch
from p2pcards.table.journal import Journal
from p2pcards.table.majority import Ballot, BallotBox, NoBallot, ballot_text, needed, persons, read_ballot
from p2pcards.table.notices import Notice, VoteCalled, VoteCast, VoteFailed
from p2pcards.table.public import Public
from p2pcards.table.round import Refused
from p2pcards.table.tableview import Vote
from p2pcards.wire.entries import Cause, EntryFlag, EntryKind, Kick, Roster, SeatKind, SeatPub
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Flag
from tests.testing.cluster import identity
from tests.testing.forge import Forge, bot


def who(name: str) -> Identity:
    """hal hosts."""
    return identity("host" if name == "hal" else name)


def key(name: str) -> bytes:
    return who(name).key


def program(name: str) -> SeatPub:
    return SeatPub(SeatKind.MEMBER, key(name), name, int(Flag.PROGRAM))


class Room:
    """A table, its books, the host's ballots and a guest's; in One Card, which has seats for many."""

    def __init__(self, *names: str, programs: tuple[str, ...] = (), bots: int = 0) -> None:
        self.forge = Forge()
        self.journal = Journal()
        self.books = Public(self.journal)
        self.ballots, self.watch = Ballots(), VoteWatch()
        self.now = 0.0
        self.told: list[Notice] = []
        self._n: dict[str, int] = {}
        self._programs, self._bots = programs, bots
        self._fold(self.forge.genesis(game="onecard"))
        self._fold(self.forge.options())
        self.sit(*names)

    def _fold(self, wire: bytes) -> int:
        entry = self.journal.accept(wire, self.forge.host.key)
        self.books.fold(entry)
        return entry.index

    def sit(self, *names: str, cause: Cause = Cause.SEATS) -> None:
        """These have the seats from now on."""
        seats = [
            program(name) if name in self._programs else SeatPub(SeatKind.MEMBER, key(name), name) for name in names
        ]
        bots = (bot(f"bot-{number + 1}") for number in range(self._bots))
        pub = Roster((*seats, *bots), (self.forge.host.key,), (), cause)  # nobody else votes on the next host
        self._fold(self.forge.entry(EntryKind.ROSTER, pub))
        self._look()

    def said(self, name: str, text: str, *, seen: int | None = None) -> Envelope:
        seat = self.books.seat_of(key(name))
        n = self._n.get(name, 0) + 1
        envelope = self.forge.envelope(9 if seat is None else seat, n, ActKind.VOTE, text.encode(), seen=seen)
        return decode_envelope(envelope)

    def vote(self, name: str, about: str, yes: bool = True) -> int:
        """A vote, all the way: checked, journaled, counted, and seen by a guest."""
        seat = self.books.seat_of(key(about))
        assert seat is not None
        text = ballot_text(seat, yes)
        said = self.said(name, text)
        self.ballots.check(said, self.books, self.now)
        self._n[name] = said.n
        data = self.forge.envelope(said.seat, said.n, ActKind.VOTE, text.encode())
        wire = self.forge.entry(
            EntryKind.BALLOT, data, seat=said.seat, flags=EntryFlag.ACTSIG, actsig=who(name).sign(data)
        )
        index = self._fold(wire)
        self.ballots.cast(said, index, self.books, self.now)
        self.told += self.watch.take(said, index, self.books, self.now)
        self._look()
        return index

    def _look(self) -> None:
        self.told += self.watch.look(self.books, self.now)

    def look(self) -> Decided | None:
        return self.ballots.look(self.books, self.now)

    def refusal(self, name: str, text: str, *, seen: int | None = None) -> tuple[str, ...]:
        with pytest.raises(Refused) as caught:
            self.ballots.check(self.said(name, text, seen=seen), self.books, self.now)
        return (caught.value.code, *caught.value.detail)


# ---- what a ballot says


@pytest.mark.parametrize(
    "text",
    ["", "kick", "kick ", "kick x", "kick 03", "kick 3 ", " kick 3", "kick  3", "KICK 3", "kick 3\n", "kick -1",
     "kick ٣", "kick 1000", "kick 3 4", "against", "rematch", "yes"],
)  # fmt: skip
def test_a_vote_is_written_in_one_way_only(text: str) -> None:
    assert Room("hal", "ana", "ben", "cy").refusal("ana", text) == ("no_vote",)


@pytest.mark.parametrize(
    ("name", "text", "code"),
    [
        ("dot", "kick 2", "not_seated"),
        ("pip", "kick 2", "vote_program"),
        ("ana", "kick 0", "vote_host"),
        ("ana", "kick 1", "vote_self"),
        ("ana", "kick 5", "vote_seat"),
        ("ana", "kick 6", "vote_seat"),
        ("ana", "kick 255", "vote_seat"),
        ("ana", "against 2", "no_vote"),
    ],
    ids=["a spectator", "a program", "the host", "oneself", "a bot", "no seat", "no seat at all", "nothing is open"],
)
def test_who_has_no_vote_and_whom_no_vote_is_about(name: str, text: str, code: str) -> None:
    room = Room("hal", "ana", "ben", "cy", "pip", programs=("pip",), bots=1)
    assert room.refusal(name, text) == (code,)
    room.ballots.check(room.said("ana", "kick 4"), room.books, 0.0)  # a program has no vote, but may be shown out


def test_a_vote_that_has_not_seen_who_sits_where_now_does_not_count() -> None:
    room = Room("hal", "ana", "ben", "cy")
    before = room.journal.last
    room.sit("hal", "ana", "cy", "ben")
    assert room.refusal("ana", "kick 3", seen=before) == ("stale",)
    room.ballots.check(room.said("ana", "kick 3", seen=before + 1), room.books, 0.0)


def test_another_envelope_is_no_ballot() -> None:
    room = Room("hal", "ana", "ben", "cy")
    act = decode_envelope(room.forge.envelope(1, 1, ActKind.ACT, b"kick 2"))
    with pytest.raises(NoBallot, match="no_vote"):
        read_ballot(act, room.books)


# ---- the host


@pytest.mark.parametrize(("persons", "majority"), [(3, 2), (4, 3), (5, 3), (6, 4), (7, 4)])
def test_more_than_half_of_all_carry_it_and_half_do_not(persons: int, majority: int) -> None:
    names = ("hal", "ana", "ben", "cy", "dot", "eve", "fay")[:persons]
    room = Room(*names)
    assert needed(room.books) == majority
    indexes = []
    for voter in names[:-1][: majority - 1]:
        indexes.append(room.vote(voter, names[-1]))
        assert room.look() is None
    indexes.append(room.vote(names[:-1][majority - 1], names[-1]))
    assert room.look() == Decided(Outcome.CARRIED, key(names[-1]), tuple(indexes))
    assert room.look() is None, "it is decided once"


def test_programs_and_bots_do_not_count() -> None:
    room = Room("hal", "ana", "ben", "pip", "pop", programs=("pip", "pop"), bots=2)
    assert needed(room.books) == 2
    room.vote("ana", "ben")
    room.vote("hal", "ben")
    assert room.look() is not None


def test_who_can_not_win_calls_no_vote() -> None:
    assert Room("hal", "ana", bots=1).refusal("hal", "kick 1") == ("vote_few",)
    alone = Room("hal", "pip", programs=("pip",))
    alone.ballots.check(alone.said("hal", "kick 1"), alone.books, 0.0)


def test_it_is_lost_when_too_many_are_against_it() -> None:
    room = Room("hal", "ana", "ben", "cy")
    room.vote("ana", "cy")
    room.vote("ben", "cy", False)
    assert room.look() == Decided(Outcome.FAILED, key("cy"))


def test_it_is_lost_after_thirty_seconds_and_not_before() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    assert room.ballots.wake_at is None
    room.vote("ana", "cy")
    assert room.ballots.wake_at == VOTE_SECONDS == 30
    room.now = VOTE_SECONDS - 0.1
    room.vote("ben", "cy")
    assert room.look() is None
    room.now = VOTE_SECONDS
    assert room.look() == Decided(Outcome.FAILED, key("cy"))
    assert room.ballots.wake_at is None


def test_who_called_a_vote_that_failed_waits_two_minutes_and_the_others_do_not() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    room.vote("ana", "cy")
    room.now = VOTE_SECONDS
    room.look()
    assert room.refusal("ana", "kick 3") == ("vote_soon", "120")
    assert room.refusal("ana", "kick 4") == ("vote_soon", "120")
    room.vote("ben", "cy")
    room.vote("ana", "cy")  # who may not call one has a vote in another's
    room.now += CALL_SECONDS - 0.1
    room.look()
    assert room.refusal("ana", "kick 3") == ("vote_soon", "1")
    room.now += 0.1
    room.vote("ana", "cy")


def test_one_vote_at_a_time_and_one_each() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    room.vote("ana", "cy")
    assert room.refusal("ana", "kick 3") == ("voted",)
    assert room.refusal("ana", "against 3") == ("voted",)
    assert room.refusal("ben", "kick 4") == ("vote_open", "cy")
    assert room.refusal("ben", "against 4") == ("vote_open", "cy")
    assert room.refusal("cy", "against 3") == ("vote_self",)
    room.vote("ben", "cy", False)
    assert room.refusal("ben", "kick 3") == ("voted",)


def test_a_vote_about_who_has_gone_is_over_and_nobody_waits_for_the_next() -> None:
    room = Room("hal", "ana", "ben", "cy")
    room.vote("ana", "cy")
    room.sit("hal", "ana", "ben")
    assert room.look() == Decided(Outcome.GONE, key("cy"))
    room.vote("ana", "ben")


def test_the_vote_of_who_has_gone_does_not_count() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot", "eve")
    room.vote("ana", "eve")
    room.vote("ben", "eve")
    room.sit("hal", "ben", "cy", "dot", "eve")
    assert room.look() is None
    room.vote("cy", "eve")
    assert room.look() is None
    third = room.vote("dot", "eve")
    decided = room.look()
    assert decided is not None
    assert decided.outcome is Outcome.CARRIED
    assert len(decided.ballots) == 3
    assert third in decided.ballots


def test_who_was_against_it_and_has_gone_does_not_count_either() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    room.vote("ben", "dot")
    room.vote("ana", "dot", False)
    room.sit("hal", "ben", "cy", "dot")
    assert room.look() is None
    room.vote("hal", "dot")
    room.vote("cy", "dot")
    decided = room.look()
    assert decided is not None
    assert decided.outcome is Outcome.CARRIED


def test_fewer_people_need_fewer_votes() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    room.vote("ana", "dot")
    room.vote("ben", "dot")
    assert room.look() is None
    room.sit("hal", "ana", "ben", "dot")
    assert room.look() is None
    room.vote("hal", "dot")
    assert room.look() is not None


def test_votes_follow_people_not_seats() -> None:
    room = Room("hal", "ana", "ben", "cy")
    room.vote("ana", "cy")
    room.sit("cy", "ben", "hal", "ana")
    room.vote("ben", "cy")
    room.vote("hal", "cy")
    decided = room.look()
    assert decided is not None
    assert (decided.outcome, decided.about) == (Outcome.CARRIED, key("cy"))


# ---- what a host can't make up


def kick(about: str, *ballots: int) -> Kick:
    return Kick(key(about), "", 0, ballots)


def test_a_kick_by_vote_is_proved_by_its_ballots_and_one_by_the_host_needs_none() -> None:
    room = Room("hal", "ana", "ben", "cy")
    box = room.books.box
    votes = [room.vote(name, "cy") for name in ("ana", "ben", "hal")]
    box.check(kick("cy", *votes), room.books)
    box.check(kick("cy"), room.books)
    box.check(kick("ben"), room.books)


def test_a_host_makes_up_no_vote() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    box = room.books.box
    ana, ben = room.vote("ana", "cy"), room.vote("ben", "cy")
    against = room.vote("dot", "cy", False)
    for made_up in (
        kick("cy", ana, ben),
        kick("cy", ana, ben, ben),
        kick("cy", ana, ben, against),
        kick("cy", ana, ben, 0),
        kick("cy", ana, ben, 999),
        kick("dot", ana, ben, against),
        kick("hal", ana, ben, against),
    ):
        with pytest.raises(ProtocolError, match="shown out"):
            box.check(made_up, room.books)
    host = room.vote("hal", "cy")
    box.check(kick("cy", ana, ben, host), room.books)
    with pytest.raises(ProtocolError, match="shown out"):
        box.check(kick("cy", ana, ben, host, host), room.books)
    for seats in (("hal", "ana", "ben", "dot"), ("hal", "ben", "cy", "dot", "eve")):
        room.sit(*seats)
        with pytest.raises(ProtocolError, match="shown out"):
            box.check(kick("cy", ana, ben, host), room.books)


def test_votes_of_two_ballots_are_not_added_up() -> None:
    box, room = BallotBox(), Room("hal", "ana", "ben", "cy", "dot")
    box.put(Ballot(key("ana"), key("cy"), True), 10)
    box.put(Ballot(key("ben"), key("dot"), True), 11)  # the first had come to nothing
    box.put(Ballot(key("ben"), key("cy"), True), 12)
    box.put(Ballot(key("hal"), key("cy"), True), 13)
    with pytest.raises(ProtocolError, match="shown out"):
        box.check(kick("cy", 10, 12, 13), room.books)
    box.put(Ballot(key("hal"), key("cy"), True), 14)  # again: another vote, so the one before had come to nothing
    box.put(Ballot(key("ana"), key("cy"), True), 15)
    with pytest.raises(ProtocolError, match="shown out"):
        box.check(kick("cy", 12, 14, 15), room.books)
    box.put(Ballot(key("ben"), key("cy"), True), 16)
    box.check(kick("cy", 14, 15, 16), room.books)


def test_a_ballot_of_the_open_vote_counts_whoever_voted_in_the_one_before() -> None:
    """The journal does not tell that the first came to nothing."""
    room = Room("hal", "ana", "ben", "cy")
    room.vote("ben", "cy")
    room.sit("hal", "ana", "ben")
    assert room.look() == Decided(Outcome.GONE, key("cy"))
    room.sit("hal", "ana", "ben", "cy")
    for voter in ("ana", "ben", "hal"):
        room.vote(voter, "cy")
    decided = room.look()
    assert decided is not None
    assert len(decided.ballots) == 3
    room.books.box.check(kick("cy", *decided.ballots), room.books)


# ---- what a guest sees


def test_a_guest_is_told_of_a_vote_and_of_every_ballot() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    room.now = 100.0
    room.vote("ana", "cy")
    assert room.told == [VoteCalled(3, "cy", "ana", 3, 30)]
    assert room.watch.view(room.books) == Vote(3, "ana", (1,), (), 3, 130.0)
    room.vote("ben", "cy", False)
    assert room.told[1:] == [VoteCast("cy", "ben", False, 1, 1, 3)]
    assert room.watch.view(room.books) == Vote(3, "ana", (1,), (2,), 3, 130.0)
    room.vote("hal", "cy")
    room.vote("dot", "cy")
    assert room.told[2:] == [VoteCast("cy", "hal", True, 2, 1, 3), VoteCast("cy", "dot", True, 3, 1, 3)]
    room.watch.kicked(key("ana"))
    assert room.watch.view(room.books) is not None
    room.watch.kicked(key("cy"))
    assert room.watch.view(room.books) is None
    assert list(room.watch.look(room.books, 999.0)) == []


def test_a_guest_is_told_that_too_many_are_against_it() -> None:
    room = Room("hal", "ana", "ben", "cy")
    room.vote("ana", "cy")
    room.vote("ben", "cy", False)
    assert room.told[-1] == VoteFailed("cy")
    assert room.watch.view(room.books) is None


def test_a_guest_is_told_that_the_time_is_up_by_its_own_clock() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    assert room.watch.wake_at is None
    room.vote("ana", "cy")
    late = room.watch.wake_at
    assert late is not None
    assert late > VOTE_SECONDS, "a last ballot may be under way"
    assert list(room.watch.look(room.books, late - 0.1)) == []
    assert list(room.watch.look(room.books, late)) == [VoteFailed("cy")]
    assert room.watch.wake_at is None


def test_a_guest_does_not_wait_for_a_host_that_makes_nothing_of_enough_votes() -> None:
    room = Room("hal", "ana", "ben", "cy")
    for name in ("ana", "ben", "hal"):
        room.vote(name, "cy")
    late = room.watch.wake_at
    assert late is not None
    assert list(room.watch.look(room.books, late)) == [VoteFailed("cy")]
    assert room.watch.wake_at is None


def test_a_guest_is_told_when_the_vote_was_about_somebody_who_went() -> None:
    room = Room("hal", "ana", "ben", "cy")
    room.vote("ana", "cy")
    room.sit("hal", "ana", "ben")
    assert room.told[-1] == VoteFailed("cy")


def test_the_next_vote_takes_the_place_of_one_that_a_guest_holds_open() -> None:
    room = Room("hal", "ana", "ben", "cy", "dot")
    room.vote("ana", "cy")
    room.now = VOTE_SECONDS
    room.look()
    room.vote("ben", "dot")
    assert room.told[-1] == VoteCalled(4, "dot", "ben", 3, 30)


# ---- whatever happens

NAMES = ("hal", "ana", "ben", "cy", "dot")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("vote"), st.sampled_from(NAMES), st.sampled_from(NAMES), st.booleans()),
        st.tuples(st.just("wait"), st.sampled_from([1.0, 29.0, 30.0, 120.0])),
        st.tuples(st.just("sit"), st.permutations(NAMES), st.integers(3, 5)),
    ),
    max_size=25,
)


@given(STEPS)
def test_whatever_is_decided_the_journal_proves_it_and_nobody_votes_twice(steps: list[tuple[object, ...]]) -> None:
    room = Room(*NAMES)
    open_at: float | None = None
    for step in steps:
        match step:
            case ("vote", str(voter), str(about), bool(yes)):
                if room.books.seat_of(key(about)) is None or room.books.seat_of(key(voter)) is None:
                    continue
                try:
                    room.vote(voter, about, yes)
                except Refused:
                    continue
                open_at = room.now if open_at is None else open_at
                assert about not in ("hal", voter)
            case ("wait", float(seconds)):
                room.now += seconds
                room._look()
            case ("sit", list(order), int(count)):
                seated = [name for name in order if name == "hal" or order.index(name) < count]
                room.sit(*seated)
        decided = room.look()
        if decided:
            assert open_at is not None
            if decided.outcome is Outcome.CARRIED:
                assert room.now < open_at + VOTE_SECONDS
                assert 2 * len(decided.ballots) > len(persons(room.books))
                room.books.box.check(Kick(decided.about, "", 0, decided.ballots), room.books)
            open_at = None
        assert (room.ballots.wake_at is None) == (open_at is None)
        assert room.watch.view(room.books) is None or room.watch.wake_at is not None

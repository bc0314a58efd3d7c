"""Going on without those who are missing: who asks, who says yes to what, and for how long (protocol 7.2, 7.3)."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.election import DEAD
from p2pcards.table.evidence import by_entry
from p2pcards.table.forking import HOLD_SECONDS, ROUND_SECONDS, Forking
from p2pcards.table.notices import GoOnAsked, GoOnDenied
from p2pcards.table.public import Public
from p2pcards.table.votefile import VoteFile
from p2pcards.wire.entries import EntryKind, Fork
from p2pcards.wire.messages import ForkAsk, ForkSay, Message, decode, encode
from p2pcards.wire.vote import sign_fork
from tests.testing.cluster import identity
from tests.testing.dice import Dice
from tests.testing.electorate import NAMES_OF, Room, table, three, two
from tests.testing.forge import Forge, member

GRACE = 90.0
HOST, ANA, BEN, CY = (identity(name).key for name in ("host", "ana", "ben", "cy"))


class Party:
    """Members of a table without a majority, and the words between them."""

    def __init__(self, forge: Forge, *names: str, headless: bool = False, short: dict[str, int] | None = None) -> None:
        self.room = Room(forge, *names, short=short)
        self.headless, self.now = headless, 0.0
        self.forks = {
            name: Forking(identity(name), self.room.books[name], self.room.box(name), Dice(name).take) for name in names
        }
        self.mute: set[str] = set()  # whose words get lost

    def __getitem__(self, name: str) -> Forking:
        return self.forks[name]

    def newest(self, name: str) -> tuple[int, int]:
        journal = self.room.books[name].journal
        return journal.term_at(journal.last), journal.last

    def look(self, now: float, *names: str, stuck: bool = True) -> None:
        """It is so late, and only these (all, where none is named) are linked to each other."""
        self.now = now
        self.here = names or tuple(self.forks)
        for name in self.here:
            linked = {identity(other).key: self.newest(other) for other in self.here if other != name}
            self.forks[name].look(stuck, now, linked, headless=self.headless)
        self.pass_on()

    def pass_on(self) -> None:
        """Until nobody has anything to say; what is written first is there before the words are."""
        while any(fork.sent for fork in self.forks.values()):
            for name, fork in self.forks.items():
                sent, fork.sent[:] = list(fork.sent), []
                for key, message in sent:
                    far = NAMES_OF[key]
                    if isinstance(message, ForkSay) and message.yes:
                        file = VoteFile.decode(self.room.box(name).kept or b"")
                        assert file is not None
                        assert (message.table, message.fresh) in file.forks, "a yes that left before it was written"
                    if name not in self.mute and far in self.here:
                        self.forks[far].take(identity(name).key, decode(*encode(message)), self.now)

    def says(self, name: str, yes: bool) -> None:
        """What a person says."""
        self.forks[name].go_on(yes, self.now)
        self.pass_on()

    def asked(self, name: str) -> list[GoOnAsked]:
        """What a person was asked."""
        return [notice for notice in self.forks[name].notices if isinstance(notice, GoOnAsked)]


def stands(forge: Forge, name: str, fork: Fork | None) -> Public:
    """The books with that entry in the journal."""
    assert fork is not None
    assert fork.host == identity(name).key
    forge.host = identity(name)
    forge.entry(EntryKind.FORK, fork, term=forge.term + 1)
    return Public.of(forge.journal)


def ask(forge: Forge, *names: str, index: int | None = None, **changes: Any) -> ForkAsk:
    journal = forge.journal
    at = journal.last if index is None else index
    members = tuple(sorted(identity(name).key for name in names))
    return replace(ForkAsk(journal.table, at, journal.heads[at], b"f" * 16, members), **changes)


def take(party: Party, sender: str, far: str, message: Message) -> list[Message]:
    """One message of somebody, and what is answered to it."""
    fork = party[far]
    fork.take(identity(sender).key, decode(*encode(message)), party.now)
    answers = [answer for _, answer in fork.sent]
    fork.sent.clear()
    return answers


# ---- who is alone


def test_the_last_of_two_is_asked_after_the_grace_time_and_goes_on_alone() -> None:
    forge = two()
    party = Party(forge, "ana")
    party.look(GRACE - 0.01)
    assert not party["ana"].asking
    assert party["ana"].wake_at == GRACE
    party.look(GRACE)
    assert party.asked("ana") == [GoOnAsked(("helga",), "", False)]
    assert party["ana"].asking == ("helga",)
    party.look(GRACE + 500.0)
    assert party["ana"].done is None
    assert len(party.asked("ana")) == 1
    party.says("ana", True)
    party.look(GRACE + 501.0)
    books = stands(forge, "ana", party["ana"].done)
    assert (books.host, books.voters, books.term) == (ANA, (ANA,), 2)


def test_who_would_rather_wait_waits_and_may_change_its_mind() -> None:
    party = Party(two(), "ana")
    party.look(GRACE)
    party.says("ana", False)
    party.look(GRACE + 100.0)
    assert party["ana"].done is None
    assert party["ana"].asking == ("helga",)
    party.says("ana", True)
    party.look(GRACE + 101.0)
    assert party["ana"].done is not None


def test_where_nobody_is_missing_nobody_is_asked() -> None:
    party = Party(two(), "host", "ana")
    party.look(0.0)
    assert party.asked("ana") == party.asked("host") == []
    fork = party["host"].done
    assert fork is not None
    assert [key for key, _ in fork.said] == sorted((HOST, ANA))
    assert party["ana"].done is None


def test_who_is_alone_at_its_table_goes_on_with_itself() -> None:
    forge = two()
    forge.forked("host", "host")
    party = Party(forge, "host")
    party.look(0.0)
    books = stands(forge, "host", party["host"].done)
    assert (len(books.tables), books.term) == (2, 3)


# ---- several


def test_all_who_are_here_are_asked_and_the_first_in_rank_is_host() -> None:
    forge = table()
    party = Party(forge, "ana", "ben")
    party.look(GRACE)
    for name in ("ana", "ben"):
        assert party.asked(name) == [GoOnAsked(("", "cy"), "", False)]
    party.says("ben", True)
    assert party["ana"].done is None
    party.says("ana", True)
    party.look(GRACE + 1.0)
    books = stands(forge, "ana", party["ana"].done)
    assert (books.host, set(books.voters)) == (ANA, {ANA, BEN})
    assert party["ben"].done is None
    assert party.room.box("ben").file.refuses(books.tables[0])


def test_a_paused_host_asks_and_stays_host() -> None:
    forge = table()
    party = Party(forge, "host", "cy", headless=True)
    party.room.box("cy").host_heard(GRACE - 1.0)  # its heartbeats go on
    party.look(GRACE)
    books = stands(forge, "host", party["host"].done)
    assert books.host == HOST


def test_a_person_is_asked_by_the_paused_host_that_it_hears() -> None:
    party = Party(table(), "host", "cy")
    party.room.box("cy").host_heard(GRACE - 1.0)
    party.look(GRACE)
    assert party.asked("cy") == []
    party.says("host", True)
    party.look(GRACE + 1.0)
    assert [notice.nicks for notice in party.asked("cy")] == [("ana", "ben")]
    party.room.box("cy").host_heard(GRACE + 2.0)
    party.look(GRACE + 2.0)
    assert party["cy"].asking == ("ana", "ben")
    party.says("cy", True)
    assert party["host"].done is not None


def test_who_hears_a_host_asks_nobody() -> None:
    party = Party(table(), "ana", "ben", headless=True)
    for name in ("ana", "ben"):
        party.room.box(name).host_heard(GRACE)
    party.look(GRACE + DEAD - 0.01)
    assert party["ana"].done is None


def test_where_enough_are_here_an_election_is_given_its_time() -> None:
    party = Party(three(), "ana", "ben", headless=True)
    party.look(GRACE - 0.01, stuck=False)
    assert party["ana"].done is None
    party.look(GRACE, stuck=False)
    assert party["ana"].done is not None


def test_a_no_is_told_and_ends_nothing() -> None:
    party = Party(table(), "ana", "ben")
    party.look(GRACE)
    party.says("ana", True)
    party.look(GRACE + 1.0)
    party.says("ben", False)
    assert party["ana"].notices[-1] == party["ben"].notices[-1] == GoOnDenied("ben")
    assert not party.room.box("ben").file.forks
    party.look(GRACE + 1.0 + ROUND_SECONDS)
    assert len(party.asked("ben")) == 1
    party.says("ben", True)
    assert party["ana"].done is not None


def test_whoever_goes_is_not_waited_for_and_a_late_yes_of_it_counts_nothing() -> None:
    forge = Forge()
    forge.genesis(game="onecard")
    forge.options(("seat_order", "join_order"))
    forge.roster(*map(member, ("ana", "ben", "cy", "dot")))
    party = Party(forge, "ana", "ben", "cy", headless=True)
    party.mute = {"ben", "cy"}
    party.look(GRACE)
    late = party.room.box("ben").file.forks[-1][1]
    party.look(GRACE + 1.0, "ana", "cy")
    sig = sign_fork(identity("ben"), forge.journal.table, forge.journal.head, late)
    party["ana"].take(BEN, ForkSay(forge.journal.table, late, True, sig), GRACE + 1.0)
    assert party["ana"].done is None
    party.mute = {"ben"}
    party.look(GRACE + 1.0 + ROUND_SECONDS, "ana", "cy")
    fork = party["ana"].done
    assert fork is not None
    assert [key for key, _ in fork.said] == sorted((ANA, CY))


def test_a_question_without_all_answers_is_asked_anew_as_another_table() -> None:
    party = Party(table(), "ana", "ben", headless=True)
    party.mute = {"ben"}
    party.look(GRACE)
    first = party.room.box("ben").file.forks[-1][1]
    party.look(GRACE + ROUND_SECONDS - 0.01)
    assert party.room.box("ben").file.forks[-1][1] == first
    party.mute = set()
    party.look(GRACE + ROUND_SECONDS)
    fork = party["ana"].done
    assert fork is not None
    assert fork.fresh != first


def late_yes(party: Party, forge: Forge, now: float) -> None:
    """The yes of ben to what it was asked first, which was long on its way."""
    fresh = party.room.box("ben").file.forks[0][1]
    sig = sign_fork(identity("ben"), forge.journal.table, forge.journal.heads[2], fresh)
    party["ana"].take(BEN, ForkSay(forge.journal.table, fresh, True, sig), now)


@pytest.mark.parametrize("what", ["too late", "a host came back", "more was taken in", "in time"])
def test_a_yes_counts_as_long_as_what_it_was_asked_for_stands(what: str) -> None:
    forge = table()
    party = Party(forge, "ana", "ben", headless=True)
    party.mute = {"ben"}
    party.look(GRACE)
    at = GRACE + 1.0
    match what:
        case "too late":
            at = GRACE + ROUND_SECONDS
        case "a host came back":
            party.room.box("ana").host_heard(at)
            party.look(at, "ana", "ben")
        case "more was taken in":
            wire = forge.options(door="ask")
            books = party.room.books["ana"]
            books.fold(books.journal.accept(wire, HOST))
    late_yes(party, forge, at)
    assert (party["ana"].done is not None) is (what == "in time")


def test_who_comes_meanwhile_is_asked_with_the_others() -> None:
    party = Party(table(), "ana", "ben", "cy", headless=True)
    party.mute = {"ben"}
    party.look(GRACE, "ana", "ben")
    party.mute = set()
    party.look(GRACE + 1.0)
    fork = party["ana"].done
    assert fork is not None
    assert {key for key, _ in fork.said} == {ANA, BEN, CY}


def test_the_asker_takes_the_longest_journal_first() -> None:
    forge = table()
    forge.options(door="ask")
    party = Party(forge, "ana", "ben", headless=True, short={"ana": 3})
    party.look(GRACE)
    assert party["ana"].longest == BEN
    assert party["ana"].done is None
    assert not party.room.box("ben").file.forks


# ---- what is asked


def test_who_holds_more_says_no() -> None:
    forge = table()
    forge.options(door="ask")
    party = Party(forge, "ben", headless=True)
    party.look(GRACE)
    assert take(party, "ana", "ben", ask(forge, "ana", "ben", index=2)) == [
        ForkSay(forge.journal.table, b"f" * 16, False, b"")
    ]


def test_who_holds_less_agrees_to_a_head_that_it_is_told_of() -> None:
    forge = table()
    forge.options(door="ask")
    party = Party(forge, "ben", headless=True, short={"ben": 3})
    party.now = GRACE
    party["ben"].look(True, GRACE, {ANA: (1, 3)}, headless=True)
    (said,) = take(party, "ana", "ben", ask(forge, "ana", "ben"))
    assert isinstance(said, ForkSay)
    assert said.sig == sign_fork(identity("ben"), forge.journal.table, forge.journal.head, b"f" * 16)


def test_who_hears_another_host_says_no() -> None:
    forge = table()
    party = Party(forge, "ben", headless=True)
    party.look(0.0)
    party.room.box("ben").host_heard(1.0)
    party.now = 1.0
    (said,) = take(party, "ana", "ben", ask(forge, "ana", "ben"))
    assert isinstance(said, ForkSay)
    assert not said.yes


@pytest.mark.parametrize(
    ("sender", "names"),
    [("ben", ("ana", "ben")), ("ana", ("ana", "cy", "host")), ("ana", ("ana", "cy", "dot"))],
    ids=["behind us in rank", "with the old host, but not by it", "with somebody who has no vote"],
)
def test_who_has_no_business_to_ask_is_told_no(sender: str, names: tuple[str, ...]) -> None:
    forge = table()
    me = "ana" if sender == "ben" else "cy"
    party = Party(forge, me, headless=True)
    party.now = GRACE
    (said,) = take(party, sender, me, ask(forge, *names))
    assert isinstance(said, ForkSay)
    assert not said.yes
    assert not party.room.box(me).file.forks


def test_a_word_given_to_one_is_not_given_to_another_before_the_first_has_given_up() -> None:
    forge = table()
    party = Party(forge, "cy", headless=True)
    both = {ANA: (1, 2), BEN: (1, 2)}
    party["cy"].look(True, GRACE, both, headless=True)
    party.now = GRACE
    assert len(take(party, "ana", "cy", ask(forge, "ana", "cy"))) == 1
    assert take(party, "ben", "cy", ask(forge, "ben", "cy", fresh=b"g" * 16)) == []
    party.now = GRACE + HOLD_SECONDS
    party["cy"].look(True, party.now, both, headless=True)
    assert len(take(party, "ben", "cy", ask(forge, "ben", "cy", fresh=b"h" * 16))) == 1


def test_who_is_still_at_the_old_table_is_shown_the_fork() -> None:
    forge, old = table(), table()
    forge.forked("ana", "ana", "ben")
    party = Party(forge, "ben", headless=True)
    assert take(party, "ana", "ben", ask(old, "ana", "ben")) == [by_entry(party.room.books["ben"])]


def test_broken_words() -> None:
    forge = table()
    party = Party(forge, "ana", "ben", headless=True)
    party.mute = {"ben"}
    party.look(GRACE)
    good = ask(forge, "ana", "ben")
    for message in (replace(good, members=good.members[::-1]), ask(forge, "ana"), ask(forge, "ben", "cy")):
        with pytest.raises(ProtocolError):
            party["ben"].take(ANA, message, GRACE)
    fresh = party.room.box("ben").file.forks[-1][1]
    for key, said in (
        (BEN, ForkSay(forge.journal.table, fresh, True, bytes(64))),
        (CY, ForkSay(forge.journal.table, fresh, False, b"")),
    ):
        with pytest.raises(ProtocolError):
            party["ana"].take(key, said, GRACE)
    assert party["ana"].done is None


def test_answers_to_another_question_count_nothing() -> None:
    forge = table()
    party = Party(forge, "ana", "ben", headless=True)
    party.mute = {"ben"}
    party.look(GRACE)
    sig = sign_fork(identity("ben"), forge.journal.table, forge.journal.head, b"g" * 16)
    party["ana"].take(BEN, ForkSay(forge.journal.table, b"g" * 16, True, sig), GRACE)
    assert party["ana"].done is None


def test_who_has_left_gives_no_word() -> None:
    forge = table()
    party = Party(forge, "ben", headless=True)
    party.room.box("ben").leave()
    party.now = GRACE
    (said,) = take(party, "ana", "ben", ask(forge, "ana", "ben"))
    assert isinstance(said, ForkSay)
    assert not said.yes


def test_a_word_is_kept_in_the_vote_file_whatever_becomes_of_the_journal() -> None:
    """Else a table whose disk is full at one place stands still for ever: such a voter doesn't help a host either."""
    forge = table()
    party = Party(forge, "ben", headless=True)
    party.look(0.0)
    party.room.box("ben").unkept(journal=True)
    party.now = GRACE
    (said,) = take(party, "ana", "ben", ask(forge, "ana", "ben"))
    assert isinstance(said, ForkSay)
    assert said.yes
    assert party.room.box("ben").kept is not None


def test_behind_the_fork_nothing_is_asked_any_more() -> None:
    forge = two()
    party = Party(forge, "ana", headless=True)
    party.look(GRACE)
    stands(forge, "ana", party["ana"].done)
    books = party.room.books["ana"]
    books.fold(books.journal.accept(forge.journal.wires[-1], ANA))
    party["ana"].done = None
    party.room.box("ana").host_heard(GRACE + 1.0)
    party.look(GRACE + 2.0, stuck=False)
    assert party["ana"].done is None
    assert party["ana"].asking == ()

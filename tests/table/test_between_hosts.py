"""What may befall a program while its table is between two hosts: whole programs, links and faults by hand."""

from __future__ import annotations

import pytest
from msgspec import msgpack

from p2pcards.table.effects import Chose, GoOn, Left, Received
from p2pcards.table.notices import (
    Alarm,
    Closed,
    Dropped,
    GoOnAsked,
    HostChanging,
    HostIs,
    LinkBack,
    LinkLost,
    Returned,
    RolledBack,
    RoundVoid,
    TableWaits,
    TurnOf,
)
from p2pcards.table.peer import PEERS
from p2pcards.table.votefile import VOTES, VoteFile
from p2pcards.wire.envelope import LeaveReason
from p2pcards.wire.messages import Ack, Act, Close, Entries, Heartbeat, Hello, Message, PrevoteAsk, Stale, View
from tests.testing.cluster import identity
from tests.testing.peers import Lan


def voted_and_cut_off() -> Lan:
    """cy has voted for ben and hears nothing of ben's term; ana, the host before, can be reached by cy alone."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.silence("ana")
    lan.tamper = _keeps_cy_in_the_dark
    lan.until(lambda: lan["ben"].the.host is not None, step=0.05)
    lan.silent.discard(frozenset(("ana", "cy")))
    lan.apart.discard(frozenset(("ana", "cy")))
    lan.pass_time(0.3)
    assert lan["ana"].the.host is not None
    assert lan["cy"].the.guest.public.term == 1
    return lan


def _keeps_cy_in_the_dark(sender: str, hearer: str, message: Message) -> Message | None:
    dark = (sender, hearer) == ("ben", "cy") and isinstance(message, Entries | Heartbeat)
    late = (sender, hearer) == ("cy", "ana") and isinstance(message, Stale)  # the good-bye is faster
    return None if dark or late else message


def test_a_good_bye_names_the_term_that_its_signer_has_voted_in() -> None:
    """Else the host before would write it, be the host of two, and go on beside the one that was elected."""
    lan = voted_and_cut_off()
    lan["cy"].feed(Left(LeaveReason.LEAVE))
    lan.pass_time(2.0)
    assert lan["ana"].the.host is None
    assert lan.host is lan["ben"]


def test_a_good_bye_said_without_a_host_stands_in_the_vote_file_before_it_goes_out() -> None:
    lan = voted_and_cut_off()
    lan["cy"].feed(Left(LeaveReason.LEAVE))
    file = VoteFile.decode(lan["cy"].secrets[VOTES])
    assert file is not None
    assert file.left


# ---- two links at once


@pytest.mark.parametrize("dialler", ["ana", "cy"])
def test_who_came_in_by_a_second_link_of_its_own_is_not_superseded(dialler: str) -> None:
    """Both ends dial; the end of the one link may be told before the beginning of the other."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    late: list[Message] = []

    def hold_back(sender: str, hearer: str, message: Message) -> Message | None:
        if (sender, hearer) != ("ana", "cy") or isinstance(message, Close | Hello):
            return message
        late.append(message)
        return None

    lan.tamper = hold_back
    far = "cy" if dialler == "ana" else "ana"
    lan.connect(lan[dialler], lan[far])
    cy = lan["cy"]
    assert late
    assert not cy.told(Closed)
    lan.tamper = None
    for message in late:
        cy.feed(Received(cy.link_to("ana"), message))
    lan.pass_time(3.0)
    assert cy.the.guest.welcomed
    assert lan.committed


# ---- a host of two that may not go on


def test_who_handed_over_and_was_not_heard_in_time_goes_on_with_the_same_round_by_a_fork() -> None:
    """Behind its word it may write nothing; and nobody else knows that it was said."""
    lan = Lan("ana", "ben", game="onecard")
    lan.start()
    root = lan.books.open_round.root
    lan.silence("ana")
    lan["ana"].order("handover", "ben")
    lan.pass_time(7.0)
    assert lan["ana"].the.host is None
    lan.heal()
    lan.until(lambda: lan["ana"].the.host is not None)
    lan.until(lambda: lan.committed)
    assert len(lan.books.tables) == 1
    assert lan.books.open_round.root == root
    lan.agree()


def test_who_agreed_to_a_fork_does_not_come_back_as_host_of_the_table_left_behind() -> None:
    """It was killed between its yes, which the other has, and the entry that would have begun the new one."""
    lan = Lan("ana", "ben", game="onecard")
    lan.start()
    before = lan.books.table
    lan.kill("ana")
    file = VoteFile.decode(lan["ana"].secrets[VOTES])
    assert file is not None
    lan["ana"].secrets[VOTES] = file.forked(before, bytes(range(16))).encode()
    lan.again("ana")
    assert lan["ana"].the.host is None
    lan.until(lambda: lan["ana"].the.host is not None)
    lan.until(lambda: lan.committed)
    assert lan.books.tables == (before,)
    lan.agree()


# ---- a deal that was rolled back


def test_who_dealt_what_was_rolled_back_gives_its_share_of_the_round_that_has_the_number_since() -> None:
    """The epoch is the same, and the secret it knows is none of this round's."""
    lan = Lan("ana", "ben", "cy")
    lan.silence("ana")
    lan["ana"].order("start")
    lan.until(lambda: lan["ben"].the.host is not None)
    lan.heal()
    lan.until(lambda: lan["ana"].the.guest.public.term == 2)
    lan.start()
    root, epoch = lan.books.open_round.root, lan.books.open_round.first_epoch
    assert epoch == 1
    lan.tamper = lambda sender, _, message: (
        None if sender == "ana" and isinstance(message, PrevoteAsk) else message
    )  # so that another one is host next
    lan.kill("ben")
    lan.until(lambda: lan["cy"].the.host is not None)
    lan.until(lambda: bool(lan.movers) and lan.committed)
    assert lan.books.open_round.root == root


# ---- a host that stops, and who hears nobody else


@pytest.mark.parametrize("told", [True, False])
def test_who_hears_the_former_host_alone_is_told_that_it_is_none_or_finds_out(told: bool) -> None:
    """Words between members are not those of a host: else it waits, and is hung up on for saying nothing."""
    lan = Lan("ana", "ben", "cy", "dot", "eve", game="onecard")
    lan.start()
    for far in ("cy", "dot", "eve"):
        lan.silence(far, "ana", "ben")
    lan.until(lambda: lan["cy"].the.host is not None)
    if not told:
        lan.tamper = lambda _, hearer, message: None if hearer == "ben" and isinstance(message, Stale) else message
    lan.silent.discard(frozenset(("ana", "cy")))
    lan.apart.discard(frozenset(("ana", "cy")))
    lan.until(lambda: lan["ana"].the.host is None)
    lan.pass_time(0.1 if told else 6.0)
    assert not lan["ben"].the.guest.welcomed
    lan.pass_time(20.0)
    assert not lan["ben"].told(Closed)
    lan.heal()
    lan.until(lambda: lan["ben"].the.guest.public.term == 2 and lan["ben"].the.guest.welcomed)


# ---- a host that leaves


def test_the_good_bye_of_a_host_may_come_before_the_word_of_the_next_one() -> None:
    """To who has not heard yet that the table was handed over, its host seems to speak as a member."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.tamper = lambda sender, _, message: message if sender != "ben" or isinstance(message, Ack) else None
    lan["ana"].order("handover", "ben")
    lan["ana"].feed(Left(LeaveReason.LEAVE))
    lan.settle()
    cy = lan["cy"]
    assert lan["ana"].said(Act, "cy")
    assert cy.the.guest.public.host == lan["ana"].identity.key
    lan.tamper = None
    lan.until(lambda: cy.the.guest.public.host == lan["ben"].identity.key and cy.the.guest.welcomed)
    assert not cy.told(Closed)
    lan.until(lambda: lan.books.seat_of(lan["ana"].identity.key) is None, seconds=5)


def test_who_leaves_as_host_and_ends_its_program_says_good_bye_once() -> None:
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan["ana"].feed(Left(LeaveReason.LEAVE))
    lan["ana"].feed(Left(LeaveReason.EXIT))
    lan.pass_time(1.0)
    assert lan["ana"].told(Closed)
    assert not lan["ana"].said(Act, "cy")
    assert not any(lan[name].told(Closed) for name in ("ben", "cy"))
    assert lan.books.seat_of(lan["ana"].identity.key) is None


def test_nobody_is_told_of_a_lost_line_where_the_host_leaves() -> None:
    """The next host is there before the line to the last one ends."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.pass_time(30.0)
    lan["ana"].feed(Left(LeaveReason.LEAVE))
    lan.pass_time(3.0)
    assert [lan[name].told(LinkLost) for name in ("ben", "cy")] == [[], []]
    assert lan["cy"].the.guest.welcomed


# ---- two, and the host comes back


def test_a_host_keeps_where_the_others_are_for_when_it_starts_again() -> None:
    """Of two, the one who was left may have gone on as another table, and then calls nobody."""
    lan = Lan("ana", "ben", game="onecard")
    kept = dict(msgpack.decode(lan["ana"].secrets[PEERS], type=list[tuple[bytes, tuple[bytes, ...]]]))
    assert kept[lan["ben"].identity.key] == (b"ben...",)


# ---- back after long


def test_a_host_whose_links_died_comes_back_as_a_guest_over_new_ones() -> None:
    """It still takes itself for the host when it dials the next one, and says so."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.pass_time(1.0)
    lan.silence("ana", "ben", "cy")
    lan.pass_time(12.0)
    assert lan["ben"].the.host is not None
    lan.breaks("ana", "ben")
    lan.breaks("ana", "cy")
    lan.silent.clear()  # nobody else dials
    assert lan["ana"].the.host is not None
    lan.connect(lan["ana"], lan["ben"])
    lan.pass_time(3.0)
    assert lan["ana"].the.host is None
    assert lan["ana"].the.guest.public.term == 2


# ---- a host that nobody hears


def test_a_host_whose_cable_is_out_may_go_on_alone_though_no_link_of_it_breaks() -> None:
    lan = Lan("ana", "ben", "cy", asks=True, settings={"grace_seconds": "15"})
    lan.start()
    ana = lan["ana"]
    lan.silence("ana")
    lan.until(lambda: bool(ana.told(GoOnAsked)))
    assert ana.told(GoOnAsked)[-1].nicks == ("ben", "cy")
    ana.feed(GoOn(True))
    lan.until(lambda: ana.told(HostIs)[-1].why == "forked")


def test_a_host_that_is_cut_off_says_for_whom_the_table_waits_as_soon_as_it_stands_still() -> None:
    """Its links are up for a while still, and its player would make moves that are undone later."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.silence("ana")
    ana = lan["ana"]
    lan.until(lambda: ana.the.host is not None and not ana.the.host.active(lan.now))
    lan.pass_time(1.0)
    assert ana.told(TableWaits) == [TableWaits(("ben", "cy"))]
    lan.heal()
    lan.until(lambda: ana.told(TableWaits)[-1] == TableWaits(()))


def test_a_host_that_starts_again_alone_says_for_whom_the_table_waits() -> None:
    """The journal names it as host, and it is none any more."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.kill("ana", "ben", "cy")
    ana = lan.again("ana")
    lan.pass_time(7.0)
    assert ana.told(TableWaits) == [TableWaits(("ben", "cy"))]
    lan.again("cy")
    lan.until(lambda: len(lan.honest) == 2 and any(program.the.host is not None for program in lan.honest))
    lan.until(lambda: lan.committed)
    assert ana.told(TableWaits)[-1] == TableWaits(())


# ---- a lobby of three, of whom one is gone


def test_of_two_that_are_left_in_a_lobby_the_host_acts_alone_only_once_the_other_knows_that_they_are_two() -> None:
    """Else the other one and who is back elect a host beside it."""
    lan = Lan("ana", "ben", "cy", settings={"grace_seconds": "5"})
    ana = lan["ana"]
    lan.kill("ben")
    lan.pass_time(3.5)
    lan.silence("ana")
    lan.until(lambda: lan["ana"].the.guest.public.voters == (identity("ana").key, identity("cy").key), step=0.1)
    lan.again("ben")
    lan.until(lambda: any(lan[name].the.host is not None for name in ("ben", "cy")), step=0.1)
    assert lan["ben"].told(HostIs)[-1].why == "elected"
    assert ana.the.host is not None
    assert not ana.the.host.active(lan.now)
    lan.heal()
    lan.until(lambda: len([program for program in lan.honest if program.the.host is not None]) == 1 and lan.committed)
    lan.agree()


def test_of_two_that_are_left_in_a_lobby_and_know_it_the_host_acts_alone() -> None:
    lan = Lan("ana", "ben", "cy", settings={"grace_seconds": "5"})
    ana = lan["ana"]
    lan.kill("ben")
    lan.pass_time(8.0)
    lan.silence("ana")
    lan.pass_time(20.0)
    assert ana.the.host is not None
    assert ana.the.host.active(lan.now)
    assert ana.the.guest.public.voters == (identity("ana").key,)


# ---- a voter that has forgotten


def test_who_lost_its_disk_confirms_nothing_to_a_host_that_it_has_replaced() -> None:
    """ben and cy hold what ana does not. cy forgets it and comes to ana: the two are no majority of three."""
    lan = Lan("ana", "ben", "cy")
    lan.start()
    ana = lan["ana"]
    lan.silence("ana")
    lan.until(lambda: lan["ben"].the.host is not None)
    lan.until(
        lambda: lan["ben"].the.guest.committed == lan["cy"].the.guest.committed == lan["ben"].the.guest.journal.last
    )
    lan.kill("ben", "cy")
    lan.heal()
    assert ana.the.host is not None
    committed = ana.the.host.commit
    cy = lan.come("cy")
    lan.pass_time(5.0)
    assert cy.the.guest.welcomed
    assert {said.vote_file for said in cy.said(Ack)} == {False}
    assert (ana.the.host.active(lan.now), ana.the.host.commit) == (False, committed)
    lan.again("ben")
    lan.until(lambda: lan.committed)
    lan.agree()
    assert ana.the.guest.public.term > 1


# ---- who leaves


def test_a_host_that_goes_acknowledges_nothing_behind_its_good_bye() -> None:
    lan = Lan("ana", "ben", "cy")
    lan.start()
    ana = lan["ana"]
    ana.feed(Left(LeaveReason.LEAVE))
    lan.until(lambda: bool(ana.said(Act)))
    lan.pass_time(3.0)
    assert ana.said(Act)
    assert ana.said(Ack) == []


# ---- two terms later


@pytest.mark.parametrize("dialler", ["ana", "cy"])
def test_a_former_host_that_has_more_of_its_own_is_shown_a_term_that_begins_amid_it(dialler: str) -> None:
    """What comes before that is of a host whom it never heard of: it asks for it, and calls nobody a liar."""
    options = {"draw_then_play": "true", "must_play": "false"}
    lan = Lan("ana", "ben", "cy", "dora", "eli", game="onecard", options=options, settings={"grace_seconds": "60"})
    lan.start()
    ana, cy = lan["ana"], lan["cy"]
    while lan.movers[0] is not ana:
        lan.act(lan.movers[0])
    common = len(ana.the.guest.journal)
    lan.silence("ana")
    ana.feed(Chose("draw"))
    lan.settle()
    lan.act(ana)
    assert len(ana.the.guest.journal) == common + 2
    lan.until(lambda: lan["ben"].the.host is not None and cy.the.guest.public.term == 2)
    lan.kill("ben")
    lan.until(lambda: cy.the.host is not None and len(cy.the.guest.journal) == common + 2)
    lan.kill("ana")
    pair = frozenset(("ana", "cy"))
    lan.silent.discard(pair)
    ana = lan.again("ana")
    lan.connect(lan[dialler], lan["cy" if dialler == "ana" else "ana"])
    lan.until(lambda: ana.the.guest.journal.wires == cy.the.guest.journal.wires)
    assert (ana.told(Alarm), ana.told(Closed)) == ([], [])
    assert ana.told(RolledBack)[-1].index == common


def test_a_host_left_alone_does_not_follow_whom_nobody_heard_and_who_went_on_alone() -> None:
    """The other line branches off with acts that never came to anybody, before what was committed here."""
    options = {"draw_then_play": "true", "must_play": "false"}
    lan = Lan("ana", "ben", "cy", game="onecard", options=options, settings={"grace_seconds": "15"})
    lan.start()
    ana, ben = lan["ana"], lan["ben"]
    while lan.movers[0] is not ana:
        lan.act(lan.movers[0])
    lan.silence("ana")
    ana.feed(Chose("draw"))
    lan.settle()
    lan.until(lambda: ben.the.host is not None and ben.the.guest.committed == ben.the.guest.journal.last)
    kept = ben.the.guest.journal.wires[: ben.the.guest.committed + 1]
    lan.until(lambda: ana.told(HostIs)[-1].why == "forked")
    lan.kill("cy")
    lan.silent.clear()
    lan.apart.clear()
    lan.until(lambda: ben.the.host is None or not ben.the.host.active(lan.now))
    lan.connect(ben, ana)
    lan.pass_time(3.0)
    assert (ben.told(Alarm), ben.told(Closed)) == ([], [])
    assert ben.the.guest.journal.wires[: len(kept)] == kept
    lan.again("cy")
    lan.until(lambda: ben.the.host is not None and ben.the.host.active(lan.now))
    assert lan["cy"].the.guest.journal.wires[: len(kept)] == kept


@pytest.mark.parametrize("secret", [b"", b"short", bytes(32)], ids=["gone", "cut short", "another"])
def test_a_host_that_comes_back_without_the_secret_of_its_round_goes_on_by_a_fork(secret: bytes) -> None:
    """In the term of its deal it can call no round off; and it can't go on with one whose cards it does not know."""
    lan = Lan("ana", "ben", game="onecard", settings={"grace_seconds": "10"})
    lan.start()
    ana, ben = lan["ana"], lan["ben"]
    lan.kill("ana")
    (name,) = [name for name in ana.secrets if name.startswith("root-")]
    ana.secrets[name] = secret
    ana = lan.again("ana")
    lan.connect(ben, ana)
    lan.until(lambda: ana.the.host is not None)
    lan.pass_time(2.0)
    assert ana.told(HostIs)[-1].why == "forked"
    assert len(ana.told(RoundVoid)) == len(ben.told(RoundVoid)) == 1
    assert ben.the.guest.public.round is not None


# ---- what people are told of it


def test_who_comes_back_to_the_next_host_comes_back_once() -> None:
    """The next host has dialled it as a member; the link that it learns of the new term by is good for all the rest."""
    lan = Lan("ana", "ben", "cy", "dora", game="onecard")
    lan.start()
    lan.silence("ana")
    lan.pass_time(9.0)
    ana = lan["ana"]
    seen = len(ana.notices)
    lan.heal()
    lan.pass_time(3.0)
    for name in ("ben", "cy", "dora"):
        assert [len(lan[name].told(kind)) for kind in (Dropped, Returned)] == [1, 1], name
    told = ana.notices[seen:]
    assert [notice.nick for notice in told if isinstance(notice, HostIs)] == ["ben"]
    assert len([notice for notice in told if isinstance(notice, TurnOf)]) == 1
    assert not [notice for notice in told if isinstance(notice, Dropped)]


def test_the_line_that_is_back_may_be_to_another_host() -> None:
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.kill("ana")
    lan.until(lambda: lan["ben"].the.host is not None and lan.committed)
    for name in ("ben", "cy"):
        assert lan[name].told(LinkBack) == [LinkBack(another=True)], name
    lan.breaks("ben", "cy")
    lan.until(lambda: len(lan["cy"].told(LinkBack)) == 2)
    assert lan["cy"].told(LinkBack)[-1] == LinkBack()


def test_a_table_goes_on_when_somebody_hosts_it_and_not_before() -> None:
    lan = Lan("ana", "ben", "cy")
    lan.start()
    lan.kill("ana", "ben")
    lan.pass_time(8.0)
    cy = lan["cy"]
    lan.again("ben")
    lan.until(lambda: cy.told(HostChanging) != [])
    assert cy.told(TableWaits) == [TableWaits(("ana", "ben"))]
    view = cy.the.table_view()
    assert view is not None
    assert view.waiting_for == ()
    lan.until(lambda: any(program.the.host is not None for program in lan.honest))
    lan.until(lambda: cy.told(TableWaits)[-1] == TableWaits(()))


def test_a_turn_is_told_again_after_a_lost_line() -> None:
    lan = Lan("ana", "ben", "cy")
    lan.start()
    (mover,) = lan.movers
    other = next(program for program in lan.honest if program is not mover and program.the.host is None)
    told = len(other.told(TurnOf))
    lan.breaks("ana", other.name)
    lan.until(lambda: other.told(LinkBack) != [])
    lan.pass_time(1.0)
    assert len(other.told(TurnOf)) == told + 1


# ---- two links, and what comes over the slower one


@pytest.mark.parametrize("when", ["before it is followed", "before its first view", "later"])
def test_a_member_may_be_faster_with_what_the_next_host_has_said_too(when: str) -> None:
    """The views that are on their way from the host are of older entries, and yet it has done nothing wrong."""
    lan = Lan("ana", "ben", "cy", game="onecard", settings={"grace_seconds": "5"}, asks=True)
    lan.start()
    lan.silence("ana")
    lan.until(lambda: lan["ben"].the.host is not None and lan.committed)
    lan.pass_time(8.0)
    ana, cy = lan["ana"], lan["cy"]
    late: list[Message] = []

    def slow(sender: str, hearer: str, message: Message) -> Message | None:
        served = ana.the.guest.settled and ana.the.guest.public.term == 2
        due = served if when == "later" else isinstance(message, View)
        if when.startswith("before it "):
            due = ana.the.host is None
        if (sender, hearer) != ("ben", "ana") or not (late or due):
            return message
        late.append(message)
        return None

    lan.tamper = slow
    lan.heal()
    lan.pass_time(0.6)
    assert ana.the.guest.welcomed is (not when.startswith("before it "))
    for _ in range(2):
        lan.act(next(mover for mover in lan.movers if mover is not ana))
        lan.settle()
    assert any(isinstance(message, View) for message in late)
    ana.feed(Received(ana.link_to("cy"), Entries(0, tuple(cy.journal))))
    link = ana.link_to("ben")
    while late:  # in order, what they lead to included
        ana.feed(Received(link, late[0]))
        lan.settle()
        del late[0]
    lan.tamper = None
    lan.pass_time(1.0)
    assert (ana.told(Alarm), ana.told(Closed)) == ([], [])
    assert ana.the.guest.journal.wires == cy.journal
    assert ana.the.guest.settled


def test_who_goes_on_alone_waits_for_nobody_from_the_word_on_that_it_hosts() -> None:
    """Moves are refused while the table is said to stand still, and the word is all that a script waits for."""
    lan = Lan("ana", "ben", game="onecard", settings={"grace_seconds": "2"})
    lan.start()
    ben = lan["ben"]
    lan.kill("ana")
    seen = list[tuple[str, ...]]()

    def follow() -> bool:
        view = ben.the.table_view()
        if view is not None and any(told.why == "forked" for told in ben.told(HostIs)):
            seen.append(view.waiting_for)
        return bool(seen)

    lan.until(follow, step=0.05)
    assert seen == [()]

"""Who may come in: the five doors, the host's word, and who is shown out (protocol 3, 5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.errors import UserError
from p2pcards.table import journal
from p2pcards.table.door import GUESSES, KNOCKS_SECONDS, MOST_WAITING, Gate
from p2pcards.table.notices import (
    Audited,
    BotPlays,
    Closed,
    CodeIs,
    DoorSet,
    Dropped,
    Entered,
    Kicked,
    Knocked,
    Notice,
    Pardoned,
    Refused,
    Waiting,
    WentAway,
)
from p2pcards.table.people import Ban, Known, NoPeople
from p2pcards.table.settings import ASK_SECONDS, DOORS
from p2pcards.table.ticket import Ticket
from p2pcards.wire.entries import EntryKind, SeatKind
from p2pcards.wire.lab import proof_i
from p2pcards.wire.messages import Close, Info, Message, Method, Reason, Welcome
from tests.table.test_access import hello, knock, refused
from tests.testing.cluster import WALL, Cluster, Peer, identity, play_round, session
from tests.testing.kept_people import KeptPeople

LAB = b"\x07" * 32
OTHER_LAB = b"\x08" * 32


class Roll(NoPeople):
    """The lab proves a login for some keys."""

    def __init__(self, **logins: str) -> None:
        self.logins = {identity(name).key: login for name, login in logins.items()}

    def login(self, key: bytes) -> str:
        return self.logins.get(key, "")


def table(door: str = "open", **more: object) -> Cluster:
    """A table of ana's with that door."""
    cluster = Cluster(door=door, **more)  # type: ignore[arg-type]  # seats and the like go through
    cluster.join("ana", host=True)
    return cluster


def is_in(peer: Peer) -> bool:
    return bool(peer.told(Entered)) and not peer.guest.finished


def why(peer: Peer) -> str:
    """The reason for which somebody was turned away."""
    assert not peer.told(Entered)
    assert peer.guest.finished
    (told,) = peer.told(Refused)
    assert peer.told(Closed)[-1].reason == told.code
    return told.code


def host_told(cluster: Cluster, kind: type[Notice]) -> list[Notice]:
    return [notice for notice in cluster.host_notices if isinstance(notice, kind)]


# ---- the policy


@pytest.mark.parametrize("door", DOORS)
def test_the_door_is_in_the_journal_and_told_to_who_asks(door: str) -> None:
    gate = Gate(Roll(ben="ben"), lab=LAB, roll=True)
    cluster = table(door, gate=gate)
    assert cluster.host.public.door == door
    line = cluster.line("dot")
    proof = proof_i(LAB, session(line.link)) if door.startswith("lab") else b""
    line.send(hello(method=Method.PROBE, proof=proof))
    (info,) = line.heard(Info)
    assert info.door == door
    assert line.closed == Close(Reason.BYE, "")


@pytest.mark.parametrize("door", ["lab", "lab+uid"])
@pytest.mark.parametrize("proof", [b"", proof_i(OTHER_LAB, bytes(32)), proof_i(LAB, bytes(32))])
def test_a_lab_table_tells_a_stranger_nothing(door: str, proof: bytes) -> None:
    cluster = table(door, gate=Gate(Roll(), lab=LAB, roll=True))
    line = knock(cluster, "dot", hello(method=Method.PROBE, proof=proof))
    assert not line.heard(Info)
    assert refused(line, Reason.NOT_A_MEMBER)


@pytest.mark.parametrize(
    ("door", "ticket", "reason"),
    [
        ("open", Ticket("open"), ""),
        ("open", Ticket("code", "zoo-zoo"), "declined"),
        ("open", Ticket("lab", lab=LAB), "declined"),
        ("ask", Ticket("code", "zoo-zoo"), "declined"),
        ("ask", Ticket("lab", lab=LAB), "declined"),
        ("code", Ticket("open"), "wrong_code"),
        ("code", Ticket("code", "zoo-zoo"), "wrong_code"),
        ("code", Ticket("lab", lab=LAB), "wrong_code"),
        ("lab", Ticket("open"), "not_a_member"),
        ("lab", Ticket("code", "zoo-zoo"), "not_a_member"),
        ("lab", Ticket("lab", lab=OTHER_LAB), "not_a_member"),
        ("lab", Ticket("lab", lab=LAB), ""),
        ("lab+uid", Ticket("lab+uid", lab=OTHER_LAB), "not_a_member"),
        ("lab+uid", Ticket("lab+uid", lab=LAB), ""),
    ],
)
def test_who_brings_what_the_door_asks_for_comes_in(door: str, ticket: Ticket, reason: str) -> None:
    cluster = table(door, gate=Gate(Roll(ben="ben"), lab=LAB, roll=True))
    ben = cluster.join("ben", ticket=ticket)
    assert is_in(ben) if not reason else why(ben) == reason


def test_the_labs_directory_must_name_the_key() -> None:
    cluster = table("lab+uid", gate=Gate(Roll(ben="ben"), lab=LAB, roll=True))
    assert why(cluster.join("cy", ticket=Ticket("lab+uid", lab=LAB))) == "not_a_member"
    assert is_in(cluster.join("ben", ticket=Ticket("lab+uid", lab=LAB)))


def test_a_host_that_is_no_member_of_the_lab_is_left_at_once() -> None:
    cluster = table("lab", gate=Gate(lab=LAB))

    def forged(name: str, message: Message) -> Message:
        return replace(message, proof=bytes(32)) if isinstance(message, Welcome) else message

    cluster.tamper = forged
    ben = cluster.join("ben", ticket=Ticket("lab", lab=LAB))
    assert why(ben) == "broken"
    assert len(ben.guest.journal) == 0


@pytest.mark.parametrize(
    ("gate", "door"),
    [
        (Gate(), "lab"),
        (Gate(), "lab+uid"),
        (Gate(lab=LAB), "lab+uid"),
        (Gate(asks=False), "ask"),
        (Gate(), "shut"),
    ],
)
def test_a_door_that_can_not_be_kept_is_refused_at_the_start_and_later(gate: Gate, door: str) -> None:
    with pytest.raises(UserError):
        Cluster(door=door, gate=gate)
    cluster = table(gate=gate)
    with pytest.raises(UserError):
        cluster.order("door", door)
    assert cluster.host.public.door == "open"


def test_the_door_changes_in_the_lobby_and_between_rounds_but_not_inside_one() -> None:
    cluster = table(options={"match_rounds": "2"})
    ben, _ = cluster.join("ben"), cluster.join("cy")
    cluster.order("door", "code")
    assert [told.door for told in ben.told(DoorSet)] == ["code"]
    cluster.order("start")
    before = len(cluster.host_journal)
    with pytest.raises(UserError):
        cluster.order("door", "open")
    assert len(cluster.host_journal) == before
    play_round(cluster)
    cluster.order("door", "ask")
    view = ben.guest.table_view()
    assert view is not None
    assert view.door == "ask"
    assert cluster.host.code == ""


# ---- ask


def test_the_host_is_asked_and_lets_somebody_in() -> None:
    cluster = table("ask")
    ben = cluster.join("ben")
    (knocked,) = host_told(cluster, Knocked)
    assert knocked == Knocked(1, "ben", identity("ben").key, "new", "", "ask")
    assert not ben.told(Entered)
    cluster.pass_time(2)
    assert ben.told(Waiting) == [Waiting(60)]
    cluster.pass_time(30)
    cluster.order("admit", "BEN")
    assert is_in(ben)
    assert host_told(cluster, WentAway) == [WentAway("ben", "admitted")]
    assert cluster.host.knocks == ()


def test_who_was_silent_at_the_door_has_not_dropped() -> None:
    cluster = table("ask")
    cluster.join("ben")
    cluster.pass_time(30)
    cluster.peers["ben"].mute = True  # the answer is a moment on its way
    cluster.order("admit", "ben")
    cluster.pass_time(2)
    assert cluster.peers["ana"].told(Dropped) == []


def test_whoever_waits_alone_needs_no_name() -> None:
    cluster = table("ask")
    with pytest.raises(UserError, match="Nobody waits"):
        cluster.order("admit", "")
    ben, cy = cluster.join("ben"), cluster.join("cy")
    with pytest.raises(UserError, match="Several"):
        cluster.order("admit", "")
    with pytest.raises(UserError, match="dot"):
        cluster.order("admit", "dot")
    cluster.order("admit", "cy")
    cluster.order("admit", "")
    assert is_in(ben)
    assert is_in(cy)


def test_a_no_is_told_with_its_reason_and_holds_for_a_minute() -> None:
    cluster = table("ask")
    ben = cluster.join("ben")
    cluster.order("deny", "ben", "we are\x1b[2J four")
    assert why(ben) == "declined"
    assert ben.told(Refused)[0].text == "we are[2J four"
    assert why(cluster.join("ben")) == "too_fast"
    assert len(host_told(cluster, Knocked)) == 1
    cluster.pass_time(ASK_SECONDS)
    cluster.join("ben")
    assert len(cluster.host.knocks) == 1


def test_nobody_waits_for_longer_than_a_minute() -> None:
    cluster = table("ask")
    ben = cluster.join("ben")
    cluster.pass_time(ASK_SECONDS - 1)
    assert not ben.guest.finished
    cluster.pass_time(1)
    assert why(ben) == "declined"
    assert host_told(cluster, WentAway) == [WentAway("ben", "late")]


def test_who_goes_away_waits_no_longer() -> None:
    cluster = table("ask")
    cluster.join("ben")
    cluster.cut("ben")
    assert host_told(cluster, WentAway) == [WentAway("ben", "gone")]
    cluster.join("cy")
    cluster.leave("cy")
    assert host_told(cluster, WentAway)[1:] == [WentAway("cy", "gone")]
    assert cluster.host.knocks == ()


def test_so_many_wait_and_no_more() -> None:
    cluster = table("ask", seats=4, game="tienlen")
    for number in range(MOST_WAITING):
        cluster.join(f"g{number}")
    assert len(cluster.host.knocks) == MOST_WAITING
    assert why(cluster.join("late")) == "too_fast"


def test_who_knocks_and_runs_away_does_not_fill_the_hosts_screen() -> None:
    cluster = table("ask")
    for number in range(MOST_WAITING + 1):
        cluster.join(f"g{number}")
        if number < MOST_WAITING:
            cluster.cut(f"g{number}")
    assert why(cluster.peers[f"g{MOST_WAITING}"]) == "too_fast"
    assert len(host_told(cluster, Knocked)) == MOST_WAITING
    cluster.pass_time(KNOCKS_SECONDS)
    cluster.join("ben")
    assert len(cluster.host.knocks) == 1


def test_two_of_one_name_can_be_told_apart_at_the_door() -> None:
    cluster = table("ask")
    cluster.join("b1", nick="ben")
    second = cluster.join("b2", nick="Ben")
    assert [one.nick for one in cluster.host.knocks] == ["ben", "Ben-2"]
    cluster.order("admit", "ben-2")
    assert is_in(second)


def test_an_opened_door_lets_in_who_waits_for_it() -> None:
    cluster = table("ask")
    ben = cluster.join("ben")
    cluster.order("door", "open")
    assert is_in(ben)


def test_who_stood_at_the_door_while_the_table_filled_is_told_that_it_is_full() -> None:
    cluster = table("ask", seats=2, game="tienlen")
    ben, cy = cluster.join("ben"), cluster.join("cy")
    cluster.order("admit", "ben")
    cluster.order("admit", "cy")
    assert is_in(ben)
    assert why(cy) == "full"


def test_a_member_that_returns_is_not_asked_about_again() -> None:
    cluster = table("ask")
    ben = cluster.join("ben")
    cluster.order("admit", "ben")
    cluster.cut("ben")
    cluster.back("ben")
    assert is_in(ben)
    cluster.cut("ben")
    assert is_in(cluster.join("ben"))  # a program started afresh, which knows of no seat
    assert len(host_told(cluster, Knocked)) == 1


def test_the_hosts_own_seat_passes_every_door() -> None:
    for door in DOORS:
        cluster = table(door, gate=Gate(Roll(), lab=LAB, roll=True))
        assert cluster.peers["ana"].guest.me == 0


def test_a_table_whose_journal_is_full_takes_nobody_new(monkeypatch: pytest.MonkeyPatch) -> None:
    cluster = table()
    cluster.join("ben")
    monkeypatch.setattr(journal, "JOURNAL_BYTES", 100)
    assert why(cluster.join("cy")) == "full"
    cluster.cut("ben")
    cluster.back("ben")
    assert is_in(cluster.peers["ben"])


# ---- names


def knowing(**people: str) -> KeptPeople:
    """The host has met these keys under these nicks."""
    kept = KeptPeople()
    for name, nick in people.items():
        kept.meet(identity(name).key, nick, WALL)
    return kept


@pytest.mark.parametrize("door", ["open", "ask", "code", "lab"])
def test_a_borrowed_name_is_the_hosts_to_judge_at_every_door(door: str) -> None:
    cluster = table(door, gate=Gate(knowing(ben="ben"), lab=LAB))
    impostor = cluster.join("mallory", nick="BEN", ticket=Ticket(door, cluster.host.code, LAB))
    assert not impostor.told(Entered)
    (one,) = cluster.host.knocks
    assert (one.asked, one.known) == ("name", Known.OTHER)
    cluster.order("admit", "ben")
    assert is_in(impostor)


def test_a_borrowed_name_is_refused_where_nobody_can_be_asked() -> None:
    cluster = table(gate=Gate(knowing(ben="ben"), asks=False))
    impostor = cluster.join("mallory", nick="ben")
    assert why(impostor) == "declined"
    assert "another --nick" in impostor.told(Refused)[0].text
    assert is_in(cluster.join("ben"))


@pytest.mark.parametrize("door", ["open", "ask"])
def test_once_nobody_is_there_to_be_asked_nobody_waits(door: str) -> None:
    cluster = table(door, gate=Gate(knowing(ben="ben")))
    waits = cluster.join("mallory", nick="ben")
    cluster.order("unattended")
    comes = cluster.join("eve", nick="ben")
    for impostor in (waits, comes):
        assert why(impostor) == "declined"
        assert "another --nick" in impostor.told(Refused)[0].text
    assert [told.why for told in host_told(cluster, WentAway) if isinstance(told, WentAway)] == ["declined"]
    dee = cluster.join("dee")
    assert is_in(dee) is (door == "open")
    if door == "ask":
        assert dee.told(Refused)[0].text == "nobody is there to answer the door"


def test_beside_its_owner_a_name_can_not_be_borrowed() -> None:
    cluster = table(gate=Gate(knowing(ben="ben")))
    cluster.join("ben")
    other = cluster.join("mallory", nick="ben")
    assert is_in(other)
    assert cluster.host.public.nick_of(identity("mallory").key) == "ben-2"


# ---- the code


def wrong(cluster: Cluster, name: str = "mallory") -> Peer:
    cluster.pass_time(1)
    return cluster.join(name, ticket=Ticket("code", "zoo-zoo"))


def right(cluster: Cluster, name: str = "ben") -> Peer:
    cluster.pass_time(1)
    return cluster.join(name, ticket=Ticket("code", cluster.host.code))


def test_the_code_opens_the_door_and_the_host_proves_that_it_knows_it() -> None:
    cluster = table("code")
    assert is_in(right(cluster))
    assert host_told(cluster, CodeIs) == [CodeIs(cluster.host.code, "opened")]


def test_a_code_can_be_brought_along() -> None:
    assert table("code", gate=Gate(code="zoo-zoo")).host.code == "zoo-zoo"


def test_a_host_that_does_not_know_the_code_is_left_at_once() -> None:
    cluster = table("code")

    def forged(name: str, message: Message) -> Message:
        return replace(message, proof=bytes(32)) if isinstance(message, Welcome) and name == "ben" else message

    cluster.tamper = forged
    assert why(right(cluster)) == "broken"


def test_after_five_wrong_guesses_the_code_is_another_one() -> None:
    cluster = table("code")
    first = cluster.host.code
    for _ in range(GUESSES - 1):
        assert why(wrong(cluster)) == "wrong_code"
    assert cluster.host.code == first
    assert is_in(right(cluster))  # a right one in between forgives nothing
    assert why(wrong(cluster)) == "wrong_code"
    assert cluster.host.code != first
    assert host_told(cluster, CodeIs)[1:] == [CodeIs(cluster.host.code, "guessed")]
    cluster.pass_time(1)
    assert why(cluster.join("cy", ticket=Ticket("code", first))) == "wrong_code"


def test_one_guess_a_second() -> None:
    cluster = table("code")
    wrong(cluster)
    assert why(cluster.join("cy", ticket=Ticket("code", cluster.host.code))) == "too_fast"
    assert is_in(right(cluster, "cy"))


def test_a_guess_that_is_given_up_was_a_wrong_one() -> None:
    cluster = table("code")
    first = cluster.host.code
    for number in range(GUESSES):
        cluster.pass_time(1)
        line = cluster.line(f"m{number}")
        line.send(hello(method=Method.CODE, proof=bytes(33)), Close(Reason.BYE, ""))
    assert cluster.host.code != first


@pytest.mark.parametrize("proof", [b"", bytes(32), bytes(34), b"zoo-zoo"])
def test_what_is_no_guess_is_refused_without_a_run(proof: bytes) -> None:
    cluster = table("code")
    first = cluster.host.code
    for _ in range(GUESSES + 1):
        refused(knock(cluster, "mallory", hello(method=Method.CODE, proof=proof)), Reason.WRONG_CODE)
    assert cluster.host.code == first


def test_the_host_has_another_code_made() -> None:
    cluster = table("code")
    first = cluster.host.code
    cluster.order("door", "code")
    assert cluster.host.code != first
    assert host_told(cluster, CodeIs)[-1] == CodeIs(cluster.host.code, "asked")


# ---- shown out


def three_at(**more: object) -> tuple[Cluster, Peer, Peer]:
    cluster = table(**more)  # type: ignore[arg-type]  # as above
    return cluster, cluster.join("ben"), cluster.join("cy")


def until(cluster: Cluster, seconds: int) -> str:
    return str(int(WALL + cluster.now) + seconds)


def test_everybody_is_told_who_was_shown_out_by_whom_why_and_until_when() -> None:
    cluster, ben, cy = three_at()
    date = until(cluster, 600)
    cluster.order("kick", "Cy", "too\x1b loud", date)
    told = Kicked("cy", identity("cy").key, "ana", "too loud", int(date))
    assert ben.told(Kicked) == cluster.peers["ana"].told(Kicked) == [told]
    assert cy.told(Closed) == [Closed("kicked", "by ana (too loud)", int(date))]
    assert [held.kind for held in cluster.host.public.seats] == [SeatKind.MEMBER, SeatKind.MEMBER, SeatKind.OPEN]


def test_who_was_shown_out_comes_back_when_the_time_is_over() -> None:
    cluster, _, _ = three_at()
    date = until(cluster, 20)
    cluster.order("kick", "cy", "", date)
    for _ in range(2):
        again = cluster.join("cy")
        assert why(again) == "banned"
        assert again.told(Refused)[0].until == int(date)
        cluster.pass_time(9)
    cluster.pass_time(2)
    assert is_in(cluster.join("cy"))


def test_for_good_is_for_good_until_the_host_thinks_better_of_it() -> None:
    cluster, ben, _ = three_at()
    cluster.order("kick", "cy", "", "0")
    cluster.pass_time(700)
    assert why(cluster.join("cy")) == "banned"
    cluster.order("pardon", identity("cy").key.hex())
    assert ben.told(Pardoned) == [Pardoned(identity("cy").key, "ana")]
    assert is_in(cluster.join("cy"))


def test_inside_a_round_a_bot_takes_the_seat_and_the_round_is_played_and_audited() -> None:
    cluster, ben, cy = three_at(options={"match_rounds": "1"})
    cluster.order("start")
    seat = cy.seat
    cluster.order("kick", "cy", "", until(cluster, 600))
    assert [one.reason for one in ben.told(BotPlays)] == ["kicked"]
    assert cluster.host.public.seats[seat].key == b""
    play_round(cluster)
    assert all(audit.ok for audit in ben.told(Audited))
    assert ben.told(Audited)


def test_a_watcher_can_be_shown_out_too() -> None:
    cluster = table()
    dot = cluster.join("dot", watch=True)
    cluster.order("kick", "dot", "", "0")
    assert dot.told(Closed)[-1].reason == "kicked"
    assert cluster.host.public.spectators == ()


@pytest.mark.parametrize(("nick", "says"), [("ana", "host"), ("bot-1", "bot remove"), ("zed", "zed")])
def test_nobody_else_can_be_shown_out(nick: str, says: str) -> None:
    cluster, _, _ = three_at(seats=4, game="tienlen")
    cluster.order("bot", "add", "")
    before = len(cluster.host_journal)
    with pytest.raises(UserError, match=says):
        cluster.order("kick", nick, "", "0")
    assert len(cluster.host_journal) == before


def test_a_kick_changes_the_code() -> None:
    cluster = table("code")
    right(cluster)
    first = cluster.host.code
    cluster.order("kick", "ben", "", until(cluster, 5))
    assert cluster.host.code != first
    assert host_told(cluster, CodeIs)[-1] == CodeIs(cluster.host.code, "kicked")


def test_another_key_of_the_same_login_is_shown_out_with_it() -> None:
    people = Roll(ben="ben", ben2="ben")
    cluster = table("lab+uid", gate=Gate(people, lab=LAB, roll=True))
    cluster.join("ben", ticket=Ticket("lab+uid", lab=LAB))
    cluster.order("kick", "ben", "", until(cluster, 20))
    assert why(cluster.join("ben2", ticket=Ticket("lab+uid", lab=LAB))) == "banned"


def test_the_hosts_own_list_counts_whatever_the_door() -> None:
    people = KeptPeople()
    people.ban(Ban(identity("ben").key, "ben", "", "cheats", int(WALL), int(WALL) + 2000))
    for door in ("open", "ask", "code", "lab"):
        cluster = table(door, gate=Gate(people, lab=LAB))
        ben = cluster.join("ben", ticket=Ticket(door, cluster.host.code, LAB))
        assert why(ben) == "banned"
        (told,) = ben.told(Refused)
        assert told.text == "shown out by ana (cheats)"
        assert told.until == int(WALL) + 2000
    cluster.pass_time(1001)
    assert is_in(cluster.join("ben", ticket=Ticket("lab", lab=LAB)))


def test_a_kick_stands_in_the_journal_before_the_seat_is_taken() -> None:
    cluster, _, _ = three_at()
    cluster.order("kick", "cy", "", "0")
    assert [entry.kind for entry in cluster.host.public.journal.entries[-2:]] == [EntryKind.KICK, EntryKind.ROSTER]


def test_a_table_voted_on_shows_out_who_most_of_it_want_out() -> None:
    cluster, ben, cy = three_at(options={"match_rounds": "1"})
    cluster.vote("ben", "cy")
    assert not cy.guest.finished
    cluster.vote("ana", "cy")
    assert cy.told(Closed)[-1].reason == "kicked"
    assert [(one.by, one.until) for one in ben.told(Kicked)] == [("vote", int(WALL + cluster.now) + 600)]
    assert why(cluster.join("cy")) == "banned"

"""The door: who comes in, to which seat, and what everybody else is told (protocol 5)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards import PROTOCOL, __version__
from p2pcards.table.access import SPECTATORS, my_games
from p2pcards.table.effects import LinkDown
from p2pcards.table.members import RESTLESS, RESTLESS_SECONDS
from p2pcards.table.notices import BotPlays, Closed, Entered, Refused, Returned, Seated, Unwatched, Vacated, Watching
from p2pcards.wire.entries import SeatKind
from p2pcards.wire.messages import (
    Close,
    Entries,
    Flag,
    Get,
    Heartbeat,
    Hello,
    Info,
    Message,
    Method,
    Reason,
    Resume,
    View,
    Want,
    Welcome,
)
from tests.testing.cluster import Cluster, Line, identity, play_round, started, three


def hello(
    nick: str = "dot",
    *,
    method: Method = Method.KNOCK,
    flags: int = 0,
    came: Resume | None = None,
    **more: object,
) -> Hello:
    """What an honest newcomer says first."""
    said = Hello(__version__, PROTOCOL, my_games(), nick, flags, int(method), b"", 0, (), tuple(came or ()))
    return replace(said, **more)


def knock(cluster: Cluster, name: str, said: Message | None = None) -> Line:
    """Somebody's first word, and the answer."""
    line = cluster.line(name)
    line.send(said or hello(name))
    return line


def refused(line: Line, reason: Reason) -> str:
    """The text of the Close with which the host turned somebody away."""
    assert line.closed is not None
    assert Reason(line.closed.reason) is reason
    assert line.heard(Welcome) == []
    return line.closed.text


def breaks(cluster: Cluster, line: Line) -> None:
    """The line is down."""
    cluster.tell_host(LinkDown(line.link))
    cluster.settle()


def nothing_changed(cluster: Cluster, before: int) -> bool:
    """Whether the journal is as long as it was."""
    return len(cluster.host.public.journal) == before


# ---- coming in


def test_the_first_seats_are_taken_in_the_order_of_coming() -> None:
    cluster = three()
    assert [held.nick for held in cluster.host.public.seats] == ["ana", "ben", "cy"]
    assert [cluster.peers[name].told(Entered) for name in ("ana", "ben", "cy")] == [
        [Entered(0)],
        [Entered(1)],
        [Entered(2)],
    ]
    assert cluster.peers["ana"].told(Seated)[-1] == Seated(2, "cy", identity("cy").key, "")
    assert cluster.host.public.voters == tuple(identity(name).key for name in ("host", "ben", "cy"))


def test_a_welcome_names_table_host_seat_and_door() -> None:
    cluster = Cluster()
    (welcome,) = knock(cluster, "dot").heard(Welcome)
    assert (welcome.table, welcome.host, welcome.seat, welcome.door) == (
        cluster.host.table,
        identity("host").key,
        0,
        "open",
    )
    assert welcome.last == cluster.host.public.journal.last


def test_nothing_of_the_table_is_told_before_it_is_asked_for() -> None:
    line = knock(Cluster(), "dot")
    told = [type(message) for message in line.received if not isinstance(message, Heartbeat)]
    assert told == [Welcome]
    line.send(Get(0))
    told = [type(message) for message in line.received if not isinstance(message, Heartbeat)]
    assert told[:2] == [Welcome, Entries]


def test_a_probe_is_told_about_the_table_and_leaves_no_trace() -> None:
    cluster = three(options={"ante": "5"})
    cluster.host.addresses = (b"\x7f\0\0\1\x62\xa4",)
    before = len(cluster.host.public.journal)
    line = knock(cluster, "dot", hello(method=Method.PROBE))
    info, bye = line.received
    assert bye == Close(Reason.BYE, "")
    assert info == cluster.host.info()
    assert isinstance(info, Info)
    assert (info.title, info.nick, info.game, info.state, info.door) == ("lab", "ana", "tongits", "lobby", "open")
    assert info.options == (("ante", "5"),)
    assert info.seats == (("ana", 1), ("ben", 1), ("cy", 1))
    assert info.addresses == cluster.host.addresses
    assert nothing_changed(cluster, before)
    cluster.order("start")
    assert cluster.host.info().state == "playing"


def test_a_member_may_probe_its_own_table() -> None:
    cluster = three()
    line = knock(cluster, "ben", hello(method=Method.PROBE))
    assert isinstance(line.received[0], Info)
    cluster.pass_time(10)
    assert cluster.peers["ben"].told(Closed) == []
    assert cluster.peers["ana"].told(Returned) == []


def test_a_bots_seat_goes_to_a_person_in_the_lobby() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    for _ in range(2):
        cluster.order("bot", "add", "easy")
    cluster.join("ben")
    assert [held.nick for held in cluster.host.public.seats] == ["ana", "ben", "bot-2"]
    assert Vacated(1, "bot-1", "bot removed") in cluster.peers["ana"].told(Vacated)


def test_an_open_seat_is_taken_before_a_bots() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.order("bot", "add", "easy")
    cluster.join("ben")
    assert [held.nick for held in cluster.host.public.seats] == ["ana", "bot-1", "ben"]
    cluster.join("cy")
    assert [held.nick for held in cluster.host.public.seats] == ["ana", "cy", "ben"]


def test_a_watcher_that_comes_back_to_play_gets_a_seat() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.join("dot", watch=True)
    journal = cluster.host.public.journal
    knock(cluster, "dot", hello("dot", came=Resume(journal.table, journal.last, journal.head)))
    assert cluster.host.public.seats[1].nick == "dot"
    assert dict(cluster.host.public.spectators) == {}


def test_who_wants_to_watch_gets_no_seat() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    dot = cluster.join("dot", watch=True)
    assert dot.told(Entered) == [Entered(None)]
    assert [held.kind for held in cluster.host.public.seats] == [SeatKind.MEMBER, SeatKind.OPEN, SeatKind.OPEN]
    assert dict(cluster.host.public.spectators) == {identity("dot").key: "dot"}
    assert cluster.peers["ana"].told(Watching) == [Watching("dot", identity("dot").key)]
    cluster.order("start")
    assert identity("dot").key in dict(cluster.host.public.spectators)
    cluster.cut("dot")
    assert dict(cluster.host.public.spectators) == {}
    assert cluster.peers["ana"].told(Unwatched) == [Unwatched("dot")]


def test_who_comes_while_a_round_is_open_is_seated_after_it() -> None:
    cluster = Cluster(settings={"seat_order": "join_order"}, options={"match_rounds": "3"})
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.order("start")
    dot = cluster.join("dot")
    assert dot.told(Entered) == [Entered(None)]
    assert cluster.host.public.seats[2].nick == "bot-1"
    assert dot.guest.table_view() is not None
    play_round(cluster)
    cluster.want("ana", "next")
    assert dot.guest.me is None
    cluster.want("ben", "next")
    assert dot.guest.me == 2
    assert cluster.host.public.seats[2].nick == "dot"
    assert cluster.host.public.names == ("ana", "ben", "bot-1")  # a seat keeps its name in the record
    assert dot.told(Unwatched) == [Unwatched("dot")]
    play_round(cluster)


def test_a_leavers_seat_goes_to_a_newcomer_between_rounds() -> None:
    cluster = started(options={"match_rounds": "3"})
    cluster.leave("cy")
    dot = cluster.join("dot")
    play_round(cluster)
    cluster.want("ana", "next")
    cluster.want("ben", "next")
    assert dot.guest.me == 2
    assert cluster.host.public.plays_itself(2)
    play_round(cluster)
    assert all(peer.told(Closed) == [] for name, peer in cluster.peers.items() if name != "cy")


def test_who_waits_for_a_seat_gets_one_that_comes_free_after_the_match() -> None:
    cluster = started(options={"match_rounds": "1"})
    cluster.leave("cy")
    dot = cluster.join("dot")
    watcher = cluster.join("eve", watch=True)
    play_round(cluster)
    assert dot.guest.me == 2
    assert watcher.guest.me is None


# ---- who is turned away


def test_another_protocol_is_refused_with_both_versions() -> None:
    cluster = Cluster()
    text = refused(knock(cluster, "dot", hello(protocol=PROTOCOL + 1, app="9.9")), Reason.VERSION)
    assert text == (
        f"this table speaks protocol {PROTOCOL} (p2pcards {__version__}),"
        f" you speak protocol {PROTOCOL + 1} (p2pcards 9.9)"
    )


@pytest.mark.parametrize(("games", "has"), [((("tongits", 2),), "version 2"), ((), "none"), ((("chess", 1),), "none")])
def test_other_rules_are_refused_with_both_versions(games: tuple[tuple[str, int], ...], has: str) -> None:
    cluster = Cluster()
    before = len(cluster.host.public.journal)
    text = refused(knock(cluster, "dot", hello(games=games, app="9.9")), Reason.VERSION)
    assert "Tong-its by rules version 1" in text
    assert __version__ in text
    assert f"you have {has} (p2pcards 9.9)" in text
    assert nothing_changed(cluster, before)


def test_a_hostile_version_text_is_made_safe_and_short() -> None:
    line = knock(Cluster(), "dot", hello(protocol=9, app="\x1b[2J\u202e" * 60))
    text = refused(line, Reason.VERSION)
    assert text.isprintable()
    assert len(text) <= 300


def test_a_full_table_says_who_sits_there() -> None:
    cluster = three(settings={"seat_order": "join_order"})
    assert refused(knock(cluster, "dot"), Reason.FULL) == "every seat is taken: ana, ben, cy"
    cluster.order("start")
    assert refused(knock(cluster, "dot"), Reason.FULL) == "every seat is taken: ana, ben, cy"
    dot = cluster.join("dot")
    assert dot.told(Refused) == [Refused("full", "every seat is taken: ana, ben, cy")]
    assert dot.told(Closed) == [Closed("full", "every seat is taken: ana, ben, cy")]
    assert dot.guest.finished


def test_a_full_table_may_be_watched_by_sixteen() -> None:
    cluster = three()
    lines = [knock(cluster, f"w{number}", hello(f"w{number}", flags=Flag.SPECTATOR)) for number in range(SPECTATORS)]
    assert all(line.heard(Welcome) for line in lines)
    late = knock(cluster, "late", hello("late", flags=Flag.SPECTATOR))
    assert refused(late, Reason.FULL) == "16 people watch already"
    lines[3].send(Close(Reason.BYE, ""))
    assert knock(cluster, "late", hello("late", flags=Flag.SPECTATOR)).heard(Welcome)
    assert len(cluster.host.public.spectators) == SPECTATORS


def test_those_who_wait_for_a_seat_count_among_the_sixteen() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.order("start")
    lines = [knock(cluster, f"w{number}") for number in range(SPECTATORS)]
    assert all(line.heard(Welcome) for line in lines)
    assert refused(knock(cluster, "late"), Reason.FULL) == "16 people watch already"


@pytest.mark.parametrize("leaves", ["breaks off", "says good-bye", "had a seat"])
def test_who_come_and_go_in_a_row_do_not_keep_the_table_busy(leaves: str) -> None:
    """Each is told to everybody and stands in the journal: after sixteen there is a pause."""
    cluster = Cluster()
    ana = cluster.join("ana", host=True)
    cluster.join("cy", watch=True)
    for number in range(RESTLESS):
        if leaves == "had a seat":
            cluster.join(f"e{number}")
            cluster.leave(f"e{number}")
            continue
        line = knock(cluster, f"e{number}", hello("eve", flags=int(Flag.SPECTATOR)))
        assert line.heard(Welcome)
        line.send(Close(Reason.BYE, "")) if leaves == "says good-bye" else breaks(cluster, line)
    written = len(cluster.host.public.journal)
    assert refused(knock(cluster, "eve"), Reason.TOO_FAST) == "too many come and go at once"
    assert nothing_changed(cluster, written)
    cluster.cut("cy")
    assert len(cluster.host.public.journal) == written + 1
    assert ana.told(Closed) == []
    cluster.pass_time(RESTLESS_SECONDS)
    assert knock(cluster, "eve").heard(Welcome)


def test_who_stayed_for_a_while_may_go_with_all_the_others() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    lines = [knock(cluster, f"w{number}", hello(flags=int(Flag.SPECTATOR))) for number in range(SPECTATORS)]
    for _ in range(round(RESTLESS_SECONDS)):
        cluster.pass_time(1)
        for line in lines:
            line.send(Get(0))
    for line in lines:
        breaks(cluster, line)
    assert knock(cluster, "late").heard(Welcome)


def test_a_member_whose_line_breaks_again_and_again_comes_back() -> None:
    cluster = started()
    for _ in range(2 * RESTLESS):
        cluster.cut("ben")
        cluster.back("ben")
    assert cluster.peers["ben"].told(Closed) == []


def test_who_waits_is_let_back_in_when_the_seats_have_gone() -> None:
    """A watcher whose link is made anew is no newcomer, though no seat is left."""
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.order("start")
    cluster.join("dot")
    last = cluster.host.public.journal
    cluster.leave("ben")
    eve = cluster.join("eve")
    play_round(cluster)
    cluster.want("ana", "next")
    assert {held.nick for held in cluster.host.public.seats} == {"ana", "dot", "eve"}
    cy = cluster.join("cy", watch=True)
    again = knock(cluster, "cy", hello("cy", came=Resume(last.table, last.last, last.head)))
    assert again.heard(Welcome)
    assert cy.told(Closed) == [Closed("superseded", "you came in from elsewhere")]
    assert eve.guest.me is not None


@pytest.mark.parametrize("method", [2, 3, 5, 255])
def test_a_code_at_an_open_door_is_declined(method: int) -> None:
    text = refused(knock(Cluster(), "dot", replace(hello(), method=method)), Reason.DECLINED)
    assert "open" in text


def test_the_first_message_must_be_a_hello() -> None:
    for said in (Get(0), Want("next"), View(0, b"", ())):
        line = Cluster().line("dot")
        line.send(said)
        assert refused(line, Reason.BROKEN) == "that message makes no sense here"


def test_a_second_hello_is_broken() -> None:
    line = knock(Cluster(), "dot")
    line.send(hello())
    assert line.closed is not None
    assert line.closed.reason == Reason.BROKEN


# ---- the same key twice


def test_a_second_program_of_one_key_is_told_that_it_is_here_already() -> None:
    cluster = three()
    before = len(cluster.host.public.journal)
    text = refused(knock(cluster, "ben"), Reason.ALREADY_HERE)
    assert text == "somebody with your key is at this table already"
    assert nothing_changed(cluster, before)
    cluster.pass_time(3)
    assert cluster.peers["ben"].told(Closed) == []


def test_the_hosts_own_key_is_here_already() -> None:
    refused(knock(three(), "host"), Reason.ALREADY_HERE)


def test_a_watcher_is_here_already_too() -> None:
    cluster = Cluster()
    cluster.join("dot", watch=True)
    refused(knock(cluster, "dot", hello(flags=Flag.SPECTATOR)), Reason.ALREADY_HERE)


@pytest.mark.parametrize("watch", [False, True])
def test_a_returner_puts_its_older_link_out(watch: bool) -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    old = cluster.join("ben", watch=watch)
    journal = cluster.host.public.journal
    before = len(journal)
    came = Resume(journal.table, journal.last, journal.head)
    line = knock(cluster, "ben", hello("ben", flags=Flag.SPECTATOR * watch, came=came))
    (welcome,) = line.heard(Welcome)
    assert welcome.seat == (0xFF if watch else 1)
    assert old.told(Closed) == [Closed("superseded", "you came in from elsewhere")]
    assert old.guest.finished
    assert nothing_changed(cluster, before)  # nobody moved
    cluster.pass_time(100)
    assert cluster.peers["ana"].told(Returned) == []


def test_a_link_silent_for_five_seconds_is_put_out_by_any_newcomer() -> None:
    cluster = three()
    cluster.peers["ben"].mute = True
    cluster.pass_time(4.9)
    refused(knock(cluster, "ben"), Reason.ALREADY_HERE)
    cluster.pass_time(0.2)
    line = knock(cluster, "ben")
    assert line.heard(Welcome)[0].seat == 1


def test_a_returner_of_another_version_does_not_put_its_older_link_out() -> None:
    cluster = three()
    journal = cluster.host.public.journal
    came = Resume(journal.table, journal.last, journal.head)
    refused(knock(cluster, "ben", hello("ben", came=came, protocol=9)), Reason.VERSION)
    assert cluster.peers["ben"].told(Closed) == []


# ---- coming back


def test_a_member_returns_by_key_to_its_own_seat() -> None:
    cluster = started()
    cluster.cut("ben")
    cluster.pass_time(91)
    assert cluster.host.public.bots_on == {1}
    journal = cluster.host.public.journal
    back = hello("other", method=Method.MEMBER, came=Resume(journal.table, 3, journal.heads[3]))
    line = knock(cluster, "ben", back)
    assert line.heard(Welcome)[0].seat == 1
    assert cluster.host.public.bots_on == set()
    assert cluster.host.public.seats[1].nick == "ben"
    assert cluster.peers["ana"].told(BotPlays)[-1] == BotPlays(1, "ben", False, "back")


def test_who_returns_to_another_table_is_told_so() -> None:
    cluster = three()
    line = knock(cluster, "dot", hello(came=Resume(bytes(16), 3, bytes(32))))
    assert refused(line, Reason.NOT_THE_HOST) == "the table that you were at is no longer here"


def test_who_holds_another_history_is_let_in_to_read_where_it_differs() -> None:
    cluster = started()
    line = knock(cluster, "ben", hello(came=Resume(cluster.host.table, 3, bytes(32))))
    assert line.heard(Welcome)
    line.send(Get(1))
    assert line.heard(Entries)


# ---- nicks


def test_a_nick_that_is_taken_gets_a_number() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    knock(cluster, "one", hello("ANA"))
    knock(cluster, "two", hello("ana"))
    knock(cluster, "three", hello("ana", flags=Flag.SPECTATOR))
    assert [held.nick for held in cluster.host.public.seats] == ["ana", "ANA-2", "ana-3"]
    assert [nick for _, nick in cluster.host.public.spectators] == ["ana-4"]


def test_a_nick_in_the_record_is_taken_as_long_as_the_match_lasts() -> None:
    cluster = started(options={"match_rounds": "3"})
    cluster.leave("cy")
    cluster.join("dot")
    play_round(cluster)
    cluster.want("ana", "next")
    cluster.want("ben", "next")
    assert cluster.host.public.names == ("ana", "ben", "cy")
    knock(cluster, "eve", hello("cy", flags=Flag.SPECTATOR))
    assert [nick for _, nick in cluster.host.public.spectators] == ["cy-2"]


@pytest.mark.parametrize(
    ("said", "nick"),
    [
        ("dealer", "p-dealer"),
        ("HOST", "p-HOST"),
        ("bot-1", "p-bot-1"),
        ("", "player"),
        ("\x1b[2Jx", "-2Jx"),
        ("a b", "a-b"),
        ("x" * 99, "x" * 16),
        ("\u202eann", "ann"),
        ("Ⅻ", "player"),
    ],
)
def test_a_hostile_nick_is_made_to_fit(said: str, nick: str) -> None:
    cluster = Cluster()
    knock(cluster, "dot", hello(said))
    assert cluster.host.public.seats[0].nick == nick


def test_a_hostile_title_is_made_to_fit() -> None:
    cluster = Cluster(title="\x1b]0;gone\x07 " + "t" * 400)
    ana = cluster.join("ana", host=True)
    view = ana.guest.table_view()
    assert view is not None
    assert view.title == cluster.host.info().title == "]0;gone " + "t" * 32

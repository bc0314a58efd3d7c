"""Guests at the table that do what no honest program does (protocol 10, suite 6: T7, T10 to T12, T26, T27).

What they say is refused or dropped for the right reason, and the table goes on as if it had not been said.
"""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.table.ballots import VOTE_SECONDS
from p2pcards.table.notices import Knocked, Spoken, VoteCalled
from p2pcards.table.people import Known, NoPeople, Person
from p2pcards.table.talk import FLOOD, FLOOD_SECONDS, NEWCOMER, SILENCED_SECONDS
from p2pcards.wire.entries import EntryKind, SeatKind
from p2pcards.wire.envelope import ActKind, LeaveReason, pack_leave
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.messages import (
    TO_SPECTATORS,
    Chat,
    Close,
    Entries,
    Get,
    Message,
    Method,
    Reason,
    Want,
    Welcome,
)
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, Line, at_random, identity
from tests.testing.evil import SUITE, chat, codes, evening, follows, hang_up, instead_of, last, says, seated, unmoved
from tests.testing.tally import Tally

ANA, BEN, CY, EVE = range(4)
EVERYBODY = ("ana", "ben", "cy")


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(SUITE)


def heard(cluster: Cluster, *names: str) -> list[tuple[str, str, str]]:
    """Who of these was told what: (hearer, speaker, text)."""
    return [(name, said.nick, said.text) for name in names for said in cluster.peers[name].told(Spoken)]


def stay(cluster: Cluster, line: Line, seconds: float) -> None:
    """Lets time pass at a line that says something every now and then."""
    for _ in range(int(seconds)):
        line.send(Want("next"))
        cluster.pass_time(1.0)


# ---- chat


def test_nobody_speaks_with_the_voice_of_another() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        follows(cluster, eve)
        for said in (
            chat(cluster, "ben", 5),
            replace(chat(cluster, "ben", 5), key=identity("eve").key),
            replace(chat(cluster, "eve", 5), text="I fold"),
            replace(chat(cluster, "eve", 5), scope=BEN),
            replace(chat(cluster, "eve", 5), sig=bytes(64)),
        ):
            assert codes(unmoved(cluster, eve, said)) == ["not_yours"]
        assert heard(cluster, *EVERYBODY) == []


def test_what_was_said_is_not_said_again_by_anybody() -> None:
    with evening() as cluster:
        cluster.speak("ben", "good game")
        (overheard,) = [said for said in cluster.peers["cy"].received if isinstance(said, Chat)]
        eve = seated(cluster)
        assert codes(unmoved(cluster, eve, overheard)) == ["not_yours"]
        assert codes(unmoved(cluster, eve, chat(cluster, "eve", 7))) == []
        for n in (7, 6, 0):
            assert codes(unmoved(cluster, eve, chat(cluster, "eve", n))) == ["stale"]
        assert heard(cluster, "cy") == [("cy", "ben", "good game"), ("cy", "eve", "hi")]


def test_what_was_said_at_another_table_is_not_said_here() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        assert codes(unmoved(cluster, eve, chat(Cluster(seed=2), "eve"))) == ["not_yours"]


def test_nobody_whispers_to_a_seat_where_nobody_sits() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        cluster.leave("cy")
        follows(cluster, eve)
        for scope in (CY, 4, 99, 0xFD):
            assert codes(unmoved(cluster, eve, chat(cluster, "eve", 1, scope))) == ["nobody_there"]
        cluster.join("cy")


def test_private_words_reach_one_player_and_no_other_program() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        assert codes(unmoved(cluster, eve, chat(cluster, "eve", 1, BEN, "psst"))) == ["stale"]  # seats may have moved
        follows(cluster, eve)
        assert codes(unmoved(cluster, eve, chat(cluster, "eve", 1, BEN, "psst"))) == []
        assert heard(cluster, *EVERYBODY) == [("ben", "eve", "psst")]
        for name in ("ana", "cy"):
            assert not any(isinstance(message, Chat) for message in cluster.peers[name].received)


def test_spectators_talk_among_themselves_and_players_do_not_hear_them() -> None:
    with evening(playing=True) as cluster:
        cluster.join("dot", watch=True)
        fay = cluster.line("fay")
        fay.send(hello("fay", flags=2), Get(0))
        fay.send(chat(cluster, "fay", 1, TO_SPECTATORS, "ben holds two queens"))
        assert heard(cluster, "dot", "eve", *EVERYBODY) == [("dot", "fay", "ben holds two queens")]


def test_what_would_steer_a_terminal_is_not_passed_on() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        for text in ("\x1b]0;pwned\x07", "\x1b[2J", "ok\u202egnp.exe", "a\nben: I give up", " "):
            assert codes(unmoved(cluster, eve, chat(cluster, "eve", 1, text=text))) == ["not_clean"]
        assert codes(unmoved(cluster, eve, chat(cluster, "eve", 1, text=""))) == ["nothing_said"]
        assert heard(cluster, *EVERYBODY) == []


def test_a_flood_is_cut_off_and_who_made_it_is_silent_for_a_while() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        stay(cluster, eve, FLOOD_SECONDS)
        answers = unmoved(cluster, eve, *(chat(cluster, "eve", n) for n in range(1, 40)))
        assert codes(answers) == ["chat_flood"] * (39 - FLOOD)
        assert len(heard(cluster, "ben")) == FLOOD
        again = instead_of(cluster, "eve")
        assert codes(unmoved(cluster, again, chat(cluster, "eve", 99))) == ["chat_flood"]
        stay(cluster, again, SILENCED_SECONDS)
        assert codes(unmoved(cluster, again, chat(cluster, "eve", 99))) == []
        cluster.speak("ben", "well")
        assert len(heard(cluster, "ana")) == FLOOD + 2


def test_who_has_just_come_does_not_flood_at_once() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        answers = unmoved(cluster, eve, *(chat(cluster, "eve", n) for n in range(1, 6)))
        assert codes(answers) == ["chat_flood"] * (5 - NEWCOMER)
        assert len(heard(cluster, "ben")) == NEWCOMER


def test_words_that_the_host_changed_are_dropped_and_counted() -> None:
    """Acceptance A3: what is relayed for another carries that player's own signature, or nobody is told."""
    with evening() as cluster:

        def changed(name: str, message: Message) -> Message:
            forged = isinstance(message, Chat) and name == "cy"
            return replace(message, text="I cheat") if forged and isinstance(message, Chat) else message

        cluster.tamper = changed
        cluster.speak("ben", "hello")
        cluster.tamper = None
        assert heard(cluster, *EVERYBODY) == [("ana", "ben", "hello"), ("ben", "ben", "hello")]
        assert cluster.peers["cy"].guest._player.talk.dropped == 1
        assert cluster.peers["ana"].guest._player.talk.dropped == 0


# ---- votes


def ballot(cluster: Cluster, by: str, seat: int, text: str, **more: Any) -> Message:
    return says(cluster, seat, text, ActKind.VOTE, by=by, **more)


def test_nobody_votes_for_another() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        assert codes(unmoved(cluster, eve, ballot(cluster, "eve", BEN, "kick 2"))) == ["not_seated"]
        assert codes(unmoved(cluster, eve, ballot(cluster, "ben", BEN, "kick 2"))) == ["not_yours"]
        assert codes(unmoved(cluster, eve, ballot(cluster, "eve", NO_SEAT, "kick 2"))) == ["not_seated"]
        assert cluster.peers["ben"].told(VoteCalled) == []


def test_nobody_votes_twice() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        first = ballot(cluster, "eve", EVE, "kick 2")
        eve.send(first)
        assert cluster.host.public.journal.entries[-1].kind is EntryKind.BALLOT
        answers = unmoved(cluster, eve, first)
        assert [type(answer) for answer in answers] == [Entries]  # it stands there already
        for text in ("kick 2", "against 2"):
            assert codes(unmoved(cluster, eve, ballot(cluster, "eve", EVE, text))) == ["voted"]
        assert codes(unmoved(cluster, eve, ballot(cluster, "eve", EVE, "kick 1"))) == ["vote_open"]
        cluster.vote("ben", "cy")
        assert cluster.host.public.seats[CY].key == identity("cy").key, "two of four are no majority"


def test_nobody_votes_when_it_is_over() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        late = ballot(cluster, "eve", EVE, "against 2")
        cluster.vote("ben", "cy")
        stay(cluster, eve, VOTE_SECONDS)
        assert codes(unmoved(cluster, eve, late)) == ["no_vote"]
        assert codes(unmoved(cluster, eve, ballot(cluster, "eve", EVE, "against 2"))) == ["no_vote"]


def test_no_vote_is_about_the_host_oneself_or_nobody() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        for text, code in (
            ("kick 0", "vote_host"),
            ("kick 3", "vote_self"),
            ("kick 4", "vote_seat"),
            ("kick 255", "vote_seat"),
            ("kick 02", "no_vote"),
            ("kick \uff12", "no_vote"),
            ("rematch", "no_vote"),
            ("against 2", "no_vote"),
        ):
            assert codes(unmoved(cluster, eve, ballot(cluster, "eve", EVE, text))) == [code]


def test_who_watches_has_no_vote() -> None:
    with evening(playing=True) as cluster:
        dot = cluster.line("dot")
        dot.send(hello("dot", flags=2), Get(0))
        for seat in (BEN, NO_SEAT):
            assert codes(unmoved(cluster, dot, ballot(cluster, "dot", seat, "kick 2"))) == ["not_seated"]


# ---- acts


def test_nobody_acts_for_another() -> None:
    with evening(playing=True) as cluster:
        line = instead_of(cluster, "eve")
        mover = cluster.host.public.round
        assert mover is not None
        for seat, name in ((ANA, "ana"), (BEN, "ben"), (CY, "cy")):
            assert codes(unmoved(cluster, line, says(cluster, seat, "draw"))) == ["not_seated"]
            assert codes(unmoved(cluster, line, says(cluster, seat, "draw", by=name))) == ["not_yours"]
            assert codes(unmoved(cluster, line, says(cluster, EVE, "draw", by=name))) == ["not_yours"]


def test_an_act_is_of_this_table_and_this_count() -> None:
    with evening(playing=True) as cluster:
        line = instead_of(cluster, "eve")
        assert codes(unmoved(cluster, line, says(cluster, EVE, "draw", table=bytes(16)))) == ["not_yours"]
        for n in (0, 2, 2**32 - 1):
            assert codes(unmoved(cluster, line, says(cluster, EVE, "draw", n=n))) == ["stale"]


def test_an_old_act_said_again_is_done_once() -> None:
    with evening(playing=True) as cluster:
        while cluster.movers[0].name != "eve":
            cluster.act(cluster.movers[0].name, at_random(cluster, cluster.movers[0]))
        old = says(cluster, EVE, at_random(cluster, cluster.peers["eve"]))
        line = instead_of(cluster, "eve")
        line.send(old)
        wire = cluster.host.public.journal.wires[cluster.host.public.said_at[identity("eve").key]]
        for _ in range(2):
            (again,) = unmoved(cluster, line, old)
            assert isinstance(again, Entries)
            assert again.wires == (wire,)
        assert codes(unmoved(cluster, line, says(cluster, EVE, "draw", n=1))) == ["stale"]


def test_nobody_says_good_bye_for_another() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        leave = pack_leave(LeaveReason.LEAVE, 1)
        for message, code in (
            (says(cluster, BEN, leave, ActKind.LEAVE), "not_seated"),
            (says(cluster, BEN, leave, ActKind.LEAVE, by="ben"), "not_yours"),
            (says(cluster, EVE, leave, ActKind.LEAVE, by="ben"), "not_yours"),
        ):
            assert codes(unmoved(cluster, eve, message)) == [code]


def test_who_watches_does_not_act() -> None:
    with evening(playing=True) as cluster:
        dot = cluster.line("dot")
        dot.send(hello("dot", flags=2), Get(0))
        for seat in (*range(4), NO_SEAT):
            assert codes(unmoved(cluster, dot, says(cluster, seat, "draw", by="dot"))) == ["not_seated"]
        for wish in ("next", "ready", "stop", "skip", "deck", "back"):
            assert codes(unmoved(cluster, dot, Want(wish))) == ["not_seated"]


def test_what_was_under_way_from_who_was_shown_out_is_nothing() -> None:
    with evening(playing=True) as cluster:
        line = instead_of(cluster, "eve")
        under_way = [
            says(cluster, EVE, "draw"),
            ballot(cluster, "eve", EVE, "kick 2"),
            chat(cluster, "eve"),
            Want("next"),
            Get(0),
        ]
        cluster.order("kick", "eve", "", "0")
        last(line, Reason.KICKED)
        assert unmoved(cluster, line, *under_way) == []
        assert heard(cluster, *EVERYBODY) == []
        assert cluster.host.public.seats[EVE].kind is SeatKind.BOT
        assert cluster.host.public.seats[EVE].key == b"", "nobody's claim to it is kept"


# ---- names


NICKS = {
    "\x1b[31mben\x1b[0m": "-31mben-0m",
    "ben": "ben-2",
    "BEN": "BEN-2",
    "b\u0435n": "b-n",
    "ben\u200b": "ben-2",
    "\u202eneb": "neb",
    "host": "p-host",
    "dealer": "p-dealer",
    "bot-1": "p-bot-1",
    "Everyone": "p-Everyone",
    "a" * 300: "a" * 16,
    "": "player",
    "\u0661\u0662": "player",
    "ben ben": "ben-ben",
}


def test_no_name_passes_for_another_or_reaches_a_terminal_as_it_came(tally: Tally) -> None:
    with evening() as cluster:
        for nick, shown in NICKS.items():
            line = cluster.line("eve")
            line.send(hello(nick), Get(0))
            assert cluster.host.public.seats[EVE].nick == shown
            hang_up(line)
            cluster.pass_time(4.0)
            assert cluster.host.public.seats[EVE].nick == ""
    tally(SUITE, len(NICKS) - 1)


class Knows(NoPeople):
    """A host that knows a dot, by another key."""

    def named(self, name: str) -> tuple[Person, ...]:
        return (Person(identity("the real dot").key, "dot", 0.0, 0.0),) if name.lower() == "dot" else ()

    def what(self, key: bytes, nick: str) -> Known:
        return Known.OTHER if self.named(nick) else Known.NEW


@pytest.mark.parametrize("nick", ["dot", "DOT"])
def test_a_borrowed_name_is_never_let_in_by_itself(nick: str) -> None:
    with evening(people=Knows()) as cluster:
        line = cluster.line("eve")
        unmoved(cluster, line, hello(nick))
        assert not line.heard(Welcome)
        (knock,) = [notice for notice in cluster.host_notices if isinstance(notice, Knocked)]
        assert (knock.key, knock.known, knock.asked) == (identity("eve").key, Known.OTHER, "name")


def test_where_nobody_can_be_asked_a_borrowed_name_is_declined() -> None:
    with evening(people=Knows(), asks=False) as cluster:
        line = cluster.line("eve")
        unmoved(cluster, line, hello("dot"))
        assert "--nick" in last(line, Reason.DECLINED).text
        line = cluster.line("eve")
        line.send(hello("eve"))
        assert line.heard(Welcome)


# ---- two selves


def test_who_is_here_says_no_second_hello() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        unmoved(cluster, eve, hello("ana", method=Method.MEMBER))
        last(eve, Reason.BROKEN)


def test_the_older_of_two_lines_with_one_key_is_closed() -> None:
    with evening() as cluster:
        eve = seated(cluster)
        again = instead_of(cluster, "eve")
        last(eve, Reason.SUPERSEDED)
        assert unmoved(cluster, eve, chat(cluster, "eve", 50), Close(Reason.BYE, "")) == []
        assert codes(unmoved(cluster, again, chat(cluster, "eve", 51))) == []
        assert heard(cluster, "ben") == [("ben", "eve", "hi")]

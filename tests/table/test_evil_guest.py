"""Guests at the door that do what no honest program does (protocol 10, suite 6: T5 to T7, T10, T27).

Each is turned away for the right reason, and the table goes on as if nothing had been: its books are those of everybody
at it, nobody is alarmed, and a round is played to its end.
"""

from __future__ import annotations

from itertools import product

import pytest
from msgspec.structs import replace

from p2pcards.table.door import MOST_WAITING
from p2pcards.table.notices import Closed, Kicked, Knocked, Spoken, WentAway
from p2pcards.table.people import Ban, Known, NoPeople, Person
from p2pcards.table.settings import ASK_SECONDS
from p2pcards.wire.lab import proof_i, proof_r
from p2pcards.wire.messages import Act, Close, Get, Hello, Method, Pake, Reason, Resume, Want, Welcome
from tests.table.test_access import hello
from tests.testing.cluster import WALL, Line, identity, session
from tests.testing.evil import CODE, LAB, SUITE, chat, evening, hang_up, last, unmoved
from tests.testing.tally import Tally


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(SUITE)


# ---- T5, T6, T7: proofs of another connection, or one's own sent back


def lab_hello(line: Line, proof: bytes) -> Hello:
    return hello(line.name, method=Method.LAB, proof=proof)


def test_the_proof_of_another_session_opens_no_lab() -> None:
    with evening("lab", lab=LAB) as cluster:
        overheard, line = cluster.line("dot"), cluster.line("eve")
        unmoved(cluster, line, lab_hello(line, proof_i(LAB, session(overheard.link))))
        last(line, Reason.NOT_A_MEMBER)


def test_a_hosts_own_proof_sent_back_opens_no_lab() -> None:
    with evening("lab", lab=LAB) as cluster:
        line = cluster.line("eve")
        unmoved(cluster, line, lab_hello(line, proof_r(LAB, session(line.link))))
        last(line, Reason.NOT_A_MEMBER)


def test_who_has_no_key_of_the_lab_can_not_join_nor_is_told_of_the_table() -> None:
    """Acceptance A1."""
    methods = (Method.LAB, Method.PROBE, Method.KNOCK, Method.CODE, Method.MEMBER)
    with evening("lab", lab=LAB) as cluster:
        for method, proof in product(methods, (b"", bytes(32), bytes(33), bytes(64))):
            line = cluster.line("eve")
            answers = unmoved(cluster, line, hello("eve", method=method, proof=proof))
            assert [type(answer) for answer in answers] == [Close]
            last(line, Reason.NOT_A_MEMBER)


def test_the_key_of_another_lab_opens_nothing() -> None:
    with evening("lab", lab=LAB) as cluster:
        line = cluster.line("eve")
        unmoved(cluster, line, lab_hello(line, proof_i(b"o" * 32, session(line.link))))
        last(line, Reason.NOT_A_MEMBER)


def test_the_hello_of_another_connection_said_again_is_a_hello_of_this_one() -> None:
    """A HELLO names nobody: who says it is who proved the key of the link."""
    with evening("ask") as cluster:
        ben = cluster.peers["ben"].guest
        line = cluster.line("eve")
        resume = Resume(ben.journal.table, ben.journal.last, ben.journal.head)
        unmoved(cluster, line, hello("ben", method=Method.MEMBER, came=resume))
        assert not line.heard(Welcome)
        assert [knock.key for knock in cluster.host.knocks] == [identity("eve").key]
        assert [knock.nick for knock in cluster.host.knocks] == ["ben-2"]


@pytest.mark.parametrize("door", ["open", "ask"])
def test_a_door_that_asks_for_nothing_takes_no_proof(door: str) -> None:
    """Whoever brings one means another table, and would not believe this one."""
    with evening(door, code=CODE, lab=LAB) as cluster:
        for method in (Method.LAB, Method.CODE, 9, 255):
            line = cluster.line("eve")
            unmoved(cluster, line, replace(lab_hello(line, proof_i(LAB, session(line.link))), method=int(method)))
            last(line, Reason.DECLINED)
        assert cluster.host.knocks == ()


# ---- T10: the patience of the one who is asked


def test_nine_do_not_wait_at_once() -> None:
    with evening("ask") as cluster:
        waiting = [cluster.line(f"eve{count}") for count in range(MOST_WAITING)]
        for line in waiting:
            assert unmoved(cluster, line, hello("eve")) == []
        assert len({knock.nick for knock in cluster.host.knocks}) == MOST_WAITING
        ninth = cluster.line("dot")
        unmoved(cluster, ninth, hello("dot"))
        last(ninth, Reason.TOO_FAST)
        cluster.order("deny", "eve", "")
        tenth = cluster.line("fay")
        assert unmoved(cluster, tenth, hello("fay")) == []
        cluster.pass_time(ASK_SECONDS)
        assert cluster.host.knocks == ()
        for line in (*waiting, tenth):
            last(line, Reason.DECLINED)


def test_who_was_declined_is_not_asked_about_again_for_a_minute() -> None:
    with evening("ask") as cluster:
        line = cluster.line("eve")
        line.send(hello("eve"))
        cluster.order("deny", "eve", "not\x1b[2J today\u202e")
        assert last(line, Reason.DECLINED).text == "not[2J today"
        for nick in ("eve", "somebody-else"):
            again = cluster.line("eve")
            unmoved(cluster, again, hello(nick))
            last(again, Reason.TOO_FAST)
        assert len([notice for notice in cluster.host_notices if isinstance(notice, Knocked)]) == 3  # ben, cy, eve
        cluster.pass_time(ASK_SECONDS)
        assert unmoved(cluster, cluster.line("eve"), hello("eve")) == []


def test_one_key_that_waits_twice_comes_in_once() -> None:
    with evening("ask") as cluster:
        first, second = cluster.line("eve"), cluster.line("eve")
        first.send(hello("eve"))
        second.send(hello("eve"))
        cluster.order("admit", "eve")
        assert first.heard(Welcome)
        for knock in cluster.host.knocks:
            cluster.order("admit", knock.nick)
        assert not second.heard(Welcome)


def test_who_waits_says_nothing_more() -> None:
    with evening("ask") as cluster:
        for message in (hello("eve"), Get(0), Want("next"), Act(b"", bytes(64), b""), Pake(bytes(33))):
            line = cluster.line("eve")
            unmoved(cluster, line, hello("eve"), message)
            last(line, Reason.BROKEN)
            assert cluster.host.knocks == ()
            assert isinstance(cluster.host_notices[-1], WentAway)


def test_nothing_is_said_before_a_hello_not_even_to_everybody() -> None:
    with evening("ask") as cluster:
        line = cluster.line("eve")
        unmoved(cluster, line, chat(cluster, "eve"))
        last(line, Reason.BROKEN)
        assert all(peer.told(Spoken) == [] for peer in cluster.peers.values())


# ---- T27: who was shown out, and who never was in


@pytest.mark.parametrize("door", ["open", "ask", "code"])
def test_who_was_shown_out_stays_out_with_that_key_until_the_time_is_over(door: str) -> None:
    with evening(door, code=CODE, out=("cy",)) as cluster:
        until = int(WALL + cluster.now) + 600
        cluster.order("kick", "cy", "again and again", str(until))
        assert cluster.peers["cy"].told(Closed)[-1].until == until
        journal = cluster.host.public.journal
        for method in (Method.KNOCK, Method.MEMBER, Method.CODE, Method.LAB):
            for came in (None, Resume(journal.table, 3, journal.heads[3])):
                line = cluster.line("cy")
                unmoved(cluster, line, hello("charlie", method=method, proof=b"A" * 33, came=came))
                closed = last(line, Reason.BANNED)
                assert closed.until == until
                assert "again and again" in closed.text
        cluster.pass_time(600)
        line = cluster.line("cy")
        line.send(hello("cy"))
        assert line.closed is None or line.closed.reason != Reason.BANNED


def test_who_was_shown_out_by_a_vote_is_not_let_in_again_either() -> None:
    with evening(out=("cy",)) as cluster:
        cluster.join("dot")
        for voter in ("ana", "ben", "dot"):
            cluster.vote(voter, "cy")
        assert [kicked.by for kicked in cluster.peers["ben"].told(Kicked)] == ["vote"]
        line = cluster.line("cy")
        unmoved(cluster, line, hello("cy", method=Method.MEMBER))
        assert last(line, Reason.BANNED).until > WALL + cluster.now
        cluster.leave("dot")


class Lab(NoPeople):
    """A lab's directory of keys, and what a host remembers."""

    def __init__(self, logins: dict[str, str], bans: tuple[Ban, ...] = (), known: tuple[Person, ...] = ()) -> None:
        self._logins = {identity(name).key: login for name, login in logins.items()}
        self._bans, self._known = bans, known

    def login(self, key: bytes) -> str:
        return self._logins.get(key, "")

    def banned(self, key: bytes, login: str, wall: float) -> Ban | None:
        mine = (ban for ban in self._bans if ban.key == key or (login and ban.login == login))
        return next((ban for ban in mine if ban.stands(wall)), None)

    def named(self, name: str) -> tuple[Person, ...]:
        return tuple(person for person in self._known if person.nick.lower() == name.lower())

    def what(self, key: bytes, nick: str) -> Known:
        named = self.named(nick)
        return Known.NEW if not named else Known.MET if key in {person.key for person in named} else Known.OTHER


LOGINS = {"ana": "u1", "ben": "u2", "cy": "u3", "eve": "u4", "eve2": "u4"}


def by_login(line: Line) -> Hello:
    return hello("somebody", method=Method.LAB, proof=proof_i(LAB, session(line.link)))


def test_a_key_without_a_file_of_its_owner_is_no_member_of_the_lab() -> None:
    """Acceptance A4: the lab's key alone does not do."""
    with evening("lab+uid", lab=LAB, roll=True, people=Lab(LOGINS)) as cluster:
        line = cluster.line("dot")
        unmoved(cluster, line, by_login(line))
        last(line, Reason.NOT_A_MEMBER)
        member = cluster.line("eve")
        member.send(by_login(member))
        assert member.heard(Welcome)


def test_another_key_of_the_same_login_stays_out_too() -> None:
    with evening("lab+uid", lab=LAB, roll=True, people=Lab(LOGINS)) as cluster:
        eve = cluster.line("eve")
        eve.send(by_login(eve))
        cluster.order("kick", "somebody", "", "0")
        last(eve, Reason.KICKED)
        line = cluster.line("eve2")
        unmoved(cluster, line, by_login(line))
        last(line, Reason.BANNED)


@pytest.mark.parametrize("ban", [Ban(identity("eve2").key, "eve"), Ban(b"", "eve", "u4")], ids=["key", "login"])
def test_who_is_on_the_hosts_own_list_stays_out_of_every_table_of_his(ban: Ban) -> None:
    with evening("lab+uid", lab=LAB, roll=True, people=Lab(LOGINS, (ban,))) as cluster:
        line = cluster.line("eve2")
        unmoved(cluster, line, by_login(line))
        last(line, Reason.BANNED)


def test_a_login_that_no_directory_proves_is_nobodys() -> None:
    """Where the door does not read it, a ban by login does not meet who has none."""
    with evening(people=Lab({}, (Ban(b"", "eve", ""),))) as cluster:
        line = cluster.line("eve")
        line.send(hello("eve"))
        assert line.heard(Welcome)


@pytest.mark.parametrize(("door", "reason"), [("ask", None), ("code", Reason.WRONG_CODE), ("lab", Reason.NOT_A_MEMBER)])
def test_who_says_to_be_a_member_and_is_none_stands_at_the_door_like_everybody(
    door: str, reason: Reason | None
) -> None:
    with evening(door, code=CODE, lab=LAB) as cluster:
        line = cluster.line("eve")
        unmoved(cluster, line, hello("eve", method=Method.MEMBER))
        assert not line.heard(Welcome)
        if reason is None:
            assert [knock.nick for knock in cluster.host.knocks] == ["eve"]
        else:
            last(line, reason)


def test_who_has_left_is_a_member_no_more() -> None:
    with evening("ask") as cluster:
        cluster.join("eve")
        cluster.order("admit", "eve")
        cluster.leave("eve")
        line = cluster.line("eve")
        unmoved(cluster, line, hello("eve", method=Method.MEMBER))
        assert not line.heard(Welcome)
        assert [knock.nick for knock in cluster.host.knocks] == ["eve"]


def test_a_spectator_who_has_gone_is_a_member_no_more() -> None:
    with evening("ask") as cluster:
        dot = cluster.line("dot")
        dot.send(hello("dot", flags=2))
        cluster.order("admit", "dot")
        assert dot.heard(Welcome)
        hang_up(dot)
        line = cluster.line("dot")
        unmoved(cluster, line, hello("dot", method=Method.MEMBER))
        assert not line.heard(Welcome)


def test_whoever_comes_back_to_another_table_is_not_let_into_this_one() -> None:
    with evening() as cluster:
        journal = cluster.host.public.journal
        line = cluster.line("eve")
        unmoved(cluster, line, hello("eve", method=Method.MEMBER, came=Resume(bytes(16), 5, bytes(32))))
        last(line, Reason.NOT_THE_HOST)
        line = cluster.line("eve")  # what it holds of this one may have been rolled back
        line.send(hello("eve", method=Method.MEMBER, came=Resume(journal.table, 2, bytes(32))))
        assert line.heard(Welcome)


def test_nobody_is_at_the_table_twice() -> None:
    with evening() as cluster:
        line = cluster.line("ben")
        unmoved(cluster, line, hello("ben"))
        last(line, Reason.ALREADY_HERE)

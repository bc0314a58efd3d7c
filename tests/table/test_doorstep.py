"""While somebody stands at the door: borrowed names, the same key twice, another door, lost lines."""

from __future__ import annotations

import pytest

from p2pcards.table.door import MOST_WAITING, Gate
from p2pcards.table.notices import CodeIs, Knocked, Refused, WentAway
from p2pcards.table.people import Known
from p2pcards.table.ticket import Ticket
from p2pcards.wire.messages import Reason, Welcome
from tests.table.test_access import hello
from tests.table.test_door import LAB, Roll, host_told, is_in, knowing, right, table, until, why
from tests.table.test_evil_guesses import Guess
from tests.testing.cluster import at_random, identity, play_round
from tests.testing.evil import last

# ---- names


@pytest.mark.parametrize("nick", ["ben\u200b", " ben", "be\u202en", "ben\u00ad", "BEN\x00"])
def test_what_does_not_show_makes_no_other_name(nick: str) -> None:
    cluster = table(gate=Gate(knowing(ben="ben")))
    line = cluster.line("mallory")
    line.send(hello(nick))
    (knock,) = cluster.host.knocks
    assert (knock.nick.lower(), knock.known, knock.asked) == ("ben", Known.OTHER, "name")
    assert not line.heard(Welcome)


def test_a_number_behind_a_name_makes_nobody_somebody_else_whom_we_know() -> None:
    cluster = table(gate=Gate(knowing(ben="ben", ben2="ben-2")))
    cluster.join("ben")
    assert is_in(cluster.join("mallory", nick="ben"))
    assert cluster.host.public.nick_of(identity("mallory").key) == "ben-3"
    cluster.order("kick", "ben-3", "", "0")
    assert is_in(cluster.join("ben2", nick="ben-2"))


def test_who_is_admitted_has_the_name_that_the_host_was_asked_about() -> None:
    cluster = table("ask")
    cluster.join("b1", nick="ben")
    cluster.join("b2", nick="ben")
    cluster.order("admit", "ben-2")
    assert cluster.host.public.nick_of(identity("b2").key) == "ben-2"
    cluster.order("admit", "ben")
    assert cluster.host.public.nick_of(identity("b1").key) == "ben"


def test_who_waits_under_a_borrowed_name_takes_it_from_nobody() -> None:
    cluster = table(gate=Gate(knowing(ben="ben")))
    cluster.join("mallory", nick="ben")
    cluster.join("ben")
    assert cluster.host.public.nick_of(identity("ben").key) == "ben"
    cluster.order("admit", "ben")
    assert cluster.host.public.nick_of(identity("mallory").key) == "ben-2"


def test_a_name_of_the_record_is_not_offered_at_the_door_either() -> None:
    cluster = table(options={"match_rounds": "2"})
    cluster.join("ben")
    cluster.order("start")
    play_round(cluster, among=["ana", "ben"])
    cluster.leave("ben")
    cluster.order("door", "ask")
    cluster.join("cy", nick="ben")
    (knock,) = cluster.host.knocks
    cluster.order("admit", knock.nick)
    assert knock.nick == cluster.host.public.nick_of(identity("cy").key) == "ben-2"


# ---- one key, one place in the queue


def test_one_key_does_not_fill_the_queue() -> None:
    cluster = table("ask")
    lines = [cluster.line("eve") for _ in range(MOST_WAITING)]
    for line in lines:
        line.send(hello("eve"))
    for line in lines[1:]:
        last(line, Reason.ALREADY_HERE)
    assert len(host_told(cluster, Knocked)) == len(cluster.host.knocks) == 1
    cluster.order("admit", "eve")
    assert lines[0].heard(Welcome)


# ---- the door becomes another one


@pytest.mark.parametrize(
    ("door", "reason"), [("code", "wrong_code"), ("lab", "not_a_member"), ("lab+uid", "not_a_member")]
)
def test_who_waits_is_turned_away_by_a_door_that_asks_for_more(door: str, reason: str) -> None:
    cluster = table("ask", gate=Gate(lab=LAB, roll=True))
    ben = cluster.join("ben")
    cluster.order("door", door)
    assert why(ben) == reason
    assert cluster.host.knocks == ()
    assert host_told(cluster, WentAway) == [WentAway("ben", "declined")]


def test_a_guess_under_way_opens_no_other_door_than_it_was_for() -> None:
    cluster = table("code", gate=Gate(lab=LAB))
    guess = Guess(cluster, cluster.host.code)
    codes = host_told(cluster, CodeIs)
    cluster.order("door", "lab")
    last(guess.line, Reason.NOT_A_MEMBER)
    assert host_told(cluster, CodeIs) == codes


@pytest.mark.parametrize("door", ["open", "ask"])
def test_a_guess_under_way_is_good_for_a_wider_door(door: str) -> None:
    cluster = table("code")
    guess = Guess(cluster, cluster.host.code)
    cluster.order("door", door)
    guess.confirm()
    if door == "ask":
        cluster.order("admit", "")
    assert guess.line.heard(Welcome)


def test_a_member_of_the_lab_that_waits_because_of_its_name_needs_a_login_where_the_door_does() -> None:
    people = knowing(ben="ben", cy="cy")
    people.logins = {identity("mallory").key: "mallory"}
    cluster = table("lab", gate=Gate(people, lab=LAB, roll=True))
    proved = cluster.join("mallory", nick="ben", ticket=Ticket("lab", lab=LAB))
    unproved = cluster.join("trudy", nick="cy", ticket=Ticket("lab", lab=LAB))
    cluster.order("door", "lab+uid")
    assert why(unproved) == "not_a_member"
    cluster.order("admit", "")
    assert is_in(proved)


def test_guesses_at_a_code_that_no_door_asks_for_any_more_make_no_other_code() -> None:
    cluster = table("code")
    guesses = []
    for number in range(6):
        cluster.pass_time(1)
        guesses.append(Guess(cluster, "zoo-zoo", f"g{number}"))
    cluster.order("door", "open")
    for guess in guesses:
        guess.confirm()
        last(guess.line, Reason.WRONG_CODE)
    assert len(host_told(cluster, CodeIs)) == 1


def test_another_code_can_be_had_inside_a_round_too() -> None:
    cluster = table("code")
    right(cluster)
    cluster.order("start")
    first, before = cluster.host.code, len(cluster.host_journal)
    cluster.order("door", "code")
    assert cluster.host.code != first
    assert len(cluster.host_journal) == before


def test_a_host_that_admits_somebody_to_a_full_table_is_told_that_nobody_came_in() -> None:
    cluster = table("ask", seats=2, game="tienlen")
    for name in ("ben", "cy"):
        cluster.join(name)
    cluster.order("admit", "ben")
    cluster.order("admit", "cy")
    assert host_told(cluster, WentAway) == [WentAway("ben", "admitted"), WentAway("cy", "declined")]


# ---- who was shown out


def test_a_kick_that_has_run_out_hides_none_of_the_same_login_that_stands() -> None:
    cluster = table("lab+uid", gate=Gate(Roll(ben="ben", ben2="ben"), lab=LAB, roll=True))
    ticket = Ticket("lab+uid", lab=LAB)
    for name, seconds in (("ben", 5), ("ben2", 600)):
        cluster.join(name, ticket=ticket)
        cluster.order("kick", name, "", until(cluster, seconds))
        cluster.pass_time(6)
    assert why(cluster.join("ben", ticket=ticket)) == "banned"


def test_a_second_kick_of_a_login_does_not_shorten_the_first() -> None:
    cluster = table("lab+uid", gate=Gate(Roll(ben="ben", ben2="ben", ben3="ben"), lab=LAB, roll=True))
    ticket = Ticket("lab+uid", lab=LAB)
    cluster.join("ben", ticket=ticket)
    cluster.order("kick", "ben", "", "0")
    cluster.order("pardon", identity("ben2").key.hex())
    assert why(cluster.join("ben3", ticket=ticket)) == "banned"
    cluster.order("pardon", identity("ben").key.hex())
    assert is_in(cluster.join("ben3", ticket=ticket))


# ---- lines lost


def test_who_has_lost_the_line_at_the_door_is_not_woken_for_it() -> None:
    cluster = table("ask")
    ben = cluster.join("ben")
    cluster.cut("ben")
    cluster.pass_time(5)
    assert ben.wake_at is None
    cluster.back("ben")
    cluster.order("admit", "ben")
    assert is_in(ben)


@pytest.mark.parametrize("playing", [False, True])
def test_a_vote_lost_with_its_line_is_not_said_again_about_who_has_the_seat_by_then(playing: bool) -> None:
    cluster = table(seats=4, game="tienlen")
    for name in ("ben", "cy", "dot"):
        cluster.join(name)
    voter, about = cluster.peers["ben"], "cy"
    if playing:
        cluster.order("start")
        while (voter := cluster.movers[0]).name == "ana":
            cluster.act("ana", at_random(cluster, voter))
        about = "dot" if voter.name == "cy" else "cy"
    voter.mute = True
    cluster.vote(voter.name, about)
    cluster.cut(voter.name)
    before = len(cluster.host_journal)
    cluster.back(voter.name)
    assert len(cluster.host_journal) == before
    cluster.vote(voter.name, about)
    assert len(cluster.host_journal) == before + 1


def test_who_comes_back_is_told_who_it_was_that_showed_them_out() -> None:
    cluster = table(seats=4, game="tienlen")
    for name in ("ben", "cy", "dot"):
        cluster.join(name)
    cluster.order("kick", "dot", "noise", "0")
    cluster.join("eve")
    for name in ("ana", "ben", "eve"):
        cluster.vote(name, "cy")
    told = {}
    for name in ("cy", "dot"):
        cluster.join(name)
        told[name] = cluster.peers[name].told(Refused)[0].text
    assert told == {"cy": "shown out by a vote of the table", "dot": "shown out by ana (noise)"}

"""What people are told while their table has no host, and behind that: once, in order, and nothing that is not so."""

from __future__ import annotations

import pytest

from p2pcards.table.effects import GoOn, LinkDown, Wanted
from p2pcards.table.notices import (
    Acted,
    BotTurn,
    Dropped,
    GoOnAsked,
    HostIs,
    LinkBack,
    LinkLost,
    MatchOver,
    Returned,
    RoundOver,
    RoundStarted,
    RoundVoid,
    Seated,
    TableWaits,
    TurnOf,
    WentOn,
)
from p2pcards.table.tableview import TableView
from tests.testing.one_peer import Program
from tests.testing.peers import Lan


def view(program: Program) -> TableView:
    seen = program.the.table_view()
    assert seen is not None
    return seen


def gone_on(*watchers: str, game: str = "onecard") -> Lan:
    """Of two the host was killed in a round, and the other one goes on alone."""
    lan = Lan("ana", "ben", game=game, asks=True)
    for name in watchers:
        lan.come(name, watch=True)
    lan.start()
    lan.kill("ana")
    lan.until(lambda: bool(lan["ben"].told(GoOnAsked)))
    lan["ben"].feed(GoOn(True))
    lan.until(lambda: lan["ben"].the.host is not None)
    lan.until(lambda: lan.committed)
    return lan


# ---- who has no vote


def test_who_has_no_vote_is_told_once_that_the_line_is_lost_and_then_what_the_others_are_told() -> None:
    lan = Lan("ana", "ben", game="onecard", asks=True)
    eve = lan.come("eve", watch=True)
    lan.start()
    lan.kill("ana")
    lan.pass_time(3.0)
    assert view(eve).waiting_for == ()
    lan.pass_time(27.0)
    assert len(eve.told(LinkLost)) == 1
    assert eve.told(TableWaits) == lan["ben"].told(TableWaits) == [TableWaits(("ana",))]
    assert view(eve).waiting_for == ("ana",)
    assert not view(eve).may_go_on
    lan["ben"].feed(GoOn(True))
    lan.until(lambda: view(eve).connected)
    lan.until(lambda: bool(eve.told(WentOn)))
    assert view(eve).waiting_for == ()
    assert eve.told(LinkBack) == [LinkBack(another=True)]


def test_a_line_that_is_lost_again_behind_its_return_is_told_again() -> None:
    lan = Lan("ana", "ben", "cy", game="onecard")
    lan.start()
    for _ in range(2):
        lan.breaks("ana", "cy")
        lan.pass_time(3.0)
    assert [len(lan["cy"].told(kind)) for kind in (LinkLost, LinkBack)] == [2, 2]


def test_who_hears_nothing_at_all_and_has_no_vote_says_nothing_of_the_others() -> None:
    lan = Lan("ana", "ben", game="onecard", asks=True)
    eve = lan.come("eve", watch=True)
    lan.start()
    lan.silence("eve")
    lan.breaks("ana", "eve")
    lan.pass_time(30.0)
    assert view(eve).waiting_for == ()
    assert not eve.told(TableWaits)


# ---- who was away itself


@pytest.mark.parametrize("names", [("ana", "ben", "cy"), ("ana", "ben")])
@pytest.mark.parametrize("seconds", [3.5, 12.0, 40.0])
def test_a_host_that_slept_tells_of_no_losses_but_of_who_hosts_by_now(names: tuple[str, ...], seconds: float) -> None:
    lan = Lan(*names, game="onecard", asks=True)
    lan.start()
    ana = lan["ana"]
    ana.alive = False
    lan.pass_time(seconds)
    ana.alive = True
    before = len(ana.notices)
    for link, (far, there) in list(ana.links.items()):
        del ana.links[link]
        far.links.pop(there, None)
        ana.feed(LinkDown(link))
        far.feed(LinkDown(there))
    lan.pass_time(20.0)
    told = ana.notices[before:]
    assert not [one for one in told if isinstance(one, Dropped | Returned | TableWaits | LinkLost)]
    elected = [one for one in told if isinstance(one, HostIs)]
    assert [one.nick for one in elected] == (["ben"] if len(names) > 2 and seconds > 5 else [])


def test_a_host_that_slept_tells_of_who_is_gone_for_good_a_little_later() -> None:
    lan = Lan("ana", "ben", game="onecard", asks=True)
    lan.start()
    ana = lan["ana"]
    ana.alive = False
    lan.kill("ben")
    lan.pass_time(12.0)
    ana.alive = True
    for link in list(ana.links):
        del ana.links[link]
        ana.feed(LinkDown(link))
    lan.pass_time(4.0)
    assert not ana.told(Dropped)
    lan.pass_time(2.0)
    assert [one.nick for one in ana.told(Dropped)] == ["ben"]


def test_a_host_that_comes_back_to_its_table_when_the_other_went_on_is_told_of_no_return() -> None:
    lan = gone_on()
    ana = lan.again("ana")
    lan.pass_time(20.0)
    assert ana.told(WentOn) == [WentOn(("ana",))]
    assert not ana.told(Dropped)
    assert not ana.told(Returned)


# ---- going on


def test_when_one_may_go_on_without_whom_is_known_before() -> None:
    lan = Lan("ana", "ben", game="onecard", asks=True)
    lan.start()
    lan.kill("ana")
    lan.pass_time(6.0)
    seen = view(lan["ben"])
    assert seen.waiting_for == ("ana",)
    assert seen.asks_at is not None
    lan.pass_time(seen.asks_at - lan.now - 0.5)
    assert not view(lan["ben"]).may_go_on
    lan.pass_time(1.0)
    assert view(lan["ben"]).may_go_on == ("ana",)
    assert view(lan["ben"]).asks_at is None


def test_that_the_table_goes_on_is_told_before_what_happens_then() -> None:
    """With those whom it goes on without, where it goes on without somebody."""
    lan = gone_on()
    ben = lan["ben"]
    lan.pass_time(3.0)
    assert TableWaits(()) not in ben.notices
    kinds = [type(one) for one in ben.notices if isinstance(one, WentOn | HostIs | RoundVoid | RoundStarted)]
    assert kinds[-4:] == [WentOn, HostIs, RoundVoid, RoundStarted]


def test_that_the_table_goes_on_with_its_host_is_told_before_whose_turn_it_is_and_what_bots_do() -> None:
    lan = Lan("ana", "ben", "cy", game="onecard", seats=4, settings={"bot_fill": "true"}, asks=True)
    lan.start()
    lan.silence("ana")
    lan.silence("ben")
    lan.pass_time(9.0)
    ana = lan["ana"]
    assert ana.told(TableWaits) == [TableWaits(("ben", "cy"))]
    before = len(ana.notices)
    lan.heal()
    lan.pass_time(10.0)
    told = [type(one) for one in ana.notices[before:] if isinstance(one, TableWaits | Acted | BotTurn | TurnOf)]
    assert told[0] is TableWaits
    assert told.count(TableWaits) == 1


def test_a_seat_that_a_bot_keeps_is_known_to_its_player_who_has_it_again_from_the_next_round_on() -> None:
    lan = gone_on(game="tienlen")
    ana = lan.again("ana")
    lan.until(lambda: bool(ana.told(WentOn)))
    lan.pass_time(3.0)
    assert view(ana).me is None
    assert view(ana).kept_seat == 0
    assert view(lan["ben"]).kept_seat is None
    before = len(ana.notices)
    lan.play(1)
    for name in ("ana", "ben"):
        lan[name].feed(Wanted("next"))
    lan.until(lambda: view(ana).me == 0)
    assert view(ana).kept_seat is None
    (seated,) = [one for one in ana.notices[before:] if isinstance(one, Seated)]
    assert (seated.nick, seated.again) == ("ana", True)


# ---- names


def test_a_round_names_those_who_sit_there_now() -> None:
    lan = Lan("ana", "ben", game="tongits", seats=3, settings={"bot_fill": "true"}, asks=True)
    lan.start()
    lan.until(lambda: bool(lan.movers))
    lan.play(1)
    lan.come("cy")
    for name in ("ana", "ben", "cy"):
        lan[name].feed(Wanted("next"))
    lan.until(lambda: len(lan["ana"].told(RoundStarted)) == 2)
    assert [seat.nick for seat in view(lan["ana"]).seats] == ["ana", "ben", "cy"]
    assert lan["ana"].told(RoundStarted)[-1].players == ("ana", "ben", "cy")
    lan.play(1)
    lan.until(lambda: len(lan["ana"].told(RoundOver)) == 2)
    assert [nick for nick, _ in lan["ana"].told(RoundOver)[-1].points] == ["ana", "ben", "cy"]
    lan["ana"].feed(Wanted("stop"))
    lan.until(lambda: bool(lan["ana"].told(MatchOver)))
    assert [nick for nick, _ in lan["ana"].told(MatchOver)[-1].scores] == ["ana", "ben", "cy"]

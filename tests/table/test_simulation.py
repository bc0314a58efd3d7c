"""Suite 8: whole tables under every fault that the plan knows, from seeds that replay (see `tests.sim`).

`python -m tests.sim --seeds 10000` runs many more than these.
"""

from __future__ import annotations

from contextlib import nullcontext
from typing import get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.games.registry import GAMES
from p2pcards.table.effects import LinkId
from p2pcards.wire.identity import Identity, verify
from p2pcards.wire.messages import Get, Message
from tests.sim import run as sim_run
from tests.sim.disk import Disk
from tests.sim.network import End, Network
from tests.sim.plan import SIZES, At, Break, Crash, Cut, Fault, FullDisk, Loss, Order, Sleep, Storm, plan
from tests.sim.run import command, run
from tests.sim.schedule import Clock, Schedule
from tests.sim.signatures import cheap
from tests.sim.wild import wilder
from tests.testing.dice import dice
from tests.testing.tally import Tally

SEEDS, AT_ONCE = 100, 5


def wrong(seed: int, peers: int, wild: bool = False) -> str:
    """What is wrong in a run, and how to see it; nothing where it is in order."""
    try:
        run(seed, peers, wild=wild)
    except Exception as error:
        return f"{command(seed, peers, wild=wild)}\n    {type(error).__name__}: {error}"
    return ""


@pytest.mark.parametrize("peers", SIZES)
@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_whatever_goes_wrong_the_table_stays_one_and_goes_on(first: int, peers: int, tally: Tally) -> None:
    failed = [said for seed in range(first, first + AT_ONCE) if (said := wrong(seed, peers))]
    assert not failed, "\n".join(failed)
    tally("8 simulated tables", AT_ONCE)


@pytest.mark.parametrize(
    ("seed", "peers"),
    [(519, 3), (524, 5), (657, 4), (20060, 3), (20101, 2), (20199, 5), (20365, 5), (20759, 4), (40064, 5), (40167, 5)],
)
def test_seeds_beyond_these_that_showed_something(seed: int, peers: int) -> None:
    """In their order: two hosts of a lobby of three; a term that begins amid own entries; views that open too little;
    two links to one host, and one of them superseded; a host of an earlier term; a voter of before a FORK; a match that
    was over; a term begun by who is shown out; a candidate for a successor's term."""
    said = wrong(seed, peers)
    assert not said, said


@pytest.mark.parametrize(("seed", "peers"), [(1, 3), (2, 2), (3, 4), (7, 5), (204, 3), (427, 4), (504, 4), (1842, 5)])
def test_with_rarer_troubles_too(seed: int, peers: int) -> None:
    """The last four: a disk that takes no entries is at the only voter that a table lacks, or hangs on."""
    said = wrong(seed, peers, wild=True)
    assert not said, said


@pytest.mark.parametrize(("seed", "peers"), [(1, 3), (4, 5), (9, 4)])
def test_a_seed_tells_the_same_story_again(seed: int, peers: int) -> None:
    stories: list[list[str]] = [[], []]
    for story in stories:
        run(seed, peers, trace=story.append)
    assert stories[0] == stories[1]
    assert len(stories[0]) > 100


def test_who_works_everything_out_alone_tells_the_same_story(monkeypatch: pytest.MonkeyPatch) -> None:
    together: list[str] = []
    alone: list[str] = []
    run(1, 3, trace=together.append)
    monkeypatch.setattr(sim_run, "once", nullcontext)
    run(1, 3, trace=alone.append)
    assert together == alone


# ---- the world itself


class Party:
    """A program that writes down what reaches it."""

    def __init__(self, place: int) -> None:
        self.place, self.alive = place, True
        self.heard: list[tuple[float, int]] = []
        self.down: list[LinkId] = []

    def link_down(self, link: LinkId) -> None:
        self.down.append(link)

    def incoming(self, link: LinkId, message: Message) -> None:
        assert isinstance(message, Get)
        self.heard.append((link, message.index))

    @property
    def numbers(self) -> list[int]:
        return [number for _, number in self.heard]


class Lines:
    """Two programs on two machines, and so many connections between them."""

    def __init__(self, seed: int, connections: int = 1) -> None:
        self.schedule = Schedule()
        self.network = Network(self.schedule, dice(seed))
        self.one, self.other = Party(0), Party(1)
        self.near = [End(self.one, LinkId(number)) for number in range(connections)]
        far = [End(self.other, LinkId(number)) for number in range(connections)]
        self.connections = [self.network.connect(near, end) for near, end in zip(self.near, far, strict=True)]

    def send(self, *numbers: int, over: int = 0) -> None:
        for number in numbers:
            self.connections[over].send(self.near[over], Get(number))

    def wait(self, seconds: float) -> None:
        until = self.schedule.now + seconds
        while self.schedule.step(until):
            pass


@given(st.integers(0, 1000))
def test_a_connection_keeps_its_order_in_any_weather_and_others_overtake_it(seed: int) -> None:
    lines = Lines(seed, 2)
    lines.network.weather.delay, lines.network.weather.loss = 0.5, 0.1
    for number in range(20):
        lines.send(number, over=0)
        lines.send(number, over=1)
        lines.wait(0.1)
    lines.wait(60.0)
    for link in (0, 1):
        assert [number for over, number in lines.other.heard if over == link] == list(range(20))
    assert lines.other.numbers != sorted(lines.other.numbers)


def test_what_is_sent_into_a_cut_comes_when_it_is_mended() -> None:
    lines = Lines(1)
    lines.network.cut(0, 1)
    lines.send(1, 2)
    lines.wait(10.0)
    assert lines.other.numbers == []
    lines.network.mend(0, 1)
    lines.send(3)
    lines.wait(10.0)
    assert lines.other.numbers == [1, 2, 3]


def test_a_cut_of_one_direction_lets_the_other_through() -> None:
    lines = Lines(1)
    lines.network.cut(1, 0)
    lines.send(1)
    lines.wait(1.0)
    assert lines.other.numbers == [1]
    assert not lines.network.meets(0, 1)


def test_two_cuts_of_a_cable_must_both_be_mended() -> None:
    lines = Lines(1)
    lines.network.cut(0, 1)
    lines.network.cut(0, 1)
    lines.network.mend(0, 1)
    assert not lines.network.passes(0, 1)
    lines.network.mend(0, 1)
    assert lines.network.passes(0, 1)


def test_a_machine_that_is_slow_hears_as_quickly_as_ever() -> None:
    lines = Lines(1)
    lines.network.slow[0] = 3.0
    lines.send(1)
    lines.wait(2.9)
    assert lines.other.numbers == []
    lines.network.mend_slow(0)
    lines.send(2)
    lines.wait(0.5)
    assert lines.other.numbers == [1, 2]


def test_a_reset_drops_what_was_on_its_way_and_both_are_told() -> None:
    lines = Lines(1)
    lines.send(1)
    lines.network.break_off(0, 1)
    lines.wait(10.0)
    assert (lines.other.numbers, lines.one.down, lines.other.down) == ([], [0], [0])


def test_a_dead_program_still_has_its_last_words_heard_and_then_the_end_of_it() -> None:
    lines = Lines(1)
    lines.send(1)
    lines.one.alive = False
    lines.connections[0].hang_up(lines.near[0], polite=True)
    lines.wait(1.0)
    assert (lines.other.numbers, lines.other.down) == ([1], [0])


def test_a_machine_without_power_says_nothing_and_when_it_is_back_that_it_knows_nothing() -> None:
    lines = Lines(1)
    lines.network.dark(1, True)
    lines.other.alive = False
    lines.send(1)
    lines.wait(20.0)
    assert lines.one.down == []
    lines.network.dark(1, False)
    lines.wait(20.0)
    assert (lines.one.down, lines.other.numbers) == ([0], [])


def test_a_disk_keeps_what_is_old_and_a_beginning_of_what_is_new() -> None:
    lengths = set()
    for seed in range(50):
        disk = Disk()
        disk.append((b"a", b"b"), 0.0)
        disk.append((b"c",), 100.0)
        disk.rewind(2, 101.0)
        disk.append((b"d", b"e"), 102.0)
        disk.keep("votes", b"term 1")
        disk.power_lost(dice(seed), 103.0)
        lengths.add(tuple(disk.journal))
        assert disk.secrets == {"votes": b"term 1"}
    assert lengths == {(b"a", b"b"), (b"a", b"b", b"c"), (b"a", b"b", b"d", b"e")}


def test_a_clock_rings_when_it_shows_the_time_and_never_before() -> None:
    schedule = Schedule()
    clock = Clock(schedule, 50.0, -0.02)
    seen: list[float] = []
    schedule.at(clock.true(60.0), lambda: seen.append(clock.now))
    schedule.step(100.0)
    assert seen[0] >= 60.0
    assert seen[0] == pytest.approx(60.0, abs=1e-3)
    assert schedule.now == pytest.approx(10.0 / 0.98, abs=1e-3)


def test_signatures_that_cost_nothing_are_of_one_key_and_one_text() -> None:
    with cheap():
        ana, ben = Identity(b"a" * 32), Identity(b"b" * 32)
        sig = ana.sign(b"text")
        assert verify(ana.key, sig, b"text")
        assert not verify(ana.key, sig, b"tExt")
        assert not verify(ben.key, sig, b"text")
    assert not verify(ana.key, sig, b"text")


def test_a_plan_is_that_of_its_seed_and_plans_differ() -> None:
    assert plan(7, 4) == plan(7, 4)
    plans = [plan(seed, 5) for seed in range(100)]
    assert {drawn.game for drawn in plans} == set(GAMES)
    assert sum(drawn.match for drawn in plans) == sum(plan(seed, 3).real for seed in range(100)) == 10
    faults = [fault for drawn in plans for fault in drawn.faults]
    assert {type(fault) for fault in faults} == {Cut, Break, Crash, Sleep, Order, Storm, FullDisk}
    assert {fault.at for fault in faults if isinstance(fault, Crash)} == set(At)
    assert {fault.loss for fault in faults if isinstance(fault, Crash)} == set(Loss)


def test_a_wilder_plan_is_of_the_same_table_and_has_every_trouble() -> None:
    calm, plans = [plan(seed, 5) for seed in range(200)], [wilder(plan(seed, 5)) for seed in range(200)]
    assert plans == list(map(wilder, calm))
    assert [(one.game, one.match) for one in plans] == [(one.game, one.match) for one in calm]
    assert {type(fault) for one in plans for fault in one.faults} == set(get_args(Fault))
    assert {one.watches for one in plans} == {True, False}
    assert {one.matches for one in plans} == {1, 2}
    assert {dict(one.settings)["turn_seconds"] for one in plans} == {"0", "5", "6"}
    assert all(
        fault.time + fault.seconds < one.heal for one in plans for fault in one.faults if isinstance(fault, Sleep)
    )

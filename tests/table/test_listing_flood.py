"""The list of tables beside somebody who advertises what isn't there: a real table stays in it and can be joined."""

from __future__ import annotations

import random
from collections.abc import Callable

import msgspec
import pytest

from p2pcards.table.effects import Woke
from p2pcards.table.hearsay import (
    HASTY_TARGETS,
    Answered,
    Barred,
    Gone,
    Heard,
    Missed,
    Probe,
)
from p2pcards.table.listing import MOST_ENTRIES, MOST_PER_HOST, MOST_ROWS
from p2pcards.table.pace import AT_ONCE, BURST, BURST_SECONDS, KNOWN_AT_ONCE, MOST_HOSTS
from tests.table.test_listing import ADVERT, HERE, KEY, NAME, TABLE, advert, answer, heard, listing, only
from tests.testing.tally import Tally

RATE = 64
"""Fake adverts a second."""
Fake = Callable[[int], Heard]


def test_a_flood_of_adverts_pushes_out_nobody_who_answers() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    for number in range(3 * MOST_ENTRIES):
        machine.handle(heard(number), 1.0)
        machine.handle(Gone(f"never there {number}"), 1.0)
    assert machine.rows[0].title == "lab"
    assert len(machine._entries) == MOST_ENTRIES
    assert len(machine._taken_back) == MOST_ENTRIES


def somewhere(number: int) -> Heard:
    """Another table at another address each time."""
    return Heard(f"f{number}", advert(number), ((f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}", 1),))


def among(number: int) -> Heard:
    """Another table at one of 64 addresses."""
    return Heard(f"f{number}", advert(number), ((f"10.9.9.{number % 64}", 1),))


def at_one(number: int) -> Heard:
    """Another table at one address."""
    return Heard(f"f{number}", advert(number), (("10.9.9.9", 1),))


def at_ours(number: int) -> Heard:
    """Another table at the address of the real one."""
    return Heard(f"f{number}", advert(number), ((HERE[0], 1),))


def of_ours(number: int) -> Heard:
    """The real table with another key."""
    key = number.to_bytes(32, "big")
    return Heard(f"f{number}", msgspec.structs.replace(ADVERT, key=key, term=number), (("10.9.9.9", 1),))


def as_ours(number: int) -> Heard:
    """The real table and key, under other names, somewhere else."""
    return Heard(f"f{number}", ADVERT, tuple((f"10.9.{number & 255}.{host}", 1) for host in range(16)))


FAKES = [somewhere, among, at_one, at_ours, of_ours, as_ours]


class Flooded:
    """A list under a flood of adverts; fakes answer never, a blackhole's only after `slow` seconds."""

    def __init__(self, fake: Fake, slow: float) -> None:
        self.machine = listing()
        self.now = 0.0
        self.count = 0
        self.asked = 0
        self.most = 0
        self._fake, self._slow = fake, slow
        self._chance = random.Random(7)  # noqa: S311 - floods are not regular
        self._running: list[tuple[float, Probe]] = []

    def feed(self, happened: Heard | Gone | Woke | Missed | Answered | Barred) -> None:
        for probe in self.machine.handle(happened, self.now):
            self.asked += 1
            is_real = (probe.table, probe.key) == (TABLE, KEY) and HERE in probe.targets
            takes = 0.01 if is_real else min(0.5, self._slow) if probe.hasty else self._slow
            self._running.append((self.now + takes, probe))
        self.most = max(self.most, len(self._running))

    def run(self, seconds: float) -> None:
        """So many seconds of flood."""
        for _ in range(int(seconds * RATE)):
            self.now += self._chance.uniform(0.5, 1.5) / RATE
            self.count += 1
            self.feed(self._fake(self.count))
            for over in [one for one in self._running if one[0] <= self.now]:
                self._running.remove(over)
                probe = over[1]
                is_real = (probe.table, probe.key) == (TABLE, KEY) and HERE in probe.targets
                self.feed(answer(probe) if is_real else Missed(probe))
            if self.machine.wake_at is not None and self.machine.wake_at <= self.now:
                self.feed(Woke())

    @property
    def real_answers(self) -> bool:
        return any((row.table, row.key, row.answers) == (TABLE, KEY, True) for row in self.machine.rows)


@pytest.mark.parametrize("slow", [0.01, 5.0], ids=["refused", "swallowed"])
@pytest.mark.parametrize("fake", FAKES)
def test_a_table_that_has_answered_stays_and_is_asked_on_time(fake: Fake, slow: float, tally: Tally) -> None:
    flood = Flooded(fake, slow)
    flood.feed(Heard(NAME, ADVERT, (HERE,)))
    flood.run(0.1)
    flood.asked = 0

    def holds() -> None:
        assert flood.real_answers
        machine = flood.machine
        assert len(machine.rows) <= MOST_ROWS
        assert len(machine._entries) <= MOST_ENTRIES
        assert len(machine._keys) <= 4 * MOST_ENTRIES

    for _ in range(24):
        flood.run(0.5)
        holds()
    (entry,) = [one for one in flood.machine._entries.values() if one.key == TABLE + KEY]
    assert flood.now - entry.due <= 0.1  # no question to it is late
    assert flood.most <= AT_ONCE + KNOWN_AT_ONCE
    assert len(flood.machine._pace._asked) <= MOST_HOSTS
    assert len(flood.machine._pace._failed) <= MOST_HOSTS
    tally("11 limits")


@pytest.mark.parametrize("slow", [0.01, 5.0], ids=["refused", "swallowed"])
@pytest.mark.parametrize("fake", [somewhere, among, at_one, of_ours])
def test_a_table_that_is_heard_of_in_the_flood_is_found_all_the_same(fake: Fake, slow: float) -> None:
    flood = Flooded(fake, slow)
    flood.run(6)
    for _ in range(5):  # looks, of which each hears of it once
        flood.feed(Heard(NAME, ADVERT, (HERE,)))
        flood.run(2)
    assert flood.real_answers


@pytest.mark.parametrize("fake", [somewhere, among, at_one, at_ours, of_ours])
def test_a_table_of_our_lab_is_found_at_once(fake: Fake) -> None:
    flood = Flooded(fake, 5.0)
    flood.run(6)
    flood.feed(Heard(NAME, ADVERT, (HERE,), lab=True))
    flood.run(3)
    assert flood.real_answers
    assert (flood.machine.rows[0].key, flood.machine.rows[0].lab) == (KEY, True)


def test_nobody_is_sent_to_an_address_again_and_again_for_what_is_not_there() -> None:
    flood = Flooded(at_ours, 0.01)
    flood.run(24)
    assert flood.asked <= BURST + 24 * BURST / BURST_SECONDS


def test_many_tables_at_one_address_that_answer_are_all_asked_at_once() -> None:
    machine = listing()
    for number in range(MOST_PER_HOST):
        (probe,) = machine.handle(heard(number, "10.0.0.66"), 0.0)
        machine.handle(answer(probe), 0.0)
    assert all(row.answers for row in machine.rows)


def test_where_others_wait_a_question_is_given_up_soon_and_tries_few_addresses() -> None:
    machine = listing()
    asked = list[Probe]()
    for number in range(AT_ONCE + 9):
        targets = tuple((f"10.0.{number}.{host}", 1) for host in range(16))
        asked += machine.handle(Heard(f"t{number}", advert(number), targets), 0.0)
    assert [probe.hasty for probe in asked] == [False] * (AT_ONCE // 2) + [True] * (AT_ONCE // 2)
    assert {len(probe.targets) for probe in asked if probe.hasty} == {HASTY_TARGETS}
    assert {len(probe.targets) for probe in asked if not probe.hasty} == {16}


def test_a_question_that_is_on_its_way_counts_though_its_advert_is_gone() -> None:
    machine, running = listing(), 0
    for number in range(10 * AT_ONCE):
        running += len(machine.handle(somewhere(number), 0.0))
        machine.handle(Gone(f"f{number}"), 0.0)
    assert running == AT_ONCE


def test_a_host_that_tells_nothing_to_strangers_is_there_all_the_same() -> None:
    machine = listing()
    said = msgspec.structs.replace(ADVERT, door="lab")
    (probe,) = machine.handle(Heard(NAME, said, (HERE,)), 0.0)
    machine.handle(Barred(probe, HERE, True, "lo"), 0.1)
    row = only(machine)
    assert (row.answers, row.barred, row.door, row.title, row.here, row.interface) == (
        True, True, "lab", "lab", True, "lo",
    )  # fmt: skip
    assert machine.settled
    at = machine.wake_at
    assert at is not None
    (probe,) = machine.handle(Woke(), at)
    machine.handle(answer(probe), at)
    assert not only(machine).barred


def test_a_host_whose_door_is_another_since_keeps_nobody_out_for_being_no_member() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, msgspec.structs.replace(ADVERT, door="lab"), (HERE,)), 0.0)
    machine.handle(Barred(probe, HERE, True, "lo"), 0.1)
    machine.handle(Heard(NAME, msgspec.structs.replace(ADVERT, door="code"), (HERE,)), 0.2)
    assert (only(machine).barred, only(machine).door) == (False, "code")


def test_tables_of_our_lab_come_first_and_stay_it_whoever_repeats_their_adverts() -> None:
    machine = listing()
    for number in (1, 2, 3):
        machine.handle(msgspec.structs.replace(heard(number), lab=number == 2), 0.0)
    assert [(row.title, row.lab) for row in machine.rows] == [("t2", True), ("t1", False), ("t3", False)]
    machine.handle(heard(2), 1.0)
    assert machine.rows[0].lab


def test_a_strangers_flood_takes_no_place_from_tables_of_our_lab() -> None:
    machine = listing()
    for number in range(MOST_ENTRIES):
        machine.handle(msgspec.structs.replace(heard(number), lab=True), 0.0)
    machine.handle(heard(1000), 1.0)
    assert all(entry.lab for entry in machine._entries.values())
    machine.handle(msgspec.structs.replace(heard(1001), lab=True), 1.0)
    assert len(machine._entries) == MOST_ENTRIES

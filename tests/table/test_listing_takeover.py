"""The list while a table changes its host, and when it has become another table (protocol 5.1)."""

from __future__ import annotations

import msgspec

from p2pcards.table.effects import Woke
from p2pcards.table.hearsay import GONE_AFTER, Answered, Heard, Missed, Probe
from p2pcards.table.listing import Listing
from tests.table.test_listing import ADVERT, HERE, INFO, KEY, OTHER_KEY, TABLE, answer, listing, only

THIRD_KEY = b"3" * 32


def hears(machine: Listing, key: bytes, **changes: object) -> Probe:
    """An advert of that key for the table; the question to it."""
    advert = msgspec.structs.replace(ADVERT, key=key, **changes)
    place = (f"10.0.0.{key[0]}", 25252)
    (probe,) = machine.handle(Heard(key.decode(), advert, (place,)), 0.0)
    return probe


def tells(machine: Listing, probe: Probe, **changes: object) -> None:
    """What a member answers who isn't the host; of INFO, whose host is KEY."""
    machine.handle(Answered(probe, msgspec.structs.replace(INFO, **changes), probe.targets[0], False, ""), 0.1)


def test_members_that_wait_for_a_host_are_one_row_that_says_so() -> None:
    machine = listing()
    probes = [hears(machine, key, state="waiting") for key in (OTHER_KEY, THIRD_KEY)]
    for probe in probes:
        tells(machine, probe, state="waiting")
    row = only(machine)
    assert (row.state, row.answers, row.contested) == ("waiting", True, False)


def test_a_host_that_answers_hides_the_members() -> None:
    machine = listing()
    waiting = hears(machine, OTHER_KEY, state="waiting", term=9)
    tells(machine, waiting, state="waiting", term=9)
    machine.handle(answer(hears(machine, KEY)), 0.2)
    assert (only(machine).key, only(machine).contested) == (KEY, False)


def test_the_new_host_takes_the_place_of_the_old_one_that_is_silent() -> None:
    machine = listing()
    old = hears(machine, KEY)
    machine.handle(answer(old), 0.1)
    machine.handle(Missed(old), 5.0)
    assert (only(machine).key, only(machine).answers) == (KEY, False)
    machine.handle(answer(hears(machine, OTHER_KEY, term=2), term=2), 6.0)
    assert (only(machine).key, only(machine).answers) == (OTHER_KEY, True)


def test_a_host_that_has_handed_over_is_asked_at_once_and_no_second_one_meanwhile() -> None:
    machine = listing()
    old = hears(machine, KEY)
    machine.handle(answer(old), 0.1)
    (on_the_way,) = machine.handle(Woke(), machine.wake_at or 0.0)
    now = 7.0
    (new,) = machine.handle(
        Heard("new", msgspec.structs.replace(ADVERT, key=OTHER_KEY, term=2), (("10.0.0.8", 25252),)), now
    )
    machine.handle(answer(new, term=2), now)
    assert (only(machine).key, only(machine).contested) == (OTHER_KEY, False)
    (again,) = machine.handle(answer(on_the_way), now + 0.1)  # asked before the other one answered, it is no news
    assert (only(machine).key, only(machine).contested) == (OTHER_KEY, False)
    assert again.key == KEY
    machine.handle(Missed(again), now + 2.0)
    assert (only(machine).key, only(machine).contested) == (OTHER_KEY, False)


def test_an_old_host_that_follows_now_leads_on_where_the_new_one_is_not_heard() -> None:
    machine = listing()
    tells(machine, hears(machine, OTHER_KEY), term=2, nick="cy")
    waiting = hears(machine, THIRD_KEY, state="waiting")
    tells(machine, waiting, state="waiting", term=7)
    row = only(machine)
    assert (row.key, row.host, row.state) == (OTHER_KEY, "cy", "lobby")


def test_a_table_that_went_on_under_another_id_is_found_by_the_old_one_and_is_one_row() -> None:
    machine, fresh = listing(), b"f" * 16
    old = hears(machine, KEY)
    tells(machine, old, table=fresh, earlier=(TABLE,))
    assert (only(machine).table, only(machine).answers) == (fresh, True)
    (new,) = machine.handle(Heard("fresh", msgspec.structs.replace(ADVERT, table=fresh), (HERE,)), 0.2)
    tells(machine, new, table=fresh, earlier=(TABLE,))
    assert (only(machine).table, only(machine).contested) == (fresh, False)
    assert {key for key, _ in machine.ways(TABLE)} == {KEY}


def test_everybody_heard_of_at_a_table_is_a_way_to_it_until_they_are_gone() -> None:
    machine = listing()
    probes = [hears(machine, key, state="waiting") for key in (OTHER_KEY, THIRD_KEY)]
    hears(machine, KEY, table=b"x" * 16)
    assert dict(machine.ways(TABLE)) == {probe.key: probe.targets for probe in probes}
    tells(machine, probes[0], state="waiting")
    for at in range(GONE_AFTER):
        machine.handle(Missed(probes[0]), 1.0 + at)
    assert [key for key, _ in machine.ways(TABLE)] == [THIRD_KEY]

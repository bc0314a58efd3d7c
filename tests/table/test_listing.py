"""The list of tables: adverts and probes in, rows out (protocol 5.1)."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards import PROTOCOL
from p2pcards.table.effects import Woke
from p2pcards.table.hearsay import (
    GONE_AFTER,
    LEAST_SECONDS,
    MOST_NAMES,
    Answered,
    Barred,
    Gone,
    Heard,
    Input,
    Missed,
    Probe,
    Shown,
)
from p2pcards.table.listing import (
    HIDDEN_SECONDS,
    MOST_PER_HOST,
    MOST_ROWS,
    Listing,
    Row,
)
from p2pcards.table.pace import AT_ONCE, KNOWN_AT_ONCE
from p2pcards.wire.advert import Advert
from p2pcards.wire.messages import Info

TABLE, KEY, OTHER_KEY = b"t" * 16, b"k" * 32, b"o" * 32
HERE = ("10.0.0.7", 25252)
ADVERT = Advert(PROTOCOL, TABLE, KEY, "open", "tongits", 1, 3, "lab", "ana", "lobby", 1)
INFO = Info(
    "0.1.0", PROTOCOL, 4, TABLE, (), 1, "lab", "ana", "tongits", (("scoring", "chips"),),
    (("ana", 1), ("bot-1", 2), ("", 0)), "lobby", "open", KEY, (),
)  # fmt: skip
NAME = "lab ~1._p2pcards._tcp.local."


def listing(shown: bool = True) -> Listing:
    """A list whose jitter is none: 127.5 of 255 lies in the middle."""
    machine = Listing(PROTOCOL, {"tongits": 4}, lambda count: b"\x7f" * count)
    machine.handle(Shown(shown), 0.0)
    return machine


def advert(number: int, **changes: object) -> Advert:
    return msgspec.structs.replace(ADVERT, table=number.to_bytes(16, "big"), title=f"t{number}", **changes)


def heard(number: int, host: str = "") -> Heard:
    return Heard(f"t{number}", advert(number), ((host or f"10.1.{number // 200}.{number % 200}", 25252),))


def answer(probe: Probe, **changes: object) -> Answered:
    info = msgspec.structs.replace(INFO, table=probe.table, host=probe.key, **changes)
    return Answered(probe, info, probe.targets[0], False, "eth0")


def only(machine: Listing) -> Row:
    (row,) = machine.rows
    return row


def test_a_table_is_shown_grey_as_soon_as_it_is_heard_of_and_asked_at_once() -> None:
    machine = listing()
    assert machine.handle(Heard(NAME, ADVERT, (HERE,)), 1.0) == (Probe(TABLE, KEY, (HERE,)),)
    assert only(machine) == Row(TABLE, KEY, "lab", "tongits", "ana", 3, 1, "lobby", "open", (HERE,), answers=False)
    assert not machine.settled


def test_what_its_host_says_counts_not_the_advert() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 1.0)
    info = msgspec.structs.replace(INFO, title="Friday", nick="ben", state="playing")
    machine.handle(Answered(probe, info, HERE, True, "lo"), 1.1)
    assert only(machine) == Row(
        TABLE, KEY, "Friday", "tongits", "ben", 3, 2, "playing", "open", (HERE,),
        here=True, answers=True, options=(("scoring", "chips"),), interface="lo",
    )  # fmt: skip
    assert machine.settled


def test_a_table_is_asked_every_five_seconds_give_or_take_a_fifth() -> None:
    for byte, least, most in ((0, 3.9, 4.1), (255, 5.9, 6.1)):
        machine = Listing(PROTOCOL, {}, bytes([byte]).__mul__)
        machine.handle(Shown(), 0.0)
        (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
        machine.handle(answer(probe), 0.0)
        assert machine.wake_at is not None
        assert least < machine.wake_at < most
        assert machine.handle(Woke(), machine.wake_at - 0.01) == ()
        assert machine.handle(Woke(), machine.wake_at) == (probe,)
        assert machine.wake_at is None
        assert machine.handle(Woke(), 100.0) == ()


def test_one_missed_answer_is_grey_three_are_gone() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    shown = []
    for _ in range(GONE_AFTER):
        at = machine.wake_at
        assert at is not None
        (probe,) = machine.handle(Woke(), at)
        machine.handle(Missed(probe), at)
        shown.append([row.answers for row in machine.rows])
    assert shown == [[False], [False], []]


def test_what_left_is_asked_on_seldom_and_comes_back_with_its_cable() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    at = 0.0
    for _ in range(GONE_AFTER):
        machine.handle(Missed(probe), at)
        assert machine.wake_at is not None
        pause, at = machine.wake_at - at, machine.wake_at
        (probe,) = machine.handle(Woke(), at)
    assert pause == pytest.approx(HIDDEN_SECONDS, rel=0.21)
    assert machine.handle(Heard(NAME, ADVERT, (HERE,)), at) == ()
    assert machine.rows == ()
    machine.handle(answer(probe), at)
    assert only(machine).answers


def test_nobody_is_asked_while_the_list_is_not_on_screen() -> None:
    machine = listing(shown=False)
    assert machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0) == ()
    assert machine.wake_at is None
    assert len(machine.handle(Shown(), 9.0)) == 1
    machine.handle(Shown(False), 9.0)
    assert machine.handle(Woke(), 99.0) == ()


def test_all_are_asked_when_it_comes_back_on_screen() -> None:
    machine = listing()
    for probe in [probe for number in range(5) for probe in machine.handle(heard(number), 0.0)]:
        machine.handle(answer(probe), 0.0)
    machine.handle(Shown(False), 1.0)
    assert len(machine.handle(Shown(), 1.5)) == 5


def test_a_changed_advert_is_asked_about_but_not_more_than_once_a_second() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    changed = msgspec.structs.replace(ADVERT, taken=2)
    assert machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.5) == ()
    assert machine.handle(Heard(NAME, changed, (HERE,)), 0.5) == ()
    assert machine.wake_at == LEAST_SECONDS
    (probe,) = machine.handle(Woke(), LEAST_SECONDS)
    machine.handle(answer(probe), 1.0)
    assert len(machine.handle(Heard(NAME, ADVERT, (HERE,)), 3.0)) == 1


def test_only_so_many_are_asked_at_once_and_the_others_after_them() -> None:
    machine = listing()
    asked = [probe for number in range(AT_ONCE + 4) for probe in machine.handle(heard(number), 0.0)]
    assert len(asked) == AT_ONCE
    (next_one,) = machine.handle(answer(asked[0]), 0.1)
    assert next_one not in asked


def test_several_adverts_of_one_host_are_one_row_with_all_addresses_the_best_first() -> None:
    machine = listing()
    other = ("192.168.1.7", 25252)
    machine.handle(Heard("a", ADVERT, (HERE,)), 0.0)
    machine.handle(Heard("b", ADVERT, (other, HERE)), 0.0)
    assert only(machine).addresses == (HERE, other)
    machine.handle(Answered(Probe(TABLE, KEY, (HERE, other)), INFO, other, False, "wlan0"), 0.1)
    assert only(machine).addresses == (other, HERE)
    machine.handle(Gone("a"), 1.0)
    assert only(machine).addresses == (other, HERE)
    machine.handle(Gone("b"), 2.0)
    machine.handle(Missed(Probe(TABLE, KEY, (other, HERE))), 2.0)
    assert machine.rows == ()


def test_a_few_adverts_of_one_host_are_enough() -> None:
    machine = listing()
    for number in range(MOST_NAMES + 1):
        machine.handle(Heard(f"n{number}", ADVERT, ((f"10.0.0.{number}", 1),)), 0.0)
    assert len(only(machine).addresses) == MOST_NAMES


def test_one_name_that_tells_of_another_table_is_that_other_table() -> None:
    machine = listing()
    machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(Heard(NAME, advert(5), (HERE,)), 1.0)
    assert only(machine).title == "t5"


def test_of_several_hosts_of_a_table_the_one_that_answers_is_shown() -> None:
    machine = listing()
    (old,) = machine.handle(Heard("old", ADVERT, (HERE,)), 0.0)
    machine.handle(answer(old), 0.0)
    (new,) = machine.handle(
        Heard("new", msgspec.structs.replace(ADVERT, key=OTHER_KEY, term=2), (("10.0.0.8", 25252),)), 1.0
    )
    assert only(machine).key == KEY
    machine.handle(Missed(old), 2.0)
    assert only(machine).key == OTHER_KEY
    machine.handle(answer(new, term=2), 2.0)
    assert (only(machine).key, only(machine).contested) == (OTHER_KEY, False)


def test_of_several_that_do_not_answer_the_highest_term() -> None:
    machine = listing()
    machine.handle(Heard("new", msgspec.structs.replace(ADVERT, key=OTHER_KEY, term=2), (HERE,)), 0.0)
    machine.handle(Heard("old", ADVERT, (HERE,)), 0.0)
    assert only(machine).key == OTHER_KEY


def test_two_that_both_answer_are_both_shown_and_marked() -> None:
    machine = listing()
    (mine,) = machine.handle(Heard("a", ADVERT, (HERE,)), 0.0)
    (theirs,) = machine.handle(Heard("b", msgspec.structs.replace(ADVERT, key=OTHER_KEY, term=9), (HERE,)), 0.0)
    machine.handle(answer(mine), 0.1)
    assert [row.key for row in machine.rows] == [KEY]
    machine.handle(answer(theirs, term=9), 0.2)
    assert [(row.key, row.contested) for row in machine.rows] == [(OTHER_KEY, False)]  # the first may have handed over
    (again,) = machine.handle(Woke(), machine.wake_at or 0.0)
    assert again.key == KEY
    machine.handle(answer(again), 2.0)
    assert [(row.key, row.contested) for row in machine.rows] == [(OTHER_KEY, True), (KEY, True)]
    machine.handle(answer(theirs, term=9), 3.0)
    assert [(row.key, row.contested) for row in machine.rows] == [(OTHER_KEY, True), (KEY, True)]


def test_an_answer_about_something_else_is_none() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(Answered(probe, msgspec.structs.replace(INFO, table=b"x" * 16), HERE, False, ""), 0.1)
    assert not only(machine).answers
    assert machine.settled


def test_another_protocol_is_grey_with_both_versions_behind_the_others_and_never_asked() -> None:
    machine = listing()
    foreign = Advert(7, b"", b"", "", "chess", 0, 0, "old lab", "eve", "", 0)
    assert machine.handle(Heard("x", foreign, (HERE,)), 0.0) == ()
    machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    assert [row.title for row in machine.rows] == ["lab", "old lab"]
    row = machine.rows[1]
    assert (row.version, row.answers, row.host, row.game) == (f"7 / {PROTOCOL}", False, "eve", "chess")
    machine.handle(Gone("x"), 1.0)
    assert only(machine).title == "lab"


@pytest.mark.parametrize(
    ("changes", "version"),
    [
        ({}, ""),
        ({"rules": 5}, "rules 5 / 4"),
        ({"protocol": 9}, f"9 / {PROTOCOL}"),
        ({"game": "chess"}, "chess / none"),
    ],
)
def test_other_rules_are_told_with_both_versions(changes: dict[str, object], version: str) -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe, **changes), 0.1)
    assert only(machine).version == version


def test_rows_keep_their_places() -> None:
    machine = listing()
    for number in (3, 1, 2):
        machine.handle(heard(number), 0.0)
    assert [row.title for row in machine.rows] == ["t3", "t1", "t2"]
    machine.handle(answer(Probe(advert(1).table, KEY, (HERE,)), title="zz"), 0.1)
    machine.handle(Missed(Probe(advert(3).table, KEY, (HERE,))), 0.1)
    machine.handle(heard(0), 0.2)
    assert [row.title for row in machine.rows] == ["t3", "zz", "t2", "t0"]


def test_sixty_four_rows_and_who_answers_is_among_them() -> None:
    machine = listing()
    for number in range(MOST_ROWS):
        machine.handle(heard(number), 0.0)
    assert len(machine.rows) == MOST_ROWS
    machine.handle(heard(500), 0.0)
    assert len(machine.rows) == MOST_ROWS
    assert "t500" not in {row.title for row in machine.rows}
    machine.handle(answer(Probe(advert(500).table, KEY, (HERE,)), title="t500"), 0.1)
    assert machine.rows[0].title == "t500"


def test_sixteen_of_one_address() -> None:
    machine = listing()
    for number in range(MOST_PER_HOST + 1):
        machine.handle(heard(number, "10.0.0.66"), 0.0)
    assert len(machine.rows) == MOST_PER_HOST
    machine.handle(heard(99), 0.0)
    assert len(machine.rows) == MOST_PER_HOST + 1


def test_an_advert_that_leads_nowhere_is_no_row() -> None:
    machine = listing()
    assert machine.handle(Heard(NAME, ADVERT, ()), 0.0) == ()
    assert machine.rows == ()


def test_what_peers_write_is_made_safe_to_show() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    nasty = "a\x1b[31m\u202eb\n" + "x" * 200
    machine.handle(
        answer(probe, title=nasty, nick="dealer\x07", state=nasty, door=nasty, options=((nasty, nasty),) * 99), 0.1
    )
    row = only(machine)
    texts = [row.title, row.host, row.state, row.door, *(text for pair in row.options for text in pair)]
    assert all(text.isprintable() and len(text) <= 40 for text in texts)
    assert (row.host, row.state, len(row.options)) == ("p-dealer", "lobby", 32)


names = st.sampled_from(["a", "b", "c", "d"])
adverts = st.builds(
    lambda number, key, term: msgspec.structs.replace(advert(number), key=bytes([key]) * 32, term=term),
    st.integers(0, 3), st.integers(1, 3), st.integers(1, 3),
)  # fmt: skip
happenings = st.one_of(
    st.builds(Shown, st.booleans()),
    st.builds(
        lambda name, one, ports: Heard(name, one, tuple((HERE[0], port) for port in ports)),
        names,
        adverts,
        st.lists(st.integers(1, 3), max_size=2),
    ),
    st.builds(Gone, names),
    st.just(Woke()),
    st.just("answer"),
    st.just("barred"),
    st.just("miss"),
)


@given(st.lists(st.tuples(happenings, st.floats(0, 10)), max_size=60))
def test_whatever_happens_the_list_stays_in_order(happened: list[tuple[Input | str, float]]) -> None:
    machine, running, now = Listing(PROTOCOL, {"tongits": 4}, lambda count: b"\x80" * count), list[Probe](), 0.0
    shown = False
    for what, gap in happened:
        now += gap
        if isinstance(what, Shown):
            shown = what.shown
        if isinstance(what, str):
            if not running:
                continue
            probe = running.pop(0)
            answers: dict[str, Input] = {
                "answer": answer(probe),
                "barred": Barred(probe, probe.targets[0], False, "eth0"),
                "miss": Missed(probe),
            }
            what = answers[what]
        asked = machine.handle(what, now)
        running += asked
        assert shown or not asked
        assert len(running) <= AT_ONCE + KNOWN_AT_ONCE
        places = [(row.table, row.key) for row in machine.rows]
        assert len(places) == len(set(places))
        assert all(row.addresses for row in machine.rows)
        assert machine.wake_at is None or machine.wake_at > now
        tables = Counter(row.table for row in machine.rows)
        assert all(row.contested is (tables[row.table] > 1) for row in machine.rows)
        assert all(row.answers for row in machine.rows if row.contested)

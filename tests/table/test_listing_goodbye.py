"""Adverts that are taken back: by a host that is gone, by an echo, or by somebody who has no right to."""

from __future__ import annotations

from p2pcards.table.effects import Woke
from p2pcards.table.hearsay import DOUBT_SECONDS, LEAST_SECONDS, Gone, Heard, Missed, Shown
from p2pcards.table.listing import ECHO_SECONDS
from tests.table.test_listing import ADVERT, HERE, NAME, answer, listing, only


def test_a_row_leaves_when_its_advert_is_taken_back_and_its_host_is_gone() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    assert machine.handle(Gone(NAME), 1.0) == (probe,)  # anybody can say so
    assert only(machine).answers
    machine.handle(Missed(probe), 1.0)
    assert machine.rows == ()
    assert machine.wake_at is None


def test_a_row_that_never_answered_leaves_with_its_advert() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(Gone(NAME), 1.0)
    assert machine.rows == ()
    machine.handle(answer(probe), 1.0)  # that was on its way
    assert machine.rows == ()
    assert machine.wake_at is None


def test_nobody_is_kept_whose_advert_is_taken_back_while_the_list_is_not_on_screen() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    machine.handle(Shown(False), 1.0)
    machine.handle(Gone(NAME), 2.0)
    assert machine.rows == ()


def test_an_echo_after_that_is_not_shown_before_the_table_answers() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(Missed(probe), 0.5)
    machine.handle(Gone(NAME), 1.0)
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 1.0 + ECHO_SECONDS - 0.1)
    assert machine.rows == ()
    machine.handle(answer(probe), 4.0)
    assert only(machine).answers
    (probe,) = machine.handle(Gone(NAME), 5.0)
    machine.handle(Missed(probe), 5.0)
    machine.handle(Heard(NAME, ADVERT, (HERE,)), 5.0 + ECHO_SECONDS)
    assert not only(machine).answers


def test_an_echo_while_it_is_asked_does_not_bring_it_back() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    (probe,) = machine.handle(Gone(NAME), 5.0)
    machine.handle(Heard(NAME, ADVERT, (HERE,)), 5.1)
    machine.handle(Missed(probe), 5.2)
    assert machine.rows == ()


def test_a_forged_good_bye_takes_no_table_away_and_sends_nobody_there_again_and_again() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    asked = 0
    for number in range(64 * 20):
        at = 1.0 + number / 64
        for probe in (*machine.handle(Gone(NAME), at), *machine.handle(Heard(NAME, ADVERT, (HERE,)), at + 0.001)):
            asked += 1
            machine.handle(answer(probe), at + 0.002)
        assert only(machine).answers
    assert asked <= 1 + 20 / LEAST_SECONDS


def test_an_answer_from_before_the_good_bye_proves_nothing() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    (probe,) = machine.handle(Woke(), 6.0)
    assert machine.handle(Gone(NAME), 6.1) == ()
    assert machine.handle(answer(probe), 6.2) == ()
    assert machine.wake_at == 6.0 + DOUBT_SECONDS
    (probe,) = machine.handle(Woke(), 6.0 + DOUBT_SECONDS)
    machine.handle(Missed(probe), 6.3)
    assert machine.rows == ()


def test_a_table_without_an_advert_stays_as_long_as_it_answers_every_time() -> None:
    machine = listing()
    (probe,) = machine.handle(Heard(NAME, ADVERT, (HERE,)), 0.0)
    machine.handle(answer(probe), 0.0)
    (probe,) = machine.handle(Gone(NAME), 1.0)
    machine.handle(answer(probe), 1.0)
    assert machine.wake_at is not None
    (probe,) = machine.handle(Woke(), machine.wake_at)
    assert (only(machine).answers, probe.targets) == (True, (HERE,))
    machine.handle(Missed(probe), 7.0)
    assert machine.rows == ()

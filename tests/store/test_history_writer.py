"""Beside a game: whatever becomes of the disk, the game goes on, one sentence is told, and what can be kept is."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store.history import History, Kept
from p2pcards.store.history_match import KeptMatch
from p2pcards.store.history_writer import HistoryWriter
from p2pcards.table.notices import Audited, Entered, Recorded
from p2pcards.wire.identity import words
from tests.testing.cluster import identity
from tests.testing.history_writers import folders
from tests.testing.recorded import one_game, record_parts
from tests.testing.threadless import no_threads

ANA, NOBODY = words(identity("host").key), "nobody-at-this-table"
PARTS = record_parts(one_game("tongits"))
FIRST, BOTH = Recorded(PARTS[:2]), Recorded(PARTS)


class Unsteady(History):
    """A history on a disk that fails as long as it is told to; `tries` is set whenever one is over."""

    def __init__(self, base: Path) -> None:
        super().__init__(folders(base))
        self.wrong = ""
        self.tries = threading.Semaphore(0)

    def keep(self, match: KeptMatch) -> Kept:
        try:
            if self.wrong:
                raise UserError(self.wrong)
            return super().keep(match)
        finally:
            self.tries.release()


@pytest.fixture
def history(tmp_path: Path) -> Unsteady:
    return Unsteady(tmp_path)


@pytest.fixture
def warned() -> list[str]:
    return []


@pytest.fixture
def writer(history: Unsteady, warned: list[str]) -> Iterator[Callable[[str], HistoryWriter]]:
    """Makes the writer of somebody with that fingerprint."""
    made: list[HistoryWriter] = []

    def make(me: str) -> HistoryWriter:
        made.append(HistoryWriter(lambda: history, lambda: me, lambda: warned.append(made[0].untold)))
        return made[0]

    yield make
    for one in made:
        one.close()


Make = Callable[[str], HistoryWriter]


def texts(history: History) -> list[str | None]:
    return [history.text(one.number) for one in history.newest()]


def test_what_one_plays_is_kept_round_by_round(history: Unsteady, writer: Make) -> None:
    ana = writer(ANA)
    ana.heard(Entered(0))
    ana.heard(FIRST)
    assert history.tries.acquire(timeout=20)
    assert texts(history) == [FIRST.text]
    ana.heard(BOTH)
    ana.close()
    assert texts(history) == [BOTH.text]
    assert ana.untold == ""


def test_a_match_that_was_over_before_one_came_is_not_ones_own_history(history: Unsteady, writer: Make) -> None:
    late = writer(NOBODY)
    late.heard(Entered(None))
    late.heard(BOTH)
    late.close()
    assert texts(history) == []


def test_a_match_that_one_looked_on_at_is_and_one_comes_back_to_is(history: Unsteady, writer: Make) -> None:
    watcher = writer(NOBODY)
    for notice in (Entered(None), FIRST, Audited(2, True), BOTH):
        watcher.heard(notice)
    watcher.close()
    assert texts(history) == [BOTH.text]


def test_at_another_table_one_has_seen_nothing_yet(history: Unsteady, writer: Make) -> None:
    watcher = writer(NOBODY)
    for notice in (Entered(None), Audited(1, True), Entered(None), BOTH):
        watcher.heard(notice)
    watcher.close()
    assert texts(history) == []


def in_vain(history: Unsteady, writer: HistoryWriter, *told: Recorded) -> None:
    """The disk takes none of these, and is well again at the end."""
    history.wrong = "The disk is full."
    for notice in told:
        writer.heard(notice)
        assert history.tries.acquire(timeout=20)
    history.wrong = ""
    writer.close()


def test_what_goes_wrong_is_told_once_and_the_next_round_brings_what_is_missing(
    history: Unsteady, writer: Make, warned: list[str]
) -> None:
    ana = writer(ANA)
    in_vain(history, ana, FIRST, BOTH)
    assert texts(history) == [BOTH.text]
    assert warned == [ana.untold] == ["The disk is full. What is played is not kept there."]


def test_two_matches_wait_side_by_side_until_the_disk_takes_them(history: Unsteady, writer: Make) -> None:
    other = Recorded(record_parts(one_game("straights")))
    ana = writer(ANA)
    in_vain(history, ana, BOTH, other)
    assert sorted(filter(None, texts(history))) == sorted([BOTH.text, other.text])


def test_a_record_that_makes_no_sense_costs_a_sentence(history: Unsteady, writer: Make, warned: list[str]) -> None:
    ana = writer(ANA)
    ana.heard(Recorded((PARTS[0], "\n[[rounds]]\n")))
    ana.heard(BOTH)
    ana.close()
    assert texts(history) == [BOTH.text]
    assert warned == ["This match can't be kept in the history: round 1: starter is missing."]


def test_a_disk_that_never_answers_holds_the_end_up_for_a_while_only(
    writer: Make, history: Unsteady, monkeypatch: pytest.MonkeyPatch
) -> None:
    let_go = threading.Event()
    monkeypatch.setattr("p2pcards.store.history_writer.CLOSING_SECONDS", 0.05)
    monkeypatch.setattr(history, "keep", lambda match: let_go.wait(60))
    ana = writer(ANA)
    ana.heard(BOTH)
    ana.close()
    assert ana.untold == "The history could not be written in time: the last rounds may be missing there."
    let_go.set()


def test_without_a_thread_rounds_are_written_in_place_and_nothing_is_told(
    history: Unsteady, writer: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    no_threads(monkeypatch)
    ana = writer(ANA)
    ana.heard(FIRST)
    assert texts(history) == [FIRST.text]
    ana.heard(BOTH)
    assert texts(history) == [BOTH.text]
    ana.close()
    assert ana.untold == ""


def test_without_a_thread_a_disk_that_fails_costs_a_sentence_and_is_tried_again_in_the_end(
    history: Unsteady, writer: Make, warned: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    no_threads(monkeypatch)
    ana = writer(ANA)
    in_vain(history, ana, FIRST, BOTH)
    assert texts(history) == [BOTH.text]
    assert warned == ["The disk is full. What is played is not kept there."]


def test_as_soon_as_there_is_a_thread_again_it_writes(history: Unsteady, writer: Make) -> None:
    ana = writer(ANA)
    with pytest.MonkeyPatch.context() as patch:
        no_threads(patch)
        ana.heard(FIRST)
    before = threading.active_count()
    ana.heard(BOTH)
    assert threading.active_count() > before
    ana.close()
    assert texts(history) == [BOTH.text]

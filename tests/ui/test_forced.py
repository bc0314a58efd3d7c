"""Moves that leave no choice, played for the person: when, after which while, and what stops it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import NamedTuple

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.games.tongits.state import Phase
from p2pcards.table.notices import Acted, TurnOf
from p2pcards.ui.desk import Desk
from p2pcards.ui.forced import ECHO, LONGEST, SHORTEST, Delays, Forced
from p2pcards.ui.habits import Habits
from p2pcards.ui.plain import run_plain
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.voice import Cards
from tests.testing.fake_node import FakeNode
from tests.testing.talking import talking
from tests.testing.tongits_spot import spot

DRAW = spot("7H 7D 7C QS", phase=Phase.DRAW)
"""Nothing but `draw`."""
FREE = spot("7H 7D 7C QS", phase=Phase.DRAW, discards="7S")
"""`draw`, or `take`."""


class Armed(NamedTuple):
    """A call that was asked for."""

    seconds: float
    call: Callable[[], None]


class Clock:
    """Calls back when a test says so."""

    def __init__(self) -> None:
        self.armed: list[Armed] = []

    def later(self, seconds: float, call: Callable[[], None]) -> Clock.Timer:
        self.armed.append(one := Armed(seconds, call))
        return Clock.Timer(self, one)

    def due(self) -> None:
        (one,) = self.armed
        self.armed.clear()
        one.call()

    class Timer(NamedTuple):
        clock: Clock
        one: Armed

        def cancel(self) -> None:
            if self.one in self.clock.armed:
                self.clock.armed.remove(self.one)


class Seat:
    """Somebody at a table of Tong-its, and a clock."""

    def __init__(self, **habits: str) -> None:
        self.node, self.clock, self.told = FakeNode(), Clock(), 0
        self.node.sit("tongits", bots=2)
        self.node.start()
        self.prompt = Prompt(self.node, Cards.SIGNS, str, habits=Habits(**{"forced": "play", **habits}))  # type: ignore[arg-type]  # only texts
        self.engaged = False
        self.forced = Forced(
            self.node,
            self.prompt,
            armed=self._armed,
            busy=lambda: self.engaged,
            later=self.clock.later,
            uniform=Random(1).uniform,  # noqa: S311 - the same again
        )
        self.done: list[Command] = []
        self.node.do = self.done.append  # type: ignore[method-assign, assignment]  # what the fake plays doesn't matter
        self.node.listen(self.forced.heard)

    def _armed(self) -> None:
        self.told += 1

    def turn(self, view: object = DRAW, **changes: object) -> None:
        """Our turn, with that view."""
        self.node.change(view=view, to_act=(0,), pending="", **changes)
        self.node.tell(TurnOf((0,), mine=True, fresh=True))


def seat(**habits: str) -> Seat:
    return Seat(**habits)


def test_the_only_move_is_played_after_a_while_that_is_announced() -> None:
    ana = seat()
    ana.turn()
    assert ana.forced.sentence == "Only one move: draw, played for you in a moment; type anything to stop it."
    assert (len(ana.clock.armed), ana.told, ana.done) == (1, 1, [])
    ana.clock.due()
    assert ana.done == [Command("draw", action="draw")]
    assert ana.forced.sentence == ""


def test_usually_every_move_is_left_to_the_person() -> None:
    ana = seat(forced="")
    ana.turn()
    assert (ana.clock.armed, ana.forced.sentence) == ([], "")


def test_a_move_with_a_choice_is_left_to_the_person() -> None:
    ana = seat()
    ana.turn(FREE)
    assert ana.clock.armed == []


def test_whatever_is_typed_stops_it_for_this_turn_and_not_for_the_next() -> None:
    ana = seat()
    ana.turn()
    assert ana.forced.stop()
    ana.forced.look()
    ana.node.tell(TurnOf((0,), mine=True, fresh=False))
    assert (ana.clock.armed, ana.forced.sentence) == ([], "")
    assert not ana.forced.stop()
    ana.node.change(to_act=(1,))
    ana.node.tell(TurnOf((1,), mine=False))
    ana.turn()
    assert len(ana.clock.armed) == 1


def test_who_has_begun_a_line_when_the_turn_comes_is_left_alone() -> None:
    ana = seat()
    ana.engaged = True
    ana.turn()
    ana.engaged = False
    ana.forced.look()
    assert ana.clock.armed == []


def test_who_is_being_asked_something_is_left_alone() -> None:
    ana = seat()
    ana.prompt.enter("leave")
    assert ana.prompt.question
    ana.turn()
    assert ana.clock.armed == []


def test_the_command_stops_and_begins_it_at_once() -> None:
    ana = seat()
    ana.turn()
    ana.forced.stop()
    assert ana.prompt.enter("forced ask").lines[0].startswith("Every move is left to you")
    ana.forced.look()
    assert ana.clock.armed == []
    ana.node.change(to_act=(1,))
    ana.node.tell(TurnOf((1,), mine=False))
    ana.turn()
    assert ana.clock.armed == []
    assert ana.prompt.enter("forced play").lines[0].startswith("A move that is your only one is played for you")
    ana.forced.look()
    assert len(ana.clock.armed) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"view": FREE},
        {"view": spot("7H 7D 7C QC", phase=Phase.DRAW)},
        {"to_act": (1,)},
        {"pending": "draw"},
        {"changing": True},
        {"waiting_for": ("bot-1",)},
        {"view": None},
    ],
)
@pytest.mark.parametrize("told", [True, False])
def test_it_is_not_played_once_anything_has_changed(changes: dict[str, object], told: bool) -> None:
    ana = seat()
    ana.turn()
    (one,) = ana.clock.armed
    ana.node.change(**changes)
    if told:
        ana.node.tell(None)
        assert ana.forced.sentence == ""
        assert one not in ana.clock.armed
    one.call()
    assert ana.done == []


def test_it_is_not_played_while_a_bot_plays_for_us() -> None:
    ana = seat()
    seats = ana.node.table.seats if ana.node.table else ()
    ana.turn(seats=(replace(seats[0], bot_plays=True), *seats[1:]))
    assert ana.clock.armed == []


def test_it_is_not_played_while_the_cards_are_hidden() -> None:
    ana = seat()
    ana.turn()
    ana.prompt.enter("hide on")
    ana.clock.due()
    assert ana.done == []
    ana.turn(spot("7H"))
    assert (ana.clock.armed, ana.forced.sentence) == ([], "")


def test_a_line_that_says_what_was_just_played_is_not_another_one() -> None:
    ana = seat()
    ana.turn()
    ana.clock.due()
    assert ana.forced.repeats(" Draw ")
    assert not ana.forced.repeats("discard 7H")
    ana.node.clock += ECHO
    assert not ana.forced.repeats("draw")


# ---- how long it takes


def test_the_while_does_not_depend_on_the_move() -> None:
    whiles = []
    for view in (DRAW, spot("7H"), spot("QS")):
        ana = seat()
        ana.turn(view)
        whiles.append(ana.clock.armed[0].seconds)
    assert len(set(whiles)) == 1


def test_it_is_as_long_as_this_person_takes_over_a_choice() -> None:
    delays = Delays(Random(5).uniform)  # noqa: S311 - the same again
    for _ in range(16):
        delays.took(9.0)
    drawn = {delays.next(None) for _ in range(300)}
    assert 7.1 < min(drawn) < 8 < 10 < max(drawn) < 11.3


def test_choices_teach_it_and_forced_moves_do_not() -> None:
    ana = seat()
    for _ in range(20):
        ana.turn(FREE)
        ana.node.clock += 9.0
        ana.node.tell(Acted(1, 1, 0, "ana", "act", "draw", ""))
    ana.turn(DRAW)
    assert 7.1 < ana.clock.armed[0].seconds < 11.3
    for _ in range(20):
        ana.turn(spot("7H"))
        ana.clock.due()
        ana.node.tell(Acted(1, 1, 0, "ana", "act", "discard 7H", ""))
        ana.turn(FREE)
        ana.node.clock += 1.0
        ana.node.tell(Acted(1, 1, 0, "ana", "act", "draw", "time"))
    ana.turn(DRAW)
    assert 7.1 < ana.clock.armed[0].seconds < 11.3


def test_who_wants_it_from_the_middle_of_a_turn_on_has_taken_the_whole_turn() -> None:
    ana = seat(forced="ask")
    ana.node.clock = 1000.0
    for _ in range(20):
        ana.prompt.settings.forced = False
        ana.turn(FREE)
        ana.node.clock += 2.0
        ana.prompt.settings.forced = True
        ana.forced.look()
        ana.node.clock += 1.0
        ana.node.tell(Acted(1, 1, 0, "ana", "act", "draw", ""))
        ana.node.clock += 20.0
    ana.turn(DRAW)
    assert 2.3 < ana.clock.armed[0].seconds < 3.8


def test_it_stays_within_bounds_and_within_the_clock() -> None:
    delays = Delays(Random(3).uniform)  # noqa: S311 - the same again
    for seconds in (0.0, 500.0) * 20:
        delays.took(seconds)
    assert all(SHORTEST <= delays.next(None) <= LONGEST for _ in range(500))
    for left in (0.0, 0.5, 4.0, 20.0):
        assert all(0 <= delays.next(left) <= left / 2 for _ in range(500))
    assert delays.next(-3.0) == 0


def test_the_clock_of_the_turn_is_heeded() -> None:
    ana = seat()
    ana.turn(clock_at=ana.node.now() + 2)
    assert ana.clock.armed[0].seconds <= 1


# ---- on the screen and in plain mode


def test_the_screen_says_it_where_the_coach_speaks_and_any_key_stops_it() -> None:
    node, clock = FakeNode(), Clock()
    desk = Desk(node, str, exit_=lambda code: None, habits=Habits(forced="play", coach="off"))
    desk._forced._later = clock.later
    node.listen(desk.heard)
    desk.typed("practise tongits")
    desk.typed("foo")
    node.change(view=DRAW, to_act=(0,))
    node.tell(TurnOf((0,), mine=True, fresh=False))
    assert (desk.local().coach, desk.local().said) == (desk._forced.sentence, "")
    assert desk.local().coach.startswith("Only one move: draw")
    desk.attended()
    assert clock.armed == []
    assert (desk.local().coach, desk.local().said) == ("", "Stopped: the move is yours.")


async def test_in_plain_mode_an_empty_line_stops_it() -> None:
    node = FakeNode()
    with talking() as talk:
        talk.type("forced play", "practise tongits")
        running = asyncio.create_task(run_plain(node, talk.stdin, talk.stdout, rules=str, look=0.0))
        await talk.until_said("Your turn")
        node.change(view=DRAW, to_act=(0,))
        node.tell(TurnOf((0,), mine=True, fresh=True))
        await talk.until_said("Only one move: draw, played for you in a moment; press Enter to stop it.")
        talk.type("")
        await talk.until_said("Stopped: the move is yours.")
        talk.end()
        assert await running == 0
    assert Command("draw", action="draw") not in node.done


async def test_in_plain_mode_it_is_played_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Delays, "next", lambda self, left: 0.0)
    node = FakeNode(2)
    with talking() as talk:
        running = asyncio.create_task(
            run_plain(node, talk.stdin, talk.stdout, rules=str, look=0.0, habits=Habits(forced="play"))
        )
        talk.type("practise tongits")
        await talk.until_said("You drew the")
        assert Command("draw", action="draw") in node.done
        talk.type("draw")
        await talk.until_said("`draw` was played for you a moment ago")
        talk.end()
        assert await running == 0

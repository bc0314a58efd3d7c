"""Plays the move that leaves no choice, after a while that tells nobody so.

What an onlooker sees of a forced move is the move and the time it took. The move itself is public whoever makes it, a
forced `draw` too: that nothing fitted is what the rules let everybody conclude from a draw, or, where one may draw with
a card that fits, what they must not be able to conclude. So everything hangs on the time. A fixed delay, or a machine's
own distribution, would stand out beside a person's moves and say "no choice"; and a person who plays a forced move by
hand is quick, which says the same. Hence the delay is one of those that this person has taken over moves with a choice,
blurred, whatever the forced move is and whatever was played before: an observer who compares times compares like with
like. What is left: a pause longer than LONGEST was a choice, and until a few choices were made here the times are those
of nobody in particular. The clock shortens a delay by itself and never by the move, and never to a fixed share of it.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from secrets import SystemRandom
from typing import Any, Protocol

from p2pcards.commands.forced import forced
from p2pcards.table.notices import Acted, BotPlays, HostIs, LinkBack, Notice, TableWaits, TurnOf, WentOn
from p2pcards.ui import words_forced
from p2pcards.ui.ports import Node
from p2pcards.ui.prompt import Kind, Prompt

SHORTEST, LONGEST = 0.8, 15.0
"""Seconds between which a delay lies, where the clock allows."""

_CHANCE = SystemRandom()
_NOBODYS = (2.0, 2.5, 3.0, 3.5, 4.5, 6.0)
_KEPT = 16  # choices whose times are remembered
_BLUR = (0.8, 1.25)
_SHARE = (0.15, 0.5)  # of the time that the clock leaves, at the most
ECHO = 3.0
"""Seconds in which a line that says what was just played is taken to mean that."""


_SETTLED = (TurnOf, BotPlays, HostIs, LinkBack, TableWaits, WentOn)
"""Notices after which all is told of how the turn stands."""


class Timer(Protocol):
    """What `later` makes."""

    def cancel(self) -> None:
        """It doesn't come to it."""


class Delays:
    """How long the person takes over a choice. uniform: a random number between two."""

    def __init__(self, uniform: Callable[[float, float], float]) -> None:
        self._uniform = uniform
        self._taken = deque(_NOBODYS, _KEPT)

    def took(self, seconds: float) -> None:
        """The person made a choice, and it took so long."""
        self._taken.append(min(max(seconds, SHORTEST), LONGEST))

    def next(self, left: float | None) -> float:
        """Seconds until the next forced move. left: on the clock, None where none runs."""
        place = min(int(self._uniform(0, len(self._taken))), len(self._taken) - 1)
        delay = min(max(self._taken[place] * self._uniform(*_BLUR), SHORTEST), LONGEST)
        if left is not None and delay > left * _SHARE[1]:
            delay = max(0.0, left) * self._uniform(*_SHARE)
        return delay


class Forced:
    """Watches for forced moves while the person wants them played.

    armed: told when one is about to be; busy: whether the person is in the middle of something; later: calls back after
    so many seconds.
    """

    def __init__(
        self,
        node: Node,
        prompt: Prompt,
        *,
        armed: Callable[[], None],
        busy: Callable[[], bool] = lambda: False,
        enter: bool = False,
        later: Callable[[float, Callable[[], None]], Timer] | None = None,
        uniform: Callable[[float, float], float] = _CHANCE.uniform,
    ) -> None:
        self._node, self._prompt, self._armed, self._busy = node, prompt, armed, busy
        self._enter = enter  # the person is only seen to have typed when a line has ended
        self._later = later or (lambda seconds, call: asyncio.get_running_loop().call_later(seconds, call))
        self._delays = Delays(uniform)
        self._timer: Timer | None = None
        self._move, self._spot = "", None  # what is about to be played, and in which view
        self._left_to_us: Any = None  # the view in which the person has said so
        self._since = 0.0  # when the person's time for a choice began
        self._free = False  # there was a choice, last we looked
        self._ours = False  # the move on its way is not the person's
        self._last, self._at = "", 0.0  # what was played, and when

    @property
    def sentence(self) -> str:
        """What is said while a move is about to be played; empty while none is."""
        return words_forced.waiting(self._prompt.words.voice, self._move, enter=self._enter) if self._move else ""

    def heard(self, notice: Notice | None) -> None:
        """Something happened. The time is kept always: forced moves may be wanted from the middle of a turn on."""
        table, now = self._node.table, self._node.now()
        match notice:
            case TurnOf(mine=True, fresh=True):
                self._since = now
            case Acted(seat=seat, by=by) if table is not None and seat == table.me:
                if self._free and not self._ours and not by:
                    self._delays.took(now - self._since)
                self._since, self._ours = now, False
        if self._prompt.settings.forced:
            self.look(begins=isinstance(notice, _SETTLED))

    def look(self, *, begins: bool = True) -> None:
        """Gives up, goes on waiting, or begins to where that may be, as things are now."""
        if not self._move and not self._prompt.settings.forced:
            self._left_to_us, self._free = None, False
            return
        context = self._prompt.here.context()
        view = None if context.legal is None else context.legal.view
        mine = context.me is not None and context.me in context.to_act
        self._free = mine and context.legal is not None and len(context.legal.lines) > 1
        if not mine or view != self._left_to_us:
            self._left_to_us = None
        move = self._playable()
        if self._move and (move != self._move or view != self._spot):
            self._give_up()
        if not begins or not move or self._move or self._left_to_us is not None:
            return
        if self._busy() or self._prompt.question:
            self._left_to_us = view
            return
        table = self._node.table
        clock = None if table is None else table.clock_at
        delay = self._delays.next(None if clock is None else clock - self._node.now())
        self._move, self._spot = move, view
        self._timer = self._later(delay, self._due)
        self._armed()

    def stop(self) -> bool:
        """The person has typed: what was about to be played is left to them; whether something was."""
        if not self._move:
            return False
        self._left_to_us = self._spot
        self._give_up()
        return True

    def repeats(self, line: str) -> bool:
        """Whether the line says what was played while it was being typed."""
        words = line.lower().split()
        return bool(words) and words == self._last.lower().split() and self._node.now() - self._at < ECHO

    @property
    def last(self) -> str:
        """What was played last; asked for once."""
        last, self._last = self._last, ""
        return last

    def _playable(self) -> str:
        """The move to be played; nothing while the cards are hidden, since it may be one of them."""
        if not self._prompt.settings.forced or self._prompt.hidden:
            return ""
        return forced(self._prompt.here.context())

    def _due(self) -> None:
        context = self._prompt.here.context()
        move, spot = self._move, self._spot
        self._timer, self._move, self._spot = None, "", None
        if context.legal is None or context.legal.view != spot or self._playable() != move:
            return
        self._left_to_us = spot  # whatever comes of it, it is tried once
        self._ours = True
        self._last, self._at = move, self._node.now()
        if self._prompt.play(move).kind is not Kind.DONE:
            self._ours, self._last = False, ""

    def _give_up(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer, self._move, self._spot = None, "", None

"""The network of a simulation: what TCP makes of bad lines.

A connection is two ordered streams. A lost packet delays everything behind it; a cut cable, be it in one direction
only, holds the stream until it is whole again or somebody gives up; a reset ends both streams and drops what was on
its way. A dead program's machine says so to whoever still writes to it, a machine without power says nothing. Streams
of different connections overtake each other as they like.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from random import Random
from typing import Protocol

from p2pcards.table.effects import LinkId
from p2pcards.wire.messages import Close, Message
from tests.sim.schedule import Schedule

RESEND_SECONDS = 0.2
"""A packet is sent again after so long, then after twice that, and so on."""

LONGEST_RESEND = 5.0
"""How long a stream rests at most once its cable is whole again."""


class Weather:
    """How bad the lines are at present. delay: seconds on average; loss: share of packets."""

    def __init__(self) -> None:
        self.delay, self.loss = 0.001, 0.0


class Party(Protocol):
    """A running program, as the network sees it. place: its machine."""

    place: int
    alive: bool

    def link_down(self, link: LinkId) -> None:
        """The link ended without a Close."""

    def incoming(self, link: LinkId, message: Message) -> None:
        """A message is here."""


class End:
    """One side of a connection; closed when its program has let go of it."""

    def __init__(self, party: Party, link: LinkId) -> None:
        self.party, self.link, self.closed = party, link, False


class Stream:
    """One direction of a connection. None among what is on its way is the end of it."""

    def __init__(self, network: Network, source: End, target: End) -> None:
        self._network, self.source, self.target = network, source, target
        self._under_way: deque[Message | None] = deque()
        self._last = 0.0
        self._held = False  # what is under way waits for its cable

    @property
    def over(self) -> bool:
        """Whether nothing will be put in any more, nor come out."""
        return self.source.closed and (self.target.closed or not self._under_way)

    def put(self, message: Message | None) -> None:
        """Sends."""
        self._under_way.append(message)
        if not self._held:
            self._plan(self._network.trip() + self._network.slow.get(self.source.party.place, 0.0))

    def _plan(self, delay: float) -> None:
        self._last = max(self._last, self._network.schedule.now + delay)
        self._network.schedule.at(self._last, self._deliver)

    def resume(self) -> None:
        """Its cable is whole again."""
        if self._held:
            self._held = False
            pause = self._network.rng.uniform(RESEND_SECONDS, LONGEST_RESEND) / 2
            for _ in self._under_way:
                self._plan(pause)

    def drop(self) -> None:
        """What is under way is lost."""
        self._under_way.clear()

    def lose_power(self) -> None:
        """What still waits in the machine of its source is lost."""
        if self._held:
            self.drop()

    def _deliver(self) -> None:
        if not self._under_way or self._held:
            return
        if not self._network.passes(self.source.party.place, self.target.party.place):
            self._held = True
            return
        self._network.at_machine(self.target.party.place, self._hand_over)

    def _hand_over(self) -> None:
        if not self._under_way:
            return
        message, end = self._under_way.popleft(), self.target
        if end.closed or not end.party.alive:
            self._network.reset(self.source, end.party.place)
        elif message is None:
            end.closed = True
            end.party.link_down(end.link)
        else:
            end.closed = isinstance(message, Close)
            end.party.incoming(end.link, message)


class Connection:
    """Two programs that can talk."""

    def __init__(self, network: Network, one: End, other: End) -> None:
        self.ends = one, other
        self.streams = Stream(network, one, other), Stream(network, other, one)

    def send(self, source: End, message: Message) -> None:
        """One side says something; a Close is its last word."""
        if source.closed:
            return
        self._from(source).put(message)
        if isinstance(message, Close):
            source.closed = True
            self._from(self.other(source)).drop()

    def hang_up(self, source: End, polite: bool) -> None:
        """One side is gone, with its program (polite: its machine still says so) or with its machine."""
        source.closed = True
        self._from(self.other(source)).drop()
        if polite:
            self._from(source).put(None)
        else:
            self._from(source).lose_power()

    def other(self, end: End) -> End:
        """The far end."""
        return self.ends[self.ends[0] is end]

    def _from(self, source: End) -> Stream:
        return self.streams[source is self.ends[1]]

    def joins(self, places: frozenset[int]) -> bool:
        """Whether these are its machines."""
        return {end.party.place for end in self.ends} == places

    def break_off(self) -> None:
        """A reset: both sides are told, what is under way is lost."""
        for stream in self.streams:
            stream.drop()
        for end in self.ends:
            if not end.closed:
                end.closed = True
                end.party.link_down(end.link)


class Network:
    """All connections, and which cables are whole. asleep: puts off what reaches a machine that sleeps."""

    def __init__(
        self, schedule: Schedule, rng: Random, asleep: Callable[[int, Callable[[], None]], None] | None = None
    ) -> None:
        self.schedule, self.rng = schedule, rng
        self.weather = Weather()
        self.slow: dict[int, float] = {}  # machine -> how much longer takes what it sends
        self.connections: list[Connection] = []
        self.at_machine = asleep or (lambda _, what: what())
        self._cut: dict[tuple[int, int], int] = {}  # direction -> how many cuts lie on it
        self._dark: set[int] = set()  # machines without power

    def trip(self) -> float:
        """How long the next packet takes, with those sent again because it was lost."""
        weather, rng = self.weather, self.rng
        delay = rng.expovariate(1.0 / weather.delay)
        again = RESEND_SECONDS
        while weather.loss and rng.random() < weather.loss:
            delay, again = delay + again, 2 * again
        return min(delay, 6.0)

    def passes(self, source: int, target: int) -> bool:
        """Whether bytes get from one machine to the other."""
        return (source, target) not in self._cut and target not in self._dark

    def meets(self, one: int, other: int) -> bool:
        """Whether a handshake gets through."""
        return self.passes(one, other) and self.passes(other, one)

    def connect(self, caller: End, called: End) -> Connection:
        """A handshake ended well."""
        self.connections = [there for there in self.connections if not all(stream.over for stream in there.streams)]
        connection = Connection(self, caller, called)
        self.connections.append(connection)
        return connection

    # ---- faults

    def cut(self, source: int, target: int) -> None:
        """Nothing gets from one machine to the other any more."""
        self._cut[source, target] = self._cut.get((source, target), 0) + 1

    def mend(self, source: int, target: int) -> None:
        """One cut less."""
        left = self._cut.get((source, target), 0) - 1
        if left > 0:
            self._cut[source, target] = left
        elif self._cut.pop((source, target), None) is not None:
            self._resume()

    def mend_all(self) -> None:
        """Every cable is whole, and the weather is fine."""
        self._cut.clear()
        self.slow.clear()
        self.weather = Weather()
        self._resume()

    def mend_slow(self, place: int) -> None:
        """What a machine sends is as quick as that of others."""
        self.slow.pop(place, None)

    def dark(self, place: int, dark: bool) -> None:
        """A machine loses its power, or has it back."""
        if dark:
            self._dark.add(place)
        else:
            self._dark.discard(place)
            self._resume()

    def break_off(self, one: int, other: int) -> None:
        """Every connection between two machines is reset."""
        for connection in self.between(one, other):
            connection.break_off()

    def between(self, one: int, other: int) -> list[Connection]:
        """Their connections."""
        return [there for there in self.connections if there.joins(frozenset({one, other}))]

    def streams(self) -> Iterator[Stream]:
        """Every stream."""
        return (stream for connection in self.connections for stream in connection.streams)

    def reset(self, end: End, by: int) -> None:
        """Its far end is gone, and the machine there says so."""
        if not end.closed and self.passes(by, end.party.place):
            self.schedule.after(self.trip(), lambda: self._tell_reset(end))

    def _tell_reset(self, end: End) -> None:
        if not end.closed:
            self.at_machine(end.party.place, lambda: self._down(end))

    @staticmethod
    def _down(end: End) -> None:
        if not end.closed:
            end.closed = True
            end.party.link_down(end.link)

    def _resume(self) -> None:
        for stream in list(self.streams()):
            if self.passes(stream.source.party.place, stream.target.party.place):
                stream.resume()

"""One machine's disk: the folder of its table, and what is left of it after a crash (protocol 6.9).

`write` reaches the kernel: it outlives the program, but not the machine, which loses what was written lately. Secrets
are flushed at once and outlive both.
"""

from __future__ import annotations

from random import Random

KEPT_SECONDS = 30.0
"""What was written before that is on the disk whatever happens."""


class Disk:
    """The files of one table. boot: which start of the machine wrote them last."""

    def __init__(self) -> None:
        self.secrets: dict[str, bytes] = {}
        self.journal: list[bytes] = []
        self.boot = 0
        self.table = b""
        self._done: list[tuple[float, int, tuple[bytes, ...]]] = []  # time, length kept, wires added behind it

    @property
    def empty(self) -> bool:
        """Whether nothing is kept here."""
        return not self.journal

    def append(self, wires: tuple[bytes, ...], now: float) -> None:
        """Entries are written."""
        self._done.append((now, len(self.journal), wires))
        self.journal += wires

    def rewind(self, length: int, now: float) -> None:
        """The journal is cut to so many entries."""
        self._done.append((now, length, ()))
        del self.journal[length:]

    def keep(self, name: str, data: bytes) -> None:
        """A secret is on the disk, or gone from it."""
        if data:
            self.secrets[name] = data
        else:
            self.secrets.pop(name, None)

    def power_lost(self, rng: Random, now: float) -> None:
        """The machine went down: what was written lately may be there or not, and what came behind it isn't."""
        early = [done for done in self._done if done[0] < now - KEPT_SECONDS]
        late = [done for done in self._done if done[0] >= now - KEPT_SECONDS]
        journal: list[bytes] = []
        for _, length, wires in [*early, *late[: rng.randint(0, len(late))]]:
            del journal[length:]
            journal += wires
        self.journal = journal
        self._done = [(-KEPT_SECONDS, 0, tuple(journal))]

    def wipe(self) -> None:
        """Another disk: nothing is left."""
        self.secrets.clear()
        self.journal, self._done, self.table = [], [], b""

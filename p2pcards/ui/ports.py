"""What the screens need from the program under them. `net.node.Node` fits; tests hand in a fake."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from p2pcards.commands.command import Command
from p2pcards.commands.presets import Presets
from p2pcards.table.listing import HomeView
from p2pcards.table.merits import Statistics
from p2pcards.table.notices import Notice
from p2pcards.table.people import People
from p2pcards.table.results import Past
from p2pcards.table.tableview import TableView


class Node(Protocol):
    """The running program: a home, at most one table, and a door for commands."""

    @property
    def home(self) -> HomeView:
        """The list of tables and who I am, as of now."""

    @property
    def table(self) -> TableView | None:
        """The table we are at."""

    @property
    def alone(self) -> bool:
        """Whether the table we are at has no network under it."""

    @property
    def presets(self) -> Presets:
        """The rules that are kept under a name."""

    @property
    def people(self) -> People:
        """Whom the owner of this program knows."""

    @property
    def history(self) -> Past:
        """What was played."""

    @property
    def statistics(self) -> Statistics:
        """What it came to."""

    def now(self) -> float:
        """Monotonic seconds, the clock of every deadline in the views."""

    def do(self, command: Command) -> None:
        """Carries the command out or sets it going; what comes of it arrives as notices.

        Raises UserError with one sentence when it can be refused at once; nothing has changed then.
        """

    def unattended(self) -> None:
        """No command can come any more: nobody is asked about who comes to the table that we host."""

    def listen(self, heard: Callable[[Notice | None], None]) -> None:
        """Calls `heard` with every notice, and with None whenever `home` changed."""

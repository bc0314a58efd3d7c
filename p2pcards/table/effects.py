"""What goes into the machines and what comes out.

A machine is synchronous: `handle(input, now) -> Effects`. It has no clock, no dice and no socket; `net.node` carries
its effects out in the order of the fields, so that nothing a peer has seen can be lost by a crash: what must survive
is on the disk before the first byte leaves.
"""

from __future__ import annotations

from typing import NewType

from msgspec import Struct

from p2pcards.table.notices import Notice
from p2pcards.wire.messages import Message

LinkId = NewType("LinkId", int)
"""One connection of this process, numbered by `net`; never used again after it went down."""

OWN_LINK = LinkId(0)
"""The host's own guest, in the same process."""


# ---- inputs: what happened (past tense)


class LinkUp(Struct, frozen=True):
    """A handshake ended well: the far end proved `key`. session: th3, which proofs at the door are bound to.

    dialled: we called, so the first word is ours.
    """

    link: LinkId
    key: bytes
    session: bytes = b""
    dialled: bool = False


class LinkDown(Struct, frozen=True):
    """The connection ended without a Close."""

    link: LinkId


class Received(Struct, frozen=True):
    """A well-sealed, well-formed message came in. A Close comes in like any other and ends the link."""

    link: LinkId
    message: Message


class Slept(Struct, frozen=True):
    """This machine stood still, or its clock was set: what was heard before says nothing about now.

    wall: unix seconds minus the machines' `now`, from here on.
    """

    wall: float


class Woke(Struct, frozen=True):
    """The time asked for by `wake_at` has come (or any other time: spurious calls do no harm)."""


class Chose(Struct, frozen=True):
    """The person at this program's own seat (or its bot) acts. `text` is canonical; guest only."""

    text: str


class Wanted(Struct, frozen=True):
    """The person asks the host for something that is no act: next, stop, ready, skip, deck; guest only."""

    text: str


class Spoke(Struct, frozen=True):
    """The person says something. to: a nick for that player's eyes (and the host's), "" for everybody; guest only."""

    text: str
    to: str = ""


class Voted(Struct, frozen=True):
    """The person votes on showing the player of a seat out (yes calls the vote where none is open); guest only."""

    seat: int
    yes: bool


class Left(Struct, frozen=True):
    """The person leaves for good; guest only. reason: 1 leave, 2 ragequit, 3 exit."""

    reason: int


class HostGone(Struct, frozen=True):
    """The shell has given up reaching the host again; guest only."""


class HungUp(Struct, frozen=True):
    """The person is gone without a word (SIGHUP): the seat is kept for the grace time; a host hands over first."""


class GoOn(Struct, frozen=True):
    """The person will, or will not, go on without those who are missing (protocol 7.2, no quorum)."""

    yes: bool


class Unkept(Struct, frozen=True):
    """The disk refused a secret of the last effects: nothing that was to be sent with them has left.

    Whoever can't keep its votes doesn't vote; whoever can't keep its share doesn't answer for it. journal: it refused
    entries alone, and who does not keep what it acknowledges doesn't vote either.
    """

    journal: bool = False


class KeptUp(Struct, frozen=True):
    """The disk takes entries again, and has all that it had refused."""


class BotChose(Struct, frozen=True):
    """The answer to a BotTurn notice; dropped if `head` is no longer the newest. Host only."""

    seat: int
    text: str
    head: bytes


class Agreed(Struct, frozen=True):
    """The answer to a PakeRun notice: our half for the far end and the key that it leads to. Host only.

    Both are empty where the far end's half was none.
    """

    link: LinkId
    point: bytes
    secret: bytes

    def __repr__(self) -> str:
        return f"Agreed({self.link})"


class Ordered(Struct, frozen=True):
    """What the person at the host's keyboard (or the command line) orders; host only.

    words: ("start",) · ("set", key, value), "seats" among the keys · ("rules", key, value, key, value, …), all others
    at their defaults · ("bot", "add", level) · ("bot", "remove", nick) · ("bot", "level", nick, level) ·
    ("close", reason text) · ("handover", nick), "" the first in rank · ("door", policy), a fresh code where it is
    "code" · ("admit", nick) and ("deny", nick, reason) of who waits at the door · ("kick", nick, reason, unix seconds
    until when or "0") · ("pardon", key in hex) · ("unattended",), nobody is there any more to be asked about who comes.
    An empty level is the table's, an empty nick the last bot, or whoever waits alone at the door.
    Raises UserError out of `handle` when it can't be done; nothing has changed then.
    """

    words: tuple[str, ...]


Input = (
    LinkUp
    | LinkDown
    | Received
    | Woke
    | Chose
    | Wanted
    | Spoke
    | Voted
    | Left
    | HungUp
    | GoOn
    | HostGone
    | Unkept
    | KeptUp
    | Slept
    | BotChose
    | Agreed
    | Ordered
)


# ---- effects


class Effects(Struct, frozen=True):
    """What a machine asks of the shell, in the order it must be done.

    rewind    so many entries the journal file is to keep before anything is added to it; None: all
    secrets   (name, bytes) to write and fsync in the table's folder; b"" removes, behind the entries
    entries   wire bytes to append to the journal file and flush
    outgoing  (link, message) to send; after a Close the link is closed
    notices   for the screen, the events and the bots of this process
    wake_at   when to call `handle(Woke(), now)` at the latest; None: no need
    """

    secrets: tuple[tuple[str, bytes], ...] = ()
    entries: tuple[bytes, ...] = ()
    outgoing: tuple[tuple[LinkId, Message], ...] = ()
    notices: tuple[Notice, ...] = ()
    wake_at: float | None = None
    rewind: int | None = None

    def __repr__(self) -> str:
        counts = f"entries={len(self.entries)}, outgoing={len(self.outgoing)}"
        return f"Effects({counts}, notices={self.notices}, wake_at={self.wake_at})"

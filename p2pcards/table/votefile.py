"""What a voter must not forget, whatever becomes of its program: the file `votes` (protocol 6.9, 7.2, 7.3).

A vote that its voter forgets can be given twice, and then two hosts are elected in one term. So whoever votes, leaves
or agrees to a FORK writes it down, flushed, before a word of it goes out. Who comes without such a file, or with one
that an earlier start of the machine wrote (what was acknowledged since may be lost), is silent until the host admits
it to the voters anew: `since` says behind which entry that must stand.

    file = VoteFile.decode(data)            # None: there is none that can be read
    file = replace(file, vote=vote)
    secrets = ((VOTES, file.encode()),)     # before the vote is sent
"""

from __future__ import annotations

from typing import Literal

import msgspec

from p2pcards.wire.fields import U64, TableId
from p2pcards.wire.struct import Body
from p2pcards.wire.vote import Vote

VOTES = "votes"
"""Name of the file in the table's folder."""

NEVER = 2**64 - 1
"""`since` of a voter that does not know yet how far the table was when it came."""


class VoteFile(Body, frozen=True):
    """vote: the newest one given. left: our own LEAVE was signed.

    since: only an entry of at least this index can have made us a voter. forks: every T that we left behind by a yes
    to a FORK, and the T that was asked for last.
    """

    version: Literal[1] = 1
    vote: Vote | None = None
    left: bool = False
    since: U64 = NEVER
    forks: tuple[tuple[TableId, TableId], ...] = ()

    @classmethod
    def decode(cls, data: bytes) -> VoteFile | None:
        """The file of these bytes; None where they are none."""
        try:
            return _DECODER.decode(data)
        except (msgspec.MsgspecError, ValueError):
            return None

    def encode(self) -> bytes:
        """The bytes of the file."""
        return msgspec.msgpack.encode(self)

    def refuses(self, table: bytes) -> bool:
        """Whether a FORK was agreed to: as that table we vote, acknowledge and host no more, for ever."""
        return table in dict(self.forks)

    def voted(self, table: bytes) -> Vote | None:
        """The newest vote as that table."""
        return self.vote if self.vote is not None and self.vote.table == table else None

    def forked(self, table: bytes, fresh: bytes) -> VoteFile:
        """The file with a yes to going on as `fresh` in it; an earlier yes of the same table is replaced."""
        rest = tuple(pair for pair in self.forks if pair[0] != table)
        return msgspec.structs.replace(self, forks=(*rest, (table, fresh)))


_DECODER = msgspec.msgpack.Decoder(VoteFile)

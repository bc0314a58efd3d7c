"""How we ask to be let in (protocol 5): the method, what proves it, and what the host has to prove to us."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from p2pcards.errors import ProtocolError
from p2pcards.table.settings import NEEDS_LAB
from p2pcards.wire import lab
from p2pcards.wire.code import Joining, confirm_i, confirms_r
from p2pcards.wire.messages import Confirm, Method, Pake


class Ticket(Struct, frozen=True):
    """door: the table's, as it was told. code: the join code, canonical. lab: the lab's 32-byte key."""

    door: str = "open"
    code: str = ""
    lab: bytes = b""

    def __repr__(self) -> str:
        return f"Ticket({self.door})"


class Approach:
    """One try to come in over one link: what our HELLO says, and whether the host may let us in.

    key: ours; host: of the link's far end; session: its th3; member: we stand in the roster, so there is no door.
    """

    def __init__(
        self, ticket: Ticket, key: bytes, host: bytes, session: bytes, random: Callable[[int], bytes], *, member: bool
    ) -> None:
        self._ticket, self._session = ticket, session
        self._run: Joining | None = None
        self._secret = self._theirs = b""
        self.method, self.proof = Method.MEMBER if member else Method.KNOCK, b""
        if member:
            return
        if ticket.door == "code" and ticket.code:
            self._run = Joining(ticket.code, key, host, session, random)
            self.method, self.proof = Method.CODE, self._run.point
        elif ticket.door in NEEDS_LAB and ticket.lab:
            self.method, self.proof = Method.LAB, lab.proof_i(ticket.lab, session)

    def pake(self, message: Pake) -> Confirm:
        """Our proof that we know the code; ProtocolError where none is due, or the host's half is none."""
        if self._run is None or self._secret:
            raise ProtocolError("half of a run that we did not begin")
        self._secret, self._theirs = self._run.finish(message.point), message.point
        return Confirm(confirm_i(self._secret, self._session, self.proof, self._theirs))

    def check(self, proof: bytes) -> None:
        """Raises ProtocolError unless whoever lets us in has proved what its door asks for."""
        if self.method is Method.LAB and not lab.proves_r(self._ticket.lab, self._session, proof):
            raise ProtocolError("a host that is no member of the lab")
        if self.method is Method.CODE and not (
            self._secret and confirms_r(self._secret, self._session, self.proof, self._theirs, proof)
        ):
            raise ProtocolError("a host that does not know the code")

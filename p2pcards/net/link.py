"""A sealed connection to one peer, after both keys are proved (protocol 4.4, 4.5).

    link.start(on_message, on_lost)        # nothing is delivered before
    link.send(message)                     # sealed and on its way when it returns; a Close ends the link
    link.close(Reason.FULL, "no seat")
    link.abort("why")                      # no goodbye

    link.key, link.session                 # whom we talk to; the handshake's th3 and keys
    link.address, link.local               # (host, port) of the far end and of ours
    link.newcomer, link.let_in             # it dialled us; it was sent a Welcome
    link.limited = False                   # it may say as much as it likes: our host may, and nobody else
    link.patience(60)                      # how long it may stand at the door from now on; `patient` since
    link.born                              # when the keys were proved

on_message(message) comes straight out of the event loop's read; a Close is the last. on_lost(why) comes when the
connection ends without one, always from the loop and never out of `send`. After a Close of ours nothing comes.

Limits. A record is read header first, its length checked, its body within BODY_SECONDS, and nothing is decrypted
before its tag is right. A newcomer says HELLO small and soon. On a limited link, as a newcomer's is at first, acts
above their rate wait in the socket; anything else above its rate ends the link. What a peer doesn't take off our hands
within DRAIN_SECONDS, or more than QUEUE_BYTES of it, costs it the link: one slow reader must not fill our memory.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from p2pcards.errors import ProtocolError
from p2pcards.net.address import Target, of_socket
from p2pcards.net.bucket import Bucket
from p2pcards.net.clock import now
from p2pcards.wire.handshake import Session
from p2pcards.wire.identity import short
from p2pcards.wire.messages import Ack, Act, Chat, Close, Entries, Message, Reason, Welcome, decode, encode
from p2pcards.wire.records import EARLY_BYTES, HEADER_BYTES, PLAIN_BYTES, record_length

QUEUE_BYTES = 256 * 1024
DRAIN_SECONDS = 5.0
BODY_SECONDS = 5.0
DEAD_SECONDS = 15.0
WELCOME_SECONDS = 10.0
"""How long a newcomer may take to be let in, unless `patience` says otherwise."""
DOOR_SECONDS = 70.0
"""Silence that ends a link of ours that got no Welcome yet: somebody is asked about us for up to a minute."""
BUFFER_BYTES = 2 * (HEADER_BYTES + PLAIN_BYTES + 32)
EARLY_RECORDS = 3
"""Records that a newcomer may send before it is let in."""
KEY_SECONDS = 24 * 3600.0
"""Age at which the keys of a connection are worn: whoever dialled dials again and gets fresh ones."""
ACTS = (200.0, 200.0)
"""Acts a second, and at once, that are read from a limited link."""
OTHERS = (50.0, 100.0)
"""Other records a second, and at once."""
ACK_SECONDS = 0.05
"""Between two ACKs of ours; in between the newest waits and the others are forgotten."""
LINGER_SECONDS = 2.0
"""How long our last words may take; what still comes in is thrown away meanwhile, for a reset would destroy them."""

_log = logging.getLogger(__name__)


class Link(asyncio.BufferedProtocol):
    """One sealed connection; made by `Listener` and `dial`."""

    def __init__(
        self,
        transport: asyncio.Transport,
        session: Session,
        *,
        newcomer: bool,
        ended: Callable[[Link], None] | None = None,
    ) -> None:
        """Takes the transport over. ended: called once, when nothing of the connection is left."""
        self.session = session
        self.key = session.peer
        self.newcomer = self.limited = newcomer
        self.address: Target = of_socket(transport, "peername")
        self.local: Target = of_socket(transport, "sockname")
        self._transport = transport
        self._seal, self._unseal = session.sealer.seal, session.opener.open
        self._ended = ended
        self._on_message: Callable[[Message], None] | None = None
        self._on_lost: Callable[[str], None] | None = None
        self._open = True  # messages may go and come
        self._lost = True  # when it ends, it ends without a Close
        self._gone = False  # it has ended
        self._why = "the connection ended"
        self._buffer = memoryview(bytearray(BUFFER_BYTES))  # one for all reads: a fresh one each costs more than a seal
        self._filled = 0
        self._held: Act | None = None  # came in above the rate
        self._most = EARLY_BYTES if newcomer else PLAIN_BYTES
        self._early: int | None = EARLY_RECORDS if newcomer else None  # None: let in, or not a newcomer
        self.patient = False  # somebody is asked about it
        self._dead = DEAD_SECONDS if newcomer else DOOR_SECONDS  # how long the far end may be silent
        self.born = self._heard = now()
        self._acts, self._others = Bucket(*ACTS, self.born), Bucket(*OTHERS, self.born)
        self._ack: Ack | None = None  # waits for its time
        self._stuck = False  # something of ours waits for the peer to read
        self._timers: dict[str, asyncio.TimerHandle] = {}
        transport.set_write_buffer_limits(high=0)
        transport.pause_reading()
        transport.set_protocol(self)
        self._later("alive", WELCOME_SECONDS if newcomer else self._dead, self._check_alive)

    def start(self, on_message: Callable[[Message], None], on_lost: Callable[[str], None]) -> None:
        """Begins to deliver."""
        self._on_message, self._on_lost = on_message, on_lost
        if not self._gone:
            self._transport.resume_reading()
            self._consume()  # what came along with the handshake
        elif self._lost:
            asyncio.get_running_loop().call_soon(on_lost, self._why)

    def send(self, message: Message) -> None:
        """Seals the message and writes it; nothing happens on a link that has ended.

        ACKs may wait for a newer one, but go before a CHAT: what is said to a seat was said knowing who has it; and
        before ENTRIES: whoever sends those is host, and acknowledges nothing from there on.
        """
        if not self._open:
            return
        if isinstance(message, Ack):
            self._send_ack(message)
        elif isinstance(message, Close):
            self._send_close(message)
        else:
            if isinstance(message, Chat | Entries):
                self._write_held_ack()
            self._write(message)
            if isinstance(message, Welcome):
                self._early, self._most = None, PLAIN_BYTES
                self._later("alive", DEAD_SECONDS, self._check_alive)

    def close(self, reason: Reason, text: str, until: int = 0) -> None:
        """Says why, and ends the link."""
        self.send(Close(reason, text, until))

    @property
    def let_in(self) -> bool:
        """Whether its newcomer got a WELCOME; true of those that we dialled."""
        return self._early is None

    def patience(self, seconds: float) -> None:
        """Keeps a newcomer so many seconds from now without a Welcome; nothing happens once it has one."""
        if self._early is not None and self._open:
            self.patient = True
            self._later("alive", seconds, self._check_alive)

    def _break_off(self, why: str) -> None:
        """What came is well sealed and says nothing: the far end is told so, and our side that the link was lost."""
        _log.info("! %r: %s", self, why)
        self._why = why
        self.close(Reason.BROKEN, "that message makes no sense here")
        self._lost = True

    def abort(self, why: str) -> None:
        """Ends the link at once, without a word."""
        if self._open:
            self._open, self._why = False, why
            _log.info("! %r: %s", self, why)
        self._transport.abort()

    def __repr__(self) -> str:
        return f"Link({short(self.key)} {self.address[0]})"

    # ---- what we say

    def _send_ack(self, ack: Ack) -> None:
        if "ack" in self._timers:
            self._ack = ack
            return
        self._write(ack)
        self._later("ack", ACK_SECONDS, self._send_held_ack)

    def _send_held_ack(self) -> None:
        del self._timers["ack"]
        if self._ack is not None:
            ack, self._ack = self._ack, None
            self.send(ack)

    def _write_held_ack(self) -> None:
        ack, self._ack = self._ack, None
        if ack is not None:
            self._write(ack)

    def _send_close(self, message: Close) -> None:
        self._write_held_ack()
        self._write(message)
        if not self._open:
            return
        self._open = self._lost = False
        try:
            self._transport.write_eof()
        except OSError:  # the far end is gone already
            self._transport.abort()
            return
        self._transport.resume_reading()
        self._later("linger", LINGER_SECONDS, self._transport.abort)

    def _write(self, message: Message) -> None:
        kind, body = encode(message)
        try:
            record = self._seal(kind, body)
        except ProtocolError as error:
            self.abort(str(error))
            return
        if self._stuck and self._transport.get_write_buffer_size() + len(record) > QUEUE_BYTES:
            self.abort("doesn't read what we send")
            return
        self._transport.write(record)

    # ---- what we hear

    def _consume(self) -> None:
        """Delivers every whole record in the buffer."""
        if self._on_message is None or not self._open:
            return
        at, filled, buffer = 0, self._filled, self._buffer
        while self._held is None and filled - at >= HEADER_BYTES:
            start = at + HEADER_BYTES
            try:
                length = record_length(bytes(buffer[at:start]), self._most)
                if start + length > filled:
                    break
                at = start + length
                plain = self._unseal(length, bytes(buffer[start:at]))
            except ProtocolError as error:
                self.abort(str(error))
                return
            try:
                message = decode(*plain)
            except ProtocolError as error:
                self._break_off(str(error))
                return
            if not (self.limited or self._early is not None) or self._may(message):
                self._deliver(message)
            if not self._open:
                return
        self._filled = left = filled - at
        if at and left:
            buffer[:left] = bytes(buffer[at:filled])
        if left and self._held is None:
            if at or "body" not in self._timers:
                self._later("body", BODY_SECONDS, self.abort, "a record that doesn't end")
        elif "body" in self._timers:
            self._never("body")

    def _deliver(self, message: Message) -> None:
        if type(message) is Close:
            self._open = self._lost = False
            self._transport.close()
        elif type(message) is Welcome and not self.newcomer:
            self._dead = DEAD_SECONDS
            self._later("alive", DEAD_SECONDS, self._check_alive)
        if self._on_message is not None:
            self._on_message(message)

    def _may(self, message: Message) -> bool:
        """Whether a message is delivered now that limits apply to; if not, it is held, or the link has ended."""
        if self._early is not None:
            self._early -= 1
            if self._early < 0:
                self.abort("too many records before it was let in")
                return False
        if type(message) is Act:
            if not self._acts.take(self._heard):
                self._held = message
                self._transport.pause_reading()
                self._later("acts", self._acts.wait(self._heard), self._release)
                return False
        elif type(message) is not Close and not self._others.take(self._heard):
            self.close(Reason.TOO_FAST, "more messages a second than anybody may send")
            return False
        return True

    def _release(self) -> None:
        """Delivers the act that was held back, and what came after it."""
        self._heard = now()
        if not self._open or self._held is None:
            return
        if not self._acts.take(self._heard):  # the timer was a little early
            self._later("acts", self._acts.wait(self._heard), self._release)
            return
        act, self._held = self._held, None
        self._deliver(act)
        if self._open:
            self._consume()
        if self._open and self._held is None:
            self._transport.resume_reading()

    def _check_alive(self) -> None:
        """Ends a link that says nothing, or whose keys are worn."""
        at = now()
        silent = at - self._heard
        if self._early is not None:
            self.abort("was not let in in time")
        elif silent >= self._dead:
            self.abort(f"silent for {silent:.0f} s")
        elif at - self.born >= KEY_SECONDS:
            self.abort("fresh keys are due")
        else:
            self._later("alive", self._dead - silent, self._check_alive)

    # ---- asyncio's side

    def get_buffer(self, sizehint: int) -> memoryview:
        """Where the next bytes go. A loop that reads ahead may offer more than is taken: one buffer full is kept."""
        if self._filled == BUFFER_BYTES:
            self.abort("more at once than is taken")
            self._filled = 0
        return self._buffer[self._filled :] if self._filled else self._buffer

    def buffer_updated(self, nbytes: int) -> None:
        """Bytes came in."""
        if self._open:
            self._filled += nbytes
            self._heard = now()
            self._consume()
        if not self._open:
            self._filled = 0

    def eof_received(self) -> None:
        """The peer says no more: the transport closes by itself."""

    def pause_writing(self) -> None:
        """The peer doesn't read as fast as we write."""
        self._stuck = True
        self._later("drain", DRAIN_SECONDS, self.abort, "doesn't read what we send")

    def resume_writing(self) -> None:
        """It has read everything."""
        self._stuck = False
        self._never("drain")

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is left of the connection."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._gone = True
        if self._open:
            self._open = False
            self._why = f"the connection broke: {exc}" if exc else self._why
        if self._ended is not None:
            self._ended(self)
        if self._lost and self._on_lost is not None:
            self._on_lost(self._why)

    def _later(self, name: str, seconds: float, call: Callable[..., None], *args: object) -> None:
        self._never(name)
        self._timers[name] = asyncio.get_running_loop().call_later(seconds, call, *args)

    def _never(self, name: str) -> None:
        timer = self._timers.pop(name, None)
        if timer is not None:
            timer.cancel()

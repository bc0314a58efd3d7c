"""A new host gathers what opens the secret of the open round (protocol 6.5, 7.6).

It has R from the host before it, where that one handed the table over; else it asks the holders for their shares, its
own among them, until enough of them open R. Those that are missing are waited for as long as a seat is kept for its
player: a round whose secret is not to be had by then is void.
"""

from __future__ import annotations

from math import ceil

from p2pcards.table.deal import commitment
from p2pcards.table.escrow import is_bound, recover
from p2pcards.table.notices import Alarm, FalseShare, Notice, SharesAwaited
from p2pcards.table.public import Public
from p2pcards.wire.messages import Secret, Share, ShareAsk

ANSWER_SECONDS = 1.0
"""How long those who are here may take before the table is told that anybody is waited for."""

LEAST_SECONDS = 5.0
"""How long the holders are waited for where no seat is kept: those who are here must be able to answer."""

BAD_ESCROW = "who dealt this round bound a holder to a share that does not open its secret"


class Recovery:
    """R of the open round, on its way. seconds: how long missing holders are waited for, as long as a host is active.

    It is made when the TERM_START stands. `notices` are for the shell to take out.
    """

    def __init__(self, public: Public, now: float, seconds: float) -> None:
        self._public, self._round = public, public.open_round
        self._shares: dict[int, bytes] = {}  # by holder, each the one that it is bound to
        self._liars: set[int] = set()
        self._misled = False  # a holder is bound to a share that is none of R's
        self._told: tuple[bytes, ...] = ()  # whom we said that we wait for
        self._seconds = max(seconds, LEAST_SECONDS)
        self.secret = b""  # R, once it is open
        self.notices: list[Notice] = []
        self.wait_anew(now)

    def wait_anew(self, now: float) -> None:
        """The host is not active: the time for which somebody is waited for begins when it is."""
        self._tell_at, self._until = now + ANSWER_SECONDS, now + self._seconds

    @property
    def ask(self) -> ShareAsk:
        """What a holder is to be asked."""
        return ShareAsk(self._round.first_epoch)

    def wants(self, key: bytes) -> bool:
        """Whether this key holds a share that we lack."""
        return key in self.missing

    @property
    def missing(self) -> tuple[bytes, ...]:
        """The holders whose shares we still wait for; none once the secret is open."""
        if self.secret:
            return ()
        return tuple(key for x, key in enumerate(self._round.holders, 1) if x not in self._shares)

    def take(self, key: bytes, share: Share) -> None:
        """A holder's share: of another round it says nothing, and a false one is named."""
        current = self._round
        if key not in current.holders or share.epoch != current.first_epoch:
            return
        table, epoch, x = current.table, current.first_epoch, current.holders.index(key) + 1
        if share.x != x or not is_bound(table, epoch, x, share.value, current.shares):
            self._lied(x, key)
        elif not self.secret:
            self._shares[x] = share.value
            found = recover(table, epoch, current.root, self._shares, current.threshold, current.shares)
            self.secret = found.secret
            if found.host_lied and not self._misled:
                self._misled = True
                self.notices.append(Alarm(BAD_ESCROW))

    def take_secret(self, said: Secret) -> bool:
        """R from the host before us, or from our own disk; False where it is not this round's."""
        epoch = self._round.first_epoch
        if said.epoch != epoch or commitment(self._round.table, epoch, said.secret) != self._round.root:
            return False
        self.secret = said.secret
        return True

    def _lied(self, x: int, key: bytes) -> None:
        if x not in self._liars:
            self._liars.add(x)
            self.notices.append(FalseShare(self._nick(key)))

    # ---- time

    def expired(self, now: float) -> bool:
        """Whether the round is void: its secret is not open, and nobody who could open it is waited for any more."""
        return not self.secret and (not self.missing or now >= self._until)

    def look(self, now: float) -> None:
        """Says for whom the table waits, anew when it is for others."""
        missing = self.missing
        if missing and missing != self._told and self._tell_at <= now < self._until:
            self._told = missing
            nicks = tuple(sorted(map(self._nick, missing)))
            self.notices.append(SharesAwaited(nicks, ceil(self._until - now)))

    @property
    def wake_at(self) -> float | None:
        """When there is something to say, or the time is over."""
        if not self.missing:
            return None
        return self._until if self._told else min(self._tell_at, self._until)

    def _nick(self, key: bytes) -> str:
        """Of a holder: it has its name from its seat, whoever plays it now."""
        named = {held.key: held.nick for held in self._public.seats if held.key}
        return self._public.nick_of(key) or named.get(key, "")

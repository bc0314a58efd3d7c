"""The table that this program is at, with everything under it: port and advert, links and whom to dial, folder.

    attendance = Attendance(lookout, hosting, background)
    await attendance.listen(identity)              # before anybody is told of the table, or asked to let us in
    sitting = attendance.sit(place, identity)
    attendance.reached(link)                       # one that we dialled
    attendance.get_up(Keep.ALL)

A program is at one table at the most, and at none in between.
"""

from __future__ import annotations

import asyncio

from p2pcards.net.background import Background
from p2pcards.net.calls import Calls
from p2pcards.net.files import Keep
from p2pcards.net.hosting import Hosting, turn_away
from p2pcards.net.link import Link
from p2pcards.net.lookout import Lookout
from p2pcards.net.moderation import Place
from p2pcards.net.reaching import Reaching
from p2pcards.net.sitting import Sitting
from p2pcards.wire.identity import Identity


class Attendance:
    """Where this program is."""

    def __init__(self, lookout: Lookout, hosting: Hosting, background: Background) -> None:
        self.place: Place | None = None  # the table that we sit at, or whose door we stand at
        self.reaching: Reaching | None = None  # whoever we have no link to there
        self._lookout, self._hosting, self._background = lookout, hosting, background
        self._looks_around = False  # when at no table
        self._up = asyncio.Event()  # from the table

    @property
    def sitting(self) -> Sitting | None:
        """The table's machine and links."""
        return None if self.place is None else self.place.sitting

    def look_around(self) -> None:
        """From now on the list is kept up while we are at no table."""
        self._looks_around = True
        self._lookout.watch(True)

    async def listen(self, identity: Identity) -> int:
        """Lets others come to us; the port. UserError where that can't be."""
        return await self._hosting.open(identity, self._came)

    def sit(self, place: Place, identity: Identity) -> Sitting:
        """We are at that table from now on, or at its door."""
        self.place = place
        self._up.clear()
        self._lookout.watch(False)
        if not place.alone:
            calls = Calls(identity, self._background.start, self.reached)
            self.reaching = Reaching(place.sitting, identity.key, self._lookout, calls)
            self._hosting.sits(place.sitting.peer)
        return place.sitting

    def reached(self, link: Link) -> None:
        """Somebody whom we dialled proved the right key."""
        if self.reaching is not None and self.sitting is not None:
            self.reaching.came(link)
            self.sitting.add(link)
        else:
            link.abort("not wanted any more")

    def moved(self) -> None:
        """The table may be another than a moment ago."""
        self._hosting.changed()
        self.looked()

    def looked(self) -> None:
        """The list may be another."""
        if self.reaching is not None:
            self.reaching.look()

    def get_up(self, keep: Keep) -> None:
        """We are at no table any more. keep: what stays in its folder."""
        place, self.place = self.place, None
        reaching, self.reaching = self.reaching, None
        self._up.set()
        if reaching is not None:
            reaching.close()
        if place is not None:
            place.sitting.close(keep)
        self._hosting.close()
        self._lookout.watch(self._looks_around)

    async def is_up(self, seconds: float) -> bool:
        """Waits until we are at no table, so long at the most."""
        try:
            async with asyncio.timeout(seconds):
                while self.place is not None:
                    await self._up.wait()
        except TimeoutError:
            return False
        return True

    def _came(self, link: Link) -> None:
        """A newcomer proved its key."""
        if self.sitting is not None and not self.sitting.peer.finished:
            self.sitting.add(link)
        else:
            turn_away(link)

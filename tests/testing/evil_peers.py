"""Tables of whole peers for scripts of voters that lie, and a look at what is left of them."""

from __future__ import annotations

from p2pcards.table.notices import Closed
from tests.testing.cluster import identity
from tests.testing.forge import Forge
from tests.testing.peers import Lan

FIVE = ("ana", "ben", "cy", "dot", "eli")


def playing(*names: str) -> Lan:
    """A table in its first round; ana hosts."""
    lan = Lan(*(names or FIVE), game="onecard")
    lan.start()
    return lan


def forge(lan: Lan, name: str, length: int | None = None) -> Forge:
    """A pen that goes on with the table's journal as that name likes."""
    return Forge(identity(name), lan.books.journal.copy(length))


def untouched(lan: Lan, *names: str) -> None:
    """These still sit at the table."""
    for name in names:
        assert not lan[name].the.finished, name
        assert lan[name].told(Closed) == [], name


def goes_on(lan: Lan) -> None:
    """The round is played to its end, and everybody who is honest holds the same."""
    lan.play()
    lan.pass_time(2.0)
    lan.agree()

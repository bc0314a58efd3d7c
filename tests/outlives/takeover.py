"""How long a table is without host when that dies: from kill -9 to the first act of somebody who is there.

python -c 'from tests.outlives.takeover import measure; print(measure("tongits", 3))'
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from msgspec import Struct

from tests.outlives.party import Party, Person, party


class Takeover(Struct, frozen=True):
    """Seconds: until the others notice; until there is a certified host; until it has the cards and play goes on; and
    of the first act."""

    detection: float
    vote: float
    recovery: float
    act: float

    @property
    def total(self) -> float:
        """From the death to the first act."""
        return self.detection + self.vote + self.recovery + self.act


def measure(game: str, people: int) -> Takeover:
    """A table of people alone, whose host dies after some acts (root only)."""
    with tempfile.TemporaryDirectory() as folder, party(Path(folder), game, people, "--rounds", "1") as table:
        table.deal()
        table.play(people)
        table.until_turn(*table.others(table.host))
        return kill_host(table)


def kill_host(table: Party) -> Takeover:
    """kill -9 of the host while somebody else is to act, who does as soon as that can be done.

    Before that, cards, table and scores must be as they were on all the others' screens.
    """
    dead, first = table.host, table.to_act()
    assert first is not None
    assert first is not dead
    others = table.others(dead)
    hands, picture, action = table.hands(*others), table.picture(), table.choice(first)
    died = table.kill(dead)
    table.until(lambda: all(person.when("turn", died) for person in others), "a turn that is told again")
    assert table.hands(*others) == hands
    assert table.picture() == picture
    place = len(first.heard)
    assert table.does(first, action), first.heard[place:]
    table.level()
    same = [person for person in others if person is not first]
    assert table.hands(*same) == {person.nick: hands[person.nick] for person in same}
    return _taken(first, died)


def _taken(first: Person, died: float) -> Takeover:
    changing, elected, on = (_at(first, name, died) for name in ("changing", "host", "turn"))
    said = first.said
    return Takeover(changing - died, elected - changing, on - elected, _at(first, "entry", said) - said)


def _at(person: Person, name: str, after: float) -> float:
    at = person.when(name, after)
    assert at is not None, (person.nick, name)
    return at

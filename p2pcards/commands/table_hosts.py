"""The commands of a table that outlives its host: coming to it and back to it, watching it, and who runs it.

Who keeps the seats of a table is up to its host; who becomes one is up to the table.
"""

from __future__ import annotations

from p2pcards.commands.context import Context, Fellow
from p2pcards.commands.entry import BETWEEN, HOME, PLAYING, TABLE, Arg, By, Entry, Kind

WAYS_IN: tuple[Entry, ...] = (
    Entry(
        "join",
        "take a seat at a table",
        HOME,
        By.NODE,
        (Arg("TABLE", Kind.TABLE),),
        more="TABLE is its number in the list, its title or the beginning of it, or the address of its host.",
        examples=("join 1", "join Friday night", "join 10.0.0.7:25252"),
    ),
    Entry(
        "watch",
        "look on at a table, without a seat",
        HOME,
        By.NODE,
        (Arg("TABLE", Kind.TABLE),),
        more="You see what everybody may see; hands are shown when a round is over. `sit` asks for a seat later.",
        examples=("watch 2", "watch Friday night"),
    ),
    Entry(
        "resume",
        "go back to a table that you have a seat at",
        HOME,
        By.NODE,
        (Arg("TABLE", Kind.KEPT, True),),
        more="A table that was cut off is kept on this machine until it ends or you leave it. Without a title it is "
        "the one that is kept, if there is only one. A host that was alone goes on where it stopped.",
        examples=("resume", "resume Friday night"),
    ),
)

STAYING: tuple[Entry, ...] = (
    Entry(
        "away",
        "have a bot play for you until you are back",
        PLAYING | BETWEEN,
        By.NODE,
        seated=True,
        more="You stay at the table and see everything; `back` takes the seat again.",
    ),
    Entry(
        "sit",
        "ask for a seat, where you watch",
        TABLE,
        By.NODE,
        more="In the lobby it is yours at once, otherwise between two rounds, if one is free then.",
    ),
    Entry(
        "handover",
        "make another player the host",
        TABLE,
        By.NODE,
        (Arg("NICK", Kind.PLAYER, True),),
        host=True,
        company=True,
        more="Nothing else changes: cards, scores and seats stay as they are, and yours too. Without a nick it is "
        "whoever is next in turn. `leave` hands the table over by itself.",
        examples=("handover ben", "handover"),
    ),
    Entry(
        "proceed",
        "go on without those who are missing",
        TABLE,
        By.NODE,
        aliases=("go",),
        company=True,
        more="It is asked when the table stands still because too few are here, and done when all who are here agree. "
        "Bots play for the others until they come back. `help safe` tells when a round is lost by it.",
    ),
    Entry(
        "wait",
        "rather wait for those who are missing",
        TABLE,
        By.NODE,
        company=True,
        more="It is the answer no where others would `proceed`. Saying nothing is waiting too.",
    ),
)


def heirs(context: Context) -> tuple[Fellow, ...]:
    """Who could run the table in our place: players whose line is there."""
    return tuple(fellow for fellow in context.people if fellow.seat is not None and not fellow.absent)

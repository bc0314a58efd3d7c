"""The commands that say what the person is told of while they look elsewhere, and by which ways; and who sees the hand.

EVENTS and WAYS are those of the table `[tell]` in config.toml.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pcards.commands.command import Problem, Trouble
from p2pcards.commands.context import Context
from p2pcards.commands.entry import EVERYWHERE, SWITCH, TABLE, Arg, By, Entry, Kind

EVENTS: Mapping[str, str] = {
    "my_turn": "your turn, or the table asks you something",
    "joined": "somebody sits down at your table, or waits at its door",
    "started": "a match begins",
    "kicked": "you are shown out",
    "round_over": "a round is over",
    "chat": "somebody speaks to you alone, or says your name",
    "table_opened": "a table opens while you are at none",
}
"""What a person may be told of, each explained."""

WAYS: Mapping[str, str] = {
    "bell": "the terminal's bell",
    "title": "a mark in the window's title",
    "notice": "a notice on the desktop",
    "sound": "the sound of your config.toml",
}
"""How, each explained."""

ON, OFF = "on", "off"

SWITCHES: Mapping[str, str] = {ON: "the usual ways", OFF: "not at all"}
"""What may stand in place of the ways."""

TELLING: tuple[Entry, ...] = (
    Entry(
        "hide",
        "hide your cards, or show them again",
        TABLE,
        By.UI,
        (Arg("on|off|turn", Kind.CHOICE, True, ("on", "off", "turn")),),
        more="`hide turn` shows them on your turn alone.",
        examples=("hide", "hide turn"),
    ),
    Entry(
        "bell",
        "let the bell ring at all, or not",
        EVERYWHERE,
        By.UI,
        (SWITCH,),
        more="Without a word behind it, it tells whether it is on. What it rings for is said by `tell`.",
        examples=("bell off",),
    ),
    Entry(
        "tell",
        "choose what you are told of, and how",
        EVERYWHERE,
        By.UI,
        (Arg("EVENT", Kind.EVENT, True), Arg("WAYS", Kind.WAYS, True)),
        more="WAYS are bell, title, notice and sound, one or several, or on or off. Without a word behind it, it shows "
        "them all. It holds for this run; `[tell]` in config.toml holds for every run.",
        examples=("tell", "tell my_turn bell notice", "tell chat off"),
    ),
)


def event(typed: str, context: Context) -> str | Problem:
    """The event of that name, or the only one that it is a part of; who names a person has something to say to them."""
    name = typed.lower().replace("-", "_")
    if name not in EVENTS and any(fellow.nick.lower() == typed.lower() for fellow in context.people):
        return Problem(Trouble.UNKNOWN, (f"tell {typed}", f"msg {typed} TEXT"))
    parts = [one for one in EVENTS if name in one]
    if name not in EVENTS and len(parts) == 1:
        return parts[0]
    return name if name in EVENTS else Problem(Trouble.NO_SUCH, ("event", typed, *EVENTS))


def ways(typed: str) -> str | Problem:
    """The ways in the order of WAYS with spaces between, each once; `on` and `off` stand alone."""
    words = typed.lower().replace(",", " ").split()
    for word in words:
        if word not in WAYS and (word not in SWITCHES or len(words) > 1):
            if word in SWITCHES:
                return Problem(Trouble.BAD_CHOICE, (word, *WAYS))
            return Problem(Trouble.NO_SUCH, ("way", word, *WAYS, *(SWITCHES if len(words) == 1 else ())))
    return words[0] if words and words[0] in SWITCHES else " ".join(way for way in WAYS if way in words)


def further(typed: Sequence[str]) -> list[tuple[str, str]]:
    """What may stand behind `tell` and these words, each explained: an event; then ways, or on or off alone."""
    words = {word.lower() for word in typed[1:]}
    known = EVENTS if not typed else {} if SWITCHES.keys() & words else {**WAYS, **({} if words else SWITCHES)}
    return [(word, about) for word, about in known.items() if word not in words]

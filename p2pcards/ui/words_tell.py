"""What somebody is told who looks elsewhere, and the answers of `tell` and `hide`. No card and no text of others'
messages stands in any of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from p2pcards.commands.table_tell import EVENTS, WAYS
from p2pcards.ui.ways import APP, Lack

HIDDEN = "Your cards are hidden; `hide` shows them again."
SHOWN = "Your cards are shown."
ON_TURN = "Your cards are shown on your turn alone; `hide off` shows them always."
PEEK = "Your cards are shown until your next turn is over."

_SAYS = {
    "my_turn": "your turn",
    "asked": "the table asks you something",
    "lost": "your last move was lost with the host",
    "joined": "{0} is at the table",
    "knocked": "{0} is at the door",
    "started": "the match begins",
    "kicked": "you were shown out",
    "round_over": "the round is over",
    "chat": "{0} speaks to you",
    "table_opened": "{0} is open",
}

_LACKS = {
    Lack.NO_TERMINAL: "the bell rings on a terminal alone",
    Lack.NO_TITLE: "plain mode has no title of its own",
    Lack.NO_NOTICE: "this terminal shows no notices, and there is no notify-send with a display",
    Lack.NO_COMMAND: "no sound_command stands in config.toml",
    Lack.BAD_COMMAND: "the sound_command in config.toml has a quote that does not end",
}


def says(what: str, who: str = "") -> str:
    """What happened, short, without a dot."""
    return _SAYS[what].format(who)


def notice(what: str, who: str, place: str) -> str:
    """The same for the desktop. place: the game's title, empty at home."""
    words = _SAYS[what]
    said = f"{words[0].upper()}{words[1:]}".format(who)  # a name keeps its letters
    return f"{said}{f' ({place})' if place else ''}."


def title(mark: str, place: str) -> str:
    """The window's title. mark: what is to be seen from afar, or empty."""
    return " - ".join(filter(None, (mark, place, APP)))


def overview(wanted: Mapping[str, Sequence[str]], bell: bool, lacking: Mapping[str, Lack]) -> list[str]:
    """Every event with its ways, then what is in the way of some."""
    lines = [f"{event}: {', '.join(wanted.get(event, ())) or 'off'} ({about})" for event, about in EVENTS.items()]
    used = {way for ways in wanted.values() for way in ways}
    return [*lines, *_limits(used, bell, lacking)]


def one(event: str, ways: Sequence[str], bell: bool, lacking: Mapping[str, Lack]) -> list[str]:
    """How one event is told."""
    by = " and ".join([", ".join(ways[:-1]), ways[-1]] if ways[1:] else ways)
    return [
        f"{event} {f'is told by {by}' if by else 'is not told'}: {EVENTS[event]}.",
        *_limits(set(ways), bell, lacking),
    ]


def _limits(used: set[str], bell: bool, lacking: Mapping[str, Lack]) -> list[str]:
    off = [] if bell or "bell" not in used or "bell" in lacking else ["No bell: it is off; `bell on` switches it on."]
    return [*off, *(f"No {way} here: {_LACKS[lacking[way]]}." for way in WAYS if way in used and way in lacking)]

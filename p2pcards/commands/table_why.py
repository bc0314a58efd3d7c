"""The commands that explain: why something may be done now and why not, and what a bot would do."""

from __future__ import annotations

from p2pcards.commands.entry import PLAYING, TABLE, Arg, By, Entry, Kind

WHY = Entry(
    "why",
    "explain what you may do and what not, and by which rule",
    TABLE,
    By.UI,
    (Arg("ACTION", Kind.LINE, True),),
    more="Alone it is about all that you may do now, and whose turn it is; behind it stands a card or an action, as it "
    "would be typed. While others act it answers as if it were your turn.",
    examples=("why", "why 7H", "why discard 7H"),
)

HINT = Entry(
    "hint",
    "ask a bot what it would do in your place",
    PLAYING,
    By.NODE,
    seated=True,
    more="The bot knows what you know, and plays on in deals that fit that. In practice you may always ask; at a table "
    "of others it is for the host to allow, in the lobby, `set hints true`.",
)

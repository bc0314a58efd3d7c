"""The command that explains: why something may be done now, and why not."""

from __future__ import annotations

from p2pcards.commands.entry import TABLE, Arg, By, Entry, Kind

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

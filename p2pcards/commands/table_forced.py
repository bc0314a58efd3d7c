"""The command about moves that leave no choice: whether they are played for us."""

from __future__ import annotations

from p2pcards.commands.entry import EVERYWHERE, Arg, By, Entry, Kind

ASK, PLAY = "ask", "play"

FORCED = Entry(
    "forced",
    "have your only possible move played for you, or not",
    EVERYWHERE,
    By.UI,
    (Arg(f"{ASK}|{PLAY}", Kind.CHOICE, True, (ASK, PLAY)),),
    more="With `play` it is played after a moment that is as long as you take for other moves, so that nobody sees "
    "that you had no choice; whatever you type first stops it. `call` and `fold` are always left to you. It "
    "stays for the next time, unless config.toml says something else.",
    examples=("forced play", "forced ask"),
)

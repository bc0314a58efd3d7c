"""What `help WORD` says of the verbs of Tong-its: how they are typed, when they may be done, examples."""

from __future__ import annotations

from p2pcards.commands.command import VerbHelp

VERBS = {
    "draw": VerbHelp("", "It begins your turn, where you don't take or call instead (R10, R11).", ("draw",)),
    "take": VerbHelp(
        "CARDS",
        "It begins your turn instead of drawing. You name two or more cards of your hand that make a meld with the top "
        "discard, and the meld is laid down at once (R12).",
        ("take QD QH", "take #3 #4"),
    ),
    "call": VerbHelp(
        "",
        "It begins your turn instead of drawing. You need a meld of yours on the table, nobody may have laid off on "
        "yours since your last turn, and in that turn you may have laid off on none of your own (R16, R17). Who has no "
        "meld on the table can't challenge; if nobody does, you win, else the lowest hand (R18 to R21). It asks once.",
        ("call",),
    ),
    "expose": VerbHelp(
        "CARDS",
        "After you have drawn or taken, as often as you like: 3 or 4 cards of one rank, or 3 or more in a row of one "
        "suit (R10, R13). You need a meld on the table to call, and to answer a call.",
        ("expose 7C 7D 7H", "expose #1 #2 #3"),
    ),
    "layoff": VerbHelp(
        "CARD MELD",
        "After you have drawn or taken, as often as you like, on anybody's meld; its owner may not call in the next "
        "turn then, and neither may you after laying off on your own (R14, R17).",
        ("layoff 8H m2", "layoff #5 m1"),
    ),
    "discard": VerbHelp(
        "CARD",
        "It ends your turn, after you have drawn or taken (R15). The card alone will do where nothing else can be done "
        "with it.",
        ("discard KD", "discard #3", "KD"),
    ),
    "challenge": VerbHelp(
        "",
        "It answers somebody's call, if you have a meld on the table: hands are shown and the lowest wins; the caller "
        "wins no tie (R18 to R21).",
        ("challenge",),
    ),
    "fold": VerbHelp("", "It answers somebody's call: your hand is not shown (R18 to R20). It asks once.", ("fold",)),
}
"""By verb; the numbers are those of docs/rules/tongits.md."""

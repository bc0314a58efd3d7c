"""What `help WORD` says of the verbs of One Card: how they are typed, when they may be done, examples."""

from __future__ import annotations

from p2pcards.commands.command import VerbHelp

VERBS = {
    "play": VerbHelp(
        "CARD",
        "In your turn, one card that has the suit or the rank of the top card (R11). A 2 or 3 attacks the next player, "
        "a jack skips them, a queen turns the direction (R14). Under attack only a 2, 3, 7, jack or queen that fits "
        "may be played: a 2 or 3 adds to it, a 7 cancels it, a queen turns it round, a jack passes it on (R15 to R18). "
        "The card alone will do. With call_one_card, add `one` to the play that leaves you with one card (R39).",
        ("play 8H", "play #3", "8H"),
    ),
    "draw": VerbHelp(
        "",
        "In your turn, if nothing of yours fits: one card, and your turn ends (R12, R13). Under attack you may always "
        "draw: you take all its cards, and it is over (R15). Some tables let you draw though a card fits, or play what "
        "you have drawn (R30 to R32).",
        ("draw",),
    ),
    "pass": VerbHelp(
        "",
        "Only at tables where a drawn card may be played at once (draw_then_play, draw_until_playable): it keeps the "
        "card and ends your turn (R31, R32).",
        ("pass",),
    ),
}
"""By verb; the numbers are those of docs/rules/onecard.md."""

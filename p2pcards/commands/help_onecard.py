"""What `help WORD` says of the verbs of One Card: how they are typed, when they may be done, examples."""

from __future__ import annotations

from p2pcards.commands.help_tongits import VerbHelp

VERBS = {
    "play": VerbHelp(
        "CARD",
        "In your turn one card that has the suit or the rank of the top card. A 2 or 3 attacks the next player, a jack "
        "skips them, a queen turns the direction. Under attack only a 2, 3, 7, jack or queen that fits may be played: "
        "a 2 or 3 adds to it, a 7 cancels it, a queen turns it round, a jack passes it on. The card alone will do. "
        "Where the last card must be announced (call_one_card), add `one` to the play that leaves you with it.",
        ("play 8H", "play #3", "8H"),
    ),
    "draw": VerbHelp(
        "",
        "In your turn, if nothing of yours fits (at some tables also if something does): one card, and your turn ends. "
        "Under attack you may always draw: you take all its cards, and it is over.",
        ("draw",),
    ),
    "pass": VerbHelp(
        "",
        "Only at tables where a drawn card may be played at once (draw_then_play, draw_until_playable): it keeps the "
        "card and ends your turn.",
        ("pass",),
    ),
}
"""By verb."""

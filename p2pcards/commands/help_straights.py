"""What `help WORD` says of the verbs of Straights: how they are typed, when they may be done, examples."""

from __future__ import annotations

from p2pcards.commands.command import VerbHelp

VERBS = {
    "play": VerbHelp(
        "CARD",
        "You must play one while a card of yours fits: a seven, or the next one up or down in a suit that is open (R7, "
        "R8). Who holds the start card opens the round with it (R5). The card alone will do.",
        ("play 8S", "play #3", "8S"),
    ),
    "discard": VerbHelp(
        "CARD",
        "Only when nothing of yours fits: any card of your hand, face down (R9, R11). It counts its points against you "
        "after the round, an ace 1, a king 13 (R3, R14). The card alone will do.",
        ("discard 2C", "discard #1", "2C"),
    ),
    "pass": VerbHelp(
        "",
        "With the option mode = sevens_pass, when nothing of yours fits; what is left in your hand at the end counts "
        "against you (R22, R23). Without it a card is put aside instead (R10).",
        ("pass",),
    ),
}
"""By verb; the numbers are those of docs/rules/straights.md."""

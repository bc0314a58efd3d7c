"""What `help WORD` says of the verbs of Straights: how they are typed, when they may be done, examples."""

from __future__ import annotations

from p2pcards.commands.help_tongits import VerbHelp

VERBS = {
    "play": VerbHelp(
        "CARD",
        "It is your turn's one action, and you must play while a card of yours fits: a seven, or the next card up or "
        "down in a suit that is open. The first card of a round is the start card, whose holder begins. The card alone "
        "will do.",
        ("play 8S", "play #3", "8S"),
    ),
    "discard": VerbHelp(
        "CARD",
        "It is your turn's one action when nothing of yours fits: any card, face down. It counts its rank against you "
        "after the round, ace 1 to king 13. The card alone will do.",
        ("discard 2C", "discard #1", "2C"),
    ),
    "pass": VerbHelp(
        "",
        "With the option mode sevens_pass, instead of putting a card aside, when nothing of yours fits; what is left "
        "in your hand counts against you.",
        ("pass",),
    ),
}
"""By verb; the rules are docs/rules/straights.md."""

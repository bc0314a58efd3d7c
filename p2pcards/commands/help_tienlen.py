"""What `help WORD` says of the verbs of Tiến lên."""

from __future__ import annotations

from p2pcards.commands.help_tongits import VerbHelp

VERBS = {
    "play": VerbHelp(
        "CARDS",
        "You lead any combination, or beat the one that lies there with a higher one of its kind and length; bombs "
        "beat 2s. The cards alone will do.",
        ("play 7S 8H 9D", "play #1 #2", "KD"),
    ),
    "pass": VerbHelp(
        "",
        "You play nothing and are out of the trick until it ends. Who leads can't pass. After a player went out with "
        "what lies there, it gives you the lead.",
        ("pass",),
    ),
}
"""By verb; the numbers are those of docs/rules/tienlen.md."""

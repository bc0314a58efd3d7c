"""What `help WORD` says of the verbs of Tiến lên."""

from __future__ import annotations

from p2pcards.commands.command import VerbHelp

VERBS = {
    "play": VerbHelp(
        "CARDS",
        "You lead any combination (R4 to R8, R14), or beat the one that lies there with a higher one of its kind and "
        "length (R9); a bomb beats 2s (R10, R11). The cards alone will do.",
        ("play 7S 8H 9D", "play #1 #2", "KD"),
    ),
    "pass": VerbHelp(
        "",
        "You play nothing and are out of the trick until it ends (R16, R17); who leads can't pass (R14). After "
        "somebody went out with what lies there, it gives you the lead (R20).",
        ("pass",),
    ),
}
"""By verb; the numbers are those of docs/rules/tienlen.md."""

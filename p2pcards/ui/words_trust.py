"""Whom one has to trust at a table, and with what, in plain words."""

from __future__ import annotations

from collections.abc import Sequence

TRUST = (
    "the host sees all cards of a round, but can't choose them; after each round every program checks deal and moves"
)
"""What players are told before they sit down."""

HOW_IT_WORKS: Sequence[str] = (
    "Who chooses the cards: nobody alone. The host draws a secret and commits to it; each other player's program then "
    "commits to a part of its own; only after that are the parts shown, and the shuffle follows from the secret and "
    "all the parts. Programs do this by themselves. A part that does not come in time is left out, and everybody is "
    "told whose it was; who is left out twice in a match is asked for no more in it, and has a bot in the seat until "
    "he types `back` or is back after his line was lost.",
    "Who sees what: you see your own cards, the host all cards of the open round. Nobody else sees them, unless more "
    "than half of the table conspire. After the round every program at the table can see all its hands, those that "
    "were not shown too, and a record holds them.",
    "Who can move for you: nobody. Each move is signed with your key, and names what you had seen. What bots play, and "
    "what is played because the time was up, is the host's, and marked so.",
    "What is checked: each card that you are shown, at once; after the round everything, when the host must open its "
    "secret: the shuffle, all cards, all moves, the score. Each program tells the others what it found, and signs it.",
    "What is not: the host may look at the cards, and tell a friend. Where only the host and bots play, the host "
    "shuffles alone, and could choose the cards. The host may say that a part never came, to have one other shuffle: "
    "everybody is told whose it was, that player's program objects in the chat, and it works twice in a match with the "
    "same player at the most.",
)
"""How a deal nobody has to trust works, a paragraph each."""

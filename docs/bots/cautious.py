#!/usr/bin/env python3
"""A bot for p2pcards in Python: it gets rid of its highest cards.

    p2pcards arena straights --seat "python3 docs/bots/cautious.py" --seat easy --seat easy --seat easy

`request.legal` are texts; `self.view(request)` and `self.game` are the view and the rules as p2pcards has them.
"""

from __future__ import annotations

from p2pcards.bots.line import Request
from p2pcards.bots.linebot import LineBot

RANKS = "A23456789TJQK"


class Cautious(LineBot):
    """Of the legal actions it takes the one with the most points in cards, the first of those that are alike."""

    def choose(self, request: Request) -> str:
        return max(request.legal, key=points)


def points(action: str) -> int:
    """What the cards of an action sum up to: an ace counts 1, a king 13."""
    cards = [word for word in action.split() if len(word) == 2 and word[0] in RANKS and word[1] in "CDHS"]
    return sum(RANKS.index(card[0]) + 1 for card in cards)


if __name__ == "__main__":
    Cautious().run()

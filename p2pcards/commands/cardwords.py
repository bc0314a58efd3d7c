"""Cards as people type them: forgiving text, or `#3`, the third card of the hand as it is shown."""

from __future__ import annotations

from functools import lru_cache

from p2pcards.cards import Card, Ranking
from p2pcards.commands.command import Problem, Trouble
from p2pcards.errors import InvalidCard


def read(ranking: Ranking, hand: tuple[Card, ...], word: str) -> str | Problem | None:
    """Canonical text of the card that the word names; a Problem for a place the hand hasn't; None: no card at all."""
    if word.startswith("#") and word[1:].isdecimal():
        place = int(word[1:4])
        if not 1 <= place <= len(hand) or len(word) > 4:
            return Problem(Trouble.NO_SUCH_PLACE, (word, str(len(hand))))
        return ranking.format(hand[place - 1])
    try:
        return ranking.format(ranking.parse(word))
    except InvalidCard:
        return None


@lru_cache(maxsize=512)
def forms(word: str) -> tuple[str, ...]:
    """The ways to type a word of a line, in upper case: for a card rank first and suit first, `10` for T, `1` for A."""
    word = word.upper()
    if len(word) != 2 or word[0] not in "A23456789TJQK" or word[1] not in "CDHS":
        return (word,)
    ranks = {"T": ("T", "10"), "A": ("A", "1")}.get(word[0], (word[0],))
    suits = (word[1], {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}[word[1]])
    return tuple(form for rank in ranks for suit in suits for form in (rank + suit, suit + rank))

"""How a sentence is filled in: cards as signs or in words, counts, people as "you" or by name.

A sentence is a template in the notation of `str.format`. `{0}` is the first detail, `{rest}` all but the first,
`{all}` every one; the part behind the colon says how a detail is written:

    cards, the, The     cards from their canonical text, "the" card
    card                cards inside a sentence: `Q♠`, "the queen of spades"
    suit, Suit          the suit of a card, "hearts"
    who, whose          a nick, "you" and "your" for the own one; several nicks with `who`
    count NOUN          "1 card", "7 cards"
    or, or cards        several details as alternatives, `or the` with "the" before each; `or code` as what can be typed
    or on               several cards with melds: "6♥ on m2 or 9♦ on m1"
    combo, higher       kind and size: "a straight of 4", "a higher straight of 4"
    topped              kind, size and highest card: "a straight of 4 up to 9♥"
    group               kind and rank: "three 9s"
    bombs               pairs in a row, and "quad" where that will do: "four of a kind or three or more pairs in a row"
    nth, dealt          a place: "2nd"; a dealt hand that wins at once

Kind, size and so on are several details in turn (`all`, `rest`) or one with spaces between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import pairwise
from string import Formatter
from typing import Any

from p2pcards.ui import combinations

_GLYPHS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
_SUITS = {"C": "clubs", "D": "diamonds", "H": "hearts", "S": "spades"}
_RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"}


DRAWN, WRITTEN = "−", "-"
"""The minus sign: on a screen as wide as a plus, in lines the one that can be typed and searched for."""


class Cards(Enum):
    """How cards are written."""

    SIGNS = "signs"  # Q♠
    LETTERS = "letters"  # QS, as it is typed
    WORDS = "words"  # queen of spades


class Voice(Formatter):
    """Fills in the sentences for one listener. me: the own nick; ace: how that rank is written; minus: that sign."""

    def __init__(self, cards: Cards, me: str = "", ace: str = "A", minus: str = WRITTEN) -> None:
        self.style, self.me, self._ace, self._minus = cards, me, ace, minus

    def say(self, template: str, details: Sequence[str] = ()) -> str:
        """The sentence. A detail that is missing is left out."""
        return self.vformat(template, tuple(details), {"rest": details[1:], "further": details[2:], "all": details})

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        if isinstance(key, int):
            return args[key] if key < len(args) else ""
        return kwargs[key]

    def format_field(self, value: Any, format_spec: str) -> str:
        way, _, noun = format_spec.partition(" ")
        match way:
            case "":
                return value if isinstance(value, str) else " ".join(value)
            case "cards":
                return self.cards(value if isinstance(value, str) else " ".join(value))
            case "card":
                return self.card(value if isinstance(value, str) else " ".join(value))
            case "the" | "The":
                return f"{way} {self.cards(value if isinstance(value, str) else ' '.join(value))}"
            case "suit" | "Suit":
                name: str = _SUITS.get(value[1:], value)
                return name.capitalize() if way == "Suit" else name
            case "who":
                return self.who(value) if isinstance(value, str) else listed([self.who(nick) for nick in value], "and")
            case "whose":
                return self.whose(value)
            case "count":
                return counted(_number(value), noun)
            case "or" if noun == "the":
                return listed([f"the {self.cards(card)}" for text in value for card in text.split()], way)
            case "or" | "and":
                return listed([self._one(text, noun) for text in value], way)
        return self._combination(way, value.split() if isinstance(value, str) else value)

    def _combination(self, way: str, words: Sequence[str]) -> str:
        """Of Tiến lên; nothing where details are missing, which a host may do."""
        first, second, third, *_ = (*words, "", "", "")
        match way:
            case "combo":
                return combinations.combination(first, _number(second))
            case "higher":
                return combinations.higher(first, _number(second))
            case "topped":
                return combinations.topped(first, _number(second), third, self.card)
            case "group":
                return combinations.group(first, second)
            case "bombs":
                return combinations.bombs(_number(first), second == "quad")
            case "nth":
                return combinations.nth(_number(first))
            case "dealt":
                return combinations.dealt(first)
        raise ValueError(way)

    def _one(self, text: str, way: str) -> str:
        if way == "on":
            card, _, meld = text.partition(" ")
            return f"{self.cards(card)} on {meld}"
        if way == "code":
            return f"`{text}`"
        return self.card(text) if way == "cards" else text

    def card(self, card: str) -> str:
        """A card or several in a sentence: `Q♠`, `the queen of spades`."""
        return f"the {self.cards(card)}" if self.style is Cards.WORDS else self.cards(card)

    def whose(self, nick: str) -> str:
        """A person's, "your" for the own nick."""
        return "your" if nick == self.me else f"{nick}'s"

    def who(self, nick: str) -> str:
        """A person as the subject of a sentence in the past tense."""
        return "you" if nick == self.me else nick

    def points(self, number: int, *, gained: bool = False) -> str:
        """A score, or how much of it is `gained`, with a sign in any case."""
        return signed(number, self._minus, gained=gained)

    def cards(self, text: str) -> str:
        """Cards given as canonical text; other words (m2) stay as they are."""
        if self.style is Cards.WORDS:
            words = text.split()
            return in_words(words) if self._ace == "A" else in_words(words).replace("ace", self._ace)
        return self.action(text)

    def action(self, text: str) -> str:
        """An action from its canonical text, as it can be typed: `discard Q♠`, `discard QS`, never in words."""
        written = [aced(word, self._ace) for word in text.split()]
        return " ".join(map(signs, written) if self.style is Cards.SIGNS else written)


def signed(points: int, minus: str, *, gained: bool = False) -> str:
    """Points with that minus sign; what is gained has a plus sign too."""
    return (f"{points:+d}" if gained else str(points)).replace("-", minus)


def aced(word: str, ace: str) -> str:
    """A card with its ace written so; any other word as it is."""
    return ace + word[1] if word[:1] == "A" and _is_card(word) else word


def signs(word: str) -> str:
    """`Q♠` for `QS`; a word that is no card stays as it is."""
    return word[0] + _GLYPHS[word[1]] if _is_card(word) else word


def in_words(words: Sequence[str]) -> str:
    """Cards as they are read out: neighbours of one suit or of one rank share its name, "9 of diamonds, hearts"."""
    best: list[tuple[int, tuple[str, ...]]] = [(0, ())]  # of the first n words: what the reading costs, its groups
    for end in range(1, len(words) + 1):
        ways = []
        for start in range(end):
            cost = _cost(words[start:end])
            if cost is not None:
                ways.append((best[start][0] + cost, (*best[start][1], _group(words[start:end]))))
        best.append(min(ways))
    return "; ".join(best[-1][1])


def counted(number: int, noun: str) -> str:
    """`1 card`, `2 cards`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(texts: Sequence[str], word: str) -> str:
    """`a`, `a or b`, `a, b or c`."""
    if len(texts) < 2:
        return "".join(texts)
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}"


def house_rules(agreed: Sequence[tuple[str, str]]) -> str:
    """What differs from the usual at a table, `scoring chips, target_wins 3, 30 s a turn`."""
    return ", ".join(_house_rule(key, value) for key, value in agreed) or "usual rules"


def _house_rule(key: str, value: str) -> str:
    if key != "turn_seconds":
        return f"{key} {value}"
    return f"{value} s a turn" if value != "0" else "no turn clock"


def sentence(text: str) -> str:
    """With a capital where it begins with a word of ours, and a full stop; nicks and commands stay as they are."""
    if text.startswith(("you ", "you, ", "your ", "you'")):
        text = text[0].upper() + text[1:]
    return text if not text or text[-1] in ".!?:" else f"{text}."


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else 0


def _is_card(word: str) -> bool:
    return len(word) == 2 and word[1] in _SUITS and word[0] in "1A23456789TJQK"


_BREAK, _GAP = 100, 1


def _cost(group: Sequence[str]) -> int | None:
    """What it costs the ear to hear these as one group: few groups are best, then those without gaps in the ranks."""
    if len(group) == 1:
        return _BREAK
    if not all(map(_is_card, group)):
        return None
    if len({word[0] for word in group}) == 1:
        return _BREAK
    if len({word[1] for word in group}) > 1:
        return None
    ranks = ["A23456789TJQK".index(word[0]) for word in group]
    return _BREAK + _GAP * sum(high != low + 1 for low, high in pairwise(ranks))


def _group(group: Sequence[str]) -> str:
    if not _is_card(group[0]):
        return group[0]
    ranks = list(dict.fromkeys(_RANKS.get(word[0], word[0]) for word in group))
    suits = list(dict.fromkeys(_SUITS[word[1]] for word in group))
    return f"{', '.join(ranks)} of {', '.join(suits)}"

"""Combinations of Tiến lên in words: `a straight of 4`, `a higher pair`, `three 9s`; kinds as the rules write them."""

from __future__ import annotations

from collections.abc import Callable

_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
_RANKS = {"A": "aces", "T": "10s", "J": "jacks", "Q": "queens", "K": "kings"}
_DEALT = {
    "four_twos": "all four 2s",
    "dragon": "a straight from 3 to ace",
    "five_pair_sequence": "five pairs in a row",
    "six_pairs": "six pairs",
}
KINDS = "one card, two to four of a rank, three or more ranks in a row, or three or more pairs in a row"
"""What is a combination."""

_NTH = {1: "1st", 2: "2nd", 3: "3rd"}


def number(count: int) -> str:
    """A small number as a word."""
    return _NUMBERS.get(count, str(count))


def nth(place: int) -> str:
    """`1st`, `4th`."""
    return _NTH.get(place, f"{place}th")


def ranks(rank: str) -> str:
    """Several cards of one rank, `9s`, `kings`; rank: as a card's text begins."""
    return _RANKS.get(rank, f"{rank}s")


def combination(kind: str, size: int) -> str:
    """`a pair`, `a straight of 4`, `four pairs in a row`; size: the number of cards, of a double sequence of pairs."""
    match kind:
        case "single":
            return "a single card"
        case "pair":
            return "a pair"
        case "straight":
            return f"a straight of {size}"
        case "doubles":
            return f"{number(size)} pairs in a row"
    return f"{number(size)} of a kind"


def pile_of(kind: str, size: int) -> str:
    """The combination behind `ben's`."""
    return {"straight": "straight", "doubles": "row of pairs"}.get(kind) or combination(kind, size).removeprefix("a ")


def dealt(hand: str) -> str:
    """A dealt hand that wins at once."""
    return _DEALT.get(hand, hand)


def higher(kind: str, size: int) -> str:
    """What beats it without being a bomb."""
    match kind:
        case "single":
            return "a higher card"
        case "pair":
            return "a higher pair"
        case "straight":
            return f"a higher straight of {size}"
        case "doubles":
            return f"{number(size)} higher pairs in a row"
    return f"{number(size)} of a higher rank"


def topped(kind: str, size: int, top: str, card: Callable[[str], str]) -> str:
    """The combination with its highest card, `a pair of 9s up to 9♥`; card: how one is written in a sentence."""
    match kind:
        case "single":
            return card(top)
        case "pair":
            return f"a pair of {ranks(top[:1])} up to {card(top)}"
        case "triple" | "quad":
            return f"{number(size)} {ranks(top[:1])}"
    return f"{combination(kind, size)} up to {card(top)}"


def group(kind: str, rank: str) -> str:
    """Cards of one rank in a hand, `a pair of 9s`, `three kings`."""
    return f"a pair of {ranks(rank)}" if kind == "pair" else f"{'three' if kind == 'triple' else 'four'} {ranks(rank)}"


def bombs(pairs: int, quads: bool) -> str:
    """What beats 2s: four of a kind where it does, and double sequences from so many pairs on."""
    row = f"{number(pairs)} {'or more ' if pairs < 6 else ''}pairs in a row"
    return f"four of a kind or {row}" if quads else row

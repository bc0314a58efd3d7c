"""What can be typed while a record is looked at, on the screen and in plain mode: the same words as the keys.

parse("round 3"), parse("n"), parse("eyes ana")
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from p2pcards.errors import UserError


class Wish(NamedTuple):
    """One of `WORDS`, and what stands behind it."""

    verb: str
    given: str = ""


class Word(NamedTuple):
    """A verb: what may stand behind it, what it does, and other words for it."""

    given: str
    does: str
    also: tuple[str, ...] = ()


WORDS: Mapping[str, Word] = {
    "next": Word("[N]", "one move on, or N", ("n", "")),
    "back": Word("[N]", "one move back, or N", ("p", "previous", "b")),
    "turn": Word("[N]", "to the next turn, or to the Nth of this round", ("]",)),
    "move": Word("N", "to move N of this round"),
    "round": Word("[N]", "to the next round, or to round N", ("r",)),
    "start": Word("", "to the beginning", ("home", "first")),
    "end": Word("", "to the end", ("last",)),
    "eyes": Word("[NICK|all]", "see it as NICK did, or with all hands open; alone: the next one", ("as", "e")),
    "legal": Word("", "what was legal there", ("l",)),
    "hint": Word("", "what the hard bot would have done there", ("h",)),
    "play": Word("[SPEED]", "let it run, or stop it; 2 is twice as fast", ("a", "autoplay")),
    "help": Word("", "these words", ("?",)),
    "quit": Word("", "leave", ("q", "exit")),
}
"""By verb. An empty line is `next`, as in a pager."""

_MEANT = {word: verb for verb, one in WORDS.items() for word in (verb, *one.also)}
_NUMBERS = frozenset({"next", "back", "turn", "move", "round"})


def parse(line: str) -> Wish:
    """What the line wants; raises UserError with a sentence where it is none of the words."""
    word, *rest = line.split() or [""]
    verb, given = _MEANT.get(word.lower(), ""), " ".join(rest)
    if not verb:
        raise UserError(f"There is no {_shown(word)} here; `help` lists the words.")
    if given and not WORDS[verb].given:
        raise UserError(f"`{verb}` stands alone.")
    if not given and WORDS[verb].given and not WORDS[verb].given.startswith("["):
        raise UserError(f"`{verb}` wants a number: `{verb} 3`.")
    if given and verb in _NUMBERS and not (given.isdecimal() and given.isascii() and len(given) < _DIGITS):
        raise UserError(f"`{verb}` wants a number, not {_shown(given)}.")
    return Wish(verb, given)


_DIGITS = 10
"""Of a number that somebody may have meant."""


def _shown(text: str) -> str:
    return repr(text if len(text) <= 20 else f"{text[:20]}…")

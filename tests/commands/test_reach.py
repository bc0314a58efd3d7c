"""Completion in every game, in any position: what it offers leads to legal actions, and to all of them."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.commands import cardwords
from p2pcards.commands.command import Command
from p2pcards.commands.context import Context
from p2pcards.commands.legal import Legal
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import Suggestion, suggest
from tests.commands.test_why import contexts
from tests.games.anygame import games
from tests.games.walk import AnyGame
from tests.testing.dice import dice

MANY = 200
"""So many legal actions, or fewer, are all looked for; of more, some."""


def accept(text: str, one: Suggestion) -> str:
    """The line when the suggestion was taken."""
    return text[: one.start] + one.text


def moves(text: str, where: Context, legal: Legal) -> list[str]:
    """The lines after each suggestion that is of the game: no command of the table."""
    return [line for one in suggest(text, where) if one.text and _is_move(line := accept(text, one), legal)]


def _is_move(line: str, legal: Legal) -> bool:
    first = line.split()[0]
    return first in legal.game.verbs or cardwords.read(legal.game.ranking, (), first) is not None


def reachable(text: str, legal: Legal) -> bool:
    """Whether a legal line has all these words, in whatever order."""
    words = text.split()
    own = words.pop(0) if words and words[0] in legal.game.verbs else ""
    return any(
        set(words) <= set(known) and line.split()[0] == (own or line.split()[0])
        for line, known in zip(legal.lines, legal.words, strict=True)
    )


def mine(game: AnyGame, seed: int, most: int = 4) -> list[tuple[Context, Legal]]:
    """Moments of a round in which the person is to act."""
    return [
        (where, where.legal)
        for where in contexts(game, seed, most)
        if where.legal is not None and where.me in where.to_act
    ]


def beginnings(legal: Legal, rng: Random) -> list[str]:
    """The beginnings of some legal lines, with their words in some order, with the verb and without."""
    found = []
    for line in rng.sample(legal.lines, min(8, len(legal.lines))):
        verb, *words = line.split()
        rng.shuffle(words)
        for text in (" ".join([verb, *words]), " ".join(words)):
            found += [text[:end] for end in range(len(text) + 1)]
    return found


@settings(max_examples=60)
@given(games(), st.integers(0, 2**32))
def test_each_suggestion_keeps_a_legal_action_reachable(game: AnyGame, seed: int) -> None:
    for where, legal in mine(game, seed):
        for typed in beginnings(legal, dice(seed)):
            for line in moves(typed, where, legal):
                assert reachable(line, legal), (typed, line)


@settings(max_examples=60)
@given(games(), st.integers(0, 2**32))
def test_each_legal_action_is_reached_by_accepting_suggestions(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    for where, legal in mine(game, seed):
        wanted = legal.lines if len(legal.lines) <= MANY else rng.sample(legal.lines, 20)
        for line in wanted:
            assert _reaches(line, where, legal), line


def _reaches(line: str, where: Context, legal: Legal) -> bool:
    """Takes each suggestion that has nothing but words of the line, until it stands there and is understood."""
    waiting, seen = [""], {""}
    while waiting:
        text = waiting.pop()
        found = parse(text, where)
        if set(text.split()) == set(line.split()) and isinstance(found, Command) and found.action == line:
            return True
        for longer in moves(text, where, legal):
            if longer not in seen and set(longer.split()) <= set(line.split()):
                seen.add(longer)
                waiting.append(longer)
    return False


@settings(max_examples=30)
@given(games(), st.integers(0, 2**32))
def test_nothing_of_the_game_is_offered_while_others_act_or_the_own_act_is_on_its_way(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    for where in contexts(game, seed, 4):
        legal = where.legal
        assert legal is not None
        if where.me in where.to_act:
            where = replace(where, pending="an act on its way")
        texts = ["", *game.verbs, *(game.ranking.format(card) for card in where.hand)]
        for text in rng.sample(texts, min(6, len(texts))):
            assert moves(text, where, legal) == moves(f"{text} ", where, legal) == []

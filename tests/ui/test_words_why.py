"""The sentences of `why`, as they are read."""

from __future__ import annotations

from enum import Enum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.commands.context import Context, Where
from p2pcards.commands.suggest_why import Asks
from p2pcards.commands.why import Verdict
from p2pcards.commands.why_allowed import Because
from p2pcards.commands.why_turn import Waits
from p2pcards.games.tongits.state import Block, Phase
from p2pcards.ui import words, words_why
from p2pcards.ui.prompt import Kind, Prompt
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from p2pcards.ui.words_why import VEILED, answer
from tests.commands.test_why import action_space, contexts
from tests.games.anygame import games
from tests.games.walk import AnyGame
from tests.testing import onecard_spot, straights_spot, tienlen_spot
from tests.testing.dice import dice
from tests.testing.fake_node import FakeNode
from tests.testing.tongits_spot import context, spot

UNKNOWN = "7Z is no card, no action of this game and no command: `why 7H` asks about a card."
ANA = Words(Cards.SIGNS, "ana")
DRAW = context(spot("7H 7D QS", phase=Phase.DRAW, discards="7S", melds=((0, "4H 5H 6H"),), blocked=Block.LAID))
ACT = context(spot("7H 7D 7S KD", melds=((1, "4H 5H 6H"),)))
ATTACKED = onecard_spot.context(onecard_spot.moment(("2H 9S QH", "5C 6C"), "2S", pending=2))
WAITING = onecard_spot.context(onecard_spot.moment(("3H 9S", "5C 6C", "8C"), "9H", turn=1))
TRICK = tienlen_spot.context(tienlen_spot.spot("9D 9H TD", "3 5S 5D"))
ROWS = straights_spot.context(straights_spot.spot("9S 6S KD"))


@pytest.mark.parametrize(
    ("asked", "where", "lines"),
    [
        (
            "KD",
            ACT,
            [
                "`discard KD` is legal: you have your card for this turn, and a discard ends it (rule R15).",
                "What it does: it takes 10 points out of your hand.",
            ],
        ),
        (
            "7h",
            ACT,
            [
                "With 7♥ you may do one of these:",
                "`expose 7D 7H 7S`: your first meld: now you may challenge, later call.",
                "`layoff 7H m1`: goes on ben's 4♥ 5♥ 6♥, so ben may not call next.",
                "`discard 7H`: it takes 7 points out of your hand, but breaks a meld in it.",
            ],
        ),
        (
            "layoff KD m1",
            ACT,
            ["The K♦ does not fit m1: 4♥ 5♥ 6♥ (rule R14).", "With K♦ you may `discard KD`."],
        ),
        (
            "call",
            DRAW,
            [
                "You may not call: somebody laid off on a meld of yours since your last turn (rule R17).",
                "You may `draw` or `take 7D 7H`.",
            ],
        ),
        (
            "9S",
            ATTACKED,
            [
                "The 9♠ can't be played on the 2♠ while an attack of 2 cards waits for you: only a 2, 3, 7, jack or "
                "queen answers it (rule R16).",
                "Nothing can be done with 9♠ now.",
                "You may `play 2H` or `draw`.",
            ],
        ),
        (
            "3h",
            WAITING,
            [
                "It is ben's turn: the turns go round by seat (rule R9).",
                "`play 3H` would be legal if it were your turn now: the 3♥ has the suit of the 9♥ (rule R11).",
                "What it would do: attacks ben with 3 cards.",
            ],
        ),
        (
            "draw",
            WAITING,
            [
                "It is ben's turn: the turns go round by seat (rule R9).",
                "Not even if it were your turn now: you may not draw while you have a card that fits: 3♥ 9♠ "
                "(rule R13).",
                "If it were your turn now, you could `play 3H` or `play 9S`.",
            ],
        ),
        (
            "9D 9H",
            TRICK,
            [
                "`play 9D 9H` is legal: it is of the same kind and size, and its highest card 9♥ is above 5♦ "
                "(rule R9).",
                "What it does: beats 5♦ with 9♥.",
            ],
        ),
        (
            "TD",
            TRICK,
            [
                "You must beat 5♠ 5♦ with a higher pair (rule R9).",
                "Nothing can be done with T♦ now.",
                "You may `play 9D 9H` or `pass`.",
            ],
        ),
        (
            "KD",
            ROWS,
            [
                "Diamonds are not open: somebody must play the 7♦ first (rule R7).",
                "Nothing can be done with K♦ now.",
                "You may `play 6S`.",
            ],
        ),
        ("hand", ROWS, ["`hand` works here: show your cards."]),
        ("layoff 6S", ROWS, ["There is no `layoff` in Straights: `turn` tells what you may do."]),
    ],
)
def test_what_is_read(asked: str, where: Context, lines: list[str]) -> None:
    assert answer(asked, where, ANA, hidden=False) == lines


def test_alone() -> None:
    assert answer("", DRAW, ANA, hidden=False) == [
        "Your turn: draw, or take 7♦ 7♥ with the 7♠.",
        "You may not call: somebody laid off on a meld of yours since your last turn (rule R17).",
        "Not `expose`, `layoff` or `discard`: your turn begins with a card: draw one, or take the top discard "
        "(rule R10).",
    ]
    assert answer("", WAITING, ANA, hidden=False) == [
        "It is ben's turn: the turns go round by seat (rule R9).",
        "If it were your turn now, you could `play 3H` or `play 9S`.",
    ]


def test_only_some_of_many_are_named() -> None:
    where = tienlen_spot.context(tienlen_spot.spot("3S 4S 5D 7D 8C TH JC"))
    *_, last = answer("pass", where, ANA, hidden=False)
    assert last.startswith("You may `play 3S`, `play 4S`")
    assert last.endswith("` and more.")
    *_, last = answer("play", where, ANA, hidden=False)
    many = f"These are the first 6 of {len(where.legal.lines) if where.legal else 0}."
    assert last == many
    others = tienlen_spot.context(tienlen_spot.spot("3S 4S 5D 7D 8C TH JC", turn=1))
    assert answer("play", others, ANA, hidden=False)[-1] == many


@pytest.mark.parametrize("kind", [Because, Waits, Verdict])
def test_every_code_has_its_sentence(kind: type[Enum]) -> None:
    assert set(words_why._SENTENCES[kind]) == set(kind)
    assert set(words._SENTENCES[Asks]) == set(Asks)


# ---- hidden cards


def test_with_hidden_cards_nothing_is_told_of_them() -> None:
    veiled = Words(Cards.SIGNS, "ana", hidden=True)
    for asked in ("KD", "7H", "discard KD", "draw", "discard", "AS", "layoff"):
        assert answer(asked, ACT, veiled, hidden=True) == [VEILED]
    assert answer("", ACT, veiled, hidden=True) == ["Your turn. Your cards are hidden; `hide` shows them again."]
    waits, hidden = answer("", WAITING, veiled, hidden=True)
    assert (waits, hidden) == ("It is ben's turn: the turns go round by seat (rule R9).", VEILED)
    assert answer("start", ACT, veiled, hidden=True) == ["`start` works only in the lobby or after the match."]
    assert answer("7Z", ACT, veiled, hidden=True) == [UNKNOWN]


@settings(max_examples=15)
@given(games(), st.integers(0, 2**32))
def test_the_answer_is_the_same_for_every_hidden_hand(game: AnyGame, seed: int) -> None:
    for where in contexts(game, seed, 3):
        said = answer("", where, Words(Cards.LETTERS, where.nick, hidden=True), hidden=True)
        mine = {game.ranking.format(card) for card in where.hand} - _seen(game, where)
        assert mine.isdisjoint(word.strip(".,:;`") for line in said for word in line.split())


def _seen(game: AnyGame, where: Context) -> set[str]:
    """Cards that everybody sees, of which another may be in the hand too."""
    assert where.legal is not None
    public = where.legal.view.public
    cards = {public.discards[-1]} if game.name in ("onecard", "tongits") and public.discards else set()
    if game.name == "tienlen" and public.must is not None:
        cards = {public.must}
    if game.name == "straights":
        return {game.options.start_card}
    return {game.ranking.format(card) for card in cards}


# ---- at the prompt


def test_at_the_prompt() -> None:
    prompt = Prompt(FakeNode(3), Cards.WORDS, str)
    prompt.enter("practise tongits")
    assert prompt.enter("why").kind is Kind.SHOWN
    prompt.enter("why draw")
    assert prompt.enter("why KD discard please").lines
    assert prompt.enter("why 7Z").lines == (UNKNOWN,)
    prompt.enter("hide")
    assert prompt.enter("why discard #1").lines == (VEILED,)
    assert Prompt(FakeNode(3), Cards.WORDS, str).enter("why").kind is Kind.WRONG


def test_in_the_lobby_it_says_what_is_waited_for() -> None:
    assert answer("", Context(where=Where.LOBBY, host_nick="ben"), ANA, hidden=False) == ["Waiting for ben to start."]


# ---- what always holds


@settings(max_examples=15)
@given(games(), st.integers(0, 2**32))
def test_every_answer_begins_with_one_whole_sentence(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    for where in contexts(game, seed, 2):
        said = Words(Cards.WORDS, where.nick)
        lines = [line for line in action_space(game, where, rng) if rng.randrange(4) == 0]
        for line in ("", *lines, *(where.legal.lines[:9] if where.legal else ())):
            for text in answer(line, where, said, hidden=False) or ["nothing"]:
                assert text[-1] in ".:?"
                assert "{" not in text
                assert "  " not in text

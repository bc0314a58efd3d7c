"""The engine against the plain one of tests/testing: the same legal texts, states and ends in random rounds."""

from __future__ import annotations

import pytest

from p2pcards.cards import ACE_LOW, Cards, deck, each, format_cards
from p2pcards.games.base import Dealt, Seat
from p2pcards.games.options import convert_options
from p2pcards.games.straights import Straights
from p2pcards.games.straights.state import State
from tests.testing import naive_straights as naive
from tests.testing.dice import dice

OPTIONS: list[dict[str, bool | int | str]] = [
    {},
    {"start_card": "7D", "open_discards": True},
    {"mode": "sevens_pass"},
    {"mode": "sevens_pass", "start_card": "7H", "open_discards": True},
]


def _same(game: Straights, state: State, plain: naive.NaiveRound) -> None:
    assert [format_cards(ACE_LOW, hand) for hand in state.hands] == [_texts(hand) for hand in plain.hands]
    assert format_cards(ACE_LOW, state.public.table) == _texts(plain.table)
    assert [list(map(ACE_LOW.format, cards)) for cards in state.discards] == plain.aside
    assert list(game.to_act(game.view(state, None))) == plain.acting()
    fits = [card for card in naive.PACK if card not in plain.table and plain.fits(card)]
    assert format_cards(ACE_LOW, state.public.fits) == _texts(fits)
    for seat in range(4):
        actions = game.legal_actions(game.view(state, Seat(seat)))
        assert sorted(map(game.format, actions)) == sorted(plain.legal(seat))


def _texts(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=naive.PACK.index))


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: "-".join(options) or "default")
@pytest.mark.parametrize("whole", [True, False], ids=["whole", "puzzle"])
def test_both_engines_agree(options: dict[str, bool | int | str], whole: bool) -> None:
    """With the whole pack dealt, and with puzzles of uneven hands that leave cards out."""
    rng = dice(f"{options}{whole}")
    game = Straights(convert_options(Straights, options))
    ends = set()
    for _ in range(20):
        order, starter = list(deck()), rng.randrange(4)
        rng.shuffle(order)
        dealt = game.dealt(order, 4, Seat(starter))
        if not whole:
            dealt = Dealt(tuple(_some(hand, game, rng.randrange(1, 12)) for hand in dealt.hands), ())
        state = game.position(dealt, game.opener(dealt, Seat(starter), True))
        plain = naive.dealt([naive.PACK[card] for card in order], starter, options)
        if not whole:
            plain = naive.NaiveRound([[naive.PACK[card] for card in each(hand)] for hand in dealt.hands], options)
        _same(game, state, plain)
        while acting := plain.acting():
            texts = plain.legal(acting[0])
            text = texts[rng.randrange(len(texts))]
            state = game.step(state, Seat(acting[0]), game.parse(text))
            plain.act(acting[0], text)
            _same(game, state, plain)
        outcome = game.outcome(state)
        assert outcome is not None
        assert (outcome.reason, list(outcome.winners), list(outcome.points)) == (
            plain.reason,
            plain.winners(),
            plain.points(),
        )
        ends.add(plain.reason)
    assert ends == ({"played", "blocked"} if not whole and "mode" in options else {"played"})


def _some(hand: Cards, game: Straights, count: int) -> Cards:
    """So many of these cards, the start card first of all."""
    held = sorted(each(hand), key=lambda card: (card != game.start_card, card * 7 % 53))
    return Cards(sum(1 << card for card in held[:count]))

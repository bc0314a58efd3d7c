"""Moments of One Card, from text: what lies there and who holds what, and the context in which ana types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from p2pcards.cards import ACE_LOW, Card, deck
from p2pcards.commands.context import Context
from p2pcards.games.base import DEALER, Seat, Shuffle
from p2pcards.games.onecard import OneCard
from p2pcards.games.onecard.pack import held
from p2pcards.games.onecard.state import Phase, Public, State, View
from p2pcards.games.options import read_options
from tests.testing.dice import dice
from tests.testing.playing import playing

OPTIONS = st.fixed_dictionaries(
    {
        "must_play": st.sampled_from(["true", "false"]),
        "draw_then_play": st.sampled_from(["true", "false"]),
        "draw_until_playable": st.sampled_from(["true", "false"]),
        "free_defence": st.sampled_from(["true", "false"]),
        "redirect_by_rank": st.sampled_from(["true", "false"]),
        "starter_effect": st.sampled_from(["true", "false"]),
        "final_attack_counts": st.sampled_from(["true", "false"]),
        "two_player_queen": st.sampled_from(["literal", "skip"]),
        "call_one_card": st.sampled_from(["off", "self"]),
        "bankrupt_at": st.sampled_from(["0", "9"]),
    }
)
"""Options that change what actions do."""

NICKS = ("ana", "ben", "cy", "dan", "eve", "fay", "gil", "hal")


def cards(text: str) -> tuple[Card, ...]:
    """Faces, in the order written."""
    return ACE_LOW.parse_all(text)


def game_of(options: dict[str, str] | None = None) -> OneCard:
    """The game with these options."""
    return OneCard(read_options(OneCard, options or {}))


def moment(
    hands: tuple[str, ...],
    top: str,
    *,
    under: str = "4C",
    stock: str = "5C 5D 6C 6D 8C 8D",
    turn: int = 0,
    direction: int = 1,
    pending: int = 0,
    actions: int = 9,
    bankrupt: tuple[int, ...] = (),
    order: tuple[tuple[int, str], ...] = (),
    idle: int = 0,
    phase: Phase = Phase.TURN,
    drawn: str = "",
) -> State:
    """A round in which so much has happened; hands by seat, piles with the next card or the top card as named."""
    held_ = tuple(held(cards(hand)) for hand in hands)
    public = Public(
        phase=phase,
        turn=Seat(turn),
        starter=Seat(0),
        direction=direction,
        pending=pending,
        counts=tuple(hand.bit_count() for hand in held_),
        stock=len(cards(stock)),
        discards=(*cards(under), *cards(top)),
        idle=idle,
        actions=actions,
        skipped=None,
        drawing=None,
        bankrupt=tuple(map(Seat, bankrupt)),
        order=tuple((Seat(seat), cards(card)[0]) for seat, card in order),
        reason=None,
        winners=(),
        left=(),
    )
    return State(public, held_, cards(stock), cards(drawn)[0] if drawn else None)


def context(state: State, options: dict[str, str] | None = None, seat: int = 0, **more: Any) -> Context:
    """The context of the seat in an open round."""
    game = game_of(options)
    return playing(game, game.view(state, Seat(seat)), NICKS[: len(state.hands)], **more)


def stepped(state: State, text: str, options: dict[str, str] | None = None, seat: int | None = None) -> State:
    """The state after the action of whoever is to act; "shuffle" is the dealer's, in ascending order."""
    game = game_of(options)
    if text == "shuffle":
        return game.step(state, DEALER, Shuffle(game.to_shuffle(game.view(state, None))))
    return game.step(state, Seat(state.public.turn if seat is None else seat), game.parse(text))


def random_states(seed: int, seats: int, options: dict[str, str] | None = None) -> Iterator[State]:
    """Every state of a round played by chance, the last one over."""
    rng = dice(seed)
    game = game_of(options)
    cards = list(deck(game.decks()))
    rng.shuffle(cards)
    state = game.deal(cards, seats, Seat(rng.randrange(seats)))
    yield state
    while acting := game.to_act(game.view(state, None)):
        if acting == (DEALER,):
            order = list(game.to_shuffle(game.view(state, None)))
            rng.shuffle(order)
            state = game.step(state, DEALER, Shuffle(tuple(order)))
        else:
            state = game.step(state, acting[0], rng.choice(list(game.legal_actions(game.view(state, acting[0])))))
        yield state


def views(seed: int, seats: int, options: dict[str, str] | None = None) -> Iterator[View]:
    """What whoever is to act sees in such a round."""
    game = game_of(options)
    for state in random_states(seed, seats, options):
        for seat in game.to_act(game.view(state, None)):
            if seat != DEALER:
                yield game.view(state, seat)

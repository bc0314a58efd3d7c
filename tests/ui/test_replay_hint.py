"""What the bot would have done: from what the seat knew, and given up once nobody wants to know."""

from __future__ import annotations

import asyncio

import pytest
from msgspec.structs import replace

from p2pcards.bots.budget import Budget
from p2pcards.bots.thinking import Thought
from p2pcards.cards import Cards
from p2pcards.games.base import DEALER, Seat
from p2pcards.games.reel import Reel, Spot
from p2pcards.games.registry import GAMES
from p2pcards.ui.replay_hint import Adviser, thoughts
from tests.testing.replays import sample_reel

STEPS = Budget(steps=6)


async def thought_out(adviser: Adviser) -> int:
    """Waits until it has thought; how many turns of the loop that took."""
    turns = 0
    while adviser.thinks:
        turns += 1
        await asyncio.sleep(0)
    return turns


def spots(made: Reel) -> list[Spot]:
    """Positions in which one seat is to act, a few of them."""
    found = [spot for spot in made.spots if len(made.acting(spot)) == 1 and DEALER not in made.acting(spot)]
    return found[:: max(1, len(found) // 6)]


@pytest.mark.parametrize("game", GAMES)
def test_it_is_a_legal_action(game: str) -> None:
    made = sample_reel(game)
    for spot in spots(made):
        view = made.view(spot, made.acting(spot)[0])
        *_, last = thoughts(made.game, view, STEPS)
        assert last.action in list(made.game.legal_actions(view))


@pytest.mark.parametrize("game", ["tongits", "tienlen", "straights"])
def test_it_hangs_on_no_hidden_hand(game: str) -> None:
    """The hands of two others are exchanged card by card where they are equally long: the thought is the same."""
    made = sample_reel(game)
    swapped = 0
    for spot in spots(made):
        (seat,) = made.acting(spot)
        state = made.state(spot)
        one, two = [Seat(other) for other in range(len(made.players)) if other != seat][:2]
        hands = list(state.hands)
        low, high = hands[one] & -hands[one], hands[two] & -hands[two]
        hands[one], hands[two] = Cards(hands[one] ^ low | high), Cards(hands[two] ^ high | low)
        other = made.game.view(replace(state, hands=tuple(hands)), seat)
        assert other == made.view(spot, seat)
        if low and high:
            swapped += 1
            assert (
                list(thoughts(made.game, other, STEPS))[-1]
                == list(thoughts(made.game, made.view(spot, seat), STEPS))[-1]
            )
    assert swapped


async def test_another_question_takes_the_place_of_the_one_before() -> None:
    made = sample_reel("tongits")
    told: list[Thought[str] | None] = []
    adviser = Adviser(told.append)
    adviser.ask(made.game, made.view(made.spots[0], Seat(1)))
    await asyncio.sleep(0)
    adviser.ask(made.game, made.view(made.spots[1], Seat(1)))
    await thought_out(adviser)
    assert len(told) == 1
    assert told[0] is not None
    assert told[0].action.startswith(("expose", "discard"))  # in the first it could only draw


async def test_it_gives_way_to_everything_else_while_it_thinks() -> None:
    made = sample_reel("tienlen")
    adviser = Adviser(lambda thought: None)
    adviser.ask(made.game, made.view(made.spots[0], made.acting(made.spots[0])[0]))
    assert await thought_out(adviser) > 10


async def test_a_bot_that_fails_is_said_to() -> None:
    made = sample_reel("tongits")
    told: list[Thought[str] | None] = []
    adviser = Adviser(told.append)
    adviser.ask(made.game, made.view(made.spots[0], None))  # a spectator has nothing to do
    await thought_out(adviser)
    assert told == [None]

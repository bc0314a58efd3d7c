"""Nobody learns a card that he may not know: questions, bots and lengths (protocol 10, suite 17).

Twins of whole rounds, of all games, are in `test_no_leak_games`.
"""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import DECK, Card, cards_of
from p2pcards.games.base import Seat
from p2pcards.games.tongits.rules import TongIts
from p2pcards.games.tongits.state import Phase
from p2pcards.games.tongits.state import View as SeatView
from p2pcards.table.notices import BotTurn
from p2pcards.wire.messages import View, encode
from tests.table.test_no_leak_games import LOOKS, Story, first, tell
from tests.testing import twins
from tests.testing.cluster import Cluster, started
from tests.testing.dice import dice
from tests.testing.table import all_hold_melds, fold_of, question


@cache
def asked(answered: bool) -> Cluster:
    """A call that two are to answer; one of them has."""
    cluster = question()
    cluster.join("dot", watch=True)
    if answered:
        cluster.act("ben", "challenge")
    return cluster


@pytest.mark.parametrize("name", ["ana", "ben", "cy", "dot"])
@pytest.mark.parametrize("answered", [False, True])
def test_twins_with_a_question_pending(answered: bool, name: str) -> None:
    one = asked(answered)

    def again() -> Cluster:
        two = started(1, wish=all_hold_melds(0))
        two.wish = None
        for who, text in one.acted:
            if (who, text) == ("ben", "challenge"):
                two.join("dot", watch=True)
            two.act(who, text)
        if not answered:
            two.join("dot", watch=True)
        return two

    two = twins.twin(one, twins.elsewhere(one, one.peers[name].guest.me, dice(name)), again)
    assert fold_of(two).state.public.phase is Phase.RESPOND
    assert twins.received(one, name) == twins.received(two, name)


@pytest.mark.parametrize("game", LOOKS)
def test_a_bot_sees_its_own_view_and_no_more(game: str) -> None:
    """Twins again, for what a bot is asked with."""
    seed, one, words = first(LOOKS[game])
    two = twins.twin(one, twins.elsewhere(one, 2, dice(game)), lambda: tell(LOOKS[game], seed, Story(seed, words)))
    turns = []
    for cluster in (one, two):
        rules, index = cluster.host.public.rules, cluster.host.public.journal.heads.index
        asked = [notice for notice in cluster.host_notices if isinstance(notice, BotTurn) and notice.seat == 2]
        turns.append([(notice.level, index(notice.head), rules.encode_view(notice.view)) for notice in asked])
    assert turns[0] == turns[1]
    assert turns[0]


# ---- lengths


@settings(max_examples=15)
@given(st.randoms(use_true_random=False), st.integers(0, 12), st.integers(0, 3))
def test_private_views_of_equal_shape_are_equally_long(dice: random.Random, cards: int, seat: int) -> None:
    """What is sealed tells its length: it must not tell a card."""
    game = TongIts()
    base = game.view(game.deal(tuple(Card(card) for card in range(DECK)), 3, Seat(0)), Seat(seat % 3))
    sizes = set()
    for _ in range(6):
        hand = cards_of(Card(card) for card in dice.sample(range(DECK), cards))
        view = SeatView(base.seat, base.public, hand)
        sizes.add(len(encode(View(7, game.encode_view(view), ()))[1]))
    assert len(sizes) == 1


def test_every_single_card_is_as_long_as_any_other() -> None:
    game = TongIts()
    base = game.view(game.deal(tuple(Card(card) for card in range(DECK)), 3, Seat(0)), Seat(0))
    sizes = {len(game.encode_view(replace(base, hand=cards_of([Card(card)])))) for card in range(DECK)}
    assert len(sizes) == 1

"""Nobody learns a card that he may not know, in any game (protocol 10, suite 17).

Twins as in `test_no_leak`: here two cards that one of them may not know have changed places, and all that was done
before is legal on both tables.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from p2pcards.cards import Card, each, face
from p2pcards.errors import IllegalAction
from p2pcards.games.base import Seat, Where
from p2pcards.table import play
from p2pcards.table.deal import Deal, deal_from
from p2pcards.table.fold import RoundFold
from p2pcards.table.notices import Alarm, BotTurn
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.messages import encode
from tests.testing.cluster import Cluster, started
from tests.testing.table import fold_of

TABLES: list[tuple[str, int, dict[str, str]]] = [
    ("tongits", 3, {}),
    ("tienlen", 3, {}),
    ("tienlen", 4, {"first_lead": "lowest_card"}),
    ("straights", 4, {}),
    ("onecard", 4, {}),
    ("onecard", 5, {"order_cards": "never", "decks": "3"}),
]
NAMES = ("ana", "ben", "cy", "dot")


def tell(
    game: str, seats: int, options: dict[str, str], seed: int, acts: int, told: list[str] | None = None
) -> tuple[Cluster, list[str]]:
    """A table after that many acts of people; `told` are those of an earlier telling, bots' among them, in order."""
    cluster = started(seed, game=game, seats=seats, options=options)
    dice = random.Random(seed)  # noqa: S311 - a test's dice
    story: list[str] = []
    again = iter(told or ())

    def choose(view: Any) -> str:
        rules = cluster.host.public.rules
        legal = [rules.format(action) for action in rules.legal_actions(view)]
        story.append(dice.choice(legal) if told is None else next(again))
        return story[-1]

    def bot(turn: BotTurn) -> str:
        return choose(turn.view)

    cluster.bots = bot
    cluster.rng.seed(seed)
    cluster.join("dot", watch=True)
    while len(cluster.acted) < acts and cluster.movers:
        peer = cluster.movers[0]
        cluster.act(peer.name, choose(peer.guest.my_turn))
    assert all(peer.told(Alarm) == [] for peer in cluster.peers.values())
    return cluster, story


def hidden(cluster: Cluster, seat: int | None) -> list[int]:
    """The places in the order of the cards that a seat (None: a spectator) may not know."""
    fold = fold_of(cluster)
    state, order = fold.state, fold.order
    places = fold.game.layout(len(state.hands), Seat(cluster_starter(cluster)), True)
    held = [Counter(map(face, each(hand))) for hand in state.hands]
    unknown = []
    for at, (card, place) in enumerate(zip(order, places, strict=True)):
        if place.where is Where.UNUSED:
            unknown.append(at)
        elif (
            place.where is Where.HAND and place.seat is not None and place.seat != seat and held[place.seat][face(card)]
        ):
            held[place.seat][face(card)] -= 1
            unknown.append(at)
    stock = len(getattr(state, "stock", ()))
    return [*unknown, *range(len(order) - stock, len(order))]


def cluster_starter(cluster: Cluster) -> int:
    current = cluster.host.public.round
    assert current is not None
    assert current.starter is not None
    return current.starter


def is_twin(fold: RoundFold, order: tuple[Card, ...], starter: int) -> bool:
    """Whether what was done is legal with this order too, and leads elsewhere."""
    deal = Deal(order, 0)
    other = RoundFold(fold.game, deal, len(fold.state.hands), starter, True, 0, 0)
    if other.opener != fold.opener:
        return False
    try:
        for seat, text in fold.actions:
            other.act(seat, text, 0)
    except IllegalAction:
        return False
    same = fold.game.to_act(other.view(None)) == fold.game.to_act(fold.view(None))
    return same and other.state != fold.state


def twin_order(cluster: Cluster, seat: int | None, dice: random.Random) -> tuple[Card, ...]:
    fold, places = fold_of(cluster), hidden(cluster, seat)
    for _ in range(2000):
        here, there = dice.sample(places, 2)
        order = list(fold.order)
        order[here], order[there] = order[there], order[here]
        if face(order[here]) != face(order[there]) and is_twin(fold, tuple(order), cluster_starter(cluster)):
            return tuple(order)
    raise AssertionError("no twin")


@pytest.mark.parametrize(("seed", "acts"), [(1, 1), (2, 9), (3, 17)])
@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=str)
def test_twins_show_the_same_to_who_may_not_know_the_difference(
    game: str, seats: int, options: dict[str, str], seed: int, acts: int
) -> None:
    one, story = tell(game, seats, options, seed, acts)
    while one.host.public.round is None:  # the round was over by then
        acts -= 3
        one, story = tell(game, seats, options, seed, acts)
    dice = random.Random(seed)  # noqa: S311 - a test's dice
    for name in NAMES:
        order = twin_order(one, one.peers[name].guest.me, dice)

        def dealt(
            table: bytes, epoch: int, secret: bytes, cards: bytes, seats: int, order: tuple[Card, ...] = order
        ) -> Deal:
            return Deal(order, deal_from(table, epoch, secret, cards, seats).lot)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(play, "deal_from", dealt)
            two, _ = tell(game, seats, options, seed, acts, story)
        assert fold_of(two).state != fold_of(one).state
        received = [list(map(encode, cluster.peers[name].received)) for cluster in (one, two)]
        assert len(received[0]) > 3
        assert received[0] == received[1], name


def test_the_stories_have_what_is_hidden_in_them() -> None:
    kinds = set()
    for seed, acts in ((2, 9), (3, 17), (5, 30)):
        cluster, _ = tell("straights", 4, {}, seed, acts)
        kinds |= {entry.kind for entry in cluster.host.public.journal.entries}
    assert EntryKind.SEALED in kinds

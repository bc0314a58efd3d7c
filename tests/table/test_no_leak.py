"""Nobody learns a card that he may not know (protocol 10, suite 17).

Twins are two tables on which the same people do the same things, down to every random byte; their decks differ in cards
that one of them may not know at the end of it, and in nothing else. Everything that this one received must be equal.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import DECK, Card, cards_of
from p2pcards.games.base import Seat
from p2pcards.games.tongits.rules import TongIts
from p2pcards.games.tongits.state import Phase, State
from p2pcards.games.tongits.state import View as SeatView
from p2pcards.table import play
from p2pcards.table.deal import Deal, deal_from
from p2pcards.table.fold import RoundFold
from p2pcards.table.notices import Alarm, BotTurn
from p2pcards.wire.messages import Kind, View, encode
from tests.table.test_acts import envelope, send
from tests.testing.cluster import Cluster, Peer, started
from tests.testing.table import all_hold_melds, fold_of, question

Event = tuple[str, ...]
PEERS = ("ana", "ben", "cy", "dot", "eve", "fay")
"""Two players, one that comes back twice, a watcher, one that comes late, and one that came in the round before."""


class Story:
    """What happens at a table, made up as it goes (the first twin) or told again (the second)."""

    def __init__(self, seed: int, told: Sequence[Event] = ()) -> None:
        self.dice = random.Random(seed)  # noqa: S311 - a test's dice
        self.events: list[Event] = []
        self._told = iter(told)
        self._again = bool(told)

    def choice(self, event: str, *, of: Sequence[str]) -> str:
        """One of these words, and the same one in the second telling."""
        word = next(self._told)[1] if self._again else self._pick(of)
        self.events.append((event, word))
        return word

    def _pick(self, of: Sequence[str]) -> str:
        eager = [text for text in of if text.split()[0] in ("expose", "take")]
        return self.dice.choice(eager if eager and self.dice.random() < 0.4 else list(of))


def tell(seed: int, acts: int, round: int, story: Story) -> Cluster:
    """A table up to that many acts of that round."""
    cluster = started(seed, options={"match_rounds": "9"}, settings={"grace_seconds": "3"})
    cluster.bots = lambda turn: story.choice("bot", of=legal(turn.view))
    cluster.join("dot", watch=True)
    for number in range(1, round + 1):
        if number > 1:
            for name in ("ana", "ben", "cy"):
                cluster.want(name, "next")
        done = 0
        while cluster.host.public.round is not None and (number < round or done < acts):
            if number == round:
                _comes_and_goes(cluster, done)
            for peer in list(cluster.peers.values()):
                if peer.guest.me is not None and peer.link is not None:
                    _tries(cluster, peer, done)
            if cluster.movers:
                name = story.choice("who", of=[peer.name for peer in cluster.movers])
                cluster.act(name, story.choice("act", of=legal(cluster.peers[name].guest.my_turn)))
            else:
                cluster.pass_time(2)
            done += 1
    cluster.pass_time(1.5)
    assert all(peer.told(Alarm) == [] for peer in cluster.peers.values())
    return cluster


def legal(view: Any) -> list[str]:
    """The texts of all that may be done with a view."""
    return [TongIts().format(action) for action in TongIts().legal_actions(view)]


def _comes_and_goes(cluster: Cluster, done: int) -> None:
    if done == 2:
        cluster.cut("cy")
    elif done == 4:
        cluster.back("cy")
        cluster.join("eve", watch=True)
    elif done == 7:
        cluster.cut("cy")
        cluster.pass_time(4)  # a bot plays for it meanwhile
    elif done == 10:
        cluster.join("cy")  # a program started afresh
    elif done == 0:
        cluster.join("fay", watch=True)


def _tries(cluster: Cluster, peer: Peer, done: int) -> None:
    """Asks the host for what can't be done, in the hope that the refusal tells something."""
    view = peer.guest._reader.view
    if view is None or not peer.guest.settled:
        return
    unheld = [Card(card) for card in range(DECK) if not view.hand >> card & 1]
    card = cluster.host.public.rules.ranking.format(unheld[done * 7 % len(unheld)])
    for text in (f"discard {card}", f"layoff {card} m1", "fold", f"take {card} AS"):
        if text not in legal(view):
            send(cluster, peer, envelope(cluster, peer.seat, text))


def hidden(state: State, seat: int | None) -> set[int]:
    """The cards that a seat (or a spectator) may not know."""
    others = [hand for owner, hand in enumerate(state.hands) if owner != seat]
    return {card for hand in others for card in range(DECK) if hand >> card & 1} | set(state.stock)


def twin_of(cluster: Cluster, seat: int | None, seed: int) -> tuple[Card, ...]:
    """The order of the cards in which what this seat may not know is somewhere else."""
    fold, dice = fold_of(cluster), random.Random(seed)  # noqa: S311 - a test's dice
    secret = hidden(fold.state, seat)
    places = [place for place, card in enumerate(fold.order) if card in secret]
    moved = list(places)
    while any(one == other for one, other in zip(places, moved, strict=True)) and len(places) > 3:
        dice.shuffle(moved)
    order = list(fold.order)
    for place, other in zip(places, moved, strict=True):
        order[place] = fold.order[other]
    return tuple(order)


def received(cluster: Cluster, name: str) -> list[tuple[Kind, bytes]]:
    """Every byte that reached somebody, in whatever program."""
    programs = [peer for peer in (*cluster.past, cluster.peers[name]) if peer.name == name]
    return [encode(message) for peer in programs for message in peer.received]


def second(one: Cluster, name: str, again: Callable[[], Cluster], seed: int) -> Cluster:
    """The twin in which what this one may not know is elsewhere, all else told again."""
    order = twin_of(one, one.peers[name].guest.me, seed)
    epoch = one.host.public.epoch

    def dealt(table: bytes, of: int, secret: bytes, cards: bytes, seats: int) -> Deal:
        honest = deal_from(table, of, secret, cards, seats)
        return Deal(order, honest.lot) if of == epoch else honest

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play, "deal_from", dealt)
        two = again()
    assert fold_of(two).state != fold_of(one).state
    assert two.host.table == one.host.table
    return two


@cache
def first(seed: int, acts: int, round: int) -> tuple[Cluster, tuple[Event, ...]]:
    """One twin, and its story."""
    story = Story(seed)
    cluster = tell(seed, acts, round, story)
    return cluster, tuple(story.events)


CUTS = [(1, 1, 1), (2, 6, 1), (3, 11, 1), (18, 31, 1), (10, 20, 2)]


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize(("seed", "acts", "round"), CUTS)
def test_twins_show_the_same_to_who_may_not_know_the_difference(seed: int, acts: int, round: int, name: str) -> None:
    one, events = first(seed, acts, round)
    if name not in one.peers:
        assert name == "eve"
        assert acts < 5
        return
    two = second(one, name, lambda: tell(seed, acts, round, Story(seed, events)), seed)
    assert len(received(one, name)) > 4
    assert received(one, name) == received(two, name)


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
        for who, text in one.acted:
            if text == "call" or two.host.public.round is None:
                two.wish = None
            if (who, text) == ("ben", "challenge"):
                two.join("dot", watch=True)
            two.act(who, text)
        if not answered:
            two.join("dot", watch=True)
        return two

    two = second(one, name, again, 1)
    assert fold_of(two).state.public.phase is Phase.RESPOND
    assert received(one, name) == received(two, name)


def test_a_leak_would_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A host whose views tell the next card of the stock in place of how many there are."""
    honest = RoundFold.view

    def leaking(self: RoundFold, seat: int | None) -> Any:
        view = honest(self, seat)
        return replace(view, public=replace(view.public, stock=self.state.stock[0])) if self.state.stock else view

    monkeypatch.setattr(RoundFold, "view", leaking)
    for name in ("ana", "ben", "dot"):
        one, events = first.__wrapped__(1, 3, 1)
        two = second(one, name, partial(tell, 1, 3, 1, Story(1, events)), 1)
        assert received(one, name) != received(two, name)


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


def test_a_bot_sees_its_own_view_and_no_more() -> None:
    """Twins again, for what a bot is asked with."""
    one, events = first(18, 31, 1)
    turns = []
    for cluster in (one, second(one, "cy", lambda: tell(18, 31, 1, Story(18, events)), 18)):
        asked = [notice for notice in cluster.host_notices if isinstance(notice, BotTurn) and notice.seat == 2]
        turns.append([(notice.level, notice.head, TongIts().encode_view(notice.view)) for notice in asked])
    assert turns[0] == turns[1]
    assert turns[0]

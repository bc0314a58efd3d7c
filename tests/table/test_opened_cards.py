"""Cards as a table opens them: each to its owner, once on every link, and whatever a bot drew for who comes back."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.cards import each
from p2pcards.games.base import DEALER
from p2pcards.table.notices import Alarm, BotPlays, Closed
from p2pcards.wire.entries import EntryKind
from p2pcards.wire.messages import Message, View
from tests.testing.cluster import Cluster, Peer, at_random, play_round, started
from tests.testing.dice import dice
from tests.testing.table import fold_of, starting, tame_move

TABLES: list[tuple[str, int, dict[str, str]]] = [
    ("tongits", 3, {"match_rounds": "2"}),
    ("tienlen", 4, {"match_rounds": "2"}),
    ("straights", 4, {"match_rounds": "2"}),
    ("onecard", 4, {"rounds": "2", "decks": "1", "cards": "10"}),
]


def opened(peer: Peer, since: int = 0) -> list[tuple[int, int]]:
    """The leaves that a program was shown, of what it received since then."""
    views = [message for message in peer.received[since:] if isinstance(message, View)]
    return [card[:2] for view in views for card in view.openings]


def held(cluster: Cluster, seat: int) -> set[tuple[int, int]]:
    """The leaves in a hand."""
    return set(fold_of(cluster).leaves.held(seat))


def unblamed(cluster: Cluster) -> None:
    """Nobody found the host at fault."""
    for peer in (*cluster.past, *cluster.peers.values()):
        assert peer.told(Alarm) == []
        assert "broken" not in [closed.reason for closed in peer.told(Closed)]


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=lambda value: str(value))
def test_who_stays_is_opened_each_of_its_cards_once(game: str, seats: int, options: dict[str, str]) -> None:
    cluster = started(game=game, seats=seats, options=options)
    for _ in range(2):
        if cluster.host._play.round is None:
            for name in cluster.peers:
                cluster.want(name, "next")
        leaves = fold_of(cluster).leaves
        mine = {name: leaves.of(peer.seat) for name, peer in cluster.peers.items()}
        dealt = {name: list(mine[name]) for name in mine}
        play_round(cluster, limit=5000)
        for name, peer in cluster.peers.items():
            shown = [leaf for leaf in opened(peer) if leaf >= dealt[name][0]]
            assert len(set(shown)) == len(shown)
            assert set(shown) <= set(mine[name])
            assert shown[: len(dealt[name])] == dealt[name]
    unblamed(cluster)


@pytest.mark.parametrize(("game", "seats", "options"), TABLES, ids=lambda value: str(value))
@pytest.mark.parametrize("seed", range(2))
def test_who_goes_and_comes_back_at_any_moment_is_opened_its_hand(
    game: str, seats: int, options: dict[str, str], seed: int
) -> None:
    if game == "onecard":
        options = {**options, "must_play": "false"}  # many draws
    cluster = started(seed, game=game, seats=seats, options=options)
    chance, shuffles = dice(f"{game} {seed}"), 0
    for _ in range(15):
        if cluster.host._play.round is None:
            break
        gone = chance.choice(["ben", "cy"])
        cluster.cut(gone)
        if chance.randrange(2):
            cluster.pass_time(120.0)  # a bot plays on meanwhile
        since = len(cluster.peers[gone].received)
        if chance.randrange(2):
            cluster.back(gone)
        else:
            cluster.join(gone)  # a program that knows nothing yet
            since = 0
        peer = cluster.peers[gone]
        if cluster.host._play.round:
            assert set(opened(peer, since)) == held(cluster, peer.seat)
            shuffles = sum(seat == DEALER for seat, _ in fold_of(cluster).actions)
        cluster.want(gone, "back")
        for _ in range(3):
            if cluster.movers:
                cluster.act(cluster.movers[0].name, at_random(cluster, cluster.movers[0]))
        unblamed(cluster)
    assert game != "onecard" or shuffles


def test_cards_that_a_bot_drew_are_opened_to_who_comes_back() -> None:
    cluster = starting("ana", game="onecard", options={"order_cards": "never", "must_play": "false"})
    cluster.bots = lambda turn: "draw"
    cluster.cut("ben")
    cluster.pass_time(200.0)
    cluster.act("ana", "draw")
    assert cluster.peers["ana"].told(BotPlays)
    drew = fold_of(cluster).leaves.of(1)[5:]
    assert drew
    since = len(cluster.peers["ben"].received)
    cluster.back("ben")
    assert set(opened(cluster.peers["ben"], since)) == held(cluster, 1) >= set(drew)
    unblamed(cluster)


def test_who_only_watches_is_opened_nothing() -> None:
    cluster = starting("ana", game="onecard", seats=3)
    dot = cluster.join("dot", watch=True)
    for _ in range(6):
        cluster.act(cluster.movers[0].name, at_random(cluster, cluster.movers[0]))
    assert any(isinstance(message, View) for message in dot.received)
    assert opened(dot) == []
    unblamed(cluster)


@pytest.mark.parametrize("order_cards", ["never", "first_round"])
def test_cards_turned_up_at_the_deal_are_opened_to_everybody(order_cards: str) -> None:
    cluster = starting("ana", game="onecard", options={"order_cards": order_cards})
    kinds = [entry.kind for entry in cluster.host.public.journal.entries]
    assert kinds[kinds.index(EntryKind.DEAL_START) + 1] is EntryKind.OPEN
    unblamed(cluster)


def _without_the_last(message: Message) -> Message:
    return replace(message, openings=message.openings[:-1]) if isinstance(message, View) else message


def test_who_is_not_opened_a_card_of_its_hand_breaks_with_the_host() -> None:
    cluster = starting("ana")
    ben = cluster.peers["ben"]
    cluster.tamper = lambda name, message: _without_the_last(message) if name == "ben" else message
    while not ben.told(Alarm):
        cluster.act(cluster.movers[0].name, tame_move(cluster, cluster.movers[0]))
    assert "a card in our hand that was not shown to be dealt to us" in ben.told(Alarm)[0].text
    assert [closed.reason for closed in ben.told(Closed)] == ["broken"]
    assert cluster.peers["cy"].told(Alarm) == []


def test_a_card_held_in_the_round_before_must_be_opened_again() -> None:
    cluster = starting("ana", options={"match_rounds": "2"})
    play_round(cluster, choose=tame_move)
    ben = cluster.peers["ben"]
    unblamed(cluster)
    last = ben.guest.table_view()
    assert last is not None
    assert last.last is not None
    kept = set(each(cluster.host.public.rules.hand(last.last.view)))

    def shorten(name: str, message: Message) -> Message:
        if name != "ben" or not isinstance(message, View):
            return message
        return replace(message, openings=tuple(card for card in message.openings if card[3] not in kept))

    cluster.tamper = shorten
    for name in cluster.peers:
        cluster.want(name, "next")
    assert [card for card in each(fold_of(cluster).dealt.hands[1]) if card in kept]
    assert "was not shown to be dealt to us" in ben.told(Alarm)[0].text

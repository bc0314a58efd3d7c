"""Cards that lie open to everybody: those turned up with the deal, and the deck where a table allows it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.cards import face
from p2pcards.games.base import Place, Seat, Where
from p2pcards.table.leaves import opened, turned_up
from p2pcards.table.notices import Audited
from p2pcards.wire.entries import BotPub, BotReason, Entry, EntryKind, OpenPub, encode_pub
from tests.testing.cluster import Cluster, play_round, started
from tests.testing.dealing import honest
from tests.testing.evil_host import alarmed, falsify
from tests.testing.table import fold_of

LATE = 2**31
"""An epoch whose number takes as much room as any."""


@pytest.mark.parametrize("decks", [1, 2, 3, 4])
def test_a_deck_of_any_size_is_laid_open_at_any_table(decks: int) -> None:
    options = {"decks": str(decks), "order_cards": "never", "rounds": "2"}
    cluster = started(game="onecard", options=options, settings={"allow_peek": "true"})
    play_round(cluster, limit=5000)
    for books in (cluster.host.public, *(peer.guest.public for peer in cluster.peers.values())):
        books.epoch = LATE
    for name in cluster.peers:
        cluster.want(name, "next")
    cluster.want("ben", "deck")
    order = tuple(map(face, fold_of(cluster).order))
    assert len(order) == 52 * decks
    for peer in cluster.peers.values():
        view = peer.guest.table_view()
        assert view is not None
        assert view.deck == order
    play_round(cluster, limit=5000)
    assert [audit.ok for audit in cluster.peers["cy"].told(Audited)] == [True, True]
    honest(cluster)


HANDS = [Place(Where.HAND, Seat(0)), Place(Where.HAND, Seat(1))]


@pytest.mark.parametrize(
    ("up", "shown", "fits"),
    [
        (1, [2], True),
        (1, [2, 3], True),  # how many are turned up may depend on what they are
        (2, [2, 3], True),
        (2, [2], False),
        (1, [1], False),
        (1, [1, 2], False),
        (1, [3], False),
        (1, [2, 4], False),
        (0, [2], False),
        (0, [], False),
        (1, [], False),
    ],
)
def test_which_cards_may_be_turned_up_with_the_deal(up: int, shown: list[int], fits: bool) -> None:
    layout = [*HANDS, *[Place(Where.FACE_UP)] * up, *[Place(Where.STOCK)] * (3 - up)]
    assert turned_up(layout, 7, [(7, place) for place in shown]) is fits
    assert not turned_up(layout, 7, [(6, place) for place in shown])


@pytest.mark.parametrize("place", [0, 20, 40])
def test_a_host_that_turns_up_another_card_with_the_deal_is_caught_at_once(place: int) -> None:
    """A card of somebody's hand, or one further down in the stock: the leaf is right, and still nobody may see it."""
    cluster = Cluster(game="onecard", options={"decks": "1", "order_cards": "never"})
    for name in ("ana", "ben", "cy"):
        cluster.join(name)

    def another(entry: Entry) -> Entry:
        current = cluster.host._play.round
        assert current is not None
        shown = opened(current.fold, cluster.host._play.dealer.secret, [(entry.epoch, place)])
        return replace(entry, pub=encode_pub(OpenPub(shown)))

    falsify(cluster, EntryKind.OPEN, another)
    cluster.order("start")
    alarmed(cluster, "other cards laid open than lie face up")


def test_a_host_that_opens_no_card_that_lies_face_up_is_caught_at_once() -> None:
    cluster = Cluster(game="onecard", options={"decks": "1", "order_cards": "never"})
    for name in ("ana", "ben", "cy"):
        cluster.join(name)
    falsify(
        cluster,
        EntryKind.OPEN,
        lambda entry: replace(entry, kind=EntryKind.BOT, pub=encode_pub(BotPub(0, True, BotReason.GRACE))),
    )
    cluster.order("start")
    alarmed(cluster, "not opened")

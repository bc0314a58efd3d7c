"""Nobody learns a card that he may not know, in any game (protocol 10, suite 17).

Twins as in `tests.testing.twins`: players come and go, one is shown out, a bot plays for another; and at the end of it
somebody holds everything that he was sent against what he was sent on the other table.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import pytest

from p2pcards.cards import DECK, Card, each, face
from p2pcards.errors import IllegalAction
from p2pcards.table.deal import leaf
from p2pcards.table.effects import LinkId
from p2pcards.table.host import Host
from p2pcards.table.leaves import opened
from p2pcards.table.notices import Alarm, BotTurn
from p2pcards.table.outbox import Outbox
from p2pcards.table.pen import Pen
from p2pcards.table.pulse import Pulse
from p2pcards.wire.entries import (
    DealStart,
    Entry,
    EntryFlag,
    EntryKind,
    OpenPub,
    encode_entry,
    encode_pub,
    head,
    head_signed,
)
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.messages import Entries, Heartbeat, Keepalive, Message, View
from tests.table.test_acts import envelope, send
from tests.testing import twins
from tests.testing.cluster import Cluster, Peer, identity, three
from tests.testing.dice import dice
from tests.testing.table import fold_of
from tests.testing.tally import Tally

SUITE = "17 twin runs, by game and by who looks"

TABLES: dict[str, tuple[int, dict[str, str]]] = {
    "tongits": (3, {"match_rounds": "9"}),
    "tienlen": (4, {}),
    "straights": (4, {}),
    "onecard": (5, {"decks": "1"}),
}
LOOKERS = {"ben": "a guest", "dot": "a spectator", "eve": "a late joiner", "cy": "a returning guest"}


class Look(NamedTuple):
    """When they look: after so many acts of people and bots in that round. eager: how gladly cards are drawn."""

    game: str
    acts: int
    round: int = 1
    shuffles: int = 1
    eager: float = 0.4


LOOKS = {
    game: Look(game, acts) for game, acts in (("tongits", 14), ("tienlen", 20), ("straights", 18), ("onecard", 20))
}
SHUFFLED, LATER = Look("onecard", 40, shuffles=2, eager=0.8), Look("tongits", 12, round=2)


class Story:
    """What is chosen at a table, made up as it goes (the first twin) or told again (the second)."""

    def __init__(self, seed: int, told: Sequence[str] = (), *, eager: float = 0.4) -> None:
        self.words: list[str] = []
        self.offered: list[tuple[str, ...]] = []
        self._dice, self._told, self._again = dice(seed), iter(told), bool(told)
        self._eager = eager

    def choice(self, of: Sequence[str]) -> str:
        """One of these words, and the same one in the second telling."""
        if self._again:
            word = next(self._told)
        else:
            eager = [text for text in of if text.split()[0] in ("draw", "expose", "take", "discard")]
            word = self._dice.choice(eager if eager and self._dice.random() < self._eager else list(of))
        self.words.append(word)
        self.offered.append(tuple(of))
        return word


def tell(at: Look, seed: int, story: Story) -> Cluster:
    """A table up to that many acts of that round, or up to its end."""
    seats, options = TABLES[at.game]
    settings = {"seat_order": "join_order", "grace_seconds": "3"}
    cluster = three(seed, game=at.game, seats=seats, options=options, settings=settings)
    cluster.join("dot", watch=True)
    if seats > 3:
        cluster.join("gil")
    done = itertools.count(1)

    def bot(turn: BotTurn) -> str:
        next(done)
        return story.choice(legal(cluster, turn.view))

    cluster.bots = bot
    cluster.order("start")
    while cluster.host.public.round and cluster.host.public.round_number < at.round:
        moves(cluster, story)
        if cluster.host.public.round is None:
            for name in sorted({"ana", "ben", "cy", "gil"} & cluster.peers.keys()):
                cluster.want(name, "next")
    comings, begun = comes_and_goes(cluster), next(done)
    for number in done:
        if cluster.host.public.round is None or number > begun + at.acts:
            break
        next(comings, None)
        for peer in list(cluster.peers.values()):
            if peer.guest.me is not None and peer.link is not None:
                tries(cluster, peer, number)
        moves(cluster, story)
    cluster.pass_time(1.5)
    assert all(peer.told(Alarm) == [] for peer in cluster.peers.values())
    return cluster


def moves(cluster: Cluster, story: Story) -> None:
    """Somebody acts, or time passes."""
    if cluster.movers:
        name = story.choice(names := [peer.name for peer in cluster.movers])
        assert name in names
        cluster.act(name, story.choice(legal(cluster, cluster.peers[name].guest.my_turn)))
    else:
        cluster.pass_time(2)


def legal(cluster: Cluster, view: Any) -> list[str]:
    """The texts of what may be done with a view, the first of very many."""
    rules = cluster.host.public.rules
    return [rules.format(action) for action in itertools.islice(rules.legal_actions(view), 40)]


def comes_and_goes(cluster: Cluster) -> Iterator[None]:
    """One thing that happens to people before each of the first acts."""
    cluster.join("fay", watch=True)
    yield
    cluster.cut("cy")
    yield
    cluster.join("eve", watch=True)
    yield
    cluster.back("cy")
    yield
    cluster.pass_time(1.5)  # the host waits for a majority of those who stay, before it shows a voter out
    cluster.order("kick", "gil" if "gil" in cluster.peers else "fay", "", "0")
    yield
    cluster.cut("cy")
    cluster.pass_time(4)  # a bot plays for it meanwhile
    yield
    cluster.join("cy")  # a program started afresh
    yield
    cluster.leave("fay")


def tries(cluster: Cluster, peer: Peer, number: int) -> None:
    """Asks the host for what can't be done, in the hope that the refusal tells something."""
    view, rules = peer.guest._reader.view, cluster.host.public.rules
    if view is None or not peer.guest.settled:
        return
    held = {rules.ranking.format(card) for card in each(rules.hand(view))}
    unheld = [text for text in map(rules.ranking.format, map(Card, range(DECK))) if text not in held]
    card, may = unheld[number * 7 % len(unheld)], {rules.format(action) for action in rules.legal_actions(view)}
    for text in (f"discard {card}", f"play {card}", f"layoff {card} m1", "fold", "pass", f"take {card} AS"):
        if text not in may:
            send(cluster, peer, envelope(cluster, peer.seat, text))


@cache
def first(at: Look) -> tuple[int, Cluster, tuple[str, ...]]:
    """A seed with which the round is still open when they look, one twin, and its story."""
    for seed in range(1, 60):
        story = Story(seed, eager=at.eager)
        cluster = tell(at, seed, story)
        current = cluster.host.public.round
        here = LOOKERS.keys() <= cluster.peers.keys() and cluster.peers["cy"].guest.me is not None
        open_still = current and not current.dealing and not current.ended and len(current.epochs) == at.shuffles
        if here and open_still and cluster.host.public.round_number == at.round:
            return seed, cluster, tuple(story.words)
    raise AssertionError("no round that lasts")


def looks(at: Look, name: str) -> tuple[list[Any], list[Any]]:
    """What somebody received on both tables."""
    seed, one, words = first(at)
    orders = twins.elsewhere(one, one.peers[name].guest.me, dice(f"{at.game} {name}"))
    two = twins.twin(one, orders, lambda: tell(at, seed, Story(seed, words)))
    return twins.received(one, name), twins.received(two, name)


@pytest.mark.parametrize("name", LOOKERS, ids=lambda name: LOOKERS[name].replace(" ", "-"))
@pytest.mark.parametrize("game", TABLES)
def test_twins_show_the_same_to_who_may_not_know_the_difference(game: str, name: str, tally: Tally) -> None:
    one, two = looks(LOOKS[game], name)
    assert len(one) > 4
    assert one == two
    tally(SUITE)


@pytest.mark.parametrize("name", LOOKERS, ids=lambda name: LOOKERS[name].replace(" ", "-"))
@pytest.mark.parametrize("at", [SHUFFLED, LATER], ids=["stock-shuffled-anew", "second-round"])
def test_so_do_twins_that_have_come_further(at: Look, name: str) -> None:
    one, two = looks(at, name)
    assert one == two


@pytest.mark.parametrize("name", ["ben", "dot", "eve"])
def test_what_was_put_aside_face_down_is_seen_by_whoever_did_so_alone(name: str) -> None:
    """The same cards, but a hidden discard of another seat's is of another card."""
    one, two = next(other_discards(LOOKS["straights"], name))
    assert twins.received(one, name) != twins.received(two, name)
    assert twins.received(one, name, choices=True) == twins.received(two, name, choices=True)


def other_discards(at: Look, name: str) -> Iterator[tuple[Cluster, Cluster]]:
    """Two tables on which another seat than this one's put another card aside, the last that can be."""
    seed, one, words = first(at)
    story = Story(seed, words)
    seat = tell(at, seed, story).peers[name].guest.me
    others = {text for actor, text in fold_of(one).actions if actor != seat and text.startswith("discard")}
    for place in reversed([place for place, word in enumerate(words) if word in others]):
        for other in story.offered[place]:
            try:
                two = tell(at, seed, Story(seed, (*words[:place], other, *words[place + 1 :])))
            except (AssertionError, IllegalAction):
                continue  # what follows is not possible then
            if fold_of(two).state != fold_of(one).state and hand(one, seat) == hand(two, seat):
                yield one, two


def hand(cluster: Cluster, seat: int | None) -> Any:
    """The cards of a seat."""
    fold = fold_of(cluster)
    return None if seat is None else fold.game.hand(fold.view(seat))


@pytest.mark.parametrize("game", TABLES)
def test_the_stories_have_in_them_what_they_should(game: str) -> None:
    _, cluster, _ = first(LOOKS[game])
    kinds = {entry.kind for entry in cluster.host.public.journal.entries}
    assert {EntryKind.DEAL_REVEAL, EntryKind.DEAL_START, EntryKind.KICK, EntryKind.BOT, EntryKind.ACT} <= kinds
    assert (EntryKind.SEALED in kinds) == (game == "straights")
    assert sum(peer.name == "cy" for peer in cluster.past) == 1
    assert fold_of(cluster).leaves.of(1)


# ---- that a leak would be seen


def next_card(host: Host) -> int:
    """The card that is drawn next; 0 where there is none."""
    current = host._play.round if hasattr(host, "_play") else None
    return int(current.fold.state.stock[0]) if current and current.fold.state.stock else 0


def in_whether_something_is_said(patch: pytest.MonkeyPatch) -> None:
    """The host's heart beats the more often the higher the next card is."""
    honest, hosts = Pulse.beat, remembered(patch)

    def beat(self: Pulse) -> None:
        for _ in range(1 + next_card(hosts[-1])):
            honest(self)

    patch.setattr(Pulse, "beat", beat)


def in_how_long_it_is(patch: pytest.MonkeyPatch) -> None:
    """A refusal says more before a high card."""
    honest, hosts = Outbox.refuse, remembered(patch)

    def refuse(self: Outbox, link: LinkId, n: int, code: str, *detail: str) -> None:
        honest(self, link, n, code, "x" * next_card(hosts[-1]))

    patch.setattr(Outbox, "refuse", refuse)


def remembered(patch: pytest.MonkeyPatch) -> list[Host]:
    """Every host that is made from here on, the newest last."""
    hosts, begin = list[Host](), Host.__init__

    def init(self: Host, *given: Any, **named: Any) -> None:
        hosts.append(self)
        begin(self, *given, **named)

    patch.setattr(Host, "__init__", init)
    return hosts


def in_the_time_of_an_entry(patch: pytest.MonkeyPatch) -> None:
    """The clock of an entry is some milliseconds off, by the order of the leaves."""
    honest = Pen.write_act

    def write_act(self: Pen, *given: Any) -> int:
        current, honest_now = self.public.round, self.now
        self.now += sum(current.epochs[current.first_epoch].leaves) % 997 / 1000 if current else 0
        index = honest(self, *given)
        self.now = honest_now
        return index

    patch.setattr(Pen, "write_act", write_act)


@pytest.mark.parametrize(
    "leak", [in_whether_something_is_said, in_how_long_it_is, in_the_time_of_an_entry], ids=lambda leak: leak.__name__
)
def test_a_leak_would_be_seen(leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch) -> None:
    leak(monkeypatch)
    monkeypatch.setattr(f"{__name__}.first", first.__wrapped__)
    one, two = looks(Look("tongits", 8), "ben")
    assert one != two


def opening(cluster: Cluster) -> Message:
    """A card of another's hand is opened."""
    fold, secret = fold_of(cluster), cluster.host._play.dealer.secret
    return View(9, b"", opened(fold, secret, fold.leaves.of(0)))


def leaves_without_salt(cluster: Cluster) -> Message:
    """The cards are bound so that everybody can try which they are."""
    books = cluster.host.public
    order = fold_of(cluster).order
    bound = b"".join(leaf(books.journal.table, books.epoch, at, bytes(32), face(card)) for at, card in enumerate(order))
    return _entry(cluster, EntryKind.DEAL_START, encode_pub(DealStart(0, bound)))


def leaves_elsewhere(cluster: Cluster) -> Message:
    """The leaves are in the order of the faces that they bind."""
    books, order = cluster.host.public, fold_of(cluster).order
    assert books.round is not None
    deal = books.round.epochs[books.epoch]
    places = sorted(range(len(order)), key=lambda place: face(order[place]))
    return _entry(cluster, EntryKind.DEAL_START, encode_pub(DealStart(0, b"".join(map(deal.leaf, places)))))


def sealed_by_itself(cluster: Cluster) -> Message:
    """A hidden choice is sealed with a salt of zeros."""
    card = fold_of(cluster).order[0]
    return _entry(cluster, EntryKind.OPEN, encode_pub(OpenPub(((1, 0, bytes(32), face(card)),))))


def another_history(cluster: Cluster) -> Message:
    """A head that is none of this table's journal."""
    return Heartbeat(cluster.host.table, 1, 5, bytes(fold_of(cluster).order)[-32:], 5, 1, bytes(64))


def signed_by_nobody(cluster: Cluster) -> Message:
    """What stands in place of a signature are the cards."""
    journal = cluster.host.public.journal
    return Keepalive(journal.table, 1, 5, journal.heads[5], (bytes(fold_of(cluster).order) * 2)[:64])


def _entry(cluster: Cluster, kind: EntryKind, pub: bytes) -> Entries:
    journal = cluster.host.public.journal
    entry = Entry(kind, EntryFlag(0), NO_SEAT, 1, 1, journal.last, journal.heads[-2], 0, pub)
    body = encode_entry(entry)
    signed = head_signed(journal.table, 1, journal.last, head(journal.table, body))
    return Entries(5, (body + identity("host").sign(signed),))


TELLING = [opening, leaves_without_salt, leaves_elsewhere, sealed_by_itself, another_history, signed_by_nobody]


@pytest.mark.parametrize("made", TELLING, ids=lambda made: made.__name__)
def test_nothing_is_masked_but_what_a_commitment_must_be(made: Callable[[Cluster], Message]) -> None:
    """All of deck and hands is elsewhere on the other table but for one seat's cards."""
    at = LOOKS["tongits"]
    seed, one, words = first(at)
    orders = twins.elsewhere(one, 1, dice("telling"))
    two = twins.twin(one, orders, lambda: tell(at, seed, Story(seed, words)))
    assert twins.Mask(one).message(made(one)) != twins.Mask(two).message(made(two))

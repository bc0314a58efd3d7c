"""A host that deals or plays falsely is found out, at once or when the round is disclosed, and named (protocol 10)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.cards import Card, face
from p2pcards.games.base import Seat, Where
from p2pcards.table import dealer
from p2pcards.table.deal import LEAF_BYTES, Deal, card_salt, deal_from, leaf, leaves
from p2pcards.table.effects import Chose, Woke
from p2pcards.table.escrow import share_commitment, shares
from p2pcards.table.notices import Alarm, Audited, BadShare, BotPlays, LeftOut, Spoken, Verdict
from p2pcards.table.round import Refused
from p2pcards.table.shuffling import LEFT_OUT_TEXT
from p2pcards.wire.entries import (
    Disclose,
    Entry,
    EntryFlag,
    EntryKind,
    Parts,
    decode_pub,
    encode_pub,
)
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope, encode_envelope
from p2pcards.wire.messages import Act, Entries, Message, View
from tests.testing.cluster import Cluster, identity, play_round, started
from tests.testing.evil_host import SUITE, alarmed, caught, close_round, falsify, index_of
from tests.testing.forge import Forge
from tests.testing.table import NAMES, first_discard, fold_of, starting, tame_bot, tame_move
from tests.testing.tally import Tally

Patch = pytest.MonkeyPatch
Parties = Mapping[int, bytes]


# ---- the shuffle


def stacked(*known: Any) -> Deal:
    """The cards in the order that the host likes."""
    honest = deal_from(*known)
    return Deal(tuple(sorted(honest.order)), honest.lot)


def without_ben(table: bytes, epoch: int, secret: bytes, cards: bytes, seats: int, parts: Parties) -> Deal:
    """As if ben had added nothing."""
    return deal_from(table, epoch, secret, cards, seats, {seat: part for seat, part in parts.items() if seat != 1})


@pytest.mark.parametrize("lie", [stacked, without_ben])
def test_a_deck_that_is_not_from_the_seed(lie: Callable[..., Deal], monkeypatch: Patch, tally: Tally) -> None:
    """Everybody finds it in the leaves, a spectator too, whatever cards were played."""
    monkeypatch.setattr(dealer, "deal_from", lie)
    cluster = started(options={"match_rounds": "1"})
    dot = cluster.join("dot", watch=True)
    play_round(cluster, choose=tame_move)
    caught(cluster, index_of(cluster, EntryKind.DEAL_START), "cards are not those shuffled", names=(*NAMES, "dot"))
    assert [alarm.text for alarm in dot.told(Alarm)] == [
        "the result of the match can't be checked: round 1 was not in order"
    ]
    assert {said.nick for said in dot.told(Verdict) if said.bad is not None} == set(NAMES)
    tally(SUITE, int(lie is stacked))


def test_a_reshuffle_that_is_not_from_the_seed(monkeypatch: Patch) -> None:
    cluster = started(game="onecard", seats=4, options={"decks": "1", "cards": "9"})
    monkeypatch.setattr(dealer, "deal_from", stacked)
    play_round(cluster, limit=2000)
    caught(cluster, index_of(cluster, EntryKind.DEAL_START, 1), "cards are not those shuffled")


def test_another_starter(monkeypatch: Patch, tally: Tally) -> None:
    def chosen(*known: Any) -> Deal:
        honest = deal_from(*known)
        return Deal(honest.order, (honest.lot + 1) % 3)

    monkeypatch.setattr(dealer, "deal_from", chosen)
    cluster = started()
    play_round(cluster, choose=tame_move)
    caught(cluster, index_of(cluster, EntryKind.DEAL_START), "another seat had to start")
    tally(SUITE)


# ---- leaves, and cards told


def binds_another(at: int) -> Callable[..., bytes]:
    """Leaves of which one binds another card."""

    def lies(table: bytes, epoch: int, secret: bytes, order: Sequence[Card]) -> bytes:
        right = bytearray(leaves(table, epoch, secret, order))
        other = (face(order[at]) + 1) % 52
        right[at * LEAF_BYTES : (at + 1) * LEAF_BYTES] = leaf(table, epoch, at, card_salt(secret, epoch, at), other)
        return bytes(right)

    return lies


def test_a_leaf_that_binds_another_card(monkeypatch: Patch, tally: Tally) -> None:
    """One of a card that nobody was shown; the audit finds it."""
    monkeypatch.setattr(dealer, "leaves", binds_another(103))
    cluster = started(game="onecard", options={"decks": "2"})
    play_round(cluster)
    bad = index_of(cluster, EntryKind.DEAL_START)
    caught(cluster, bad, "1 of 104 cards are not those shuffled, the first at place 104")
    tally(SUITE)


def test_a_leaf_of_a_card_in_a_hand_is_checked_at_once(monkeypatch: Patch) -> None:
    cluster = starting("ana")
    places = cluster.host.public.rules.layout(3, Seat(0))
    bens = next(at for at, place in enumerate(places) if place.where is Where.HAND and place.seat == 1)
    monkeypatch.setattr(dealer, "leaves", binds_another(bens))
    cluster = starting("ana")
    alarmed(cluster, "a card that is not the one dealt", names=("ben",))


def test_a_wrong_card_told(tally: Tally) -> None:
    """ben is shown a card that he was not dealt; he need not wait for the audit."""
    cluster = starting("ana")

    def lie(name: str, message: Message) -> Message:
        if name != "ben" or not isinstance(message, View):
            return message
        game = cluster.host.public.rules
        view = game.decode_view(message.view)
        mine = view.hand & -view.hand
        theirs = next(card for card in range(52) if not view.hand >> card & 1)
        return replace(message, view=game.encode_view(replace(view, hand=(view.hand ^ mine) | 1 << theirs)))

    cluster.tamper = lie
    cluster.act("ana", tame_move(cluster, cluster.peers["ana"]))
    alarmed(cluster, "card", names=("ben",))
    tally(SUITE)


def test_a_view_unlike_the_fold(tally: Tally) -> None:
    """What is public can be told falsely too, to a spectator for example; the audit compares every view."""
    cluster = starting("ana")
    cluster.join("dot", watch=True)
    told: list[int] = []

    def lie(name: str, message: Message) -> Message:
        if name != "dot" or not isinstance(message, View) or told:
            return message
        told.append(message.index)
        game = cluster.host.public.rules
        view = game.decode_view(message.view)
        return replace(message, view=game.encode_view(replace(view, public=replace(view.public, turn=2))))

    cluster.tamper = lie
    play_round(cluster, choose=tame_move)
    caught(cluster, told[0], "shown something else", names=("dot",))
    for name in NAMES:
        assert cluster.peers[name].told(Audited) == [Audited(1, True)]
        (said,) = [said for said in cluster.peers[name].told(Verdict) if said.nick == "dot"]
        assert (said.bad, said.why) == (told[0], "we were shown something else")
    tally(SUITE)


# ---- the secret and its shares


def test_another_secret_than_was_committed_to(tally: Tally) -> None:
    cluster = started()
    other = encode_pub(Disclose(1, bytes(32)))
    falsify(cluster, EntryKind.DISCLOSE, lambda entry: replace(entry, pub=other))
    play_round(cluster)
    alarmed(cluster, "the disclosed secret is not the one committed to")
    assert all(peer.told(Audited) == [] for peer in cluster.peers.values())
    tally(SUITE)


def test_shares_that_do_not_open_the_secret(monkeypatch: Patch, tally: Tally) -> None:
    """Committed to as they are: no holder can tell before the secret is known."""

    def useless(*known: Any) -> tuple[bytes, ...]:
        first, second = shares(*known)
        return first, bytes(len(second))

    monkeypatch.setattr(dealer, "shares", useless)
    cluster = started()
    play_round(cluster)
    assert all(peer.told(BadShare) == [] for peer in cluster.peers.values())
    caught(cluster, index_of(cluster, EntryKind.DEAL_OPEN), "share 2 of the secret does not open it")
    tally(SUITE)


def test_a_share_that_is_not_the_one_committed_to(monkeypatch: Patch) -> None:
    """Its holder knows at once, and adds nothing to this deal."""

    def lies(table: bytes, epoch: int, x: int, value: bytes) -> bytes:
        return share_commitment(table, epoch, x, bytes(66) if x == 1 else value)

    monkeypatch.setattr(dealer, "share_commitment", lies)
    cluster = started()
    cluster.pass_time(6)
    assert [bool(cluster.peers[name].told(BadShare)) for name in NAMES] == [False, True, False]
    play_round(cluster)
    caught(cluster, index_of(cluster, EntryKind.DEAL_OPEN), "share 1 of the secret does not open it")


# ---- parts of the shuffle


def instead(entry: Entry, by: str, payload: Callable[[Envelope], bytes]) -> Entry:
    """The entry with another payload in what ben said, signed by that name."""
    pub = decode_pub(entry.kind, entry.pub)
    assert isinstance(pub, Parts)
    said = []
    for data, sig in pub.said:
        envelope = decode_envelope(data)
        if envelope.seat == 1:
            data = encode_envelope(replace(envelope, payload=payload(envelope)))
            sig = identity(by).sign(data)
        said.append((data, sig))
    return replace(entry, pub=encode_pub(replace(pub, said=tuple(said))))


@pytest.mark.parametrize(
    ("kind", "by", "why"),
    [
        (EntryKind.DEAL_COMMIT, "host", "did not sign"),
        (EntryKind.DEAL_REVEAL, "host", "not the one committed to"),
        (EntryKind.DEAL_REVEAL, "ben", "not the one committed to"),
    ],
)
def test_a_contribution_that_its_player_never_made(kind: EntryKind, by: str, why: str, tally: Tally) -> None:
    """Everybody sees it, not only he; not even his key could show another part than was committed to."""
    cluster = Cluster(settings={"seat_order": "join_order"})
    for name in NAMES:
        cluster.join(name, host=name == "ana")
    falsify(cluster, kind, lambda entry: instead(entry, by, lambda _: b"x" * 32))
    cluster.order("start")
    alarmed(cluster, why)
    tally(SUITE, int((kind, by) == (EntryKind.DEAL_COMMIT, "host")))


def deaf_to_ben(cluster: Cluster, kind: ActKind, monkeypatch: Patch) -> None:
    """The host drops what ben adds to shuffles."""
    take = cluster.host._play.dealer.take

    def drops(said: Envelope, envelope: bytes, sig: bytes) -> None:
        if said.seat == 1 and said.kind is kind:
            raise Refused("stale")
        take(said, envelope, sig)

    monkeypatch.setattr(cluster.host._play.dealer, "take", drops)


@pytest.mark.parametrize("kind", [ActKind.COMMIT, ActKind.REVEAL])
def test_a_contribution_dropped_twice(kind: ActKind, monkeypatch: Patch, tally: Tally) -> None:
    """The host may look at ben's part before it drops it; twice is all it gets, and ben says both times what it did."""
    cluster = Cluster(settings={"seat_order": "join_order"})
    for name in NAMES:
        cluster.join(name, host=name == "ana")
    deaf_to_ben(cluster, kind, monkeypatch)
    cluster.order("start")
    for round in (1, 2):
        cluster.pass_time(12)
        play_round(cluster, choose=tame_move)
        for name in NAMES:
            left_out = [told for told in cluster.peers[name].told(LeftOut) if not told.sent]
            assert [told.players for told in left_out] == [((1, "ben"),)] * round
            said = [spoken for spoken in cluster.peers[name].told(Spoken) if spoken.nick == "ben"]
            assert [spoken.text for spoken in said] == [LEFT_OUT_TEXT] * round
        assert [told.players for told in cluster.peers["ben"].told(LeftOut) if told.sent] == [((1, "ben"),)] * round
        for name in NAMES:
            cluster.want(name, "next")
    for name in NAMES:
        assert cluster.peers[name].told(Audited) == [Audited(1, True), Audited(2, True)]
        assert [bot.reason for bot in cluster.peers[name].told(BotPlays)] == ["contributions"]
    opened = index_of(cluster, EntryKind.DEAL_OPEN)
    third = decode_pub(EntryKind.DEAL_OPEN, cluster.host.public.journal.entries[opened].pub)
    assert third.contributors == (2,)  # type: ignore[union-attr] # a DealOpen
    tally(SUITE, int(kind is ActKind.COMMIT))


# ---- acts


def test_a_forged_act(tally: Tally) -> None:
    cluster = starting("ben")
    wire = Forge(identity("host"), cluster.host.public.journal).says(1, "draw", by="host", n=9)
    for name in NAMES:
        link = cluster.peers[name].link
        assert link is not None
        cluster.to_guest(link, Entries(0, (wire,)))
    alarmed(cluster, "did not sign")
    tally(SUITE)


def test_an_act_kept_back_and_played_in_a_later_turn(tally: Tally) -> None:
    """ben signed "draw" in his first turn; the host lets a bot take that turn and plays his act in the next."""
    cluster = starting("ben", settings={"grace_seconds": "0"})
    cluster.bots = tame_bot
    ben = cluster.peers["ben"]
    ((link, signed),) = ben.guest.handle(Chose("draw"), cluster.now).outgoing
    assert link == ben.link
    assert isinstance(signed, Act)
    cluster.cut("ben")
    for name in ("cy", "ana"):
        cluster.act(name, "draw")
        cluster.bots = None
        cluster.act(name, tame_move(cluster, cluster.peers[name]))
    cluster.back("ben")
    kept = cluster.host._pen.write_act(signed.envelope, EntryFlag.ACTSIG, signed.actsig)
    fold_of(cluster).act(1, "draw", kept)
    cluster.tell_host(Woke())
    cluster.settle()
    assert all(peer.told(Alarm) == [] for peer in cluster.peers.values())
    play_round(cluster, choose=tame_move)
    caught(cluster, kept, "kept back from an earlier turn")
    tally(SUITE)


def of_another(cluster: Cluster) -> str:
    """A discard of a card that ana holds."""
    cluster.host._pen.speak_for(1, ActKind.ACT, b"draw", EntryFlag.BOT)
    return first_discard(cluster, 0)


def before_its_draw(cluster: Cluster) -> str:
    """A discard of its own where a card is to be drawn first."""
    return first_discard(cluster, 1)


@pytest.mark.parametrize("move", [before_its_draw, of_another])
def test_a_bots_move_that_the_rules_forbid(move: Callable[[Cluster], str], tally: Tally) -> None:
    cluster = starting("ben", settings={"grace_seconds": "0"})
    cluster.bots = None
    cluster.cut("ben")
    bad = cluster.host._pen.speak_for(1, ActKind.ACT, move(cluster).encode(), EntryFlag.BOT)
    close_round(cluster)
    caught(cluster, bad, "an act that the rules forbid", names=("ana", "cy"))
    tally(SUITE, int(move is before_its_draw))

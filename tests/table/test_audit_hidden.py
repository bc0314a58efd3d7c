"""The audit of what some games and settings have: sealed choices, shuffles in a round, time-outs, open decks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from p2pcards.cards import Card, face
from p2pcards.games.base import Seat, Secrecy
from p2pcards.table import round as rounds
from p2pcards.table.deal import Deal, deal_from
from p2pcards.table.notices import Alarm, Audited
from p2pcards.table.sealed import seal_choice
from p2pcards.wire.entries import DealOpen, DealStart, EntryFlag, EntryKind, OpenPub
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.fields import NO_SEAT
from tests.testing.cluster import Cluster, Peer, play_round, started
from tests.testing.table import NAMES, fold_of, starting

Patch = pytest.MonkeyPatch


def found(cluster: Cluster) -> dict[str, Audited]:
    return {name: cluster.peers[name].told(Audited)[0] for name in NAMES}


def caught(cluster: Cluster, bad: int, why: str) -> None:
    """Everybody names this entry and the host."""
    for name, audit in found(cluster).items():
        assert (audit.ok, audit.bad, audit.whose) == (False, bad, "ana"), (name, audit)
        assert why in audit.why


def index_of(cluster: Cluster, kind: EntryKind, which: int = 0, flag: EntryFlag | None = None) -> int:
    entries = [entry for entry in cluster.host.public.journal.entries if entry.kind is kind]
    return [entry.index for entry in entries if flag is None or entry.flags is flag][which]


def draws(cluster: Cluster, peer: Peer) -> str:
    """Draws where that is allowed, so that the stock runs out."""
    game = peer.guest.public.rules
    legal = [game.format(action) for action in game.legal_actions(peer.guest.my_turn)]
    return "draw" if "draw" in legal else cluster.rng.choice(legal)


def onecard(seed: int = 1) -> Cluster:
    return started(seed, game="onecard", options={"decks": "1", "cards": "9", "must_play": "false"})


# ---- sealed choices


@pytest.mark.parametrize(
    ("sealing", "why"),
    [
        (lambda secret, term, index, salt, body: seal_choice(secret, term, index, salt, b"discard AS"), "committed to"),
        (lambda secret, term, index, salt, body: seal_choice(secret, term, index, bytes(32), body), "committed to"),
        (lambda secret, term, index, salt, body: seal_choice(secret, term, index + 1, salt, body), "tag"),
        (lambda secret, term, index, salt, body: bytes(100), "tag"),
    ],
    ids=["another card", "another salt", "keys of another entry", "nothing"],
)
def test_a_host_that_seals_something_else(sealing: Callable[..., bytes], why: str, monkeypatch: Patch) -> None:
    cluster = started(game="straights", seats=4)
    monkeypatch.setattr(rounds, "seal_choice", sealing)
    play_round(cluster)
    caught(cluster, index_of(cluster, EntryKind.SEALED), why)


def test_a_sealed_choice_that_the_rules_forbid(monkeypatch: Patch) -> None:
    """A bot puts a card aside though it could play one."""
    cluster = started(game="straights", seats=4)

    def cheats(seat: int, text: str, now: float) -> None:
        current = cluster.host._play.round
        assert current is not None
        fold = current.fold
        if any(entry.kind is EntryKind.SEALED for entry in cluster.host.public.journal.entries):
            current._speak_for(seat, text, fold.secrecy(seat, text), EntryFlag.BOT)
            return
        index, body = len(cluster.host.public.journal), f"discard {text.split()[1]}".encode()
        salt = current._bot_salt(index)
        sealed = current._seal(index, salt, body)
        current._pen.speak_for(seat, ActKind.SEALED, current._commit(seat, 0, salt, body), EntryFlag.BOT, sealed)
        fold.state = fold.game.apply(fold.state, Seat(seat), fold.game.parse(body.decode()))
        fold._turn(index)

    current = cluster.host._play.round
    assert current is not None
    monkeypatch.setattr(current, "bot_chose", cheats)
    while not any(entry.flags is EntryFlag.BOT for entry in cluster.host.public.journal.entries):
        mover = cluster.movers[0]
        game = mover.guest.public.rules
        cluster.act(mover.name, game.format(next(game.legal_actions(mover.guest.my_turn))))
    play_round(cluster)
    caught(cluster, index_of(cluster, EntryKind.SEALED), "rules forbid")


def test_a_play_sealed_as_if_it_were_a_hidden_discard(monkeypatch: Patch) -> None:
    """A bot's card on the table may not be told as one put aside."""
    cluster = started(game="straights", seats=4)
    current = cluster.host._play.round
    assert current is not None
    speak = current._speak_for

    def seals(seat: int, text: str, secrecy: Secrecy, flag: EntryFlag) -> None:
        speak(seat, text, Secrecy.SEALED, flag)

    monkeypatch.setattr(current, "_speak_for", seals)
    play_round(cluster)
    bad = index_of(cluster, EntryKind.SEALED, flag=EntryFlag.BOT)
    caught(cluster, bad, "sealed choice that is none")


# ---- shuffles within a round


def test_a_host_that_shuffles_as_it_likes(monkeypatch: Patch) -> None:
    cluster = onecard()

    def stacked(*args: Any) -> Deal:
        deal = deal_from(*args)
        return Deal(tuple(sorted(deal.order)), deal.lot)

    monkeypatch.setattr(rounds, "deal_from", stacked)
    play_round(cluster, limit=2000, choose=draws)
    shuffled = index_of(cluster, EntryKind.DEAL_START, 1)
    for name, audit in found(cluster).items():
        assert not audit.ok, name
        assert audit.whose == "ana"
        assert audit.bad is not None
        assert audit.bad >= shuffled


def test_a_shuffle_that_is_not_due() -> None:
    cluster = started(game="onecard")
    pen, books = cluster.host._pen, cluster.host.public
    assert books.round is not None
    cards = bytes(sorted(map(face, fold_of(cluster).dealt.shown)))
    pen.write(EntryKind.DEAL_OPEN, DealOpen(1, 1, (0, 1, 2), (), (), 0, cards, books.round.root, ()))
    pen.write(EntryKind.DEAL_START, DealStart(NO_SEAT, b""))
    cluster.pass_time(1)
    play_round(cluster, limit=2000)
    caught(cluster, index_of(cluster, EntryKind.DEAL_OPEN, 1), "not due")


def test_a_shuffle_of_other_cards(monkeypatch: Patch) -> None:
    cluster = onecard()
    write = cluster.host._pen.write
    lied: list[DealOpen] = []

    def lies(kind: EntryKind, pub: Any) -> int:
        if kind is EntryKind.DEAL_OPEN and pub.epoch != cluster.host.public.epoch + 1 and not lied:
            lied.append(pub)
            pub = DealOpen(*(*[getattr(pub, name) for name in pub.__struct_fields__[:6]], pub.cards[1:], pub.root, ()))
        return write(kind, pub)

    monkeypatch.setattr(cluster.host._pen, "write", lies)
    play_round(cluster, limit=2000, choose=draws)
    assert lied
    caught(cluster, index_of(cluster, EntryKind.DEAL_OPEN, 1), "other cards")


# ---- time-outs and the open deck


def test_after_a_time_out_anything_but_the_safe_default(monkeypatch: Patch) -> None:
    cluster = starting("ana", game="straights", seats=4, settings={"turn_seconds": "5"})
    current = cluster.host._play.round
    assert current is not None
    fold = current.fold

    def chooses(seat: int, now: float) -> None:
        game = fold.game
        default = game.format(game.default(fold.view(seat)))
        legal = [game.format(action) for action in game.legal_actions(fold.view(seat))]
        text = next((text for text in legal if text != default), default)
        current._speak_for(seat, text, fold.secrecy(seat, text), EntryFlag.TIME)

    monkeypatch.setattr(current, "time_out", chooses)
    cluster.pass_time(5 * 60)
    for audit in found(cluster).values():
        assert (audit.ok, audit.whose) == (False, "ana")
        assert "time is up" in audit.why
        assert audit.bad is not None
        assert cluster.host.public.journal.entries[audit.bad].flags is EntryFlag.TIME


def test_another_deck_laid_open_than_was_dealt() -> None:
    cluster = starting("ana", settings={"allow_peek": "true"})
    order = [face(card) for card in fold_of(cluster).order]
    order[0], order[40] = order[40], order[0]
    cards = tuple((1, place, b"", face(Card(card))) for place, card in enumerate(order))
    cluster.host._pen.write(EntryKind.OPEN, OpenPub(cards))
    cluster.pass_time(1)
    play_round(cluster)
    caught(cluster, index_of(cluster, EntryKind.OPEN), "another deck")
    assert all(peer.told(Alarm) == [] for peer in cluster.peers.values())


def test_what_is_sealed_is_not_public_in_the_game() -> None:
    """The table's part rests on the game's word for it."""
    cluster = started(game="straights", seats=4)
    game = cluster.host.public.rules
    assert {game.secrecy(game.parse(text)) for text in ("play 7S", "discard KD")} == {Secrecy.PUBLIC, Secrecy.SEALED}

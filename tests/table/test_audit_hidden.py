"""The audit of what some games and settings have: sealed choices, time-outs, bots that answer."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from p2pcards.games.base import Seat, Secrecy
from p2pcards.table import round as rounds
from p2pcards.table.notices import Audited
from p2pcards.table.sealed import seal_choice
from p2pcards.wire.encode import expand, u64
from p2pcards.wire.entries import Disclose, EntryFlag, EntryKind, decode_pub
from p2pcards.wire.envelope import (
    ActKind,
    choice_commitment,
    decode_envelope,
    encode_envelope,
    pack_opening,
    unpack_opening,
)
from tests.testing.cluster import Cluster, play_round, started
from tests.testing.evil_host import Edit, audit_edited
from tests.testing.table import NAMES, question, starting

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
        cluster.act(mover.name, game.format(game.legal_actions(mover.guest.my_turn)[0]))
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


# ---- time-outs


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


# ---- bots that answer a question


def answered() -> Cluster:
    """A round that a draw called by ana ended, answered by ben and by the bot that plays for cy."""
    cluster = question(left=("cy",))
    cluster.act("ben", "challenge")
    play_round(cluster)
    assert audit_edited(cluster).bad is None
    return cluster


def said_by_bot(cluster: Cluster, kind: EntryKind, payload: bytes, flag: EntryFlag = EntryFlag.BOT) -> tuple[int, Edit]:
    """The bot's entry of that kind, and the journal with another envelope in it."""
    index = index_of(cluster, kind, flag=EntryFlag.BOT)
    entry = cluster.host.public.journal.entries[index]
    pub = encode_envelope(replace(decode_envelope(entry.pub), payload=payload))
    return index, lambda entries: [*entries[:index], replace(entry, flags=flag, pub=pub), *entries[index + 1 :]]


@pytest.mark.parametrize("body", [b"draw", b"", b"call"])
def test_a_bots_answer_that_it_may_not_give(body: bytes) -> None:
    cluster = answered()
    index = index_of(cluster, EntryKind.BLIND, flag=EntryFlag.BOT)
    disclosed = cluster.host.public.journal.entries[index_of(cluster, EntryKind.DISCLOSE)]
    pub = decode_pub(EntryKind.DISCLOSE, disclosed.pub)
    assert isinstance(pub, Disclose)
    salt = expand(pub.secret, "bot salt", u64(index))
    index, edit = said_by_bot(cluster, EntryKind.BLIND, choice_commitment(cluster.host.table, 1, 2, 0, salt, body))
    audit = audit_edited(cluster, edit)
    assert (audit.bad, audit.why) == (index, "a bot's answer that it may not give")


def test_a_bots_answer_under_a_salt_of_the_hosts_choice() -> None:
    cluster = answered()
    committed = choice_commitment(cluster.host.table, 1, 2, 0, bytes(32), b"challenge")
    index, edit = said_by_bot(cluster, EntryKind.BLIND, committed)
    audit = audit_edited(cluster, edit)
    assert (audit.bad, audit.why) == (index, "a bot's answer that it may not give")


def test_a_bots_answer_held_back_when_the_others_were_open() -> None:
    """The host can open it at any time; a default in its place would be a second answer, given with open eyes."""
    cluster = answered()
    default = pack_opening(0, bytes(32), b"challenge")
    index, edit = said_by_bot(cluster, EntryKind.OPENING, default, EntryFlag.TIME)
    audit = audit_edited(cluster, edit)
    assert (audit.bad, audit.why) == (index, "a bot's answer was held back")


def test_a_default_stands_for_what_a_player_did_not_open() -> None:
    """That it did come in time nobody can prove: it is no fault of the host's."""
    cluster = answered()
    index = index_of(cluster, EntryKind.OPENING, flag=EntryFlag.ACTSIG)
    entry = cluster.host.public.journal.entries[index]
    said = decode_envelope(entry.pub)
    n = unpack_opening(said.payload)[0]
    pub = encode_envelope(replace(said, n=0, payload=pack_opening(n, bytes(32), b"challenge")))
    default = replace(entry, flags=EntryFlag.TIME, actsig=b"", pub=pub)
    audit = audit_edited(cluster, lambda entries: [*entries[:index], default, *entries[index + 1 :]])
    assert (audit.bad, audit.why) == (None, "")


def test_what_is_sealed_is_not_public_in_the_game() -> None:
    """The table's part rests on the game's word for it."""
    cluster = started(game="straights", seats=4)
    game = cluster.host.public.rules
    assert {game.secrecy(game.parse(text)) for text in ("play 7S", "discard KD")} == {Secrecy.PUBLIC, Secrecy.SEALED}

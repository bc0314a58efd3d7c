"""Every kind of message at a guest, in every state: it is taken, or it is an alarm."""

from __future__ import annotations

import msgspec
import pytest

from p2pcards import PROTOCOL
from p2pcards.table.effects import Chose, Effects, HostGone, Left, LinkUp, Wanted, Woke
from p2pcards.table.notices import (
    Alarm,
    Closed,
)
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import (
    RAISED_BY_VOTE,
    Ack,
    Act,
    Audit,
    Chat,
    Clock,
    Close,
    Confirm,
    Entries,
    ForkAsk,
    ForkSay,
    Get,
    Held,
    Info,
    Keepalive,
    Message,
    Pake,
    Peers,
    Prevote,
    PrevoteAsk,
    Ready,
    Reason,
    Secret,
    Share,
    ShareAsk,
    Stale,
    Standing,
    View,
    VoteAsk,
    Want,
    Welcome,
)
from p2pcards.wire.messages import Refused as RefusedMessage
from p2pcards.wire.vote import Vote
from tests.table.test_access import hello
from tests.table.test_guest import LINK, Stage, beat
from tests.testing.cluster import identity
from tests.testing.forge import Forge


def all_messages() -> list[Message]:
    """One of each kind."""
    journal = Forge()
    journal.lobby()
    table, head = journal.journal.table, journal.journal.head
    act = journal.envelope(0, 1, ActKind.ACT, b"draw")
    return [
        hello(),
        Pake(bytes(33)),
        Confirm(bytes(32)),
        Chat(identity("ben").key, 1, 255, "hi", bytes(64)),
        Welcome(table, 1, identity("host").key, 1, "open", 2, 2, b""),
        Info("x", PROTOCOL, 1, table, (), 1, "t", "n", "tongits", (), (), "lobby", "open", identity("host").key, ()),
        Entries(2, tuple(journal.journal.wires)),
        View(2, b"", ()),
        Get(0),
        beat(journal),
        Ack(table, 1, 2, head, 0, 0, False),
        Act(act, bytes(64), b""),
        RefusedMessage(0, "not_now", ""),
        Want("next"),
        Held(((1, 5),)),
        Ready((1, 200), 20, 0),
        Clock(20, (1, 200), 2, 200),
        Keepalive(table, 1, 2, head, bytes(64)),
        Audit(identity("cy").key, 1, 7, "R", bytes(64)),
        Share(1, 1, bytes(66)),
        Peers(((identity("ben").key, (bytes(6),)),)),
        Standing("two", ()),
        ShareAsk(1),
        Secret(1, bytes(32)),
        PrevoteAsk(table, 2, 1, 2, head, bytes(64)),
        Prevote(table, 2, False),
        (vote := Vote(table, 2, identity("ben").key, identity("ben").key, 1, 1, 2, head, bytes(64))),
        VoteAsk(vote, bytes(64)),
        Stale(RAISED_BY_VOTE, msgspec.msgpack.encode(vote)),
        ForkAsk(table, 2, head, bytes(16), (identity("ben").key,)),
        ForkSay(table, bytes(16), False, b""),
        Close(Reason.BYE, ""),
    ]


STATES = ("before welcome", "welcomed", "lobby", "round")
_TOLD = {
    "Chat",
    "Entries",
    "Info",
    "Heartbeat",
    "Refused",
    "Held",
    "Ready",
    "Clock",
    "Audit",
    "Share",
    "Keepalive",
    "Close",
}
_TOLD |= {"Peers", "Standing"}
TAKEN: dict[str, set[str]] = {"before welcome": {"Welcome", "Info", "Close"}, **dict.fromkeys(STATES[1:], _TOLD)}


@pytest.mark.parametrize("message", all_messages(), ids=lambda message: type(message).__name__)
@pytest.mark.parametrize("state", STATES)
def test_every_message_in_every_state(state: str, message: Message) -> None:
    """It is taken, or it is an alarm."""
    forge = Forge()
    wires = forge.lobby()
    stage = Stage()
    if state != "before welcome":
        stage.welcomed(forge)
    if state in ("lobby", "round"):
        stage.hears(Entries(2, tuple(wires)))
    if state == "round":
        stage.hears(Entries(5, (forge.match(), forge.deal_open(), forge.deal_start())))
    stage.hears(message)
    name = type(message).__name__
    if name in TAKEN[state]:
        assert stage.told(Alarm) == []
        assert stage.guest.finished is (name == "Close")
    else:
        stage.alarmed()


@pytest.mark.parametrize("reason", [*Reason, 0, 77])
def test_whatever_the_reason_a_close_is_the_end(reason: int) -> None:
    stage = Stage()
    stage.hears(Close(reason, "\x1b[2Jgo \u202eaway"))
    (closed,) = stage.told(Closed)
    assert closed.text == "[2Jgo away"
    assert closed.reason == (Reason(reason).name.lower() if reason in list(Reason) else "broken")
    assert stage.guest.finished
    for happened in (Woke(), Chose("draw"), Wanted("next"), Left(1), LinkUp(LINK, identity("host").key), HostGone()):
        assert stage.guest.handle(happened, stage.now) == Effects()

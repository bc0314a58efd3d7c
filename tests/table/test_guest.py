"""A guest against a host that lies: every lie is an alarm and the end of the line, never an exception."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from p2pcards.games.base import Seat
from p2pcards.games.registry import GAMES
from p2pcards.table.effects import Chose, Effects, HostGone, LinkDown, LinkId, LinkUp, Received, Wanted, Woke
from p2pcards.table.follower import Elsewhere
from p2pcards.table.guest import DEAD, PROOF, Guest
from p2pcards.table.notices import (
    Alarm,
    Closed,
    Entered,
    HostIs,
    LinkBack,
    LinkLost,
    Notice,
    OptionsSet,
    Refused,
    Seated,
    TurnOf,
)
from p2pcards.table.views import VIEW_SECONDS
from p2pcards.wire.entries import BotPub, BotReason, EntryKind, Genesis, OptionsPub, encode_pub
from p2pcards.wire.messages import (
    Ack,
    Close,
    Entries,
    Get,
    Heartbeat,
    Held,
    Hello,
    Keepalive,
    Message,
    Method,
    Reason,
    View,
    Welcome,
)
from p2pcards.wire.messages import Refused as RefusedMessage
from tests.table.test_public import REFUSED
from tests.testing.cluster import Cluster, identity, play_round, started, three
from tests.testing.forge import NAMES, Forge, member
from tests.testing.table import fold_of, legal_texts, starting, tame_move

LINK = LinkId(1)


class Stage:
    """ben's guest on a link to a host that says what the test makes it say."""

    def __init__(self, name: str = "ben", *, watch: bool = False) -> None:
        self.guest = Guest(identity(name), lambda count: bytes(count), name, watch=watch)
        self.now = 50.0
        self.notices: list[Notice] = []
        self.said: list[Message] = []
        self.wake_at: float | None = None
        self.hello = self._take(self.guest.handle(LinkUp(LINK, identity("host").key), self.now))[0]

    def _take(self, effects: Effects) -> list[Message]:
        self.notices += effects.notices
        said = [message for link, message in effects.outgoing if link == LINK]
        self.said += said
        self.wake_at = self.guest.wake_at
        assert all(name.startswith("share-") or name == PROOF for name, _ in effects.secrets)
        return said

    def hears(self, *messages: Message) -> list[Message]:
        """The host says these; gives what the guest answered."""
        return [
            said for message in messages for said in self._take(self.guest.handle(Received(LINK, message), self.now))
        ]

    def welcomed(self, forge: Forge, seat: int = 1) -> list[Message]:
        """The usual welcome to that journal."""
        journal = forge.journal
        return self.hears(Welcome(journal.table, 1, forge.host.key, seat, "open", journal.last, journal.last, b""))

    def alarmed(self) -> str:
        """What the guest found wrong; it is gone then, and says so to both sides."""
        alarms = [notice for notice in self.notices if isinstance(notice, Alarm)]
        closed = [notice for notice in self.notices if isinstance(notice, Closed)]
        assert len(alarms) == len(closed) == 1
        assert closed == [Closed("broken", alarms[0].text)]
        assert self.said[-1] == Close(Reason.BROKEN, "that message makes no sense here")
        assert self.guest.finished
        assert self.wake_at is None
        return alarms[0].text

    def told(self, kind: type[Notice]) -> list[Any]:
        return [notice for notice in self.notices if isinstance(notice, kind)]


def at_table(forge: Forge, wires: list[bytes]) -> Stage:
    """A guest that was welcomed and sent these."""
    stage = Stage()
    stage.welcomed(forge)
    stage.hears(Entries(forge.journal.last, tuple(wires)))
    return stage


# ---- coming in


def test_hello_says_who_what_and_how() -> None:
    stage = Stage(watch=True)
    said = stage.hello
    assert isinstance(said, Hello)
    assert (said.nick, said.flags, said.method, said.resume) == ("ben", 6, Method.KNOCK, ())
    assert dict(said.games) == {name: game.rules for name, game in GAMES.items()}


def test_a_guest_enters_when_it_has_caught_up_and_is_told_what_stands() -> None:
    forge = Forge()
    wires = forge.lobby()
    stage = Stage()
    assert stage.welcomed(forge) == [Get(0)]
    assert stage.notices == []
    stage.hears(Entries(2, tuple(wires[:2])))
    assert stage.notices == []
    assert stage.guest.table_view() is None
    (ack,) = stage.hears(Entries(2, tuple(wires[2:])))
    assert isinstance(ack, Ack)
    assert (ack.index, ack.head) == (2, forge.journal.head)
    assert stage.notices == [
        Entered(1),
        HostIs("", 1),
        OptionsSet((), (("seat_order", "join_order"),)),
        *(Seated(seat, name, identity(name).key, "") for seat, name in enumerate(NAMES)),
    ]


def test_every_entry_is_kept_as_it_came_and_once() -> None:
    forge = Forge()
    wires = forge.lobby()
    stage = Stage()
    stage.welcomed(forge)
    kept: list[bytes] = []
    for batch in (wires[:1], wires, wires[1:]):
        effects = stage.guest.handle(Received(LINK, Entries(2, tuple(batch))), stage.now)
        kept += effects.entries
    assert kept == wires


def test_a_returner_says_what_it_holds_and_asks_for_the_rest() -> None:
    forge = Forge()
    stage = at_table(forge, forge.lobby())
    stage._take(stage.guest.handle(LinkDown(LINK), stage.now))
    assert stage.told(LinkLost) == [LinkLost()]
    (said,) = stage._take(stage.guest.handle(LinkUp(LINK, forge.host.key), stage.now))
    assert isinstance(said, Hello)
    assert said.method == Method.MEMBER
    assert said.resume == (forge.journal.table, 2, forge.journal.head)
    assert stage.welcomed(forge) == [Get(3)]
    assert stage.told(LinkBack) == [LinkBack()]
    assert stage.told(Entered) == [Entered(1)]


@pytest.mark.parametrize("welcomed", [False, True])
def test_a_line_lost_on_the_way_in_is_told_too(welcomed: bool) -> None:
    """Else nobody would make another."""
    forge = Forge()
    wires = forge.lobby()
    stage = Stage()
    if welcomed:
        stage.welcomed(forge)
        stage.hears(Entries(2, tuple(wires[:1])))
    stage._take(stage.guest.handle(LinkDown(LINK), stage.now))
    assert stage.notices == [LinkLost()]
    (said,) = stage._take(stage.guest.handle(LinkUp(LINK, forge.host.key), stage.now))
    assert isinstance(said, Hello)
    assert bool(said.resume) is welcomed
    stage.welcomed(forge)
    stage.hears(Entries(2, tuple(wires)))
    assert stage.told(Entered) == [Entered(1)]
    assert stage.told(LinkBack) == []


# ---- lies in the journal


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_follow_is_an_alarm(name: str) -> None:
    base, wrong, why = REFUSED[name]
    forge = Forge()
    wires = base(forge)
    added = wrong(forge)
    stage = at_table(forge, wires + (added if isinstance(added, list) else [added]))
    assert why in stage.alarmed()


def test_entries_left_out_changed_or_of_another_table_are_alarms() -> None:
    forge, other = Forge(), Forge()
    wires = forge.round()
    other.genesis(title="another")
    foreign = other.options()
    changed = wires[3][:-1] + bytes([wires[3][-1] ^ 1])
    for batch, why in [
        ([*wires[:3], wires[4]], "does not follow"),
        ([*wires[:3], changed], "not signed"),
        ([*wires[:3], wires[3][:50]], "bytes"),
        ([*wires[:1], foreign], "does not follow"),
        ([b"", *wires], "bytes"),
        ([wires[0], wires[0][:-64] + bytes(64)], "not signed"),
    ]:
        assert why in at_table(forge, batch).alarmed()


def test_another_wire_for_an_entry_that_is_held_is_an_alarm() -> None:
    forge = Forge()
    stage = at_table(forge, forge.lobby())
    other = Forge()
    other.genesis()
    stage.hears(Entries(1, (other.options(options=(("ante", "3"),)),)))
    assert "two histories from entry 1" in stage.alarmed()


def test_a_journal_of_another_host_is_an_alarm() -> None:
    mallory = Forge(identity("mallory"))
    stage = Stage()
    wires = mallory.lobby()
    stage.hears(Welcome(mallory.journal.table, 1, identity("host").key, 1, "open", 2, 2, b""))
    stage.hears(Entries(2, tuple(wires)))
    assert stage.alarmed()


def test_a_journal_of_another_table_than_the_welcome_said_is_an_alarm() -> None:
    forge = Forge()
    wires = forge.lobby()
    stage = Stage()
    stage.hears(Welcome(bytes(16), 1, forge.host.key, 1, "open", 2, 2, b""))
    stage.hears(Entries(2, tuple(wires)))
    assert stage.alarmed() == "not the table that it says it is"


def test_a_welcome_of_another_host_is_an_alarm() -> None:
    stage = Stage()
    stage.hears(Welcome(bytes(16), 1, identity("mallory").key, 1, "open", 2, 2, b""))
    assert stage.alarmed() == "not this table's host"


def test_a_welcome_to_another_table_leads_elsewhere_and_is_no_lie() -> None:
    """Some members may have gone on as a table of their own while others elected a host."""
    forge = Forge()
    stage = at_table(forge, forge.lobby())
    stage.guest.handle(LinkDown(LINK), stage.now)
    stage._take(stage.guest.handle(LinkUp(LINK, forge.host.key), stage.now))
    with pytest.raises(Elsewhere):
        stage.hears(Welcome(bytes(16), 1, forge.host.key, 1, "open", 2, 2, b""))
    assert not stage.guest.finished


def test_another_key_at_the_hosts_address_is_hung_up_on() -> None:
    forge = Forge()
    stage = at_table(forge, forge.lobby())
    effects = stage.guest.handle(LinkUp(LinkId(2), identity("mallory").key), stage.now)
    assert effects.outgoing == ((LinkId(2), Close(Reason.BYE, "")),)
    assert not stage.guest.finished
    assert stage.hears(Entries(3, (forge.roster(*map(member, NAMES)),)))  # the old line still counts


# ---- heartbeats and views


def beat(forge: Forge, **changes: Any) -> Heartbeat:
    journal = forge.journal
    said = Heartbeat(journal.table, 1, journal.last, journal.head, journal.last, 7, journal.hostsig)
    return msgspec.structs.replace(said, **changes)


def test_a_heartbeat_is_acknowledged_with_what_is_held() -> None:
    forge = Forge()
    stage = at_table(forge, forge.lobby())
    (ack,) = stage.hears(beat(forge))
    assert isinstance(ack, Ack)
    assert (ack.index, ack.beat, ack.head) == (2, 7, forge.journal.head)
    forge.roster(*map(member, NAMES))
    (ack,) = stage.hears(beat(forge))  # ahead of the entries that belong to it
    assert isinstance(ack, Ack)
    assert ack.index == 2


def test_a_heartbeat_of_another_history_is_an_alarm() -> None:
    for changes, why in [({"head": bytes(32)}, "two histories"), ({"table": bytes(16)}, "another table")]:
        forge = Forge()
        stage = at_table(forge, forge.lobby())
        stage.hears(beat(forge, **changes))
        assert why in stage.alarmed()


def shown(cluster: Cluster, name: str = "ben") -> View:
    """The newest view that the host showed."""
    return [message for message in cluster.peers[name].received if isinstance(message, View)][-1]


LYING_VIEWS = {
    "garbage": lambda view, cluster: msgspec.structs.replace(view, view=b"\xc1"),
    "empty": lambda view, cluster: msgspec.structs.replace(view, view=b""),
    "deep": lambda view, cluster: msgspec.structs.replace(view, view=b"\x91" * 9000),
    "another's": lambda view, cluster: msgspec.structs.replace(view, view=shown(cluster, "cy").view),
    "a spectator's": lambda view, cluster: msgspec.structs.replace(
        view, view=cluster.host.public.rules.encode_view(cluster.host._play.round.fold.view(None))
    ),
    "of an entry to come": lambda view, cluster: msgspec.structs.replace(view, index=view.index + 1),
    "of an entry gone by": lambda view, cluster: msgspec.structs.replace(view, index=view.index - 1),
    "with openings": lambda view, cluster: msgspec.structs.replace(view, openings=((1, 0, bytes(32), 5),)),
    "another than before": lambda view, cluster: msgspec.structs.replace(view, view=_other_hand(cluster, view.view)),
}


def _other_hand(cluster: Cluster, data: bytes) -> bytes:
    """The view with one card of the hand changed for one that another holds."""
    game = cluster.host.public.rules
    view = game.decode_view(data)
    theirs = next(card for card in range(52) if not view.hand >> card & 1)
    mine = view.hand & -view.hand
    return game.encode_view(msgspec.structs.replace(view, hand=(view.hand ^ mine) | 1 << theirs))


@pytest.mark.parametrize("lie", LYING_VIEWS)
def test_a_view_that_cannot_be_is_an_alarm(lie: str) -> None:
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    assert ben.link is not None
    cluster.to_guest(ben.link, LYING_VIEWS[lie](shown(cluster), cluster))
    assert len(ben.told(Alarm)) == 1
    assert ben.told(Closed)[0].reason == "broken"


@pytest.mark.parametrize(("game", "seats"), [("tienlen", 4), ("onecard", 5)])
def test_a_view_of_a_table_with_fewer_seats_is_an_alarm(game: str, seats: int) -> None:
    cluster = started(1, game=game, seats=seats)
    rules, ben = cluster.host.public.rules, cluster.peers["ben"]
    order = fold_of(cluster).order
    state = rules.deal(order, 2, Seat(0))
    assert ben.link is not None
    cluster.act(cluster.movers[0].name, legal_texts(cluster.movers[0])[0])
    view = rules.encode_view(rules.view(state, Seat(1)))
    cluster.to_guest(ben.link, msgspec.structs.replace(shown(cluster), view=view))
    assert [alarm.text for alarm in ben.told(Alarm)] == ["a view of another seat, or of another table"]


def test_the_same_view_again_is_no_lie() -> None:
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    assert ben.link is not None
    cluster.to_guest(ben.link, shown(cluster))
    assert ben.told(Alarm) == []
    said = cluster.host.public.said[identity("ben").key]
    cluster.act("ben", "draw")
    assert cluster.host.public.said[identity("ben").key] == said + 1


def test_a_view_in_the_lobby_is_an_alarm() -> None:
    forge = Forge()
    stage = at_table(forge, forge.lobby())
    stage.hears(View(2, b"", ()))
    assert stage.alarmed() == "a view of entry 2 out of place, behind entry 2"


def test_without_its_view_the_newest_entry_can_not_be_acted_on_and_the_line_is_made_anew() -> None:
    cluster = starting("ana")
    ben = cluster.peers["ben"]
    cluster.tamper = lambda name, message: (
        Keepalive(cluster.host.table, 1, 0, bytes(32), bytes(64))
        if name == "ben" and isinstance(message, View)
        else message
    )
    for name in ("ana", "ana"):
        cluster.act(name, tame_move(cluster, cluster.peers[name]))
    assert ben.guest.my_turn is None
    assert not ben.guest.settled
    cluster.act("ben", "draw")
    assert ben.told(Refused) == [Refused("not_your_turn", "")]
    cluster.tamper = None
    cluster.pass_time(VIEW_SECONDS - 0.1)
    assert ben.told(LinkLost) == []
    cluster.pass_time(0.2)
    assert ben.told(LinkLost) == [LinkLost()]
    cluster.back("ben")
    assert ben.guest.my_turn is not None
    cluster.act("ben", "draw")
    assert identity("ben").key in cluster.host.public.said


# ---- texts


def printable(value: object) -> bool:
    """Whether every text in a value can be put on a screen."""
    if isinstance(value, str):
        return value.isprintable()
    if isinstance(value, msgspec.Struct):
        return all(printable(getattr(value, name)) for name in value.__struct_fields__)
    if isinstance(value, tuple | list):
        return all(map(printable, value))
    if isinstance(value, dict):
        return all(map(printable, value.items()))
    return True


def test_no_text_of_the_host_reaches_the_screen_with_an_escape_in_it() -> None:
    evil = "\x1b]0;x\x07\u202e"
    forge = Forge()
    genesis = Genesis(forge.host.key, evil + "t" * 99, "tongits", 1, bytes(32))
    wires = [forge.entry(EntryKind.GENESIS, encode_pub(genesis)), forge.options(), forge.roster(*map(member, NAMES))]
    stage = at_table(forge, wires)
    stage.hears(RefusedMessage(0, evil + "code", evil * 20), Held(((200, 5),)))
    assert stage.told(Refused) == [Refused("]0;xcode", ("]0;x" * 20))]
    view = stage.guest.table_view()
    assert view is not None
    assert printable(view)
    assert len(view.title) == 40
    stage.hears(Close(Reason.BYE, evil))
    assert all(map(printable, stage.notices))


@pytest.mark.parametrize(
    "pub", [OptionsPub("open", (("scoring\x1b", "wins"),), ()), OptionsPub("open", (), (("\x1b", "1"),))]
)
def test_an_option_with_an_escape_in_it_is_an_alarm(pub: OptionsPub) -> None:
    forge = Forge()
    stage = at_table(forge, [forge.genesis(), forge.entry(EntryKind.OPTIONS, pub)])
    assert printable(stage.alarmed())


def test_alarms_themselves_can_be_shown() -> None:
    forge = Forge()
    wires = [*forge.round(), forge.says(0, "\x1b[2J" * 20)]
    assert printable(at_table(forge, wires).alarmed())


# ---- time


def test_a_guest_wakes_to_find_its_host_lost() -> None:
    forge = Forge()
    stage = at_table(forge, forge.lobby())
    assert stage.wake_at == stage.now + DEAD
    stage._take(stage.guest.handle(Woke(), stage.now + DEAD))
    assert stage.told(LinkLost) == [LinkLost()]
    assert stage.said[-1] == Close(Reason.BYE, "no word from you")
    assert stage.wake_at is None
    stage._take(stage.guest.handle(HostGone(), stage.now + 60))
    assert stage.told(Closed) == [Closed("lost", "")]


def test_before_anything_is_there_nothing_can_be_done_and_nothing_breaks() -> None:
    guest = Guest(identity("ben"), lambda count: bytes(count), "ben")
    for happened in (Chose("draw"), Wanted("next"), Woke(), LinkDown(LINK), Received(LINK, Get(0))):
        effects = guest.handle(happened, 1.0)
        assert effects.outgoing == ()
    assert guest.table_view() is None
    assert guest.my_turn is None
    assert not guest.settled


def test_a_turn_is_told_once_and_told_as_ones_own() -> None:
    cluster = starting("ben")
    assert cluster.peers["ben"].told(TurnOf) == [TurnOf((1,), True, True)]
    assert cluster.peers["cy"].told(TurnOf) == [TurnOf((1,), False, True)]
    cluster.act("ben", "draw")
    assert cluster.peers["ben"].told(TurnOf)[1:] == [TurnOf((1,), True, False)]
    cluster.act("ben", tame_move(cluster, cluster.peers["ben"]))
    assert cluster.peers["ben"].told(TurnOf)[2:] == [TurnOf((2,), False, True)]


def test_while_a_bot_plays_our_seat_the_turn_is_not_ours() -> None:
    cluster = starting("ana")
    cluster.tamper = None
    ben = cluster.peers["ben"]
    cluster.host._pen.write(EntryKind.BOT, BotPub(1, True, BotReason.GRACE))
    cluster.bots = None
    cluster.tell_host(Woke())
    cluster.settle()
    for _ in range(2):
        cluster.act("ana", tame_move(cluster, cluster.peers["ana"]))
    assert ben.told(TurnOf)[-1] == TurnOf((1,), False, True)
    assert ben.guest.my_turn is None


def test_a_finished_table_can_be_looked_at_still() -> None:
    cluster = started(options={"match_rounds": "1"}, closes=True)
    play_round(cluster)
    view = cluster.peers["ben"].guest.table_view()
    assert view is not None
    assert view.last is not None
    assert (view.last.verified, view.connected) == (True, False)
    assert three().peers["ben"].guest.table_view() is not None

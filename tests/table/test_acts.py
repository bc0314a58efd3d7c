"""Acts: what the host takes and what it refuses, and that a refusal changes nothing (protocol 6.4)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import pytest

from p2pcards.cards import cards_of, each
from p2pcards.games.tongits.melds import is_meld
from p2pcards.table.effects import Chose, Left, Received
from p2pcards.table.notices import Acted, BotPlays, BotTurn, Closed, Refused, Vacated
from p2pcards.wire.entries import EntryKind, Parts, SeatKind, decode_pub
from p2pcards.wire.envelope import (
    ActKind,
    Envelope,
    LeaveReason,
    decode_envelope,
    encode_envelope,
    pack_leave,
    pack_opening,
)
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.messages import Act, Entries, View
from p2pcards.wire.messages import Refused as RefusedMessage
from tests.testing.cluster import Cluster, Peer, identity, play_round, started, three
from tests.testing.table import NAMES, first_discard, fold_of, starting, tame_bot, tame_move

_PARTS = (EntryKind.DEAL_COMMIT, EntryKind.DEAL_REVEAL)


def envelope(
    cluster: Cluster,
    seat: int,
    text: str | bytes,
    kind: ActKind = ActKind.ACT,
    *,
    n: int | None = None,
    seen: int | None = None,
    head: bytes | None = None,
    table: bytes | None = None,
    epoch: int | None = None,
) -> bytes:
    """What the player of a seat would sign, but for the changes."""
    books, journal = cluster.host.public, cluster.host.public.journal
    index = journal.last if seen is None else seen
    counted = books.said.get(books.seats[seat].key, 0) if seat < len(books.seats) else 0
    return encode_envelope(
        Envelope(
            journal.table if table is None else table,
            books.epoch if epoch is None else epoch,
            seat,
            counted + 1 if n is None else n,
            index,
            journal.heads[index] if head is None else head,
            kind,
            text.encode() if isinstance(text, str) else text,
        )
    )


def send(cluster: Cluster, peer: Peer, data: bytes, by: str = "", opening: bytes = b"") -> None:
    """The bytes in the peer's name, over its own line."""
    assert peer.link is not None
    key = identity(by or ("host" if peer.name == "ana" else peer.name))
    cluster.tell_host(Received(peer.link, Act(data, key.sign(data), opening)))
    cluster.settle()


class Snapshot:
    """Everything that a refused act must leave as it is."""

    def __init__(self, cluster: Cluster) -> None:
        self.cluster = cluster
        self.before = self._now()

    def _now(self) -> tuple[object, ...]:
        cluster = self.cluster
        books = cluster.host.public
        views = [
            [message for message in peer.received if isinstance(message, View | Entries)]
            for peer in cluster.peers.values()
        ]
        return (
            list(books.journal.wires),
            dict(books.said),
            cluster.host._play.round.fold.state if cluster.host._play.round else None,
            views,
            [peer.guest.table_view() for peer in cluster.peers.values()],
        )

    def unchanged(self) -> bool:
        """Whether nothing changed for anybody."""
        return self._now() == self.before


def told(peer: Peer) -> tuple[str, str]:
    """The newest refusal: code and detail."""
    last = [message for message in peer.received if isinstance(message, RefusedMessage)][-1]
    return last.code, last.text


def next_of(cluster: Cluster, name: str) -> int:
    """The count that a guest's next act has."""
    return cluster.host.public.said[identity(name).key] + 1


def counted(cluster: Cluster, name: str) -> int:
    """How many acts of a player stand in the journal, its parts of deals left out."""
    said, seat = cluster.host.public.said, NAMES.index(name)
    pubs = [decode_pub(entry.kind, entry.pub) for entry in cluster.host.public.journal.entries if entry.kind in _PARTS]
    parts = sum(decode_envelope(data).seat == seat for pub in pubs if isinstance(pub, Parts) for data, _ in pub.said)
    return said.get(identity("host" if name == "ana" else name).key, 0) - parts


def dealt(cluster: Cluster) -> int:
    """The entry with which the first turn began."""
    assert cluster.host.public.round is not None
    return cluster.host.public.round.started_at


# ---- taken


def test_an_act_becomes_an_entry_and_everybody_hears_of_it() -> None:
    cluster = starting("ana")
    cluster.act("ana", "draw")
    books = cluster.host.public
    entry = books.journal.entries[-1]
    assert (entry.kind, entry.seat) == (EntryKind.ACT, 0)
    for name in ("ana", "ben", "cy"):
        peer = cluster.peers[name]
        (acted,) = peer.told(Acted)
        assert (acted.index, acted.seat, acted.nick, acted.text, acted.by) == (entry.index, 0, "ana", "draw", "")
        assert acted.after == peer.guest._reader.view
        assert peer.guest.journal.wires == books.journal.wires
    assert {name: counted(cluster, name) for name in NAMES} == {"ana": 1, "ben": 0, "cy": 0}


def test_an_act_sent_twice_is_answered_with_its_entry_and_counts_once() -> None:
    cluster = starting("ben")
    data = envelope(cluster, 1, "draw")
    ben = cluster.peers["ben"]
    send(cluster, ben, data)
    snapshot, heard = Snapshot(cluster), len(ben.received)
    assert counted(cluster, "ben") == 1
    send(cluster, ben, data)
    again = ben.received[heard:]
    assert again == [Entries(snapshot.cluster.host.public.journal.last, (cluster.host.public.journal.wires[-1],))]
    assert counted(cluster, "ben") == 1
    assert cluster.host.public.journal.last == len(ben.journal) - 1
    assert ben.told(Refused) == []


def test_an_act_signed_over_an_older_head_of_the_same_turn_is_taken() -> None:
    """Whoever comes or goes meanwhile must not cost a player its act."""
    cluster = starting("ben")
    data = envelope(cluster, 1, "draw")
    cluster.join("dot", watch=True)
    send(cluster, cluster.peers["ben"], data)
    assert counted(cluster, "ben") == 1


# ---- refused


def ana_to_act() -> Cluster:
    return starting("ana")


def ana_drew() -> Cluster:
    cluster = starting("ana")
    cluster.act("ana", "draw")
    return cluster


def card_of(cluster: Cluster, seat: int) -> str:
    """A card in somebody's hand, as a discard."""
    return first_discard(cluster, seat)


def no_meld_of(cluster: Cluster, seat: int) -> str:
    """Three cards in somebody's hand that are no meld."""
    fold = fold_of(cluster)
    hand, ranking = list(each(fold.game.hand(fold.view(seat)))), fold.game.ranking
    three = next(three for three in combinations(hand, 3) if not is_meld(cards_of(three)))
    return " ".join(map(ranking.format, three))


def withheld() -> Cluster:
    """ana has the turn for the second time."""
    cluster = starting("ana")
    for name in ("ana", "ben", "cy"):
        cluster.act(name, "draw")
        cluster.act(name, first_discard(cluster, cluster.peers[name].seat))
    return cluster


Wrong = Callable[[Cluster], bytes]

REFUSED: dict[str, tuple[Callable[[], Cluster], str, Wrong, str]] = {
    "out of turn": (ana_to_act, "ben", lambda c: envelope(c, 1, "draw"), "not_your_turn"),
    "for another seat": (ana_to_act, "ben", lambda c: envelope(c, 0, "draw", n=1), "not_seated"),
    "for no seat": (ana_to_act, "ana", lambda c: envelope(c, NO_SEAT, "draw", n=1), "not_seated"),
    "of another table": (ana_to_act, "ana", lambda c: envelope(c, 0, "draw", table=bytes(16)), "not_yours"),
    "of another epoch": (ana_to_act, "ana", lambda c: envelope(c, 0, "draw", epoch=2), "no_round"),
    "with a count left out": (ana_to_act, "ana", lambda c: envelope(c, 0, "draw", n=2), "stale"),
    "with a count used up": (ana_drew, "ana", lambda c: envelope(c, 0, card_of(c, 0), n=1), "stale"),
    "with no count": (ana_to_act, "ana", lambda c: envelope(c, 0, "draw", n=0), "stale"),
    "over another head": (ana_to_act, "ana", lambda c: envelope(c, 0, "draw", head=bytes(32)), "stale"),
    "over an entry to come": (
        ana_to_act,
        "ana",
        lambda c: envelope(c, 0, "draw", seen=len(c.host.public.journal), head=bytes(32)),
        "stale",
    ),
    "withheld since an earlier turn": (withheld, "ana", lambda c: envelope(c, 0, "draw", seen=dealt(c)), "stale"),
    "withheld since just before the turn": (
        withheld,
        "ana",
        lambda c: envelope(c, 0, "draw", seen=c.host.public.journal.last - 1),
        "stale",
    ),
    "of a phase to come": (ana_to_act, "ana", lambda c: envelope(c, 0, card_of(c, 0)), "draw_first"),
    "of a phase gone by": (ana_drew, "ana", lambda c: envelope(c, 0, "draw"), "already_drawn"),
    "with a card of another": (ana_drew, "ana", lambda c: envelope(c, 0, card_of(c, 1)), "not_held"),
    "with nothing exposed": (ana_to_act, "ana", lambda c: envelope(c, 0, "call"), "nothing_exposed"),
    "after the call": (ana_drew, "ana", lambda c: envelope(c, 0, "call"), "call_first"),
    "with no meld": (ana_drew, "ana", lambda c: envelope(c, 0, f"expose {no_meld_of(c, 0)}"), "no_meld"),
    "with cards of another": (ana_drew, "ana", lambda c: envelope(c, 0, f"expose {no_meld_of(c, 1)}"), "not_held"),
    "on no meld": (ana_drew, "ana", lambda c: envelope(c, 0, f"layoff {card_of(c, 0)[8:]} m7"), "unknown_meld"),
    "with no discard to take": (ana_to_act, "ana", lambda c: envelope(c, 0, "take 2S 3S"), "no_discard"),
    "in answer to no call": (ana_to_act, "ana", lambda c: envelope(c, 0, "fold"), "no_call"),
    "that is none": (ana_to_act, "ana", lambda c: envelope(c, 0, "cheat"), "no_action"),
    "that is empty": (ana_to_act, "ana", lambda c: envelope(c, 0, ""), "no_action"),
    "with a card that there is not": (ana_drew, "ana", lambda c: envelope(c, 0, "discard 1X"), "no_action"),
    "full of escapes": (ana_to_act, "ana", lambda c: envelope(c, 0, "\x1b[2J" * 90), "no_action"),
    "not written canonically": (
        ana_drew,
        "ana",
        lambda c: envelope(c, 0, card_of(c, 0).replace("discard ", "discard  ")),
        "no_action",
    ),
    "in lower case": (ana_drew, "ana", lambda c: envelope(c, 0, card_of(c, 0).lower()), "no_action"),
    "blind, but no question": (ana_to_act, "ana", lambda c: envelope(c, 0, bytes(32), ActKind.BLIND), "not_a_question"),
    "an opening of nothing": (
        ana_to_act,
        "ana",
        lambda c: envelope(c, 0, pack_opening(1, bytes(32), b"fold"), ActKind.OPENING),
        "not_now",
    ),
    "sealed": (ana_to_act, "ana", lambda c: envelope(c, 0, bytes(32), ActKind.SEALED), "not_committed"),
    "a contribution": (ana_to_act, "ana", lambda c: envelope(c, 0, bytes(32), ActKind.COMMIT), "no_part"),
    "a revealed contribution": (ana_to_act, "ana", lambda c: envelope(c, 0, bytes(32), ActKind.REVEAL), "no_part"),
    "a vote about nobody": (ana_to_act, "ana", lambda c: envelope(c, 0, "kick 9", ActKind.VOTE), "vote_seat"),
    "no vote": (ana_to_act, "ana", lambda c: envelope(c, 0, "crown 1", ActKind.VOTE), "no_vote"),
    "a good-bye of another": (
        ana_to_act,
        "ben",
        lambda c: envelope(c, 2, pack_leave(LeaveReason.LEAVE, 1), ActKind.LEAVE, n=1),
        "not_seated",
    ),
    "a good-bye over another head": (
        ana_to_act,
        "ben",
        lambda c: envelope(c, 1, pack_leave(LeaveReason.LEAVE, 1), ActKind.LEAVE, head=bytes(32)),
        "stale",
    ),
    "a good-bye out of its order": (
        ana_to_act,
        "ben",
        lambda c: envelope(c, 1, pack_leave(LeaveReason.LEAVE, 1), ActKind.LEAVE, n=next_of(c, "ben") + 1),
        "stale",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_refused_act_changes_nothing_and_uses_up_no_count(name: str) -> None:
    make, who, wrong, code = REFUSED[name]
    cluster = make()
    peer = cluster.peers[who]
    data = wrong(cluster)
    snapshot = Snapshot(cluster)
    send(cluster, peer, data)
    assert told(peer)[0] == code
    assert len(told(peer)[1]) <= 300
    assert snapshot.unchanged()
    assert peer.told(Closed) == []
    mover, length = cluster.movers[0], len(cluster.host.public.journal)  # and the game goes on
    cluster.act(mover.name, tame_move(cluster, mover))
    assert len(cluster.host.public.journal) == length + 1


@pytest.mark.parametrize("by", ["ben", "host", "mallory"])
def test_an_act_signed_by_another_is_refused(by: str) -> None:
    cluster = starting("cy")
    cy = cluster.peers["cy"]
    data = envelope(cluster, 2, "draw")
    snapshot = Snapshot(cluster)
    send(cluster, cy, data, by=by)
    assert told(cy)[0] == "not_yours"
    assert snapshot.unchanged()
    send(cluster, cy, data)
    assert counted(cluster, "cy") == 1


def test_only_a_sealed_act_comes_with_what_it_opens_to() -> None:
    cluster = starting("cy")
    send(cluster, cluster.peers["cy"], envelope(cluster, 2, "draw"), opening=bytes(40))
    assert told(cluster.peers["cy"])[0] == "not_yours"


def test_a_spectator_has_no_act() -> None:
    cluster = starting("ana")
    dot = cluster.join("dot", watch=True)
    for kind, payload in ((ActKind.ACT, b"draw"), (ActKind.LEAVE, pack_leave(LeaveReason.LEAVE, 1))):
        for seat in (0, NO_SEAT):
            snapshot = Snapshot(cluster)
            send(cluster, dot, envelope(cluster, seat, payload, kind, n=1))
            assert told(dot)[0] == "not_seated"
            assert snapshot.unchanged()
    assert dot.told(Closed) == []


def test_an_act_while_a_bot_plays_the_seat_is_refused() -> None:
    """Only coming back ends that, and whoever comes back does so before it can act."""
    cluster = starting("ana", settings={"grace_seconds": "0"})
    cluster.bots = None
    line = cluster.line("ben")
    cluster.cut("ben")
    assert cluster.host.public.bots_on == {1}
    snapshot, data = Snapshot(cluster), envelope(cluster, 1, "draw")
    line.send(Act(data, identity("ben").sign(data), b""))
    assert line.closed is not None
    assert snapshot.unchanged()


def test_a_bots_seat_has_no_voice_until_its_player_is_back() -> None:
    """Whoever leaves has no seat any more; its key may say nothing for it."""
    cluster = starting("ben")
    cluster.leave("ben")
    ben = cluster.join("ben")
    assert ben.guest.me is None
    snapshot = Snapshot(cluster)
    send(cluster, ben, envelope(cluster, 1, "draw", n=2))
    assert told(ben)[0] == "not_seated"
    assert snapshot.unchanged()


def test_acts_before_and_after_a_round_are_refused() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    for name in ("ana", "ben", "cy"):
        peer = cluster.peers[name]
        snapshot = Snapshot(cluster)
        send(cluster, peer, envelope(cluster, peer.seat, "draw"))
        assert told(peer)[0] == "no_round"
        assert snapshot.unchanged()


# ---- the guest's own check


def test_the_guest_refuses_what_is_wrong_without_asking_anybody() -> None:
    cluster = starting("ana")
    sent = len(cluster.host.public.journal)
    for name, text, code in [
        ("ben", "draw", "not_your_turn"),
        ("ana", "call", "nothing_exposed"),
        ("ana", "cheat", "no_action"),
        ("ana", "discard 1X", "no_action"),
    ]:
        peer = cluster.peers[name]
        before = len(peer.told(Refused))
        effects = peer.guest.handle(Chose(text), cluster.now)
        assert effects.outgoing == ()
        (refusal,) = [notice for notice in effects.notices if isinstance(notice, Refused)]
        assert refusal.code == code
        assert len(peer.told(Refused)) == before
    assert len(cluster.host.public.journal) == sent
    cluster.act("ana", "  draw ")  # forgiving to people
    assert len(cluster.host.public.journal) == sent + 1


def test_one_act_is_on_its_way_at_a_time() -> None:
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    cluster.tell(ben, Chose("draw"))
    view = ben.guest.table_view()
    assert view is not None
    assert view.pending == "draw"
    assert ben.guest.my_turn is None
    cluster.tell(ben, Chose("draw"))
    assert ben.told(Refused) == [Refused("pending", "")]
    cluster.settle()
    assert ben.guest.my_turn is not None
    assert counted(cluster, "ben") == 1


def test_an_act_that_the_host_refuses_is_no_longer_on_its_way() -> None:
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    ben.mute = True
    cluster.act("ben", "draw")
    assert ben.link is not None
    cluster.to_guest(ben.link, RefusedMessage(0, "not_now", "next"))  # of a wish: the act is on its way still
    assert ben.guest.my_turn is None
    cluster.to_guest(ben.link, RefusedMessage(next_of(cluster, "ben"), "stale", ""))
    assert ben.told(Refused) == [Refused("not_now", "next"), Refused("stale", "")]
    assert ben.guest.my_turn is not None
    ben.mute = False
    cluster.act("ben", "draw")
    assert counted(cluster, "ben") == 1


def test_before_the_line_is_up_nothing_can_be_said() -> None:
    cluster = starting("ben")
    cluster.cut("ben")
    cluster.act("ben", "draw")
    cluster.want("ben", "next")
    assert cluster.peers["ben"].told(Refused) == [Refused("no_link", ""), Refused("no_link", "")]
    cluster.connect(cluster.peers["ben"])  # hello is said, welcome not yet heard
    cluster.tell(cluster.peers["ben"], Chose("draw"))
    assert cluster.peers["ben"].told(Refused)[-1] == Refused("no_link", "")
    cluster.settle()
    cluster.act("ben", "draw")
    assert counted(cluster, "ben") == 1


# ---- a line lost under an act


def test_an_act_that_a_lost_line_swallowed_is_signed_anew() -> None:
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    ben.mute = True
    cluster.act("ben", "draw")
    assert counted(cluster, "ben") == 0
    cluster.cut("ben")
    cluster.join("dot", watch=True)  # the head moves on
    cluster.back("ben")
    assert counted(cluster, "ben") == 1
    assert ben.told(Refused) == []
    view = ben.guest.table_view()
    assert view is not None
    assert view.pending == ""


def test_an_act_that_got_through_before_the_line_broke_is_not_repeated() -> None:
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    ben.deaf = True
    cluster.act("ben", "draw")
    assert counted(cluster, "ben") == 1
    cluster.cut("ben")
    cluster.back("ben")
    assert counted(cluster, "ben") == 1
    assert ben.guest.my_turn is not None


def test_an_act_is_forgotten_when_a_bot_has_taken_that_turn() -> None:
    """Nobody may find a card of an hour ago played in a turn of now."""
    cluster = starting("ben", settings={"grace_seconds": "1"})
    cluster.bots = tame_bot
    ben = cluster.peers["ben"]
    ben.mute = True
    cluster.act("ben", "draw")
    cluster.cut("ben")
    cluster.pass_time(2)
    assert cluster.host.public.bots_on == {1}
    for name in ("cy", "ana"):
        cluster.act(name, "draw")
        cluster.bots = None  # ben's next turn is nobody's yet
        cluster.act(name, tame_move(cluster, cluster.peers[name]))
    count = len(cluster.host.public.journal)
    cluster.back("ben")
    assert [entry.kind for entry in cluster.host.public.journal.entries[count:]] == [EntryKind.BOT]
    assert counted(cluster, "ben") == 0
    assert ben.guest.my_turn is not None


def test_an_act_is_forgotten_when_its_round_is_over() -> None:
    cluster = starting("ben", settings={"grace_seconds": "0"}, options={"match_rounds": "2"})
    ben = cluster.peers["ben"]
    ben.mute = True
    cluster.act("ben", "draw")
    cluster.cut("ben")
    play_round(cluster, among=("ana", "cy"))
    cluster.back("ben")
    view = ben.guest.table_view()
    assert view is not None
    assert (view.pending, counted(cluster, "ben")) == ("", 0)
    for name in ("ana", "ben", "cy"):
        cluster.want(name, "next")
    assert cluster.host.public.round_number == 2
    assert counted(cluster, "ben") == 0


# ---- leaving


@pytest.mark.parametrize(
    ("reason", "said", "level"), [(1, "left", "easy"), (2, "ragequit", "random"), (3, "left", "easy")]
)
def test_a_leaver_signs_and_a_bot_takes_over_at_once(reason: int, said: str, level: str) -> None:
    cluster = starting("ben", settings={"bot_level": "easy", "ragequit_level": "random"})
    hand = cluster.peers["ben"].guest.my_turn.hand
    cluster.bots = None
    cluster.leave("ben", reason)
    held = cluster.host.public.seats[1]
    assert (held.kind, held.key, held.nick, held.level) == (SeatKind.BOT, identity("ben").key, "ben", level)
    assert cluster.host._play.round is not None
    assert cluster.host._play.round.fold.view(1).hand == hand
    assert cluster.peers["ben"].told(Closed) == [Closed("left", "")]
    assert cluster.peers["ana"].told(Vacated) == [Vacated(1, "ben", said)]
    assert cluster.peers["ana"].told(BotPlays) == [BotPlays(1, "ben", True, "left")]
    assert identity("ben").key not in cluster.host.public.voters
    assert [notice.seat for notice in cluster.host_notices if isinstance(notice, BotTurn)] == [1]


def test_a_good_bye_waits_for_the_act_before_it() -> None:
    """Who plays a card and is gone has played it, and has left: the seat is not held for it."""
    cluster = starting("ben")
    cluster.bots = None
    ben = cluster.peers["ben"]
    cluster.tell(ben, Chose("draw"))
    cluster.tell(ben, Left(1))
    cluster.settle()
    acts = [entry.kind for entry in cluster.host.public.journal.entries[-3:]]
    assert acts == [EntryKind.ACT, EntryKind.ROSTER, EntryKind.BOT]
    assert counted(cluster, "ben") == 2
    assert cluster.host.public.seats[1].kind is SeatKind.BOT
    assert ben.told(Closed) == [Closed("left", "")]
    assert ben.wake_at is None


def test_a_good_bye_that_nobody_hears_is_over_after_two_seconds() -> None:
    cluster = starting("ana")
    ben = cluster.peers["ben"]
    ben.deaf = ben.mute = True
    cluster.leave("ben")
    assert ben.told(Closed) == []
    cluster.pass_time(2)
    assert ben.told(Closed) == [Closed("left", "")]
    assert ben.guest.finished
    assert ben.wake_at is None


def test_a_leaver_in_the_lobby_leaves_an_open_seat() -> None:
    cluster = three()
    cluster.leave("ben")
    assert cluster.host.public.seats[1].kind is SeatKind.OPEN
    assert cluster.peers["ana"].told(Vacated) == [Vacated(1, "ben", "left")]
    assert cluster.join("dot").guest.me == 1


def test_a_leaver_without_a_line_is_gone_at_once() -> None:
    cluster = starting("ana")
    cluster.cut("ben")
    cluster.leave("ben")
    assert cluster.peers["ben"].told(Closed) == [Closed("left", "")]


def test_the_host_may_leave_its_seat_and_hosts_on() -> None:
    cluster = starting("ana")
    cluster.leave("ana")
    assert cluster.host.public.seats[0].kind is SeatKind.BOT
    assert identity("host").key in cluster.host.public.voters
    assert cluster.peers["ana"].told(Closed) == [Closed("left", "")]
    play_round(cluster, among=("ben", "cy"))
    assert cluster.host.public.round is None
    assert cluster.peers["ben"].told(Closed) == []

"""What a sitting does for its machine, and in which order; what it does when the disk refuses."""

from __future__ import annotations

import asyncio
import os
import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn, cast

import pytest
from msgspec.structs import replace

from p2pcards.errors import UserError
from p2pcards.net import sitting
from p2pcards.net.address import pack_targets
from p2pcards.net.clock import ahead
from p2pcards.net.files import Keep, TableFolder, folder_name
from p2pcards.net.link import Link
from p2pcards.net.sitting import Hands, Sitting, _as_seen
from p2pcards.store.lock import Lock
from p2pcards.table.effects import Effects, Input, KeptUp, LinkId, LinkUp, Slept, Unkept, Woke
from p2pcards.table.notices import Alarm, Closed, Failed, Notice
from p2pcards.table.peer import PEERS, Peer
from p2pcards.wire.messages import Close, Get, Message
from tests.net.pair import ANA, BEN, HELLO

TABLE = b"t" * 16


class Machine:
    """A peer that wants what the test says."""

    def __init__(self) -> None:
        self.table = TABLE
        self.host: object | None = None
        self.took: list[Input] = []
        self.ordered: list[tuple[str, ...]] = []
        self.wants: dict[type, Effects] = {}
        public = SimpleNamespace(host=b"", voters=(ANA.key, BEN.key))
        self.guest = SimpleNamespace(public=public, my_turn=None, journal=SimpleNamespace(head=b""))

    def handle(self, happened: Input, now: float) -> Effects:
        self.took.append(happened)
        return self.wants.get(type(happened), Effects())

    def order(self, words: tuple[str, ...], now: float) -> Effects:
        self.ordered.append(words)
        return Effects()


class Far:
    """The far end of a link."""

    def __init__(self, done: list[str], key: bytes = BEN.key, newcomer: bool = False) -> None:
        self.key, self.newcomer, self.limited = key, newcomer, newcomer
        self.session = SimpleNamespace(th3=b"3" * 32)
        self.address = ("10.0.0.7", 4000)
        self._done = done

    def start(self, *_: object) -> None: ...

    def send(self, message: Message) -> None:
        self._done.append(f"sends {type(message).__name__}")

    def abort(self, why: str) -> None:
        self._done.append("aborts")


def refuse(*_: object) -> NoReturn:
    raise OSError(28, "No space left on device")


class World:
    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.machine = Machine()
        self.done: list[str] = []
        self.heard: list[Notice] = []
        self.refuses: set[str] = set()
        self._folder = folder
        for name in ("append", "rewind", "keep"):
            monkeypatch.setattr(TableFolder, name, self._noting(name, getattr(TableFolder, name)))
        hands = Hands(ANA.key, self._make, self._hear, lambda: None, random.Random(1))  # noqa: S311 - a bot's whims
        self.sitting = Sitting(cast(Peer, self.machine), hands)

    def _make(self, table: bytes) -> TableFolder:
        return TableFolder.begin(self._folder, table, ANA.key, Lock.take)

    def _hear(self, notice: Notice) -> None:
        self.heard.append(notice)
        self.done.append(f"tells {type(notice).__name__}")

    def _noting(self, name: str, real: Any) -> Any:
        def does(folder: TableFolder, *args: Any) -> None:
            what = f"{name} {args[0]}" if name == "keep" else name
            if what in self.refuses and name == "keep":
                raise UserError(f"{name}: no space left on device.")
            with pytest.MonkeyPatch.context() as full:
                if what in self.refuses:
                    full.setattr(os, "write", refuse)
                    full.setattr(os, "ftruncate", refuse)
                real(folder, *args)
            if name == "keep" and args[0] == "boot":
                return
            self.done.append(what if name != "keep" or args[1] else f"forget {args[0]}")

        return does

    def link(self, **more: Any) -> LinkId:
        self.sitting.add(cast(Link, Far(self.done, **more)))
        up = self.machine.took[-1]
        assert isinstance(up, LinkUp)
        return up.link

    def wants(self, **effects: Any) -> None:
        """The next time that it wakes, the machine wants that."""
        self.machine.wants[Woke] = Effects(**effects)
        self.sitting.feed(Woke())
        self.machine.wants.clear()


@pytest.fixture
async def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> World:
    return World(tmp_path, monkeypatch)


async def test_files_come_before_messages_and_messages_before_notices(world: World) -> None:
    link = world.link()
    world.wants(entries=(b"one", b"two"))
    world.done.clear()
    world.wants(
        rewind=1,
        secrets=(("votes", b"v"), ("root-1", b"")),
        entries=(b"three",),
        outgoing=((link, Get(0)),),
        notices=(Alarm("x"),),
    )
    assert world.done == ["keep votes", "rewind", "append", "forget root-1", "sends Get", "tells Alarm"]


async def test_what_hangs_on_a_secret_that_cannot_be_kept_is_not_sent(world: World) -> None:
    link = world.link()
    world.refuses = {"keep votes"}
    world.wants(secrets=(("votes", b"v"),), entries=(b"one",), outgoing=((link, Get(0)),), notices=(Alarm("x"),))
    assert world.done == ["append", "tells Alarm"]
    assert world.machine.took[-1] == Unkept()


async def test_addresses_that_cannot_be_kept_are_no_loss(world: World) -> None:
    link = world.link()
    world.refuses = {f"keep {PEERS}"}
    world.wants(secrets=((PEERS, b"p"),), outgoing=((link, Get(0)),))
    assert world.done == ["sends Get"]
    assert Unkept() not in world.machine.took


@pytest.mark.parametrize("later", [{"entries": (b"three",)}, {"secrets": (("votes", b"v"),)}])
async def test_what_the_journal_lacks_is_tried_again_with_whatever_comes_next(
    world: World, tmp_path: Path, later: dict[str, Any]
) -> None:
    world.refuses = {"append"}
    world.wants(entries=(b"one",))
    world.wants(entries=(b"two",))
    assert (world.done, world.machine.took[-1]) == ([], Woke())
    world.refuses = set()
    world.wants(**later)
    assert world.machine.took[-1] == KeptUp()
    world.wants(secrets=(("votes", b"w"),))
    assert world.machine.took.count(KeptUp()) == 1
    world.sitting.close(Keep.ALL)
    path = tmp_path / folder_name(TABLE, ANA.key)
    wires = [b"one", b"two", *later.get("entries", ())]
    assert (path / "journal").read_bytes() == b"".join(len(wire).to_bytes(4, "big") + wire for wire in wires)
    folder = TableFolder.reopen(path, Lock.take)
    assert folder.same_boot
    folder.close()


async def test_who_becomes_host_with_a_journal_that_lacks_something_falls_silent(world: World) -> None:
    link = world.link()
    world.refuses = {"append"}
    world.wants(entries=(b"one",))
    world.machine.host = SimpleNamespace(closed=False)
    world.wants(secrets=(("votes", b"v"),), outgoing=((link, Get(0)),))
    assert [type(notice) for notice in world.heard] == [Failed, Closed]
    assert "sends Get" not in world.done


async def test_who_acknowledged_what_its_journal_lacks_is_no_voter_now_nor_when_it_starts_again(
    world: World, tmp_path: Path
) -> None:
    link = world.link()
    world.wants(entries=(b"one",), secrets=(("votes", b"v"),))
    world.refuses = {"append"}
    world.wants(entries=(b"two",), outgoing=((link, Get(0)),))
    assert world.done[-1] == "sends Get"
    assert world.machine.took[-1] == Unkept(journal=True)
    world.wants(entries=(b"three",))
    assert world.machine.took.count(Unkept(journal=True)) == 1
    world.sitting.close(Keep.ALL)
    folder = TableFolder.reopen(tmp_path / folder_name(TABLE, ANA.key), Lock.take)
    assert folder.secrets["votes"] == b"v"
    assert not folder.same_boot
    folder.close()


@pytest.mark.parametrize("refused", ["append", "keep root-1", "rewind"])
async def test_a_host_that_cannot_keep_its_journal_falls_silent(world: World, refused: str) -> None:
    link = world.link()
    world.machine.host = SimpleNamespace(closed=False)
    world.refuses = {refused}
    world.wants(secrets=(("root-1", b"r"),), entries=(b"one",), rewind=0, outgoing=((link, Get(0)),))
    assert [type(notice) for notice in world.heard] == [Failed, Closed]
    assert "sends Get" not in world.done


async def test_alone_it_closes_the_table(world: World) -> None:
    world.machine.host = SimpleNamespace(closed=False)
    world.machine.guest.public.voters = (ANA.key,)
    world.refuses = {"append"}
    world.wants(entries=(b"one",))
    assert world.machine.ordered == [("close", "the host can't write its journal")]
    assert "The table is closed." in cast(Failed, world.heard[0]).text


async def test_secrets_of_a_table_that_is_not_known_yet_wait_for_it(world: World) -> None:
    world.machine.table = b""
    world.wants(secrets=(("votes", b"v"),))
    assert world.done == []
    world.machine.table = TABLE
    world.wants(entries=(b"one",))
    assert world.done == ["keep votes", "append"]


async def test_only_the_host_s_records_are_not_counted(world: World) -> None:
    host, member, early = Far(world.done, ANA.key, newcomer=True), Far(world.done), Far(world.done)
    world.sitting.add(cast(Link, early))
    assert not early.limited  # we dialled it, and don't know yet who is host
    world.machine.guest.public.host = ANA.key
    for far in (host, member):
        world.sitting.add(cast(Link, far))
    assert (host.limited, member.limited, early.limited) == (False, True, True)


async def test_a_wall_clock_that_jumps_tells_of_a_sleep_that_the_other_clock_did_not_see(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, told = ahead(), list[Slept]()
    for jump, is_one in ((0.0, False), (1.9, False), (300.0, True), (301.0, False), (1.0, True)):
        monkeypatch.setattr(sitting, "ahead", lambda jump=jump: before + jump)
        world.sitting.feed(Woke())
        told += [Slept(before + jump)] if is_one else []
        assert [took for took in world.machine.took if isinstance(took, Slept)] == told
        assert world.machine.took[-1] == Woke()


async def test_a_fault_of_the_machine_stops_none_of_its_timers(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("p2pcards.net.sitting.AGAIN_SECONDS", 0.0)
    woken = asyncio.Event()
    handle = world.machine.handle

    def goes_on(happened: Input, now: float) -> Effects:
        woken.set()
        return handle(happened, now)

    def breaks(happened: Input, now: float) -> Effects:
        monkeypatch.setattr(world.machine, "handle", goes_on)
        raise ZeroDivisionError

    monkeypatch.setattr(world.machine, "handle", breaks)
    with pytest.raises(ZeroDivisionError):
        world.sitting.feed(Woke())
    async with asyncio.timeout(20):
        await woken.wait()


async def test_a_link_that_was_closed_is_no_longer_one(world: World) -> None:
    link = world.link()
    assert world.sitting.has_link(BEN.key)
    world.wants(outgoing=((link, Close(1, "")), (link, Get(0))))
    assert world.done == ["sends Close"]
    assert not world.sitting.has_link(BEN.key)


@pytest.mark.parametrize(
    ("keep", "left"), [(Keep.ALL, {"journal", "votes"}), (Keep.VOTES, {"votes"}), (Keep.NOTHING, set())]
)
async def test_what_stays_of_a_table(world: World, tmp_path: Path, keep: Keep, left: set[str]) -> None:
    world.wants(secrets=(("votes", b"v"),), entries=(b"one",))
    world.sitting.close(keep)
    assert names_in(tmp_path) - {"boot", "lock"} == left


def names_in(tables: Path) -> set[str]:
    return {file.name for folder in tables.iterdir() for file in folder.iterdir()}


@pytest.mark.parametrize(
    ("seen", "told", "passed_on"),
    [
        ("10.0.0.7", (), ("10.0.0.7",)),
        ("10.0.0.7", ("172.17.0.1", "10.0.0.7"), ("10.0.0.7", "172.17.0.1")),
        ("127.0.0.1", ("10.0.0.8",), ("10.0.0.8",)),
        ("127.0.0.1", (), ("127.0.0.1",)),
        ("fe80::1%eth0", ("10.0.0.8",), ("10.0.0.8",)),
        ("", ("10.0.0.8",), ("10.0.0.8",)),
    ],
)
def test_the_address_that_somebody_came_from_is_told_first(
    seen: str, told: tuple[str, ...], passed_on: tuple[str, ...]
) -> None:
    link = cast(Link, SimpleNamespace(address=(seen, 50000)))
    hello = replace(HELLO, port=25252, addresses=pack_targets(told, 25252))
    assert _as_seen(hello, link).addresses == pack_targets(passed_on, 25252)
    assert _as_seen(replace(hello, port=0), link).addresses == hello.addresses  # nobody can call it

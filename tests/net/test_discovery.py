"""mDNS over loopback: found at once, changed at most once a second, gone with a good-bye."""

from __future__ import annotations

import asyncio
import gc
import logging
import secrets
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import msgspec
import pytest

from p2pcards import PROTOCOL
from p2pcards.net import discovery as discovery_module
from p2pcards.net.adverts import TYPE
from p2pcards.net.discovery import Discovery, _sentence
from p2pcards.net.interfaces import Interface, Network
from p2pcards.table.hearsay import Gone, Heard
from p2pcards.wire.advert import Advert, instance_name
from p2pcards.wire.identity import Identity
from tests.net.pair import until

LO = Interface("lo", ("127.0.0.1",), True, 1)


def an_advert(**changes: object) -> Advert:
    """Of a table that no other test has."""
    advert = Advert(
        PROTOCOL, secrets.token_bytes(16), Identity(secrets.token_bytes(32)).key, "open", "tongits", 1, 3, "Mr. X",
        "ana", "lobby", 1,
    )  # fmt: skip
    return msgspec.structs.replace(advert, **changes)


class Peer:
    """One program's discovery, and what it heard of one table."""

    def __init__(self, network: Network, lab: bytes = b"") -> None:
        self.discovery = Discovery(network, lambda: None, lab)
        self.heard: list[Heard | Gone] = []

    def browse(self) -> None:
        self.discovery.browse(self.heard.append)

    def of(self, advert: Advert) -> list[Heard | Gone]:
        """What was heard of this table, in order; other tests have theirs on the same loopback."""
        name = f"{instance_name(advert.title, advert.table, advert.key)}.{TYPE}"
        return [one for one in self.heard if one.name == name]

    def is_gone(self, advert: Advert) -> bool:
        """Whether the last that was heard of it is its end."""
        return isinstance(self.of(advert)[-1], Gone)

    def adverts(self, advert: Advert) -> list[Advert]:
        return [one.advert for one in self.of(advert) if isinstance(one, Heard)]


@asynccontextmanager
async def peers(count: int, network: Network | None = None) -> AsyncIterator[list[Peer]]:
    """Programs on loopback; all they hold is let go."""
    found = [Peer(network or Network("127.0.0.1", lambda: (LO,))) for _ in range(count)]
    try:
        yield found
    finally:
        for peer in found:
            await peer.discovery.close()


async def test_a_table_is_found_by_who_looks_already_and_by_who_looks_later() -> None:
    advert = an_advert()
    async with peers(3) as (host, early, late):
        early.browse()
        host.discovery.advertise(advert, 4711)
        await until(lambda: early.of(advert))
        late.browse()
        await until(lambda: late.of(advert))
        for peer in (early, late):
            first = peer.of(advert)[0]
            assert isinstance(first, Heard)
            assert (first.advert, first.targets) == (advert, (("127.0.0.1", 4711),))


async def test_a_lab_table_is_told_apart_by_whoever_has_the_labs_key() -> None:
    advert = an_advert(door="lab")
    network = Network("127.0.0.1", lambda: (LO,))
    host, member, other = (Peer(network, lab) for lab in (b"l" * 32, b"l" * 32, b"m" * 32))
    try:
        for peer in (member, other):
            peer.browse()
        host.discovery.advertise(advert, 4711)
        await until(lambda: member.of(advert) and other.of(advert))
        assert [peer.of(advert)[0].lab for peer in (member, other)] == [True, False]  # type: ignore[union-attr]  # Heard
    finally:
        for peer in (host, member, other):
            await peer.discovery.close()


async def test_adverts_that_never_get_complete_keep_nobody_out() -> None:
    advert = an_advert()
    async with peers(2) as (host, guest):
        guest.browse()
        await until(lambda: guest.discovery._browser)
        assert guest.discovery._zeroconf is not None
        for number in range(3 * discovery_module.RESOLVING):
            guest.discovery._resolve(guest.discovery._zeroconf.zeroconf, f"x{number}.{TYPE}")
        assert len(guest.discovery._resolving) == discovery_module.RESOLVING
        host.discovery.advertise(advert, 4711)
        await until(lambda: guest.of(advert))


async def test_it_is_told_without_asking_whether_the_name_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    from zeroconf import Zeroconf

    asked: list[object] = []
    monkeypatch.setattr(Zeroconf, "generate_service_query", lambda self, info: asked.append(info))
    advert = an_advert()
    async with peers(2) as (host, guest):
        guest.browse()
        host.discovery.advertise(advert, 1)
        await until(lambda: guest.of(advert))
    assert not asked


async def test_not_by_itself() -> None:
    mine, other = an_advert(), an_advert()
    async with peers(2) as (one, two):
        one.discovery.advertise(mine, 1)
        two.discovery.advertise(other, 2)
        one.browse()
        two.browse()
        await until(lambda: one.of(other) and two.of(mine))
        assert not one.of(mine)
        assert not two.of(other)


async def test_a_table_that_is_withdrawn_is_gone_and_no_echo_brings_it_back() -> None:
    advert = an_advert()
    async with peers(3) as (host, early, late):
        early.browse()
        host.discovery.advertise(advert, 1)
        await until(lambda: early.of(advert))
        late.browse()  # its question is still to be answered to everybody when the good-bye comes
        await until(lambda: late.of(advert))
        await host.discovery.withdraw()
        await until(lambda: early.is_gone(advert) and late.is_gone(advert))
        await asyncio.sleep(1.3)
        assert early.is_gone(advert)
        assert late.is_gone(advert)


async def test_a_program_that_ends_says_good_bye() -> None:
    advert = an_advert()
    async with peers(2) as (host, guest):
        guest.browse()
        host.discovery.advertise(advert, 1)
        await until(lambda: guest.of(advert))
        await host.discovery.close()
        await until(lambda: guest.is_gone(advert))


async def test_many_changes_are_few_updates_and_the_last_arrives() -> None:
    advert = an_advert(seats=60, taken=0)
    async with peers(2) as (host, guest):
        guest.browse()
        host.discovery.advertise(advert, 1)
        await until(lambda: guest.of(advert))
        for taken in range(1, 40):
            host.discovery.advertise(msgspec.structs.replace(advert, taken=taken), 1)
            await asyncio.sleep(0.005)
        await until(lambda: guest.adverts(advert)[-1].taken == 39)
        assert len(guest.adverts(advert)) <= 4


async def test_another_table_takes_the_place_of_the_first() -> None:
    first, second = an_advert(), an_advert()
    async with peers(2) as (host, guest):
        guest.browse()
        host.discovery.advertise(first, 1)
        await until(lambda: guest.of(first))
        host.discovery.advertise(second, 2)
        await until(lambda: guest.of(second) and guest.is_gone(first))


async def test_what_is_withdrawn_before_it_was_told_is_never_told() -> None:
    advert, other = an_advert(), an_advert()
    async with peers(2) as (host, guest):
        guest.browse()
        host.discovery.advertise(advert, 1)
        await host.discovery.withdraw()
        host.discovery.advertise(other, 1)
        await until(lambda: guest.of(other))
        assert not guest.adverts(advert) or guest.is_gone(advert)


async def test_who_stops_looking_hears_no_more_and_what_is_known_when_looking_again() -> None:
    advert, later = an_advert(), an_advert()
    async with peers(3) as (host, guest, other):
        guest.browse()
        host.discovery.advertise(advert, 1)
        await until(lambda: guest.of(advert))
        guest.discovery.stop_browsing()
        other.discovery.advertise(later, 2)
        other.browse()
        await until(lambda: other.of(advert))
        count = len(guest.heard)
        await asyncio.sleep(0.3)
        assert len(guest.heard) == count
        guest.heard.clear()
        guest.browse()
        await until(lambda: guest.of(advert) and guest.of(later))


async def test_it_asks_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery_module, "ASK_SECONDS", 0.1)
    advert = an_advert()
    async with peers(2) as (host, guest):
        host.discovery.advertise(advert, 1)
        guest.browse()
        await until(lambda: len(guest.of(advert)) >= 3)


async def test_several_programs_with_one_key_have_a_table_each() -> None:
    first = an_advert()
    second = an_advert(key=first.key)
    async with peers(3) as (one, two, guest):
        one.discovery.advertise(first, 1)
        two.discovery.advertise(second, 2)
        guest.browse()
        await until(lambda: guest.of(first) and guest.of(second))
        targets = {one.targets[0][1] for one in guest.heard if isinstance(one, Heard) and one.advert.key == first.key}
        assert targets == {1, 2}


async def test_without_an_interface_it_waits_for_one(monkeypatch: pytest.MonkeyPatch) -> None:
    there: list[Interface] = []
    network = Network(None, lambda: tuple(there))
    advert = an_advert()
    async with peers(1) as (guest,), peers(1, network) as (host,):
        guest.browse()
        host.discovery.advertise(advert, 1)
        assert host.discovery.trouble == "No network interface is up."
        await asyncio.sleep(0.1)
        network._every = (LO,)
        for changed in network._subscribers:
            changed()
        await until(lambda: guest.of(advert))
        network._every = ()
        for changed in network._subscribers:
            changed()
        await asyncio.sleep(0.1)
        assert host.discovery.trouble


async def test_an_interface_that_takes_no_multicast_is_a_sentence_and_the_others_work() -> None:
    broken = Interface("ppp0", ("203.0.113.7",), False, 99)
    advert = an_advert()
    alone = Network(None, lambda: (broken,))
    beside = Network("127.0.0.1", lambda: (broken, LO))
    beside._wanted = None
    beside._every = (broken, Interface("lo", ("127.0.0.1",), False, 1))
    async with peers(1, alone) as (host,), peers(2, beside) as (other, guest):
        host.discovery.advertise(advert, 1)
        host.browse()
        await until(lambda: host.discovery.trouble)
        assert "`join HOST`" in host.discovery.trouble
        other.discovery.advertise(advert, 2)
        guest.browse()
        await until(lambda: guest.of(advert))
        assert guest.discovery.trouble == ""


async def test_closing_is_quick_whatever_the_state() -> None:
    async with asyncio.timeout(10):
        async with peers(2) as (idle, busy):
            busy.browse()
            busy.discovery.advertise(an_advert(), 1)
        await idle.discovery.close()
        await busy.discovery.close()


@pytest.mark.parametrize("turns", range(12))
async def test_nothing_is_left_however_early_it_is_closed(turns: int) -> None:
    async with peers(1) as (peer,):
        peer.browse()
        peer.discovery.advertise(an_advert(), 1)
        for _ in range(turns):
            await asyncio.sleep(0)
        if turns == 11:
            await until(lambda: peer.discovery._zeroconf)
    gc.collect()  # what was not closed says so now, and fails the test


async def test_nothing_of_it_goes_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    logging.getLogger("zeroconf").warning("a warning of the library")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize("error", [OSError(98, "Address in use"), OSError(101, "Network is unreachable")])
def test_what_is_wrong_is_one_sentence_and_a_way_out(error: OSError) -> None:
    text = _sentence(error)
    assert "`join HOST`" in text
    assert ("5353" in text) is (error.errno == 98)


def test_the_library_is_not_loaded_before_it_is_needed() -> None:
    code = "import sys, p2pcards.net.discovery; sys.exit('zeroconf' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0

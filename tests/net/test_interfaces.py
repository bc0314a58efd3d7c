"""Which interfaces are used, and when a change of them counts."""

from __future__ import annotations

import asyncio
import sys

import pytest

from p2pcards.errors import UserError
from p2pcards.net import interfaces as interfaces_module
from p2pcards.net.interfaces import MOST, SETTLE, Interface, Network, Settling, choose, interfaces
from tests.net.pair import until

LO = Interface("lo", ("127.0.0.1", "::1"), True, 1)
ETH = Interface("eth0", ("10.0.0.7", "fe80::7%eth0"), False, 2)
WLAN = Interface("wlan0", ("192.168.1.7",), False, 3)


def test_this_machine_has_loopback() -> None:
    assert any(one.loopback and "127.0.0.1" in one.addresses for one in interfaces())


def test_all_that_lead_outwards_are_used() -> None:
    assert choose((LO, ETH, WLAN), None) == (ETH, WLAN)


def test_loopback_where_nothing_does() -> None:
    assert choose((LO,), None) == (LO,)
    assert choose((), None) == ()


@pytest.mark.parametrize("wanted", ["wlan0", "192.168.1.7"])
def test_the_wanted_one_by_name_or_address(wanted: str) -> None:
    assert choose((LO, ETH, WLAN), wanted) == (WLAN,)


def test_a_machine_full_of_containers() -> None:
    many = tuple(Interface(f"br{number}", (f"172.17.{number}.1",), False, number) for number in range(40))
    assert len(choose((LO, *many), None)) == MOST


def test_an_interface_that_is_not_there_is_a_clear_error() -> None:
    with pytest.raises(UserError, match=r"'wlan7'.*lo \(127.0.0.1\), eth0 \(10.0.0.7\)"):
        Network("wlan7", lambda: (LO, ETH))


def test_what_a_network_knows_of_itself() -> None:
    network = Network(None, lambda: (LO, ETH, WLAN))
    assert network.addresses == ("10.0.0.7", "fe80::7%eth0", "192.168.1.7")
    assert network.own == {"127.0.0.1", "::1", "10.0.0.7", "fe80::7", "192.168.1.7"}
    assert (network.name_of("fe80::7"), network.name_of("10.9.9.9")) == ("eth0", "")
    assert network.trouble == ""


def test_why_nobody_can_be_found() -> None:
    assert "No network" in Network(None, lambda: (LO,)).trouble
    assert Network(None, lambda: ()).trouble == "No network interface is up."
    assert Network("lo", lambda: (LO,)).trouble == ""


def test_a_change_counts_once_it_has_settled() -> None:
    settling = Settling("a")
    seen = [("a", 0.0), ("b", 1.0), ("b", 1.0 + SETTLE - 0.1), ("b", 1.0 + SETTLE), ("b", 9.0)]
    assert [settling.changed(*one) for one in seen] == [False, False, False, True, False]


def test_flapping_is_no_change() -> None:
    settling = Settling("a")
    assert not any(settling.changed("ab"[number % 2], number * 1.5) for number in range(20))
    assert not settling.changed("a", 100.0)


async def test_a_network_that_comes_up_later_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces_module, "POLL", 0.005)
    monkeypatch.setattr(interfaces_module, "SETTLE", 0.02)
    there = [LO]
    network = Network(None, lambda: tuple(there))
    seen: list[tuple[Interface, ...]] = []
    network.subscribe(lambda: seen.append(network.chosen))
    watch = asyncio.create_task(network.watch())
    there.append(WLAN)
    await until(lambda: seen)
    there.remove(WLAN)
    await until(lambda: len(seen) == 2)
    assert seen == [(WLAN,), (LO,)]
    watch.cancel()


def test_a_wanted_interface_may_go_and_come_back() -> None:
    there = (LO, WLAN)
    network = Network("wlan0", lambda: there)
    network._every = (LO,)
    assert (network.chosen, network.trouble) == ((), "wlan0 is down.")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the system doesn't tell")
def test_what_the_system_does_not_know_counts_as_up() -> None:
    assert interfaces_module._is_up("lo")
    assert interfaces_module._is_up("no-such-interface")


async def test_a_look_that_fails_changes_nothing_and_is_not_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces_module, "POLL", 0.005)
    monkeypatch.setattr(interfaces_module, "SETTLE", 0.02)
    there, looks = [LO], list[int]()

    def look() -> tuple[Interface, ...]:
        looks.append(1)
        if len(looks) in (2, 3):
            raise OSError(24, "Too many open files")
        return tuple(there)

    network = Network(None, look)
    seen: list[tuple[Interface, ...]] = []
    network.subscribe(lambda: seen.append(network.chosen))
    watch = asyncio.create_task(network.watch())
    await until(lambda: len(looks) > 3)
    assert network.chosen == (LO,)
    there.append(WLAN)
    await until(lambda: seen)
    watch.cancel()

"""Who tells the network of a table: its host, whoever that is; a member that waits for one; nobody of a hidden one."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from p2pcards import PROTOCOL
from p2pcards.net.lookout import Lookout
from p2pcards.net.opening import advert_of
from p2pcards.table.notices import Entered, HostIs
from p2pcards.table.peer import Peer
from p2pcards.wire.advert import Advert
from p2pcards.wire.messages import Info
from tests.net.pair import ANA, BEN
from tests.testing.program import Program, opened, programs

INFO = Info(
    "0", PROTOCOL, 1, b"t" * 16, (), 3, "lab", "ana", "tongits", (),
    (("ana", 1), ("", 0)), "playing", "open", ANA.key, (),
)  # fmt: skip


class Told:
    """What each program tells the network, by its key; None while it tells nothing."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.adverts: dict[bytes, Advert | None] = {}
        adverts = self.adverts

        def advertise(lookout: Lookout, advert: Advert, port: int) -> None:
            adverts[lookout._me().key] = advert

        def withdraw(lookout: Lookout) -> None:
            adverts[lookout._me().key] = None

        monkeypatch.setattr(Lookout, "advertise", advertise)
        monkeypatch.setattr(Lookout, "withdraw", withdraw)

    def by(self, program: Program) -> Advert | None:
        return self.adverts.get(program.node._identity.key)


class Standing:
    """A peer as adverts see it."""

    def __init__(self, state: str, info: Info, host: object = None) -> None:
        self.state, self._info, self.host = state, info, host

    def info(self) -> Info:
        return self._info


def told(state: str, info: Info, host: object = None) -> Advert | None:
    """What BEN tells of such a table."""
    return advert_of(cast(Peer, Standing(state, info, host)), BEN.key, "ben")


def test_a_host_tells_of_its_table() -> None:
    advert = told("playing", replace(INFO, host=BEN.key, nick="ben"), object())
    assert advert is not None
    assert (advert.key, advert.host, advert.state, advert.term) == (BEN.key, "ben", "playing", 3)
    assert (advert.taken, advert.seats) == (1, 2)


def test_a_guest_tells_nothing_while_there_is_a_host() -> None:
    assert told("", INFO) is None


def test_a_member_that_waits_for_a_host_tells_where_it_is_itself() -> None:
    advert = told("waiting", replace(INFO, host=bytes(32), state="waiting"))
    assert advert is not None
    assert (advert.key, advert.host, advert.state) == (BEN.key, "ben", "waiting")


@pytest.mark.parametrize(("state", "host"), [("playing", object()), ("waiting", None)])
def test_of_a_hidden_table_nobody_tells(state: str, host: object) -> None:
    assert told(state, replace(INFO, options=(("hidden", "true"),)), host) is None
    assert told(state, replace(INFO, options=(("hidden", "false"),)), host) is not None


async def test_the_new_host_tells_of_the_table_and_the_old_one_takes_its_word_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = Told(monkeypatch)
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        await ana.until(lambda: (advert := network.by(ana)) is not None and advert.taken == 2)
        assert network.by(ben) is None
        await handed_over(ana, ben)
        await ben.until(lambda: network.by(ben) is not None)
        advert = network.by(ben)
        assert advert is not None
        assert (advert.key, advert.term, advert.host) == (ben.node._identity.key, 2, "ben")
        await ana.until(lambda: network.by(ana) is None)


async def test_a_hidden_table_stays_hidden_under_its_next_host(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    network = Told(monkeypatch)
    async with programs(tmp_path, "ana", "ben", hidden=True) as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        await handed_over(ana, ben)
        assert ben.node.home.join_line
        assert not any(network.adverts.values())


async def handed_over(ana: Program, ben: Program) -> None:
    """ben is the host."""
    sitting = ana.node._sitting
    assert sitting is not None
    await ana.until(lambda: len(sitting.guest.public.voters) == 2)
    ana.do("handover", "ben")
    await ben.hear(HostIs, 2)
    await ana.hear(HostIs, 2)

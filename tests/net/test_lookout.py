"""Which table of the list is meant."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Awaitable
from typing import TYPE_CHECKING

import msgspec
import pytest

from p2pcards import PROTOCOL
from p2pcards.errors import UserError
from p2pcards.net import lookout as lookout_module
from p2pcards.net.interfaces import Interface, Network
from p2pcards.net.lookout import Lookout, _chosen
from p2pcards.table.listing import Row
from p2pcards.wire.advert import Advert
from p2pcards.wire.text import table_text
from tests.net.pair import BEN, until

if TYPE_CHECKING:
    from zeroconf import ServiceInfo


def row(title: str, answers: bool = True) -> Row:
    table = title.encode().ljust(16, b".")
    return Row(table, b"k" * 32, title, "tongits", "ana", 3, 1, "lobby", "open", (("127.0.0.1", 1),), answers=answers)


LAB, LAB_2, CLUB = row("Lab"), row("lab 2"), row("club")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ("lab", LAB),
        ("LAB 2", LAB_2),
        ("cl", CLUB),
        (f"~{table_text(CLUB.table)}", CLUB),
        (f"~{table_text(CLUB.table)[:6].upper()}", CLUB),
        ("pub", None),
        ("ub", None),
    ],
)
def test_a_title_its_beginning_or_the_id_names_a_table(wanted: str, found: Row | None) -> None:
    assert _chosen((LAB_2, LAB, CLUB), wanted) is found


@pytest.mark.parametrize(("wanted", "exit_code"), [("la", 2), ("", 3)])
def test_one_that_could_be_several_is_refused_by_name(wanted: str, exit_code: int) -> None:
    with pytest.raises(UserError, match=r"Lab \(~.*lab 2 \(~") as caught:
        _chosen((LAB, LAB_2), wanted)
    assert caught.value.exit_code == exit_code


def test_a_silent_table_will_do_where_no_other_is_left() -> None:
    silent = row("lab", answers=False)
    assert _chosen((silent,), "lab") is None
    assert _chosen((silent,), "lab", silent=True) is silent


def test_where_none_answers_several_silent_ones_are_refused_and_one_that_answers_is_meant() -> None:
    silent = [row(f"lab {number}", answers=False) for number in range(9)]
    with pytest.raises(UserError, match="and 3 more"):
        _chosen(silent, "lab", silent=True)
    assert _chosen([*silent, LAB_2], "la", silent=True) is LAB_2


@pytest.mark.parametrize("wanted", ["lab", "la", ""])
def test_of_several_the_only_one_of_our_lab_is_meant(wanted: str) -> None:
    ours = msgspec.structs.replace(LAB, table=b"o" * 16, lab=True)
    assert _chosen((LAB_2, LAB, ours), wanted) is ours
    with pytest.raises(UserError, match="Several tables"):
        _chosen((ours, msgspec.structs.replace(ours, table=b"p" * 16)), wanted)


def test_a_table_that_two_keys_answer_for_is_not_chosen_for_anybody() -> None:
    ours = msgspec.structs.replace(LAB, contested=True)
    theirs = msgspec.structs.replace(ours, key=b"x" * 32, addresses=(("10.0.0.66", 7),))
    with pytest.raises(UserError, match=r"Several hosts answer for Lab: .* 10\.0\.0\.66:7 or 127\.0\.0\.1:1\."):
        _chosen((theirs, ours), "lab")
    with pytest.raises(UserError, match="Several hosts"):
        _chosen((theirs, ours), f"~{table_text(ours.table)}")


class Eyes:
    """A lookout that sees what the test shows it, on a network of nobody."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        network = Network("lo", lambda: (Interface("lo", ("127.0.0.1",), True, 1),))
        self.lookout = Lookout(network, lambda: BEN, lambda: None)
        monkeypatch.setattr(self.lookout._discovery, "browse", lambda heard: None)

    def see(self, *rows: Row) -> None:
        self.lookout._rows = rows
        self.lookout._news.set()

    async def find(self, wanted: str, wait: float = 20) -> asyncio.Task[Row | None]:
        """The search, begun."""
        task = asyncio.create_task(self.lookout.find(wanted, wait))
        await asyncio.sleep(0)
        return task


@pytest.mark.parametrize("wanted", ["lab", "la"])
async def test_the_first_that_is_seen_need_not_be_the_one(wanted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout_module, "LOOK_SECONDS", 0.2)
    eyes = Eyes(monkeypatch)
    search = await eyes.find(wanted)
    eyes.see(LAB_2)
    await asyncio.sleep(0.05)
    eyes.see(LAB_2, LAB)
    if wanted == "lab":
        assert await search is LAB
    else:
        with pytest.raises(UserError, match="Several tables"):
            await search


async def test_an_id_is_found_at_once_and_what_is_not_there_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout_module, "LOOK_SECONDS", 60.0)
    eyes = Eyes(monkeypatch)
    search = await eyes.find(f"~{table_text(LAB.table)}")
    eyes.see(LAB)
    assert await search is LAB
    assert await (await eyes.find("pub", 0.01)) is None


async def test_a_good_bye_that_is_being_said_is_said_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    from zeroconf import Zeroconf

    said: list[asyncio.Future[None]] = []
    unregister = Zeroconf.async_unregister_service

    async def noting(self: Zeroconf, info: ServiceInfo) -> Awaitable[None]:
        said.append(asyncio.ensure_future(await unregister(self, info)))
        return said[-1]

    monkeypatch.setattr(Zeroconf, "async_unregister_service", noting)
    network = Network("127.0.0.1", lambda: (Interface("lo", ("127.0.0.1",), True, 1),))
    lookout = Lookout(network, lambda: BEN, lambda: None)
    lookout.advertise(
        Advert(PROTOCOL, secrets.token_bytes(16), BEN.key, "open", "tongits", 1, 3, "lab", "ben", "lobby", 1), 4711
    )
    await until(lambda: lookout._discovery._registered)
    lookout.withdraw()
    await until(lambda: said)
    await lookout.close()
    assert [one.cancelled() for one in said] == [False]

"""Faults of ours where others call us: in threads, in what a library calls. Told, and nothing stops for good."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from p2pcards.net import dial as dial_module
from p2pcards.net.dial import Why
from p2pcards.net.discovery import Discovery
from p2pcards.table.hearsay import Gone, Heard
from p2pcards.ui.faults import Faults
from tests.net.pair import until
from tests.net.test_dial import failure
from tests.net.test_discovery import an_advert, peers


def boom(*args: object, **more: object) -> Any:
    raise ZeroDivisionError


@contextmanager
def told() -> Iterator[list[str]]:
    """What is said of faults."""
    sentences: list[str] = []
    with Faults(sentences.append).watched(asyncio.get_running_loop()):
        yield sentences


async def test_a_name_that_is_looked_up_badly_is_one_that_nobody_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", boom)
    monkeypatch.setattr(dial_module, "CONNECT_SECONDS", 0.1)
    with told() as sentences:
        assert (await failure(("lab-pc", 1))).why is Why.UNKNOWN_HOST
        await until(lambda: sentences)


async def test_an_advert_that_is_heard_badly_hides_no_other() -> None:
    good, bad = an_advert(), an_advert()
    with told() as sentences:
        async with peers(3) as (host, other, guest):
            heard = guest.heard.append

            def hear(one: Heard | Gone) -> None:
                if isinstance(one, Heard) and one.advert.table == bad.table:
                    boom()
                heard(one)

            guest.discovery.browse(hear)
            host.discovery.advertise(bad, 1)
            await until(lambda: sentences)
            other.discovery.advertise(good, 2)
            await until(lambda: guest.of(good))
            await other.discovery.withdraw()
            await until(lambda: guest.is_gone(good))


async def test_mdns_that_fails_once_is_told_and_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    advert = an_advert()
    monkeypatch.setattr("p2pcards.net.discovery.RETRY_SECONDS", 0.1)
    async with peers(2) as (host, guest):
        with monkeypatch.context() as broken:
            broken.setattr(Discovery, "_keep_browsing", boom)
            guest.browse()
            await until(lambda: "the log says why" in guest.discovery.trouble)
        host.discovery.advertise(advert, 1)
        await until(lambda: guest.of(advert))
        assert guest.discovery.trouble == ""


async def test_a_table_that_can_not_be_asked_about_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    async with peers(1) as (peer,):
        work: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        peer.discovery._run(work)
        work.set_exception(ZeroDivisionError())
        await until(lambda: caplog.records)
        assert not peer.discovery._tasks

"""Tables that are asked over TCP: with a lab's proof, at a lab's door, and where only an advert speaks for them."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import msgspec
import pytest

from p2pcards import PROTOCOL
from p2pcards.net import lookout as lookout_module
from p2pcards.net.adverts import read, service_of
from p2pcards.net.interfaces import Interface, Network
from p2pcards.net.link import Link
from p2pcards.net.listener import Listener
from p2pcards.net.lookout import Lookout
from p2pcards.table.hearsay import Heard
from p2pcards.wire.advert import Advert
from p2pcards.wire.identity import Identity
from p2pcards.wire.lab import proves_i
from p2pcards.wire.messages import Hello, Info, Message, Method, Reason
from tests.net.pair import ANA, BEN, until

LAB = b"l" * 32
TABLE = b"t" * 16
INFO = Info(
    "0", PROTOCOL, 1, TABLE, (), 1, "lab", "ana", "tongits", (), (("ana", 1), ("", 0)), "lobby", "lab", ANA.key, ()
)
ADVERT = Advert(PROTOCOL, TABLE, ANA.key, "lab", "tongits", 1, 2, "lab", "ana", "lobby", 1)
Answer = Callable[[Link, Hello], None]


def members_only(link: Link, hello: Hello) -> None:
    """What a host at a lab's door answers."""
    if proves_i(LAB, link.session.th3, hello.proof):
        link.send(INFO)
        link.close(Reason.BYE, "")
    else:
        link.close(Reason.NOT_A_MEMBER, "not a lab member")


@asynccontextmanager
async def hosting(
    answer: Answer = members_only, identity: Identity = ANA
) -> AsyncIterator[tuple[Listener, list[Hello]]]:
    """Somebody who answers whoever asks."""
    asked: list[Hello] = []

    def came(link: Link) -> None:
        def heard(message: Message) -> None:
            if isinstance(message, Hello):
                asked.append(message)
                answer(link, message)

        link.start(heard, lambda why: None)

    listener = Listener(identity, came, hosts=("127.0.0.1",))
    await listener.open(0)
    try:
        yield listener, asked
    finally:
        listener.close()
        for link in tuple(listener.links):
            link.abort("the test is over")
        await until(lambda: not listener.links)


@asynccontextmanager
async def looking(monkeypatch: pytest.MonkeyPatch, lab: bytes = b"") -> AsyncIterator[Lookout]:
    """Somebody who looks at a list, and hears only what the test tells."""
    lookout = Lookout(
        Network("lo", lambda: (Interface("lo", ("127.0.0.1",), True, 1),)), lambda: BEN, lambda: None, lab
    )
    monkeypatch.setattr(lookout._discovery, "browse", lambda heard: None)
    lookout.watch(True)
    try:
        yield lookout
    finally:
        await lookout.close()


def heard(port: int, **changes: object) -> Heard:
    return Heard("lab ~1", msgspec.structs.replace(ADVERT, **changes), (("127.0.0.1", port),))


async def test_a_member_of_the_lab_is_told_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosting() as (listener, asked), looking(monkeypatch, LAB) as lookout:
        lookout._feed(heard(listener.port))
        await until(lambda: lookout.rows and lookout.rows[0].answers)
        row = lookout.rows[0]
        assert (row.barred, row.door, row.seats, row.taken, row.here) == (False, "lab", 2, 1, True)
        assert [(hello.method, len(hello.proof)) for hello in asked] == [(Method.PROBE, 32)]


@pytest.mark.parametrize("lab", [b"", b"m" * 32], ids=["no lab", "another lab"])
async def test_others_see_that_it_is_there_and_no_more(lab: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosting() as (listener, asked), looking(monkeypatch, lab) as lookout:
        lookout._feed(heard(listener.port, taken=0))
        await until(lambda: lookout.rows and lookout.rows[0].answers)
        row = lookout.rows[0]
        assert (row.barred, row.title, row.taken, row.options) == (True, "lab", 0, ())
        assert len(asked[0].proof) == len(lab)
        assert await lookout.find("lab", 5.0) == row


@pytest.mark.parametrize(
    "answer",
    [
        lambda link, hello: link.close(Reason.BYE, ""),
        lambda link, hello: link.close(Reason.FULL, "full"),
        lambda link, hello: link.abort("no"),
        lambda link, hello: link.send(hello),
    ],
    ids=["bye", "full", "hung up", "nonsense"],
)
async def test_whoever_answers_anything_else_has_missed(answer: Answer, monkeypatch: pytest.MonkeyPatch) -> None:
    async with hosting(answer) as (listener, asked), looking(monkeypatch) as lookout:
        lookout._feed(heard(listener.port))
        await until(lambda: asked and lookout._listing.settled)
        (entry,) = lookout._listing._entries.values()
        assert (entry.answer, entry.missed) == (None, 1)


async def test_a_replayed_tag_names_a_key_that_the_replayer_does_not_have(monkeypatch: pytest.MonkeyPatch) -> None:
    thief = Identity(b"t" * 32)
    async with hosting(identity=thief) as (listener, asked), looking(monkeypatch, LAB) as lookout:
        info = service_of(ADVERT, listener.port, ("127.0.0.1",), LAB)
        said = read(info.name, info, LAB)
        assert said is not None
        assert said.lab
        lookout._feed(said)
        await until(lambda: lookout._listing.settled)
        (entry,) = lookout._listing._entries.values()
        assert (entry.answer, entry.missed) == (None, 1)
        assert not asked  # it got not as far as a question


async def test_where_many_wait_a_silent_one_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookout_module, "HASTY_SECONDS", 0.0)
    async with hosting() as (listener, asked), looking(monkeypatch) as lookout:
        (probe,) = lookout._listing.handle(heard(listener.port), 0.0)
        await lookout._ask(msgspec.structs.replace(probe, hasty=True))
        assert not asked
        (entry,) = lookout._listing._entries.values()
        assert entry.missed == 1


async def test_without_a_descriptor_to_ask_with_it_has_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def none_left(*args: object) -> Link:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(lookout_module, "dial", none_left)
    async with looking(monkeypatch) as lookout:
        lookout._feed(heard(1))
        await until(lambda: lookout._listing.settled and lookout.rows)


async def test_many_adverts_at_once_are_few_looks_at_the_list(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nobody(*args: object) -> Link:
        raise OSError(113, "No route to host")

    monkeypatch.setattr(lookout_module, "dial", nobody)
    async with looking(monkeypatch) as lookout:
        told = list[int]()
        lookout._changed = lambda: told.append(len(lookout.rows))
        for number in range(40):
            lookout._feed(
                Heard(
                    f"t{number}",
                    msgspec.structs.replace(ADVERT, table=bytes([number]) * 16),
                    ((f"10.0.0.{number}", 1),),
                )
            )
        assert len(told) <= 1
        await until(lambda: len(lookout.rows) == 40)

"""What a host tells a probe, and what is made of hosts that tell nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.net import probe
from p2pcards.net.dial import dial
from p2pcards.net.link import Link
from p2pcards.net.probe import ask
from p2pcards.wire.messages import Close, Info, Pake, Reason
from tests.net.pair import BEN, Ear, listening
from tests.testing.program import opened, programs

LAB = b"lab".ljust(32, b".")


async def reached(address: str) -> Link:
    host, _, port = address.partition(":")
    return await dial([(host, int(port))], BEN)


@pytest.mark.parametrize(("lab", "tells"), [(LAB, True), (b"", False), (b"x" * 32, False)])
async def test_a_table_of_a_lab_tells_its_members_alone(tmp_path: Path, lab: bytes, tells: bool) -> None:
    async with programs(tmp_path, "ana", door="lab", lab=LAB) as (ana,):
        answer = await ask(await reached(await opened(ana)), lab)
        if tells:
            assert isinstance(answer, Info)
            assert (answer.title, answer.door) == ("lab", "lab")
        else:
            assert isinstance(answer, Close)
            assert answer.reason == Reason.NOT_A_MEMBER


@pytest.mark.parametrize("door", ["open", "ask", "code"])
async def test_any_other_table_tells_everybody(tmp_path: Path, door: str) -> None:
    async with programs(tmp_path, "ana", door=door) as (ana,):
        address = await opened(ana)
        for lab in (b"", LAB):
            answer = await ask(await reached(address), lab)
            assert isinstance(answer, Info)
            assert answer.door == door


@pytest.mark.parametrize("says", [None, Pake(b"A" * 33)])
async def test_a_host_that_says_nothing_of_use_has_said_nothing(
    monkeypatch: pytest.MonkeyPatch, says: Pake | None
) -> None:
    monkeypatch.setattr(probe, "ANSWER_SECONDS", 0.05)
    async with listening() as door:
        came: list[Ear] = []

        def take(link: Link) -> None:
            came.append(Ear(link))
            if says is not None:
                link.send(says)

        door.listener._on_link = take
        assert await ask(await reached(f"127.0.0.1:{door.port}"), b"") is None
        assert len(came) == 1


async def test_a_host_that_hangs_up_has_said_nothing() -> None:
    async with listening() as door:

        def take(link: Link) -> None:
            link.start(lambda message: None, lambda why: None)
            link.abort("go away")

        door.listener._on_link = take
        assert await ask(await reached(f"127.0.0.1:{door.port}"), b"") is None


async def test_who_only_asks_takes_no_place(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", door="ask") as (ana,):
        link = await reached(await opened(ana))
        assert isinstance(await ask(link, b""), Info)
        assert ana.node.table is not None
        assert ana.node.table.knocks == ()

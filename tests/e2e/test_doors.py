"""The doors of a table, from outside: programs as other people start them, refused or let in (protocol 5).

Each table is tried by several who may not come in; then those who may play a round at it, and everybody checks it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from msgspec.structs import replace

from p2pcards import PROTOCOL, __version__
from p2pcards.net import link as link_module
from p2pcards.net.dial import dial
from p2pcards.table import talk as talk_module
from p2pcards.table.access import my_games
from p2pcards.table.notices import Entered, Refused, Seated, Spoken
from p2pcards.table.public import Public
from p2pcards.table.talk import Switchboard
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.encode import enc
from p2pcards.wire.handshake import M2_BYTES, M3_BYTES, Initiator
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import TO_ALL, Chat, Close, Get, Hello, Message, Method, Reason, Want, decode, encode
from p2pcards.wire.records import Sealer
from tests.net.pair import until
from tests.testing.clients import P2PCARDS, PATIENCE, Client, Event, local
from tests.testing.program import Program, opened, programs
from tests.testing.require import require

EVE = Identity(b"eve".ljust(32, b"."))
LO = ("--interface", "lo", "--json")
Start = Callable[..., Client]

_OTHER = f"""
import p2pcards, sys
p2pcards.PROTOCOL = {PROTOCOL + 8}
from p2pcards.__main__ import main
sys.exit(main())
"""
OTHER_VERSION = (sys.executable, "-c", _OTHER)


class Door:
    """A table whose host deals and doesn't play, and those who come to it, each with folders of their own."""

    def __init__(self, start: Start, folder: Path, *more: object) -> None:
        self._start, self._folder = start, folder
        words = ("host", "tongits", "--no-seat", "--hidden", "--nick", "ana", "--pace", "0", "--port", "0", *LO)
        self.host = start(*words, *map(str, more), home=folder / "ana")
        self.table = self.host.hear("table")

    def comes(self, nick: str, *more: object, program: tuple[str, ...] = P2PCARDS) -> Client:
        """Somebody's program, on its way to the table."""
        target = f"127.0.0.1:{self.table['port']}"
        words = ("join", target, "--nick", nick, "--headless", "--pace", "0", *LO, *map(str, more))
        return self._start(*words, home=self._folder / nick, program=program)

    def plays(self, *guests: Client) -> None:
        """The table is unharmed: a round is played at it, and holds before everybody's check."""
        self.host.say("start")
        for client in (self.host, *guests):
            assert client.hear("audit")["ok"] is True
        self.host.say("stop")


def refused(client: Client) -> Event:
    """Why somebody is not let in; their program ends with 4."""
    event = client.hear("refused")
    assert client.finish() == 4
    assert client.told("entered") == []
    assert "Traceback" not in event["text"]
    return event


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    with local(tmp_path / "home") as started:
        yield started


def code_in(file: Path) -> str:
    assert file.stat().st_mode & 0o777 == 0o600
    return file.read_text().strip()


def test_a_code_lets_in_who_knows_it(start: Start, tmp_path: Path) -> None:
    shown, told, wrong = tmp_path / "shown", tmp_path / "told", tmp_path / "wrong"
    door = Door(start, tmp_path, "--door", "code", "--code-file", shown)
    assert door.table["code"] == code_in(shown)
    door.host.say("door open")
    door.host.hear("door", door="open")
    ben, cy = door.comes("ben"), door.comes("cy")
    for guest in (ben, cy):
        guest.hear("entered")
    door.host.say("door code")
    code = door.host.hear("code")["code"]
    assert code == code_in(shown)
    told.write_text(code.replace("-", "  ").upper())
    wrong.write_text("zoo-zoo" if code != "zoo-zoo" else "abandon-zoo")

    without, version = door.comes("eve"), door.comes("eva", program=OTHER_VERSION)
    mallory = door.comes("mallory", "--code-file", wrong)
    assert refused(mallory) == {
        "event": "refused",
        "reason": "wrong_code",
        "text": "That is not the code of this table.",
    }
    dan = door.comes("dan", "--code-file", told)
    assert refused(without)["reason"] == "wrong_code"
    event = refused(version)
    assert event["reason"] == "version"
    assert f"protocol {PROTOCOL} " in event["text"]
    assert f"protocol {PROTOCOL + 8} " in event["text"]
    dan.hear("entered")
    late = refused(door.comes("late", "--code-file", told))
    assert late["reason"] == "full"
    assert all(nick in late["text"] for nick in ("ben", "cy", "dan"))

    door.host.say("ban dan 2h spoils the game")
    shut = dan.hear("closed", reason="kicked")
    assert "spoils the game" in shut["text"]
    assert abs(shut["until"] - time.time() - 7200) < 60
    assert dan.finish() == 4
    fresh = door.host.hear("code")["code"]
    assert fresh == code_in(shown) != code
    eve, banned = door.comes("eve", "--code-file", shown), door.comes("dan", "--nick", "danny", "--code-file", shown)
    again = refused(banned)
    assert (again["reason"], again["until"]) == ("banned", shut["until"])
    assert "spoils the game" in again["text"]
    eve.hear("entered")
    door.plays(ben, cy, eve)


def test_a_lab_lets_in_who_has_its_key(start: Start, tmp_path: Path) -> None:
    """A1: without the lab's key nobody comes in, or opens such a table; `test_cli_doors` looks at the list."""
    key, other = tmp_path / "lab.key", tmp_path / "other.key"
    for made in [start("lab-key", "create", str(file)) for file in (key, other)]:
        assert made.process.wait(PATIENCE) == 0
    door = Door(start, tmp_path, "--door", "lab", "--lab-key", key)
    keyless = start("host", "tongits", "--headless", "--door", "lab", *LO, home=tmp_path / "eve")
    ben = door.comes("ben", "--lab-key", key)
    for stranger in (door.comes("eve"), door.comes("mallory", "--lab-key", other)):
        event = refused(stranger)
        assert event["reason"] == "not_a_member"
        assert "lab" in event["text"]
    assert keyless.finish() == 2
    assert keyless.process.stderr is not None
    assert "--lab-key" in keyless.process.stderr.read()
    ben.hear("entered")
    door.plays(ben)


def test_a_proved_login_is_a_file_of_ones_own(start: Start, tmp_path: Path) -> None:
    """A4: at lab+uid a key without a file of its owner's stays outside, and so does one whose file is another's."""
    require(os.name == "posix" and os.geteuid() == 0, "only root gives a file to somebody else")
    key, roll = tmp_path / "lab.key", tmp_path / "roll"
    assert start("lab-key", "create", str(key)).process.wait(PATIENCE) == 0
    roll.mkdir()
    roll.chmod(0o1777)
    door = Door(start, tmp_path, "--door", "lab+uid", "--lab-key", key, "--lab-keys", roll)
    _file(roll, _identity(start, tmp_path / "mallory"), signed="root", owner="nobody")
    _file(roll, _identity(start, tmp_path / "dan"), signed="nobody", owner="nobody")
    strangers = [door.comes(nick, "--lab-key", key) for nick in ("eve", "mallory")]
    ben = door.comes("ben", "--lab-key", key, "--lab-keys", roll)
    dan = door.comes("dan", "--lab-key", key)
    for stranger in strangers:
        event = refused(stranger)
        assert event["reason"] == "not_a_member"
        assert "your key stands in no file of your own" in event["text"]
    for member in (ben, dan):
        member.hear("entered")
    door.plays(ben, dan)


def _identity(start: Start, home: Path) -> Identity:
    """The key that somebody has in those folders; made there."""
    assert start("identity", home=home).process.wait(PATIENCE) == 0
    return Identity(next(home.rglob("identity.key")).read_bytes())


def _file(roll: Path, identity: Identity, *, signed: str, owner: str) -> None:
    """A file of the lab's directory that says whose key that is."""
    file = roll / f"{os.urandom(8).hex()}.pub"
    file.write_bytes(identity.key + identity.sign(enc("uid", signed.encode())))
    file.chmod(0o644)
    shutil.chown(file, owner)


LAB = b"lab".ljust(32, b".")


async def test_what_a_stranger_sends_is_not_even_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A2: bytes that no proved key has sealed reach no decoder; a proved key without the lab's reaches nobody."""
    read: list[bytes] = []

    def decoded(kind: int, body: bytes) -> Message:
        read.append(body)
        return decode(kind, body)

    monkeypatch.setattr(link_module, "decode", decoded)
    async with programs(tmp_path, "ana", door="lab", lab=LAB) as (ana,):
        port = int((await opened(ana)).rpartition(":")[2])
        await ana.hear(Entered)
        hello = encode(Hello(__version__, PROTOCOL, my_games(), "eve", 0, int(Method.KNOCK), b"", 0, (), ()))
        sealed = Sealer(bytes(32), bytes(32)).seal(*hello)
        m1 = Initiator(EVE, os.urandom(32)).m1
        for noise in (sealed, m1 + sealed, m1 + bytes(M3_BYTES), os.urandom(500)):
            await _sent(port, noise)
        assert read == []
        table = ana.node.table
        assert table is not None
        heard: list[Message] = []
        for said in (sign_chat(EVE, table.table, 1, TO_ALL, "hello"), Want("ready"), Get(0)):
            link = await dial([("127.0.0.1", port)], EVE)
            link.start(heard.append, lambda why: None)
            link.send(said)
            await until(lambda: bool(heard))
            assert [type(message) for message in heard] == [Close]
            assert heard.pop().reason == Reason.BROKEN  # type: ignore[union-attr] # just seen to be a Close
        assert len(read) == 2 * 3  # at her end too
        assert ana.told(Spoken) == []
        assert ana.node.table is not None
        assert [seat.nick for seat in ana.node.table.seats] == ["ana", "", ""]


async def _sent(port: int, noise: bytes) -> None:
    """Somebody sends this and waits until the line is cut."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(noise)
    writer.write_eof()
    async with asyncio.timeout(PATIENCE):
        with suppress(ConnectionError):
            assert len(await reader.read()) in (0, M2_BYTES)
    writer.close()


async def test_words_with_a_bad_signature_are_shown_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A3: not even at the table of a host that passes everything on."""
    forged = [True]

    def signs(identity: Identity, table: bytes, n: int, scope: int, text: str) -> Chat:
        said = sign_chat(identity, table, n, scope, text)
        return replace(said, sig=bytes(64)) if forged[0] else said

    def passes_on(board: Switchboard, there: bytes, said: Chat, books: Public, now: float) -> tuple[bytes, ...]:
        return tuple(held.key for held in books.seats)

    monkeypatch.setattr(talk_module, "sign_chat", signs)
    async with programs(tmp_path, "ana", "ben", "cy") as (ana, ben, cy):
        address = await opened(ana)
        for guest in (ben, cy):
            guest.do("join", address)
            await guest.hear(Entered)
        await ben.until(lambda: sum(seated.nick == "cy" for seated in ben.told(Seated)) == 1)
        ben.do("say", "an honest host takes no such words")
        refusal = await ben.hear(Refused)
        assert refusal.code == "not_yours"
        monkeypatch.setattr(Switchboard, "relay", passes_on)
        ben.do("say", "another one does")
        forged[0] = False
        ben.do("say", "these are mine")
        for program in (ana, cy):
            assert (await program.hear(Spoken)).text == "these are mine"
            assert len(program.told(Spoken)) == 1
            assert _dropped(program) == 1


def _dropped(program: Program) -> int:
    """How many messages nobody was shown."""
    sitting = program.node._sitting
    assert sitting is not None
    return sitting.guest._player.talk.dropped

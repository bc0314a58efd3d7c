"""The doctor's ear on the group of loopback."""

from __future__ import annotations

import socket

import pytest

from p2pcards.net import doctor_ear
from p2pcards.net.doctor_ear import Ear
from p2pcards.net.interfaces import Interface

LO = Interface("lo", ("127.0.0.1",), True, socket.if_nametoindex("lo"))


async def test_however_long_it_asks_it_holds_no_more_sockets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor_ear, "ANSWER_SECONDS", 0.0)
    ear = Ear((LO,), frozenset({"127.0.0.1"}), lambda call, host: None)
    await ear.open()
    try:
        for _ in range(40):
            await ear.ask(25252)
        assert ear.faults == {}
        assert len(ear._transports) < 10
    finally:
        ear.close()

"""The program is told to end from outside."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from p2pcards.ui.signals import in_background, signals


@pytest.mark.parametrize(("name", "code"), [("SIGTERM", 143), ("SIGHUP", 129)])
async def test_signals_end_with_their_code(name: str, code: int) -> None:
    number = getattr(signal, name, None)
    if number is None:
        pytest.skip(f"no {name} here")
    told: asyncio.Queue[int] = asyncio.Queue()
    before = signal.getsignal(number)
    try:
        with signals(asyncio.get_running_loop(), told.put_nowait):
            os.kill(os.getpid(), number)
            assert await asyncio.wait_for(told.get(), 20) == code
        ignored = name == "SIGHUP"  # which comes twice
        assert signal.getsignal(number) == (signal.SIG_IGN if ignored else before)
    finally:
        signal.signal(number, before)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no SIGHUP here")
async def test_a_hang_up_that_nohup_ignores_stays_ignored() -> None:
    told: list[int] = []
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals(asyncio.get_running_loop(), told.append):
            os.kill(os.getpid(), signal.SIGHUP)
            assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
        assert not told
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no SIGHUP here")
async def test_a_hang_up_behind_the_end_does_not_cut_off_the_good_bye() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    try:
        with pytest.raises(EOFError), signals(asyncio.get_running_loop(), lambda code: None):
            raise EOFError
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


async def test_signals_that_did_not_come_are_given_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with signals(asyncio.get_running_loop(), lambda code: None):
        pass
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before


@pytest.mark.skipif(not hasattr(signal, "SIGTTIN"), reason="no jobs here")
def test_who_reads_in_the_background_is_not_stopped() -> None:
    before = signal.getsignal(signal.SIGTTIN)
    try:
        in_background()
        assert signal.getsignal(signal.SIGTTIN) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGTTIN, before)

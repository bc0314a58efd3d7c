"""What lies outside the lines of the screen."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import warnings
from io import StringIO

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pcards.ui.terminal import own_title, quiet, signals


def output(term: str) -> tuple[Vt100_Output, StringIO]:
    written = StringIO()
    return Vt100_Output(written, lambda: Size(24, 80), term=term), written


def test_the_title_is_saved_set_and_put_back() -> None:
    vt100, written = output("xterm")
    with own_title(vt100) as set_title:
        set_title("p2pcards")
        vt100.flush()
    assert written.getvalue() == "\x1b[22;2t\x1b]2;p2pcards\x07\x1b]2;\x07\x1b[23;2t"


def test_terminals_without_titles_are_left_alone() -> None:
    vt100, written = output("linux")
    with own_title(vt100) as set_title:
        set_title("p2pcards")
        vt100.flush()
    assert written.getvalue() == ""
    with own_title(DummyOutput()) as set_title:
        set_title("p2pcards")


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


async def test_signals_that_did_not_come_are_given_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)]
    with signals(asyncio.get_running_loop(), lambda code: None):
        pass
    assert [signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)] == before


def test_warnings_are_logged_and_not_printed(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn("a library grumbles", stacklevel=1)
        logging.getLogger("a library").warning("and again")
    assert "a library grumbles" in caplog.text
    assert capfd.readouterr().err == ""

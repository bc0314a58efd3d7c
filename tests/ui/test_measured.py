"""How wide a terminal draws: asked of a pretended one, which answers, answers otherwise, or not at all."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator

import pytest
from prompt_toolkit.utils import get_cwidth

from p2pcards.ui import measured
from p2pcards.ui.measured import SIGNS, measure, odd

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="has no such terminals")


class Terminal:
    """The far end of a pseudo-terminal; `widths` are those of signs that it draws in its own way."""

    def __init__(self, answers: bool = True, **widths: int) -> None:
        self.master, self.slave = os.openpty()
        self.answers, self.widths = answers, widths
        self.written = b""
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self.written.endswith(b"\x1b[K"):
            self.written += os.read(self.master, 65536)
        if self.answers:
            for asked in self.written.decode().split("\x1b[6n")[:-1]:
                sign = asked.rpartition("\r")[2]
                os.write(self.master, f"\x1b[5;{self.widths.get(sign, get_cwidth(sign)) + 1}R".encode())

    def close(self) -> None:
        self._thread.join(5)
        os.close(self.slave)
        os.close(self.master)


@pytest.fixture
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    made = Terminal(**request.param)
    yield made
    made.close()


@pytest.mark.parametrize("terminal", [{}], indirect=True)
def test_a_terminal_that_draws_as_we_count(terminal: Terminal) -> None:
    import termios

    before = termios.tcgetattr(terminal.slave)
    widths = measure(terminal.slave, terminal.slave, SIGNS)
    assert widths == {sign: get_cwidth(sign) for sign in SIGNS}
    assert odd(widths) == ""
    assert termios.tcgetattr(terminal.slave) == before


@pytest.mark.parametrize("terminal", [{"♠": 2, "界": 1}], indirect=True)
def test_signs_in_another_width_are_named(terminal: Terminal) -> None:
    assert odd(measure(terminal.slave, terminal.slave, SIGNS) or {}) == "♠ 界"


@pytest.mark.parametrize("terminal", [{"answers": False}], indirect=True)
def test_a_terminal_that_does_not_answer_is_given_up(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measured, "ANSWER_SECONDS", 0.05)
    assert measure(terminal.slave, terminal.slave, SIGNS) is None


def test_what_is_no_terminal_is_not_asked() -> None:
    ends = os.pipe()
    assert measure(*ends, SIGNS) is None
    for end in ends:
        os.close(end)

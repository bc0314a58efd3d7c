"""What lies outside the lines of the screen."""

from __future__ import annotations

import logging
import warnings
from io import StringIO

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pcards.ui.terminal import own_title, quiet


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


def test_warnings_are_logged_and_not_printed(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn("a library grumbles", stacklevel=1)
        logging.getLogger("a library").warning("and again")
    assert "a library grumbles" in caplog.text
    assert capfd.readouterr().err == ""

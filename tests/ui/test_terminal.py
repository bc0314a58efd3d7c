"""What lies outside the lines of the screen."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Mapping
from io import StringIO

import pytest
from prompt_toolkit.data_structures import Size
from prompt_toolkit.output import ColorDepth, DummyOutput
from prompt_toolkit.output.vt100 import Vt100_Output

from p2pcards.errors import UserError
from p2pcards.ui.terminal import look_of, on_console, own_title, quiet, raw, ring
from p2pcards.ui.theme import Look


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


def test_the_bell_and_what_a_terminal_obeys_are_written_as_they_are() -> None:
    vt100, written = output("xterm")
    write = raw(vt100)
    assert write is not None
    ring(vt100)
    write("\x1b]9;p2pcards: Your turn.\x1b\\")
    assert written.getvalue() == "\a\x1b]9;p2pcards: Your turn.\x1b\\"
    assert raw(DummyOutput()) is None


def test_a_terminal_that_is_gone_breaks_nothing() -> None:
    vt100, written = output("xterm")
    write = raw(vt100)
    written.close()
    assert write is not None
    ring(vt100)
    write("x")


def test_warnings_are_logged_and_not_printed(
    caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with quiet(), warnings.catch_warnings():
        warnings.simplefilter("default")
        warnings.warn("a library grumbles", stacklevel=1)
        logging.getLogger("a library").warning("and again")
    assert "a library grumbles" in caplog.text
    assert capfd.readouterr().err == ""


UTF8 = {"LANG": "C.UTF-8"}


def looks(
    environ: Mapping[str, str] = UTF8, *, ascii: bool = False, color: bool = True, platform: str = "linux"
) -> Look:
    return look_of({**UTF8, **environ}, platform, ascii=ascii, color=color)


def test_colours_and_suits_are_there_where_nothing_speaks_against_them() -> None:
    assert looks() == Look(unicode=True, colours=True, depth=None)


@pytest.mark.parametrize(
    ("environ", "colours"),
    [
        ({"NO_COLOR": "1"}, False),
        ({"NO_COLOR": "0"}, False),
        ({"NO_COLOR": ""}, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "3"}, False),
        ({"FORCE_COLOR": "0"}, False),
        ({"FORCE_COLOR": "false"}, False),
        ({"FORCE_COLOR": "1"}, True),
        ({"FORCE_COLOR": "yes"}, True),
    ],
)
def test_colours_are_off_where_the_surroundings_say_so(environ: dict[str, str], colours: bool) -> None:
    assert looks(environ).colours is colours
    assert not looks(environ, color=False).colours


@pytest.mark.parametrize(
    ("environ", "depth"),
    [
        ({"COLORTERM": "truecolor"}, ColorDepth.DEPTH_24_BIT),
        ({"COLORTERM": "24bit"}, ColorDepth.DEPTH_24_BIT),
        ({"COLORTERM": "yes"}, None),
        ({"FORCE_COLOR": "1", "COLORTERM": "truecolor"}, ColorDepth.DEPTH_4_BIT),
        ({"FORCE_COLOR": "2"}, ColorDepth.DEPTH_8_BIT),
        ({"FORCE_COLOR": "3"}, ColorDepth.DEPTH_24_BIT),
    ],
)
def test_how_many_colours_there_are(environ: dict[str, str], depth: ColorDepth | None) -> None:
    assert looks(environ).depth is depth


@pytest.mark.parametrize(
    ("environ", "unicode"),
    [
        ({"LANG": "C"}, False),
        ({"LANG": ""}, False),
        ({"LANG": "de_DE.ISO-8859-15@euro"}, False),
        ({"LANG": "de_DE.utf8"}, True),
        ({"LANG": "ca_ES.UTF-8@valencia"}, True),
        ({"LC_CTYPE": "C"}, False),
        ({"LANG": "C", "LC_CTYPE": "en_GB.UTF-8"}, True),
        ({"LC_ALL": "POSIX", "LC_CTYPE": "en_GB.UTF-8"}, False),
    ],
)
def test_a_locale_without_utf_8_has_letters(environ: dict[str, str], unicode: bool) -> None:
    assert looks(environ).unicode is unicode
    assert looks(environ, platform="darwin").unicode
    assert not looks(environ, platform="win32", ascii=True).unicode


def test_a_window_that_can_show_no_screen_is_one_sentence_and_other_faults_stay_what_they_are() -> None:
    def shows(error: Exception) -> None:
        with on_console():
            raise error

    class NoConsoleScreenBufferError(Exception):
        """As it is called where there is one."""

    with pytest.raises(UserError, match="take Windows Terminal, or winpty, or --plain") as raised:
        shows(NoConsoleScreenBufferError())
    assert raised.value.exit_code == 2
    with pytest.raises(ZeroDivisionError):
        shows(ZeroDivisionError())

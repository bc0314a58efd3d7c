"""How the program reaches somebody who looks elsewhere: the bell, a notice on the desktop, a sound.

A notice goes through the terminal where that is known to show one, by its own escape sequence, so it works over ssh;
elsewhere through `notify-send`, where there is one and a display. Never through tmux or screen: those swallow such a
sequence, and what lets it through (tmux's `allow-passthrough`, off unless somebody turns it on) hands it to whatever
terminal is attached just then, which the program cannot know and which may print it over the picture.
"""

from __future__ import annotations

import logging
import os
import shlex
import shutil
import subprocess
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum

from p2pcards.ui.streams import visible

_LOG = logging.getLogger(__name__)

APP = "p2pcards"

_WITH_9 = ("xterm-kitty", "xterm-ghostty", "wezterm")
_WITH_777 = ("foot", "rxvt-unicode")
_PROGRAMS_WITH_9 = frozenset({"iTerm.app", "WezTerm", "ghostty", "WarpTerminal", "iTerm2"})
_PLAIN = ("", "dumb", "linux", "eterm", "screen", "tmux")
"""Beginnings of TERM where a sequence would be printed, or goes to a terminal that isn't known."""


class Lack(StrEnum):
    """Why a way leads nowhere."""

    NO_TERMINAL = "no_terminal"  # no bell, nobody types here
    NO_TITLE = "no_title"  # plain mode has no window of its own
    NO_NOTICE = "no_notice"  # neither the terminal nor notify-send shows one
    NO_COMMAND = "no_command"  # no sound_command in the config
    BAD_COMMAND = "bad_command"  # it can't be split


class Ways:
    """Carries a way out; what can't be done is left out, silently."""

    def __init__(
        self,
        *,
        ring: Callable[[], None] | None = None,
        titled: bool = False,
        write: Callable[[str], None] | None = None,
        command: str = "",
        environ: Mapping[str, str] = os.environ,
        start: Callable[[Sequence[str]], None] | None = None,
    ) -> None:
        """titled: there is a window's title; write: to the terminal, as it is; command: of the sound; start: starts a
        program without waiting for it."""
        self._ring, self._write = ring, write
        self._sequence = None if write is None else sequence(environ)
        self._notifier = "" if self._sequence else notifier(environ)
        self._sound, bad = _split(command)
        self._start_sound, self._start_notice = start or Starter(), start or Starter()
        self.lacking: Mapping[str, Lack] = _lacking(
            bell=ring is not None,
            title=titled,
            notice=bool(self._sequence or self._notifier),
            sound=Lack.BAD_COMMAND if bad else None if self._sound else Lack.NO_COMMAND,
        )

    def ring(self) -> None:
        """Rings the bell."""
        if self._ring is not None:
            self._ring()

    def notice(self, text: str) -> None:
        """Shows the sentence on the desktop."""
        text = visible(text)
        if self._sequence is not None and self._write is not None:
            self._write(self._sequence(text))
        elif self._notifier:
            self._start_notice((self._notifier, f"--app-name={APP}", "--", text))

    def sound(self) -> None:
        """Plays the sound."""
        if self._sound:
            self._start_sound(self._sound)


def _lacking(*, bell: bool, title: bool, notice: bool, sound: Lack | None) -> dict[str, Lack]:
    lacks = {
        "bell": None if bell else Lack.NO_TERMINAL,
        "title": None if title else Lack.NO_TITLE,
        "notice": None if notice else Lack.NO_NOTICE,
        "sound": sound,
    }
    return {way: lack for way, lack in lacks.items() if lack is not None}


def _split(command: str) -> tuple[tuple[str, ...], bool]:
    """The words of the command line as a shell splits them, ~ at the beginning of a word made whole; whether it can't
    be split."""
    try:
        words = shlex.split(command)
    except ValueError:
        return (), True
    return tuple(os.path.expanduser(word) for word in words), False  # noqa: PTH111 - the rest of a word is no path


def sequence(environ: Mapping[str, str]) -> Callable[[str], str] | None:
    """What makes the terminal show a notice; None where it isn't known to."""
    term = environ.get("TERM", "")
    muxed = environ.get("TMUX") or environ.get("STY")
    if muxed or not term or term.startswith(_PLAIN[1:]):
        return None
    programs = {environ.get("TERM_PROGRAM", ""), environ.get("LC_TERMINAL", "")}
    if term.startswith(_WITH_777):
        return _osc_777
    if term.startswith(_WITH_9) or programs & _PROGRAMS_WITH_9:
        return _osc_9
    return None


def _osc_9(text: str) -> str:
    return f"\x1b]9;{APP}: {text}\x1b\\"


def _osc_777(text: str) -> str:
    return f"\x1b]777;notify;{APP};{text.replace(';', ',')}\x1b\\"


def notifier(environ: Mapping[str, str]) -> str:
    """The path of `notify-send`, where there is one and a display; else empty."""
    display = environ.get("WAYLAND_DISPLAY") or environ.get("DISPLAY")
    return (shutil.which("notify-send", path=environ.get("PATH")) or "") if display else ""


class Starter:
    """Starts a program apart from ours: no shell, no terminal, not waited for, its failure silent. While it runs, it is
    not started again."""

    def __init__(self) -> None:
        self._thread: threading.Thread | None = None

    def __call__(self, words: Sequence[str]) -> None:
        """Starts it."""
        if self._thread is not None and self._thread.is_alive():
            return
        self._thread = threading.Thread(target=_run, args=(tuple(words),), name=words[0], daemon=True)
        with suppress(RuntimeError):  # no more threads
            self._thread.start()


def _run(words: tuple[str, ...]) -> None:
    """Runs it to its end, so that it leaves no zombie."""
    nowhere = subprocess.DEVNULL
    try:
        subprocess.Popen(  # noqa: S603 - no shell, and the words are the person's own
            words, stdin=nowhere, stdout=nowhere, stderr=nowhere, start_new_session=True
        ).wait()
    except (OSError, ValueError, subprocess.SubprocessError) as failed:
        _LOG.info("%s could not be started: %r", words[0], failed)

"""The file of presets: `presets.toml` in the config folder, its owner's alone, with a table for each game and name.

    [tongits.chips]
    scoring = "chips"
    turn_seconds = 30

Several programs of one user may write it: each takes a lock, reads the file anew and replaces it as a whole. A file
that can't be read is never written to. What another version of the program put there is kept.
"""

from __future__ import annotations

import os
import time
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from p2pcards.commands.presets import Rules
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.store.folders import Folders, private
from p2pcards.store.lock import Lock

FILE = "presets.toml"
HEAD = "# Rules of tables under a name, for `preset load NAME` and `--preset NAME`. Comments are not kept.\n"
TRIES, PAUSE = 100, 0.02
"""How often, and after how many seconds, another program's lock is tried again."""

_Kept = dict[str, dict[str, dict[str, bool | int | str]]]


class PresetFile:
    """A `commands.presets.Presets` in a file."""

    def __init__(self, folders: Folders) -> None:
        self._folders = folders
        self._file = folders.config / FILE
        self._read: tuple[tuple[int, int, int] | None, _Kept] | None = None

    def all(self) -> Mapping[str, Mapping[str, Rules]]:
        """By game and name; read again only when the file has changed."""
        return {
            game: {name: tuple((key, _text(value)) for key, value in rules.items()) for name, rules in named.items()}
            for game, named in self._load().items()
        }

    def save(self, game: str, name: str, rules: Rules) -> None:
        """Keeps the rules under the name."""

        def put(kept: _Kept) -> None:
            kept.setdefault(game, {})[name] = {key: _value(text) for key, text in rules}

        self._change(put)

    def delete(self, game: str, name: str) -> None:
        """Forgets them; UserError where they are not there."""

        def take(kept: _Kept) -> None:
            if name not in kept.get(game, {}):
                raise UserError(f"No preset for {GAMES[game].title if game in GAMES else game} is called {name}.")
            del kept[game][name]
            if not kept[game]:
                del kept[game]

        self._change(take)

    def _change(self, change: Callable[[_Kept], None]) -> None:
        try:
            private(self._folders.config)
            with self._locked():
                kept = {game: dict(named) for game, named in self._load().items()}
                change(kept)
                self._write(kept)
        except OSError as error:
            raise UserError(f"{self._file} can't be written: {error.strerror}.") from error

    @contextmanager
    def _locked(self) -> Iterator[None]:
        for _ in range(TRIES):
            lock = Lock.take(private(self._folders.locks) / "presets.lock")
            if lock is not None:
                break
            time.sleep(PAUSE)
        else:
            raise UserError("Another program of yours is writing the presets: try again.")
        try:
            yield
        finally:
            lock.release()

    def _load(self) -> _Kept:
        try:
            found = self._file.stat()
            state = (found.st_mtime_ns, found.st_size, found.st_ino)
            if self._read is None or self._read[0] != state:
                self._read = state, _checked(tomllib.loads(self._file.read_text(encoding="utf-8")))
        except FileNotFoundError:
            self._read = None, {}
        except OSError as error:
            raise UserError(f"{self._file} can't be read: {error.strerror}.") from error
        except ValueError as error:  # bad TOML, bad UTF-8, or no presets
            raise UserError(f"{self._file} can't be read as presets ({error}): mend it, or move it away.") from error
        return self._read[1]

    def _write(self, kept: _Kept) -> None:
        file = self._file.resolve()  # a link stays one
        fresh = file.with_name(f".{FILE}.{os.getpid()}.new")
        try:
            fresh.touch(mode=0o600)
            with fresh.open("w", encoding="utf-8", newline="\n") as out:
                out.write(_toml(kept))
                out.flush()
                os.fsync(out.fileno())
            fresh.replace(file)
        except OSError:
            fresh.unlink(missing_ok=True)
            raise


def _checked(found: dict[str, Any]) -> _Kept:
    """What was read, where it is presets: games, in them names, in them options with a plain value."""
    for game, named in found.items():
        if not isinstance(named, dict) or not all(isinstance(rules, dict) for rules in named.values()):
            raise ValueError(f"{game} has no presets in it")
        for name, rules in named.items():
            for key, value in rules.items():
                if not isinstance(value, bool | int | str):
                    raise ValueError(f"{key} of {name} is neither a number, a word nor true or false")
    return found


def _text(value: bool | int | str) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(text: str) -> bool | int | str:
    if text in ("true", "false"):
        return text == "true"
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else text


def _toml(kept: _Kept) -> str:
    parts = [HEAD]
    for game, named in sorted(kept.items()):
        for name, rules in sorted(named.items()):
            lines = [f"\n[{_quoted(game)}.{_quoted(name)}]\n"]
            for key, value in rules.items():
                lines.append(f"{_quoted(key)} = {_quoted(value, False) if isinstance(value, str) else _text(value)}\n")
            parts += lines
    return "".join(parts)


def _quoted(text: str, key: bool = True) -> str:
    """A key, bare where it can be, or a string."""
    if key and text and all(char.isascii() and (char.isalnum() or char in "_-") for char in text):
        return text
    escaped = "".join(
        f"\\u{ord(char):04x}" if ord(char) < 32 or ord(char) == 127 else f"\\{char}" if char in '"\\' else char
        for char in text
    )
    return f'"{escaped}"'

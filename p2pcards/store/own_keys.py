"""The public keys of all our profiles: another program of ours is no stranger."""

from __future__ import annotations

from pathlib import Path

from p2pcards.store.identity_file import peek, profiles
from p2pcards.wire.identity import Identity, short


def by_key(data: Path) -> dict[str, str]:
    """Our profiles by the `short` of their keys; one whose key can't be trusted is left out."""
    seeds = {name: peek(file) for name, file in profiles(data).items()}
    return {short(Identity(seed).key): name for name, seed in seeds.items() if seed}


class OwnKeys:
    """A key file is read once; one that can't be trusted counts for nothing."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._folder: int | None = None
        self._known: dict[tuple[str, int, int], bytes] = {}
        self._keys: frozenset[bytes] = frozenset()

    def keys(self) -> frozenset[bytes]:
        """As the folder is now; looked through again only when files in it came or went."""
        try:
            state = self._data.stat().st_mtime_ns
        except OSError:
            return frozenset()
        if state != self._folder:
            self._folder = state
            self._keys = frozenset(filter(None, map(self._key, profiles(self._data).values())))
        return self._keys

    def _key(self, file: Path) -> bytes | None:
        try:
            found = file.lstat()
        except OSError:
            return None
        mark = (file.name, found.st_ino, found.st_mtime_ns)
        if mark not in self._known:
            seed = peek(file)
            if seed == b"":
                self._folder = None  # somebody makes it this moment: it is looked at again
            if not seed:
                return None
            self._known[mark] = Identity(seed).key
        return self._known[mark]

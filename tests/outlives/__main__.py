"""Tables whose hosts die, stand still, are cut off or go: `python -m tests.outlives [CASE]...`, as root.

Without a CASE all, which takes about an hour. `killed`, `cut` and so on are all cases whose names begin so.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from itertools import chain
from pathlib import Path

from tests.outlives.cases import CASES


def main() -> int:
    """0 where everything went as it must."""
    parser = argparse.ArgumentParser(prog="python -m tests.outlives", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help="names, or how several begin; none: all")
    parser.add_argument("--list", action="store_true", help="only print the names")
    given = parser.parse_args()
    named = {name: [case for case in CASES if f"{case}-".startswith(f"{name}-")] for name in given.cases}
    if unknown := sorted(name for name, cases in named.items() if not cases):
        parser.error(f"no case is called {', '.join(unknown)}; --list prints all")
    names = list(dict.fromkeys(chain(*named.values()))) if named else list(CASES)
    if given.list:
        _say("\n".join(names))
        return 0
    failed = [name for name in names if not _tried(name)]
    _say(f"{len(names)} cases, {len(failed)} failed" + (f": {' '.join(failed)}" if failed else ""))
    return 1 if failed else 0


def _tried(name: str) -> bool:
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            said = CASES[name].run(Path(folder))
        except Exception:
            _say(f"{name:<24} {time.monotonic() - began:6.1f} s  FAILED\n{traceback.format_exc()}")
            return False
    _say(f"{name:<24} {time.monotonic() - began:6.1f} s  {said}".rstrip())
    return True


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())

"""Tables whose hosts die, stand still, are cut off or go: `python -m tests.outlives [CASE]...`, none: all (as root)."""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

from tests.outlives.cases import CASES


def main() -> int:
    """0 where everything went as it must."""
    parser = argparse.ArgumentParser(prog="python -m tests.outlives", description=__doc__)
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    names = parser.parse_args().cases
    if unknown := [name for name in names if name not in CASES]:
        parser.error(f"no case is called {', '.join(unknown)}; there is: {', '.join(CASES)}")
    failed = [name for name in names or CASES if not _tried(name)]
    _say(f"{len(names or CASES)} cases, {len(failed)} failed" + (f": {' '.join(failed)}" if failed else ""))
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

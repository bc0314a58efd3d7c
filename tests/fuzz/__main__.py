"""`python -m tests.fuzz TARGET [--seconds N]`: bytes by chance, guided by what they reach (Atheris, on Linux).

It begins with the corpus and what earlier runs found (build/fuzz). Bytes that break something end it: their file is
named, and belongs into the corpus once the bug is mended. `--renew` writes the honest part of the corpus anew, which
is due when messages or entries change.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from pathlib import Path

from tests.testing.house import ROOT

CORPUS = Path(__file__).parent / "corpus"
FOUND = ROOT / "build" / "fuzz"
LONGEST = {"record": 1200, "message": 2000, "entry": 2000, "advert": 500, "import": 6000}
"""Bytes that are tried."""


def main() -> int:
    """Fuzzes one target, or writes the honest values of all."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Feeds a decoder with anything at all.")
    parser.add_argument("target", nargs="?", choices=LONGEST, help="what is fed")
    parser.add_argument("--seconds", type=int, default=60, metavar="N", help="how long (60)")
    parser.add_argument("--renew", action="store_true", help="write the honest part of the corpus anew, nothing else")
    given = parser.parse_args()
    if given.renew:
        return renew()
    if given.target is None:
        parser.error(f"which target: {', '.join(LONGEST)}")
    return fuzz(given.target, given.seconds)


def renew() -> int:
    """Honest values of every target, in place of those that are there."""
    from tests.fuzz.honest import HONEST

    for name, values in HONEST.items():
        folder = CORPUS / name
        folder.mkdir(parents=True, exist_ok=True)
        for old in folder.glob("honest-*"):
            old.unlink()
        for title, data in values().items():
            (folder / f"honest-{title}").write_bytes(data)
    return 0


def fuzz(name: str, seconds: int) -> int:
    """Runs until time is up or something breaks; Atheris ends the process itself."""
    try:
        atheris = importlib.import_module("atheris")  # it has no types
    except ImportError:
        sys.stderr.write("Atheris is not here: pip install -e '.[dev]' on Linux, with a Python before 3.13.\n")
        return 1
    with atheris.instrument_imports(include=["p2pcards"]):
        from tests.fuzz.targets import TARGETS

    target, found = TARGETS[name], FOUND / name
    found.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={seconds}", f"-max_len={LONGEST[name]}", "-timeout=20", f"-artifact_prefix={found}-"]
    if target.words:
        words = FOUND / f"{name}.dict"
        words.write_text("".join(f'"{word.replace(chr(34), chr(92) + chr(34))}"\n' for word in target.words))
        options.append(f"-dict={words}")
    atheris.Setup(
        [sys.argv[0], *options, str(found), str(CORPUS / name)],
        lambda data: target.takes(data) and None,
    )
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())

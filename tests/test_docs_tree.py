"""What the documentation does to the source or to a lab's folder is run: in a copy, and in a folder of the test's.

Lines that would take minutes are run with less to do; `shown_tables` says of each what is run in its place.
"""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.testing.house import ROOT
from tests.testing.shown import IN_A_POSIX_SHELL, lines
from tests.testing.shown_tables import IN_A_TREE, WITHOUT_ROOT

pytestmark = IN_A_POSIX_SHELL

COPIED = ("p2pcards", "tests", "docs", "README.md", "pyproject.toml")


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source as whoever works on it has it; what is compiled comes along."""
    place = tmp_path_factory.mktemp("source")
    for name in COPIED:
        take = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        take(ROOT / name, place / name)
    return place


MAKES = {
    "> docs/commands.md": "docs/commands.md",
    "> docs/config.md": "docs/config.md",
    "> docs/bots.md": "docs/bots.md",
    "tests.testing.samples": "docs/samples/",
    "tests/games/test_playthroughs.py": "tests/playthroughs/",
}
"""How lines end that write files, and what they write."""


def done(command: str, place: Path) -> str:
    """What the shell prints, with the Python of the tests as the first one."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "COV_"))}
    path = os.pathsep.join((str(Path(sys.executable).parent), inherited["PATH"]))
    ran = subprocess.run(
        ["sh", "-euc", command], cwd=place, env={**inherited, "PATH": path, "PYTHONPATH": str(place)},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stdout + ran.stderr
    return ran.stdout


def made(place: Path) -> dict[str, bytes]:
    """What the lines write: the pages, the samples and the play-throughs."""
    files = [file for name in ("docs", "tests/playthroughs") for file in sorted((place / name).rglob("*"))]
    return {file.relative_to(place).as_posix(): file.read_bytes() for file in files if file.is_file()}


def page(name: str) -> str:
    return (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8")


PRINTED = {
    "testing.commands_page": page("commands"),
    "testing.config_page": page("config"),
    "testing.bots_page": page("bots"),
    "pytest": " passed",
    "nightly": " tests collected",
    "outlives": "killed",
    "sim --seeds": " 0 failed",
    "--trace": ": in order",
    "bench": '"name":"deadwood"',
}
"""What stands in the output of lines that write no file."""


@pytest.mark.parametrize("line", lines("tree"), ids=lines("tree"))
def test_it_is_run_in_a_copy_and_makes_again_what_is_there(line: str, tree: Path) -> None:
    if "tests.fuzz" in line and importlib.util.find_spec("atheris") is None:
        pytest.skip("Atheris is not here: it is for Linux, with a Python before 3.13")
    whole = made(tree)
    makes = next((files for mark, files in MAKES.items() if line.endswith(mark)), None)
    for name in whole if makes else ():
        if name.startswith(makes or ""):
            (tree / name).write_text("old", encoding="utf-8")
    told = done(IN_A_TREE[line] or line, tree)
    assert made(tree) == whole
    if makes is None:
        assert [text for mark, text in PRINTED.items() if mark in line and text in told] or "tests.fuzz" in line


@pytest.mark.parametrize("line", lines("unrooted"), ids=lines("unrooted"))
def test_the_folder_of_a_lab_is_made_by_its_owner(line: str, tmp_path: Path) -> None:
    key, keys = tmp_path / "p2pcards.key", tmp_path / "p2pcards.d"
    key.touch(0o640)
    own = line.removeprefix("sudo ").replace("/srv/lab", str(tmp_path)).replace("students", str(os.getgid()))
    done(own.replace("FILE", str(key)), tmp_path)
    if WITHOUT_ROOT[line] == "install":
        assert keys.stat().st_mode & 0o7777 == 0o1777
    else:
        assert (key.stat().st_gid, key.stat().st_mode & 0o777) == (os.getgid(), 0o640)

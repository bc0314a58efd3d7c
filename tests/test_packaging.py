"""What is handed out: the wheel, and the source archive it can be made from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

from p2pcards import __version__
from p2pcards.games.registry import GAMES
from tests.testing.house import ROOT, TOP, sources

READS = "from p2pcards.store import manual as it; print(it.__file__, *[it.rules_text(game) for game in "


def built(tree: Path, target: str, into: Path) -> Path:
    """Builds one target of the tree and returns its file."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(into)]
    subprocess.run(command, cwd=tree, check=True, capture_output=True)
    (file,) = into.iterdir()
    return file


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(ROOT, "sdist", tmp_path_factory.mktemp("sdist"))


def test_the_source_archive_is_the_source_and_no_more(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames()}
    assert {name.split("/")[0] for name in names} == {*TOP, "PKG-INFO"}
    assert not [name for name in names if "__pycache__" in name or name.endswith((".pyc", ".key", ".log"))]


def test_a_wheel_can_be_made_without_git_and_holds_the_rules(sdist: Path, tmp_path: Path) -> None:
    shutil.unpack_archive(sdist, tmp_path / "tree", filter="data")
    (tree,) = (tmp_path / "tree").iterdir()
    wheel = built(tree, "wheel", tmp_path / "wheel")
    assert wheel.name == f"p2pcards-{__version__}-py3-none-any.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"p2pcards/docs/rules/{game}.md" for game in GAMES} <= names
    assert {file.relative_to(ROOT).as_posix() for file in sources()} <= names
    assert "p2pcards/py.typed" in names
    assert f"p2pcards-{__version__}.data/data/share/man/man6/p2pcards.6" in names
    assert not [name for name in names if name.startswith("tests")]
    shutil.unpack_archive(wheel, tmp_path / "installed", "zip")
    code = f"{READS}{list(GAMES)!r}])"
    place = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    read = subprocess.run([sys.executable, "-P", "-c", code], cwd=tmp_path, env=place, capture_output=True, check=True)
    assert read.stdout.decode().startswith(str(tmp_path))


def test_both_versions_are_one() -> None:
    assert tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"] == __version__

"""Onto machines: out of the source archive, by each way that the README names, with nothing set up before."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from p2pcards import __version__
from tests.test_packaging import built
from tests.testing.house import ROOT
from tests.testing.require import require

README = (ROOT / "README.md").read_text()
KEPT = re.compile(r"PIP_|UV_|SSL_|https?_proxy", re.I)
"""What says where packages come from."""

LONG = 600.0


def line(mark: str) -> str:
    """The commands of the README behind that mark."""
    (found,) = re.findall(rf"<!-- {mark} -->\n```sh\n(.+)\n```", README)
    return str(found)


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment of somebody who has just got an account, on a machine whose packages can be had."""
    home = tmp_path / "home"
    home.mkdir()
    python = tmp_path / "python"
    python.mkdir()
    (python / "python3").symlink_to(Path(sys._base_executable))  # type: ignore[attr-defined]  # typeshed lacks it
    kept = {name: value for name, value in os.environ.items() if KEPT.match(name)}
    path = os.pathsep.join((str(python), "/usr/bin", "/bin"))
    environment = {"HOME": str(home), "PATH": path, "LC_ALL": "C.UTF-8", **kept}
    asked = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", str(tmp_path / "asked"), "click"]
    reached = subprocess.run(asked, env=environment, capture_output=True, timeout=LONG, check=False).returncode == 0
    require(reached, "no index of packages can be reached")
    return environment


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the source archive holds, unpacked."""
    place = tmp_path_factory.mktemp("source")
    shutil.unpack_archive(built(ROOT, "sdist", place / "archive"), place / "tree", filter="data")
    (found,) = (place / "tree").iterdir()
    return found


def done(command: str, place: Path, environment: dict[str, str]) -> str:
    """What the line prints, run without a terminal."""
    shell = ["bash", "-euc", command]
    ran = subprocess.run(
        shell, cwd=place, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LONG
    )
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


def plays(program: str, place: Path, environment: dict[str, str]) -> None:
    """It says which one it is, knows the rules, and a round of it can be played."""
    assert done(f"{program} --version", place, environment).startswith(f"p2pcards {__version__} ")
    assert "Tong-its" in done(f"{program} rules tongits", place, environment)
    told = done(f"{program} practise tongits --demo --json --rounds 1", place, environment).splitlines()
    assert json.loads(told[-1])["event"] in ("match", "closed")


@pytest.mark.timeout(LONG)
def test_the_line_of_the_readme_opens_it(tree: Path, bare: dict[str, str], tmp_path: Path) -> None:
    place = tmp_path / "unpacked"
    shutil.copytree(tree, place)
    assert "No tables" in done(f"{line('open')} --interface lo", place, bare)
    plays(".venv/bin/p2pcards", place, bare)


@pytest.mark.timeout(LONG)
def test_pipx_installs_it_with_its_manual_page(tree: Path, bare: dict[str, str], tmp_path: Path) -> None:
    pipx = shutil.which("pipx", path=str(Path(sys.executable).parent))
    require(pipx, "pipx is not installed")
    places = {name: str(tmp_path / name) for name in ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR")}
    done(f"{shlex.quote(pipx or '')} install -q .", tree, bare | places)
    plays(shlex.quote(f"{places['PIPX_BIN_DIR']}/p2pcards"), tmp_path, bare)
    assert (tmp_path / "PIPX_MAN_DIR" / "man6" / "p2pcards.6").exists()


@pytest.mark.timeout(LONG)
def test_uv_installs_it(tree: Path, bare: dict[str, str], tmp_path: Path) -> None:
    uv = shutil.which("uv", path=str(Path(sys.executable).parent))
    require(uv, "uv is not installed")
    places = {name: str(tmp_path / name) for name in ("UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "UV_CACHE_DIR")}
    done(f"{shlex.quote(uv or '')} tool install -q --python python3 .", tree, bare | places)
    plays(shlex.quote(f"{places['UV_TOOL_BIN_DIR']}/p2pcards"), tmp_path, bare)


@pytest.mark.timeout(LONG)
def test_one_file_plays_with_nothing_but_python_and_keeps_to_the_folder_of_caches(
    tree: Path, bare: dict[str, str], tmp_path: Path
) -> None:
    place = tmp_path / "built"
    shutil.copytree(tree, place)
    done(line("pyz"), place, bare)
    alone = tmp_path / "alone"
    alone.mkdir()
    shutil.copy(place / "p2pcards.pyz", alone)
    plays("python3 p2pcards.pyz", alone, bare)
    plays("./p2pcards.pyz", alone, bare)
    home = Path(bare["HOME"])
    assert {file.name for file in home.iterdir()} <= {".cache", ".local", ".config"}
    assert (home / ".cache" / "p2pcards").is_dir()

"""Who may import whom (docs/architecture.md): the contracts of pyproject.toml, and that they forget nobody."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from typing import Any

from tests.testing.house import PACKAGE, ROOT


def _contracts() -> list[dict[str, Any]]:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    contracts: list[dict[str, Any]] = settings["tool"]["importlinter"]["contracts"]
    return contracts


def test_the_contracts_hold() -> None:
    # a process of its own: the linter sets up logging for the whole program
    code = "import sys; from importlinter.cli import lint_imports; sys.exit(lint_imports(no_cache=True))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_every_room_has_its_layer() -> None:
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    files = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    (layers,) = (contract["layers"] for contract in _contracts() if contract["type"] == "layers")
    named = {room.strip().removeprefix("p2pcards.") for layer in layers for room in layer.split("|")}
    assert named == rooms | files


def test_every_room_below_the_shells_is_kept_from_clock_dice_and_network() -> None:
    layers, forbidden = _contracts()
    lines = [{room.strip() for room in layer.split("|")} for layer in layers["layers"]]
    shells = next(number for number, line in enumerate(lines) if "p2pcards.net" in line)
    below = set().union(*lines[shells + 1 :])
    assert set(forbidden["source_modules"]) == below
    assert {"asyncio", "socket", "threading", "time", "random", "secrets", "os"} <= set(forbidden["forbidden_modules"])

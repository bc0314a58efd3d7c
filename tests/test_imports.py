"""What importing costs and needs: every module stands alone, and no command pays for the others."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.testing.house import module_name, relative, sources

ELSEWHERE_ONLY = {"fcntl", "grp", "msvcrt", "pwd", "resource", "termios", "tty", "winreg", "winsound"}
"""Modules that one system or the other lacks."""

MODULES = {module_name(file): file for file in sources() if file.name != "__main__.py"}


def _packages(name: str) -> list[str]:
    """Those around a module."""
    parts = name.split(".")
    return [".".join(parts[:end]) for end in range(1, len(parts))]


def _loaded_by(name: str) -> set[str]:
    """The modules of ours that must be there before this one is: those it names at once, and their packages."""
    found = set()
    for statement in ast.parse(MODULES[name].read_text()).body:
        if isinstance(statement, ast.Import):
            found |= {alias.name for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom) and statement.module:
            inner = {f"{statement.module}.{alias.name}" for alias in statement.names}
            found |= inner if inner <= MODULES.keys() else {*inner, statement.module}
    packages = {package for other in found for package in _packages(other)}
    return (found | packages - {name, *_packages(name)}) & MODULES.keys()


def test_no_module_needs_itself() -> None:
    """So each can be imported first: a package around a module is begun before it, whoever asks for it."""
    TopologicalSorter({name: _loaded_by(name) for name in MODULES}).prepare()


def test_every_module_can_be_imported() -> None:
    code = "import sys; [__import__(name) for name in sys.argv[1:]]"
    done = subprocess.run([sys.executable, "-W", "error", "-c", code, *MODULES], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def _needed(file: Path) -> set[str]:
    """The modules that importing this file imports at once."""
    needed = set()
    for statement in ast.parse(file.read_text()).body:
        if isinstance(statement, ast.Import):
            needed |= {alias.name.split(".")[0] for alias in statement.names}
        elif isinstance(statement, ast.ImportFrom):
            needed.add((statement.module or "").split(".")[0])
    return needed


def test_no_module_needs_what_another_system_lacks() -> None:
    assert {relative(file): found for file in sources() if (found := _needed(file) & ELSEWHERE_ONLY)} == {}


def loaded(*arguments: str) -> set[str]:
    """The modules that `p2pcards <arguments>` loads beyond those of a bare interpreter."""
    code = (
        "import sys; bare = set(sys.modules)\n"
        "from p2pcards.__main__ import main\n"
        "try: sys.exit(main())\n"
        "finally: print(*set(sys.modules) - bare, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True)
    return set(done.stderr.split())


@pytest.mark.parametrize("flag", ["--version", "-V"])
def test_the_version_is_told_before_anything_is_imported(flag: str) -> None:
    assert loaded(flag) <= {"p2pcards", "p2pcards.__main__"}


@pytest.mark.parametrize(
    ("arguments", "without"),
    [
        (["--help"], {"asyncio", "msgspec", "cryptography", "zeroconf", "prompt_toolkit"}),
        (["where"], {"asyncio", "cryptography", "zeroconf", "prompt_toolkit"}),
        (["rules", "tongits"], {"asyncio", "cryptography", "zeroconf", "prompt_toolkit"}),
        (["identity"], {"asyncio", "zeroconf", "prompt_toolkit"}),
        (["practise", "tongits", "--demo", "--json", "--rounds", "1", "--seed", "1"], {"prompt_toolkit", "spake2"}),
    ],
)
def test_a_command_loads_only_what_it_needs(arguments: list[str], without: set[str]) -> None:
    assert not loaded(*arguments) & without


def test_the_first_picture_waits_for_neither_network_nor_cryptography() -> None:
    code = "import p2pcards.cli, p2pcards.program, p2pcards.ui.app, sys; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(done.stdout.split()) & {"msgspec", "cryptography", "zeroconf", "p2pcards.net", "p2pcards.games"}


def test_what_is_read_before_the_first_picture_is_cheap(tmp_path: Path) -> None:
    """Home, as it is for who has no settings: who they are, their key, what the lab would need."""
    code = (
        "import sys, p2pcards.program as program\n"
        "from p2pcards.store.settings import Settings\n"
        "async def picture(*rest): print(*sys.modules); return 0\n"
        "program._on_screen, program._is_terminal = picture, lambda stream: True\n"
        "sys.exit(program.open_program('', Settings()))"
    )
    folders = {f"XDG_{name}_HOME": str(tmp_path) for name in ("CONFIG", "DATA", "STATE")}
    environment = {**os.environ, **folders, "TERM": "xterm"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    late = {
        "msgspec",
        "cryptography",
        "spake2",
        "mnemonic",
        "tomllib",
        "p2pcards.net",
        "p2pcards.games",
        "p2pcards.cards",
    }
    assert not set(done.stdout.split()) & late

"""`list --watch` on a real terminal, with a kept table that comes, is played at and goes."""

from __future__ import annotations

import shlex
from pathlib import Path

from tests.testing.clients import P2PCARDS, homes, local
from tests.testing.tmux import terminal


def test_the_board_follows_a_table_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    settings = " ".join(f"{name}={shlex.quote(value)}" for name, value in homes(tmp_path / "board").items())
    watch = f"env {settings} {shlex.join([*P2PCARDS, 'list', '--watch', '--interface', 'lo'])}"
    with terminal(80, 24) as window, local(tmp_path / "user") as start:
        window.type(f"cd {shlex.quote(str(tmp_path))}; stty > before; echo stands; {watch}; echo EXIT=$?; stty > after")
        window.keys("Enter")
        window.sees("Tables on this network")
        table = start(
            "host", "tongits", "--no-seat", "--keep", "--headless", "--interface", "lo", "--port", "0", "--json",
            "--name", "board test", "--bots", "1",
        )  # fmt: skip
        port = table.hear("table")["port"]
        window.sees('p2pcards join "board test"')
        assert f"127.0.0.1:{port}" in window.text()
        assert window.alternate()
        window.resize(60, 20)
        window.sees("board test")
        table.say("quit")
        assert table.finish() == 0
        window.until(lambda: "board test" not in window.text(), "the table gone")
        window.keys("C-c")
        window.sees("EXIT=130")
        assert not window.alternate()
        assert "stands" in window.text()
        window.until(lambda: "speed" in _read(tmp_path / "after"), "the terminal's settings")
        assert _read(tmp_path / "after") == _read(tmp_path / "before")


def _read(file: Path) -> str:
    return file.read_text() if file.exists() else ""

"""`p2pcards doctor`: what it prints, its exit code, and what it never says."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from p2pcards.cli import run
from p2pcards.net.doctor import Doctor, Wish
from p2pcards.store.folders import folders
from p2pcards.store.identity_file import key_file, seed
from p2pcards.store.lab import create_lab_key
from p2pcards.table.findings import Code, Finding, found
from p2pcards.wire.identity import Identity, words

Capture = pytest.CaptureFixture[str]

ON_LO = ("--interface", "lo", "--wait", "0.1", "--port", "0")


@pytest.fixture
def pretended(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """An examination that finds these things."""

    def pretend(*findings: Finding) -> None:
        async def examine(self: Doctor) -> None:
            for finding in findings:
                self._tell(finding)

        monkeypatch.setattr(Doctor, "run", examine)

    return pretend


def printed(capsys: Capture, *arguments: str, code: int = 0) -> str:
    assert run(["doctor", *ON_LO, *arguments]) == code
    told = capsys.readouterr()
    assert told.err == ""
    return told.out


SILENT = found(Code.PEER_SILENT, peer="10.0.0.7:25252")
LOST = found(Code.JOIN_NOT)


def test_lines_name_state_check_and_what_to_do(home: Path, capsys: Capture, pretended: Any) -> None:
    pretended(found(Code.ECHO, name="eth0"), SILENT, LOST)
    lines = printed(capsys, code=1).splitlines()
    own = folders()
    assert lines[1:4] == [
        f"ok    key           No key yet: it is made in {own.data}/identity.key when it is first needed.",
        f"ok    files         What is to be kept can be written: {own.data}, {own.local}.",
        "ok    terminal      Not looked at: this is no terminal; p2pcards speaks in lines here.",
    ]
    assert lines[4:] == [
        "ok    echo          eth0: this machine hears itself.",
        "bad   peer          10.0.0.7:25252 doesn't answer by TCP: it is off, or a firewall swallows what comes from "
        "here.",
        "                    > There: `p2pcards doctor --listen`, which names its firewall's command",
        "warn  join          No way between the two was found.",
        "                    > Another way out is a phone's hotspot, a cable, or one machine for all over ssh",
    ]


def test_json_is_an_array_of_objects(home: Path, capsys: Capture, pretended: Any) -> None:
    pretended(SILENT)
    rows = json.loads(printed(capsys, "--json", code=1))
    assert [list(row) for row in rows] == [["check", "state", "found", "advice"]] * 5
    assert [row["check"] for row in rows] == ["version", "key", "files", "terminal", "peer"]
    assert (rows[-1]["state"], rows[-1]["advice"][:7]) == ("bad", "There: ")


def test_a_warning_is_no_failure(home: Path, capsys: Capture, pretended: Any) -> None:
    pretended(LOST)
    assert "warn  join" in printed(capsys)


def test_on_loopback_nothing_is_bad(home: Path, capsys: Capture) -> None:
    rows = json.loads(printed(capsys, "--json"))
    assert [row["check"] for row in rows] == [
        *("version", "key", "files", "terminal", "interfaces", "route", "multicast", "port", "echo", "mdns"),
        *("neighbours", "firewall", "network", "join"),
    ]


def test_nothing_secret_is_said(home: Path, capsys: Capture) -> None:
    file, lab = key_file(folders().data, "default"), home / "lab.key"
    key = seed(file)
    create_lab_key(lab)
    (home / "config" / "p2pcards").mkdir(parents=True)
    (home / "config" / "p2pcards" / "config.toml").write_text(f'lab_key = "{lab}"\n')
    heard = printed(capsys, "127.0.0.1:9", "--json", code=1) + printed(capsys, "127.0.0.1:9", code=1)
    secrets = (key, lab.read_bytes())
    assert not [one for one in secrets if one.hex() in heard or repr(one)[2:-1] in heard]
    assert words(Identity(key).key) not in heard
    assert Identity(key).key.hex() not in heard


def test_a_key_that_others_can_read_is_bad(home: Path, capsys: Capture, pretended: Any) -> None:
    file = key_file(folders().data, "lab")
    seed(file)
    file.chmod(0o640)
    pretended()
    assert f"> `chmod 600 {file}`" in printed(capsys, "--profile", "lab", code=1)


@pytest.mark.parametrize(
    ("arguments", "code", "sentence"),
    [
        (["--interface", "nowhere0"], 1, "No interface or address 'nowhere0' on this machine; there is: "),
        (["1.2.3.4:99999"], 2, "'99999' is no port: a number from 1 to 65535, 25252 where none is given."),
        (["--listen", "10.0.0.7"], 2, "--listen waits for others: it goes without PEER."),
        (["--wait", "soon"], 2, "Invalid value for '--wait': 'soon' is not a number of seconds, 0 or more."),
    ],
)
def test_what_cannot_be_meant_is_one_sentence(
    home: Path, capsys: Capture, arguments: list[str], code: int, sentence: str
) -> None:
    assert run(["doctor", *ON_LO, *arguments]) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith(sentence)
    assert told.err.count("\n") == 1


def test_a_port_that_is_taken_is_bad(home: Path, capsys: Capture) -> None:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        told = printed(capsys, "--port", str(port), code=1)
    assert f"bad   port          Port {port} is in use on this machine" in told


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGINT for another process")
def test_ctrl_c_leaves_cleanly_and_gives_the_port_back(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "p2pcards", "doctor", "--listen", "--interface", "lo", "--port", "0"]
    homes = {f"XDG_{name}_HOME": str(tmp_path) for name in ("CONFIG", "DATA", "STATE")}
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **homes}
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert any(line.startswith("ok    listen ") for line in process.stdout)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read().strip() == ""


def test_who_listened_until_ctrl_c_has_the_whole_report_as_json_too(
    home: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def interrupted(doctor: Doctor, heard: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Doctor, "_listen", interrupted)
    assert run(["doctor", *ON_LO, "--listen", "--json"]) == 130
    assert {"version", "interfaces", "port"} <= {row["check"] for row in json.loads(capsys.readouterr().out)}


@pytest.mark.parametrize(
    ("number", "platform", "code"),
    [
        ("EADDRINUSE", "linux", Code.MULTICAST_HELD),
        ("ENODEV", "linux", Code.MULTICAST_FAILED),
        ("EHOSTUNREACH", "linux", Code.MULTICAST_FAILED),
        ("EHOSTUNREACH", "darwin", Code.MULTICAST_FORBIDDEN),
    ],
)
async def test_an_interface_without_multicast_says_why(
    monkeypatch: pytest.MonkeyPatch, number: str, platform: str, code: Code
) -> None:
    import errno

    from p2pcards.ui.words_doctor import told

    doctor = Doctor(Wish(interface="lo"), lambda finding: None)
    doctor._ear.faults["lo"] = OSError(getattr(errno, number), "so it is")
    monkeypatch.setattr(sys, "platform", platform)
    (interface,) = doctor._network.chosen
    finding = doctor._multicast(interface)
    assert finding.code is code
    assert f"({number})" in told(finding)[0]

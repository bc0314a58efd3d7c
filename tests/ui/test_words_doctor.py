"""What the doctor says, whole."""

from __future__ import annotations

import re

import pytest

from p2pcards.table.findings import Code, Finding
from p2pcards.ui.words_doctor import open_tcp, open_udp, told
from tests.testing.house import PACKAGE, ROOT

PINNED = ROOT / "tests" / "ui" / "doctor.txt"

DETAIL = {
    "version": "0.1.0",
    "protocol": "3",
    "python": "3.11.2",
    "system": "Linux 6.1",
    "file": "/home/ana/my keys/identity.key",
    "why": "no space left on device",
    "folders": "/home/ana/.local/share/p2pcards",
    "columns": "80",
    "rows": "24",
    "letters": "UTF-8",
    "colours": "in colours",
    "signs": "♠ ♥",
    "used": "eth0 10.77.0.1",
    "rest": "docker0",
    "way": "tun0",
    "lan": "eth0 10.77.0.1",
    "better": "eth0",
    "name": "eth0",
    "errno": "EPERM",
    "who": "avahi-daemon",
    "port": "25252",
    "ports": "25252-25271",
    "firewall": "ufw",
    "program": "/usr/bin/python3",
    "count": "4",
    "known": "2",
    "where": "eth0",
    "peer": "10.77.0.2:25252",
    "taken": "tun0",
    "right": "eth0",
    "chosen": "tun0",
    "detail": "Friday",
    "own": "10.77.0.1:25252",
    "other": "9",
    "seconds": "3600",
    "how": "behind",
}


def line(code: Code) -> str:
    found, advice = told(Finding(code, DETAIL))
    return f"{code.state:<4} {code.check:<13} {code.name}\n    {found}\n" + (f"    > {advice}\n" if advice else "")


def test_every_finding_is_said_as_it_is_pinned() -> None:
    """Made anew by `python -m tests.ui.test_words_doctor > tests/ui/doctor.txt`."""
    assert "".join(map(line, Code)) == PINNED.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", list(Code), ids=lambda code: code.name)
def test_what_is_not_ok_says_what_to_do_and_everything_is_sentences(code: Code) -> None:
    found, advice = told(Finding(code, DETAIL))
    assert found.endswith(".") or code is Code.PORT_TAKEN  # whose sentence is the listener's
    assert "{" not in found + advice
    assert advice or code.state == "ok"
    assert advice.count("`") % 2 == 0


def test_every_finding_is_found_somewhere() -> None:
    files = [*(PACKAGE / "net").glob("doctor*.py"), PACKAGE / "store" / "checkup.py", PACKAGE / "cli_doctor.py"]
    source = "".join(file.read_text() for file in [*files, PACKAGE / "table" / "diagnosis.py"])
    assert {code.name for code in Code} == set(re.findall(r"Code\.([A-Z_]+)", source)) & set(Code.__members__)


@pytest.mark.parametrize(
    ("firewall", "tcp", "udp"),
    [
        ("ufw", "`sudo ufw allow 25252:25271/tcp`", "`sudo ufw allow 5353/udp`"),
        (
            "firewalld",
            "`sudo firewall-cmd --add-port=25252-25271/tcp && sudo firewall-cmd --runtime-to-permanent`",
            "`sudo firewall-cmd --add-service=mdns && sudo firewall-cmd --runtime-to-permanent`",
        ),
        (
            "macos",
            *[
                "`sudo /usr/libexec/ApplicationFirewall/socketfilterfw --add '/opt/my python' && "
                "sudo /usr/libexec/ApplicationFirewall/socketfilterfw --unblockapp '/opt/my python'`"
            ]
            * 2,
        ),
        (
            "windows",
            "In a terminal run as administrator: `netsh advfirewall firewall add rule "
            'name="p2pcards" dir=in action=allow protocol=TCP localport=25252-25271`',
            "In a terminal run as administrator: `netsh advfirewall firewall add rule "
            'name="p2pcards mDNS" dir=in action=allow protocol=UDP localport=5353`',
        ),
        (
            "",
            "Let TCP 25252-25271 in through this machine's firewall (`sudo nft list ruleset` shows its rules)",
            "Let UDP 5353 in and out through the machine's firewall (`sudo nft list ruleset` shows its rules)",
        ),
    ],
)
def test_the_command_of_each_firewall(firewall: str, tcp: str, udp: str) -> None:
    assert open_tcp(firewall, "25252-25271", "/opt/my python") == tcp
    assert open_udp(firewall, "/opt/my python") == udp


def test_what_others_say_steers_no_terminal() -> None:
    detail = {**DETAIL, "detail": "x\x1b[2J\n{file}\u202e", "firewall": "\x1b]0;ufw"}
    for code in Code:
        assert "".join(told(Finding(code, detail))).isprintable()


if __name__ == "__main__":
    print("".join(map(line, Code)), end="")  # noqa: T201 - makes the pinned file

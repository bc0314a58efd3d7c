"""`p2pcards verify`: what it says, what it exits with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.cli import run
from p2pcards.store import record_file
from p2pcards.store.folders import folders, private
from p2pcards.store.identity_file import DEFAULT, key_file
from p2pcards.store.people import KnownPeople
from p2pcards.table.people import NoPeople
from p2pcards.table.verify import Verified, verify_record
from p2pcards.ui.words_proof import LIMITS, proved
from p2pcards.wire.identity import words
from tests.testing.cluster import identity
from tests.testing.recorded import one_game, proofs, small, with_proofs

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def honest(tmp_path: Path) -> Path:
    file = tmp_path / "honest.p2pcards.toml"
    file.write_text(one_game("tongits"), newline="\n")
    return file


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    file = tmp_path / "changed.p2pcards.toml"
    file.write_text(one_game("tongits").replace('title = "lab"', 'title = "bar"'), newline="\n")
    return file


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    file = tmp_path / "bare.p2pcards.toml"
    file.write_text(with_proofs(one_game("tongits"), [[], []]), newline="\n")
    return file


def told(capsys: Capture, *arguments: str | Path, code: int = 0) -> tuple[list[str], list[str]]:
    """Lines on standard output and on standard error."""
    assert run(["verify", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    return out.splitlines(), err.splitlines()


def reports(capsys: Capture, *files: Path, code: int = 0) -> list[dict[str, Any]]:
    """A line of JSON for each file."""
    return [json.loads(line) for line in told(capsys, "--json", *files, code=code)[0]]


def test_a_record_as_it_was_played_is_exit_0_with_each_keys_words_and_what_it_does_not_prove(
    capsys: Capture, honest: Path
) -> None:
    out, err = told(capsys, honest)
    table = one_game("tongits").partition('table = "')[2][:26]
    assert out == [
        f"verified: 2 rounds of Tong-its, played at the table lab ({table})",
        f"  ana  host, player  {words(identity('host').key)}  you don't know this key",
        f"  ben  player        {words(identity('ben').key)}  you don't know this key",
        f"  cy   player        {words(identity('cy').key)}  you don't know this key",
        "The match is not over in it: later rounds may have been played, and left out.",
        LIMITS,
    ]
    assert err == []
    assert "make up keys" in LIMITS


@pytest.mark.parametrize(
    ("alone", "told"),
    [
        ((), []),
        ((1, 2), ["In every round the host shuffled with nobody's part: there it may have chosen the cards."]),
        ((2,), ["In round 2 the host shuffled with nobody's part: there it may have chosen the cards."]),
    ],
)
def test_what_the_host_shuffled_by_itself_is_said(alone: tuple[int, ...], told: list[str]) -> None:
    found = verify_record(one_game("tongits").encode())
    assert isinstance(found, Verified)
    lines = proved(replace(found, alone=alone), NoPeople())
    assert [line for line in lines if "nobody's part" in line] == told


def test_one_round_is_one_round(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "small").write_text(small(), newline="\n")
    out, _ = told(capsys, tmp_path / "small")
    assert out[0].startswith("verified: 1 round of One Card, ")
    assert not any("left out" in line for line in out)


def test_whether_a_key_is_known_is_said(capsys: Capture, honest: Path) -> None:
    people = KnownPeople(folders())
    people.meet(identity("host").key, "ana", 1.0)
    people.call(identity("host").key, "Annie")
    people.meet(identity("ben").key, "ben", 1.0)
    people.vouch(identity("ben").key, True)
    people.meet(identity("other").key, "cy", 1.0)
    out, _ = told(capsys, honest)
    assert [line.split("  ")[-1] for line in out[1:4]] == [
        "met before, called Annie",
        "words compared",
        "NOT the cy you know",
    ]
    (report,) = reports(capsys, honest)
    assert [key["known"] for key in report["keys"]] == ["known", "verified", "other"]


def test_a_key_of_ones_own_is_said_to_be_ones_own(capsys: Capture, honest: Path) -> None:
    data = private(folders().data)
    file = key_file(data, DEFAULT)
    file.write_bytes(b"ben".ljust(32, b"."))
    file.chmod(0o600)
    assert told(capsys, honest)[0][2].endswith("  yours")
    assert [key["known"] for key in reports(capsys, honest)[0]["keys"]] == ["unknown", "own", "unknown"]


def test_what_was_changed_is_exit_6_with_place_and_whose(capsys: Capture, changed: Path) -> None:
    out, err = told(capsys, changed, code=6)
    assert out == []
    assert err == [
        "not verified: line 5 of the file: it says 'title = \"bar\"', but by its proof it is 'title = \"lab\"' "
        "(the file was changed, or is none that p2pcards wrote)"
    ]
    (report,) = reports(capsys, changed, code=6)
    assert report == {
        "ok": False,
        "round": None,
        "entry": None,
        "line": 5,
        "whose": "the file",
        "error": """it says 'title = "bar"', but by its proof it is 'title = "lab"'""",
    }


def test_a_changed_entry_is_named_by_its_index(capsys: Capture, tmp_path: Path) -> None:
    text = one_game("tongits")
    parts = proofs(text)
    parts[1][2] = parts[1][2][:-1] + bytes([parts[1][2][-1] ^ 1])
    file = tmp_path / "entry.p2pcards.toml"
    file.write_text(with_proofs(text, parts), newline="\n")
    at = len(parts[0]) + 2
    _, err = told(capsys, file, code=6)
    assert err[0].startswith(f"not verified: round 2, entry {at}: it is not signed by the host (the file ")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_that_nobody_writes_to_is_not_waited_for(capsys: Capture, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert run(["replay", "--check", str(tmp_path / "pipe")]) == 2
    assert capsys.readouterr().err.endswith("pipe can't be read: it is a pipe\n")
    assert told(capsys, tmp_path / "pipe", code=1)[1] == [
        f"not verified: {tmp_path / 'pipe'} can't be read: it is a pipe"
    ]


def test_no_proof_is_exit_1_and_says_so(capsys: Capture, bare: Path) -> None:
    why = "it carries no proof: only the record of a match at a table has one"
    assert told(capsys, bare, code=1) == ([], [f"not verified: {why}"])
    (report,) = reports(capsys, bare, code=1)
    assert (report["ok"], report["whose"], report["error"]) == (False, None, why)


def test_what_cannot_be_read_is_exit_1(capsys: Capture, tmp_path: Path) -> None:
    missing = tmp_path / "none.toml"
    assert told(capsys, missing, code=1)[1] == [f"not verified: {missing} can't be read: No such file or directory"]
    assert told(capsys, tmp_path, code=1)[1] == [f"not verified: {tmp_path} can't be read: Is a directory"]
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    assert told(capsys, binary, code=1)[1] == ["not verified: it is not text in UTF-8"]
    assert told(capsys, "no\udcff\n\x1b.toml", code=1)[1] == [
        "not verified: no???.toml can't be read: No such file or directory"
    ]


def test_a_file_without_an_end_is_not_read_to_it(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, honest: Path
) -> None:
    monkeypatch.setattr(record_file, "LONGEST", honest.stat().st_size)
    assert told(capsys, honest)[1] == []
    assert told(capsys, os.devnull, code=6)[0] == []
    assert told(capsys, "/dev/zero", code=1)[1] == [
        "not verified: /dev/zero can't be read: it is longer than any record"
    ]


def test_text_that_is_no_record_is_exit_6(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "text"
    for text in ("", "no record", "format = 1\ngame = ", small() + "\n", "x = " + "[" * 50_000):
        file.write_text(text, newline="\n")
        out, err = told(capsys, file, code=6)
        assert out == []
        assert len(err) == 1
        assert err[0].startswith("not verified: ")


def test_of_several_files_each_is_named_and_the_worst_counts(
    capsys: Capture, honest: Path, bare: Path, changed: Path
) -> None:
    out, err = told(capsys, honest, bare, changed, code=6)
    assert out[0].startswith(f"{honest}: verified: 2 rounds")
    assert out[-1] == LIMITS
    assert [line.partition(": not verified: ")[0] for line in err] == [str(bare), str(changed)]
    assert told(capsys, bare, honest, code=1)[0].count(LIMITS) == 1
    out, err = told(capsys, honest.with_name("none"), bare, code=1)
    assert out == []
    assert err[0] == f"{honest.with_name('none')}: not verified: it can't be read: No such file or directory"


def test_json_is_one_line_a_file_in_order(capsys: Capture, honest: Path, bare: Path, changed: Path) -> None:
    found = reports(capsys, changed, honest, bare, honest, code=6)
    assert [report["ok"] for report in found] == [False, True, False, True]
    assert found[1] == {
        "file": str(honest),
        "ok": True,
        "game": "tongits",
        "rounds": 2,
        "over": False,
        "stopped": False,
        "table": one_game("tongits").partition('table = "')[2][:26],
        "title": "lab",
        "keys": [
            {"nick": nick, "roles": roles, "words": words(identity(name).key), "known": "unknown"}
            for nick, name, roles in (
                ("ana", "host", ["host", "player"]),
                ("ben", "ben", ["player"]),
                ("cy", "cy", ["player"]),
            )
        ],
        "bots": {},
        "left_out": [],
        "stood_in": [],
        "alone": [],
    }


def test_people_that_cannot_be_read_are_said_and_the_record_is_verified_all_the_same(
    capsys: Capture, honest: Path
) -> None:
    people = folders().people
    people.parent.mkdir(parents=True, exist_ok=True)
    people.write_text("nonsense = ")
    out, err = told(capsys, honest)
    assert out[0].startswith("verified")
    assert len(err) == 1
    assert err[0].endswith("So every key counts as unknown.")


def test_it_keeps_nothing(capsys: Capture, honest: Path, home: Path) -> None:
    told(capsys, honest)
    assert [file for file in home.rglob("*") if file.is_file() and file != honest] == []

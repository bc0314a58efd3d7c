"""The files that --record and --log name."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store.record_file import RecordFile, open_text


def test_the_match_so_far_replaces_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "game.p2pcards.toml"
    record = RecordFile(file)
    record.begin()
    record.write("one round\n")
    record.write("two rounds ♠\n")
    assert file.read_bytes() == "two rounds ♠\n".encode()
    assert [each.name for each in tmp_path.iterdir()] == [file.name]


@pytest.mark.parametrize(
    ("name", "second"),
    [
        ("game.p2pcards.toml", "game-2.p2pcards.toml"),
        ("game.toml", "game-2.toml"),
        ("game", "game-2"),
    ],
)
def test_a_second_match_loses_nothing_of_the_first(tmp_path: Path, name: str, second: str) -> None:
    record = RecordFile(tmp_path / name)
    for text in ("first", "second"):
        record.begin()
        record.write(text)
    assert (tmp_path / name).read_text() == "first"
    assert (tmp_path / second).read_text() == "second"


def test_a_place_where_no_file_can_be_is_told_before_the_game(tmp_path: Path) -> None:
    nowhere = tmp_path / "none" / "game.p2pcards.toml"
    for make, file, sentence in (
        (RecordFile, nowhere, f"{nowhere} can't be written: there is no folder {nowhere.parent}."),
        (open_text, nowhere, f"{nowhere} can't be written: there is no folder {nowhere.parent}."),
        (RecordFile, tmp_path, f"No record can be written to {tmp_path}: "),
        (open_text, tmp_path, f"{tmp_path} can't be written: "),  # a folder; systems say why in their own words
    ):
        with pytest.raises(UserError) as refused:
            make(file)
        assert str(refused.value).startswith(sentence)
        assert refused.value.exit_code == 2


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes with names")
def test_a_device_or_a_pipe_is_never_replaced_before_the_game_or_in_it(tmp_path: Path) -> None:
    file = tmp_path / "game.p2pcards.toml"
    record = RecordFile(file)
    os.mkfifo(file)
    with pytest.raises(UserError, match="it is a device or a pipe, and no file") as refused:
        RecordFile(file)
    assert refused.value.exit_code == 2
    record.begin()
    record.write("one")
    assert record.trouble == f"The record {file} could not be written: it is a device or a pipe, and no file."
    assert file.is_fifo()
    assert list(tmp_path.iterdir()) == [file]


def test_of_a_link_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "shared").mkdir()
    file = tmp_path / "game.p2pcards.toml"
    file.symlink_to(tmp_path / "shared" / "game.p2pcards.toml")
    record = RecordFile(file)
    record.begin()
    record.write("one")
    assert file.is_symlink()
    assert (tmp_path / "shared" / "game.p2pcards.toml").read_text() == "one"


def test_a_full_disk_leaves_nothing_half_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, *_: object, **__: object) -> int:
        self.touch()
        raise OSError(errno.ENOSPC, "No space left on device")

    record = RecordFile(tmp_path / "game.p2pcards.toml")
    record.begin()
    monkeypatch.setattr(Path, "write_text", full)
    record.write("one")
    assert record.trouble.endswith("could not be written: No space left on device.")
    assert not list(tmp_path.iterdir())


def test_what_goes_wrong_later_is_told_at_the_end_and_forgotten_when_it_mends(tmp_path: Path) -> None:
    folder = tmp_path / "disk"
    folder.mkdir()
    record = RecordFile(folder / "game.p2pcards.toml")
    folder.rmdir()
    record.write("one")
    assert (
        record.trouble == f"The record {folder / 'game.p2pcards.toml'} could not be written: No such file or directory."
    )
    folder.mkdir()
    record.write("two")
    assert record.trouble == ""

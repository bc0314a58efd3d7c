"""The file of settings: what it says counts, and what it can't say is one sentence with file, line and key."""

from __future__ import annotations

import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import UserError
from p2pcards.store.config import DOORS, KEYS, Config, read_config
from p2pcards.store.config_tables import TABLES
from p2pcards.store.folders import Folders
from p2pcards.table import settings as table_settings
from tests.testing.config_page import page
from tests.testing.house import ROOT


def written(base: Path, text: str) -> Folders:
    own = Folders(base / "config", base / "data", base / "local")
    own.config.mkdir(exist_ok=True)
    own.settings.write_text(text, encoding="utf-8")
    return own


def test_without_a_file_nothing_is_said_and_none_is_made(tmp_path: Path) -> None:
    own = Folders(tmp_path / "config", tmp_path / "data", tmp_path / "local")
    assert read_config(own) == Config()
    assert list(tmp_path.iterdir()) == []


def test_every_key_is_read(tmp_path: Path) -> None:
    said: dict[str, Any] = {key.name: key.example for key in KEYS}
    own = written(tmp_path, "".join(f'{name} = "{value}"\n' for name, value in said.items()))
    assert read_config(own) == Config(**said)


def test_paths_begin_at_home_or_at_the_folder_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/ana")
    found = read_config(written(tmp_path, 'lab_key = "~/lab.key"\nlab_keys = "../shared"\n'))
    assert (found.lab_key, found.lab_keys) == ("/home/ana/lab.key", str(tmp_path / "config" / ".." / "shared"))
    assert read_config(written(tmp_path, 'lab_key = "~nobody-of-that-name/x"')).lab_key.endswith("of-that-name/x")


@pytest.mark.parametrize("door", DOORS)
def test_every_door_can_be_the_usual_one(tmp_path: Path, door: str) -> None:
    assert read_config(written(tmp_path, f'door = "{door}"')).door == door


def test_the_schema_has_the_doors_of_the_table() -> None:
    assert DOORS == table_settings.DOORS


def test_the_schema_has_every_setting() -> None:
    tables = (table.name.partition(".")[0] for table in TABLES)
    assert (*(key.name for key in KEYS), *tables) == Config._fields


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('# me\nnik = "ana"\n', ", line 2: no setting is called 'nik'; did you mean nick?"),
        ('"nik" = "ana"\n', ", line 1: no setting is called 'nik'; did you mean nick?"),
        ("\n[xxxx]\nnick = 1\n", ", line 2: no setting is called 'xxxx'; there is: nick, door, lab_key, lab_keys, th"),
        ("\n[theme]\nnick = 1\n", "deuter, tritan, mono or one of your own, not a table."),
        ('coach = "maybe"', ", line 1: coach is on or off, not 'maybe'."),
        ('sound_command = "paplay \'x"', ", line 1: sound_command is a command line; no shell is between, not "),
        ('door = "closed"\n', ", line 1: door is open, ask, code, lab or lab+uid, not 'closed'."),
        ('nick = "ana"\ndoor = true\n', ", line 2: door is open, ask, code, lab or lab+uid, not true."),
        ('nick = "bot-1"\n', ", line 1: nick is 1 to 16 of A-Z a-z 0-9 _ - (no word of the table"),
        ('nick = "ana maria"\n', "not 'ana maria'."),
        ("nick = 7\n", "not 7."),
        (f"nick = 0x{'f' * 6000}\n", ", line 1: nick is 1 to 16 of "),
        (f"[keys]\nhide = [0x{'f' * 6000}]\n", ", line 2: keys.hide is "),
        ("lab_key = 7\n", ", line 1: lab_key is a path in quotes, not 7."),
        ('lab_keys = "a\\u0000b"\n', ", line 1: lab_keys is a path in quotes, not 'a\\x00b'."),
        ("nick = \n", "is no TOML: Invalid value (at line 1, column 8)."),
        ('nick = "a"\nnick = "b"\n', "is no TOML: Cannot overwrite a value (at line 2"),
    ],
)
def test_what_can_not_be_is_one_sentence(tmp_path: Path, text: str, says: str) -> None:
    own = written(tmp_path, text)
    with pytest.raises(UserError) as refused:
        read_config(own)
    told = str(refused.value)
    assert told.startswith(str(own.settings))
    assert says in told
    assert "\n" not in told
    assert refused.value.exit_code == 2


def test_a_file_that_is_no_text_is_one_sentence(tmp_path: Path) -> None:
    own = written(tmp_path, "")
    own.settings.write_bytes(b'nick = "\xff"')
    with pytest.raises(UserError, match="is no TOML"):
        read_config(own)
    own.settings.unlink()
    own.settings.mkdir()
    with pytest.raises(UserError, match=r"can't be read: Is a directory\."):
        read_config(own)


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=30))
def test_whatever_stands_there_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    own = written(tmp_path_factory.getbasetemp(), text)
    with suppress(UserError):
        read_config(own)


def test_the_page_of_settings_is_made_from_the_schema() -> None:
    assert (ROOT / "docs" / "config.md").read_text() == page()


def test_the_example_of_the_page_is_a_file_that_is_read(tmp_path: Path) -> None:
    example = page().split("```toml\n")[1].split("```")[0]
    assert set(tomllib.loads(example)) == set(Config._fields)
    assert read_config(written(tmp_path, example)).nick == "ana"

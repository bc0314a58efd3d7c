"""What was set at the prompt comes back, and a file that is in a bad way is in nobody's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from p2pcards.store.choices import CHOICES, ChoiceFile
from p2pcards.store.config import Config
from p2pcards.store.folders import Folders
from p2pcards.ui.habits import Habits


def folders(base: Path) -> Folders:
    return Folders(base / "config", base / "data", base / "local")


def choices(base: Path) -> ChoiceFile:
    return ChoiceFile(folders(base))


def test_what_is_kept_comes_back_in_another_program(tmp_path: Path) -> None:
    choices(tmp_path).keep("theme", "light")
    choices(tmp_path).keep("sort", "suit")
    choices(tmp_path).keep("theme", "dark")
    assert choices(tmp_path).all() == {"theme": "dark", "sort": "suit"}
    assert 'theme = "dark"\n' in folders(tmp_path).choices.read_text()


def test_a_theme_of_ones_own_is_taken_while_it_is_there(tmp_path: Path) -> None:
    choices(tmp_path).keep("theme", "dusk")
    assert choices(tmp_path).all(("dusk",)) == {"theme": "dusk"}
    assert choices(tmp_path).all() == {}


def test_nothing_is_kept_where_there_is_no_file(tmp_path: Path) -> None:
    assert choices(tmp_path).all() == {}
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(("name", "value"), [("sort", "own"), ("nick", "ana"), ("coach", ""), ("cards", "huge")])
def test_what_config_toml_could_not_say_is_not_kept(tmp_path: Path, name: str, value: str) -> None:
    choices(tmp_path).keep(name, value)
    assert not folders(tmp_path).choices.exists()


@pytest.mark.parametrize("text", ["theme = ", "theme = 3\n", "\x00", "[theme]\n", "later = 'x'\n"])
def test_what_can_not_be_is_as_if_it_were_not_there(
    tmp_path: Path, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    file = folders(tmp_path).choices
    file.parent.mkdir()
    file.write_text(text)
    assert choices(tmp_path).all() == {}
    choices(tmp_path).keep("coach", "off")
    assert ("coach" in file.read_text()) == (not caplog.records)  # a file that can't be read is left alone, and logged


@pytest.mark.skipif(sys.platform == "win32", reason="a folder made a file is refused otherwise there")
def test_a_file_that_can_not_be_written_is_logged_and_no_more(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "data").write_text("")
    choices(tmp_path).keep("coach", "off")
    assert len(caplog.records) == 1


def test_they_are_what_the_screen_knows_and_config_toml_too() -> None:
    assert set(CHOICES) <= set(Habits._fields) & set(Config._fields)

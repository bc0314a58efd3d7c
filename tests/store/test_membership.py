"""What makes us one of a lab: the command line goes on top and must be right, config.toml may be missing things."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store.config import Config
from p2pcards.store.lab import create_lab_key, lab_key
from p2pcards.store.membership import Membership
from p2pcards.store.settings import Settings
from p2pcards.table.settings import DOORS, NEEDS_LAB

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no owners of files there")


@pytest.fixture
def key(tmp_path: Path) -> str:
    create_lab_key(tmp_path / "key")
    return str(tmp_path / "key")


@pytest.fixture
def keys(tmp_path: Path) -> str:
    (tmp_path / "keys").mkdir()
    (tmp_path / "keys").chmod(0o1777)
    return str(tmp_path / "keys")


def test_without_a_word_there_is_no_lab_and_no_note() -> None:
    found = Membership(Settings(), Config())
    assert (found.lab, found.roll, found.notes) == (b"", None, [])


def test_both_can_be_named_in_either_place(key: str, keys: str) -> None:
    for found in (
        Membership(Settings(lab_key=key, lab_keys=keys), Config()),
        Membership(Settings(), Config(lab_key=key, lab_keys=keys)),
        Membership(Settings(lab_key=key, lab_keys=keys), Config(lab_key="/none", lab_keys="/none")),
    ):
        assert found.lab == lab_key(Path(key))
        assert found.roll is not None
        assert found.notes == []
        for door in DOORS:
            found.check_door(door)


def test_what_the_command_line_names_must_be_there() -> None:
    with pytest.raises(UserError, match="The lab's key /none can't be read") as refused:
        Membership(Settings(lab_key="/none"), Config())
    assert refused.value.exit_code == 2
    found = Membership(Settings(lab_keys="/none"), Config())
    with pytest.raises(UserError, match="The directory of keys /none can't be used") as refused:
        _ = found.roll
    assert refused.value.exit_code == 2


def test_what_the_settings_name_may_be_missing_and_is_told_once() -> None:
    found = Membership(Settings(), Config(lab_key="/none", lab_keys="/nowhere"))
    assert (found.lab, found.roll) == (b"", None)
    told: list[str] = []
    found.tell(told.append)
    found.tell(told.append)
    assert [line.split(" can't be")[0] for line in told] == ["The lab's key /none", "The directory of keys /nowhere"]


def test_doors_that_need_a_lab_are_refused_without_one(key: str, keys: str) -> None:
    found = Membership(Settings(), Config())
    for door in DOORS:
        if door not in NEEDS_LAB:
            found.check_door(door)
            continue
        with pytest.raises(UserError, match=r"The door lab.* needs the lab's key: --lab-key FILE") as refused:
            found.check_door(door)
        assert refused.value.exit_code == 2
    found = Membership(Settings(lab_key=key), Config())
    found.check_door("lab")
    with pytest.raises(
        UserError, match="The door lab\\+uid needs the lab's directory of keys: --lab-keys DIR"
    ) as refused:
        found.check_door("lab+uid")
    assert refused.value.exit_code == 2
    found.check_door("")


def test_the_refusal_of_a_door_says_what_is_wrong_with_the_settings(key: str) -> None:
    found = Membership(Settings(), Config(lab_key="/none"))
    with pytest.raises(UserError, match=r"config.toml. The lab's key /none can't be read: No such file"):
        found.check_door("lab")
    found = Membership(Settings(lab_key=key), Config(lab_keys="/none"))
    with pytest.raises(UserError, match=r"config.toml. The directory of keys /none can't be used: No such file"):
        found.check_door("lab+uid")

"""The tables that are kept on this machine, and which of them is meant."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.net.files import Keep, TableFolder
from p2pcards.net.keeping import Keeping, Shelf
from p2pcards.net.kept import DAYS, chosen, kept, voted
from p2pcards.store.lock import Lock
from p2pcards.wire.identity import Identity, short
from p2pcards.wire.text import table_text
from tests.net.shelves import ANA, left, table_of, wires

BEN = Identity(b"b" * 32)


def written(path: Path, ago: float) -> Path:
    """The same folder, last written to so many seconds ago."""
    at = time.time() - ago
    os.utime(path / "journal", (at, at))
    return path


def test_the_newest_comes_first_with_what_its_journal_says(tmp_path: Path) -> None:
    written(left(tmp_path, wires("old", "tienlen")), 60)
    new = written(left(tmp_path, wires("new")), 10)
    found = kept(tmp_path, Lock.take)
    assert [(one.title, one.game) for one in found] == [("new", "tongits"), ("old", "tienlen")]
    assert (found[0].path, found[0].key8) == (new, short(ANA.key))
    assert found[0].table == table_of(wires("new"))


def test_nothing_and_nonsense_are_no_tables(tmp_path: Path) -> None:
    assert kept(tmp_path / "none", Lock.take) == []
    (tmp_path / "notes").mkdir()
    empty = tmp_path / f"{table_text(b'e' * 16)}-{short(ANA.key)}"
    empty.mkdir()
    (empty / "journal").write_bytes(b"\0\0\0\5hello")
    (tmp_path / f"{table_text(b'f' * 16)}-{short(ANA.key)}").write_text("a file")
    assert kept(tmp_path, Lock.take) == []


def test_a_table_where_a_program_sits_is_not_to_resume(tmp_path: Path) -> None:
    path = left(tmp_path, wires(), votes=b"v")
    folder = TableFolder.reopen(path, Lock.take)
    assert kept(tmp_path, Lock.take) == []
    assert voted(tmp_path, table_of(wires()), short(ANA.key), Lock.take) is None
    folder.close()
    assert len(kept(tmp_path, Lock.take)) == 1


def test_a_table_that_nobody_comes_back_to_is_deleted_and_no_other(tmp_path: Path) -> None:
    old = written(left(tmp_path, wires("old")), DAYS * 86400 + 60)
    young = written(left(tmp_path, wires("young")), DAYS * 86400 - 60)
    assert [one.title for one in kept(tmp_path, Lock.take)] == ["young"]
    assert (old.exists(), young.exists()) == (False, True)


def test_one_that_somebody_sits_at_is_never_deleted(tmp_path: Path) -> None:
    path = written(left(tmp_path, wires("old")), DAYS * 86400 + 60)
    folder = TableFolder.reopen(path, Lock.take)
    written(path, DAYS * 86400 + 60)
    kept(tmp_path, Lock.take)
    assert path.exists()
    folder.close()


def test_a_title_its_beginning_or_an_id_means_one(tmp_path: Path) -> None:
    for title, ago in (("Friday", 30), ("Friday night", 20), ("Sunday", 10)):
        written(left(tmp_path, wires(title)), ago)
    found = kept(tmp_path, Lock.take)

    def meant(wanted: str) -> str | None:
        one = chosen(found, wanted)
        return one.title if one else None

    assert [meant(wanted) for wanted in ("", "friday", "friday n", "s", "tuesday")] == [
        "Sunday",
        "Friday",
        "Friday night",
        "Sunday",
        None,
    ]
    assert meant(f"~{table_text(found[1].table)[:8]}") == "Friday night"
    with pytest.raises(UserError, match=r"Several.*Friday night.*Friday") as refused:
        chosen(found, "fri")
    assert refused.value.exit_code == 2


def test_what_is_left_of_a_table_but_its_votes_is_found_by_its_id_alone(tmp_path: Path) -> None:
    table = table_of(wires())
    folder = TableFolder.reopen(left(tmp_path, wires(), votes=b"v"), Lock.take)
    folder.leave(Keep.VOTES)
    assert kept(tmp_path, Lock.take) == []
    assert voted(tmp_path, table, short(ANA.key), Lock.take) == folder.path
    assert voted(tmp_path, table, short(BEN.key), Lock.take) is None


# ---- whose they are


def shelf(tables: Path, key: bytes, *, become: bool = True) -> Shelf:
    """Two profiles, ana's and ben's."""
    profiles = {short(ANA.key): "default", short(BEN.key): "default-2"}
    keeping = Keeping(tables, Lock.take, profiles=lambda: profiles, become=(lambda name: BEN) if become else None)
    return Shelf(keeping, lambda: key)


def test_our_own_seat_comes_before_that_of_another_profile(tmp_path: Path) -> None:
    written(left(tmp_path, wires("mine"), ANA.key), 60)
    written(left(tmp_path, wires("other"), BEN.key), 10)
    found, profile = shelf(tmp_path, ANA.key).find("")
    assert (found.title, profile) == ("mine", "")
    found, profile = shelf(tmp_path, ANA.key).find("other")
    assert (found.title, profile) == ("other", "default-2")
    assert [(one.title, one.profile) for one in shelf(tmp_path, ANA.key).tables()] == [
        ("other", "default-2"),
        ("mine", ""),
    ]


def test_who_was_told_which_profile_to_be_goes_back_to_its_tables_alone(tmp_path: Path) -> None:
    left(tmp_path, wires("other"), BEN.key)
    ours = shelf(tmp_path, ANA.key, become=False)
    assert ours.tables() == ()
    with pytest.raises(UserError, match="kept on this machine") as refused:
        ours.find("")
    assert refused.value.exit_code == 3


def test_the_table_of_a_stranger_s_key_is_not_ours(tmp_path: Path) -> None:
    left(tmp_path, wires(), Identity(b"c" * 32).key)
    with pytest.raises(UserError, match="called lab"):
        shelf(tmp_path, ANA.key).find("lab")


def test_the_list_is_looked_at_again_when_we_get_up(tmp_path: Path) -> None:
    ours = shelf(tmp_path, ANA.key)
    assert ours.tables() == ()
    left(tmp_path, wires())
    assert ours.tables() == ()
    ours.stale()
    assert [one.title for one in ours.tables()] == ["lab"]


def test_coming_to_a_table_once_more_takes_its_folder(tmp_path: Path) -> None:
    table = table_of(wires())
    ours = shelf(tmp_path, ANA.key)
    assert ours.reopen(table) is None
    left(tmp_path, wires(), votes=b"v")
    assert ours.was_at(table)
    folder = ours.reopen(table)
    assert folder is not None
    assert folder.secrets["votes"] == b"v"
    assert not ours.was_at(table)
    folder.close()
    assert ours.reopen(b"") is None

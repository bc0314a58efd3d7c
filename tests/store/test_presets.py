"""The file of presets: what is kept comes back, nobody's presets are lost, and a broken file is left as it is."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import UserError
from p2pcards.store import tomlfile
from p2pcards.store.folders import Folders
from p2pcards.store.lock import Lock
from p2pcards.store.presets import PresetFile

FILE = "presets.toml"
RULES = (("scoring", "chips"), ("stake", "5"), ("hitter_pot", "true"), ("seat_order", "join_order"))


def folders(base: Path) -> Folders:
    return Folders(base / "config", base / "data", base / "local")


def store(base: Path) -> PresetFile:
    return PresetFile(folders(base))


def test_what_is_kept_comes_back_in_another_program(tmp_path: Path) -> None:
    store(tmp_path).save("tongits", "friday", RULES)
    store(tmp_path).save("onecard", "friday", ())
    assert store(tmp_path).all() == {"tongits": {"friday": RULES}, "onecard": {"friday": ()}}


def test_the_file_is_plain_toml_for_its_owner_alone(tmp_path: Path) -> None:
    store(tmp_path).save("tongits", "friday", RULES)
    file = tmp_path / "config" / FILE
    assert '\n[tongits.friday]\nscoring = "chips"\nstake = 5\nhitter_pot = true\n' in file.read_text()
    if sys.platform != "win32":
        assert file.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in file.parent.iterdir()] == [FILE]


def test_nothing_is_kept_where_there_is_no_file(tmp_path: Path) -> None:
    assert store(tmp_path).all() == {}
    assert not (tmp_path / "config").exists()


def test_the_newer_one_counts_and_a_deleted_one_is_gone(tmp_path: Path) -> None:
    kept = store(tmp_path)
    kept.save("tongits", "friday", RULES)
    kept.save("tongits", "friday", ())
    assert kept.all() == {"tongits": {"friday": ()}}
    kept.delete("tongits", "friday")
    assert kept.all() == {}
    with pytest.raises(UserError, match="No preset for Tong-its is called friday"):
        kept.delete("tongits", "friday")


def test_what_another_program_kept_meanwhile_stays(tmp_path: Path) -> None:
    first, second = store(tmp_path), store(tmp_path)
    assert first.all() == second.all() == {}
    first.save("tongits", "one", ())
    second.save("tongits", "two", ())
    assert set(first.all()["tongits"]) == {"one", "two"}


def _save(base: Path, name: str) -> None:
    store(base).save("tongits", name, RULES)


def test_programs_that_write_at_the_same_time_lose_nothing(tmp_path: Path) -> None:
    names = [f"preset-{number}" for number in range(12)]
    with ProcessPoolExecutor(4) as pool:
        list(pool.map(_save, [tmp_path] * len(names), names))
    assert set(store(tmp_path).all()["tongits"]) == set(names)


@pytest.mark.parametrize(
    "text",
    ["[tongits.friday\n", "tongits = 3\n", "[tongits]\nfriday = 3\n", "[tongits.friday]\nstake = [1]\n",
     f"[tongits.friday]\nstake = 0x{'f' * 6000}\n", "\xff"],
)  # fmt: skip
def test_a_broken_file_is_one_sentence_and_left_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "config" / FILE
    file.parent.mkdir()
    file.write_bytes(text.encode("latin-1"))
    kept = store(tmp_path)
    for work in (kept.all, lambda: kept.save("tongits", "x", ()), lambda: kept.delete("tongits", "friday")):
        with pytest.raises(UserError, match="can't be read as presets") as told:
            work()
        assert "\n" not in str(told.value)
    assert file.read_bytes() == text.encode("latin-1")


def test_what_is_not_known_here_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "config" / FILE
    file.parent.mkdir()
    file.write_text('[canasta."Big one"]\nmelds = "two\\"\\u0001"\n')
    store(tmp_path).save("tongits", "x", ())
    assert store(tmp_path).all()["canasta"] == {"Big one": (("melds", 'two"\x01'),)}


@pytest.mark.skipif(sys.platform == "win32", reason="links need rights there")
def test_a_link_stays_one(tmp_path: Path) -> None:
    target = tmp_path / "dotfiles" / "cards.toml"
    target.parent.mkdir()
    target.write_text("")
    (tmp_path / "config").mkdir()
    (tmp_path / "config" / FILE).symlink_to(target)
    store(tmp_path).save("tongits", "x", RULES)
    assert (tmp_path / "config" / FILE).is_symlink()
    assert "[tongits.x]" in target.read_text()


def test_a_folder_that_can_not_be_had_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "config").write_text("a file stands in its place")
    with pytest.raises(UserError, match=r"can't be (written|used)"):
        store(tmp_path).save("tongits", "x", ())


def test_a_lock_that_stays_taken_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tomlfile, "TRIES", 2)
    (tmp_path / "local" / "locks").mkdir(parents=True)
    held = Lock.take(tmp_path / "local" / "locks" / "presets.lock")
    assert held is not None
    with pytest.raises(UserError, match="Another program of yours"):
        store(tmp_path).save("tongits", "x", ())
    held.release()
    store(tmp_path).save("tongits", "x", ())


@given(st.dictionaries(st.text(min_size=1, max_size=8), st.text(max_size=8), max_size=4))
def test_any_words_come_back(rules: dict[str, str]) -> None:
    with TemporaryDirectory() as base:
        texts = tuple((key, value) for key, value in rules.items() if not value.isdecimal())
        store(Path(base)).save("tongits", "n", texts)
        assert store(Path(base)).all()["tongits"]["n"] == texts

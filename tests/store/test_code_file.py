"""The file of a join code: read by who comes, kept up to date by who hosts, its owner's alone."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from p2pcards.errors import UserError
from p2pcards.store.code_file import CodeFile, code_in
from p2pcards.wire.code import code_words

FIRST, SECOND = code_words()[7], code_words()[2000]
CODE = f"{FIRST}-{SECOND}"


@pytest.mark.parametrize(
    "text", [CODE, f"{CODE}\n", f"\ufeff{CODE}\r\n", f"  {FIRST.upper()} {SECOND}\r\n", f"{FIRST}\n{SECOND}\n"]
)
def test_a_code_is_read_as_people_write_it(tmp_path: Path, text: str) -> None:
    file = tmp_path / "code"
    file.write_text(text, "utf-8", newline="")
    assert code_in(file) == CodeFile(file).code == CODE


@pytest.mark.parametrize("text", [FIRST, f"{CODE}-{FIRST}", "xyzzy-xyzzy", "\0" * 5000, "ä", CODE + " " * 2000])
def test_what_is_no_code_is_one_sentence_and_stays_as_it_is(tmp_path: Path, text: str) -> None:
    file = tmp_path / "code"
    file.write_text(text)
    for read in (code_in, CodeFile):
        with pytest.raises(UserError, match="code holds no join code: two words, like mango-tiger") as refused:
            read(file)
        assert refused.value.exit_code == 2
    assert file.read_text() == text


def test_an_empty_or_missing_file_takes_a_fresh_code(tmp_path: Path) -> None:
    assert CodeFile(tmp_path / "code").code == ""
    (tmp_path / "code").write_text("")
    assert CodeFile(tmp_path / "code").code == ""
    with pytest.raises(UserError, match=r"The code in .* can't be read: No such file"):
        code_in(tmp_path / "none")
    with pytest.raises(UserError, match="holds no join code"):
        code_in(tmp_path / "code")


@pytest.mark.parametrize("before", [None, 0o644])
def test_each_new_code_takes_the_place_of_the_last_for_its_owner_alone(tmp_path: Path, before: int | None) -> None:
    file = tmp_path / "code"
    if before is not None:
        file.write_text(CODE)
        file.chmod(before)
    kept = CodeFile(file)
    for code in (CODE, f"{SECOND}-{FIRST}"):
        kept.write(code)
        assert code_in(file) == code
        if sys.platform != "win32":
            assert file.stat().st_mode & 0o777 == 0o600
    assert kept.trouble == ""
    assert list(tmp_path.iterdir()) == [file]


def test_a_code_that_can_not_be_written_is_told_later_and_the_table_goes_on(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    kept = CodeFile(folder / "code")
    folder.rmdir()
    with pytest.raises(UserError, match="could not be written"):
        kept.write(CODE)
    assert kept.trouble == f"The code could not be written to {folder / 'code'}: No such file or directory."
    folder.mkdir()
    kept.write(CODE)
    assert kept.trouble == ""


def test_a_place_where_no_file_can_be_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="its folder can't be written to"):
        CodeFile(tmp_path / "none" / "code")
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="its folder can't be written to"):
        CodeFile(tmp_path / "file" / "code")
    with pytest.raises(UserError, match="is not a regular file"):
        CodeFile(tmp_path)


def test_a_name_that_the_system_refuses_is_refused_at_once(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"No code can be written to .*x: File name too long\.") as refused:
        CodeFile(tmp_path / ("x" * 300))
    assert refused.value.exit_code == 2
    for one, other in (("here", "there"), ("there", "here")):
        (tmp_path / one).symlink_to(tmp_path / other)
    with pytest.raises(UserError, match="No code can be written to"):
        CodeFile(tmp_path / "here")


def test_a_link_stays_one_and_what_it_leads_to_is_written(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file, link = tmp_path / "folder" / "code", tmp_path / "link"
    link.symlink_to(file)
    CodeFile(link).write(CODE)
    assert link.is_symlink()
    assert code_in(file) == CODE

"""What a name leads to."""

from __future__ import annotations

import errno
import sys
from pathlib import Path

import pytest

from p2pcards.store.places import is_there, led_to

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no links there")


def test_links_are_followed_to_what_is_there_or_will_be(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to(tmp_path / "file")
    assert led_to(tmp_path / "one") == tmp_path / "file"
    assert not is_there(tmp_path / "one")
    (tmp_path / "file").touch()
    assert led_to(tmp_path / "one") == led_to(tmp_path / "file") == tmp_path / "file"
    assert is_there(tmp_path / "one")
    assert not is_there(tmp_path / "file" / "below")


def test_links_in_a_circle_and_names_that_can_not_be_are_errors(tmp_path: Path) -> None:
    (tmp_path / "here").symlink_to("there")
    (tmp_path / "there").symlink_to("here")
    for looks, name, code in (
        (led_to, "here", errno.ELOOP),
        (is_there, "here", errno.ELOOP),
        (is_there, "x" * 300, errno.ENAMETOOLONG),
    ):
        with pytest.raises(OSError, match=name[:1]) as refused:
            looks(tmp_path / name)
        assert refused.value.errno == code

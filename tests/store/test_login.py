"""The login name, where there is one."""

from __future__ import annotations

import getpass

import pytest

from p2pcards.store.login import login


def test_the_login_comes_from_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ana")
    assert login() == "ana"


@pytest.mark.parametrize("error", [OSError, KeyError, ImportError])
def test_a_user_without_a_name_is_a_player(monkeypatch: pytest.MonkeyPatch, error: type[Exception]) -> None:
    def nameless() -> str:
        raise error

    monkeypatch.setattr(getpass, "getuser", nameless)
    assert login() == "player"

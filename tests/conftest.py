"""What holds for every test: folders of its own, no deadline for examples made by chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

hypothesis.settings.register_profile("p2pcards", deadline=None)  # a slow machine is no failure
hypothesis.settings.load_profile("p2pcards")

HOMES = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


@pytest.fixture(scope="session", autouse=True)
def _no_real_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Keeps tests, and the programs they start, out of the user's own folders."""
    base = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        for variable in HOMES:
            patch.setenv(variable, str(base / variable.lower()))
        yield


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty folders for this test alone: config, data and state below the folder that is returned."""
    for variable, name in zip(HOMES, ("config", "data", "state"), strict=True):
        monkeypatch.setenv(variable, str(tmp_path / name))
    return tmp_path

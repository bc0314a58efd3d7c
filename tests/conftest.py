"""What holds for every test: folders of its own, no deadline for examples made by chance."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest

from tests.testing.tally import Tally, reporter, sums

hypothesis.settings.register_profile("p2pcards", deadline=None)  # a slow machine is no failure
hypothesis.settings.register_profile("nightly", deadline=None, max_examples=5000)
hypothesis.settings.load_profile("p2pcards")

SHARED = {
    "test_bad_input.py",
    "test_cli_doctor.py",
    "test_cli_doors.py",
    "test_cli_tables.py",
    "test_discovery.py",
    "test_docs_tables.py",
    "test_lookout.py",
    "test_node.py",
    "test_two_terminals.py",
}
"""Files whose programs find each other on loopback: in one process they don't find each other's tables (-n)."""

ONCE = {"test_static.py"}
"""Files that read the whole source: one process does so, not each."""

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


@pytest.fixture
def tally(request: pytest.FixtureRequest) -> Tally:
    """Call it with a suite of protocol 10 and how many of its cases the test tried."""
    return reporter(request.node)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Prints how many cases each suite tried."""
    lines = sums(terminalreporter.getreports("passed"))
    if lines:
        terminalreporter.section("suites of the protocol")
    for suite, cases in lines:
        terminalreporter.write_line(f"{cases:>9,}  {suite}")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keeps the tests that share loopback together where tests run in several processes."""
    for item in items:
        if item.path.name in SHARED:
            item.add_marker(pytest.mark.xdist_group("loopback"))
        elif item.path.name in ONCE:
            item.add_marker(pytest.mark.xdist_group(item.path.name))

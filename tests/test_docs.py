"""The documentation says what the code does, as far as a machine can compare them."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from enum import IntEnum
from pathlib import Path

import msgspec
import pytest

from p2pcards import PROTOCOL
from p2pcards.games.replay import replay
from p2pcards.net import link, listener
from p2pcards.table import ballots, door, gather, listing, talk, verdicts
from p2pcards.table.settings import DOORS
from p2pcards.ui.events import events
from p2pcards.wire import entries
from p2pcards.wire.entries import ENVELOPES, PUBS, EntryKind
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import BODIES, Kind, Method, Reason
from tests.testing import man_page
from tests.testing.commands_page import page
from tests.testing.house import PACKAGE, ROOT, TESTS, relative, sources
from tests.ui.test_events import EVENTS

DOC = (ROOT / "docs" / "protocol.md").read_text()


def rows(heading: str) -> list[list[str]]:
    """The cells of the table rows under the header row that begins with these cells."""
    lines = DOC.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith(f"| {heading} |"))
    found = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        found.append([cell.strip() for cell in line.strip("|").split("|")])
    return found


def numbers(kind: type[IntEnum]) -> dict[str, int]:
    """Name to number of every member."""
    return {member.name: int(member) for member in kind}


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("no. | kind | who", Kind),
        ("no. | kind | when", EntryKind),
        ("no. | reason", Reason),
        ("no. | method", Method),
    ],
)
def test_the_tables_of_kinds_are_those_of_the_code(heading: str, kind: type[IntEnum]) -> None:
    assert {name: int(number, 0) for number, name, *_ in rows(heading)} == numbers(kind)


def test_the_table_of_acts_names_no_act_that_is_not_there() -> None:
    documented = {name: int(number) for number, name, *_ in rows("no. | act")}
    assert documented.items() <= numbers(ActKind).items()


def test_the_fields_of_messages_are_those_of_the_code() -> None:
    documented = {name: fields.split(", ") for _, name, _, _, fields in rows("no. | kind | who")}
    assert documented == {
        kind.name: [field.name for field in msgspec.structs.fields(body)] for kind, body in BODIES.items()
    }


def test_the_fields_of_entries_are_those_of_the_code() -> None:
    documented = {name: fields.split(", ") for _, name, _, fields in rows("no. | kind | when")}
    expected = {kind.name: [field.name for field in msgspec.structs.fields(pub)] for kind, pub in PUBS.items()}
    assert documented == expected | {kind.name: ["envelope"] for kind in ENVELOPES}


def test_the_limits_are_those_of_the_code() -> None:
    documented = [value for _, value, *_ in rows("limit | value")]
    said = [
        value.format(**vars(module))
        for module, value in [
            (listener, "{FIRST_SECONDS:g} s, {PROOF_SECONDS:g} s"),
            (listener, "{HALF_OPEN}, {HALF_OPEN_PER_HOST}"),
            (link, "{EARLY_RECORDS} records of {EARLY_BYTES} bytes"),
            (link, "{BODY_SECONDS:g} s; {DEAD_SECONDS:g} s"),
            (door, "{MOST_WAITING}; {ASK_SECONDS:g} s"),
            (door, "{RUN_SECONDS:g} a second; {GUESSES}"),
            (talk, "{CHAT_CHARS}; {FLOOD} in {FLOOD_SECONDS:g} s, {NEWCOMER} at once"),
            (entries, "{REASON_CHARS} characters"),
            (ballots, "{VOTE_SECONDS:g} s; {CALL_SECONDS:g} s"),
            (listing, "{MOST_ROWS}; {MOST_PER_HOST}"),
            (gather, "{PART_SECONDS:g} s; {RESHUFFLE_SECONDS:g} s"),
            (verdicts, "{MOST}; {REASON_CHARS}"),
        ]
    ]
    missing = [value for value in said if not any(cell.startswith(value) for cell in documented)]
    assert missing == []


def test_the_page_is_about_this_protocol() -> None:
    assert f"protocol **{PROTOCOL}**" in DOC


def test_every_section_that_the_code_cites_is_there() -> None:
    headings = set(re.findall(r"^#{2,3} ([0-9]+(?:\.[0-9]+)?)\.? ", DOC, re.MULTILINE))
    cited = {
        (relative(file), number)
        for file in [*sources(PACKAGE), *sources(TESTS)]
        for number in re.findall(r"\bprotocol ([0-9]+\.[0-9]+)", file.read_text())
    }
    assert {(file, number) for file, number in cited if number not in headings} == set()


def test_the_page_of_commands_is_made_from_the_program() -> None:
    assert (ROOT / "docs" / "commands.md").read_text() == page()


def test_the_manual_page_is_made_from_the_program() -> None:
    assert (ROOT / "docs" / "p2pcards.6").read_text() == man_page.page()


def test_the_record_in_the_documentation_is_one() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "records.md").read_text(), re.DOTALL)
    found = replay(example)
    assert (found.exit_code, found.error) == (0, "")


README = (ROOT / "README.md").read_text()
SECURITY = (ROOT / "docs" / "security.md").read_text()


def test_every_attack_has_its_defence_and_what_is_left() -> None:
    listed = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in SECURITY.splitlines()
        if re.match(r"\| T[0-9]+ \|", line)
    ]
    assert [number for number, *_ in listed] == [f"T{number}" for number in range(1, 36)]
    assert all(len(row) == 5 and all(row) for row in listed)


def test_every_door_is_explained() -> None:
    explained = re.findall(r"^\| `([a-z+]+)` \|", SECURITY.partition("## Who is who")[0], re.M)
    assert tuple(explained) == DOORS
    assert [cells[0] for cells in rows("door | who comes in")] == [f"`{door}`" for door in DOORS]


def test_what_protects_and_what_does_not_is_found_from_the_first_pages() -> None:
    for name in ("README.md", "docs/play.md", "docs/protocol.md"):
        assert re.search(r"\]\((?:docs/)?security\.md", (ROOT / name).read_text()), name


def imports(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import(names):
                yield from (name.name for name in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield module


def test_every_dependency_is_used_and_has_its_reason() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[<>=~ ]", line)[0] for line in settings["dependencies"]}
    imported = {name.split(".")[0] for file in sources() for name in imports(file)}
    assert imported - sys.stdlib_module_names - {"p2pcards"} == needed
    for text in (README, (ROOT / "docs" / "architecture.md").read_text()):
        listed = text.split("Dependencies\n")[-1]
        assert {re.sub("-", "_", name) for name in re.findall(r"^\| `([\w-]+)` \|", listed, re.M)} == needed


def test_both_commands_of_the_readme_do_all_the_set_up() -> None:
    opening, testing = re.findall(r"<!-- (?:open|tests) -->\n```sh\n(.+)\n```", README)
    for line in (opening, testing):
        assert line.startswith("python3 -m venv .venv && .venv/bin/pip install -q ")
    assert opening.endswith("&& .venv/bin/p2pcards")
    assert ".venv/bin/python -m pytest" in testing
    windows = re.findall(r"```powershell\n(.+)\n```", README)
    assert len(windows) == 2
    assert all(line.startswith("py -3 -m venv .venv; .venv\\Scripts\\pip install -q ") for line in windows)


def test_ci_runs_the_command_of_the_readme(tmp_path: Path) -> None:
    script = (ROOT / ".ci" / "run").read_text()
    (finder,) = re.findall(r"^tests=\$\((sed .+)\)$", script, re.M)
    found = subprocess.run(["bash", "-c", finder], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == re.findall(r"<!-- tests -->\n```sh\n(.+)\n```", README)[0]


def test_every_event_and_each_of_its_fields_is_documented() -> None:
    lines = (ROOT / "docs" / "events.md").read_text().splitlines()
    documented = {
        name: set(re.findall(r"`(\w+)`", cells[1]))
        for cells in (line.strip("|").split("|") for line in lines if line.startswith("| `"))
        for name in re.findall(r"`(\w+)`", cells[0])
    }
    told = [event for notice, _ in EVENTS for event in events(notice, "One sentence.")]
    missing = {(event["event"], *event.keys() - documented.get(event["event"], set()) - {"event"}) for event in told}
    undocumented = {line for line in missing if len(line) > 1 and line[0] != "vote"}
    assert undocumented == set()
    assert {event["event"] for event in told} == documented.keys() - {"tables", "legal", "answer"}


def test_links_between_pages_lead_somewhere() -> None:
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    dead = [
        (relative(page), target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert dead == []

"""The documentation says what the code does, as far as a machine can compare them."""

from __future__ import annotations

import re
from enum import IntEnum

import msgspec
import pytest

from p2pcards import PROTOCOL
from p2pcards.games.replay import replay
from p2pcards.wire.entries import ENVELOPES, PUBS, EntryKind
from p2pcards.wire.envelope import ActKind
from p2pcards.wire.messages import BODIES, Kind, Method, Reason
from tests.testing.commands_page import page
from tests.testing.house import PACKAGE, ROOT, TESTS, relative, sources

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


def test_the_page_is_about_this_protocol() -> None:
    assert f"protocol **{PROTOCOL}**" in DOC


def test_every_section_that_the_code_cites_is_there() -> None:
    headings = set(re.findall(r"^#{2,3} ([0-9]+(?:\.[0-9]+)?)\.? ", DOC, re.MULTILINE))
    cited = {
        (relative(file), number)
        for file in [*sources(PACKAGE), *sources(TESTS)]
        for number in re.findall(r"\bprotocol ([0-9]+(?:\.[0-9]+)?)", file.read_text())
    }
    assert {(file, number) for file, number in cited if number not in headings} == set()


def test_the_page_of_commands_is_made_from_the_program() -> None:
    assert (ROOT / "docs" / "commands.md").read_text() == page()


def test_the_record_in_the_documentation_is_one() -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "records.md").read_text(), re.DOTALL)
    found = replay(example)
    assert (found.exit_code, found.error) == (0, "")

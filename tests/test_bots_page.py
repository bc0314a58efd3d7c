"""docs/bots.md is what the code says, and what it shows is so."""

from __future__ import annotations

import json
import os
import re

import pytest

from p2pcards.bots.line import Answer, Hello, Request
from p2pcards.games.registry import GAMES
from tests.testing.bots_page import page, schema
from tests.testing.house import ROOT

PAGE = ROOT / "docs" / "bots.md"


def test_the_page_is_what_the_code_says() -> None:
    assert PAGE.read_text() == page(), "python -m tests.testing.bots_page > docs/bots.md"


def test_the_schema_on_the_page_is_json_and_leads_nowhere_but_into_itself() -> None:
    *_, last = re.findall(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert json.loads(last) == schema()
    refs = set(re.findall(r'"\$ref": "#/\$defs/([\w.]+)"', last))
    assert refs <= set(schema()["$defs"])
    assert {kind.__name__ for kind in (Hello, Request, Answer)} | {f"{game}.View" for game in GAMES} <= refs


def test_every_field_of_a_view_that_has_a_comment_in_the_rules_is_described() -> None:
    defs = schema()["$defs"]
    assert defs["tongits.Public"]["properties"]["stock"]["description"] == "cards left in the stock"
    assert defs["onecard.View"]["properties"]["drawn"]["description"] == "DRAWN: the viewer's own drawn card"
    assert defs["tongits.Block"]["description"].endswith("taken: its discard was taken")


@pytest.mark.parametrize("name", ["first.sh", "cautious.py"])
def test_the_examples_can_be_started(name: str) -> None:
    file = ROOT / "docs" / "bots" / name
    assert os.access(file, os.X_OK)
    assert file.read_text() in PAGE.read_text().replace("\n```\n", "\n")

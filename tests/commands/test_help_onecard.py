"""What `help` says of the verbs of One Card."""

from __future__ import annotations

import re

import pytest

from p2pcards.commands.help import explain, overview
from p2pcards.games.onecard import OneCard
from tests.testing.onecard_spot import context, moment

HERE = context(moment(("8C 9C", "4S"), "8H"))


def test_the_overview_begins_with_the_verbs() -> None:
    assert [line.usage for line in overview(HERE)][:3] == ["play CARD", "draw", "pass"]


@pytest.mark.parametrize("own", OneCard.verbs)
def test_every_verb_says_when_it_may_be_done_and_how_it_looks(own: str) -> None:
    (line,) = explain(own, HERE)
    assert re.search(r"\(R\d+.*\)", line.more)
    assert {example.split()[0] for example in line.examples} <= {own, "8H"}
    for example in line.examples:
        if "#" not in example and example != "8H":
            OneCard().parse(example)

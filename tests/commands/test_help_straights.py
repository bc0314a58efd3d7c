"""What help says of the verbs of Straights."""

from __future__ import annotations

import re

from p2pcards.commands.help import explain
from p2pcards.games.straights import Straights
from tests.testing.straights_spot import context, spot

ACT = context(spot("8S 2C"))


def test_every_verb_says_when_it_may_be_done_and_how_it_looks() -> None:
    for own in Straights.verbs:
        (line,) = explain(own, ACT)
        assert re.search(r"\(R\d+.*\)", line.more), own
        assert line.examples
        assert {example.split()[0] for example in line.examples} <= {own, "8S", "2C"}


def test_examples_of_verbs_are_actions() -> None:
    for own in Straights.verbs:
        for example in explain(own, ACT)[0].examples:
            if example.startswith(own) and "#" not in example:
                Straights().parse(example)

"""One minus sign a medium: on screens, pages and recordings the one as wide as a plus, in lines that of ASCII."""

from __future__ import annotations

import io
import json
import re

import pytest

from p2pcards.games.replay import replay, told
from p2pcards.table.notices import MatchOver, RoundOver
from p2pcards.table.results import Result, Taker
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import compose
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.replay_cast import cast
from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.replay_html import page
from p2pcards.ui.replay_plain import run_plain_viewer
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import DRAWN, WRITTEN, Cards, signed
from tests.testing.fake_node import FakeNode
from tests.testing.replays import sample_reel
from tests.testing.samples import record_file
from tests.testing.screens import texts

OVER = RoundOver(1, "out", ("ben",), (("ana", -3), ("ben", 1), ("cy", -12)))
MATCH = MatchOver((("ana", -3), ("ben", 1), ("cy", -12)), ("ben",))
LOST = (Taker("ana", "", "", -3, 2, False), Taker("bot-7", "", "easy", -2, 1, True))
NUMBER = re.compile(r"(?<![\w.-])[-−](?=\d)")
"""A number below zero; not in a date, nor in `bot-7`."""


class Kept:
    """A history of one match."""

    def newest(self, game: str | None = None, *, limit: int = -1) -> list[Result]:
        return [Result(4, "t", "2026-11-30T12:00:00Z", "onecard", "", 1, LOST)]

    def result(self, number: int) -> Result | None:
        return self.newest()[0]


def signs_of(text: str) -> set[str]:
    """The minus signs of the numbers in it."""
    return set(NUMBER.findall(text))


def node_with_history() -> FakeNode:
    node = FakeNode(3)
    node.history = Kept()
    return node


def test_points_have_the_sign_of_their_medium_and_what_is_gained_a_plus() -> None:
    assert [signed(points, DRAWN) for points in (-3, 0, 3)] == ["−3", "0", "3"]
    assert [signed(points, WRITTEN, gained=True) for points in (-3, 3)] == ["-3", "+3"]


@pytest.mark.parametrize(("look", "sign"), [(Look(), "−"), (Look(unicode=False), "-")])
def test_on_the_screen_sentences_and_pages_have_the_sign_of_the_tables(look: Look, sign: str) -> None:
    node, size = node_with_history(), Size(120, 40)
    desk = Desk(node, lambda game: "", exit_=lambda code: None)
    desk.typed("host onecard")
    for notice in (OVER, MATCH):
        desk.heard(notice)
    for line in ("history", "history 4", "log"):
        desk.typed(line)
        assert desk.page_open
        local = desk.local()
        assert signs_of("\n".join(texts(compose(desk.screen(size, local), size, look, local)))) == {sign}, line


@pytest.mark.parametrize("cards", [Cards.WORDS, Cards.SIGNS])
def test_in_lines_it_is_the_one_that_can_be_typed(cards: Cards) -> None:
    prompt = Prompt(node_with_history(), cards, lambda game: "")
    for line in ("history", "history 4"):
        later = prompt.enter(line).later
        assert later is not None
        assert signs_of(" ".join(later().lines)) == {"-"}
    prompt.enter("host onecard")
    assert signs_of(" ".join(prompt.heard(OVER))) == {"-"}
    assert signs_of(" ".join(prompt.heard(MATCH))) == {"-"}


async def test_a_record_has_it_as_it_is_looked_at() -> None:
    reel = sample_reel("onecard")
    made = json.loads(page(reel, None).partition('id="match">')[2].partition("</script>")[0])
    drawn = [text for line in made["lines"] for _, text in line]
    assert signs_of(" ".join((*drawn, *made["texts"]))) == {"−"}
    events = cast(reel, None, Size(80, 24), Look()).splitlines()[1:]
    shown = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "  ", "".join(json.loads(event)[2] for event in events))
    assert signs_of(shown) == {"−"}
    out = io.StringIO()
    await run_plain_viewer(Viewing(reel), io.BytesIO(b"end\n"), out)
    assert signs_of(out.getvalue()) == {"-"}
    assert signs_of("\n".join(told(replay(record_file("onecard").read_text())))) == {"-"}

"""Who waits for an answer, on every screen of a table."""

from __future__ import annotations

from p2pcards.table import notices
from p2pcards.ui.calls import calls
from p2pcards.ui.desk import Desk
from p2pcards.ui.faces import Circle, faces
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from p2pcards.wire.identity import chip
from tests.testing.fake_door import DoorNode, with_door
from tests.testing.screens import text_of, texts

OLD = b"o" * 32
NORMAL, WIDE = Size(80, 24), Size(120, 40)


def shown(node: DoorNode) -> list[str]:
    return [text_of(line) for line in calls(node.table, faces(node.people, node.table), node.now())]


def screen(node: DoorNode, size: Size) -> list[str]:
    desk = Desk(node, str, exit_=lambda code: None)
    local = desk.local()
    return texts(compose(desk.screen(size, local), size, Look(), local))


def test_nobody_waits() -> None:
    assert shown(with_door()) == []


def test_who_knocks_with_what_to_type_and_how_long() -> None:
    node = with_door()
    node.knocks("eve")
    node.clock = 17
    who = f"eve ({chip(node.key_of('eve'))}, new)"
    assert shown(node)[0] == f"{who} asks to come in: `admit eve` or `deny eve` · 43 s"
    node.knocks("dan")
    assert shown(node)[0].endswith(" · 1 more")


def test_who_has_anothers_name_is_called_out() -> None:
    node = with_door()
    node.people.meet(OLD, "eve", 1.0)
    node.knocks("eve", known="other")
    assert all("NOT the" in text for text in shown(node))
    assert all("`deny eve`" in text.partition("admit")[0] for text in shown(node))
    (style, _), *_ = calls(node.table, faces(node.people, node.table), 0.0)[0]
    assert style == "class:warn"


def test_a_borrowed_name_with_a_number_behind_it_is_told_by_the_name_that_we_know() -> None:
    node = with_door()
    node.people.meet(OLD, "eve", 1.0)
    node.knocks("eve-3", known="other")
    assert "NOT the eve you know" in shown(node)[0]
    (told,) = Words(Cards.SIGNS, "ana", circle=Circle(node.people, 1.0)).notice(
        notices.Knocked(1, "eve-3", node.key_of("eve-3"), "other", "", "name"), node.table
    )
    assert f"NOT the eve you know ({chip(OLD)}): ask by voice before you type `admit eve-3`" in told
    node.people.meet(b"3" * 32, "eve-3", 1.0)
    assert "NOT the eve-3 you know" in shown(node)[0], "that is a name of somebody too"


def test_a_vote_says_how_to_vote_to_who_may() -> None:
    node = with_door()
    node.calls_a_vote("ben", "cy", (2,))
    assert shown(node)[0] == "cy wants ben shown out, 1 of 2 · 30 s: `vote yes` or `vote no`"
    node.calls_a_vote("ben", "ana", (0,))
    assert shown(node)[0] == "you want ben shown out, 1 of 2 · 30 s"
    node.calls_a_vote("ana", "ben", (1,))
    assert shown(node)[0] == "ben wants you shown out, 1 of 2 · 30 s"


def test_a_vote_and_a_knock_are_both_seen() -> None:
    node = with_door()
    node.knocks("eve")
    node.calls_a_vote("ben", "cy", (2,))
    for size in (NORMAL, WIDE, Size(60, 16)):
        line = screen(node, size)[1]
        assert "ben" in line
        assert "eve" in line


def test_nothing_moves_when_somebody_knocks() -> None:
    """On no screen, at no size; the line stands where a rule stood."""
    for size in (NORMAL, WIDE, Size(60, 16), LEAST):
        node = with_door()
        node.start()
        before = screen(node, size)
        node.knocks("eve")
        after = screen(node, size)
        assert any("eve" in line for line in after)
        changed = [place for place, (old, new) in enumerate(zip(before, after, strict=True)) if old != new]
        assert changed == ([1] if size.rows > 11 else [0]), size


def test_a_page_does_not_hide_who_waits() -> None:
    node = with_door()
    desk = Desk(node, str, exit_=lambda code: None)
    desk.typed("help")
    node.knocks("eve")
    local = desk.local()
    assert "eve" in texts(compose(desk.screen(NORMAL, local), NORMAL, Look(), local))[1]
    assert desk.counts_down

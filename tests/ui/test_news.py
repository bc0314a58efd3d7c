"""What happened since my last turn: marked, brighter, and set apart in the log, on every screen and without one."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.games.registry import GAMES
from p2pcards.table import notices
from p2pcards.table.notices import Acted, RoundOver, RoundStarted, Spoken, TurnOf
from p2pcards.table.tableview import Stage, TableView
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.local import Local
from p2pcards.ui.news import News
from p2pcards.ui.prompt import SINCE, Prompt
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from p2pcards.ui.width import Line
from tests.testing.dice import dice
from tests.testing.fake_node import FakeNode
from tests.testing.screens import text_of, texts

SIZES = (LEAST, Size(55, 14), Size(64, 20), Size(80, 24), Size(100, 30), Size(120, 40), Size(200, 60))
MODES = ("text", "boxes", "art")


def sitting(game: str, seed: int = 0) -> tuple[FakeNode, Desk]:
    node = FakeNode(seed)
    desk = Desk(node, str, exit_=lambda code: None)
    node.listen(desk.heard)
    desk.typed(f"practise {game}")
    return node, desk


def act(node: FakeNode, seed: int) -> TableView:
    """Something that we may do, or the next round."""
    table = node.table
    assert table is not None
    if table.stage is Stage.PLAYING:
        legal = list(table.game.legal_actions(table.view))
        node.do(Command("act", (), table.game.format(dice(seed).choice(legal))))
    elif table.stage is Stage.BETWEEN:
        node.do(Command("next"))
    assert node.table is not None
    return node.table


def lies(table: TableView, local: Local) -> bool:
    """Whether a card that is new lies where the closest drawing of the table shows it."""
    public: Any = table.view.public
    match table.game.name:
        case "tienlen":
            return public.pile is not None and any(public.pile.cards >> card & 1 for card in local.fresh)
        case "onecard":
            return public.top in local.fresh
        case "tongits":
            melded = any(meld.cards >> card & 1 for meld in public.melds for card in local.fresh)
            return melded or (public.discards[-1:] and public.discards[-1] in local.fresh)
    return any(public.table >> card & 1 for card in local.fresh)


def has_new(lines: list[Line], mark: str = "•") -> tuple[bool, bool]:
    """Whether something is marked, and whether a card is brighter."""
    styles = [style for line in lines for style, _ in line]
    return any(mark in text_of(line) for line in lines), any("class:card.new" in style for style in styles)


@pytest.mark.parametrize("game", GAMES)
def test_what_changed_on_the_table_is_marked_and_brighter_at_every_size_and_in_every_mode(game: str) -> None:
    seen = 0
    for seed in range(2):
        node, desk = sitting(game, seed)
        for step in range(30):
            table, local = act(node, seed * 100 + step), desk.local()
            if table.stage is not Stage.PLAYING or not lies(table, local):
                continue
            seen += 1
            for size in SIZES:
                for mode in MODES if size.cols >= 80 else MODES[1:2]:
                    drawn = local._replace(mode=mode)
                    for body, _ in desk.screen(size, drawn).drawings:
                        assert has_new(body) == (True, True), (size, mode, texts(body))
    assert seen > 5


@pytest.mark.parametrize("game", GAMES)
def test_the_mark_is_a_letter_where_there_are_no_signs(game: str) -> None:
    node, desk = sitting(game)
    for step in range(30):
        table, local = act(node, step), desk.local()
        if table.stage is Stage.PLAYING and lies(table, local):
            look = Look(unicode=False, colours=False, suits=False)
            for size in SIZES:
                lines = compose(desk.screen(size, local), size, look, local)
                assert has_new(lines, "*")[0], size
                assert all(text_of(line).isascii() for line in lines)
            return
    raise AssertionError("nothing new ever lay there")


@pytest.mark.parametrize("game", GAMES)
def test_a_score_that_changed_is_marked_until_my_next_turn_is_over(game: str) -> None:
    node, desk = sitting(game, 4)
    assert desk.local().gained == frozenset()
    for step in range(400):
        before = () if node.table is None else node.table.scores
        table = act(node, step)
        if table.stage is not Stage.PLAYING and table.scores != before:
            break
    changed = {seat for seat, (then, now) in enumerate(zip(before, table.scores, strict=True)) if then != now}
    assert desk.local().gained == changed
    if table.stage is Stage.OVER:
        return
    node.do(Command("next"))
    table = node.table or table
    if table.me in table.to_act:
        assert desk.local().gained == changed
        for size in SIZES[2:]:
            body, _ = desk.screen(size, desk.local()).drawings[0]
            assert sum(f"•{table.scores[seat]}".replace("-", "−") in text_of(line) for seat in changed for line in body)
        node.change(to_act=(1,))
        node.tell(TurnOf((1,), mine=False))
        assert desk.local().gained == frozenset()


# ---- which sentences


TABLE = replace(sitting("tongits")[0].table or TableView(), me=0)  # type: ignore[call-arg]  # there is one


def test_it_is_the_end_of_my_turn_that_makes_all_before_it_old() -> None:
    news = News()
    for notice, seen, count in (
        (TurnOf((0,), mine=True), False, 1),
        (Acted(1, 1, 0, "ana", "act", "draw", ""), False, 2),
        (TurnOf((0,), mine=True, fresh=False), False, 3),
        (TurnOf((1,), mine=False), True, 1),
        (TurnOf((2,), mine=False), False, 2),
        (Acted(2, 1, 1, "ben", "act", "draw", ""), False, 3),
    ):
        news.heard(notice, TABLE)
        news.told(1)
        assert (news.seen, news.count) == (seen, count), notice
    assert news.of_turn
    news.heard(RoundStarted(2, ("ana", "ben", "cy"), 0), TABLE)
    assert news.seen
    assert not news.of_turn


@pytest.mark.parametrize(
    ("notice", "marked"),
    [
        (Acted(1, 1, 1, "ben", "act", "draw", ""), True),
        (Acted(1, 1, 0, "ana", "act", "draw", ""), False),
        (RoundOver(1, "tongits", ("ben",), ()), True),
        (notices.Shuffled(12), True),
        (notices.BotPlays(1, "ben", True, "left"), True),
        (Spoken("ben", b"", "", "hello"), False),
        (notices.Ready(1, "ben"), False),
    ],
)
def test_what_others_did_and_what_became_of_it_is_marked(notice: notices.Notice, marked: bool) -> None:
    assert News.marks(notice, TABLE) is marked


# ---- the log


def logged(desk: Desk, line: str) -> list[str]:
    desk.typed(line)
    assert desk.local().page == "log"
    return list(desk._text)


def test_the_log_has_a_line_above_what_came_since_my_last_turn() -> None:
    node, desk = sitting("tongits")
    assert "# Since your last turn" not in logged(desk, "log")
    desk.typed("draw")
    assert "# Since your last turn" not in logged(desk, "log")
    desk.typed("#1")
    text = logged(desk, "log")
    above, below = text[: text.index("# Since your last turn")], text[text.index("# Since your last turn") + 1 :]
    assert "You discarded" in "".join(above[-3:])
    assert below
    assert all(line.startswith("• ") for line in below)
    assert not any(line.startswith("• ") for line in above)
    assert logged(desk, f"log {len(below)}") == ["# Since your last turn", *below]
    assert logged(desk, "log 1") == ["# Since your last turn", below[-1]]
    node.change(me=None)
    node.tell(Acted(9, 1, 1, "ben", "act", "draw", ""))
    assert "# Since your last turn" not in logged(desk, "log")


def test_what_the_program_tells_of_itself_does_not_move_that_line() -> None:
    _, desk = sitting("tongits")
    desk.typed("draw")
    desk.typed("#1")
    before = logged(desk, "log")
    desk.close_page()
    desk.tell("Something is wrong.")
    assert logged(desk, "log") == [*before, "! Something is wrong."]


def test_lines_that_catch_the_eye_in_the_log_do_so_by_style_too() -> None:
    from p2pcards.ui import pages

    lines = pages.lay_out(["• ben drew.", "! the line is lost.", "» cy: hello", "  you drew."], 80)
    assert [line[0][0] for line in lines] == ["class:fresh", "class:warn", "class:chat", ""]


@pytest.mark.parametrize("line", ["log 0", "log -1", "log ten", "log 1.5", "log 99999999", "log 3 4"])
def test_a_number_that_is_none_is_refused_in_one_sentence(line: str) -> None:
    _, desk = sitting("tongits")
    desk.typed(line)
    assert desk.local().wrong
    assert desk.local().page == ""


def test_a_log_longer_than_the_page_opens_at_its_end_and_is_turned_back() -> None:
    node, desk = sitting("straights")
    for step in range(60):
        act(node, step)
    size = Size(80, 24)
    desk.typed("log 999999")
    newest = desk.local().happened[-1].text

    def page() -> str:
        local = desk.local()
        return "\n".join(texts(compose(desk.screen(size, local), size, Look(), local)))

    desk.turn_page(0, size)
    assert newest[:60] in page()
    for _ in range(60):
        desk.turn_page(-1, size)
    assert "Round 1" in page()
    assert newest[:60] not in page()


def test_in_plain_mode_the_same_line_stands_in_the_log() -> None:
    node = FakeNode(1)
    prompt = Prompt(node, Cards.WORDS, str)
    node.listen(lambda notice: None if notice is None else (prompt.told(notice), None)[1])
    prompt.enter("practise tongits")
    assert SINCE not in prompt.enter("log 100").lines
    prompt.enter("draw")
    prompt.enter("#1")
    lines = prompt.enter("log 100").lines
    place = lines.index(SINCE)
    assert lines[place - 1].startswith("You discarded")
    assert lines[place + 1 :]
    assert prompt.enter(f"log {len(lines) - place - 1}").lines == lines[place:]
    assert prompt.enter("log 0").code == "bad_number"

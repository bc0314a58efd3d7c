"""Who hosts, whether that is safe, and why nothing moves: on every screen of a table, and at home what is kept."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.table.listing import KeptTable
from p2pcards.table.notices import Entered
from p2pcards.table.tableview import Safe, Stage
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from p2pcards.ui.words_host import IF_THE_HOST_GOES
from tests.testing.fake_hosts import KEPT, HostsNode, at_table, playing
from tests.testing.fake_node import row
from tests.testing.screens import texts, widest

NORMAL, WIDE = Size(80, 24), Size(120, 40)
GAMES = ("tongits", "straights", "onecard")


def desk_of(node: HostsNode) -> Desk:
    desk = Desk(node, str, exit_=lambda code: None)
    node.listen(desk.heard)
    return desk


def screen(node: HostsNode, desk: Desk | None = None, size: Size = NORMAL) -> list[str]:
    desk = desk or desk_of(node)
    local = desk.local()
    lines = compose(desk.screen(size, local), size, Look(), local)
    assert widest(lines) <= size.cols
    return texts(lines)


@pytest.mark.parametrize("size", [NORMAL, WIDE])
@pytest.mark.parametrize("game", GAMES)
def test_every_table_screen_says_who_hosts_and_whether_that_is_safe(game: str, size: Size) -> None:
    node = playing(game=game)
    assert "host ben, safe ✓ · ▸ your turn" in screen(node, size=size)[0]
    node.change(safe=Safe(False, "two"))
    why = ": two play" if size is WIDE or game in ("tongits", "tienlen") else ""  # the others have long headings
    assert f"host ben, not safe{why} · ▸ your turn" in screen(node, size=size)[0]
    node.change(safe=None)
    assert "host ben · ▸ your turn" in screen(node, size=size)[0]


def test_on_a_narrow_screen_the_turn_comes_first() -> None:
    assert "host ben · ▸ your turn" in screen(playing(), size=Size(70, 20))[0]


def test_the_lobby_says_why_it_is_not_safe() -> None:
    node = at_table()
    assert not any("   host  " in line for line in screen(node))
    node.change(safe=Safe(False, "links", ("ben", "cy")))
    text = " ".join(" ".join(screen(node)).split())
    assert "not safe if ben's program is gone: not all programs reach each other yet (ben and cy)" in text


@pytest.mark.parametrize("size", [NORMAL, WIDE, LEAST])
@pytest.mark.parametrize("game", GAMES)
def test_a_host_that_is_gone_and_the_next_one(game: str, size: Size) -> None:
    node = playing(game=game)
    desk = desk_of(node)
    node.falls_silent()
    top = screen(node, desk, size)[:2]
    assert any("changing host…" in line for line in top)
    assert not any("your turn" in line for line in top)
    node.takes_over("cy")
    lines = screen(node, desk, size)
    assert not any("changing host" in line for line in lines[:2])
    if size is not LEAST:
        assert "host cy, safe ✓" in lines[0]
        assert any("cy hosts now: ben's program is gone." in line for line in lines)


@pytest.mark.parametrize("game", GAMES)
def test_the_cards_stay_on_screen_while_nobody_can_say_how_they_lie(game: str) -> None:
    """A rollback takes the view away, and the next host brings another one."""
    node = playing(game=game)
    desk = desk_of(node)
    hand = [line for line in screen(node, desk) if "#1╯╰#2╯" in line]
    assert hand
    node.falls_silent()
    node.change(view=None, to_act=())
    assert [line for line in screen(node, desk) if "#1╯╰#2╯" in line] == hand
    node.change(changing=False)  # a new deal is on its way
    assert not any("#1╯╰#2╯" in line for line in screen(node, desk))


def test_what_is_to_be_typed_again_stays_on_screen_when_the_next_host_is_there() -> None:
    node = playing()
    desk = desk_of(node)
    assert node.table is not None
    view, acts = node.table.view, node.table.to_act
    node.falls_silent()
    node.change(view=None, to_act=())
    node.loses("draw")
    node.change(view=view, to_act=acts)
    node.takes_over("cy")
    assert any("type `draw` again" in line for line in screen(node, desk)[-9:])


def test_one_host_after_another_each_is_told_with_the_one_before() -> None:
    node = playing()
    desk = desk_of(node)
    node.takes_over("cy")
    node.takes_over("ana", "handed over")
    node.takes_over("ben")
    told = [one.text for one in desk.local().happened][-3:]
    assert told == [
        "cy hosts now: ben's program is gone.",
        "cy handed the table over: you host now.",
        "ben hosts now: you were out of reach.",
    ]


def test_a_shuffle_is_not_what_one_waits_for_while_the_host_is_gone() -> None:
    node = playing()
    node.change(dealing=True)
    prompt = Prompt(node, Cards.SIGNS, str)
    assert prompt.coach().startswith("Shuffling")
    node.falls_silent()
    assert prompt.coach().startswith("No word from ben")
    node.stands_still("cy")
    assert prompt.coach().startswith("The table stands still")


@pytest.mark.parametrize("size", [NORMAL, WIDE, LEAST])
def test_a_table_that_stands_still_says_for_whom_it_waits_and_asks(size: Size) -> None:
    node = playing()
    desk = desk_of(node)
    node.stands_still("ben", "cy")
    assert any("waiting for ben and cy" in line for line in screen(node, desk, size)[:2])
    node.asks("ben", "cy")
    assert any("`proceed`" in line for line in screen(node, desk, size)[:2])
    assert [one.display for one in desk.suggest("")][:2] == ["proceed", "wait"]
    node.goes_on_without("ben", "cy")
    assert not any("proceed" in line for line in screen(node, desk, size)[:2])


@pytest.mark.parametrize("stage", [Stage.LOBBY, Stage.BETWEEN])
def test_between_rounds_and_in_the_lobby_too(stage: Stage) -> None:
    node = at_table()
    node.change(stage=stage)
    node.falls_silent()
    assert "changing host…" in screen(node)[0]
    node.change(changing=False, waiting_for=("ben",))
    assert "standing still" in screen(node)[0]


def test_a_move_that_was_lost_is_told_where_the_player_looks() -> None:
    node = playing()
    desk = desk_of(node)
    node.takes_over("cy")
    node.loses("discard KD")
    said = "What you did last is undone with it: type `discard KD` again."
    assert desk.local().said == said
    desk.typed("hide")
    node.loses("discard KD")
    assert desk.local().said == "What you did last is undone with it: do it again."
    node.loses(count=1)
    assert "undone with it" in desk.local().said


def test_whoever_only_watches_is_told_so_and_sees_no_hand() -> None:
    node = playing()
    node.only_looks_on()
    assert any("You are watching as ana" in line for line in screen(node))
    assert any("`sit`" in line for line in screen(node))
    node.change(onlooker=False)
    assert not any("`sit`" in line for line in screen(node))


def test_who_says_what_is_missing_for_it_to_be_safe() -> None:
    node = at_table()
    prompt = Prompt(node, Cards.SIGNS, str)
    assert not any("program is gone" in line for line in prompt.enter("who").lines)
    node.change(safe=Safe(False, "shares", ("cy",)))
    lines = prompt.enter("who").lines
    assert "Not safe if ben's program is gone: shares of this round are not confirmed yet by cy." in lines
    node.alone = True  # practice: nobody else would go on
    assert not any("program is gone" in line for line in prompt.enter("who").lines)
    page = prompt.enter("help safe").lines
    assert page == tuple(IF_THE_HOST_GOES)


def test_on_coming_in_to_watch_it_is_told_how_to_get_a_seat() -> None:
    node = at_table()
    node.only_looks_on()
    words = Prompt(node, Cards.SIGNS, str).words
    assert words.notice(Entered(None), node.table) == (
        "You are watching the table Friday night, Tong-its; `sit` asks for a seat.",
    )
    node.change(onlooker=False)
    (told,) = words.notice(Entered(None), node.table)
    assert "when a seat is free" in told


def test_leaving_says_who_will_host() -> None:
    node = playing(host=True)
    desk = desk_of(node)
    assert desk.at_stake("quit") == (
        "Leave the table and the program? The round goes on: ben or cy will host the table, and a bot plays for you: "
        "yes or no?"
    )
    node.drops("ben", 90)
    assert "cy will host the table" in desk.at_stake("leave")
    node.drops("cy", 90)
    assert desk.at_stake("leave").startswith("Leave the table? You are the host: the match ends for everybody")


def test_handing_over_is_done_at_once_and_undone_by_handing_back() -> None:
    node = playing(host=True)
    desk = desk_of(node)
    desk.typed("handover cy")
    assert node.done[-1] == Command("handover", ("cy",))
    assert desk.question == ""


# ---- home


def test_a_seat_that_is_still_ours_comes_first_at_home() -> None:
    node = HostsNode()
    node.rows(row("club"), kept=(KEPT,))
    lines = screen(node)
    (first,) = [place for place, line in enumerate(lines) if "Your seat at Friday night is still yours" in line]
    assert "(Tong-its, 4 minutes ago)" in lines[first]
    assert lines[first].endswith("resume")
    assert first < next(place for place, line in enumerate(lines) if "club" in line)
    first_offer, second, *_ = desk_of(node).suggest("")
    assert (first_offer.text, second.text) == ("resume", "join 1")
    assert [one.text.strip() for one in desk_of(node).suggest("")].count("resume") == 1


def test_several_are_told_apart_and_many_are_counted() -> None:
    node = HostsNode()
    lab = KeptTable(b"l" * 16, "lab", "onecard", 20.0, held=63)
    node.rows(kept=(KEPT, lab))
    lines = screen(node)
    assert any(line.endswith("resume Friday night") for line in lines)
    assert any("Your seat at lab is held 63 s more" in line and line.endswith("resume lab") for line in lines)
    assert any("No tables yet" in line for line in lines)
    assert [one.text for one in desk_of(node).suggest("")][:2] == ["resume Friday night", "resume lab"]
    node.rows(kept=tuple(replace(lab, title=f"t{number}") for number in range(5)))
    lines = screen(node)
    assert any("2 more: `resume` and Tab" in line for line in lines)
    assert sum("Your seat at" in line for line in lines) == 3


@pytest.mark.parametrize("size", [LEAST, NORMAL, WIDE])
def test_titles_of_any_length_fit(size: Size) -> None:
    node = HostsNode()
    node.rows(kept=(replace(KEPT, title="a long title " * 5), KEPT))
    screen(node, size=size)


def test_a_table_that_changes_its_host_says_so_in_the_list() -> None:
    node = HostsNode()
    node.rows(row("club", state="waiting"))
    assert any("changing host" in line for line in screen(node))

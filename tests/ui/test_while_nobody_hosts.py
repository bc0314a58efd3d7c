"""While nobody hosts: what can't be done is not offered, and refused where it was typed; what is waited for is told.
And behind that: what is to be seen stays, and who has no seat yet knows when it comes."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.table import notices
from p2pcards.table.notices import Acted, HostIs, RoundVoid, Seated, Watching, WentOn
from p2pcards.table.tableview import Safe, Stage
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import _news
from p2pcards.ui.local import Happened
from p2pcards.ui.prompt import SITS, Answer, Kind, Prompt
from p2pcards.ui.theme import Size
from p2pcards.ui.voice import Cards
from p2pcards.ui.words_host import banner
from tests.testing.fake_hosts import HostsNode, playing
from tests.testing.screens import text_of
from tests.ui.test_host_on_screen import desk_of, screen

HALTS: list[dict[str, Any]] = [
    {"connected": False},
    {"changing": True},
    {"changing": False, "waiting_for": ("ben",)},
]


def typed(node: HostsNode, line: str) -> Answer:
    return Prompt(node, Cards.WORDS, str).enter(line)


def my_turn() -> HostsNode:
    node = playing()
    assert node.table is not None
    assert node.table.me in node.table.to_act
    return node


@pytest.mark.parametrize("halts", HALTS)
def test_no_move_is_offered_to_who_types_or_picks_while_nobody_hosts(halts: dict[str, Any]) -> None:
    node = my_turn()
    desk = desk_of(node)
    assert "draw" in [one.display.split()[0] for one in desk.suggest("")]
    desk.typed("picker on")
    assert desk.picker.lines
    node.change(**halts)
    assert node.table is not None
    assert node.table.game is not None
    verbs = set(node.table.game.verbs)
    assert not verbs & {one.display.split()[0] for one in (*desk.suggest(""), *desk.suggest("d"), *desk.picker.lines)}


@pytest.mark.parametrize("halts", HALTS)
@pytest.mark.parametrize("line", ["draw", "discard KD", "draw KD", "KD"])
def test_a_move_typed_then_legal_or_not_is_refused_in_one_sentence_that_says_so(
    halts: dict[str, Any], line: str
) -> None:
    node = my_turn()
    node.change(**halts)
    answer = typed(node, line)
    (said,) = answer.lines
    assert answer.kind is Kind.WRONG
    assert "so nothing was played; nothing is lost" in said
    assert said == typed(node, "draw").lines[0]
    node.change(view=None)
    assert typed(node, line).lines == (said,)


def test_in_the_first_seconds_the_coach_calls_for_no_move() -> None:
    node = my_turn()
    node.change(connected=False)
    (said,) = typed(node, "turn").lines
    assert "draw" not in said
    assert "who hosts: your turn waits until the line is back" in said


def test_rules_are_explained_all_the_same() -> None:
    node = my_turn()
    before = typed(node, "why discard KD").lines
    node.change(changing=True)
    assert typed(node, "why discard KD").lines == before


def test_when_one_may_go_on_is_counted_down_and_told_to_who_answers_too_early() -> None:
    node = my_turn()
    assert typed(node, "proceed").lines == (
        "Nobody is asked to go on without anybody, so there is nothing to `proceed`.",
    )
    node.change(connected=False)
    assert "you are asked for `wait` if it stays so" in typed(node, "wait").lines[0]
    node.change(changing=True)
    assert "only if nobody can be" in typed(node, "proceed").lines[0]
    node.change(changing=False, waiting_for=("ben",), asks_at=node.now() + 70)
    assert typed(node, "proceed").lines == ("Not yet: in 70 s you may go on without ben.",)
    assert "In 70 s you may go on without ben." in typed(node, "turn").lines[0]
    desk = desk_of(node)
    assert desk.counts_down
    assert any("in 70 s you may go on without ben" in line for line in screen(node, desk)[:2])
    assert node.table is not None
    texts = banner(node.table, node.now())
    assert [len(text) for text in texts] == sorted(map(len, texts), reverse=True)


@pytest.mark.parametrize(
    ("halts", "said"),
    [
        ({"connected": False}, "No word from ben, who hosts; trying to get back."),
        ({"changing": True}, "No word from ben, who hosts: another host is being chosen."),
        ({"waiting_for": ("ben",)}, "The table stands still and waits for ben."),
    ],
)
def test_who_says_for_whom_the_table_waits(halts: dict[str, Any], said: str) -> None:
    node = my_turn()
    node.change(**halts, safe=None)
    assert said in typed(node, "who").lines


def test_what_leaving_means_while_the_table_stands_still_is_true() -> None:
    node = my_turn()
    node.change(waiting_for=("ben",))
    (said,) = typed(node, "leave").lines
    assert said == "Leave the table? The table stands still now; once it goes on, a bot plays for you: yes or no?"


# ---- a seat that waits


def waits() -> HostsNode:
    """The others went on without us, and a bot has our seat."""
    node = playing()
    table = node.table
    assert table is not None
    assert table.me is not None
    seat = replace(table.seats[table.me], key=b"", level="medium")
    seats = (*table.seats[: table.me], seat, *table.seats[table.me + 1 :])
    key = table.seats[table.me].key
    node.change(
        me=None,
        kept_seat=table.me,
        seats=seats,
        spectators=(table.nick,),
        spectator_keys=(key,),
        view=None,
        to_act=(0,),
    )
    return node


@pytest.mark.parametrize("line", ["turn", "sit", "back", "draw", "away"])
def test_whose_seat_a_bot_keeps_is_told_so_whatever_is_typed_about_it(line: str) -> None:
    assert typed(waits(), line).lines == ("Your seat waits for you: a bot plays it until this round is over.",)


def test_whose_seat_a_bot_keeps_is_told_so_when_coming_and_by_who() -> None:
    node = waits()
    prompt = Prompt(node, Cards.WORDS, str)
    assert prompt.heard(notices.Entered(None))[0].endswith(
        "your seat waits for you: a bot plays it until this round is over."
    )
    told = prompt.enter("who").lines
    assert any("which keeps your seat until this round is over" in line for line in told)
    assert any(line.startswith("Watching: you (") for line in told)
    assert not any("a program of yours" in line for line in told)
    assert node.table is not None
    assert prompt.heard(WentOn((node.table.nick,)))[0].startswith("The others went on without you")
    assert prompt.heard(Watching(node.table.nick, b"k" * 32)) == ()
    assert prompt.heard(Watching("dan", b"d" * 32)) == ("dan came to watch.",)


def test_who_gets_the_seat_again_is_told_so_and_the_others_too() -> None:
    node = playing()
    table = node.table
    assert table is not None
    assert table.me is not None
    mine = Prompt(node, Cards.WORDS, str).heard(Seated(table.me, table.nick, b"k" * 32, "", True))
    assert mine == (f"You have your seat again, number {table.me + 1}: until now a bot played it.",)
    assert Prompt(node, Cards.WORDS, str).heard(Seated(1, "cy", b"c" * 32, "", True)) == (
        "cy plays again in seat 2, where a bot sat.",
    )


@pytest.mark.parametrize("stage", [Stage.PLAYING, Stage.BETWEEN])
def test_who_asks_for_a_seat_is_told_when_one_may_come(stage: Stage) -> None:
    node = playing()
    node.change(me=None, stage=stage)
    assert typed(node, "sit").lines == (SITS,)


# ---- what stays


def test_what_the_change_of_hosts_did_is_seen_until_i_have_acted() -> None:
    node = playing()
    desk: Desk = desk_of(node)
    table = node.table
    assert table is not None
    assert table.me is not None
    node.change(mine=True, host=table.nick, safe=Safe(True))
    node.tell(WentOn(("ben",)))
    node.tell(HostIs(table.nick, 2, "forked"))
    node.tell(RoundVoid(2))
    for text in ("draw", "discard 2H", "draw", "discard 3H"):
        node.tell(Acted(9, 2, 1, "cy", "act", text, "bot"))

    def shown(rows: int) -> str:
        return "\n".join(text_of(line) for line in _news(desk.local().happened, 79, rows))

    assert " ! The cards of round 2 are lost" in shown(2)
    assert len(shown(2).splitlines()) == 2
    assert "You host now" in shown(4)
    assert "The table goes on without ben" in shown(5)
    node.tell(Acted(19, 2, table.me, table.nick, "act", "draw", ""))
    assert not any(one.stays for one in desk.local().happened)


@pytest.mark.parametrize("rows", range(6))
def test_the_news_never_take_more_lines_than_there_are(rows: int) -> None:
    happened = [Happened("x" * 100 * (place % 3 + 1), stays=place % 4 == 0) for place in range(20)]
    assert len(_news(happened, 60, rows)) <= rows
    assert not rows or _news(happened, 60, rows)


def test_the_size_of_the_screen_takes_nothing_from_the_countdown() -> None:
    node = my_turn()
    node.change(waiting_for=("ben",), asks_at=node.now() + 9)
    for size in (Size(80, 24), Size(60, 20), Size(48, 16)):
        assert any("in 9 s" in line for line in screen(node, size=size)[:2]), size

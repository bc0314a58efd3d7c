"""`stats` at home and at a table: whose matches are meant, and what is offered behind it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from threading import Event

import pytest
from msgspec.structs import replace

from p2pcards.commands.suggest import suggest
from p2pcards.errors import UserError
from p2pcards.store.statistics import called, detailed, merits
from p2pcards.table.merits import Merit, Merits
from p2pcards.table.results import Result
from p2pcards.ui.app import run_app
from p2pcards.ui.desk import Desk
from p2pcards.ui.plain import run_plain
from p2pcards.ui.prompt import Answer, Kind, Prompt
from p2pcards.ui.voice import Cards
from p2pcards.wire.identity import words
from tests.testing.fake_door import with_door
from tests.testing.fake_node import KEY, OTHERS, FakeNode
from tests.testing.results import result
from tests.testing.talking import talking
from tests.testing.terminal import Terminal, running

WAITS = 30.0
"""Seconds after which a loop is held up for good."""


class Counted:
    """Statistics of these matches; nicks of the fake table have its keys."""

    def __init__(self, played: Sequence[Result], keys: dict[str, bytes]) -> None:
        self._own = words(KEY)
        self._played = [
            replace(
                one,
                takers=tuple(
                    replace(who, key=words(keys[who.name])) if who.name in keys and who.key else who
                    for who in one.takers
                ),
            )
            for one in played
        ]

    def everybody(self, game: str = "") -> Merits:
        return merits(self._played, {self._own}, game=game)

    def called(self, name: str, game: str = "") -> tuple[Merit, ...]:
        return tuple(detailed(one, self._played, game) for one in called(self.everybody(game), name))


PLAYED = [
    result("ana 1 3", "ben 2 1", "bot-1/hard 3 0", number=1),
    result("ben? 1 2", "ana 2 1", number=2),
    result("ben 1 4", "ana 2 9", game="straights", number=3),
]
KEYS = {"ana": KEY, **dict(OTHERS)}


def at(game: str = "", played: Sequence[Result] = PLAYED) -> tuple[FakeNode, Prompt]:
    """At home, or at a table of that game with ben and others."""
    node = FakeNode(3)
    node.statistics = Counted(played, KEYS)
    prompt = Prompt(node, Cards.WORDS, lambda game: "")
    if game:
        prompt.enter(f"host {game}")
    return node, prompt


def with_people() -> Prompt:
    """At a table of Tong-its at which ben sits."""
    node = with_door()
    node.statistics = Counted(PLAYED, KEYS)
    return Prompt(node, Cards.WORDS, lambda game: "")


def came(prompt: Prompt, line: str) -> Answer:
    """What comes of the line in the end; until then it is LATER, and nothing has been read."""
    answer = prompt.enter(line)
    assert answer.kind is Kind.LATER
    assert answer.later is not None
    return answer.later()


def said(prompt: Prompt, line: str) -> list[str]:
    answer = came(prompt, line)
    assert answer.kind is Kind.SHOWN
    return list(answer.lines)


def test_at_home_all_games_are_told() -> None:
    _, prompt = at()
    assert [line for line in said(prompt, "stats") if ": " not in line] == [
        "Straights, 1 match.",
        "Tong-its, 2 matches.",
    ]


def test_at_a_table_only_its_game() -> None:
    _, prompt = at("tongits")
    lines = said(prompt, "stats")
    assert lines[0] == "Tong-its, 2 matches."
    assert lines[1].startswith("1 ana (you): rating ")
    assert lines[-1] == "bot hard: 1 match, 0 won (0 %)."
    assert "Straights" not in " ".join(lines)


def test_who_is_at_the_table_is_meant_by_their_key() -> None:
    prompt = with_people()
    assert said(prompt, "stats BEN")[0] == f"ben ({words(KEYS['ben'])}) played 1 match and won 0 (0 %)."
    _, prompt = at()
    assert said(prompt, "stats ben")[0].startswith("2 people go by the name ben")


def test_the_own_nick_is_the_own_key() -> None:
    _, prompt = at("tongits")
    assert said(prompt, "stats ana")[0] == f"ana, you ({words(KEY)}) played 2 matches and won 1 (50 %)."


def test_nobody_and_nothing() -> None:
    _, prompt = at()
    assert came(prompt, "stats eve").kind is Kind.WRONG
    assert came(prompt, "stats eve").lines == ("No finished match with eve is in the history.",)
    _, prompt = at("onecard")
    assert said(prompt, "stats") == [
        "No match of One Card was played to its end yet, so there is nothing to count; `practise onecard` plays one."
    ]


def test_a_history_that_cannot_be_read_is_a_sentence() -> None:
    class Broken(Counted):
        def everybody(self, game: str = "") -> Merits:
            raise UserError("The history is damaged.")

    node, prompt = at()
    node.statistics = Broken([], {})
    assert came(prompt, "stats").lines == ("The history is damaged.",)


def test_who_is_there_is_offered() -> None:
    offered = {one.text.strip() for one in suggest("stats ", with_people().here.context())}
    assert "ben" in offered


@pytest.mark.parametrize("game", ["", "tongits"])
def test_on_the_screen_it_is_a_page(game: str) -> None:
    node, _ = at()
    desk = Desk(node, lambda game: "", exit_=lambda code: None)
    if game:
        desk.typed(f"host {game}")
    desk.typed("stats")
    assert desk.page_open
    desk.typed("stats eve")
    assert not desk.page_open


def test_until_it_is_counted_keys_work_and_what_was_typed_meanwhile_stands() -> None:
    node, _ = at()
    desk = Desk(node, lambda game: "", exit_=lambda code: None)
    waiting: list[tuple[Callable[[], Answer], Callable[[Answer], None]]] = []
    desk.apart = lambda work, then: waiting.append((work, then))
    desk.typed("stats")
    assert not desk.page_open
    assert "are counted…" in desk.local().said
    desk.typed("coach off")
    (work, then), *_ = waiting
    then(work())
    assert not desk.page_open
    desk.typed("stats")
    work, then = waiting[-1]
    then(work())
    assert desk.page_open


def test_of_many_people_of_one_name_a_few_are_told() -> None:
    keys = {f"{number}": bytes([number]) * 32 for number in range(60)}
    played = [
        replace(one, takers=tuple(replace(who, name="ana", key=words(keys[who.name])) for who in one.takers))
        for one in (result(f"{number} 1 1", f"{number + 1} 2 0", number=number) for number in range(0, 60, 2))
    ]
    node = FakeNode(3)
    node.statistics = Counted(played, {})
    lines = said(Prompt(node, Cards.WORDS, str), "stats ana")
    assert lines[0].startswith("60 people go by the name ana, and 5 of them stand here; `stats ")
    assert lines[0].count("`stats ") == 5
    assert sum(line.startswith("ana (") for line in lines) == 5


class Slow(Counted):
    """Statistics that are there as soon as the loop has come round: never, for who holds it up."""

    def __init__(self) -> None:
        super().__init__(PLAYED, KEYS)
        self.turned = Event()
        self.alone = False
        self._loop = asyncio.get_running_loop()

    def everybody(self, game: str = "") -> Merits:
        self._loop.call_soon_threadsafe(self.turned.set)
        self.alone = not self.turned.wait(WAITS)
        return super().everybody(game)


async def test_in_lines_the_table_goes_on_while_it_counts() -> None:
    node = FakeNode(3)
    node.statistics = slow = Slow()
    with talking() as talk:
        talk.type("stats", "list")
        talk.end()
        await run_plain(node, talk.stdin, talk.stdout, rules=str, look=0.0)
        said = talk.said
    assert not slow.alone
    assert said.index("Straights, 1 match.") < [line[:13] for line in said].index("No tables yet", 2), "one by one"


async def test_on_the_screen_the_table_goes_on_while_it_counts() -> None:
    node = FakeNode(3)
    node.statistics = slow = Slow()

    async def made() -> FakeNode:
        return node

    def run(terminal: Terminal) -> Awaitable[int]:
        return run_app(made, input=terminal.keys, output=terminal.output, manual=str)

    async with running(run) as (terminal, _):
        await terminal.sees("mango-tiger")
        terminal.type("stats\r")
        await terminal.sees("Straights, 1 match.")
    assert not slow.alone

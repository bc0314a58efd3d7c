"""Tables without a screen, and a client for programs."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.table.notices import Closed, Failed, Refused
from p2pcards.table.tableview import Stage
from p2pcards.ui import headless
from p2pcards.ui.headless import run_headless, run_json, run_kept
from tests.testing.fake_door import DoorNode
from tests.testing.fake_node import FakeNode, row
from tests.testing.talking import BrokenPipe, Talking, talking


def rules(game: str) -> str:
    return f"# {game}"


def told(talk: Talking) -> list[dict[str, Any]]:
    return [json.loads(line) for line in talk.said]


def names(talk: Talking) -> list[str]:
    return [event["event"] for event in told(talk)]


async def client(node: FakeNode, *lines: str, **more: Any) -> tuple[int, list[dict[str, Any]]]:
    """The JSON client with these lines as the whole input."""
    with talking() as talk:
        talk.type(*lines)
        talk.end()
        return await run_json(node, talk.stdin, talk.stdout, rules=rules, **more), told(talk)


# ---- a client for programs


async def test_a_program_plays_by_lines_and_events() -> None:
    code, events = await client(FakeNode(3), "practise tongits", "legal", "draw", "discard #1")
    assert code == 0
    kinds = [event["event"] for event in events]
    assert kinds[:2] == ["entered", "host"]
    assert kinds[-1] == "closed"
    assert {"started", "view", "turn", "entry", "legal"} <= set(kinds)
    (legal,) = (event for event in events if event["event"] == "legal")
    assert legal["actions"] == ["draw"]
    mine = [event["text"] for event in events if event["event"] == "entry" and event["nick"] == "ana"]
    assert mine[0] == "draw"
    assert mine[1].startswith("discard ")


async def test_every_line_gets_an_answer() -> None:
    _, events = await client(FakeNode(rows=(row("lab"),)), "list", "nonsense", "help join", "join lab", "start", "who")
    assert events[0]["event"] == "tables"
    assert [table["name"] for table in events[0]["tables"]] == ["lab"]
    assert events[1]["event"] == "refused"
    assert events[1]["reason"] == "unknown"
    assert (events[2]["event"], events[2]["command"]) == ("answer", "help")
    assert events[2]["lines"][0] == "join TABLE: take a seat at a table."
    assert {"event": "refused", "reason": "host_only", "text": "Only the host of the table can `start`."} in events
    assert any(event.get("command") == "who" for event in events)


async def test_a_refusal_at_the_door_has_its_sentence_in_both_events() -> None:
    node = FakeNode()
    with talking() as talk:
        running = asyncio.create_task(run_json(node, talk.stdin, talk.stdout, rules=rules, stay=False))
        await asyncio.sleep(0)
        node.tell(Refused("full", "every seat is taken: ben, cy"))
        node.tell(Closed("full", "every seat is taken: ben, cy"))
        assert await running == 4
        assert [event["text"] for event in told(talk)] == ["Every seat is taken: ben, cy."] * 2


async def test_programs_are_not_asked_twice() -> None:
    node = FakeNode(3)
    code, _ = await client(node, "practise tongits", "quit")
    assert code == 0
    assert node.done[-1] == Command("quit")


async def test_what_the_node_refuses_is_an_error() -> None:
    _, events = await client(FakeNode(), "join lab")
    assert events == [{"event": "error", "text": "No table is called lab."}]


async def test_a_first_command_that_is_refused_gives_its_code() -> None:
    class Nowhere(FakeNode):
        def do(self, command: Command) -> None:
            raise UserError("No table is called lab.", 3)

    code, events = await client(Nowhere(), first=Command("join", ("lab",)))
    assert (code, events) == (3, [{"event": "error", "text": "No table is called lab."}])
    with talking() as talk:
        assert await run_headless(Nowhere(), talk.stdout, json=True, rules=rules, first=Command("join", ("lab",))) == 3
        with pytest.raises(UserError, match="No table"):
            await run_headless(Nowhere(), talk.stdout, json=False, rules=rules, first=Command("join", ("lab",)))


async def test_the_list_is_told_as_it_changes_while_at_home() -> None:
    node = FakeNode()
    with talking() as talk:
        running = asyncio.create_task(run_json(node, talk.stdin, talk.stdout, rules=rules))
        await asyncio.sleep(0)
        node.rows(row("lab"))
        talk.type("practise tongits")
        await talk.until_said('"turn","seats":[0]')
        node.rows()
        talk.end()
        assert await running == 0
        assert names(talk).count("tables") == 1


async def test_who_came_for_one_table_is_told_no_list() -> None:
    node = FakeNode()
    with talking() as talk:
        running = asyncio.create_task(run_json(node, talk.stdin, talk.stdout, rules=rules, stay=False))
        await asyncio.sleep(0)
        node.rows(row("lab"))
        talk.type("list")
        await talk.until_said("lab")
        node.tell(Closed("full", ""))
        node.rows()
        assert await running == 4
        assert names(talk) == ["tables", "closed"]


async def test_a_list_that_is_the_same_is_not_told_again() -> None:
    node = FakeNode()
    with talking() as talk:
        running = asyncio.create_task(run_json(node, talk.stdin, talk.stdout, rules=rules))
        await asyncio.sleep(0)
        node.rows()
        node.rows(row("lab"))
        node.rows(row("lab"), searching_for=3.0)
        node.rows(row("lab", here=True))
        node.rows(row("lab", taken=2))
        node.rows()
        talk.end()
        assert await running == 0
        assert [[row["taken"] for row in event["tables"]] for event in told(talk)] == [[1], [2], []]


@pytest.mark.parametrize(("opens", "code"), [(True, 0), (False, 4)])
async def test_who_can_type_no_more_still_hears_whether_the_door_opens(opens: bool, code: int) -> None:
    node = DoorNode()
    with talking() as talk:
        talk.end()
        running = asyncio.create_task(run_json(node, talk.stdin, talk.stdout, rules=rules, stay=False))
        await asyncio.sleep(0)
        node.waits()
        assert (await asyncio.wait((running,), timeout=0.1))[0] == set()
        node.rows(joining="")
        if opens:
            node.sit(others=1, host=False)
        else:
            node.tell(Closed("declined", "no"))
        assert await running == code
        assert names(talk)[-1] == "closed"


async def test_who_can_type_no_more_gives_no_code() -> None:
    node = DoorNode()
    with talking() as talk:
        talk.end()
        running = asyncio.create_task(run_json(node, talk.stdin, talk.stdout, rules=rules, stay=False))
        await asyncio.sleep(0)
        node.wants_code()
        assert await running == 0
    assert node.done == [Command("code")]


async def test_a_program_that_no_longer_reads() -> None:
    node = FakeNode(3)
    with talking() as talk:
        talk.type("practise tongits")
        assert await run_json(node, talk.stdin, BrokenPipe(3), rules=rules) == 0
    assert node.table is None


# ---- tables that run by themselves


class Table(FakeNode):
    """A table with nobody at the keyboard."""

    def play_on(self) -> None:
        """Plays our own seat until the match is over."""
        while self.table is not None and self.table.view is not None:
            game = self.table.game
            self._act(game.format(next(iter(game.legal_actions(self.table.view)))))

    def close(self) -> None:
        self._table = None
        self.tell(Closed("bye", "match over"))
        self.rows(row("club"))


@pytest.mark.parametrize("as_json", [True, False])
async def test_a_table_is_told_until_its_match_is_over_and_it_closes(as_json: bool) -> None:
    node = Table(3, options={"match_rounds": "1"})
    first = Command("host", ("tongits", "lab"))
    with talking() as talk:
        running = asyncio.create_task(run_headless(node, talk.stdout, json=as_json, rules=rules, first=first))
        await talk.until_said("host")
        node.start()
        await talk.until_said("started" if as_json else "Round 1: ")
        assert node.done == [first]
        node.play_on()
        node.close()
        assert await running == 0
        if as_json:
            assert names(talk)[-3:] == ["audit", "match", "closed"]
            assert set(names(talk)) >= {"entered", "host", "seated", "started", "view", "turn", "entry", "round"}
        else:
            assert talk.said[-1] == "The match is over, and the table is closed."


async def test_a_guest_leaves_a_table_that_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headless, "PARTING", 0.0)
    node = Table(3, (row("lab"),), {"match_rounds": "1"})
    with talking() as talk:
        first = Command("join", ("lab",))
        running = asyncio.create_task(run_headless(node, talk.stdout, json=True, rules=rules, first=first))
        await talk.until_said("entered")
        node.start()
        node.play_on()
        assert await running == 0
        assert node.done[-1] == Command("leave")


@pytest.mark.parametrize(
    ("notice", "code"), [(Closed("lost", ""), 5), (Closed("bye", "ben closed the table"), 5), (Closed("full", ""), 4)]
)
async def test_a_table_that_ends_before_its_match(notice: Closed, code: int) -> None:
    node = Table(3, (row("lab"),))
    with talking() as talk:
        first = Command("join", ("lab",))
        running = asyncio.create_task(run_headless(node, talk.stdout, json=True, rules=rules, first=first))
        await talk.until_said("entered")
        node.change(stage=Stage.PLAYING)
        node._table = None
        node.tell(notice)
        assert await running == code
        assert names(talk)[-1] == "closed"


async def test_what_fails_before_there_is_a_table() -> None:
    node = Table(3)
    with talking() as talk:
        running = asyncio.create_task(run_headless(node, talk.stdout, json=True, rules=rules))
        await asyncio.sleep(0)
        node.tell(Failed("Port 25252 is in use.", 1))
        assert await running == 1
        assert told(talk) == [{"event": "error", "text": "Port 25252 is in use."}]


async def test_a_headless_table_whose_reader_goes_away_is_left() -> None:
    node = Table(3)
    assert await run_headless(node, BrokenPipe(2), json=True, rules=rules, first=Command("host", ("tongits",))) == 0
    assert node.done[-1] == Command("leave")


# ---- a table that is kept

LAB = Command("host", ("tongits", "lab"))


@pytest.mark.parametrize("as_json", [True, False])
async def test_a_kept_table_takes_commands_and_answers_each(as_json: bool) -> None:
    node = Table(3)
    with talking() as talk:
        running = asyncio.create_task(run_kept(node, talk.stdin, talk.stdout, json=as_json, rules=rules, first=LAB))
        await talk.until_said("host")
        talk.type("bot add easy", "who", "nonsense", "quit")
        assert await running == 0
        assert Command("quit") in node.done
        if as_json:
            assert {"answer", "seated", "refused", "closed"} <= set(names(talk))
        else:
            assert "Seat 2: bot-1, a bot (easy)." in talk.said
            assert "There is no command nonsense; `help` lists them all." in talk.said
            assert talk.said[-1] == "You left the table."


async def test_it_goes_on_over_its_matches_and_behind_the_end_of_its_input() -> None:
    node = Table(3, options={"match_rounds": "1"})
    with talking() as talk:
        running = asyncio.create_task(run_kept(node, talk.stdin, talk.stdout, json=True, rules=rules, first=LAB))
        await talk.until_said("host")
        assert not node.forsaken.is_set()
        talk.end()
        async with asyncio.timeout(10):
            await node.forsaken.wait()
        for match in (1, 2):
            node.start()
            node.play_on()
            assert names(talk).count("match") == match
        assert (await asyncio.wait((running,), timeout=0.1))[0] == set()
        node.close()
        assert await running == 0
        assert not {"leave", "quit"} & {command.verb for command in node.done}


async def test_a_kept_table_whose_reader_goes_away_is_left() -> None:
    node = Table(3)
    with talking() as talk:
        broken = BrokenPipe(2)
        assert await run_kept(node, talk.stdin, broken, json=True, rules=rules, first=LAB) == 0
    assert node.done[-1] == Command("leave")


async def test_a_kept_table_that_can_not_be_opened() -> None:
    class Nowhere(FakeNode):
        def do(self, command: Command) -> None:
            raise UserError("There are no three seats.", 2)

    with talking() as talk:
        assert await run_kept(Nowhere(), talk.stdin, talk.stdout, json=True, rules=rules, first=LAB) == 2
        assert told(talk) == [{"event": "error", "text": "There are no three seats."}]

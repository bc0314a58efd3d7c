"""Plain mode: everything by lines, one sentence per event, whole games without a screen."""

from __future__ import annotations

import asyncio
import io
import queue
import random

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.table.notices import Audited, Closed, Failed, Opened, Ready, Refused, Seated, Vacated
from p2pcards.table.tableview import Stage
from p2pcards.ui.conversation import Conversation
from p2pcards.ui.plain import BELL, PROMPT, Plain, run_plain
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.signals import INTERRUPTED
from p2pcards.ui.streams import Out
from p2pcards.ui.voice import Cards
from tests.testing.fake_hosts import KEPT, playing
from tests.testing.fake_node import FakeNode, row
from tests.testing.talking import BrokenPipe, Talking, Written, talking


def rules(game: str) -> str:
    return f"# {game}"


async def play(node: FakeNode, *lines: str, **more: object) -> tuple[int, list[str]]:
    """Runs with these lines as the whole input: the exit code and what was said."""
    with talking() as talk:
        talk.type(*lines)
        talk.end()
        code = await run_plain(node, talk.stdin, talk.stdout, rules=rules, look=0.0, **more)  # type: ignore[arg-type]  # by name
        return code, talk.said


def start(node: FakeNode, talk: Talking, **more: object) -> asyncio.Task[int]:
    return asyncio.create_task(run_plain(node, talk.stdin, talk.stdout, rules=rules, look=0.0, **more))  # type: ignore[arg-type]  # by name


# ---- at home


async def test_with_nothing_to_read_it_prints_the_list_and_ends() -> None:
    code, said = await play(FakeNode(rows=(row("lab"),)))
    assert code == 0
    assert said == [
        "You are ana (mango-tiger) on lo 127.0.0.1.",
        "1: lab, Tong-its, host ben, 1 of 3 seats taken, in the lobby; usual rules.",
    ]


async def test_with_standard_input_closed_too() -> None:
    with talking() as talk:
        assert await run_plain(FakeNode(), None, talk.stdout, rules=rules, look=0.0) == 0
        assert talk.said[-1].startswith("No tables yet. `practise tongits` plays bots now")


async def test_a_seat_that_is_still_ours_is_told_first_and_once() -> None:
    node = FakeNode(rows=(row("lab"),))
    node.rows(row("lab"), kept=(KEPT,))
    yours = "Your seat at Friday night is still yours, you were there 4 minutes ago: `resume` goes back."
    _, said = await play(node)
    assert said[1] == yours
    assert said.count(yours) == 1
    with talking() as talk:
        running = start(node, talk, terminal=True)
        await talk.until_said("`resume` goes back")
        talk.type("list", "quit")
        assert await running == 0
    node.rows(kept=(KEPT, replace(KEPT, table=b"c" * 16, title="club", held=63)))
    _, said = await play(node, "list")
    assert said[1].endswith("`resume Friday night` goes back.")
    assert said[2] == (
        "Your seat at club is held for 63 seconds more, you were there 4 minutes ago: `resume club` goes back."
    )


async def test_a_host_that_goes_is_told_sentence_by_sentence_and_what_waits_for_an_answer_rings() -> None:
    node = playing()
    with talking() as talk:
        running = start(node, talk, terminal=True)
        await talk.until_said(PROMPT)
        node.falls_silent()
        node.takes_over("cy")
        rung = talk.stdout.getvalue().count(BELL)
        node.asks("ben")
        assert talk.stdout.getvalue().count(BELL) == rung + 1
        talk.type("proceed", "turn")
        await talk.until_said("without ben? `proceed` does")
        node.goes_on_without("ben")
        talk.type("proceed")
        await talk.until_said("nothing to `proceed`")
        talk.type("quit", "yes")
        await running
    told = [line.removeprefix(PROMPT) for line in talk.said]
    assert "No word from ben, who hosts: another host is being chosen." in told
    assert "cy hosts now: ben's program is gone." in told
    assert [command.verb for command in node.done][:1] == ["proceed"]


async def test_a_typed_line_is_answered_and_the_list_not_repeated_at_the_end() -> None:
    code, said = await play(FakeNode(rows=(row("lab"),)), "hepl", "rules tongits")
    assert code == 0
    assert said[1:] == ["There is no command hepl; did you mean `help`?", "# tongits"]


async def test_tables_are_told_as_they_come_and_go() -> None:
    node = FakeNode(rows=(row("lab"),))
    with talking() as talk:
        running = start(node, talk)
        await talk.until_said("You are ana")
        node.rows(row("lab"), row("club", 2))
        node.rows(row("club", 2, 2))
        node.rows(row("club", 2, 3))
        await talk.until_said("gone")
        talk.end()
        assert await running == 0
        assert talk.said[1:3] == [
            "There is a table: 2: club, Tong-its, host ben, 1 of 3 seats taken, in the lobby; usual rules.",
            "The table lab is gone.",
        ]


async def test_a_table_found_after_the_end_of_input_is_told_once() -> None:
    node = FakeNode()
    with talking() as talk:
        talk.end()
        running = asyncio.create_task(run_plain(node, talk.stdin, talk.stdout, rules=rules, look=0.1))
        asyncio.get_running_loop().call_later(0.05, node.rows, row("lab"))
        assert await running == 0
        assert talk.said[1:] == ["1: lab, Tong-its, host ben, 1 of 3 seats taken, in the lobby; usual rules."]


async def test_a_script_that_asks_for_the_list_at_once_waits_until_tables_can_be_found() -> None:
    node = FakeNode()
    with talking() as talk:
        for line in ("list", "list"):
            talk.type(line)
        talk.end()
        running = asyncio.create_task(run_plain(node, talk.stdin, talk.stdout, rules=rules, look=0.1))
        asyncio.get_running_loop().call_later(0.05, node.rows, row("lab"))
        assert await running == 0
        told = "1: lab, Tong-its, host ben, 1 of 3 seats taken, in the lobby; usual rules."
        assert [line for line in talk.said[1:] if "lab" in line][-2:] == [told, told]
        assert not any("No tables" in line for line in talk.said)


async def test_a_table_is_told_when_it_has_answered() -> None:
    node = FakeNode(rows=(row("lab", answers=False),))
    rules = (("scoring", "chips"),)
    with talking() as talk:
        running = start(node, talk)
        await talk.until_said("You are ana")
        node.rows(row("lab", answers=False), row("club", 2, answers=False))
        node.rows(row("lab", options=rules), row("club", 2, answers=False))
        node.rows(row("lab", answers=False, options=rules), row("club", 2, answers=False))
        node.rows(row("lab", options=rules))
        talk.end()
        assert await running == 0
        assert talk.said[1:-1] == [
            "There is a table: 1: lab, Tong-its, host ben, 1 of 3 seats taken, in the lobby; rules: scoring chips."
        ]


async def test_two_tables_of_one_title_are_told_apart() -> None:
    node = FakeNode(rows=(row("lab"),))
    with talking() as talk:
        running = start(node, talk)
        await talk.until_said("You are ana")
        node.rows(row("lab"), row("lab", 2, 3))
        talk.end()
        assert await running == 0
        assert (
            talk.said[1]
            == "There is a table: 2: lab, Tong-its, host ben, 3 of 3 seats taken, in the lobby; usual rules."
        )


# ---- a table


async def test_a_round_from_deal_to_score() -> None:
    for seed in range(8):
        node = FakeNode(seed, options={"match_rounds": "1"})
        with talking() as talk:
            running = start(node, talk)
            talk.type("practise tongits")
            rng = random.Random(seed)  # noqa: S311 - the same choices again
            turns = 0
            await talk.until_said("You hold ")
            while node.table is not None and node.table.stage is Stage.PLAYING:
                assert node.table.view is not None
                choices = list(node.table.game.legal_actions(node.table.view))
                line = node.table.game.format(rng.choice(choices))
                told = len(talk.said)
                talk.type(line, *(["yes"] if line in ("call", "fold") else []))
                while len(talk.said) == told:
                    talk.stdout.news.clear()
                    await talk.stdout.news.wait()
                turns += 1
            talk.type("scores", "leave")
            talk.end()
            assert await running == 0
            assert turns > 2
            text = talk.stdout.getvalue()
            for wanted in (
                "Round 1: ",
                "You hold ",
                "Your turn: draw",
                "Round 1: deal and moves verified.",
                "The match is over",
                "Scores: ",
            ):
                assert wanted in text
            assert "You drew the " in text


async def test_a_script_needs_no_waiting() -> None:
    code, said = await play(FakeNode(3), "practise tongits", "draw", "discard #1", "last", "hand")
    assert code == 0
    assert "You drew the 5 of clubs." in said
    assert said[-3] == said[-5]  # the last act before it was our turn again
    assert said[-3].startswith("bot-2 discarded ")
    assert said[-2].startswith("You hold ")
    assert said[-1] == "You left the table."


async def test_the_end_of_input_leaves_politely() -> None:
    node = FakeNode(3)
    code, _ = await play(node, "practise tongits")
    assert code == 0
    assert node.done[-1] == Command("leave")
    assert node.table is None


async def test_leaving_goes_home_and_quitting_ends() -> None:
    node = FakeNode(3)
    code, said = await play(node, "practise tongits", "quit", "yes", "list")
    assert code == 0
    assert node.done[-1] == Command("quit")
    assert said[-1] == "You left the table."
    node = FakeNode(3)
    code, said = await play(node, "practise tongits", "leave", "yes", "list", "quit", "help")
    assert said[-1].startswith("No tables yet.")


async def test_a_refusal_at_the_door_is_told_once() -> None:
    node = FakeNode()
    with talking() as talk:
        running = start(node, talk)
        await talk.until_said("You are ana")
        node.tell(Refused("full", "every seat is taken: ben, cy"))
        node.tell(Closed("full", "every seat is taken: ben, cy"))
        talk.end()
        assert await running == 0
        assert talk.said[1:2] == ["Every seat is taken: ben, cy."]
        assert "".join(talk.said).count("seat is taken") == 1


async def test_leaving_is_told_once_and_is_no_failure() -> None:
    node = FakeNode(rows=(row("lab"),))
    with talking() as talk:
        running = start(node, talk, first=Command("join", ("lab",)), stay=False)
        await talk.until_said("You sit at")
        node.tell(Vacated(0, "ana", "left"))
        node._table = None
        node.tell(Closed("left", ""))
        assert await running == 0
        assert talk.said[-1] == "You left the table."
        assert talk.stdout.getvalue().count("left the table") == 1


async def test_a_question_without_a_yes_does_nothing() -> None:
    node = FakeNode(3)
    code, said = await play(node, "practise tongits", "quit", "hand")
    assert code == 0
    assert said[-2].startswith("You hold ")
    assert node.done[-1] == Command("leave")


async def test_a_hidden_hand_is_not_told() -> None:
    _, said = await play(FakeNode(3), "hide", "host tongits", "hide", "start", "draw", "hand")
    assert "You drew a card." in said
    assert not any(line.startswith("You hold") for line in said)


async def test_without_the_coach_a_turn_is_told_in_two_words() -> None:
    _, said = await play(FakeNode(3), "coach off", "practise tongits", "draw")
    assert said.count("Your turn.") == 1
    assert not any("Discard a card" in line for line in said)


async def test_everything_said_is_a_full_sentence() -> None:
    lines = ["practise tongits", "draw", "discard #1", "turn", "table", "scores", "who", "last", "nonsense"]
    _, said = await play(FakeNode(3), *lines)
    assert [line for line in said if line[-1] not in ".?!"] == []


# ---- tables of the command line


async def test_the_first_command_is_done_before_any_line() -> None:
    node = FakeNode(3)
    code, said = await play(node, "who", first=Command("host", ("tongits", "lab")), stay=False)
    assert code == 0
    assert node.done[0] == Command("host", ("tongits", "lab"))
    assert said[0] == "You sit at the table lab, Tong-its."


async def test_lines_wait_for_the_first_command() -> None:
    class Slow(FakeNode):
        def do(self, command: Command) -> None:
            if command.verb == "join":
                asyncio.get_running_loop().call_later(0.05, super().do, command)
            else:
                super().do(command)

    node = Slow(rows=(row("lab"),))
    _, said = await play(node, "who", first=Command("join", ("lab",)), stay=False)
    assert "Seat 1: you (eyebrow-wrist)." in said


async def test_a_first_command_that_is_refused_is_raised() -> None:
    with pytest.raises(UserError, match="No table"):
        await play(FakeNode(), first=Command("join", ("lab",)))


@pytest.mark.parametrize(
    ("notice", "code"),
    [
        (Closed("hung_up", ""), 0),
        (Closed("lost", ""), 5),
        (Closed("bye", "ben closed the table"), 5),
        (Closed("kicked", ""), 4),
        (Closed("full", ""), 4),
        (Closed("no_such_table", "No table called lab was found."), 3),
    ],
)
async def test_without_a_home_the_end_of_the_table_is_the_end(notice: Closed, code: int) -> None:
    node = FakeNode(rows=(row("lab"),))
    with talking() as talk:
        running = start(node, talk, first=Command("join", ("lab",)), stay=False)
        await talk.until_said("You sit at")
        node._table = None
        node.tell(notice)
        assert await running == code


async def test_a_table_that_closes_after_its_match_was_no_loss() -> None:
    node = FakeNode(rows=(row("lab"),))
    with talking() as talk:
        running = start(node, talk, first=Command("join", ("lab",)), stay=False)
        await talk.until_said("You sit at")
        node.change(stage=Stage.OVER)
        node.tell(Seated(1, "ben", b"", ""))
        node._table = None
        node.tell(Closed("bye", "match over"))
        assert await running == 0


async def test_what_fails_later_ends_with_its_code() -> None:
    node = FakeNode()
    with talking() as talk:
        running = start(node, talk, stay=False)
        await talk.until_said("You are ana")
        node.tell(Failed("Port 25252 is in use.", 1))
        assert await running == 1
        assert talk.said[-1] == "Port 25252 is in use."


async def test_a_lost_table_brings_one_home() -> None:
    node = FakeNode(rows=(row("lab"),))
    with talking() as talk:
        running = start(node, talk)
        talk.type("join lab")
        await talk.until_said("You sit at")
        node._table = None
        node.tell(Closed("lost", ""))
        talk.type("list")
        await talk.until_said("1: lab")
        talk.end()
        assert await running == 0


async def test_the_join_line_is_told_with_an_open_table() -> None:
    node = FakeNode()
    with talking() as talk:
        running = start(node, talk)
        await talk.until_said("You are ana")
        node._home = replace(node.home, join_line="p2pcards join 10.0.0.7:25252")
        node.tell(Opened("lab", b"", 25252))
        talk.end()
        await running
        assert "Who does not see it can type: p2pcards join 10.0.0.7:25252" in talk.said


async def test_who_sits_down_is_told_once_what_the_host_can_do() -> None:
    trust = "The host sees all cards of a round, but can't choose them; after each round every program checks deal and "
    trust += "moves; `help deal` tells more."
    for line, times in (("host tongits", 1), ("practise tongits", 0)):
        _, said = await play(FakeNode(3), line)
        assert said.count(trust) == times


async def test_after_a_round_it_says_what_can_be_typed_and_when_it_goes_on() -> None:
    node = FakeNode(3)
    with talking() as talk:
        running = start(node, talk)
        talk.type("practise tongits")
        await talk.until_said("Your turn: draw")
        node.change(stage=Stage.BETWEEN, view=None, to_act=(), next_at=42.0)
        node.tell(Audited(1, True))
        await talk.until_said("The next round begins by itself in 42 seconds.")
        assert talk.said[-2] == "`next` goes on to the next round, `stop` ends the match."
        node.tell(Ready(1, "ben"))
        talk.type("stop", "y")
        await talk.until_said("The match is over: `again` plays another one, `leave` goes home.")
        assert "ben is ready." in talk.said
        talk.end()
        assert await running == 0


async def test_a_join_under_way_is_told_and_can_be_given_up() -> None:
    class Far(FakeNode):
        def do(self, command: Command) -> None:
            if command.verb == "join":
                self._home = replace(self.home, joining=command.args[0])
            else:
                self._home = replace(self.home, joining="")
                self.tell(Closed("left", ""))

    node = Far(rows=(row("lab"),))
    with talking() as talk:
        running = start(node, talk, terminal=True)
        talk.type("join nohost.invalid", "leave")
        await talk.until_said("You no longer look for the table.")
        assert "Looking for nohost.invalid; `leave` gives up." in talk.stdout.getvalue()
        talk.type("join 1")
        await talk.until_said("Looking for lab; `leave` gives up.")
        talk.end()
        assert await running == 0


# ---- manners


async def test_nobody_reads_any_more() -> None:
    node = FakeNode(3)
    with talking() as talk:
        talk.type("practise tongits")
        code = await run_plain(node, talk.stdin, BrokenPipe(3), rules=rules)
        assert code == 0
        assert node.table is None


async def test_a_person_has_a_prompt_and_a_bell_and_a_pipe_has_neither() -> None:
    node = FakeNode(3)
    with talking() as talk:
        running = start(node, talk, terminal=True)
        await talk.until_said(PROMPT)
        talk.type("practise tongits")
        await talk.until_said("Your turn: draw")
        await talk.until_said(PROMPT, times=2)
        rung = talk.stdout.getvalue().count(BELL)
        assert rung > 0
        talk.type("bell off", "draw", "discard #1")
        await talk.until_said("Your turn: draw", times=2)
        assert talk.stdout.getvalue().count(BELL) == rung
        talk.end()
        await running
    _, said = await play(FakeNode(3), "practise tongits", "draw")
    assert not any(PROMPT in line or BELL in line for line in said)


async def test_ctrl_d_asks_once_where_quitting_asks() -> None:
    node = FakeNode(3)
    with talking() as talk:
        running = start(node, talk, terminal=True)
        talk.type("practise tongits")
        await talk.until_said("Your turn: draw")
        talk.end()
        assert await running == 0
        assert talk.said[-3:] == [
            "Leave the table and the program? The match ends with it: yes or no?",
            PROMPT,
            "You left the table.",
        ]
        assert talk.stdout.getvalue().count("yes or no?") == 1
    calm = FakeNode()
    with talking() as talk:
        running = start(calm, talk, terminal=True)
        talk.type("host tongits")
        await talk.until_said("You sit at")
        talk.end()
        assert await running == 0
        assert "yes or no?" not in talk.stdout.getvalue()


async def test_what_is_typed_behind_ctrl_d_is_heard() -> None:
    class Terminal(io.RawIOBase):
        """A terminal: it goes on behind an end of input."""

        def __init__(self) -> None:
            self.typed: queue.Queue[bytes] = queue.Queue()

        def read(self, size: int = -1, /) -> bytes:
            return self.typed.get()

    keys, written = Terminal(), Written()
    for chunk in (b"practise tongits\n", b"", b"no\n", b"hand\n", b"", b"yes\n"):
        keys.typed.put(chunk)
    node = FakeNode(3)
    assert await run_plain(node, keys, written, rules=rules, look=0.0, terminal=True) == 0
    assert "Not done." in written.getvalue()
    assert "You hold " in written.getvalue()
    assert node.done[-1] == Command("quit")


async def test_the_bell_rings_for_people_who_come_and_not_for_bots() -> None:
    node = FakeNode()
    with talking() as talk:
        running = start(node, talk, terminal=True)
        talk.type("host tongits", "bot add")
        await talk.until_said("bot-1 is in seat 2")
        assert BELL not in talk.stdout.getvalue()
        assert node.table is not None
        seats = node.table.seats
        node.change(seats=(*seats[:2], replace(seats[2], nick="ben", key=b"b")))
        node.tell(Seated(2, "ben", b"b", ""))
        assert talk.stdout.getvalue().count(BELL) == 1
        talk.end()
        await running


async def test_what_a_line_brings_about_begins_at_the_beginning_of_a_line() -> None:
    node = FakeNode(3)
    with talking() as talk:
        running = start(node, talk, terminal=True)
        talk.type("practise tongits", "quit", "yes")
        assert await running == 0
        assert "\n\n" not in talk.stdout.getvalue()
        assert talk.said[-1].endswith("> You left the table.")


async def test_news_in_the_middle_of_typing_begin_a_line_of_their_own() -> None:
    node = FakeNode()
    with talking() as talk:
        running = start(node, talk, terminal=True)
        await talk.until_said(PROMPT)
        node.rows(row("lab"))
        node.rows(row("lab"), row("club", 2))
        await talk.until_said(f"{PROMPT}\nThere is a table: 1: lab")
        await talk.until_said("usual rules.\nThere is a table: 2: club", times=1)
        await talk.until_said(f"usual rules.\n{PROMPT}")  # one for both
        talk.end()
        await running


async def test_ctrl_c_drops_what_was_asked_then_asks_and_then_leaves() -> None:
    node = FakeNode(3)
    with talking() as talk:
        prompt = Prompt(node, Cards.WORDS, rules)
        voice = Plain(node, prompt, Out(talk.stdout, lambda: None), True)
        conversation = Conversation(node, prompt, voice, terminal=True, stay=True, look=0.0)
        running = asyncio.create_task(conversation.run(talk.stdin, Command("practise", ("tongits",))))
        await talk.until_said("Your turn: draw")
        talk.type("quit")
        await talk.until_said("yes or no?")
        conversation.interrupt()
        await talk.until_said("Not done.")
        conversation.interrupt()
        await talk.until_said("yes or no?", times=2)
        talk.type("no")
        await talk.until_said("Not done.", times=2)
        conversation.interrupt()
        await talk.until_said("yes or no?", times=3)
        conversation.interrupt()
        assert await running == INTERRUPTED
    assert talk.said[-1].endswith("You left the table.")
    assert node.table is None


async def test_ctrl_c_at_home_ends_at_once() -> None:
    with talking() as talk:
        node = FakeNode()
        prompt = Prompt(node, Cards.WORDS, rules)
        voice = Plain(node, prompt, Out(talk.stdout, lambda: None), True)
        conversation = Conversation(node, prompt, voice, terminal=True, stay=True, look=0.0)
        running = asyncio.create_task(conversation.run(talk.stdin, None))
        await talk.until_said(PROMPT)
        conversation.interrupt()
        assert await running == INTERRUPTED

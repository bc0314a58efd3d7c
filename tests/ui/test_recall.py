"""The grey rest of a line typed before: never a move that can't be made now, never a card that is hidden."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.commands.command import Command, Problem
from p2pcards.commands.parse import parse
from p2pcards.games.registry import GAMES
from p2pcards.table.tableview import Stage
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.recall import TRIES, recall
from p2pcards.ui.voice import Cards
from tests.testing.dice import dice
from tests.testing.fake_node import FakeNode
from tests.ui.test_app import PRACTISE, program

HISTORY = ["draw", "discard 7H", "discard KD", "say hello", "discard 7H"]


def anything(line: str) -> bool:
    return True


def test_the_newest_line_that_begins_so_is_offered() -> None:
    assert recall("d", HISTORY, anything) == "iscard 7H"
    assert recall("dr", HISTORY, anything) == "aw"
    assert recall("DISCARD K", HISTORY, anything) == "D"
    assert recall("discard 7H", HISTORY, anything) == ""
    assert recall("x", HISTORY, anything) == ""


@pytest.mark.parametrize("text", ["", "  "])
def test_nothing_is_offered_before_something_is_typed(text: str) -> None:
    assert recall(text, ["  draw", "draw"], anything) == ""


def test_what_can_t_be_done_is_passed_over_for_what_can() -> None:
    assert recall("d", HISTORY, lambda line: line == "draw") == "raw"
    assert recall("d", HISTORY, lambda line: False) == ""


def test_a_long_history_is_not_read_to_its_end() -> None:
    tried: list[str] = []

    def allows(line: str) -> bool:
        tried.append(line)
        return False

    recall("d", [f"discard {number}" for number in range(1000)], allows)
    assert len(tried) == TRIES


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=6, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_whatever_was_played_before_nothing_illegal_is_ever_offered(game: str, seed: int) -> None:
    rng, node = dice(seed), FakeNode(seed % 1000)
    prompt = Prompt(node, Cards.SIGNS, str)
    node.sit(game, bots=GAMES[game].usual_seats - 1)
    node.start()
    history, offered = ["next", "again", "hand", "quit", "admit ben", "host tongits"], 0
    for step in range(60):
        table = node.table
        assert table is not None
        context = prompt.here.context()
        lines = () if context.legal is None else context.legal.lines
        for line in rng.sample(history, min(12, len(history))):
            begun = line[: rng.randrange(1, len(line))]
            if rest := recall(begun, history, prompt.allows):
                found = parse(begun + rest, context)
                assert isinstance(found, Command), (begun, rest)
                assert not found.action or found.action in lines, (begun, rest)
                offered += 1
        if step % 7 == 6:
            prompt.enter("hide on")
            hand = {context.game.ranking.format(card) for card in context.hand} if context.game else set()
            for line in rng.sample(history, min(12, len(history))):
                if rest := recall(line[:1], history, prompt.allows):
                    assert hand.isdisjoint((line[:1] + rest).upper().split())
            prompt.enter("hide off")
        if table.stage is Stage.PLAYING:
            line = rng.choice(list(lines))
            verb, *words = line.split()
            rng.shuffle(words)
            history.append(" ".join([verb, *words]).lower() if rng.random() < 0.5 else line)
            node.do(Command(verb, (), line))
        elif table.stage is Stage.BETWEEN:
            node.do(Command("next"))
    assert offered


@pytest.mark.parametrize("line", ["deck", "host tongits", "admit ben", "discrad 7H", "msg ben hello", "draw 7H"])
def test_what_would_be_refused_is_not_allowed(line: str) -> None:
    node = FakeNode(1)
    prompt = Prompt(node, Cards.SIGNS, str)
    node.sit("tongits", bots=2)
    node.start()
    assert not prompt.allows(line)
    assert not isinstance(parse("say hello", prompt.here.context()), Problem)
    assert prompt.allows("say hello")
    assert prompt.allows("draw")


@pytest.mark.parametrize("line", ["why {}", "move {} 1", "say I have {}", "why discard {}", "why #1"])
def test_however_a_card_is_named_a_hidden_one_is_not_offered(line: str) -> None:
    node = FakeNode(1)
    prompt = Prompt(node, Cards.SIGNS, str)
    node.sit("tongits", bots=2)
    node.start()
    context = prompt.here.context()
    assert context.game is not None
    card = context.game.ranking.format(context.hand[0])
    lines = [line.format(text) for text in {card, card.lower(), card[::-1].lower()}]
    assert all(map(prompt.allows, lines))
    prompt.enter("hide on")
    assert not any(map(prompt.allows, lines))


async def test_it_stands_in_grey_behind_the_line_and_the_arrow_takes_it() -> None:
    node = FakeNode(3)
    async with program(node, PRACTISE) as (terminal, _):
        await terminal.sees("Your turn")
        terminal.type("draw\r")
        await terminal.until(lambda: Command("draw", (), "draw") in node.done)
        terminal.type("scores\r")
        await terminal.sees("Scores:")
        terminal.type("dr")
        await terminal.sees(" > dr")
        assert " > draw" not in terminal.text()  # a draw is no move now
        terminal.type("\x7f\x7fsco")
        await terminal.sees(" > scores")
        terminal.type("\r")
        await terminal.sees("sco")  # what stands in grey is not run
        terminal.type("sco\x1b[C")
        await terminal.sees(" > scores")
        terminal.type(" x\r")
        await terminal.sees("scores")


@pytest.mark.parametrize("key", ["\x1b[C", "\x05", "\x06", "\x1b[F"])
async def test_each_key_that_goes_to_the_end_takes_it(key: str) -> None:
    node = FakeNode(3)
    async with program(node, PRACTISE) as (terminal, _):
        await terminal.sees("Your turn")
        terminal.type("draw\r")
        await terminal.until(lambda: Command("draw", (), "draw") in node.done)
        terminal.type("discard #1\r")
        await terminal.until(lambda: node.done[-1].verb == "discard")
        done = len(node.done)
        await terminal.sees("Your turn")
        terminal.type("dr" + key + "\r")
        await terminal.until(lambda: len(node.done) > done, "the grey line was not done")
        assert node.done[-1] == Command("draw", (), "draw")

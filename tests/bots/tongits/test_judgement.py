"""What the judgement takes into account, how a net is read, and that the one which comes along knows something."""

from __future__ import annotations

from itertools import accumulate, islice
from statistics import mean
from struct import pack

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.bots.registry import bot
from p2pcards.bots.tongits.judgement import FACTS, SIZES, UNITS, Judgement, Net
from p2pcards.bots.tongits.kernel import ACTING, DRAW, KERNEL, Position
from p2pcards.cards import ACE_LOW
from p2pcards.games.base import Seat
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.state import Phase, State
from tests.bots.rounds import states
from tests.games.played import NAMES
from tests.games.tongits.builder import Round
from tests.testing.dice import dice

GAME = TongIts()
FILLER = "AC AD 2H 3S 6C 9H"


def decisions(seed: int) -> list[State]:
    """Where somebody had to draw or to act in a round between players of all sorts."""
    players = [bot("tongits", level) for level in ("medium", "easy", "medium")]
    return [state for state in states(GAME, players, seed) if state.public.phase in (Phase.DRAW, Phase.ACT)]


def after(state: State, move: int) -> Position:
    """The position that the move leads to; a card to be drawn is left where it is."""
    position = KERNEL.load(state)
    if move == DRAW:
        position.phase = ACTING
    else:
        KERNEL.play(position, move)
    return position


def judged(state: State, seen: State) -> dict[int, float]:
    """What each move is worth to whose turn it is in the state, with the hands of the other."""
    judgement = Judgement(GAME.view(state, state.public.turn))
    return {move: judgement.worth(after(seen, move), move) for move in KERNEL.moves(KERNEL.load(state))}


def facts(played: Round, name: str, text: str) -> list[int]:
    """What holds after that action."""
    state, action = played.state, GAME.parse(text)
    position = KERNEL.load(state)
    move = next(move for move in KERNEL.moves(position) if KERNEL.action(position, move) == action)
    return Judgement(GAME.view(state, Seat(NAMES.index(name)))).facts(after(state, move), move)


def cards(text: str, at: int) -> set[int]:
    """The facts of these cards in the row that begins there."""
    return {at + ACE_LOW.parse(card) for card in text.split()}


@given(st.integers(0, 2**32))
@settings(max_examples=15)
def test_equal_views_are_judged_alike(seed: int) -> None:
    for state in islice(decisions(seed), seed % 3, None, 3):
        other = GAME.resample(GAME.view(state, state.public.turn), dice(seed))
        assert judged(state, state) == judged(state, other)


def test_it_knows_what_lies_where_and_who_threw_it() -> None:
    played = Round("2C 2D 2H KS KD QH 3C 4C", FILLER, "5S 8D 5H", stock="TD 2S 4S TH")
    played.play("A draw", "A expose 2C 2D 2H", "A discard TD", "B draw", "B discard 9H", "C draw", "C discard 5S")
    known = set(facts(played, "A", "draw"))
    assert {fact for fact in known if fact < 52} == cards("KS KD QH 3C 4C", 0)
    assert {fact for fact in known if 52 <= fact < 104} == cards("KC KH 5C", 52)
    assert {fact for fact in known if 104 <= fact < 260} == cards("TD", 104) | cards("9H", 156) | cards("5S", 208)
    assert {fact for fact in known if 260 <= fact < 416} == cards("2C 2D 2H", 260)
    assert {fact for fact in known if 416 <= fact < 468} == cards("2S", 416)
    assert {fact for fact in known if 468 <= fact < 520} == cards("5S", 468)
    # the stock, half the loose points, cards of A, B, C, who has exposed, who is blocked, to draw, loose cards, those
    # that fit nothing, 4 x 47 points / 41 hidden cards hoped for, chance that the 5S is taken, to be lowest, 3 outs
    numbers = (1, 18, 5, 6, 3, 1, 0, 0, 5, 5, 4, 2, 20, 1)
    starts = accumulate((520, *SIZES[:-1]))
    assert {fact for fact in known if fact >= 520} == {at + number for at, number in zip(starts, numbers, strict=True)}


def test_a_discard_that_was_taken_shifts_who_threw_those_below() -> None:
    played = Round("KS KD QH 9C 7C", "AC AD 2H 3S 6C 9H", "5S 8D TC TH", stock="4S 2S JC 3C 8C")
    played.play("A draw", "A discard QH", "B draw", "B discard 9H", "C draw", "C discard 8D")
    thrown = {fact for fact in facts(played, "A", "draw") if 104 <= fact < 260}
    assert thrown == cards("QH", 104) | cards("9H", 156) | cards("8D", 208)
    played = Round("KS KD QH 9C 7C", "AC AD 2H 3S 6C TD", "5S 8D TC TH", stock="4S 2S JC 3C 8C")
    played.play("A draw", "A discard QH", "B draw", "B discard TD", "C take TC TH", "C discard 8D")
    thrown = {fact for fact in facts(played, "A", "draw") if 104 <= fact < 260}
    assert thrown == cards("QH", 104) | cards("8D", 208)


def test_a_net_adds_the_rows_of_what_holds_and_counts_the_units_that_are_driven() -> None:
    weights = [[0] * UNITS for _ in range(FACTS)]
    weights[0][0], weights[5][0], weights[5][1], weights[FACTS - 1][63] = -127, 100, -127, 127
    starts, outputs = [0.0] * UNITS, [0.0] * UNITS
    starts[0], outputs[0], outputs[1], outputs[63] = 30.0, 0.5, 1000.0, 2.0
    data = b"".join(pack(f"{UNITS}b", *row) for row in weights) + pack(f"<{2 * UNITS + 1}f", *starts, *outputs, 0.25)
    net = Net(data)
    assert net.worth([]) == 0.25 + 15.0
    assert net.worth([0, 5]) == 0.25 + 0.5 * (100 - 127 + 30)
    assert net.worth([0]) == 0.25
    assert net.worth([5, FACTS - 1]) == 0.25 + 65.0 + 254.0


def test_those_who_win_are_said_to_win_more_often() -> None:
    winners: list[float] = []
    losers: list[float] = []
    for seed in range(40):
        *_, last = met = [*states(GAME, [bot("tongits", "medium")] * 3, seed)]
        for state in met:
            if state.public.phase is Phase.DRAW:
                worth = max(judged(state, state).values())
                (winners if state.public.turn in last.public.winners else losers).append(worth)
    assert mean(winners) > mean(losers) + 0.08
    assert mean(winners + losers) == pytest.approx(1 / 3, abs=0.12)

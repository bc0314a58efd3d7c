"""The quick policy does what `medium` does nearly always, and nothing that isn't legal."""

from __future__ import annotations

from p2pcards.bots.registry import bot
from p2pcards.bots.tienlen.kernel import KERNEL, Memo
from p2pcards.bots.tienlen.policy import choice, playout
from p2pcards.games.tienlen import TienLen
from tests.bots.rounds import states
from tests.testing.dice import dice


def test_it_does_as_medium_does_nine_times_in_ten() -> None:
    game, medium = TienLen(), bot("tienlen", "medium")
    alike = total = 0
    for seed in range(30):
        for state in states(game, [medium] * 4, seed):
            if state.public.places or game.outcome(state):
                break
            seat, position = state.public.turn, KERNEL.load(state)
            rest, ones = (
                sum(position.hands),
                sum(1 << at for at, hand in enumerate(position.hands) if not hand & hand - 1),
            )
            move = choice(position.hands[seat], seat, position.pile, position.owner, position.open, rest, ones)
            moves = KERNEL.moves(position)
            assert move in moves
            if len(moves) > 1:
                total += 1
                alike += KERNEL.action(position, move) == medium.choose(game, game.view(state, seat), dice(0))
    assert alike > 0.9 * total > 300


def test_a_playout_ends_with_the_first_one_out() -> None:
    game = TienLen()
    for seed in range(30):
        position = KERNEL.load(next(states(game, [bot("tienlen", "medium")] * (2 + seed % 3), seed)))
        if position.turn >= 0:
            winner = playout(position)
            assert [seat for seat, hand in enumerate(position.hands) if not hand] == [winner]


def test_what_is_remembered_is_never_more_than_it_may_be() -> None:
    made: list[int] = []
    memo = Memo[int](lambda key: made.append(key) or 2 * key, 3)  # type: ignore[func-returns-value]  # to count the calls
    assert [memo[key] for key in (1, 2, 1, 3, 4, 1)] == [2, 4, 2, 6, 8, 2]
    assert made == [1, 2, 3, 4, 1]
    assert len(memo) == 2

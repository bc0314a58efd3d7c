"""Worlds hold all cards, and hands that fit what has been drawn since the top card was played."""

from __future__ import annotations

import pytest

from p2pcards.bots.onecard import Medium
from p2pcards.bots.onecard.chances import chance_to_win
from p2pcards.bots.onecard.kernel import KERNEL
from p2pcards.bots.onecard.worlds import Drew, Worlds, pasts
from p2pcards.games.onecard import OneCard
from p2pcards.games.onecard.pack import ANSWERING, FITTING
from p2pcards.games.onecard.state import ENDED, SHUFFLE, State
from tests.bots.rounds import states
from tests.games.onecard.builder import Round, everything
from tests.testing.dice import dice

PLAIN = "4C 5C 6C 9C TC"


def to_act(seed: int) -> list[State]:
    """States of a round in which somebody is to act."""
    played = states(OneCard(), [Medium()] * 4, seed)
    return [state for state in played if state.public.phase not in (SHUFFLE, ENDED)]


def drew(played: Round) -> list[list[Drew]]:
    """The pasts there are."""
    return [list(past.draws) for past in pasts(played.public, KERNEL.load(played.state))]


def test_worlds_have_the_same_cards_and_leave_open_hands_alone() -> None:
    for state in to_act(7)[::6]:
        position, seat = KERNEL.load(state), state.public.turn
        for hidden in ([other for other in range(4) if other != seat], []):
            worlds = Worlds(position, hidden, dice(1), pasts(state.public, position))
            drawn = [worlds.draw() for _ in range(20)]
            for world in drawn:
                faces = [card % 52 for hand in world.hands for card in range(208) if hand >> card & 1]
                faces += [bit.bit_length() - 1 for bit in world.stock]
                assert sorted([*faces, *world.discards]) == everything(state)
                assert [hand.bit_count() for hand in world.hands] == list(state.public.counts)
                assert all(world.hands[other] == position.hands[other] for other in range(4) if other not in hidden)
            assert len({tuple(world.stock) for world in drawn}) > 10
            assert (len({tuple(world.hands) for world in drawn}) > 10) is bool(hidden)


def test_what_happened_is_among_what_may_have_happened() -> None:
    met = 0
    for seed in range(12):
        since, top = list[int](), -1
        for before in to_act(seed):
            public = before.public
            if len(public.discards) != top:
                since, top = [], len(public.discards)
            told = [[draw.seat for draw in past.draws] for past in pasts(public, KERNEL.load(before))]
            if len(since) < 4:
                assert since[::-1] in told
                met += bool(since)
            since.append(public.turn)
    assert met > 60


def test_before_anybody_has_played_all_have_drawn() -> None:
    played = Round("4C 4D", "5C 5D", "6C 6D", "8H 8D", top="KS", stock="7C 7D 9C 9D")
    assert drew(played) == [[]]
    played.play("A draw", "B draw")
    assert drew(played) == [[Drew(1, 1, FITTING[played.public.top]), Drew(0, 1, FITTING[played.public.top])]]


def test_an_attack_that_is_gone_was_drawn() -> None:
    played = Round("3H KH 9C", PLAIN, PLAIN, PLAIN, top="8H").play("A play 3H")
    assert drew(played) == [[]]
    played.play("B draw")
    top = played.public.top
    assert drew(played)[0] == [Drew(1, 3, ANSWERING[False][False][top])]
    assert all(draws for draws in drew(played))


def test_a_jack_that_skips_nobody_any_more_has_been_drawn_on() -> None:
    played = Round("JH KH 9C", PLAIN, PLAIN, PLAIN, top="8H").play("A play JH")
    assert drew(played) == [[]]
    played.play("C draw")
    assert all(draws[0] == Drew(2, 1, FITTING[played.public.top]) for draws in drew(played))


def test_who_drew_holds_no_card_that_would_have_fitted_but_what_it_drew() -> None:
    stock = "4C 4H 5H 6H 9H TH KH AH 4D"
    played = Round("JH KH 9C", PLAIN, PLAIN, PLAIN, top="8H", stock=stock).play("A play JH", "C draw")
    position = KERNEL.load(played.state)
    told = pasts(played.public, position)
    worlds = Worlds(position, [0, 1, 2], dice(1), told)
    blind = Worlds(position, [0, 1, 2], dice(1))
    fits = FITTING[played.public.top]
    most = [max((drawn.draw().hands[2] & fits).bit_count() for _ in range(200)) for drawn in (worlds, blind)]
    assert most[0] <= 1 < most[1]


def test_a_seat_is_the_likelier_to_win_the_fewer_cards_it_has() -> None:
    state = Round("8C", PLAIN, f"{PLAIN} TD JD", f"{PLAIN} 4D 5D 6D 9D TD JD", top="8H").state
    position = KERNEL.load(state)
    chances = [chance_to_win(position, seat) for seat in range(4)]
    assert sum(chances) == pytest.approx(1)
    assert chances[0] > 0.6
    assert chances == sorted(chances, reverse=True)

"""What the actions of One Card are said to do."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import Cards
from p2pcards.commands.legal import Legal
from p2pcards.commands.notes_onecard import Does, notes, order
from p2pcards.games.base import Seat
from p2pcards.games.onecard.actions import PLAYS, Draw, Play
from p2pcards.games.onecard.state import Phase, State
from tests.testing.onecard_spot import NICKS, OPTIONS, context, game_of, moment, stepped, views


def note(text: str, state: State, options: dict[str, str] | None = None) -> tuple[object, ...]:
    """The note beside a legal action, code first."""
    legal = context(state, options, state.public.turn).legal
    assert legal is not None
    remark = legal.notes[legal.lines.index(text)]
    return (remark.code, *remark.detail)


HANDS = ("8C 2H 3H 7H JH QH KH", "4S 4D", "5S 5H", "6S 6H")


def test_cards_without_attack() -> None:
    state = moment(HANDS, "9H")
    assert note("play KH", state) == (Does.PLAY, "ben")
    assert note("play 2H", state) == (Does.ATTACK, "ben", "2")
    assert note("play 3H", state) == (Does.ATTACK, "ben", "3")
    assert note("play 7H", state) == (Does.PLAY, "ben")
    assert note("play JH", state) == (Does.SKIP, "ben", "cy")
    assert note("play QH", state) == (Does.TURN, "dan")
    assert note("play JH", moment(HANDS, "9H", direction=-1)) == (Does.SKIP, "dan", "cy")


def test_cards_under_attack() -> None:
    state = moment(HANDS, "2H", pending=2)
    assert note("play 3H", state) == (Does.ADD, "3", "ben", "5")
    assert note("play 7H", state) == (Does.CANCEL, "2")
    assert note("play JH", state) == (Does.OVER, "ben", "cy", "2")
    assert note("play QH", state) == (Does.TURN_ATTACK, "dan", "2")
    assert note("draw", state) == (Does.DRAW_ATTACK, "2")


def test_seats_that_are_bankrupt_are_gone_over() -> None:
    state = moment(HANDS, "9H", bankrupt=(1, 3))
    assert order(state.public) == (0, 2)
    assert note("play 2H", state) == (Does.ATTACK, "cy", "2")
    assert note("play JH", state) == (Does.AGAIN, "cy")


def test_between_two_players_a_jack_comes_back() -> None:
    assert note("play JH", moment(HANDS[:2], "9H")) == (Does.AGAIN, "ben")
    assert note("play JH", moment(HANDS[:2], "2H", pending=2)) == (Does.STAYS, "ben", "2")


def test_between_two_players_a_queen_turns_or_skips() -> None:
    skip = {"two_player_queen": "skip"}
    assert note("play QH", moment(HANDS[:2], "9H")) == (Does.TURN, "ben")
    assert note("play QH", moment(HANDS[:2], "9H"), skip) == (Does.AGAIN, "ben")
    assert note("play QH", moment(HANDS[:2], "2H", pending=2), skip) == (Does.TURN_ATTACK, "ben", "2")
    assert note("play QH", moment(HANDS, "9H"), skip) == (Does.TURN, "dan")


def test_the_last_card() -> None:
    counts = {"final_attack_counts": "true"}
    last = moment(("3H", *HANDS[1:]), "2H", pending=2)
    assert note("play 3H", last) == (Does.EMPTIES,)
    assert note("play 3H", last, counts) == (Does.EMPTIES_HITS, "ben", "5")
    for card, seat in (("JH", "cy"), ("QH", "dan")):
        state = moment((card, *HANDS[1:]), "2H", pending=2)
        assert note(f"play {card}", state, counts) == (Does.EMPTIES_HITS, seat, "2")
    assert note("play 7H", moment(("7H", *HANDS[1:]), "2H", pending=2), counts) == (Does.EMPTIES,)
    assert note("play KH", moment(("KH", *HANDS[1:]), "2H"), counts) == (Does.EMPTIES,)
    assert note("play JH", moment(("JH", HANDS[1]), "2H", pending=2), counts) == (Does.EMPTIES,)


def test_the_call_that_is_forgotten() -> None:
    state = moment(("8H 9C", *HANDS[1:]), "9H")
    options = {"call_one_card": "self", "call_penalty": "3"}
    assert note("play 8H", state, options) == (Does.UNSAID, "3")
    assert note("play 8H one", state, options) == (Does.PLAY, "ben")
    assert note("play 8H", state) == (Does.PLAY, "ben")


def test_drawing() -> None:
    none = ("8C 9C", *HANDS[1:])
    assert note("draw", moment(none, "KH")) == (Does.DRAW, "6")
    assert note("draw", moment(none, "KH"), {"draw_until_playable": "true"}) == (Does.DRAW_UNTIL, "6")
    assert note("draw", moment(none, "KH", stock="")) == (Does.DRAW_SHUFFLED, "1")
    assert note("draw", moment(none, "KH", stock="", under="")) == (Does.DRAW_NOTHING,)
    assert note("draw", moment(none, "2H", stock="", under="", pending=2)) == (Does.DRAW_NOTHING,)
    assert note("draw", moment(none, "2H", pending=4), {"bankrupt_at": "6"}) == (Does.DRAW_BANKRUPT, "6")
    assert note("draw", moment(none, "2H", pending=4), {"bankrupt_at": "7"}) == (Does.DRAW_ATTACK, "4")
    assert note("draw", moment(none, "KH"), {"bankrupt_at": "3"}) == (Does.DRAW_BANKRUPT, "3")


def test_keeping_the_drawn_card() -> None:
    state = moment(("8C 9H", *HANDS[1:]), "KH", phase=Phase.DRAWN, drawn="9H")
    assert note("pass", state, {"draw_then_play": "true"}) == (Does.KEEP, "ben")


@pytest.mark.parametrize("seats", [2, 3, 8])
@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32), options=OPTIONS)
def test_what_is_said_comes_true(seats: int, seed: int, options: dict[str, str]) -> None:
    """Who faces what and who is skipped, against what the rules make of the action."""
    game = game_of(options)
    for view in list(views(seed, seats, {**options, "turn_limit": "60"}))[:60]:
        actions = list(game.legal_actions(view))
        for action, remark in zip(actions, notes(game, view, actions, NICKS), strict=True):
            hands = tuple(
                view.hand if seat == view.seat else Cards((1 << count) - 1)
                for seat, count in enumerate(view.public.counts)
            )
            state = State(view.public, hands, (PLAYS[0].card,) * view.public.stock, view.drawn)
            after = game.step(state, view.public.turn, action).public
            told = dict(zip(("code", "first", "second", "third"), (remark.code, *remark.detail), strict=False))
            turn = NICKS[after.turn]
            match told["code"]:
                case Does.PLAY | Does.TURN | Does.KEEP:
                    assert told["first"] == turn
                    assert not after.pending
                case Does.ATTACK | Does.TURN_ATTACK:
                    assert (told["first"], told["second"]) == (turn, str(after.pending))
                case Does.ADD:
                    assert (told["second"], told["third"]) == (turn, str(after.pending))
                case Does.CANCEL:
                    assert view.public.pending
                    assert not after.pending
                case Does.SKIP:
                    assert (told["first"], told["second"]) == (NICKS[after.skipped or 0], turn)
                case Does.OVER:
                    assert told["second"] == turn
                    assert told["third"] == str(after.pending)
                case Does.AGAIN | Does.STAYS:
                    assert after.turn == view.seat
                    assert told["first"] == NICKS[after.skipped or 0]
                case Does.EMPTIES | Does.EMPTIES_HITS:
                    assert after.counts[view.public.turn] == 0
                case Does.UNSAID:
                    assert isinstance(action, Play)
                    assert not action.one
                case _:
                    assert isinstance(action, Draw)


def test_the_order_of_turns() -> None:
    state = moment(HANDS, "9H", turn=2)
    assert order(state.public) == (2, 3, 0, 1)
    assert order(state.public, -1) == (2, 1, 0, 3)
    assert order(stepped(moment(HANDS, "9H"), "play QH").public) == (3, 2, 1, 0)
    assert Legal(game_of(), game_of().view(state, Seat(0)), NICKS).notes == ()

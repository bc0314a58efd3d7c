"""What somebody does in One Card, as it is told: acts with the views around them, and without."""

from __future__ import annotations

import pytest

from p2pcards.games.base import Seat
from p2pcards.games.onecard.state import Phase, State
from p2pcards.table.notices import Acted
from p2pcards.ui import words_onecard
from p2pcards.ui.voice import Cards, Voice, sentence
from p2pcards.ui.words import Words
from tests.testing.fake_node import FakeNode
from tests.testing.onecard_spot import NICKS, game_of, moment, stepped

OTHERS = ("4S 4D TC", "5S 5H TD", "6S 6H TH")


def told(
    state: State,
    text: str,
    options: dict[str, str] | None = None,
    style: Cards = Cards.SIGNS,
    seat: int = 0,
    shuffled: bool = False,
) -> str:
    """What the action of whoever is to act is told like in that seat; shuffled: with the shuffle that it needs."""
    game, actor = game_of(options), state.public.turn
    nicks = NICKS[: len(state.hands)]
    after = stepped(state, text, options)
    if shuffled:
        after = stepped(after, "shuffle", options)
    views = (game.view(one, Seat(seat)) for one in (state, after))
    notice = Acted(9, 1, actor, nicks[actor], "act", text, "", *views)
    voice = Voice(style, nicks[seat])
    return sentence(words_onecard.acted(voice, notice, voice.who(nicks[actor]), nicks))


@pytest.mark.parametrize(
    ("card", "top", "pending", "says"),
    [
        ("KH", "8H", 0, "ana played K♥."),
        ("2H", "8H", 0, "ana played 2♥: you face 2 cards."),
        ("3H", "2H", 2, "ana played 3♥: you face 5 cards."),
        ("7H", "2H", 2, "ana played 7♥: the attack of 2 cards is cancelled."),
        ("7H", "8H", 0, "ana played 7♥."),
        ("JH", "8H", 0, "ana played J♥: you are skipped."),
        ("JH", "2H", 2, "ana played J♥: you are skipped, cy faces 2 cards."),
        ("QH", "8H", 0, "ana played Q♥: the direction turns."),
        ("QH", "2H", 2, "ana played Q♥: the direction turns, dan faces 2 cards."),
    ],
)
def test_what_a_card_brings_about(card: str, top: str, pending: int, says: str) -> None:
    state = moment((f"{card} 9C 9D", *OTHERS), top, pending=pending)
    assert told(state, f"play {card}", seat=1) == says


def test_one_card_left_is_news() -> None:
    assert told(moment(("KH 9C", *OTHERS), "8H"), "play KH") == "You played K♥: you have one card left."
    assert told(moment(("2H 9C", *OTHERS), "8H"), "play 2H", seat=2) == (
        "ana played 2♥: ben faces 2 cards, ana has one card left."
    )


def test_a_call_and_one_that_was_forgotten() -> None:
    calls = {"call_one_card": "self", "call_penalty": "3"}
    state = moment(("KH 9C", *OTHERS), "8H")
    assert told(state, "play KH one", calls, seat=1) == "ana played K♥ and announced the last card."
    says = "ana played K♥: ana draws 3 cards for not announcing the last one."
    assert told(state, "play KH", calls, seat=1) == says
    short = moment(("KH 9C", *OTHERS), "8H", stock="5C")
    assert told(short, "play KH", calls, seat=1) == says


def test_an_attack_with_the_last_card() -> None:
    counts = {"final_attack_counts": "true"}
    state = moment(("3H", *OTHERS), "2H", pending=2)
    assert told(state, "play 3H") == "You played 3♥."
    assert told(moment(("JH", *OTHERS), "8H"), "play JH") == "You played J♥."
    assert told(state, "play 3H", counts) == "You played 3♥: ben draws 5 cards for it."
    short = moment(("3H", *OTHERS), "2H", pending=2, stock="5C", under="4C 6C 7C 8C")
    assert told(short, "play 3H", counts) == "You played 3♥: ben draws 5 cards for it."


def test_drawing() -> None:
    state = moment(("9C", *OTHERS), "8H")
    assert told(state, "draw") == "You drew 5♣."
    assert told(state, "draw", style=Cards.WORDS) == "You drew the 5 of clubs."
    assert told(state, "draw", seat=1) == "ana drew a card."
    attacked = moment(("9C", *OTHERS), "2H", pending=2)
    assert told(attacked, "draw") == "You drew 5♣ 5♦ for the attack."
    assert told(attacked, "draw", seat=1) == "ana drew 2 cards for the attack."
    until = {"draw_until_playable": "true"}
    assert told(moment(("9C", *OTHERS), "8H"), "draw", until, seat=1) == "ana drew 5 cards."


def test_a_drawn_copy_of_a_card_is_named_too() -> None:
    assert told(moment(("9C 5C", *OTHERS), "8H"), "draw") == "You drew 5♣."


def test_too_few_cards_to_draw() -> None:
    nothing = moment(("9C", *OTHERS), "8H", stock="", under="")
    assert told(nothing, "draw", seat=1) == "ana found nothing to draw."
    attacked = moment(("9C", *OTHERS), "2H", stock="", under="", pending=4)
    assert told(attacked, "draw", seat=1) == "ana found nothing to draw, so the attack of 4 cards is over."
    few = moment(("9C", *OTHERS), "2H", stock="5C", under="", pending=4)
    assert told(few, "draw", seat=1) == "ana drew a card for an attack of 4: there were no more."


def test_the_stock_runs_out_in_the_middle_of_a_draw() -> None:
    state = moment(("9C", *OTHERS), "2H", stock="5C", under="4C 6C", pending=2)
    assert told(state, "draw") == "You drew 5♣, and the stock ran out."
    assert told(moment(("9C", *OTHERS), "8H", stock=""), "draw", seat=1) == "ana found the stock empty."


def test_a_draw_with_its_shuffle_is_told_as_a_whole() -> None:
    state = moment(("9C", *OTHERS), "2H", stock="5C", under="4C 6C", pending=2)
    assert told(state, "draw", shuffled=True) == "You drew 4♣ 5♣ for the attack."
    assert told(state, "draw", shuffled=True, seat=1) == "ana drew 2 cards for the attack."
    few = moment(("9C", *OTHERS), "2H", stock="", under="4C", pending=2)
    assert told(few, "draw", shuffled=True) == "You drew 4♣ for an attack of 2: there were no more."
    counts = {"final_attack_counts": "true"}
    last = moment(("3H", *OTHERS), "2H", pending=2, stock="5C", under="4C 6C 7C 8C")
    assert told(last, "play 3H", counts, shuffled=True) == "You played 3♥: ben draws 5 cards for it."


def test_keeping_a_card() -> None:
    state = moment(("9C 9H", *OTHERS), "8H", phase=Phase.DRAWN, drawn="9H")
    assert told(state, "pass", {"draw_then_play": "true"}, seat=1) == "ana kept the drawn card."


def test_who_goes_bankrupt_is_told() -> None:
    limit = {"bankrupt_at": "5"}
    state = moment(("9C 9D 9H", *OTHERS), "2S", pending=2)
    assert told(state, "draw", limit, seat=1) == (
        "ana drew 2 cards for the attack; ana is bankrupt with 5 cards and out of the round."
    )
    assert told(state, "draw", limit) == (
        "You drew 5♣ 5♦ for the attack; you are bankrupt with 5 cards and out of the round."
    )
    last = moment(("9C 9D 9H", *OTHERS), "2S", pending=9)
    assert "bankrupt" in told(last, "draw", limit)


def test_acts_without_the_views_around_them() -> None:
    def says(text: str) -> str:
        return words_onecard.acted(Voice(Cards.SIGNS, "ana"), Acted(1, 1, 1, "ben", "act", text, ""), "ben", NICKS[:3])

    assert says("play 2H") == "ben played 2♥"
    assert says("play 2H one") == "ben played 2♥ and announced the last card"
    assert says("draw") == "ben drew"
    assert says("pass") == "ben kept the drawn card"
    assert says("shuffle 2H 3H") == "ben shuffled the discards"
    assert says("fold") == says("play ZZ") == "ben did what is no action of One Card"


def test_a_hidden_hand_hears_nothing_of_a_drawn_card() -> None:
    node = FakeNode(1)
    node.sit("onecard")
    game, state = game_of(), moment(("9C", *OTHERS), "8H")
    after = stepped(state, "draw")
    notice = Acted(9, 1, 0, "ana", "act", "draw", "", game.view(state, Seat(0)), game.view(after, Seat(0)))
    assert Words(Cards.SIGNS, "ana", hidden=True).notice(notice, node.table) == ("You drew.",)
    assert Words(Cards.SIGNS, "ana").notice(notice, node.table) == ("You drew 5♣.",)

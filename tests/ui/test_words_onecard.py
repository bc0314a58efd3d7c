"""The sentences of One Card, from real rounds."""

from __future__ import annotations

import re
from enum import Enum, StrEnum

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.commands.coach import coach
from p2pcards.commands.coach_onecard import Tip
from p2pcards.commands.command import Problem, Remark
from p2pcards.commands.notes_onecard import Does
from p2pcards.errors import IllegalAction
from p2pcards.games.base import Seat
from p2pcards.games.onecard import Refusal
from p2pcards.games.onecard.state import Phase, State
from p2pcards.table.notices import Notice
from p2pcards.ui import words_onecard
from p2pcards.ui.desk import Desk
from p2pcards.ui.voice import Cards, Voice
from p2pcards.ui.words import Words
from tests.testing.fake_node import FakeNode
from tests.testing.onecard_spot import NICKS, OPTIONS, context, game_of, moment, stepped

SIGNS, WORDS = Words(Cards.SIGNS, "ana"), Words(Cards.WORDS, "ana")
HIDDEN = Words(Cards.SIGNS, "ana", hidden=True)
CODES: list[type[StrEnum]] = [Refusal, Tip, Does]
OTHERS = ("4S 4D TC", "5S 5H TD", "6S 6H TH")


# ---- codes


@pytest.mark.parametrize("code", [code for codes in CODES for code in codes], ids=lambda code: f"{code!r}")
def test_every_code_has_words_with_and_without_its_detail(code: Enum) -> None:
    samples: list[tuple[str, ...]] = [(), ("3",), ("QS", "KD"), ("QS", "KD", "4"), ("3", "ben", "5")]
    for details in samples:
        for words in (SIGNS, WORDS, HIDDEN):
            if isinstance(code, Refusal):
                text = words.problem(Problem(code, details))
            elif isinstance(code, Tip):
                text = words.coach((Remark(code, details),))
            else:
                text = words.note(Remark(code, details)) + "."
            assert text.endswith(".")
            assert "{" not in text


@pytest.mark.parametrize(
    ("state", "text", "options", "says"),
    [
        (
            moment(("9C", *OTHERS), "8H"),
            "play 9C",
            {},
            "The 9♣ does not fit the 8♥: a card must have its suit or its rank.",
        ),
        (
            moment(("KS", *OTHERS), "2S", pending=2),
            "play KS",
            {},
            "The K♠ can't be played on the 2♠ while an attack of 2 cards waits for you: "
            "only a 2, 3, 7, jack or queen answers it.",
        ),
        (
            moment(("QH", *OTHERS), "QD", pending=3),
            "play QH",
            {},
            "The Q♥ can't turn the attack: on the Q♦ a queen or jack must have the suit, not the rank alone.",
        ),
        (
            moment(("KH 3C", *OTHERS), "8H"),
            "draw",
            {},
            "You may not draw while you have a card that fits: K♥.",
        ),
        (
            moment(("9C 9H", *OTHERS), "8H", phase=Phase.DRAWN, drawn="9C"),
            "play 9H",
            {"draw_then_play": "true"},
            "You may not play the 9♥ now: only the 9♣ that you have just drawn, or pass.",
        ),
        (
            moment(("9C 9H", *OTHERS), "8H", phase=Phase.DRAWN, drawn="9C"),
            "draw",
            {"draw_then_play": "true"},
            "You have drawn already: play the drawn card, or pass.",
        ),
        (moment(("9C", *OTHERS), "8H"), "pass", {"draw_then_play": "true"}, "You may pass only when you have drawn."),
        (moment(("9C", *OTHERS), "8H"), "pass", {}, "Nobody may pass at this table: who can't play draws."),
        (
            moment(("8C 9C", *OTHERS), "8H"),
            "play 8C one",
            {},
            "At this table the last card is not announced, so play the card without `one`.",
        ),
        (
            moment(("8C 9C TC", *OTHERS), "8H"),
            "play 8C one",
            {"call_one_card": "self"},
            "You would have 2 cards left, not one, so there is nothing to announce.",
        ),
    ],
)
def test_refusals(state: State, text: str, options: dict[str, str], says: str) -> None:
    game = game_of(options)
    with pytest.raises(IllegalAction) as refused:
        game.check(game.view(state, Seat(0)), game.parse(text))
    assert SIGNS.problem(Problem(refused.value.code, refused.value.detail)) == says


def test_a_refusal_names_no_card_of_a_hidden_hand() -> None:
    assert HIDDEN.problem(Problem(Refusal.MUST_PLAY, ("KH 3C",))) == "You may not draw while you have a card that fits."
    only = HIDDEN.problem(Problem(Refusal.ONLY_DRAWN, ("9H", "9C")))
    assert only == "You may not play the 9♥ now: only the card that you have just drawn, or pass."


def test_the_coach() -> None:
    def says(state: State, words: Words = SIGNS, options: dict[str, str] | None = None) -> str:
        return words.coach(coach(context(state, options)))

    fits = moment(("8C 9H KC", *OTHERS), "8H")
    assert says(fits) == "Your turn: 8♣ or 9♥ fits the 8♥, so you may not draw."
    assert (
        says(fits, WORDS) == "Your turn: the 8 of clubs or the 9 of hearts fits the 8 of hearts, so you may not draw."
    )
    attacked = moment(("QS 4C", *OTHERS), "QD", pending=3)
    assert says(attacked) == (
        "Attack of 3 cards: nothing of yours answers it, so draw. "
        "The Q♠ can't turn the attack: on the Q♦ a queen or jack must have the suit, not the rank alone."
    )
    assert says(attacked, HIDDEN) == (
        "An attack of 3 cards waits for you. Your cards are hidden; `hide` shows them again."
    )
    assert says(fits, HIDDEN) == "Your turn. Your cards are hidden; `hide` shows them again."


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32), OPTIONS)
def test_the_coach_tells_nothing_of_a_hidden_hand(seed: int, options: dict[str, str]) -> None:
    """Whatever the hand, with the same table the veiled words are the same."""
    node = FakeNode(seed, options={**options, "turn_limit": "40"})
    node.sit("onecard")
    node.start()
    while node.table is not None and node.table.view is not None:
        game, view = node.table.game, node.table.view
        state = node._state
        mine = HIDDEN.coach(coach(context(state, options)))
        assert not re.search("[♣♦♥♠]", mine)
        node._act(game.format(next(iter(game.legal_actions(view)))))


# ---- the table


def test_what_fits_in_words() -> None:
    def fits(state: State, **options: str) -> str:
        return ", ".join(words_onecard.matching(game_of(options).options, state.public))

    assert fits(moment(OTHERS, "8H")) == "hearts or 8s"
    assert fits(moment(OTHERS, "KS")) == "spades or kings"
    assert fits(moment(OTHERS, "3H", pending=3)) == "2♥, 7♥, J♥, Q♥, any 3"
    assert fits(moment(OTHERS, "QD", pending=3)) == "2♦, 3♦, 7♦, J♦, Q♦"
    assert fits(moment(OTHERS, "QD", pending=3), redirect_by_rank="true") == "2♦, 3♦, 7♦, J♦, any Q"
    assert fits(moment(OTHERS, "3H", pending=3), free_defence="true") == "J♥, Q♥, any 2, 3 or 7"


def test_the_table_in_plain_words() -> None:
    state = moment(("9C", *OTHERS), "8H", turn=1, direction=-1, order=((0, "2S"),))
    lines = words_onecard.table(Voice(Cards.WORDS, "ana"), game_of().view(state, Seat(0)), NICKS[:4])
    assert lines == [
        "The top card is the 8 of hearts: hearts and 8s fit",
        "The turn goes ben, you, dan, cy, and so on",
        "The stock has 6 cards left; cards in hand: you 1, ben 3, cy 3, dan 3",
    ]
    order = ((0, "2S"), (1, "3S"))
    assert "Order cards" not in " ".join(lines)
    state = moment(("9C", *OTHERS), "2H", pending=2, bankrupt=(1, 3), order=order, actions=3)
    lines = words_onecard.table(Voice(Cards.WORDS, "ben"), game_of().view(state, None), NICKS[:4])
    assert lines == [
        "The top card is the 2 of hearts",
        "An attack of 2 cards waits for ana",
        "The turn goes ana, cy, and so on",
        "The stock has 6 cards left; cards in hand: ana 1, you 3, cy 3, dan 3",
        "Bankrupt and out of the round: you and dan",
        "Order cards: ana 2 of spades, you 3 of spades; ana has the lowest",
    ]


def test_the_table_while_the_stock_is_shuffled_and_after_the_round() -> None:
    waits = stepped(moment(("9C", *OTHERS), "8H", stock=""), "draw")
    lines = words_onecard.table(Voice(Cards.SIGNS, "ana"), game_of().view(waits, Seat(0)), NICKS[:4])
    assert lines[1] == "The stock has run out, and the discards are being shuffled"
    over = stepped(moment(("8C", *OTHERS), "8H"), "play 8C")
    lines = words_onecard.table(Voice(Cards.SIGNS, "ana"), game_of().view(over, Seat(0)), NICKS[:4])
    assert lines == ["The top card is 8♣", "The stock has 6 cards left; cards in hand: you 0, ben 3, cy 3, dan 3"]


def test_what_is_turned_up_before_the_first_turn() -> None:
    def opening(state: State, me: str = "ana", style: Cards = Cards.SIGNS) -> list[str]:
        return words_onecard.opening(Voice(style, me), game_of().view(state, Seat(0)), NICKS[:4])

    order = ((0, "4S"), (1, "9D"), (2, "4D"), (3, "KC"), (0, "JH"), (2, "6C"))
    state = moment(OTHERS + OTHERS[:1], "8H", actions=0, order=order)
    assert opening(state) == [
        "Order cards: you 4♠, ben 9♦, cy 4♦, dan K♣; again you J♥, cy 6♣; you have the lowest",
        "The starter card is 8♥",
    ]
    assert opening(state, "ben", Cards.WORDS)[1] == "The starter card is the 8 of hearts"
    assert opening(moment(OTHERS, "8H", actions=0)) == ["The starter card is 8♥"]
    assert opening(moment(OTHERS, "8H", actions=3)) == []
    assert opening(moment(OTHERS, "2H", actions=0, pending=2)) == ["The starter card is 2♥: you face 2 cards"]
    assert opening(moment(OTHERS, "QH", actions=0, direction=-1)) == ["The starter card is Q♥: the direction turns"]


def test_the_order_cards_are_told_with_the_beginning_of_the_round() -> None:
    node = FakeNode(5, options={"rounds": "2"})
    lines: list[tuple[str, ...]] = []
    node.listen(lambda notice: lines.append(SIGNS.notice(notice, node.table) if notice else ()))
    desk = Desk(node, lambda game: game, exit_=lambda code: None)
    node.listen(desk.heard)
    node.sit("onecard")
    node.start()
    begins = next(told for told in lines if told and told[0].startswith("Round 1: "))
    assert begins[1].startswith("Order cards: you ")
    assert begins[2].startswith("The starter card is ")
    heard = [(one.text, one.begins) for one in desk.local().happened]
    assert [text for text, begun in heard if begun] == [begins[0]]
    while node.table is not None and node.table.round == 1:
        if node.table.view is None:
            node.deal()
            continue
        node._act(node.table.game.format(next(iter(node.table.game.legal_actions(node.table.view)))))
    begins = next(told for told in lines if told and told[0].startswith("Round 2: "))
    assert len(begins) == 2
    assert begins[1].startswith("The starter card is ")


# ---- the end


def ending(state: State, options: dict[str, str] | None = None) -> list[str]:
    view = game_of(options).view(state, Seat(0))
    nicks = NICKS[: len(state.hands)]
    assert view.public.reason is not None
    winners = tuple(nicks[seat] for seat in view.public.winners)
    return words_onecard.ending(Voice(Cards.SIGNS, "ana"), view, view.public.reason, winners, nicks)


def test_somebody_went_out() -> None:
    over = stepped(moment(("8C", *OTHERS[:2]), "8H"), "play 8C")
    assert ending(over) == [
        "you played the last card and won the round",
        "ben had 3 cards left: 4♦ 4♠ T♣",
        "cy had 3 cards left: 5♥ 5♠ T♦",
    ]
    assert words_onecard.ending(Voice(Cards.SIGNS, "ana"), None, "out", ("ben",), NICKS[:2]) == [
        "ben played the last card and won the round"
    ]


def test_all_others_are_bankrupt() -> None:
    limit = {"bankrupt_at": "5"}
    over = stepped(moment(("9C 9D 9H", OTHERS[0]), "2S", pending=2), "draw", limit)
    assert ending(over, limit)[0] == "All others are bankrupt, so ben won the round"


def test_a_blocked_round() -> None:
    state = moment(("9C", OTHERS[0]), "8H", stock="", under="", idle=1)
    assert ending(stepped(state, "draw"))[0] == (
        "Nobody can play and nothing is left to draw: it is blocked, and nobody wins"
    )
    limit = {"turn_limit": "10"}
    long = stepped(moment(("9C", OTHERS[0]), "8H", actions=9), "draw", limit)
    assert ending(long, limit)[0] == "The round has gone on for too long: it is blocked, and nobody wins"
    assert words_onecard.ending(Voice(Cards.SIGNS), None, "blocked", (), ()) != []


def test_points_and_hand() -> None:
    view = game_of().view(moment(("8C", *OTHERS), "8H"), Seat(0))
    assert words_onecard.hand(view) == ""
    assert words_onecard.unit(game_of()) == "score"


# ---- whole matches


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.integers(2, 8), OPTIONS, st.sampled_from(["1", "2"]), st.booleans())
def test_a_whole_match_is_told_in_players_words(
    seed: int, seats: int, options: dict[str, str], decks: str, calls: bool
) -> None:
    words = SIGNS if calls else WORDS
    options = {**options, "decks": decks, "cards": "3", "turn_limit": "120"}
    node = FakeNode(seed, options=options)
    lines: list[str] = []

    def hear(notice: Notice | None) -> None:
        if notice is not None:
            lines.extend(words.notice(notice, node.table))

    node.listen(hear)
    node.sit("onecard", seats=seats)
    node.start()
    while node.table is not None and node.table.view is not None:
        actions = list(node.table.game.legal_actions(node.table.view))
        node._act(node.table.game.format(node._rng.choice(actions)))
    assert all(re.fullmatch(r"[^{}_]+[.!?]", line) for line in lines), lines
    assert not any("  " in line or " ." in line for line in lines)
    assert lines[-1].startswith("The match is over")

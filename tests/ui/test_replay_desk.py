"""Going about in a record: by what is typed, by turns and rounds, and what is answered on the way."""

from __future__ import annotations

import pytest

from p2pcards.bots.thinking import Thought
from p2pcards.errors import UserError
from p2pcards.games.base import Seat
from p2pcards.games.reel import Spot
from p2pcards.ui.replay_commands import WORDS, parse
from p2pcards.ui.replay_desk import KEYS, Viewing
from p2pcards.ui.theme import Look, Size
from tests.testing.replays import sample_reel

SIZE = Size(80, 24)


def desk(game: str = "tongits", eyes: Seat | None = None) -> Viewing:
    return Viewing(sample_reel(game), eyes)


def typed(viewing: Viewing, *lines: str) -> Spot:
    for line in lines:
        viewing.do(parse(line))
    return viewing.spot


def text(viewing: Viewing) -> str:
    return "\n".join("".join(part for _, part in line) for line in viewing.picture(SIZE, Look()))


def refused(viewing: Viewing, line: str) -> str:
    before = viewing.at, viewing.eyes, viewing.speed
    with pytest.raises(UserError) as refusal:
        viewing.do(parse(line))
    assert (viewing.at, viewing.eyes, viewing.speed) == before
    return str(refusal.value)


def test_words_go_where_they_say() -> None:
    viewing = desk()
    assert typed(viewing, "next", "n", "") == Spot(0, 3)
    assert typed(viewing, "back 2") == Spot(0, 1)
    assert typed(viewing, "turn 2") == Spot(0, 3)
    assert typed(viewing, "turn") == Spot(0, 6)
    assert typed(viewing, "round 3", "move 12") == Spot(2, 12)
    assert typed(viewing, "start") == Spot(0, 0)
    assert typed(viewing, "end") == Spot(2, 47)
    assert typed(viewing, "next 999999999", "back 9999") == Spot(0, 0)
    assert typed(viewing, "round") == Spot(1, 0)


def test_a_round_back_is_first_the_beginning_of_this_one() -> None:
    viewing = desk()
    typed(viewing, "round 2", "move 5")
    viewing.round(-1)
    assert viewing.spot == Spot(1, 0)
    viewing.round(-1)
    assert viewing.spot == Spot(0, 0)
    viewing.round(-1)
    assert viewing.spot == Spot(0, 0)
    typed(viewing, "round 3")
    viewing.round(1)
    assert viewing.spot == Spot(2, 47)


def test_turns_go_over_the_ends_of_rounds() -> None:
    viewing = desk()
    typed(viewing, "move 16")
    viewing.turn(1)
    assert viewing.spot == Spot(1, 0)
    viewing.turn(-1)
    assert viewing.spot == Spot(0, 16)
    typed(viewing, "start")
    viewing.turn(-1)
    assert viewing.spot == Spot(0, 0)


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("round 9", "There is no round 9. The record has 3 rounds."),
        ("round 0", "There is no round 0. The record has 3 rounds."),
        ("move 17", "There is no move 17. Round 1 has 16 moves."),
        ("turn 99", "There is no turn 99. Round 1 has 9 turns."),
        ("move", "`move` wants a number: `move 3`."),
        ("round two", "`round` wants a number, not 'two'."),
        ("round ²", "`round` wants a number, not '²'."),
        ("next -1", "`next` wants a number, not '-1'."),
        ("eyes dan", "Nobody at this table is called 'dan'; there is: bot-1, bot-2, bot-3, or all."),
        ("eyes 4", "Nobody at this table is called '4'; there is: bot-1, bot-2, bot-3, or all."),
        ("play fast", "'fast' is no speed: a number of moves a second, such as 2."),
        ("play nan", "'nan' is no speed: a number of moves a second, such as 2."),
        ("dance", "There is no 'dance' here; `help` lists the words."),
        ("legal now", "`legal` stands alone."),
    ],
)
def test_what_cannot_be_is_one_sentence_and_changes_nothing(line: str, sentence: str) -> None:
    assert refused(desk(), line) == sentence


def test_eyes_go_round_and_by_name_and_number() -> None:
    viewing = desk()
    seen = []
    for _ in range(4):
        viewing.do(parse("eyes"))
        seen.append(viewing.eyes)
    assert seen == [0, 1, 2, None]
    typed(viewing, "eyes BOT-2")
    assert viewing.eyes == 1
    typed(viewing, "eyes 3")
    assert viewing.eyes == 2
    typed(viewing, "eyes all")
    assert viewing.eyes is None


def test_what_was_legal_stands_there_with_what_was_done() -> None:
    viewing = desk(eyes=Seat(1))
    typed(viewing, "move 2")
    assert "discard TH" not in text(viewing)
    viewing.list_legal()
    assert "10 things could be done" in text(viewing)
    assert "▸ discard TH" in text(viewing)
    typed(viewing, "eyes bot-1")
    assert "bot-1 could do nothing here: bot-2 is to act." in text(viewing)
    assert "discard TH" not in text(viewing)


def test_what_was_legal_is_a_page_too() -> None:
    viewing = desk("tienlen")
    typed(viewing, "legal")
    assert viewing.page == "what was legal"
    assert "play 3" in text(viewing)
    first = text(viewing)
    viewing.turn_page(1, SIZE)
    assert text(viewing) != first
    typed(viewing, "next")
    assert not viewing.page


def test_at_the_end_of_a_round_nothing_is_legal() -> None:
    viewing = desk()
    typed(viewing, "move 16", "legal")
    assert "Nobody is to act here." in text(viewing)


def test_a_bot_is_asked_from_the_seat_that_is_to_act_alone() -> None:
    viewing = desk()
    with pytest.raises(UserError, match="The bot knows no more than a player: `eyes bot-2` first"):
        viewing.adviser_seat()
    typed(viewing, "eyes bot-1")
    with pytest.raises(UserError, match="It is not bot-1's turn: `eyes bot-2` first"):
        viewing.adviser_seat()
    typed(viewing, "eyes bot-2")
    assert viewing.adviser_seat() == 1
    typed(viewing, "move 16")
    with pytest.raises(UserError, match="Nobody is to act here"):
        viewing.adviser_seat()


def test_advice_names_what_was_next_best_and_in_how_many_deals() -> None:
    viewing = desk(eyes=Seat(1))
    typed(viewing, "move 2")
    told = viewing.advice(Thought("discard TS", "discard AS", 43), Seat(1))
    assert told == (
        "In your place the hard bot would `discard T♠`: of 43 deals that fit what you knew it came out best; "
        "next was `discard A♠`."
    )


def test_advice_says_where_it_wins_for_certain() -> None:
    viewing = desk(eyes=Seat(1))
    typed(viewing, "move 2")
    told = viewing.advice(Thought("call", sure=True), Seat(1))
    assert told == "In your place the hard bot would `call`: that wins the round, whatever the others hold."


def test_it_runs_from_the_beginning_again_once_it_is_over() -> None:
    viewing = desk()
    typed(viewing, "end", "play 4")
    assert (viewing.at, viewing.playing, viewing.speed) == (0, True, 4)
    typed(viewing, "play")
    assert not viewing.playing
    viewing.faster(1)
    assert viewing.speed == 8
    for _ in range(9):
        viewing.faster(-1)
    assert viewing.speed == 0.25


def test_help_has_every_word_and_key() -> None:
    viewing = desk()
    viewing.open_help()
    pages = []
    for _ in range(5):
        pages.append(text(viewing))
        viewing.turn_page(1, SIZE)
    whole = "\n".join(pages)
    for verb in WORDS:
        assert f" {verb}" in whole
    for key, _ in KEYS:
        if "{" not in key:
            assert key in whole

"""A position of a record as a screen: the same one whichever way one came, and nothing that those eyes may not see."""

from __future__ import annotations

import random
import re

import pytest
from msgspec.structs import replace

from p2pcards.cards import each
from p2pcards.games.base import Seat
from p2pcards.games.reel import Reel, Spot
from p2pcards.games.registry import GAMES
from p2pcards.table.notices import Acted
from p2pcards.ui import replay_words
from p2pcards.ui.frame import LEAST
from p2pcards.ui.replay_commands import parse
from p2pcards.ui.replay_desk import Viewing
from p2pcards.ui.replay_view import Shown, hand
from p2pcards.ui.replay_words import told
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from p2pcards.ui.width import width_of
from tests.testing.replays import EMPTY, OPEN, WRONG, reel, sample_reel

SIZES = (Size(80, 24), Size(120, 40), Size(60, 20), LEAST)

MOVES = ("next", "back", "turn", "round", "start", "end", "next 7", "back 5", "]")


def text(desk: Viewing, size: Size = SIZES[0]) -> str:
    lines = [*desk.picture(size, Look()), desk.keys_line(size, Look())]
    return "\n".join("".join(part for _, part in line) for line in lines)


def eyes_of(made: Reel) -> list[Seat | None]:
    return [None, *map(Seat, range(len(made.players)))]


@pytest.mark.parametrize("game", GAMES)
def test_forward_and_back_and_jumped_to_it_is_the_same_picture(game: str) -> None:
    made = sample_reel(game)
    dice = random.Random(game)  # noqa: S311 - a walk
    walked = Viewing(made)
    for _ in range(60):
        walked.do(parse(dice.choice(MOVES)))
        walked.look_as(dice.choice(eyes_of(made)))
        jumped = Viewing(made, walked.eyes)
        jumped.do(parse(f"round {walked.spot.round + 1}"))
        jumped.do(parse(f"move {walked.spot.move}"))
        assert text(walked) == text(jumped)
        if not walked.ended:
            walked.step(1)
            walked.step(-1)
            assert text(walked) == text(jumped)


@pytest.mark.parametrize("game", GAMES)
def test_every_position_fits_every_screen_and_says_where_it_is(game: str) -> None:
    made = sample_reel(game)
    for place in range(0, len(made.spots), 11):
        for eyes in eyes_of(made):
            for size in SIZES:
                desk = Viewing(made, eyes)
                desk.list_legal()
                desk.go_to(place)
                lines = [*desk.picture(size, Look()), desk.keys_line(size, Look())]
                assert len(lines) == size.rows
                assert max(map(width_of, lines)) <= size.cols
                spot = made.spots[place]
                assert f"round {spot.round + 1} of {made.rounds} · move {spot.move}" in text(desk, size)


@pytest.mark.parametrize("game", ["tongits", "tienlen", "straights"])
def test_a_seat_sees_no_card_of_another_hand(game: str) -> None:
    """In games of one deck a card in another hand stands nowhere on the screen."""
    made = sample_reel(game)
    shown = 0
    for spot in made.spots:
        if made.outcome(spot) is not None:
            continue
        for eyes in map(Seat, range(len(made.players))):
            desk = Viewing(made, eyes, Shown(mode="text"))
            if game != "straights":  # there what is legal names what may follow, whoever has it
                desk.list_legal()
            desk.go_to(made.place(spot))
            seen = set(re.findall(r"[A2-9TJQK][♠♥♦♣]", text(desk)))
            others = {
                made.game.ranking.format(card)
                for seat in map(Seat, range(len(made.players)))
                if seat != eyes
                for card in hand(made, spot, seat, "")
            }
            signs = {f"{card[0]}{dict(zip('SHDC', '♠♥♦♣', strict=True))[card[1]]}" for card in others}
            assert not seen & signs, (spot, eyes)
            shown += len(seen)
    assert shown


@pytest.mark.parametrize("game", GAMES)
def test_with_all_hands_open_every_card_of_every_hand_is_there(game: str) -> None:
    made = sample_reel(game)
    desk = Viewing(made)
    for place in range(0, len(made.spots), 7):
        desk.go_to(place)
        picture = text(desk, Size(160, 50))
        for seat in map(Seat, range(len(made.players))):
            for card in each(made.game.hand(made.game.view(made.state(desk.spot), seat))):
                name = made.game.ranking.format(card)
                assert f"{name[0]}{dict(zip('SHDC', '♠♥♦♣', strict=True))[name[1]]}" in picture


@pytest.mark.parametrize("game", GAMES)
def test_every_move_is_told_to_all_eyes(game: str) -> None:
    made = sample_reel(game)
    for spot in made.spots:
        for eyes in eyes_of(made):
            for cards in Cards:
                lines = told(made, spot, eyes, cards)
                assert lines
                assert all(line.endswith((".", "!")) and "no action" not in line for line in lines), lines


def test_answers_and_cards_put_aside_are_not_told_to_others() -> None:
    tongits = sample_reel("tongits")
    veiled = next(spot for spot in tongits.spots if tongits.veiled(spot))
    step = tongits.last(veiled)
    assert step is not None
    for eyes in map(Seat, range(3)):
        (line,) = told(tongits, veiled, eyes, Cards.SIGNS)
        assert ("fold" in line) == (eyes == step.seat), line
    straights = sample_reel("straights")
    for spot in straights.spots:
        step = straights.last(spot)
        if step and step.text.startswith("discard"):
            other = Seat((step.seat + 1) % 4)
            line = told(straights, spot, other, Cards.SIGNS)[0]
            assert line == f"{straights.players[step.seat]} put a card aside, face down."


def test_words_for_others_are_not_given_what_is_sealed(monkeypatch: pytest.MonkeyPatch) -> None:
    made = sample_reel("straights")
    given: list[str] = []

    class Words:
        def acted(self, voice: object, notice: Acted, who: str, nicks: object) -> str:
            given.append(notice.text)
            return who

        def ending(self, *rest: object) -> list[str]:
            return ["over"]

    monkeypatch.setattr(replay_words, "GAME_WORDS", {"straights": Words()})
    for spot in made.spots:
        step = made.last(spot)
        if step and step.text.startswith("discard"):
            told.__wrapped__(made, spot, Seat((step.seat + 1) % 4), Cards.SIGNS)
            told.__wrapped__(made, spot, step.seat, Cards.SIGNS)
            told.__wrapped__(made, spot, None, Cards.SIGNS)
            assert given[-3:] == ["discard", step.text, step.text]
    assert given


def test_a_score_sheet_claims_no_check() -> None:
    desk = Viewing(sample_reel("tongits"))
    desk.do(parse("move 16"))
    picture = text(desk)
    assert "won the round" in picture
    assert "checking" not in picture
    assert "in order" not in picture
    assert "waiting" not in picture.lower()


def test_a_record_without_an_end_and_a_wrong_one_say_so_at_theirs() -> None:
    desk = Viewing(reel(OPEN))
    desk.do(parse("end"))
    assert "ben is to act." in text(desk)
    assert "move 3 of 3" in text(desk)
    desk = Viewing(reel(WRONG))
    assert "line 3" in text(desk)
    desk.do(parse("next"))
    assert "line 3" not in text(desk)
    desk.do(parse("end"))
    assert "Here it goes wrong: round 1, line 3" in text(desk)
    assert "move 2 of 2" in text(desk)
    desk = Viewing(reel(EMPTY))
    assert "move 0 of 0" in text(desk)
    desk.do(parse("next"))
    assert desk.ended


def test_strange_titles_are_shown_as_text_on_one_line() -> None:
    made = sample_reel("tongits")
    made.record = replace(made.record, title="\x1b[31mred\n\u202egnp.exe " + "x" * 200)
    for size in SIZES:
        picture = text(Viewing(made), size)
        assert "\x1b" not in picture
        assert "\u202e" not in picture
        assert len(picture.split("\n")) == size.rows


def test_a_large_table_of_long_names_leaves_room_for_where_it_is() -> None:
    made = sample_reel("onecard")
    assert made.spots[30] == Spot(1, 9)
    desk = Viewing(made, Seat(3))
    desk.go_to(30)
    assert "round 2 of 3 · move 9 of 80" in text(desk, LEAST)

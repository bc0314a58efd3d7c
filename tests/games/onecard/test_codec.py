"""Views as bytes."""

from __future__ import annotations

import msgspec
import pytest

from p2pcards.games.base import Seat
from p2pcards.games.onecard import codec
from tests.games.onecard.builder import Round
from tests.games.rewritten import rewritten


def _played() -> Round:
    """B has drawn one of two cards and waits for the dealer."""
    played = Round("2H 4C", "5C 8H 8H", "6C", top="8D", under="9S 8S", stock="KC", must_play=False, starter_effect=True)
    return played.play("A draw", "B play 8H", "C draw")


def test_there_and_back() -> None:
    for played in (_played(), _played().play("dealer shuffle 8S 8D 9S"), Round("4C", "5C", top="8H")):
        for seat in (Seat(0), Seat(1), None):
            view = played.game.view(played.state, seat)
            assert codec.decode(codec.encode(view)) == view


def test_a_drawn_card_is_in_the_drawers_view_alone() -> None:
    played = Round("4C", "5C", top="8H", draw_then_play=True).play("A draw")
    mine, other = (codec.decode(codec.encode(played.game.view(played.state, Seat(seat)))) for seat in (0, 1))
    assert (mine.drawn, other.drawn) == (12, None)


def test_the_length_tells_nothing_about_which_cards() -> None:
    low, high = (Round(hand, "4C", top="8H", decks=4) for hand in ("AC AC 2C", "KS KS KS"))
    lengths = {len(played.game.encode_view(played.game.view(played.state, Seat(0)))) for played in (low, high)}
    assert len(lengths) == 1


def test_one_byte_a_card_and_copies_are_a_number() -> None:
    played = Round("8H 8H AC", "4C", top="8D")
    assert bytes([0, 30, 82]) in codec.encode(played.game.view(played.state, Seat(0)))


def _wire(**changed: object) -> bytes:
    played = _played()
    return rewritten(codec.encode(played.game.view(played.state, Seat(1))), codec._Wire, **changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"hand": b"\x05\x03"},
        {"hand": b"\x05\x05"},
        {"hand": b"\x34"},
        {"hand": b"\xd0"},
        {"hand": "ab"},
        {"hand": bytes(209)},
        {"drawn": 16},
        {"drawn": 52},
        {"seat": 3},
        {"seat": 8},
        {"turn": -1},
        {"turn": 3},
        {"starter": 7},
        {"phase": "later"},
        {"phase": "turn"},
        {"phase": "over"},
        {"direction": 0},
        {"direction": 2},
        {"pending": -1},
        {"counts": [1]},
        {"counts": [1] * 9},
        {"counts": [1, 2, 209]},
        {"discards": b""},
        {"discards": b"\x05"},
        {"discards": b"\x05\x34"},
        {"skipped": 3},
        {"drawing": None},
        {"drawing": [3, "turn", 1, 1]},
        {"drawing": [1, "fun", 1, 1]},
        {"drawing": [1, "turn", 1]},
        {"bankrupt": [1, 1]},
        {"bankrupt": [0, 1, 2]},
        {"order": [[0, 52]]},
        {"order": [[3, 5]]},
        {"reason": "won"},
        {"reason": "out"},
        {"winners": [0, 1]},
        {"winners": [3]},
        {"left": [b"", b""]},
        {"left": [b"\x34", b"", b""]},
    ],
)
def test_what_no_view_encodes_to_is_refused(changed: dict[str, object]) -> None:
    codec.decode(_wire())
    with pytest.raises(msgspec.MsgspecError):
        codec.decode(_wire(**changed))

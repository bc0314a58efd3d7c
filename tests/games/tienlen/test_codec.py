"""Views as bytes."""

from __future__ import annotations

import msgspec
import pytest

from p2pcards.games.base import Seat
from p2pcards.games.tienlen import codec
from tests.games.rewritten import rewritten
from tests.games.tienlen.builder import Round

BOMB = "4S 4C 5S 5C 6S 6C"


def _played() -> Round:
    played = Round("3S 2S 9D KC", f"{BOMB} 8C", "2C 2D 2H 2S", "KH QH", instant_win="goes_out_first")
    return played.play("A 3S", "B 8C", "D KH", "A 2S", f"B {BOMB}")


def _over() -> Round:
    return Round("3S", "4S 5S").play("A 3S")


@pytest.mark.parametrize("played", [_played(), _over(), Round("3S 4D", "5D 6D", first_lead="lowest_card")])
def test_there_and_back(played: Round) -> None:
    for seat in (Seat(0), Seat(1), None):
        view = played.game.view(played.state, seat)
        assert codec.decode(codec.encode(view)) == view


def test_the_length_tells_nothing_about_which_cards() -> None:
    low, high = Round("3S 4S 5S", "6S 6C"), Round("2S AS KS", "6S 6C")
    assert len(low.game.encode_view(low.game.view(low.state, Seat(0)))) == len(
        high.game.encode_view(high.game.view(high.state, Seat(0)))
    )


def test_one_byte_a_card() -> None:
    played = Round("3S 2H AD", "4C")
    assert bytes([0, 46, 51]) in codec.encode(played.game.view(played.state, Seat(0)))


def _wire(**changed: object) -> bytes:
    played = _played()
    return rewritten(codec.encode(played.game.view(played.state, Seat(0))), codec._Wire, **changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"hand": b"\x05\x03"},
        {"hand": b"\x05\x05"},
        {"hand": b"\x34"},
        {"hand": "ab"},
        {"hand": bytes(60)},
        {"seat": 4},
        {"turn": -1},
        {"phase": "later"},
        {"counts": [1]},
        {"counts": [1, 2, 3, 4, 5]},
        {"counts": [1, 2, 3]},
        {"counts": [1, 2, 3, 53]},
        {"passed": [False] * 3},
        {"must": 52},
        {"pile": b"\x00\x07"},
        {"pile": b"\x99"},
        {"trick": [[0, b"\x05\x03"]]},
        {"trick": [[7, b"\x05"]]},
        {"chops": [[0, 1, b"\x34"]]},
        {"instant": [0, "three_twos", b""]},
        {"reason": "won"},
        {"winners": [0, 1, 2, 3, 0]},
        {"shown": [b"\x40"]},
        {"shown": [b"", b""]},
        {"counts": [13, 13], "passed": [False] * 2, "active": [False] * 2, "turn": 3},
        {"counts": [13, 13], "passed": [False] * 2, "active": [False] * 2, "winners": [2]},
    ],
)
def test_what_no_view_encodes_to_is_refused(changed: dict[str, object]) -> None:
    codec.decode(_wire())
    with pytest.raises(msgspec.MsgspecError):
        codec.decode(_wire(**changed))

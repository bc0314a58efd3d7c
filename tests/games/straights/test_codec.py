"""Views as bytes."""

from __future__ import annotations

import msgspec
import pytest

from p2pcards.games.straights import Straights, StraightsOptions, codec
from tests.games.rewritten import rewritten
from tests.games.straights.builder import Round

START = Straights().start_card


def _played() -> Round:
    played = Round("7S 8S 9S", "KC 2C 3C", "KD 6S 7H", "KH 5S 4S")
    return played.play("A play 7S", "B discard KC", "C play 6S", "D play 5S", "A play 8S", "B discard 2C", "C play 7H")


def _over() -> Round:
    return Round("7S", "KD 2C", "AS", "9H", mode="sevens_pass").play("A play 7S")


@pytest.mark.parametrize("played", [Round("7S KS"), _played(), _over()])
def test_there_and_back(played: Round) -> None:
    for name in ("A", "B", "C", "D", ""):
        view = played.view(name)
        assert codec.decode(codec.encode(view), START) == view


def test_the_start_card_comes_from_the_options() -> None:
    played = Round("7D KS", start_card="7D")
    view = played.view("A")
    assert played.game.decode_view(played.game.encode_view(view)) == view
    assert Straights(StraightsOptions(start_card="7H")).decode_view(codec.encode(view)) != view


def test_a_card_put_aside_adds_to_its_owner_s_view_alone() -> None:
    """And there one byte for each, whatever card it is."""
    low, high = Round("7S", "2C KC"), Round("7S", "2C KC")
    low.play("A play 7S", "B discard 2C")
    high.play("A play 7S", "B discard KC")
    for name in ("A", "C", "D", ""):
        assert codec.encode(low.view(name)) == codec.encode(high.view(name))
    assert codec.encode(low.view("B")) != codec.encode(high.view("B"))
    assert len(codec.encode(low.view("B"))) == len(codec.encode(high.view("B")))


def test_the_length_tells_nothing_about_which_cards() -> None:
    low, high = Round("7S AC 2C", "3C", "4C", "5C"), Round("7S KS QS", "JS", "TS", "9S")
    for name in ("A", "B", "C", "D", ""):
        assert len(codec.encode(low.view(name))) == len(codec.encode(high.view(name)))


def test_one_byte_a_card() -> None:
    assert bytes([0, 27, 51]) in codec.encode(Round("KS AC 7S").view("A"))


def _wire(**changed: object) -> bytes:
    return rewritten(codec.encode(_played().view("B")), codec._Wire, **changed)


@pytest.mark.parametrize(
    "changed",
    [
        {"hand": b"\x05\x03"},
        {"hand": b"\x34"},
        {"hand": "ab"},
        {"own": b"\x40"},
        {"own": bytes(60)},
        {"seat": 4},
        {"turn": -1},
        {"starter": 4},
        {"counts": [1, 2, 3]},
        {"counts": [1, 2, 3, 53]},
        {"piles": [None] * 3},
        {"piles": [None, None, None, [7, 8]]},
        {"piles": [None, None, None, [3, 13]]},
        {"piles": [None, None, None, [3, 5]]},
        {"lacked": [b"\x00" * 6, b"", b"", b""]},
        {"lacked": [b"\xff" * 7, b"", b"", b""]},
        {"lacked": [b"\x00" * 7 * 53, b"", b"", b""]},
        {"passed": 5},
        {"discards": [b"\x99", b"", b"", b""]},
        {"left": [b"\x02\x01", b"", b"", b""]},
        {"left": [b""] * 5},
        {"points": [b"\x01"] * 4},
        {"reason": "won"},
        {"winners": [4]},
    ],
)
def test_what_no_view_encodes_to_is_refused(changed: dict[str, object]) -> None:
    codec.decode(_wire(), START)
    with pytest.raises(msgspec.MsgspecError):
        codec.decode(_wire(**changed), START)

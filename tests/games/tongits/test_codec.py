"""Views as bytes."""

from __future__ import annotations

import msgspec
import pytest

from p2pcards.games.base import Seat
from p2pcards.games.tongits import codec
from tests.games.rewritten import rewritten
from tests.games.tongits.builder import Round


def _played() -> Round:
    played = Round("AS 2S 3S 9D KC", "4C 4D 4H 4S 5S QC 8C", "QD JD", stock="6C 6D TD 7D")
    played.play("A draw", "A expose AS 2S 3S", "A discard 9D", "B draw", "B expose 4C 4D 4H", "B discard QC")
    return played.play("C draw", "C discard QD", "A call", "B challenge")


def test_there_and_back() -> None:
    played = _played()
    for seat in (Seat(0), Seat(1), Seat(2), None):
        view = played.game.view(played.state, seat)
        assert codec.decode(codec.encode(view)) == view


def test_the_length_tells_nothing_about_which_cards() -> None:
    low = Round("AS 2S 3S", "4C 4D", "QD JD")
    high = Round("KS QS JS", "4C 4D", "9D 8D")
    assert len(low.game.encode_view(low.game.view(low.state, Seat(0)))) == len(
        high.game.encode_view(high.game.view(high.state, Seat(0)))
    )


def test_one_byte_a_card() -> None:
    played = Round("KS AC 3H", "4C", "QD")
    assert bytes([0, 10, 51]) in codec.encode(played.game.view(played.state, Seat(0)))


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
        {"discards": b"\x99"},
        {"seat": 3},
        {"turn": -1},
        {"phase": "later"},
        {"counts": [1, 2]},
        {"counts": [1, 2, 3, 4]},
        {"counts": [1, 2, 53]},
        {"melds": [[0, b"\x01\x02"]]},
        {"melds": [[0, b""]]},
        {"melds": [[7, b"\x00\x01\x02"]]},
        {"shown": [[0, b"\x40", b"\x00\x01"]]},
        {"shown": [[0, b"\x01", b"\x01"]]},
        {"reason": "won"},
        {"melds": [[0, b"\x00\x01\x02"]] * 18},
        {"call_blocked": [None, None]},
    ],
)
def test_what_no_view_encodes_to_is_refused(changed: dict[str, object]) -> None:
    codec.decode(_wire())
    with pytest.raises(msgspec.MsgspecError):
        codec.decode(_wire(**changed))

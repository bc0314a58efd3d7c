"""The join code (protocol 5.3): two words typed by people, and runs that show who knows them and nothing else."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.code import (
    POINT_BYTES,
    Joining,
    answer,
    code_words,
    confirm_i,
    confirm_r,
    confirms_i,
    confirms_r,
    new_code,
    read_code,
)
from tests.testing.tally import Tally

CODE, KEY_I, KEY_R, SESSION = "mango-tiger", b"i" * 32, b"r" * 32, b"s" * 32
P = 2**255 - 19


def dice(byte: bytes) -> Callable[[int], bytes]:
    return lambda count: byte * count


def joining(code: str = CODE, key_i: bytes = KEY_I, key_r: bytes = KEY_R, session: bytes = SESSION) -> Joining:
    return Joining(code, key_i, key_r, session, dice(b"\7"))


def answered(point: bytes) -> tuple[bytes, bytes]:
    return answer(CODE, KEY_I, KEY_R, SESSION, point, dice(b"\x08"))


# ---- what people see and type


@given(st.integers(0, 2**24 - 1))
def test_every_fresh_code_is_two_words_and_can_be_read(bits: int) -> None:
    code = new_code(lambda count: bits.to_bytes(count, "big"))
    assert read_code(code) == code
    first, second = code.split("-")
    assert code_words().index(first) | code_words().index(second) << 11 == bits % 2**22


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("mango-tiger", "mango-tiger"),
        ("MANGO-Tiger", "mango-tiger"),
        ("  mango   tiger\n", "mango-tiger"),
        ("mango - tiger", "mango-tiger"),
        ("zoo zoo", "zoo-zoo"),
        ("mango", None),
        ("mango-tiger-zoo", None),
        ("mango-tigre", None),
        ("mangotiger", None),
        ("mang-tige", None),
        ("mango_tiger", None),
        ("", None),
        ("-", None),
        ("mango-t\u0131ger", None),
        ("mango-tiger\x1b[2J", None),
    ],
)
def test_codes_as_people_type_them(text: str, code: str | None) -> None:
    assert read_code(text) == code


@given(st.text(max_size=40) | st.lists(st.sampled_from(["mango", "Tiger", "-", " ", "zoo"])).map("".join))
def test_reading_a_code_is_total_and_gives_what_reads_as_itself(text: str) -> None:
    code = read_code(text)
    assert code is None or read_code(code) == code


# ---- runs


def test_both_ends_with_the_code_have_one_secret_and_can_show_it() -> None:
    run = joining()
    point_r, secret = answered(run.point)
    assert run.finish(point_r) == secret
    assert len(secret) == 32
    assert len(run.point) == len(point_r) == POINT_BYTES
    assert (run.point[:1], point_r[:1]) == (b"A", b"B")
    place = (secret, SESSION, run.point, point_r)
    assert confirms_i(*place, confirm_i(*place))
    assert confirms_r(*place, confirm_r(*place))


@pytest.mark.parametrize(
    "differs",
    [
        {"code": "tiger-mango"},
        {"code": "mango-tigers"},
        {"key_i": b"e" * 32},
        {"key_r": b"e" * 32},
        {"key_i": KEY_R, "key_r": KEY_I},
        {"session": b"e" * 32},
    ],
    ids=["code", "nearly the code", "dialler", "dialled", "turned round", "session"],
)
def test_ends_that_differ_in_anything_have_no_secret_in_common(differs: dict[str, Any]) -> None:
    other = joining(**differs)
    point_r, secret_r = answered(other.point)
    secret_i = other.finish(point_r)
    place = (SESSION, other.point, point_r)
    assert secret_i != secret_r
    assert not confirms_i(secret_r, *place, confirm_i(secret_i, *place))
    assert not confirms_r(secret_i, *place, confirm_r(secret_r, *place))


def test_a_confirmation_is_of_one_end_one_session_and_both_points() -> None:
    run = joining()
    point_r, secret = answered(run.point)
    place = (secret, SESSION, run.point, point_r)
    assert not confirms_i(*place, confirm_r(*place))
    assert not confirms_r(*place, confirm_i(*place))
    for part in range(4):
        changed = list(place)
        changed[part] = bytes([changed[part][0] ^ 1]) + changed[part][1:]
        assert not confirms_i(*place, confirm_i(*changed))
        assert not confirms_r(*place, confirm_r(*changed))
    for said in (b"", confirm_i(*place)[:16], confirm_i(*place) + b"\0"):
        assert not confirms_i(*place, said)


def test_another_run_with_the_same_code_has_another_secret() -> None:
    one, other = joining(), Joining(CODE, KEY_I, KEY_R, SESSION, dice(b"\x09"))
    point_r, secret = answered(one.point)
    assert one.point != other.point
    assert other.finish(point_r) != secret


def test_a_run_is_finished_once() -> None:
    run = joining()
    point_r, _ = answered(run.point)
    run.finish(point_r)
    with pytest.raises(ProtocolError):
        run.finish(point_r)


def test_our_own_half_is_refused() -> None:
    run = joining()
    for half in (run.point, b"B" + run.point[1:]):
        with pytest.raises(ProtocolError):
            joining().finish(half)
    point_r, _ = answered(run.point)
    for half in (point_r, b"A" + point_r[1:]):
        with pytest.raises(ProtocolError):
            answered(half)


ORDER_8 = (
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
)
SMALL = [*(y.to_bytes(32, "little") for y in (0, 1, P - 1, P, P + 1)), *map(bytes.fromhex, ORDER_8)]
POINTS = {
    **{f"small {n}": point for n, point in enumerate(SMALL)},
    **{f"small {n}, other sign": point[:31] + bytes([point[31] | 0x80]) for n, point in enumerate(SMALL)},
    "on no curve": (2).to_bytes(32, "little"),
    "twice the order": ((P - 4 * pow(5, -1, P)) % P).to_bytes(32, "little"),  # base point and the one of order 2
    "all ones": b"\xff" * 32,
}
HALVES = {
    **{f"{side.decode()}, {name}": side + POINTS[name] for name in POINTS for side in (b"A", b"B")},
    "nothing": b"",
    "a side alone": b"A",
    "too short": joining().point[:-1],
    "too long": joining().point + b"\0",
    "symmetric": b"S" + joining().point[1:],
    "turned": joining().point[1:] + b"A",
}


@pytest.mark.parametrize("half", HALVES.values(), ids=HALVES)
def test_bad_halves_are_refused_at_either_end(half: bytes) -> None:
    with pytest.raises(ProtocolError):
        answered(half)
    if half[:1] != b"A" or len(half) != POINT_BYTES:
        with pytest.raises(ProtocolError):
            joining().finish(half)


@pytest.mark.parametrize("half", ["nothing", "a side alone", "too short", "too long", "symmetric"])
def test_what_is_no_half_at_all_never_reaches_the_library(half: str) -> None:
    with pytest.raises(ProtocolError, match="length or side"):
        answered(HALVES[half])


@settings(max_examples=25)
@given(st.binary(max_size=40) | st.binary(min_size=32, max_size=32).map(b"A".__add__))
def test_answering_is_total(half: bytes) -> None:
    """About one string in sixteen is a point of the right order: then its sender doesn't get our secret."""
    try:
        point, secret = answered(half)
    except ProtocolError:
        return
    assert len(point) == POINT_BYTES
    assert secret != answered(joining().point)[1]


def test_a_half_changed_on_its_way_gives_no_common_secret(tally: Tally) -> None:
    """A bit of each byte; all 264 would take seconds."""
    for at in range(POINT_BYTES):
        run = joining()
        changed = bytearray(run.point)
        changed[at] ^= 1 << at % 8
        try:
            point_r, secret = answered(bytes(changed))
        except ProtocolError:
            continue
        assert run.finish(point_r) != secret
    tally("3 single-bit flips of halves of a run with the code", POINT_BYTES)


def test_bad_halves_are_refused_where_asserts_are_left_out_too() -> None:
    script = """
import sys
from p2pcards.errors import ProtocolError
from p2pcards.wire.code import answer
for half in sys.argv[1:]:
    try:
        answer("mango-tiger", bytes(32), bytes(32), bytes(32), bytes.fromhex(half), bytes)
    except ProtocolError:
        print("refused")
"""
    halves = [half.hex() for half in HALVES.values()]
    command = [sys.executable, "-O", "-c", script, *halves]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["refused"] * len(halves)


def test_a_run_shows_nothing() -> None:
    assert repr(joining()) == "Joining()"
    assert not hasattr(joining(), "__dict__")

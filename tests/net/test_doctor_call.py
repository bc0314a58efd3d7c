"""A doctor's word by multicast: read back, told from everything else, and nothing to anybody else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.net.adverts import TYPE
from p2pcards.net.doctor_call import LONGEST, NOBODY, Call, is_answer, read, token, write

A = "0123456789abcdef"


@pytest.mark.parametrize(
    "call", [Call("ask", A), Call("tell", A, "f" * 16, 65535), Call("tell", token(), NOBODY, 25252)]
)
def test_a_call_is_read_as_it_was_written(call: Call) -> None:
    packet = write(call)
    assert read(packet) == call
    assert len(packet) <= LONGEST
    assert packet != write(call)  # the same bytes twice would be taken for an echo


@pytest.mark.parametrize(
    "call",
    [Call("shout", A), Call("ask", A[:-1]), Call("ask", A.upper()), Call("ask", A, "x" * 16), Call("ask", A, A, 65536)],
)
def test_what_is_not_quite_one_is_none(call: Call) -> None:
    assert read(write(call)) is None


def test_no_answer_and_no_longer_packet_is_one() -> None:
    packet = write(Call("ask", A))
    assert read(packet[:2] + b"\x84\0" + packet[4:]) is None
    assert read(packet + b"\0") is None
    assert read(packet[:12] + b"\x03abc" + packet[12:]) is None


@given(st.binary(max_size=300), st.integers(0, 90))
def test_garbage_is_none_and_raises_nothing(garbage: bytes, place: int) -> None:
    assert read(garbage) is None
    packet = write(Call("ask", A))
    damaged = packet[:place] + garbage[:1] + packet[place + 1 :]
    assert read(damaged) in (None, read(packet)) or place >= 12
    is_answer(garbage)


def test_to_the_rest_of_the_network_it_is_a_question_about_another_service() -> None:
    from zeroconf._protocol.incoming import DNSIncoming

    heard = DNSIncoming(write(Call("tell", A, NOBODY, 25252)))
    (question,) = heard.questions
    assert heard.valid
    assert heard.is_query()
    assert heard.answers() == []
    assert question.name.endswith("._p2pcards-doctor._tcp.local.")
    assert not question.name.endswith(TYPE)

"""Guests that guess at the join code (protocol 10, suite 6: T8), and those who send what is no guess.

Nothing that they do opens the table, and nothing harms it.
"""

from __future__ import annotations

import pytest

from p2pcards.table.door import GUESSES, RUN_SECONDS
from p2pcards.table.notices import CodeIs, PakeRun
from p2pcards.wire.code import POINT_BYTES, Joining, confirm_i
from p2pcards.wire.messages import Close, Confirm, Method, Pake, Reason, Welcome
from tests.table.test_access import hello
from tests.testing.cluster import Cluster, identity, session
from tests.testing.evil import CODE, SUITE, evening, hang_up, last, unmoved
from tests.testing.tally import Tally

HOST = identity("host").key


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(SUITE)


class Guess:
    """One run at the door, step by step."""

    def __init__(self, cluster: Cluster, code: str, name: str = "eve") -> None:
        self.line = cluster.line(name)
        self.th3 = session(self.line.link)
        self.run = Joining(code, identity(name).key, HOST, self.th3, cluster.rng.randbytes)
        answers = unmoved(cluster, self.line, hello(name, method=Method.CODE, proof=self.run.point))
        self.pake = next((answer for answer in answers if isinstance(answer, Pake)), None)

    @property
    def mac(self) -> bytes:
        assert self.pake is not None
        return confirm_i(self.run.finish(self.pake.point), self.th3, self.run.point, self.pake.point)

    def confirm(self) -> None:
        self.line.send(Confirm(self.mac))


def new_codes(cluster: Cluster) -> list[str]:
    """Why there were others since the table is open."""
    return [notice.why for notice in cluster.host_notices if isinstance(notice, CodeIs)][1:]


def test_a_wrong_code_opens_nothing_and_the_right_one_does() -> None:
    with evening("code", code=CODE) as cluster:
        guess = Guess(cluster, "tiger-mango")
        guess.confirm()
        last(guess.line, Reason.WRONG_CODE)
        cluster.pass_time(RUN_SECONDS)
        guess = Guess(cluster, CODE)
        guess.confirm()
        assert guess.line.heard(Welcome)


def test_one_guess_a_run() -> None:
    with evening("code", code=CODE) as cluster:
        guess = Guess(cluster, CODE)
        guess.line.send(Confirm(bytes(32)), Confirm(guess.mac))
        last(guess.line, Reason.WRONG_CODE)
        assert not guess.line.heard(Welcome)


def test_a_second_hello_in_a_run_ends_it_and_counts_as_a_guess() -> None:
    with evening("code", code=CODE) as cluster:
        for _ in range(GUESSES):
            guess = Guess(cluster, "tiger-mango")
            guess.line.send(hello("eve", method=Method.CODE, proof=guess.run.point))
            last(guess.line, Reason.BROKEN)
            cluster.pass_time(RUN_SECONDS)
        assert new_codes(cluster) == ["guessed"]


def test_a_confirmation_of_another_run_opens_nothing() -> None:
    """Not even of one with the right code."""
    with evening("code", code=CODE) as cluster:
        first = Guess(cluster, CODE, "dot")
        cluster.pass_time(RUN_SECONDS)
        second = Guess(cluster, CODE)
        second.line.send(Confirm(first.mac))
        last(second.line, Reason.WRONG_CODE)


def test_a_half_sent_back_is_none() -> None:
    with evening("code", code=CODE) as cluster:
        first = Guess(cluster, CODE, "dot")
        assert first.pake is not None
        for point in (first.pake.point, b"B" + first.run.point[1:]):
            cluster.pass_time(RUN_SECONDS)
            line = cluster.line("eve")
            unmoved(cluster, line, hello("eve", method=Method.CODE, proof=point))
            last(line, Reason.WRONG_CODE)


IDENTITY = bytes([1, *bytes(31)])
ORDER_TWO = bytes.fromhex("ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f")
ORDER_FOUR = bytes(32)
ORDER_EIGHT = bytes.fromhex("26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05")
NO_POINT = bytes([2, *bytes(31)])


NO_HALVES = {
    "neutral": IDENTITY,
    "neutral with a sign": IDENTITY[:31] + b"\x80",
    "order 2": ORDER_TWO,
    "order 4": ORDER_FOUR,
    "order 8": ORDER_EIGHT,
    "off the curve": NO_POINT,
    "not reduced": b"\xff" * 32,
}


def test_a_half_that_would_fix_the_secret_is_none_and_counts_as_a_guess(tally: Tally) -> None:
    with evening("code", code=CODE) as cluster:
        for count, (name, point) in enumerate(NO_HALVES.items(), 1):
            line = cluster.line("eve")
            answers = unmoved(cluster, line, hello("eve", method=Method.CODE, proof=b"A" + point))
            assert [type(answer) for answer in answers] == [Close], name
            last(line, Reason.WRONG_CODE)
            cluster.pass_time(RUN_SECONDS)
            assert new_codes(cluster) == ["guessed"] * (count // GUESSES)
    tally(SUITE, len(NO_HALVES) - 1)


def test_a_half_of_another_length_is_no_guess_and_costs_no_run() -> None:
    with evening("code", code=CODE) as cluster:
        before = [notice for notice in cluster.host_notices if isinstance(notice, PakeRun)]
        for length in (0, 1, POINT_BYTES - 1, POINT_BYTES + 1, 63, 64):
            line = cluster.line("eve")
            unmoved(cluster, line, hello("eve", method=Method.CODE, proof=b"A" * length))
            last(line, Reason.WRONG_CODE)
        assert [notice for notice in cluster.host_notices if isinstance(notice, PakeRun)] == before
        assert new_codes(cluster) == []


def test_no_more_than_one_guess_a_second_by_whomever() -> None:
    with evening("code", code=CODE) as cluster:
        assert Guess(cluster, "tiger-mango", "eve").pake is not None
        cluster.pass_time(RUN_SECONDS - 0.01)
        last(Guess(cluster, CODE, "dot").line, Reason.TOO_FAST)
        cluster.pass_time(0.01)
        assert Guess(cluster, CODE, "dot").pake is not None


@pytest.mark.parametrize("way", ["wrong", "gone", "closed", "zeros"])
def test_five_guesses_and_the_code_is_another(way: str) -> None:
    """A run that isn't finished is a wrong guess too."""
    with evening("code", code=CODE) as cluster:
        for count in range(GUESSES):
            assert cluster.host.code == CODE
            assert new_codes(cluster) == []
            guess = Guess(cluster, "tiger-mango", f"eve{count}")
            if way == "wrong":
                guess.confirm()
            elif way == "closed":
                guess.line.send(Close(Reason.BYE, ""))
            elif way == "zeros":
                guess.line.send(Confirm(bytes(32)))
            else:
                hang_up(guess.line)
            cluster.pass_time(RUN_SECONDS)
        assert new_codes(cluster) == ["guessed"]
        assert cluster.host.code != CODE
        late = Guess(cluster, CODE)
        late.confirm()
        last(late.line, Reason.WRONG_CODE)


def test_who_knew_the_code_and_goes_again_has_not_guessed() -> None:
    with evening("code", code=CODE) as cluster:
        for count in range(GUESSES):
            guess = Guess(cluster, CODE, f"dot{count}")
            guess.confirm()
            assert guess.line.heard(Welcome)
            hang_up(guess.line)
            cluster.pass_time(4.0)
        assert new_codes(cluster) == []


def test_a_run_with_a_code_that_is_another_by_now_opens_nothing() -> None:
    with evening("code", code=CODE) as cluster:
        guess = Guess(cluster, CODE)
        cluster.order("door", "code")
        guess.confirm()
        last(guess.line, Reason.WRONG_CODE)
        assert new_codes(cluster) == ["asked"]


def test_who_was_shown_out_comes_in_no_more_with_the_code_that_he_knows() -> None:
    """Under another key."""
    with evening("code", code=CODE) as cluster:
        guess = Guess(cluster, CODE)
        guess.confirm()
        cluster.order("kick", "eve", "", "0")
        last(guess.line, Reason.KICKED)
        assert new_codes(cluster) == ["kicked"]
        cluster.pass_time(RUN_SECONDS)
        again = Guess(cluster, CODE, "dot")
        again.confirm()
        last(again.line, Reason.WRONG_CODE)


@pytest.mark.parametrize("door", ["open", "ask", "code"])
def test_a_confirmation_that_nobody_asked_for(door: str) -> None:
    with evening(door, code=CODE) as cluster:
        line = cluster.line("eve")
        unmoved(cluster, line, Confirm(bytes(32)))
        last(line, Reason.BROKEN)

"""The doctor itself: what it remembers of others, and what they can't make it do."""

from __future__ import annotations

from typing import Any

import pytest

from p2pcards.errors import UserError
from p2pcards.net import doctor as module
from p2pcards.net.doctor import ANSWERS, MOST_CALLS, Doctor, Wish
from p2pcards.net.doctor_call import NOBODY, Call
from p2pcards.net.doctor_desk import Line, Visit
from p2pcards.table.findings import Code, Finding


class Examined:
    """A doctor on loopback that has opened nothing; `told` and `said` are what it told us and everybody."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, **wish: Any) -> None:
        self.told: list[Finding] = []
        self.said: list[str] = []
        self.doctor = Doctor(Wish(interface="lo", **wish), self.told.append)
        self.doctor._ear.tokens["lo"] = "0" * 15 + "1"
        monkeypatch.setattr(self.doctor._ear, "tell", lambda port, echo=NOBODY: self.said.append(echo))

    def hear(self, verb: str, number: int, echo: str = NOBODY, port: int = 25252) -> None:
        self.doctor._take(Call(verb, f"{number:016x}", echo, port), f"10.0.{number >> 8}.{number & 255}")


def test_a_flood_of_questions_is_answered_no_faster_than_it_should_be(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = Examined(monkeypatch, listen=True)
    examined.doctor._waiting = True
    for number in range(1000):
        examined.hear("ask", number)
    assert ANSWERS[1] <= len(examined.said) < 100
    assert examined.said[0] == f"{0:016x}"
    assert len(examined.doctor._calls) == MOST_CALLS
    assert [finding.code for finding in examined.told] == [Code.VISITOR_HEARD] * MOST_CALLS


def test_a_flood_of_answers_is_remembered_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = Examined(monkeypatch)
    for number in range(2, 1000):
        examined.hear("tell", number, echo=f"{1:016x}")
    assert len(examined.doctor._echoes) == MOST_CALLS


def test_who_only_looks_answers_nobody_and_a_word_is_answered_by_none(monkeypatch: pytest.MonkeyPatch) -> None:
    looks, listens = Examined(monkeypatch), Examined(monkeypatch, listen=True)
    looks.hear("ask", 2)
    listens.hear("tell", 2)
    assert (looks.said, listens.said, looks.told, listens.told) == ([], [], [], [])


def test_a_caller_is_told_which_of_its_words_came_in(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = Examined(monkeypatch, listen=True)
    examined.hear("ask", 7)
    reply = examined.doctor._reply(Line("hello", [f"{number:016x}" for number in (6, 7, 8)]))
    assert reply.heard == [f"{7:016x}"]
    assert examined.said[-1] == NOBODY  # and is spoken to by multicast, to hear it or not


def test_who_comes_again_is_told_once_unless_it_goes_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = Examined(monkeypatch, listen=True)
    for visit in (Visit("10.0.0.7", True, "ok"), Visit("10.0.0.7", True, "ok"), Visit("10.0.0.7", False, "timed_out")):
        examined.doctor._came(visit)
    assert [finding.code for finding in examined.told] == [Code.VISITOR, Code.VISITOR_NEITHER]


async def test_where_no_port_is_named_the_other_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = Examined(monkeypatch)
    examined.hear("tell", 7, port=25260)
    assert await examined.doctor._find("10.0.0.7") == ("10.0.0.7", [("10.0.0.7", 25260)])
    assert await examined.doctor._find("10.0.0.7:25252") == ("10.0.0.7:25252", [("10.0.0.7", 25252)])
    assert await examined.doctor._find("10.0.0.8") == ("10.0.0.8", [("10.0.0.8", 25252)])


async def test_it_does_not_examine_itself_for_another(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = Examined(monkeypatch, peer="127.0.0.1", port=0, wait=0.0)
    monkeypatch.setattr(module, "parse_target", lambda text: (text, examined.doctor._desk.port))
    with pytest.raises(
        UserError, match=r"^127\.0\.0\.1 is this machine, where nobody else listens: name another one\.$"
    ):
        await examined.doctor.run()


def test_who_listens_is_met_without_a_name_but_on_no_well_known_port(monkeypatch: pytest.MonkeyPatch) -> None:
    examined = Examined(monkeypatch)
    examined.hear("ask", 5)
    examined.hear("tell", 6, port=22)
    assert examined.doctor._listening() == ()
    examined.hear("tell", 7)
    assert examined.doctor._listening() == (("10.0.0.7", 25252),)


@pytest.mark.parametrize("peer", ["10.0.0.7:0", "[fe80::1", "a b:7"])
def test_what_can_be_no_place_is_refused_before_anything_is_looked_at(
    peer: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def look() -> Any:
        raise AssertionError("looked")

    monkeypatch.setattr(module, "interfaces", look)
    with pytest.raises(UserError) as refused:
        Doctor(Wish(peer), lambda finding: None)
    assert refused.value.exit_code == 2

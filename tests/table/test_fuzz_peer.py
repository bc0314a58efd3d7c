"""Anything at all is said to whole peers by a member that lies: none raises, goes, or loses what is committed."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from p2pcards.wire.messages import PrevoteAsk
from tests.testing.babble import Babble
from tests.testing.one_peer import Program
from tests.testing.peers import Lan

FEW = settings(max_examples=8, suppress_health_check=[HealthCheck.too_slow])
MESSAGES = 30


def _lobby() -> tuple[Lan, Program, str]:
    lan = Lan("ana", "ben", "cy", game="onecard")
    return lan, lan.turned("cy"), "ben"


def _lobby_host() -> tuple[Lan, Program, str]:
    lan, cy, _ = _lobby()
    return lan, cy, "ana"


def _playing(*names: str) -> Lan:
    lan = Lan(*(names or ("ana", "ben", "cy")), game="onecard")
    lan.start()
    return lan


def _host() -> tuple[Lan, Program, str]:
    lan = _playing()
    return lan, lan.turned("cy"), "ana"


def _fellow() -> tuple[Lan, Program, str]:
    lan = _playing()
    return lan, lan.turned("cy"), "ben"


def _hostless() -> tuple[Lan, Program, str]:
    lan = _playing()
    cy = lan.turned("cy")
    lan.kill("ana")
    lan.pass_time(2.0)
    return lan, cy, "ben"


def _candidate() -> tuple[Lan, Program, str]:
    lan, cy, far = _hostless()
    lan.until(lambda: bool(cy.heard(PrevoteAsk)))
    return lan, cy, far


def _new_host() -> tuple[Lan, Program, str]:
    lan = _playing()
    lan.kill("ana")
    lan.until(lambda: any(program.the.host for program in lan.honest), step=0.05)
    return lan, lan.turned("cy"), "ben"


def _forking() -> tuple[Lan, Program, str]:
    lan = _playing("ana", "ben", "cy", "dot")
    cy = lan.turned("cy")
    lan.kill("ana", "dot")
    lan.stays(cy, 21, "ben")
    return lan, cy, "ben"


def _host_of_two() -> tuple[Lan, Program, str]:
    lan = _playing("ana", "cy")
    return lan, lan.turned("cy"), "ana"


def _old_host() -> tuple[Lan, Program, str]:
    lan = _playing()
    return lan, lan.turned("ana"), "ben"


STATES = {
    "lobby": _lobby,
    "host of a lobby": _lobby_host,
    "host": _host,
    "fellow": _fellow,
    "hostless": _hostless,
    "candidate": _candidate,
    "new host": _new_host,
    "forking": _forking,
    "host of two": _host_of_two,
}


def _rants(lan: Lan, script: Program, name: str, rng: Random) -> None:
    """One message after the other; now and then time passes, or the link breaks and there is another."""
    far = lan[name]
    for _ in range(MESSAGES):
        if far.the.finished:
            return
        if not script.has_link_to(name):
            lan.connect(*((script, far) if rng.random() < 0.5 else (far, script)))
        babble = Babble(script, far, rng)
        if rng.random() < 0.03:
            script.says(name, babble.last_word())
        elif script.has_link_to(name):
            script.says(name, babble.message())
        if rng.random() < 0.1:
            lan.pass_time(rng.choice([0.3, 1.0, 6.0]))


@pytest.mark.parametrize("state", STATES)
@FEW
@given(rng=st.randoms(use_true_random=False))
def test_no_message_of_a_member_makes_a_peer_raise_or_go(state: str, rng: Random) -> None:
    lan, script, name = STATES[state]()
    guest = lan[name].the.guest
    committed = list(guest.journal.wires[: guest.committed + 1])
    table = guest.journal.table
    _rants(lan, script, name, rng)
    for program in lan.honest:
        alone = not any(other.alive and other.peer for other in lan.programs.values() if other is not program)
        assert alone or not program.the.finished, program.name
        assert program.journal == program.the.guest.journal.wires
    if guest.journal.table == table:
        assert guest.journal.wires[: len(committed)] == committed


@FEW
@given(rng=st.randoms(use_true_random=False))
def test_no_message_of_a_host_makes_a_peer_raise(rng: Random) -> None:
    """Its player's evening may end: then its host was caught."""
    lan, script, name = _old_host()
    _rants(lan, script, name, rng)
    for program in lan.honest:
        assert program.journal == program.the.guest.journal.wires

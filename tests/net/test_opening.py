"""What a table is opened with: seats, house rules and bots that fit each other, or one sentence and exit 2."""

from __future__ import annotations

import random
from typing import Any

import pytest

from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.net.opening import Setup, new_host
from p2pcards.table.host import Host
from p2pcards.wire.identity import Identity


def opened(game: str, *, alone: bool = False, **setup: Any) -> Host:
    dice = random.Random(1)  # noqa: S311 - a test
    return new_host(Setup("ana", **setup), game, "lab", Identity(b"k" * 32), dice.randbytes, alone=alone)


def rules(host: Host) -> dict[str, str]:
    host.open(0.0)
    return dict((*host.public.options, *host.public.settings))


@pytest.mark.parametrize("game", GAMES)
def test_as_many_sit_as_usual_or_as_was_said(game: str) -> None:
    usual = opened(game)
    usual.open(0.0)
    assert len(usual.public.seats) == GAMES[game].usual_seats
    for seats in GAMES[game].seats:
        host = opened(game, seats=seats)
        host.open(0.0)
        assert len(host.public.seats) == seats


def test_what_was_asked_for_a_table_of_one_game_is_nothing_to_another() -> None:
    def asked(game: str) -> Host:
        options = (("threshold", "20"), ("turn_seconds", "30"))
        setup = Setup("ana", game="straights", options=options, rounds=2, seats=4)
        return new_host(setup, game, "lab", Identity(b"k" * 32), random.Random(1).randbytes)  # noqa: S311 - a test

    assert set(rules(asked("straights")).items()) >= {
        ("threshold", "20"),
        ("match_rounds", "2"),
        ("turn_seconds", "30"),
    }
    tongits = asked("tongits")
    assert rules(tongits) == rules(opened("tongits"))
    assert len(tongits.public.seats) == 3


@pytest.mark.parametrize(
    ("game", "setup", "says"),
    [
        ("tongits", {"seats": 4}, "Tong-its is for 3 players, not 4."),
        ("tienlen", {"seats": 5}, "Tiến lên is for 2 to 4 players, not 5."),
        (
            "onecard",
            {"seats": 8, "options": (("decks", "1"), ("cards", "15"))},
            "8 players with 15 cards each need 137",
        ),
        ("onecard", {"options": (("cards", "16"),)}, "cards can't be 16; allowed: 2 to 15."),
        ("tongits", {"bots": 3}, "3 sit at this table: there is room for 2 bots."),
        ("tienlen", {"bots": 3, "seats": 3}, "3 sit at this table: there is room for 2 bots."),
        ("tongits", {"bot_level": "seed-easy"}, "bot_level is one of: random, easy, medium, hard."),
        (
            "tongits",
            {"options": (("turn_seconds", "3"),)},
            "turn_seconds is a whole number, 0 (off) or from 5 to 3600.",
        ),
        ("tongits", {"options": (("nonsense", "3"),)}, "Tong-its has no option nonsense"),
    ],
)
def test_what_can_not_be_is_one_sentence_and_exit_2(game: str, setup: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError) as told:
        opened(game, **setup)
    assert says in str(told.value)
    assert told.value.exit_code == 2


def test_rounds_are_those_of_the_game() -> None:
    assert rules(opened("onecard", rounds=3)) == {"rounds": "3"}
    assert rules(opened("straights", rounds=3)) == {"match_rounds": "3"}


def test_a_table_that_closes_by_itself_plays_a_match_that_ends() -> None:
    assert rules(opened("tongits", closes=True)) == {"match_rounds": "1"}
    assert rules(opened("tongits", demo=True)) == {"match_rounds": "1"}
    assert rules(opened("tongits", demo=True, options=(("target_wins", "2"),))) == {"target_wins": "2"}
    assert rules(opened("straights", closes=True)) == rules(opened("onecard", demo=True)) == {}


def test_table_settings_are_options_too_and_practice_may_peek_and_idle() -> None:
    assert rules(opened("tongits", options=(("turn_seconds", "30"),))) == {"turn_seconds": "30"}
    assert rules(opened("tongits", alone=True)) == {"allow_peek": "true", "idle_minutes": "0"}
    assert rules(opened("tongits", alone=True, options=(("allow_peek", "false"),))) == {"idle_minutes": "0"}
    assert rules(opened("straights", bot_level="seed-hard")) == {"bot_level": "seed-hard"}


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ({"door": "lab"}, "--lab-key"),
        ({"door": "lab+uid", "lab": b"l" * 32}, "--lab-keys"),
        ({"door": "ask", "asks": False}, "asked"),
        ({"door": "ajar"}, "one of"),
    ],
)
def test_a_door_that_can_not_be_kept_is_one_sentence_and_exit_2(setup: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says) as told:
        opened("tongits", **setup)
    assert told.value.exit_code == 2
    assert opened("tongits", alone=True, **setup)


def test_the_first_code_is_the_one_that_was_given_for_our_own_table() -> None:
    host = opened("tongits", door="code", code="mango-tiger", code_written=lambda code: None)
    host.open(0.0)
    assert host.code == "mango-tiger"
    guest = opened("tongits", door="code", code="mango-tiger")
    guest.open(0.0)
    assert guest.code not in ("", "mango-tiger")
    usual = opened("tongits", code="mango-tiger", code_written=lambda code: None)
    usual.open(0.0)
    assert (usual.public.door, usual.code) == ("open", "")


def test_what_opens_doors_is_not_told_to_logs() -> None:
    setup = Setup("ana", code="mango-tiger", lab=b"secret of the lab".ljust(32, b"."))
    assert repr(setup) == "Setup('ana', profile='default')"
    assert "mango" not in f"{setup} {opened('tongits', door='code', code='mango-tiger')!r}"

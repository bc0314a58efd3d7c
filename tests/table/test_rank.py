"""In which order voters stand: who does not play, who is out, who plays by seat, and the old host."""

from __future__ import annotations

from p2pcards.table.public import Public
from p2pcards.table.rank import ranked
from p2pcards.wire.entries import EntryKind, Kick
from tests.testing.cluster import identity
from tests.testing.forge import NAMES, Forge, bot, member

HOST, ANA, BEN, CY = (identity(name).key for name in ("host", *NAMES))


def books(forge: Forge) -> Public:
    return Public.of(forge.journal)


def lobby() -> Forge:
    forge = Forge()
    forge.lobby()
    return forge


def test_players_stand_by_seat_and_the_host_that_is_gone_last() -> None:
    assert ranked(books(lobby())) == (ANA, BEN, CY, HOST)


def test_who_has_no_seat_sees_no_hand_that_is_played_against_and_stands_first() -> None:
    forge = lobby()
    forge.elected("ben", "ana", "ben", "cy")
    assert ranked(books(forge)) == (HOST, ANA, CY, BEN)


def test_who_is_out_of_the_round_stands_before_who_plays() -> None:
    assert ranked(books(lobby()), out=(2,)) == (CY, ANA, BEN, HOST)


def test_a_host_has_a_seat_or_none_and_is_the_last_in_both_cases() -> None:
    forge = Forge()
    forge.genesis()
    forge.options()
    forge.roster(member("host", "helga"), member("ana"), member("ben"))
    assert ranked(books(forge)) == (ANA, BEN, HOST)


def test_some_can_be_left_out() -> None:
    assert ranked(books(lobby()), without=(HOST, ANA)) == (BEN, CY)


def test_bots_and_spectators_do_not_stand_nor_who_is_being_shown_out() -> None:
    forge = Forge()
    forge.genesis()
    forge.options()
    forge.roster(member("ana"), bot(), member("cy"), watchers=("dot",))
    forge.entry(EntryKind.KICK, Kick(CY, "rude", 0, ()))
    assert ranked(books(forge)) == (ANA, HOST)

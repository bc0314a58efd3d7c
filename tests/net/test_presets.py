"""A preset put on a table: the table has its rules and no others, or all that it had before."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.commands.presets import Rules
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.net.node import Keeping
from p2pcards.net.presets import usable
from p2pcards.store.lock import Lock
from p2pcards.table.notices import Failed, Opened, OptionsSet
from tests.testing.fake_node import KeptPresets
from tests.testing.program import Program, programs

KEPT_RULES = {"many": (("cards", "15"), ("decks", "4")), "few": (("cards", "2"), ("decks", "1"))}


def keeping(program: Program, **presets: Rules) -> None:
    """Gives the program presets for the game of its table."""
    kept = KeptPresets()
    assert program.node.table is not None
    kept.kept[program.node.table.game.name] = dict(presets)
    program.node._keeping = Keeping(program.node._keeping.tables, Lock.take, None, kept)


async def table(program: Program, game: str = "tongits") -> None:
    program.do("host", game, "lab")
    await program.hear(Opened)


def agreed(program: Program) -> dict[str, str]:
    sitting = program.node._sitting
    assert sitting is not None
    return dict((*sitting.guest.public.options, *sitting.guest.public.settings))


def test_what_there_is_no_more_is_told_from_what_there_is() -> None:
    rules = (("scoring", "chips"), ("stake", "0"), ("blind", "true"), ("turn_seconds", "30"), ("bot_level", "genius"))
    kept, gone = usable(GAMES["tongits"], rules)
    assert kept == {"scoring": "chips", "turn_seconds": "30"}
    assert gone == ("stake 0", "blind true", "bot_level genius")


async def test_a_table_takes_the_rules_of_a_preset_and_no_others(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", options=(("stake", "5"), ("grace_seconds", "7"))) as (ana,):
        await table(ana)
        keeping(ana, friday=(("scoring", "chips"), ("turn_seconds", "30")))
        before = len(ana.told(OptionsSet))
        ana.do("preset", "load", "friday")
        assert agreed(ana) == {"scoring": "chips", "turn_seconds": "30"}
        assert ana.told(OptionsSet)[before:] == [OptionsSet((("scoring", "chips"),), (("turn_seconds", "30"),))]


async def test_what_there_is_no_more_is_left_out_and_said(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana") as (ana,):
        await table(ana)
        keeping(ana, old=(("scoring", "chips"), ("blind", "true")))
        ana.do("preset", "load", "old")
        assert agreed(ana) == {"scoring": "chips"}
        assert ana.told(Failed) == [Failed("The preset old has what this game no longer has: blind true.", 0)]


async def test_rules_that_go_only_together_are_loaded_whatever_their_order(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", seats=8) as (ana,):
        await table(ana, "onecard")
        keeping(ana, **KEPT_RULES)
        for name in ("many", "few", "many"):
            ana.do("preset", "load", name)
            assert agreed(ana) == dict(KEPT_RULES[name])


async def test_rules_that_do_not_go_with_the_seats_leave_all_as_it_was(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", seats=8, options=(("must_play", "false"),)) as (ana,):
        await table(ana, "onecard")
        keeping(ana, tight=(("scoring", "points"), ("cards", "15"), ("decks", "1")))
        with pytest.raises(UserError, match="8 players with 15 cards"):
            ana.do("preset", "load", "tight")
        assert agreed(ana) == {"must_play": "false"}


async def test_a_name_that_nothing_is_kept_under_is_refused_with_those_that_are(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana") as (ana,):
        await table(ana)
        keeping(ana, friday=(), sunday=())
        with pytest.raises(UserError, match="No preset for Tong-its is called monday; there is: friday, sunday"):
            ana.do("preset", "load", "monday")
        assert agreed(ana) == {}

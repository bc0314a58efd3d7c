"""A preset put on a table: the table has its rules and no others, or all that it had before."""

from __future__ import annotations

from pathlib import Path

import pytest

from p2pcards.commands.presets import Rules
from p2pcards.errors import UserError
from p2pcards.games.registry import GAMES
from p2pcards.net.presets import usable
from p2pcards.table.notices import Failed, Opened, OptionsSet
from tests.testing.fake_node import KeptPresets
from tests.testing.program import Program, programs

KEPT_RULES = {"many": (("cards", "15"), ("decks", "4")), "few": (("cards", "2"), ("decks", "1"))}


def kept(game: str = "tongits", **presets: Rules) -> KeptPresets:
    """Presets of one game."""
    keeping = KeptPresets()
    keeping.kept[game] = dict(presets)
    return keeping


async def table(program: Program, game: str = "tongits") -> None:
    program.do("host", game, "lab")
    await program.hear(Opened)


def agreed(program: Program) -> dict[str, str]:
    sitting = program.node._sitting
    assert sitting is not None
    return dict((*sitting.guest.public.options, *sitting.guest.public.settings))


def test_what_there_is_no_more_is_told_from_what_there_is() -> None:
    rules = (("scoring", "chips"), ("stake", "0"), ("blind", "true"), ("turn_seconds", "30"), ("bot_level", "genius"))
    there, gone = usable(GAMES["tongits"], rules)
    assert there == {"scoring": "chips", "turn_seconds": "30"}
    assert gone == ("stake 0", "blind true", "bot_level genius")


async def test_a_table_takes_the_rules_of_a_preset_and_no_others(tmp_path: Path) -> None:
    async with programs(
        tmp_path,
        "ana",
        options=(("stake", "5"), ("grace_seconds", "7")),
        presets=kept(friday=(("scoring", "chips"), ("turn_seconds", "30"))),
    ) as (ana,):
        await table(ana)
        before = len(ana.told(OptionsSet))
        ana.do("preset", "load", "friday")
        assert agreed(ana) == {"scoring": "chips", "turn_seconds": "30"}
        assert ana.told(OptionsSet)[before:] == [OptionsSet((("scoring", "chips"),), (("turn_seconds", "30"),))]


async def test_what_there_is_no_more_is_left_out_and_said(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", presets=kept(old=(("scoring", "chips"), ("blind", "true")))) as (ana,):
        await table(ana)
        ana.do("preset", "load", "old")
        assert agreed(ana) == {"scoring": "chips"}
        assert ana.told(Failed) == [Failed("The preset old has what this game no longer has: blind true.", 0)]


async def test_rules_that_go_only_together_are_loaded_whatever_their_order(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", seats=8, presets=kept("onecard", **KEPT_RULES)) as (ana,):
        await table(ana, "onecard")
        for name in ("many", "few", "many"):
            ana.do("preset", "load", name)
            assert agreed(ana) == dict(KEPT_RULES[name])


async def test_rules_that_do_not_go_with_the_seats_leave_all_as_it_was(tmp_path: Path) -> None:
    async with programs(
        tmp_path,
        "ana",
        seats=8,
        options=(("must_play", "false"),),
        presets=kept("onecard", tight=(("scoring", "points"), ("cards", "15"), ("decks", "1"))),
    ) as (ana,):
        await table(ana, "onecard")
        with pytest.raises(UserError, match="8 players with 15 cards"):
            ana.do("preset", "load", "tight")
        assert agreed(ana) == {"must_play": "false"}


async def test_a_name_that_nothing_is_kept_under_is_refused_with_those_that_are(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", presets=kept(friday=(), sunday=())) as (ana,):
        await table(ana)
        with pytest.raises(UserError, match="No preset for Tong-its is called monday; there is: friday, sunday"):
            ana.do("preset", "load", "monday")
        assert agreed(ana) == {}


async def test_a_preset_does_not_bring_a_hidden_table_to_light(tmp_path: Path) -> None:
    presets = kept(friday=(("scoring", "chips"),))
    async with programs(tmp_path, "ana", hidden=True, presets=presets) as (ana,):
        await table(ana)
        ana.do("preset", "load", "friday")
        assert agreed(ana) == {"scoring": "chips", "hidden": "true"}

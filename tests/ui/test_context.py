"""What is known where a line is typed: of the views, of the table's rules, and of what is kept."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.presets import Rules
from p2pcards.errors import UserError
from p2pcards.table.settings import ALLOWED, DEFAULTS
from p2pcards.ui.context import Here, allowed
from tests.testing.fake_node import FakeNode, KeptPresets, row


def at_table(game: str, seats: int | None = None, **options: str) -> tuple[FakeNode, Here]:
    node = FakeNode(options=options)
    node.sit(game, seats=seats)
    return node, Here(node)


def test_levels_are_those_of_the_game() -> None:
    assert at_table("tongits")[1].context().levels == ("random", "easy", "medium")
    assert "seed-hard" in at_table("straights")[1].context().levels
    (level,) = (one for one in at_table("straights")[1].context().choices if one.name == "bot_level")
    assert "seed-hard" in level.values


def test_seats_can_be_as_many_as_the_cards_allow() -> None:
    for options, last in (({}, "8"), ({"decks": "1", "cards": "15"}, "3")):
        _, here = at_table("onecard", 2, **options)
        (seats,) = (one for one in here.context().choices if one.name == "seats")
        assert (seats.now, seats.values[0], seats.values[-1]) == ("2", "2", last)


def test_every_setting_has_its_place_in_words() -> None:
    for key in DEFAULTS:
        told = allowed(key)
        assert told == " or ".join(ALLOWED[key]) if key in ALLOWED else told.endswith("to 3600")


def test_presets_are_those_of_the_game_and_as_they_are_kept_now() -> None:
    node, here = at_table("tongits")
    assert here.context().presets == ()
    node.presets.save("tongits", "friday", (("scoring", "chips"),))
    node.presets.save("onecard", "long", ())
    assert [preset.name for preset in here.context().presets] == ["friday"]
    node.do(Command("leave"))
    assert {preset.name for preset in here.context().presets} == {"friday", "long"}


def test_presets_that_can_not_be_read_are_none() -> None:
    class Broken(KeptPresets):
        def all(self) -> dict[str, dict[str, Rules]]:
            raise UserError("presets.toml can't be read")

    node, here = at_table("tongits")
    node.presets = Broken()
    assert here.context().presets == ()


def test_a_bot_may_play_for_us() -> None:
    node, here = at_table("tongits")
    assert node.table is not None
    assert not here.context().bot_plays
    mine, *others = node.table.seats
    node.change(seats=(replace(mine, bot_plays=True), *others))
    assert here.context().bot_plays
    node.change(seats=(mine, *(replace(other, bot_plays=True) for other in others)))
    assert not here.context().bot_plays
    node.change(me=None)
    assert not here.context().bot_plays


def test_a_context_is_made_once_for_what_it_shows() -> None:
    node, here = at_table("tongits")
    assert here.context() is here.context()
    node.presets.save("tongits", "friday", ())
    assert here.context() is here.context()


def test_a_row_of_the_list_has_the_rules_of_its_table() -> None:
    rules = (("scoring", "chips"),)
    (listed,) = Here(FakeNode(rows=(row("lab", options=rules),))).context().listed
    assert listed.rules == rules


def test_practice_has_no_network_under_it() -> None:
    node, here = at_table("tongits")
    assert not here.context().alone
    node.do(Command("leave"))
    node.do(Command("practise", ("tongits",)))
    assert here.context().alone

"""What is known where a line is typed: of the views, of the table's rules, and of what is kept."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.context import Caller, Fellow, Poll
from p2pcards.commands.presets import Rules
from p2pcards.errors import UserError
from p2pcards.table.notices import Kicked, Pardoned
from p2pcards.table.people import Ban, Known, Person
from p2pcards.table.settings import ALLOWED, DEFAULTS, NUMBERS
from p2pcards.table.tableview import Knock, Vote
from p2pcards.ui.context import Here, allowed
from p2pcards.wire.entries import Kick
from p2pcards.wire.identity import chip
from tests.testing.fake_node import KEY, OTHERS, FakeNode, KeptPresets, row
from tests.testing.kept_people import KeptPeople


def at_table(game: str, seats: int | None = None, **options: str) -> tuple[FakeNode, Here]:
    node = FakeNode(options=options)
    node.sit(game, seats=seats)
    return node, Here(node)


def test_levels_are_those_of_the_game() -> None:
    assert at_table("tongits")[1].context().levels == ("random", "easy", "medium", "hard")
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
        assert told == " or ".join(ALLOWED[key]) if key in ALLOWED else told.endswith(f"to {NUMBERS[key][1]}")


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


# ---- people


def crowded() -> tuple[FakeNode, Here]:
    """A table of ours with ben in a seat and eve watching."""
    node = FakeNode()
    node.sit(others=1)
    node.change(spectators=("eve", "ana"), spectator_keys=(EVE, KEY))
    return node, Here(node)


BEN, EVE = OTHERS[0][1], b"\x09" * 32
KNOCK = Knock("dan", b"\x05" * 32, Known.OTHER, "dan1", "name", 60.0)


def test_who_is_here_beside_us() -> None:
    node, here = crowded()
    node.people.kept[BEN] = Person(BEN, "ben", 0.0, 0.0, petname="boss", ignored=True)
    assert here.context().people == (
        Fellow("ben", chip(BEN), False, 1, Known.MET, "boss", True),
        Fellow("eve", chip(EVE), known=Known.NEW),
    )
    node.sit(others=1, bots=1, host=False)
    assert [(one.nick, one.host) for one in here.context().people] == [("ben", True)]


def test_what_is_kept_of_people_shows_at_once() -> None:
    node, here = crowded()
    before = here.context()
    assert here.context() is before
    node.people.call(BEN, "boss")
    assert here.context().people[0].petname == "boss"
    node.people.ban(Ban(EVE, "eve"))
    node.people.ban(Ban(KEY, "eve", login="eve1"))
    assert here.context().banned == ("eve",)
    node.people.meet(EVE, "Zoe", 1.0)
    assert here.context().named == ("boss", "somebody", "Zoe")


def test_people_that_can_not_be_read_are_strangers() -> None:
    class Broken(KeptPeople):
        def person(self, key: bytes) -> Person | None:
            raise UserError("known_peers can't be read")

        def bans(self) -> tuple[Ban, ...]:
            raise UserError("bans can't be read")

    node, here = crowded()
    node._people = Broken()
    assert [one.known for one in here.context().people] == [Known.NEW, Known.NEW]
    assert here.context().banned == ()


def test_who_knocks_and_what_the_door_asks_for() -> None:
    node, here = crowded()
    assert (here.context().door, here.context().code, here.context().knocks) == ("open", "", ())
    node.change(door="code", code="mango-tiger", knocks=(KNOCK,))
    assert (here.context().door, here.context().code) == ("code", "mango-tiger")
    assert here.context().knocks == (Caller("dan", chip(KNOCK.key), Known.OTHER, "dan1", "name"),)


def test_who_may_vote() -> None:
    node, here = crowded()
    assert here.context().vote is None
    vote = Vote(seat=1, by="cy", votes=(2,), against=(), needed=2, until=30.0)
    for changed, may in (
        (vote, True),
        (replace(vote, votes=(2, 0)), False),
        (replace(vote, against=(0,)), False),
        (replace(vote, seat=0), False),
    ):
        node.change(vote=changed)
        nick = "ana" if changed.seat == 0 else "ben"
        assert here.context().vote == Poll(nick, "cy", len(changed.votes), 2, may)
    assert node.table is not None
    mine, *others = node.table.seats
    for change in ({"seats": (replace(mine, program=True), *others)}, {"me": None}):
        node.change(vote=vote, **change)
        assert here.context().vote == Poll("ben", "cy", 1, 2, may=False)


def test_whom_we_showed_out_is_remembered_until_the_next_round() -> None:
    node, here = crowded()
    kicked = Kicked("eve", EVE, "ana", "", 600)
    here.heard(Kicked("eve", EVE, "vote", "", 600))
    assert here.context().kicked == ""
    here.heard(kicked)
    assert here.context().kicked == "eve"
    node.change(round=1)
    assert here.context().kicked == ""
    here.heard(kicked)
    node.change(table=b"\x08" * 16)
    assert here.context().kicked == ""
    node.change(mine=False)
    here.heard(kicked)
    assert here.context().kicked == ""


def test_who_may_come_again_is_no_longer_warned_of() -> None:
    _, here = crowded()
    here.heard(Kicked("eve", EVE, "ana", "", 600))
    here.heard(Pardoned(BEN, "ana"))
    assert here.context().kicked == "eve"
    here.heard(Pardoned(EVE, "ana"))
    assert here.context().kicked == ""


def test_who_may_not_come_back_to_our_table_can_be_let_in_again_by_name() -> None:
    now = 1000.0
    node, _ = crowded()
    here = Here(node, lambda: now)
    node.people.kept[EVE] = Person(EVE, "eve", 0.0, 0.0)
    node.change(kicks=(Kick(EVE, "", 1600, ()), Kick(BEN, "", 900, ())))
    assert here.context().banned == ("eve",)
    now = 1600.0
    assert here.context().banned == ()


def test_at_home_a_code_is_asked_for() -> None:
    node = FakeNode(rows=(row("lab", door="code"),))
    here = Here(node)
    assert (here.context().asking, here.context().in_lab, here.context().listed[0].door) == ("", False, "code")
    node.rows(joining="lab", asking="lab", in_lab=True)
    assert (here.context().asking, here.context().in_lab) == ("lab", True)

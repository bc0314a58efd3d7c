"""Who is who, and what is kept about them."""

from __future__ import annotations

import pytest

from p2pcards.commands.command import Command
from p2pcards.errors import UserError
from p2pcards.table.people import Ban, Person
from p2pcards.ui import dates, whois
from p2pcards.ui.prompt import Kind, Prompt
from p2pcards.ui.voice import Cards
from p2pcards.wire.entries import Kick
from p2pcards.wire.identity import chip, words
from tests.testing.fake_door import WALL, DoorNode, with_door
from tests.testing.fake_node import KEY, OTHERS

BEN = dict(OTHERS)["ben"]
OLD = b"o" * 32


def asked(node: DoorNode, verb: str, *args: str) -> list[str]:
    return whois.answer(Command(verb, args), node, WALL)


def test_oneself_with_the_six_words() -> None:
    node = with_door()
    assert asked(node, "whois")[0] == f"You are ana; the six words of your key are {words(KEY)}."
    node.people.logins[KEY] = "anabel"
    assert "Your login is anabel (verified login)." in asked(node, "whois")
    assert asked(node, "whois", "ana") == asked(node, "whois")


def test_oneself_at_home() -> None:
    node = DoorNode()
    assert asked(node, "whois") == ["You are ana (mango-tiger)."]
    node.rows(key=KEY)
    assert words(KEY) in asked(node, "whois")[0]


def test_a_stranger_at_the_table() -> None:
    assert asked(with_door(), "whois", "BEN") == [
        f"ben: the six words of their key are {words(BEN)}.",
        "You have never met before.",
        "Not verified: compare the six words by voice, then `vouch ben on`.",
    ]


def test_somebody_who_is_known_in_every_way() -> None:
    node = with_door()
    node.people.kept[BEN] = Person(BEN, "ben", WALL - 9e6, WALL - 60, "benny", True, "", True)
    node.people.logins[BEN] = "benjamin"
    node.people.ban(Ban(BEN, "ben", "", "rude", round(WALL), round(WALL) + 600))
    first, last = dates.day(WALL - 9e6, WALL), dates.day(WALL - 60, WALL)
    lines = [
        f"ben: the six words of their key are {words(BEN)}.",
        f"First met {first}, last seen {last}.",
        "You call them benny.",
        "Their login is benjamin (verified login).",
        "You have compared the words: verified.",
        "What they say is not shown; `unignore ben` changes that.",
        "Banned from your tables for 10 minutes (rude).",
    ]
    for name in ("ben", "benny", "benjamin", chip(BEN), words(BEN), f"~{BEN.hex()[:8]}"):
        assert asked(node, "whois", name) == lines, name


def test_two_of_one_name_are_both_shown_and_told_apart() -> None:
    node = with_door()
    node.people.kept[OLD] = Person(OLD, "ben", WALL, WALL)
    lines = asked(node, "whois", "ben")
    assert lines[0] == "2 people go by the name ben."
    assert [line.split("`")[1] for line in lines if "Not verified" in line] == [
        f"vouch {chip(BEN)} on",
        f"vouch {chip(OLD)} on",
    ], "the nick would not tell them apart"
    assert f"This is NOT the ben you know, whose words are {words(OLD)}." in lines
    assert f"ben: the six words of their key are {words(OLD)}." in lines
    asked(node, "petname", "ben", "newben")
    assert node.people.kept[BEN].petname == "newben", "who is here is meant first"
    asked(node, "petname", chip(OLD), "oldben")
    assert node.people.kept[OLD].petname == "oldben"


def test_two_of_one_name_who_are_not_here_must_be_told_apart() -> None:
    node = DoorNode()
    node.people.kept = {key: Person(key, "ben", WALL, WALL) for key in (BEN, OLD)}
    with pytest.raises(UserError, match=rf"ben \({chip(BEN)}\).*ben \({chip(OLD)}\)"):
        asked(node, "ignore", "ben")
    assert not any(one.ignored for one in node.people.everybody())


@pytest.mark.parametrize("verb", ["whois", "petname", "vouch", "ignore", "unignore"])
@pytest.mark.parametrize("name", ["nobody", "~", "~00", "\x1b[31mx"])
def test_nobody_of_that_name(verb: str, name: str) -> None:
    with pytest.raises(UserError, match="Nobody here is called") as refused:
        asked(with_door(), verb, name)
    assert "\x1b" not in str(refused.value)


def test_a_petname_is_given_and_taken() -> None:
    node = with_door()
    asked(node, "petname", "ben", "benny")
    assert node.people.kept[BEN].petname == "benny"
    assert "by no other name any more" in asked(node, "petname", "benny")[0]
    assert not node.people.kept[BEN].petname


def test_vouching_first_says_what_to_compare() -> None:
    node = with_door()
    lines = asked(node, "vouch", "ben")
    assert words(BEN) in lines[0]
    assert "by voice first" in lines[1]
    assert node.people.person(BEN) is None, "nothing is kept before it is said for certain"
    asked(node, "vouch", "ben", "on")
    assert node.people.kept[BEN].verified
    asked(node, "vouch", "ben", "off")
    assert not node.people.kept[BEN].verified


def test_nothing_is_kept_about_programs_of_our_own() -> None:
    node = with_door()
    node.people.own.add(BEN)
    for verb, rest in (("petname", ("x",)), ("vouch", ("on",)), ("ignore", ())):
        with pytest.raises(UserError, match="a program of yours"):
            asked(node, verb, "ben", *rest)
    assert asked(node, "whois", "ben")[1] == "It is a program of yours."


def test_bans_that_stand_are_listed_with_their_reason_and_end() -> None:
    node = with_door()
    assert asked(node, "bans") == ["You keep nobody out of your tables."]
    node.people.ban(Ban(OLD, "mal", "", "rude", round(WALL) - 60, 0))
    node.people.ban(Ban(b"", "eve", "evelyn", "", round(WALL) - 60, round(WALL) + 3600))
    node.people.ban(Ban(b"x" * 32, "gone", "", "", round(WALL) - 60, round(WALL) - 1))
    since = dates.day(WALL - 60, WALL)
    assert asked(node, "bans") == [
        f"eve, login evelyn: for 1 hour, since {since}.",
        f"mal ({chip(OLD)}): for good (rude), since {since}.",
    ]


def test_who_may_not_come_back_to_this_table_is_listed_too() -> None:
    node, now = with_door(), round(WALL)
    node.people.kept[OLD] = Person(OLD, "mal", WALL, WALL)
    kicks = (Kick(OLD, "rude", now + 600, ()), Kick(b"x" * 32, "", 0, ()), Kick(BEN, "", now - 1, ()))
    node.change(kicks=kicks)
    assert asked(node, "bans") == [
        f"mal ({chip(OLD)}): shown out of this table for 10 minutes (rude).",
        f"{chip(b'x' * 32)}: shown out of this table for good.",
    ]
    node.people.ban(Ban(OLD, "mal", "", "rude", now, 0))
    assert len(asked(node, "bans")) == 2, "a ban says it already"
    node.change(mine=False)
    assert len(asked(node, "bans")) == 1, "whom another host showed out is no matter of ours"


def test_the_door_with_code_and_who_waits() -> None:
    node = with_door()
    assert asked(node, "door") == ["The door of this table is open: everybody on this network can come in."]
    node.change(door="code", code="mango-tiger")
    node.knocks("eve")
    node.clock = 20
    assert asked(node, "door")[1:] == [
        "The code is mango-tiger, two words to tell whom you want in.",
        f"eve ({chip(node.key_of('eve'))}, new) waits at the door, for 40 seconds more.",
    ]
    node.change(mine=False)
    assert "mango-tiger" not in " ".join(asked(node, "door"))


def test_typed_at_the_prompt() -> None:
    prompt = Prompt(with_door(), Cards.SIGNS, str, lambda: WALL)
    for line in ("whois", "whois ben", "petname ben benny", "vouch ben", "ignore ben", "unignore ben", "bans", "door"):
        assert prompt.enter(line).kind is Kind.SHOWN, line
    assert prompt.enter("whois nobody").kind is Kind.WRONG


def test_a_ban_of_somebody_who_is_not_here_and_its_end_are_told() -> None:
    class Listing(DoorNode):
        """Somebody who is not here can be banned."""

        def do(self, command: Command) -> None:
            match command.verb, command.args:
                case "ban", (nick, seconds, reason):
                    self.people.ban(Ban(OLD, nick, "", reason, round(WALL), round(WALL) + int(seconds)))
                case "unban", _:
                    self.people.unban(self.people.bans())
                case _:
                    super().do(command)

    node = Listing()
    prompt = Prompt(node, Cards.SIGNS, lambda game: game, lambda: WALL)
    banned = prompt.enter("ban mallory 2h insults")
    who = f"mallory ({chip(OLD)})"
    assert (banned.kind, banned.lines[0].partition(" may ")[0]) == (Kind.SHOWN, who)
    assert banned.lines[0].endswith("(insults).")
    again = prompt.enter("ban mallory 3h")
    assert [line.partition(" may ")[2][:8] for line in again.lines] == ["not come"]
    assert prompt.enter("unban mallory").lines == (f"{who} may come to your tables again.",)
    assert prompt.enter("unban mallory").kind is Kind.DONE

"""Doors, people, chat, votes and who is shown out, in sentences."""

from __future__ import annotations

import pytest

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.people import Person
from p2pcards.ui.faces import Circle
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from p2pcards.ui.words_people import DOORS
from p2pcards.wire.identity import chip
from tests.testing.fake_door import WALL, with_door
from tests.testing.fake_node import NICK
from tests.testing.kept_people import KeptPeople

EVE, OLD = b"e" * 32, b"o" * 32
SOON = round(WALL) + 600
PEOPLE = KeptPeople(Person(OLD, "dan", WALL, WALL, petname="Danny"))


def told(notice: Notice, **table: object) -> str:
    node = with_door()
    node.change(**table)
    return " ".join(Words(Cards.SIGNS, NICK, circle=Circle(PEOPLE, WALL)).notice(notice, node.table))


@pytest.mark.parametrize(
    ("notice", "text"),
    [
        (notices.DoorSet("ask"), "The door of the table is ask now: you are asked about everybody who comes."),
        (notices.DoorSet("code"), f"The door of the table is code now: {DOORS['code']}."),
        (notices.DoorSet("moat"), "The door of the table is moat now."),
        (
            notices.CodeIs("mango-tiger", "opened"),
            "The code of this table is mango-tiger: tell it to whom you want in.",
        ),
        (
            notices.CodeIs("mango-tiger", "guessed"),
            "Too many wrong guesses: the code of this table is now mango-tiger.",
        ),
        (
            notices.Knocked(1, "eve", EVE, "new", "", "ask"),
            f"eve ({chip(EVE)}, new) asks to come in: `admit eve` or `deny eve`.",
        ),
        (
            notices.Knocked(1, "dan", OLD, "known", "daniel", "ask"),
            f"dan ({chip(OLD)}, known, called Danny, verified login daniel) asks to come in: "
            "`admit dan` or `deny dan`.",
        ),
        (
            notices.Knocked(1, "dan", EVE, "other", "", "name"),
            f"Warning: dan ({chip(EVE)}) asks to come in and is NOT the dan you know ({chip(OLD)}): ask by voice "
            "before you type `admit dan` or `deny dan`; `whois dan` tells more.",
        ),
        (notices.WentAway("eve", "admitted"), ""),
        (notices.WentAway("eve", "late"), "eve waited at the door too long, and was not let in."),
        (notices.WentAway("eve", "gone"), "eve no longer waits at the door."),
        (
            notices.Waiting(60),
            "You wait at the door: the host is asked, for 60 seconds at the most; `leave` gives up.",
        ),
        (
            notices.CodeWanted("lab"),
            "The table lab asks for its code, two words that its host can see. Type it; `leave` gives up.",
        ),
        (
            notices.OtherKey("dan", EVE, OLD),
            f"Warning: dan at this table ({chip(EVE)}) is NOT the dan you know ({chip(OLD)}): the name is the same, "
            "the key is another; `whois dan` tells more.",
        ),
        (notices.Kicked("eve", EVE, "ben", "too loud", SOON), "eve was shown out by ben for 10 minutes: too loud."),
        (notices.Kicked("eve", EVE, NICK, "", 0), "You showed eve out for good."),
        (notices.Kicked(NICK, EVE, "vote", "", SOON), "You were shown out by vote for 10 minutes."),
        (notices.Pardoned(OLD, "ben"), f"ben let dan ({chip(OLD)}) come again."),
        (notices.Pardoned(EVE, NICK), f"You let {chip(EVE)} come again."),
        (
            notices.VoteCalled(2, "cy", "ben", 2, 30),
            "ben wants cy shown out: 2 must say yes in 30 seconds, `vote yes` or `vote no`.",
        ),
        (notices.VoteCalled(0, NICK, "ben", 2, 30), "ben wants you shown out: 2 must say yes in 30 seconds."),
        (notices.VoteCalled(1, "ben", NICK, 2, 30), "You want ben shown out: 2 must say yes in 30 seconds."),
        (notices.VoteCast("cy", "ben", True, 1, 0, 2), "ben voted for showing cy out: 1 of the 2 needed."),
        (
            notices.VoteCast(NICK, "ben", False, 1, 1, 2),
            "ben voted against showing you out: 1 of the 2 needed, 1 against.",
        ),
        (notices.VoteFailed("cy"), "The vote on showing cy out came to nothing; cy stays."),
        (notices.VoteFailed(NICK), "The vote on showing you out came to nothing; you stay."),
        (notices.Spoken("ben", EVE, "", "hi"), "ben: hi"),
        (notices.Spoken("ben", EVE, NICK, "hi"), "ben to you: hi"),
        (notices.Spoken(NICK, EVE, "ben", "hi"), "you to ben: hi"),
        (notices.Spoken("eve", EVE, "spectators", "hi"), "eve to spectators: hi"),
        (notices.Refused("banned", "rude", SOON), "You may not come to this table for 10 minutes: rude."),
        (notices.Refused("declined", "we are four", 0), "The host did not let you in: we are four."),
        (
            notices.Closed("declined", "", round(WALL) + 60),
            "The host did not let you in; try again in 1 minute.",
        ),
        (notices.Closed("kicked", "too loud", SOON), "You were shown out of the table for 10 minutes: too loud."),
        (
            notices.Closed("kicked", "by ana (too loud)", SOON),
            "You were shown out of the table for 10 minutes by ana (too loud).",
        ),
        (
            notices.Closed("kicked", "by a vote of the table"),
            "You were shown out of the table for good by a vote of the table.",
        ),
        (
            notices.Refused("already_here", "somebody with your key is at this table already"),
            "Somebody with your key is at this table, or at its door, already.",
        ),
        (
            notices.Closed("superseded", "you came in from elsewhere"),
            "You came in from elsewhere, so this program is out.",
        ),
        (notices.Refused("banned", "shown out by ana"), "You may not come to this table any more: shown out by ana."),
        (notices.Closed("wrong_code", ""), "That is not the code of this table."),
        (notices.Closed("wrong_code", "this table asks for its code"), "This table asks for its code."),
        (notices.Closed("wrong_code", "no code was given"), "This table asks for its code: no code was given."),
        (notices.Closed("not_a_member", ""), "This table is for members of its lab."),
        (
            notices.Closed("not_a_member", "this table is for members of its lab: your key is not known"),
            "This table is for members of its lab: your key is not known.",
        ),
        (notices.Closed("too_fast", ""), "Not just now; try again in a moment."),
        (notices.Closed("too_fast", "one guess a second"), "Not just now: one guess a second; try again in a moment."),
        (
            notices.Closed("too_fast", "the host has just said no", round(WALL) + 60),
            "Not just now: the host has just said no; try again in 1 minute.",
        ),
    ],
)
def test_sentences(notice: Notice, text: str) -> None:
    assert told(notice) == text


def test_who_only_watches_is_not_told_how_to_vote() -> None:
    called = notices.VoteCalled(1, "ben", "cy", 2, 30)
    assert told(called, me=None) == "cy wants ben shown out: 2 must say yes in 30 seconds."


def test_who_watches_and_speaks_is_marked() -> None:
    said = notices.Spoken("eve", EVE, "", "hi")
    assert told(said, spectators=("eve",), spectator_keys=(EVE,)) == "eve (watching): hi"


def test_who_is_shown_out_is_told_even_when_a_bot_has_the_seat() -> None:
    node = with_door()
    node.change(me=None)
    (line,) = Words(Cards.SIGNS, "", circle=Circle(PEOPLE, WALL)).notice(
        notices.Kicked(NICK, EVE, "ben", "", 0), node.table
    )
    assert line == "You were shown out by ben for good."


def test_a_kick_is_told_once_though_a_seat_falls_free() -> None:
    assert told(notices.Vacated(1, "ben", "kicked")) == ""


def test_who_speaks_in_private_over_a_third_is_told_who_can_read_it() -> None:
    said = notices.Spoken(NICK, EVE, "ben", "hi")
    assert told(said, host="cy") == "you to ben (the host can read it): hi"
    assert told(said, host="ben") == "you to ben: hi"
    assert told(notices.Spoken("ben", EVE, NICK, "hi"), host="cy") == "ben to you: hi"
    assert told(notices.Spoken(NICK, EVE, "spectators", "hi"), host="cy") == "you to spectators: hi"


def test_who_speaks_under_the_name_of_another_is_told_with_the_key() -> None:
    assert told(notices.Spoken("dan", EVE, "", "it's me")) == f"dan ({chip(EVE)}, NOT the one you know): it's me"
    assert told(notices.Spoken("dan", OLD, "", "it's me")) == "dan: it's me"


def test_words_stay_as_they_were_written() -> None:
    assert told(notices.Spoken("ben", EVE, "", "you there")) == "ben: you there"

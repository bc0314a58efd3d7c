"""`tell`, `bell` and `hide` as they are typed and completed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Context, Fellow, Where
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import suggest
from p2pcards.commands.table_tell import EVENTS, SWITCHES, WAYS
from p2pcards.store import config_tables

HOME, LOBBY = Context(), Context(where=Where.LOBBY)


def texts(line: str) -> list[str]:
    return [one.text for one in suggest(line, HOME)]


def test_the_events_and_ways_are_those_of_the_file_of_settings() -> None:
    assert tuple(EVENTS) == config_tables.EVENTS
    assert tuple(WAYS) == config_tables.WAYS


@pytest.mark.parametrize(
    ("line", "args"),
    [
        ("tell", ()),
        ("tell chat", ("chat",)),
        ("tell My-Turn", ("my_turn",)),
        ("tell turn bell", ("my_turn", "bell")),
        ("tell tab", ("table_opened",)),
        ("tell chat off", ("chat", "off")),
        ("tell chat ON", ("chat", "on")),
        ("tell chat sound, bell bell", ("chat", "bell sound")),
        ("tell round_over bell title notice sound", ("round_over", "bell title notice sound")),
    ],
)
def test_an_event_and_its_ways_are_understood(line: str, args: tuple[str, ...]) -> None:
    assert parse(line, HOME) == Command("tell", args)


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("tell rain", Problem(Trouble.NO_SUCH, ("event", "rain", *EVENTS))),
        ("tell e", Problem(Trouble.NO_SUCH, ("event", "e", *EVENTS))),
        ("tell chat horn", Problem(Trouble.NO_SUCH, ("way", "horn", *WAYS, *SWITCHES))),
        ("tell chat bell horn", Problem(Trouble.NO_SUCH, ("way", "horn", *WAYS))),
        ("tell chat bell off", Problem(Trouble.BAD_CHOICE, ("off", *WAYS))),
        ("tell chat off bell", Problem(Trouble.BAD_CHOICE, ("off", *WAYS))),
    ],
)
def test_what_is_no_event_or_way_is_refused_with_what_there_is(line: str, problem: Problem) -> None:
    assert parse(line, HOME) == problem


def test_who_names_a_person_is_shown_how_to_speak_to_them() -> None:
    here = replace(LOBBY, people=(Fellow("Ben", "mango-tiger"),))
    assert parse("tell ben hi", here) == Problem(Trouble.UNKNOWN, ("tell ben", "msg ben TEXT"))


def test_events_are_offered_then_ways_each_once() -> None:
    assert texts("tell ") == list(EVENTS)
    assert texts("tell ro") == ["round_over"]
    assert texts("tell chat ") == [*WAYS, *SWITCHES]
    assert texts("tell chat bell ") == ["title", "notice", "sound"]
    assert texts("tell chat bell n") == ["notice"]
    assert texts("tell chat bell title notice sound ") == []
    assert texts("tell chat off ") == []


def test_every_event_and_way_is_explained_beside_it() -> None:
    for line, about in (("tell ", EVENTS), ("tell chat ", {**WAYS, **SWITCHES})):
        assert [one.note.detail for one in suggest(line, HOME)] == [(text,) for text in about.values()]


@pytest.mark.parametrize("word", ["on", "off", "turn"])
def test_how_the_hand_is_hidden_may_be_said(word: str) -> None:
    assert parse(f"hide {word}", LOBBY) == Command("hide", (word,))
    assert parse("hide", LOBBY) == Command("hide")
    assert word in [one.text for one in suggest("hide ", LOBBY)]

"""The command table: every command once, and no game verb among its words."""

from __future__ import annotations

from collections import Counter

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.context import Context, Where
from p2pcards.commands.entry import Kind
from p2pcards.commands.parse import parse
from p2pcards.commands.table import (
    ENTRIES,
    GAME_ALIASES,
    HOSTS_WORDS,
    VERB_ALIASES,
    lacks_seat,
    meant,
    named,
    offered,
    verb,
)
from p2pcards.games.base import Game
from p2pcards.games.registry import GAMES
from tests.testing.crowd import DAN, GUEST, HOME, HOST, WATCHER

WORDS = {word for entry in ENTRIES for word in (entry.word, *entry.aliases)}


def usages(context: Context) -> set[str]:
    return {entry.usage for entry in offered(context)}


def words(context: Context) -> set[str]:
    return {entry.words for entry in offered(context)}


def test_every_command_stands_there_once() -> None:
    assert [words for words, count in Counter(entry.usage for entry in ENTRIES).items() if count > 1] == []
    owners = Counter(word for word in WORDS for entry in {e.word for e in ENTRIES if word in (e.word, *e.aliases)})
    assert [word for word, count in owners.items() if count > 1] == []


@pytest.mark.parametrize("game", GAMES.values())
def test_no_game_verb_is_a_word_of_the_table(game: type[Game[object, object, object]]) -> None:
    assert WORDS & set(game.verbs) == set()
    assert WORDS & set(VERB_ALIASES) == set()


def test_second_words_belong_to_all_commands_of_a_word_or_to_none() -> None:
    for entry in ENTRIES:
        assert len({bool(other.second) for other in named(entry.word)}) == 1


def test_optional_arguments_come_last_and_choices_are_named() -> None:
    for entry in ENTRIES:
        needed = [not arg.optional for arg in entry.args]
        assert needed == sorted(needed, reverse=True)
        assert all(bool(arg.choices) == (arg.kind is Kind.CHOICE) for arg in entry.args)


def test_help_is_one_line_that_says_what_to_do() -> None:
    for entry in ENTRIES:
        assert "\n" not in entry.help
        assert not entry.help.endswith(".")
        assert entry.help[0].islower()
        assert len(f"{entry.usage}  {entry.help}") < 78


def test_usage_shows_what_can_be_left_out() -> None:
    assert {entry.usage for entry in named("bot")} == {"bot add [LEVEL]", "bot remove BOT", "bot level BOT LEVEL"}
    assert named("practice")[0].usage == "practise GAME"


def test_the_host_alone_gets_the_hosts_commands() -> None:
    guests = words(Context(where=Where.LOBBY, me=1))
    hosts = words(Context(where=Where.LOBBY, me=0, host=True))
    assert hosts - guests == {"start", "bot add", "bot remove", "bot level", "preset load"}
    assert "next" not in hosts
    both = (Context(where=Where.LOBBY, me=1), Context(where=Where.LOBBY, me=0, host=True))
    assert [sorted(usage for usage in usages(where) if usage.startswith("set")) for where in both] == [
        ["set [OPTION]"],
        ["set OPTION VALUE", "set [OPTION]"],
    ]


def test_every_place_has_help_and_a_way_out() -> None:
    for where in Where:
        here = words(Context(where=where))
        assert {"help", "log", "quit"} <= here
        assert ("leave" in here) == (where is not Where.HOME)


def test_a_join_under_way_can_be_left() -> None:
    assert "leave" in words(Context(joining="10.0.0.7"))


def test_next_and_stop_stand_between_rounds_and_again_after_the_match() -> None:
    between = words(Context(where=Where.BETWEEN, me=0, endless=True))
    assert {"next", "stop"} <= between
    assert "again" not in between
    assert "stop" not in words(Context(where=Where.BETWEEN, me=0))
    over = words(Context(where=Where.OVER, me=0))
    assert "again" in over
    assert not {"next", "stop"} & over


def test_the_seat_is_taken_back_only_from_a_bot() -> None:
    for where in (Where.PLAYING, Where.BETWEEN):
        assert "back" in words(Context(where=where, me=0, bot_plays=True))
    assert "back" not in words(Context(where=Where.PLAYING, me=0))
    assert "back" not in words(Context(where=Where.LOBBY, me=0, bot_plays=True))


def test_who_watches_is_offered_nothing_that_needs_a_seat() -> None:
    for where in Where:
        watcher, player = (words(Context(where=where, me=me, endless=True)) for me in (None, 0))
        assert not {"next", "again", "stop", "hand", "legal", "sort", "ragequit"} & watcher
        assert watcher - {"sit"} <= player


def test_aliases_name_what_there_is() -> None:
    tongits = GAMES["tongits"]
    assert verb(tongits, "fight") == verb(tongits, "knock") == verb(tongits, "call") == "call"
    assert verb(tongits, "cal") is None
    assert set(GAME_ALIASES.values()) <= set(GAMES)


def test_a_host_without_a_seat_may_skip_a_turn_all_the_same() -> None:
    host = Context(where=Where.PLAYING, me=None, host=True)
    assert "skip" in words(host)
    assert "deck" not in words(host)
    assert "skip" not in words(Context(where=Where.PLAYING, me=None))
    assert isinstance(parse("skip", host), Command)


def test_what_is_said_about_people_works_for_everybody_at_a_table_and_their_own_lists_at_home_too() -> None:
    for where in set(Where) - {Where.HOME}:
        watcher = words(replace(WATCHER, where=where))
        assert {"say", "msg", "ignore", "mute", "whois", "petname", "vouch", "bans", "door"} <= watcher
        assert not {"kick", "ban", "admit", "deny", "unban", "vote kick", "vote yes"} & watcher
    assert {"ban", "unban", "bans", "ignore", "mute", "whois", "petname", "vouch"} <= words(HOME)
    assert not {"say", "msg", "kick", "door", "vote kick", "code"} & words(HOME)
    assert not {"ban", "unban", "ignore", "petname", "vouch"} & words(Context())  # nobody is known


def test_the_door_is_the_hosts_and_not_changed_in_a_round() -> None:
    for where in (Where.LOBBY, Where.BETWEEN, Where.OVER):
        assert "door open|ask|code|lab|lab+uid" in usages(replace(HOST, where=where))
    assert "door open|ask|code|lab|lab+uid" not in usages(replace(HOST, where=Where.PLAYING))
    assert "door open|ask|code|lab|lab+uid" not in usages(GUEST)
    assert "door" in usages(replace(GUEST, where=Where.PLAYING))


def test_what_waits_for_nobody_is_not_offered() -> None:
    assert {"admit", "deny"} <= words(replace(HOST, knocks=(DAN,)))
    assert not {"admit", "deny"} & words(HOST)
    assert {"kick", "ban"} <= words(HOST)
    assert not {"kick", "ban", "msg"} & words(replace(HOST, people=()))
    assert "code" in words(replace(HOME, asking="lab"))


def test_of_two_commands_of_one_word_the_longer_is_meant_where_neither_takes_as_much() -> None:
    for word, lengths in (("door", [0, 1, 1]), ("set", [1, 1, 2, 2])):
        found = [meant(named(word), count) for count in range(len(lengths))]
        assert [len(entry.args) for (entry,) in found] == lengths


def test_a_host_without_a_seat_moves_the_table_on_and_no_other_onlooker_does() -> None:
    context = replace(HOST, where=Where.BETWEEN, me=None, endless=True)
    for word in HOSTS_WORDS:
        (entry,) = named(word)
        assert not lacks_seat(entry, context)
        assert lacks_seat(entry, replace(context, host=False))
    assert {"next", "stop"} <= {entry.word for entry in offered(context)}

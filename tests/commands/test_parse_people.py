"""Lines about people, doors, codes and votes, and lines that are said: what is understood, and why the rest is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.commands.cardwords import read
from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Context, Where
from p2pcards.commands.parse import LONGEST, parse
from p2pcards.commands.parse_people import LONGEST_NAME, seconds
from p2pcards.commands.table import ENTRIES
from p2pcards.commands.table_people import DOORS, LAB_DOORS
from p2pcards.games.registry import GAMES
from p2pcards.table import settings
from p2pcards.wire.code import code_words
from p2pcards.wire.entries import REASON_CHARS
from p2pcards.wire.messages import CHAT_CHARS
from p2pcards.wire.text import clean
from tests.testing.crowd import DAN, FAY, GUEST, HOME, HOST, VOTE, WATCHER
from tests.testing.tongits_spot import context, spot

ONE = replace(HOST, knocks=(DAN,))
TWO = replace(HOST, knocks=(DAN, FAY))
ASKED = replace(HOME, joining="10.0.0.7", asking="lab")
PRACTICE = replace(HOST, alone=True, people=())
VOTING = replace(GUEST, nick="cy", vote=VOTE)
PLAYING = context(spot("AS 2S 3S 7H"))


def problem(line: str, where: Context) -> tuple[object, ...]:
    found = parse(line, where)
    assert isinstance(found, Problem), found
    return (found.code, *found.detail)


@pytest.mark.parametrize(
    ("line", "where", "command"),
    [
        ("door", HOST, Command("door")),
        ("door", WATCHER, Command("door")),
        ("door ASK", HOST, Command("door", ("ask",))),
        ("door lab+uid", replace(HOST, in_lab=True), Command("door", ("lab+uid",))),
        ("admit", ONE, Command("admit", ("dan",))),
        ("admit FAY", TWO, Command("admit", ("Fay",))),
        ("admit dan", replace(ONE, where=Where.PLAYING), Command("admit", ("dan",))),
        ("deny", ONE, Command("deny", ("dan", ""))),
        ("deny dan we are  full", TWO, Command("deny", ("dan", "we are full"))),
        ("kick BEN", HOST, Command("kick", ("ben", ""))),
        ("/kick eve Away, for an Hour", HOST, Command("kick", ("Eve", "Away, for an Hour"))),
        ("kick boss", HOST, Command("kick", ("ben", ""))),
        ("kick mango-TIGER", HOST, Command("kick", ("ben", ""))),
        ("ban ben", HOST, Command("ban", ("ben", "0", ""))),
        ("ban ben rude", HOST, Command("ban", ("ben", "0", "rude"))),
        ("ban ben 10m", HOST, Command("ban", ("ben", "600", ""))),
        ("ban ben 2H rude words", HOST, Command("ban", ("ben", "7200", "rude words"))),
        ("ban ben forever 2h of insults", HOST, Command("ban", ("ben", "0", "2h of insults"))),
        ("ban ben 3rd time", HOST, Command("ban", ("ben", "0", "3rd time"))),
        ("ban dan 7d", ONE, Command("ban", ("dan", "604800", ""))),
        ("ban mallory", HOST, Command("ban", ("mallory", "0", ""))),
        ("ban ~3f0c", HOME, Command("ban", ("~3f0c", "0", ""))),
        ("unban MALLORY", HOME, Command("unban", ("mallory",))),
        ("unban somebody", GUEST, Command("unban", ("somebody",))),
        ("bans", WATCHER, Command("bans")),
        ("vote kick Boss", HOST, Command("vote", ("kick", "ben"))),
        ("vote YES", VOTING, Command("vote", ("yes",))),
        ("vote no", VOTING, Command("vote", ("no",))),
        ("say hello", WATCHER, Command("say", ("hello",))),
        ("msg ana hi, ANA", GUEST, Command("msg", ("ana", "hi, ANA"))),
        ("pm Ana hi", GUEST, Command("msg", ("ana", "hi"))),
        ("ignore boss", HOST, Command("ignore", ("ben",))),
        ("ignore cy", HOME, Command("ignore", ("cy",))),
        ("unignore dan", ONE, Command("unignore", ("dan",))),
        ("mute", HOME, Command("mute")),
        ("mute ON", WATCHER, Command("mute", ("on",))),
        ("whois", HOME, Command("whois")),
        ("whois ANA", HOST, Command("whois", ("ana",))),
        ("whois lemon-lens", ONE, Command("whois", ("dan",))),
        ("petname ben Benny", HOST, Command("petname", ("ben", "Benny"))),
        ("petname ben", HOST, Command("petname", ("ben",))),
        ("vouch ben", HOST, Command("vouch", ("ben",))),
        ("vouch ben OFF", HOST, Command("vouch", ("ben", "off"))),
        ("list lab", replace(HOME, in_lab=True), Command("list", ("lab",))),
        ("list ALL", HOME, Command("list", ("all",))),
        ("code Mango-Tiger", ASKED, Command("code", ("mango-tiger",))),
        ("code mango  tiger", ASKED, Command("code", ("mango-tiger",))),
        ("leave", ASKED, Command("leave")),
    ],
)
def test_what_is_understood(line: str, where: Context, command: Command) -> None:
    assert parse(line, where) == command


@pytest.mark.parametrize(
    ("line", "where", "reason"),
    [
        ("door maybe", HOST, (Trouble.NO_SUCH_DOOR, "maybe", *DOORS)),
        ("door lab", HOST, (Trouble.NO_LAB, "door lab")),
        ("door ask", GUEST, (Trouble.HOST_ONLY, "door")),
        ("hello", GUEST, (Trouble.UNKNOWN, "hello", "say hello")),
        ("hello to all of you", GUEST, (Trouble.UNKNOWN, "hello", "say hello to all of you")),
        (f"hello {'o' * 90}", GUEST, (Trouble.UNKNOWN, "hello", f"say hello {'o' * 24} …")),
        ("hello", replace(GUEST, people=()), (Trouble.UNKNOWN, "hello")),
        ("hello", HOME, (Trouble.UNKNOWN, "hello")),
        ("#3x", GUEST, (Trouble.UNKNOWN, "#3x")),
        ("door ask", replace(HOST, where=Where.PLAYING), (Trouble.NOT_HERE, "door", "lobby", "between", "over")),
        ("door ask now", HOST, (Trouble.TOO_MANY, "door open|ask|code|lab|lab+uid")),
        ("door", HOME, (Trouble.NOT_HERE, "door")),
        ("door ask", PRACTICE, (Trouble.ALONE, "door")),
        ("admit", HOST, (Trouble.NOBODY_WAITS, "admit")),
        ("admit dan", HOST, (Trouble.NOBODY_WAITS, "admit")),
        ("admit", TWO, (Trouble.SEVERAL_WAIT, "admit", "dan", "Fay")),
        ("deny", TWO, (Trouble.SEVERAL_WAIT, "deny", "dan", "Fay")),
        ("admit ben", TWO, (Trouble.NOT_WAITING, "ben", "dan", "Fay")),
        ("deny dna", ONE, (Trouble.NOT_WAITING, "dna", "dan")),
        ("admit dan", replace(GUEST, knocks=(DAN,)), (Trouble.HOST_ONLY, "admit")),
        ("kick", HOST, (Trouble.MISSING, "kick NICK [REASON]")),
        ("kick bne", HOST, (Trouble.NO_SUCH_PERSON, "bne", "ben")),
        ("kick nobody", HOST, (Trouble.NO_SUCH_PERSON, "nobody")),
        ("kick ANA", HOST, (Trouble.YOURSELF, "kick")),
        ("kick Bot-1", HOST, (Trouble.A_BOT, "kick", "bot-1")),
        ("kick dan", ONE, (Trouble.AT_THE_DOOR, "dan")),
        ("kick eve", GUEST, (Trouble.HOST_ONLY, "kick")),
        ("kick ben", PRACTICE, (Trouble.ALONE, "kick")),
        ("kick ben " + "x" * (REASON_CHARS + 2), HOST, (Trouble.LONG_REASON, str(REASON_CHARS), "2")),
        ("ban ana", HOST, (Trouble.YOURSELF, "ban")),
        ("ban bot-1", HOST, (Trouble.A_BOT, "ban", "bot-1")),
        ("ban ben 10", HOST, (Trouble.BAD_DURATION, "10")),
        ("ban ben 10x", HOST, (Trouble.BAD_DURATION, "10x")),
        ("ban ben 10 minutes", HOST, (Trouble.BAD_DURATION, "10")),
        ("ban ben 1.5h", HOST, (Trouble.BAD_DURATION, "1.5h")),
        ("ban ben -5m rude", HOST, (Trouble.BAD_DURATION, "-5m")),
        ("ban ben 0m", HOST, (Trouble.BAD_DURATION, "0m")),
        ("ban ben 9999d", HOST, (Trouble.BAD_DURATION, "9999d")),
        ("ban eve", GUEST, (Trouble.HOST_ONLY, "ban")),
        ("unban", HOME, (Trouble.MISSING, "unban NICK")),
        ("vote", GUEST, (Trouble.MISSING, "vote kick NICK", "vote yes", "vote no")),
        ("vote eve", GUEST, (Trouble.BAD_CHOICE, "eve", "kick", "yes", "no")),
        ("vote kick ana", GUEST, (Trouble.THE_HOST, "vote kick", "ana")),
        ("vote kick ben", GUEST, (Trouble.YOURSELF, "vote kick")),
        ("vote kick bot-1", GUEST, (Trouble.A_BOT, "vote kick", "bot-1")),
        ("vote kick eve", GUEST, (Trouble.NO_SEAT, "vote kick", "Eve")),
        ("vote kick ben", WATCHER, (Trouble.WATCHING, "vote")),
        ("vote kick eve", VOTING, (Trouble.VOTE_OPEN, "ben")),
        ("vote yes", GUEST, (Trouble.NO_VOTE,)),
        ("vote no", replace(GUEST, vote=VOTE), (Trouble.ABOUT_YOU,)),
        ("vote no", replace(VOTING, vote=replace(VOTE, may=False)), (Trouble.VOTED, "ben")),
        ("say", HOST, (Trouble.MISSING, "say TEXT")),
        ("'", HOST, (Trouble.MISSING, "say TEXT")),
        ("say hi", HOME, (Trouble.NOT_HERE, "say")),
        ("'hi", HOME, (Trouble.NOT_HERE, "say")),
        ("'hi", PRACTICE, (Trouble.ALONE, "say")),
        ("msg ana", GUEST, (Trouble.MISSING, "msg NICK TEXT")),
        ("msg eve hi", GUEST, (Trouble.NO_SEAT, "msg", "Eve")),
        ("msg bot-1 hi", GUEST, (Trouble.A_BOT, "msg", "bot-1")),
        ("ignore ben", GUEST, (Trouble.YOURSELF, "ignore")),
        ("ignore bot-1", GUEST, (Trouble.A_BOT, "ignore", "bot-1")),
        ("whois " + "x" * (LONGEST_NAME + 1), HOME, (Trouble.BAD_NAME, "x" * (LONGEST_NAME + 1))),
        ("petname ben old friend", HOST, (Trouble.BAD_NAME, "old friend")),
        ("petname ben dealer", HOST, (Trouble.BAD_NAME, "dealer")),
        ("petname ben bot-7", HOST, (Trouble.BAD_NAME, "bot-7")),
        ("vouch ben maybe", HOST, (Trouble.BAD_CHOICE, "maybe", "on", "off")),
        ("list lab", HOME, (Trouble.NO_LAB, "list lab")),
        ("code mango-tiger", HOME, (Trouble.NOT_ASKED,)),
        ("code mango", ASKED, (Trouble.BAD_CODE, "mango")),
        ("code mango-tigr", ASKED, (Trouble.BAD_CODE, "mango-tigr", "tigr", "tiger")),
        ("code mango-tiger-acid", ASKED, (Trouble.BAD_CODE, "mango-tiger-acid")),
        ("mango-tiger", HOME, (Trouble.UNKNOWN, "mango-tiger")),
    ],
)  # fmt: skip
def test_what_is_not_says_why(line: str, where: Context, reason: tuple[object, ...]) -> None:
    assert problem(line, where) == reason


def test_the_doors_are_those_of_the_table() -> None:
    assert (DOORS, LAB_DOORS) == (settings.DOORS, settings.NEEDS_LAB)


# ---- codes


@pytest.mark.parametrize(
    "line", ["mango-tiger", "mango tiger", " MANGO  Tiger ", "/mango-tiger", "code-mango", "help mango"]
)
def test_a_line_of_two_words_is_the_code_that_is_asked_for(line: str) -> None:
    words = line.strip(" /").lower().replace("-", " ").split()
    assert parse(line, ASKED) == Command("code", ("-".join(words),))


def test_what_is_nearly_a_code_says_which_word_is_wrong() -> None:
    assert problem("mango tigr", ASKED) == (Trouble.BAD_CODE, "mango tigr", "tigr", "tiger")
    assert problem("mango-xqzv", ASKED) == (Trouble.BAD_CODE, "mango-xqzv", "xqzv")
    assert problem("qqqqq-xqzv", ASKED) == (Trouble.BAD_CODE, "qqqqq-xqzv", "qqqqq")
    assert problem("zooong-xqzv", HOME)[0] is Trouble.UNKNOWN
    assert problem("xyzzy plugh", ASKED) == (Trouble.UNKNOWN, "xyzzy")


def test_commands_work_on_while_a_code_is_asked_for() -> None:
    assert parse("coach off", ASKED) == Command("coach", ("off",))  # both stand in the list
    assert parse("coach-off", ASKED) == Command("code", ("coach-off",))
    assert parse("code coach off", ASKED) == Command("code", ("coach-off",))
    assert problem("kick ben", ASKED)[0] is Trouble.NOT_HERE


@given(st.sampled_from(code_words()), st.sampled_from(code_words()), st.sampled_from(["-", " ", "  ", " - "]))
def test_every_code_is_understood_behind_its_command(first: str, second: str, between: str) -> None:
    typed = f"code {first}{between}{second}".upper()
    assert parse(typed, ASKED) == Command("code", (f"{first}-{second}",))


# ---- what is said


def test_what_is_said_stays_as_it_is() -> None:
    for text in ("Well PLAYED, 7H!", "discard 7H", "'quoted'", "/kick ben", "yes", "7H", "#1", "\u2665 ni\u00f1o"):
        assert parse(f"'{text}", HOST) == parse(f"say {text}", HOST) == Command("say", (text,))
        assert parse(f"/'{text}", HOST) == parse(f"  ' {text} ", HOST) == Command("say", (text,))
        assert parse(f"msg ana {text}", GUEST) == Command("msg", ("ana", text))


@pytest.mark.parametrize("begin", ["'", "say ", "/say ", "msg ben "])
def test_a_text_is_said_whole_or_not_at_all(begin: str) -> None:
    fits = parse(begin + "x" * CHAT_CHARS, HOST)
    assert isinstance(fits, Command)
    assert fits.args[-1] == "x" * CHAT_CHARS
    for more in (1, 7, LONGEST, 100_000):
        found = problem(begin + "x" * (CHAT_CHARS + more), HOST)
        assert found == (Trouble.LONG_TEXT, str(CHAT_CHARS), str(more))


@given(st.text(max_size=40))
def test_a_line_that_speaks_plays_nothing(text: str) -> None:
    found = parse(f"'{text}", PLAYING)
    if isinstance(found, Command):
        assert found == Command("say", (clean(text, 400),))
    else:
        assert found.code in (Trouble.MISSING, Trouble.LINES)


# ---- times


@pytest.mark.parametrize(
    ("typed", "long"),
    [("1m", 60), ("10m", 600), ("2h", 7200), ("7D", 604_800), ("Forever", 0), ("3650d", 315_360_000)],
)
def test_times(typed: str, long: int) -> None:
    assert seconds(typed) == long


@pytest.mark.parametrize(
    "typed", ["", "m", "0m", "-1m", "1.5h", "10", "10s", "1w", "10mm", "\u0661m", "3651d", "9" * 30 + "m"]
)
def test_what_is_no_time(typed: str) -> None:
    assert seconds(typed) is None


# ---- what always holds

WORDS = st.sampled_from(
    [
        *(word for entry in ENTRIES for word in (entry.word, entry.second, *entry.aliases) if word),
        *(
            "ben",
            "BEN",
            "eve",
            "dan",
            "Fay",
            "ana",
            "boss",
            "bot-1",
            "nobody",
            "10m",
            "9x",
            "forever",
            "lab",
            "'",
            "yes",
        ),
        *("mango", "tiger", "mango-tiger", "on", "off", "~", "-", "7H", "#1"),
    ]
)
PLACES = (HOME, ASKED, HOST, GUEST, WATCHER, ONE, TWO, VOTING, PRACTICE, PLAYING)


@given(st.lists(WORDS, max_size=5).map(" ".join), st.sampled_from(PLACES))
def test_no_words_raise(line: str, where: Context) -> None:
    found = parse(line, where)
    assert isinstance(found, Command | Problem)
    assert parse(line, where) == found
    if isinstance(found, Command) and found.verb in ("kick", "ban", "msg", "admit", "deny"):
        assert found.args[0].lower() != where.nick.lower()
        assert len(found.args) == {"kick": 2, "ban": 3, "msg": 2, "admit": 1, "deny": 2}[found.verb]


@given(st.text(max_size=60), st.sampled_from(PLACES))
def test_no_text_raises(line: str, where: Context) -> None:
    for typed in (line, f"ban ben {line}", f"code {line}", f"petname ben {line}", f"unban {line}"):
        assert isinstance(parse(typed, where), Command | Problem)


def test_no_command_is_a_card() -> None:
    for word in (word for entry in ENTRIES for word in (entry.word, *entry.aliases)):
        for game in GAMES.values():
            assert read(game.ranking, (), word) is None

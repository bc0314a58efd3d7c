"""Lines to commands: what is understood, and the one reason for what is not."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.commands.command import Command, Problem, Trouble
from p2pcards.commands.context import Chair, Choice, Context, Listed, Where
from p2pcards.commands.parse import LONGEST, parse
from p2pcards.games.base import Refusal
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import Refusal as Rule
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.state import Block, Phase
from tests.testing.tongits_spot import LEVELS, context, random_views, spot

ROWS = (
    Listed(1, "~aaaa", "Friday night", "Tong-its", "ben", 1, "lobby"),
    Listed(2, "~bbbb", "lab 4", "Tong-its", "cy", 0, "playing"),
    Listed(3, "~cccc", "lab", "Tong-its", "dan", 2, "lobby"),
)
AT_HOME = Context(nick="ana", listed=ROWS, levels=LEVELS)
LOBBY = Context(
    where=Where.LOBBY,
    nick="ana",
    levels=LEVELS,
    choices=(Choice("scoring", "wins", ("wins", "chips"), "what is won"), Choice("stake", "1", (), "a unit")),
    game=TongIts(),
    host=True,
    me=0,
    chairs=(Chair("ana"), Chair("bot-1", bot=True), Chair("")),
)
ACT = context(spot("AS 2S 3S 7H 7D 7S KD", melds=((1, "4H 5H 6H"), (0, "8C 8D 8H"), (2, "9S TS JS"))))
HOSTS_ROUND = replace(ACT, choices=LOBBY.choices, host=True)
DRAW = context(spot("7H 7D QS", phase=Phase.DRAW, discards="KD 7S", melds=((1, "4H 5H 6H"),)))


def action(line: str, where: Context = ACT) -> str:
    found = parse(line, where)
    assert isinstance(found, Command), found
    assert found.verb == found.action.split(" ")[0]
    return found.action


def problem(line: str, where: Context = ACT) -> tuple[object, ...]:
    found = parse(line, where)
    assert isinstance(found, Problem), found
    return (found.code, *found.detail)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("list", Command("list")),
        ("  /LIST ", Command("list")),
        ("p2pcards join 10.0.0.7:25252", Command("join", ("10.0.0.7:25252",))),
        ("join 1", Command("join", ("~aaaa",))),
        ("join 01", Command("join", ("~aaaa",))),
        ("join friday NIGHT", Command("join", ("~aaaa",))),
        ("join fri", Command("join", ("~aaaa",))),
        ("join lab", Command("join", ("~cccc",))),
        ("join la", Command("join", ("la",))),
        ("join 10.0.0.7:25252", Command("join", ("10.0.0.7:25252",))),
        ('p2pcards join "Friday night"', Command("join", ("~aaaa",))),
        ("watch 'fri'", Command("watch", ("~aaaa",))),
        ('join "the pub"', Command("join", ("the pub",))),
        ('join "', Command("join", ('"',))),
        ('host tongits "Friday night"', Command("host", ("tongits", "Friday night"))),
        ("host tongits “Friday night”", Command("host", ("tongits", "Friday night"))),
        ('host tongits "Friday" night', Command("host", ("tongits", '"Friday" night'))),
        ('host tongits ""', Command("host", ("tongits", '""'))),
        ("host tongits", Command("host", ("tongits",))),
        ("host Tong-Its Friday  night", Command("host", ("tongits", "Friday night"))),
        ("practice tongits", Command("practise", ("tongits",))),
        ("?", Command("help")),
        ("help fight", Command("help", ("call",))),
        ("coach OFF", Command("coach", ("off",))),
    ],
)
def test_at_home(line: str, command: Command) -> None:
    assert parse(line, AT_HOME) == command


def test_a_title_that_has_quotes_itself_is_reached_by_them() -> None:
    quoted = replace(AT_HOME, listed=(*ROWS, Listed(4, "~dddd", '"Friday night"', "Tong-its", "eve", 1, "lobby")))
    assert parse('join "Friday night"', quoted) == Command("join", ("~dddd",))
    assert parse("join Friday night", quoted) == Command("join", ("~aaaa",))


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("start", Command("start")),
        ("set scoring chips", Command("set", ("scoring", "chips"))),
        ("set", Command("set")),
        ("set SCORING", Command("set", ("scoring",))),
        ("bot add", Command("bot", ("add",))),
        ("bot ADD Easy", Command("bot", ("add", "easy"))),
        ("bot remove BOT-1", Command("bot", ("remove", "bot-1"))),
        ("bot level bot-1 random", Command("bot", ("level", "bot-1", "random"))),
        ("bot level 2 easy", Command("bot", ("level", "bot-1", "easy"))),
        ("preset save Friday_2", Command("preset", ("save", "friday_2"))),
        ("preset load friday", Command("preset", ("load", "friday"))),
        ("preset LIST", Command("preset", ("list",))),
        ("preset delete friday tong-its", Command("preset", ("delete", "friday", "tongits"))),
        ("cardmode ASCII", Command("cardmode", ("ascii",))),
        ("aces a", Command("aces", ("A",))),
        ("log 3", Command("log", ("3",))),
        ("le\u200dave", Command("leave")),
    ],
)
def test_in_the_lobby(line: str, command: Command) -> None:
    assert parse(line, LOBBY) == command


@pytest.mark.parametrize(
    ("line", "where", "reason"),
    [
        ("", AT_HOME, (Trouble.EMPTY,)),
        (" / ", AT_HOME, (Trouble.EMPTY,)),
        ("x" * (LONGEST + 1), AT_HOME, (Trouble.TOO_LONG,)),
        ("hots tongits", AT_HOME, (Trouble.UNKNOWN, "hots", "host")),
        ("xyzzy", AT_HOME, (Trouble.UNKNOWN, "xyzzy")),
        ("lis", AT_HOME, (Trouble.UNKNOWN, "lis", "list")),
        ("qu", AT_HOME, (Trouble.UNKNOWN, "qu", "quit")),
        ("draw", AT_HOME, (Trouble.NO_ROUND, "draw")),
        ("punt", ACT, (Trouble.UNKNOWN, "punt")),
        ("maybe", ACT, (Trouble.UNKNOWN, "maybe")),
        ("histroy", ACT, (Trouble.UNKNOWN, "histroy", "history")),
        ("ñandú", ACT, (Trouble.UNKNOWN, "ñandú")),
        ("\U0001f468\u200d\U0001f469\x1b", AT_HOME, (Trouble.UNKNOWN, "\U0001f468\U0001f469")),
        ("list\nhost tongits", AT_HOME, (Trouble.LINES,)),
        ("10", ACT, (Trouble.BARE_NUMBER, "10")),
        ("10", AT_HOME, (Trouble.UNKNOWN, "10")),
        ("leave", AT_HOME, (Trouble.NOT_HERE, "leave")),
        ("next", replace(LOBBY, where=Where.OVER), (Trouble.MATCH_OVER, "next")),
        ("stop", replace(LOBBY, where=Where.OVER), (Trouble.MATCH_OVER, "stop")),
        ("next", replace(LOBBY, where=Where.BETWEEN, me=None, host=False), (Trouble.WATCHING, "next")),
        ("start", AT_HOME, (Trouble.NOT_HERE, "start", "lobby", "over")),
        ("join", AT_HOME, (Trouble.MISSING, "join TABLE")),
        ("join 9", AT_HOME, (Trouble.NO_SUCH_ROW, "9")),
        ("host chess", AT_HOME, (Trouble.NO_SUCH_GAME, "chess", *GAMES)),
        ("host tongits Friday --door code", AT_HOME, (Trouble.A_FLAG, "--door")),
        ("p2pcards host tongits --option=stake=2", AT_HOME, (Trouble.A_FLAG, "--option")),
        ("join 1 --record x", AT_HOME, (Trouble.SHELL_FLAG, "--record", "join", "join TABLE")),
        ("join 10.0.0.7:25252 --record=x", AT_HOME, (Trouble.SHELL_FLAG, "--record", "join", "join TABLE")),
        ("host tongits " + "é" * 21, AT_HOME, (Trouble.LONG_TITLE, "é" * 20)),
        ("list all day", AT_HOME, (Trouble.TOO_MANY, "list [lab|all]")),
        ("help lst", AT_HOME, (Trouble.NO_SUCH_TOPIC, "lst", "list")),
        ("bell maybe", AT_HOME, (Trouble.BAD_CHOICE, "maybe", "on", "off")),
        ("bot", LOBBY, (Trouble.MISSING, "bot add [LEVEL]", "bot remove BOT", "bot level BOT LEVEL")),
        ("bot kill", LOBBY, (Trouble.BAD_CHOICE, "kill", "add", "remove", "level")),
        ("bot add genius", LOBBY, (Trouble.NO_SUCH, "level", "genius", *LEVELS)),
        ("bot remove ana", LOBBY, (Trouble.NO_SUCH_BOT, "ana", "bot-1")),
        ("set scorn", LOBBY, (Trouble.NO_SUCH_OPTION, "scorn", "scoring")),
        ("set scorn chips", LOBBY, (Trouble.NO_SUCH_OPTION, "scorn", "scoring")),
        ("set zzz", LOBBY, (Trouble.NO_SUCH_OPTION, "zzz")),
        ("set scoring chips", replace(LOBBY, host=False), (Trouble.RULES_HOST,)),
        ("set scoring chips", ACT, (Trouble.NO_SUCH_OPTION, "scoring")),
        ("set scoring chips", HOSTS_ROUND, (Trouble.RULES_LATER,)),
        ("set foo bar", HOSTS_ROUND, (Trouble.NO_SUCH_OPTION, "foo")),
        ("set scoring chips", replace(HOSTS_ROUND, host=False), (Trouble.RULES_HOST,)),
        ("set scoring chips", AT_HOME, (Trouble.NOT_HERE, "set", "lobby", "over")),
        ("preset load x", HOSTS_ROUND, (Trouble.NOT_HERE, "preset load", "lobby", "over")),
        ("practise tongits", LOBBY, (Trouble.LEAVE_FIRST, "practise", "home")),
        ("stop", HOSTS_ROUND, (Trouble.LEAVE_FIRST, "stop", "between")),
        ("stop", AT_HOME, (Trouble.NOT_HERE, "stop", "between")),
        ("sort foo", ACT, (Trouble.NO_SUCH, "order", "foo", "rank", "suit", "melds", "own")),
        ("cardmode foo", AT_HOME, (Trouble.NO_SUCH, "card mode", "foo", "text", "ascii", "boxes", "art")),
        ("set", AT_HOME, (Trouble.NOT_HERE, "set")),
        ("bot level 1 easy", LOBBY, (Trouble.NO_BOT_THERE, "1")),
        ("bot level 99 easy", LOBBY, (Trouble.NO_BOT_THERE, "99")),
        ("preset save the_usual!", LOBBY, (Trouble.BAD_PRESET, "the_usual!")),
        ("preset load x", replace(LOBBY, host=False), (Trouble.HOST_ONLY, "preset load")),
        ("preset save x", AT_HOME, (Trouble.NOT_HERE, "preset save", "lobby", "playing", "between", "over")),
        ("preset", AT_HOME, (Trouble.MISSING, "preset list", "preset delete NAME [GAME]")),
        ("preset lost", replace(LOBBY, host=False), (Trouble.BAD_CHOICE, "lost", "save", "list", "delete")),
        ("aces 2", LOBBY, (Trouble.BAD_CHOICE, "2", "A", "1")),
        ("log -1", LOBBY, (Trouble.BAD_NUMBER, "-1")),
        ("log 0", LOBBY, (Trouble.BAD_NUMBER, "0")),
        ("draw", LOBBY, (Trouble.NO_ROUND, "draw")),
        ("7H", LOBBY, (Trouble.NO_ROUND, "7H")),
        ("play 7H", LOBBY, (Trouble.OTHER_GAME, "play", "Tong-its")),
        ("play 7H", ACT, (Trouble.OTHER_GAME, "play", "Tong-its")),
    ],
)
def test_what_is_no_command_says_why(line: str, where: Context, reason: tuple[object, ...]) -> None:
    assert problem(line, where) == reason


def test_what_is_understood_though_another_word_is_offered() -> None:
    assert parse("again", replace(LOBBY, where=Where.BETWEEN)) == Command("again")
    assert parse("leave", replace(AT_HOME, joining="10.0.0.7")) == Command("leave")


def test_everybody_may_look_at_the_rules_at_any_time() -> None:
    for where in (replace(LOBBY, host=False), replace(LOBBY, me=None), replace(ACT, choices=LOBBY.choices)):
        assert parse("set scoring", where) == Command("set", ("scoring",))


def test_only_the_host_starts() -> None:
    guest = Context(where=Where.LOBBY, game=TongIts(), me=0, chairs=LOBBY.chairs)
    assert problem("start", guest) == (Trouble.HOST_ONLY, "start")


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("discard KD", "discard KD"),
        ("Discard kd", "discard KD"),
        ("/discard dk", "discard KD"),
        ("discard K♦", "discard KD"),
        ("discard #7", "discard KD"),
        ("expose 3s, as 2S", "expose AS 2S 3S"),
        ("expose #1 #3 #2", "expose AS 2S 3S"),
        ("layoff m1 7h", "layoff 7H m1"),
        ("layoff 7h M1", "layoff 7H m1"),
    ],
)
def test_cards_in_any_form_and_order(line: str, text: str) -> None:
    assert action(line) == text


def test_an_alias_of_a_verb() -> None:
    may_call = context(spot("AS", phase=Phase.DRAW, melds=((0, "4H 5H 6H"),)))
    assert action("fight", may_call) == "call"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("kd", "discard KD"),
        ("#7", "discard KD"),
        ("7h m1", "layoff 7H m1"),
        ("as 3s 2s", "expose AS 2S 3S"),
        ("7h 7d 7s", "expose 7D 7H 7S"),
    ],
)
def test_bare_cards_run_the_only_action_with_them(line: str, text: str) -> None:
    assert action(line) == text


def test_a_bare_card_with_several_uses_asks_which() -> None:
    assert problem("7h") == (Trouble.WHICH, "expose 7D 7H 7S", "layoff 7H m1", "discard 7H")


def test_a_bare_card_draws_nothing_by_guess() -> None:
    assert problem("7d", DRAW) == (Trouble.WHICH, "take 7D 7H")
    assert problem("qs", DRAW) == (Trouble.NO_USE, "QS")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("discard 11S", (Trouble.NO_SUCH_CARD, "11S")),
        ("discard #8", (Trouble.NO_SUCH_PLACE, "#8", "7")),
        ("discard #0", (Trouble.NO_SUCH_PLACE, "#0", "7")),
        ("#99999999", (Trouble.NO_SUCH_PLACE, "#99999999", "7")),
        ("discard QS", (Refusal.NOT_HELD, "QS")),
        ("qs", (Refusal.NOT_HELD, "QS")),
        ("as qs kc", (Refusal.NOT_HELD, "QS", "KC")),
        ("as kd", (Trouble.NO_USE, "AS", "KD")),
        ("discard", (Trouble.WHICH_CARD, "discard", "AS", "2S", "3S", "7D", "7H", "7S", "KD")),
        ("take", (Trouble.NOTHING_TO, "take")),
        ("discard AS KD", (Trouble.ONE_CARD, "AS", "KD")),
        ("layoff KD", (Trouble.NOT_AN_ACTION, "layoff", "layoff CARD MELD", "layoff 7H m1")),
        ("layoff 7H m9", (Rule.UNKNOWN_MELD, "m9")),
        ("layoff KD m1", (Rule.DOES_NOT_FIT, "KD", "m1", "4H 5H 6H")),
        ("expose AS 2S KD", (Rule.NO_MELD, "AS 2S KD")),
        ("draw", (Rule.ALREADY_DRAWN,)),
        ("call", (Rule.CALL_FIRST,)),
        ("fold", (Rule.NO_CALL,)),
        ("discard 10", (Trouble.BARE_NUMBER, "10")),
        ("draw now", (Trouble.NO_SUCH_CARD, "now")),
        ("expose 7H 7h 7H", (Trouble.TWICE, "7H")),
        ("expose AS AS 2S 3S", (Trouble.TWICE, "AS")),
        ("discard #7 KD", (Trouble.TWICE, "KD")),
        ("layoff 7H m1 M1", (Trouble.TWICE, "m1")),
        ("7d 7d", (Trouble.TWICE, "7D")),
        ("discard nonsense", (Trouble.NO_SUCH_CARD, "nonsense")),
        ("dra", (Trouble.UNKNOWN, "dra", "draw")),
    ],
)
def test_what_the_rules_refuse_carries_their_code(line: str, reason: tuple[object, ...]) -> None:
    assert problem(line) == reason


def test_a_short_lay_off_that_can_mean_one_thing_only() -> None:
    assert action("layoff 7h") == "layoff 7H m1"
    assert problem("layoff 7s")[0] is Trouble.NOT_AN_ACTION


def test_a_doubled_card_takes_nothing() -> None:
    assert problem("take 7D 7d", DRAW) == (Trouble.TWICE, "7D")


def test_refusals_of_the_draw_phase() -> None:
    assert problem("discard QS", DRAW) == (Rule.DRAW_FIRST,)
    assert problem("take QS", DRAW)[0] is Rule.NO_MELD
    assert problem("take", DRAW) == (Trouble.WHICH_CARDS, "take", "7D 7H")
    assert problem("call", DRAW) == (Rule.NOTHING_EXPOSED,)
    blocked = context(spot("AS", phase=Phase.DRAW, melds=((0, "4H 5H 6H"),), blocked=Block.LAID))
    assert problem("call", blocked) == (Rule.BLOCKED_LAID,)


def test_who_is_not_to_act_hears_whose_turn_it_is() -> None:
    waiting = context(spot("AS", turn=1))
    assert problem("draw", waiting) == (Refusal.NOT_YOUR_TURN, "ben")
    assert problem("discard nonsense", waiting) == (Refusal.NOT_YOUR_TURN, "ben")
    assert problem("AS", waiting) == (Refusal.NOT_YOUR_TURN, "ben")
    answered = context(spot("AS", phase=Phase.RESPOND, turn=1, asked=(0, 2)), to_act=(2,))
    assert problem("fold", answered) == (Refusal.NOT_YOUR_TURN, "cy")


def test_who_watches_and_who_has_just_acted() -> None:
    watching = context(spot("AS", turn=1, seat=None))
    assert problem("draw", watching) == (Trouble.WATCHING, "draw")
    sent = context(spot("AS 2S"), pending="discard AS")
    assert problem("discard 2S", sent) == (Trouble.PENDING, "discard AS")


@given(st.text(max_size=60))
def test_no_text_raises(line: str) -> None:
    for where in (AT_HOME, LOBBY, ACT, DRAW):
        assert isinstance(parse(line, where), Command | Problem)


WORDS = st.sampled_from(
    ["discard", "layoff", "expose", "take", "set", "bot", "add", "join", "m1", "m99", "7H", "#3", "#", "10d", "♠q", ","]
)


@given(st.lists(WORDS, max_size=6).map(" ".join))
def test_no_words_raise_and_what_is_understood_is_legal(line: str) -> None:
    for where in (ACT, DRAW):
        found = parse(line, where)
        if isinstance(found, Command) and found.action:
            assert where.legal is not None
            assert found.action in where.legal.lines
            typed = [word for word in re.split(r"[\s,]+", line) if word][1:]
            assert len(typed) <= len(set(found.action.split()[1:]))


@pytest.mark.parametrize("seed", range(6))
def test_every_legal_line_is_understood(seed: int) -> None:
    for view in random_views(seed, {"discard_layoff": "true", "secret_set": "true"}):
        where = context(view, {"discard_layoff": "true", "secret_set": "true"})
        assert where.legal is not None
        for line in where.legal.lines:
            assert action(line, where) == line
            assert action(line.lower(), where) == line


@pytest.mark.parametrize("where", [Where.LOBBY, Where.PLAYING, Where.BETWEEN, Where.OVER])
@pytest.mark.parametrize("host", [True, False])
def test_presets_are_kept_and_listed_everywhere_at_a_table(where: Where, host: bool) -> None:
    there = replace(LOBBY, where=where, host=host)
    assert parse("preset save friday", there) == Command("preset", ("save", "friday"))
    assert parse("preset list", there) == Command("preset", ("list",))
    assert parse("set scoring", there) == Command("set", ("scoring",))

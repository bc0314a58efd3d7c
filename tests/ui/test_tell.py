"""What somebody is told who looks elsewhere: which event by which ways, and what is not told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.table_tell import EVENTS, WAYS
from p2pcards.table import notices
from p2pcards.table.notices import Closed, Kicked, LinkBack, LinkLost, MatchStarted, RoundOver, Spoken
from p2pcards.table.tableview import TableView
from p2pcards.ui.desk import Desk
from p2pcards.ui.habits import Habits
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.tell import BELL_SECONDS, CATCHING_UP, FOUND, USUAL, Teller, newcomers, turn_came
from p2pcards.ui.voice import Cards
from p2pcards.ui.ways import Ways
from tests.testing.fake_node import KEY, NICK, OTHERS, FakeNode, row

BEN = dict(OTHERS)["ben"]
ALL = dict.fromkeys(EVENTS, ("bell", "notice", "sound"))
QUEEN = "the queen of hearts"


class Person:
    """Somebody who looks elsewhere. rung, heard, read: bells, sounds, notices that reached them."""

    def __init__(self, node: FakeNode, tell: dict[str, tuple[str, ...]] | None = None) -> None:
        self.node, self.rung, self.heard = node, 0, 0
        self.read: list[str] = []
        ways = Ways(
            ring=self._ring, titled=True, write=self._write, command="play", environ={"TERM": "foot"}, start=self._play
        )
        self.prompt = Prompt(node, Cards.SIGNS, str, habits=Habits(tell=ALL if tell is None else tell))
        self.teller = Teller(node, self.prompt, ways)
        node.listen(self._listen)

    def _ring(self) -> None:
        self.rung += 1

    def _play(self, words: Sequence[str]) -> None:
        self.heard += 1

    def _write(self, text: str) -> None:
        self.read.append(text.removeprefix("\x1b]777;notify;p2pcards;").removesuffix("\x1b\\"))

    def _listen(self, notice: notices.Notice | None) -> None:
        self.teller.heard(notice)
        if notice is not None:
            self.prompt.heard(notice)

    def later(self, seconds: float = 2 * BELL_SECONDS) -> None:
        self.node.clock += seconds

    def types(self, line: str) -> tuple[str, ...]:
        self.teller.attended()
        return self.prompt.enter(line).lines

    def says(self, text: str, to: str = "", nick: str = "ben") -> None:
        self.node.tell(Spoken(nick, BEN, to, text))


def at_table(tell: dict[str, tuple[str, ...]] | None = None, *, others: int = 1, host: bool = True) -> Person:
    node = FakeNode(3)
    node.sit(others=others, host=host)
    person = Person(node, tell)
    person.later(10)
    return person


def sits_down(node: FakeNode, place: int = 2, nick: str = "cy") -> None:
    assert node.table is not None
    seats = list(node.table.seats)
    seats[place] = replace(seats[place], nick=nick, key=b"\x09" * 32)
    node.change(seats=tuple(seats))
    node.tell(notices.Seated(place, nick, b"\x09" * 32, ""))


def my_turn(node: FakeNode, *, mine: bool = True) -> None:
    node.change(to_act=(0,) if mine else (1,))
    node.tell(None)


# ---- events


EVENT: dict[str, tuple[Callable[[Person], None], str]] = {
    "my_turn": (lambda one: my_turn(one.node), "Your turn (Tong-its)."),
    "joined": (lambda one: sits_down(one.node), "cy is at the table (Tong-its)."),
    "started": (lambda one: one.node.tell(MatchStarted(1, ())), "The match begins (Tong-its)."),
    "kicked": (lambda one: one.node.tell(Kicked(NICK, KEY, "ben", "", 0)), "You were shown out (Tong-its)."),
    "round_over": (lambda one: one.node.tell(RoundOver(1, "tongits", (), ())), "The round is over (Tong-its)."),
    "chat": (lambda one: one.says(QUEEN, NICK), "ben speaks to you (Tong-its)."),
}


@pytest.mark.parametrize("event", EVENT)
def test_every_event_at_a_table_goes_the_ways_that_are_wanted(event: str) -> None:
    happens, text = EVENT[event]
    person = at_table()
    happens(person)
    assert (person.rung, person.heard, person.read) == (1, 1, [text])
    deaf = at_table({other: ("bell",) * (other != event) for other in EVENTS})
    happens(deaf)
    assert (deaf.rung, deaf.heard, deaf.read) == (0, 0, [])


def test_a_table_that_opens_while_i_am_at_home_is_told_once() -> None:
    node = FakeNode()
    person = Person(node)
    person.later(2 * FOUND)
    friday = row("Friday night")
    node.rows(replace(friday, answers=False), searching_for=2 * FOUND)
    assert person.read == []
    node.rows(friday)
    assert person.read == ["Friday night is open."]
    person.later()
    node.rows()
    node.rows(friday)
    assert len(person.read) == 1


def test_tables_that_were_there_before_are_not_told() -> None:
    node = FakeNode(rows=(row("old"),))
    person = Person(node)
    node.rows(row("old"), row("found first", 2), replace(row("slow", 3), answers=False), searching_for=1.0)
    person.later(2 * FOUND)
    node.rows(row("old"), row("found first", 2), row("slow", 3), searching_for=2 * FOUND)
    others: tuple[dict[str, Any], ...] = ({"state": "playing"}, {"version": "9 / 3"}, {"barred": True})
    for number, more in enumerate(others, 4):
        node.rows(row("none for me", number, **more))
    node.rows(row("found when the search began anew", 8), searching_for=1.0)
    node.rows(searching_for=2 * FOUND)
    person.prompt.settings.lab_only = True
    node.rows(row("not my lab's", 9))
    assert person.read == []


def test_nobody_is_told_of_tables_while_at_one() -> None:
    person = at_table()
    person.node.rows(row("Friday night"), searching_for=2 * FOUND)
    assert person.read == []
    person.node.do(Command("leave"))
    person.node.rows(row("Friday night"), row("found on the way home", 2), searching_for=2 * FOUND)
    assert person.read == []


def test_my_turn_comes_once_and_the_table_s_questions_are_told_as_it() -> None:
    person = at_table()
    my_turn(person.node)
    person.later()
    my_turn(person.node)
    assert person.rung == 1
    person.later()
    person.node.tell(notices.GoOnAsked(("cy",)))
    person.later()
    person.node.tell(notices.RolledBack(4, 2, ("draw",)))
    person.node.tell(notices.RolledBack(4, 2))
    assert person.read[1:] == [
        "The table asks you something (Tong-its).",
        "Your last move was lost with the host (Tong-its).",
    ]


def test_whoever_knocks_is_told_as_somebody_who_comes() -> None:
    person = at_table()
    person.node.tell(notices.Knocked(1, "eve", b"e" * 32, "new", "", "ask"))
    assert person.read == ["eve is at the door (Tong-its)."]


@pytest.mark.parametrize("text", ["hi ana!", "ANA?", "(ana) your turn", "ana"])
def test_my_name_in_what_is_said_to_all_is_for_me(text: str) -> None:
    person = at_table()
    person.says(text)
    assert person.rung == 1


@pytest.mark.parametrize("text", ["banana", "ana-maria", "ana_2", "hi all"])
def test_other_words_are_not_nor_those_of_whom_i_do_not_hear(text: str) -> None:
    person = at_table()
    person.says(text)
    person.says("psst", "cy")
    person.types("mute on")
    person.says("psst", NICK)
    assert person.rung == 0


def test_who_is_shown_out_is_told_once() -> None:
    person = at_table()
    person.node.tell(Kicked(NICK, KEY, "ben", "", 0))
    person.later()
    person.node.tell(Closed("kicked", ""))
    assert person.rung == 1
    other = at_table()
    other.node.tell(Kicked("cy", BEN, "ben", "", 0))
    assert other.rung == 0
    other.node.tell(Closed("banned", ""))
    assert other.rung == 1


# ---- what is not told


def test_what_i_did_myself_is_not_told() -> None:
    node = FakeNode(3)
    person = Person(node)
    person.types("practise tongits")
    assert "The match begins (Tong-its)." not in person.read
    me = notices.Acted(1, 1, 0, NICK, "act", "draw", "")
    node.tell(me)
    node.tell(RoundOver(1, "tongits", (), ()))
    assert "The round is over (Tong-its)." not in person.read
    node.tell(replace(me, by="time"))
    node.tell(RoundOver(1, "tongits", (), ()))
    assert "The round is over (Tong-its)." in person.read
    person.says("ana is here", nick=NICK)
    assert not any("speaks" in text for text in person.read)


def test_a_match_that_others_begin_is_told_and_one_that_i_was_the_last_to_want_is_not() -> None:
    for mine, last in ((0, 1), (1, 0)):
        person = at_table()
        person.node.tell(notices.Ready(mine, "x"))
        person.node.tell(notices.Ready(last, "y"))
        person.node.tell(MatchStarted(2, ()))
        assert bool(person.read) == (last == 1)


def test_it_is_no_siren() -> None:
    person = at_table()
    for _ in range(100):
        person.later(BELL_SECONDS / 8)
        person.says("psst", NICK)
    assert person.rung == person.heard == len(person.read) == 13


def test_events_that_come_together_ring_once_and_each_has_its_notice() -> None:
    person = at_table()
    person.says("psst", NICK)
    sits_down(person.node)
    my_turn(person.node)
    assert (person.rung, person.heard, len(person.read)) == (1, 1, 3)


def test_when_the_line_is_back_only_my_turn_is_news() -> None:
    person = at_table()
    person.node.tell(LinkLost())
    person.later(60)
    person.node.tell(LinkBack())
    person.says("psst", NICK)
    person.node.tell(RoundOver(1, "tongits", (), ()))
    person.node.tell(MatchStarted(2, ()))
    sits_down(person.node)
    assert (person.rung, person.read) == (0, [])
    my_turn(person.node)
    assert (person.rung, person.read) == (1, ["Your turn (Tong-its)."])
    person.later(2 * CATCHING_UP)
    person.says("psst", NICK)
    assert person.rung == 2


def test_those_who_were_there_when_i_came_do_not_come() -> None:
    node = FakeNode(3)
    person = Person(node)
    node.sit(others=2, host=False)
    assert (person.rung, person.read) == (0, [])


def test_whose_turn_and_who_came() -> None:
    node = FakeNode(1)
    node.sit(others=0)
    mine = node.table
    node.sit(others=1)
    two = node.table
    assert mine is not None
    assert two is not None
    assert newcomers(mine, two) == ["ben"]
    assert newcomers(two, mine) == newcomers(None, two) == newcomers(two, None) == []
    bot = replace(two, seats=(*two.seats[:2], replace(two.seats[2], nick="bot-1", level="easy")))
    moved = replace(two, seats=(two.seats[0], two.seats[2], two.seats[1]))
    elsewhere = replace(two, table=b"\x08" * 16)
    assert newcomers(two, bot) == newcomers(two, moved) == newcomers(mine, elsewhere) == []
    turn = replace(two, to_act=(0,))
    pairs: list[tuple[TableView | None, TableView | None, bool]] = [
        (two, turn, True),
        (None, turn, True),
        (replace(elsewhere, to_act=(0,)), turn, True),
        (turn, turn, False),
        (turn, replace(two, to_act=(1,)), False),
        (turn, None, False),
        (two, replace(turn, me=None), False),
    ]
    assert [turn_came(before, after) for before, after, _ in pairs] == [came for _, _, came in pairs]


# ---- switches


def test_what_nobody_said_is_as_usual() -> None:
    person = Person(FakeNode(), {})
    assert person.prompt.settings.tell == dict(USUAL)
    assert Person(FakeNode(), {"chat": (), "started": ("sound",)}).prompt.settings.tell == {
        **USUAL,
        "chat": (),
        "started": ("sound",),
    }


def test_the_bell_has_a_switch_of_its_own() -> None:
    person = at_table()
    person.types("bell off")
    my_turn(person.node)
    assert (person.rung, person.heard, len(person.read)) == (0, 1, 1)
    assert person.types("tell my_turn")[1:] == ("No bell: it is off; `bell on` switches it on.",)


def test_tell_shows_every_event_with_its_ways() -> None:
    lines = Person(FakeNode(), {}).types("tell")
    assert [line.split(" (")[0] for line in lines] == [
        "my_turn: bell, title",
        "joined: bell",
        "started: off",
        "kicked: bell",
        "round_over: off",
        "chat: bell",
        "table_opened: off",
    ]
    assert all(about in line for about, line in zip(EVENTS.values(), lines, strict=True))


def test_tell_changes_one_event_for_this_run() -> None:
    person = at_table({})
    assert person.types("tell chat bell notice") == (f"chat is told by bell and notice: {EVENTS['chat']}.",)
    person.says("psst", NICK)
    assert (person.rung, len(person.read)) == (1, 1)
    assert person.types("tell chat off") == (f"chat is not told: {EVENTS['chat']}.",)
    person.later()
    person.says("psst", NICK)
    assert person.rung == 1
    person.types("tell chat on")
    assert person.prompt.settings.tell["chat"] == USUAL["chat"]
    person.types("tell started on")
    assert person.prompt.settings.tell["started"] == ("bell",)
    assert person.types("tell started") == (f"started is told by bell: {EVENTS['started']}.",)


def test_what_can_t_be_had_here_is_said() -> None:
    node = FakeNode()
    prompt = Prompt(node, Cards.SIGNS, str)
    Teller(node, prompt, Ways(environ={}))
    said = prompt.enter("tell chat bell title notice sound").lines
    assert [line.split(":")[0] for line in said[1:]] == [f"No {way} here" for way in WAYS]
    assert "config.toml" in said[-1]


def test_changing_one_program_s_ways_changes_no_other_s() -> None:
    one, two = Person(FakeNode(), {}), Person(FakeNode(), {})
    one.types("tell chat off")
    assert two.prompt.settings.tell["chat"] == ("bell",)


# ---- the title, and what never leaves the table


def test_the_title_is_marked_while_it_is_my_turn() -> None:
    person = at_table({})
    assert person.teller.title == "Tong-its - p2pcards"
    my_turn(person.node)
    assert person.teller.title == "your turn - Tong-its - p2pcards"
    person.types("tell my_turn bell")
    assert person.teller.title == "Tong-its - p2pcards"
    person.types("tell my_turn on")
    my_turn(person.node, mine=False)
    assert person.teller.title == "Tong-its - p2pcards"


def test_another_event_marks_the_title_until_something_is_typed_or_the_table_is_left() -> None:
    person = at_table({"joined": ("title",)})
    sits_down(person.node)
    assert person.teller.title == "cy is at the table - Tong-its - p2pcards"
    my_turn(person.node)
    assert person.teller.title == "your turn - Tong-its - p2pcards"
    my_turn(person.node, mine=False)
    person.types("")
    assert person.teller.title == "Tong-its - p2pcards"
    sits_down(person.node, 1, "dan")
    person.node.do(Command("leave"))
    assert person.teller.title == "p2pcards"


@pytest.mark.parametrize("game", ["tongits", "tienlen", "straights", "onecard"])
def test_nothing_of_the_hand_or_of_what_was_said_leaves_the_table(game: str) -> None:
    node = FakeNode(5)
    person = Person(node, {event: tuple(WAYS) for event in EVENTS})
    titles = set()
    person.types(f"practise {game}")
    for _ in range(30):
        person.later()
        table = node.table
        if table is None or table.view is None:
            break
        person.says(f"ana, {QUEEN}", NICK)
        titles.add(person.teller.title)
        node.do(Command("act", (), table.game.format(next(iter(table.game.legal_actions(table.view))))))
        titles.add(person.teller.title)
    title = node.table.game.title if node.table else ""
    known = {
        f"{text} ({title})."
        for text in ("Your turn", "ben speaks to you", "The round is over", "The match begins", "You were shown out")
    }
    assert set(person.read) <= known
    assert titles <= {
        f"{mark}{title} - p2pcards" for mark in ("", "your turn - ", "ben speaks to you - ", "the round is over - ")
    }


def test_a_desk_sounds_what_its_habits_want() -> None:
    played: list[Any] = []
    node = FakeNode(3)
    desk = Desk(
        node,
        str,
        exit_=lambda code: None,
        habits=Habits(tell={"my_turn": ("sound",)}),
        ways=Ways(command="play ding", start=played.append),
    )
    node.listen(desk.heard)
    desk.typed("practise tongits")
    assert played == [("play", "ding")]

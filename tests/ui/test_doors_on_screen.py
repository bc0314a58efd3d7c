"""Doors, chat and people as somebody at the keyboard meets them: at the prompt, on the screen, as lines, as events."""

from __future__ import annotations

import json

import pytest

from p2pcards.commands.command import Command
from p2pcards.table import notices
from p2pcards.table.notices import Closed, Kicked, Notice
from p2pcards.table.people import Person
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import compose
from p2pcards.ui.headless import Json, Told
from p2pcards.ui.plain import BELL, Plain
from p2pcards.ui.prompt import Kind, Prompt
from p2pcards.ui.streams import Out
from p2pcards.ui.tell import BELL_SECONDS
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from p2pcards.ui.ways import Ways
from p2pcards.wire.identity import chip
from tests.testing.fake_door import CODE, WALL, DoorNode, with_door
from tests.testing.fake_node import KEY, NICK, OTHERS, row
from tests.testing.screens import texts
from tests.testing.talking import Written

BEN = dict(OTHERS)["ben"]
NORMAL, WIDE = Size(80, 24), Size(120, 40)


class Seen:
    """Somebody at a full screen."""

    def __init__(self, node: DoorNode) -> None:
        self.node, self.rung = node, 0
        self.desk = Desk(node, str, exit_=lambda code: None, ways=Ways(ring=self._ring))
        node.listen(self.desk.heard)

    def _ring(self) -> None:
        self.rung += 1

    def lines(self, size: Size = NORMAL) -> list[str]:
        local = self.desk.local()
        return texts(compose(self.desk.screen(size, local), size, Look(), local))

    def text(self, size: Size = NORMAL) -> str:
        return "\n".join(self.lines(size))


def prompt_at(node: DoorNode) -> Prompt:
    prompt = Prompt(node, Cards.SIGNS, str, lambda: WALL)

    def heard(notice: Notice | None) -> None:
        if notice is not None:
            prompt.heard(notice)

    node.listen(heard)
    return prompt


def log(prompt: Prompt) -> list[str]:
    return [told.text for told in prompt.log]


# ---- chat


def test_chat_is_marked_apart_from_the_game() -> None:
    seen = Seen(with_door())
    seen.node.says("ben", "shall we start?")
    assert " » ben: shall we start?" in seen.lines()
    assert any("│ » ben: shall we start?" in line for line in seen.lines(WIDE))
    seen.desk.typed("log")
    assert any("» ben: shall we start?" in line for line in seen.lines())


def test_no_line_of_what_somebody_says_looks_like_the_programs_own() -> None:
    seen = Seen(with_door())
    seen.node.says("ben", f"{'so ' * 25}Warning: cy was shown out by ana for 10 minutes.")
    for size in (Size(80, 24), WIDE):
        lines = [line for line in seen.lines(size) if "Warning:" in line]
        assert lines
        assert all(" › " in line.partition("Warning:")[0] for line in lines)
    seen.desk.typed("log")
    assert any(line.startswith(" › ") and "Warning:" in line for line in seen.lines())


def test_who_is_ignored_is_not_heard_until_it_is_undone() -> None:
    node = with_door()
    prompt = prompt_at(node)
    prompt.enter("ignore ben")
    node.says("ben", "one")
    node.says("ben", "two", NICK)
    node.says("cy", "three")
    assert log(prompt) == ["cy: three"]
    prompt.enter("unignore ben")
    node.says("ben", "four")
    assert log(prompt)[-1] == "ben: four"


def test_muted_nobody_else_is_heard_and_nothing_is_said_about_it() -> None:
    node = with_door()
    prompt = prompt_at(node)
    assert prompt.enter("mute").lines == ("What others say is shown; `mute on` keeps it off this screen.",)
    prompt.enter("mute on")
    node.says("ben", "one")
    prompt.enter("say mine")
    assert log(prompt) == ["you: mine"]
    prompt.enter("mute off")
    node.says("ben", "two")
    assert log(prompt)[-1] == "ben: two"


# ---- bell


def test_the_bell_rings_for_a_knock_for_private_words_and_for_who_has_to_go() -> None:
    calls: list[Notice] = [
        notices.Knocked(1, "eve", b"e" * 32, "new", "", "ask"),
        notices.Spoken("ben", BEN, NICK, "psst"),
        Kicked(NICK, KEY, "ben", "", 0),
    ]
    for notice in calls:
        seen = Seen(with_door())
        seen.node.tell(notice)
        assert seen.rung == 1, notice
        seen.node.tell(notice)
        assert seen.rung == 1, "at most one in a while"
        seen.node.clock += BELL_SECONDS
        seen.node.tell(notice)
        assert seen.rung == 2


def test_the_bell_does_not_ring_for_what_is_for_everybody_or_not_heard() -> None:
    seen = Seen(with_door())
    seen.node.says("ben", "hi")
    seen.node.tell(Kicked("ben", BEN, "cy", "", 0))
    seen.node.tell(notices.Spoken(NICK, KEY, "ben", "psst"))
    seen.desk.typed("ignore ben")
    seen.node.says("ben", "psst", NICK)
    assert seen.rung == 0


def test_plain_mode_rings_for_a_knock() -> None:
    node, written = with_door(), Written()
    plain = Plain(node, Prompt(node, Cards.WORDS, str), Out(written, lambda: None), terminal=True)
    node.listen(plain.heard)
    node.knocks("eve")
    assert written.getvalue().count(BELL) == 1


def test_plain_mode_tells_the_door_of_a_table_that_is_not_open_for_all() -> None:
    node, written = with_door(), Written()
    plain = Plain(node, Prompt(node, Cards.WORDS, str), Out(written, lambda: None), terminal=True)
    node.listen(plain.heard)
    node.tell(notices.Opened("lab", bytes(16), 25252))
    assert "The door of this table" not in written.getvalue()
    node.change(door="ask")
    node.tell(notices.Opened("lab", bytes(16), 25252))
    assert "The door of this table is ask: you are asked about everybody who comes.\n" in written.getvalue()


# ---- shown out


def test_who_is_shown_out_is_told_once_and_sees_it_at_home() -> None:
    seen = Seen(with_door(host=False))
    out = Kicked(NICK, KEY, "ben", "too loud", round(WALL) + 600)
    seen.node.tell(out)
    seen.node._table = None
    seen.node.tell(Closed("kicked", "too loud", round(WALL) + 600))
    assert "You were shown out by ben" in seen.text()
    assert "Tables on this network" in seen.text()
    prompt = prompt_at(with_door(host=False))
    prompt.told(out)
    assert prompt.told(Closed("kicked", "too loud")) == ()


def test_a_line_that_is_closed_without_a_word_before_is_told() -> None:
    prompt = prompt_at(with_door(host=False))
    (told,) = prompt.told(Closed("banned", "rude", round(WALL) + 600))
    assert told.text == "You may not come to this table for 10 minutes: rude."


def test_a_later_table_is_told_of_by_itself() -> None:
    node = with_door(host=False)
    prompt = prompt_at(node)
    prompt.told(Kicked(NICK, KEY, "ben", "", 0))
    prompt.told(Closed("kicked", ""))
    assert prompt.told(Closed("banned", ""))[0].text == "You may not come to this table any more."


# ---- codes


def test_a_code_that_is_asked_for_is_asked_on_the_screen() -> None:
    seen = Seen(DoorNode(rows=(row("lab"),)))
    assert not seen.desk.asks_code
    seen.node.wants_code("lab")
    assert seen.desk.asks_code
    assert "The table lab asks for its code" in seen.text()
    seen.desk.typed("mango tiger")
    assert seen.node.done[-1] == Command("code", (CODE,))
    assert not seen.desk.asks_code


def test_a_wrong_code_is_told_while_it_is_asked_for_again() -> None:
    seen = Seen(DoorNode(rows=(row("lab"),)))
    seen.node.wants_code("lab")
    seen.node.tell(notices.Refused("wrong_code", ""))
    seen.node.wants_code("lab")
    assert "That is not the code of this table." in seen.text()
    assert "The table lab asks for its code" in seen.text()


def test_no_code_is_remembered_nor_logged() -> None:
    seen = Seen(DoorNode(rows=(row("lab"),)))
    seen.node.wants_code()
    for line in ("mango tigre", "mango-tiger", "code mango-tiger", "mango tiger"):
        assert seen.desk.is_secret(line)
        seen.desk.typed(line)
    seen.desk.typed("log")
    assert "mango" not in seen.text()
    assert seen.desk.is_secret("code mango-tiger"), "when none is asked for, too"
    assert not seen.desk.is_secret("say mango-tiger")


def test_a_play_through_has_neither_codes_nor_private_words() -> None:
    node, written = with_door(), Written()
    node.listen(Told(Prompt(node, Cards.SIGNS, str), Out(written, lambda: None), secrets=False).heard)
    node.do(Command("door", ("code",)))
    node.says("ben", "psst", NICK)
    node.says("ben", "hello")
    assert CODE not in written.getvalue()
    assert "psst" not in written.getvalue()
    assert "ben: hello" in written.getvalue()


# ---- the door


def test_the_lobby_shows_the_door_and_to_its_host_the_code() -> None:
    seen = Seen(with_door())
    assert "door       open: everybody on this network can come in" in seen.text()
    seen.node.do(Command("door", ("code",)))
    assert "door       code mango-tiger: who knows these two words can come in" in seen.text()
    seen.node.change(mine=False)
    assert "door       code: who knows the code can come in" in seen.text()
    assert "code mango-tiger" not in seen.text()
    seen.node.change(door="ask")
    assert "door       ask: the host is asked about everybody who comes" in seen.text()


def test_the_lobby_shows_who_is_who() -> None:
    node = with_door()
    node.people.kept[BEN] = Person(BEN, "ben", 1, 1, "benny", True)
    node.people.logins[BEN] = "benjamin"
    node.change(spectators=("eve",), spectator_keys=(node.key_of("eve"),))
    text = Seen(node).text(Size(100, 24))
    assert f"{chip(BEN)}  verified, called benny, verified login benjamin" in text
    node.change(host_key=BEN, mine=False)
    assert f"{chip(BEN)}  host, verified, called benny, verified" in Seen(node).text(Size(100, 24))
    assert f"watching   eve ({chip(node.key_of('eve'))})" in text


def test_the_name_of_somebody_else_is_called_out_in_the_lobby() -> None:
    node = with_door()
    node.people.kept[b"o" * 32] = Person(b"o" * 32, "ben", 1, 1)
    assert f"{chip(BEN)}  NOT the ben you know" in Seen(node).text()


def test_who_waits_stands_in_the_lobby() -> None:
    seen = Seen(with_door())
    before = seen.lines()
    seen.node.knocks("eve")
    seen.node.clock = 15
    line = f"   at door    eve ({chip(seen.node.key_of('eve'))}, new), 45 s"
    assert line in seen.lines()
    kept = [line for line in before if line.startswith(("   seat", "      1", "   door", "   rules"))]
    assert [seen.lines().index(line) for line in kept] == [before.index(line) for line in kept]


def test_who_is_banned_at_the_door_is_turned_away_and_not_shown_out() -> None:
    node = with_door()
    prompt = prompt_at(node)
    node.knocks("eve")
    asked = prompt.enter("ban eve 10m rude")
    assert asked.lines == ("Turn eve away, and keep them from your tables for 10 minutes: yes or no?",)
    assert prompt.enter("yes").lines == (
        f"eve ({chip(node.key_of('eve'))}) may not come to your tables for 10 minutes (rude).",
    )
    assert log(prompt)[-1] == "eve was not let in."


def test_practice_has_no_door() -> None:
    node = with_door()
    node.alone = True
    assert "door" not in Seen(node).text()


def test_waiting_at_a_door_counts_down() -> None:
    seen = Seen(DoorNode(rows=(row("lab"),)))
    seen.node.waits(60)
    seen.node.clock = 17
    assert "At the door of lab: the host is asked, for 43 s more. `leave` gives up." in seen.text()
    assert seen.desk.counts_down
    seen.node.tell(notices.Refused("declined", ""))
    assert "for 43 s more" not in seen.text()


# ---- programs and the list


def test_a_program_does_not_hear_whom_it_ignores() -> None:
    node, written = with_door(), Written()
    prompt = Prompt(node, Cards.SIGNS, str)
    node.listen(Json(node, prompt, Out(written, lambda: None), lists=False).heard)
    node.says("ben", "one")
    prompt.enter("ignore ben")
    node.says("ben", "two")
    told = [json.loads(line) for line in written.getvalue().splitlines()]
    assert told == [{"event": "chat", "nick": "ben", "text": "one"}]


@pytest.mark.parametrize("cards", [Cards.SIGNS, Cards.WORDS])
def test_tables_of_the_lab_are_told_apart_and_keep_their_numbers(cards: Cards) -> None:
    node = DoorNode(rows=(row("club"), row("lab 4", 2, lab=True), row("shut", 3, barred=True, door="lab")))
    node.rows(*node.home.rows, in_lab=True)
    prompt = Prompt(node, cards, str)
    lines = prompt.enter("list").lines
    assert [line.split(",")[0] for line in lines] == [
        "Tables of your lab:",
        "2: lab 4",
        "Other tables on this network:",
        "1: club",
        "3: shut",
    ]
    assert lines[-1].endswith("door lab. It is for members of its lab only.")
    assert prompt.enter("list lab").lines[2] == "Other tables that are hidden: 2; `list all` shows them."
    assert len(prompt.enter("list").lines) == 3, "it stays so"
    assert prompt.enter("list all").lines == lines


def test_plain_mode_does_not_tell_of_tables_that_are_hidden() -> None:
    node, written = DoorNode(), Written()
    node.rows(in_lab=True)
    prompt = Prompt(node, Cards.WORDS, str)
    node.listen(Plain(node, prompt, Out(written, lambda: None), terminal=False).heard)
    prompt.enter("list lab")
    node.rows(row("club"), row("lab 4", 2, lab=True))
    node.rows()
    assert "club" not in written.getvalue()
    assert "There is a table: 2: lab 4" in written.getvalue()
    assert "The table lab 4 is gone." in written.getvalue()


def test_home_shows_the_tables_of_the_lab_apart() -> None:
    rows = (row("club"), row("lab 4", 2, lab=True), row("shut", 3, barred=True, door="lab"))
    seen = Seen(DoorNode(rows=rows))
    seen.node.rows(*rows, in_lab=True)
    lines = [line.strip() for line in seen.lines()]
    places = [
        next(place for place, line in enumerate(lines) if begins in line)
        for begins in ("Tables of your lab", "lab 4", "Other tables on this network", "club", "members only")
    ]
    assert places == sorted(places)
    assert any(line.startswith("▸ 2") for line in lines)
    assert [one.text for one in seen.desk.picker.lines][:2] == ["join 1", "join 2"]
    seen.desk.typed("list lab")
    assert seen.desk.picker.lines[0].text == "join 2"
    assert "club" not in seen.text()
    assert "2 hidden, `list all` shows them" in seen.text()
    assert [one.text for one in seen.desk.suggest("") if one.text.startswith("join ")] == ["join 2", "join "]
    seen.desk.typed("list all")
    assert "club" in seen.text()


def test_without_a_lab_there_is_one_list() -> None:
    assert "lab" not in Seen(DoorNode(rows=(row("club"),))).text()
    seen = Seen(DoorNode(rows=(row("club"),)))
    seen.node.rows(row("club"), in_lab=True)
    assert "none so far" in seen.text()


def test_a_knock_is_answered_at_the_prompt() -> None:
    node = with_door()
    prompt = prompt_at(node)
    node.knocks("eve")
    assert prompt.enter("admit eve").kind is Kind.DONE
    assert node.table is not None
    assert node.table.seats[2].nick == "eve"
    assert not node.table.knocks

"""Whatever a peer writes, no terminal obeys it: on no screen, in no sentence, in no event."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

import pytest
from msgspec.structs import fields, replace

from p2pcards.commands.command import Command
from p2pcards.games.registry import GAMES
from p2pcards.table import notices
from p2pcards.table.listing import HomeView, Row
from p2pcards.table.notices import Notice
from p2pcards.table.people import Ban, Person
from p2pcards.table.tableview import SeatView, Stage
from p2pcards.ui import events, home, queries, whois
from p2pcards.ui.desk import Desk
from p2pcards.ui.faces import Circle, faces
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.headless import Json, Told
from p2pcards.ui.plain import Plain
from p2pcards.ui.prompt import Prompt
from p2pcards.ui.streams import Out
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from tests.testing.fake_door import WALL, DoorNode
from tests.testing.fake_node import KEY, row
from tests.testing.screens import texts
from tests.testing.talking import Written

BIDI = "\u202a\u202b\u202d\u202e\u2066\u2067\u2068\u200e\u200f\u061c"
EVIL = [
    "\x1b[2J\x1b]0;owned\x07",
    "one\r\ntwo\x0bthree\x85four\u2028five\u2029six",
    f"a{BIDI}b\u2069\u202c",
    "\u200b\u200d\ufeff\u00ad\U000e0041zero",
    "\x9b31mred\x00\x08\x7f",
    "界" * 300,
    "e" + "\u0301" * 300,
    "",
]
SIZES = [Size(80, 24), Size(120, 40), Size(60, 16), LEAST]
SILENT = {notices.Recorded, notices.BotTurn, notices.PakeRun, notices.SeatsFull}
KINDS = [kind for kind in get_args(Notice) if kind not in SILENT]


def unsafe(text: str) -> list[str]:
    """What a terminal may obey or hide; a line's own end is not in the text."""
    return [hex(ord(char)) for char in text if unicodedata.category(char) in ("Cc", "Cf", "Zl", "Zp", "Cs", "Co")]


def evil(kind: Any, hint: Any, name: str, text: str) -> Any:
    """A value of that type, hostile wherever it is text."""
    if name in ("view", "before", "after", "starter"):
        return None
    if str(hint).startswith("tuple[tuple[int, str]"):
        return ((0, text),)
    if name == "players":
        return (text, text)
    if hint is str:
        return text
    if hint is bytes:
        return KEY
    if hint is bool:
        return True
    if str(hint).startswith("tuple[tuple[str, str]"):
        return ((text, text),)
    if str(hint).startswith("tuple[tuple[str, int]"):
        return ((text, 1),)
    if str(hint).startswith("tuple[str"):
        return (text,)
    return (0,) if str(hint).startswith("tuple") else 0


def made(kind: Any, text: str) -> Notice:
    """The notice with hostile text in every field."""
    hints = get_type_hints(kind)
    made: Notice = kind(**{one.name: evil(kind, hints[one.name], one.name, text) for one in fields(kind)})
    return made


def table(text: str) -> DoorNode:
    """A table at which every text is hostile."""
    node = DoorNode()
    node.people.kept = {
        key: Person(key, text, WALL, WALL, text, False, text) for key in (KEY, node.key_of("ben"), b"o" * 32)
    }
    node.people.logins = dict.fromkeys(node.people.kept, text)
    node.people.ban(Ban(b"o" * 32, text, text, text, round(WALL), 0))
    node.sit(others=1, title=text or "?")
    assert node.table is not None
    seats = (replace(node.table.seats[0], nick=text), SeatView(text, node.key_of("ben")), SeatView(text, b"", "easy"))
    node.change(
        seats=seats,
        nick=text,
        host=text,
        door=text,
        code=text,
        settings=((text, text),),
        spectators=(text, text),
        spectator_keys=(b"o" * 32,),
    )
    node.knocks(text, login=text)
    node.knocks(text, "other", text, b"o" * 32)
    node.calls_a_vote(text, text, (1,))
    return node


@pytest.mark.parametrize("text", EVIL)
def test_no_notice_reaches_a_reader_unclean(text: str) -> None:
    node = table(text)
    speakers = [Words(cards, text, circle=Circle(node.people, WALL)) for cards in (Cards.SIGNS, Cards.WORDS)]
    for kind in KINDS:
        notice = made(kind, text)
        for words in speakers:
            for shown in (None, node.table):
                lines = words.notice(notice, shown)
                assert [unsafe(line) for line in lines if unsafe(line)] == [], kind
                assert all(len(line) < 1100 for line in lines), kind
        for event in events.events(notice, " ".join(lines)):
            assert unsafe(events.encode(event)) == [], kind
            assert list(_hidden(json.loads(events.encode(event)))) == [], kind


@pytest.mark.parametrize("text", EVIL)
def test_no_way_of_telling_writes_unclean_lines(text: str) -> None:
    node = table(text)
    written = Written()
    out = Out(written, lambda: None)
    prompt = Prompt(node, Cards.WORDS, str, lambda: WALL)
    tellers = (Plain(node, prompt, out, terminal=False), Told(prompt, out), Json(node, prompt, out, lists=True))
    for kind in KINDS:
        for teller in tellers:
            teller.heard(made(kind, text))
    for teller in tellers:
        teller.heard(None)
    assert [unsafe(line) for line in written.getvalue().split("\n") if unsafe(line)] == []


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("text", EVIL)
def test_no_screen_is_unclean_or_too_wide(text: str, size: Size) -> None:
    node = table(text)
    desk = Desk(node, str, exit_=lambda code: None)
    node.listen(desk.heard)
    for kind in KINDS:
        if kind is not notices.Acted:
            desk.heard(made(kind, text))
    assert_clean(desk, size)
    assert unsafe(desk.window_title) == []


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("text", EVIL[:3])
def test_no_screen_of_a_game_is_unclean(text: str, name: str) -> None:
    node = DoorNode()
    node.sit(name, others=1)
    node.start()
    assert node.table is not None
    node.change(seats=tuple(replace(seat, nick=text) for seat in node.table.seats), title=text, host=text, nick=text)
    node.knocks(text)
    desk = Desk(node, str, exit_=lambda code: None)
    for size in SIZES:
        assert_clean(desk, size)
    node.change(stage=Stage.LOBBY, view=None)
    assert_clean(desk, SIZES[0])


def assert_clean(desk: Desk, size: Size) -> None:
    local = desk.local()
    lines = texts(compose(desk.screen(size, local), size, Look(), local))
    assert [unsafe(line) for line in lines if unsafe(line)] == []


def rows(text: str) -> tuple[Row, ...]:
    """Rows as a hostile probe could fill them, were they not cleaned before."""
    told: dict[str, Any] = {
        "game": text,
        "host": text,
        "state": text,
        "door": text,
        "options": ((text, text),),
        "interface": text,
    }
    return (row(text, 1, **told), row(text, 2, lab=True, **told), row(text, 3, barred=True, version=text, **told))


@pytest.mark.parametrize("text", EVIL)
def test_no_row_of_the_list_is_unclean(text: str) -> None:
    node = DoorNode(rows=rows(text))
    node.rows(*node.home.rows, joining=text, asking=text, trouble=text, in_lab=True, nick=text)
    desk = Desk(node, str, exit_=lambda code: None)
    for size in SIZES:
        assert_clean(desk, size)
    prompt = Prompt(node, Cards.SIGNS, str)
    lines = queries.tables(node.home, prompt.here.context())
    written = Written()
    for line in lines:
        Out(written, lambda: None).line(line)
    assert [unsafe(line) for line in written.getvalue().split("\n") if unsafe(line)] == []
    for one in node.home.rows:
        assert unsafe(events.encode(events.listed(one))) == []
    assert isinstance(node.home, HomeView)
    assert home.joinable(node.home.rows[2]) is False


@pytest.mark.parametrize("text", EVIL)
def test_no_answer_about_people_is_unclean(text: str) -> None:
    node = table(text)
    words = Words(Cards.WORDS, text)
    written = Written()
    answers = [
        whois.bans(node, WALL),
        whois.door(node.table, node) if node.table else [],
        *(whois.about(one, node, WALL) for one in faces(node.people, node.table).values()),
        queries.answer(Command("who"), node, Prompt(node, Cards.SIGNS, str).here.context(), words),
    ]
    for lines in answers:
        for line in lines:
            Out(written, lambda: None).line(line)
    assert len(written.getvalue().split("\n")) == sum(map(len, answers)) + 1
    assert [unsafe(line) for line in written.getvalue().split("\n") if unsafe(line)] == []


def _hidden(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield from unsafe(value)
        case dict():
            for key, one in value.items():
                yield from (*unsafe(key), *_hidden(one))
        case list():
            for one in value:
                yield from _hidden(one)

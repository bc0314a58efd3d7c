"""What peers write, made safe to show, and names made to fit (protocol 3)."""

from __future__ import annotations

import contextlib
import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import ProtocolError
from p2pcards.wire.text import (
    NICK_CHARS,
    TITLE_BYTES,
    clean,
    clean_title,
    is_reserved,
    nick,
    parse_table,
    table_text,
    unique_nick,
)

NICK = re.compile(r"[A-Za-z0-9_-]{1,16}")
NASTY = st.characters(categories=["Cc", "Cf", "Mn", "Me", "Zs", "Cs"]) | st.sampled_from(
    "\x1b\x9b\x07\r\u202e\u2066\u200b\ufe0f\u034f\u3164\u2800\u0301\u0338\u20dd\u1100\u1161\u11a8\u09c7\u09be\ufb1d a"
)
ANY_TEXT = st.text(st.characters(), max_size=60) | st.text(NASTY, max_size=60)  # surrogates included


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("friday night", "friday night"),
        ("  two   spaces ", "two spaces"),
        ("line\nbreak\tand\r\ntab", "line break and tab"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("bell\a\x9b2J", "bell2J"),
        ("abc\u202edef\u2066ghi\u200f", "abcdefghi"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("private\ue000 \U000f0000", "private"),
        ("unassigned\u0378", "unassigned"),
        ("half\ud83d", "half"),
        ("e\u0301te\u0301", "été"),
        ("no-break\u00a0and\u2028line", "no-break and line"),
        ("Tiến lên ♠", "Tiến lên ♠"),
        ("\u0007 \u200b", ""),
        ("\x90q\x1b\\\x9c\x85", "q\\"),  # C1: a device's string and its end, next line
        ("\x7fdelete", "delete"),
        ("".join(map(chr, range(0x2066, 0x206A))) + "isolated", "isolated"),
        ("".join(map(chr, range(0x202A, 0x202F))) + "turned", "turned"),
        ("\u061c\u200e\u200fmarked", "marked"),
        ("\u2060\u00ad\u180ejoined", "joined"),
        ("heart\u2764\ufe0f\U000e0100", "heart\u2764"),
        ("\U000e0001\U000e0061\U000e007ftag", "tag"),
        ("a\u034fb\u2800c", "ab c"),
        ("Z\u0338\u0321\u0322\u0336\u20e2a\u0316\u0316\u0316", "Z\u0338\u0336a\u0316\u0316"),
        ("\u0301 \u0301x", "x"),
        ("[\u0338]", "[\u0338]"),
        ("ที่นี่", "ที่นี่"),
        ("e\u0323\u0302", "\u1ec7"),
        ("👩‍👩‍👧 👋🏽", "👩👩👧 👋🏽"),
        ("\ufff9a\ufffab\ufffb", "ab"),
        ("\u3164\u115f\u1160\uffa0\u2800", ""),
        ("no\u3164thing", "no thing"),
    ],
)
def test_clean(text: str, shown: str) -> None:
    assert clean(text, 40) == shown


def test_clean_text_does_not_end_in_the_space_before_the_cut() -> None:
    assert clean("ab cd", 3) == "ab"


@given(ANY_TEXT, st.integers(0, 60))
def test_clean_text_can_be_shown_anywhere(text: str, limit: int) -> None:
    shown = clean(text, limit)
    assert len(shown) <= limit
    assert shown == clean(shown, limit)
    assert unicodedata.is_normalized("NFC", shown)
    assert not {unicodedata.category(char) for char in shown} & {"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"}
    assert shown == " ".join(shown.split())
    shown.encode("utf-8")
    assert not set(shown) & INVISIBLE
    marks = "".join("1" if is_mark(char) else " " if char == " " else "0" for char in shown)
    assert not re.search("111|(^| )1", marks)


INVISIBLE = set("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | {
    chr(n) for start, end in ((0x180B, 0x180F), (0xFE00, 0xFE0F), (0xE0000, 0xE01EF)) for n in range(start, end + 1)
}


def is_mark(char: str) -> bool:
    return unicodedata.category(char) in ("Mn", "Me")


def test_what_has_no_form_is_gone_or_a_space() -> None:
    for char in sorted(INVISIBLE):
        assert clean(f"a{char}b", 9) in ("ab", "a b")


@given(ANY_TEXT)
def test_titles_fit_a_label_of_the_network(text: str) -> None:
    title = clean_title(text)
    assert 0 < len(title.encode("utf-8")) <= TITLE_BYTES
    assert clean_title(title) == title


def test_titles_are_cut_between_characters() -> None:
    assert clean_title("é" * 30) == "é" * 20
    assert clean_title("a" + "é" * 30) == "a" + "é" * 19
    assert clean_title("x" * 39 + " y") == "x" * 39
    assert clean_title("\u200b") == "table"


@pytest.mark.parametrize(
    ("text", "fitted"),
    [
        ("ann", "ann"),
        ("Ann_B-2", "Ann_B-2"),
        ("ann lee", "ann-lee"),
        ("jos\u00e9", "jos-"),
        ("a" * 20, "a" * 16),
        ("", "player"),
        ("日本", "player"),
        ("\x1b[2J", "-2J"),
        ("Host", "p-Host"),
        ("all", "p-all"),
        ("bot", "p-bot"),
        ("Botond", "p-Botond"),
        ("everyone", "p-everyone"),
        ("You", "p-You"),
        ("warning", "p-warning"),
        ("spectators", "p-spectators"),
        ("vote", "p-vote"),
        ("bo", "bo"),
        ("robot", "robot"),
    ],
)
def test_nick(text: str, fitted: str) -> None:
    assert nick(text) == fitted


@given(ANY_TEXT | st.sampled_from(["bot" * 6, "DEALER", "all", "bot-1"]))
def test_every_text_makes_a_nick(text: str) -> None:
    made = nick(text)
    assert NICK.fullmatch(made)
    assert not is_reserved(made)
    assert nick(made) == made


def test_the_second_of_a_name_gets_a_number() -> None:
    assert unique_nick("ann", []) == "ann"
    assert unique_nick("ann", ["ANN"]) == "ann-2"
    assert unique_nick("Ann", ["ann", "ANN-2", "ann-4"]) == "Ann-3"
    assert unique_nick("a" * 16, ["a" * 16]) == "a" * 14 + "-2"
    assert unique_nick("ann", ["ann", *(f"ann-{n}" for n in range(2, 100))]) == "ann-100"
    assert unique_nick("bot-1", []) == "p-bot-1"


@given(ANY_TEXT, st.lists(st.text("aAbB-2", min_size=1, max_size=3), max_size=40))
def test_unique_nicks_are_nicks_and_unique(wanted: str, taken: list[str]) -> None:
    made = unique_nick(wanted, taken)
    assert NICK.fullmatch(made)
    assert len(made) <= NICK_CHARS
    assert not is_reserved(made)
    assert made.lower() not in {name.lower() for name in taken}


def test_table_ids_as_text() -> None:
    assert table_text(bytes(16)) == "a" * 26
    assert table_text(b"\xff" * 16) == "7" * 25 + "4"


@given(st.binary(min_size=16, max_size=16))
def test_table_ids_round_trip(table: bytes) -> None:
    text = table_text(table)
    assert parse_table(text) == table
    assert re.fullmatch(r"[a-z2-7]{26}", text)


@given(st.text(max_size=30) | st.text("abcdefgh234567", min_size=25, max_size=27))
def test_parsing_table_ids_is_total_and_strict(text: str) -> None:
    with contextlib.suppress(ProtocolError):
        assert table_text(parse_table(text)) == text


@pytest.mark.parametrize("text", ["", "a" * 25, "a" * 27, "A" * 26, "7" * 26, "a" * 25 + "1", "a" * 18])
def test_what_is_no_table_id_is_refused(text: str) -> None:
    with pytest.raises(ProtocolError):
        parse_table(text)

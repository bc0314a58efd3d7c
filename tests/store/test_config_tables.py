"""The tables of the file of settings: what they say counts, and a wrong line of them is named."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from prompt_toolkit.key_binding.key_bindings import KeyBindings
from prompt_toolkit.styles import Style

from p2pcards.errors import UserError
from p2pcards.store.config import Config, read_config
from p2pcards.store.config_lines import line_of
from p2pcards.store.config_tables import EVENTS, STYLES, THEMES, WAYS, Wrong
from p2pcards.store.config_tables import TABLES as SCHEMA
from p2pcards.ui.theme import PALETTE
from tests.store.test_config import written

TABLES = {table.name.partition(".")[0]: table for table in SCHEMA}


def read(base: Path, text: str) -> Config:
    return read_config(written(base, text))


def test_what_is_told_of_events_is_read(tmp_path: Path) -> None:
    found = read(tmp_path, '[tell]\nmy_turn = ["bell", "sound", "bell"]\nchat = []\njoined = "title"\n')
    assert found.tell == {"my_turn": ("bell", "sound"), "chat": (), "joined": ("title",)}


def test_every_event_can_be_told_in_every_way(tmp_path: Path) -> None:
    lines = "".join(f"{event} = {list(WAYS)}\n" for event in EVENTS)
    assert read(tmp_path, f"[tell]\n{lines}").tell == dict.fromkeys(EVENTS, WAYS)


def test_own_themes_are_read_with_and_without_quotes(tmp_path: Path) -> None:
    text = """
theme = "sea"
[themes.sea]
based_on = "dark"
"suit.h" = "bold  #ff8800"
suit.d = "ansibrightblue bg:default"
title = ""
[themes.deep-sea]
based_on = "sea"
[themes.sand]
warn = "nobold reverse"
"""
    found = read(tmp_path, text)
    assert found.theme == "sea"
    assert found.themes == {
        "sea": {
            "based_on": "dark",
            "suit.h": "bold #ff8800",
            "suit.d": "ansibrightblue bg:default",
            "title": "",
        },
        "deep-sea": {"based_on": "sea"},
        "sand": {"based_on": "", "warn": "nobold reverse"},
    }


@pytest.mark.parametrize("theme", THEMES)
def test_every_theme_can_be_the_usual_one_and_the_ground_of_an_own_one(tmp_path: Path, theme: str) -> None:
    found = read(tmp_path, f'theme = "{theme}"\n[themes.own]\nbased_on = "{theme}"\n')
    assert found.theme == found.themes["own"]["based_on"] == theme


def test_keys_are_read_in_small_letters(tmp_path: Path) -> None:
    assert read(tmp_path, '[keys]\nhelp = "F5"\nlog = "c-X"\n').keys == {"help": "f5", "log": "c-x"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('tell = "bell"', ", line 1: tell is a table: [tell], not 'bell'."),
        ("[tell]\n\nmy_trun = []\n", ", line 3: no event is called 'my_trun'; did you mean my_turn?"),
        ('[tell]\nchat = ["bel"]\n', ", line 2: tell.chat is a list of bell, title, notice, sound (or empty: []), not"),
        (
            "[tell]\nchat = true\n",
            ", line 2: tell.chat is a list of bell, title, notice, sound (or empty: []), not true.",
        ),
        ("[tell]\nchat = [1]\n", ", line 2: tell.chat is a list of"),
        ("tell.chat = 1\n", ", line 1: tell.chat is a list of"),
        ('x.chat = 1\n"tell" . chat = 1\n', ", line 1: no setting is called 'x'"),
        ("tell = {chat = 1}\n", ", line 1: tell.chat is a list of"),
        ('nick = "a"\n[themes]\nsea = 1\n', ", line 3: themes.sea is a table of styles, not 1."),
        ("[themes.Sea]\n", ", line 1: no theme can be called 'Sea': a name has 1 to 16 of a-z 0-9 _ -."),
        ("[themes.dark]\n", ", line 1: the theme dark is built in: take another name, and based_on = 'dark'."),
        ('[themes.sea]\n\n"suit.x" = ""\n', ", line 3: no style is called 'suit.x'; did you mean suit.s?"),
        ('[themes.sea]\nsuit.x = ""\n', ", line 2: no style is called 'suit.x'; did you mean suit.s?"),
        ('[themes.sea.suit]\nh = "rde"\n', ", line 2: themes.sea.suit.h has 'rde'; a style has words like bold"),
        ('[themes.a]\nturn = ""\n[themes.b]\nturn = "bold redd"', ", line 4: themes.b.turn has 'redd'; a style has"),
        ('[themes.a]\nturn = "hidden"', ", line 2: themes.a.turn has 'hidden'; a style has"),
        ("[themes.a]\nturn = 1", ", line 2: themes.a.turn is a text in quotes, not 1."),
        ('[themes.a]\nbased_on = "drak"', ", line 2: no theme is called 'drak'; did you mean dark?"),
        ('[themes.a]\nbased_on = "a"', ", line 2: themes.a is based on itself."),
        ('[themes.a]\nbased_on = "b"\n[themes.b]\nbased_on = "a"', ", line 2: themes.a is based on itself."),
        ('theme = "se"\n[themes.sea]\n', ", line 1: no theme is called 'se'; did you mean sea?"),
        ('theme = "sea"\nthemes = 1\n', ", line 1: no theme is called 'sea'"),
        ('[keys]\nhlep = "f5"\n', ", line 2: no action is called 'hlep'; did you mean help?"),
        ('[keys]\nhelp = "x"\n', ", line 2: keys.help is a key like f5, c-x (Ctrl-X), c-f5 or c-pageup, not 'x'."),
        ('[keys]\nhelp = "c-c"\n', ", line 2: keys.help is a key like"),
        ('[keys]\nhelp = "left"\n', ", line 2: keys.help is a key like"),
        ("[keys]\nhelp = 5\n", ", line 2: keys.help is a key like"),
        ('[keys]\nhelp = "f5"\nlog = "F5"\n', ", line 3: keys.log and keys.help are the same key 'F5'."),
    ],
)
def test_what_can_not_be_in_a_table_is_one_sentence_with_its_line(tmp_path: Path, text: str, says: str) -> None:
    own = written(tmp_path, text)
    with pytest.raises(UserError) as refused:
        read_config(own)
    told = str(refused.value)
    assert told.startswith(f"{own.settings}, line ")
    assert says in told
    assert "\n" not in told
    assert refused.value.exit_code == 2


def test_the_schema_has_the_styles_of_the_screens() -> None:
    assert set(STYLES) == set(PALETTE)


_NASTY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(("dark", "bold", "f5", "c-x")),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from((*EVENTS, *STYLES, "help", "based_on", "sea")), inner, max_size=3)
    ),
)


@given(st.sampled_from(sorted(TABLES)), st.dictionaries(st.text(max_size=5) | st.just("sea"), _NASTY, max_size=3))
def test_whatever_a_table_has_is_read_or_refused(name: str, table: dict[str, object]) -> None:
    wrong = None
    try:
        TABLES[name].read(table)
    except Wrong as found:
        wrong = found
    assert wrong is None or (wrong.path[0] in table and str(wrong))


_WORDS = ("bold", "nodim", "italic", "reverse", "strike", "default", "ansired", "fg:ansibrightcyan", "bg:ansiwhite")


@given(st.lists(st.sampled_from((*_WORDS, "ansigray", "#0af", "bg:#00aaff")), max_size=4))
def test_a_look_that_is_read_is_one_that_can_be_painted(words: list[str]) -> None:
    found = TABLES["themes"].read({"sea": {"turn": " ".join(words)}})
    Style(list(found["sea"].items()))


@pytest.mark.parametrize("key", ["f1", "f24", "c-f12", "c-a", "c-z", "pageup", "c-home", "s-left", "c-s-end"])
def test_a_key_that_is_read_is_one_that_can_be_pressed(key: str) -> None:
    KeyBindings().add(TABLES["keys"].read({"help": key})["help"])


@given(st.text(max_size=40), st.lists(st.text(max_size=3), max_size=3))
def test_a_line_is_looked_for_in_any_text(text: str, path: list[str]) -> None:
    assert 0 <= line_of(text, tuple(path)) <= len(text.splitlines())


def test_a_line_is_the_nearest_around_what_is_looked_for() -> None:
    text = 'a = """\nb = "\n"""\n[c."d.e"]\nf = 1\n  [[ g ]]\nh . i = {j = 2}\n'
    assert [line_of(text, path) for path in (("a",), ("c", "d.e", "f"), ("c",), ("g", "h"), ("g", "h", "i", "j"))] == [
        1,
        5,
        4,
        7,
        7,
    ]
    assert line_of(text, ("k",)) == 0

"""Records read and written (docs/records.md, "The file")."""

from __future__ import annotations

import tomllib

import pytest
from msgspec.structs import replace

from p2pcards.errors import InvalidRecord
from p2pcards.games.record import Record, read, read_canonical, write
from p2pcards.games.tongits import TongItsOptions

SMALL = """\
format = 1
game = "tongits"
players = ["ana", "ben", "cy"]

[[rounds]]
starter = "ana"
hands = { ana = "AS 2S", ben = "KC", cy = "KD" }
stock = "3S 4H"
actions = [
  "ana: draw",
  "ana: expose AS 2S 3S",
]
winners = ["ana"]
points = { ana = 1, ben = 0, cy = 0 }
"""

WHOLE = """\
format = 1
game = "tongits"
players = ["ana", "bot-1", "C_y"]
date = "2026-03-01"
title = "Friday \\"night\\" ♥ \\\\ \\u007f"
table = "abcdefghij"
bots = { bot-1 = "medium" }
identities = { ana = "mango tiger", C_y = "plum otter" }

[options]
secret_set = true
scoring = "chips"
ante = 3

[[rounds]]
starter = "C_y"
hands = { ana = "AS 2S", bot-1 = "KC KH", C_y = "KD" }
stock = "3S 4H 4C"
actions = [
  "C_y: draw",
  "C_y: discard KD",
]
"""


def test_read_and_written_the_same() -> None:
    for text in (SMALL, WHOLE):
        assert write(read(text)) == text
        assert read(text.encode()) == read(text)


def test_what_stands_in_it() -> None:
    record = read(WHOLE)
    assert record.title == 'Friday "night" ♥ \\ \x7f'
    assert (record.date, record.table) == ("2026-03-01", "abcdefghij")
    assert record.bots == {"bot-1": "medium"}
    assert record.identities == {"ana": "mango tiger", "C_y": "plum otter"}
    assert record.options == TongItsOptions(secret_set=True, scoring="chips", ante=3)
    assert record.rounds[0].actions == ("C_y: draw", "C_y: discard KD")
    assert (record.rounds[0].winners, record.rounds[0].points) == (None, None)
    assert read(SMALL).rounds[0].points == {"ana": 1, "ben": 0, "cy": 0}


def test_every_shape_of_toml_is_the_same_record() -> None:
    other = """\
points = "not a key of ours"
players = [ 'ana' , 'ben', 'cy', ]
game = '''tongits'''
rounds = [ { starter = "ana", hands.cy = "kd", hands.ana = "s2 1s", hands.ben = "K♣", stock = "3♠, 4♥", actions = [
  "ana: draw", "ana: expose AS 2S 3S"], tempo = 3, winners = ["ana"], points = {cy=0, ana=1, ben=0} } ]
options = {}
format = 0x1
"""
    assert read(other) == read(SMALL)
    assert write(read(other)) == SMALL
    assert read("﻿".encode() + SMALL.replace("\n", "\r\n").encode()) == read(SMALL)


def test_a_date_of_tomls_own_is_read() -> None:
    for date, text in (("2026-03-01", "2026-03-01"), ("2026-03-01T20:15:00Z", "2026-03-01T20:15:00+00:00")):
        assert read(SMALL.replace("\n\n", f"\ndate = {date}\n\n", 1)).date == text


def test_the_writing_is_toml_of_the_same_values() -> None:
    parsed = tomllib.loads(WHOLE)
    assert parsed["rounds"][0]["hands"]["bot-1"] == "KC KH"
    assert parsed["title"] == 'Friday "night" ♥ \\ \x7f'
    record = replace(read(WHOLE), title="a\nb\tc\x00", bots={}, identities={})
    assert tomllib.loads(write(record))["title"] == "a\nb\tc\x00"
    assert read(write(record)) == record


def test_hands_are_written_low_to_high_and_the_stock_as_it_lies() -> None:
    text = SMALL.replace("AS 2S", "2S AS").replace("3S 4H", "4H 3S")
    assert 'ana = "AS 2S"' in write(read(text))
    assert 'stock = "4H 3S"' in write(read(text))


HEAD = 'format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "cy"]\n'
ROUND = """[[rounds]]
starter = "ana"
hands = { ana = "AS 2S", ben = "KC", cy = "KD" }
stock = "3S 4H"
actions = []
"""


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "not a record: format must be 1"),
        ("format = ", "not a record: Invalid value"),
        ("format = 2", "format must be 1"),
        ("format = true", "format must be 1"),
        ("format = 1.0", "format must be 1"),
        ('format = "1"', "format must be 1"),
        ("format = 1", "game is missing"),
        ("format = 1\ngame = 5", "game must be a text"),
        ('format = 1\ngame = "whist"', "unknown game: whist; known: "),
        ('format = 1\ngame = "Tongits"', "unknown game: Tongits"),
        ('format = 1\ngame = "\\u001b[2J"', "unknown game: ?[2J"),
        ('format = 1\ngame = "tongits"', "players must be a list of texts"),
        ('format = 1\ngame = "tongits"\nplayers = "ana ben cy"', "players must be a list of texts"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben", 3]', "players must be a list of texts"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben"]', "players: Tong-its has 3 of them, not 2"),
        ('format = 1\ngame = "tongits"\nplayers = []', "Tong-its has 3 of them, not 0"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "Ana"]', "players: Ana is there twice"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben", ""]', "players:  is no name"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "cy y"]', "players: cy y is no name"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "cý"]', "players: cý is no name"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "cy\\n"]', "players: cy? is no name"),
        (f'format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "{"x" * 17}"]', "is no name"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "ben", "Dealer"]', "nobody can be called Dealer"),
        ('format = 1\ngame = "tongits"\nplayers = ["ana", "all", "cy"]', "nobody can be called all"),
        (HEAD + "options = 3", "options must be a table"),
        (HEAD + "[options]\nstakes = 3", "options: Tong-its has no option stakes; it has"),
        (HEAD + "[options]\nante = -1", "options: ante can't be -1; allowed: 0 to 1000000"),
        (HEAD + "[options]\nscoring = ['chips']", "options: scoring can't be that; allowed: chips or wins"),
        (HEAD + "title = 3", "title must be a text"),
        (HEAD + "date = 3", "date: not a date"),
        (HEAD + 'bots = { dan = "easy" }', "bots: dan is not seated"),
        (HEAD + "bots = { cy = 3 }", "bots: cy must be a text"),
        (HEAD + 'identities = ["x"]', "identities must be a table"),
        (HEAD, "it has no [[rounds]]"),
        (HEAD + "rounds = []", "it has no [[rounds]]"),
        (HEAD + "rounds = 3", "it has no [[rounds]]"),
        (HEAD + "[rounds]", "it has no [[rounds]]"),
        (HEAD + "rounds = [3]", "round 1 must be a table"),
        (HEAD + "[[rounds]]", "round 1: starter is missing"),
        (HEAD + ROUND.replace('"ana"\n', '"dan"\n'), "round 1: dan is not seated"),
        (HEAD + ROUND.replace('"ana"\n', '"Ana"\n'), "round 1: Ana is not seated"),
        (HEAD + ROUND.replace('"ana"\n', "0\n"), "round 1: starter must be a text"),
        (HEAD + '[[rounds]]\nstarter = "ana"', "round 1: hands must be a table"),
        (HEAD + ROUND.replace("cy =", "dan ="), "round 1: hands: dan is not seated"),
        (HEAD + ROUND.replace(', cy = "KD"', ""), "round 1: cy has no cards"),
        (HEAD + ROUND.replace('"KD"', '" "'), "round 1: cy has no cards"),
        (HEAD + ROUND.replace('"KD"', '["KD"]'), "round 1: cy's hand must be a text"),
        (HEAD + ROUND.replace("KD", "1D 11D"), "round 1: cy's hand: not a card: 11D"),
        (HEAD + ROUND.replace("KD", "KD kd"), "round 1: cy's hand: KD is there more often"),
        (HEAD + ROUND.replace("KD", "1S"), "round 1: cy's hand: AS is there more often"),
        (HEAD + ROUND.replace("4H", "KC"), "round 1: stock: KC is there more often"),
        (HEAD + ROUND.replace('"3S 4H"', '""'), "round 1: there is no stock"),
        (HEAD + ROUND.replace('stock = "3S 4H"\n', ""), "round 1: there is no stock"),
        (HEAD + ROUND.replace("stock =", "stock.a ="), "round 1: stock must be a text"),
        (HEAD + ROUND.replace("[]", '"ana: draw"'), "round 1: actions must be a list of texts"),
        (HEAD + ROUND.replace("[]", "[1]"), "round 1: actions must be a list of texts"),
        (HEAD + ROUND + 'winners = "ana"', "round 1: winners must be a list of texts"),
        (HEAD + ROUND + "points = [1, 0, 0]", "round 1: points must be a table"),
        (HEAD + ROUND + "points = { ana = 1.0 }", "round 1: points must be whole numbers"),
        (HEAD + ROUND + "points = { ana = true }", "round 1: points must be whole numbers"),
        (HEAD + ROUND + f"points = {{ ana = 0x{'f' * 6000} }}", "round 1: points must be numbers of at most 18 digits"),
        (HEAD + ROUND + f"points = {{ ana = -{'9' * 19} }}", "round 1: points must be numbers of at most 18 digits"),
        (HEAD + f"[options]\nante = 0x{'f' * 6000}", "options: ante can't be that; allowed: 0 to 1000000"),
        (HEAD + '[options]\nante = "3"', 'options: ante can\'t be "3"; allowed: 0 to 1000000'),
        (HEAD + ROUND + "proof = 3", "round 1: proof must be a table"),
        (HEAD + ROUND + '[rounds.proof]\nentries = "AQEA"', "round 1: proof: entries must be a list of texts"),
        (HEAD + ROUND + '[rounds.proof]\nentries = ["AQEA", 3]', "round 1: proof: entries must be a list of texts"),
        (HEAD + ROUND + '[rounds.proof]\nentries = ["AQEA", "AQE"]', "round 1: proof: entry 2 is not base64"),
        (HEAD + ROUND + '[rounds.proof]\nentries = ["AQ EA"]', "round 1: proof: entry 1 is not base64"),
        (HEAD + ROUND + '[rounds.proof]\nentries = ["AQ-_"]', "round 1: proof: entry 1 is not base64"),
        (HEAD + ROUND + '[rounds.proof]\nentries = ["♥"]', "round 1: proof: entry 1 is not base64"),
        (HEAD + ROUND + ROUND.replace("3S", "3X"), "round 2: stock: not a card: 3X"),
        (HEAD + "x = " + "[" * 50_000, "not a record: nested too deeply"),
        (HEAD + ROUND.replace('starter = "ana"', 'starter = ""'), "round 1: an empty name is not seated"),
        (HEAD + "x = " + "9" * 10_000, "not a record: Exceeds the limit (4300 digits)"),
        ("\x00", "not a record: "),
        (HEAD.replace("players", "game"), "not a record: "),
    ],
)
def test_what_is_no_record_gets_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(InvalidRecord) as refused:
        read(text)
    assert sentence in str(refused.value)
    assert str(refused.value).isprintable()
    assert "sys." not in str(refused.value)
    assert len(str(refused.value)) < 500


STRAIGHTS = """\
format = 1
game = "straights"
players = ["ana", "ben", "cy", "dan"]

[[rounds]]
hands = { ana = "7S", ben = "KC", cy = "KD", dan = "KH" }
actions = []
"""


def test_a_game_that_deals_all_has_no_stock() -> None:
    with pytest.raises(InvalidRecord, match="round 1: Straights has no stock"):
        read(STRAIGHTS + 'stock = "KS"')
    assert read(STRAIGHTS + 'stock = ""') == read(STRAIGHTS)


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(InvalidRecord, match="not UTF-8"):
        read(b"\xff\xfe")


@pytest.mark.parametrize("line", ["{}k = 1", "[{}k]", "x = {{ {}k = 1 }}"])
def test_a_key_of_endless_parts_is_not_even_begun(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tomllib.loads", None)
    with pytest.raises(InvalidRecord, match="not a record: line 4 has more than 200 dots"):
        read(HEAD + line.format("a." * 50_000))


def test_dots_in_a_comment_are_no_key() -> None:
    assert read(f"# {'.' * 500}\n{WHOLE}") == read(WHOLE)


def test_of_several_mistakes_the_first_is_told() -> None:
    text = HEAD.replace('"ben"', '"b n"') + "[options]\nx = 1\n" + ROUND.replace("KD", "XX")
    with pytest.raises(InvalidRecord, match="b n is no name"):
        read(text)


PROVED = (
    SMALL
    + """
[rounds.proof]
entries = [
  "AQEA",
  "/+8=",
]
"""
    + SMALL[SMALL.index("\n[[rounds]]") :]
)


def test_a_round_carries_its_proof_and_the_next_one_need_not() -> None:
    record = read(PROVED)
    assert [played.proof for played in record.rounds] == [(b"\x01\x01\x00", b"\xff\xef"), ()]
    assert write(record) == PROVED
    assert read_canonical(PROVED) == record


def test_a_proof_is_read_in_any_shape_of_toml() -> None:
    other = SMALL + "proof = { entries = [\"AQEA\", '/+8='], later = 3 }\n"
    assert read(other).rounds == read(PROVED).rounds[:1]
    assert read_canonical(other) is None
    assert read(SMALL + "[rounds.proof]\nkind = 2\n") == read(SMALL)


def test_only_the_one_writing_of_a_record_is_canonical() -> None:
    for text in (SMALL, WHOLE, PROVED):
        assert read_canonical(text) == read(text)
    for old, new in (
        ('  "AQEA",\n', '  "AQEA"\n'),
        ('  "/+8=",', '  "/+9=",'),  # the same bytes
        ("proof]\n", "proof]\n\n"),
        ("[rounds.proof]\n", "[rounds.proof] \n"),
        ('  "AQEA",\n  "/+8=",\n', ""),
        ("[[rounds]]\n", "[[rounds]]\ntempo = 1\n"),
        ("format", "\nformat"),
        ("ana: draw", "ana:  draw"),
        ("KC", "kc"),
    ):
        changed = PROVED.replace(old, new)
        assert changed != PROVED
        again = read_canonical(changed)
        assert again is None or (old == "ana: draw" and again != read(PROVED))
    twice = PROVED[: PROVED.rindex("\n[[rounds]]")] + '\n[rounds.proof]\nentries = [\n  "AQEA",\n]\n'
    assert read_canonical(twice) is None


def test_keys_that_nobody_knows_are_left_aside() -> None:
    assert read('colour = "red"\n' + HEAD + ROUND + "[rounds.proof]\nentries = []\n") == read(HEAD + ROUND)


def test_the_rules_of_a_record_have_its_options() -> None:
    assert read(WHOLE).rules.options.ante == 3
    assert isinstance(read(SMALL), Record)


def test_a_round_in_which_nobody_has_acted_yet_needs_no_actions() -> None:
    assert read(HEAD + ROUND.replace("actions = []", "")).rounds[0].actions == ()

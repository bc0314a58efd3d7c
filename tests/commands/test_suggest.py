"""Completion: only what is legal, every legal line reachable, nothing raised while somebody types."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.commands.command import Command, Remark
from p2pcards.commands.context import Chair, Choice, Context, Listed, Preset, Where
from p2pcards.commands.legal import Legal, bits
from p2pcards.commands.notes_tongits import Does
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import ENTER, Note, Suggestion, suggest
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.state import Phase
from tests.testing.tongits_spot import LEVELS, context, random_views, spot

ACT = context(spot("AS 2S 3S 7H 7D 7S KD", melds=((1, "4H 5H 6H"), (0, "8C 8D 8H"))))
FOUR = context(spot("QC QD QH QS 2D"))
DRAW = context(spot("7H 7D 7C QS", phase=Phase.DRAW, discards="KD 7S", melds=((1, "4H 5H 6H"),)))
ROWS = (
    Listed(1, "~aaaa", "Friday night", "Tong-its", "ben", 1, "lobby", (("scoring", "chips"),)),
    Listed(2, "~bbbb", "lab", "Tong-its", "cy", 0, "playing"),
    Listed(12, "~cccc", "lab", "Tong-its", "dan", 2, "lobby"),
)
AT_HOME = Context(nick="ana", listed=ROWS, levels=LEVELS)
LOBBY = Context(
    where=Where.LOBBY,
    levels=LEVELS,
    choices=(
        Choice("scoring", "chips", ("wins", "chips", "none"), "what is won", "wins"),
        Choice("stake", "5", (), "chips in a unit", "1"),
    ),
    game=TongIts(),
    host=True,
    me=0,
    chairs=(Chair("ana"), Chair("bot-1", bot=True), Chair("")),
)
HOUSE = {"discard_layoff": "true", "secret_set": "true"}


def texts(text: str, where: Context) -> list[str]:
    return [suggestion.text for suggestion in suggest(text, where)]


def accept(text: str, suggestion: Suggestion) -> str:
    return text[: suggestion.start] + suggestion.text


def reachable(text: str, where: Context) -> set[str]:
    """The legal lines that begin with these words, in whatever order."""
    legal = where.legal
    assert legal is not None
    verb, *words = text.split() or [""]
    return {
        line
        for line, own in zip(legal.lines, legal.words, strict=True)
        if line.split(" ")[0] == verb and set(words) <= set(own)
    }


# ---- what is offered


def test_actions_come_first_then_everything_that_works_here() -> None:
    offered = texts("", ACT)
    assert offered[:4] == ["expose 7D 7H 7S", "expose AS 2S 3S", "layoff 7H m1", "discard "]
    assert {"hand", "table", "legal", "help ", "quit"} <= set(offered)
    assert not {"start", "join ", "draw", "call"} & set(offered)


def test_one_word_at_a_time_and_the_rest_as_soon_as_it_is_settled() -> None:
    assert texts("expose ", ACT) == ["7D 7H 7S", "AS 2S 3S"]
    assert texts("expose q", FOUR) == ["QC ", "QD ", "QH ", "QS "]
    assert texts("expose qc ", FOUR) == ["QD ", "QH ", "QS "]
    assert texts("expose qs QC q", FOUR) == ["QD ", "QH "]
    assert texts("expose QC QD QH ", FOUR) == ["", "QS"]
    assert texts("expose QC QD QH QS ", FOUR) == []


def test_a_fragment_is_read_as_forgivingly_as_a_card() -> None:
    for fragment in ("k", "K", "kd", "dk", "d", "♦", "k♦"):
        assert "KD" in texts(f"discard {fragment}", ACT)
    assert texts("discard 1", ACT) == ["AS"]
    assert texts("discard x", ACT) == []


def test_places_of_the_hand() -> None:
    offered = suggest("discard #", ACT)
    assert [one.text for one in offered] == ["AS", "2S", "3S", "7D", "7H", "7S", "KD"]
    assert [one.display for one in offered][-1] == "#7 KD"
    assert accept("discard #7", suggest("discard #7", ACT)[0]) == "discard KD"


def test_bare_cards_offer_whole_actions() -> None:
    assert texts("7h", ACT) == ["expose 7D 7H 7S", "layoff 7H m1", "discard 7H"]
    assert texts("7h m", ACT) == ["layoff 7H m1"]
    assert texts("7d 7", DRAW) == ["take 7C 7D", "take 7D 7H", "take 7C 7D 7H"]
    assert accept(" /7h", suggest(" /7h", ACT)[1]) == " /layoff 7H m1"


def test_the_letter_of_a_rank_offers_cards_behind_the_commands_that_begin_so() -> None:
    assert texts("k", ACT) == ["discard KD"]
    assert texts("a", ACT) == ["aces ", "away", "expose AS 2S 3S", "discard AS"]
    assert texts("as", ACT) == ["expose AS 2S 3S", "discard AS"]
    assert texts("t", ACT) == ["table", "turn", "tell ", "theme "]
    assert texts("s", ACT)[0] == "scores"
    assert "discard 7D" not in texts("d", ACT)


def test_a_line_that_is_an_action_already_says_what_it_does() -> None:
    enter, rest = suggest("expose qc qd qh ", FOUR)
    assert (enter.text, enter.display, enter.start) == ("", ENTER, len("expose qc qd qh "))
    assert (enter.note.code, rest.text) == (Does.OPEN, "QS")
    assert accept("expose qc qd qh ", enter) == "expose qc qd qh "
    assert [one.display for one in suggest("expose qc qd ", FOUR)] == ["QH +", "QS +"]
    assert ENTER not in [one.display for one in suggest("expose qc qd qh", FOUR)]
    assert ENTER not in [one.display for one in suggest("expose qc qd qh qs ", FOUR)]


def test_bare_cards_that_leave_many_actions_go_on_word_by_word() -> None:
    where = context(spot("7C 7D 7H 7S 8H 9H KD", melds=((1, "4H 5H 6H"), (2, "TH JH QH"))))
    assert texts("7h", where) == ["7H "]  # four sets, a run, a layoff and a discard
    assert suggest("7h", where)[0].note == Remark(Note.WAYS, ("7",))
    offered = texts("7h ", where)
    assert offered == ["discard 7H", "expose 7H 8H 9H", "layoff 7H m1", "7C ", "7D ", "7S "]
    assert texts("7h 8h ", where) == ["expose 7H 8H 9H"]
    assert texts("7d 7h 7c ", where) == ["expose 7C 7D 7H", "expose 7C 7D 7H 7S"]


def test_an_alias_is_offered_under_its_own_name() -> None:
    may_call = context(spot("AS", phase=Phase.DRAW, melds=((0, "4H 5H 6H"),)))
    assert texts("figh", may_call) == ["fight"]
    assert texts("exi", AT_HOME) == ["exit"]
    assert texts("practi", AT_HOME) == ["practise "]
    assert texts("practic", AT_HOME) == ["practice "]
    assert suggest("practic", AT_HOME)[0].display == "practice GAME"
    assert texts("host thir", AT_HOME) == ["thirteen"]
    assert texts("tell turn", AT_HOME) == ["my_turn"]


def test_leaving_while_a_table_is_looked_for_is_giving_up() -> None:
    (leave,) = suggest("leav", replace(AT_HOME, joining="lab"))
    assert leave.note.detail == ("give up looking",)
    (leave,) = suggest("leav", LOBBY)
    assert leave.note.detail == ("leave the table",)


def test_nothing_of_the_game_is_offered_when_it_is_not_our_turn() -> None:
    for where in (
        context(spot("7H", turn=1)),
        context(spot("7H"), pending="discard 7H"),
        context(spot("7H", phase=Phase.RESPOND, turn=1, asked=(0,)), to_act=()),
        context(spot("", turn=1, seat=None)),
    ):
        assert not {"draw", "discard 7H", "discard ", "challenge", "fold"} & set(texts("", where))
        assert texts("7h", where) == []
        assert texts("discard ", where) == []


def test_every_suggestion_says_what_it_does() -> None:
    notes = {one.text: one.note for one in suggest("discard ", ACT)}
    assert (notes["KD"].code, notes["KD"].detail) == (Does.DISCARD, ("10",))
    assert notes["7H"].code is Does.BREAKS
    assert suggest("expose q", FOUR)[0].note.code is Note.WAYS
    assert suggest("expose qc qd q", FOUR)[0].note.code is Does.OPEN
    assert suggest("lis", AT_HOME)[0].note.detail == ("show the tables on this network",)


def test_commands_and_their_arguments() -> None:
    assert texts("ho", AT_HOME) == ["host "]
    assert texts("pract", AT_HOME) == ["practise "]
    assert texts("host ton", AT_HOME) == ["tongits"]
    assert texts("host ", AT_HOME) == list(GAMES)
    assert texts("host tongits ", AT_HOME) == []
    assert texts("bot", LOBBY) == ["bot add ", "bot remove ", "bot level "]
    assert texts("bot re", LOBBY) == ["remove "]
    assert texts("bot add ", LOBBY) == list(LEVELS)
    assert texts("bot level b", LOBBY) == ["bot-1 "]
    assert texts("bot level bot-1 e", LOBBY) == ["easy"]
    assert texts("set s", LOBBY) == ["scoring ", "stake "]
    assert texts("set scoring ", LOBBY) == ["wins", "chips", "none"]
    assert texts("set stake ", LOBBY) == ["5", "1"]
    assert texts("se", LOBBY) == ["set "]
    assert texts("set scoring ", replace(LOBBY, host=False)) == []
    assert texts("set s", replace(LOBBY, host=False)) == ["scoring", "stake"]
    assert texts("coach o", LOBBY) == ["on", "off"]
    assert {"discard", "set", "help"} <= set(texts("help ", LOBBY))
    assert texts("start ", LOBBY) == texts("nonsense ", LOBBY) == texts("bot kill ", LOBBY) == []


def test_options_and_values_say_what_they_do() -> None:
    assert suggest("set sc", LOBBY)[0].note == Remark(Note.CHANGED, ("chips", "what is won", "wins"))
    usual, now, other = (one.note for one in suggest("set scoring ", LOBBY))
    assert (usual.code, now.code, other.code) == (Note.USUAL, Note.NOW, Note.VALUE)
    assert {note.detail for note in (usual, now, other)} == {("what is won",)}
    unchanged = replace(LOBBY, choices=(Choice("scoring", "wins", ("wins",), "what is won", "wins"),))
    assert suggest("set sc", unchanged)[0].note.code is Note.OPTION


def test_names_of_presets_with_what_they_keep() -> None:
    kept = (Preset("tongits", "friday", (("scoring", "chips"),)), Preset("tongits", "fast", ()))
    where = replace(LOBBY, presets=kept)
    assert texts("preset ", where) == ["save ", "load ", "list", "delete "]
    assert texts("preset ", replace(where, host=False)) == ["save ", "list", "delete "]
    for second in ("load", "delete", "save"):
        assert texts(f"preset {second} f", where) == ["friday", "fast"]
    assert suggest("preset load fr", where)[0].note == Remark(Note.PRESET, ("tongits", "scoring", "chips"))


def test_tables_by_number_and_by_title() -> None:
    assert texts("join ", AT_HOME) == ["1", "2", "12"]
    assert texts("join 1", AT_HOME) == ["1", "12"]
    assert texts("join friday n", AT_HOME) == ["Friday night"]
    assert accept("join friday n", suggest("join friday n", AT_HOME)[0]) == "join Friday night"
    assert accept('join "friday n', suggest('join "friday n', AT_HOME)[0]) == "join Friday night"
    assert texts("join la", AT_HOME) == ["2", "12"]  # two tables of one title are told apart by number
    row = ("Friday night", "Tong-its", "ben", "1", "lobby", "scoring", "chips")
    assert suggest("join 1", AT_HOME)[0].note.detail == row


def test_guests_are_not_offered_what_the_host_may_do() -> None:
    guest = Context(where=Where.LOBBY, game=TongIts(), me=0, chairs=LOBBY.chairs)
    assert texts("star", guest) == texts("bot ", guest) == texts("set ", guest) == []


# ---- what always holds


@pytest.mark.parametrize("seed", range(4))
def test_every_prefix_of_every_legal_line_keeps_what_it_offers(seed: int) -> None:
    for view in random_views(seed, HOUSE):
        where = context(view, HOUSE)
        assert where.legal is not None
        for line in where.legal.lines:
            for end in range(len(line) + 1):
                typed = line[:end]
                offered = suggest(typed, where)
                assert len({one.text for one in offered}) == len(offered)
                assert [one.text for one in offered[1:]].count("") == 0
                if " " not in typed:
                    assert line.split(" ")[0] in {one.text.split(" ")[0] for one in offered}
                    continue
                assert offered or typed.rstrip() == line
                for one in offered:
                    assert reachable(accept(typed, one), where)


@pytest.mark.parametrize("seed", range(4))
def test_every_legal_action_is_reached_by_accepting_suggestions(seed: int) -> None:
    for view in random_views(seed, HOUSE):
        where = context(view, HOUSE)
        assert where.legal is not None
        reached: set[str] = set()
        waiting = [one.text for one in suggest("", where) if one.text.split(" ")[0] in where.legal.verbs]
        seen = set(waiting)
        while waiting:
            text = waiting.pop()
            found = parse(text, where)
            if isinstance(found, Command) and set(found.action.split()) == set(text.split()):
                reached.add(found.action)
            for one in suggest(text, where):
                longer = accept(text, one)
                if longer not in seen and longer != text:
                    seen.add(longer)
                    waiting.append(longer)
        assert reached == set(where.legal.lines)


@given(st.text(alphabet="expos qcdh#127,/mjoinbt ♠", max_size=20))
def test_typing_never_raises(text: str) -> None:
    for where in (ACT, FOUR, DRAW, AT_HOME, LOBBY):
        for one in suggest(text, where):
            assert 0 <= one.start <= len(text)
            assert one.text or one.display == ENTER


@given(st.text(max_size=20))
def test_no_text_raises(text: str) -> None:
    for where in (ACT, AT_HOME, LOBBY):
        suggest(text, where)


VERBS = st.sampled_from(["expose", "take", "layoff", "discard", "draw", ""])
CARDS = st.sampled_from(["7H", "h7", "#1", "7D", "QC", "#2", "m1", "x"])


@given(VERBS, st.lists(CARDS, max_size=4), st.sampled_from(["", " ", " 7", " #", " m"]))
def test_no_words_raise_however_often_they_stand_there(verb: str, cards: list[str], more: str) -> None:
    for where in (ACT, FOUR, DRAW, AT_HOME, LOBBY):
        for one in suggest(" ".join([verb, *cards]) + more, where):
            assert one.text or one.display == ENTER


def test_nothing_follows_a_card_that_stands_there_twice() -> None:
    assert texts("expose 7H 7h ", ACT) == texts("expose 7H 7h 7", ACT) == texts("7H #5 ", ACT) == []


# ---- the index under it


def test_words_find_actions_in_any_order() -> None:
    legal = FOUR.legal
    assert isinstance(legal, Legal)
    expose = legal.verbs["expose"]
    assert legal.having(["QS", "QC"], expose).bit_count() == 3
    assert legal.having(["2D"], expose) == 0
    place = legal.exactly(["QS", "QD", "QC"], legal.all())
    assert place is not None
    assert legal.lines[place] == "expose QC QD QS"
    assert legal.exactly(["QS", "QD"], legal.all()) is None
    assert list(bits(0b1010)) == [1, 3]

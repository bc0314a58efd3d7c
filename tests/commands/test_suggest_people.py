"""Completion of people, doors, codes and votes: what waits comes first, and thousands of names cost nothing."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.commands.command import Command, Remark
from p2pcards.commands.context import Context, Where
from p2pcards.commands.parse import parse
from p2pcards.commands.suggest import Suggestion, suggest
from p2pcards.commands.suggest_people import ANSWERS, MOST, About, code_endings
from p2pcards.wire.code import code_words, read_code
from tests.testing.crowd import BEN, DAN, EVE, FAY, GUEST, HOME, HOST, VOTE, WATCHER
from tests.testing.tongits_spot import context, spot

ONE = replace(HOST, knocks=(DAN,))
TWO = replace(HOST, knocks=(DAN, FAY))
ASKED = replace(HOME, joining="10.0.0.7", asking="lab")
VOTING = replace(GUEST, nick="cy", vote=VOTE)
MY_TURN = replace(context(spot("AS 2S 3S 7H")), host=True, knocks=(FAY, DAN))


def texts(text: str, where: Context) -> list[str]:
    return [one.text for one in suggest(text, where)]


def notes(text: str, where: Context) -> list[Remark]:
    return [one.note for one in suggest(text, where)]


def accept(text: str, suggestion: Suggestion) -> str:
    return text[: suggestion.start] + suggestion.text


# ---- what waits for an answer


def test_who_knocks_is_the_first_suggestion_on_an_empty_line() -> None:
    assert texts("", ONE)[:2] == ["admit dan", "deny dan"]
    assert texts("", TWO)[:3] == ["admit dan", "deny dan", "start"]
    assert texts("  /", ONE)[0] == "admit dan"
    assert "admit dan" not in texts("", replace(ONE, knocks=()))


def test_who_has_the_name_of_somebody_we_know_is_not_let_in_by_the_first_suggestion() -> None:
    assert FAY.asked == "name"
    assert texts("", MY_TURN)[:2] == ["deny Fay", "admit Fay"]


def test_a_line_that_is_being_typed_is_not_disturbed() -> None:
    quiet = replace(MY_TURN, knocks=())
    for typed in ("d", "di", "discard", "discard ", "7", "7h", "expose ", "s", "h", "'admit"):
        before, after = texts(typed, quiet), texts(typed, MY_TURN)
        assert [text for text in after if text.split()[:1] not in (["admit"], ["deny"])] == before
    assert texts("di", MY_TURN) == texts("di", quiet)


def test_a_line_that_speaks_is_offered_nothing() -> None:
    for typed in ("'", "' ", "'d", "'7h", "' 7h", "'admit ", "'discard 7", "'mango tig", " /'kick "):
        assert texts(typed, MY_TURN) == texts(typed, ASKED) == texts(typed, TWO) == []


def test_everybody_who_waits_is_offered_once_the_word_is_begun() -> None:
    assert texts("ad", TWO)[:2] == ["admit dan", "admit Fay"]
    assert texts("den", TWO)[:2] == ["deny dan", "deny Fay"]
    assert texts("admit ", TWO) == ["dan", "Fay"]
    assert texts("admit fa", TWO) == ["Fay"]
    assert texts("deny d", TWO) == ["dan"]
    assert texts("deny dan w", TWO) == []


def test_who_it_is_that_waits() -> None:
    assert notes("admit ", TWO) == [
        Remark(About.CALLER, ("lemon-lens", "new", "")),
        Remark(About.CALLER_NAMED, ("fox-fossil", "other", "fay1")),
    ]


def test_an_open_vote_comes_first_for_those_who_have_one() -> None:
    assert texts("", VOTING)[:2] == ["vote yes", "vote no"]
    assert notes("", VOTING)[:2] == [Remark(About.VOTE, ("ben", "cy", "1", "2")), Remark(About.VOTE_NO, ("ben",))]
    assert texts("vote", VOTING) == ["vote yes", "vote no"]
    assert texts("vote ", VOTING) == ["yes", "no"]
    assert texts("vote ", replace(VOTING, vote=replace(VOTE, may=False))) == []
    assert texts("vote ", HOST) == texts("vote ", GUEST) == []  # the host has `kick`, and there is nobody else to kick


def test_a_vote_is_about_players_and_never_the_host() -> None:
    guest = replace(GUEST, people=(*GUEST.people, replace(BEN, nick="cy", seat=2)))
    assert texts("vote kick ", guest) == ["cy"]
    assert texts("vote k", guest) == ["kick "]
    assert texts("vot", guest) == ["vote kick "]
    assert texts("vot", replace(guest, me=None)) == []


def test_the_answers_can_be_told_from_other_suggestions() -> None:
    for where in (TWO, VOTING, MY_TURN):
        marked = [one.text for one in suggest("", where) if one.note.code in ANSWERS]
        answers = {"admit dan", "admit Fay", "deny dan", "deny Fay", "vote yes", "vote no"}
        assert marked == [text for text in texts("", where) if text in answers]


# ---- people


def test_who_is_here_with_the_words_of_the_key() -> None:
    assert texts("kick ", HOST) == ["ben", "Eve"]
    assert texts("kick e", HOST) == texts("kick E", HOST) == ["Eve"]
    assert notes("kick ", HOST)[0] == Remark(About.FELLOW, ("mango-tiger", "new", "boss"))
    assert texts("kick ", GUEST) == texts("kick ben a", HOST) == []
    assert texts("kic", replace(HOST, people=())) == []
    assert texts("msg ", HOST) == ["ben "]
    assert texts("msg ben h", HOST) == texts("say h", HOST) == texts("'h", HOST) == []


def test_who_is_known_from_elsewhere() -> None:
    assert texts("whois ", replace(TWO, named=HOME.named)) == ["ben", "Eve", "dan", "Fay", "anabel", "Ben", "cy"]
    assert texts("whois b", HOME) == texts("whois B", HOME) == ["Ben"]
    assert texts("petname a", HOME) == ["anabel"]
    assert texts("unban ", HOME) == ["mallory", "trudy"]
    assert texts("unban T", HOME) == ["trudy"]
    assert texts("unb", HOST) == []
    assert texts("vouch ben o", HOST) == ["on", "off"]


def test_those_who_are_ignored_can_be_heard_again() -> None:
    where = replace(HOST, people=(replace(BEN, ignored=True), EVE))
    assert texts("ignore ", where) == ["Eve"]
    assert texts("unignore ", where) == ["ben"]


def test_times_of_a_ban() -> None:
    assert texts("ban ben ", HOST) == ["10m", "2h", "7d", "forever"]
    assert texts("ban ben f", HOST) == ["forever"]
    assert [note.detail for note in notes("ban ben ", HOST)] == [("600",), ("7200",), ("604800",), ("0",)]
    assert texts("ban ben rude ", HOST) == texts("ban ben r", HOST) == []


def test_doors_that_are_possible_and_what_they_do() -> None:
    assert texts("door ", HOST) == ["ask", "code"]
    assert texts("door ", replace(HOST, in_lab=True, door="code")) == ["open", "ask", "code", "lab", "lab+uid"]
    assert notes("door c", HOST) == [Remark(About.CODE)]
    assert notes("door c", replace(HOST, door="code")) == [Remark(About.OTHER_CODE)]
    assert texts("door ", GUEST) == texts("door ", replace(HOST, where=Where.PLAYING)) == []


def test_nothing_about_others_is_offered_in_practice() -> None:
    offered = {text.split()[0] for text in texts("", replace(HOST, alone=True, people=()))}
    assert not offered & {"door", "say", "msg", "kick", "ban", "vote", "admit"}
    assert {"whois", "mute"} <= offered


# ---- codes


def test_a_code_word_by_word() -> None:
    assert texts("code man", ASKED) == ["man-", "manage-", "mandate-", "mango-", "mansion-", "manual-"]
    assert accept("code man", suggest("code man", ASKED)[3]) == "code mango-"
    assert texts("code mango-tig", ASKED) == ["tiger"]
    assert accept("code mango-tig", suggest("code mango-tig", ASKED)[0]) == "code mango-tiger"
    assert accept(" /code MANGO tig", suggest(" /code MANGO tig", ASKED)[0]) == " /code MANGO tiger"
    assert texts("code ", ASKED) == texts("code mango-", ASKED) == texts("code mango-tiger-a", ASKED) == []
    assert texts("code xyzzy-t", ASKED) == []
    assert texts("code man", HOME) == []


def test_a_code_without_its_command() -> None:
    assert "code " in texts("", ASKED)
    assert texts("mang", ASKED) == ["mango-"]
    assert accept("mang", suggest("mang", ASKED)[0]) == "mango-"
    assert accept("mango-tig", suggest("mango-tig", ASKED)[0]) == "mango-tiger"
    assert accept("mango tig", suggest("mango tig", ASKED)[0]) == "mango tiger"
    assert texts("mang", HOME) == texts("mango tig", HOME) == []


@given(st.sampled_from(code_words()), st.sampled_from(code_words()), st.sampled_from(["-", " "]), st.data())
def test_every_code_is_reached_by_four_letters_of_each_word(
    first: str, second: str, between: str, data: st.DataObject
) -> None:
    code = f"{first}-{second}"
    reached = ""
    for word, begun in ((f"{first}-", ""), (second, f"{first}{between}")):
        typed = begun + word.rstrip("-")[: data.draw(st.integers(4, 8))]
        found = [typed[:at] + ending for at, ending in code_endings(typed)]
        reached = begun + word
        assert reached in found
    assert read_code(reached) == code


# ---- what always holds

LINES = (
    *(("admit dan", TWO), ("deny Fay go away", TWO), ("kick ben", HOST), ("ban Eve 2h rude", HOST)),
    *(("door ask", HOST), ("door lab+uid", replace(HOST, in_lab=True)), ("unban trudy", HOME), ("bans", HOME)),
    *(("vote yes", VOTING), ("vote no", VOTING), ("msg ben hi", HOST), ("say hi", WATCHER), ("mute on", WATCHER)),
    *(("whois anabel", HOME), ("petname Eve Evie", HOST), ("vouch ben off", HOST), ("ignore cy", HOME)),
    *(("code mango-tiger", ASKED), ("list lab", replace(HOME, in_lab=True))),
)
WORDS_OF_OTHERS = {"deny Fay go away": 9, "ban Eve 2h rude": 11, "msg ben hi": 8, "say hi": 4, "petname Eve Evie": 12}
"""Where what only the person knows begins."""


@pytest.mark.parametrize(("line", "where"), LINES, ids=[line for line, _ in LINES])
def test_every_prefix_of_a_line_leads_on_to_it(line: str, where: Context) -> None:
    assert isinstance(parse(line, where), Command)
    for end in range(WORDS_OF_OTHERS.get(line, len(line))):
        typed = line[:end]
        offered = suggest(typed, where)
        assert len({one.text for one in offered}) == len(offered)
        if line.startswith("code") and end >= 5:  # a handful of 2,048 words
            continue
        assert any(line.lower().startswith(accept(typed, one).lower().rstrip()) for one in offered), typed


MANY = tuple(f"player-{number}" for number in range(2000))


def test_of_thousands_of_names_a_handful_is_offered() -> None:
    where = replace(HOME, named=tuple(sorted(MANY)), banned=tuple(sorted(MANY)), asking="lab")
    for typed in ("whois ", "whois p", "unban player-1", "ignore PLAYER-19"):
        people = [one for one in suggest(typed, where) if one.note.code in (About.KNOWN, About.BANNED)]
        assert 0 < len(people) <= MOST


@pytest.mark.parametrize("begun", ["c", "ro", "pro", "zoo"])
def test_of_a_code_every_word_that_begins_so_is_offered(begun: str) -> None:
    words = [word for word in code_words() if word.startswith(begun)]
    assert texts(f"code {begun}", ASKED) == [f"{word}-" for word in words]
    assert texts(f"code mango-{begun}", ASKED) == words


def test_names_are_found_by_halving() -> None:
    looked: list[str] = []

    class Name(str):
        __slots__ = ()

        def lower(self) -> str:
            looked.append(self)
            return super().lower()

    where = replace(HOME, named=tuple(sorted(map(Name, MANY))))
    assert len(suggest("whois player-7", where)) == MOST
    assert len(looked) < 40


@given(
    st.text(alphabet="kickban voteysdr'-mgo10mh/~", max_size=24),
    st.sampled_from([HOME, ASKED, HOST, GUEST, WATCHER, TWO, VOTING, MY_TURN]),
)
def test_typing_never_raises(text: str, where: Context) -> None:
    for one in suggest(text, where):
        assert 0 <= one.start <= len(text)

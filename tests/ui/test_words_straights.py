"""The sentences of Straights: every code has one, and they say what a player wants to hear."""

from __future__ import annotations

import re
from enum import Enum, StrEnum
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.cards import ACE_LOW
from p2pcards.commands.coach import coach
from p2pcards.commands.coach_straights import Tip
from p2pcards.commands.command import Command, Problem, Remark
from p2pcards.commands.context import Context
from p2pcards.commands.notes_straights import Does
from p2pcards.errors import IllegalAction
from p2pcards.games.straights import Refusal, Straights
from p2pcards.games.straights.state import Reason, View
from p2pcards.table.notices import Acted, Notice, RoundOver
from p2pcards.table.tableview import RoundResult, Stage, TableView
from p2pcards.ui import words_straights
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from tests.testing.fake_node import FakeNode
from tests.testing.straights_spot import NICKS, cards, context, ended, spot

SIGNS, WORDS, HIDDEN = Words(Cards.SIGNS, "ana"), Words(Cards.WORDS, "ana"), Words(Cards.SIGNS, "ana", hidden=True)
CODES: tuple[type[StrEnum], ...] = (Refusal, Tip, Does)
PASSING = {"mode": "sevens_pass"}
OPENLY = {"mode", "open_discards"}  # options under which nothing is put aside face down


def table(last: View | None = None) -> TableView:
    node = FakeNode()
    node.sit("straights", others=3)
    if last and last.public.reason:
        public = last.public
        node.change(last=RoundResult(1, public.reason or "", public.winners, public.points, last, True))
    assert node.table is not None
    return node.table


def one(notice: Notice, words: Words = SIGNS) -> str:
    """The only sentence of a notice."""
    (line,) = words.notice(notice, table())
    return line


def acted(text: str, seat: int = 1, kind: str = "act", **more: Any) -> Acted:
    return replace(Acted(9, 1, seat, NICKS[seat], kind, text, ""), **more)


# ---- codes


@pytest.mark.parametrize("code", [code for codes in CODES for code in codes], ids=lambda code: f"{code!r}")
def test_every_code_has_words_with_and_without_its_detail(code: Enum) -> None:
    samples: list[tuple[str, ...]] = [(), ("3",), ("QS", "7S 8S"), ("QS", "QD", "1")]
    for details in samples:
        if isinstance(code, Refusal):
            text = SIGNS.problem(Problem(code, details))
        elif isinstance(code, Tip):
            text = SIGNS.coach((Remark(code, details),))
        else:
            text = SIGNS.note(Remark(code, details))
        assert text
        assert "{" not in text


def refused(view: View, line: str, options: dict[str, str] | None = None, words: Words = SIGNS) -> str:
    """What is said when that is tried."""
    where = context(view, options)
    assert where.game is not None
    with pytest.raises(IllegalAction) as caught:
        where.game.check(view, where.game.parse(line))
    return words.problem(Problem(caught.value.code, caught.value.detail))


@pytest.mark.parametrize(
    ("view", "line", "options", "text"),
    [
        (spot("7S 7H 8S", ""), "play 7H", {}, "The round opens with the 7♠, and with nothing else."),
        (spot("7S 7H 8S", ""), "discard 8S", {}, "The round opens with the 7♠, and with nothing else."),
        (
            spot("8D 6S"),
            "play 8D",
            {},
            "Diamonds are not open: somebody must play the 7♦ first.",
        ),
        (
            spot("3S 4S", "5S 6S 7S 8S 9S"),
            "play 3S",
            {},
            "The 3♠ has no neighbour on the table yet: spades go on with 4♠ T♠.",
        ),
        (
            spot("7H 2C 6S"),
            "discard 2C",
            {},
            "You must play while a card of yours fits: 6♠ 7♥.",
        ),
        (
            spot("7H 2C"),
            "pass",
            PASSING,
            "You must play while a card of yours fits: 7♥.",
        ),
        (spot("KD 2C"), "pass", {}, "Nobody passes here: who can play nothing puts a card aside."),
        (spot("KD 2C"), "discard 2C", PASSING, "At this table nobody puts a card aside: who can play nothing passes."),
        (spot("KD 2C"), "play 8S", {}, "You don't hold the 8♠."),
    ],
)
def test_refusals_name_the_rule(view: View, line: str, options: dict[str, str], text: str) -> None:
    assert refused(view, line, options) == text


def test_a_refusal_read_out() -> None:
    said = refused(spot("8D 6S"), "play 8D", words=WORDS)
    assert said == "Diamonds are not open: somebody must play the 7 of diamonds first."
    said = refused(spot("3S 4S", "5S 6S 7S 8S 9S"), "play 3S", words=WORDS)
    assert said == "The 3 of spades has no neighbour on the table yet: spades go on with 4, 10 of spades."


def told(where: Context, words: Words = SIGNS) -> str:
    return words.coach(coach(where))


def test_the_coach() -> None:
    assert told(context(spot("7S 2C", ""))) == "Your turn: you hold the 7♠, which opens the round, so play it."
    assert told(context(spot("4S TS 6S"))) == (
        "Your turn: the 6♠ is the only card of yours that fits, so you must play it."
    )
    assert told(context(spot("6S 7C 8S"))).startswith("Your turn: play 6♠, 7♣ or 8♠; while a card of yours fits")
    assert told(context(spot("6S 8S"), PASSING)).endswith("you may not pass.")
    aside = told(context(spot("2C KD")))
    assert "put a card aside, face down" in aside
    assert aside.endswith("the 2♣ least, 2 points.")
    assert "face up" in told(context(spot("2C KD"), {"open_discards": "true"}))
    assert told(context(spot("AC"))) == "Your turn: the A♣ does not fit, so it goes aside and costs you 1 point."
    assert "play the 7 of clubs or the 8 of spades;" in told(context(spot("7C 8S 2H")), WORDS)


@pytest.mark.parametrize("where", [context(spot("6S 7C 8S")), context(spot("2C KD")), context(spot("2C KD"), PASSING)])
def test_while_the_cards_are_hidden_the_coach_tells_nothing_of_them(where: Context) -> None:
    assert told(where, HIDDEN) == "Your turn. Your cards are hidden; `hide` shows them again."


def test_a_refusal_names_no_card_of_a_hidden_hand() -> None:
    must = Problem(Refusal.MUST_PLAY, ("6S",))
    assert SIGNS.problem(must) == "You must play while a card of yours fits: 6♠."
    assert HIDDEN.problem(must) == "You must play while a card of yours fits."


def test_that_one_opens_is_no_secret() -> None:
    assert told(context(spot("7S 2C", "")), HIDDEN).startswith("Your turn: you open the round with the 7♠.")


def test_notes() -> None:
    where = context(spot("7H 8S 9S 2C"))
    assert where.legal is not None
    said = {line: SIGNS.note(note) for line, note in zip(where.legal.lines, where.legal.notes, strict=True)}
    assert said == {"play 7H": "opens hearts: 6♥ 8♥ can follow", "play 8S": "lets your 9♠ follow"}
    aside = context(spot("KD")).legal
    assert aside is not None
    assert [SIGNS.note(note) for note in aside.notes] == ["costs you 13 points"]


# ---- what happens


def test_plays() -> None:
    empty, open_ = spot("7S", ""), spot("2C")
    assert one(acted("play JD")) == "ben played J♦."
    assert one(acted("play JD"), WORDS) == "ben played the jack of diamonds."
    assert one(acted("play 7H", before=open_, after=open_)) == "ben opened hearts with 7♥."
    assert one(acted("play 7S", 0, before=empty, after=open_)) == "You opened the round with 7♠."
    assert one(acted("play 7S", 0)) == "You opened spades with 7♠."  # views that we were not shown
    assert one(acted("play JD", by="time")) == "ben played J♦, because the turn was skipped."


def test_cards_put_aside() -> None:
    before, after = spot("KD 2C"), spot("2C", aside="KD")
    own = acted("discard", 0, "sealed", before=before, after=after)
    assert one(own) == "You put K♦ aside, face down: 13 points."
    assert one(own, WORDS) == "You put the king of diamonds aside, face down: 13 points."
    assert one(own, HIDDEN) == "You put a card aside, face down."
    other = acted("discard", 2, "sealed", before=before, after=before)
    assert one(other) == "cy put a card aside, face down."
    assert one(replace(other, after=after)) == "cy put a card aside, face down."  # mine is no card of cy's
    assert one(acted("discard KD")) == "ben put K♦ aside: 13 points."
    assert one(acted("discard AC", 0)) == "You put A♣ aside: 1 point."


def test_what_was_sealed_is_no_news_after_the_round() -> None:
    assert SIGNS.notice(acted("discard KD", 2, "open", by="time"), table()) == ()


def test_passes_and_nonsense() -> None:
    assert one(acted("pass")) == "ben could play nothing and passed."
    for text in ("draw", "play", "play 1X", ""):
        assert one(acted(text)) == "ben did what is no action of Straights."


# ---- endings


def over(view: View, reason: Reason = Reason.PLAYED, words: Words = SIGNS) -> list[str]:
    public = view.public
    winners = tuple(NICKS[seat] for seat in public.winners)
    notice = RoundOver(1, reason, winners, tuple(zip(NICKS, public.points, strict=True)))
    return list(words.notice(notice, table(view)))


def test_a_round_played_out() -> None:
    lines = over(ended(("AC 6D KH", "", "2C", "QS")))
    assert lines == [
        "Every card is played or put aside: ben put nothing aside.",
        "You put aside A♣ 6♦ K♥: 20 points.",
        "ben put nothing aside.",
        "cy put aside 2♣: 2 points.",
        "dan put aside Q♠: 12 points.",
        "Points: you +20, cy +2, dan +12.",
    ]


def test_the_end_is_told_from_the_open_round_before_its_deal_is_disclosed() -> None:
    node = FakeNode()
    node.sit("straights", others=3)
    last = ended(("AC 6D KH", "", "2C", "QS"))
    notice = RoundOver(1, "played", ("ben",), tuple(zip(NICKS, last.public.points, strict=True)))
    node.change(view=last)
    assert "You put aside A♣ 6♦ K♥: 20 points." in SIGNS.notice(notice, node.table)
    node.change(view=spot("2C"))  # not its last view
    assert SIGNS.notice(notice, node.table)[0] == "Every card is played or put aside: ben won the round."


def test_the_order_in_which_cards_were_put_aside_is_kept() -> None:
    assert over(ended(("KH AC 6D", "2C", "2D", "2H")))[1] == "You put aside K♥ A♣ 6♦: 20 points."
    spoken = over(ended(("KH AC 6D", "2C", "2D", "2H")), words=WORDS)[1]
    assert spoken == "You put aside king of hearts; ace of clubs; 6 of diamonds: 20 points."


def test_joint_winners_of_a_round() -> None:
    assert over(ended(("2C", "2D", "KH", "2S")))[0] == (
        "Every card is played or put aside: you, ben and dan put the least aside, 2 points."
    )


def test_a_round_with_passes() -> None:
    lines = over(ended(left=("KD 2C", "", "3H", "4H")))
    assert lines[:3] == [
        "ben went out, so the round is over.",
        "You still held 2♣ K♦: 15 points.",
        "ben had no card left.",
    ]
    blocked = over(ended(left=("KD 2C", "5H", "3H", "4H")), Reason.BLOCKED)
    assert blocked[0] == "Nobody can go on, all have passed in a row: cy held the least, 3 points."


def test_an_ending_of_which_no_view_was_shown() -> None:
    told = words_straights.ending(SIGNS.voice, None, "played", ("ben",), NICKS)
    assert told == ["Every card is played or put aside: ben won the round"]
    (line,) = words_straights.ending(SIGNS.voice, spot("2C"), "blocked", ("ben",), NICKS)
    assert line == "Nobody can go on, all have passed in a row: ben won the round"


@pytest.mark.parametrize("options", [{}, PASSING, {"open_discards": "true"}, {"tie_rule": "playoff"}])
@pytest.mark.parametrize("seed", range(3))
def test_a_whole_match_is_told_in_players_words(seed: int, options: dict[str, str]) -> None:
    node = FakeNode(seed, options={**options, "threshold": "40", "match_rounds": "6"})
    lines: list[str] = []
    node.listen(lambda notice: lines.extend(WORDS.notice(notice, node.table) if notice else ()))
    node.sit("straights")
    node.start()
    while node.table is not None and node.table.stage is not Stage.OVER:
        if node.table.stage is Stage.BETWEEN:
            node.deal()
            continue
        game = node.table.game
        node.do(Command("act", action=game.format(next(iter(game.legal_actions(node.table.view))))))
    assert all(re.fullmatch(r"[^{}_♠♥♦♣]+[.!?]", line) for line in lines), lines
    assert lines[-1].startswith("The match is over")
    hidden = "put a card aside, face down."
    assert any(line.endswith(hidden) and not line.startswith("You") for line in lines) is (not options.keys() & OPENLY)


# ---- the table, read out


def test_the_table_read_out() -> None:
    view = spot("2C", "5S 6S 7S 8S 7D 7H 6H", counts=(1, 9, 8, 9), stuck=(0, 0, 2, 1))
    lines = words_straights.table(WORDS.voice, view, NICKS)
    assert lines == [
        "Spades from 5 to 8",
        "Hearts from 6 to 7",
        "Diamonds: 7",
        "Not open yet: clubs",
        "Next can be played: 4 of spades; 5 of hearts; 6 of diamonds; 7 of clubs; 8 of diamonds, hearts; 9 of spades",
        "Cards in hand: you 1, ben 9, cy 8, dan 9",
        "Put aside: you 0, ben 0, cy 2, dan 1",
    ]
    gone = words_straights.table(WORDS.voice, spot("2C", "7S", aside="6S 7C"), NICKS)
    assert "Next can be played: 7 of diamonds, hearts; 8 of spades" in gone


def test_the_table_before_the_first_card_and_with_passes() -> None:
    lines = words_straights.table(WORDS.voice, spot("7S 2C", "", counts=(13, 13, 13, 13)), NICKS)
    assert lines[0] == "Nothing is on the table yet; the 7 of spades opens the round"
    passed = spot("2C", "7S 8S", counts=(12, 12, 13, 13), stuck=(1, 0, 0, 0))
    assert words_straights.table(WORDS.voice, passed, NICKS)[-1] == "Passed: you 1, ben 0, cy 0, dan 0"


def test_what_was_put_aside_counts() -> None:
    assert words_straights.hand(spot("2C")) == ""
    assert words_straights.hand(spot("2C", aside="KD AC")) == "You put aside 2 cards: 14 points."
    assert words_straights.unit(Straights()) == "points"
    assert words_straights.points(ACE_LOW.parse_all("AC TD KH")) == 24
    assert cards("AC") == 1

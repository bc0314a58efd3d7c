"""The sentences of Tiến lên: every code has one, and they name the rule."""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.commands.coach import coach
from p2pcards.commands.coach_tienlen import Tip
from p2pcards.commands.command import Problem, Remark
from p2pcards.commands.notes_tienlen import Does
from p2pcards.errors import IllegalAction
from p2pcards.games.options import read_options
from p2pcards.games.tienlen import Refusal, TienLen
from p2pcards.games.tienlen.state import Hand, Phase, View
from p2pcards.table.notices import Acted, Notice, Refused, RoundOver
from p2pcards.table.tableview import RoundResult, TableView
from p2pcards.ui import queries, words_tienlen
from p2pcards.ui.voice import Cards, Voice
from p2pcards.ui.words import Words
from tests.testing.fake_node import FakeNode
from tests.testing.tienlen_spot import NICKS, cards, context, game, played, random_views, spot

SIGNS, WORDS, HIDDEN = Words(Cards.SIGNS, "ana"), Words(Cards.WORDS, "ana"), Words(Cards.SIGNS, "ana", hidden=True)
CODES: tuple[type[StrEnum], ...] = (Refusal, Tip, Does)
GOES_OUT = {"instant_win": "goes_out_first"}


def table(last: View | None = None) -> TableView:
    node = FakeNode()
    node.sit("tienlen", others=2)
    assert node.table is not None
    seats = tuple(replace(seat, nick=nick) for seat, nick in zip(node.table.seats, NICKS, strict=True))
    node.change(seats=seats)
    if last is not None:
        public = last.public
        node.change(last=RoundResult(1, str(public.reason), public.winners, (0,) * 4, last, True))
    return node.table


def one(notice: Notice, words: Words = SIGNS) -> str:
    """The only sentence of a notice."""
    (line,) = words.notice(notice, table())
    return line


def acted(text: str, seat: int = 1, **more: Any) -> Acted:
    return replace(Acted(9, 1, seat, NICKS[seat], "act", text, ""), **more)


def after(hands: tuple[str, ...], *lines: str, words: Words = SIGNS, options: dict[str, str] | None = None) -> str:
    """What is told of the last of these acts; seat 0 leads."""
    before, now = (played(hands, *some, options=options) for some in (lines[:-1], lines))
    text = lines[-1] if lines[-1] == "pass" else f"play {lines[-1]}"
    return one(acted(text, before.public.turn, before=before, after=now), words)


def ended(view: View, words: Words = SIGNS) -> list[str]:
    """What is told when this round is over, without the points."""
    public = view.public
    winners = tuple(NICKS[seat] for seat in public.winners)
    notice = RoundOver(1, str(public.reason), winners, tuple((nick, 0) for nick in NICKS[: len(public.counts)]))
    return list(words.notice(notice, table(view)))[:-1]


# ---- codes


@pytest.mark.parametrize("code", [code for codes in CODES for code in codes], ids=lambda code: f"{code!r}")
def test_every_code_has_words_with_and_without_its_detail(code: Enum) -> None:
    samples: list[tuple[str, ...]] = [(), ("3",), ("QS", "7S 8S"), ("pair", "2", "9H", "8C"), ("straight 4", "quad 9")]
    for details in samples:
        if isinstance(code, Refusal):
            text = SIGNS.problem(Problem(code, details))
        elif isinstance(code, Tip):
            text = SIGNS.coach((Remark(code, details),))
        else:
            text = SIGNS.note(Remark(code, details)) + "."
        assert text.endswith(".")
        assert "{" not in text


REFUSED = [
    ("3S 4C", "", "pass", {}, "You must lead: the leader can't pass."),
    (
        "3S 4C",
        "",
        "play 4C",
        {"first_lead": "lowest_card"},
        "The first lead must have 3♠ in it, the lowest card that was dealt.",
    ),
    (
        "3S 4C",
        "",
        "play 3S 4C",
        {},
        "3♠ 4♣ is no combination: that is one card, two to four of a rank, three or more ranks in a row, or three or "
        "more pairs in a row.",
    ),
    (
        "KS AD 2C",
        "",
        "play KS AD 2C",
        {"twos_in_sequences": "false"},
        "K♠ A♦ 2♣ has a 2 in it, and at this table no straight or row of pairs may.",
    ),
    ("9C 3H", "1 9S 9H", "play 9C", {}, "You must beat 9♠ 9♥ with a higher pair."),
    ("8S 8C", "1 9H", "play 8S 8C", {}, "You must beat 9♥ with a higher card."),
    ("8S 8C", "1 9S 9H", "play 8S 8C", {}, "You must beat a pair of 9s up to 9♥: 8♣ is too low."),
    ("8S 8C 8D", "1 JS JH JC", "play 8S 8C 8D", {}, "You must beat three jacks: 8♦ is too low."),
    ("7S", "1 9H", "play 7S", {}, "You must beat 9♥: 7♠ is too low."),
    ("4S 5C 6S", "1 4H 5S 6H", "play 4S 5C 6S", {}, "You must beat a straight of 3 up to 6♥: 6♠ is too low."),
    (
        "TS JC QD KH",
        "1 9H TC JD QS KS",
        "play TS JC QD KH",
        {},
        "You must beat 9♥ T♣ J♦ Q♠ K♠ with a higher straight of 5; yours is 4 long.",
    ),
    (
        "4S 4C 5S 5C 6S 6C 7S 7C",
        "1 3S 3C 4D 4H 5D 5H",
        "play 4S 4C 5S 5C 6S 6C 7S 7C",
        {},
        "You must beat 3♠ 3♣ 4♦ 4♥ 5♦ 5♥ with three higher pairs in a row; yours is 4 long.",
    ),
    ("8S 8C 8D 8H", "1 AH", "play 8S 8C 8D 8H", {}, "Bombs beat only 2s; you must beat A♥ with a higher card."),
    (
        "8S 8C 8D 8H",
        "1 KS AD 2C",
        "play 8S 8C 8D 8H",
        {},
        "Bombs beat only 2s; you must beat K♠ A♦ 2♣ with a higher straight of 3.",
    ),
    (
        "3S 3C 4S 4C 5S 5C",
        "1 2S 2C",
        "play 3S 3C 4S 4C 5S 5C",
        {},
        "That bomb is too small for 2♠ 2♣: it takes four of a kind or four or more pairs in a row.",
    ),
    (
        "8S 8C 8D 8H",
        "1 2S 2C 2D",
        "play 8S 8C 8D 8H",
        {},
        "That bomb is too small for 2♠ 2♣ 2♦: it takes five or more pairs in a row.",
    ),
    (
        "9S TC JH",
        "1 4S 5S 6S",
        "play 9S TC JH",
        {"suited_straight_lock": "true"},
        "4♠ 5♠ 6♠ is of one suit, and at this table only a straight of one suit beats it.",
    ),
    ("2H", "1 9S", "play 2H", {"no_finish_on_two": "true"}, "At this table you may not go out on 2s alone."),
    (
        "3S 3C 4S 4C 5S 5C 6S 6C 2H",
        "0 pass, 1 2S",
        "play 2H",
        {"bomb_after_pass": "four_pairs"},
        "You have passed: all that you may still play on 2♠ is four pairs in a row.",
    ),
]


@pytest.mark.parametrize(("hand", "acts", "line", "options", "text"), REFUSED)
def test_a_refusal_names_the_rule(hand: str, acts: str, line: str, options: dict[str, str], text: str) -> None:
    rules = game(options)
    view = spot(hand, acts, must="3S" if "first_lead" in options else "")
    with pytest.raises(IllegalAction) as caught:
        rules.check(view, rules.parse(line))
    assert SIGNS.problem(Problem(caught.value.code, caught.value.detail)) == text


def test_every_refusal_of_the_game_is_among_them() -> None:
    codes = set()
    for hand, acts, line, options, _ in REFUSED:
        rules = game(options)
        try:
            rules.check(spot(hand, acts, must="3S" if "first_lead" in options else ""), rules.parse(line))
        except IllegalAction as refused:
            codes.add(refused.code)
    assert codes == set(Refusal)


def test_a_refusal_that_comes_as_a_code_reads_the_same() -> None:
    assert one(Refused("wrong_kind", "pair 2 9S 9H")) == "You must beat 9♠ 9♥ with a higher pair."
    assert one(Refused("too_low", "pair 2 9H 8C")) == "You must beat a pair of 9s up to 9♥: 8♣ is too low."
    assert one(Refused("must_lead", "")) == "You must lead: the leader can't pass."


@pytest.mark.parametrize(
    ("hand", "acts", "line", "text"),
    [
        ("3S 5C 5D", "", "play 3S", "leads a single card"),
        ("3S 5C 5D", "", "play 5C", "leads a single card, but breaks a pair of 5s"),
        ("3S 9S 9C 9H", "", "play 9S 9C", "leads a pair, but breaks three 9s"),
        ("5S 5C 6S 6C 7S 7C JH", "", "play 6S 6C", "leads a pair, but breaks your bomb"),
        ("4S 7S 8H 9D TS", "3 6S 7D 8C 9H", "play 7S 8H 9D TS", "beats 9♥ with T♠"),
        ("3S 8C 8D 8H 8S", "1 2C", "play 8S 8C 8D 8H", "a bomb on 2♣"),
        ("9S", "1 5C", "play 9S", "empties your hand: you are out, 1st"),
        ("9S 3S", "1 5C", "pass", "you are out of this trick until it ends"),
        ("9S 3S", "1 5C, 2 pass, 3 pass", "pass", "ends the trick, and ben leads"),
    ],
)
def test_what_a_play_does(hand: str, acts: str, line: str, text: str) -> None:
    where = context(spot(hand, acts))
    assert where.legal is not None
    assert SIGNS.note(where.legal.notes[where.legal.lines.index(line)]) == text


@pytest.mark.parametrize(
    ("view", "text"),
    [
        (spot("3S 9C"), "Your turn: lead any combination; a leader can't pass."),
        (
            spot("3S 7S 8H 9D TS", "3 6S 7D 8C 9H"),
            "Your turn: beat 6♠ 7♦ 8♣ 9♥ with a higher straight of 4, or pass and be out of this trick.",
        ),
        (
            spot("3S 4S", "3 2H"),
            "You can only pass: beating 2♥ takes a higher card, and you have none. You have no bomb for it either: "
            "four of a kind or three or more pairs in a row.",
        ),
        (
            spot("3S AS", "3 KH", counts=(0, 9, 9, 0), places=(3,), phase=Phase.AFTER_OUT),
            "dan is out: beat K♥ with a higher card, or pass and lead.",
        ),
        (
            spot("3S", "0 pass, 3 KH", turn=1),
            "You have passed, so you are out of this trick until it ends. Waiting for ben.",
        ),
    ],
)
def test_the_coach(view: View, text: str) -> None:
    assert SIGNS.coach(coach(context(view))) == text


def test_in_words_cards_read_as_people_say_them() -> None:
    view = spot("3S 4S", "3 9S 9H")
    assert WORDS.coach(coach(context(view))) == (
        "You can only pass: beating the 9 of spades, hearts takes a higher pair, and you have none."
    )
    assert after(("7S 9C", "8S 8C", "JH TS"), "7S", "8S", words=WORDS) == (
        "ben beat your 7 of spades with the 8 of spades."
    )


@pytest.mark.parametrize("seed", range(6))
def test_a_hidden_hand_gives_nothing_away(seed: int) -> None:
    """Whatever is held, the coach says the same."""
    options = {"bomb_after_pass": "four_pairs"} if seed % 2 else {}
    for view, _ in random_views(seed, options):
        said = HIDDEN.coach(coach(context(view, options)))
        for hand in OTHER_HANDS:
            assert HIDDEN.coach(coach(context(replace(view, hand=cards(hand)), options))) == said


OTHER_HANDS = ("3S 3C 4S 4C 5S 5C 6S 6C 7H 8H 9H", "2S 2C 2D 2H AS AC AD AH KS KC KD", "3D 5H 8C TD QS", "3S", "2H")


def test_beside_a_hidden_hand_one_still_hears_who_is_waited_for() -> None:
    text = HIDDEN.coach(coach(context(spot("3S", "0 pass, 3 KH", turn=1))))
    assert text.startswith("You have passed, so you are out of this trick until it ends. Waiting for ben.")
    asked = HIDDEN.coach(coach(context(spot("3S", "3 2H"))))
    assert asked == (
        "Your turn: beat 2♥ with a higher card, or pass. Bombs beat it, too: four of a kind or three or more pairs in "
        "a row. Your cards are hidden; `hide` shows them again."
    )


# ---- what somebody did


def test_leading_and_beating() -> None:
    hands = ("3S 5S 5C 6D 7H 9D", "8S TS TC JS QS 2C", "KS 2S JD JH AC AD")
    assert after(hands, "3S") == "You led 3♠."
    assert after(hands, "5S 5C") == "You led a pair: 5♠ 5♣."
    assert after(hands, "5S 6D 7H") == "You led a straight of 3: 5♠ 6♦ 7♥."
    assert after(hands, "3S", "8S") == "ben beat your 3♠ with 8♠."
    assert after(hands, "3S", "8S", "KS") == "cy beat ben's 8♠ with K♠."
    assert after(hands, "5S 5C", "TS TC") == "ben beat your pair with T♠ T♣."
    assert after(hands, "5S 6D 7H", "TS JS QS") == "ben beat your straight with T♠ J♠ Q♠."


def test_bombs() -> None:
    hands = ("2S 3S", "4S 4C 4D 4H 5S", "6S 6C 7S 7C 8S 8C 9S")
    assert after(hands, "2S", "4S 4C 4D 4H") == "ben bombed your 2♠ with four of a kind: 4♠ 4♣ 4♦ 4♥."
    told = after(hands, "2S", "pass", "6S 6C 7S 7C 8S 8C")
    assert told == "cy bombed your 2♠ with three pairs in a row: 6♠ 6♣ 7♠ 7♣ 8♠ 8♣."


def test_passing_and_who_leads_then() -> None:
    hands = ("3S 5S", "4S 6S", "7S 8S")
    assert after(hands, "3S", "pass") == "ben passed."
    assert after(hands, "3S", "pass", "pass") == "cy passed, so you lead."
    assert after(hands, "3S", "4S", "pass", "pass") == "You passed, so ben leads."


def test_going_out() -> None:
    hands: tuple[str, ...] = ("3S", "4S 6S", "7S 8S", "9S TS")
    assert after(hands, "3S") == "You led 3♠ and are out, 1st."
    assert after(hands, "3S", "pass") == "ben passed and leads."
    hands = ("3S 9D", "4S", "7S 8S", "9S TS")
    assert after(hands, "3S", "4S") == "ben beat your 3♠ with 4♠ and is out, 1st."
    hands = ("3S 5S", "4S 6S", "7S", "9S TS")
    assert after(hands, "3S", "pass", "7S", "pass") == "dan passed and leads."
    hands = ("3S", "4S 5S", "7S 9S")
    assert after(hands, "3S", "pass", "4S", "pass", "5S") == "ben led 5♠ and is out, 2nd."
    mine = ("3S 9D", "4S 5S", "7S")
    assert after(mine, "3S", "pass", "7S", "pass") == "You passed and lead."


def test_who_goes_out_before_one_that_has_passed_gives_the_lead_at_once() -> None:
    hands = ("3S 9S", "4C 6S", "4S 7S")
    told = after(hands, "3S", "pass", "4S", "9S")
    assert told == "You beat cy's 4♠ with 9♠ and are out, 1st, so ben leads."


def test_what_a_host_writes_that_is_no_action() -> None:
    assert one(acted("juggle 3S")) == "ben did what is no action of Tiến lên."
    assert one(acted("play 3S 3S")) == "ben did what is no action of Tiến lên."
    assert one(acted("play 5S 5C")) == "ben played 5♠ 5♣."  # where nobody has shown us the table


# ---- how a round ended


def test_the_places_and_what_was_left() -> None:
    over = played(("9S", "4S", "TS JH"), "9S", "pass", "4S")
    assert ended(over) == ["You went out first and won.", "Out: you 1st, ben 2nd; cy was left with T♠ J♥."]
    two = played(("3C", "4S 6S"), "3C")
    assert ended(two) == ["You went out first and won.", "ben was left with 4♠ 6♠."]
    assert ended(two, WORDS)[1] == "ben was left with 4, 6 of spades."


def test_a_win_with_the_single_3_of_spades_has_a_line_of_its_own() -> None:
    over = played(("3S", "4S 6S"), "3S")
    assert ended(over)[1] == "You went out on the single 3♠, the lowest card of all."
    assert ended(over, WORDS)[1] == "You went out on the single 3 of spades, the lowest card of all."
    lost = played(("3S", "4S 6S"), "3S", options={"objective": "hold"})
    assert ended(lost) == ["ben held cards to the end and won.", "ben was left with 4♠ 6♠."]


def test_instant_wins_show_the_hand() -> None:
    hands = ("3S", "2S 2C 2D 2H 5S", "4S")
    assert ended(played(hands)) == ["ben was dealt all four 2s and won at once.", "The hand: 5♠ 2♠ 2♣ 2♦ 2♥."]
    mine = ("2S 2C 2D 2H 5S", "3S", "4S")
    assert ended(played(mine))[0] == "You were dealt all four 2s and won at once."
    first = played(hands, "3S", options=GOES_OUT)
    assert ended(first) == [
        "ben was dealt all four 2s, came out first and won.",
        "Out: ben 1st, you 2nd; cy was left with 4♠.",
    ]


@pytest.mark.parametrize("hand", Hand)
def test_every_instant_hand_has_a_name(hand: Hand) -> None:
    text = SIGNS.coach((Remark(Tip.INSTANT, ("ben", hand.value)),))
    assert hand.value not in text


def test_without_a_view_the_winner_is_named() -> None:
    for reason, text in (("out", "ben won the round."), ("instant", "ben won at once with the cards dealt.")):
        notice = RoundOver(1, reason, ("ben",), (("ana", 0), ("ben", 1)))
        assert SIGNS.notice(notice, table())[0] == text


def test_what_cost_chips() -> None:
    voice = Voice(Cards.SIGNS, "ana")
    hands = ("2S 3C", "4S 4C 5S 5C 6S 6C 7H", "2D 2H")
    chopped = played(hands, "2S", "4S 4C 5S 5C 6S 6C", "pass", "pass", "7H", "pass")
    assert words_tienlen.paid(voice, chopped.public, NICKS) == ["ben bombed your 2♠: 1 chip"]
    done = played(("3S", "4S", "2D 2H"), "3S", "4S")
    assert words_tienlen.paid(voice, done.public, NICKS) == [
        "cy still held 2♦ 2♥: 4 chips to ben",
        "cy never played a card: 2 chips to you",
    ]


# ---- plain mode


def lines(view: View) -> list[str]:
    return words_tienlen.table(Voice(Cards.SIGNS, "ana"), view, NICKS[: len(view.public.counts)])


def test_the_table_in_words() -> None:
    assert lines(spot("3S 5H", turn=2)) == [
        "cy is to lead any combination",
        "Cards in hand: you 2, ben 9, cy 9, dan 9",
    ]
    assert lines(spot("3S 5H", must="3S"))[0] == "you are to lead any combination, with 3♠ in it"
    assert lines(spot("3S 5H", "1 9S 9C, 2 pass, 3 TS TC")) == [
        "To beat: a pair by dan: T♠ T♣",
        "It takes a higher pair",
        "In this trick: ben 9♠ 9♣, then cy passed, then dan T♠ T♣",
        "Cards in hand: you 2, ben 9, cy 9 and passed, dan 9",
    ]
    out = spot("3S 5H", "3 2S", counts=(0, 9, 9, 0), places=(3,), phase=Phase.AFTER_OUT)
    assert lines(out)[:2] == ["To beat: 2♠, by dan, who is out", "It takes a higher card, or a bomb"]
    assert lines(out)[-1] == "Cards in hand: you 2, ben 9, cy 9, dan out 1st"


def test_the_table_of_an_instant_win_and_of_a_round_that_is_over() -> None:
    view = played(("3S 9C", "2S 2C 2D 2H", "4S"), options=GOES_OUT)
    assert "ben was dealt all four 2s" in lines(view)
    over = played(("9S", "4S", "TS JH"), "9S", "pass", "4S")
    assert lines(over) == ["The round is over", "Out: you 1st, ben 2nd; cy was left with T♠ J♥"]
    instant = played(("3S", "2S 2C 2D 2H 5S", "4S"))
    assert lines(instant)[0] == "The round is over"


@pytest.mark.parametrize(
    ("scoring", "unit"),
    [
        ("first_out", "wins"),
        ("all_but_loser", "points"),
        ("placement", "points"),
        ("penalty", "penalty"),
        ("cards_left", "points"),
        ("chips", "chips"),
    ],
)
def test_what_scores_count(scoring: str, unit: str) -> None:
    assert words_tienlen.unit(TienLen(read_options(TienLen, {"scoring": scoring}))) == unit


def test_the_hand_is_counted() -> None:
    assert words_tienlen.hand(spot("3S 5H")) == "2 cards."
    assert words_tienlen.hand(spot("", seat=None)) == ""


def test_help_says_nothing_of_melds() -> None:
    assert not any("eld" in line for line in queries.typing(context(spot("3S"))))

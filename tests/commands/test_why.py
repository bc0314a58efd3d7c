"""`why`: legal or not in every position of every game, by which rule, and what would be legal instead."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import Card
from p2pcards.commands.coach import Advice
from p2pcards.commands.command import Problem, Remark, Trouble
from p2pcards.commands.context import Context, Where
from p2pcards.commands.notes_tongits import Does
from p2pcards.commands.suggest import Suggestion, suggest
from p2pcards.commands.why import MORE, Verdict, why
from p2pcards.commands.why_allowed import Because
from p2pcards.commands.why_rules import RULES, TURNS, Reason
from p2pcards.commands.why_turn import Waits, supposed
from p2pcards.games.base import DEALER, Refusal, Seat
from p2pcards.games.onecard.refusals import Refusal as OneCardRefusal
from p2pcards.games.onecard.state import Phase as OneCardPhase
from p2pcards.games.registry import GAMES
from p2pcards.games.straights.refusals import Refusal as StraightsRefusal
from p2pcards.games.tienlen.refusals import Refusal as TienLenRefusal
from p2pcards.games.tongits.refusals import Refusal as TongItsRefusal
from p2pcards.games.tongits.state import Block, Phase
from tests.games.anygame import games
from tests.games.walk import AnyGame, walk
from tests.testing import onecard_spot, straights_spot, tienlen_spot, tongits_spot
from tests.testing.dice import dice
from tests.testing.playing import playing

NICKS = ("ana", "ben", "cy", "dan", "eve", "fay", "gil", "hal")
REFUSALS = {
    "onecard": OneCardRefusal,
    "straights": StraightsRefusal,
    "tienlen": TienLenRefusal,
    "tongits": TongItsRefusal,
}

ACT = tongits_spot.context(tongits_spot.spot("7H 7D 7S KD", melds=((1, "4H 5H 6H"),)))
DRAW = tongits_spot.context(
    tongits_spot.spot("7H 8D QS", phase=Phase.DRAW, discards="KD", melds=((0, "4H 5H 6H"),), blocked=Block.OWN)
)
ATTACKED = onecard_spot.context(onecard_spot.moment(("2H 9S QH", "5C 6C"), "2S", pending=2))


def codes(reasons: tuple[Reason, ...]) -> list[tuple[object, str]]:
    return [(reason.said.code, reason.rule) for reason in reasons]


# ---- lines


def test_a_legal_line_is_told_with_its_rule_and_what_it_does() -> None:
    (one,) = why("discard kd", ACT)
    assert one == Reason(Remark(Because.ENDS_TURN), "R15", ("discard KD",), Remark(Does.DISCARD, ("10",)))


def test_a_card_alone_is_told_with_everything_that_can_be_done_with_it() -> None:
    head, *lines = why("7H", ACT)
    assert head.said == Remark(Verdict.WITH, ("7H",))
    assert [line.about for line in lines] == [("expose 7D 7H 7S",), ("layoff 7H m1",), ("discard 7H",)]
    assert all(line.said.code is Verdict.EACH and line.does for line in lines)
    assert codes(why("KD", ACT)) == [(Because.ENDS_TURN, "R15")]


def test_a_refused_line_is_told_with_its_rule_and_what_would_be_legal() -> None:
    refused, instead = why("layoff KD m1", ACT)
    assert refused.said == Problem(TongItsRefusal.DOES_NOT_FIT, ("KD", "m1", "4H 5H 6H"))
    assert refused.rule == "R14"
    assert (instead.said, instead.about) == (Remark(Verdict.WITH, ("KD",)), ("discard KD",))
    assert codes(why("call", DRAW))[0] == (TongItsRefusal.BLOCKED_OWN, "R17")
    assert codes(why("9S", ATTACKED))[0] == (OneCardRefusal.UNDER_ATTACK, "R16")
    assert codes(why("play QH", ATTACKED))[0] == (OneCardRefusal.NO_MATCH, "R16")


@pytest.mark.parametrize(
    ("line", "where", "reason"),
    [
        ("draw", ATTACKED, (Because.MAY_TAKE, "R15")),
        ("play 2h", ATTACKED, (Because.ANSWERS_RANK, "R16")),
        ("play", ATTACKED, (Because.ANSWERS_RANK, "R16")),
        ("play 2H 9S", ATTACKED, (Verdict.ONE_AT_A_TIME, "R11")),
        ("layoff KD", ACT, (Verdict.FITS_NONE, "R14")),
        ("layoff 9C", ACT, (Refusal.NOT_HELD, "")),
        ("layoff 8D", DRAW, (TongItsRefusal.DRAW_FIRST, "R10")),
        ("8D QS", DRAW, (TongItsRefusal.NO_MELD, "R6")),
        ("take", DRAW, (Verdict.NO_TAKING, "R12")),
        ("discard", DRAW, (TongItsRefusal.DRAW_FIRST, "R10")),
        ("7H m4", ACT, (TongItsRefusal.UNKNOWN_MELD, "R6")),
        ("AS", ACT, (Refusal.NOT_HELD, "")),
        ("expose 7H 7H", ACT, (Trouble.TWICE, "")),
        ("play 7Z", ATTACKED, (Trouble.NO_SUCH_CARD, "")),
        ("play 7H one", ATTACKED, (Refusal.NOT_HELD, "")),
        ("play 2H one", ATTACKED, (OneCardRefusal.NO_CALLING, "R39")),
        ("discard 2H", ATTACKED, (Trouble.OTHER_GAME, "")),
        ("7", ACT, (Trouble.BARE_NUMBER, "")),
        ("xyzzy", ACT, (Verdict.UNKNOWN, "")),
        ("hand", ACT, (Verdict.WORKS, "")),
        ("start", ACT, (Trouble.NOT_HERE, "")),
        ("'hello", ACT, (Verdict.WORKS, "")),
        ("why why", ACT, (Verdict.WORKS, "")),
    ],
)
def test_what_comes_first(line: str, where: Context, reason: tuple[object, str]) -> None:
    assert codes(why(line, where))[0] == reason


@pytest.mark.parametrize("asked", ["can't I discard KD?", "not discard kd", "Can I discard KD", "may i not KD??"])
def test_a_question_may_be_typed_as_one_would_say_it(asked: str) -> None:
    assert why(asked, ACT) == why("discard KD", ACT)


def test_which_rule_forbids_hangs_on_the_rules_of_the_table() -> None:
    state = onecard_spot.moment(("9S", "5C"), "8H", phase=OneCardPhase.DRAWN, drawn="9S")
    for option, number in (("draw_then_play", "R31"), ("draw_until_playable", "R32")):
        where = onecard_spot.context(state, {option: "true"})
        assert codes(why("draw", where))[0] == (OneCardRefusal.ALREADY_DRAWN, number)
        assert codes(why("pass", where))[0] == (Because.MAY_KEEP, number)
    held = onecard_spot.context(onecard_spot.moment(("8S 2C", "5C"), "8H"))
    free = onecard_spot.context(onecard_spot.moment(("8S 2C", "5C"), "8H"), {"must_play": "false"})
    assert codes(why("draw", held))[0] == (OneCardRefusal.MUST_PLAY, "R13")
    assert codes(why("draw", free))[0] == (Because.FREE_TO_DRAW, "R30")


# ---- alone


def test_alone_it_gives_the_coachs_reasons_and_why_not_the_other_verbs() -> None:
    told = why("", DRAW)
    assert [reason.about for reason in told if reason.about] == [
        ("take",),
        ("call",),
        ("expose", "layoff", "discard"),
    ]
    assert (TongItsRefusal.DRAW_FIRST, "R10") in codes(told)
    assert codes(told).count((TongItsRefusal.BLOCKED_OWN, "R17")) == 1
    assert why("not?", DRAW) == why("is it not my turn", DRAW) == told


def test_alone_while_others_act_it_tells_why_and_what_could_be_done() -> None:
    where = tongits_spot.context(tongits_spot.spot("7H 7D", turn=1, discards="7S", phase=Phase.DRAW))
    waits, then = why("", where)
    assert (waits.said, waits.rule) == (Remark(Waits.BY_SEAT, ("ben",)), "R10")
    assert (then.about, then.now) == (("draw", "take 7D 7H"), False)


def test_alone_elsewhere_it_is_the_coach() -> None:
    assert codes(why("", Context(where=Where.LOBBY, host_nick="ben"))) == [(Advice.WAIT_FOR_START, "")]
    watching = tongits_spot.context(tongits_spot.spot("", seat=None))
    assert codes(why("", watching)) == [(Advice.WATCHING, "")]
    assert codes(why("", replace(ACT, pending="discard KD"))) == [(Advice.SENT, "")]


def test_elsewhere_a_line_is_refused_as_if_it_were_typed() -> None:
    watching = tongits_spot.context(tongits_spot.spot("", seat=None))
    assert codes(why("draw", watching)) == [(Trouble.WATCHING, "")]
    assert codes(why("discard KD", replace(ACT, pending="discard KD"))) == [(Trouble.PENDING, "")]
    for where in (Where.LOBBY, Where.BETWEEN, Where.OVER):
        assert codes(why("discard KD", replace(ACT, where=where, to_act=()))) == [(Trouble.NO_ROUND, "")]


# ---- while others act


def test_a_line_is_told_as_if_it_were_ones_turn() -> None:
    state = onecard_spot.moment(("2H 9S", "5C 6C", "8C"), "9H", turn=1)
    where = onecard_spot.context(state)
    waits, legal = why("9S", where)
    assert waits.said == Remark(Waits.BY_SEAT, ("ben",))
    assert (legal.said.code, legal.now, legal.about) == (Because.RANK, False, ("play 9S",))
    waits, refused, instead = why("draw", where)
    assert (refused.said.code, refused.now) == (OneCardRefusal.MUST_PLAY, False)
    assert instead.about == ("play 2H", "play 9S")
    assert codes(why("play 7Z", where)) == [(Trouble.NO_SUCH_CARD, "")]


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        (tienlen_spot.context(tienlen_spot.spot("9D", "3 5S, 0 pass, 1 7D", turn=2)), (Waits.LOCKED, "R16")),
        (tienlen_spot.context(tienlen_spot.spot("9D", "0 5S", turn=1)), (Waits.OWN_PILE, "R17")),
        (tienlen_spot.context(tienlen_spot.spot("", "1 5S", turn=2, places=(0,))), (Waits.OUT, "R18")),
        (
            onecard_spot.context(onecard_spot.moment(("2H 9S", "5C", "6C"), "9H", turn=1, bankrupt=(0,))),
            (Waits.BANKRUPT, "R40"),
        ),
        (
            onecard_spot.context(onecard_spot.moment(("2H", "5C"), "9H", phase=OneCardPhase.SHUFFLE)),
            (Waits.SHUFFLING, "R21"),
        ),
        (tongits_spot.context(tongits_spot.spot("AS", phase=Phase.RESPOND, asked=(1,))), (Waits.CALLED, "R18")),
        (tongits_spot.context(tongits_spot.spot("AS", phase=Phase.RESPOND, turn=1, asked=(2,))), (Waits.BURNED, "R18")),
        (tongits_spot.context(tongits_spot.spot("AS", phase=Phase.OVER, turn=1)), (Waits.OVER, "")),
    ],
)
def test_who_can_have_no_turn_is_told_why(where: Context, reason: tuple[object, str]) -> None:
    where = replace(where, to_act=tuple(seat for seat in where.to_act if seat > 0))
    assert codes(why("", where)) == codes(why("9D", where)) == [reason]
    assert where.legal is not None
    assert supposed(where.legal) is None


def test_ones_turn_would_begin_with_drawing_whatever_the_other_does_in_theirs() -> None:
    where = tongits_spot.context(tongits_spot.spot("7H 7D", turn=1, discards="7S"))
    assert why("", where)[1].about == ("draw", "take 7D 7H")
    assert codes(why("discard 7H", where))[1] == (TongItsRefusal.DRAW_FIRST, "R10")


def test_nobody_is_told_that_they_could_open_a_round_that_another_opens() -> None:
    where = straights_spot.context(straights_spot.spot("8S 7D", "", turn=1))
    assert codes(why("8S", where)) == codes(why("", where)) == [(Waits.BY_SEAT, "R10")]
    where = tienlen_spot.context(tienlen_spot.spot("9D", turn=1, must="3S"), {"first_lead": "lowest_card"})
    assert codes(why("9D", where)) == codes(why("", where)) == [(Waits.BY_SEAT, "R15")]


# ---- what always holds


def page(game: str) -> str:
    return (Path(__file__).parents[2] / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("game", GAMES)
def test_every_refusal_of_a_game_has_a_rule_that_is_written_down(game: str) -> None:
    numbers = RULES[REFUSALS[game]]
    assert set(numbers) == set(REFUSALS[game])
    for number in (*numbers.values(), TURNS[game]):
        assert f"**{number}.**" in page(game)


def contexts(game: AnyGame, seed: int, most: int = 6) -> Iterator[Context]:
    """Of a round played by chance: some of its moments, as one of those to act sees them, and as some other does."""
    rng = dice(seed)
    round_ = walk(game, rng)
    moments = round_.moments if len(round_.moments) <= most else rng.sample(round_.moments, most)
    for moment in moments:
        acting = [] if moment.seat is None or moment.seat == DEALER else [moment.seat]
        for seat in {*acting, Seat(rng.randrange(round_.seats))}:
            yield playing(game, game.view(moment.state, seat), NICKS[: round_.seats])


def action_space(game: AnyGame, where: Context, rng: Random) -> Iterator[str]:
    """Lines of every form that actions of the game have, most of them illegal: with held cards, and with any."""
    held = [game.ranking.format(card) for card in where.hand]
    every = [game.ranking.format(Card(card)) for card in range(52)]
    for own in game.verbs:
        yield own
        for pool in (held, every):
            for size in (1, 2, 3, 6):
                cards = rng.sample(pool, min(size, len(pool)))
                for behind in ("", " one", " m1"):
                    yield " ".join([own, *cards]) + behind
                yield " ".join(cards)


@settings(max_examples=40)
@given(games(), st.integers(0, 2**32))
def test_every_legal_action_is_called_legal_by_a_rule_that_is_written_down(game: AnyGame, seed: int) -> None:
    for where in contexts(game, seed):
        assert where.legal is not None
        for line in where.legal.lines:
            (reason,) = why(line, where)
            assert isinstance(reason.said.code, Because)
            assert reason.about == (line,)
            assert reason.now
            assert reason.does is not None
            assert f"**{reason.rule}.**" in page(game.name)


@settings(max_examples=20)
@given(games(), st.integers(0, 2**32))
def test_no_illegal_action_is_called_legal(game: AnyGame, seed: int) -> None:
    rng = dice(seed)
    for where in contexts(game, seed, 2):
        assert where.legal is not None
        legal = set(where.legal.lines) if where.me in where.to_act else set()
        for line in action_space(game, where, rng):
            first, *more = why(line, where)
            if isinstance(first.said.code, Because) and first.now:  # it, or the only legal one that it is short for
                assert first.about[0] in legal
                assert set(line.split()) - {*game.verbs} <= set(first.about[0].split())
            for reason in (first, *more):
                if reason.now and reason.said.code in (Verdict.MAY, Verdict.WITH, Verdict.EACH):
                    assert {*reason.about} - {MORE} <= legal


@given(st.text(max_size=30))
def test_no_text_raises(text: str) -> None:
    for where in (ACT, DRAW, ATTACKED, Context(), Context(where=Where.LOBBY), replace(DRAW, to_act=(1,))):
        why(text, where)


# ---- what is offered behind it


def offered(text: str, where: Context) -> list[Suggestion]:
    return list(suggest(text, where))


def test_verbs_and_own_cards_are_offered_behind_it_legal_or_not() -> None:
    texts = [one.text for one in offered("why ", DRAW)]
    assert texts == [
        *("draw", "take ", "call", "expose ", "layoff ", "discard ", "challenge", "fold"),
        *("7H", "8D", "QS"),
    ]
    assert [one.text for one in offered("why d", DRAW)] == ["draw", "discard ", "8D"]
    assert [one.text for one in offered("why discard ", DRAW)] == ["7H", "8D", "QS"]
    assert [one.text for one in offered("why discard #3", DRAW)] == ["QS"]
    assert offered("why discard QS ", DRAW) == offered("why draw ", DRAW) == []
    assert [one.text for one in offered("why layoff 8D ", DRAW)] == ["m1"]
    assert [one.text for one in offered("why take 8D ", DRAW)] == ["7H", "QS"]


def test_a_suggestion_behind_it_takes_the_place_of_its_word() -> None:
    (one,) = offered(" why discard q", DRAW)
    assert " why discard q"[: one.start] + one.text == " why discard QS"


@settings(max_examples=25)
@given(games(), st.integers(0, 2**32))
def test_every_legal_action_can_be_asked_about_by_accepting_suggestions(game: AnyGame, seed: int) -> None:
    for where in contexts(game, seed, 2):
        assert where.legal is not None
        for line in where.legal.lines[:20]:
            typed = "why "
            for word in line.split():
                if word == "one":
                    continue
                found = [one for one in offered(typed, where) if one.text.strip() == word]
                assert found, (typed, word)
                typed = f"{(typed[: found[0].start] + found[0].text).rstrip()} "


def test_nothing_is_offered_to_who_only_watches() -> None:
    assert offered("why ", tongits_spot.context(tongits_spot.spot("", seat=None))) == []
    assert offered("why ", Context(where=Where.LOBBY)) == []

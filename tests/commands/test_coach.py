"""The coach: what may be done now, and why something obvious may not."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.coach import Advice, coach
from p2pcards.commands.coach_tongits import MOST, Tip
from p2pcards.commands.context import Chair, Context, Where
from p2pcards.games.tongits import Refusal, TongIts
from p2pcards.games.tongits.state import Block, Phase
from tests.testing.crowd import DAN, FAY, GUEST, HOST, VOTE
from tests.testing.tongits_spot import context, random_views, spot


def advice(where: Context) -> list[tuple[object, ...]]:
    return [(remark.code, *remark.detail) for remark in coach(where)]


def test_at_the_start_of_a_turn() -> None:
    where = context(spot("QD QH 7S", phase=Phase.DRAW, discards="QS"))
    assert advice(where) == [(Tip.DRAW_OR_TAKE, "QS", "QD QH"), (Refusal.NOTHING_EXPOSED,)]


def test_a_call_that_is_possible_and_one_that_is_blocked() -> None:
    view = spot("2D 7S", phase=Phase.DRAW, melds=((0, "4H 5H 6H"),))
    assert advice(context(view)) == [(Tip.DRAW,), (Tip.MAY_CALL, "9")]
    view = spot("2D 7S", phase=Phase.DRAW, melds=((0, "4H 5H 6H"),), blocked=Block.LAID)
    assert advice(context(view)) == [(Tip.DRAW,), (Refusal.BLOCKED_LAID,)]


def test_in_the_middle_of_a_turn() -> None:
    where = context(spot("7H 7D 7S 8H KD", melds=((1, "4H 5H 6H"),)))
    assert advice(where) == [(Tip.DISCARD,), (Tip.MAY_EXPOSE, "7D 7H 7S"), (Tip.MAY_LAY_OFF, "7H m1")]


def test_of_melds_inside_each_other_the_longest_is_named() -> None:
    assert advice(context(spot("AS 2S 3S 4S KD")))[1] == (Tip.MAY_EXPOSE, "AS 2S 3S 4S")


def test_going_out_comes_before_everything() -> None:
    assert advice(context(spot("AS 2S 3S"))) == [(Tip.GO_OUT, "expose AS 2S 3S")]
    assert advice(context(spot("KD"))) == [(Tip.GO_OUT, "discard KD")]


def test_nothing_may_be_discarded() -> None:
    where = context(spot("3H 7H", melds=((1, "4H 5H 6H"),)), {"must_not_discard_layoffable": "true"})
    assert advice(where)[0] == (Tip.NO_DISCARD,)


def test_a_call_to_answer() -> None:
    where = context(spot("2D 7S", phase=Phase.RESPOND, turn=1, asked=(0, 2)))
    assert advice(where) == [(Tip.ANSWER, "ben", "9")]


def test_a_showdown_counts_without_what_can_be_laid_off_then() -> None:
    options, melds = {"showdown_layoff": "true"}, ((0, "4H 5H 6H"),)
    view = spot("7H 8H KD", phase=Phase.DRAW, melds=melds)
    assert advice(context(view, options))[1] == (Tip.MAY_CALL, "10")
    asked = spot("7H 8H KD", phase=Phase.RESPOND, turn=1, asked=(0,), melds=melds)
    assert advice(context(asked, options)) == [(Tip.ANSWER, "ben", "10")]
    assert advice(context(asked)) == [(Tip.ANSWER, "ben", "25")]


def test_while_others_act() -> None:
    assert advice(context(spot("AS", turn=1))) == [(Advice.WAIT_FOR, "ben")]
    asked = context(spot("AS", phase=Phase.RESPOND, turn=1, asked=(0, 2)), to_act=(2,))
    assert advice(asked) == [(Advice.WAIT_FOR, "cy")]
    assert advice(context(spot("", turn=1, seat=None))) == [(Advice.WATCHING, "ben")]
    assert advice(context(spot("AS 2S"), pending="discard AS")) == [(Advice.SENT, "discard AS")]


def test_while_a_bot_plays_for_us() -> None:
    for turn in (0, 1):
        assert advice(context(spot("AS 2S 3S", turn=turn), bot_plays=True)) == [(Advice.BOT_PLAYS,)]
    between = Context(where=Where.BETWEEN, me=0, bot_plays=True)
    assert advice(between) == [(Advice.BOT_PLAYS,), (Advice.NEXT,)]


def test_outside_of_rounds() -> None:
    chairs = (Chair("ana"), Chair("ben"), Chair(""))
    assert advice(Context()) == []
    assert advice(Context(where=Where.LOBBY, host=True, chairs=chairs)) == [(Advice.START_WITH_BOTS, "1")]
    assert advice(Context(where=Where.LOBBY, host=True, chairs=chairs[:2])) == [(Advice.START,)]
    assert advice(Context(where=Where.LOBBY, host_nick="ben", chairs=chairs)) == [(Advice.WAIT_FOR_START, "ben")]
    assert advice(Context(where=Where.BETWEEN, me=0)) == [(Advice.NEXT,)]
    assert advice(Context(where=Where.BETWEEN, me=0, endless=True)) == [(Advice.NEXT_OR_STOP,)]
    assert advice(Context(where=Where.OVER, me=0)) == [(Advice.MATCH_OVER,)]
    assert advice(Context(where=Where.OVER)) == advice(Context(where=Where.BETWEEN)) == [(Advice.WATCHING_ON,)]


def test_who_is_ready_hears_who_is_waited_for() -> None:
    ready = Context(where=Where.BETWEEN, me=0, ready=True, awaited=("ben", "cy"))
    assert advice(ready) == [(Advice.READY_WAIT, "ben", "cy")]
    assert advice(Context(where=Where.OVER, me=0, ready=True)) == [(Advice.READY,)]


@pytest.mark.parametrize("seed", range(4))
def test_what_is_advised_is_legal(seed: int) -> None:
    game = TongIts()
    for view in random_views(seed):
        where = context(view)
        assert where.legal is not None
        remarks = coach(where)
        assert remarks
        for remark in remarks:
            assert len(remark.detail) <= MOST + 1
            match remark.code:
                case Tip.DRAW_OR_TAKE:
                    lines = [f"take {cards}" for cards in remark.detail[1:]]
                case Tip.MAY_EXPOSE:
                    lines = [f"expose {cards}" for cards in remark.detail]
                case Tip.MAY_LAY_OFF:
                    lines = [f"layoff {words}" for words in remark.detail]
                case Tip.GO_OUT:
                    lines = list(remark.detail)
                case _:
                    lines = []
            for line in lines:
                game.check(view, game.parse(line))


# ---- what waits for an answer


def test_who_waits_at_the_door_comes_first() -> None:
    one, two = replace(HOST, knocks=(DAN,)), replace(HOST, knocks=(DAN, FAY))
    assert advice(one)[0] == (Advice.KNOCK, "dan", "lemon-lens", "new")
    assert advice(one)[1:] == advice(HOST)
    assert advice(replace(HOST, knocks=(FAY,)))[0] == (Advice.KNOCK_NAMED, "Fay", "fox-fossil", "other")
    assert advice(two)[0] == (Advice.KNOCKS, "dan", "Fay")
    playing = replace(context(spot("QD QH 7S", phase=Phase.DRAW)), knocks=(DAN,))
    assert [code for code, *_ in advice(playing)] == [Advice.KNOCK, Tip.DRAW, Refusal.NOTHING_EXPOSED]


def test_an_open_vote_is_told_to_those_who_have_one_and_to_whom_it_is_about() -> None:
    voter = replace(GUEST, nick="cy", vote=VOTE)
    assert advice(voter)[0] == (Advice.VOTE, "ben", "cy", "1", "2")
    assert advice(replace(voter, vote=replace(VOTE, may=False))) == advice(replace(voter, vote=None))
    assert advice(replace(GUEST, vote=replace(VOTE, may=False)))[0] == (Advice.ABOUT_YOU, "cy")


def test_after_a_kick_an_open_door_is_not_the_end_of_it() -> None:
    kicked = replace(HOST, kicked="eve")
    assert advice(kicked)[0] == (Advice.DOOR_ASK, "eve")
    assert advice(replace(kicked, door="ask")) == advice(HOST)
    assert advice(replace(context(spot("AS", turn=1)), kicked="eve")) == advice(context(spot("AS", turn=1)))
    assert advice(replace(kicked, where=Where.BETWEEN))[0] == (Advice.DOOR_ASK, "eve")


def test_a_code_that_is_asked_for() -> None:
    assert advice(Context(joining="10.0.0.7")) == []
    assert advice(Context(joining="10.0.0.7", asking="lab")) == [(Advice.CODE_WANTED, "lab")]

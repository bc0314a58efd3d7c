"""The coach of Tiến lên: what must be beaten, what passing means, and why one waits."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.cards import NONE
from p2pcards.commands.coach import Advice, coach
from p2pcards.commands.coach_tienlen import Tip
from p2pcards.commands.context import Context
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.refusals import Refusal
from p2pcards.games.tienlen.state import Hand, Instant, Phase
from tests.testing.tienlen_spot import cards, context, game, played, random_views, spot


def advice(where: Context) -> list[tuple[object, ...]]:
    return [(remark.code, *remark.detail) for remark in coach(where)]


def test_leading() -> None:
    assert advice(context(spot("3S 9C"))) == [(Tip.LEAD,)]
    assert advice(context(spot("3S 9C", must="3S"))) == [(Tip.LEAD_WITH, "3S")]


def test_what_must_be_beaten_and_by_what() -> None:
    assert advice(context(spot("3S JC", "3 9D"))) == [(Tip.BEAT, "9D", "single 1")]
    free = {"pass_lock": "false"}
    assert advice(context(spot("3S JC", "3 9D"), free)) == [(Tip.BEAT_OPEN, "9D", "single 1")]
    assert advice(context(spot("3S 7C", "3 9D"))) == [(Tip.CANT, "9D", "single 1")]
    where = context(spot("3S 7S 8H 9D TS", "3 6S 7D 8C 9H"))
    assert advice(where) == [(Tip.BEAT, "6S 7D 8C 9H", "straight 4")]


def test_the_last_one_asked_hears_who_leads_when_he_passes() -> None:
    where = context(spot("3S JC", "3 9D, 1 pass, 2 pass"))
    assert advice(where) == [(Tip.BEAT_LAST, "9D", "single 1", "dan")]
    assert advice(context(spot("3S JC", "3 9D, 1 pass"))) == [(Tip.BEAT, "9D", "single 1")]


def test_2s_can_be_bombed() -> None:
    assert advice(context(spot("3S 2H", "3 2D"))) == [(Tip.BEAT, "2D", "single 1"), (Tip.BOMBS, "3", "quad")]
    where = context(spot("3S 7C", "3 2S 2C"))
    assert advice(where) == [(Tip.CANT, "2S 2C", "pair 2"), (Tip.BOMBS_CANT, "4", "quad")]
    strict = {"bomb_quad_beats_pair_of_twos": "false"}
    assert advice(context(spot("3S 7C", "3 2S 2C"), strict))[1] == (Tip.BOMBS_CANT, "4", "")
    assert advice(context(spot("3S 7C", "3 2S 2C 2D")))[1] == (Tip.BOMBS_CANT, "5", "")


def test_a_straight_of_one_suit_where_only_such_beat_it() -> None:
    where = context(spot("9S TS JH", "3 4S 5S 6S"), {"suited_straight_lock": "true"})
    assert advice(where) == [(Tip.CANT, "4S 5S 6S", "straight 3"), (Refusal.ONE_SUIT, "4S 5S 6S")]
    mixed = context(spot("3S 9S TS JH", "3 4S 5H 6S"), {"suited_straight_lock": "true"})
    assert advice(mixed) == [(Tip.BEAT, "4S 5H 6S", "straight 3")]


def test_after_somebody_went_out() -> None:
    for hand, tip in (("3S AS", Tip.AFTER_OUT), ("3S 4S", Tip.AFTER_OUT_CANT)):
        view = spot(hand, "3 KH", counts=(0, 9, 9, 0), places=(3,), phase=Phase.AFTER_OUT)
        assert advice(context(view)) == [(tip, "dan", "KH", "single 1")]


def test_who_has_passed_may_be_asked_for_four_pairs() -> None:
    option = {"bomb_after_pass": "four_pairs"}
    pairs = spot("3S 3C 4S 4C 5S 5C 6S 6C", "0 pass, 1 2S")
    assert advice(context(pairs, option))[0] == (Tip.ASKED, "2S")
    assert advice(context(spot("3S 3C 4S 4C 5S 5C 6S 8C", "0 pass, 1 2S"), option)) == [(Tip.ASKED_CANT, "2S")]


def test_who_has_passed_may_play_but_four_pairs_on_the_last_2_of_who_is_out() -> None:
    option = {"bomb_after_pass": "four_pairs"}
    for hand, tip in (("4S 4C 5S 5C 6S 6C 7S 7C 2H", Tip.ASKED), ("4S 4C 4D 4H 6S 6C 7S 8C 2H", Tip.ASKED_CANT)):
        view = spot(hand, "0 pass, 3 2S", counts=(0, 9, 9, 0), places=(3,), phase=Phase.AFTER_OUT)
        assert advice(context(view, option)) == [(tip, "2S")]


def test_going_out_is_said_last() -> None:
    assert advice(context(spot("9C 9D"))) == [(Tip.LEAD,), (Tip.GO_OUT, "play 9C 9D")]
    assert advice(context(spot("JC", "3 9D"))) == [(Tip.BEAT, "9D", "single 1"), (Tip.GO_OUT, "play JC")]


def test_why_the_last_2s_may_not_be_played() -> None:
    option = {"no_finish_on_two": "true"}
    assert advice(context(spot("2D 2H"), option)) == [(Tip.LEAD,), (Refusal.NO_FINISH_ON_TWO,)]
    where = context(spot("2D", "3 9D"), option)
    assert advice(where) == [(Tip.CANT_FINISH, "9D", "single 1")]
    assert advice(context(spot("2D", "3 9C 9D"), option)) == [(Tip.CANT, "9C 9D", "pair 2")]
    out = spot("2D", "3 KH", counts=(0, 9, 9, 0), places=(3,), phase=Phase.AFTER_OUT)
    assert advice(context(out, option)) == [(Tip.AFTER_OUT_CANT_FINISH, "dan", "KH", "single 1")]
    assert advice(context(spot("2S 2D", "3 9D"), option)) == [(Tip.BEAT, "9D", "single 1")]
    assert advice(context(spot("2D"), option)) == [(Tip.LEAD,), (Tip.GO_OUT, "play 2D")]


def test_a_dealt_hand_that_took_the_first_place_is_told_until_one_has_played() -> None:
    option = {"instant_win": "goes_out_first"}
    hands = ("3S 9C", "2S 2C 2D 2H", "4S 9D", "5S 9H")
    first = played(hands, options=option)
    told = (Tip.INSTANT, "ben", Hand.FOUR_TWOS)
    assert advice(context(first, option)) == [told, (Tip.LEAD,)]
    second = played(hands, "3S", options=option, seat=2)
    assert advice(context(second, option, me=2))[0] == told
    later = played(hands, "3S", "4S", "5S", options=option)
    assert told not in advice(context(later, option))
    trick = played(hands, "3S", "4S", "5S", "pass", "pass", options=option, seat=3)
    assert advice(context(trick, option, me=3)) == [(Tip.LEAD,), (Tip.GO_OUT, "play 9H")]


def test_while_others_act_one_hears_why_one_waits() -> None:
    waits = (Advice.WAIT_FOR, "ben")
    assert advice(context(spot("3S", "3 5S", turn=1))) == [waits]
    assert advice(context(spot("3S", "0 pass, 3 5S", turn=1))) == [(Tip.LOCKED,), waits]
    assert advice(context(spot("3S", "0 pass, 3 5S", turn=1), {"pass_lock": "false"})) == [waits]
    out = replace(spot("3S", "3 5S", turn=1, places=(2, 0)), hand=NONE)
    assert advice(context(out)) == [(Tip.OUT, "2"), waits]
    assert advice(context(spot("", "3 5S", turn=1, seat=None))) == [(Advice.WATCHING, "ben")]


def test_nothing_is_said_of_a_round_that_is_over() -> None:
    over = played(("3S", "4S 5S"), "3S")
    assert over.public.reason is not None
    assert advice(context(over)) == []


def test_an_instant_win_is_no_news_to_who_joined_later() -> None:
    view = replace(spot("3S", turn=1), public=replace(spot("3S").public, active=(True, False, False, False)))
    found = Instant(Seat(1), Hand.DRAGON, cards("3S"))
    view = replace(view, public=replace(view.public, instant=found))
    assert advice(context(view))[0] == (Tip.LEAD,)


CANT = (Tip.CANT, Tip.CANT_FINISH, Tip.AFTER_OUT_CANT, Tip.AFTER_OUT_CANT_FINISH, Tip.ASKED_CANT)
OPTIONS: tuple[dict[str, str], ...] = (
    {},
    {"pass_lock": "false", "bomb_after_pass": "four_pairs"},
    {"no_finish_on_two": "true"},
)


@pytest.mark.parametrize("seed", range(6))
def test_what_is_advised_is_legal_and_whoever_acts_hears_something(seed: int) -> None:
    options = OPTIONS[seed % len(OPTIONS)]
    rules = game(options)
    for view, other in random_views(seed, options):
        where = context(view, options)
        remarks = coach(where)
        assert remarks
        able = set(map(rules.format, rules.legal_actions(view))) != {"pass"}
        assert able == all(remark.code not in CANT for remark in remarks)
        for remark in remarks:
            if remark.code is Tip.GO_OUT:
                rules.check(view, rules.parse(remark.detail[0]))
        assert coach(context(other, options))[-1].code is Advice.WAIT_FOR

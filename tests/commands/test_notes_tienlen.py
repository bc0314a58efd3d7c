"""What a play of Tiến lên does, as the menu says it."""

from __future__ import annotations

import pytest

from p2pcards.cards import Cards
from p2pcards.commands.command import Remark
from p2pcards.commands.context import Context
from p2pcards.commands.legal import Legal
from p2pcards.commands.notes_tienlen import Does, if_all_pass
from p2pcards.games.tienlen.actions import Play
from p2pcards.games.tienlen.combos import combo_of
from p2pcards.games.tienlen.state import Phase, View
from tests.testing.tienlen_spot import NICKS, context, game, random_views, spot


def note(line: str, where: Context) -> tuple[object, ...]:
    legal = where.legal
    assert legal is not None
    remark = legal.notes[legal.lines.index(line)]
    return (remark.code, *remark.detail)


def test_a_lead_says_what_it_is_and_what_it_breaks() -> None:
    where = context(spot("3S 5C 5D 6C 7C 9S 9C 9H"))
    assert note("play 3S", where) == (Does.LEAD, "single 1")
    assert note("play 9S 9C 9H", where) == (Does.LEAD, "triple 3")
    assert note("play 9S 9C", where) == (Does.LEAD_BREAKING, "pair 2", "triple 9")
    assert note("play 5C 6C 7C", where) == (Does.LEAD_BREAKING, "straight 3", "pair 5")
    assert note("play 5C", where) == (Does.LEAD_BREAKING, "single 1", "pair 5")


def test_of_several_groups_the_largest_is_named_and_of_equal_ones_the_highest() -> None:
    where = context(spot("7S 7C 8S 8C 8D TS TC 9H JC"))
    assert note("play 7S 8S 9H TS", where) == (Does.LEAD_BREAKING, "straight 4", "triple 8")
    assert note("play 9H TS JC", where) == (Does.LEAD_BREAKING, "straight 3", "pair T")
    where = context(spot("7S 7C 8S 8C TH TS 9H KC KD KH KS"))
    assert note("play 7S 8S 9H TS", where) == (Does.LEAD_BREAKING, "straight 4", "pair T")
    assert note("play KC KD", where) == (Does.LEAD_BREAKING, "pair 2", "quad K")


def test_a_sequence_of_pairs_that_is_gone_is_a_bomb_that_is_gone() -> None:
    where = context(spot("5S 5C 6S 6C 7S 7C JH"))
    assert note("play 6S 6C", where) == (Does.LEAD_BREAKING_BOMB, "pair 2")
    assert note("play 7S", where) == (Does.LEAD_BREAKING_BOMB, "single 1")
    assert note("play JH", where) == (Does.LEAD, "single 1")
    assert note("play 5S 5C 6S 6C 7S 7C", where) == (Does.LEAD, "doubles 3")
    longer = context(spot("5S 5C 6S 6C 7S 7C 8S 8C JH"))
    assert note("play 8S 8C", longer) == (Does.LEAD, "pair 2")  # three pairs are left
    assert note("play 5S 5C 6S 6C 7S 7C", longer) == (Does.LEAD, "doubles 3")
    assert note("play 5S", context(spot("5S 5C 5D 6S 6C 7S 7C JH"))) == (Does.LEAD_BREAKING, "single 1", "triple 5")


def test_beating() -> None:
    where = context(spot("4S 7S 8H 9D TS TC JH", "3 6S 7D 8C 9H"))
    assert note("play 7S 8H 9D TS", where) == (Does.BEAT_BREAKING, "9H", "TS", "pair T")
    assert note("play 8H 9D TS JH", where) == (Does.BEAT_BREAKING, "9H", "JH", "pair T")
    assert note("play JH", context(spot("3S JH", "2 9D"))) == (Does.BEAT, "9D", "JH")
    pairs = context(spot("TS TC JS JD QS QC", "2 9D"))
    assert note("play QC", pairs) == (Does.BEAT_BREAKING_BOMB, "9D", "QC")


def test_bombs() -> None:
    where = context(spot("4S 4C 4D 4H 5S 5C 6S 6C 7S", "1 2C"))
    assert note("play 4S 4C 4D 4H", where) == (Does.BOMB, "2C")
    assert note("play 4S 4C 5S 5C 6S 6C", where) == (Does.BOMB, "2C")
    chain = context(spot("4S 4C 5S 5C 6S 6C 7S 7D 8S", "1 9S 9C 9D 9H"), {"bomb_chain": "southern"})
    assert note("play 4S 4C 5S 5C 6S 6C 7S 7D", chain) == (Does.BOMB, "9S 9C 9D 9H")


def test_the_last_cards_say_the_place_that_they_give() -> None:
    assert note("play 3S 3C", context(spot("3S 3C"))) == (Does.EMPTIES, "1")
    out = spot("9D", "1 5S", counts=(0, 4, 0, 0), places=(3, 2))
    assert note("play 9D", context(out)) == (Does.EMPTIES, "3")


def test_passing_says_what_comes_of_it() -> None:
    assert note("pass", context(spot("3S", "3 5S"))) == (Does.LOCKED_OUT,)
    assert note("pass", context(spot("3S", "3 5S"), {"pass_lock": "false"})) == (Does.MAY_RETURN,)
    assert note("pass", context(spot("3S", "3 5S, 1 pass, 2 pass"))) == (Does.TRICK_ENDS, "dan")
    after_out = spot("3S", "3 KH", counts=(0, 9, 9, 0), places=(3,), phase=Phase.AFTER_OUT)
    assert note("pass", context(after_out)) == (Does.THEN_LEADS,)
    everybody = spot("3S", "3 KH, 1 pass, 2 pass", counts=(0, 9, 9, 0), places=(3,))
    assert note("pass", context(everybody, {"out_rule": "all_may_beat"})) == (Does.THEN_LEADS,)


def test_who_has_passed_and_is_asked_for_four_pairs_stays_out() -> None:
    view = spot("3S 3C 4S 4C 5S 5C 6S 6C 7H", "0 pass, 1 2S")
    where = context(view, {"bomb_after_pass": "four_pairs"})
    assert note("pass", where) == (Does.STAYS_OUT,)
    assert note("play 3S 3C 4S 4C 5S 5C 6S 6C", where) == (Does.BOMB, "2S")


def test_who_is_asked_while_nobody_beats_it_and_who_leads_then() -> None:
    rules = game()
    assert if_all_pass(rules, spot("3S", "3 5S").public) == ((0, 1, 2), 3)
    assert if_all_pass(rules, spot("3S", "2 pass, 3 5S, 0 pass", turn=1).public) == ((1,), 3)
    assert if_all_pass(rules, spot("3S", turn=2).public) == ((), 2)
    out = spot("3S", "3 KH", turn=1, counts=(0, 9, 9, 0), places=(3,)).public
    assert if_all_pass(game({"out_rule": "all_may_beat"}), out) == ((1, 2, 0), 0)


def test_the_worst_hand_has_few_different_remarks() -> None:
    view = spot("3S 3C 3D 4S 4C 4D 5S 5C 5D 5H 6S 6C 6D")
    legal = Legal(game(), view, NICKS)
    assert len(legal.lines) == 486
    assert len({id(remark) for remark in legal.notes}) < 60


@pytest.mark.parametrize("seed", range(6))
def test_what_is_said_of_a_play_is_so(seed: int) -> None:
    rules = game()
    for view, _ in random_views(seed):
        legal = Legal(rules, view, NICKS)
        for action, remark in zip(legal.actions, legal.notes, strict=True):
            if not isinstance(action, Play):
                continue
            assert (remark.code is Does.EMPTIES) == (action.cards == view.hand)
            assert (remark.code is Does.BOMB) == _is_bomb(view, action.cards, remark)
            if remark.code in (Does.LEAD, Does.BEAT):
                rest = Cards(view.hand & ~action.cards)
                assert not any(action.cards >> 4 * at & 15 and rest >> 4 * at & 15 for at in range(13))


def _is_bomb(view: View, held: Cards, remark: Remark) -> bool:
    pile, combo = view.public.pile, combo_of(held)
    assert combo is not None
    return remark.code is not Does.EMPTIES and pile is not None and combo.kind is not pile.kind

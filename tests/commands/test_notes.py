"""What an action does, as the menu says it."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Remark
from p2pcards.commands.context import Context
from p2pcards.commands.notes import Plain, notes
from p2pcards.commands.notes_tongits import Does, kind
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.melds import MELDS
from p2pcards.games.tongits.state import Block, Phase
from tests.testing.tongits_spot import NICKS, cards, context, random_views, spot


def note(line: str, where: Context) -> tuple[object, ...]:
    legal = where.legal
    assert legal is not None
    remark = legal.notes[legal.lines.index(line)]
    return (remark.code, *remark.detail)


def test_at_the_start_of_a_turn() -> None:
    where = context(
        spot("QD QH 2C", phase=Phase.DRAW, discards="QS", melds=((0, "4S 5S 6S"), (1, "TS JS 9S"))),
        {"discard_layoff": "true"},
    )
    assert note("draw", where) == (Does.DRAW, "7")
    assert note("take QD QH", where) == (Does.TAKE, "QD QH QS")
    assert note("take m2", where) == (Does.TAKE_ON, "QS", "ben", "m2")
    assert note("call", where) == (Does.CALL, "22")


def test_taking_the_last_cards_of_the_hand_wins() -> None:
    assert note("take QD QH", context(spot("QD QH", phase=Phase.DRAW, discards="QS"))) == (Does.EMPTIES,)


def test_exposing() -> None:
    assert note("expose AS 2S 3S", context(spot("AS 2S 3S KD"))) == (Does.OPEN,)
    opened = context(spot("AS 2S 3S KD", melds=((0, "4H 5H 6H"),)))
    assert note("expose AS 2S 3S", opened) == (Does.EXPOSE, "run", "AS 2S 3S")
    assert note("expose AS 2S 3S", context(spot("AS 2S 3S"))) == (Does.EMPTIES,)


def test_laying_off_says_whom_it_blocks() -> None:
    view = spot("7H KD", melds=((1, "4H 5H 6H"), (0, "7C 7D 7S")))
    assert note("layoff 7H m1", context(view)) == (Does.LAYOFF_BLOCKS, "ben", "4H 5H 6H")
    assert note("layoff 7H m2", context(view)) == (Does.LAYOFF_OWN_BLOCKS, "7C 7D 7S")
    free = {"self_layoff_blocks_draw": "false"}
    assert note("layoff 7H m2", context(view, free)) == (Does.LAYOFF_OWN, "7C 7D 7S")
    assert note("layoff 7H m1", context(spot("7H", melds=((1, "4H 5H 6H"),)))) == (Does.EMPTIES,)


def test_laying_off_where_the_owner_is_blocked_already() -> None:
    view = spot("7H KD", melds=((1, "4H 5H 6H"),))
    blocked = replace(view, public=replace(view.public, call_blocked=(None, Block.LAID, None)))
    assert note("layoff 7H m1", context(blocked)) == (Does.LAYOFF, "ben", "4H 5H 6H")


def test_discarding_says_the_points_and_warns_of_broken_melds() -> None:
    where = context(spot("7H 7D 7S KD"))
    assert note("discard KD", where) == (Does.DISCARD, "10")
    assert note("discard 7H", where) == (Does.BREAKS, "7")
    assert note("discard KD", context(spot("KD"))) == (Does.EMPTIES,)


def test_answering() -> None:
    where = context(spot("2D 7S", phase=Phase.RESPOND, turn=1, asked=(0,)))
    assert note("challenge", where) == (Does.CHALLENGE, "9")
    assert note("fold", where) == (Does.FOLD,)


def test_a_showdown_counts_without_what_can_be_laid_off_then() -> None:
    options, melds = {"showdown_layoff": "true"}, ((0, "4H 5H 6H"),)
    calling = context(spot("7H 8H KD", phase=Phase.DRAW, melds=melds), options)
    assert note("call", calling) == (Does.CALL, "10")
    asked = spot("7H 8H KD", phase=Phase.RESPOND, turn=1, asked=(0,), melds=melds)
    assert note("challenge", context(asked, options)) == (Does.CHALLENGE, "10")
    assert note("challenge", context(asked)) == (Does.CHALLENGE, "25")


@pytest.mark.parametrize("seed", range(3))
def test_emptying_the_hand_is_always_said(seed: int) -> None:
    game = TongIts()
    for view in random_views(seed, {"discard_layoff": "true"}):
        for action in game.legal_actions(view):
            (remark,) = notes(game, view, [action], NICKS)
            held = getattr(action, "cards", None)
            if held is None and hasattr(action, "card"):
                held = 1 << action.card
            assert (remark.code is Does.EMPTIES) == (held == view.hand)


def test_a_set_and_a_run_are_told_apart() -> None:
    assert kind(cards("9C 9D 9H")) == "set"
    assert kind(cards("9C TC JC")) == "run"
    assert [kind(meld) for meld in MELDS].count("set") == 13 * 5


class Unknown(TongIts):
    """A game without notes of its own."""

    name = "unknown"


def test_a_game_without_notes_says_what_the_verb_does() -> None:
    game = Unknown()
    view = spot("KD")
    assert notes(game, view, list(game.legal_actions(view)), NICKS) == (Remark(Plain.VERB, (game.verbs["discard"],)),)

"""When whose turn it is is told again: a program that waits to be told must not wait for ever."""

from __future__ import annotations

from p2pcards.table.notices import HostIs, TurnOf
from p2pcards.table.story import Story
from tests.testing.table import starting


def test_who_was_cut_off_in_its_turn_is_told_again_once_it_may_act() -> None:
    cluster = starting("ben")
    ben = cluster.peers["ben"]
    cluster.cut("ben")
    told = len(ben.told(TurnOf))
    cluster.back("ben")
    assert ben.told(TurnOf)[told:] == [TurnOf((1,), True, False)]
    assert ben.guest.my_turn is not None


def test_a_new_host_s_turn_is_told_only_with_the_view_to_act_on() -> None:
    cluster = starting("ben")
    reader = cluster.peers["ben"].guest._reader
    story = Story(reader.public)
    how = (None, reader.view, reader.view_at, reader.me, reader.to_act)
    assert TurnOf((1,), True, True) in story.told(*how, settled=True)
    story.add([HostIs("cy", 2, "elected")])
    assert story.told(*how, settled=False) == [HostIs("cy", 2, "elected")]
    assert story.told(*how, settled=True) == [TurnOf((1,), True, False)]
    assert story.told(*how, settled=True) == []

"""The table as its screens show it, while the cards are shuffled."""

from __future__ import annotations

from p2pcards.table.gather import PART_SECONDS
from p2pcards.table.notices import LeftOut
from p2pcards.table.tableview import Stage, TableView
from tests.testing.cluster import Cluster, play_round, started, three


def seen(cluster: Cluster, name: str) -> TableView:
    view = cluster.peers[name].guest.table_view()
    assert view is not None
    return view


def test_a_shuffle_is_shown_until_the_cards_are_dealt() -> None:
    cluster = three()
    assert not seen(cluster, "ana").dealing
    cluster.silence("cy")
    cluster.order("start")
    cluster.settle()
    for name in ("ana", "ben"):
        view = seen(cluster, name)
        assert (view.stage, view.dealing, view.view) == (Stage.PLAYING, True, None)
    cluster.pass_time(2 * PART_SECONDS)
    for name in ("ana", "ben"):
        view = seen(cluster, name)
        assert (view.dealing, view.view is None) == (False, False)
        (left_out,) = cluster.peers[name].told(LeftOut)
        assert [nick for _, nick in left_out.players] == ["cy"]


def wish_to_go_on(cluster: Cluster, silent: str = "") -> None:
    """All want the next round, or another match; one of them is silent from then on."""
    for name in sorted(cluster.peers, key=lambda name: name != silent):
        cluster.want(name, "next")
        if name == silent:
            cluster.silence(name)


def test_between_two_rounds_the_last_one_is_shown_while_the_next_is_dealt() -> None:
    cluster = started(options={"match_rounds": "2"})
    play_round(cluster)
    wish_to_go_on(cluster, silent="cy")
    for name in ("ana", "ben"):
        view = seen(cluster, name)
        assert (view.stage, view.dealing, view.round) == (Stage.PLAYING, True, 2)
        assert view.last is not None
        assert view.last.number == 1


def test_nothing_of_the_last_match_is_shown_while_another_is_dealt() -> None:
    cluster = started(options={"match_rounds": "1"})
    play_round(cluster)
    for name in ("ana", "ben"):
        view = seen(cluster, name)
        assert view.stage is Stage.OVER
        assert view.last is not None
    wish_to_go_on(cluster, silent="cy")
    for name in ("ana", "ben"):
        view = seen(cluster, name)
        assert (view.stage, view.dealing, view.view, view.last) == (Stage.PLAYING, True, None, None)
        assert (view.scores, view.winners) == ((0, 0, 0), ())

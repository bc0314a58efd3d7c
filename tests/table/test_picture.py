"""The table as its screens show it, while the cards are shuffled."""

from __future__ import annotations

from p2pcards.table.gather import PART_SECONDS
from p2pcards.table.notices import LeftOut
from p2pcards.table.tableview import Stage, TableView
from tests.testing.cluster import Cluster, three


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

"""Where the members of a table are reached, as its host tells them (protocol 4.7, PEERS)."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.wire.messages import Method
from tests.testing.cluster import Cluster, identity

HERE, THERE = b"\x0a\x4d\x00\x01\x62\xa4", b"\x0a\x4d\x00\x02\x62\xa4"


def test_who_comes_is_among_them_and_who_moves_is_told_where_to() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    host, whereabouts = cluster.host.public.host, cluster.host._house.whereabouts
    whereabouts.own = ()
    assert dict(whereabouts.peers().peers) == {host: ()}
    whereabouts.own = (HERE,)
    assert dict(whereabouts.peers().peers) == {host: (HERE,)}
    ben, key = cluster.join("ben"), identity("ben").key
    assert dict(whereabouts.peers().peers) == {host: (HERE,), key: ()}
    whereabouts.take(key, replace(ben.guest.hello(Method.MEMBER), addresses=(THERE,)))
    assert dict(whereabouts.peers().peers) == {host: (HERE,), key: (THERE,)}

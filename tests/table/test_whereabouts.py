"""Where the members of a table are reached, as its host tells them (protocol 4.7, PEERS)."""

from __future__ import annotations

import pytest
from msgspec import msgpack
from msgspec.structs import replace

from p2pcards.table.guest import Guest
from p2pcards.table.mesh import Mesh
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


@pytest.mark.parametrize("data", [b"", b"\xff", b"\x91", b"\x81\x01\x02"])
def test_a_file_of_addresses_that_says_nothing_is_none(data: bytes) -> None:
    key = identity("ana").key
    mesh = Mesh(key, Guest(identity("ana"), bytes, "ana"), lambda link, message: None)
    mesh.recall(data)
    assert mesh.addresses == {}
    mesh.recall(msgpack.encode([(key, (HERE,))]))
    assert mesh.addresses == {key: (HERE,)}

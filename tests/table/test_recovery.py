"""A new host opens the round's secret: from shares, or from what the host before it hands over (protocol 6.5, 7.6)."""

from __future__ import annotations

from functools import cache
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.table.escrow import SHARE_BYTES, share_commitment, shares
from p2pcards.table.notices import Alarm, FalseShare, SharesAwaited
from p2pcards.table.public import Public
from p2pcards.table.recovery import ANSWER_SECONDS, BAD_ESCROW, LEAST_SECONDS, Recovery
from p2pcards.wire.messages import Secret, Share, ShareAsk
from tests.testing.cluster import Cluster, identity, started

GRACE = 90.0
PEOPLE = ("ben", "cy", "dot", "eve")


class Table:
    """A round of ana, who dealt it and is gone, and four others: three of their shares open its secret."""

    def __init__(self) -> None:
        cluster = Cluster(game="onecard", seats=5, settings={"seat_order": "join_order"})
        for name in ("ana", *PEOPLE):
            cluster.join(name, host=name == "ana")
        cluster.order("start")
        self.books: Public = cluster.host.public
        self.current, self.secret = self.books.open_round, cluster.secrets["root-1"]
        current = self.current
        values = shares(current.table, current.first_epoch, self.secret, current.threshold, len(current.holders))
        self.values = {name: values[current.holders.index(identity(name).key)] for name in PEOPLE}

    def share(self, name: str) -> Share:
        """What that holder was given."""
        x = self.current.holders.index(identity(name).key) + 1
        return Share(self.current.first_epoch, x, self.values[name])


@cache
def five() -> Table:
    """One that no test changes."""
    return Table()


@pytest.fixture
def table() -> Table:
    return five()


def asked(table: Table) -> Recovery:
    """A new host that begins to ask at 100."""
    return Recovery(table.books, 100.0, GRACE)


def given_by(recovery: Recovery, table: Table, *names: str) -> None:
    for name in names:
        recovery.take(identity(name).key, table.share(name))


def wrong(share: Share, kind: str) -> Share:
    changed = {
        "another value": Share(share.epoch, share.x, bytes(SHARE_BYTES)),
        "out of the field": Share(share.epoch, share.x, b"\xff" * SHARE_BYTES),
        "another place": Share(share.epoch, share.x % 4 + 1, share.value),
        "no place": Share(share.epoch, 0, share.value),
        "a place beyond all": Share(share.epoch, 200, share.value),
    }
    return changed[kind]


WRONG = ("another value", "out of the field", "another place", "no place", "a place beyond all")


def test_three_of_four_shares_open_the_secret_in_whatever_order_they_come(table: Table) -> None:
    for names in permutations(PEOPLE, 3):
        recovery = asked(table)
        given_by(recovery, table, *names[:2])
        assert (recovery.secret, recovery.expired(100.0)) == (b"", False)
        given_by(recovery, table, names[2])
        assert recovery.secret == table.secret
        assert (recovery.missing, recovery.wake_at, recovery.notices) == ((), None, [])


def test_holders_are_asked_until_they_have_given_their_share(table: Table) -> None:
    recovery = asked(table)
    assert recovery.ask == ShareAsk(1)
    assert [recovery.wants(identity(name).key) for name in (*PEOPLE, "host", "fay")] == [True] * 4 + [False] * 2
    given_by(recovery, table, "ben")
    assert [recovery.wants(identity(name).key) for name in PEOPLE] == [False, True, True, True]
    assert recovery.missing == tuple(identity(name).key for name in PEOPLE[1:])


@pytest.mark.parametrize("kind", WRONG)
def test_who_gives_a_false_share_is_named_once_and_a_right_one_after_it_will_do(table: Table, kind: str) -> None:
    recovery = asked(table)
    given_by(recovery, table, "ben", "cy")
    for _ in range(2):
        recovery.take(identity("dot").key, wrong(table.share("dot"), kind))
    assert recovery.notices == [FalseShare("dot")]
    assert (recovery.secret, recovery.wants(identity("dot").key)) == (b"", True)
    given_by(recovery, table, "dot")
    assert recovery.secret == table.secret
    assert recovery.notices == [FalseShare("dot")]


def test_a_false_share_is_named_though_the_secret_is_open_and_undoes_no_right_one(table: Table) -> None:
    recovery = asked(table)
    given_by(recovery, table, "ben", "cy", "dot")
    recovery.take(identity("ben").key, wrong(table.share("ben"), "another value"))
    recovery.take(identity("eve").key, wrong(table.share("eve"), "another value"))
    assert recovery.notices == [FalseShare("ben"), FalseShare("eve")]
    assert recovery.secret == table.secret


def test_what_is_no_share_of_this_round_says_nothing(table: Table) -> None:
    recovery = asked(table)
    for key in ("host", "fay"):
        recovery.take(identity(key).key, table.share("ben"))
    recovery.take(identity("ben").key, Share(2, 1, table.values["ben"]))
    assert (recovery.notices, recovery.missing) == ([], tuple(identity(name).key for name in PEOPLE))


@given(st.lists(st.tuples(st.sampled_from(PEOPLE), st.sampled_from(("", *WRONG)))))
def test_whatever_comes_the_secret_opens_exactly_when_enough_have_given_their_shares(
    said: list[tuple[str, str]],
) -> None:
    table = five()
    recovery, honest, liars = asked(table), set[str](), list[str]()
    for name, kind in said:
        share = table.share(name)
        recovery.take(identity(name).key, wrong(share, kind) if kind else share)
        if kind and name not in liars:
            liars.append(name)
        elif not kind:
            honest.add(name)
        assert recovery.secret == (table.secret if len(honest) >= 3 else b"")
    assert recovery.notices == [FalseShare(name) for name in liars]


# ---- a dealer that bound holders to what is no share


def test_a_dealer_that_escrowed_badly_is_named_and_enough_right_shares_open_the_secret() -> None:
    table = Table()
    _bind(table, "ben")
    recovery = asked(table)
    given_by(recovery, table, "ben", "cy", "dot")
    assert recovery.notices == [Alarm(BAD_ESCROW)]
    assert (recovery.secret, recovery.expired(100.0)) == (b"", False)
    given_by(recovery, table, "eve")
    assert recovery.secret == table.secret
    assert recovery.notices == [Alarm(BAD_ESCROW)]


def test_where_all_have_given_what_they_are_bound_to_and_it_opens_nothing_nobody_is_waited_for() -> None:
    table = Table()
    _bind(table, "ben", "cy")
    recovery = asked(table)
    given_by(recovery, table, *PEOPLE)
    assert (recovery.secret, recovery.missing, recovery.wake_at) == (b"", (), None)
    assert recovery.expired(100.0)
    assert recovery.notices == [Alarm(BAD_ESCROW)]


def _bind(table: Table, *names: str) -> None:
    """The dealer gave these another value than their share, and committed to it."""
    bound = list(table.current.shares)
    for name in names:
        x = table.share(name).x
        table.values[name] = bytes([0, x]).ljust(SHARE_BYTES, b"!")
        bound[x - 1] = share_commitment(table.current.table, 1, x, table.values[name])
    table.current.shares = tuple(bound)


# ---- time


def test_it_is_said_who_is_waited_for_when_those_who_are_here_had_time_to_answer(table: Table) -> None:
    recovery = asked(table)
    given_by(recovery, table, "cy")
    assert recovery.wake_at == 100.0 + ANSWER_SECONDS
    recovery.look(100.0 + ANSWER_SECONDS - 0.01)
    assert recovery.notices == []
    recovery.look(100.0 + ANSWER_SECONDS)
    assert recovery.notices == [SharesAwaited(("ben", "dot", "eve"), 89)]
    recovery.look(110.0)
    assert len(recovery.notices) == 1
    assert recovery.wake_at == 100.0 + GRACE
    given_by(recovery, table, "eve")
    recovery.look(110.5)
    assert recovery.notices[1:] == [SharesAwaited(("ben", "dot"), 80)]


def test_when_the_time_is_over_the_round_is_void(table: Table) -> None:
    recovery = asked(table)
    given_by(recovery, table, "cy", "eve")
    assert not recovery.expired(100.0 + GRACE - 0.01)
    assert recovery.expired(100.0 + GRACE)
    recovery.look(100.0 + GRACE)
    assert recovery.notices == []


def test_with_the_secret_no_time_is_ever_over(table: Table) -> None:
    recovery = asked(table)
    given_by(recovery, table, "cy", "eve", "dot")
    recovery.look(500.0)
    assert (recovery.notices, recovery.expired(500.0)) == ([], False)


def test_where_a_seat_is_kept_for_no_time_who_is_here_can_answer_all_the_same(table: Table) -> None:
    recovery = Recovery(table.books, 100.0, 0.0)
    assert not recovery.expired(100.0 + LEAST_SECONDS - 0.01)
    assert recovery.expired(100.0 + LEAST_SECONDS)
    recovery.look(101.0)
    assert recovery.notices == [SharesAwaited(tuple(sorted(PEOPLE)), 4)]


def test_while_the_host_is_not_active_nobodys_time_runs(table: Table) -> None:
    recovery = asked(table)
    recovery.wait_anew(150.0)
    recovery.look(150.5)
    assert recovery.notices == []
    assert recovery.wake_at == 150.0 + ANSWER_SECONDS
    assert not recovery.expired(150.0 + GRACE - 0.01)
    assert recovery.expired(150.0 + GRACE)


# ---- handed over


def test_the_secret_that_is_handed_over_is_taken_if_it_is_the_rounds(table: Table) -> None:
    recovery = asked(table)
    assert not recovery.take_secret(Secret(1, bytes(32)))
    assert not recovery.take_secret(Secret(2, table.secret))
    assert (recovery.secret, len(recovery.missing)) == (b"", 4)
    assert recovery.take_secret(Secret(1, table.secret))
    assert (recovery.secret, recovery.missing, recovery.expired(500.0)) == (table.secret, (), False)
    assert not recovery.take_secret(Secret(1, bytes(32)))
    assert recovery.secret == table.secret


def test_without_holders_only_the_host_before_can_give_the_secret() -> None:
    cluster = Cluster(game="onecard", seats=2)
    cluster.join("ana", host=True)
    cluster.join("ben")
    cluster.order("start")
    recovery = Recovery(cluster.host.public, 100.0, GRACE)
    assert (recovery.missing, recovery.wake_at, recovery.expired(100.0)) == ((), None, True)
    assert recovery.take_secret(Secret(1, cluster.secrets["root-1"]))
    assert not recovery.expired(100.0)


def test_a_holder_is_named_by_its_seat_though_a_bot_has_it_now() -> None:
    cluster = started()
    cluster.leave("cy")
    recovery = Recovery(cluster.host.public, 100.0, GRACE)
    recovery.look(101.0)
    assert recovery.notices == [SharesAwaited(("ben", "cy"), 89)]

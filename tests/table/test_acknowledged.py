"""Most acknowledgements move nothing: then the host says nothing, and would have had nothing to say."""

from __future__ import annotations

import pytest

from p2pcards.table.effects import Effects, Input, Received
from p2pcards.table.host import Host
from p2pcards.wire.messages import Ack
from tests.sim.run import run


class Watched:
    """Hosts whose course is followed once more wherever an acknowledgement was followed by nothing."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.passed, self.followed, self.late = 0, 0, list[Effects]()
        self._handle, self._follow = Host.handle, Host._follow
        patch.setattr(Host, "handle", lambda host, happened, now: self.handle(host, happened, now))
        patch.setattr(Host, "_follow", lambda host: self.follow(host))

    def follow(self, host: Host) -> Effects:
        self.followed += 1
        return self._follow(host)

    def handle(self, host: Host, happened: Input, now: float) -> Effects:
        over, followed = host._is_over, self.followed
        effects = self._handle(host, happened, now)
        if not over and self.followed == followed:
            assert isinstance(happened, Received)
            assert isinstance(happened.message, Ack)
            self.passed += 1
            after = self._follow(host)
            if after != Effects(wake_at=effects.wake_at):
                self.late.append(after)
        return effects


@pytest.mark.parametrize(("seed", "peers"), [(1, 2), (1, 3), (0, 4), (2, 8)])
def test_what_an_acknowledgement_is_not_followed_by_would_have_been_nothing(
    seed: int, peers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = Watched(monkeypatch)
    run(seed, peers)
    assert watched.late == []
    assert watched.passed > 20

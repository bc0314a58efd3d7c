"""Tables brought to a certain place: who starts, what the hands hold, a question asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from p2pcards.cards import each
from p2pcards.games.base import Game, Seat
from p2pcards.games.tongits.melds import melds_in
from p2pcards.games.tongits.rules import TongIts
from p2pcards.games.tongits.state import View
from p2pcards.table.deal import Deal
from p2pcards.table.fold import RoundFold
from p2pcards.table.notices import BotTurn
from tests.testing.cluster import Cluster, Peer, started

NAMES = ("ana", "ben", "cy")


def starting(name: str, seed: int = 1, **table: Any) -> Cluster:
    """A first round that this one of ana, ben and cy starts, in seats 0, 1 and 2."""
    lot = NAMES.index(name)
    return started(seed, wish=lambda deal: deal.lot == lot, **table)


def fold_of(cluster: Cluster) -> RoundFold:
    """The truth about the open round."""
    current = cluster.host._play.round
    assert current is not None
    return current.fold


def to_act(cluster: Cluster) -> tuple[int, ...]:
    """Whom the host waits for."""
    current = cluster.host._play.round
    return current.to_act if current else ()


def first_discard(cluster: Cluster, seat: int) -> str:
    """The discard of the lowest card in a hand."""
    fold = fold_of(cluster)
    return f"discard {fold.game.ranking.format(next(each(fold.game.hand(fold.view(seat)))))}"


def tame(game: Game[Any, Any, Any], view: Any) -> str:
    """A turn that ends nothing and lays nothing down: draw, then discard the first card."""
    legal = (game.format(action) for action in game.legal_actions(view))
    return next(text for text in legal if text.split()[0] in ("draw", "discard", "fold"))


def tame_move(cluster: Cluster, peer: Peer) -> str:
    """The same for a player."""
    return tame(peer.guest.public.rules, peer.guest.my_turn)


def tame_bot(turn: BotTurn) -> str:
    """The same for a bot."""
    return tame(TongIts(), turn.view)


def laying(view: View, seats: Sequence[int], word: str = "challenge") -> str:
    """A turn in which these seats expose the first meld of theirs; the answer to any question is the word."""
    legal = [TongIts().format(action) for action in TongIts().legal_actions(view)]
    laid = any(meld.owner == view.seat for meld in view.public.melds)
    wanted = ["expose"] if view.seat in seats and not laid else []
    for verb in (*wanted, "draw", "discard", word):
        for text in legal:
            if text.split()[0] == verb:
                return text
    raise AssertionError(f"nothing fits: {legal}")


def all_hold_melds(first: int) -> Callable[[Deal], bool]:
    """Wants a deal that this seat starts and in which every hand holds a meld."""

    def fits(deal: Deal) -> bool:
        hands = TongIts().dealt(deal.order, 3, Seat(first)).hands
        return deal.lot == first and all(any(melds_in(hand)) for hand in hands)

    return fits


def question(
    seed: int = 1,
    caller: str = "ana",
    asked: tuple[int, ...] = (1, 2),
    left: Sequence[str] = (),
    away: Sequence[str] = (),
    **table: Any,
) -> Cluster:
    """The caller has called a draw and these seats are asked; bots play for who left or is away.

    Bots answer "challenge" at once.
    """
    first = NAMES.index(caller)
    laid = (first, *asked)
    cluster = started(seed, wish=all_hold_melds(first), **table)
    cluster.wish = None
    cluster.bots = lambda turn: laying(turn.view, laid)
    for name in left:
        cluster.leave(name)
    cluster.cut(*away)
    if away:
        cluster.pass_time(float(dict(cluster.host.public.settings)["grace_seconds"]))
    while not cluster.movers or "call" not in legal_texts(cluster.peers[caller]):
        mover = cluster.movers[0]
        cluster.act(mover.name, laying(mover.guest.my_turn, laid))
    cluster.act(caller, "call")
    return cluster


def legal_texts(peer: Peer) -> list[str]:
    """Everything a player may do now."""
    view, game = peer.guest.my_turn, peer.guest.public.rules
    return [] if view is None else [game.format(action) for action in game.legal_actions(view)]

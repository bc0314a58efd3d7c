"""Who may contest, whose hand counts least, and what is paid (docs/rules/tongits.md, R18 to R34)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from p2pcards.cards import Cards
from p2pcards.games.base import Carry, Outcome, Seat
from p2pcards.games.tongits.melds import Split, deadwood, fours, split
from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.state import ENDED, Public, Reason, State

_ACES = 0b1111


def may_contest(options: TongItsOptions, public: Public, seat: Seat, hand: Cards) -> bool:
    """Whether the seat may challenge a call, and is counted when the stock is exhausted."""
    return _has_exposed(public, seat) or (options.secret_set and fours(hand) > 0)


def _has_exposed(public: Public, seat: Seat) -> bool:
    return any(meld.owner == seat for meld in public.melds)


def counted(options: TongItsOptions, public: Public, hand: Cards) -> Split:
    """A hand as a showdown counts it."""
    return split(hand, tuple(meld.cards for meld in public.melds) if options.showdown_layoff else ())


def laid_out(public: Public, hand: Cards, points: int) -> Split:
    """A shown hand as it was counted: leftovers lie on melds of the table only where its points say so."""
    alone = split(hand)
    return alone if alone.points == points else split(hand, tuple(meld.cards for meld in public.melds))


def called(options: TongItsOptions, public: Public, hands: Sequence[Cards]) -> Public:
    """The end of a called draw, when all answers are in: who is called wins every tie against the caller."""
    caller = public.turn
    challengers = tuple(seat for seat, challenges in public.answers if challenges)
    if not challengers:
        return replace(public, phase=ENDED, reason=Reason.CALL, winners=(caller,))
    return _compared(options, public, hands, (*challengers, caller), Reason.CALL)


def exhausted(options: TongItsOptions, public: Public, hands: Sequence[Cards]) -> Public:
    """The end of the stock; `turn` is who drew the last card and has just discarded, and wins every tie."""
    contenders = tuple(
        seat
        for seat in (Seat((public.turn + step) % 3) for step in range(3))
        if may_contest(options, public, seat, hands[seat])
    )
    if not contenders:
        return replace(public, phase=ENDED, reason=Reason.EXHAUSTED)
    return _compared(options, public, hands, contenders, Reason.EXHAUSTED)


def _compared(
    options: TongItsOptions, public: Public, hands: Sequence[Cards], contenders: tuple[Seat, ...], reason: Reason
) -> Public:
    """The lowest of the contenders wins, the first of them on a tie."""
    if options.showdown_layoff:
        points = {seat: counted(options, public, hands[seat]).points for seat in contenders}
    else:
        points = {seat: deadwood(hands[seat]) for seat in contenders}
    return replace(
        public,
        phase=ENDED,
        reason=reason,
        winners=(min(contenders, key=points.__getitem__),),
        shown=tuple((seat, hands[seat], points[seat]) for seat in sorted(contenders)),
    )


def outcome(options: TongItsOptions, state: State) -> Outcome | None:
    """How the round ended; None while it is open."""
    public = state.public
    if public.reason is None:
        return None
    if public.winners:
        starter = public.winners[0]
        points = _won(options, public, starter, state.hands[starter])
    else:
        next_in_turn = options.no_winner_starter == "next_in_turn"
        starter = Seat((public.turn + 1) % 3) if next_in_turn else public.starter
        points = (0, 0, 0)
    return Outcome(public.reason.value, public.winners, points, starter)


def _won(options: TongItsOptions, public: Public, winner: Seat, hand: Cards) -> tuple[int, ...]:
    if options.scoring == "wins":
        return tuple(int(seat == winner) for seat in range(3))
    aces = sum((meld.cards & _ACES).bit_count() for meld in public.melds if meld.owner == winner)
    bonus = aces + 3 * fours(hand)
    compared = {seat for seat, _, _ in public.shown}
    points = [0, 0, 0]
    for seat in (Seat((winner + 1) % 3), Seat((winner + 2) % 3)):
        lost_big = public.reason is Reason.TONGITS or (public.reason is Reason.CALL and seat in compared)
        burned = not _has_exposed(public, seat)
        points[seat] = -options.stake * ((3 if lost_big else 1) + burned + bonus)
    points[winner] = -sum(points)
    return tuple(points)


def settled(options: TongItsOptions, carry: Carry, outcome: Outcome) -> tuple[tuple[int, ...], Carry]:
    """A round's points with antes and pot, and what the pot holds after it."""
    if options.scoring == "wins":
        return outcome.points, carry
    pot = carry.pot + 3 * options.ante
    points = [won - options.ante for won in outcome.points]
    if not outcome.winners:
        return tuple(points), Carry(pot)
    winner = outcome.winners[0]
    if options.hitter_pot and carry.hitter != winner:
        return tuple(points), Carry(pot, winner)
    points[winner] += pot
    return tuple(points), Carry()

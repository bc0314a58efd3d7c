"""Moments of Tiến lên, from text: what ana in seat 0 sees, and the context in which she types."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from p2pcards.cards import NONE, THREE_LOW, Cards, cards_of, deck
from p2pcards.commands.context import Context
from p2pcards.games.base import Dealt, Seat
from p2pcards.games.options import read_options
from p2pcards.games.tienlen import TienLen
from p2pcards.games.tienlen.combos import combo_of
from p2pcards.games.tienlen.state import Act, Phase, Public, View
from tests.testing.dice import dice
from tests.testing.playing import playing

NICKS = ("ana", "ben", "cy", "dan")


def cards(text: str) -> Cards:
    """A set of cards."""
    return cards_of(THREE_LOW.parse_all(text))


def game(options: dict[str, str] | None = None) -> TienLen:
    """The game under these options."""
    return TienLen(read_options(TienLen, options or {}))


def trick(text: str) -> tuple[Act, ...]:
    """`1 5S, 2 pass, 3 9D`: seats and what they played."""
    acts = []
    for part in filter(None, text.split(", ")):
        seat, what = part.split(" ", 1)
        acts.append(Act(Seat(int(seat)), NONE if what == "pass" else cards(what)))
    return tuple(acts)


def spot(
    hand: str,
    acts: str = "",
    *,
    turn: int = 0,
    counts: tuple[int, ...] = (0, 9, 9, 9),
    places: tuple[int, ...] = (),
    phase: Phase | None = None,
    must: str = "",
    seat: int | None = 0,
) -> View:
    """ana's view. acts: the trick as for `trick`, whose last play is to be beaten; counts: of the others."""
    held = cards(hand) if seat is not None else NONE
    done = trick(acts)
    plays = [act for act in done if act.cards]
    passed = {act.seat for act in done if not act.cards}
    public = Public(
        phase=phase or (Phase.FOLLOW if plays else Phase.LEAD),
        turn=Seat(turn),
        starter=Seat(0),
        leader=plays[0].seat if plays else Seat(turn),
        counts=(counts[0] or held.bit_count(), *counts[1:]),
        must=THREE_LOW.parse(must) if must else None,
        pile=combo_of(plays[-1].cards) if plays else None,
        owner=plays[-1].seat if plays else None,
        trick=done,
        passed=tuple(seat in passed for seat in range(len(counts))),
        played=Cards(sum(act.cards for act in plays)),
        active=tuple(any(act.seat == seat for act in plays) for seat in range(len(counts))),
        places=tuple(map(Seat, places)),
        three=False,
        chops=(),
        instant=None,
        reason=None,
        winners=(),
        shown=(),
    )
    return View(None if seat is None else Seat(seat), public, held)


def played(hands: tuple[str, ...], *lines: str, options: dict[str, str] | None = None, seat: int | None = 0) -> View:
    """What a seat sees after these acts of whoever's turn it is, seat 0 leading: `3S 4S 5S`, `pass`."""
    rules = game(options)
    state = rules.position(Dealt(tuple(map(cards, hands)), ()), Seat(0))
    for line in lines:
        text = line if line == "pass" else f"play {line}"
        state = rules.step(state, state.public.turn, rules.parse(text))
    return rules.view(state, None if seat is None else Seat(seat))


def context(view: View, options: dict[str, str] | None = None, **more: Any) -> Context:
    """The context of that view in an open round."""
    return playing(game(options), view, NICKS[: len(view.public.counts)], **more)


def random_views(seed: int, options: dict[str, str] | None = None, seats: int = 4) -> Iterator[tuple[View, View]]:
    """Of a round played by chance: each view of whoever is to act, and what the next seat sees meanwhile."""
    rng = dice(seed)
    rules = game(options)
    order = list(deck())
    rng.shuffle(order)
    state = rules.deal(order, seats, Seat(rng.randrange(seats)))
    while acting := rules.to_act(rules.view(state, None)):
        view = rules.view(state, acting[0])
        yield view, rules.view(state, Seat((acting[0] + 1) % seats))
        state = rules.step(state, acting[0], rng.choice(list(rules.legal_actions(view))))

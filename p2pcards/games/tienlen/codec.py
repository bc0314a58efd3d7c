"""A view as bytes: msgpack, one byte for each card, so that the length tells how many cards and nothing about which."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from p2pcards.cards import DECK, Card, Cards, by_bytes, cards_of, gathered
from p2pcards.games.base import Seat
from p2pcards.games.tienlen.combos import combo_of
from p2pcards.games.tienlen.state import Act, Chop, Hand, Instant, Phase, Public, Reason, View

_CARDS = by_bytes([Card(card) for card in range(DECK)])

_Seat = Annotated[Seat, Meta(ge=0, le=3)]
_Count = Annotated[int, Meta(ge=0, le=DECK)]
_Face = Annotated[Card, Meta(ge=0, lt=DECK)]
_Faces = Annotated[bytes, Meta(max_length=DECK)]
_Each = Meta(min_length=2, max_length=4)  # one for each seat
_Seats = Annotated[tuple[_Seat, ...], Meta(max_length=4)]


class _Wire(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    seat: _Seat | None
    hand: _Faces
    phase: Phase
    turn: _Seat
    starter: _Seat
    leader: _Seat
    counts: Annotated[tuple[_Count, ...], _Each]
    must: _Face | None
    pile: _Faces
    owner: _Seat | None
    trick: Annotated[tuple[tuple[_Seat, _Faces], ...], Meta(max_length=4 * DECK)]
    passed: Annotated[tuple[bool, ...], _Each]
    played: _Faces
    active: Annotated[tuple[bool, ...], _Each]
    places: _Seats
    three: bool
    chops: Annotated[tuple[tuple[_Seat, _Seat, _Faces], ...], Meta(max_length=4)]
    instant: tuple[_Seat, Hand, _Faces] | None
    reason: Reason | None
    winners: _Seats
    shown: Annotated[tuple[_Faces, ...], Meta(max_length=4)]


_ENCODER = msgspec.msgpack.Encoder()
_DECODER = msgspec.msgpack.Decoder(_Wire)


def encode(view: View) -> bytes:
    """Equal views give equal bytes."""
    public, instant = view.public, view.public.instant
    return _ENCODER.encode(
        _Wire(
            view.seat,
            _faces(view.hand),
            public.phase,
            public.turn,
            public.starter,
            public.leader,
            public.counts,
            public.must,
            b"" if public.pile is None else _faces(public.pile.cards),
            public.owner,
            tuple((act.seat, _faces(act.cards)) for act in public.trick),
            public.passed,
            _faces(public.played),
            public.active,
            public.places,
            public.three,
            tuple((chop.bomber, chop.owner, _faces(chop.twos)) for chop in public.chops),
            None if instant is None else (instant.seat, instant.kind, _faces(instant.cards)),
            public.reason,
            public.winners,
            tuple(map(_faces, public.shown)),
        )
    )


def decode(data: bytes) -> View:
    """The view of these bytes; raises msgspec.MsgspecError unless `encode` wrote them."""
    wire = _DECODER.decode(data)
    if len({len(wire.counts), len(wire.passed), len(wire.active)}) > 1:
        raise msgspec.ValidationError("not one of each for every seat")
    pile = combo_of(_cards(wire.pile))
    if wire.pile and pile is None:
        raise msgspec.ValidationError("a pile that is no combination")
    public = Public(
        wire.phase,
        wire.turn,
        wire.starter,
        wire.leader,
        wire.counts,
        wire.must,
        pile,
        wire.owner,
        tuple(Act(seat, _cards(cards)) for seat, cards in wire.trick),
        wire.passed,
        _cards(wire.played),
        wire.active,
        wire.places,
        wire.three,
        tuple(Chop(bomber, owner, _cards(twos)) for bomber, owner, twos in wire.chops),
        None if wire.instant is None else Instant(*wire.instant[:2], _cards(wire.instant[2])),
        wire.reason,
        wire.winners,
        tuple(map(_cards, wire.shown)),
    )
    view = View(wire.seat, public, _cards(wire.hand))
    seats = range(len(public.counts))
    if not all(seat is None or seat in seats for seat in _seats(view)) or len(public.shown) not in (0, len(seats)):
        raise msgspec.ValidationError("a seat that there is not")
    if encode(view) != data:
        raise msgspec.ValidationError("cards out of order, or not the shortest form")
    return view


def _seats(view: View) -> list[Seat | None]:
    """Every seat that the view names."""
    public = view.public
    seats = [view.seat, public.turn, public.starter, public.leader, public.owner, *public.places, *public.winners]
    seats += [act.seat for act in public.trick]
    seats += [seat for chop in public.chops for seat in (chop.bomber, chop.owner)]
    return [*seats, public.instant.seat if public.instant else None]


def _faces(cards: Cards) -> bytes:
    return bytes(gathered(_CARDS, cards))


def _cards(faces: bytes) -> Cards:
    if any(face >= DECK for face in faces):
        raise msgspec.ValidationError("a card that there is not")
    return cards_of(map(Card, faces))

"""Hypothesis strategies for everything that travels, read off the structs themselves."""

from __future__ import annotations

from typing import Any, TypeVar

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

from p2pcards.wire.entries import Cause, Pub, Roster, SeatKind, SeatPub
from p2pcards.wire.envelope import ActKind, Envelope
from p2pcards.wire.messages import ForkSay, Hello, Info, Message, Peers

S = TypeVar("S", bound=msgspec.Struct)

KEYS = st.binary(min_size=32, max_size=32)
TABLES = st.binary(min_size=16, max_size=16)
TEXTS = st.text(max_size=20)
U8S = st.integers(0, 2**8 - 1)
U32S = st.integers(0, 2**32 - 1)
U64S = st.integers(0, 2**64 - 1)
ADDRESSES = st.lists(st.binary(min_size=6, max_size=6) | st.binary(min_size=18, max_size=18), max_size=8).map(tuple)

SEATS = st.one_of(
    st.just(SeatPub(SeatKind.OPEN)),
    st.builds(SeatPub, st.just(SeatKind.MEMBER), KEYS, TEXTS, U8S),
    st.builds(SeatPub, st.just(SeatKind.BOT), KEYS | st.just(b""), TEXTS, st.just(0), TEXTS),
)
_ROSTER = st.lists(SEATS, max_size=4).map(tuple), st.lists(KEYS, max_size=4).map(tuple)
_WATCHING = st.lists(st.tuples(KEYS, TEXTS), max_size=3).map(tuple)
_OTHER_CAUSES = st.sampled_from([cause for cause in Cause if cause is not Cause.LEAVES])
ROSTERS = st.builds(Roster, *_ROSTER, _WATCHING, _OTHER_CAUSES, KEYS | st.just(b"")) | st.builds(
    Roster,
    *_ROSTER,
    _WATCHING,
    st.just(Cause.LEAVES),
    KEYS,
    st.binary(min_size=1, max_size=512),
    st.binary(min_size=64, max_size=64),
)

_PAYLOADS = {
    ActKind.ACT: TEXTS.map(str.encode),
    ActKind.VOTE: TEXTS.map(str.encode),
    ActKind.OPENING: st.binary(min_size=36, max_size=68),
    ActKind.LEAVE: st.binary(min_size=5, max_size=5),
}
ENVELOPES = st.sampled_from(list(ActKind)).flatmap(
    lambda kind: st.builds(Envelope, TABLES, U32S, U8S, U32S, U64S, KEYS, st.just(kind), _PAYLOADS.get(kind, KEYS))
)


def messages(body: type[Message]) -> st.SearchStrategy[Message]:
    """Every message of one kind."""
    if body is Hello:
        return structs(Hello, addresses=ADDRESSES, resume=st.just(()) | st.tuples(TABLES, U64S, KEYS))
    if body is Info:
        return structs(Info, addresses=ADDRESSES)
    if body is Peers:
        return structs(Peers, peers=st.lists(st.tuples(KEYS, ADDRESSES), max_size=3).map(tuple))
    if body is ForkSay:
        yes = structs(ForkSay, yes=st.just(True), sig=st.binary(min_size=64, max_size=64))
        return yes | structs(ForkSay, yes=st.just(False), sig=st.just(b""))
    return structs(body)


def pubs(pub: type[Pub]) -> st.SearchStrategy[Pub]:
    """Every body of one kind of entry."""
    return ROSTERS if pub is Roster else structs(pub)


def structs(struct: type[S], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[S]:
    """Every value of a struct whose fields are read off its types, except those given."""
    info = inspect.type_info(struct)
    assert isinstance(info, inspect.StructType)
    fields = {field.name: given[field.name] if field.name in given else _values(field.type) for field in info.fields}
    return st.builds(struct, **fields)


def _values(kind: inspect.Type) -> st.SearchStrategy[Any]:
    match kind:
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType(ge=low, le=high):
            return st.integers(low, 2**64 - 1 if high is None else high)
        case inspect.StrType(max_length=longest):
            return st.text(max_size=min(longest or 0, 20))
        case inspect.BytesType(min_length=shortest, max_length=longest):
            return st.binary(min_size=shortest or 0, max_size=100 if longest is None else longest)
        case inspect.EnumType(cls=enum):
            return st.sampled_from(enum)
        case inspect.VarTupleType(item_type=item):
            return st.lists(_values(item), max_size=3).map(tuple)
        case inspect.TupleType(item_types=items):
            return st.tuples(*map(_values, items))
        case inspect.StructType(cls=struct):
            return structs(struct)
    raise TypeError(f"no strategy for {kind}")

"""What can be seen in the source alone (protocol 10, suite 15)."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import pytest
from msgspec import Struct, inspect

from p2pcards.net.opening import Setup
from p2pcards.table.door import Gate
from p2pcards.table.effects import Agreed, Effects, LinkId
from p2pcards.table.notices import PakeRun
from p2pcards.table.ticket import Ticket
from p2pcards.wire.code import Joining
from p2pcards.wire.entries import PUBS, Disclose, Entry, EntryFlag, EntryKind, encode_pub
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.handshake import Initiator, Responder, Session
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import BODIES
from p2pcards.wire.records import Opener, Sealer
from tests.testing.house import PACKAGE, module_name, relative, sources
from tests.testing.tally import Tally

SUITE = "15 rules that the source keeps"


@cache
def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"), str(file))


def offenders(search: Callable[[ast.Module], list[str]], folder: Path = PACKAGE) -> dict[str, list[str]]:
    """The files where the search finds something, and what."""
    files = sources(folder)
    assert len(files) > 10
    return {relative(file): found for file in files if (found := search(tree(file)))}


# ---- 1: tags are compared in constant time

TAGS = {"tag", "mac", "hmac", "sig", "signature", "hostsig", "actsig", "proof", "confirm_i", "confirm_r", "secret"}
_EQUALS = ast.Eq | ast.NotEq | ast.In | ast.NotIn


def names(node: ast.expr) -> Iterator[str]:
    """The names whose bytes an operand stands for; len(tag) stands for none."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            yield name
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in TAGS:
            yield name
        case ast.Subscript(value=value):
            yield from names(value)


def compared_tags(module: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.Compare) and any(isinstance(op, _EQUALS) for op in node.ops):
            operands = [node.left, *node.comparators]
            found += [name for operand in operands for name in names(operand) if name.lstrip("_") in TAGS]
    return found


def test_the_search_for_compared_tags_finds_them() -> None:
    guilty = "tag == mac(k, m); m.sig != x; tag[:4] == y; len(tag) == 32; mac(k, m) == z; proof in known"
    assert sorted(compared_tags(ast.parse(guilty))) == ["mac", "mac", "proof", "sig", "tag", "tag"]


def test_tags_are_compared_in_constant_time_only(tally: Tally) -> None:
    assert offenders(compared_tags) == {}
    tally(SUITE)


# ---- 2: dice that can be foretold


def misused_dice(module: ast.Module) -> list[str]:
    """What is taken from the module `random` beyond a bot's whims and the length of a pause."""
    found = []
    for node in ast.walk(module):
        match node:
            case ast.Attribute(value=ast.Name(id="random"), attr=name) if name not in ("Random", "uniform"):
                found.append(name)
            case ast.ImportFrom(module="random"):
                found.append("from random")
            case ast.alias(name="random", asname=str()):
                found.append("as")
    return found


def test_the_search_for_misused_dice_finds_them() -> None:
    guilty = "import random as r; from random import choice; random.randbytes(32); random.Random(seed)"
    assert sorted(misused_dice(ast.parse(guilty))) == ["as", "from random", "randbytes"]


def test_dice_that_can_be_foretold_decide_no_secret(tally: Tally) -> None:
    """Below the shells one module imports them, what bots think with: a contract of pyproject.toml."""
    assert offenders(misused_dice) == {}
    tally(SUITE)


# ---- 3: nothing is decoded without a type


def anything(module: ast.Module) -> list[str]:
    return [node.id for node in ast.walk(module) if isinstance(node, ast.Name) and node.id == "Any"]


def test_nothing_on_the_wire_is_of_any_type(tally: Tally) -> None:
    assert offenders(anything, PACKAGE / "wire") == {}
    tally(SUITE)


@pytest.mark.parametrize("body", [*BODIES.values(), *PUBS.values()])
def test_no_field_is_decoded_without_a_type(body: type) -> None:
    def check(kind: inspect.Type) -> None:
        assert not isinstance(kind, inspect.AnyType | inspect.RawType)
        match kind:
            case inspect.StructType(fields=fields):
                for field in fields:
                    check(field.type)
            case inspect.TupleType(item_types=kinds) | inspect.UnionType(types=kinds):
                for item in kinds:
                    check(item)
            case inspect.VarTupleType(item_type=item):
                check(item)

    info = inspect.type_info(body)
    assert isinstance(info, inspect.StructType)
    assert info.array_like
    assert info.forbid_unknown_fields
    check(info)


# ---- 4: no check vanishes under optimisation


def asserts(module: ast.Module) -> list[str]:
    return [ast.unparse(node) for node in ast.walk(module) if isinstance(node, ast.Assert)]


def test_no_check_vanishes_under_optimisation(tally: Tally) -> None:
    assert offenders(asserts) == {}
    tally(SUITE)


# ---- 5: secrets have no telling repr

SECRET = {"secret", "secrets", "salt", "lab", "code"}
"""Fields that hold one, where they are text or bytes."""
SHOWN = {"CodeIs", "Opened", "TableView", "Context", "Answer"}
"""Have the code in order to show it, or to take it from whoever types it."""
OTHER_CODES = {"Refused", "Problem", "Remark", "Finding"}
"""Their code says which sentence it is."""


def structs() -> Iterator[type[Struct]]:
    """Every struct of the package."""
    for file in sources():
        if file.name != "__main__.py":
            importlib.import_module(module_name(file))
    waiting = [Struct]
    while waiting:
        for struct in waiting.pop().__subclasses__():
            waiting.append(struct)
            if struct.__module__.startswith("p2pcards."):
                yield struct


def test_every_struct_with_a_secret_has_a_repr_of_its_own(tally: Tally) -> None:
    telling = set()
    for struct in structs():
        types = {name: struct.__annotations__.get(name) for name in SECRET & set(struct.__struct_fields__)}
        if any(kind != "bool" for kind in types.values()) and struct.__repr__ is Struct.__repr__:
            telling.add(struct.__name__)
    assert telling == SHOWN | OTHER_CODES
    tally(SUITE)


CODE = "mango-tiger"
RAW = b"mango-tiger" * 2 + b"zoo-mango-"
ENTRY = Entry(EntryKind.DISCLOSE, EntryFlag(0), NO_SEAT, 1, 1, 1, bytes(32), 0, encode_pub(Disclose(1, RAW)))


@pytest.mark.parametrize(
    "secret",
    [
        Identity(RAW),
        Initiator(Identity(RAW), RAW),
        Responder(Identity(RAW), RAW),
        Sealer(RAW, RAW),
        Opener(RAW, RAW),
        Session(bytes(32), bytes(32), Sealer(RAW, RAW), Opener(RAW, RAW)),
        Joining(CODE, bytes(32), bytes(32), bytes(32), lambda count: bytes(count - 1) + b"\1"),
        Ticket("code", CODE, RAW),
        Gate(lab=RAW, code=CODE),
        Setup("ana", code=CODE, lab=RAW),
        PakeRun(LinkId(1), CODE, bytes(32), bytes(32), bytes(33)),
        Agreed(LinkId(1), bytes(33), RAW),
        Effects(secrets=(("round", RAW),), entries=(RAW,)),
        Disclose(1, RAW),
        ENTRY,
    ],
    ids=lambda secret: type(secret).__name__,
)
def test_nothing_that_is_logged_by_chance_tells_a_secret(secret: object) -> None:
    for shown in (repr(secret), str(secret), f"{(secret,)}"):
        assert not [part for part in ("mango", "tiger", RAW.hex()) if part in shown]

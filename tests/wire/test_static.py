"""What can be seen in the source alone (protocol 10, suite 15)."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec import inspect

import p2pcards
from p2pcards.wire.entries import PUBS
from p2pcards.wire.messages import BODIES

PACKAGE = Path(p2pcards.__file__).parent
WIRE = sorted((PACKAGE / "wire").glob("*.py"))
TAGS = {"tag", "mac", "sig", "signature", "hostsig", "actsig", "proof"}

every_wire_file = pytest.mark.parametrize("file", WIRE, ids=lambda file: file.name)


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"), str(file))


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
        if isinstance(node, ast.Compare) and any(isinstance(op, ast.Eq | ast.NotEq) for op in node.ops):
            operands = [node.left, *node.comparators]
            found += [name for operand in operands for name in names(operand) if name.lstrip("_") in TAGS]
    return found


def test_the_search_for_compared_tags_finds_them() -> None:
    guilty = "tag == mac(k, m); m.sig != x; tag[:4] == y; len(tag) == 32; mac(k, m) == z"
    assert sorted(compared_tags(ast.parse(guilty))) == ["mac", "mac", "sig", "tag", "tag"]


@every_wire_file
def test_tags_are_compared_in_constant_time_only(file: Path) -> None:
    assert compared_tags(tree(file)) == []


@every_wire_file
def test_nothing_on_the_wire_is_of_any_type(file: Path) -> None:
    assert not [node for node in ast.walk(tree(file)) if isinstance(node, ast.Name) and node.id == "Any"]


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


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.py")), ids=lambda file: str(file.relative_to(PACKAGE)))
def test_no_check_vanishes_under_optimisation(file: Path) -> None:
    assert not [node for node in ast.walk(tree(file)) if isinstance(node, ast.Assert)]

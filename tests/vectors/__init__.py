"""Known answers (protocol, appendix A) as JSON, so that any other program can be held against them too."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import MarkDecorator

Vector = dict[str, Any]
Answers = Callable[[Vector], Vector]
"""Reads the inputs of a known answer and gives the rest of it."""


def load(name: str) -> dict[str, Any]:
    """The known answers of one file here."""
    loaded: dict[str, Any] = json.loads(Path(__file__).with_name(f"{name}.json").read_text("utf-8"))
    return loaded


def every(names: Mapping[str, int]) -> MarkDecorator:
    """Runs a test with each known answer of these files: `name` of the file, and `vector`."""
    return pytest.mark.parametrize(
        ("name", "vector"),
        [pytest.param(name, vector, id=f"{name}-{n}") for name in names for n, vector in enumerate(vectors(name))],
    )


def vectors(name: str) -> list[Vector]:
    """Those of one file, in order."""
    found: list[Vector] = load(name)["vectors"]
    return found


def check(answers: Answers, vector: Vector) -> None:
    """Its answers are the vector's, each of them, and there is more in it than answers: the question."""
    made = answers(vector)
    assert {name: vector[name] for name in made} == made
    assert len(made) < len(vector)


def unhex(vector: Vector) -> Callable[[str], bytes]:
    """Reads bytes of it by name."""
    return lambda name: bytes.fromhex(vector[name])


def hexed(**values: bytes) -> Vector:
    """Bytes as they are written in a vector."""
    return {name: value.hex() for name, value in values.items()}

"""Programs with one thing wrong in them, to show that the tests would notice."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest

Anything = Callable[..., Any] | property


class Survived(AssertionError):
    """A test passes though what it tests is wrong."""


def mutate(patch: pytest.MonkeyPatch, changed: Anything, old: str, new: str) -> None:
    """Writes `new` for `old`, which stands once in the source of a function, wherever that function is called from.

    AssertionError where `old` does not stand there: the code has moved on, and its mutant must follow.
    """
    function = _function(changed)
    source = textwrap.dedent(inspect.getsource(function))
    assert source.count(old) == 1, f"{function.__qualname__} has {source.count(old)} times {old!r}"
    scope: dict[str, Any] = {}
    future = "from __future__ import annotations\n"
    exec(compile(future + source.replace(old, new), "a mutant", "exec"), function.__globals__.copy(), scope)  # noqa: S102 - our own source, one word changed
    patch.setattr(function, "__code__", _function(scope[function.__name__]).__code__)


def _function(thing: Any) -> FunctionType:
    inner: Any = thing.fget if isinstance(thing, property) else thing
    found = inspect.unwrap(getattr(inner, "__func__", inner))
    assert isinstance(found, FunctionType)
    return found


def kills(test: Callable[[], Any]) -> None:
    """The test must fail; raises Survived where it passes."""
    try:
        test()
    except (Exception, pytest.fail.Exception):
        return
    raise Survived

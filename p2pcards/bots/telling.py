"""Views as plain values that any language reads: a card as its text, a set of cards as the list of their texts.

How a view is told follows from the types of its fields, so a new field or a new game needs no line here.

    telling = telling_of(game)
    telling.tell(view)                  # {"seat": 0, "public": {…}, "hand": ["7H", "8H"]}
    telling.read(told) == view
    telling.shape                       # the type of what is told: `msgspec.json.schema` knows it
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, NamedTuple, NewType, Union, get_args, get_origin, get_type_hints

from msgspec import Meta, Struct, defstruct

from p2pcards.cards import DECK, Card, Cards, Ranking, in_order
from p2pcards.games.base import Game

CARD_TEXT = Annotated[str, Meta(pattern="^[A23456789TJQK][CDHS]$")]
"""A card: its rank, then its suit. Copies from several decks have the same text."""

_PLAIN = (int, bool, str, float)


class _Form(NamedTuple):
    """How the values of one type are told. shape: the type that they are told as."""

    shape: Any
    tell: Callable[[Any], Any]
    read: Callable[[Any], Any]


class Telling:
    """Views of one type, under one ranking of the cards."""

    def __init__(self, view: type[Struct], ranking: Ranking) -> None:
        """Raises TypeError where the view has a field that can't be told."""
        self.shape, self.tell, self.read = _form(view, ranking)


def telling_of(game: Game[Any, Any, Any]) -> Telling:
    """How the views of that game are told."""
    return _telling(type(game))


@lru_cache(32)
def _telling(game: type[Game[Any, Any, Any]]) -> Telling:
    return Telling(get_type_hints(game.view)["return"], game.ranking)


def _form(kind: Any, ranking: Ranking) -> _Form:
    origin, inner = get_origin(kind), get_args(kind)
    if kind is Card:
        return _Form(CARD_TEXT, ranking.format, ranking.parse)
    if kind is Cards:
        return _cards(ranking)
    if isinstance(kind, NewType):
        return _form(kind.__supertype__, ranking)
    if kind in _PLAIN:
        return _Form(kind, _as_it_is, _as_it_is)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _Form(kind, lambda value: value.value, kind)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return _struct(kind, ranking)
    if origin is tuple and inner[-1] is ...:
        return _row(_form(inner[0], ranking))
    if origin is tuple:
        return _together([_form(each, ranking) for each in inner])
    if origin in (Union, UnionType) and len(inner) == 2 and type(None) in inner:
        return _perhaps(_form(next(each for each in inner if each is not type(None)), ranking))
    raise TypeError(f"{kind} can't be told")


def _as_it_is(value: Any) -> Any:
    return value


def _cards(ranking: Ranking) -> _Form:
    def tell(cards: Cards) -> list[str]:
        return list(map(ranking.format, in_order(cards)))

    def read(told: list[str]) -> Cards:
        held = 0
        for text in told:
            card: int = ranking.parse(text)
            while held >> card & 1:  # the next copy
                card += DECK
            held |= 1 << card
        return Cards(held)

    return _Form(list[CARD_TEXT], tell, read)


def _struct(kind: type[Struct], ranking: Ranking) -> _Form:
    types = get_type_hints(kind)
    forms = [(name, _form(types[name], ranking)) for name in kind.__struct_fields__]
    fields = [(name, form.shape) for name, form in forms]
    shape = defstruct(kind.__name__, fields, namespace={"__doc__": kind.__doc__}, module=kind.__module__)

    def tell(value: Any) -> dict[str, Any]:
        return {name: form.tell(getattr(value, name)) for name, form in forms}

    def read(told: dict[str, Any]) -> Any:
        return kind(**{name: form.read(told[name]) for name, form in forms})

    return _Form(shape, tell, read)


def _row(of: _Form) -> _Form:
    def tell(values: Any) -> list[Any]:
        return [of.tell(value) for value in values]

    def read(told: list[Any]) -> Any:
        return tuple(of.read(each) for each in told)

    return _Form(list[of.shape], tell, read)  # type: ignore[name-defined]  # a type that is known when it runs


def _together(forms: list[_Form]) -> _Form:
    def tell(values: Any) -> list[Any]:
        return [form.tell(value) for form, value in zip(forms, values, strict=True)]

    def read(told: list[Any]) -> Any:
        return tuple(form.read(each) for form, each in zip(forms, told, strict=True))

    return _Form(tuple[tuple(form.shape for form in forms)], tell, read)  # type: ignore[misc]  # as above


def _perhaps(of: _Form) -> _Form:
    def tell(value: Any) -> Any:
        return None if value is None else of.tell(value)

    def read(told: Any) -> Any:
        return None if told is None else of.read(told)

    return _Form(of.shape | None, tell, read)

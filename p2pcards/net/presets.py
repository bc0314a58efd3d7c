"""A preset put on a table of our own."""

from __future__ import annotations

from p2pcards.commands.presets import Rules
from p2pcards.errors import InvalidOption, UserError
from p2pcards.games.options import Rules as GameRules
from p2pcards.games.options import explained, read_options
from p2pcards.net.sitting import Sitting
from p2pcards.table.settings import DEFAULTS, check_setting


def usable(game: GameRules, rules: Rules) -> tuple[dict[str, str], tuple[str, ...]]:
    """The rules that there are, by name; and those that there are no more, or not with that value: `key value`."""
    kept: dict[str, str] = {}
    gone = []
    for key, value in rules:
        try:
            if key in DEFAULTS:
                check_setting(game.name, key, value)
            else:
                read_options(game, {key: value})
        except InvalidOption:
            gone.append(f"{key} {value}")
        else:
            kept[key] = value
    return kept, tuple(gone)


def load_rules(sitting: Sitting, rules: Rules) -> tuple[str, ...]:
    """Orders the rules and the default of every other; returns what there is no more.

    UserError where they can't be, all at once, and nothing has changed then.
    """
    game = sitting.guest.public.rules
    wanted, gone = usable(type(game), rules)
    usual = {option.name: option.default for option in explained(type(game))} | dict(DEFAULTS)
    before = _agreed(sitting)
    todo = {key: wanted.get(key, usual[key]) for key in usual}
    try:
        _order(sitting, todo, usual)
    except UserError:
        _order(sitting, {key: before.get(key, usual[key]) for key in usual}, usual)
        raise
    return gone


def _agreed(sitting: Sitting) -> dict[str, str]:
    books = sitting.guest.public
    return dict((*books.options, *books.settings))


def _order(sitting: Sitting, todo: dict[str, str], usual: dict[str, str]) -> None:
    """One after the other; one that does not go with what is still there is tried again behind the others."""
    now = _agreed(sitting)
    left = {key: value for key, value in todo.items() if value != now.get(key, usual[key])}
    refused: UserError | None = None
    while left:
        again = {}
        for key, value in left.items():
            try:
                sitting.order("set", key, value)
            except UserError as error:
                refused = error
                again[key] = value
        if len(again) == len(left) and refused is not None:
            raise refused
        left = again

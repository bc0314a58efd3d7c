"""A preset put on a table of our own."""

from __future__ import annotations

from p2pcards.commands.presets import Rules
from p2pcards.errors import InvalidOption
from p2pcards.games.options import Rules as GameRules
from p2pcards.games.options import read_options
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
    """Orders the rules and the default of every other; returns what there is no more. A hidden table stays hidden.

    UserError where they can't be all at once; nothing has changed then.
    """
    wanted, gone = usable(type(sitting.guest.public.rules), rules)
    wanted.setdefault("hidden", sitting.guest.public.setting("hidden"))
    sitting.order("rules", *(word for rule in wanted.items() for word in rule))
    return gone

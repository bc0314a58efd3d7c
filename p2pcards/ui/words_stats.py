"""What matches came to, in tables as wide as the screen and in sentences for who is read to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import isnan, nan
from typing import NamedTuple

from msgspec.structs import replace

from p2pcards.table.merits import Against, Merit, Merits, Rating, Tally
from p2pcards.ui.voice import counted, listed
from p2pcards.ui.width import cells, clean, cut, pad, wrap

TITLES = {"onecard": "One Card", "straights": "Straights", "tienlen": "Tiến lên", "tongits": "Tong-its"}
"""Of the games of `games.registry`, which are long to load."""

LOW = frozenset({"straights"})
"""Games in which few points are good, whatever the options."""

ENDINGS = {
    "blocked": "blocked",
    "call": "a call",
    "exhausted": "the stock ran out",
    "instant": "won as dealt",
    "out": "out of cards",
    "played": "all cards played",
    "tongits": "tongits",
}
"""Reasons of `Outcome`, of all games."""

COUNTING = "The matches in the history are counted…"

MOST = 10
"""People in the table of one game of several."""
MOST_OTHERS = 20
MOST_NAMESAKES = 5
"""People of one name who are told of; those with the most matches."""

_NAME_CELLS = 10
"""What a name keeps where the screen is narrow."""

_MARGIN = "  "


class _Column(NamedTuple):
    """drop: the higher, the sooner it goes where there is no room; 0 stays."""

    head: str
    of: Callable[[Tally, Rating | None], str]
    drop: int = 0


_COLUMNS = (
    _Column("rating", lambda tally, rating: "" if rating is None else _rating(rating)),
    _Column("sure", lambda tally, rating: "" if rating is None else f"{rating.ordinal:.1f}", 3),
    _Column("matches", lambda tally, rating: str(tally.games)),
    _Column("won", lambda tally, rating: str(tally.wins)),
    _Column("share", lambda tally, rating: _percent(tally.share), 1),
    _Column("places", lambda tally, rating: _places(tally), 5),
    _Column("points", lambda tally, rating: "" if isnan(tally.points) else f"{tally.points:.2f}", 4),
    _Column("row", lambda tally, rating: f"{tally.streak:+d}", 2),
)
_Row = tuple[str, Tally, Rating | None, bool]
"""Who; what came of it; rated how; and whether it is the owner's, which is always shown."""

_NEVER_WHOLE = frozenset({"rating", "sure", "points"})
"""What compares within one game alone."""


def leaders(found: Merits, width: int, game: str = "") -> list[str]:
    """The tables: all games where there are several, each game, and the bots. game: nothing else was asked for."""
    lines: list[str] = []
    doubles = _doubles(found.people)
    most = len(found.people) if game else MOST
    if not found.people:
        lines += ["Only bots have played so far.", ""]
    elif len(found.matches) > 1:
        lines += [f"All games, {_matches(sum(found.matches.values()))}"]
        everybody: list[_Row] = [(_who(one, doubles), one.whole, None, one.own) for one in found.people]
        lines += [*_ranked(everybody, width, _NEVER_WHOLE, most), *_more(len(everybody) - most), ""]
    for of in sorted(found.matches):
        people = sorted((one for one in found.people if of in one.games), key=lambda one: _rank(one, of))
        rows = [(_who(one, doubles), one.games[of], one.ratings.get(of), one.own) for one in people]
        if not rows:
            continue
        lines += [f"{title(of)}, {_matches(found.matches[of])}"]
        unrated = frozenset() if any(of in one.ratings for one in people) else frozenset({"rating", "sure"})
        shown = _ranked(rows, width, unrated, most)
        lines += [*shown, *_more(len(rows) - most, f": `stats --game {of}` lists everybody"), ""]
    if found.bots:
        lines += [*_bots(found, width), ""]
    lines += _meaning(found.matches, any(one.ratings for one in found.people), width)
    return [cut(line, width) for line in lines]


def person(one: Merit, width: int) -> list[str]:
    """Everything about one person who has played."""
    lines = [*_wrapped(_about(one), width), ""]
    whole = {"": replace(one.whole, points=nan)} if len(one.games) > 1 else {}
    wide = {**one.games, **whole}
    rows = [(title(of) if of else "All games", tally, one.ratings.get(of), False) for of, tally in wide.items()]
    lines += _table(rows, width, frozenset() if one.ratings else frozenset({"rating", "sure"}))
    lines += _wrapped(_endings(one), width)
    for head, met in (("Against", one.others), ("Against bots", one.bots)):
        if met:
            lines += ["", *_against(head, met, width)]
    lines += ["", *_meaning(one.games, bool(one.ratings), width)]
    return [cut(line, width) for line in lines]


def sentences(found: Merits, game: str = "") -> list[str]:
    """The leaders, one sentence each, and the bots."""
    doubles, lines = _doubles(found.people), list[str]()
    most = len(found.people) if game else MOST
    for of in sorted(found.matches):
        lines.append(f"{title(of)}, {_matches(found.matches[of])}.")
        people = sorted((one for one in found.people if of in one.games), key=lambda one: _rank(one, of))
        for place, one in enumerate(people, 1):
            if place <= most or one.own:
                lines.append(f"{place} {_who(one, doubles)}: {_tallied(one.games[of], one.ratings.get(of))}.")
        bots = found.bots.get(of, {})
        lines += [f"bot {clean(level)}: {_tallied(tally, None)}." for level, tally in bots.items()]
    return lines


def told(one: Merit) -> list[str]:
    """One person, in sentences."""
    lines = _about(one)
    lines += [f"{title(of)}: {_tallied(tally, one.ratings.get(of))}." for of, tally in one.games.items()]
    lines += _endings(one)
    for who, met in _names(one.others)[:MOST_OTHERS]:
        lines.append(f"Against {who}: {_matches(met.games)}, ahead {_often(met.ahead)}, behind {_often(met.behind)}.")
    return lines


def several(name: str, found: Sequence[Merit]) -> str:
    """That a name is that of more than one person, and how to ask for one."""
    ways = listed([f"`stats {_chip(one.key)}`" for one in found[:MOST_NAMESAKES] if one.key], "or")
    only = f"; {ways} shows one alone" if ways else ""
    here = f", and {MOST_NAMESAKES} of them stand here" if len(found) > MOST_NAMESAKES else ""
    return f"{len(found)} people go by the name {clean(name)}{here}{only}."


def nobody(name: str, game: str = "") -> str:
    """That the history has no match with them."""
    of = f" of {title(game)}" if game else ""
    return f"No finished match{of} with {clean(name)} is in the history."


def nothing(begin: str, game: str = "") -> str:
    """That there is nothing to count yet. begin: what is typed to play."""
    of = f" of {title(game)}" if game else ""
    play = f"`{begin} {game or 'tongits'}` plays one"
    return f"No match{of} was played to its end yet, so there is nothing to count; {play}."


def title(game: str) -> str:
    """What the game is called."""
    return TITLES.get(game, clean(game))


def _rank(one: Merit, game: str) -> tuple[object, ...]:
    """Who is surely strong comes first, then who has no rating, by the share won."""
    rating = one.ratings.get(game)
    ordinal = (1, 0.0) if rating is None else (0, -rating.ordinal)
    tally = one.games[game]
    return (*ordinal, -tally.share, -tally.games, one.nick.lower(), one.key)


def _ranked(rows: Sequence[_Row], width: int, without: frozenset[str], most: int) -> list[str]:
    """The first rows with their places, and the owner's wherever it is."""
    numbers = len(str(len(rows)))
    shown = [
        (f"{place:>{numbers}}  {who}", tally, rating, own)
        for place, (who, tally, rating, own) in enumerate(rows, 1)
        if place <= most or own
    ]
    return _table(shown, width, without)


def _table(rows: Sequence[_Row], width: int, without: frozenset[str]) -> list[str]:
    columns = [column for column in _COLUMNS if column.head not in without]
    names = [row[0] for row in rows]
    columns_of = [(column.drop, [column.head, *(column.of(row[1], row[2]) for row in rows)]) for column in columns]
    return _columns(names, columns_of, width)


def _columns(names: Sequence[str], columns: list[tuple[int, list[str]]], width: int) -> list[str]:
    """Names, and columns with their heads aligned right; where there is no room, columns go, then the ends of names."""
    name = max((cells(one) for one in names), default=0)
    least = min(name, _NAME_CELLS)

    def taken() -> int:
        return len(_MARGIN) + sum(2 + max(map(cells, column)) for _, column in columns)

    while taken() + name > width and (drop := max((drop for drop, _ in columns), default=0)):
        columns = [one for one in columns if one[0] != drop]
    name = max(least, min(name, width - taken()))
    wide = [max(map(cells, column)) for _, column in columns]
    lines = []
    for row, who in enumerate(("", *names)):
        cells_of = (pad(column[row], size, right=True) for size, (_, column) in zip(wide, columns, strict=True))
        lines.append(
            cut(_MARGIN + "  ".join((pad(who, name) if who else " " * name, *cells_of)), max(width, 1)).rstrip()
        )
    return lines


def _bots(found: Merits, width: int) -> list[str]:
    rows = [
        (f"{clean(level)}, {title(of)}", tally, None, False)
        for of, levels in sorted(found.bots.items())
        for level, tally in levels.items()
    ]
    return ["Bots", *_table(rows, width, frozenset({"rating", "sure", "row"}))]


def _against(head: str, met: Sequence[Against], width: int) -> list[str]:
    named = _names(met)[:MOST_OTHERS]
    names, shown = [name for name, _ in named], [one for _, one in named]
    figures = {
        "matches": [str(one.games) for one in shown],
        "ahead": [str(one.ahead) for one in shown],
        "behind": [str(one.behind) for one in shown],
        "level": [str(one.level) for one in shown],
    }
    lines = _columns(names, [(0, [name, *column]) for name, column in figures.items()], width)
    return [head, *lines, *_more(len(met) - MOST_OTHERS)]


def _more(number: int, how: str = "") -> list[str]:
    """That not everybody is shown, where that is so."""
    return [f"{_MARGIN}{number} more{how}."] if number > 0 else []


def _about(one: Merit) -> list[str]:
    key = one.key or "no key known, so it may be anybody of that name"
    whole = one.whole
    share = _percent(whole.share)
    who = f"{clean(one.nick)}{', you' if one.own else ''} ({key})"
    lines = [f"{who} played {_matches(whole.games)} and won {whole.wins} ({share})."]
    now = f"{whole.streak} won now, {whole.longest} at most"
    if whole.streak < 0:
        now = f"{-whole.streak} not won now, {whole.longest} won at most"
    lines.append(f"In a row: {now}.")
    if one.alone.games:
        lines.append(f"Against bots alone: {_tallied(one.alone, None)}.")
    return lines


def _wrapped(sentences: Sequence[str], width: int) -> list[str]:
    return [line for sentence in sentences for line in wrap(sentence, max(width, _NAME_CELLS))]


def _endings(one: Merit) -> list[str]:
    """How they win rounds, one line a game."""
    return [
        f"Rounds won in {title(of)}: {', '.join(f'{ending(reason)} {often}' for reason, often in found)}."
        for of, found in sorted(one.endings.items())
    ]


def ending(reason: str) -> str:
    """How a round ended, from the reason of its record; that itself where no game of this version has it."""
    return ENDINGS.get(reason, clean(reason))


def _tallied(tally: Tally, rating: Rating | None) -> str:
    rated = "" if rating is None else f"rating {_rating(rating)}, "
    return f"{rated}{_matches(tally.games)}, {tally.wins} won ({_percent(tally.share)})"


def _meaning(games: Mapping[str, object], rated: bool, width: int) -> list[str]:
    """What the columns are."""
    low = listed([title(of) for of in games if of in LOW], "and")
    few = f" (in {low} few are good)" if low else ""
    rating = (
        "rating: strength at that game and how unsure it is, ± one standard deviation (OpenSkill), from matches of two "
        "people or more. sure: three of those below it, which ranks."
        if rated
        else "A rating comes with matches of two people or more."
    )
    columns = f"places: how often first, second, and so on. points: on average, for each match{few}."
    return wrap(f"{rating} {columns} row: won in a row now, or not won (-).", max(width, _NAME_CELLS))


def _who(one: Merit, doubles: Mapping[str, int]) -> str:
    about = [
        *(["you"] if one.own else []),
        *([] if one.key else ["no key"]),
        *([_chip(one.key)] if one.key and doubles[one.nick.lower()] > 1 else []),
    ]
    return f"{clean(one.nick)} ({', '.join(about)})" if about else clean(one.nick)


def _names(met: Sequence[Against]) -> list[tuple[str, Against]]:
    """Each with a name that nobody else of them has."""
    doubles = Counter(one.nick.lower() for one in met)
    return [
        (f"{clean(one.nick)} ({_chip(one.key)})" if doubles[one.nick.lower()] > 1 else clean(one.nick), one)
        for one in met
    ]


def _doubles(people: Sequence[Merit]) -> Counter[str]:
    return Counter(one.nick.lower() for one in people)


def _chip(key: str) -> str:
    """Two words of a key."""
    return clean("-".join(key.split("-")[:2])) if key else "no key"


def _rating(rating: Rating) -> str:
    return f"{rating.mean:.1f} ± {rating.spread:.1f}"


def _places(tally: Tally) -> str:
    return " ".join(map(str, tally.places))


def _matches(number: int) -> str:
    return "1 match" if number == 1 else f"{number} matches"


def _often(number: int) -> str:
    return counted(number, "time")


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"

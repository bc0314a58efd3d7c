"""A record as one page for a browser, with a small player in it; it needs nothing from anywhere.

Nicks, titles and whatever else others wrote reach the page as JSON and are put there as text, never as markup. The
page's own policy lets no other script run than its own, whose hash stands in it, and nothing be fetched.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from typing import TYPE_CHECKING, Any, TypeVar

from p2pcards.games.base import DEALER, Seat
from p2pcards.games.options import written_options
from p2pcards.ui import replay_words
from p2pcards.ui.replay_view import Shown, body, hand, put_aside
from p2pcards.ui.theme import Size
from p2pcards.ui.voice import Cards, house_rules, listed
from p2pcards.ui.width import clean

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from p2pcards.games.reel import Reel, Spot
    from p2pcards.ui.width import Fragment, Line

    T = TypeVar("T", bound=Hashable)

WIDTH = Size(80, 60)
"""The screen whose table is shown, at its fullest."""


def page(reel: Reel, eyes: Seat | None, speed: float = 1.0, step: Callable[[], None] = lambda: None) -> str:
    """The page. eyes: whose they are at first; speed: moves a second at first; step: called after each position."""
    from importlib.resources import files

    folder = files("p2pcards.ui") / "page"
    style, script, frame = ((folder / f"replay.{kind}").read_text(encoding="utf-8") for kind in ("css", "js", "html"))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    title = clean(reel.record.title) if reel.record.title else ""
    heading = f"{title} · {reel.game.title}" if title else reel.game.title
    wrong = f"{clean(reel.wrong)}; it is shown up to there." if reel.wrong else ""
    parts = {
        "policy": policy,
        "title": html.escape(f"{heading} · p2pcards"),
        "heading": html.escape(heading),
        "about": html.escape(_about(reel)),
        "wrong": f'<p class="wrong">{html.escape(wrong)}</p>' if wrong else "",
        "style": style,
        "script": script,
        "match": _json(_match(reel, eyes, speed, step)),
    }
    pieces = frame.split("{")
    filled = [pieces[0]]
    for piece in pieces[1:]:
        name, _, rest = piece.partition("}")
        filled += [parts[name], rest]
    return "".join(filled)


def _hash(text: str) -> str:
    """What a policy calls a text."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _json(value: Any) -> str:
    """JSON in which nothing can end the element that it stands in."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _about(reel: Reel) -> str:
    record = reel.record
    date = [clean(record.date)] if record.date else []
    rules = written_options(record.options)
    agreed = [house_rules(rules)] if rules else []
    return " · ".join([listed(reel.players, "and"), *date, *agreed])


class _Pool:
    """Values by their places, each kept once."""

    def __init__(self) -> None:
        self.places: dict[Hashable, int] = {}

    def place(self, value: Hashable) -> int:
        """Where it stands."""
        return self.places.setdefault(value, len(self.places))

    def values(self) -> list[Any]:
        """All of them, in order."""
        return list(self.places)


def _match(reel: Reel, eyes: Seat | None, speed: float, step: Callable[[], None]) -> dict[str, Any]:
    """What the player plays. Of each position: what was said to each seat, and last to whom all hands are open."""
    styles, lines, tables, texts = _Pool(), _Pool(), _Pool(), _Pool()

    known: dict[tuple[Fragment, ...], int] = {}

    def line(made: Line) -> int:
        key = tuple(made)
        if key not in known:  # few lines change from one position to the next, or with the eyes
            known[key] = lines.place(tuple((styles.place(_classes(style)), text) for style, text in made if text))
        return known[key]

    def at(spot: Spot) -> dict[str, Any]:
        everyone: list[Seat | None] = [*map(Seat, range(len(reel.players))), None]
        seats = [seat for seat in everyone if seat is not None]
        told = [replay_words.told(reel, spot, eye, Cards.SIGNS) for eye in everyone]
        drawn = [body(reel, spot, eye, WIDTH, Shown(mode="text")) for eye in everyone]
        write = reel.game.ranking.format
        step()
        return {
            "round": spot.round,
            "move": spot.move,
            "over": reel.outcome(spot) is not None,
            "acts": [seat for seat in reel.acting(spot) if seat != DEALER],
            "hands": [list(map(write, hand(reel, spot, seat, ""))) for seat in seats],
            "aside": [list(map(write, put_aside(reel, spot, seat))) for seat in seats],
            "said": [[texts.place(text) for text in sentences] for sentences in told],
            "table": [tables.place(tuple(map(line, one))) for one in drawn],
        }

    spots = list(map(at, reel.spots))
    return {
        "players": [
            {"nick": nick, "bot": clean(reel.record.bots.get(nick, "") or " ").strip()} for nick in reel.players
        ],
        "eyes": -1 if eyes is None else eyes,
        "speed": speed,
        "rounds": reel.rounds,
        "moves": [reel.moves(number) for number in range(reel.rounds)],
        "styles": styles.values(),
        "lines": lines.values(),
        "tables": tables.values(),
        "texts": texts.values(),
        "spots": spots,
    }


def _classes(style: str) -> str:
    """`class:suit.h class:card.new` as the page's style sheet calls it."""
    return " ".join(one.removeprefix("class:").replace(".", "-") for one in style.split())

"""What waits for somebody's answer at a table: who is at its door, an open vote, whether to go on without somebody; and
why nothing moves, where nothing does. Seen on every screen of the table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from p2pcards.commands.coach import Advice
from p2pcards.table.tableview import Knock, TableView, Vote
from p2pcards.ui.faces import Face
from p2pcards.ui.width import Line, clean
from p2pcards.ui.words_host import banner

CALLED: frozenset[Enum] = frozenset(
    {
        *(Advice.KNOCK, Advice.KNOCK_NAMED, Advice.KNOCKS, Advice.VOTE, Advice.ABOUT_YOU, Advice.CODE_WANTED),
        *(Advice.CHANGING, Advice.STANDS_STILL, Advice.GO_ON),
    }
)
"""Advice for which the screen has a place of its own."""


def calls(table: TableView | None, faces: Mapping[bytes, Face], now: float) -> tuple[Line, ...]:
    """The same in several lengths, the longest first; nothing where nobody waits."""
    if table is None:
        return ()
    stands = banner(table, now)
    if stands:  # nobody can be let in or voted on meanwhile
        style = "class:question" if table.may_go_on else "class:warn"
        return tuple([(style, text)] for text in stands)
    votes = [] if table.vote is None else _vote(table, table.vote, now)
    knocks = _knock(table.knocks, faces, now) if table.knocks else []
    if votes and knocks:
        between: Line = [("class:dim", " · ")]
        return tuple([*vote, *between, *knock] for vote, knock in zip(votes, knocks, strict=True))
    return tuple(votes or knocks)


def _vote(table: TableView, vote: Vote, now: float) -> list[Line]:
    nick = table.seats[vote.seat].nick if vote.seat < len(table.seats) else ""
    about = "you" if vote.seat == table.me else clean(nick or "?")
    by = "you" if vote.by == table.nick else clean(vote.by)
    wants = "want" if by == "you" else "wants"
    count = f"{len(vote.votes)} of {vote.needed} · {_left(vote.until, now)}"
    may = table.me is not None and table.me != vote.seat and table.me not in (*vote.votes, *vote.against)
    how = ": `vote yes` or `vote no`" if may else ""
    texts = (
        f"{by} {wants} {about} shown out, {count}{how}",
        f"show {about} out? {count}{how}",
        f"show {about} out?" + (" `vote yes`, `vote no`" if may else ""),
    )
    return [[("class:question", text)] for text in texts]


def _knock(knocks: tuple[Knock, ...], faces: Mapping[bytes, Face], now: float) -> list[Line]:
    first = knocks[0]
    face = faces.get(first.key) or Face(first.nick, first.key, first.known, "", first.login)
    nick = clean(face.nick)
    more = f" · {len(knocks) - 1} more" if len(knocks) > 1 else ""
    left = f" · {_left(first.until, now)}{more}"
    style = "class:warn" if face.other else "class:question"
    asks = f"{nick} ({face.about}) asks to come in"
    if face.other:
        brief = f"{nick}, NOT the one you know, knocks: `deny {nick}`?"
        texts = (f"{asks}: `deny {nick}` or `admit {nick}`{left}", f"{asks}: `deny {nick}`?{left}", brief)
    else:
        brief = f"{nick} knocks: `admit {nick}`?"
        texts = (f"{asks}: `admit {nick}` or `deny {nick}`{left}", f"{asks}: `admit {nick}`{left}", brief)
    return [[(style, text)] for text in texts]


def _left(until: float, now: float) -> str:
    return f"{max(0, round(until - now))} s"

"""Why something came to nothing: refusals by code, and why one is no longer at a table."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum

from p2pcards.games.base import Refusal
from p2pcards.table.idle import IDLE
from p2pcards.ui import dates
from p2pcards.ui.gamewords import GAME_WORDS
from p2pcards.ui.voice import Voice
from p2pcards.wire.text import clean

REFUSALS: Mapping[Enum, str] = {
    Refusal.NOT_YOUR_TURN: "It is not your turn",
    Refusal.OVER: "The round is over",
    Refusal.NOT_HELD: "You don't hold {all:or the}",
}
"""Refusals that every game knows."""

_TABLE_CODES: Mapping[str, str] = {
    "not_seated": "You have no seat at this table",
    "no_round": "No round is open",
    "bot_plays": "A bot plays your seat at the moment",
    "stale": "The table had moved on before that arrived; look again",
    "no_action": "The host could not read that action",
    "not_a_question": "Nobody asked you anything",
    "not_now": "That is not possible now",
    "has_an_end": "This match ends by itself; there is nothing to stop",
    "nobody_waited_for": "The table waits for nobody, so there is nothing to skip",
    "own_turn": "It is your own turn: play, and nobody waits any longer",
    "programs_wait": "A program can't ask for that: it waits as long as it takes",
    "no_peek": "At this table nobody may look at the deck (`set allow_peek true` in the lobby allows it)",
    "not_committed": "What was put aside is not what was announced; try again",
    "no_such_wish": "The host does not know that request",
    "no_link": "The line to the host is down at the moment",
    "pending": "Your last action is still on its way",
    "not_yours": "The host could not tell that this came from you",
    "paused": "The table stands still until enough of its players are here",
    "changing": "The table is just changing its host; try again in a moment",
    "away": "A bot plays for you already: `back` takes the seat again",
    "away_soon": "You were away a moment ago: `away` is possible again in {0:count second}",
    "no_seat": "No seat is free at the moment; the next free one between two rounds is yours",
    "seated": "You have a seat",
    "nothing_said": "There is nothing in it to be said",
    "not_clean": "There are characters in it that the host does not show",
    "too_long": "That is too long to be said at once: {0:count character} are possible",
    "nobody_there": "Nobody at this table can hear that: private words are for who has a seat",
    "chat_flood": "You say too much at once: nobody hears you for {0:count second}",
    "no_vote": "No vote is open",
    "vote_open": "One vote at a time: the table is voting on {0:who}",
    "voted": "You have voted already",
    "vote_program": "A program has no vote",
    "vote_seat": "A vote is about a player who has a seat",
    "vote_host": "The host can't be shown out: `leave` is the way",
    "vote_self": "You have no vote about yourself",
    "vote_soon": "Your last vote came to nothing: you can call the next in {0:count second}",
    "vote_few": "Too few people sit here for a vote",
}
"""Refusals of the table itself, by code."""

_REFUSALS: Mapping[str, Mapping[str, str]] = {
    game: {
        **_TABLE_CODES,
        **{str(code.value): text for code, text in REFUSALS.items()},
        **{str(code.value): text for code, text in words.SENTENCES[words.REFUSALS].items()},
    }
    for game, words in GAME_WORDS.items()
}
"""By game, every refusal that comes from the host as a code; behind it the details, apart by spaces, the last one the
rest."""

_CLOSED: Mapping[str, str] = {
    "left": "You left the table",
    "hung_up": "You are gone from the table, and your seat is kept: `resume` goes back",
    "given_up": "You no longer look for the table",
    "bye": "The table is closed",
    "full": "Every seat is taken",
    "version": "This table needs another version of p2pcards",
    "wrong_code": "That is not the code of this table",
    "not_a_member": "This table is for members of its lab",
    "declined": "The host did not let you in",
    "kicked": "You were shown out of the table",
    "banned": "You may not come to this table",
    "too_fast": "Not just now",
    "superseded": "You came in from elsewhere, so this program is out",
    "already_here": "Somebody with your key is at this table, or at its door, already",
    "not_the_host": "That program is not the host of the table",
    "members_only": "Only the players of this table may come in now",
    "broken": "The other side sent something that makes no sense, so the connection was ended",
    "lost": "Nobody of the table can be reached any more",
    "no_such_table": "There is no such table",
}


_SAID_IN_FULL = frozenset({"already_here", "superseded"})
"""Reasons whose text adds nothing."""

_FOR_GOOD: Mapping[str, str] = {"kicked": "for good", "banned": "any more"}
"""Reasons that a date belongs to by nature, and what is said where there is none."""


def refused(voice: Voice, code: str, text: str, until: int, game: str, wall: float) -> str:
    """A refusal that came by code: our own sentence for it where we have one, else what the host wrote.

    game: of the table, "" where there is none; wall: unix seconds.
    """
    known = _REFUSALS.get(game, _TABLE_CODES)
    text, template = clean(text, 300), known.get(code)
    if code in _CLOSED:
        return closed(voice, code, text, until, wall)
    if template is not None:
        named = [int(name) for _, name, *_ in voice.parse(template) if name and name.isdecimal()]
        return voice.say(template, tuple(text.split(" ", max(named, default=0))) if text else ())
    return text or "The host refused that"


def closed(voice: Voice, reason: str, text: str, until: int, wall: float) -> str:
    """Why we are no longer at a table, or not let in."""
    told = _CLOSED.get(reason, "The connection ended")
    text = "" if reason in _SAID_IN_FULL else clean(text, 300)
    if reason == "bye":
        if text == "match over":
            return "The match is over, and the table is closed"
        if text.startswith(IDLE):
            return f"{told}: {text}"
        return "You closed the table" if text == f"{voice.me} closed the table" else text or told
    if reason == "no_such_table":
        return text or told
    if reason == "wrong_code" and text:  # the words of a code that was given need no more than that they are wrong
        told = "This table asks for its code"
    if reason in _FOR_GOOD:
        told = f"{told} {dates.until(until, wall) if until else _FOR_GOOD[reason]}"
    if reason == "kicked" and text.startswith("by "):  # whom
        return f"{told} {text}"
    told = told + text[len(told) :] if text.lower().startswith(told.lower()) else f"{told}: {text}" if text else told
    if reason == "too_fast" and until <= wall:
        return f"{told.rstrip('.')}; try again in a moment"
    if until > wall and reason not in _FOR_GOOD:
        return f"{told.rstrip('.')}; try again in {dates.span(until - wall)}"
    return told

"""The protocol between a table and a bot that is a program of its own: one JSON line in, one out (docs/bots.md).

    line = Line()                                       # for each start of the program
    to_the_bot = line.ask(game, view, seconds, match)   # one line or two, as bytes
    reply = line.hear(from_the_bot)                     # None: an answer to an earlier request, to be passed over

The bot is told what its seat may know, and nothing else: what goes out is made from the view and the scores alone.
Whatever comes in is data: it is an action only if it is, letter for letter, one of those that were offered.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from p2pcards.bots.base import legal_actions
from p2pcards.bots.telling import telling_of
from p2pcards.cards import quoted
from p2pcards.games.base import Game
from p2pcards.games.match import Match

PROTOCOL = 1
"""Raised when a bot that keeps to what it knew would be understood wrongly."""

MOST_BYTES = 65536
"""Of a line that a bot writes."""


class Hello(Struct, frozen=True, tag_field="type", tag="hello"):
    """Comes first, and again whenever the bot sits down elsewhere; it is not answered."""

    protocol: Annotated[int, Meta(description="1; a higher number is another protocol")]
    game: Annotated[str, Meta(description="the name of the game, as in `p2pcards host tongits`")]
    options: Annotated[dict[str, Any], Meta(description="every house rule by name (docs/commands.md)")]
    seat: Annotated[int, Meta(description="the bot's own; the first seat is 0")]
    seats: Annotated[int, Meta(description="how many sit at the table")]


class Scores(Struct, frozen=True):
    """How the match stands while its round is played."""

    round: Annotated[int, Meta(description="which one of the match; the first is 1")] = 1
    scores: Annotated[tuple[int, ...], Meta(description="points of the rounds before, by seat")] = ()
    wins: Annotated[tuple[int, ...], Meta(description="rounds won, by seat")] = ()
    pot: Annotated[int, Meta(description="chips to be won in this round, where the game has a pot; else 0")] = 0


class Request(Struct, frozen=True, tag_field="type", tag="request"):
    """Asks for one action; it says everything, so nothing of earlier requests need be remembered."""

    id: Annotated[int, Meta(description="the answer repeats it")]
    seconds: Annotated[float, Meta(description="how long the answer may take, from now on")]
    legal: Annotated[tuple[str, ...], Meta(description="the actions that are legal now; never empty")]
    view: Annotated[dict[str, Any], Meta(description="what the seat may know of the round")]
    match: Annotated[Scores, Meta(description="how the match stands")] = Scores()


class Answer(Struct, frozen=True):
    """What the bot writes; further fields are passed over."""

    id: Annotated[int, Meta(description="that of the request")]
    action: Annotated[str, Meta(description="one of its legal actions, letter for letter")]


class Fault(StrEnum):
    """What a bot does wrong; each costs it the safe default for one action."""

    UNSTARTED = "unstarted"  # the system could not start the program
    ENDED = "ended"  # it ended, or closed its output, before it answered
    GARBAGE = "garbage"  # a line that is no answer
    ILLEGAL = "illegal"  # an answer that is none of the legal actions
    LATE = "late"  # no answer in time
    GIVEN_UP = "given_up"  # it went wrong so often that it isn't asked any more


class Reply(Struct, frozen=True):
    """What came of a request: an action, or a fault with what there is to say about it."""

    action: Any = None
    fault: Fault | None = None
    detail: str = ""


class Line:
    """One run of the program, from its first line on."""

    def __init__(self) -> None:
        self._hello: Hello | None = None  # as told last
        self._id = 0  # of the last request
        self._legal: dict[str, Any] | None = None  # its actions by their texts; None where nothing is asked
        self._missed: set[int] = set()  # requests that may still be answered
        self._answered = 0  # the request that was answered last and not twice; 0: none

    def ask(self, game: Game[Any, Any, Any], view: Any, seconds: float, match: Match) -> bytes:
        """What to write to the bot; a request that is still open is given up. ValueError if the viewer can't act.

        match: to which the round of the view belongs, before that round.
        """
        actions = legal_actions(game, view)
        self.drop()
        told = telling_of(game).tell(view)
        options = msgspec.structs.asdict(game.options)
        hello = Hello(PROTOCOL, game.name, options, view.seat, len(view.public.counts))
        self._id += 1
        self._legal = {game.format(action): action for action in actions}
        lines = [] if hello == self._hello else [hello]
        self._hello = hello
        stands = Scores(match.round + 1, match.scores, match.wins, match.pot)
        request = Request(self._id, seconds, tuple(self._legal), told, stands)
        return b"".join(msgspec.json.encode(one) + b"\n" for one in (*lines, request))

    def drop(self) -> None:
        """Nobody waits for the answer to the last request any more."""
        if self._legal is not None:
            self._missed.add(self._id)
            self._legal = None

    def hear(self, raw: bytes) -> Reply | None:
        """What a line of the bot is, while an answer is waited for; None for an answer that came too late, or twice."""
        try:
            answer = msgspec.json.decode(raw, type=Answer)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            self.drop()
            return Reply(fault=Fault.GARBAGE, detail=_shown(raw))
        if answer.id in self._missed:
            self._missed.remove(answer.id)
            return None
        if answer.id == self._answered != 0:
            self._answered = 0
            return None
        legal = self._legal
        if legal is None or answer.id != self._id:
            self.drop()
            return Reply(fault=Fault.GARBAGE, detail=f"its id is {quoted(str(answer.id))}, not {self._id}")
        self._legal, self._answered = None, self._id
        if answer.action not in legal:
            return Reply(fault=Fault.ILLEGAL, detail=quoted(answer.action))
        return Reply(legal[answer.action])


def _shown(raw: bytes) -> str:
    return quoted(raw[:200].decode(errors="replace").strip())

"""A match as history keeps it: its record in parts, and what lists and statistics need of it, read out once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any, Self

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from p2pcards.games import record
from p2pcards.games.base import DEALER, Game, Seat
from p2pcards.games.record import DEALER_NAME, Record, Round
from p2pcards.games.record_fields import PROOF_LINE
from p2pcards.table.results import Ending, Over, Taker


class KeptMatch(Struct, frozen=True):
    """parts: head and rounds of the record, canonical text. key: what no other match has. date: RFC 3339, UTC, "" where
    the record has none that can be read."""

    key: bytes
    parts: tuple[str, ...]
    date: str
    game: str
    title: str
    table: str
    over: Over
    takers: tuple[Taker, ...]
    endings: tuple[Ending, ...]

    @property
    def rounds(self) -> int:
        """How many of them are over."""
        return len(self.endings)

    def without_keys(self) -> Self:
        """The same match, its players known by their names alone; the record stays as it is."""
        return replace(self, takers=tuple(replace(taker, key="") for taker in self.takers))


class _Told(Struct, frozen=True):
    """What a round's text says of its end; ending None: it has none yet."""

    ending: Ending | None
    points: tuple[int, ...]


class MatchReader:
    """Reads matches out of the parts of their records; what it has read of the last one it does not read again."""

    def __init__(self) -> None:
        self._known: dict[str, _Told] = {}

    def match(self, parts: Sequence[str]) -> KeptMatch:
        """The match; raises InvalidRecord where the parts are no record, or one that was never played so."""
        head = record.head(record.parse(parts[0]))
        rules = head.rules
        known = {
            text: self._known.get(text) or _told(head, rules, parts[0], text, not number)
            for number, text in enumerate(parts[1:])
        }
        self._known = known
        ended = [told for text in parts[1:] if (told := known[text]).ending is not None]
        endings = [told.ending for told in ended if told.ending is not None]
        seats = range(len(head.players))
        scores = [sum(told.points[seat] for told in ended) for seat in seats]
        wins = [sum(seat in ending.winners for ending in endings) for seat in seats]
        over = Over.NO
        if endings:
            at_its_end = rules.ended(len(endings), wins, scores)
            over = Over.YES if at_its_end else Over.SO_FAR if rules.endless() else Over.NO
        return KeptMatch(
            _key(head, parts),
            tuple(parts),
            _date(head.date),
            head.game,
            head.title,
            head.table,
            over,
            tuple(_takers(head, rules, scores, bool(over))),
            tuple(endings),
        )


def parts_of(found: Record) -> tuple[str, ...]:
    """The canonical text of a record, head and rounds."""
    rules = found.rules
    return (record.head_text(found), *(record.round_text(rules, found.players, played) for played in found.rounds))


def _told(head: Record, rules: Game[Any, Any, Any], before: str, text: str, first: bool) -> _Told:
    (stated,) = record.rounds(record.parse(before + _bare(text)), head)
    outcome = _outcome(rules, head.players, stated, first)
    if outcome is None or stated.points is None:
        return _Told(None, ())
    return _Told(Ending(outcome.reason, outcome.winners), tuple(stated.points.get(name, 0) for name in head.players))


def _outcome(rules: Game[Any, Any, Any], players: tuple[str, ...], stated: Round, first: bool) -> Any:
    state = rules.position(stated.dealt, Seat(players.index(stated.starter)), first)
    for line in stated.actions:
        name, _, act = line.partition(":")
        seat = DEALER if name == DEALER_NAME else Seat(players.index(name))
        state = rules.apply(state, seat, rules.parse(act))
    return rules.outcome(state)


def _takers(head: Record, rules: Game[Any, Any, Any], scores: Sequence[int], over: bool) -> Iterable[Taker]:
    low, won = rules.low_wins(), rules.leaders(scores) if over else ()
    for seat, (name, score) in enumerate(zip(head.players, scores, strict=True)):
        better = sum(other < score if low else other > score for other in scores)
        identity, level = head.identities.get(name, ""), head.bots.get(name, "")
        yield Taker(name, identity, level, score, better + 1, seat in won)


def _bare(text: str) -> str:
    """A round without its proof."""
    return text.partition(PROOF_LINE)[0]


def _key(head: Record, parts: Sequence[str]) -> bytes:
    """Alike for the same match from whatever seat, with or without its proof, and however far it had come.

    A table may play several matches in a second, so the first round counts too; of a record without a table all rounds.
    """
    said = [head.game, head.table, head.date, head.players, sorted(head.identities.items())]
    rounds = map(_bare, parts[1:2] if head.table else parts[1:])
    return hashlib.sha256(msgspec.json.encode([said, *rounds])).digest()[:16]


def _date(text: str) -> str:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return ""
    try:
        moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError:
        return ""
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ").rjust(20, "0")

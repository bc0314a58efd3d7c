"""A record played through: is every action legal, does every stated result agree (docs/records.md, "Replaying")."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.cards import Cards, format_cards, quoted
from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard, InvalidRecord
from p2pcards.games import record
from p2pcards.games.base import Game, Outcome, Seat
from p2pcards.games.match import Match
from p2pcards.games.options import written_options
from p2pcards.games.record import Record, Round

Say = Callable[[IllegalAction], str]
"""Why an action is refused, in words."""


class Step(Struct, frozen=True):
    """One action of a round: its canonical text and the state after it."""

    seat: Seat
    text: str
    state: Any


class Played(Struct, frozen=True):
    """A round as far as it was played; `points` are those of the match."""

    start: Any
    steps: tuple[Step, ...]
    outcome: Outcome | None
    points: tuple[int, ...]

    @property
    def state(self) -> Any:
        """The state at its end."""
        return self.steps[-1].state if self.steps else self.start


class Replay(Struct, frozen=True):
    """What came of a replay: the exit code, the object of --json, the sentence of what is wrong ("" for nothing)."""

    exit_code: int
    report: dict[str, object]
    error: str = ""
    record: Record | None = None  # as far as it is sound, every action in canonical text, every result stated
    rounds: tuple[Played, ...] = ()
    match: Match = Match()


class _Wrong(Exception):
    """An illegal action, or a stated result that differs (line None)."""

    def __init__(self, error: str, line: int | None = None, action: str | None = None) -> None:
        super().__init__(error)
        self.error, self.line, self.action = error, line, action


def plain(refused: IllegalAction) -> str:
    """The rule's code as words, for whoever has no better ones."""
    return ": ".join([refused.code.value.replace("_", " "), *filter(None, [", ".join(refused.detail)])])


def replay(data: str | bytes, say: Say = plain) -> Replay:
    """Plays the record of this text through; never raises for what stands in it."""
    found = Replay(0, {})
    try:
        for so_far in _replayed(data, say):
            found = so_far
    except InvalidRecord as error:
        return replace(found, exit_code=2, report={"ok": False, "error": str(error)}, error=str(error))
    except _Wrong as wrong:
        number = len(found.rounds) + 1
        report = {"ok": False, "round": number, "line": wrong.line, "action": wrong.action, "error": wrong.error}
        place = f"round {number}"
        if wrong.action is not None:
            place += f", line {wrong.line}, {quoted(wrong.action)}"
        return replace(found, exit_code=1, report=report, error=f"{place}: {wrong.error}")
    return found


def _replayed(data: str | bytes, say: Say) -> Iterator[Replay]:
    """What stands after the head of the record, then after each round; the report only at the end."""
    table = record.parse(data)
    read = record.head(table)
    rules, players = read.rules, read.players
    rounds: tuple[Played, ...] = ()
    match = Match.start(rules, len(players))
    yield Replay(0, {}, record=read, match=match)
    for number, stated in enumerate(record.rounds(table, read), 1):
        where = f"round {number}"
        if rounds and rounds[-1].outcome is None:
            raise InvalidRecord(f"{where}: the round before it isn't finished")
        if match.over:
            raise InvalidRecord(f"{where}: the match is over before it")
        played = _play(rules, players, stated, where, say)
        winners: tuple[str, ...] | None = None
        points: dict[str, int] | None = None
        if (outcome := played.outcome) is not None:
            match = match.settle(outcome)
            played = replace(played, points=match.points)
            winners = tuple(players[seat] for seat in outcome.winners)
            points = dict(zip(players, match.points, strict=True))
            _compare(stated, winners, points, players, where)
        actions = tuple(f"{players[step.seat]}: {step.text}" for step in played.steps)
        kept = replace(stated, actions=actions, winners=winners, points=points)
        read, rounds = replace(read, rounds=(*read.rounds, kept)), (*rounds, played)
        yield Replay(0, {}, record=read, match=match, rounds=rounds)
    yield Replay(0, _report(read, match, rounds), record=read, match=match, rounds=rounds)


def _play(rules: Game[Any, Any, Any], players: tuple[str, ...], stated: Round, where: str, say: Say) -> Played:
    state = start = rules.position(stated.dealt, Seat(players.index(stated.starter)))
    steps = []
    for line, text in enumerate(stated.actions, 1):
        name, colon, act = text.partition(":")
        if not colon:
            raise _Wrong("not an action: it has no name before a colon", line, text)
        if name == "dealer":
            raise _Wrong("no shuffle is due", line, text)
        record.seated(players, name, f"{where}, line {line}")
        seat = Seat(players.index(name))
        try:
            action = rules.parse(act)
            state = rules.step(state, seat, action)
        except IllegalAction as refused:
            raise _Wrong(say(refused), line, text) from None
        except (InvalidAction, InvalidCard) as error:
            raise _Wrong(str(error), line, text) from None
        steps.append(Step(seat, rules.format(action), state))
    return Played(start, tuple(steps), rules.outcome(state), ())


def _compare(
    stated: Round, winners: tuple[str, ...], points: dict[str, int], players: tuple[str, ...], where: str
) -> None:
    if stated.winners is not None:
        named = {record.seated(players, name, f"{where}: winners") for name in stated.winners}
        if named != set(winners):
            raise _Wrong(f"winners: {_names(named)} stated, {_names(winners)} by the rules")
    if stated.points is not None:
        for name in stated.points:
            record.seated(players, name, f"{where}: points")
        if dict(stated.points) != points:
            raise _Wrong(f"points: {_points(dict(stated.points))} stated, {_points(points)} by the rules")


def _names(names: set[str] | tuple[str, ...]) -> str:
    return ", ".join(sorted(names)) or "nobody"


def _points(points: dict[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in points.items()) or "none"


def _report(read: Record, match: Match, rounds: tuple[Played, ...]) -> dict[str, object]:
    rules, players, last = read.rules, read.players, rounds[-1].state
    return {
        "ok": True,
        "game": read.game,
        "over": match.over,
        "rounds": [
            {
                "over": played.outcome is not None,
                "reason": played.outcome.reason if played.outcome else None,
                "winners": [players[seat] for seat in played.outcome.winners] if played.outcome else [],
                "points": dict(zip(players, played.points, strict=False)),
            }
            for played in rounds
        ],
        "scores": dict(zip(players, match.scores, strict=True)),
        "winners": [players[seat] for seat in match.winners],
        "legal": {
            players[seat]: sorted(set(map(rules.format, rules.legal_actions(rules.view(last, seat)))))
            for seat in rules.to_act(rules.view(last, None))
        },
    }


def told(found: Replay) -> Iterator[str]:
    """The match as lines to read, as far as it was played; what is wrong stands in `found.error`."""
    if (read := found.record) is None:
        return
    rules, players = read.rules, read.players
    width = max(map(len, players))
    yield f"{rules.title}: {', '.join(players)}"
    if changed := written_options(read.options):
        yield "options: " + ", ".join(f"{name} = {value}" for name, value in changed)
    for number, (stated, played) in enumerate(zip(read.rounds, found.rounds, strict=True), 1):
        yield ""
        yield f"Round {number}: {stated.starter} starts"
        for name, hand in zip(players, stated.dealt.hands, strict=True):
            yield f"  {name:{width}}  {format_cards(rules.ranking, hand)}"
        if stated.dealt.stock:
            yield f"  {'stock':{width}}  {' '.join(map(rules.ranking.format, stated.dealt.stock))}"
        yield ""
        before = played.start
        for line, step in enumerate(played.steps, 1):
            hand, held = (rules.hand(rules.view(state, step.seat)) for state in (step.state, before))
            drawn = format_cards(rules.ranking, Cards(hand & ~held))
            yield f"{line:4}  {players[step.seat]:{width}}  {step.text:24}{drawn}".rstrip()
            before = step.state
        yield from _ending(rules, players, played)
    if found.match.over:
        yield ""
        yield f"Match: {_names(tuple(players[seat] for seat in found.match.winners))}"
        yield "Scores: " + _points(dict(zip(players, found.match.scores, strict=True)))
        if found.match.pot:
            yield f"Pot: {found.match.pot}, which lapses"


def _ending(rules: Game[Any, Any, Any], players: tuple[str, ...], played: Played) -> Iterator[str]:
    if played.outcome is None:
        acting = rules.to_act(rules.view(played.state, None))
        yield f"Open: {_names(tuple(players[seat] for seat in acting))} to act"
        return
    winners = tuple(players[seat] for seat in played.outcome.winners)
    yield f"Over ({played.outcome.reason}): {_names(winners)}"
    yield "Points: " + _points(dict(zip(players, played.points, strict=True)))

"""A record played through: is every action legal, does every stated result agree (docs/records.md, "Replaying")."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.cards import Card, Cards, format_cards, quoted
from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard, InvalidRecord
from p2pcards.games import record
from p2pcards.games.base import DEALER, Dealt, Game, Outcome, Seat, Shuffle
from p2pcards.games.match import Match
from p2pcards.games.options import written_options
from p2pcards.games.record import DEALER_NAME, Record, Round, order_cards

Say = Callable[[IllegalAction], str]
"""Why an action is refused, in words."""


class Step(Struct, frozen=True):
    """One action of a round, be it the DEALER's: its canonical text, and the cards that came into hands with it."""

    seat: Seat
    text: str
    drawn: tuple[tuple[Seat, Cards], ...]


class Played(Struct, frozen=True):
    """A round as far as it was played, with the state at its end; `points` are those of the match."""

    state: Any
    steps: tuple[Step, ...]
    outcome: Outcome | None
    points: tuple[int, ...]


class Replay(Struct, frozen=True):
    """What came of a replay: the exit code, the object of --json, the sentence of what is wrong ("" for nothing)."""

    exit_code: int
    report: dict[str, object]
    error: str = ""
    record: Record | None = None  # as far as it is sound, every action in canonical text, every result stated
    rounds: tuple[Played, ...] = ()
    match: Match = Match()
    broken: tuple[Round, Played] | None = None  # the round in which something is wrong, as far as it is legal


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
    run = _Run()
    try:
        return run.result(0, run.play(data, say))
    except InvalidRecord as error:
        return run.result(2, {"ok": False, "error": str(error)}, str(error))
    except _Wrong as wrong:
        number = len(run.rounds) + 1
        place = f"round {number}"
        if wrong.action is not None:
            place += f", line {wrong.line}, {quoted(wrong.action)}"
        return run.result(
            1,
            {"ok": False, "round": number, "line": wrong.line, "action": wrong.action, "error": wrong.error},
            f"{place}: {wrong.error}",
        )


class _Run:
    """A replay on its way: what was sound so far."""

    def __init__(self) -> None:
        self.head: Record | None = None
        self.match = Match()
        self.kept: list[Round] = []
        self.rounds: list[Played] = []
        self.begun: tuple[Round, _Course] | None = None  # the round that is being played

    def play(self, data: str | bytes, say: Say) -> dict[str, object]:
        """Plays it to its end and gives the report; raises InvalidRecord or _Wrong at the first mistake."""
        table = record.parse(data)
        self.head = head = record.head(table)
        rules, players = head.rules, head.players
        self.match = Match.start(rules, len(players))
        for number, stated in enumerate(record.rounds(table, head), 1):
            where = f"round {number}"
            if self.rounds and self.rounds[-1].outcome is None:
                raise InvalidRecord(f"{where}: the round before it isn't finished")
            if self.match.over:
                raise InvalidRecord(f"{where}: the match is over before it")
            state = rules.position(stated.dealt, Seat(players.index(stated.starter)), self.match.first)
            self.begun = stated, _Course(state)
            played = _play(rules, players, stated, self.begun[1], where, say)
            winners: tuple[str, ...] | None = None
            points: dict[str, int] | None = None
            if (outcome := played.outcome) is not None:
                match = self.match.settle(outcome)
                winners = tuple(players[seat] for seat in outcome.winners)
                points = dict(zip(players, match.points, strict=True))
                _compare(stated, winners, points, players, where)
                self.match, played = match, replace(played, points=match.points)
            actions = tuple(f"{_actor(players, step.seat)}: {step.text}" for step in played.steps)
            self.kept.append(replace(stated, actions=actions, winners=winners, points=points))
            self.rounds.append(played)
            self.begun = None
        return _report(head, self.match, self.rounds)

    def result(self, exit_code: int, report: dict[str, object], error: str = "") -> Replay:
        """What came of it."""
        sound = replace(self.head, rounds=tuple(self.kept)) if self.head else None
        broken = None
        if sound is not None and self.begun is not None:
            stated, course = self.begun
            broken = stated, course.played(sound.rules)
        return Replay(exit_code, report, error, sound, tuple(self.rounds), self.match, broken)


class _Course:
    """A round on its way: the state now, and the steps that led to it."""

    def __init__(self, state: Any) -> None:
        self.state = state
        self.steps: list[Step] = []

    def played(self, rules: Game[Any, Any, Any]) -> Played:
        """The round as far as it is played; nobody's points yet."""
        return Played(self.state, tuple(self.steps), rules.outcome(self.state), ())


def _play(
    rules: Game[Any, Any, Any], players: tuple[str, ...], stated: Round, course: _Course, where: str, say: Say
) -> Played:
    for line, text in enumerate(stated.actions, 1):
        name, colon, act = text.partition(":")
        if not colon:
            raise _Wrong("not an action: it has no name before a colon", line, text)
        state = course.state
        due = rules.to_act(rules.view(state, None)) == (DEALER,)
        if name == DEALER_NAME:
            seat = DEALER
            if not due:
                raise _Wrong("no shuffle is due", line, text)
        else:
            seat = Seat(players.index(record.seated(players, name, f"{where}, line {line}")))
            if due:
                raise _Wrong(f"the {DEALER_NAME}'s shuffle must stand here", line, text)
        held = _hands(rules, players, state)
        try:
            action = rules.parse(act)
            if seat == DEALER and not isinstance(action, Shuffle):
                raise _Wrong("the dealer only shuffles", line, text)
            state = rules.step(state, seat, action)
        except IllegalAction as refused:
            raise _Wrong(say(refused), line, text) from None
        except (InvalidAction, InvalidCard) as error:
            raise _Wrong(str(error), line, text) from None
        hands = enumerate(zip(held, _hands(rules, players, state), strict=True))
        drawn = tuple((Seat(owner), Cards(now & ~before)) for owner, (before, now) in hands if now & ~before)
        course.state = state
        course.steps.append(Step(seat, rules.format(action), drawn))
    return course.played(rules)


def _hands(rules: Game[Any, Any, Any], players: tuple[str, ...], state: Any) -> list[Cards]:
    return [rules.hand(rules.view(state, Seat(seat))) for seat in range(len(players))]


def _actor(players: tuple[str, ...], seat: Seat) -> str:
    return DEALER_NAME if seat == DEALER else players[seat]


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


def _report(read: Record, match: Match, rounds: Sequence[Played]) -> dict[str, object]:
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
            if seat != DEALER
        },
    }


def told(found: Replay) -> Iterator[str]:
    """The match as lines to read, as far as it was played; what is wrong stands in `found.error`."""
    if (read := found.record) is None:
        return
    rules, players = read.rules, read.players
    shuffled = any(step.seat == DEALER for played in found.rounds for step in played.steps)
    width = max(map(len, (*players, DEALER_NAME) if shuffled else players))
    yield f"{rules.title}: {', '.join(players)}"
    if changed := written_options(read.options):
        yield "options: " + ", ".join(f"{name} = {value}" for name, value in changed)
    for number, (stated, played) in enumerate(zip(read.rounds, found.rounds, strict=True), 1):
        yield ""
        yield f"Round {number}: {stated.starter} starts"
        for name, hand in zip(players, stated.dealt.hands, strict=True):
            yield f"  {name:{width}}  {format_cards(rules.ranking, hand)}"
        yield from (f"  {name:{width}}  {cards}" for name, cards in _lying(rules, players, stated.dealt) if cards)
        yield ""
        for line, step in enumerate(played.steps, 1):
            drawn = ", ".join(
                f"{'' if owner == step.seat else f'{players[owner]}: '}{format_cards(rules.ranking, cards)}"
                for owner, cards in step.drawn
            )
            yield f"{line:4}  {_actor(players, step.seat):{width}}  {step.text:22}  {drawn}".rstrip()
        yield from _ending(rules, players, played)
    if found.match.over:
        yield ""
        yield f"Match: {_names(tuple(players[seat] for seat in found.match.winners))}"
        yield "Scores: " + _points(dict(zip(players, found.match.scores, strict=True)))
        if found.match.pot:
            yield f"Pot: {found.match.pot}, which lapses"


def _lying(rules: Game[Any, Any, Any], players: tuple[str, ...], dealt: Dealt) -> Iterator[tuple[str, str]]:
    """Name and cards of what is in no hand."""
    order = ((name, order_cards(dealt, Seat(seat))) for seat, name in enumerate(players))
    yield "order", ", ".join(f"{name} {_pile(rules, cards)}" for name, cards in order if cards)
    yield "discards", _pile(rules, dealt.shown[:-1])
    yield "upcard", _pile(rules, dealt.shown[-1:])
    yield "stock", _pile(rules, dealt.stock)


def _pile(rules: Game[Any, Any, Any], cards: tuple[Card, ...]) -> str:
    return " ".join(map(rules.ranking.format, cards))


def _ending(rules: Game[Any, Any, Any], players: tuple[str, ...], played: Played) -> Iterator[str]:
    if played.outcome is None:
        acting = rules.to_act(rules.view(played.state, None))
        if acting == (DEALER,):
            yield "Open: the dealer to shuffle"
        else:
            yield f"Open: {_names(tuple(players[seat] for seat in acting))} to act"
        return
    winners = tuple(players[seat] for seat in played.outcome.winners)
    yield f"Over ({played.outcome.reason}): {_names(winners)}"
    yield "Points: " + _points(dict(zip(players, played.points, strict=True)))

"""Records: a match as text (docs/records.md). Reading takes any TOML shape, writing knows one.

A record is read in the order of the file, so that of several mistakes the first is named: `head` first, then `rounds`
one by one. What is not of the form raises InvalidRecord; whether the actions are legal is the matter of `games.replay`.
Keys that are not known are left aside, for what later versions may add.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.cards import DECK, Card, Cards, cards_of, format_cards, quoted
from p2pcards.errors import InvalidCard, InvalidOption, InvalidRecord
from p2pcards.games import record_fields as fields
from p2pcards.games.base import DEALER, Dealt, Game, Options, Seat, Where, seats_of
from p2pcards.games.options import changed_options, convert_options
from p2pcards.games.record_fields import Table
from p2pcards.games.registry import GAMES

FORMAT = 1

DEALER_NAME = "dealer"
"""Who acts in a record where the stock is made anew."""

_MOST_DOTS = 200
"""In a line: `tomllib` takes the square of a key's parts in time, and no record has such keys."""

_NAME = re.compile(r"[A-Za-z0-9_-]{1,16}")
_RESERVED = frozenset({"dealer", "host", "all", "everyone"})


class Round(Struct, frozen=True):
    """A round as it is written down; `winners` and `points` (by name) only where they are stated.

    proof: what was signed at the table, entry by entry, for those who know how to read it.
    """

    starter: str
    dealt: Dealt
    actions: tuple[str, ...]
    winners: tuple[str, ...] | None = None
    points: Mapping[str, int] | None = None
    proof: tuple[bytes, ...] = ()


class Record(Struct, frozen=True):
    """A match as it is written down. `bots` are levels and `identities` fingerprints, by name."""

    game: str
    options: Options
    players: tuple[str, ...]
    rounds: tuple[Round, ...] = ()
    date: str = ""
    title: str = ""
    table: str = ""
    bots: Mapping[str, str] = {}
    identities: Mapping[str, str] = {}

    @property
    def rules(self) -> Game[Any, Any, Any]:
        """The game with the options of the record."""
        return GAMES[self.game](self.options)


def played_round(
    players: Sequence[str],
    dealt: Dealt,
    opener: Seat,
    actions: Iterable[tuple[int, str]],
    winners: Iterable[int],
    points: Sequence[int],
    proof: tuple[bytes, ...] = (),
) -> Round:
    """A round that was played at a table: `actions` are seat and canonical text, `points` those of the match."""
    return Round(
        players[opener],
        dealt,
        tuple(f"{DEALER_NAME if seat == DEALER else players[seat]}: {text}" for seat, text in actions),
        tuple(players[seat] for seat in winners),
        dict(zip(players, points, strict=True)),
        proof,
    )


def read(data: str | bytes) -> Record:
    """The record of this text; raises InvalidRecord."""
    table = parse(data)
    record = head(table)
    return replace(record, rounds=tuple(rounds(table, record)))


def read_canonical(text: str) -> Record | None:
    """The record whose canonical text this is, byte for byte; None for any other text."""
    try:
        bare, proofs = fields.without_proofs(text)
        if fields.PROOF_LINE in bare:
            return None
        record = read(bare)
    except InvalidRecord:
        return None
    proved = (replace(played, proof=proofs.get(number, ())) for number, played in enumerate(record.rounds))
    record = replace(record, rounds=tuple(proved))
    return record if write(record) == text else None


def parse(data: str | bytes) -> Table:
    """The TOML of a record; raises InvalidRecord."""
    try:
        text = data.decode("utf-8-sig") if isinstance(data, bytes) else data
    except UnicodeDecodeError:
        raise InvalidRecord("not a record: it is not UTF-8") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > _MOST_DOTS and not line.lstrip().startswith("#"):
            raise InvalidRecord(f"not a record: line {number} has more than {_MOST_DOTS} dots")
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise InvalidRecord("not a record: nested too deeply") from None
    except ValueError as error:  # of a number of thousands of digits Python also says how to allow it
        raise InvalidRecord(f"not a record: {_one_line(error).partition('; use ')[0]}") from None


def head(table: Table) -> Record:
    """Everything before the rounds; raises InvalidRecord."""
    stated = table.get("format")
    if stated != FORMAT or not isinstance(stated, int) or isinstance(stated, bool):
        raise InvalidRecord(f"not a record: format must be {FORMAT}")
    name = fields.string(table, "game", "game")
    if name not in GAMES:
        raise InvalidRecord(f"unknown game: {quoted(name)}; known: {', '.join(GAMES)}")
    players = _players(table, GAMES[name])
    try:
        options = convert_options(GAMES[name], fields.table(table.get("options", {}), "options"))
    except InvalidOption as error:
        raise InvalidRecord(f"options: {error}") from None
    return Record(
        name,
        options,
        players,
        date=fields.date_text(table.get("date", "")),
        title=fields.string(table, "title", "title", ""),
        table=fields.string(table, "table", "table", ""),
        bots=_by_name(table, "bots", players),
        identities=_by_name(table, "identities", players),
    )


def rounds(table: Table, record: Record) -> Iterator[Round]:
    """The rounds, each read when it is asked for; raises InvalidRecord."""
    listed = table.get("rounds")
    if not isinstance(listed, list) or not listed:
        raise InvalidRecord("not a record: it has no [[rounds]]")
    for number, stated in enumerate(listed, 1):
        yield _round(fields.table(stated, f"round {number}"), record, f"round {number}")


def write(record: Record) -> str:
    """The canonical text."""
    rules = record.rules
    return head_text(record) + "".join(round_text(rules, record.players, played) for played in record.rounds)


def head_text(record: Record) -> str:
    """The canonical text before the rounds; the rest is the `round_text` of each."""
    lines = [f"format = {FORMAT}", f"game = {_quote(record.game)}", f"players = [{_list(record.players)}]"]
    lines += [
        f"{key} = {_quote(value)}"
        for key, value in (("date", record.date), ("title", record.title), ("table", record.table))
        if value
    ]
    for key, named in (("bots", record.bots), ("identities", record.identities)):
        if named:
            lines.append(f"{key} = {_inline({name: _quote(named[name]) for name in record.players if name in named})}")
    if changed := changed_options(record.options):
        lines += ["", "[options]", *(f"{key} = {json.dumps(value)}" for key, value in changed.items())]
    return "\n".join(lines) + "\n"


def round_text(rules: Game[Any, Any, Any], players: Sequence[str], played: Round) -> str:
    """The canonical text of a round."""
    return "\n".join(["", "[[rounds]]", *_round_lines(rules, players, played)]) + "\n"


def _round_lines(rules: Game[Any, Any, Any], players: Sequence[str], played: Round) -> Iterator[str]:
    yield f"starter = {_quote(played.starter)}"
    hands = (_quote(format_cards(rules.ranking, hand)) for hand in played.dealt.hands)
    yield f"hands = {_inline(dict(zip(players, hands, strict=True)))}"
    dealt = played.dealt
    if dealt.order:
        drawn = ((players[seat], _pile(rules, order_cards(dealt, seat))) for seat in map(Seat, range(len(players))))
        yield f"order = {_inline({name: _quote(cards) for name, cards in drawn if cards})}"
    piles = {"discards": dealt.shown[:-1], "upcard": dealt.shown[-1:], "stock": dealt.stock}
    yield from (f"{key} = {_quote(_pile(rules, cards))}" for key, cards in piles.items() if cards)
    yield "actions = ["
    yield from (f"  {_quote(action)}," for action in played.actions)
    yield "]"
    if played.winners is not None:
        yield f"winners = [{_list([name for name in players if name in played.winners])}]"
    if played.points is not None:
        stated = played.points
        yield f"points = {_inline({name: str(stated[name]) for name in players if name in stated})}"
    if played.proof:
        yield from fields.proof_lines(played.proof)


def order_cards(dealt: Dealt, seat: Seat) -> tuple[Card, ...]:
    """The order cards of a seat, in the order in which it drew them."""
    return tuple(card for owner, card in dealt.order if owner == seat)


def _pile(rules: Game[Any, Any, Any], cards: Iterable[Card]) -> str:
    return " ".join(map(rules.ranking.format, cards))


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(texts: Iterable[str]) -> str:
    return ", ".join(map(_quote, texts))


def _inline(values: Mapping[str, str]) -> str:
    return "{ " + ", ".join(f"{key} = {value}" for key, value in values.items()) + " }"


def _round(table: Table, record: Record, where: str) -> Round:
    rules, players = record.rules, record.players
    stated = _stated_starter(table, record, where)
    pack = _Pack(rules, where)
    listed = fields.table(table.get("hands"), f"{where}: hands")
    for name in listed:
        seated(players, name, f"{where}: hands")
    hands = []
    for name in players:
        hand = pack.cards(fields.string(listed, name, f"{where}: {name}'s hand", ""), f"{name}'s hand")
        if not hand:
            raise InvalidRecord(f"{where}: {name} has no cards")
        if len(hand) > rules.largest_hand:
            raise InvalidRecord(f"{where}: {name} has more than {rules.largest_hand} cards")
        hands.append(_held(hand))
    shown, order, stock = _piles(table, record, pack, where)
    dealt = Dealt(tuple(hands), tuple(stock), tuple(shown), order)
    return Round(
        _starter(stated, record, dealt, where),
        dealt,
        fields.strings(table.get("actions", []), f"{where}: actions"),
        None if "winners" not in table else fields.strings(table["winners"], f"{where}: winners"),
        None if "points" not in table else fields.numbers(table["points"], f"{where}: points"),
        fields.proof(table.get("proof", {}), f"{where}: proof"),
    )


def _stated_starter(table: Table, record: Record, where: str) -> str:
    """Who acts first as the record has it; it need not say so where the cards do."""
    stated = fields.string(table, "starter", f"{where}: starter", "" if record.rules.opener_in_cards else None)
    if "starter" in table:
        seated(record.players, stated, where)
    return stated


def _starter(stated: str, record: Record, dealt: Dealt, where: str) -> str:
    """Who acts first: as stated, or as the cards say, which a stated name must not contradict."""
    if not record.rules.opener_in_cards:
        return stated
    try:
        opener = record.players[record.rules.opener(dealt, Seat(0), True)]
    except InvalidRecord as error:
        raise InvalidRecord(f"{where}: {error}") from None
    if stated not in ("", opener):
        raise InvalidRecord(f"{where}: starter: by the cards {opener} starts, not {stated}")
    return opener


class _Pack:
    """The cards that a round has shown so far; none may be there more often than the decks have it."""

    def __init__(self, rules: Game[Any, Any, Any], where: str) -> None:
        self.rules, self.where = rules, where
        self.copies: Counter[Card] = Counter()

    def cards(self, text: str, what: str) -> list[Card]:
        """The faces that the text names, in its order."""
        try:
            faces = self.rules.ranking.parse_all(text)
        except InvalidCard as error:
            raise InvalidRecord(f"{self.where}: {what}: {error}") from None
        for card in faces:
            if self.copies[card] == self.rules.decks():
                raise InvalidRecord(
                    f"{self.where}: {what}: {self.rules.ranking.format(card)} is there more often than in the cards "
                    "dealt from"
                )
            self.copies[card] += 1
        return list(faces)

    def put_back(self, cards: Iterable[Card]) -> None:
        """These were counted before and stand in another place too."""
        self.copies.subtract(cards)


def _held(cards: Iterable[Card]) -> Cards:
    """The hand of these faces; the second of two equal ones is 52 above the first."""
    hand: set[int] = set()
    for card in cards:
        copy: int = card
        while copy in hand:
            copy += DECK
        hand.add(copy)
    return cards_of(map(Card, hand))


def _piles(
    table: Table, record: Record, pack: _Pack, where: str
) -> tuple[list[Card], tuple[tuple[Seat, Card], ...], list[Card]]:
    """What lies face up, the order cards among it, and the stock."""
    rules = record.rules
    places = {place.where for place in rules.layout(len(record.players), Seat(0), True)}
    shown: list[Card] = []
    order: tuple[tuple[Seat, Card], ...] = ()
    if Where.FACE_UP in places:
        shown = pack.cards(fields.string(table, "discards", f"{where}: discards", ""), "discards")
        order = _order(table, record, pack, shown, where)
        upcard = pack.cards(fields.string(table, "upcard", f"{where}: upcard"), "upcard")
        if len(upcard) != 1:
            raise InvalidRecord(f"{where}: upcard must be one card, not {len(upcard)}")
        shown += upcard
    for key in ("upcard", "discards", "order"):
        if key in table and Where.FACE_UP not in places:
            raise InvalidRecord(f"{where}: {rules.title} has no {key}")
    stock = pack.cards(fields.string(table, "stock", f"{where}: stock", ""), "stock")
    if stock and Where.STOCK not in places:
        raise InvalidRecord(f"{where}: {rules.title} has no stock")
    if not stock and Where.STOCK in places and Where.FACE_UP not in places:  # no discards to make it anew from
        raise InvalidRecord(f"{where}: there is no stock")
    return shown, order, stock


def _order(
    table: Table, record: Record, pack: _Pack, discards: Sequence[Card], where: str
) -> tuple[tuple[Seat, Card], ...]:
    """The order cards as they were turned up: a first card for everybody by seat, a second one for who drew again, …"""
    if "order" not in table:
        return ()
    listed = fields.table(table["order"], f"{where}: order")
    for name in listed:
        seated(record.players, name, f"{where}: order")
    pack.put_back(discards)
    drawn = [
        pack.cards(fields.string(listed, name, f"{where}: order", ""), f"order: {name}") for name in record.players
    ]
    order = [
        (Seat(seat), cards[number])
        for number in range(max(map(len, drawn)))
        for seat, cards in enumerate(drawn)
        if number < len(cards)
    ]
    if "discards" in table:
        if missing := Counter(card for _, card in order) - Counter(discards):
            raise InvalidRecord(f"{where}: order: {_pile(record.rules, missing)} is not among the discards")
        pack.put_back(card for _, card in order)
        pack.copies.update(discards)
    return tuple(order)


def _players(table: Table, game: type[Game[Any, Any, Any]]) -> tuple[str, ...]:
    players = fields.strings(table.get("players"), "players")
    if len(players) not in game.seats:
        raise InvalidRecord(f"players: {game.title} has {seats_of(game.seats)} of them, not {len(players)}")
    for place, name in enumerate(players):
        if not _NAME.fullmatch(name):
            raise InvalidRecord(f"players: {quoted(name)} is no name: 1 to 16 of A-Z a-z 0-9 _ -")
        if name.lower() in _RESERVED:
            raise InvalidRecord(f"players: nobody can be called {name}")
        if name.lower() in (other.lower() for other in players[:place]):
            raise InvalidRecord(f"players: {name} is there twice")
    return players


def seated(players: Sequence[str], name: str, where: str) -> str:
    """The name; raises InvalidRecord when nobody at the table has it."""
    if name not in players:
        raise InvalidRecord(f"{where}: {quoted(name) or 'an empty name'} is not seated")
    return name


def _by_name(table: Table, key: str, players: Sequence[str]) -> dict[str, str]:
    stated = fields.table(table.get(key, {}), key)
    return {seated(players, name, key): fields.string(stated, name, f"{key}: {name}") for name in stated}


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return "".join(char if char.isprintable() else "?" for char in text)[:200]

"""Whether a record is what was played (protocol 6.8): its proof is read as a guest reads the journal of a table.

First the text must be, byte for byte, what the program would write. Then the entries of the proof go through chain,
signatures, books and audit, and the record that follows from them must be this text, letter for letter: so nothing in
it, name or date or card, is left to be believed. What no proof can tell is whose the keys are.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import NoReturn

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.errors import InvalidRecord, ProtocolError
from p2pcards.games import record
from p2pcards.games.record import Record, Round
from p2pcards.table.certificates import host_of
from p2pcards.table.journal import Journal
from p2pcards.table.matchbook import MatchBook
from p2pcards.table.notices import Audited
from p2pcards.table.public import Public
from p2pcards.wire.entries import (
    ENVELOPES,
    DealOpen,
    Disclose,
    Entry,
    EntryFlag,
    EntryKind,
    Fork,
    MatchStart,
    Parts,
    Pub,
    Roster,
    SeatKind,
    decode_wire,
)
from p2pcards.wire.envelope import Envelope
from p2pcards.wire.text import table_text

UNPROVED = 1
"""The file can't be read as text, or carries no proof."""

CHANGED = 6
"""It is not what was played."""

_STRANGE: tuple[tuple[Callable[[str], bool], str], ...] = (
    (lambda text: not text.strip(), "it is empty"),
    (lambda text: text.startswith("\ufeff"), "it begins with a byte order mark, which the program does not write"),
    (lambda text: "\r\n" in text, "its lines end as on Windows (CRLF), and the program ends them with LF alone"),
    (lambda text: not text.endswith("\n"), "its last line has no end"),
)
"""What programs that pass text on do to a file, and how it is called: seen better than the first line that differs."""

_ROUND_LINE = "[[rounds]]"
_SHOWN_BEFORE = 20
_SHOWN = 60
"""Characters of a line that is not as it must be: those before the first wrong one, and of all."""


class Signer(Struct, frozen=True):
    """A key of the match. nick: the last one it had there; empty for a host that never sat. host: it was one in it."""

    key: bytes
    nick: str
    host: bool
    player: bool


class Verified(Struct, frozen=True):
    """A record that is what was played under these keys.

    over: whether the match is over by the options of the table. stopped: the record says that it was stopped after its
    last round, which the proof does not tell. bots: levels of the bots by nick. left_out: round, and nick of a player
    whose part of a shuffle was left out in it. stood_in: round, and nick of a player for whom a bot, or the clock,
    acted in it. alone: rounds that the host shuffled without anybody's part.
    """

    game: str
    title: str
    table: str
    rounds: int
    over: bool
    keys: tuple[Signer, ...]
    stopped: bool = False
    bots: tuple[tuple[str, str], ...] = ()
    left_out: tuple[tuple[int, str], ...] = ()
    stood_in: tuple[tuple[int, str], ...] = ()
    alone: tuple[int, ...] = ()


class Unverified(Struct, frozen=True):
    """Why a record is none such, and where that shows first: round and line from 1, entry by its index in the journal.

    whose: nick of the one who signed what is wrong; empty where it is the file that was changed.
    """

    exit_code: int
    why: str
    whose: str = ""
    round: int | None = None
    entry: int | None = None
    line: int | None = None


class _Found(Exception):
    def __init__(self, found: Unverified) -> None:
        super().__init__(found.why)
        self.found = found


def verify_record(data: bytes) -> Verified | Unverified:
    """Verifies the record in these bytes; never raises for what stands in it."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return Unverified(UNPROVED, "it is not text in UTF-8")
    try:
        stated = _canonical(text)
        _check_proofs(stated)
        table = _Table()
        for number, played in enumerate(stated.rounds, 1):
            table.take(number, played)
        return table.verified(text)
    except _Found as wrong:
        return wrong.found


def _changed(why: str, round: int | None = None, line: int | None = None, entry: int | None = None) -> NoReturn:
    raise _Found(Unverified(CHANGED, why, "", round, entry, line))


def _canonical(text: str) -> Record:
    """The record, which must be written as the program writes it."""
    stated = record.read_canonical(text)
    if stated is not None:
        return stated
    for marks, why in _STRANGE:
        if marks(text):
            _changed(why)
    rounds: list[Round] = []
    head = None
    try:
        table = record.parse(text)
        head = record.head(table)
        for played in record.rounds(table, head):
            rounds.append(played)
    except InvalidRecord as error:
        number = len(rounds) + 1
        why = str(error).removeprefix(f"round {number}: ")
        _changed(why, number if head and why != str(error) else None)
    stated = replace(head, rounds=tuple(rounds))
    _compare(text, record.write(stated), "the program would write {}")
    return stated


def _compare(text: str, due: str, what: str) -> None:
    """Raises for the first line of the text that is another than it must be."""
    if text == due:
        return
    number = 0
    pairs = zip_longest(text.split("\n"), due.split("\n"))
    for line, (stated, wanted) in enumerate(pairs, 1):
        if stated != wanted:
            letters = enumerate(zip_longest(stated or "", wanted or ""))
            same = next((at for at, (is_there, must_be) in letters if is_there != must_be), 0)
            says, due_line = _shown(stated, same), _shown(wanted, same)
            _changed(f"it says {says}, but {what.format(due_line)}", number or None, line)
        number += wanted == _ROUND_LINE


def _shown(line: str | None, same: int) -> str:
    """A line of a file, as far as it can be shown; so many characters at its beginning are as they must be."""
    if not line:
        return "nothing more" if line is None else "an empty line"
    start = max(0, same - _SHOWN_BEFORE)
    text = ("…" if start else "") + line[start:]
    text = text if len(text) <= _SHOWN else text[:_SHOWN] + "…"
    return f"'{''.join(char if char.isprintable() else '?' for char in text)}'"


def _check_proofs(stated: Record) -> None:
    bare = [number for number, played in enumerate(stated.rounds, 1) if not played.proof]
    if len(bare) == len(stated.rounds):
        raise _Found(Unverified(UNPROVED, "it carries no proof: only the record of a match at a table has one"))
    if bare:
        _changed("it carries no proof, as other rounds do", bare[0])


class _Table:
    """The table whose match it is, as the entries tell of it."""

    def __init__(self) -> None:
        self._journal = Journal()
        self._public = Public(self._journal)
        self._book = MatchBook(self._journal, self._public)
        self._rounds = 0  # disclosed in the last match
        self._unsound: Audited | None = None  # the first round of it that was not in order
        self._players: dict[bytes, str] = {}  # who had a seat in it
        self._hosts: list[bytes] = []  # of its terms
        self._left_out: list[tuple[int, str]] = []
        self._stood_in: list[tuple[int, str]] = []
        self._alone: list[int] = []

    def take(self, number: int, played: Round) -> None:
        """The entries of a round's proof: up to its DISCLOSE, and no further."""
        for wire in played.proof:
            self._entry(number, wire)
        last, disclosed = self._journal.last, self._public.disclosed_at
        if self._unsound:
            raise _Found(Unverified(CHANGED, self._unsound.why, self._unsound.whose, number, self._unsound.bad))
        if self._rounds < number:
            _changed("its proof ends before its secret was disclosed", number, entry=last)
        if self._rounds > number:
            _changed("its proof has another round in it", number, entry=disclosed)
        if last > disclosed:
            _changed("its proof goes on after its secret was disclosed", number, entry=disclosed + 1)

    def _entry(self, number: int, wire: bytes) -> None:
        index = len(self._journal)
        current, number_before = self._public.round, self._public.round_number
        try:
            entry, _ = decode_wire(wire)
            if index == 0 and entry.kind is not EntryKind.GENESIS:
                raise ProtocolError("the proof does not begin with the first entry of a table")
            host = host_of(entry, self._public)
            self._journal.accept(wire, host)
        except ProtocolError as error:
            _changed(str(error), number, entry=index)
        try:
            body = self._public.fold(entry)
        except ProtocolError as error:  # the host has signed it all the same
            whose = self._public.nick_of(host) or "host"
            raise _Found(Unverified(CHANGED, str(error), whose, number, index)) from error
        if isinstance(body, MatchStart):
            self._book.start()
            self._rounds, self._unsound, self._players, self._hosts = 0, None, {}, []
            self._left_out, self._stood_in, self._alone = [], [], []
        elif isinstance(body, Disclose) and current:
            self._rounds += 1
            audit = self._book.disclosed(current, index, body.secret, {})
            self._unsound = self._unsound or (None if audit.ok else audit)
        if current and self._public.round_number < number_before:
            self._forget(number)
        self._note(number, entry, body)
        if isinstance(body, MatchStart | Roster | Fork):
            self._players |= {held.key: held.nick for held in self._public.seats if held.kind is SeatKind.MEMBER}
        if host not in self._hosts:
            self._hosts.append(host)

    def _forget(self, number: int) -> None:
        """The round came to nothing, and is dealt anew: how it was played is of no account."""
        self._stood_in = [note for note in self._stood_in if note[0] != number]
        self._alone = [dealt for dealt in self._alone if dealt != number]

    def _note(self, number: int, entry: Entry, body: Pub | Envelope) -> None:
        """What a reader of the record should know of how the round was dealt and played."""
        names = self._public.names
        if isinstance(body, Parts):
            self._left_out += [(number, names[seat]) for seat in body.left_out]
        elif isinstance(body, DealOpen):
            shuffle = self._public.open_round.epochs[self._public.epoch]
            if not shuffle.contributors and number not in self._alone:
                self._alone.append(number)
        elif entry.kind in ENVELOPES and entry.flags is not EntryFlag.ACTSIG:
            note = (number, names[entry.seat])
            if self._public.keys[entry.seat] and note not in self._stood_in:
                self._stood_in.append(note)

    def verified(self, text: str) -> Verified:
        """What was verified, if the text is the record of this match.

        Whether a match without an end of its own was stopped after its last round stands behind the proof: the record
        may say so or not.
        """
        (written,) = self._book.recorded()
        over, stopped = self._book.match.over, False
        if text != written.text and not over and self._book.match.endless:
            self._book.match = self._book.match.stop()
            (ended,) = self._book.recorded()
            stopped = text == ended.text
        if not stopped:
            _compare(text, written.text, "by its proof it is {}")
        books, seen = self._public, self._players
        nicks = {key: seen.get(key) or books.nick_of(key) for key in self._hosts} | seen
        keys = tuple(Signer(key, nick, key in self._hosts, key in seen) for key, nick in nicks.items())
        table = table_text(books.match_table)
        bots = tuple((name, level) for name, level in zip(books.names, books.levels, strict=True) if level)
        return Verified(
            books.rules.name,
            books.title,
            table,
            self._rounds,
            over,
            keys,
            stopped,
            bots,
            tuple(self._left_out),
            tuple(self._stood_in),
            tuple(self._alone),
        )

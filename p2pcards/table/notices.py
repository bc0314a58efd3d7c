"""What a machine tells its own program: values, no sentences (those are `ui.words`).

The guest machine tells everything about the table, the host's own guest included; the host machine only BotTurn,
AskedFor and what concerns its door. Seats count from 0.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct


class _Notice(Struct, frozen=True):
    """Base of all notices."""


class Entered(_Notice, frozen=True):
    """We are at the table; seat None means watching (until a seat is free between rounds)."""

    seat: int | None


class HostIs(_Notice, frozen=True):
    """Who is host: when we enter (why is "") and whenever it changes: "elected", "handed over" or "forked"."""

    nick: str
    term: int
    why: str = ""


class Seated(_Notice, frozen=True):
    """A seat has a new holder. level: of a bot, else "". again: a bot has kept it for this player."""

    seat: int
    nick: str
    key: bytes
    level: str
    again: bool = False


class Watching(_Notice, frozen=True):
    """Somebody came without a seat."""

    nick: str
    key: bytes


class Vacated(_Notice, frozen=True):
    """A seat lost its holder for good (event `left`). reason: left, ragequit, kicked, bot removed, moved."""

    seat: int
    nick: str
    reason: str


class Unwatched(_Notice, frozen=True):
    """A spectator went, or took a seat."""

    nick: str


class Dropped(_Notice, frozen=True):
    """A player's line is lost; the seat is kept for `seconds`."""

    seat: int
    nick: str
    seconds: int


class Returned(_Notice, frozen=True):
    """A dropped player is back before a bot took over."""

    seat: int
    nick: str


class BotPlays(_Notice, frozen=True):
    """A bot takes (on) or gives back a player's seat. reason: left, grace, time-outs, kicked, contributions, back."""

    seat: int
    nick: str
    on: bool
    reason: str


class OptionsSet(_Notice, frozen=True):
    """The game's options or the table's settings changed: every one that isn't at its default."""

    options: tuple[tuple[str, str], ...]
    settings: tuple[tuple[str, str], ...]


class DoorSet(_Notice, frozen=True):
    """The door of the table is another one: open, ask, code, lab or lab+uid."""

    door: str


class CodeIs(_Notice, frozen=True):
    """Host only: the join code that holds from now on (event `code`); why: opened, asked, guessed or kicked."""

    code: str
    why: str


class Knocked(_Notice, frozen=True):
    """Host only: somebody waits at the door until we `admit` or `deny` (event `knock`).

    nick: as the table would call them. asked: why the host is asked, "ask" (the door) or "name" (the host knows
    somebody else by that name). known: a `table.people.Known`. login: proved by the lab, or empty.
    """

    link: int
    nick: str
    key: bytes
    known: str
    login: str
    asked: str


class WentAway(_Notice, frozen=True):
    """Host only: who waited at the door waits no longer. why: admitted, declined, late or gone."""

    nick: str
    why: str


class Waiting(_Notice, frozen=True):
    """We are at the door, and the host is asked (event `waiting`); seconds: how long we wait at the most."""

    seconds: int


class CodeWanted(_Notice, frozen=True):
    """The table that we are on the way to asks for its code: the command `code` gives it (event `code_wanted`)."""

    title: str


class OtherKey(_Notice, frozen=True):
    """Somebody has the name of a person we know, but another key."""

    nick: str
    key: bytes
    known: bytes  # the key of whom we know


class Kicked(_Notice, frozen=True):
    """Somebody was shown out (event `kicked`). by: nick of the host, or "vote". until: unix seconds, 0 for good."""

    nick: str
    key: bytes
    by: str
    reason: str
    until: int


class Pardoned(_Notice, frozen=True):
    """Somebody who was shown out may come again."""

    key: bytes
    by: str


class VoteCalled(_Notice, frozen=True):
    """A player wants another shown out (event `vote`): `needed` must say yes within `seconds`."""

    seat: int
    nick: str
    by: str
    needed: int
    seconds: int


class VoteCast(_Notice, frozen=True):
    """A further player has voted on it: so many are for it and against it by now."""

    nick: str
    by: str
    yes: bool
    votes: int
    against: int
    needed: int


class VoteFailed(_Notice, frozen=True):
    """It came to nothing: too few for it in time, too many against it, or who it was about has gone."""

    nick: str


class Spoken(_Notice, frozen=True):
    """Somebody said something (event `chat`). to: "" everybody, "spectators", or the nick of whom it is for."""

    nick: str
    key: bytes
    to: str
    text: str


class MatchStarted(_Notice, frozen=True):
    """A match begins; players in seat order."""

    match: int
    players: tuple[str, ...]


class RoundStarted(_Notice, frozen=True):
    """A round is dealt (event `started`). starter: who acts first, None where we came too late to be told."""

    round: int
    players: tuple[str, ...]
    starter: int | None


class Acted(_Notice, frozen=True):
    """A seat's act stands in the journal (event `entry`).

    kind: act, sealed, blind, opening, or open for a sealed choice told after the round.
    text: canonical, without the seat; a hidden one is "answer" or "discard".
    by: "" the player, "bot" a bot, "time" the safe default after a time-out.
    before, after: the views we were shown around it (None where we had none), for sentences that say what it did.
    """

    index: int
    term: int
    seat: int
    nick: str
    kind: str
    text: str
    by: str
    before: Any = None
    after: Any = None


class Shuffled(_Notice, frozen=True):
    """The stock ran out, and so many discards were shuffled into a new one."""

    cards: int


class TimeShort(_Notice, frozen=True):
    """The turn clock warns: half of the time is gone, or ten seconds are left. No seats: the table closes then."""

    seats: tuple[int, ...]
    nicks: tuple[str, ...]
    seconds: int


class SkipWanted(_Notice, frozen=True):
    """A player wants the turn skipped: `wants` of the `needed` do so by now."""

    seat: int
    nick: str
    wants: int
    needed: int


class DeckShown(_Notice, frozen=True):
    """A player had the whole deck laid open for everybody (setting allow_peek)."""

    seat: int
    nick: str


class CardsChanged(_Notice, frozen=True):
    """Our own cards changed (event `view`): canonical text."""

    hand: str


class TurnOf(_Notice, frozen=True):
    """Who is to act now (event `turn`), told after every act.

    mine: whether our seat is among them. fresh: whether it is a new turn, that is other seats than before.
    """

    seats: tuple[int, ...]
    mine: bool
    fresh: bool = True


class RoundOver(_Notice, frozen=True):
    """A round is over (event `round`). winners and points by nick; reason as in records, or "void"."""

    number: int
    reason: str
    winners: tuple[str, ...]
    points: tuple[tuple[str, int], ...]


class Audited(_Notice, frozen=True):
    """Deal and moves of a finished round were checked. bad: index of the first bad entry, whose: its maker."""

    round: int
    ok: bool
    bad: int | None = None
    whose: str = ""
    why: str = ""


class Verdict(_Notice, frozen=True):
    """What another player's program said of a finished round. bad, why: as in Audited."""

    round: int
    nick: str
    key: bytes
    bad: int | None
    why: str


class LeftOut(_Notice, frozen=True):
    """Players whose part of a shuffle did not come in time: the cards were shuffled without it.

    players: seat and nick of each. twice: those of them who are asked for no part any more in this match.
    sent: we are among them, though our part was sent.
    """

    round: int
    players: tuple[tuple[int, str], ...]
    twice: tuple[int, ...] = ()
    sent: bool = False


class BadShare(_Notice, frozen=True):
    """The host gave us another share of the round's secret than it committed to: we add nothing to the deal.

    missing: it gave us none, and went on without us. unkept: our own disk would not have it.
    """

    round: int
    missing: bool = False
    unkept: bool = False


class Recorded(_Notice, frozen=True):
    """The match so far, every disclosed round of it, as canonical text of records.md: its head, then round by round."""

    parts: tuple[str, ...]

    @property
    def text(self) -> str:
        """The whole."""
        return "".join(self.parts)


class Ready(_Notice, frozen=True):
    """Between rounds, or after a match: a player has typed `next` or `again`."""

    seat: int
    nick: str


class Stopped(_Notice, frozen=True):
    """A player has typed `stop`, which ends a match without an end of its own."""

    seat: int
    nick: str


class MatchOver(_Notice, frozen=True):
    """A match is over (event `match`): by nick."""

    scores: tuple[tuple[str, int], ...]
    winners: tuple[str, ...]


class Hinted(_Notice, frozen=True):
    """What a bot would do in our place (event `hint`), next best, tried in so many worlds; sure: it wins the round."""

    action: str
    second: str = ""
    worlds: int = 0
    sure: bool = False


class Refused(_Notice, frozen=True):
    """What we asked for was refused (event `refused`). code: a game's or the table's; until: unix s, 0 if not known."""

    code: str
    text: str
    until: int = 0


class LinkLost(_Notice, frozen=True):
    """The line to the host is lost; `net` tries again by itself."""


class LinkBack(_Notice, frozen=True):
    """The line to the host is back; another: to another host than before, which HostIs names."""

    another: bool = False


class HostElsewhere(_Notice, frozen=True):
    """Who we called is not the host, or no longer; key: who is (all zeros: nobody now), and its packed addresses."""

    key: bytes
    addresses: tuple[bytes, ...]


class HostChanging(_Notice, frozen=True):
    """No word from the host for too long: another one is being elected."""

    nick: str  # of the one that is gone


class TableWaits(_Notice, frozen=True):
    """The table stands still: too few are here to decide. It waits for these; () when it goes on."""

    nicks: tuple[str, ...]


class GoOnAsked(_Notice, frozen=True):
    """Shall the table go on without these? Answered by GoOn. by: who asks, "" we ourselves; void: ends the round so."""

    nicks: tuple[str, ...]
    by: str = ""
    void: bool = False


class GoOnDenied(_Notice, frozen=True):
    """Somebody would rather wait; nick: who."""

    nick: str


class WentOn(_Notice, frozen=True):
    """The table goes on without these; bots have their seats (FORK)."""

    nicks: tuple[str, ...]


class RolledBack(_Notice, frozen=True):
    """The `count` entries from `index` on went with the old host (event `rolled_back`); mine: our own among them."""

    index: int
    count: int
    mine: tuple[str, ...] = ()


class RoundVoid(_Notice, frozen=True):
    """The open round came to nothing and is dealt anew: its secret is lost with its dealer."""

    round: int


class SharesAwaited(_Notice, frozen=True):
    """The new host lacks shares of the open round's secret; it waits for these holders, at most so many seconds."""

    nicks: tuple[str, ...]
    seconds: int


class FalseShare(_Notice, frozen=True):
    """A share that was not the one committed to; nick: who sent it."""

    nick: str


class DoubleVote(_Notice, frozen=True):
    """A voter signed for two candidates in one term: proof is kept."""

    nick: str
    term: int


class DoorFellBack(_Notice, frozen=True):
    """A new host can't keep the old door: it has no lab key. door: what it is now."""

    door: str


class Alarm(_Notice, frozen=True):
    """The host did what no honest host does; says what."""

    text: str


class Closed(_Notice, frozen=True):
    """We are no longer at the table (event `closed`).

    reason: a name of wire.messages.Reason in lower case, "left" (by ourselves), "lost" or "no_such_table". until: unix
    seconds until when we may not come again, 0 where there is no such time.
    """

    reason: str
    text: str
    until: int = 0


class Opened(_Notice, frozen=True):
    """Our own table is open for others (event `table`): its title, T, its port, and its code if it has one."""

    title: str
    table: bytes
    port: int
    code: str = ""


class Failed(_Notice, frozen=True):
    """What was set going came to nothing (event `error`): a sentence, and the exit code it would have had."""

    text: str
    exit_code: int


class BotTurn(_Notice, frozen=True):
    """Host only: a bot of ours is to move; answer with BotChose(seat, text, head)."""

    seat: int
    level: str
    view: Any
    head: bytes


class PakeRun(_Notice, frozen=True):
    """Host only: a newcomer tries the code; answer with Agreed(link, …), from `wire.code.answer`. Takes 8 ms."""

    link: int
    code: str
    key: bytes  # the newcomer's
    session: bytes
    point: bytes

    def __repr__(self) -> str:
        return f"PakeRun(link={self.link})"


class SeatsFull(_Notice, frozen=True):
    """Host only: every seat is taken and ready, at a kept table again and again; a headless table starts now."""


Notice = (
    Entered
    | HostIs
    | Seated
    | Watching
    | Vacated
    | Unwatched
    | Dropped
    | Returned
    | BotPlays
    | OptionsSet
    | DoorSet
    | CodeIs
    | Knocked
    | WentAway
    | Waiting
    | CodeWanted
    | OtherKey
    | Kicked
    | Pardoned
    | VoteCalled
    | VoteCast
    | VoteFailed
    | Spoken
    | MatchStarted
    | RoundStarted
    | Acted
    | Shuffled
    | TimeShort
    | SkipWanted
    | DeckShown
    | CardsChanged
    | TurnOf
    | RoundOver
    | Audited
    | Verdict
    | LeftOut
    | BadShare
    | Recorded
    | MatchOver
    | Ready
    | Stopped
    | Hinted
    | Refused
    | LinkLost
    | LinkBack
    | HostElsewhere
    | HostChanging
    | TableWaits
    | GoOnAsked
    | GoOnDenied
    | WentOn
    | RolledBack
    | RoundVoid
    | SharesAwaited
    | FalseShare
    | DoubleVote
    | DoorFellBack
    | Alarm
    | Closed
    | Opened
    | Failed
    | BotTurn
    | PakeRun
    | SeatsFull
)

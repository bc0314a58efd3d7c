"""What may be done now, and why something obvious may not: from what the player knows, as codes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum

from p2pcards.commands.coach_onecard import coach as coach_onecard
from p2pcards.commands.coach_straights import coach as coach_straights
from p2pcards.commands.coach_tienlen import coach as coach_tienlen
from p2pcards.commands.coach_tienlen import waiting as waiting_tienlen
from p2pcards.commands.coach_tongits import coach as coach_tongits
from p2pcards.commands.command import Remark
from p2pcards.commands.context import Context, Where
from p2pcards.commands.legal import Legal


class Advice(StrEnum):
    """What the coach says in any game; its detail."""

    START = "start"
    START_WITH_BOTS = "start_with_bots"  # how many seats are open
    WAIT_FOR_START = "wait_for_start"  # the host
    WATCHING = "watching"  # who is to act
    LOOKING_ON = "looking_on"  # likewise, for a host without a seat
    WATCHING_ON = "watching_on"
    SENT = "sent"  # the act on its way
    WAIT_FOR = "wait_for"  # who is to act
    BOT_PLAYS = "bot_plays"  # for us, till we are back
    NEXT = "next"
    NEXT_OR_STOP = "next_or_stop"
    READY = "ready"
    READY_WAIT = "ready_wait"  # who is waited for
    MATCH_OVER = "match_over"
    WATCHED = "watched"  # the match is over, and we are the host, without a seat
    KNOCK = "knock"  # who waits at the door, two words of the key, a `table.people.Known`
    KNOCK_NAMED = "knock_named"  # likewise: they have the name of somebody we know
    KNOCKS = "knocks"  # who waits at the door, several
    VOTE = "vote"  # whom it is about, who called it, the votes for it, how many are needed
    ABOUT_YOU = "about_you"  # the vote is; who called it
    DOOR_ASK = "door_ask"  # who was shown out, and may come again under another key
    CHANGING = "changing"  # another host is being chosen; who was it
    STANDS_STILL = "stands_still"  # whom the table waits for
    LINE_LOST = "line_lost"  # who hosts, as far as is known
    SEAT_KEPT = "seat_kept"  # a bot has our seat until the round is over
    GO_ON = "go_on"  # those without whom it may go on
    ONLOOKING = "onlooking"  # we came to watch
    CODE_WANTED = "code_wanted"  # title of the table that asks for its code


_COACHES: dict[str, Callable[[Legal], tuple[Remark, ...]]] = {
    "onecard": coach_onecard,
    "straights": coach_straights,
    "tienlen": coach_tienlen,
    "tongits": coach_tongits,
}
_WAITING: dict[str, Callable[[Legal], tuple[Remark, ...]]] = {"tienlen": waiting_tienlen}
"""What there is to say in some games while others act."""


def coach(context: Context) -> tuple[Remark, ...]:
    """The remarks that make the coach's line, in order: what waits for an answer, then what may be done.

    None at home, where the screen itself teaches, but for a code that is asked for.
    """
    return (*_pressing(context), *(_standing(context) or _usual(context)))


def _pressing(context: Context) -> Iterator[Remark]:
    if context.asking:
        yield Remark(Advice.CODE_WANTED, (context.asking,))
    if len(context.knocks) == 1:
        (caller,) = context.knocks
        advice = Advice.KNOCK_NAMED if caller.asked == "name" else Advice.KNOCK
        yield Remark(advice, (caller.nick, caller.chip, caller.known))
    elif context.knocks:
        yield Remark(Advice.KNOCKS, tuple(caller.nick for caller in context.knocks))
    if (vote := context.vote) is not None:
        if vote.nick == context.nick and context.me is not None:
            yield Remark(Advice.ABOUT_YOU, (vote.by,))
        elif vote.may:
            yield Remark(Advice.VOTE, (vote.nick, vote.by, str(vote.votes), str(vote.needed)))
    if context.kicked and context.door == "open" and context.where is not Where.PLAYING:
        yield Remark(Advice.DOOR_ASK, (context.kicked,))


def _standing(context: Context) -> tuple[Remark, ...]:
    """Why the table stands still, if it does: nothing that is typed for it then is taken."""
    if context.may_go_on:
        return (Remark(Advice.GO_ON, context.may_go_on),)
    if context.waiting_for:
        return (Remark(Advice.STANDS_STILL, context.waiting_for),)
    if context.changing:
        return (Remark(Advice.CHANGING, (context.host_nick,)),)
    return () if context.connected else (Remark(Advice.LINE_LOST, (context.host_nick,)),)


def _usual(context: Context) -> tuple[Remark, ...]:
    match context.where:
        case Where.HOME:
            return ()
        case Where.LOBBY:
            free = sum(not chair.nick for chair in context.chairs)
            if not context.host:
                return (Remark(Advice.WAIT_FOR_START, (context.host_nick,)),)
            return (Remark(Advice.START_WITH_BOTS, (str(free),)) if free else Remark(Advice.START),)
        case Where.BETWEEN:
            mine = (Remark(Advice.BOT_PLAYS),) if context.bot_plays else ()
            return (*mine, _go_on(context, Advice.NEXT_OR_STOP if context.endless else Advice.NEXT))
        case Where.OVER:
            return (_go_on(context, Advice.MATCH_OVER),)
        case Where.PLAYING:
            return _playing(context)


def _go_on(context: Context, advice: Advice) -> Remark:
    if context.me is None:
        if context.host and advice is Advice.MATCH_OVER:
            return Remark(Advice.WATCHED)
        advice = Advice.ONLOOKING if context.onlooker else Advice.WATCHING_ON
        return Remark(Advice.SEAT_KEPT if context.seat_kept else advice)
    if context.ready:
        return Remark(Advice.READY_WAIT, context.awaited) if context.awaited else Remark(Advice.READY)
    return Remark(advice)


def _waiting(context: Context) -> tuple[Remark, ...]:
    legal = context.legal
    return _WAITING[legal.game.name](legal) if legal is not None and legal.game.name in _WAITING else ()


def _playing(context: Context) -> tuple[Remark, ...]:
    acting = tuple(context.chairs[seat].nick for seat in context.to_act)
    if context.seat_kept:
        return (Remark(Advice.SEAT_KEPT),)
    if context.me is None:
        return (Remark(Advice.LOOKING_ON if context.host or context.onlooker else Advice.WATCHING, acting),)
    if context.bot_plays:
        return (Remark(Advice.BOT_PLAYS),)
    if context.pending:
        return (Remark(Advice.SENT, (context.pending,)),)
    if context.me not in context.to_act:
        return (*_waiting(context), *((Remark(Advice.WAIT_FOR, acting),) if acting else ()))
    if context.legal is None or context.legal.game.name not in _COACHES:
        return ()
    return _COACHES[context.legal.game.name](context.legal)

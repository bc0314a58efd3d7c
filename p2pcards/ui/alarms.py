"""What stands out among the lines of what happened: a loss, a refusal, somebody who is not who they seem, a lie."""

from __future__ import annotations

from p2pcards.table.notices import (
    Alarm,
    DoubleVote,
    Dropped,
    Failed,
    FalseShare,
    GoOnAsked,
    HostChanging,
    HostIs,
    Knocked,
    LinkLost,
    Notice,
    OtherKey,
    Refused,
    RolledBack,
    RoundVoid,
    Seated,
    TableWaits,
    WentOn,
)
from p2pcards.table.people import Known
from p2pcards.ui.verdicts import alarms

_LOUD = (
    *(Refused, Failed, LinkLost, Alarm, Dropped, OtherKey),
    *(HostChanging, RolledBack, RoundVoid, GoOnAsked, FalseShare, DoubleVote),
)


_STAYS = (Alarm, DoubleVote, FalseShare, RolledBack, RoundVoid, WentOn)


def stays(notice: Notice, me: str) -> bool:
    """Whether it is to be seen until the player whose nick this is has acted: what bots do at once would hide it."""
    match notice:
        case HostIs(nick=nick, why=why):
            return bool(why) and nick == me
        case Seated(nick=nick, again=again):
            return again and nick == me
    return isinstance(notice, _STAYS)


def stands_out(notice: Notice) -> bool:
    """Whether the notice is shown louder than others."""
    match notice:
        case Knocked(known=known):
            return known == Known.OTHER
        case TableWaits(nicks):
            return bool(nicks)
    return isinstance(notice, _LOUD) or alarms(notice)

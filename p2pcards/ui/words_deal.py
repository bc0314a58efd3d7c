"""The fair deal in sentences: parts of a shuffle, and what the programs found when they checked a round."""

from __future__ import annotations

from collections.abc import Sequence

from p2pcards.table import notices
from p2pcards.table.notices import Notice
from p2pcards.table.tableview import TableView
from p2pcards.ui.verdicts import agreed
from p2pcards.ui.voice import Voice, listed
from p2pcards.wire.messages import REASON_CHARS
from p2pcards.wire.text import NICK_CHARS, clean

VERIFIED = "deal and moves verified"
"""What the check of a round found where all is well."""

HOST = "host"
"""Whose a bad entry is where no nick is known of the host that made it."""


def lines(notice: Notice, voice: Voice, table: TableView | None) -> list[str] | None:
    """What happened; None for notices that are not about this."""
    match notice:
        case notices.LeftOut():
            return _left_out(notice, voice)
        case notices.BadShare(missing=True):
            return [
                "Warning: the host gave you no share of the round's secret, so your program added no part to this "
                "shuffle"
            ]
        case notices.BadShare(unkept=True):
            return [
                "Warning: your share of the round's secret could not be kept on this disk, so your program adds no "
                "part to this shuffle"
            ]
        case notices.BadShare():
            return [
                "Warning: the host gave you another share of the round's secret than it committed to, so your program "
                "adds no part to this shuffle"
            ]
        case notices.Audited(number, True):
            return [verified(number, by_all=agreed(table, number))]
        case notices.Audited(number, False, bad, whose, why):
            return [f"Warning: round {number} is NOT in order: {trouble(voice, bad, whose, why)}"]
        case notices.Verdict(number, nick, _, None):
            if agreed(table, number):
                return [verified(number, by_all=True)]
            return [f"{voice.whose(clean(nick, NICK_CHARS))} program verified deal and moves of round {number}"]
        case notices.Verdict(number, nick, _, bad, why):
            whose = voice.whose(clean(nick, NICK_CHARS))
            return [
                f"Warning: {whose} program says that round {number} is NOT in order: {trouble(voice, bad, '', why)}"
            ]
    return None


def verified(number: int, *, by_all: bool = False) -> str:
    """That a round is in order; by_all: every player's program has said so."""
    by = " by every player's program" if by_all else ""
    return f"Round {number}: {VERIFIED}{by}"


def trouble(voice: Voice, bad: int | None, whose: str, why: str) -> str:
    """What was found: why the first bad entry of the journal is bad, which it is, and whose."""
    why = clean(why, max(REASON_CHARS, 300))
    if bad is None:
        return why
    maker = {voice.me: ", yours", HOST: ", the host's", "": ""}.get(whose, f", {clean(whose, NICK_CHARS)}'s")
    return f"{why} (entry {bad}{maker})"


def shuffling(table: TableView) -> str:
    """What goes on before a deal, a sentence; empty where none is under way, as far as one can know.

    Whose part has not come yet, the host alone knows.
    """
    return "Shuffling: everybody's program adds a part." if table.dealing and table.connected else ""


def _left_out(notice: notices.LeftOut, voice: Voice) -> list[str]:
    if notice.sent:
        return ["Warning: the host shuffles without your part, which was there in time: once is chance, twice is not"]
    twice = [place for place, _ in notice.players if place in notice.twice]
    told = [_missing([nick for place, nick in notice.players if place not in twice], voice)]
    told += [_missing([nick for place, nick in notice.players if place in twice], voice, twice=True)]
    return [one for one in told if one]


def _missing(nicks: Sequence[str], voice: Voice, *, twice: bool = False) -> str:
    if not nicks:
        return ""
    whose = listed([voice.whose(clean(nick, NICK_CHARS)) for nick in nicks], "and")
    part, it, program = ("part", "it", "program is") if len(nicks) == 1 else ("parts", "them", "programs are")
    again = ", for the second time" if twice else ""
    more = f", and {whose} {program} asked for no more parts in this match" if twice else ""
    return f"{whose} {part} of the shuffle did not come in time{again}: shuffled without {it}{more}"

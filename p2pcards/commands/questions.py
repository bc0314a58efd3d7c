"""What is asked once before it is done, as a code: what can't be taken back, or takes the table away from somebody."""

from __future__ import annotations

from enum import StrEnum

from p2pcards.commands.command import Command, Remark
from p2pcards.commands.context import Context, Where
from p2pcards.commands.table import ASKING_VERBS, LEAVING
from p2pcards.commands.table_hosts import heirs


class Asked(StrEnum):
    """What is at stake; its detail."""

    CALL = "call"
    FOLD = "fold"
    STOP = "stop"  # the match ends for everybody
    CLOSES = "closes"  # the verb: the host goes, and the table with it
    ENDS = "ends"  # the verb: likewise, in a match with others
    HANDS_OVER = "hands_over"  # the verb, then who could be the host then: the table goes on without us
    HANDS_OVER_PLAYS = "hands_over_plays"  # likewise, while we play in the open round
    ENDS_ALONE = "ends_alone"  # the verb: likewise, in a match with bots alone
    DECK = "deck"  # everybody will see all cards
    STANDS_STILL = "stands_still"  # the verb: one goes in the middle of a round that nobody leads on now
    BOT_PLAYS = "bot_plays"  # the verb: a guest goes in the middle of a round
    KICK = "kick"  # the nick
    KICK_PLAYS = "kick_plays"  # likewise, of somebody who plays in the open round
    BAN = "ban"  # the nick, for how many seconds
    BAN_FOREVER = "ban_forever"  # the nick
    TURN_AWAY = "turn_away"  # the nick of somebody at the door who is banned, for how many seconds


def question(command: Command, context: Context) -> Remark | None:
    """What is asked before the command is done; None where nothing is lost by it."""
    if command.action:
        return Remark(Asked(command.verb)) if command.verb in ASKING_VERBS else None
    if command.verb == "stop":
        return Remark(Asked.STOP)
    if command.verb == "deck":
        return Remark(Asked.DECK)
    if command.verb in ("kick", "ban"):
        return _shown_out(command, context) if context.host else None
    if command.verb not in LEAVING:
        return None
    if context.halts and not context.alone and context.where is Where.PLAYING and context.me is not None:
        return Remark(Asked.STANDS_STILL, (command.verb,))
    match_on = context.where in (Where.PLAYING, Where.BETWEEN)
    if context.host and (nicks := tuple(fellow.nick for fellow in heirs(context))):
        plays = context.where is Where.PLAYING and context.me is not None
        return Remark(Asked.HANDS_OVER_PLAYS if plays else Asked.HANDS_OVER, (command.verb, *nicks))
    if context.host:
        others = any(chair.nick and not chair.bot for seat, chair in enumerate(context.chairs) if seat != context.me)
        company = others or bool(context.watchers)
        if match_on:
            return Remark(Asked.ENDS if company else Asked.ENDS_ALONE, (command.verb,))
        return Remark(Asked.CLOSES, (command.verb,)) if company else None
    if context.where is Where.PLAYING and context.me is not None:
        return Remark(Asked.BOT_PLAYS, (command.verb,))
    return None


def _shown_out(command: Command, context: Context) -> Remark | None:
    nick = command.args[0]
    if nick not in {fellow.nick for fellow in context.people}:
        calls = command.verb == "ban" and any(caller.nick == nick for caller in context.knocks)
        return Remark(Asked.TURN_AWAY, command.args[:2]) if calls else None
    if command.verb == "ban":
        seconds = command.args[1]
        return Remark(Asked.BAN_FOREVER, (nick,)) if seconds == "0" else Remark(Asked.BAN, (nick, seconds))
    plays = any(fellow.nick == nick and fellow.seat is not None for fellow in context.people)
    return Remark(Asked.KICK_PLAYS if plays and context.where is Where.PLAYING else Asked.KICK, (nick,))

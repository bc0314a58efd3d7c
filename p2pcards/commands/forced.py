"""The move that leaves no choice."""

from __future__ import annotations

from p2pcards.commands.context import Context, Where
from p2pcards.commands.table import ASKING_VERBS


def forced(context: Context) -> str:
    """Our only legal action, arguments and all, as it would be typed; "" where there are others, where it is one that
    asks before it is done, and where it is not ours to act at this moment."""
    legal = context.legal
    if context.where is not Where.PLAYING or legal is None or context.me not in context.to_act:
        return ""
    halts = context.halts or context.may_go_on
    if halts or context.pending or context.bot_plays or len(legal.lines) != 1:
        return ""
    (line,) = legal.lines
    return "" if line.split(" ")[0] in ASKING_VERBS else line

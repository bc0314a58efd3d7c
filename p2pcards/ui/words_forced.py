"""What is said about moves that leave no choice."""

from __future__ import annotations

from p2pcards.ui.voice import Voice

STOPPED = "Stopped: the move is yours."


def waiting(voice: Voice, line: str, *, enter: bool) -> str:
    """That the only move is about to be played. enter: only whole lines are seen."""
    verb, *words = line.split(" ")
    move = f"{verb} {voice.card(' '.join(words))}" if words else verb
    stop = "press Enter to stop it" if enter else "type anything to stop it"
    return f"Only one move: {move}, played for you in a moment; {stop}."


def played(line: str) -> str:
    """That what was typed had been done a moment before."""
    return f"`{line}` was played for you a moment ago; type it again if you mean one more."


def setting(play: bool) -> str:
    """What happens with such moves, and how to change that."""
    if play:
        return "A move that is your only one is played for you after a moment; `forced ask` leaves it to you."
    return "Every move is left to you; `forced play` has those played for you that are your only one."

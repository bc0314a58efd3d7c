"""What happened in a record, in sentences, as somebody there saw it: from a seat's eyes, or with all hands open."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from p2pcards.games.base import DEALER, Secrecy, Shuffle
from p2pcards.table.notices import Acted
from p2pcards.ui.gamewords import GAME_WORDS, OPENINGS
from p2pcards.ui.voice import Cards, Voice, counted, listed, sentence

if TYPE_CHECKING:
    from p2pcards.bots.thinking import Thought
    from p2pcards.games.base import Seat
    from p2pcards.games.reel import Reel, Spot
    from p2pcards.games.replay import Step

ALL = "all hands open"


def seen_by(reel: Reel, eyes: Seat | None) -> str:
    """Whose eyes these are: `as ana`."""
    return ALL if eyes is None else f"as {reel.players[eyes]}"


def place(reel: Reel, spot: Spot) -> str:
    """Where that is: `round 2 of 3 · move 14 of 40`."""
    return f"round {spot.round + 1} of {reel.rounds} · move {spot.move} of {reel.moves(spot.round)}"


def voice_of(reel: Reel, eyes: Seat | None, cards: Cards) -> Voice:
    """The voice that tells it to these eyes."""
    return Voice(cards, "" if eyes is None else reel.players[eyes])


@lru_cache(maxsize=4096)
def told(reel: Reel, spot: Spot, eyes: Seat | None, cards: Cards) -> tuple[str, ...]:
    """What led to that position: the deal, a move, the end of the round."""
    voice = voice_of(reel, eyes, cards)
    step = reel.last(spot)
    led = _dealt(reel, spot, eyes, voice) if step is None else [_moved(reel, spot, step, eyes, voice)]
    return tuple(map(sentence, (*led, *_ended(reel, spot, eyes, voice))))


def happened(reel: Reel, spot: Spot, eyes: Seat | None, cards: Cards, most: int) -> tuple[str, ...]:
    """The same for the last positions of the round up to that one, oldest first."""
    first = max(0, spot.move - most)
    spots = (spot._replace(move=move) for move in range(first, spot.move + 1))
    return tuple(line for one in spots for line in told(reel, one, eyes, cards))


def awaited(reel: Reel, spot: Spot, voice: Voice) -> str:
    """Whose turn it is, a sentence; empty where the round is over."""
    acting = reel.acting(spot)
    if acting == (DEALER,):
        return "The stock is shuffled anew."
    if not acting:
        return ""
    names = [voice.who(reel.players[seat]) for seat in acting]
    if len(acting) > 1 or names == ["you"]:
        return sentence(f"{listed(names, 'and')} are to act")
    return sentence(f"{names[0]} is to act")


def advice(thought: Thought[str], seat: str, only: bool, voice: Voice) -> str:
    """What the bot would have done in that seat, and in how many deals it came out best."""
    would = f"In {voice.whose(seat)} place the hard bot would `{voice.action(thought.action)}`"
    if thought.sure:
        return f"{would}: that wins the round, whatever the others hold."
    if not thought.second:
        return f"{would}: there was nothing else to do." if only else f"{would}."
    deals = counted(thought.worlds, "deal")
    fits = f"what {'you' if seat == voice.me else seat} knew"
    return f"{would}: of {deals} that fit {fits} it came out best; next was `{voice.action(thought.second)}`."


def _dealt(reel: Reel, spot: Spot, eyes: Seat | None, voice: Voice) -> list[str]:
    stated = reel.stated(spot.round)
    starts = "start" if stated.starter == voice.me else "starts"
    lines = [f"Round {spot.round + 1}: {voice.who(stated.starter)} {starts}"]
    if reel.game.name in OPENINGS:
        lines += OPENINGS[reel.game.name](voice, reel.view(spot, eyes), reel.players)
    return lines


def _moved(reel: Reel, spot: Spot, step: Step, eyes: Seat | None, voice: Voice) -> str:
    action = reel.game.parse(step.text)
    if isinstance(action, Shuffle):
        return f"The stock ran out: {counted(len(action.order), 'discard')} were shuffled into a new one"
    who = voice.who(reel.players[step.seat])
    others = eyes is not None and eyes != step.seat
    if others and reel.veiled(spot):
        return f"{who} answered; it is seen when all have answered"
    sealed = reel.secrecy(step) is Secrecy.SEALED
    text = reel.game.sealed_as if sealed and others else step.text
    eye = step.seat if eyes is None else eyes
    before = reel.view(spot._replace(move=spot.move - 1), eye)
    kind = "sealed" if sealed else "act"
    notice = Acted(0, 0, step.seat, reel.players[step.seat], kind, text, "", before, reel.view(spot, eye))
    return GAME_WORDS[reel.game.name].acted(voice, notice, who, reel.players)


def _ended(reel: Reel, spot: Spot, eyes: Seat | None, voice: Voice) -> list[str]:
    """How the round ended, where it did."""
    outcome = reel.outcome(spot)
    if outcome is None:
        return []
    winners = tuple(reel.players[seat] for seat in outcome.winners)
    words = GAME_WORDS[reel.game.name]
    return words.ending(voice, reel.view(spot, eyes), outcome.reason, winners, reel.players)[:1]

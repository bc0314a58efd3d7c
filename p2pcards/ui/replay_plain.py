"""The viewer of a record in lines: one sentence per move, the same words as on the screen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from p2pcards.errors import UserError
from p2pcards.games.base import Seat
from p2pcards.ui import replay_words
from p2pcards.ui.gamewords import GAME_WORDS
from p2pcards.ui.replay_commands import WORDS, Wish, parse
from p2pcards.ui.replay_hint import thoughts
from p2pcards.ui.replay_view import hand, put_aside, table
from p2pcards.ui.signals import INTERRUPTED, interrupts
from p2pcards.ui.streams import Out, RawInput, columns, read_lines
from p2pcards.ui.voice import Cards, listed, sentence

if TYPE_CHECKING:
    from p2pcards.bots.thinking import Thought
    from p2pcards.cards import Card
    from p2pcards.games.reel import Spot
    from p2pcards.ui.replay_desk import Viewing

PROMPT = "> "


async def run_plain_viewer(desk: Viewing, stdin: RawInput | None, stdout: TextIO) -> int:
    """Tells the record as it is asked for, until the person leaves or input ends; the exit code."""
    return await _Teller(desk, Out(stdout, lambda: None)).run(stdin)


class _Teller:
    def __init__(self, desk: Viewing, out: Out) -> None:
        self._desk, self._out = desk, out
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._interrupted = False

    async def run(self, stdin: RawInput | None) -> int:
        desk = self._desk
        taken = read_lines(stdin, self._lines.put_nowait)
        with interrupts(asyncio.get_running_loop(), self._interrupt):
            self._say(f"{desk.reel.game.title}: {listed(desk.reel.players, 'and')}.")
            if desk.reel.wrong:
                self._say(f"{desk.reel.wrong}; it is told up to there.")
            self._say("An empty line is the next move; `help` lists the words.")
            self._tell_place()
            while not self._out.gone:
                if not desk.playing:
                    self._out.write(PROMPT)
                line = await self._next()
                if self._interrupted:
                    return INTERRUPTED
                if line is None:
                    self._out.write("\n")
                    return 0
                taken()
                desk.playing = False
                try:
                    if (wish := parse(line)).verb == "quit":
                        return 0
                    self._do(wish)
                except UserError as refused:
                    self._say(str(refused))
        return 0

    async def _next(self) -> str | None:
        """The next line; until it comes it runs by itself, if it does."""
        while self._desk.playing:
            try:
                return await asyncio.wait_for(self._lines.get(), 1 / self._desk.speed)
            except TimeoutError:
                self._desk.step(1)
                self._desk.playing = not self._desk.ended
                self._tell_place()
                if not self._desk.playing:
                    self._out.write(PROMPT)
        return await self._lines.get()

    def _interrupt(self) -> None:
        self._interrupted = True
        self._lines.put_nowait(None)

    # ---- what is told

    def _do(self, wish: Wish) -> None:
        desk, before = self._desk, self._desk.at
        match wish.verb:
            case "help":
                for verb, one in WORDS.items():
                    self._say(f"{f'{verb} {one.given}'.rstrip()}: {one.does}.")
            case "legal":
                for line in self._legal():
                    self._say(line)
            case "hint":
                seat = desk.adviser_seat()
                self._say(self._hint(seat))
            case "eyes":
                desk.do(wish)
                self._say(f"You see it {replay_words.seen_by(desk.reel, desk.eyes)}.")
                self._tell_cards()
            case "play":
                desk.do(wish)
            case "next" if desk.ended:
                self._say("The record ends here.")
            case "next" if wish.given:
                for _ in range(min(int(wish.given), len(desk.reel.spots) - 1 - before)):
                    desk.step(1)
                    self._tell_place()
            case _:
                desk.do(wish)
                self._tell_place(whole=desk.at != before + 1)

    def _tell_place(self, *, whole: bool = False) -> None:
        """What led here and who is to act. whole: we came from elsewhere, so where it is and what lies there too."""
        desk = self._desk
        reel, spot, eyes = desk.reel, desk.spot, desk.eyes
        voice = replay_words.voice_of(reel, eyes, Cards.WORDS)
        if whole:
            self._say(sentence(replay_words.place(reel, spot).replace(" · ", ", ").capitalize()))
        for line in replay_words.told(reel, spot, eyes, Cards.WORDS):
            self._say(line)
        if whole or not spot.move:
            self._tell_table(spot)
            self._tell_cards()
        if reel.outcome(spot) is not None:
            match = reel.after(spot)
            scores = zip(map(voice.who, reel.players), match.scores, strict=True)
            self._say(f"Scores: {', '.join(f'{who} {voice.points(score)}' for who, score in scores)}.")
            if match.over:
                winners = listed([voice.who(reel.players[seat]) for seat in match.winners], "and")
                self._say(sentence(f"{winners} won the match"))
        elif told := replay_words.awaited(reel, spot, voice):
            self._say(told)
        if desk.ended and reel.wrong:
            self._say(f"Here it goes wrong: {reel.wrong}.")

    def _tell_table(self, spot: Spot) -> None:
        """What lies on the table."""
        desk = self._desk
        seen = table(desk.reel, spot, desk.eyes)
        if seen.view is not None:
            voice = replay_words.voice_of(desk.reel, desk.eyes, Cards.WORDS)
            for line in GAME_WORDS[seen.game.name].table(voice, seen.view, desk.reel.players):
                self._say(sentence(line))

    def _tell_cards(self) -> None:
        """The hands that are to be seen."""
        desk = self._desk
        reel = desk.reel
        voice = replay_words.voice_of(reel, desk.eyes, Cards.WORDS)
        for seat in map(Seat, range(len(reel.players))):
            if desk.eyes in (None, seat):
                who = voice.who(reel.players[seat])
                held = self._cards(hand(reel, desk.spot, seat, desk.shown.order))
                aside = self._cards(put_aside(reel, desk.spot, seat))
                holds = "hold" if who == "you" else "holds"
                self._say(sentence(f"{who} {holds} {held or 'no cards'}{f'; put aside: {aside}' if aside else ''}"))

    def _cards(self, held: tuple[Card, ...]) -> str:
        voice = replay_words.voice_of(self._desk.reel, self._desk.eyes, Cards.WORDS)
        return voice.cards(" ".join(map(self._desk.reel.game.ranking.format, held)))

    def _legal(self) -> Iterator[str]:
        if told := self._desk.not_to_act():
            yield told
        found = self._desk.legal()
        for one in found:
            if len(found) > 1:
                yield f"{one.nick}:"
            yield from (f"{line}: {note}." for line, note in zip(one.lines, one.notes, strict=True))

    def _hint(self, seat: Seat) -> str:
        reel = self._desk.reel
        last: Thought[str] | None = None
        for thought in thoughts(reel.game, reel.view(self._desk.spot, seat)):
            last = thought.of(reel.game.format)
        return self._desk.advice(last, seat)

    def _say(self, line: str) -> None:
        from p2pcards.ui.width import wrap

        width = columns(self._out.stdout)
        for piece in wrap(line, width) if width else [line]:
            self._out.line(piece)

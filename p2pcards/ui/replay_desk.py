"""Where somebody is in a record and how it is looked at: does what is typed, says what to draw. No terminal in here.

desk = Viewing(reel, eyes=None)
desk.do(parse("round 2"))
desk.picture(size, look)                        # all lines of the screen but the keys
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from p2pcards.commands.legal import Legal
from p2pcards.errors import UserError
from p2pcards.games.base import DEALER, Seat
from p2pcards.ui import frame, pages, replay_words
from p2pcards.ui.gamescreens import next_mode
from p2pcards.ui.keynames import NAMES
from p2pcards.ui.local import Local, Offer
from p2pcards.ui.replay_commands import WORDS, Wish
from p2pcards.ui.replay_view import Shown, local, screen, table
from p2pcards.ui.voice import Cards, counted, listed
from p2pcards.ui.words import Words

if TYPE_CHECKING:
    from p2pcards.bots.thinking import Thought
    from p2pcards.games.reel import Reel, Spot
    from p2pcards.ui.theme import Look, Size
    from p2pcards.ui.width import Line

SPEEDS = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""Moves a second while it runs by itself."""

LEGAL, HELP = "what was legal", "replay"
"""Pages."""

KEYS: Sequence[tuple[str, str]] = (
    ("Space, n, Right", "one move on"),
    ("p, Left, Backspace", "one move back"),
    ("], Down", "to the next turn"),
    ("[, Up", "back to the turn before"),
    ("PageDown, PageUp", "to the next round, to the one before"),
    ("Home, End", "to the beginning, to the end"),
    ("Tab, Shift-Tab", "through the eyes of the next player, of the one before"),
    ("1 to 9, 0", "through the eyes of that player; 0: all hands open"),
    ("a, + and -", "let it run or stop it; faster, slower"),
    ("l, L", "what was legal there, ▸ before what was done; as a page"),
    ("h", "what the hard bot would have done, from what the player knew"),
    ("{cards}, c", "show cards in the next way that has room"),
    ("g", "type where to go: `round 2`, `turn 12`, `move 40`, `eyes ana`"),
    ("?, {help}", "this help; Esc closes it"),
    ("{redraw}, {suspend}", "draw the screen again; suspend the program"),
    ("q, Ctrl-C", "leave"),
)
"""What each key does; in braces those that can be others."""

BOTTOM = (
    ("?", "help"),
    ("q", "quit"),
    ("Space", "next"),
    ("p", "back"),
    ("Tab", "eyes"),
    ("a", "play"),
    ("l", "legal"),
    ("h", "hint"),
    ("PgDn", "round"),
    ("]", "turn"),
    ("+ -", "speed"),
    ("g", "go to"),
)
"""The last line of the screen: as many as fit."""

PAGE = (("Esc", "closes"), ("Up Down PgUp PgDn", "turn the page"))
"""Likewise while a page is open."""


class Allowed(NamedTuple):
    """What was legal for one seat; done: the place of what was done, None where that is not to be seen."""

    nick: str
    lines: tuple[str, ...]
    notes: tuple[str, ...]
    done: int | None


class Viewing:
    """at: the place in the row of positions; eyes: a seat, None for all hands open; playing: it runs by itself."""

    def __init__(
        self, reel: Reel, eyes: Seat | None = None, shown: Shown | None = None, keys: Mapping[str, str] = NAMES
    ) -> None:
        self.reel, self.eyes = reel, eyes
        self.shown = shown or Shown()
        self.keys = keys
        self.at = 0
        self.playing = False
        self.speed = 1.0
        self.listing = False  # what was legal stands in the menu's place
        self.page, self._text, self._scroll = "", [""], 0
        self._said, self._wrong = "", False
        if reel.wrong:
            self.say(f"{reel.wrong}; it is shown up to there.", wrong=True)

    # ---- where

    @property
    def spot(self) -> Spot:
        """The position."""
        return self.reel.spots[self.at]

    @property
    def ended(self) -> bool:
        """Whether it is the last one."""
        return self.at == len(self.reel.spots) - 1

    def step(self, moves: int) -> None:
        """So many moves on, or back, as far as there are any."""
        self.go_to(max(0, min(len(self.reel.spots) - 1, self.at + moves)))

    def turn(self, turns: int) -> None:
        """To the next beginning of a turn, or the one before, in whichever round that is."""
        spots = self.reel.spots
        to = self.at
        while 0 <= to + turns < len(spots):
            to += turns
            if spots[to].move in self.reel.turns(spots[to].round):
                break
        self.go_to(to)

    def round(self, rounds: int) -> None:
        """To the beginning of the next round; back: of this one, and from there of the one before."""
        number, move = self.spot
        to = number + rounds + (rounds < 0 and move > 0)
        if to < self.reel.rounds:
            self._to_round(max(0, to))
        else:
            self.go_to(len(self.reel.spots) - 1)

    def go_to(self, place: int) -> None:
        """To that place in the row."""
        self.at = place
        self.quiet()

    def _to_round(self, number: int) -> None:
        self.go_to(self.reel.place(self.spot._replace(round=number, move=0)))

    def look_as(self, eyes: Seat | None) -> None:
        """Through other eyes."""
        self.eyes = eyes
        self.quiet()

    def next_eyes(self, on: int) -> None:
        """Through those of the next player; all hands open come after the last one."""
        seats: list[Seat | None] = [None, *map(Seat, range(len(self.reel.players)))]
        self.look_as(seats[(seats.index(self.eyes) + on) % len(seats)])

    def faster(self, steps: int) -> None:
        """So many speeds up or down."""
        near = min(range(len(SPEEDS)), key=lambda place: abs(SPEEDS[place] - self.speed))
        self.speed = SPEEDS[max(0, min(len(SPEEDS) - 1, near + steps))]

    def play(self, on: bool) -> None:
        """Lets it run or stops it; from the end it begins anew."""
        if on and self.ended:
            self.go_to(0)
        self.playing = on

    # ---- what is typed

    def do(self, wish: Wish) -> None:
        """Goes where the words say; raises UserError where there is no such place. Not for hint, help and quit."""
        given = int(wish.given) if wish.given.isdecimal() else None
        number = self.spot.round
        match wish.verb:
            case "next" | "back":
                self.step((1 if given is None else given) * (1 if wish.verb == "next" else -1))
            case "round" if given is None:
                self.round(1)
            case "round":
                self._to_round(_within("round", given, self.reel.rounds, "The record has {}") - 1)
            case "turn" if given is None:
                self.turn(1)
            case "turn":
                turns = self.reel.turns(number)
                which = _within("turn", given, len(turns), f"Round {number + 1} has {{}}")
                self.go_to(self.reel.place(self.spot._replace(move=turns[which - 1])))
            case "move":
                moves = self.reel.moves(number)
                to = 0 if given == 0 else _within("move", given, moves, f"Round {number + 1} has {{}}")
                self.go_to(self.reel.place(self.spot._replace(move=to)))
            case "start":
                self.go_to(0)
            case "end":
                self.go_to(len(self.reel.spots) - 1)
            case "eyes" if not wish.given:
                self.next_eyes(1)
            case "eyes":
                self.look_as(eyes_of(self.reel, wish.given))
            case "play":
                self.speed = self.speed if not wish.given else speed_of(wish.given)
                self.play(bool(wish.given) or not self.playing)
            case "legal":
                self.open_legal()

    # ---- what was legal, and what a bot would have done

    def legal(self) -> list[Allowed]:
        """For each seat that was to act, as far as these eyes may know."""
        found = []
        acting = [seat for seat in self.reel.acting(self.spot) if seat != DEALER]
        steps = self.reel.steps(self.spot.round)
        then = steps[self.spot.move] if self.spot.move < len(steps) else None
        for seat in acting:
            if self.eyes in (None, seat):
                words = Words(self.shown.cards, self.reel.players[seat])
                known = Legal(self.reel.game, self.reel.view(self.spot, seat), self.reel.players)
                done = known.lines.index(then.text) if then and then.seat == seat and then.text in known.lines else None
                notes = tuple(map(words.note, known.notes))
                found.append(Allowed(self.reel.players[seat], known.lines, notes, done))
        return found

    def not_to_act(self) -> str:
        """Why nothing was legal for these eyes, a sentence; empty where something was."""
        acting = [seat for seat in self.reel.acting(self.spot) if seat != DEALER]
        if not acting:
            return "Nobody is to act here."
        if self.eyes in (None, *acting):
            return ""
        return f"{self.reel.players[self.eyes or 0]} could do nothing here: {self._turn_of(acting)}."

    def adviser_seat(self) -> Seat:
        """In whose place a bot may be asked: from those eyes alone; raises UserError elsewhere."""
        acting = [seat for seat in self.reel.acting(self.spot) if seat != DEALER]
        if self.eyes is not None and self.eyes in acting:
            return self.eyes
        if not acting:
            raise UserError("Nobody is to act here.")
        eyes = " or ".join(f"`eyes {self.reel.players[seat]}`" for seat in acting)
        if self.eyes is None:
            raise UserError(f"The bot knows no more than a player: {eyes} first.")
        raise UserError(f"It is not {self.reel.players[self.eyes]}'s turn: {eyes} first.")

    def advice(self, thought: Thought[str] | None, seat: Seat) -> str:
        """What the bot would have done there, a sentence."""
        if thought is None:
            return "The bot has failed over this one."
        voice = replay_words.voice_of(self.reel, self.eyes, self.shown.cards)
        only = len(list(self.reel.game.legal_actions(self.reel.view(self.spot, seat)))) == 1
        return replay_words.advice(thought, self.reel.players[seat], only, voice)

    def _turn_of(self, acting: Sequence[Seat]) -> str:
        nicks = listed([self.reel.players[seat] for seat in acting], "and")
        return f"{nicks} {'is' if len(acting) == 1 else 'are'} to act"

    # ---- pages and answers

    def list_legal(self) -> None:
        """What was legal stands on the screen from now on, or no more."""
        self.listing = not self.listing
        self.quiet()

    def say(self, text: str, wrong: bool = False) -> None:
        """One sentence until the next step."""
        self._said, self._wrong = text, wrong

    def quiet(self) -> None:
        """Nothing is said any more."""
        self.page = ""
        self._said, self._wrong = "", False

    def open_legal(self) -> None:
        """All that was legal, as a page."""
        if told := self.not_to_act():
            self.say(told)
            return
        lines: list[str] = []
        for one in self.legal():
            lines += [*([""] if lines else []), f"# {one.nick}"]
            done = one.done if self.listing else None
            lines += [
                f"{'▸ ' if place == done else ''}{line}\t{note}"
                for place, (line, note) in enumerate(zip(one.lines, one.notes, strict=True))
            ]
        self.page, self._text, self._scroll = LEGAL, lines, 0

    def open_help(self) -> None:
        """Keys and words."""
        words = [f"{verb} {one.given}".rstrip() + f"\t{one.does}" for verb, one in WORDS.items()]
        self.page, self._scroll = HELP, 0
        self._text = [*pages.keys_text(self.keys, KEYS), "", "# Words", *words]

    def turn_page(self, lines: int, size: Size) -> None:
        """Moves the page that is open by so many pages."""
        self._scroll = pages.scrolled(self._text, self._scroll, lines, size)

    def next_cards(self, size: Size) -> None:
        """Shows cards in the next way that has room."""
        beside = local(self.reel, self.spot, self.eyes, self.shown)
        mode = next_mode(table(self.reel, self.spot, self.eyes), size, beside)
        letters = Cards.LETTERS if mode == "ascii" else Cards.SIGNS
        self.shown = self.shown._replace(mode=mode, cards=letters)

    # ---- what is shown

    def look(self, look: Look) -> Look:
        """How it is painted, with what was said about cards."""
        return look._replace(suits=look.suits and self.shown.cards is not Cards.LETTERS)

    def picture(self, size: Size, look: Look) -> list[Line]:
        """All lines of the screen above the keys: exactly `size.rows - 1`."""
        if size.cols < frame.LEAST.cols or size.rows < frame.LEAST.rows:
            lines = frame.too_small(size)
            return [*lines, *([] for _ in range(size.rows - 1 - len(lines)))]
        look = self.look(look)
        beside = self._beside()
        if self.page:
            drawn = pages.draw(self.page, self._text, size, beside._replace(scroll=self._scroll))
        else:
            drawn = screen(self.reel, self.spot, self.eyes, size, beside, self.shown.order)
        return [*frame.compose(drawn, size, look, beside), self.progress(size, look)]

    def keys_line(self, size: Size, look: Look) -> Line:
        """The last line."""
        return frame.keys(PAGE if self.page else BOTTOM, size, self.look(look))

    def _beside(self) -> Local:
        beside = local(self.reel, self.spot, self.eyes, self.shown)
        menu: tuple[Offer, ...] = ()
        chosen = None
        coach = replay_words.awaited(
            self.reel, self.spot, replay_words.voice_of(self.reel, self.eyes, self.shown.cards)
        )
        if self.listing and not self.page:
            for one in self.legal():
                chosen = len(menu) + one.done if one.done is not None else chosen
                menu += tuple(map(Offer, one.lines, one.notes))
            count = f"{counted(len(menu), 'thing')} could be done" if menu else ""
            coach = " ".join(filter(None, (coach, f"{count}; `L` lists all." if menu else self.not_to_act())))
        if self.ended and self.reel.wrong and not self._said:
            return beside._replace(said=f"Here it goes wrong: {self.reel.wrong}.", wrong=True, menu=menu, chosen=chosen)
        if self.ended and not coach:
            coach = "The record ends here."
        return beside._replace(
            coach=coach, said=self._said, wrong=self._wrong, menu=menu, chosen=chosen, keys={**beside.keys, **self.keys}
        )

    def progress(self, size: Size, look: Look) -> Line:
        """How far it is, and whether it runs by itself."""
        state = f" {'▸' if self.playing else ' '} ×{self.speed:g} "
        last = len(self.reel.spots) - 1
        room = max(4, size.cols - len(state) - 1)
        done = room if not last else round(room * self.at / last)
        style = "class:turn" if self.playing else "class:dim"
        line: Line = [(style, state), ("class:mark", "━" * done), ("class:rule", "·" * (room - done))]
        return frame.finish([line], size, look)[0]


def eyes_of(reel: Reel, text: str) -> Seat | None:
    """The seat of that nick or number, None for `all` and 0; raises UserError."""
    if text.lower() in ("all", "0"):
        return None
    names = [nick.lower() for nick in reel.players]
    if text.lower() in names:
        return Seat(names.index(text.lower()))
    if text.isdecimal() and text.isascii() and 0 < int(text[:4]) <= len(names):
        return Seat(int(text[:4]) - 1)
    raise UserError(f"Nobody at this table is called {text[:20]!r}; there is: {', '.join(reel.players)}, or all.")


def speed_of(text: str) -> float:
    """Moves a second; raises UserError."""
    try:
        speed = float(text)
    except ValueError:
        speed = 0.0
    if not SPEEDS[0] / 10 <= speed <= 100:
        raise UserError(f"{text[:20]!r} is no speed: a number of moves a second, such as 2.")
    return speed


def _within(what: str, number: int | None, most: int, has: str) -> int:
    """The number, counted from 1; raises UserError where there is no such one."""
    if number is None or not 1 <= number <= most:
        raise UserError(f"There is no {what} {number}. {has.format(counted(most, what))}.")
    return number

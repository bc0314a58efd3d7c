"""What a keystroke's suggestions cost on the richest hands: all of them, with the words beside them, as the menu wants
them; the context is made already, as it is from the second key on."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median, quantiles
from time import perf_counter

from prompt_toolkit.completion import CompleteEvent
from prompt_toolkit.document import Document

from p2pcards.ui.completer import Suggesting
from p2pcards.ui.desk import Desk
from tests.bench.figure import Figure
from tests.testing.scenes import CROWD, LONG, SCENES, Scene, _at, _holds

CROWDED = Scene(_at("onecard", _holds(40), first=("draw",), seats=8, nicks=LONG), "stock", seed=2, options=CROWD)
"""Forty cards of four decks in hand."""

REPEATS = 40


def hands() -> dict[str, Scene]:
    """The richest hands of each game."""
    rich = ("tienlen-lead", "tongits-late", "tongits-full", "straights-middle", "onecard-full")
    return {**{name: SCENES[name] for name in rich}, "onecard-forty": CROWDED}


def lines(desk: Desk) -> Iterator[str]:
    """Lines to be typed: of each verb, its first cards, and what can be asked."""
    context = desk._prompt.here.context()
    game, legal = context.game, context.legal
    assert game is not None
    assert legal is not None
    held = [game.ranking.format(card).lower() for card in context.hand]
    yield from {line.split()[0]: line.lower() for line in legal.lines}.values()
    yield from {line.split()[0]: line.lower() for line in reversed(legal.lines)}.values()
    yield f"{' '.join(held[:4])}"
    yield "#1 #2 "
    yield f"why {' '.join(held[:3])}"
    yield f"why {next(iter(game.verbs))} {' '.join(held[-3:])}"
    yield "card names"
    yield "say well played"


def keystrokes() -> Iterator[tuple[str, Suggesting, str]]:
    """Every text that stands there while the lines are typed, of each hand."""
    for name, scene in hands().items():
        node = scene.node()
        scene.happens(node)
        desk = Desk(node, str, exit_=lambda code: None)
        desk.heard(None)
        completer = Suggesting(desk.suggest, desk.say_note, desk.shown)
        for text in dict.fromkeys(line[:end] for line in lines(desk) for end in range(len(line) + 1)):
            yield name, completer, text


def measure() -> Figure:
    """Milliseconds: the 99th percentile over all keystrokes of the time that each usually takes."""
    took: dict[tuple[str, str], float] = {}
    for name, completer, text in keystrokes():
        event, found = CompleteEvent(text_inserted=True), list[float]()
        for _ in range(REPEATS):
            start = perf_counter()
            list(completer.get_completions(Document(text), event))
            found.append(perf_counter() - start)
        took[name, text] = median(found)
    times = sorted(took.values())
    return Figure(quantiles(times, n=100)[98] * 1e3, {"ms usually": median(times) * 1e3, "ms at most": times[-1] * 1e3})

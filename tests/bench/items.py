"""What the benchmark measures."""

from __future__ import annotations

from tests.bench import (
    besieged,
    deadwood,
    engine,
    fair,
    frame,
    kernels,
    key,
    listed,
    past,
    sealed,
    strength,
    suggestions,
    takeover,
    thinking,
    tongits,
    version,
)
from tests.bench.figure import Item


def _engine(game: str, seats: int, anchor: str, aim: float) -> Item:
    return Item(f"a step of {game} over one of {anchor}", "x", aim, engine.beside(game, seats, anchor))


def _kernel(game: str, seats: int, anchor: str, aim: float) -> Item:
    return Item(f"a step of the kernel of {game} over one of {anchor}", "x", aim, kernels.beside(game, seats, anchor))


def _typed(game: str, seats: int) -> Item:
    return Item(f"a step of {game} through the rules over one of its kernel", "x", 4.0, kernels.typed(game, seats))


def _over_rlcard(game: str, seats: int, name: str, aim: float) -> Item:
    measure = kernels.over_rlcard(game, seats, f"rlcard.games.{name}.game", f"{name.capitalize()}Game")
    return Item(
        f"steps of the kernel of {game} in the time of one of RLCard's {name}", "x", aim, measure, more_is_better=True
    )


def _against_random(game: str, seats: int, aim: float) -> Item:
    what = f"wins of medium against random in {game}"
    return Item(what, "", aim, strength.share(game, seats, "random"), more_is_better=True)


def _above_chance(game: str, seats: int, others: str) -> Item:
    """Whether the interval is clear of what chance gives."""
    what = f"low end of the wins of medium against {others} in {game}"
    return Item(what, "", 1 / seats, strength.low_end(game, seats, others), more_is_better=True)


ITEMS: dict[str, Item] = {
    "sealed": Item("sealed round trip over a bare echo", "x", 2.0, sealed.measure),
    "tongits": Item("random rounds over the plain engine", "x", 5.0, tongits.measure, more_is_better=True),
    "deadwood": Item("best deadwood of 12 cards", "us", 2.5, deadwood.measure),
    "engine-tongits": _engine("tongits", 3, engine.GIN_RUMMY, 0.5),
    "engine-tienlen": _engine("tienlen", 4, engine.CRAZY_EIGHTS, 3.0),
    "engine-straights": _engine("straights", 4, engine.CRAZY_EIGHTS, 1.5),
    "engine-onecard": _engine("onecard", 4, engine.CRAZY_EIGHTS, 3.0),
    "kernel-tongits": _kernel("tongits", 3, engine.GIN_RUMMY, 0.2),
    "kernel-tienlen": _kernel("tienlen", 4, engine.CRAZY_EIGHTS, 1.0),
    "kernel-straights": _kernel("straights", 4, engine.CRAZY_EIGHTS, 0.5),
    "kernel-onecard": _kernel("onecard", 4, engine.CRAZY_EIGHTS, 0.6),
    "typed-tongits": _typed("tongits", 3),
    "typed-tienlen": _typed("tienlen", 4),
    "typed-straights": _typed("straights", 4),
    "typed-onecard": _typed("onecard", 4),
    "rlcard-tienlen": _over_rlcard("tienlen", 4, "doudizhu", 20.0),
    "rlcard-onecard": _over_rlcard("onecard", 4, "uno", 5.0),
    "strength-tongits": _against_random("tongits", 3, 0.60),
    "strength-tienlen": _against_random("tienlen", 4, 0.70),
    "strength-straights": _against_random("straights", 4, 0.55),
    "strength-onecard": _above_chance("onecard", 4, "random"),
    "strength-tongits-easy": _above_chance("tongits", 3, "easy"),
    "strength-tienlen-easy": _above_chance("tienlen", 4, "easy"),
    "strength-straights-easy": _above_chance("straights", 4, "easy"),
    "strength-onecard-easy": _above_chance("onecard", 4, "easy"),
    "version": Item("p2pcards --version over python -c pass", "x", 1.3, version.measure),
    "frame": Item("first frame over the smallest full-screen program", "x", 1.3, frame.measure),
    "key": Item(
        "a key to the screen over that of one control full of text, 80x24 (p50)", "x", 1.5, key.beside(key.NORMAL)
    ),
    "key-large": Item("the same at 200x60", "x", 1.5, key.beside(key.LARGE)),
    "key-late": Item(
        "a key to the screen, the slowest of a hundred over the usual, 80x24", "x", 3.0, key.late(key.NORMAL)
    ),
    "key-late-large": Item("the same at 200x60", "x", 3.0, key.late(key.LARGE)),
    "key-bytes": Item("bytes that a key sends, 80x24 (p99)", "B", 2000.0, key.key_bytes(key.NORMAL)),
    "key-bytes-large": Item("the same at 200x60", "B", 2000.0, key.key_bytes(key.LARGE)),
    "event-bytes": Item("bytes that a move at the table sends, 80x24 (p50)", "B", 2000.0, key.event_bytes(key.NORMAL)),
    "event-bytes-large": Item("the same at 200x60", "B", 2000.0, key.event_bytes(key.LARGE)),
    "suggestions": Item("a keystroke's suggestions on the richest hands (p99)", "ms", 1.0, suggestions.measure),
    "listed": Item("opening to the row on another machine that looks", "s", 0.5, listed.listed),
    "late": Item("start of `list --watch` to the row of an open table", "s", 1.0, listed.late),
    "gone": Item("`leave` to the end of the row on another machine", "s", 1.0, listed.gone),
    "history": Item("`history` over ten thousand matches", "s", 0.3, past.command("history")),
    "history-nick": Item(
        "`history --with NICK` over ten thousand matches", "s", 0.3, past.command("history", "--with", "person-0")
    ),
    "history-home": Item("the first picture of home over ten thousand matches", "s", 0.3, past.home),
    "stats": Item("`stats` over ten thousand matches", "s", 0.3, past.command("stats")),
    "stats-nick": Item("`stats NICK` over ten thousand matches", "s", 0.3, past.command("stats", "person-0")),
    "act": Item("the host's CPU time for an act of four players over a signature's check", "x", 10.0, fair.act),
    "act-bytes": Item("the journal's entry for an act", "B", 400.0, fair.entry),
    "deal-52": Item("a deal of 52 cards to four players over a signature's check", "x", 10.0, fair.deal(1)),
    "deal-104": Item("a deal of 104 cards to four players over a signature's check", "x", 20.0, fair.deal(2)),
    "audit": Item("the audit of a round of four players over a signature's check", "x", 100.0, fair.audit),
    "takeover": Item("kill -9 of the host to the first act of somebody present", "s", 6.0, takeover.part("total")),
    "takeover-silence": Item("the same, until the others notice", "s", 5.5, takeover.part("detection")),
    "takeover-vote": Item("the same, from there to the certificate", "s", 0.2, takeover.part("vote")),
    "takeover-recovery": Item("the same, from there to everybody's hand", "s", 0.3, takeover.part("recovery")),
    "takeover-act": Item("the same, from the first act to its entry", "s", 0.1, takeover.part("act")),
    "thinking": Item(
        "how late a host's loop is while three hard bots think (p99)", "ms", 20.0, thinking.late("tongits", "hard")
    ),
    "besieged": Item("how late a host's loop is under siege (p99)", "ms", 100.0, besieged.measure),
}

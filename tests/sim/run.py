"""One run of the simulation from its seed."""

from __future__ import annotations

import gc
from collections.abc import Callable
from contextlib import nullcontext

from tests.sim.once import once
from tests.sim.plan import plan
from tests.sim.signatures import cheap
from tests.sim.wild import wilder
from tests.sim.world import World


def run(
    seed: int, peers: int, game: str = "", *, wild: bool = False, trace: Callable[[str], None] | None = None
) -> World:
    """Runs it to its end; raises Broken, or whatever a machine raised, where something is wrong."""
    drawn = plan(seed, peers, game)
    if wild:
        drawn = wilder(drawn)
    gc.disable()  # a world is thrown away whole
    with once(), nullcontext() if drawn.real else cheap():
        world = World(drawn, trace)
        try:
            world.run()
        finally:
            gc.enable()
    return world


def command(seed: int, peers: int, game: str = "", wild: bool = False) -> str:
    """What runs it again and tells its story."""
    chosen = f" --game {game}" if game else ""
    return f"python -m tests.sim --seed {seed} --peers {peers}{chosen}{' --wild' if wild else ''} --trace"

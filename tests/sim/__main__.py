"""Runs the simulation: `python -m tests.sim --seeds 10000 --processes 2`, or one seed again with its story."""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import product

from p2pcards.games.registry import GAMES
from tests.sim.plan import SIZES
from tests.sim.run import command, run

_Job = tuple[int, int, str, bool]


def main() -> int:
    """0 where nothing broke."""
    asked = _parser().parse_args()
    if asked.seed is not None:
        return _one(asked)
    sizes = (asked.peers,) if asked.peers else SIZES
    jobs = [
        (seed, peers, asked.game, asked.wild)
        for seed, peers in product(range(asked.first, asked.first + asked.seeds), sizes)
    ]
    started = time.monotonic()
    failed = 0
    with ProcessPoolExecutor(asked.processes) as pool:
        for job, wrong in zip(jobs, pool.map(_tried, jobs, chunksize=5), strict=True):
            if wrong:
                failed += 1
                _say(f"{command(*job)}\n    {wrong}")
    _say(f"{len(jobs):,} runs in {time.monotonic() - started:.0f} s, {failed} failed")
    return 1 if failed else 0


def _one(asked: argparse.Namespace) -> int:
    for peers in (asked.peers,) if asked.peers else SIZES:
        wrong = _tried((asked.seed, peers, asked.game, asked.wild), asked.trace)
        _say(f"{command(asked.seed, peers, asked.game, asked.wild)}: {wrong or 'in order'}")
        if wrong:
            return 1
    return 0


def _tried(job: _Job, trace: bool = False) -> str:
    """What is wrong in one run; nothing where it is in order."""
    try:
        seed, peers, game, wild = job
        run(seed, peers, game, wild=wild, trace=_say if trace else None)
    except Exception as error:
        if trace:
            raise
        return f"{type(error).__name__}: {error}"
    return ""


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.sim", description=__doc__)
    parser.add_argument("--seeds", type=int, default=100, help="how many seeds, each with every number of programs")
    parser.add_argument("--first", type=int, default=0, help="the first of them")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, help="one seed alone")
    parser.add_argument("--peers", type=int, choices=SIZES, help="one number of programs alone")
    parser.add_argument("--game", choices=sorted(GAMES), default="", help="in place of the seed's game")
    parser.add_argument("--wild", action="store_true", help="with rarer troubles in place of the seed's")
    parser.add_argument("--trace", action="store_true", help="tell the story of the seed")
    return parser


if __name__ == "__main__":
    sys.exit(main())

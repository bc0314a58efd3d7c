"""The whole program in one of the scenes, on the terminal that it is started on: what `key` types at.

python -m tests.bench.key_scene SCENE
"""

from __future__ import annotations

import asyncio
import gc
import sys

from p2pcards.store.manual import rules_text
from p2pcards.ui.app import run_app
from p2pcards.ui.idle import collect, settle
from p2pcards.ui.ports import Node
from tests.testing.scenes import SCENES


def main() -> None:
    """Runs it until it is ended from outside."""
    gc.disable()
    scene = SCENES[sys.argv[1]]
    node = scene.node()

    def happen() -> None:
        scene.happens(node)
        node.tell(None)

    async def made() -> Node:
        asyncio.get_running_loop().call_later(0.1, happen)
        settle()
        return node

    asyncio.run(run_app(made, manual=rules_text, rest=collect))


if __name__ == "__main__":
    main()

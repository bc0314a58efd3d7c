"""Those who are told what happens; one that fails at it is loud, and stops nobody else."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from p2pcards.table.notices import Notice


class Audience:
    """Everybody who listens to one program."""

    def __init__(self) -> None:
        self._heard: list[Callable[[Notice | None], None]] = []

    def listen(self, heard: Callable[[Notice | None], None]) -> None:
        """Calls `heard` with everything that is told from now on."""
        self._heard.append(heard)

    def tell(self, notice: Notice | None) -> None:
        """Tells everybody, in the order they came."""
        for heard in self._heard:
            try:
                heard(notice)
            except Exception as error:  # whoever can't tell it must not stop the table
                loop = asyncio.get_running_loop()
                loop.call_exception_handler({"message": f"telling of {type(notice).__name__}", "exception": error})

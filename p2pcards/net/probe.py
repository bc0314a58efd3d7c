"""The question that a row of the list stands on: what a host tells of its table before anybody comes in (protocol 5.1).

answer = await ask(link, lab)       # an Info; a Close where it is not for us; None where nothing came
"""

from __future__ import annotations

import asyncio

from p2pcards import PROTOCOL, __version__
from p2pcards.net.link import Link
from p2pcards.table.access import my_games
from p2pcards.wire.lab import proof_i
from p2pcards.wire.messages import Close, Hello, Info, Message, Method

ANSWER_SECONDS = 5.0
"""How long a host that has proved its key may take to tell of its table."""

NAME = "probe"
"""Nick of who only asks."""


async def ask(link: Link, lab: bytes) -> Info | Close | None:
    """What the host at the other end tells; the link is gone afterwards. lab: the lab's key, or empty."""
    answer: asyncio.Future[Info | Close | None] = asyncio.get_running_loop().create_future()

    def heard(message: Message) -> None:
        if not answer.done():
            answer.set_result(message if isinstance(message, Info | Close) else None)

    def lost(why: str) -> None:
        if not answer.done():
            answer.set_result(None)

    link.start(heard, lost)
    proof = proof_i(lab, link.session.th3) if lab else b""
    link.send(Hello(__version__, PROTOCOL, my_games(), NAME, 0, int(Method.PROBE), proof, 0, (), ()))
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            return await answer
    except TimeoutError:
        return None
    finally:
        link.abort("asked")

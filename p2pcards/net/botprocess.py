"""One process of a bot's program: lines to it and from it, what it complains of to the log, and its end.

process = await BotProcess.start(words, "mybot")      # OSError where the system can't
process.write(lines)
line = await process.line()
end = process.end()                          # a task: asked to end, then made to
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process, SubprocessStreamProtocol
from collections.abc import Sequence

from p2pcards.bots.line import MOST_BYTES

_log = logging.getLogger(__name__)

PARTING_SECONDS = 0.5
"""How long it may take to end by itself once nothing more comes, and again once it is told to."""

MOST_LOGGED = 1000
"""Lines of its complaints that one process gets into the log."""

LOGGED_CHARS = 300

_GUARD = 'read -r over || { sleep 1; kill -s KILL -- "-$1"; }'
"""What a shell is told that outlives us: input that ends without a line means that we were killed."""


class BotProcess:
    """A process in a group of its own, so that whatever it starts ends with it, and no Ctrl-C of ours reaches it."""

    def __init__(self, process: Process, transport: asyncio.SubprocessTransport, name: str) -> None:
        self._process, self._transport, self._name = process, transport, name
        self._complaints = asyncio.create_task(self._log_complaints())
        self._guard = asyncio.create_task(_guard(process.pid))

    @classmethod
    async def start(cls, words: Sequence[str], name: str) -> BotProcess:
        """Starts the program, without a shell. name: of the bot in the log."""
        loop = asyncio.get_running_loop()
        transport, protocol = await loop.subprocess_exec(
            lambda: SubprocessStreamProtocol(MOST_BYTES, loop),
            *words,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            start_new_session=True,
        )
        return cls(Process(transport, protocol, loop), transport, name)

    def write(self, lines: bytes) -> None:
        """Sends it lines, which wait where it doesn't read them."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(lines)

    async def line(self) -> bytes:
        """The next line that it writes; EOFError where none will come any more, ValueError where it is too long."""
        if self._process.stdout is None or (self._process.returncode is not None and self._process.stdout.at_eof()):
            raise EOFError
        try:
            return await self._process.stdout.readuntil(b"\n")
        except asyncio.IncompleteReadError:
            raise EOFError from None
        except asyncio.LimitOverrunError:
            raise ValueError(f"a line of more than {MOST_BYTES} bytes") from None

    async def fate(self) -> str:
        """What became of a process whose output has ended."""
        try:
            async with asyncio.timeout(PARTING_SECONDS):
                code = await self._process.wait()
        except TimeoutError:
            return "closed its output"
        return f"ended with exit code {code}" if code >= 0 else f"was ended by signal {-code}"

    def end(self) -> asyncio.Task[None]:
        """Ends the process: its input first, then by a signal, then by one that it can't withstand."""
        return asyncio.create_task(self._end())

    async def _end(self) -> None:
        try:
            if self._process.stdin is not None:
                self._process.stdin.close()
            if not await self._gone():
                self._signal(signal.SIGTERM)
                await self._gone()
        finally:  # where it went by itself, what it started goes too; where we are cancelled, so does it
            self._kill()
        await self._process.wait()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PARTING_SECONDS):
                await self._complaints
        if guard := await self._guard:
            await guard.communicate(b"over\n")
        self._transport.close()  # its pipes, which somebody outside of the group may hold open, or which nobody read

    async def _gone(self) -> bool:
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PARTING_SECONDS):
                await self._process.wait()
        return self._process.returncode is not None

    def _kill(self) -> None:
        self._signal(signal.SIGTERM if sys.platform == "win32" else signal.SIGKILL)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if sys.platform == "win32":
                self._process.terminate()
            else:
                os.killpg(self._process.pid, number)

    async def _log_complaints(self) -> None:
        """Reads to the end, for who isn't read stands still."""
        stream, logged, rest = self._process.stderr, 0, b""
        while stream is not None and (chunk := await stream.read(MOST_BYTES)):
            *lines, rest = (rest + chunk).split(b"\n")
            rest = rest[:LOGGED_CHARS]
            for line in lines[: MOST_LOGGED - logged]:
                self._log_line(line)
                logged += 1
        if rest and logged < MOST_LOGGED:
            self._log_line(rest)

    def _log_line(self, line: bytes) -> None:
        text = "".join(char if char.isprintable() else "?" for char in line.decode(errors="replace"))
        _log.info("%s says: %s", self._name, text[:LOGGED_CHARS])


async def _guard(group: int) -> Process | None:
    """Kills that process group where we can't, because we were killed; None where the system has no such thing."""
    if sys.platform == "win32":
        return None
    with contextlib.suppress(OSError):
        return await asyncio.create_subprocess_exec(
            "/bin/sh", "-c", _GUARD, "sh", str(group),
            cwd="/", stdin=PIPE, stdout=DEVNULL, stderr=DEVNULL, start_new_session=True,
        )  # fmt: skip
    return None

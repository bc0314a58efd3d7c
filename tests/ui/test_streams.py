"""Lines that come by themselves, and writing that knows when nobody reads."""

from __future__ import annotations

import asyncio
import io
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from p2pcards.ui.streams import AHEAD, LINE_LIMIT, Out, RawInput, read_lines, standard_input
from tests.testing.talking import BrokenPipe, Talking, talking


async def lines_of(stdin: RawInput | None) -> list[str]:
    queue: asyncio.Queue[str | None] = asyncio.Queue()
    taken = read_lines(stdin, queue.put_nowait)
    lines = []
    async with asyncio.timeout(20):
        while (line := await queue.get()) is not None:
            lines.append(line)
            taken()
    return lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"draw\n", ["draw"]),
        (b"draw\r\nhand", ["draw", "hand"]),
        (b"\n\n", ["", ""]),
        ("7♥\n".encode(), ["7♥"]),
        (b"\xff\xfe\n", ["\ufffd\ufffd"]),
    ],
)
async def test_lines(data: bytes, lines: list[str]) -> None:
    with talking() as talk:
        talk.send(data)
        talk.end()
        assert await lines_of(talk.stdin) == lines


async def test_a_character_cut_in_two_stays_whole() -> None:
    with talking() as talk:
        reading = asyncio.create_task(lines_of(talk.stdin))
        for byte in "♠\n".encode():
            talk.send(bytes([byte]))
            await asyncio.sleep(0)
        talk.end()
        assert await reading == ["♠"]


async def test_a_file_is_read_like_a_pipe(tmp_path: Path) -> None:
    file = tmp_path / "script"
    file.write_text("draw\nhand\n")
    with file.open("rb", buffering=0) as stdin:
        assert await lines_of(stdin) == ["draw", "hand"]


async def test_an_endless_line_is_cut() -> None:
    class Endless:
        left = 3

        def read(self, size: int, /) -> bytes:
            self.left -= 1
            return b"x" * size if self.left >= 0 else b""

    lines = await lines_of(Endless())
    assert "".join(lines) == "x" * 3 * 65536
    assert max(map(len, lines)) <= 2 * LINE_LIMIT


async def test_an_endless_input_waits_until_its_lines_are_taken() -> None:
    class Endless:
        reads = 0

        def read(self, size: int, /) -> bytes:
            self.reads += 1
            return b"draw\n" * 10 if self.reads < 100 else b""

    stdin, heard = Endless(), asyncio.Queue[str | None]()
    taken = read_lines(stdin, heard.put_nowait)
    async with asyncio.timeout(20):
        for _ in range(200):
            assert await heard.get() == "draw"
            taken()
            assert heard.qsize() <= AHEAD
            assert stdin.reads * 10 <= 200 + AHEAD + 10
        while await heard.get() is not None:
            taken()


async def test_a_closed_input_ends_at_once() -> None:
    assert await lines_of(None) == []


async def test_an_input_that_fails_ends() -> None:
    class Failing:
        def read(self, size: int, /) -> bytes:
            raise OSError("gone")

    assert await lines_of(Failing()) == []


def test_a_loop_that_is_gone_is_not_spoken_to() -> None:
    talk, before = Talking(), set(threading.enumerate())

    async def short() -> None:
        read_lines(talk.stdin, lambda line: None)

    asyncio.run(short())
    talk.type("too late")  # the thread wakes up without a loop to tell; an exception there would fail this test
    talk.end()
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
    talk.stdin.close()


@pytest.mark.parametrize("redirect", ["< /dev/null", "<&-"])
@pytest.mark.skipif(os.name == "nt", reason="a shell of the other kind")
def test_standard_input_may_be_closed(redirect: str) -> None:
    code = "from p2pcards.ui.streams import standard_input as s; x = s(); print(x and x.read(9))"
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" -c "$1" {redirect}', sys.executable, code], capture_output=True, text=True
    )
    assert done.stdout.strip() == ("b''" if "null" in redirect else "None"), done.stderr


def test_standard_input_without_raw_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("x"))
    assert standard_input() is None


def test_out_flushes_each_line_and_tells_once_that_nobody_reads() -> None:
    broken: list[str] = []
    stdout = BrokenPipe(1)
    out = Out(stdout, lambda: broken.append("broken"))
    out.line("one")
    out.line("two")
    out.line("three")
    assert stdout.getvalue() == "one\n"
    assert broken == ["broken"]
    assert out.gone


def test_a_reader_that_goes_away_leaves_no_traceback() -> None:
    code = (
        "import sys\n"
        "from p2pcards.ui.streams import Out\n"
        "out = Out(sys.stdout, lambda: None)\n"
        "while not out.gone: out.line('x' * 1000)\n"
    )
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as program:
        assert program.stdout is not None
        program.stdout.read(10)
        program.stdout.close()
        assert program.stderr is not None
        assert program.stderr.read() == b""
        assert program.wait(20) == 0

"""The log: in its folder, bounded, without secrets."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct

from p2pcards.store import logs
from p2pcards.store.folders import NAME, folders
from p2pcards.store.lock import Lock
from p2pcards.store.logs import log_file, mask, start_log, start_own_log


@pytest.fixture
def logger(home: Path) -> Iterator[logging.Logger]:
    root, own = logging.getLogger(), logging.getLogger("p2pcards")
    before = (list(root.handlers), root.level, own.level, logging.raiseExceptions)
    own.setLevel(logging.INFO)
    others = [each for each in before[0] if each.name == NAME]  # the log of another test
    for handler in others:
        root.removeHandler(handler)
    yield logging.getLogger("p2pcards.test")
    for handler in [each for each in root.handlers if each not in before[0]]:
        root.removeHandler(handler)
        handler.close()
    for handler in others:
        root.addHandler(handler)
    root.setLevel(before[1])
    own.setLevel(before[2])
    logging.raiseExceptions = before[3]


def test_the_log_lies_in_the_state_folder_one_file_a_profile(home: Path, logger: logging.Logger) -> None:
    file = start_log(folders(), "default-2")
    logger.info("listening on port %d", 25252)
    logging.getLogger("zeroconf").info("chatter of a library")
    assert file == home / "state/p2pcards/log/default-2.log"
    (line,) = file.read_text().splitlines()
    assert line.endswith("INFO p2pcards.test listening on port 25252")
    assert file.parent.stat().st_mode & 0o077 == 0


def test_programs_without_a_profile_write_to_a_file_each(home: Path, logger: logging.Logger) -> None:
    locks = folders().locks
    locks.mkdir(parents=True)
    other = Lock.take(locks / "log-arena.lock")
    assert other is not None
    assert start_own_log(folders(), "arena") == home / "state/p2pcards/log/arena-2.log"
    assert start_own_log(folders(), "arena") == home / "state/p2pcards/log/arena-3.log"
    other.release()
    assert start_own_log(folders(), "arena") == home / "state/p2pcards/log/arena.log"


def test_the_log_is_named_once_it_is_open(logger: logging.Logger) -> None:
    assert log_file() is None
    assert start_log(folders(), "default") == log_file()


class Message(Struct):
    secret: bytes


SECRET = b"this is a key nobody may ever see"


@pytest.mark.parametrize(
    "value", [SECRET, bytearray(SECRET), memoryview(SECRET), Message(SECRET), (SECRET,), [SECRET], {"seed": SECRET}]
)
def test_no_secret_gets_into_the_log(logger: logging.Logger, value: object) -> None:
    file = start_log(folders(), "default")
    logger.warning("got %s from %s", value, "ben")
    logger.warning("got %(what)r", {"what": value})
    text = file.read_text()
    assert "from ben" in text
    assert "this is a key" not in text
    assert SECRET.hex() not in text


def test_a_message_without_arguments_passes_as_it_is() -> None:
    record = logging.LogRecord("p2pcards", logging.INFO, "x", 1, "100% sure", None, None)
    assert mask(record)
    assert record.getMessage() == "100% sure"


def test_the_log_does_not_grow_for_ever(logger: logging.Logger, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logs, "LIMIT", 2000)
    file = start_log(folders(), "default")
    for number in range(200):
        logger.info("line %d", number)
    assert sum(each.stat().st_size for each in file.parent.iterdir()) <= 4000
    assert "line 199" in file.read_text()


def test_a_traceback_says_where_and_what_and_names_no_card_and_no_secret(logger: logging.Logger) -> None:
    file = start_log(folders(), "default")
    hand = "7H 10S A♣ ♦3 h10 4d (3, 17, 45) [9] frozenset({8})"

    def inner() -> None:
        raise KeyError(SECRET, 7, Message(SECRET))

    def outer() -> None:
        try:
            inner()
        except KeyError as error:
            raise ValueError(f"no {hand} in {Message(SECRET)!r}, {SECRET!r} nor {SECRET.hex()}") from error

    try:
        outer()
    except ValueError as error:
        logger.error("a fault of ours", exc_info=error)
    text = file.read_text().partition(" ERROR ")[2].replace(__file__, "here")  # without the time of day
    assert "in inner" in text
    assert "in outer" in text
    assert "KeyError: <bytes> <int> <Message>" in text
    assert "ValueError: no <…> <…> <…> <…> <…> <…> <…> <…> frozenset(<…>) in <…>" in text
    for secret in ("7H", "10S", "A♣", "♦3", "h10", "4d", "17", "[9]", "{8}", "this is a key", SECRET.hex()):
        assert secret not in text


def test_a_file_that_fails_is_named(logger: logging.Logger) -> None:
    file = start_log(folders(), "default")
    logger.error("the journal", exc_info=FileNotFoundError(2, "No such file or directory", "/nowhere"))
    assert "FileNotFoundError: [Errno 2] No such file or directory: '/nowhere'" in file.read_text()


async def test_what_asyncio_says_by_itself_names_no_arguments(logger: logging.Logger) -> None:
    file = start_log(folders(), "default")
    loop = asyncio.get_running_loop()
    fault = ValueError("boom")

    async def fails(code: str) -> None:
        raise fault

    def handler(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        raise fault

    task = loop.create_task(fails("maple tiger"), name="maple tiger")
    call = loop.call_later(60, fails, "maple tiger")
    await asyncio.wait([task])
    context = {"message": "Exception in callback fails('maple tiger')", "exception": fault, "handle": call}
    loop.call_exception_handler(context)
    loop.set_exception_handler(handler)
    loop.call_exception_handler(context)
    loop.set_exception_handler(None)
    call.cancel()
    assert task.exception() is fault
    text = file.read_text()
    assert "ERROR asyncio Exception in callback fails\n" in text
    assert "ERROR asyncio Unhandled error in exception handler\n" in text
    assert text.count("ValueError: boom") == 2
    assert "maple" not in text

"""Links: sealed both ways, and within the limits of protocol 4.5."""

from __future__ import annotations

import asyncio
import os
import socket
import struct

import pytest

from p2pcards.net import link as link_module
from p2pcards.net.link import OTHERS, Link
from p2pcards.wire.identity import short
from p2pcards.wire.messages import (
    TO_ALL,
    Ack,
    Act,
    Chat,
    Close,
    Entries,
    Get,
    Heartbeat,
    Message,
    Reason,
    Want,
    encode,
)
from tests.net.pair import ANA, BEN, HELLO, WELCOME, linked, until

ACT = Act(b"e" * 100, b"s" * 64, b"")


def ack(index: int) -> Ack:
    return Ack(b"t" * 16, 1, index, b"h" * 32, 0, 0, False)


def socket_of(link: Link) -> socket.socket:
    """The socket under a link, for tests that misbehave below it."""
    found = link._transport.get_extra_info("socket")
    return socket.socket(fileno=os.dup(found.fileno()))


async def test_what_one_end_sends_the_other_hears_in_order() -> None:
    async with linked() as (ben, ana):
        said: list[Message] = [Get(number) for number in range(40)]
        for message in said:
            ben.link.send(message)
            ana.link.send(message)
        await until(lambda: len(ana.messages) == len(ben.messages) == len(said))
        assert ana.messages == ben.messages == said
        assert (ben.link.key, ana.link.key) == (ANA.key, BEN.key)
        assert ben.link.session.th3 == ana.link.session.th3
        assert (ana.link.newcomer, ben.link.newcomer) == (True, False)
        assert ana.link.address == ben.link.local


async def test_the_longest_message_passes() -> None:
    async with linked() as (ben, ana):
        longest = Entries(0, (b"x" * 16_370,))
        ana.link.send(longest)
        ben.link.send(longest)
        await until(lambda: ana.messages and ben.messages)
        assert ana.messages == ben.messages == [longest]


async def test_a_close_to_who_is_gone_already_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    async with linked() as (_, ana):

        def gone() -> None:
            raise OSError("not connected")

        monkeypatch.setattr(ana.link._transport, "write_eof", gone)
        ana.link.close(Reason.BYE, "")
        await until(lambda: ana.link._gone)


async def test_a_close_is_the_last_and_nobody_is_lost() -> None:
    async with linked() as (ben, ana):
        ana.link.send(Get(1))
        ana.link.close(Reason.KICKED, "be nice", 77)
        ana.link.send(Get(2))
        ben.link.send(Get(3))
        await until(lambda: ben.closes and ana.link._gone)
        assert ben.messages == [Get(1), Close(Reason.KICKED, "be nice", 77)]
        assert (ben.lost, ana.lost) == ([], [])
        assert ana.messages in ([], [Get(3)])


async def test_a_close_arrives_although_much_was_sent_that_nobody_reads() -> None:
    async with linked() as (ben, ana):
        for end in (ana, ben):
            end.link._transport.pause_reading()
        for number in range(10):
            ben.link.send(Entries(number, (b"x" * 16_000,)))
        await asyncio.sleep(0.05)
        ana.link.close(Reason.KICKED, "")
        await asyncio.sleep(0.1)
        assert not ana.link._gone  # a reset now would destroy the Close, on some systems
        ben.link._transport.resume_reading()
        await until(lambda: ben.closes)


async def test_who_is_told_to_go_and_stays_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "LINGER_SECONDS", 0.05)
    async with linked() as (ben, ana):
        ben.link._transport.pause_reading()
        ana.link.close(Reason.KICKED, "")
        await until(lambda: ana.link._gone)
        assert not ana.lost


async def test_the_end_of_the_connection_without_a_close_is_a_loss() -> None:
    async with linked() as (ben, ana):
        ben.link.abort("pulled out")
        assert not ben.lost  # never out of a call of ours
        await until(lambda: ana.lost and ben.lost)
        assert ben.lost == ["pulled out"]
        assert len(ana.lost) == 1


async def test_a_link_that_was_lost_before_it_was_started_says_so() -> None:
    async with linked() as (ben, ana):
        late = ana.link
        late._on_message = late._on_lost = None
        ben.link.abort("")
        await until(lambda: late._gone)
        lost: list[str] = []
        late.start(lambda message: None, lost.append)
        assert not lost
        await until(lambda: lost)


@pytest.mark.parametrize("where", [0, 5, -1])
async def test_a_flipped_bit_ends_the_link(where: int) -> None:
    async with linked() as (ben, ana):
        record = bytearray(ben.link.session.sealer.seal(0x12, b"\x91\x01"))
        record[where] ^= 1
        ben.link._transport.write(bytes(record))
        await until(lambda: ana.lost)
        assert not ana.messages


@pytest.mark.parametrize("length", [0, 95, 97, 16385 + 32, 16448 + 32, 10_000_000, 2**32 - 1])
async def test_a_record_of_impossible_length_ends_the_link_unread(length: int) -> None:
    async with linked() as (ben, ana):
        ben.link._transport.write(struct.pack(">I", length) + b"x" * 100_000)
        await until(lambda: ana.lost)
        assert str(length) in ana.lost[0]


async def test_a_ten_megabyte_frame_costs_nobody_else_anything() -> None:
    async with linked() as (ben, ana):
        ben.link._transport.write(struct.pack(">I", 10_000_000) + bytes(10_000_000))
        await until(lambda: ana.lost)
        assert len(ana.link._buffer) < 40_000


@pytest.mark.parametrize(
    ("kind", "body"), [(0x18, b"\x90"), (0x2F, b"\x91\x01"), (0x77, b""), (0x1A, b"\xc1"), (0x15, b"")]
)
async def test_a_sealed_message_that_says_nothing_is_called_broken(kind: int, body: bytes) -> None:
    async with linked() as (ben, ana):
        ben.link._transport.write(ben.link._seal(kind, body))
        await until(lambda: ben.closes and ana.lost)
        assert [close.reason for close in ben.closes] == [Reason.BROKEN]


async def test_a_sealed_message_that_is_none_ends_the_link() -> None:
    async with linked() as (ben, ana):
        ben.link._transport.write(ben.link.session.sealer.seal(0x12, b"\x91\xa1x"))
        await until(lambda: ana.lost)
        assert not ana.messages


async def test_a_record_must_end_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "BODY_SECONDS", 0.05)
    async with linked() as (ben, ana):
        ben.link._transport.write(ben.link.session.sealer.seal(0x12, b"\x91\x01")[:-1])
        await until(lambda: ana.lost)
        assert ana.lost == ["a record that doesn't end"]


async def test_a_record_that_ended_in_time_costs_nothing_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "BODY_SECONDS", 0.1)
    async with linked() as (ben, ana):
        record = ben.link.session.sealer.seal(*encode(Get(1)))
        ben.link._transport.write(record[:50])
        await until(lambda: ana.link._filled == 50)
        ben.link._transport.write(record[50:])
        await until(lambda: ana.messages)
        await asyncio.sleep(0.2)
        assert not ana.lost


async def test_a_slow_record_that_goes_on_coming_is_not_helped_by_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "BODY_SECONDS", 0.1)
    async with linked() as (ben, ana):
        for byte in ben.link.session.sealer.seal(0x12, b"\x91\x01"):
            ben.link._transport.write(bytes([byte]))
            await asyncio.sleep(0.01)
            if ana.lost:
                break
        assert ana.lost == ["a record that doesn't end"]


async def test_silence_ends_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "DEAD_SECONDS", 0.2)
    async with linked() as (ben, ana):
        await until(lambda: ana.lost and ben.lost)
        assert "silent" in ana.lost[0]


async def test_whoever_speaks_now_and_then_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "DEAD_SECONDS", 0.4)
    async with linked() as (ben, ana):
        for number in range(8):
            ben.link.send(Get(number))
            ana.link.send(Get(number))
            await asyncio.sleep(0.1)
        assert not ana.lost
        assert not ben.lost


async def test_worn_keys_end_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "DEAD_SECONDS", 0.1)
    monkeypatch.setattr(link_module, "KEY_SECONDS", 0.05)
    async with linked() as (ben, ana):
        await asyncio.sleep(0.06)
        ana.link.send(Get(1))
        ben.link.send(Get(1))
        await until(lambda: ana.lost and ben.lost)
        assert "fresh keys are due" in ana.lost + ben.lost


async def test_a_newcomer_must_be_let_in_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "WELCOME_SECONDS", 0.1)
    async with linked(welcome=False) as (ben, ana):
        ben.link.send(HELLO)
        await until(lambda: ana.lost)
        assert ana.messages == [HELLO]


async def test_a_newcomer_says_three_small_things_before_it_is_let_in() -> None:
    async with linked(welcome=False) as (ben, ana):
        for number in range(3):
            ben.link.send(Get(number))
        await until(lambda: len(ana.messages) == 3)
        ana.link.send(WELCOME)
        ben.link.send(Entries(0, (b"x" * 1000,)))
        await until(lambda: len(ana.messages) == 4)


async def test_a_fourth_is_one_too_many() -> None:
    async with linked(welcome=False) as (ben, ana):
        for number in range(4):
            ben.link.send(Get(number))
        await until(lambda: ana.lost)
        assert len(ana.messages) == 3


@pytest.mark.parametrize(("size", "heard"), [(512 - 4 - 6, True), (512 - 4 - 5, False)])
async def test_small_is_512_bytes(size: int, heard: bool) -> None:
    async with linked(welcome=False) as (ben, ana):
        ben.link.send(Entries(0, (b"x" * size,)))
        await until(lambda: ana.messages or ana.lost)
        assert bool(ana.messages) is heard


async def test_acts_above_the_rate_wait_and_none_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "ACTS", (200.0, 10.0))
    async with linked() as (ben, ana):
        said = [Act(struct.pack(">I", number), b"s" * 64, b"") for number in range(300)]
        for act in said:
            ben.link.send(act)
        await until(lambda: len(ana.messages) >= 10)
        assert len(ana.messages) < 200
        await until(lambda: len(ana.messages) == 300)
        assert ana.messages == said
        assert not ana.lost


async def test_acts_that_wait_are_closed_with_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "ACTS", (5.0, 1.0))
    async with linked() as (ben, ana):
        for _ in range(50):
            ben.link.send(ACT)
        await until(lambda: ana.messages)
        ana.link.close(Reason.KICKED, "")
        await until(lambda: ben.closes and ana.link._gone)


async def test_other_messages_at_the_rate_pass() -> None:
    async with linked() as (ben, ana):
        for _ in range(int(OTHERS[1])):
            ben.link.send(Want("next"))
        await until(lambda: len(ana.messages) == OTHERS[1])
        assert not ben.closes


async def test_one_more_is_too_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "OTHERS", (0.001, 100.0))
    async with linked() as (ben, ana):
        for _ in range(101):
            ben.link.send(Want("next"))
        await until(lambda: ben.closes)
        assert ben.closes[0].reason == Reason.TOO_FAST
        assert len(ana.messages) == 100


async def test_ones_own_host_may_be_as_fast_as_it_likes() -> None:
    async with linked() as (ben, ana):
        for number in range(500):
            ana.link.send(Get(number))
        await until(lambda: len(ben.messages) == 500)


async def test_acks_wait_for_the_newest() -> None:
    async with linked() as (ben, ana):
        for number in range(200):
            ben.link.send(ack(number))
        await until(lambda: ana.messages and ana.messages[-1] == ack(199))
        assert ana.messages[0] == ack(0)
        assert len(ana.messages) < 10


async def test_what_is_said_follows_the_newest_ack_at_once() -> None:
    said = Chat(BEN.key, 1, TO_ALL, "hi", b"s" * 64)
    async with linked() as (ben, ana):
        for number in range(5):
            ben.link.send(ack(number))
        ben.link.send(said)
        ben.link.send(said)
        await until(lambda: len(ana.messages) == 4)
        assert ana.messages == [ack(0), ack(4), said, said]


async def test_the_newest_ack_is_not_lost_in_a_close() -> None:
    async with linked() as (ben, ana):
        for number in range(5):
            ben.link.send(ack(number))
        ben.link.close(Reason.BYE, "")
        await until(lambda: ana.closes)
        assert ana.messages[:-1] == [ack(0), ack(4)]


async def test_who_does_not_read_is_dropped_before_the_queue_fills_memory() -> None:
    async with linked() as (ben, ana):
        ben.link._transport.pause_reading()
        beat = Heartbeat(b"t" * 16, 1, 0, b"h" * 32, 0, 0, b"s" * 64)
        most = 0
        for _ in range(100_000):
            ana.link.send(beat)
            most = max(most, ana.link._transport.get_write_buffer_size())
            if not ana.link._open:
                break
        await until(lambda: ana.lost)
        assert ana.lost == ["doesn't read what we send"]
        assert most <= link_module.QUEUE_BYTES


async def test_who_reads_too_slowly_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(link_module, "DRAIN_SECONDS", 0.1)
    async with linked() as (ben, ana):
        ben.link._transport.pause_reading()
        while not ana.link._stuck:
            ana.link.send(Entries(0, (b"x" * 16_000,)))
        await until(lambda: ana.lost)
        assert ana.lost == ["doesn't read what we send"]


async def test_who_reads_in_time_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    async with linked() as (ben, ana):
        ben.link._transport.pause_reading()
        count = 0
        while not ana.link._stuck:
            ana.link.send(Entries(count, (b"x" * 16_000,)))
            count += 1
        ben.link._transport.resume_reading()
        await until(lambda: len(ben.messages) == count)
        assert not ana.link._stuck
        assert "drain" not in ana.link._timers


async def test_a_reset_is_a_loss_too() -> None:
    async with linked() as (ben, ana):
        raw = socket_of(ben.link)
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        raw.close()
        ben.link._transport.abort()
        await until(lambda: ana.lost)


async def test_nothing_of_the_keys_is_in_a_repr() -> None:
    async with linked() as (ben, _):
        assert repr(ben.link) == f"Link({short(ANA.key)} 127.0.0.1)"


@pytest.mark.parametrize("chunk", [1, 3, 99, 100, 101, 5000])
async def test_records_may_arrive_in_any_pieces(chunk: int) -> None:
    async with linked() as (ben, ana):
        said: list[Message] = [Want(f"x{number}") for number in range(20)]
        stream = b"".join(ben.link.session.sealer.seal(*encode(message)) for message in said)
        raw = socket_of(ben.link)
        raw.setblocking(True)
        for at in range(0, len(stream), chunk):
            raw.sendall(stream[at : at + chunk])
            if at % 7 == 0:
                await asyncio.sleep(0)
        raw.close()
        await until(lambda: len(ana.messages) == 20)
        assert ana.messages == said

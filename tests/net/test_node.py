"""The node: tables opened, joined, left and lost over real sockets on loopback."""

from __future__ import annotations

import asyncio
import errno
import os
import secrets
import socket
from pathlib import Path
from typing import NoReturn

import pytest

from p2pcards import PROTOCOL
from p2pcards.errors import UserError
from p2pcards.games.replay import replay
from p2pcards.net import probe, reaching
from p2pcards.net.files import Keep, TableFolder
from p2pcards.net.link import Link
from p2pcards.net.listener import Listener
from p2pcards.net.lookout import Lookout
from p2pcards.table import doorstep, guest
from p2pcards.table.effects import Effects
from p2pcards.table.host import Host
from p2pcards.table.listing import Row
from p2pcards.table.notices import (
    Audited,
    Closed,
    Dropped,
    Entered,
    Failed,
    Knocked,
    LinkBack,
    LinkLost,
    MatchOver,
    Notice,
    Opened,
    OptionsSet,
    Recorded,
    Refused,
    RoundOver,
    RoundStarted,
    Seated,
    Vacated,
)
from p2pcards.table.tableview import Stage
from p2pcards.wire.entries import decode_wire
from p2pcards.wire.identity import Identity
from tests.net.pair import listening
from tests.testing.program import Program, opened, programs


async def test_three_programs_play_a_match_and_hold_the_same_record(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy", level="medium", rounds=2, closes=True) as (ana, ben, cy):
        address = await opened(ana)
        ben.do("join", address)
        cy.do("join", address)
        for program in (ana, ben, cy):
            assert (await program.hear(Closed)).reason == "bye"
            assert [audit.ok for audit in program.told(Audited)] == [True, True]
            assert len(program.told(RoundOver)) == 2
            assert program.told(MatchOver)
        records = {program.told(Recorded)[-1].text for program in (ana, ben, cy)}
        assert len(records) == 1
        assert replay(records.pop().encode()).exit_code == 0


async def test_a_start_that_comes_when_somebody_has_got_up_waits_for_full_seats(tmp_path: Path) -> None:
    options = (("bot_fill", "false"),)
    async with programs(tmp_path, "ana", "ben", "cy", level="easy", closes=True, options=options) as (ana, ben, cy):
        address = await opened(ana)
        sitting = ana.node._sitting
        assert sitting is not None
        ana.node._commands.begin(sitting)
        assert ana.node.table is not None
        assert ana.node.table.stage is Stage.LOBBY
        ben.do("join", address)
        cy.do("join", address)
        await ana.hear(MatchOver)


async def test_a_table_leaves_no_folder_behind(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy", level="easy", closes=True) as (ana, ben, cy):
        address = await opened(ana)
        ben.do("join", address)
        await ben.hear(Entered)
        assert [folder.name[-8:] for folder in (tmp_path / "ben").iterdir()]
        cy.do("join", address)
        await cy.hear(Closed)
        await ben.hear(Closed)
        await ana.hear(Closed)
    assert not [*(tmp_path / "ana").iterdir(), *(tmp_path / "ben").iterdir(), *(tmp_path / "cy").iterdir()]


async def test_the_journal_is_on_the_disk_before_anybody_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[bytes] = []
    append = TableFolder.append

    def noting(folder: TableFolder, entries: tuple[bytes, ...]) -> None:
        append(folder, entries)
        written.extend(entries)

    monkeypatch.setattr(TableFolder, "append", noting)
    async with programs(tmp_path, "ana", "ben", level="easy") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        sitting = ben.node._sitting
        assert sitting is not None
        assert set(sitting.guest.journal.wires) <= set(written)


async def test_the_secret_of_a_round_is_kept_before_it_is_used_and_until_it_is_disclosed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    append, keep = TableFolder.append, TableFolder.keep

    def appending(folder: TableFolder, entries: tuple[bytes, ...]) -> None:
        append(folder, entries)
        if folder.path.parent.name == "ana":
            done.extend(decode_wire(wire)[0].kind.name for wire in entries)

    def keeping(folder: TableFolder, name: str, data: bytes) -> None:
        keep(folder, name, data)
        done.append(f"{'keeps' if data else 'forgets'} {name}")

    monkeypatch.setattr(TableFolder, "append", appending)
    monkeypatch.setattr(TableFolder, "keep", keeping)
    async with programs(tmp_path, "ana", "ben", "cy", level="easy", closes=True) as (ana, ben, cy):
        address = await opened(ana)
        ben.do("join", address)
        cy.do("join", address)
        await ana.hear(Closed)
    assert done.index("keeps root-1") < done.index("DEAL_OPEN")
    assert done.index("DISCLOSE") < done.index("forgets root-1")


async def test_a_full_table_says_who_sits_there(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", "cy", "dan") as (ana, ben, cy, dan):
        address = await opened(ana)
        for program in (ben, cy):
            program.do("join", address)
            await program.hear(Entered)
        dan.do("join", address)
        refused = await dan.hear(Refused)
        assert (refused.code, refused.text) == ("full", "every seat is taken: ana, ben, cy")
        assert (await dan.hear(Closed)).reason == "full"
        assert dan.node.table is None
        assert ana.node.table is not None


async def test_another_version_is_told_both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        address = await opened(ana)
        monkeypatch.setattr(doorstep, "PROTOCOL", 9)
        ben.do("join", address)
        refused = await ben.hear(Refused)
        assert refused.code == "version"
        assert f"protocol {PROTOCOL}" in refused.text
        assert "protocol 9" in refused.text


async def test_a_port_in_use_is_one_sentence_and_no_table(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        async with programs(tmp_path, "ana", port=port) as (ana,):
            ana.do("host", "tongits")
            failed = await ana.hear(Failed)
            assert failed.exit_code == 1
            assert str(port) in failed.text
            assert ana.node.table is None


async def test_a_fault_in_the_background_names_the_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(*args: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("p2pcards.net.node.new_practice", lambda *args: (breaks, args[2]))
    async with programs(tmp_path, "ana", log="/state/default.log") as (ana,):
        ana.do("practise", "tongits")
        failed = await ana.hear(Failed)
        assert failed.text == "Something went wrong inside p2pcards; the log is /state/default.log."
        assert ana.node.table is None


async def test_nothing_to_join_is_no_such_table(tmp_path: Path) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        async with programs(tmp_path, "ana") as (ana,):
            ana.do("join", f"127.0.0.1:{unused.getsockname()[1]}")
            closed = await ana.hear(Closed)
            assert closed.reason == "no_such_table"
            assert "Nothing is open" in closed.text


async def test_a_lost_host_is_given_up_by_who_only_looks_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaching, "LOST_SECONDS", 0.3)
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("watch", await opened(ana))
        await ben.hear(Entered)
        killed(ana)
        await ben.hear(LinkLost)
        assert (await ben.hear(Closed)).reason == "lost"


@pytest.mark.parametrize("hangs_up", [True, False])
async def test_a_host_that_never_lets_us_in_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hangs_up: bool
) -> None:
    monkeypatch.setattr(guest, "DOOR_SECONDS", 0.3)
    monkeypatch.setattr(reaching, "JOIN_SECONDS", 0.5)
    monkeypatch.setattr(probe, "ANSWER_SECONDS", 0.1)
    async with listening() as door, programs(tmp_path, "ben") as (ben,):

        def came(link: Link) -> None:
            link.start(lambda message: None, lambda why: None)
            if hangs_up:
                link.abort("go away")

        door.listener._on_link = came
        ben.do("join", f"127.0.0.1:{door.port}")
        assert (await ben.hear(Closed)).reason == "lost"
        await opened(ben)  # at no table, so free to open one


async def test_a_second_program_of_one_user_joins_with_another_key(tmp_path: Path) -> None:
    further = (Identity(b"further".ljust(32, b".")), "default-2")
    async with programs(tmp_path / "there", "ana", "ben") as (ana, ben):
        address = await opened(ana)
        ben.do("join", address)
        await ben.hear(Entered)
        async with programs(tmp_path / "here", "ben", another=lambda: further) as (twin,):
            twin.do("join", address)
            assert (await twin.hear(Entered)).seat == 2
            assert not twin.told(Refused)
            assert not twin.told(Closed)
            assert twin.node.home.profile == "default-2"


async def test_one_with_no_further_key_says_so(tmp_path: Path) -> None:
    def none_left() -> tuple[Identity, str]:
        raise UserError("All profiles are in use.")

    async with programs(tmp_path / "there", "ana", "ben") as (ana, ben):
        address = await opened(ana)
        ben.do("join", address)
        await ben.hear(Entered)
        async with programs(tmp_path / "here", "ben", another=none_left) as (twin,):
            twin.do("join", address)
            assert (await twin.hear(Failed)).text == "All profiles are in use."
            await opened(twin)


async def test_a_broken_line_is_mended_and_the_seat_kept(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        sitting = ben.node._sitting
        assert sitting is not None
        for link in sitting._links.values():
            link.abort("pulled")
        await ben.hear(LinkLost)
        await ben.hear(LinkBack)
        await ben.until(lambda: ben.node.table is not None and ben.node.table.connected)
        assert ben.node.table is not None
        assert ben.node.table.me == 1


async def test_a_host_that_closes_says_so_to_those_who_look_on(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("watch", await opened(ana))
        await ben.hear(Entered)
        ana.do("leave")
        closed = await ben.hear(Closed)
        assert (closed.reason, closed.text) == ("bye", "ana closed the table")
        assert (await ana.hear(Closed)).reason == "left"
        await opened_again(ana)


def killed(program: Program) -> None:
    """Nothing of the program answers any more, as after kill -9; its folder stays."""
    listener, sitting = program.node._hosting._listener, program.node._sitting
    assert listener is not None
    assert sitting is not None
    listener.close()
    program.node._at.get_up(Keep.ALL)


async def opened_again(ana: Program) -> None:
    """The same program can open another table."""
    ana.do("host", "tongits", "second")
    await ana.hear(Opened, 2)


async def test_a_guest_whose_terminal_is_gone_keeps_its_seat(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        await ben.node.hang_up()
        assert (await ana.hear(Dropped)).seat == 1
        assert not ana.told(Vacated)
        assert list((tmp_path / "ben").iterdir())


async def test_a_guest_that_leaves_frees_its_seat(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        ben.do("leave")
        await ben.hear(Closed)
        await ana.until(lambda: ana.node.table is not None and ana.node.table.seats[1].nick == "")


def cannot_write(monkeypatch: pytest.MonkeyPatch, program: Program) -> None:
    """From now on the disk of that program is full."""
    sitting = program.node._sitting
    assert sitting is not None
    append = TableFolder.append

    def full(folder: TableFolder, entries: tuple[bytes, ...]) -> None:
        if entries and folder is sitting._folder:
            raise UserError("The journal can't be used: no space left on device.")
        append(folder, entries)

    monkeypatch.setattr(TableFolder, "append", full)


async def test_a_host_that_cannot_write_its_journal_closes_a_table_without_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("watch", await opened(ana))
        await ben.hear(Entered)
        cannot_write(monkeypatch, ana)
        ana.do("start")
        assert "no space left" in (await ana.hear(Failed)).text
        assert "journal" in (await ben.hear(Closed)).text
        assert not ben.told(RoundStarted)


async def test_a_host_that_cannot_write_its_journal_falls_silent_for_the_other_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        await ana.until(lambda: ana.node.table is not None and ana.node.table.seats[1].nick == "ben")
        cannot_write(monkeypatch, ana)
        ana.do("start")
        assert "go on without" in (await ana.hear(Failed)).text
        assert (await ana.hear(Closed)).reason == "lost"
        await ben.hear(LinkLost)
        assert not ben.told(RoundStarted)
        assert ben.node.table is not None


async def test_a_table_whose_journal_has_no_place_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "ana").write_text("a file where the folder should be")
    async with programs(tmp_path, "ana") as (ana,):
        ana.do("host", "tongits")
        failed = await ana.hear(Failed)
        assert "can't be used" in failed.text
        assert failed.exit_code == 1
        assert not ana.told(Opened)
        (tmp_path / "ana").unlink()
        await asyncio.sleep(0)  # the attempt itself ends
        await opened(ana)


async def test_a_table_that_a_fault_of_ours_keeps_from_opening_keeps_no_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = Listener.open

    async def broken(listener: Listener, port: int | None = None) -> int:
        await opening(listener, port)
        raise RuntimeError("a fault")

    def faulty(host: Host, now: float) -> Effects:
        raise RuntimeError("a fault")

    async with programs(tmp_path, "ana") as (ana,):
        for count, (whose, fault) in enumerate(((Listener, broken), (Host, faulty)), 1):
            with monkeypatch.context() as patch:
                patch.setattr(whose, "open", fault)
                ana.do("host", "tongits")
                assert "inside p2pcards" in (await ana.hear(Failed, count)).text
                assert ana.node.home.join_line == ""
                assert ana.node._place is None
        await opened(ana)


async def test_a_table_that_is_given_up_while_it_opens_keeps_no_port(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = Listener.open
    opened_port = asyncio.Event()

    async def slow(listener: Listener, port: int | None = None) -> int:
        await opening(listener, port)
        opened_port.set()
        await asyncio.sleep(3600)
        return 0

    async with programs(tmp_path, "ana") as (ana,):
        monkeypatch.setattr(Listener, "open", slow)
        ana.do("host", "tongits")
        await opened_port.wait()
        ana.do("leave")
        assert (await ana.hear(Closed)).reason == "left"
        assert ana.node._hosting._listener is None


def refuse(*_: object) -> NoReturn:
    raise OSError(errno.ENOSPC, "no space left on device")


async def test_a_guest_that_cannot_keep_the_journal_plays_on_and_keeps_it_whole_once_it_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        ben.do("join", await opened(ana))
        await ben.hear(Entered)
        sitting = ben.node._sitting
        assert sitting is not None
        folder = sitting._folder
        assert folder is not None
        append, whole = TableFolder.append, list[bool]()

        def full_once(here: TableFolder, entries: tuple[bytes, ...]) -> None:
            with pytest.MonkeyPatch.context() as disk:
                if here is folder and not whole:
                    disk.setattr(os, "write", refuse)
                try:
                    append(here, entries)
                finally:
                    if here is folder:
                        whole.append(here.whole)

        monkeypatch.setattr(TableFolder, "append", full_once)
        ana.do("set", "scoring", "chips")
        ana.do("set", "scoring", "wins")
        await ben.hear(OptionsSet, 3)
        assert whole == [False, True]


async def test_a_listener_that_fails_is_loud_and_stops_no_table(tmp_path: Path) -> None:
    faults: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda loop, context: faults.append(context["message"]))

    def failing(notice: Notice | None) -> None:
        raise RuntimeError("no words")

    async with programs(tmp_path, "ana", "ben", level="easy", rounds=1, closes=True, bots=1) as (ana, ben):
        ana.node.listen(failing)
        ben.do("join", await opened(ana))
        for program in (ana, ben):
            assert (await program.hear(Closed)).reason == "bye"
            assert program.told(MatchOver)
    assert "telling of MatchOver" in faults


async def test_commands_out_of_place_are_refused_at_once(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        with pytest.raises(UserError):
            ana.do("start")
        address = await opened(ana)
        with pytest.raises(UserError):
            ana.do("host", "tongits")
        ben.do("join", address)
        await ben.hear(Entered)
        with pytest.raises(UserError):
            ben.do("start")
        with pytest.raises(UserError):
            ana.do("set", "scoring", "beans")
        ana.do("set", "scoring", "chips")
        ana.do("bot", "add", "easy")
        await ben.hear(Seated, 3)
        assert ben.node.table is not None
        assert ben.node.table.game.options.scoring == "chips"


async def test_strangers_do_not_disturb_the_host(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben") as (ana, ben):
        address = await opened(ana)
        host, port = address.split(":")
        writers = []
        for noise in (b"", b"GET / HTTP/1.1\r\n\r\n", bytes(200), b"P2PC\x01\x01" + bytes(32)):
            _, writer = await asyncio.open_connection(host, int(port))
            writer.write(noise)
            writers.append(writer)
        ben.do("join", address)
        await ben.hear(Entered)
        for writer in writers:
            writer.close()


async def test_a_table_is_found_by_its_title_and_gone_when_it_closes(tmp_path: Path) -> None:
    title = f"Friday {secrets.token_hex(4)}"  # other tests have tables on the same loopback
    async with programs(tmp_path, "ana", "ben") as (ana, ben):

        def row() -> Row | None:
            return next((row for row in ben.node.home.rows if row.title == title), None)

        await opened(ana, title)
        await ben.until(lambda: (found := row()) is not None and found.answers)
        found = row()
        assert found is not None
        assert (found.host, found.taken, found.seats, found.here) == ("ana", 1, 3, True)
        ben.do("join", title[:-1].lower())
        await ben.hear(Entered)
        ben.do("leave")
        await ben.hear(Closed)
        await ben.until(lambda: row() is not None)
        ana.do("leave")
        await ben.until(lambda: row() is None)


@pytest.mark.parametrize("hidden", [True, False])
async def test_a_hidden_table_is_told_to_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, hidden: bool) -> None:
    told: list[int] = []
    monkeypatch.setattr(Lookout, "advertise", lambda lookout, advert, port: told.append(port))
    async with programs(tmp_path, "ana", hidden=hidden) as (ana,):
        await opened(ana)
        ana.do("bot", "add", "easy")
        await ana.hear(Seated, 2)
        assert bool(told) is not hidden


async def test_a_title_that_nobody_has_is_no_such_table(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", wait=0.2) as (ana,):
        ana.do("join", "~nowhere")
        closed = await ana.hear(Closed)
        assert closed.reason == "no_such_table"
        assert "nowhere" in closed.text


async def test_a_join_under_way_can_be_given_up(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", wait=20.0) as (ana,):
        ana.do("join", "~aaaaaaaa")
        assert ana.node.home.joining == "~aaaaaaaa"
        ana.do("leave")
        assert (await ana.hear(Closed)).reason == "left"
        await ana.until(lambda: not ana.node.home.joining)
        await opened(ana)


async def test_another_table_takes_the_place_of_the_one_that_is_looked_for(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", wait=20.0) as (ana, ben):
        address = await opened(ana)
        for wanted in ("~aaaaaaaa", "~bbbbbbbb"):
            ben.do("join", wanted)
            assert ben.node.home.joining == wanted
        with pytest.raises(UserError):
            ben.do("resume", "nothing")
        assert ben.node.home.joining == "~bbbbbbbb"
        ben.do("join", address)
        await ben.hear(Entered)
        with pytest.raises(UserError, match="at a table"):
            ben.do("join", "~aaaaaaaa")


async def test_whoever_waits_at_a_door_may_practise_instead(tmp_path: Path) -> None:
    async with programs(tmp_path, "ana", "ben", door="ask") as (ana, ben):
        ben.do("join", await opened(ana))
        await ana.hear(Knocked)
        ben.do("practise", "tongits")
        await ben.hear(Entered)
        assert ben.node.alone

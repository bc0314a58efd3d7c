"""The command `doctor`."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from p2pcards import PROTOCOL, __version__
from p2pcards.flags import SECONDS, takes

if TYPE_CHECKING:
    from p2pcards.table.findings import Finding

SMALL = (60, 20)
"""Columns and rows below which the screens have to leave things out."""

NAMES = 13
"""Columns for the name of a check."""


@click.command()
@click.argument("peer", required=False, default="", metavar="[PEER]")
@click.option("--listen", is_flag=True, help="Be the other side: wait for a doctor on another machine.")
@click.option("--wait", type=SECONDS, metavar="S", help="Seconds to listen for others; 1.5, with --listen for ever.")
@click.option("--json", is_flag=True, help="An array of objects instead of lines.")
@takes("profile", "port", "interface", "debug")
def doctor(
    peer: str,
    listen: bool,
    wait: float | None,
    json: bool,
    profile: str | None,
    port: int | None,
    interface: str | None,
) -> int:
    """Finds out why tables don't show up, and says what to do.

    It looks at this machine, its network and, where PEER is named, at every step between the two. PEER is HOST[:PORT],
    a table's title or its host's nick. It finds out most where the other machine runs `p2pcards doctor --listen`.

    \b
      p2pcards doctor
      p2pcards doctor --listen
      p2pcards doctor 10.0.0.7
      p2pcards doctor "Friday night" --json

    Exit code: 0 nothing is bad, 1 something is.
    """
    if peer and listen:
        raise click.UsageError("--listen waits for others: it goes without PEER.", click.get_current_context())
    import asyncio

    from p2pcards.net.doctor import Doctor, Wish

    report = _Report(json)
    examination = Doctor(Wish(peer, listen, interface, port, wait), report.tell)
    for finding in _here(profile or ""):
        report.tell(finding)
    try:
        asyncio.run(examination.run())
    except KeyboardInterrupt:  # so ends whoever listens, with a report all the same
        report.end()
        raise
    return report.end()


class _Report:
    """What was found, printed as it comes or at the end."""

    def __init__(self, json: bool) -> None:
        self._json = json
        self._rows: list[dict[str, str]] = []

    def tell(self, finding: Finding) -> None:
        """One line more."""
        from p2pcards.ui.words_doctor import told

        found, advice = told(finding)
        self._rows.append({"check": finding.check, "state": finding.state, "found": found, "advice": advice})
        if not self._json:
            head = f"{finding.state:<5} {finding.check:<{NAMES}} "
            for line in _wrapped(head, found):
                click.echo(line)
            for line in _wrapped(" " * len(head) + "> ", advice) if advice else ():
                click.echo(line)
            sys.stdout.flush()

    def end(self) -> int:
        """The exit code; as JSON the whole report comes now."""
        if self._json:
            import msgspec

            click.echo(msgspec.json.encode(self._rows))
        return int(any(row["state"] == "bad" for row in self._rows))


def _wrapped(head: str, text: str) -> list[str]:
    """The text behind its head, in lines that fit the terminal; in one where there is none."""
    from shutil import get_terminal_size

    from p2pcards.ui.width import wrap

    if not sys.stdout.isatty():
        return [head + text]
    room = get_terminal_size().columns - len(head) - 1
    first, *more = wrap(text, max(20, room))
    return [head + first, *(" " * len(head) + line for line in more)]


def _here(profile: str) -> Iterator[Finding]:
    """What needs no network: the program, its files, the terminal."""
    import platform

    from p2pcards.store.checkup import check_folders, check_key
    from p2pcards.store.folders import folders
    from p2pcards.store.identity_file import DEFAULT, key_file
    from p2pcards.table.findings import Code, found

    system = f"{platform.system()} {platform.release()}"
    python = platform.python_version()
    yield found(Code.VERSION, version=__version__, protocol=PROTOCOL, python=python, system=system)
    own = folders()
    yield check_key(key_file(own.data, profile or DEFAULT))
    yield from check_folders(own)
    yield _terminal()


def _terminal() -> Finding:
    from shutil import get_terminal_size

    from p2pcards.table.findings import Code, found
    from p2pcards.ui.terminal import look_of

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return found(Code.TERMINAL_NONE)
    size = get_terminal_size()
    look = look_of(os.environ, sys.platform, ascii=False, color=True)
    about = {
        "columns": size.columns,
        "rows": size.lines,
        "letters": "UTF-8" if look.unicode else "letters for suits",
        "colours": "in colours" if look.colours else "without colours",
    }
    if size.columns < SMALL[0] or size.lines < SMALL[1]:
        return found(Code.TERMINAL_SMALL, **about)
    if not look.unicode:
        return found(Code.TERMINAL_LETTERS, **about)
    from p2pcards.ui.measured import SIGNS, measure, odd

    widths = measure(sys.stdin.fileno(), sys.stdout.fileno(), SIGNS)
    if widths is None:
        return found(Code.TERMINAL_UNMEASURED, **about)
    signs = odd(widths)
    return found(Code.TERMINAL_WIDTHS if signs else Code.TERMINAL, signs=signs, **about)

"""Addresses: what people type, what sockets take, and what travels in messages.

A target is (host, port); the host is a name or an address, a link-local IPv6 one with its %scope.
"""

from __future__ import annotations

import asyncio
import ipaddress
import re
import socket
import sys
from collections.abc import Iterable

from p2pcards.errors import UserError

Target = tuple[str, int]

FIRST_PORT = 25252
"""Where a program listens if it can, and where `join HOST` looks."""
LAST_PORT = 25271
"""The last of the ports that are tried in turn before any other is taken."""
MOST_TARGETS = 8
"""Addresses of one peer in a message."""

_NAME = re.compile(r"(?=.{1,253}\Z)[A-Za-z0-9_]([A-Za-z0-9_-]{0,62})(\.[A-Za-z0-9_-]{1,63})*\.?")


def parse_target(text: str) -> Target:
    """HOST, HOST:PORT, an IPv6 address, or one in brackets with :PORT; UserError (exit 2) for anything else."""
    text = text.strip()
    host, port = text, ""
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket or ":" not in host or (rest and not rest.startswith(":")):
            raise UserError(f"{text!r} is no address: write [IPV6]:PORT.", 2)
        port = rest[1:] if rest else str(FIRST_PORT)
    elif text.count(":") == 1:
        host, _, port = text.partition(":")
    else:
        port = str(FIRST_PORT)
    if not (is_address(host) or (_NAME.fullmatch(host) and not re.fullmatch(r"[0-9.]+", host))):
        raise UserError(f"{host!r} is neither a machine's name nor an address.", 2)
    if not re.fullmatch(r"[0-9]{1,5}", port) or not 1 <= int(port) <= 65535:
        raise UserError(f"{port!r} is no port: a number from 1 to 65535, {FIRST_PORT} where none is given.", 2)
    return host, int(port)


def format_target(target: Target) -> str:
    """What `parse_target` reads: HOST:PORT, an IPv6 address in brackets."""
    host, port = target
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_address(host: str) -> bool:
    """Whether the host is an IPv4 or IPv6 address and no name."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def is_dialable(host: str) -> bool:
    """Whether a peer's address can be dialled: no group, no "any", link-local only with its scope."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    scoped = address.version == 4 or not address.is_link_local or "%" in host
    return scoped and not (address.is_multicast or address.is_unspecified)


def with_scope(host: str, scope: int) -> str:
    """The address with its interface: by name where the system takes names, else by number; scope 0: as it is."""
    if not scope or "%" in host:
        return host
    if sys.platform == "win32":
        return f"{host}%{scope}"
    try:
        return f"{host}%{socket.if_indextoname(scope)}"
    except OSError:
        return f"{host}%{scope}"


def of_socket(transport: asyncio.BaseTransport, which: str) -> Target:
    """The transport's "peername" or "sockname"; ("", 0) where the system no longer knows it."""
    name = transport.get_extra_info(which)
    if not name:
        return "", 0
    host, port, *more = name
    return with_scope(host, more[1] if len(more) == 2 else 0), port


def pack_targets(hosts: Iterable[str], port: int) -> tuple[bytes, ...]:
    """The first 8 of the addresses as messages have them: IP || u16 port; scopes mean nothing elsewhere and go."""
    bare = dict.fromkeys(host.partition("%")[0] for host in hosts)
    return tuple(ipaddress.ip_address(host).packed + port.to_bytes(2, "big") for host in bare)[:MOST_TARGETS]


def unpack_targets(packed: Iterable[bytes]) -> tuple[Target, ...]:
    """Those of a message's addresses that can be dialled."""
    found = [(str(ipaddress.ip_address(one[:-2])), int.from_bytes(one[-2:], "big")) for one in packed]
    return tuple((host, port) for host, port in dict.fromkeys(found) if port and is_dialable(host))

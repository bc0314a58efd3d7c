"""What `doctor` says: for each finding what is so, and the one thing to do about it.

`told(finding)` gives both; the second is empty where nothing is to be done. Commands stand in backticks, whole and as
they are typed.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from types import MappingProxyType

from p2pcards.table.findings import Code, Finding
from p2pcards.ui.width import clean

_OUT = "another way out is a phone's hotspot, a cable, or one machine for all over ssh"

_WHY = MappingProxyType(
    {
        "timed_out": "no answer",
        "refused": "the door is shut",
        "no_route": "no way there",
        "failed": "it failed",
        "stranger": "somebody else answers there",
    }
)
"""How a way back failed."""

_FIREWALLS = MappingProxyType({"macos": "the firewall of macOS", "windows": "the firewall of Windows"})

_WORDS: Mapping[Code, tuple[str, str]] = MappingProxyType(
    {
        Code.VERSION: ("p2pcards {version}, protocol {protocol}; Python {python} on {system}.", ""),
        Code.KEY: ("{file} is yours alone.", ""),
        Code.KEY_TO_COME: ("No key yet: it is made in {file} when it is first needed.", ""),
        Code.KEY_OPEN: ("{file} can be read by others.", "`chmod 600 {quoted}`"),
        Code.KEY_OF_ANOTHER: ("{file} belongs to another user.", "Play under a key of your own: `--profile NAME`"),
        Code.KEY_NO_FILE: ("{file} is a link or no regular file.", "Put the file itself there."),
        Code.KEY_NO_KEY: ("{file} is no key of p2pcards (32 bytes).", "To get a new key: `mv {quoted} {quoted_bad}`"),
        Code.KEY_UNREADABLE: ("{file} can't be read: {why}.", "Give yourself the right to: `chmod 600 {quoted}`"),
        Code.FILES: ("What is to be kept can be written: {folders}.", ""),
        Code.FILES_SHARED: (
            "Live tables lie in {folders}, which other machines see too.",
            "Name a folder of this machine's own: `export XDG_STATE_HOME=/var/tmp/$USER`",
        ),
        Code.FILES_SHUT: ("Nothing can be written in {folders}: {why}.", "Make room, or make it yours to write in."),
        Code.TERMINAL: ("{columns} x {rows}, {letters}, {colours}; every sign is as wide as it should be.", ""),
        Code.TERMINAL_UNMEASURED: (
            "{columns} x {rows}, {letters}, {colours}; it doesn't tell how wide its signs are.",
            "",
        ),
        Code.TERMINAL_NONE: ("Not looked at: this is no terminal; p2pcards speaks in lines here.", ""),
        Code.TERMINAL_SMALL: (
            "{columns} x {rows} is little: 80 x 24 shows everything.",
            "Make the window larger, or take `--plain`",
        ),
        Code.TERMINAL_LETTERS: (
            "{columns} x {rows}; the locale is not UTF-8, so suits are letters.",
            "`export LC_ALL=C.UTF-8`",
        ),
        Code.TERMINAL_WIDTHS: (
            "{columns} x {rows}; it draws {signs} in another width than usual, so columns move.",
            "Take `--ascii`, or another font",
        ),
        Code.INTERFACES: ("In use: {used}{rest}.", ""),
        Code.INTERFACES_LOOPBACK: (
            "In use: {used} alone, so only tables on this machine can be found.",
            "Join a network, or name one of your interfaces with `--interface`",
        ),
        Code.INTERFACES_NONE: ("No network interface is up.", "Plug in the cable, or join the Wi-Fi."),
        Code.ROUTE: ("The way into the world goes over {way}.", ""),
        Code.ROUTE_NONE: ("There is no way into the world: this network stands by itself, which is enough.", ""),
        Code.ROUTE_TUNNEL: (
            "The way into the world goes over {way}, which looks like a VPN; the others are on {lan}.",
            "Leave the VPN, or let it allow the local network; `--interface {better}` keeps p2pcards off it",
        ),
        Code.ROUTE_ELSEWHERE: (
            "The way into the world goes over {way}, and p2pcards uses {lan} alone.",
            "If the others are on {way}: `--interface {way}`",
        ),
        Code.ROUTE_ONLY_TUNNEL: (
            "p2pcards uses {used} alone, which looks like a VPN: who is beside you is not found there.",
            "{instead}",
        ),
        Code.MULTICAST: ("{name}: the group of mDNS can be joined and spoken to.", ""),
        Code.MULTICAST_FORBIDDEN: (
            "{name}: the system doesn't let this terminal use the local network ({errno}).",
            "System Settings, Privacy & Security, Local Network: allow your terminal.",
        ),
        Code.MULTICAST_FAILED: ("{name}: the network takes no multicast: {why} ({errno}).", "{open_udp}"),
        Code.MULTICAST_HELD: (
            "{name}: {who} keeps UDP port 5353 to itself ({errno}).",
            "End it, or let it share (avahi: `disallow-other-stacks=no` in avahi-daemon.conf)",
        ),
        Code.ECHO: ("{name}: this machine hears itself.", ""),
        Code.ECHO_NONE: (
            "{name}: what this machine says to everybody doesn't come back to it; something here drops UDP 5353.",
            "{open_udp}",
        ),
        Code.MDNS_ALONE: ("Nobody else on this machine answers on UDP 5353.", ""),
        Code.MDNS_SHARED: ("On this machine {who} answers on UDP 5353 too; it is shared.", ""),
        Code.PORT: ("TCP {port} is free: tables open there.", ""),
        Code.PORT_NEXT: ("The usual TCP port is taken, so the next table opens at {port}.", ""),
        Code.PORT_TAKEN: ("{why}", "Leave `--port` out, or name another"),
        Code.NEIGHBOURS: ("Others speak by multicast here ({where}): {count}.", ""),
        Code.NEIGHBOURS_NONE: (
            "Nobody else is heard on {where}.",
            "On another machine `p2pcards doctor --listen`, and then here `p2pcards doctor ITS-ADDRESS`",
        ),
        Code.NEIGHBOURS_SILENT: (
            "Nobody is heard on {where}, though other machines are there ({known}): the network may keep multicast "
            "from you.",
            "On another machine `p2pcards doctor --listen`, and then here `p2pcards doctor ITS-ADDRESS`",
        ),
        Code.WAY: ("What goes to {peer} leaves by {taken}, where it is.", ""),
        Code.WAY_ELSEWHERE: (
            "What goes to {peer} leaves by {taken}, though its network is on {right}: a VPN or a route takes it away.",
            "Leave the VPN on {taken}, or take its route to that network away",
        ),
        Code.WAY_OTHER_INTERFACE: (
            "{peer} is on the network of {right}, and p2pcards uses {chosen} alone.",
            "`--interface {right}`",
        ),
        Code.PEER_DOCTOR: ("{peer} is reached by TCP: a doctor of p2pcards {detail} answers.", ""),
        Code.PEER_TABLE: ("{peer} is reached by TCP: the table {detail} is there.", ""),
        Code.PEER_PROGRAM: ("{peer} is reached by TCP: a p2pcards answers, and tells nothing of its table.", ""),
        Code.PEER_UNKNOWN: (
            "No table, host or machine called {peer} is known here.",
            "Name it by its address, as its own screen shows it: `p2pcards doctor HOST:PORT`",
        ),
        Code.PEER_STRANGER: (
            "At {peer} something answers that is no p2pcards of this version.",
            "Look which port the other screen shows, and whether both have the same version.",
        ),
        Code.PEER_PROTOCOL: ("{peer} speaks protocol {other}.", "Get the same version of p2pcards on both machines."),
        Code.PEER_REFUSED: (
            "{peer} is on, and nothing is open at that port.",
            "There: open a table, or `p2pcards doctor --listen`",
        ),
        Code.PEER_SILENT: (
            "{peer} doesn't answer by TCP: it is off, or a firewall swallows what comes from here.",
            "There: `p2pcards doctor --listen`, which names its firewall's command",
        ),
        Code.PEER_NO_ROUTE: (
            "There is no way to {peer} from here: {detail}.",
            "Join the same network as the other machine; a firewall that rejects looks like this too.",
        ),
        Code.PEER_FAILED: ("{peer} can't be reached: {detail}.", "There: `p2pcards doctor --listen`"),
        Code.BACK: ("{peer} reaches this machine by TCP at {own}.", ""),
        Code.BACK_UNASKED: (
            "Whether {peer} reaches this machine could not be asked.",
            "There: `p2pcards doctor --listen`, and then this again with the address that it shows",
        ),
        Code.BACK_BLOCKED: ("{peer} doesn't reach this machine by TCP at {own}: {back}.", "{open_tcp}"),
        Code.BACK_WRONG: (
            "{peer} came to another machine than this one when it came back: an address is translated on the way.",
            "Open tables on the other machine, and join from here.",
        ),
        Code.HEARD: ("This machine hears {peer} by multicast.", ""),
        Code.HEARD_NOT: ("This machine doesn't hear what {peer} says to everybody.", "{open_udp}"),
        Code.HEARD_NEITHER: (
            "This machine doesn't hear what {peer} says to everybody.",
            "The network between the two is the likeliest to drop it: join by the line below",
        ),
        Code.HEARD_NO_ANSWER: (
            "{peer} doesn't answer what this machine asks everybody: multicast is lost on the way there or back, or "
            "the table is hidden.",
            "There: `p2pcards doctor --listen`, which tells the two ways apart",
        ),
        Code.HEARS: ("{peer} hears this machine by multicast.", ""),
        Code.HEARS_NOT: ("{peer} doesn't hear what this machine says to everybody.", "There: {open_udp}"),
        Code.HEARS_NEITHER: (
            "{peer} doesn't hear what this machine says to everybody.",
            "The network between the two is the likeliest to drop it: join by the line below",
        ),
        Code.CLOCK: ("The two clocks agree.", ""),
        Code.CLOCK_OFF: (
            "This machine's clock is {seconds} s {how} that of {peer}: the dates of records won't agree.",
            "Let the system set it (on Linux `sudo timedatectl set-ntp true`).",
        ),
        Code.FIREWALL_NONE: ("No firewall that is known here (ufw, firewalld) is installed.", ""),
        Code.FIREWALL_OFF: ("{wall} is installed and off.", ""),
        Code.FIREWALL_OPEN: ("{wall} lets the others in.", ""),
        Code.FIREWALL_PERHAPS: ("{wall} may be on.", "If the others don't reach this machine: {open_tcp}"),
        Code.FIREWALL_ON: ("{wall} is on.", "If the others don't reach this machine: {open_tcp}"),
        Code.NETWORK: ("Nothing points to a VPN or to an access point that keeps its guests apart.", ""),
        Code.NETWORK_NO_MULTICAST: (
            "TCP gets through and multicast doesn't: the access point, a switch or a firewall filters mDNS.",
            "Let mDNS pass there (UDP 5353 to 224.0.0.251), or join by address",
        ),
        Code.NETWORK_OTHER: (
            "{peer} is on another network; multicast stays on its own, so the list can't show it.",
            "Join by address",
        ),
        Code.NETWORK_APART: (
            "{peer} should be on this network, and neither TCP nor multicast gets there: it is off, or the access "
            "point keeps its guests apart.",
            "Switch client isolation off on the access point; " + _OUT,
        ),
        Code.NETWORK_VPN: (
            "A VPN is on and nobody is reached: many VPNs cut off the local network.",
            "Leave the VPN while you play, or let it allow the local network",
        ),
        Code.JOIN_LIST: ("Each finds the other's tables in the list; `p2pcards join {peer}` works too.", ""),
        Code.JOIN_HERE: ("A table opened here is joined by `p2pcards join {own}`.", ""),
        Code.JOIN_LINE: (
            "The list won't show it.",
            "A table opened there is joined all the same: `p2pcards join {peer}`",
        ),
        Code.JOIN_TURNED: (
            "No table at {peer} can be joined from here.",
            "Open the table here (`p2pcards host GAME`), and there: `p2pcards join {own}`",
        ),
        Code.JOIN_NOT: ("No way between the two was found.", _OUT[0].upper() + _OUT[1:]),
        Code.LISTENING: (
            "Waiting for others; Ctrl-C ends it.",
            "On the other machine: `p2pcards doctor {own}`",
        ),
        Code.VISITOR_HEARD: ("{peer} is heard by multicast.", ""),
        Code.VISITOR: ("{peer} came, and every way between us works from here.", ""),
        Code.VISITOR_UNHEARD: ("{peer} came by TCP, and isn't heard by multicast.", "{open_udp}"),
        Code.VISITOR_UNREACHED: (
            "{peer} came, and can't be reached from here by TCP: {back}.",
            "Its own report names what to do there.",
        ),
        Code.VISITOR_NEITHER: (
            "{peer} came by TCP, isn't heard by multicast and can't be reached from here: {back}.",
            "Its own report names what to do there.",
        ),
    }
)


def told(finding: Finding) -> tuple[str, str]:
    """What is so, and the one thing to do about it, each one line of printable text."""
    detail = {name: clean(text) if text else "" for name, text in finding.detail.items()}
    file, kind, ports = detail.get("file", ""), detail.get("firewall", ""), detail.get("ports", "")
    better, rest = detail.get("better", ""), detail.get("rest", "")
    wall = _FIREWALLS.get(kind, kind)
    words = {
        **detail,
        "quoted": shlex.quote(file),
        "quoted_bad": shlex.quote(f"{file}.bad"),
        "rest": f"; not in use: {rest}" if rest else "",
        "instead": f"`--interface {better}`" if better else "Join the network that the others are on",
        "back": _WHY.get(detail.get("why", ""), "it failed"),
        "wall": wall[:1].upper() + wall[1:] if wall in _FIREWALLS.values() else wall,
        "open_tcp": open_tcp(kind, ports, detail.get("program", "")),
        "open_udp": open_udp(kind, detail.get("program", "")),
    }
    found, advice = _WORDS[finding.code]
    return found.format_map(words), advice.format_map(words)


def open_tcp(firewall: str, ports: str, program: str) -> str:
    """How this machine's firewall is told to let others come to our tables."""
    match firewall:
        case "ufw":
            return f"`sudo ufw allow {ports.replace('-', ':')}/tcp`"
        case "firewalld":
            return f"`sudo firewall-cmd --add-port={ports}/tcp && sudo firewall-cmd --runtime-to-permanent`"
        case "macos":
            return _macos(program)
        case "windows":
            return _windows("p2pcards", "TCP", ports)
    return f"Let TCP {ports} in through this machine's firewall (`sudo nft list ruleset` shows its rules)"


def open_udp(firewall: str, program: str) -> str:
    """How a machine's firewall is told to let mDNS in."""
    match firewall:
        case "ufw":
            return "`sudo ufw allow 5353/udp`"
        case "firewalld":
            return "`sudo firewall-cmd --add-service=mdns && sudo firewall-cmd --runtime-to-permanent`"
        case "macos":
            return _macos(program)
        case "windows":
            return _windows("p2pcards mDNS", "UDP", "5353")
    return "Let UDP 5353 in and out through the machine's firewall (`sudo nft list ruleset` shows its rules)"


def _macos(program: str) -> str:
    wall = "/usr/libexec/ApplicationFirewall/socketfilterfw"
    quoted = shlex.quote(program) if program else '"$(command -v python3)"'
    return f"`sudo {wall} --add {quoted} && sudo {wall} --unblockapp {quoted}`"


def _windows(name: str, kind: str, ports: str) -> str:
    rule = f'netsh advfirewall firewall add rule name="{name}" dir=in action=allow protocol={kind} localport={ports}'
    return f"In a terminal run as administrator: `{rule}`"

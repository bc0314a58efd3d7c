"""What `p2pcards verify` says of a record: in sentences, and as the object of --json."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from p2pcards.games.registry import GAMES
from p2pcards.table.people import Known, People
from p2pcards.table.verify import UNPROVED, Signer, Unverified, Verified
from p2pcards.ui.faces import face
from p2pcards.ui.voice import listed
from p2pcards.wire.identity import words
from p2pcards.wire.text import clean

FILE = "the file"
"""Whose the first bad place is when nobody signed it as it stands."""

LIMITS = (
    "Verified means: this was played under these keys, and dealt and decided by the rules. Whose the keys are, it does "
    "not say: anybody can make up keys and play all the seats himself, and that record verifies too. So compare the "
    "words with those that the players see in `whois`."
)
"""What a verified record does not prove."""

_WHY_CHARS = 300
"""Of a reason that has words of the file in it."""

_KNOWN = {
    Known.NEW: "you don't know this key",
    Known.MET: "met before",
    Known.VERIFIED: "words compared",
    Known.OWN: "yours",
}


def proved(found: Verified, people: People) -> list[str]:
    """What was verified, and under whose keys."""
    rounds = "1 round" if found.rounds == 1 else f"{found.rounds} rounds"
    lines = [f"verified: {rounds} of {GAMES[found.game].title}, played at the table {found.title} ({found.table})"]
    nicks = [one.nick or "the host" for one in found.keys]
    roles = [", ".join(_roles(one)) for one in found.keys]
    for nick, role, one in zip(nicks, roles, found.keys, strict=True):
        about = _about(people, one)
        lines.append(f"  {nick:{max(map(len, nicks))}}  {role:{max(map(len, roles))}}  {words(one.key)}  {about}")
    for nick, level in found.bots:
        lines.append(f"  {nick:{max(map(len, nicks))}}  bot ({level}), played by the host")
    lines += _dealt(found)
    if found.stopped:
        lines.append("It says that the match was stopped after its last round; the proof does not tell.")
    elif not found.over:
        lines.append("The match is not over in it: later rounds may have been played, and left out.")
    return lines


def _dealt(found: Verified) -> list[str]:
    """What a reader should know of how it was dealt and played, though none of it is against the rules."""
    lines = []
    for nick in dict.fromkeys(nick for _, nick in found.left_out):
        lines.append(f"{nick}'s part of a shuffle was left out in {_rounds(found.left_out, nick)}.")
    for nick in dict.fromkeys(nick for _, nick in found.stood_in):
        lines.append(f"A bot, or the clock, acted for {nick} in {_rounds(found.stood_in, nick)}.")
    if found.alone:
        where = "In every round" if len(found.alone) == found.rounds else f"In {_numbered(found.alone)}"
        lines.append(f"{where} the host shuffled with nobody's part: there it may have chosen the cards.")
    return lines


def _rounds(notes: Iterable[tuple[int, str]], nick: str) -> str:
    return _numbered(sorted({number for number, who in notes if who == nick}))


def _numbered(rounds: Sequence[int]) -> str:
    return f"round{'s' if len(rounds) > 1 else ''} {listed(list(map(str, rounds)), 'and')}"


def _about(people: People, one: Signer) -> str:
    known = face(people, one.key, one.nick)
    about = f"NOT the {known.like or one.nick} you know" if known.other else _KNOWN[Known(known.known)]
    return ", ".join([about, *known.names])


def _roles(one: Signer) -> list[str]:
    return ["host"] * one.host + ["player"] * one.player


def refuted(found: Unverified) -> str:
    """Why it is not verified: where, whose, what."""
    if found.exit_code == UNPROVED:
        return f"not verified: {found.why}"
    where = [
        *([] if found.round is None else [f"round {found.round}"]),
        *([] if found.line is None else [f"line {found.line} of the file"]),
        *([] if found.entry is None else [f"entry {found.entry}"]),
    ]
    place = f"{', '.join(where)}: " if where else ""
    named = f"entry {found.entry} "
    said = f"it {found.why.removeprefix(named)}" if found.why.startswith(named) else found.why
    whose = f"{found.whose} signed it" if found.whose else f"{FILE} was changed, or is none that p2pcards wrote"
    return f"not verified: {place}{clean(said, _WHY_CHARS)} ({whose})"


def report(found: Verified | Unverified, people: People) -> dict[str, object]:
    """The object of --json."""
    if isinstance(found, Unverified):
        place = {"round": found.round, "entry": found.entry, "line": found.line}
        return {"ok": False, **place, "whose": _whose(found), "error": found.why}
    keys = [
        {"nick": one.nick, "roles": _roles(one), "words": words(one.key), "known": _known(people, one)}
        for one in found.keys
    ]
    notes = {
        "bots": dict(found.bots),
        "left_out": [{"round": number, "nick": nick} for number, nick in found.left_out],
        "stood_in": [{"round": number, "nick": nick} for number, nick in found.stood_in],
        "alone": found.alone,
    }
    return {
        "ok": True,
        "game": found.game,
        "rounds": found.rounds,
        "over": found.over,
        "stopped": found.stopped,
        "table": found.table,
        "title": found.title,
        "keys": keys,
        **notes,
    }


def _whose(found: Unverified) -> str | None:
    """Whose the first bad place is; nobody's where nothing was found bad."""
    return None if found.exit_code == UNPROVED else found.whose or FILE


def _known(people: People, one: Signer) -> str:
    """What the key is to us: unknown, known, verified, own, or other (the nick of somebody we know)."""
    what = people.what(one.key, one.nick)
    return "unknown" if what == Known.NEW else what.value

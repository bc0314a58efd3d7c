"""Every kind of message in every state of a peer that sits at a table (protocol 10, suite 4, the part of section 7).

What is said is as true as its kind allows: of this table, its newest entry and its next term, signed by who says it.
The columns, with who says it over which link:

    lobby      a voter, over a member link, before the first match
    guest      the host, over its own link, in a round
    host       a guest, to the host, in a round
    hostless   a voter, over a member link, a moment after the host is gone
    candidate  the same, to who stands and waits for its vote
    forking    the same, to who has asked it to go on without the others

and the cells: what comes of it.

    broken   the far end is told so, and that is the last it hears
    over     the same, and the player's evening ends: its host lies
    end      the far end has gone, and that is all
    .        it is taken, or passed over, and nobody is answered
    KIND     it is taken, and this is the answer
"""

from __future__ import annotations

import msgspec
import pytest

from p2pcards.errors import ProtocolError
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.messages import (
    RAISED_BY_VOTE,
    TO_ALL,
    Ack,
    Close,
    Entries,
    ForkAsk,
    ForkSay,
    Get,
    Heartbeat,
    Keepalive,
    Kind,
    Message,
    Prevote,
    PrevoteAsk,
    Reason,
    ShareAsk,
    Stale,
    VoteAsk,
    decode,
    encode,
)
from p2pcards.wire.vote import sign_fork
from tests.table.test_guest_messages import all_messages
from tests.table.test_matrix import SUITE
from tests.testing.cluster import identity
from tests.testing.forge import Forge
from tests.testing.one_peer import Program
from tests.testing.peers import Lan
from tests.testing.tally import Tally

MATRIX = """
kind            lobby       guest       host        hostless    candidate   forking
01 HELLO        broken      over        broken      broken      broken      broken
02 PAKE         broken      over        broken      broken      broken      broken
03 CONFIRM      broken      over        broken      broken      broken      broken
04 WELCOME      .           over        broken      .           .           .
05 INFO         .           .           broken      .           .           .
10 ENTRIES      .           ACK         .           .           .           .
11 VIEW         .           over        .           .           .           .
12 GET          ENTRIES     over        ENTRIES     ENTRIES     ENTRIES     ENTRIES
13 HEARTBEAT    .           ACK         broken      .           STALE       .
14 ACK          .           over        STANDING    .           .           .
15 ACT          .           .           end         .           .           .
16 REFUSED      .           .           .           .           .           .
17 WANT         .           over        REFUSED     .           .           .
18 PEERS        .           .           .           .           .           .
19 CHAT         .           .           CHAT        .           .           .
1a AUDIT        .           .           .           .           .           .
1b HELD         .           .           .           .           .           .
1c READY        .           .           .           .           .           .
1d CLOCK        .           .           .           .           .           .
1e STANDING     .           .           .           .           .           .
20 SHARE        .           .           broken      .           .           .
21 SHARE_ASK    .           .           .           .           .           .
22 SECRET       .           .           .           .           .           .
30 KEEPALIVE    .           .           .           .           .           .
31 PREVOTE_ASK  PREVOTE     PREVOTE     PREVOTE     PREVOTE     PREVOTE     PREVOTE
32 PREVOTE      .           .           .           .           .           .
33 VOTE_ASK     .           .           STALE       .           VOTE        VOTE
34 VOTE         .           .           STALE       .           ENTRIES     .
35 STALE        .           .           STALE       .           PREVOTE_ASK .
36 FORK_ASK     FORK_SAY    FORK_SAY    FORK_SAY    FORK_SAY    FORK_SAY    FORK_SAY
37 FORK_SAY     .           .           .           .           .           ENTRIES
ff CLOSE        end         end         end         end         end         end
2a unknown      -           -           -           -           -           -
"""

_LINES = [line.split() for line in MATRIX.strip().splitlines()]
STATES = tuple(_LINES[0][1:])
CELLS = {
    (int(number, 16), state): cell for number, _, *row in _LINES[1:] for state, cell in zip(STATES, row, strict=True)
}
KINDS = {int(line[0], 16): line[1] for line in _LINES[1:]}

_SAMPLES = {int(encode(message)[0]): message for message in all_messages()}


def at(state: str) -> tuple[Lan, Program, str]:
    """A table in that state, a script at it, and to whom it speaks."""
    lan = Lan("ana", "ben", "cy", *(["dot"] if state == "forking" else []), game="onecard")
    if state == "lobby":
        return lan, lan.turned("cy"), "ben"
    lan.start()
    if state == "guest":
        return lan, lan.turned("ana"), "ben"
    cy = lan.turned("cy")
    if state == "host":
        return lan, cy, "ana"
    lan.kill("ana", *(["dot"] if state == "forking" else []))
    if state == "candidate":
        lan.until(lambda: bool(cy.heard(PrevoteAsk)), step=0.05)
        ask = cy.heard(PrevoteAsk)[-1]
        cy.says("ben", Prevote(ask.table, ask.term, True))
        assert cy.heard(VoteAsk)
    elif state == "forking":
        lan.stays(cy, 21, "ben")
        assert cy.heard(ForkAsk)
    return lan, cy, "ben"


def true(lan: Lan, script: Program, far: str) -> dict[type[Message], Message]:
    """What can be said truly, or nearly so."""
    books, journal = lan.books, lan.books.journal
    pen = Forge(script.identity, journal.copy())
    table, last, head, sig = journal.table, journal.last, journal.head, journal.hostsig
    asked = script.heard(VoteAsk, "ben")
    term = asked[-1].vote.term if asked else books.term + 1
    vote = pen.vote(script.name, "ben" if asked else script.name, term)
    own = pen.vote(script.name, script.name, term + 1)
    forks = script.heard(ForkAsk)
    fresh = forks[-1].fresh if forks else bytes(16)
    keys = tuple(sorted(identity(name).key for name in (far, script.name)))
    said: list[Message] = [
        Entries(0, (journal.wires[-1],)),
        Get(0),
        Heartbeat(table, books.term, last, head, 0, 1, sig),
        Ack(table, books.term, last, head, 0, 0, True),
        script.leave(),
        sign_chat(script.identity, table, 1, TO_ALL, "hi"),
        ShareAsk(books.epoch),
        Keepalive(table, books.term, last, head, sig),
        PrevoteAsk(table, term + 1, journal.term_at(last), last, head, sig),
        Prevote(table, term, True),
        VoteAsk(own, sig),
        vote,
        Stale(RAISED_BY_VOTE, msgspec.msgpack.encode(own)),
        ForkAsk(table, last, head, bytes(16), keys),
        ForkSay(table, fresh, True, sign_fork(script.identity, table, head, fresh)),
    ]
    return {type(message): message for message in said}


def comes_of(state: str, message: Message) -> str:
    """A cell."""
    lan, script, far = at(state)
    said = true(lan, script, far).get(type(message), message)
    answers = [answer for answer in script.says(far, said) if not isinstance(answer, Keepalive)]
    program = lan[far]
    finished, gone = program.the.finished, not script.has_link_to(far)
    lan.pass_time(0.1)
    last = answers[-1] if answers else None
    if isinstance(last, Close):
        assert gone
        assert last.reason in (Reason.BROKEN, Reason.BYE)
        if last.reason == Reason.BYE:
            return "end"
        return "over" if finished else "broken"
    if isinstance(message, Close):
        assert gone
        return "end"
    assert (finished, gone) == (False, False)
    return encode(answers[0])[0].name if answers else "."


def test_the_matrix_has_every_kind_and_every_state() -> None:
    assert {(int(kind), kind.name) for kind in Kind} <= set(KINDS.items())
    assert len(CELLS) == len(KINDS) * len(STATES) == 33 * 6


@pytest.mark.parametrize("state", STATES)
def test_every_kind_in_every_state_leads_where_the_matrix_says(state: str, tally: Tally) -> None:
    for kind, name in KINDS.items():
        wanted = CELLS[kind, state]
        if kind in _SAMPLES:
            message = decode(kind, encode(_SAMPLES[kind])[1])
            assert comes_of(state, message) == wanted, f"{name} in {state}"
        else:
            with pytest.raises(ProtocolError):
                decode(kind, b"\x90")
            assert wanted == "-", f"{name} in {state}"
        tally(SUITE)

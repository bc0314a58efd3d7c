"""The door of a table: who may come in, who has to prove what, and who is asked (protocol 5).

A newcomer's way: what it came for is possible at all (`Reception`: version, room, no second self), it is not shown
out, it passes the policy, and it does not bear the name of somebody else whom the host knows. Only then it is let in.
Whoever stands in the roster has passed before, and meets the deny list alone.

The code is never sent, and nothing that is sent lets it be guessed later: each run of SPAKE2 tests one code, and a run
that isn't finished counts as a wrong one. The runs themselves are the shell's (PakeRun, Agreed): they take 8 ms.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.errors import ProtocolError, UserError
from p2pcards.table.access import fit_nick
from p2pcards.table.effects import LinkId
from p2pcards.table.notices import CodeIs, Knocked, PakeRun, WentAway
from p2pcards.table.outbox import Outbox
from p2pcards.table.people import Ban, Known, NoPeople, People
from p2pcards.table.public import Public
from p2pcards.table.settings import ASK_SECONDS, DOORS, NEEDS_LAB
from p2pcards.table.tableview import Knock
from p2pcards.wire import lab
from p2pcards.wire.code import POINT_BYTES, confirm_r, confirms_i, new_code
from p2pcards.wire.entries import Kick
from p2pcards.wire.messages import Close, Confirm, Hello, Method, Pake, Reason

MOST_WAITING = 8

KNOCKS_SECONDS = 15.0
"""While MOST_WAITING who knocked within so long went away again by themselves, the host is asked about nobody."""

RUN_SECONDS = 1.0
"""Between two guesses at the code, whoever makes them."""

GUESSES = 5
"""Wrong guesses after which the code is another one."""

_ASKS_FOR = {
    "open": (Reason.DECLINED, "this table's door is open: it asks for no code and no key"),
    "ask": (Reason.DECLINED, "this table's host is asked about everybody: it takes no code and no key"),
    "code": (Reason.WRONG_CODE, "this table asks for its code"),
    "lab": (Reason.NOT_A_MEMBER, "this table is for members of its lab"),
    "lab+uid": (Reason.NOT_A_MEMBER, "this table is for members of its lab"),
}
"""What is answered to who came for another door."""

_NOBODY = {
    "ask": "nobody is there to answer the door",
    "name": "somebody else is known there by that name, so take another --nick",
}
"""What is answered where the host would be asked, by what about, and nobody is there to be."""

_METHODS = {"open": Method.KNOCK, "ask": Method.KNOCK, "code": Method.CODE, "lab": Method.LAB, "lab+uid": Method.LAB}


class Gate(Struct, frozen=True):
    """What a host knows of those who come.

    lab: the lab's 32-byte key, empty where there is none. roll: the lab's directory of keys is read, so `people.login`
    proves logins. asks: somebody is there to be asked. code: the first join code, empty for a fresh one.
    """

    people: People = NoPeople()
    lab: bytes = b""
    roll: bool = False
    asks: bool = True
    code: str = ""

    def __repr__(self) -> str:
        return "Gate()"


def by_whom(books: Public, word: Kick | Ban) -> str:
    """Who showed somebody out, and why: the host, or a vote."""
    voted = isinstance(word, Kick) and word.ballots
    by = "by a vote of the table" if voted else f"by {books.nick_of(books.host) or 'the host'}"
    return f"{by} ({word.reason})" if word.reason else by


class Newcomer(Struct, frozen=True):
    """Who stands at the door. session: th3 of its link; login: proved by the lab, or empty; nick: one that fits."""

    link: LinkId
    key: bytes
    session: bytes
    hello: Hello
    login: str
    nick: str


class _Run(Struct):
    """A guess at the code on its way. secret: empty until the shell has answered; void: the code is another by now."""

    who: Newcomer
    code: str
    point: bytes = b""  # ours
    secret: bytes = b""
    void: bool = False

    def __repr__(self) -> str:
        return f"_Run({self.who.link})"


class _Asked(Struct, frozen=True):
    """Somebody about whom the host is asked, under the name that the table would give. proof: for the WELCOME."""

    who: Newcomer
    known: str
    asked: str
    proof: bytes
    until: float


class Door:
    """Takes newcomers one by one; `let_in(who, proof)` (whether it did) and `turn_away(link, close)` are the host's."""

    def __init__(
        self,
        gate: Gate,
        random: Callable[[int], bytes],
        books: Public,
        let_in: Callable[[Newcomer, bytes], bool],
        turn_away: Callable[[LinkId, Close], None],
        out: Outbox,
    ) -> None:
        self._gate, self._random, self._books = gate, random, books
        self._let_in, self._turn_away, self._out = let_in, turn_away, out
        self.policy = "open"
        self.code = ""
        self._asks = gate.asks
        self._failures = 0
        self._run_at = -RUN_SECONDS  # of the last guess
        self._runs: dict[LinkId, _Run] = {}
        self._asked: dict[LinkId, _Asked] = {}
        self._ran_away: deque[float] = deque(maxlen=MOST_WAITING)  # when those knocked who did not wait for the answer
        self._declined: dict[bytes, float] = {}  # key -> until when it need not ask again
        self._logins: dict[bytes, str] = {}  # key of who was shown out of this table -> its proved login

    # ---- what the shell reads

    @property
    def knocks(self) -> tuple[Knock, ...]:
        """Who waits, the first first."""
        return tuple(
            Knock(one.who.nick, one.who.key, one.known, one.who.login, one.asked, one.until)
            for one in self._asked.values()
        )

    @property
    def wake_at(self) -> float | None:
        """When somebody has waited long enough."""
        return min((one.until for one in self._asked.values()), default=None)

    # ---- newcomers

    def login(self, key: bytes) -> str:
        """The login that the lab proves for the key, where its directory is read."""
        return self._gate.people.login(key) if self._gate.roll else ""

    def tells(self, hello: Hello, session: bytes) -> bool:
        """Whether a probe may be told of the table."""
        return self.policy not in NEEDS_LAB or lab.proves_i(self._gate.lab, session, hello.proof)

    def denied(self, key: bytes, login: str, wall: float) -> Close | None:
        """Why the key may not come, whatever it proves; wall: unix seconds."""
        for kick in self._books.kicks.values():
            same = kick.key == key or (login and self._logins.get(kick.key) == login)
            if same and kick.stands(wall):
                return Close(Reason.BANNED, f"shown out {by_whom(self._books, kick)}", kick.until)
        ban = self._gate.people.banned(key, login, wall)
        return None if ban is None else Close(Reason.BANNED, f"shown out {by_whom(self._books, ban)}", ban.until)

    def knock(self, who: Newcomer, now: float) -> None:
        """Somebody wants in who may, if the policy of the door agrees."""
        policy, method = self.policy, who.hello.method
        if method == Method.MEMBER:  # no longer in the roster
            method = Method.KNOCK
        if method != _METHODS[policy]:
            self._turn_away(who.link, Close(*_ASKS_FOR[policy]))
        elif policy == "code":
            self._begin_run(who, now)
        elif policy in NEEDS_LAB and not lab.proves_i(self._gate.lab, who.session, who.hello.proof):
            self._turn_away(who.link, Close(Reason.NOT_A_MEMBER, "this table's lab has another key"))
        elif policy == "lab+uid" and not who.login:
            text = "your key stands in no file of your own in the lab's directory"
            self._turn_away(who.link, Close(Reason.NOT_A_MEMBER, text))
        else:
            self._named(who, lab.proof_r(self._gate.lab, who.session) if policy in NEEDS_LAB else b"", now)

    def _named(self, who: Newcomer, proof: bytes, now: float) -> None:
        """The policy agrees; a borrowed name is the host's to judge, as everybody is where the door asks."""
        called = self._free_name(who)
        borrowed = self._is_borrowed(who.key, who.nick) or self._is_borrowed(who.key, called)
        who = replace(who, nick=called)
        known = Known.OTHER if borrowed else self._gate.people.what(who.key, who.nick)
        if self.policy == "ask" or borrowed:
            self._ask(who, Known.VERIFIED if who.login and not borrowed else known, borrowed, proof, now)
        else:
            self._let_in(who, proof)

    def _free_name(self, who: Newcomer) -> str:
        """As the table would call them; a number behind a name makes nobody somebody else whom we know."""
        theirs: list[str] = []
        called = fit_nick(self._books, who.key, who.nick)
        while called.lower() != who.nick.lower() and called not in theirs and self._is_borrowed(who.key, called):
            theirs.append(called)
            called = fit_nick(self._books, who.key, who.nick, theirs)
        return called

    def _is_borrowed(self, key: bytes, name: str) -> bool:
        """Whether it is the name of somebody else whom we know, and who is not here to be told from."""
        people, books = self._gate.people, self._books
        return people.what(key, name) is Known.OTHER and not any(books.nick_of(one.key) for one in people.named(name))

    @property
    def _waiting(self) -> list[Newcomer]:
        return [one.who for one in self._asked.values()]

    # ---- the host is asked

    def _ask(self, who: Newcomer, known: str, borrowed: bool, proof: bytes, now: float) -> None:
        if not self._asks:
            self._turn_away(who.link, Close(Reason.DECLINED, _NOBODY["name" if borrowed else "ask"]))
        elif now < self._declined.get(who.key, now):
            self._turn_away(who.link, Close(Reason.TOO_FAST, "the host has just said no"))
        elif any(one.key == who.key for one in self._waiting):
            self._turn_away(who.link, Close(Reason.ALREADY_HERE, "somebody with your key waits at the door already"))
        elif len(self._asked) >= MOST_WAITING:
            self._turn_away(who.link, Close(Reason.TOO_FAST, f"{MOST_WAITING} people wait at the door already"))
        elif len(self._ran_away) == MOST_WAITING and now < self._ran_away[0] + KNOCKS_SECONDS:
            self._turn_away(who.link, Close(Reason.TOO_FAST, "too many knock at once"))
        else:
            name = fit_nick(self._books, who.key, who.nick, (one.nick for one in self._waiting))
            who, asked = replace(who, nick=name), "name" if borrowed else "ask"
            self._asked[who.link] = _Asked(who, str(known), asked, proof, now + ASK_SECONDS)
            self._out.tell(Knocked(who.link, who.nick, who.key, str(known), who.login, asked))

    def admit(self, nick: str) -> None:
        """The host lets somebody in; "" whoever waits alone."""
        self._admit(self._take(nick))

    def _admit(self, one: _Asked) -> None:
        is_in = self._let_in(one.who, one.proof)
        self._out.tell(WentAway(one.who.nick, "admitted" if is_in else "declined"))

    def deny(self, nick: str, reason: str, now: float, wall: float) -> None:
        """The host does not; who is banned by now is told that."""
        one = self._take(nick)
        self._declined = {key: until for key, until in self._declined.items() if now < until}
        self._declined[one.who.key] = now + ASK_SECONDS
        self._out.tell(WentAway(one.who.nick, "declined"))
        self._turn_away(one.who.link, self.denied(one.who.key, one.who.login, wall) or Close(Reason.DECLINED, reason))

    def _take(self, nick: str) -> _Asked:
        found = [one for one in self._waiting if nick.lower() in ("", one.nick.lower())]
        if not found:
            raise UserError(f"Nobody called {nick} waits at the door." if nick else "Nobody waits at the door.")
        if len(found) > 1:
            raise UserError(f"Several wait at the door: {', '.join(one.nick for one in found)}.")
        return self._asked.pop(found[0].link)

    def unattended(self) -> None:
        """Nobody is there any more who could be asked about anybody."""
        self._asks, waiting, self._asked = False, self._asked, {}
        for link, one in waiting.items():
            self._out.tell(WentAway(one.who.nick, "declined"))
            self._turn_away(link, Close(Reason.DECLINED, _NOBODY[one.asked]))

    def look(self, now: float) -> None:
        """Turns those away whom nobody has answered."""
        for link in [link for link, one in self._asked.items() if now >= one.until]:
            one = self._asked.pop(link)
            self._out.tell(WentAway(one.who.nick, "late"))
            self._turn_away(link, Close(Reason.DECLINED, "nobody answered the door"))

    # ---- the code

    def _begin_run(self, who: Newcomer, now: float) -> None:
        if len(who.hello.proof) != POINT_BYTES:
            self._turn_away(who.link, Close(Reason.WRONG_CODE, ""))
        elif now < self._run_at + RUN_SECONDS:
            self._turn_away(who.link, Close(Reason.TOO_FAST, "one guess a second"))
        else:
            self._run_at = now
            self._runs[who.link] = _Run(who, self.code)
            self._out.tell(PakeRun(who.link, self.code, who.key, who.session, who.hello.proof))

    def agreed(self, link: LinkId, point: bytes, secret: bytes) -> None:
        """The shell has done our half of a run; both are empty where the newcomer's was none."""
        run = self._runs.get(link)
        if run is None or run.secret:
            return
        if not secret:
            self._wrong(link)
            return
        run.point, run.secret = point, secret
        self._out.send(link, Pake(point))

    def confirm(self, link: LinkId, said: Confirm, now: float) -> None:
        """The newcomer proves that it knows the code; ProtocolError where none was asked for."""
        run = self._runs.get(link)
        if run is None or not run.secret:
            raise ProtocolError("a proof that nobody asked for")
        session, theirs = run.who.session, run.who.hello.proof
        if run.void or not confirms_i(run.secret, session, theirs, run.point, said.mac):
            self._wrong(link)
            return
        del self._runs[link]
        self._named(run.who, confirm_r(run.secret, session, theirs, run.point), now)

    def _wrong(self, link: LinkId) -> None:
        self._turn_away(link, Close(Reason.WRONG_CODE, ""))
        self.gone(link)

    def gone(self, link: LinkId) -> None:
        """A link is down; a guess that was under way counts as a wrong one."""
        asked = self._asked.pop(link, None)
        if asked is not None:
            self._ran_away.append(asked.until - ASK_SECONDS)
            self._out.tell(WentAway(asked.who.nick, "gone"))
        run = self._runs.pop(link, None)
        if run is None or run.void or self.policy != "code":
            return
        self._failures += 1
        if self._failures >= GUESSES:
            self.renew("guessed")

    def is_busy(self, link: LinkId) -> bool:
        """Whether the link has said its HELLO and waits."""
        return link in self._asked or link in self._runs

    # ---- the host's word

    def open(self, policy: str) -> None:
        """The policy from now on."""
        was, self.policy = self.policy, policy
        if policy == "code":
            self.renew("asked" if was == "code" or self.code else "opened", self._gate.code if not self.code else "")
        for link in [link for link, run in self._runs.items() if not self._still_fits(run.who)]:
            del self._runs[link]
            self._turn_away(link, Close(*_ASKS_FOR[policy]))
        for one in list(self._asked.values()):
            if not self._still_fits(one.who):
                del self._asked[one.who.link]
                self._out.tell(WentAway(one.who.nick, "declined"))
                self._turn_away(one.who.link, Close(*_ASKS_FOR[policy]))
            elif policy == "open" and one.asked == "ask":
                del self._asked[one.who.link]
                self._admit(one)

    def _still_fits(self, who: Newcomer) -> bool:
        """Whether somebody who came for another door may stand at this one: nobody skips what it asks for."""
        if self.policy in ("open", "ask"):
            return True
        return who.hello.method == _METHODS[self.policy] and (self.policy != "lab+uid" or bool(who.login))

    def renew(self, why: str, code: str = "") -> None:
        """Another code; guesses under way are at the old one, and in vain."""
        fresh = code
        while not fresh or fresh == self.code:
            fresh = new_code(self._random)
        self.code, self._failures = fresh, 0
        for run in self._runs.values():
            run.void = True
        self._out.tell(CodeIs(fresh, why))

    def shown_out(self, key: bytes) -> None:
        """Somebody was kicked: the code that they know opens no more, nor another key of the same login."""
        if login := self.login(key):
            self._logins[key] = login
        if self.policy == "code":
            self.renew("kicked")

    def check(self, policy: str) -> None:
        """Raises UserError where this program can't keep such a door."""
        if policy not in DOORS:
            raise UserError(f"A door is one of: {', '.join(DOORS)}.")
        if policy in NEEDS_LAB and not self._gate.lab:
            raise UserError(f"The door {policy} needs the lab's key: start p2pcards with --lab-key FILE.")
        if policy == "lab+uid" and not self._gate.roll:
            raise UserError("The door lab+uid needs the lab's directory of keys: start p2pcards with --lab-keys DIR.")
        if policy == "ask" and not self._asks:
            raise UserError("Nobody is here to be asked: the door ask needs somebody at the keyboard.")

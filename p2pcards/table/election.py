"""Who becomes host when the host is gone: one voter's part in it (protocol 7.3, R1 to R7; 7.5).

Theory of operation. Time is cut into terms; a term has one host or none. Who hears no host for DEAD seconds, and its
rank's worth of steps more, first asks whether the others would vote for it (PREVOTE: nothing changes, so that somebody
who is merely cut off disturbs nobody). If a quorum would, it begins the next term, votes for itself and asks for votes.
A quorum of votes is a certificate. What makes that safe:

* a voter gives one vote in a term, and it stands in the vote file before it leaves (R3);
* it gives none while it hears a host (R2), nor within DEAD of its last vote (R4) or of its start (R5), which is longer
  than the lease that its last acknowledgement gave: so no two hosts are active at one instant;
* it votes for nobody who holds less than itself: so no committed entry is lost;
* a vote counts for VOTE_WINDOW from when it was asked for, and the lease of who is elected counts from there too (R6).

    election = Election(identity, books, VoteFile.decode(data), now)   # books: those of our guest, always the newest
    election.welcomed(last)               # by the host's WELCOME; -1 where we open a table of our own
    election.host_heard(now)              # the host of books.term said something; or we are it, and our lease holds
    election.take(key, message, now)      # PREVOTE_ASK, PREVOTE, VOTE_ASK, VOTE, STALE of a member; ProtocolError
    election.tick(now, linked)            # after every input, and when `wake_at` has come; linked: keys
    # then, in this order: write and flush `kept`; send `sent`; show `notices`; take over where there is a `won`

While `raised`, the term of the books is over: its host must stop, nothing of it is taken or acknowledged, and whoever
speaks of it is answered with `stale`. An election needs three voters; a table of two knows no majority.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.table.candidacy import Asking
from p2pcards.table.certificates import ELECTS
from p2pcards.table.escrow import quorum
from p2pcards.table.evidence import Newest, check_vote, is_as_new, is_vouched, newest, read_stale
from p2pcards.table.notices import DoubleVote, Notice
from p2pcards.table.public import Public
from p2pcards.table.rank import ranked
from p2pcards.table.terms import Terms
from p2pcards.table.votefile import NEVER, VoteFile
from p2pcards.wire.entries import TermStart, decode_pub
from p2pcards.wire.identity import Identity
from p2pcards.wire.messages import Message, Prevote, PrevoteAsk, Stale, VoteAsk
from p2pcards.wire.vote import Vote, sign_vote

DEAD = 5.0
"""Without a word from the host for so long, a voter may help to elect another one (protocol 7.1)."""

STEP = 0.5
"""So much later stands who is one further behind in rank."""

MARGIN = 0.25
"""The first in rank waits so much longer than DEAD: the others' clocks differ, and heard the host a moment later."""

ASK_SECONDS = 1.0
"""After so long, and its rank's worth of steps, a voter asks anew whether the others would vote for it."""

LAST_TERM = 2**32 - 1
"""Behind it nobody is elected: only lies come so far."""


class Certificate(Struct, frozen=True):
    """We are host of that term. asked_at: when the votes were asked for; our lease counts from there."""

    term: int
    votes: tuple[Vote, ...]
    asked_at: float


class Election:
    """One voter. What it does depends on its books, its vote file and the times it is given, and on nothing else."""

    def __init__(
        self, identity: Identity, public: Public, votes: VoteFile | None, now: float, *, same_boot: bool = True
    ) -> None:
        """votes: None where there is no vote file. same_boot: the machine was not started anew since it was written."""
        self._identity, self._key, self.public = identity, identity.key, public
        self.kept: bytes | None = None
        self.sent: list[tuple[bytes, Message]] = []
        self.notices: list[Notice] = []
        self.proofs: list[tuple[Vote, Vote]] = []
        self.won: Certificate | None = None
        self.wake_at: float | None = None
        self.heard = now  # when a host was heard last, or what counts as that: our start (R5), a vote of ours, a sleep
        self._host_at: float | None = None  # when one was heard in truth
        self._retry = now
        self._mute = self._refused = False  # until the journal is kept again; until the next try
        self._linked: frozenset[bytes] = frozenset()
        self._asking: Asking | None = None
        self._terms = Terms(public)
        self._ranked: tuple[object, int] = (None, 0)
        self._table, self._begun = b"", 0
        self._agreed = b""  # the T that we agreed to go on as, in this process
        self._file = votes or VoteFile()
        if votes is None or votes.left or not same_boot:
            self._write(replace(self._file, left=False, since=NEVER))
        self._follow()

    # ---- what others read

    @property
    def file(self) -> VoteFile:
        """What the vote file holds."""
        return self._file

    @property
    def term(self) -> int:
        """The newest term that we know of."""
        return self._terms.newest

    @property
    def raised(self) -> bool:
        """Whether the term of the books is over: its host stops."""
        return self._terms.raised

    @property
    def stale(self) -> Stale | None:
        """What shows to who speaks of an older term that it is over; None in the first one."""
        return self._terms.stale

    @property
    def vote_file(self) -> bool:
        """What our HELLO and ACK say: no earlier vote or acknowledgement of ours can be forgotten."""
        return not self._refused and self._keeps_all

    @property
    def _keeps_all(self) -> bool:
        """Whether what left us stands in the file. What the disk refuses leaves nobody, and is tried again."""
        if not self.may_ack or self._mute:
            return False
        return self._key not in self.public.voters or self.public.admitted.get(self._key, 0) >= self._file.since

    @property
    def may_ack(self) -> bool:
        """Whether we may acknowledge what the host sends: not behind our own LEAVE, nor our yes to a FORK."""
        return not self._file.left and not self._file.refuses(self.public.table)

    @property
    def may_fork(self) -> bool:
        """Whether we have not left: a yes to a FORK needs no more than the vote file, and what that refuses leaves
        nobody."""
        return not self._file.left

    @property
    def may_vote(self) -> bool:
        """Whether our vote counts."""
        return self._keeps_all and self.public.votes(self._key)

    @property
    def runs(self) -> bool:
        """Whether there are elections at this table, and we have part in them."""
        return self.may_vote and self._elects

    @property
    def _elects(self) -> bool:
        """Whether the table is one that elects; a vote at a smaller one is a lie, and ends no term."""
        return len(self.public.voters) >= ELECTS

    def quiet(self, now: float) -> bool:
        """Whether we may help to elect another host (R2)."""
        return now >= self.heard + DEAD

    def hears_host(self, now: float) -> bool:
        """Whether a host has said something within DEAD; of our own: whether it was active."""
        return self._host_at is not None and now < self._host_at + DEAD

    # ---- what happened

    def host_heard(self, now: float) -> None:
        """The host of the books' term said something. Of our own: whenever our lease holds, a paused host is silent."""
        self._follow()
        if self.raised:
            return
        self.heard, self._host_at, self._asking = now, now, None

    def slept(self, now: float) -> None:
        """This machine slept: what was heard before says nothing about now."""
        self.heard, self._asking = max(self.heard, now), None

    def welcomed(self, last: int) -> None:
        """The host let us in when its newest entry was `last`; -1: the table is our own, and new.

        Only where we had no vote file: from now on we forget nothing, so what admits us after that entry counts.
        """
        if self._file.since == NEVER and not self._file.left:
            self._write(replace(self._file, since=last + 1))

    def leave(self) -> None:
        """We sign our LEAVE: from now on, for ever, no vote and no acknowledgement of ours."""
        self._asking = None
        self._write(replace(self._file, left=True))

    def adopt(self, term: int) -> None:
        """We begin that term, as the successor that a HANDOVER names: an earlier one is over."""
        self._terms.raise_to(term, None)
        self._asking = None

    def sign_fork(self, fresh: bytes) -> None:
        """We agree to going on as `fresh` from our newest entry: the present T is refused for ever."""
        self._agreed, self._asking = fresh, None
        self._write(self._file.forked(self.public.table, fresh))

    def unkept(self, journal: bool = False) -> None:
        """The disk refused a secret, and nothing left with it; or the journal, without which nobody votes."""
        self._asking = self.won = None
        if journal:
            self._mute = True
        else:
            self._refused = True

    def kept_up(self) -> None:
        """The journal on the disk has all that it lacked: what we acknowledged can't be forgotten."""
        self._mute = False

    def take(self, key: bytes, message: Message, now: float) -> None:
        """What another member says; ProtocolError for what none says. Words of those without a vote count nothing."""
        self._follow()
        if not self.public.votes(key) or key == self._key:
            return
        match message:
            case PrevoteAsk():
                self._prevote_asked(key, message, now)
            case Prevote():
                self._prevoted(key, message, now)
            case VoteAsk():
                self._vote_asked(key, message, now)
            case Vote():
                self._voted(key, message, now)
            case Stale():
                shown = read_stale(self.public, self._key, message)
                if isinstance(shown, Vote):
                    if self._elects:
                        self._saw(shown)
                elif shown is not None:
                    self._terms.raise_to(shown, message)
                    self._drop_old()

    def tick(self, now: float, linked: Collection[bytes]) -> None:
        """Time has gone on, or who is linked has changed. linked: keys of the members that we have a link to."""
        self._follow()
        self._drop_old()
        self._linked, self.wake_at = frozenset(filter(self.public.votes, linked)) - {self._key}, None
        if not self.runs:
            self._asking = None
            return
        asking = self._asking
        if asking is not None and now >= asking.until:
            self._asking = None
            self._retry = asking.until if asking.own is None else asking.until + STEP * self._rank
        enough = 1 + len(self._linked) >= quorum(len(self.public.voters))
        due = max(self.heard + DEAD + MARGIN + STEP * self._rank, self._retry)
        if self._asking is None and enough and now >= due:
            self._begin(now)
        if self._asking is not None:
            self.sent += self._asking.questions(self.public, self._linked)
            self.wake_at = self._asking.until
        elif enough:
            self.wake_at = due

    # ---- our own candidature

    @property
    def _rank(self) -> int:
        """Our place in the order; kept with all that it follows from."""
        books = self.public
        of = books.voters, books.seats, books.host, books.going
        if self._ranked[0] != of:
            self._ranked = of, ranked(books).index(self._key)
        return self._ranked[1]

    def _begin(self, now: float) -> None:
        """Asks whether the others would vote for us in the next term."""
        handover = self.public.handover
        term = max(self.term, handover.term if handover else 0) + 1
        if term > LAST_TERM:
            return
        self._asking = Asking.whether(term, self.public, now, ASK_SECONDS + STEP * self._rank)

    def _prevoted(self, key: bytes, answer: Prevote, now: float) -> None:
        asking = self._asking
        if asking is None or asking.own or (answer.table, answer.term) != (self.public.table, asking.term):
            return
        if answer.yes:
            asking.would(key)
        if asking.willing(self.public) >= quorum(len(self.public.voters)) and self.runs:
            self._stand(asking.term, now)

    def _stand(self, term: int, now: float) -> None:
        """They would: the term begins with our own vote."""
        own = self._cast(term, self._key, newest(self.public))
        self._asking = Asking.for_votes(own, self.public, now)
        self.sent += self._asking.questions(self.public, self._linked)

    def _voted(self, key: bytes, vote: Vote, now: float) -> None:
        if vote.voter != key:
            raise ProtocolError("a vote that somebody else gave")
        if not self._elects or not check_vote(self.public, vote):
            return
        self._saw(vote)
        asking = self._asking
        if asking is None or not self.runs:
            return
        asking.take(vote, self.public, now)
        votes = asking.votes(self.public)
        if len(votes) >= quorum(len(self.public.voters)):
            self.won = Certificate(asking.term, votes, asking.at)
            self.heard, self._asking = now, None

    # ---- the candidature of others

    def _prevote_asked(self, key: bytes, ask: PrevoteAsk, now: float) -> None:
        if ask.table != self.public.table:
            return
        if ask.term <= self.term and (stale := self.stale) is not None:
            self.sent.append((key, stale))
            return
        yes = ask.term > self.term and self._would_vote(ask.term, (ask.last_term, ask.last, ask.head), ask.hostsig, now)
        self.sent.append((key, Prevote(ask.table, ask.term, yes)))

    def _vote_asked(self, key: bytes, ask: VoteAsk, now: float) -> None:
        asked = ask.vote
        if (asked.voter, asked.candidate) != (key, key):
            raise ProtocolError("a vote asked for by somebody else than the candidate")
        if not self._elects or not check_vote(self.public, asked) or not self._saw(asked):
            return
        if asked.term < self.term:
            if (stale := self.stale) is not None:
                self.sent.append((key, stale))
            return
        shown = (asked.last_term, asked.last, asked.head)
        mine = self._file.voted(self.public.table)
        if mine is not None and mine.term == asked.term:
            if (mine.candidate, mine.last_term, mine.last, mine.head) == (key, *shown) and self.may_vote:
                self.sent.append((key, mine))
            return
        if self.raised and self._would_vote(asked.term, shown, ask.hostsig, now):
            self.heard = now  # R4
            self.sent.append((key, self._cast(asked.term, key, shown)))

    def _would_vote(self, term: int, shown: Newest, hostsig: bytes, now: float) -> bool:
        """Whether a candidate with that newest entry may have our vote.

        The entry that admitted us stands on our own chain, so who is as new as we are holds it too, or a later term.
        """
        if not self.runs or not self.quiet(now) or (self._asking is not None and self._asking.own is not None):
            return False
        handover = self.public.handover
        if handover is not None and term <= handover.term:
            return False
        return is_as_new(self.public, shown) and is_vouched(self.public, shown, hostsig)

    def _cast(self, term: int, candidate: bytes, shown: Newest) -> Vote:
        """Gives our one vote of that term; it goes out once the file is written."""
        vote = sign_vote(self._identity, self.public.table, term, candidate, self.public.seat_of(self._key), shown)
        self._asking = None
        self._write(replace(self._file, vote=vote))
        self._terms.voted(vote)
        self._drop_old()
        return vote

    # ---- terms

    def _saw(self, vote: Vote) -> bool:
        """Takes note of a vote that counts; whether its term is one that there can be."""
        possible = self._terms.saw(vote)
        for one, other in self._terms.doubles:
            self.proofs.append((one, other))
            self.notices.append(DoubleVote(self.public.nick_of(one.voter), one.term))
        self._terms.doubles.clear()
        self._drop_old()
        return possible

    def _drop_old(self) -> None:
        """What we asked for in a term that is over, or that is a successor's: nobody is elected for that."""
        given = self.public.handover
        if self._asking is not None and self._asking.term < max(self.term, given.term + 1 if given else 0):
            self._asking = None

    def _follow(self) -> None:
        """The journal went on: a new term has begun, or the table became another one by a FORK."""
        books = self.public
        if books.table != self._table:
            agreed = books.table == self._agreed
            self._table, self._begun, self._asking = books.table, 0, None
            self._terms.forget()
            if (mine := self._file.voted(books.table)) is not None:
                self._terms.voted(mine)
            if agreed and self._file.since:  # everybody named holds all of it
                self._write(replace(self._file, since=0))
        if books.term == self._begun:
            return
        self._begun = books.term
        if self._asking is not None and self._asking.term <= books.term:
            self._asking = None
        start = books.reigns[-1][0] if books.reigns else -1
        entry = books.journal.entries[start] if 0 <= start <= books.journal.last else None
        pub = decode_pub(entry.kind, entry.pub) if entry is not None else None
        if isinstance(pub, TermStart):
            for vote in pub.votes:
                self._saw(vote)

    def _write(self, file: VoteFile) -> None:
        self._file, self.kept, self._refused = file, file.encode(), False

"""In which order voters stand for host, so that time settles what would be a tie, and no dice (protocol 7.3, R1).

ranked(books)                           # by key, the first first; the host that is gone is the last
ranked(books, without=(books.host,))    # whom it would hand over to
"""

from __future__ import annotations

from collections.abc import Collection

from p2pcards.table.public import Public


def ranked(public: Public, without: Collection[bytes] = (), out: Collection[int] = ()) -> tuple[bytes, ...]:
    """The voters that count, by key: who has no seat, who is out of the round (seats in `out`), the others by seat.

    A host sees every hand, so those who play are asked last. The newest host comes behind them all: where it is back
    without being host, it may hold an entry that nobody else does, and then nobody else can be elected.
    """

    def place(key: bytes) -> tuple[bool, int, int]:
        seat = public.seat_of(key)
        if seat is None:
            return key == public.host, 0, public.voters.index(key)
        return key == public.host, 1 if seat in out else 2, seat

    return tuple(sorted((key for key in public.voters if public.votes(key) and key not in without), key=place))

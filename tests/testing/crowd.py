"""A table with people at it and at its door, as contexts of who types there: ana, its host; ben, who plays; eve, who
watches."""

from __future__ import annotations

from p2pcards.commands.context import Caller, Chair, Context, Fellow, Poll, Where
from p2pcards.games.tongits import TongIts

ANA = Fellow("ana", "acid-acorn", host=True, seat=0, known="known")
BEN = Fellow("ben", "mango-tiger", seat=1, petname="boss")
EVE = Fellow("Eve", "zebra-zoo")
CHAIRS = (Chair("ana"), Chair("ben"), Chair("bot-1", bot=True))

HOST = Context(
    where=Where.LOBBY, nick="ana", game=TongIts(), host=True, host_nick="ana", me=0, chairs=CHAIRS, people=(BEN, EVE)
)
GUEST = Context(where=Where.LOBBY, nick="ben", game=TongIts(), host_nick="ana", me=1, chairs=CHAIRS, people=(ANA, EVE))
WATCHER = Context(where=Where.PLAYING, nick="Eve", game=TongIts(), host_nick="ana", chairs=CHAIRS, people=(ANA, BEN))
HOME = Context(nick="ana", named=("anabel", "Ben", "cy"), banned=("mallory", "trudy"))

DAN = Caller("dan", "lemon-lens", "new", "", "ask")
FAY = Caller("Fay", "fox-fossil", "other", "fay1", "name")
VOTE = Poll("ben", "cy", 1, 2, may=True)

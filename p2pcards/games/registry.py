"""The games there are: a new one is a folder and a line here."""

from __future__ import annotations

from typing import Any

from p2pcards.games.base import Game
from p2pcards.games.onecard import OneCard
from p2pcards.games.straights import Straights
from p2pcards.games.tienlen import TienLen
from p2pcards.games.tongits import TongIts

GAMES: dict[str, type[Game[Any, Any, Any]]] = {
    OneCard.name: OneCard,
    Straights.name: Straights,
    TienLen.name: TienLen,
    TongIts.name: TongIts,
}

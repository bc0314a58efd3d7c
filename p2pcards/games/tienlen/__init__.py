"""Tiến lên: two to four players, tricks of combinations, the first one out wins."""

from p2pcards.games.tienlen.options import TienLenOptions
from p2pcards.games.tienlen.refusals import Refusal
from p2pcards.games.tienlen.rules import TienLen

__all__ = ["Refusal", "TienLen", "TienLenOptions"]

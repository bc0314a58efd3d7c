"""Tong-its: three players, melds, a draw that can be called."""

from p2pcards.games.tongits.options import TongItsOptions
from p2pcards.games.tongits.refusals import Refusal
from p2pcards.games.tongits.rules import TongIts

__all__ = ["Refusal", "TongIts", "TongItsOptions"]

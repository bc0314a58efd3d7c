"""One Card: match suit or rank, attack with 2 and 3, be the first without cards."""

from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.refusals import Refusal

__all__ = ["OneCardOptions", "Refusal"]

"""One Card: match suit or rank, attack with 2 and 3, be the first without cards."""

from p2pcards.games.onecard.options import OneCardOptions
from p2pcards.games.onecard.refusals import Refusal
from p2pcards.games.onecard.rules import OneCard

__all__ = ["OneCard", "OneCardOptions", "Refusal"]

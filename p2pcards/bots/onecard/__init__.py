"""Bots that play One Card."""

from p2pcards.bots.onecard.easy import Easy
from p2pcards.bots.onecard.hard import CHEAT, HARD
from p2pcards.bots.onecard.medium import Medium

__all__ = ["CHEAT", "HARD", "Easy", "Medium"]

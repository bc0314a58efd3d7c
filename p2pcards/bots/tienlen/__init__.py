"""Bots that play Tiến lên."""

from p2pcards.bots.tienlen.easy import Easy
from p2pcards.bots.tienlen.hard import CHEAT, HARD
from p2pcards.bots.tienlen.medium import Medium

__all__ = ["CHEAT", "HARD", "Easy", "Medium"]

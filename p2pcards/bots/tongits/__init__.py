"""Bots that play Tong-its."""

from p2pcards.bots.tongits.easy import Easy
from p2pcards.bots.tongits.hard import CHEAT, HARD
from p2pcards.bots.tongits.medium import Medium

__all__ = ["CHEAT", "HARD", "Easy", "Medium"]

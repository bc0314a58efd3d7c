"""Bots that play One Card."""

from p2pcards.bots.onecard.easy import Easy
from p2pcards.bots.onecard.medium import Medium

__all__ = ["Easy", "Medium"]

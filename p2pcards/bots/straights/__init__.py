"""Bots that play Straights."""

from p2pcards.bots.straights.easy import Easy
from p2pcards.bots.straights.hard import CHEAT, HARD
from p2pcards.bots.straights.medium import Medium
from p2pcards.bots.straights.seed import SEED_EASY, SEED_HARD, SEED_MEDIUM

__all__ = ["CHEAT", "HARD", "SEED_EASY", "SEED_HARD", "SEED_MEDIUM", "Easy", "Medium"]

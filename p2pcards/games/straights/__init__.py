"""Straights: four players build every suit up and down from its seven."""

from p2pcards.games.straights.options import StraightsOptions
from p2pcards.games.straights.refusals import Refusal
from p2pcards.games.straights.rules import Straights

__all__ = ["Refusal", "Straights", "StraightsOptions"]

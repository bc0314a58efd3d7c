"""The house rules of Straights (docs/rules/straights.md, "Options")."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from p2pcards.games.base import Options


class StraightsOptions(Options, frozen=True, forbid_unknown_fields=True):
    """Every option with its default; the description is the line of the help screens."""

    threshold: Annotated[
        int, Meta(ge=1, le=1_000_000, description="the match ends when a total has reached this after a round")
    ] = 80
    start_card: Annotated[
        Literal["7S", "7D", "7H", "7C"], Meta(description="the card that opens every round; its holder starts")
    ] = "7S"
    open_discards: Annotated[bool, Meta(description="cards are put aside face up, for everybody to see")] = False
    mode: Annotated[
        Literal["straights", "sevens_pass"],
        Meta(description="who can't play puts a card aside; or passes, and the first empty hand ends the round"),
    ] = "straights"
    tie_rule: Annotated[
        Literal["joint", "playoff"],
        Meta(
            description="equal lowest totals at the end share the win, or all play on, round by round, until one leads"
        ),
    ] = "joint"
    win_on: Annotated[Literal["lowest_total"], Meta(description="who wins the match: the lowest total")] = (
        "lowest_total"
    )
    match_rounds: Annotated[
        int, Meta(ge=0, le=1_000_000, description="the match ends after so many rounds at the latest; 0: no such limit")
    ] = 0

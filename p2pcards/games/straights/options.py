"""The house rules of Straights (docs/rules/straights.md, "Options")."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from p2pcards.games.base import Options


class StraightsOptions(Options, frozen=True, forbid_unknown_fields=True):
    """Every option with its default; the description is the line of the help screens."""

    threshold: Annotated[int, Meta(ge=1, le=1_000_000, description="the match ends when a total has come to this")] = 80
    start_card: Annotated[
        Literal["7S", "7D", "7H", "7C"], Meta(description="the card that opens every round; its holder starts")
    ] = "7S"
    open_discards: Annotated[
        bool, Meta(description="true: cards are put aside face up; false: cards are put aside face down")
    ] = False
    mode: Annotated[
        Literal["straights", "sevens_pass"],
        Meta(
            description="straights: who can't play puts a card aside; sevens_pass: who can't play "
            "passes, the first one out wins"
        ),
    ] = "straights"
    tie_rule: Annotated[
        Literal["joint", "playoff"],
        Meta(description="joint: the lowest totals share the win; playoff: tied totals play on until one leads"),
    ] = "joint"
    win_on: Annotated[Literal["lowest_total"], Meta(description="lowest_total: the lowest total wins the match")] = (
        "lowest_total"
    )
    match_rounds: Annotated[
        int, Meta(ge=0, le=1_000_000, description="the match ends after so many rounds; 0: no such limit")
    ] = 0

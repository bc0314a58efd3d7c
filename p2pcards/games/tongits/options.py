"""The house rules of Tong-its (docs/rules/tongits.md, "Options")."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from p2pcards.games.base import Options

_Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class TongItsOptions(Options, frozen=True, forbid_unknown_fields=True):
    """Every option with its default; the description is the line of the help screens."""

    self_layoff_blocks_draw: Annotated[
        bool,
        Meta(description="true: a lay-off on your own meld blocks your call; false: your own lay-off blocks no call"),
    ] = True
    taken_discard_blocks_draw: Annotated[
        bool,
        Meta(description="true: when your discard is taken you may not call; false: a taken discard blocks no call"),
    ] = False
    dealer_13: Annotated[
        bool,
        Meta(
            description="true: the starter gets 13 cards and does not draw; false: the starter gets 12 cards, and draws"
        ),
    ] = False
    discard_layoff: Annotated[
        bool, Meta(description="true: the top discard may go on a meld; false: the top discard may not go on a meld")
    ] = False
    secret_set: Annotated[
        bool,
        Meta(description="true: four of a kind in hand lets you challenge; false: four of a kind in hand adds nothing"),
    ] = False
    showdown_layoff: Annotated[
        bool, Meta(description="true: at a showdown leftovers go on melds; false: all leftovers count at a showdown")
    ] = False
    four_meld_is_self_layoff: Annotated[
        bool, Meta(description="true: exposing four or more is a lay-off; false: exposing four or more is no lay-off")
    ] = False
    must_not_discard_layoffable: Annotated[
        bool, Meta(description="true: no card that fits a meld is discarded; false: any card may be discarded")
    ] = False
    no_winner_starter: Annotated[
        Literal["next_in_turn", "same_starter"],
        Meta(
            description="next_in_turn: without a winner starts whose turn was next; same_starter: "
            "without a winner the same one starts again"
        ),
    ] = "next_in_turn"
    scoring: Annotated[
        Literal["wins", "chips"],
        Meta(description="wins: one point for each round won; chips: chips are paid to the winner"),
    ] = "wins"
    stake: Annotated[int, Meta(ge=1, le=1_000_000, description="chips in one unit of a payment, with chips")] = 1
    ante: Annotated[_Count, Meta(description="chips that each puts into the pot, with chips")] = 0
    hitter_pot: Annotated[
        bool, Meta(description="true: only two wins in a row take the pot; false: each round's winner takes the pot")
    ] = False
    target_wins: Annotated[_Count, Meta(description="the match ends when somebody has won so many; 0: no such end")] = 0
    match_rounds: Annotated[_Count, Meta(description="the match ends after so many rounds; 0: when you stop")] = 0

"""The house rules of Tong-its (docs/rules/tongits.md, "Options")."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from p2pcards.games.base import Options

_Count = Annotated[int, Meta(ge=0, le=1_000_000)]


class TongItsOptions(Options, frozen=True, forbid_unknown_fields=True):
    """Every option with its default; the description is the line of the help screens."""

    self_layoff_blocks_draw: Annotated[
        bool, Meta(description="laying off on a meld of your own blocks your next call (a choice of ours)")
    ] = True
    taken_discard_blocks_draw: Annotated[
        bool, Meta(description="when your discard is taken you may not call in your next turn")
    ] = False
    dealer_13: Annotated[bool, Meta(description="the starter gets 13 cards and begins without drawing")] = False
    discard_layoff: Annotated[bool, Meta(description="the top discard may be taken to extend an exposed meld")] = False
    secret_set: Annotated[
        bool, Meta(description="four of a kind in hand lets you challenge and survive the end of the stock, never call")
    ] = False
    showdown_layoff: Annotated[
        bool, Meta(description="at a showdown leftovers may go on exposed melds before they count")
    ] = False
    four_meld_is_self_layoff: Annotated[
        bool, Meta(description="exposing four or more cards at once counts as laying off on a meld of your own")
    ] = False
    must_not_discard_layoffable: Annotated[
        bool, Meta(description="a card that fits an exposed meld may not be discarded")
    ] = False
    no_winner_starter: Annotated[
        Literal["next_in_turn", "same_starter"],
        Meta(description="who starts after a round without a winner: whose turn was next, or the same seat again"),
    ] = "next_in_turn"
    scoring: Annotated[
        Literal["wins", "chips"], Meta(description="one point for each round won, or chips paid to the winner")
    ] = "wins"
    stake: Annotated[int, Meta(ge=1, le=1_000_000, description="chips in one unit of a payment, with chips")] = 1
    ante: Annotated[_Count, Meta(description="chips that everybody puts into the pot before a round, with chips")] = 0
    hitter_pot: Annotated[
        bool, Meta(description="only who wins two rounds in a row takes the pot; else each round's winner does")
    ] = False
    target_wins: Annotated[_Count, Meta(description="the match ends when somebody has won so many; 0: never")] = 0
    match_rounds: Annotated[_Count, Meta(description="the match ends after so many rounds; 0: when you stop")] = 0

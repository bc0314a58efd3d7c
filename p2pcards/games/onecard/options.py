"""The house rules of One Card (docs/rules/onecard.md, "Options")."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from p2pcards.games.base import Options


class OneCardOptions(Options, frozen=True, forbid_unknown_fields=True):
    """Every option with its default; the description is the line of the help screens."""

    decks: Annotated[int, Meta(ge=1, le=4, description="how many packs of 52 cards are shuffled together")] = 2
    cards: Annotated[int, Meta(ge=2, le=15, description="how many cards everybody is dealt")] = 5
    rounds: Annotated[int, Meta(ge=1, le=99, description="the match ends after so many rounds")] = 1
    must_play: Annotated[
        bool, Meta(description="who has a card that fits must play, except under attack; else drawing is free")
    ] = True
    draw_then_play: Annotated[bool, Meta(description="a drawn card that fits may be played at once, or kept")] = False
    draw_until_playable: Annotated[
        bool, Meta(description="you draw until a card fits, which you may then play or keep")
    ] = False
    free_defence: Annotated[bool, Meta(description="under attack a 2, 3 or 7 need not match the top card")] = False
    redirect_by_rank: Annotated[
        bool, Meta(description="under attack a queen goes on any queen and a jack on any jack, not by suit alone")
    ] = False
    starter_effect: Annotated[
        bool, Meta(description="the starter card attacks, skips or turns the direction as if it had been played")
    ] = False
    final_attack_counts: Annotated[
        bool, Meta(description="an attack made with the last card is drawn by whom it hits before the hands count")
    ] = False
    order_cards: Annotated[
        Literal["first_round", "every_round", "never"],
        Meta(description="when the lowest face-up card says who starts: in the first round, always, or never"),
    ] = "first_round"
    two_player_queen: Annotated[
        Literal["literal", "skip"],
        Meta(description="what a queen does between two players when no attack is pending: turn round, or skip"),
    ] = "literal"
    call_one_card: Annotated[
        Literal["off", "self"],
        Meta(description="self: say so when you go down to one card (play 8H one), or draw call_penalty cards"),
    ] = "off"
    call_penalty: Annotated[
        int, Meta(ge=1, le=10, description="cards drawn for a forgotten call, with call_one_card")
    ] = 1
    bankrupt_at: Annotated[
        int, Meta(ge=0, le=208, description="who draws up to so many cards is out of the round; 0: nobody is")
    ] = 0
    scoring: Annotated[
        Literal["cards", "points", "winner_takes"],
        Meta(description="minus the cards left, minus their points, or the winner scores the cards of the others"),
    ] = "cards"
    match_winner: Annotated[
        Literal["highest_score", "most_penalties"],
        Meta(description="who wins the match: the highest total, or the lowest (most penalties)"),
    ] = "highest_score"
    turn_limit: Annotated[
        int, Meta(ge=1, le=100_000, description="a round with so many actions ends as blocked, without a winner")
    ] = 5000

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
        bool, Meta(description="true: who has a card that fits must play; false: who has a card that fits may draw")
    ] = True
    draw_then_play: Annotated[
        bool, Meta(description="true: a drawn card that fits may be played; false: a drawn card is kept")
    ] = False
    draw_until_playable: Annotated[
        bool, Meta(description="true: you draw until a card fits; false: you draw one card")
    ] = False
    free_defence: Annotated[
        bool, Meta(description="true: any 2, 3 or 7 answers an attack; false: who answers an attack must match")
    ] = False
    redirect_by_rank: Annotated[
        bool,
        Meta(
            description="true: queens and jacks go on their rank, too; false: under attack queens and jacks go by suit"
        ),
    ] = False
    starter_effect: Annotated[
        bool, Meta(description="true: the starter card counts as played; false: the starter card does nothing")
    ] = False
    final_attack_counts: Annotated[
        bool,
        Meta(
            description="true: an attack with the last card is drawn; false: an attack with the last "
            "card comes to nothing"
        ),
    ] = False
    order_cards: Annotated[
        Literal["first_round", "every_round", "never"],
        Meta(
            description="first_round: the lowest face-up card decides round 1; every_round: the lowest "
            "face-up card says who starts; never: no card says who starts"
        ),
    ] = "first_round"
    two_player_queen: Annotated[
        Literal["literal", "skip"],
        Meta(description="literal: between two a queen turns round; skip: between two a queen skips"),
    ] = "literal"
    call_one_card: Annotated[
        Literal["off", "self"],
        Meta(description="off: nothing is said at one card; self: say it (play 8H one), or draw call_penalty cards"),
    ] = "off"
    call_penalty: Annotated[
        int, Meta(ge=1, le=10, description="cards drawn for a forgotten call, with call_one_card")
    ] = 1
    bankrupt_at: Annotated[
        int, Meta(ge=0, le=208, description="who draws up to so many cards is out; 0: nobody is")
    ] = 0
    scoring: Annotated[
        Literal["cards", "points", "winner_takes"],
        Meta(
            description="cards: minus the cards left; points: minus their points; winner_takes: the "
            "winner scores the others' cards"
        ),
    ] = "cards"
    match_winner: Annotated[
        Literal["highest_score", "most_penalties"],
        Meta(description="highest_score: the highest total wins; most_penalties: the lowest one wins"),
    ] = "highest_score"
    turn_limit: Annotated[
        int, Meta(ge=1, le=100_000, description="a round of so many actions ends without a winner")
    ] = 5000

"""The house rules of Tiến lên (docs/rules/tienlen.md, "Options")."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta

from p2pcards.games.base import Options

_Count = Annotated[int, Meta(ge=0, le=1_000_000)]
OFF: Final = "false"
"""`bomb_after_pass` by default."""


class TienLenOptions(Options, frozen=True, forbid_unknown_fields=True):
    """Every option with its default; the description is the line of the help screens."""

    first_lead: Annotated[
        Literal["random", "lowest_card"],
        Meta(
            description="random: who leads round 1 is drawn by lot; lowest_card: the lowest card leads, "
            "and is in the lead"
        ),
    ] = "random"
    next_lead: Annotated[
        Literal["loser", "winner"],
        Meta(description="loser: the last one leads the next round; winner: the first one out leads the next round"),
    ] = "loser"
    twos_in_sequences: Annotated[
        bool, Meta(description="true: sequences may end in a 2; false: no sequence has a 2 in it")
    ] = True
    pass_lock: Annotated[
        bool, Meta(description="true: who has passed is out of the trick; false: who has passed may play again")
    ] = True
    out_rule: Annotated[
        Literal["next_player", "all_may_beat"],
        Meta(
            description="next_player: one player may beat the last play; all_may_beat: everybody may beat the last play"
        ),
    ] = "next_player"
    bomb_chain: Annotated[
        Literal["same_type", "southern"],
        Meta(
            description="same_type: a bomb is beaten by its kind; southern: a bomb is beaten by any stronger kind, too"
        ),
    ] = "same_type"
    bomb_quad_beats_pair_of_twos: Annotated[
        bool, Meta(description="true: four of a kind beats two 2s; false: four of a kind beats no two 2s")
    ] = True
    bomb_after_pass: Annotated[
        Literal["false", "four_pairs"],
        Meta(
            description="false: who has passed bombs no 2; four_pairs: four pairs in sequence may be "
            "played on one or two 2s"
        ),
    ] = OFF
    instant_win: Annotated[
        Literal["ends_round", "goes_out_first", "off"],
        Meta(
            description="ends_round: four 2s dealt win the round; goes_out_first: four 2s dealt take the "
            "first place; off: four 2s dealt do nothing"
        ),
    ] = "ends_round"
    instant_win_extra: Annotated[
        Literal[
            "none",
            "dragon",
            "six_pairs",
            "five_pair_sequence",
            "dragon+six_pairs",
            "dragon+five_pair_sequence",
            "six_pairs+five_pair_sequence",
            "dragon+six_pairs+five_pair_sequence",
        ],
        Meta(description="hands that win as four 2s do"),
    ] = "none"
    no_finish_on_two: Annotated[
        bool, Meta(description="true: nobody may go out on 2s alone; false: anybody may go out on 2s alone")
    ] = False
    suited_straight_lock: Annotated[
        bool,
        Meta(
            description="true: a straight of one suit takes one of one suit; false: any higher straight "
            "beats one of one suit"
        ),
    ] = False
    objective: Annotated[
        Literal["shed", "hold"], Meta(description="shed: the first player out wins; hold: the last one with cards wins")
    ] = "shed"
    scoring: Annotated[
        Literal["first_out", "all_but_loser", "placement", "penalty", "cards_left", "chips"],
        Meta(
            description="first_out: a point for the winner; all_but_loser: a point for all but the "
            "loser; placement: points by place; penalty: points by place, down to minus; cards_left: "
            "minus the cards left; chips: chips by cards left"
        ),
    ] = "first_out"
    target_score: Annotated[
        _Count,
        Meta(description="the match ends at so many points; 0: no such end"),
    ] = 0
    match_rounds: Annotated[_Count, Meta(description="the match ends after so many rounds; 0: when you stop")] = 0

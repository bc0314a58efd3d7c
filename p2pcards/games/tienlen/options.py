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
        Meta(description="who leads the first round: by lot, or the lowest card dealt, which must be played at once"),
    ] = "random"
    next_lead: Annotated[
        Literal["loser", "winner"], Meta(description="who leads the next round: its last player or its first one out")
    ] = "loser"
    twos_in_sequences: Annotated[bool, Meta(description="straights and double sequences may end in a 2")] = True
    pass_lock: Annotated[bool, Meta(description="who has passed is out of the trick until it ends")] = True
    out_rule: Annotated[
        Literal["next_player", "all_may_beat"],
        Meta(description="who may beat the last cards of a player that goes out: the next player, or everybody"),
    ] = "next_player"
    bomb_chain: Annotated[
        Literal["same_type", "southern"],
        Meta(description="what beats a bomb: a higher one of its kind and size, or any stronger kind as well"),
    ] = "same_type"
    bomb_quad_beats_pair_of_twos: Annotated[bool, Meta(description="four of a kind beats a pair of 2s")] = True
    bomb_after_pass: Annotated[
        Literal["false", "four_pairs"],
        Meta(description="four pairs in sequence may be played on one or two 2s by who has passed, too"),
    ] = OFF
    instant_win: Annotated[
        Literal["ends_round", "goes_out_first", "off"],
        Meta(description="what four 2s in the dealt hand do: win the round, take the first place, or nothing"),
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
        Meta(description="dealt hands that win like four 2s: 3 to A, any six pairs, five pairs in sequence"),
    ] = "none"
    no_finish_on_two: Annotated[bool, Meta(description="nobody may go out on 2s alone")] = False
    suited_straight_lock: Annotated[
        bool, Meta(description="a straight of one suit is beaten only by a straight of one suit")
    ] = False
    objective: Annotated[
        Literal["shed", "hold"], Meta(description="who wins: the first player out, or the last one to hold cards")
    ] = "shed"
    scoring: Annotated[
        Literal["first_out", "all_but_loser", "placement", "penalty", "cards_left", "chips"],
        Meta(description="a point for the winner or for all but the loser, points by place, cards left, or chips"),
    ] = "first_out"
    target_score: Annotated[
        _Count,
        Meta(description="the match ends at so many points (cards_left: minus so many); 0: never, with penalty 6"),
    ] = 0
    match_rounds: Annotated[_Count, Meta(description="the match ends after so many rounds; 0: when you stop")] = 0

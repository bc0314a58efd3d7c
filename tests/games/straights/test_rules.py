"""Rules of docs/rules/straights.md by their numbers, options included."""

from __future__ import annotations

import pytest

from p2pcards.cards import ACE_LOW, DECK, cards_of, deck, rank
from p2pcards.errors import InvalidOption, InvalidRecord
from p2pcards.games.base import Dealt, Outcome, Place, Seat, Secrecy, Where
from p2pcards.games.match import Match
from p2pcards.games.options import convert_options, explained
from p2pcards.games.straights import Straights, StraightsOptions
from tests.games.straights.builder import Round, cards, settled


def test_r01_four_play_with_one_pack() -> None:
    game = Straights()
    assert (list(game.seats), game.usual_seats, game.decks()) == ([4], 4, 1)
    with pytest.raises(InvalidOption, match="Straights is for 4 players, not 3"):
        game.check_seats(3)


def test_r02_the_ace_is_low() -> None:
    played = Round("7S KS 6S 5S", "8S 4S", "9S 3S", "TS 2S 8D JS QS AS").play("A play 7S", "B play 8S", "C play 9S")
    played.play("D play TS", "A play 6S")
    assert played.refused("B play 8S") == "not_held 8S"
    assert played.legal("B") == ["discard 4S"]
    assert [ACE_LOW.format(card) for card in sorted(deck(), key=rank)][::4] == [f"{face}C" for face in "A23456789TJQK"]


def test_r03_a_card_counts_its_rank() -> None:
    hand = "AC 2C 3C 4C 5C 6C 8C 9C TC JC QC KC"
    played = Round("7S", hand).play("A play 7S", "B discard AC", "C discard KD", "D discard KH")
    for card in hand.split()[1:]:
        played.play(f"B discard {card}")
    assert played.outcome.points == (0, 91 - 7, 13, 13)
    assert sum(rank(card) + 1 for card in deck()) == 364


def test_r04_thirteen_cards_each_in_turn() -> None:
    layout = Straights().layout(4, Seat(1))
    assert layout[:5] == tuple(Place(Where.HAND, Seat(seat)) for seat in (1, 2, 3, 0, 1))
    state = Straights().deal(list(deck()), 4, Seat(1))
    assert state.public.counts == (13, 13, 13, 13)
    assert state.hands[1] == cards_of(list(deck())[::4])


def test_r05_the_holder_of_the_start_card_opens_every_round() -> None:
    played = Round("KC", "KD", "KS", "7S KH 7H")
    assert (played.to_act, played.public.starter) == ("D", 3)
    assert played.legal("D") == ["play 7S"]
    assert played.legal("A") == []
    assert played.refused("A play KC") == "not_your_turn"
    over = Outcome("played", (Seat(0),), (0, 0, 0, 0), None)
    assert played.game.starter(over, 4, 2) == 2  # dealt from anywhere: what the cards say counts
    for first in (True, False):
        assert played.game.opener(Dealt(played.state.hands, ()), Seat(1), first) == 3


def test_r05_somebody_must_hold_it() -> None:
    dealt = Dealt(tuple(map(cards, ("KC", "KD", "KH", "7D"))), ())
    with pytest.raises(InvalidRecord, match="nobody holds 7S, which opens the round"):
        Straights().opener(dealt, Seat(0), True)
    assert Straights(StraightsOptions(start_card="7D")).opener(dealt, Seat(0), True) == 3


def test_r06_rows_have_no_gap() -> None:
    played = Round("7S 9S", "6S", "8S", "7D").play("A play 7S", "B play 6S", "C play 8S", "D play 7D", "A play 9S")
    assert played.piles() == "7D-7D 6S-9S"
    assert [pile and tuple(map(ACE_LOW.format, pile)) for pile in played.public.piles] == [
        None,
        ("7D", "7D"),
        None,
        ("6S", "9S"),
    ]


def test_r07_sevens_and_neighbours_fit() -> None:
    played = Round("7S 2D", "7H 2H", "8H 3D", "6S 9H").play("A play 7S")
    assert played.public.fits == cards("6S 8S 7C 7D 7H")
    assert played.play("B play 7H").public.fits == cards("6S 8S 6H 8H 7C 7D")
    assert played.play("C play 8H").public.fits == cards("6S 8S 6H 9H 7C 7D")
    assert played.refused("D play 7C") == "not_held 7C"


def test_r08_who_can_play_must() -> None:
    played = Round("7S", "7H 6S 2C KC").play("A play 7S")
    assert played.legal("B") == ["play 6S", "play 7H"]
    assert played.refused("B discard KC") == "must_play 6S 7H"
    assert played.refused("B discard 6S") == "must_play 6S 7H"


def test_r09_who_cannot_play_puts_any_card_aside() -> None:
    played = Round("7S", "2C KC 8H").play("A play 7S")
    assert played.legal("B") == ["discard 2C", "discard 8H", "discard KC"]
    assert played.refused("B play 8H") == "suit_not_open 8H 7H"
    assert played.refused("B discard 9H") == "not_held 9H"
    played.play("B discard 8H")
    assert played.public.table == cards("7S")
    assert played.hand("B") == "2C KC"


def test_r10_one_card_a_turn() -> None:
    played = Round("7S 8S", "KC 2C").play("A play 7S")
    assert played.refused("A play 8S") == "not_your_turn"
    assert played.refused("B pass") == "nobody_passes"
    played.play("B discard KC")
    assert played.refused("B discard 2C") == "not_your_turn"
    assert played.to_act == "C"


def test_r10_a_seat_without_cards_is_left_out() -> None:
    played = Round("7S 8S 9S", "KC", "KD 2D", "KH").play("A play 7S", "B discard KC", "C discard 2D", "D discard KH")
    assert played.to_act == "A"
    assert played.play("A play 8S").to_act == "C"
    assert played.play("C discard KD").to_act == "A"
    assert played.play("A play 9S").outcome.reason == "played"


def test_r11_discards_are_sealed() -> None:
    game = Straights()
    assert game.secrecy(game.parse("discard KD")) is Secrecy.SEALED
    assert game.secrecy(game.parse("play KD")) is game.secrecy(game.parse("pass")) is Secrecy.PUBLIC
    played = Round("7S 8S", "KC 2C", "KD 9H", "KH 8D").play("A play 7S", "B discard KC", "C discard 9H")
    assert played.view("B").discards == (ACE_LOW.parse("KC"),)
    assert played.view("A").discards == played.view("").discards == ()
    assert played.public.discards == ((), (), (), ())
    assert played.public.aside == (0, 1, 1, 0)


def test_r12_what_fits_goes_on_to_fit() -> None:
    played = Round("7S 6S", "8S", "KD", "KH").play("A play 7S", "B play 8S", "C discard KD", "D discard KH")
    assert played.legal("A") == ["play 6S"]
    blocked = Round("7S KS", "2C", "8S", "TS 9H").play("A play 7S", "B discard 2C", "C play 8S", "D discard TS")
    assert blocked.public.fits >> ACE_LOW.parse("9S") & 1


def test_r13_the_round_ends_when_all_hands_are_empty() -> None:
    played = Round("7S", "6S 5S").play("A play 7S", "B play 6S", "C discard KD", "D discard KH")
    assert played.public.reason is None
    played = Round("7S", "6S 5S", "KC").play("A play 7S", "B play 6S", "C discard KC", "D discard KH", "B play 5S")
    assert (played.to_act, played.outcome.reason) == ("", "played")
    assert played.refused("A play 7S") == "over"
    assert played.legal("B") == []


def test_r14_discards_are_shown_in_order() -> None:
    played = Round("7S 8S", "KC 2C", "KD 3C", "9S 9D").play("A play 7S", "B discard KC", "C discard KD", "D discard 9D")
    played.play("A play 8S", "B discard 2C", "C discard 3C", "D play 9S")
    shown = [[ACE_LOW.format(card) for card in aside] for aside in played.public.discards]
    assert shown == [[], ["KC", "2C"], ["KD", "3C"], ["9D"]]
    assert played.outcome.points == played.public.points == (0, 15, 16, 9)
    assert played.public.left == (0, 0, 0, 0)


def test_r15_the_fewest_points_win_jointly() -> None:
    assert (
        Round("7S", "2C", "2D", "2H").play("A play 7S", "B discard 2C", "C discard 2D", "D discard 2H").winners == "A"
    )
    both = Round("7S", "6S", "2D", "2H").play("A play 7S", "B play 6S", "C discard 2D", "D discard 2H")
    assert (both.winners, both.outcome.points) == ("AB", (0, 0, 2, 2))
    everyone = Round("7S", "6S", "5S", "4S").play("A play 7S", "B play 6S", "C play 5S", "D play 4S")
    assert (everyone.winners, everyone.outcome.points) == ("ABCD", (0, 0, 0, 0))


def test_r16_rounds_add_up() -> None:
    match = settled((10, 20, 0, 5), (1, 2, 3, 4))
    assert (match.scores, match.points, match.wins) == ((11, 22, 3, 9), (1, 2, 3, 4), (1, 0, 1, 0))


@pytest.mark.parametrize(("total", "over"), [(79, False), (80, True), (81, True)])
def test_r17_the_threshold_reached_ends_the_match(total: int, over: bool) -> None:
    match = settled((70, 0, 0, 0), (total - 70, 1, 1, 1))
    assert match.over is over
    assert not match.endless
    assert not Match.start(Straights(), 4).over


def test_r18_the_lowest_total_wins() -> None:
    assert Straights().leaders((5, 3, 3, 9)) == (1, 2)
    assert settled((80, 80, 80, 80)).winners == (0, 1, 2, 3)
    assert settled((79, 0, 0, 0)).winners == ()


def test_r19_another_threshold() -> None:
    assert settled((20, 3, 4, 5), threshold=20).over
    assert not settled((20, 3, 4, 5), threshold=21).over
    with pytest.raises(InvalidOption, match="threshold can't be 0; allowed: 1 to 1000000"):
        convert_options(Straights, {"threshold": 0})


@pytest.mark.parametrize("start", ["7S", "7D", "7H", "7C"])
def test_r20_another_start_card(start: str) -> None:
    hands = {"7S": "7S KC", "7D": "7D KD", "7H": "7H KH", "7C": "7C KS"}
    played = Round(*hands.values(), start_card=start)
    name = "ABCD"[list(hands).index(start)]
    assert played.to_act == name
    assert played.legal(name) == [f"play {start}"]
    assert played.refused(f"{name} play {hands[start].split()[1]}") == f"start_card {start}"
    played.play(f"{name} play {start}")
    assert played.public.fits & cards("7C 7D 7H 7S") == cards("7C 7D 7H 7S") & ~cards(start)


def test_r21_discards_face_up() -> None:
    played = Round("7S 8S", "KC 2C", open_discards=True).play("A play 7S", "B discard KC")
    assert played.game.secrecy(played.game.parse("discard KC")) is Secrecy.PUBLIC
    assert played.public.discards == ((), (ACE_LOW.parse("KC"),), (), ())
    assert played.play("C discard KD", "D discard KH").public.discards[1:] == tuple(
        (ACE_LOW.parse(card),) for card in ("KC", "KD", "KH")
    )


def test_r22_sevens_pass() -> None:
    played = Round("7S 2D", "KC 6S", "KD", mode="sevens_pass").play("A play 7S")
    assert played.refused("B pass") == "must_play 6S"
    assert played.refused("B discard KC") == "nobody_discards"
    played.play("B play 6S")
    assert played.legal("C") == ["pass"]
    assert played.refused("C discard KD") == "nobody_discards"
    assert played.refused("C play KD") == "suit_not_open KD 7D"
    played.play("C pass", "D pass")
    assert (played.to_act, played.public.counts, played.public.aside) == ("A", (1, 1, 1, 1), (0, 0, 1, 1))


def test_r22_the_opener_may_not_pass() -> None:
    assert Round("7S 2D", mode="sevens_pass").refused("A pass") == "start_card 7S"


def test_r22_the_first_empty_hand_ends_it_at_once() -> None:
    played = Round("7S 9S", "8S", "TS", "6S 5S", mode="sevens_pass").play("A play 7S", "B play 8S")
    assert (played.to_act, played.winners, played.outcome.reason) == ("", "B", "played")


def test_r23_leftovers_count_and_are_shown() -> None:
    played = Round("7S 9S", "8S", "TS KC", "6S 5S", mode="sevens_pass").play("A play 7S", "B play 8S")
    assert played.outcome.points == (9, 0, 23, 11)
    assert played.view("").public.left == played.state.hands
    assert played.public.discards == ((), (), (), ())


def test_r24_four_passes_in_a_row_end_it() -> None:
    played = Round("7S KS", mode="sevens_pass").play("A play 7S", "B pass", "C pass", "D pass")
    assert played.legal("A") == ["pass"]
    played.play("A pass")
    assert (played.to_act, played.outcome.reason, played.winners) == ("", "blocked", "ABCD")
    assert played.outcome.points == (13, 13, 13, 13)


def test_r24_a_play_between_passes_begins_the_count_anew() -> None:
    played = Round("7S 2D 8S", mode="sevens_pass").play("A play 7S", "B pass", "C pass", "D pass", "A play 8S")
    played.play("B pass", "C pass", "D pass")
    assert played.to_act == "A"
    assert played.play("A pass").outcome.reason == "blocked"


def test_r25_ties_are_played_off_as_long_as_it_takes() -> None:
    rounds = [(80, 10, 10, 30), (0, 5, 5, 5), (0, 0, 1, 0)]
    assert [settled(*rounds[:count], tie_rule="playoff").over for count in (1, 2, 3)] == [False, False, True]
    assert settled(*rounds, tie_rule="playoff").winners == (1,)
    assert settled((80, 10, 11, 11), tie_rule="playoff").over  # no tie on the lowest
    assert settled(*rounds[:1]).winners == (1, 2)


def test_r26_the_lowest_total_is_what_wins() -> None:
    (option,) = (option for option in explained(Straights) if option.name == "win_on")
    assert option.choices == ("lowest_total",)
    with pytest.raises(InvalidOption, match="win_on can't be highest_total; allowed: lowest_total"):
        convert_options(Straights, {"win_on": "highest_total"})


def test_r27_so_many_rounds() -> None:
    assert not settled((1, 2, 3, 4), match_rounds=2).over
    match = settled((1, 2, 3, 4), (3, 2, 1, 0), match_rounds=2)
    assert (match.over, match.winners) == (True, (0, 1, 2, 3))
    assert settled((80, 0, 1, 1), match_rounds=2).over
    tied = settled((1, 2, 1, 4), match_rounds=1, tie_rule="playoff")
    assert (tied.over, tied.winners) == (True, (0, 2))


def test_r27_a_match_can_be_stopped() -> None:
    match = settled((1, 2, 3, 4), tie_rule="playoff", threshold=500).stop()
    assert (match.over, match.winners) == (True, (0,))
    assert match.game is not None
    assert match.game.options == StraightsOptions(tie_rule="playoff", threshold=500, match_rounds=1)


def test_r28_the_tamest_action() -> None:
    played = Round("7S KC KS", "7H 7D TC", "9H QC 9D", mode="straights").play("A play 7S")
    assert played.game.format(played.game.default(played.view("B"))) == "play 7D"
    played.play("B play 7H")
    assert played.game.format(played.game.default(played.view("C"))) == "discard 9D"
    passes = Round("7S KS", mode="sevens_pass").play("A play 7S")
    assert passes.game.format(passes.game.default(passes.view("B"))) == "pass"


def test_the_pack_is_dealt_whole() -> None:
    assert len(Straights().layout(4, Seat(0))) == DECK

"""Records as people write them by hand: results, and the exact list of legal actions where one stops."""

from __future__ import annotations

from typing import Any

from p2pcards.games.replay import replay

NAMES = ("ana", "ben", "cy", "dan")


def report(hands: str, actions: str = "", starter: str = "ana", more: str = "", **options: Any) -> dict[str, Any]:
    """What a replay of this round says; hands apart by bars, actions by commas."""
    held = hands.split("|")
    names = NAMES[: len(held)]
    lines = ["format = 1", 'game = "tienlen"', f"players = {list(names)}", "[options]"]
    lines += [
        f"{key} = {str(value).lower() if isinstance(value, bool) else repr(value)}" for key, value in options.items()
    ]
    lines += ["[[rounds]]", f"starter = '{starter}'"]
    lines.append("hands = { " + ", ".join(f"{name} = '{hand}'" for name, hand in zip(names, held, strict=True)) + " }")
    lines.append(f"actions = {[action.strip() for action in actions.split(',') if action.strip()]}")
    lines.append(more)
    return replay("\n".join(lines)).report


def legal(hands: str, actions: str = "", **options: Any) -> dict[str, list[str]]:
    """Who is to act at the end of it, and what may be done."""
    found = report(hands, actions, **options)
    assert found["ok"] is True, found
    result: dict[str, list[str]] = found["legal"]
    return result


def ended(hands: str, actions: str = "", **options: Any) -> tuple[str, list[str], list[int]]:
    """Reason, winners and points of a round that is over."""
    found = report(hands, actions, **options)
    assert found["ok"] is True, found
    (played,) = found["rounds"]
    assert played["over"] is True
    assert found["legal"] == {}
    return played["reason"], played["winners"], list(played["points"].values())


def test_a_lead_lists_every_combination() -> None:
    assert legal("3S 3C 4D 5H|2H KS") == {
        "ana": ["play 3C", "play 3C 4D 5H", "play 3S", "play 3S 3C", "play 3S 4D 5H", "play 4D", "play 5H"]
    }


def test_going_out_on_top_after_the_next_player_has_passed() -> None:
    hands, actions = "5S KH|AS 3S|6S 2H|7S 8S", "ana: play 5S, ben: pass, cy: play 6S, dan: play 7S, ana: play KH"
    assert legal(hands, actions) == {"ben": ["play 3S", "play AS"]}
    assert legal(hands, actions, out_rule="all_may_beat") == {"cy": ["pass", "play 2H"]}
    assert legal(hands, actions, pass_lock=False) == {"ben": ["pass", "play AS"]}


def test_going_out_and_the_pass_that_leads() -> None:
    hands, actions = "KH|AS 3S|6S 2H", "ana: play KH, ben: pass"
    assert legal(hands, actions) == {"ben": ["play 3S", "play AS"]}
    wrong = report(hands, f"{actions}, cy: play 2H")
    assert (wrong["ok"], wrong["line"], wrong["error"]) == (False, 3, "not your turn")


def test_bombs_on_a_pair_of_twos() -> None:
    hands = "2S 2C 4D|8S 8C 8D 8H 3S 3C 4S 4C 5S 5C 6S 6C|KS"
    four, three = "3S 3C 4S 4C 5S 5C 6S 6C", "3S 3C 4S 4C 5S 5C"
    assert legal(hands, "ana: play 2S 2C") == {"ben": ["pass", f"play {four}", "play 8S 8C 8D 8H"]}
    assert legal(hands, "ana: play 2S 2C", bomb_quad_beats_pair_of_twos=False) == {"ben": ["pass", f"play {four}"]}
    wrong = report(hands, f"ana: play 2S 2C, ben: play {three}")
    assert (wrong["round"], wrong["line"]) == (1, 2)
    assert ended(f"2S 2C 4D|{four}", f"ana: play 2S 2C, ben: play {four}", scoring="chips") == ("out", ["ben"], [-4, 4])


def test_a_straight_that_ends_in_a_two() -> None:
    hands = "QS KS AS 2S 3S|QH KH AH 2H 8S 8C 8D 8H|4S"
    assert legal(hands, "ana: play QS KS AS 2S") == {"ben": ["pass", "play QH KH AH 2H"]}
    assert legal(hands, "ana: play QS KS AS", twos_in_sequences=False) == {"ben": ["pass", "play QH KH AH"]}
    wrong = report(hands, "ana: play KS AS 2S", twos_in_sequences=False)
    assert (wrong["ok"], wrong["line"]) == (False, 1)
    assert report(hands, "ana: play AS 2S 3S")["ok"] is False


def test_four_twos_in_the_deal() -> None:
    hands = "3S 4S|5S 6S|2S 2C 2D 2H KD"
    assert ended(hands) == ("instant", ["cy"], [0, 0, 1])
    assert ended(hands, scoring="chips") == ("instant", ["cy"], [-2, -2, 4])
    wrong = report(hands, "ana: play 3S")
    assert (wrong["ok"], wrong["line"], wrong["error"]) == (False, 1, "over")
    assert legal(hands, instant_win="goes_out_first") == {"ana": ["play 3S", "play 4S"]}
    assert legal(hands, starter="cy", instant_win="off")["cy"][0] == "play 2C"
    after = "ana: play 3S, ben: play 6S, ana: pass, ben: play 5S"
    assert ended(hands, after, instant_win="goes_out_first", scoring="placement") == ("out", ["cy"], [0, 1, 2])


def test_the_southern_chain() -> None:
    hands = "2S 3D|3S 3C 4S 4C 5S 5C 3H|6S 6C 6D 6H 9D|7S 7C 8S 8C 9S 9C TS TC 4D"
    actions = "ana: play 2S, ben: play 3S 3C 4S 4C 5S 5C"
    three = ["play 7S 7C 8S 8C 9S 9C", "play 8S 8C 9S 9C TS TC"]
    four = "play 7S 7C 8S 8C 9S 9C TS TC"
    assert legal(hands, actions, bomb_chain="southern") == {"cy": ["pass", "play 6S 6C 6D 6H"]}
    assert legal(hands, actions) == {"cy": ["pass"]}
    actions += ", cy: play 6S 6C 6D 6H"
    assert legal(hands, actions, bomb_chain="southern") == {"dan": ["pass", four]}
    actions = actions.replace("cy: play 6S 6C 6D 6H", "cy: pass")
    assert legal(hands, actions) == {"dan": ["pass", *three]}
    assert legal(hands, actions, bomb_chain="southern") == {"dan": ["pass", three[0], four, three[1]]}


def test_four_pairs_after_a_pass() -> None:
    hands = "3S 2D 4D|4S 4C 5S 5C 6S 6C 7S 7C 3H|8S 9S|KS"
    actions = "ana: play 3S, ben: pass, cy: play 8S, dan: pass, ana: play 2D"
    four = "play 4S 4C 5S 5C 6S 6C 7S 7C"
    assert legal(hands, actions, bomb_after_pass="four_pairs") == {"ben": ["pass", four]}  # noqa: S106 - an option
    assert legal(hands, actions) == {"cy": ["pass"]}
    assert legal(hands, f"{actions}, cy: pass") == {"ana": ["play 4D"]}


def test_the_lowest_card_must_be_led_in_the_first_round_alone() -> None:
    hands = "3C 4D 5H|KS 2H"
    assert legal(hands, first_lead="lowest_card") == {"ana": ["play 3C", "play 3C 4D 5H"]}
    second = "\n[[rounds]]\nstarter = 'ben'\nhands = { ana = '3C', ben = '4S 4D' }\nactions = []"
    done = "ana: play 3C 4D 5H"
    found = report(hands, done, more=second, first_lead="lowest_card")
    assert found["ok"] is True, found
    assert found["legal"] == {"ben": ["play 4D", "play 4S", "play 4S 4D"]}


def test_nobody_finishes_on_twos() -> None:
    hands = "KS 3D|2S|4S 5S"
    assert legal(hands, "ana: play KS", no_finish_on_two=True) == {"ben": ["pass"]}
    assert legal(hands, "ana: play KS, ben: pass, cy: pass, ana: play 3D", no_finish_on_two=True) == {"ben": ["pass"]}
    assert legal("2S 2H|4S 5S", no_finish_on_two=True) == {"ana": ["play 2H", "play 2S"]}


def test_a_match_to_a_target() -> None:
    one = "[[rounds]]\nstarter = 'ana'\nhands = { ana = '3S', ben = '4S 5S' }\nactions = ['ana: play 3S']\n"
    found = report("3S|4S 5S", "ana: play 3S", more=one, target_score=2)
    assert (found["over"], found["winners"], found["scores"]) == (True, ["ana"], {"ana": 2, "ben": 0})
    assert report("3S|4S 5S", "ana: play 3S", more=one)["over"] is False
    late = report("3S|4S 5S", "ana: play 3S", more=one, target_score=1)
    assert (late["ok"], late["error"]) == (False, "round 2: the match is over before it")


def test_stated_results_are_compared() -> None:
    right = "winners = ['ana']\npoints = { ana = 1, ben = 0 }"
    assert report("3S|4S 5S", "ana: play 3S", more=right)["ok"] is True
    wrong = report("3S|4S 5S", "ana: play 3S", more=right.replace("1", "2"))
    assert (wrong["ok"], wrong["round"], wrong["line"]) == (False, 1, None)


def test_what_no_deal_can_be() -> None:
    for hands in ("3S|3S 4S", "3S|", "3S|XX", "3S"):
        assert report(hands)["ok"] is False


def test_a_hand_so_large_that_its_plays_cannot_be_listed_is_no_record() -> None:
    threes = [f"{rank}{suit}" for rank in "3456789TJ" for suit in "SCD"]
    large = report(f"{' '.join(threes[:27])}|2H")
    assert (large["ok"], large["error"]) == (False, "round 1: ana has more than 26 cards")
    assert report(f"{' '.join(threes[:26])}|2H", "ana: play 3S")["legal"] == {"ben": ["pass", "play 2H"]}


def test_the_next_to_the_outgoing_player_may_go_out_too() -> None:
    """Who has passed before leads, though others have not."""
    hands, actions = "5S KH|9S AS|2H 6C|TC 3D", "ana: play 5S, ben: play 9S, cy: pass, dan: play TC, ana: play KH"
    assert legal(hands, f"{actions}, ben: play AS") == {"cy": ["play 2H", "play 6C"]}
    assert legal("KH|AS|2H 6C|3C", "ana: play KH, ben: play AS") == {"cy": ["pass", "play 2H"]}


def test_a_card_that_beats_the_outgoing_player_while_all_others_are_locked_wins_the_trick() -> None:
    hands, actions = "5S KH|3C 4D|9D 2H 6C|6S 6D", "ana: play 5S, ben: pass, cy: play 9D, dan: pass, ana: play KH"
    assert legal(hands, f"{actions}, cy: play 2H", out_rule="all_may_beat") == {"cy": ["play 6C"]}
    assert legal(hands, f"{actions}, cy: pass", out_rule="all_may_beat") == {"ben": ["play 3C", "play 4D"]}
    out = hands.replace(" 6C", "")
    assert legal(out, f"{actions}, cy: play 2H", out_rule="all_may_beat") == {
        "dan": ["play 6D", "play 6S", "play 6S 6D"]
    }


def test_who_declined_lower_twos_after_a_pass_is_asked_about_higher_ones() -> None:
    hands = "5D 7D|3S 3C 4S 4C 5S 5C 6S 6C 9S|2S 2H 8S|9D 2D"
    actions = "ana: play 5D, ben: pass, cy: play 2S, dan: play 2D, ana: pass, ben: pass"
    four = {"bomb_after_pass": "four_pairs"}
    assert legal(hands, f"{actions}, cy: pass", **four) == {"dan": ["play 9D"]}
    asked = {"ben": ["pass", "play 3S 3C 4S 4C 5S 5C 6S 6C"]}
    assert legal(hands, f"{actions}, cy: play 2H, dan: pass", **four) == asked


def test_every_scoring_of_one_round() -> None:
    """Ben, Cy, Dan go out on top of each other; Ana has played nothing."""
    round_one: dict[str, Any] = {"hands": "6S 2C|4S|5S|7S", "starter": "ben"}
    actions = "ben: play 4S, cy: play 5S, dan: play 7S"
    points = {
        "first_out": [0, 1, 0, 0],
        "all_but_loser": [0, 1, 1, 1],
        "placement": [0, 3, 2, 1],
        "penalty": [3, 0, 1, 2],
        "cards_left": [-2, 0, 0, 0],
        "chips": [-5, 4, 1, 0],  # 2 for the place, 2 for no card played, 1 for the 2C to Dan, who owes Cy 1
    }
    for scoring, expected in points.items():
        assert ended(**round_one, actions=actions, scoring=scoring) == ("out", ["ben"], expected)
    assert ended(**round_one, actions=actions, objective="hold") == ("out", ["ana"], [1, 0, 0, 0])
    assert report(**round_one, actions=f"{actions}, ana: play 2C")["line"] == 4


def test_chips_for_a_bombed_two_are_paid_by_who_is_out() -> None:
    hands, actions = "2S|5S 5C 5D 5H 4D|6S", "ana: play 2S, ben: play 5S 5C 5D 5H, cy: pass, ben: play 4D"
    assert ended(hands, actions, scoring="chips") == ("out", ["ana"], [3, 1, -4])
    chain = "ana: play 2S, ben: play 5S 5C 5D 5H, ana: play 9S 9C 9D 9H, ben: pass, ana: play 3S"
    assert ended("2S 9S 9C 9D 9H 3S|5S 5C 5D 5H 4D", chain, scoring="chips") == ("out", ["ana"], [1, -1])

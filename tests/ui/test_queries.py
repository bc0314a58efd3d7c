"""Questions that plain mode answers in sentences."""

from __future__ import annotations

from msgspec.structs import replace

from p2pcards.cards import deck
from p2pcards.games.options import explained
from p2pcards.games.tongits import TongIts
from p2pcards.table.settings import DEFAULTS
from p2pcards.table.tableview import SeatView, Stage
from p2pcards.ui.prompt import Kind, Prompt
from p2pcards.ui.voice import Cards
from tests.testing.fake_node import KEY, NICK, OTHERS, FakeNode, row
from tests.testing.tongits_spot import spot


def ask(node: FakeNode, line: str, style: Cards = Cards.WORDS) -> tuple[str, ...]:
    answer = Prompt(node, style, lambda game: game).enter(line)
    assert answer.kind is Kind.SHOWN, answer
    return answer.lines


def table(hand: str, **more: object) -> FakeNode:
    """A round at which ana holds these cards."""
    node = FakeNode()
    node.sit(others=2)
    node.start()
    view = spot(hand, **more)  # type: ignore[arg-type]  # what spot takes
    node.change(view=view, to_act=tuple(node.table.game.to_act(view)) if node.table else ())
    return node


def test_the_hand_of_the_sketch() -> None:
    node = table("AS 2S 3S 4C 9D 9H 9C JD QD QH KD KH")
    assert ask(node, "hand") == (
        "You hold ace, 2, 3 of spades; 4 of clubs; 9 of clubs, diamonds, hearts; jack of diamonds; "
        "queen of diamonds, hearts; king of diamonds, hearts. Deadwood 24.",
    )
    assert ask(table(""), "hand") == ("You hold no cards.",)


def test_what_is_legal_with_what_it_does() -> None:
    assert ask(table("7H 7D 7S KD", melds=((1, "4H 5H 6H"),)), "legal", Cards.SIGNS) == (
        "expose 7D 7H 7S: your first meld: now you may challenge, later call",
        "layoff 7H m1: goes on ben's 4♥ 5♥ 6♥, so ben may not call next",
        "discard 7D: 7 points, but it breaks a meld in your hand",
        "discard 7H: 7 points, but it breaks a meld in your hand",
        "discard 7S: 7 points, but it breaks a meld in your hand",
        "discard KD: 10 points",
    )
    assert ask(table("KD", turn=1), "legal") == ("It is not your turn, so you can do nothing now.",)


def test_what_lies_on_the_table() -> None:
    node = table("KD", melds=((1, "4H 5H 6H"), (0, "9C 9D 9H")), discards="2C QS")
    assert ask(node, "table") == (
        "m1 is ben's run: 4, 5, 6 of hearts.",
        "m2 is your set: 9 of clubs, diamonds, hearts.",
        "The top discard is the queen of spades.",
        "The stock has 7 cards left; cards in hand: you 1, ben 12, cy 12.",
    )
    node.change(pot=12)
    assert ask(node, "table")[-1] == "The pot is 12."
    assert ask(table("KD"), "table")[:2] == ("No melds are exposed yet.", "The discard pile is empty.")


def test_before_the_first_round_nothing_is_on_the_table() -> None:
    node = table("KD")
    node.change(stage=Stage.BETWEEN, view=None, to_act=())
    assert ask(node, "table") == ("Nothing is on the table yet.",)


def test_scores() -> None:
    node = table("KD")
    node.change(scores=(2, 0, 1))
    assert ask(node, "scores") == ("Scores: you 2, ben 0, cy 1.",)


def test_who_sits_at_the_table() -> None:
    node = FakeNode()
    node.sit(others=1)
    node.clock = 100.0
    ben = SeatView("ben", OTHERS[0][1], program=True, held_until=163.0)
    node.change(seats=(SeatView(NICK, KEY), ben, SeatView("", b"")), spectators=("dan", "eve"))
    assert ask(node, "who") == (
        "Seat 1: you (eyebrow-wrist), the host.",
        "Seat 2: ben (faith-strategy, new), played by a program, line lost, the seat is kept for 63 seconds.",
        "Seat 3: free.",
        "Watching: dan, eve.",
    )
    node.change(
        seats=(SeatView(NICK, KEY), replace(ben, held_until=None, bot_plays=True), SeatView("bot-1", b"", "easy"))
    )
    assert ask(node, "who")[1:3] == (
        "Seat 2: ben (faith-strategy, new), played by a program, a bot plays for now.",
        "Seat 3: bot-1, a bot (easy).",
    )


def test_the_list_of_tables() -> None:
    node = FakeNode(rows=(row("lab"), row("club", 2, 3, state="playing", version="2 / 1")))
    assert ask(node, "list") == (
        "1: lab, Tong-its, host ben, 1 of 3 seats taken, in the lobby; usual rules.",
        "2: club, Tong-its, host ben, 3 of 3 seats taken, playing. It is another version of p2pcards: 2 / 1.",
    )


def test_an_empty_list_teaches() -> None:
    node = FakeNode()
    node.rows(trouble="Nothing answers on this network.")
    first, second = ask(node, "list")
    assert "`practise tongits` plays bots now, `host tongits` opens a table" in first
    assert second == "Nothing answers on this network."


def test_help() -> None:
    at_home = ask(FakeNode(), "help")
    assert "practise GAME: play bots on this machine alone (also: practice)." in at_home
    assert not any(line.startswith(("draw", "start")) for line in at_home)
    in_round = ask(table("KD"), "help")
    assert in_round[0].startswith("draw: ")
    assert any("#1" in line for line in in_round)
    assert any(line.startswith("A card alone is played at once") for line in in_round)


def test_while_the_stock_is_shuffled_anew_the_table_still_stands_there() -> None:
    node = table("KD")
    before = ask(node, "table")
    node.change(dealing=True)
    assert ask(node, "table") == ("Shuffling: everybody's program adds a part.", *before)
    node.change(connected=False)
    assert ask(node, "table") == before


def test_help_on_the_deal_says_who_chooses_sees_moves_and_checks() -> None:
    told = ask(FakeNode(), "help deal")
    assert told == ask(table("KD"), "help deal")
    assert [line.partition(":")[0] for line in told] == [
        "Who chooses the cards",
        "Who sees what",
        "Who can move for you",
        "What is checked",
        "What is not",
    ]
    for fact in (
        "until he types `back` or is back after his line was lost",
        "After the round every program at the table can see all its hands",
        "the host shuffles alone, and could choose the cards",
    ):
        assert fact in " ".join(told)


def test_help_for_one_word_says_when_and_how() -> None:
    first, when, example = ask(table("KD"), "help discard")
    assert first == "discard CARD: put a card on the discard pile and end your turn."
    assert when.startswith("It ends your turn")
    assert example == "For example: `discard KD`, `discard #3` or `KD`."
    assert ask(FakeNode(), "help fight")[0] == (
        "call (Tong-its): claim that your hand is the lowest (also: fight, knock). Not possible right now."
    )
    told = [line for line in ask(FakeNode(), "help discard") if line.startswith("discard CARD (")]
    assert [line[: line.index(")")] for line in told] == ["discard CARD (Straights", "discard CARD (Tong-its"]
    assert ask(table("KD"), "help set")[1:] == (
        "It works in the lobby or after the match, for the host alone.",
        "Tab shows the options, what each does, and its values.",
        "For example: `set scoring chips` or `set match_rounds 5`.",
        "set [OPTION]: show the rules of the table, and what they can be.",
        "It works at a table.",
        "Without a word behind it, it lists them all, first what is not as usual.",
        "For example: `set` or `set scoring`.",
    )
    assert ask(table("KD"), "help who")[1] == "It works at a table."
    assert ask(table("KD"), "help log")[1] == "It works everywhere."
    assert ask(FakeNode(), "help ban")[1] == "It works everywhere; at a table for the host alone."


def test_the_rules_of_the_table_are_listed_with_what_is_not_as_usual() -> None:
    node = FakeNode(options={"scoring": "chips"})
    node.sit(others=1)
    node.change(settings=(("turn_seconds", "30"),))
    lines = ask(node, "set")
    assert "scoring: chips (usually wins): chips are paid to the winner" in lines
    assert next(line for line in lines if line.startswith("turn_seconds")).startswith(
        "turn_seconds: 30 (usually 0): seconds for a turn"
    )
    assert ["usually" in line for line in lines[:3]] == [True, True, False]
    assert sum("usually" in line for line in lines) == 2
    assert len(lines) == len(explained(TongIts)) + len(DEFAULTS)


def test_one_rule_is_told_with_its_values_and_what_it_does() -> None:
    node = FakeNode(options={"scoring": "chips"})
    node.sit(others=1, host=False)
    assert ask(node, "set scoring") == (
        "scoring is chips here, usually wins. wins: one point for each round won; chips: chips are paid to the winner.",
    )
    assert ask(node, "set stake")[0].startswith("stake is 1 as usual. It can be 1 to 1000000: chips in one unit")
    assert "It can be 0 or 5 to 3600: seconds for a turn" in ask(node, "set turn_seconds")[0]
    assert "It can be 0 to 3600: seconds that" in ask(node, "set grace_seconds")[0]
    assert "random: seats are drawn by lot; join_order: as people came." in ask(node, "set seat_order")[0]


def test_how_many_may_sit_is_a_rule_where_the_game_leaves_it_open() -> None:
    node = FakeNode()
    node.sit("tienlen", others=1, seats=3)
    assert ask(node, "set seats")[0] == ("seats is 3 here, usually 4. It can be 2 or 3 or 4: how many may sit.")
    assert all(not line.startswith("seats") for line in ask(table("KD"), "set"))


def test_how_long_the_turn_may_still_take() -> None:
    node = table("KD")
    assert ask(node, "clock") == (
        "There is no turn clock at this table; the host sets one in the lobby, `set turn_seconds 30`.",
    )
    node.clock = 100.0
    node.change(settings=(("turn_seconds", "30"),), clock_at=112.4)
    assert ask(node, "clock") == ("12 seconds left of your time.",)
    node.change(to_act=(1,), clock_at=101.0)
    assert ask(node, "clock") == ("1 second left of ben's time.",)
    node.change(clock_at=None)
    assert ask(node, "clock") == ("Nobody's time runs now; a turn may take 30 seconds.",)


def test_an_open_deck_is_shown_as_it_was_dealt() -> None:
    node = table("KD")
    cards = tuple(deck(1))
    node.change(deck=cards)
    first, *rows = ask(node, "deck", Cards.SIGNS)
    assert first == "The deck as it was dealt, the first card first:"
    shown = [card for line in rows for card in line.split(": ")[1].rstrip(".").split()]
    assert len(shown) == len(cards) == 52
    assert rows[1].startswith("14: ")
    assert shown[0] == "A♣"


def test_a_row_tells_what_is_not_as_usual_there() -> None:
    node = FakeNode(rows=(row("lab", options=(("scoring", "chips"), ("stake", "2"))), row("club", 2)))
    lab, club = ask(node, "list")
    assert lab.endswith("in the lobby; rules: scoring chips, stake 2.")
    assert club.endswith("in the lobby; usual rules.")
    node.rows(row("lab", answers=False))  # it was heard of, and told nothing yet
    assert ask(node, "list")[0].endswith("in the lobby.")


def test_a_watcher_sees_its_own_name() -> None:
    node = table("KD")
    node.change(me=None, nick="eve", spectators=("dan", "eve"))
    assert ask(node, "who")[-1] == "Watching: dan, you."

"""What a typed line does: carried out, answered, asked about, or refused with nothing changed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command, Trouble
from p2pcards.errors import UserError
from p2pcards.table.notices import Audited, Closed, LinkLost, Notice, OptionsSet, Seated, Verdict
from p2pcards.table.tableview import RoundResult, SeatView, Stage
from p2pcards.ui.prompt import LOG_LENGTH, Kind, Prompt
from p2pcards.ui.voice import Cards
from tests.testing.fake_node import NICK, OTHERS, FakeNode, row


def at(node: FakeNode) -> Prompt:
    prompt = Prompt(node, Cards.WORDS, lambda game: f"# Rules of {game}\n\nR1. Three players.")

    def heard(notice: Notice | None) -> None:
        if notice is not None:
            prompt.heard(notice)

    node.listen(heard)
    return prompt


def playing(seed: int = 3) -> tuple[FakeNode, Prompt]:
    node = FakeNode(seed)
    prompt = at(node)
    prompt.enter("practise tongits")
    return node, prompt


def test_practice_does_not_tell_of_a_rule_that_nobody_chose() -> None:
    node, prompt = playing()
    notice = OptionsSet((("scoring", "chips"),), (("allow_peek", "true"), ("turn_seconds", "30")))
    node.alone = True
    (told,) = prompt.told(notice)
    assert told.text == "Rules of this table: scoring chips, 30 s a turn."
    node.alone = False
    (told,) = prompt.told(notice)
    assert "allow_peek true" in told.text


def test_all_who_find_a_round_in_order_are_one_line_of_the_log() -> None:
    node, prompt = playing()
    node.sit(others=2)
    last = RoundResult(1, "call", (1,), (0, 1, 0), None, True)
    verdicts: tuple[tuple[str, bool], ...] = ()
    node.change(stage=Stage.BETWEEN, last=last)
    prompt.log.clear()
    prompt.told(Audited(1, True))
    for nick, key in OTHERS[:2]:
        verdicts = (*verdicts, (nick, True))
        node.change(last=replace(last, verdicts=verdicts))
        prompt.told(Verdict(1, nick, key, None, ""))
    assert [told.text for told in prompt.log] == [
        "Round 1: deal and moves verified.",
        "Round 1: deal and moves verified by every player's program.",
    ]


def test_while_cards_are_shuffled_the_coach_says_so() -> None:
    node, prompt = playing()
    node.sit(others=2)
    node.change(stage=Stage.PLAYING, view=None, to_act=(), dealing=True)
    shuffling = "Shuffling: everybody's program adds a part."
    assert prompt.coach() == shuffling
    assert prompt.enter("turn").lines == (shuffling,)
    assert prompt.enter("table").lines[0] == shuffling


def test_what_the_node_carries_out() -> None:
    node = FakeNode(rows=(row("lab"),))
    answer = at(node).enter("join lab")
    assert answer.kind is Kind.DONE
    assert node.done == [answer.command]


def test_a_refusal_of_the_node_is_one_sentence_and_changes_nothing() -> None:
    class Full(FakeNode):
        def do(self, command: Command) -> None:
            raise UserError("every seat is taken")

    answer = at(Full()).enter("host tongits")
    assert (answer.kind, answer.lines, answer.code) == (Kind.WRONG, ("every seat is taken.",), "error")


def test_what_is_no_command() -> None:
    prompt = at(FakeNode())
    assert prompt.enter("  ").kind is Kind.NOTHING
    answer = prompt.enter("hots")
    assert (answer.kind, answer.code) == (Kind.WRONG, Trouble.UNKNOWN.value)
    assert len(answer.lines) == 1


@pytest.mark.parametrize(("word", "done"), [("yes", True), ("Y", True), ("no", False), ("", False), ("hand", False)])
def test_quitting_a_round_asks_once(word: str, done: bool) -> None:
    node, prompt = playing()
    answer = prompt.enter("quit")
    assert answer.kind is Kind.ASKED
    assert prompt.question == answer.lines[0]
    prompt.enter(word)
    assert prompt.question == ""
    assert (node.table is None) is done
    assert prompt.leaving is done


def test_the_question_says_what_becomes_of_the_table() -> None:
    node, prompt = playing()
    assert prompt.enter("quit").lines == ("Leave the table and the program? The match ends with it: yes or no?",)
    node.change(spectators=("dan",))
    host = "Leave the table? You are the host: the match ends for everybody, and the table closes: yes or no?"
    assert prompt.enter("leave").lines == (host,)
    node.change(mine=False)
    rage = "Leave in a rage, and let everybody know? The round goes on, and a bot plays for you: yes or no?"
    assert prompt.enter("ragequit").lines == (rage,)


def test_who_closed_the_table_is_told_by_the_names_of_the_table() -> None:
    """Two of one login: the host is ana, so we are ana-2 there."""
    node, prompt = playing()
    assert node.home.nick == NICK
    assert node.table is not None
    mine, *others = node.table.seats
    node.change(nick="ana-2", seats=(replace(mine, nick="ana-2"), *others))
    prompt.told(Seated(0, "ana-2", b"", ""))
    node.do(Command("leave"))
    assert node.table is None
    assert [told.text for told in prompt.told(Closed("bye", f"{NICK} closed the table"))] == ["ana closed the table."]


def test_a_bot_in_the_seat_that_was_ours_is_not_told_as_us() -> None:
    node, prompt = playing()
    assert node.table is not None
    seats = tuple(replace(seat, level="medium") for seat in node.table.seats)
    node.change(seats=seats, me=None, spectators=(NICK,))
    seated = Seated(0, NICK, b"", "medium")
    assert [told.text for told in prompt.told(seated)] == [f"{NICK} is in seat 1, a bot (medium)."]
    assert prompt.enter("who").lines[0].startswith(f"Seat 1: {NICK}, a bot (medium)")


def test_who_is_sure_is_not_asked() -> None:
    node, prompt = playing()
    assert prompt.enter("leave", sure=True).kind is Kind.DONE
    assert node.table is None


def test_stopping_asks_and_then_ends_the_match() -> None:
    node, prompt = playing()
    node.change(stage=Stage.BETWEEN, view=None, to_act=())
    assert prompt.enter("stop").lines == ("Stop? The match ends for everybody: yes or no?",)
    prompt.enter("yes")
    assert [told.text for told in prompt.log][-2] == "You ended the match."
    over = "The match is over, so there is nothing to `next`: `again` starts another one."
    assert prompt.enter("next").lines == (over,)


def test_between_rounds_turn_says_when_it_goes_on() -> None:
    node, prompt = playing()
    node.clock = 100.0
    node.change(stage=Stage.BETWEEN, view=None, to_act=(), next_at=142.0)
    assert prompt.enter("turn").lines == (
        "`next` goes on to the next round, `stop` ends the match.",
        "The next round begins by itself in 42 seconds.",
    )
    node.change(ready=(0,), seats=(*node.table.seats[:2], SeatView("ben", OTHERS[0][1])) if node.table else ())
    assert prompt.coach() == "You are ready; waiting for ben."


def test_hidden_cards_are_hidden_everywhere() -> None:
    _, prompt = playing()
    prompt.enter("draw")
    assert prompt.enter("last").lines == ("You drew the 5 of clubs.",)
    prompt.enter("hide")
    hidden = "Your cards are hidden; `hide` shows them again."
    assert prompt.enter("legal").lines == prompt.enter("hand").lines == (hidden,)
    assert prompt.enter("turn").lines == (f"Your turn. {hidden}",)
    assert prompt.enter("last").lines == ("You drew a card.",)
    assert prompt.enter("log 1").lines == ("You drew a card.",)
    assert prompt.enter("discard").lines == ("Discard which card? `hide` shows your cards again.",)


def test_rules_at_a_table_begin_with_those_of_the_table() -> None:
    node = FakeNode(options={"scoring": "chips"})
    prompt = at(node)
    node.sit(others=1)
    told = prompt.enter("rules").lines
    effect = "chips are paid to the winner"
    assert told[:5] == ("At this table:", "", f"* scoring chips, usually wins: {effect}", "", "# Rules of tongits")
    assert prompt.enter("rules tienlen").lines[0] == "# Rules of tienlen"
    usual = at(FakeNode())
    usual.enter("host tongits")
    assert usual.enter("rules").lines[0] == "This table has the usual rules."


def lobby(**options: str) -> tuple[FakeNode, Prompt]:
    node = FakeNode(options=options)
    prompt = at(node)
    node.sit(others=1)
    return node, prompt


def test_the_rules_of_a_table_are_kept_listed_and_forgotten() -> None:
    node, prompt = lobby(scoring="chips")
    node.change(settings=(("turn_seconds", "30"),))
    assert prompt.enter("preset list").lines == (
        "No preset is kept yet; the host of a table keeps one in the lobby, `preset save NAME`.",
    )
    assert prompt.enter("preset save Friday").lines == (
        "Kept as friday: scoring chips, 30 s a turn. "
        "`preset load friday` brings it back, and so does `--preset friday`.",
    )
    assert node.presets.kept == {"tongits": {"friday": (("scoring", "chips"), ("turn_seconds", "30"))}}
    node.presets.save("straights", "long", ())
    assert prompt.enter("preset list").lines == ("friday, for Tong-its: scoring chips, 30 s a turn.",)
    home = at(node)
    node.do(Command("leave"))
    assert home.enter("preset list").lines[1] == "long, for Straights: usual rules."
    assert home.enter("preset delete long").lines == ("The preset long for Straights is forgotten.",)
    assert "straights" not in {game for game, named in node.presets.kept.items() if named}


def test_a_preset_that_is_not_there_is_refused_with_those_that_are() -> None:
    node, prompt = lobby()
    node.presets.save("tongits", "friday", ())
    answer = prompt.enter("preset delete sunday")
    assert (answer.kind, answer.lines) == (Kind.WRONG, ("No preset is called sunday; there is: friday.",))
    node.presets.save("straights", "friday", ())
    node.do(Command("leave"))
    assert prompt.enter("preset delete friday").lines == (
        "Presets of several games are called friday: "
        "type `preset delete friday tongits` or `preset delete friday straights`.",
    )
    assert prompt.enter("preset delete friday tongits").kind is Kind.SHOWN


def test_practice_keeps_no_preset_that_lets_everybody_peek() -> None:
    node, prompt = lobby(scoring="chips")
    node.alone = True
    node.change(settings=(("allow_peek", "true"),))
    prompt.enter("preset save x")
    assert node.presets.kept["tongits"]["x"] == (("scoring", "chips"),)


def test_the_deck_is_laid_open_only_where_it_may_be_and_after_a_question() -> None:
    node, prompt = playing()
    question = "Lay the whole deck open? Everybody at the table will see all cards: yes or no?"
    assert prompt.enter("deck").lines == (question,)
    prompt.enter("yes")
    assert node.done[-1] == Command("deck")
    node.alone = False
    refused = prompt.enter("deck")
    assert (refused.kind, refused.lines[0][:45]) == (Kind.WRONG, "At this table nobody may look at the deck: th")
    node.change(settings=(("allow_peek", "true"),))
    assert prompt.enter("deck").kind is Kind.ASKED
    prompt.enter("no")
    node.change(deck=(0, 1), settings=())
    assert prompt.enter("deck").kind is Kind.SHOWN


def test_a_verb_alone_asks_for_the_card_and_the_next_line_may_be_one() -> None:
    node, prompt = playing()
    prompt.enter("draw")
    asked = prompt.enter("discard")
    assert asked.kind is Kind.SHOWN
    assert asked.lines[0].startswith("Discard which card: ")
    assert prompt.verb == "discard"
    card = prompt.here.context().hand[0]
    assert node.table is not None
    text = node.table.game.ranking.format(card)
    assert prompt.enter("#99").kind is Kind.WRONG
    assert prompt.verb == "discard"  # another card may follow
    assert prompt.enter("#1").command == Command("discard", (), f"discard {text}")
    assert prompt.verb == ""


def test_after_a_verb_alone_any_other_line_is_what_it_is() -> None:
    _, prompt = playing()
    prompt.enter("draw")
    prompt.enter("discard")
    assert prompt.enter("scores").command == Command("scores")
    assert prompt.verb == ""
    prompt.enter("discard")
    assert prompt.enter("").kind is Kind.NOTHING
    assert prompt.verb == ""
    prompt.settings.asks = False
    assert prompt.enter("discard").kind is Kind.WRONG


def test_cards_are_written_as_the_person_likes() -> None:
    _, prompt = playing()
    assert prompt.enter("aces 1").lines == ("Aces are written so: 1 of spades.",)
    assert prompt.enter("cardmode ascii").lines == ("Cards are written so: 1S TH.",)
    assert prompt.enter("aces").lines == ("Aces are written so: AS.",)
    assert prompt.enter("cardmode").lines == ("Cards are written so: ace of spades; 10 of hearts.",)
    assert prompt.enter("cardmode").lines == ("Cards are written so: AS TH.",)
    (told,) = prompt.enter("cardmode art").lines
    assert told == "Boxes and drawings are for the full screen; here cards are written so: ace of spades; 10 of hearts."
    assert prompt.enter("cardmode").lines == ("Cards are written so: ace of spades; 10 of hearts.",)
    signs = Prompt(FakeNode(), Cards.SIGNS, str)
    signs.enter("aces 1")
    assert signs.words.voice.cards("AS AH 2D m1") == "1♠ 1♥ 2♦ m1"
    assert signs.enter("cardmode ascii").lines == ("Cards are written so: 1S TH.",)
    assert signs.enter("cardmode text").lines == ("Cards are written so: 1♠ T♥.",)
    modes = [signs.settings.mode]
    for _ in range(4):
        signs.enter("cardmode")
        modes.append(signs.settings.mode)
    assert modes == ["text", "ascii", "boxes", "art", "text"]
    assert signs.enter("cardmode boxes").lines == (
        "Cards stand in boxes where there is room; in sentences they are written so: 1♠ T♥.",
    )
    assert "drawn" in signs.enter("cardmode art").lines[0]
    assert signs.enter("cardmode small").kind is Kind.WRONG
    assert signs.settings.mode == "art"


def test_a_card_is_moved_and_the_prompt_counts_on() -> None:
    node, prompt = playing()
    before = prompt.here.context().hand
    assert node.table is not None
    ranking = node.table.game.ranking
    last, first = ranking.format(before[-1]), ranking.format(before[0])
    answer = prompt.enter(f"move {last} 1")
    assert answer.kind is Kind.SHOWN
    assert answer.lines[0] == f"{prompt.words.voice.cards(last)} is #1 of your hand now."
    assert prompt.here.context().hand == (before[-1], *before[:-1])
    prompt.enter("move #3 #2")
    assert prompt.here.context().hand == (before[-1], before[1], before[0], *before[2:-1])
    node.change(to_act=(0,))
    prompt.enter("draw")
    prompt.enter("discard #3")
    assert node.done[-1].action == f"discard {first}"


@pytest.mark.parametrize(
    ("line", "refused"),
    [
        ("move", "Something is missing: move CARD PLACE."),
        ("move #1", "Something is missing: move CARD PLACE."),
        ("move #1 99", "There is no card #99: you hold 12 cards."),
        ("move #0 1", "There is no card #0: you hold 12 cards."),
        ("move #1 ²", "² is no number that fits here."),
        ("move #1 7H", "7H is no number that fits here."),
        ("move 3 1", "3 is no card: `#3` is the card at that place of your hand, and a rank needs its suit, like 7H."),
        ("move xx 1", "xx is no card: a card is a rank and a suit, like 7H, TD or QS."),
        ("sort size", "There is no order size; there is rank, suit, melds or own."),
    ],
)
def test_a_wrong_move_in_the_hand_is_refused_and_changes_nothing(line: str, refused: str) -> None:
    _, prompt = playing()
    before = prompt.here.context().hand
    answer = prompt.enter(line)
    assert (answer.kind, answer.lines) == (Kind.WRONG, (refused,))
    assert prompt.here.context().hand == before


def test_a_hidden_hand_is_put_in_order_without_a_word_about_it() -> None:
    _, prompt = playing()
    prompt.enter("hide")
    assert prompt.enter("sort suit").lines == ("Your cards are sorted by suit.",)
    assert prompt.enter("move #2 #1").lines == ("The card is #1 of your hand now.",)


def test_the_log_is_read_at_home_too() -> None:
    _, prompt = playing()
    prompt.enter("leave", sure=True)
    assert prompt.enter("log 1").lines == ("You left the table.",)


def test_the_same_line_again_is_a_yes() -> None:
    node, prompt = playing()
    prompt.enter("ragequit")
    assert prompt.enter("ragequit").kind is Kind.DONE
    assert node.table is None


def test_an_answer_without_a_question_is_no_command() -> None:
    node, prompt = playing()
    assert prompt.enter("yes").code == Trouble.UNKNOWN.value
    assert node.table is not None


def test_quitting_at_home_or_with_questions_off_asks_nothing() -> None:
    assert at(FakeNode()).enter("quit").kind is Kind.DONE
    node, prompt = playing()
    prompt.settings.asks = False
    assert prompt.enter("quit").kind is Kind.DONE
    assert node.table is None


def test_calling_asks_once() -> None:
    node, prompt = playing()
    while prompt.enter("call").kind is not Kind.ASKED:
        legal = prompt.here.context().legal
        assert legal is not None
        line = next((line for line in legal.lines if line.startswith(("expose", "draw"))), legal.lines[-1])
        assert prompt.enter(line).kind is Kind.DONE
        if node.table is not None and node.table.view is None:
            prompt.enter("next")
    assert "call" not in [command.verb for command in node.done]
    assert prompt.enter("yes").kind is Kind.DONE
    assert node.done[-1].action == "call"


def test_settings_of_the_screen() -> None:
    _, prompt = playing()
    assert prompt.enter("coach").lines == ("The coach is on; `coach off` switches it off.",)
    assert prompt.enter("coach off").lines == ("The coach is off; `coach on` switches it on.",)
    assert prompt.enter("bell off").lines == ("The bell is off; `bell on` switches it on.",)
    assert prompt.enter("bell").lines == ("The bell is off; `bell on` switches it on.",)
    assert not prompt.settings.coach
    assert not prompt.settings.bell
    assert prompt.enter("hide").kind is Kind.SHOWN
    assert "hidden" in prompt.enter("hand").lines[0]
    prompt.enter("hide")
    assert prompt.enter("hand").lines[0].startswith("You hold ")


def test_sorting_changes_the_places_of_the_cards() -> None:
    _, prompt = playing()
    by_rank = prompt.here.context().hand
    first, shown = prompt.enter("sort suit").lines
    assert first == "Your cards are sorted by suit."
    assert shown.startswith("You hold ")
    assert prompt.here.context().hand != by_rank
    assert prompt.enter("sort").lines[0] == "Your cards are sorted by melds."
    assert prompt.enter("sort").lines[0] == "Your cards are sorted by rank."
    assert prompt.here.context().hand == by_rank


def test_the_log_and_the_last_act() -> None:
    _, prompt = playing()
    assert prompt.enter("log 2").lines == tuple(told.text for told in prompt.log)[-2:]
    assert prompt.enter("last").lines == (prompt.log[-1].text,)
    for _ in range(LOG_LENGTH):
        prompt.heard(LinkLost())
    assert [told.text for told in prompt.log] == ["The line to the host is lost; trying to get back."] * LOG_LENGTH
    assert "discarded" in prompt.enter("last").lines[0]


def test_rules_of_the_table_and_by_name() -> None:
    _, prompt = playing()
    assert prompt.enter("rules").lines[2] == "# Rules of tongits"
    home = at(FakeNode())
    assert home.enter("rules tong-its").lines[0] == "# Rules of tongits"
    assert "rules tongits" in home.enter("rules").lines[0]


def test_the_coach_speaks_of_whose_turn_it_is() -> None:
    _, prompt = playing()
    assert prompt.coach().startswith("Your turn: draw")
    assert prompt.enter("turn").lines == (prompt.coach(),)


def test_the_context_is_made_anew_only_when_something_changed() -> None:
    _, prompt = playing()
    before = prompt.here.context()
    assert prompt.here.context() is before
    prompt.enter("sort suit")
    sorted_ = prompt.here.context()
    assert sorted_ is not before
    assert sorted_.legal is before.legal
    prompt.enter("draw")
    assert prompt.here.context().legal is not before.legal

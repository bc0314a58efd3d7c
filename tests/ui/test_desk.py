"""The person's side of the program without a terminal: what is heard, marked, rung for and answered."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from p2pcards.commands.command import Command, Remark
from p2pcards.commands.suggest import Note, Suggestion
from p2pcards.games.registry import GAMES
from p2pcards.table import notices
from p2pcards.table.tableview import Stage
from p2pcards.ui.desk import Desk
from p2pcards.ui.frame import compose
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.ways import Ways
from tests.testing.fake_node import FakeNode, row
from tests.testing.screens import texts

SIZE = Size(80, 24)
MANUAL = "# Tong-its\n\nMelds and a call.\n" + "a rule\n\n" * 60


class Person:
    """A Desk with counters for what it asks of the terminal."""

    def __init__(self, node: FakeNode) -> None:
        self.node = node
        self.codes: list[int] = []
        self.rung = 0
        self.desk = Desk(node, lambda game: MANUAL, exit_=self.codes.append, ways=Ways(ring=self._ring))
        node.listen(self.desk.heard)

    def _ring(self) -> None:
        self.rung += 1

    def sees(self) -> str:
        local = self.desk.local()
        return "\n".join(texts(compose(self.desk.screen(SIZE, local), SIZE, Look(), local)))


def at_home() -> Person:
    return Person(FakeNode(1, rows=(row("Friday night"),)))


def in_a_round() -> Person:
    person = at_home()
    person.desk.typed("practise tongits")
    return person


def test_each_place_has_its_screen() -> None:
    person = at_home()
    assert "Tables on this network" in person.sees()
    person.desk.typed("host tongits")
    assert "lobby" in person.sees()
    person.desk.typed("start")
    assert "deadwood" in person.sees()
    while person.node.table is not None and person.node.table.stage is Stage.PLAYING:
        legal = person.node.table.game.legal_actions(person.node.table.view)[0]
        person.node.do(Command("act", (), person.node.table.game.format(legal)))
    assert "is over" in person.sees()
    person.desk.typed("leave")
    person.desk.typed("yes")
    assert "Tables on this network" in person.sees()
    assert not person.desk.at_table


def test_a_deal_that_is_not_as_it_should_be_stands_out_in_what_happened() -> None:
    person = in_a_round()
    for notice, wrong in (
        (notices.Verdict(1, "ben", b"", 7, "another result"), True),
        (notices.Audited(1, False, 7, "ben", "another result"), True),
        (notices.LeftOut(1, ((1, "ben"),)), True),
        (notices.Audited(1, True), False),
    ):
        person.node.tell(notice)
        assert person.desk.local().happened[-1].wrong is wrong


def test_a_shuffle_is_told_on_every_screen() -> None:
    person = at_home()
    person.desk.typed("host tongits")
    person.node.sit(others=2)
    person.node.change(dealing=True)
    assert "Shuffling: everybody's program adds a part." in person.sees()
    person.node.start()
    person.node.change(dealing=True)
    text = person.sees()
    assert text.splitlines()[0].rstrip().endswith(" shuffling")
    assert "Shuffling: everybody's program adds a part." in text
    person.node.change(connected=False)
    assert "huffling" not in person.sees()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("size", [Size(40, 10), Size(50, 18), SIZE, Size(120, 40)])
def test_a_shuffle_within_a_round_fits_every_screen(game: str, size: Size) -> None:
    person = at_home()
    person.desk.typed(f"practise {game}")
    person.node.change(to_act=(), dealing=True)
    local = person.desk.local()
    lines = texts(compose(person.desk.screen(size, local), size, Look(), local))
    assert max(map(len, lines)) <= size.cols
    said = "Shuffling: everybody's program adds a part." if size.cols > 50 else "Shuffling: everybody's program adds"
    assert said in " ".join(" ".join(lines).split())


def test_once_the_cards_are_dealt_nobody_is_told_any_more_that_they_are_shuffled() -> None:
    person = at_home()
    person.desk.typed("host tongits")
    person.node.sit(others=2)
    person.node.change(stage=Stage.PLAYING, dealing=True)
    person.desk.typed("turn")
    assert person.desk.local().said == "Shuffling: everybody's program adds a part."
    person.node.change(dealing=False)
    person.node.tell(notices.RoundStarted(1, ("ana", "ben", "cy"), 1))
    assert person.desk.local().said == ""


def test_help_on_the_deal_is_a_page() -> None:
    person = at_home()
    person.desk.typed("help deal")
    assert "Who chooses the cards: nobody alone." in person.sees()
    assert person.desk.page_open


def test_a_wrong_line_gets_one_sentence_and_the_next_line_takes_it_away() -> None:
    person = in_a_round()
    person.desk.typed("discrad 7H")
    assert "did you mean `discard`?" in person.sees()
    assert person.desk.local().wrong
    person.desk.typed("draw")
    assert "did you mean" not in person.sees()
    person.desk.typed("join lab")
    assert person.desk.local().wrong


def test_an_answer_gives_way_to_the_coach_when_the_turn_comes() -> None:
    person = in_a_round()
    person.desk.typed("foo")
    person.node.tell(notices.TurnOf((0,), mine=True, fresh=True))
    assert "Your turn" in person.sees()


def test_long_answers_are_pages_and_the_same_key_closes_them() -> None:
    person = in_a_round()
    for word, seen in (("help", "take the top card"), ("rules", "Melds and a call."), ("log", "Round 1")):
        person.desk.pressed(word)
        assert person.desk.local().page == word
        assert seen in person.sees(), word
        person.desk.pressed(word)
        if word == "help":
            assert person.desk.local().page == "rules"
            person.desk.pressed(word)
        assert person.desk.local().page == ""
    person.desk.typed("scores")
    assert "Scores:" in person.sees()
    assert person.desk.local().page == ""


def test_what_is_typed_always_shows() -> None:
    person = in_a_round()
    person.desk.typed("draw")
    person.desk.typed("log")
    person.desk.typed("log")
    assert person.desk.local().page == "log"
    person.desk.typed("log 1")
    assert person.desk.local().page == "log"
    assert "Round 1" not in person.sees()
    person.desk.pressed("log")
    assert "Round 1" in person.sees()
    person.desk.pressed("help")
    person.desk.typed("help discard")
    assert person.desk.local().page + person.desk.local().said != ""
    assert "discard" in person.sees()
    person.desk.pressed("help")
    assert person.desk.local().page == "help"


def test_help_lists_the_keys_and_how_cards_are_typed() -> None:
    person = in_a_round()
    person.desk.typed("help")
    seen = ""
    for _ in range(7):
        seen += person.sees()
        person.desk.turn_page(1, SIZE)
    for told in ("Shift-Tab", "PageDown", "F2", "Ctrl-D", "Cards are typed as", "#1"):
        assert told in seen


def test_a_refusal_goes_with_its_place_and_with_the_turn() -> None:
    person = at_home()
    person.desk.typed("host tongits")
    person.desk.typed("list")
    assert person.desk.local().wrong
    person.desk.typed("start")
    assert not person.desk.local().said
    person.node.change(to_act=(1,))
    person.node.tell(None)
    person.desk.typed("foo")
    assert person.desk.local().said
    person.node.change(to_act=(2,))
    person.node.tell(None)
    assert not person.desk.local().said
    assert not person.desk.local().wrong


def test_what_was_said_of_the_turn_goes_with_it_and_other_answers_stay() -> None:
    person = in_a_round()
    for line, stays in (("legal", False), ("turn", False), ("scores", True)):
        person.node.change(to_act=(0,))
        person.node.tell(None)
        person.desk.typed(line)
        assert person.desk.local().said
        person.node.change(to_act=(1,))
        person.node.tell(None)
        assert bool(person.desk.local().said) == stays


def test_why_a_table_was_left_stays_to_be_read() -> None:
    person = in_a_round()
    person.node.tell(notices.Refused("full", "Every seat is taken."))
    person.node.change(stage=Stage.LOBBY)
    person.node._table = None
    person.node.tell(notices.Closed("full", "Every seat is taken."))
    assert "very seat is taken" in person.desk.local().said


def test_every_table_begins_with_nothing_told_and_the_log_keeps_the_rest() -> None:
    person = in_a_round()
    person.desk.typed("draw")
    first = len(person.desk.local().happened)
    person.desk.typed("leave")
    person.desk.typed("yes")
    person.desk.typed("host tongits")
    told = [one.text for one in person.desk.local().happened]
    assert 0 < len(told) < first
    assert not any("drew" in text for text in told)
    person.desk.pressed("log")
    person.desk.turn_page(-9, SIZE)
    assert "The match begins" in person.sees()


def test_the_log_can_be_read_at_home() -> None:
    person = in_a_round()
    person.desk.typed("leave")
    person.desk.typed("yes")
    person.desk.pressed("log")
    assert "left the table" in person.sees()
    person.desk.pressed("log")
    assert "Tables on this network" in person.sees()


def test_answers_in_words_are_short_where_the_screen_shows_the_rest() -> None:
    person = in_a_round()
    person.desk.typed("sort suit")
    assert person.desk.local().said == "Your cards are sorted by suit."
    person.desk.typed("draw")
    person.desk.typed("legal")
    assert person.desk.local().page == "legal"
    assert "expose JC JH JS   " in person.sees()
    person.desk.typed("log 1")
    assert "Round 1" not in person.sees()


def test_pages_turn_and_close() -> None:
    person = in_a_round()
    person.desk.typed("rules")
    first = person.sees()
    person.desk.turn_page(1, SIZE)
    assert person.sees() != first
    person.desk.turn_page(-1, SIZE)
    assert person.sees() == first
    person.desk.close_page()
    assert "deadwood" in person.sees()


def test_a_move_closes_the_page() -> None:
    person = in_a_round()
    person.desk.typed("rules")
    person.desk.typed("draw")
    assert "deadwood" in person.sees()


def test_what_others_did_is_marked_until_my_turn_is_over() -> None:
    person = in_a_round()
    person.desk.typed("draw")
    assert person.node.table is not None
    marked = [one.text for one in person.desk.local().happened if one.fresh]
    person.desk.typed("#1")
    after = [one.text for one in person.desk.local().happened if one.fresh]
    assert after
    assert not any(text.startswith("You ") for text in marked + after)
    local = person.desk.local()
    texts_ = [one.text for one in local.happened]
    mine = max(place for place, text in enumerate(texts_) if text.startswith("You discarded"))
    assert not any(one.fresh for one in local.happened[: mine + 1])
    public = person.node.table.view.public if person.node.table.view else None
    if public is not None:
        assert set(public.discards[-1:]) <= local.fresh


def test_for_who_watches_the_last_thing_done_alone_is_marked() -> None:
    person = in_a_round()
    person.node.change(me=None)
    told: list[list[str]] = []

    def heard(notice: notices.Notice | None) -> None:
        if isinstance(notice, notices.Acted):
            told.append([one.text for one in person.desk.local().happened if one.fresh])

    person.node.listen(heard)
    for _ in range(4):
        assert person.node.table is not None
        legal = person.node.table.game.legal_actions(person.node.table.view)[0]
        person.node.do(Command("act", (), person.node.table.game.format(legal)))
    assert len(told) > 4
    assert all(len(marked) == 1 for marked in told)
    assert len(person.desk.local().fresh) <= 1


def test_hiding_the_hand_hides_it_from_coach_and_menu() -> None:
    person = in_a_round()
    person.desk.typed("hide")
    text = person.sees()
    assert "deadwood" not in text
    assert text.count("hidden") == 1
    assert person.desk.local().coach == "Your turn."
    person.desk.typed("hide")
    assert "deadwood" in person.sees()


def test_hiding_the_hand_hides_what_was_told_of_it() -> None:
    person = in_a_round()
    person.desk.typed("draw")
    drawn = next(one.text for one in person.desk.local().happened if one.text.startswith("You drew"))
    assert drawn in person.sees()
    person.desk.typed("hide")
    assert drawn not in person.sees()
    assert "You drew" in person.sees()
    person.desk.typed("log")
    assert drawn not in person.sees()
    person.desk.typed("hide")
    person.desk.close_page()
    assert drawn in person.sees()


def test_the_coach_and_the_bell_can_be_silenced() -> None:
    person = in_a_round()
    person.desk.typed("coach off")
    assert person.desk.local().coach == ""
    rung = person.rung
    person.desk.typed("bell off")
    person.node.change(to_act=(1,))
    person.node.tell(None)
    person.node.change(to_act=(0,))
    person.node.tell(None)
    assert person.rung == rung


def test_the_title_tells_the_turn_and_no_card() -> None:
    person = at_home()
    assert person.desk.window_title == "p2pcards"
    person.desk.typed("practise tongits")
    assert person.desk.window_title == "your turn - Tong-its - p2pcards"


def test_seconds_matter_only_while_something_counts() -> None:
    person = at_home()
    assert not person.desk.counts_down
    person.node.rows(searching_for=3.0)
    assert person.desk.counts_down
    person.node.rows(searching_for=30.0)
    assert not person.desk.counts_down
    person.desk.typed("practise tongits")
    assert not person.desk.counts_down
    assert person.node.table is not None
    seats = person.node.table.seats
    person.node.change(seats=(seats[0], replace(seats[1], held_until=60.0), *seats[2:]))
    assert person.desk.counts_down
    assert "held 60 s" in person.sees()
    person.node.change(seats=seats, next_at=20.0)
    assert person.desk.counts_down


def test_what_can_not_be_taken_back_asks_once() -> None:
    person = in_a_round()
    person.desk.typed("quit")
    assert "yes or no?" in person.desk.question
    person.desk.typed("no")
    assert person.codes == []
    person.desk.typed("quit")
    person.desk.typed("yes")
    assert person.codes == [0]


def test_what_the_command_line_asked_for_and_did_not_get_is_the_exit_code() -> None:
    person = Person(FakeNode())
    person.desk.begin(Command("join", ("lab",)))
    assert "No table is called lab." in person.sees()
    person.desk.quit()
    lost = in_a_round()
    lost.node.change(stage=Stage.PLAYING)
    lost.node.tell(notices.Closed("lost", ""))
    lost.desk.quit()
    failed = at_home()
    failed.node.tell(notices.Failed("Nothing answers at 10.0.0.9.", 3))
    assert "Nothing answers" in failed.sees()
    failed.desk.quit()
    assert (person.codes, lost.codes, failed.codes) == ([1], [5], [3])


def test_a_table_that_was_reached_after_all_ends_well() -> None:
    person = Person(FakeNode(1))
    person.desk.begin(Command("join", ("lab",)))
    person.desk.typed("practise tongits")
    person.desk.typed("leave")
    person.desk.typed("yes")
    person.desk.quit()
    assert person.codes == [0]


def test_a_verb_alone_offers_its_cards_for_the_next_line() -> None:
    person = in_a_round()
    node, desk = person.node, person.desk
    desk.typed("draw")
    desk.typed("discard")
    offered = list(desk.suggest(""))
    assert all(one.start == 0 and len(one.text.split()) == 1 for one in offered)
    assert node.table is not None
    first = offered[0].text
    assert next(one.text for one in desk.suggest(first.lower())) == first
    assert [one.text for one in desk.suggest("scor")] == ["scores"]
    desk.typed(first)
    assert node.done[-1].action == f"discard {first}"


def test_cards_are_painted_as_the_person_likes() -> None:
    desk = in_a_round().desk
    assert desk.look(Look()) == Look()
    desk.typed("aces 1")
    desk.typed("cardmode ascii")
    assert desk.look(Look()) == Look(suits=False, ace="1")
    assert desk.shown(Suggestion("play AS", "play AS KD", Remark(Note.PLAIN), 0)) == "play 1S KD"


def test_while_another_match_is_dealt_nothing_of_the_last_one_is_shown() -> None:
    person = at_home()
    person.desk.typed("host tongits")
    person.node.sit(others=2)
    person.node.change(stage=Stage.PLAYING, round=1, dealing=True)  # as a guest sees it, whatever was played before
    text = person.sees()
    assert "round 1" in text.splitlines()[0]
    assert "won" not in text
    for line, told in (
        ("scores", "Scores: you 0, ben 0, cy 0."),
        ("table", "Shuffling: everybody's program adds a part."),
        ("hand", "You hold no cards."),
    ):
        person.desk.typed(line)
        assert person.desk.local().said == told

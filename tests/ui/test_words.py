"""Every code has its sentence; every notice that is news is told, in players' words."""

from __future__ import annotations

import re
from enum import Enum, StrEnum

import pytest
from msgspec.structs import replace

from p2pcards.commands.coach import Advice, coach
from p2pcards.commands.coach_tongits import Tip
from p2pcards.commands.command import Problem, Remark, Trouble
from p2pcards.commands.notes import Plain
from p2pcards.commands.notes_tongits import Does
from p2pcards.commands.questions import Asked
from p2pcards.commands.suggest import Note
from p2pcards.commands.suggest_people import About
from p2pcards.games.base import Refusal
from p2pcards.games.tongits import Refusal as Rule
from p2pcards.games.tongits import TongIts
from p2pcards.games.tongits.state import Phase
from p2pcards.table import notices
from p2pcards.table.notices import Acted, Notice
from p2pcards.table.tableview import RoundResult
from p2pcards.ui.voice import Cards
from p2pcards.ui.words import Words
from p2pcards.wire.messages import Reason
from tests.testing.fake_node import FakeNode
from tests.testing.tongits_spot import cards, context, spot

SIGNS, WORDS = Words(Cards.SIGNS, "ana"), Words(Cards.WORDS, "ana")
CODES: list[type[StrEnum]] = [Trouble, Refusal, Rule, Advice, Tip, Does, Note, Plain, About]


def one(notice: Notice, words: Words = SIGNS) -> str:
    """The only sentence of a notice."""
    node = FakeNode()
    node.sit(others=2)
    (line,) = words.notice(notice, node.table)
    return line


def acted(text: str, seat: int = 1, **more: object) -> Acted:
    return replace(Acted(9, 1, seat, ("ana", "ben", "cy")[seat], "act", text, ""), **more)


# ---- codes


@pytest.mark.parametrize("code", [code for codes in CODES for code in codes], ids=lambda code: f"{code!r}")
def test_every_code_has_words_with_and_without_its_detail(code: Enum) -> None:
    samples: list[tuple[str, ...]] = [(), ("3",), ("3", "ben", "QS QD", "1", "lobby")]
    for details in samples:
        if code in (Trouble.NOT_HERE, Trouble.LEAVE_FIRST):
            details = ("start", "lobby", "over")
        if isinstance(code, Trouble | Refusal | Rule):
            text = SIGNS.problem(Problem(code, details))
            assert text.endswith((".", "?")) or code is Trouble.EMPTY
        elif isinstance(code, Tip | Advice):
            text = SIGNS.coach((Remark(code, details),))
            assert text.endswith(".")
        else:
            text = SIGNS.note(Remark(code, details))
        assert "{" not in text
        assert text or code in (Trouble.EMPTY, Note.PLAIN, Note.VALUE, Note.HELP, Note.GAME, Plain.VERB, About.WORD)


@pytest.mark.parametrize(
    ("problem", "text"),
    [
        (Problem(Trouble.UNKNOWN, ("hots", "host")), "There is no command hots; did you mean `host`?"),
        (
            Problem(Trouble.A_FLAG, ("--door",)),
            "`--door` works only where p2pcards is started: here open the table first, "
            "then `door` and `set` change it.",
        ),
        (
            Problem(Trouble.SHELL_FLAG, ("--record", "join", "join TABLE")),
            "Options such as `--record` belong behind `p2pcards join` in the shell: here it is typed `join TABLE`.",
        ),
        (
            Problem(Trouble.HOST_ONLY, ("kick",)),
            "Only the host of the table can `kick`; `vote kick NICK` asks the others.",
        ),
        (Problem(Trouble.HOST_ONLY, ("start",)), "Only the host of the table can `start`."),
        (Problem(Trouble.UNKNOWN, ("xyzzy",)), "There is no command xyzzy; `help` lists them all."),
        (
            Problem(Trouble.UNKNOWN, ("hello", "say hello all")),
            "There is no command hello; `help` lists them all, and `say hello all` says it to the table.",
        ),
        (Problem(Trouble.NOT_HERE, ("start", "lobby", "over")), "`start` works only in the lobby or after the match."),
        (Problem(Trouble.NOT_HERE, ("leave",)), "`leave` works only at a table."),
        (Problem(Trouble.LEAVE_FIRST, ("stop", "between")), "`stop` works only between rounds; `leave` goes home."),
        (Problem(Trouble.RULES_LATER), "Rules can be changed only in the lobby or after the match."),
        (Problem(Trouble.RULES_HOST), "Only the host of the table can change its rules."),
        (Problem(Trouble.BAD_CHOICE, ("maybe", "on", "off")), "It can be on or off, not maybe."),
        (Problem(Trouble.NO_SUCH, ("order", "foo", "rank", "suit")), "There is no order foo; there is rank or suit."),
        (
            Problem(Trouble.NOT_AN_ACTION, ("take", "take CARDS", "take QD QH", "take 9D 9H")),
            "`take` can't be understood like that; it is typed like `take QD QH` or `take 9D 9H`.",
        ),
        (
            Problem(Trouble.NOT_AN_ACTION, ("take", "take CARDS")),
            "`take` can't be understood like that; it is typed like `take CARDS`.",
        ),
        (Problem(Trouble.ONE_CARD, ("AD", "2S")), "One card at a time: A♦ and 2♠ are two."),
        (
            Problem(Rule.NO_MELD, ("6C",), ("take 6C 6D", "take 6C 6H")),
            "6♣ is no meld: a meld is 3 or 4 of one rank, or 3 or more in a row of one suit; "
            "`take 6C 6D` or `take 6C 6H` would do.",
        ),
        (Problem(Trouble.WHICH_CARDS, ("take 9D", "9H", "9S")), "Take 9D with which cards: 9H or 9S?"),
        (
            Problem(Trouble.NOTHING_TO, ("play",)),
            "There is nothing that you can `play` now: `turn` tells what you may do.",
        ),
        (Problem(Trouble.TWICE, ("TC",)), "T♣ stands there twice, but there is only one."),
        (
            Problem(Rule.NO_MELD, ("6C",)),
            "6♣ is no meld: a meld is 3 or 4 of one rank, or 3 or more in a row of one suit.",
        ),
        (
            Problem(Trouble.BARE_NUMBER, ("10",)),
            "10 is no card: `#10` is the card at that place of your hand, and a rank needs its suit, like 7H.",
        ),
        (Problem(Trouble.NO_SUCH_PERSON, ("bne", "ben")), "Nobody here is called bne; did you mean ben?"),
        (Problem(Trouble.NO_SUCH_PERSON, ("zoe",)), "Nobody here is called zoe."),
        (Problem(Trouble.BAD_CODE, ("mango",)), "mango is no code: it has two words, like mango-tiger."),
        (Problem(Trouble.BAD_CODE, ("a tigr", "tigr", "tiger")), "No code has the word tigr; did you mean tiger?"),
        (Problem(Trouble.BAD_CODE, ("mango xq", "xq")), "No code has the word xq."),
        (Problem(Trouble.LONG_TEXT, ("300", "1")), "That is 1 character too long: 300 can be said at once."),
        (Problem(Trouble.SEVERAL_WAIT, ("admit", "dan", "fay")), "Several wait at the door, so say whom: dan or fay."),
        (Problem(Trouble.WHICH, ("discard 7H", "layoff 7H m2")), "Which one: discard 7H or layoff 7H m2?"),
        (Problem(Trouble.WHICH, ("take QD QH",)), "Type it in full: take QD QH."),
        (Problem(Trouble.WHICH, tuple("abcdefgh")), "Which one: a, b, c, d, e, f or …?"),
        (Problem(Trouble.NO_SUCH_PLACE, ("#9", "1")), "There is no card #9: you hold 1 card."),
        (Problem(Refusal.NOT_YOUR_TURN, ("ben",)), "It is not your turn; the table waits for ben."),
        (Problem(Refusal.NOT_YOUR_TURN), "It is not your turn."),
        (Problem(Refusal.NOT_HELD, ("QS",)), "You don't hold the Q♠."),
        (Problem(Rule.DOES_NOT_FIT, ("KD", "m1", "4H 5H 6H")), "The K♦ does not fit m1: 4♥ 5♥ 6♥."),
        (Problem(Rule.NOTHING_EXPOSED), "You may not call: nothing of yours is exposed."),
    ],
)
def test_problems(problem: Problem, text: str) -> None:
    assert SIGNS.problem(problem) == text


def test_hidden_cards_are_in_no_example_and_in_nothing_that_would_do() -> None:
    hidden = Words(hidden=True)
    example = Problem(Trouble.NOT_AN_ACTION, ("take", "take CARDS", "take QD QH"))
    assert hidden.problem(example) == "`take` can't be understood like that; it is typed like `take CARDS`."
    assert "6D" not in hidden.problem(Problem(Rule.NO_MELD, ("6C",), ("take 6C 6D",)))


@pytest.mark.parametrize(
    ("remark", "text"),
    [
        (Remark(Asked.KICK, ("quit",)), "Show quit out? Everybody is told, and for ten minutes there is no way back"),
        (
            Remark(Asked.BAN, ("ben", "7200")),
            "Show ben out, and keep them from your tables for 2 hours? Everybody is told",
        ),
        (
            Remark(Asked.CLOSES, ("quit",)),
            "Leave the table and the program? You are the host: the table closes for everybody",
        ),
    ],
)
def test_questions(remark: Remark, text: str) -> None:
    assert SIGNS.question(remark) == f"{text}: yes or no?"


@pytest.mark.parametrize(("seconds", "text"), [("600", "for 10 minutes"), ("604800", "for 7 days"), ("0", "for good")])
def test_how_long_a_ban_lasts(seconds: str, text: str) -> None:
    assert SIGNS.note(Remark(About.DURATION, (seconds,))) == text


@pytest.mark.parametrize(
    ("remark", "text"),
    [
        (Remark(About.CALLER, ("mango-tiger", "new", "")), "mango-tiger, new"),
        (Remark(About.CALLER, ("mango-tiger", "known", "alice")), "mango-tiger, known, verified login alice"),
        (Remark(About.FELLOW, ("mango-tiger", "verified", "benny")), "mango-tiger, verified, called benny"),
        (Remark(About.FELLOW, ("mango-tiger", "other", "")), "mango-tiger, NOT the one you know"),
    ],
)
def test_who_somebody_is_beside_a_suggestion(remark: Remark, text: str) -> None:
    assert SIGNS.note(remark) == text


def test_the_coachs_line_of_the_sketch() -> None:
    view = spot("QD QH 7S", phase=Phase.DRAW, discards="QS")
    line = "Your turn: draw, or take Q♦ Q♥ with the Q♠. You may not call: nothing of yours is exposed."
    assert SIGNS.coach(coach(context(view))) == line
    assert "take the queen of diamonds, hearts with the queen of spades" in WORDS.coach(coach(context(view)))


@pytest.mark.parametrize(
    ("remark", "text"),
    [
        (Remark(Does.TAKE, ("QD QH QS",)), "exposes Q♦ Q♥ Q♠, then you discard"),
        (Remark(Does.EMPTIES), "empties your hand: Tong-its, you win"),
        (Remark(Does.DISCARD, ("10",)), "10 points"),
        (Remark(Does.DISCARD, ("1",)), "1 point"),
        (Remark(Does.LAYOFF_BLOCKS, ("ben", "4H 5H 6H")), "goes on ben's 4♥ 5♥ 6♥, so ben may not call next"),
        (Remark(Note.WAYS, ("4",)), "4 ways to go on"),
        (
            Remark(Note.ROW, ("lab", "Tong-its", "ben", "1", "lobby")),
            "lab · Tong-its · host ben · 1 seat free · usual rules",
        ),
        (
            Remark(Note.ROW, ("lab", "Tong-its", "ben", "2", "waiting", "scoring", "chips", "stake", "5")),
            "lab · Tong-its · host ben · 2 seats free · changing its host · scoring chips, stake 5",
        ),
        (Remark(Note.OPTION, ("wins", "what is won", "wins")), "wins: what is won"),
        (Remark(Note.CHANGED, ("chips", "what is won", "wins")), "chips (usually wins): what is won"),
        (Remark(Note.NOW, ("what is won",)), "now: what is won"),
        (Remark(Note.USUAL, ("what is won",)), "usual: what is won"),
    ],
)
def test_notes(remark: Remark, text: str) -> None:
    assert SIGNS.note(remark) == text


# ---- notices


@pytest.mark.parametrize(
    ("notice", "text"),
    [
        (notices.Entered(0), "You sit at the table Friday night, Tong-its."),
        (notices.Entered(None), "You are watching the table Friday night, Tong-its."),
        (notices.HostIs("ben", 1), "ben is the host."),
        (notices.HostIs("ana", 1), "You are the host."),
        (notices.Seated(1, "ben", b"", ""), "ben is in seat 2."),
        (notices.Seated(2, "bot-1", b"", "easy"), "bot-1 is in seat 3, a bot (easy)."),
        (notices.Seated(0, "ana", b"", ""), "You are in seat 1."),
        (notices.Watching("dan", b""), "dan came to watch."),
        (notices.Vacated(1, "ben", "left"), "ben left the table."),
        (notices.Vacated(1, "ben", "ragequit"), "ben left in a rage."),
        (notices.Vacated(1, "ben", "lost"), "ben did not come back, so the seat is free."),
        (notices.Vacated(1, "ben", "whatever"), "ben got up."),
        (notices.Unwatched("dan"), "dan no longer watches."),
        (notices.Dropped(1, "ben", 90), "ben's line is lost; the seat is kept for 90 seconds."),
        (notices.Returned(1, "ben"), "ben is back."),
        (notices.BotPlays(1, "ben", True, "left"), "A bot plays for ben now."),
        (notices.BotPlays(1, "ben", False, "back"), "ben plays again."),
        (notices.OptionsSet((), ()), "This table has the usual rules; `rules` shows them."),
        (notices.OptionsSet((("scoring", "chips"),), ()), "Rules of this table: scoring chips."),
        (notices.MatchStarted(1, ("ana", "ben", "cy")), "The match begins; the seats are drawn: you, ben and cy."),
        (notices.RoundStarted(3, ("ana", "ben", "cy"), 1), "Round 3: ben starts."),
        (notices.RoundStarted(3, ("ana", "ben", "cy"), 0), "Round 3: you start."),
        (notices.RoundStarted(3, ("ana", "ben", "cy"), None), "Round 3 begins."),
        (notices.Shuffled(31), "The stock ran out: 31 discards were shuffled into a new one."),
        (notices.TimeShort((0,), ("ana",), 10), "10 seconds left of your time."),
        (notices.TimeShort((), (), 120), "The table closes in 2 minutes unless somebody does something."),
        (notices.TimeShort((1, 2), ("ben", "cy"), 15), "15 seconds left of ben's and cy's time."),
        (
            notices.SkipWanted(1, "ben", 1, 2),
            "ben wanted the turn skipped (1 of the 2 who must want it).",
        ),
        (notices.DeckShown(1, "ben"), "ben laid the whole deck open: everybody can see it with `deck`."),
        (
            notices.MatchOver((("ana", 2), ("ben", 1)), ("ana",)),
            "The match is over, and you won it. Scores: you 2, ben 1.",
        ),
        (notices.LinkLost(), "The line to the host is lost; trying to get back."),
        (notices.LinkBack(), "The line to the host is back."),
        (notices.Alarm("it lied"), "Warning: the host did what no honest host does: it lied."),
        (
            notices.Closed("hung_up", ""),
            "You are gone from the table, and your seat is kept: `resume` goes back.",
        ),
        (notices.Closed("lost", ""), "Nobody of the table can be reached any more."),
        (notices.Closed("full", "every seat is taken: ben, cy"), "Every seat is taken: ben, cy."),
        (notices.Refused("full", "every seat is taken: ben, cy"), "Every seat is taken: ben, cy."),
        (notices.Closed("left", ""), "You left the table."),
        (notices.Closed("bye", "match over"), "The match is over, and the table is closed."),
        (
            notices.Closed("bye", "nobody did anything for 30 minutes"),
            "The table is closed: nobody did anything for 30 minutes.",
        ),
        (notices.Closed("bye", "ana closed the table"), "You closed the table."),
        (notices.Closed("bye", ""), "The table is closed."),
        (notices.Ready(1, "ben"), "ben is ready."),
        (notices.Ready(0, "ana"), "You are ready; waiting for ben and cy."),
        (notices.Stopped(1, "ben"), "ben ended the match."),
        (notices.Stopped(0, "ana"), "You ended the match."),
        (notices.Returned(0, "ana"), "You are back."),
        (notices.Dropped(0, "ana", 90), "Your line is lost; the seat is kept for 90 seconds."),
        (notices.BotPlays(0, "ana", True, "left"), "A bot plays for you now."),
        (notices.BotPlays(0, "ana", True, "time-outs"), "A bot plays for you now: three turns in a row ran out."),
        (
            notices.BotPlays(1, "ben", True, "contributions"),
            "A bot plays for ben now: twice no part of the shuffle came in time.",
        ),
        (notices.BotPlays(0, "ana", False, "back"), "You play again."),
        (notices.Closed("bye", "ben closed the table"), "ben closed the table."),
        (notices.Closed("kicked", "too slow"), "You were shown out of the table for good: too slow."),
        (notices.Closed("strange", ""), "The connection ended."),
        (notices.Opened("lab", b"", 25252), "Your table lab is open for others, at port 25252."),
        (notices.Failed("The port is in use.", 1), "The port is in use."),
        (notices.Refused("not_your_turn", ""), "It is not your turn."),
        (notices.Hinted("draw"), "A bot would `draw`."),
        (
            notices.Hinted("play 9S 9H", sure=True),
            "A bot would `play 9♠ 9♥`: with that you win the round, whatever the others hold.",
        ),
        (
            notices.Hinted("discard KS", "discard QH", 40),
            "A bot would `discard K♠`: of 40 deals that fit what you know it came out best; next was `discard Q♥`.",
        ),
        (notices.Refused("not_held", "QS QD"), "You don't hold the Q♠ or the Q♦."),
        (notices.Refused("does_not_fit", "KD m1 4H 5H 6H"), "The K♦ does not fit m1: 4♥ 5♥ 6♥."),
        (notices.Refused("unknown_meld", "m9"), "There is no m9 on the table."),
        (notices.Refused("stale", ""), "The table had moved on before that arrived; look again."),
        (notices.Refused("of_the_future", "not on Sundays"), "not on Sundays."),
        (notices.Refused("of_the_future", ""), "The host refused that."),
    ],
)
def test_notices(notice: Notice, text: str) -> None:
    assert one(notice) == text


def test_who_watches_as_a_guest_may_get_a_seat() -> None:
    node = FakeNode()
    node.sit(others=1, host=False)
    (told,) = SIGNS.notice(notices.Entered(None), node.table)
    assert told.endswith("Tong-its; when a seat is free between two rounds, it is yours.")


def test_a_turn_that_is_skipped_or_to_be_skipped() -> None:
    assert one(notices.SkipWanted(1, "ben", 1, 2)) == "ben wanted the turn skipped (1 of the 2 who must want it)."
    assert one(notices.SkipWanted(0, "ana", 2, 2)) == "You had the turn skipped."
    assert one(notices.SkipWanted(0, "ana", 1, 2)) == "You had the turn skipped."  # the host's word counts alone


def test_why_a_default_was_played() -> None:
    node = FakeNode()
    node.sit(others=2)
    for settings, skips, why in (
        ((), (), "turn was skipped"),
        ((("turn_seconds", "30"),), (), "time was up"),
        ((("turn_seconds", "30"),), (2,), "turn was skipped"),
    ):
        node.change(settings=settings, skips=skips)
        told = SIGNS.notice(acted("discard QS", by="time"), node.table)
        assert told == (f"ben discarded Q♠, because the {why}.",)


def test_seats_in_the_order_of_the_lobby_are_not_drawn() -> None:
    node = FakeNode()
    node.sit(others=2)
    node.change(settings=(("seat_order", "join_order"),))
    started = notices.MatchStarted(1, ("ben", "ana", "cy"))
    assert SIGNS.notice(started, node.table) == ("The match begins: ben, you and cy.",)


def test_some_notices_are_no_news_to_people() -> None:
    silent: list[Notice] = [
        notices.CardsChanged("AS"),
        notices.TurnOf((0,), True),
        notices.Recorded(("…",)),
        notices.SeatsFull(),
        notices.Watching("ana", b""),
        notices.Vacated(0, "ana", "left"),
        notices.Vacated(0, "ana", "ragequit"),
    ]
    assert [SIGNS.notice(notice, None) for notice in silent] == [()] * len(silent)


def test_what_the_host_writes_cannot_move_the_cursor() -> None:
    evil = "\x1b[2Jgone\u202e\r\nnext"
    for notice in (
        notices.Refused("x", evil),
        notices.Closed("kicked", evil),
        notices.Alarm(evil),
        notices.Audited(1, False, None, "", evil),
        notices.Failed(evil, 1),
    ):
        assert re.search(r"[\x00-\x1f\u202e]", one(notice)) is None


@pytest.mark.parametrize("reason", [reason.name.lower() for reason in Reason])
def test_every_reason_to_close_has_words(reason: str) -> None:
    assert one(notices.Closed(reason, "")) != "The connection ended."


# ---- what somebody did


@pytest.mark.parametrize(
    ("notice", "text"),
    [
        (acted("draw"), "ben drew a card."),
        (acted("draw", 0), "You drew a card."),
        (acted("discard QS"), "ben discarded Q♠."),
        (acted("take QD QH"), "ben took the top discard and exposed it with Q♦ Q♥."),
        (acted("expose 3S 4S 5S"), "ben exposed 3♠ 4♠ 5♠."),
        (acted("layoff 6H m2"), "ben laid 6♥ on m2."),
        (acted("call"), "ben called."),
        (acted("answer", kind="blind"), "ben answered the call; it is seen when all have answered."),
        (acted("answer", 0, kind="blind"), "You answered the call; the others see it when all have answered."),
        (acted("layoff 6H"), "ben did what is no action of Tong-its."),
        (acted("layoff 6H m\x1b"), "ben did what is no action of Tong-its."),
        (acted("challenge", kind="opening"), "ben challenged the call."),
        (acted("fold", 0, kind="opening"), "You folded."),
        (acted("discard QS", by="time"), "ben discarded Q♠, because the turn was skipped."),
        (acted("discard QS", by="bot"), "ben's bot discarded Q♠."),
        (acted("discard QS", 0, by="bot"), "Your bot discarded Q♠."),
    ],
)
def test_acts_without_the_views_around_them(notice: Acted, text: str) -> None:
    assert one(notice) == text


def test_in_plain_words() -> None:
    assert one(acted("discard QS"), WORDS) == "ben discarded the queen of spades."
    assert one(acted("expose 3S 4S 5S"), WORDS) == "ben exposed 3, 4, 5 of spades."
    hint = notices.Hinted("play 6C 7H", "play 6C", 2)
    assert one(hint, WORDS).startswith("A bot would `play 6C 7H`: of 2 deals")
    assert one(hint, WORDS).endswith("; next was `play 6C`.")


def test_a_drawn_card_is_named_to_who_drew_it() -> None:
    before, after = spot("AS KD", phase=Phase.DRAW), spot("AS KD 7H")
    notice = acted("draw", 0, before=before, after=after)
    assert one(notice) == "You drew 7♥."
    assert one(notice, Words(Cards.SIGNS, "ana", hidden=True)) == "You drew a card."
    assert one(acted("draw", 1, before=before, after=replace(after, hand=before.hand))) == "ben drew a card."
    assert one(acted("draw", 1, before=before, after=after)) == "ben drew a card."  # ours came before, in one batch


def test_a_taken_discard_is_named_with_its_meld() -> None:
    before = spot("AS KD", phase=Phase.DRAW, turn=1, discards="KC QS")
    after = spot("AS KD", turn=1, discards="KC", melds=((0, "4H 5H 6H"), (1, "QD QH QS")))
    assert one(acted("take QD QH", 1, before=before, after=after)) == "ben took Q♠ and exposed Q♦ Q♥ Q♠ as m2."
    on = replace(after, public=replace(after.public, melds=after.public.melds[:1]))
    line = one(acted("take m1", 1, before=before, after=on))
    assert line == "ben took Q♠ and laid it on your m1, so you may not call next."


def test_melds_that_the_views_do_not_show() -> None:
    empty = spot("AS KD", turn=1)
    assert one(acted("take QD QH", 1, after=empty)) == "ben took the top discard and exposed it with Q♦ Q♥."
    assert one(acted("layoff 7H m4", 1, after=empty)) == "ben laid 7♥ on m4."
    assert not SIGNS.notice(acted("layoff 7H m1", 1, after=empty), None)


def test_an_exposed_meld_is_named() -> None:
    after = spot("AS KD", turn=1, melds=((0, "4H 5H 6H"), (1, "3S 4S 5S")))
    assert one(acted("expose 3S 4S 5S", 1, after=after)) == "ben exposed 3♠ 4♠ 5♠ as m2."


def test_a_lay_off_says_whose_meld_it_was() -> None:
    after = spot("AS KD", turn=1, melds=((0, "4H 5H 6H 7H"), (1, "3S 4S 5S"), (2, "8C 8D 8H")))
    line = "ben laid 7♥ on your m1, so you may not call next."
    assert one(acted("layoff 7H m1", 1, after=after)) == line
    assert one(acted("layoff 3S m2", 1, after=after)) == "ben laid 3♠ on ben's own m2."
    assert one(acted("layoff 3S m2", 0, after=after)) == "You laid 3♠ on ben's m2, so ben may not call next."


def test_who_is_burned_by_a_call_is_told_so() -> None:
    after = spot("AS KD", phase=Phase.RESPOND, turn=1, asked=(2,))
    line = "ben called; you have no meld on the table, so can't challenge."
    assert one(acted("call", 1, after=after)) == line
    nobody = replace(after, public=replace(after.public, asked=()))
    line = "ben called; you and cy have no meld on the table, so can't challenge."
    assert one(acted("call", 1, after=nobody)) == line
    asked = replace(after, public=replace(after.public, asked=(0, 2)))
    assert one(acted("call", 1, after=asked)) == "ben called."
    assert one(acted("call", 0, after=after)) == "You called; ben has no meld on the table, so can't challenge."


def test_what_is_asked_when_cards_are_hidden() -> None:
    veiled = Words(Cards.SIGNS, "ana", hidden=True)
    view = spot("2D 7S", phase=Phase.RESPOND, turn=1, asked=(0, 2))
    line = "ben called: challenge or fold. Your cards are hidden; `hide` shows them again."
    assert veiled.coach(coach(context(view))) == line


# ---- the end of a round


def over(
    reason: str, winners: tuple[str, ...], shown: tuple[tuple[int, str, int], ...] = (), **more: object
) -> list[str]:
    view = spot("AS", turn=1, **more)  # type: ignore[arg-type]  # what spot takes
    public = replace(view.public, shown=tuple((seat, cards(hand), points) for seat, hand, points in shown))
    node = FakeNode()
    node.sit(others=2)
    node.change(last=RoundResult(3, reason, (), (0, 0, 0), replace(view, public=public)))
    points = tuple((nick, int(nick in winners)) for nick in ("ana", "ben", "cy"))
    return list(SIGNS.notice(notices.RoundOver(3, reason, winners, points), node.table))


def test_a_pot_that_nobody_took_lapses_with_the_match() -> None:
    node = FakeNode()
    node.sit(others=2)
    for pot, told in ((0, []), (6, ["The pot of 6 lapses."])):
        node.change(pot=pot)
        over = notices.MatchOver((("ana", 2), ("ben", 1)), ("ana",))
        assert list(SIGNS.notice(over, node.table)) == [
            "The match is over, and you won it. Scores: you 2, ben 1.",
            *told,
        ]


def test_what_was_laid_off_at_a_showdown_is_told() -> None:
    shown = ((0, "7H 8H KD", 10), (1, "9C 9D 9S 4D", 4))
    assert over("call", ("ben",), shown, melds=((0, "4H 5H 6H"),))[1:3] == [
        "You showed 7♥ 8♥ K♦, 7♥ 8♥ laid off: deadwood 10.",
        "ben showed 4♦ 9♣ 9♦ 9♠: deadwood 4.",
    ]


def test_how_a_round_ended() -> None:
    assert over("tongits", ("ana",)) == ["You went out: Tong-its.", "Points: you +1."]
    assert over("call", ("ben",)) == [
        "Nobody challenged, so ben won the call.",
        "You had no meld on the table, so you could not challenge.",
        "Points: ben +1.",
    ]
    assert over("call", ("ben",), melds=((0, "4H 5H 6H"),))[1] == "Points: ben +1."
    shown = ((1, "AS 2D", 3), (0, "7H 7D 7S KD", 10))
    assert over("call", ("ben",), shown, melds=((0, "4H 5H 6H"),)) == [
        "ben won the call.",
        "ben showed A♠ 2♦: deadwood 3.",
        "You showed 7♦ 7♥ 7♠ K♦: deadwood 10.",
        "Points: ben +1.",
    ]
    assert over("exhausted", ("cy",), ((0, "2D", 2), (2, "AS", 1)))[:2] == [
        "The stock is used up: cy won with the lowest hand.",
        "You showed 2♦: deadwood 2.",
    ]
    assert over("exhausted", ("cy",), ((1, "2D", 2), (2, "AS", 1)))[1] == (
        "You had no meld on the table, so your hand did not count."
    )
    assert over("exhausted", ("cy",), ((2, "AS", 1),))[:2] == [
        "The stock is used up: cy won, as nobody else had a meld on the table.",
        "You had no meld on the table, so your hand did not count.",
    ]
    assert over("exhausted", ()) == [
        "The stock is used up and nobody has exposed a meld: nobody wins.",
        "Nobody gets a point.",
    ]
    assert over("void", ()) == ["Round 3 does not count."]


def test_the_end_is_told_from_the_open_round_only_when_its_view_is_the_last_one() -> None:
    node = FakeNode()
    node.sit(others=2)
    notice = notices.RoundOver(1, "call", ("ben",), (("ana", 0), ("ben", 1), ("cy", 0)))
    view = spot("AS", turn=1)
    node.change(view=replace(view, public=replace(view.public, phase=Phase.OVER)))
    assert SIGNS.notice(notice, node.table)[0] == "Nobody challenged, so ben won the call."
    node.change(view=view)
    assert SIGNS.notice(notice, node.table)[0] == "ben won the call."


def test_a_whole_match_is_told_in_players_words() -> None:
    for seed in range(4):
        node = FakeNode(seed, options={"match_rounds": "1"})
        told: list[str] = []
        node.listen(lambda notice, node=node, told=told: told.extend(_lines(node, notice)))  # type: ignore[misc]  # bound in the loop
        node.sit()
        node.start()
        table = node.table
        while table is not None and table.view is not None:
            action = next(iter(table.game.legal_actions(table.view)))
            node._act(TongIts().format(action))
            table = node.table
        assert all(re.fullmatch(r"[^{}_]+[.!?]", line) for line in told), told
        assert told[-1].startswith("The match is over")


def _lines(node: FakeNode, notice: Notice | None) -> tuple[str, ...]:
    return () if notice is None else WORDS.notice(notice, node.table)

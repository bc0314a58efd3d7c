"""Whatever is played, on whatever screen, however cards are shown."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.cards import Card, deck
from p2pcards.commands.arrange import ORDERS, arrange
from p2pcards.commands.table_hand import CARD_MODES
from p2pcards.games.registry import GAMES
from p2pcards.table.tableview import Stage, TableView
from p2pcards.ui import frame, scoresheet, words_forced
from p2pcards.ui.frame import LEAST, compose
from p2pcards.ui.gamescreens import open_round
from p2pcards.ui.local import Happened, Local, Offer
from p2pcards.ui.theme import Look, Size
from p2pcards.ui.voice import Cards, Voice
from p2pcards.ui.width import Line, cells
from tests.testing.dice import dice
from tests.testing.odd_tables import moments
from tests.testing.screens import text_of, texts, widest

SEATS = {"onecard": (2, 5, 8), "tienlen": (2, 3, 4)}
LOOKS = st.builds(Look, st.booleans(), st.booleans(), st.booleans(), st.sampled_from("A1"))
SIZES = st.builds(Size, st.integers(1, 200), st.integers(1, 60))
USUAL = [Size(80, 24), Size(100, 30), Size(120, 40), Size(200, 60)]
NARROW = [Size(40, 10), Size(40, 24), Size(44, 16), Size(66, 30)]
"""Of each kind of drawing the last columns that it has room in."""
HAPPENED = (Happened("ben did something."), Happened("cy did it too.", fresh=True))


def painted(table: TableView, size: Size, look: Look, local: Local) -> list[Line]:
    """As the program paints it."""
    if size.cols < LEAST.cols or size.rows < LEAST.rows:
        return frame.too_small(size)
    if table.stage is Stage.PLAYING:
        screen = open_round(table, size, local)
        for body, hand in screen.drawings:  # none is cut where it would be chosen
            assert max(map(cells, texts(body)), default=0) <= frame.body_width(size), texts(body)
            assert max(map(cells, texts(hand)), default=0) <= size.cols, texts(hand)
    else:
        assert table.last is not None
        screen = scoresheet.draw(table, table.last, size, local)
    return compose(screen, size, look, local)


def rounds(name: str, seed: int) -> list[TableView]:
    """Moments of a match played by chance."""
    seats = SEATS.get(name, (GAMES[name].usual_seats,))
    options = {"rounds": "1", "turn_limit": "60"} if name == "onecard" else {}
    playing = moments(name, seed, options, bots=1, seats=seats[seed % len(seats)])
    return list(islice(playing, seed % 9, 90, 9))


def held(table: TableView, order: str) -> tuple[Card, ...]:
    return arrange(table.game, table.game.hand(table.view), order) if table.stage is Stage.PLAYING else ()


def marked(table: TableView, local: Local, seed: int, *, picking: bool) -> Local:
    """All that may be marked: every card of the table and every score are new, the only move is about to be played;
    picking: with some cards raised."""
    news = local._replace(
        fresh=frozenset(deck(table.game.decks())),
        gained=frozenset(range(len(table.seats))),
        coach=words_forced.waiting(Voice(Cards.SIGNS, "ana"), "layoff TH m12", enter=False),
    )
    if not (picking and local.hand and not local.hidden):
        return news
    rng = dice(seed)
    raised = rng.sample(local.hand, rng.randrange(len(local.hand) + 1))
    lines = tuple(Offer(f"layoff TH m{number}", "what it does, in words " * 9) for number in range(1, 13))
    chosen = rng.choice([None, *range(len(lines))])
    return news._replace(
        picking=True, cursor=rng.choice(local.hand), raised=frozenset(raised), menu=lines, chosen=chosen
    )


@pytest.mark.parametrize("mode", CARD_MODES)
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=5, deadline=None)
@given(
    st.integers(0, 2**32),
    LOOKS,
    st.lists(SIZES, min_size=4, max_size=4),
    st.sampled_from(ORDERS),
    st.sampled_from(["seen", "hidden", "picked"]),
)
def test_no_line_is_wider_than_the_screen_and_nothing_raises(
    name: str, mode: str, seed: int, look: Look, sizes: list[Size], order: str, how: str
) -> None:
    for place, table in enumerate(rounds(name, seed)):
        local = Local(hand=held(table, order), hidden=how == "hidden", mode=mode, happened=HAPPENED)
        local = marked(table, local, seed + place, picking=how == "picked")
        for size in (sizes[place % 4], USUAL[place % 4], NARROW[place % 4]):
            lines = painted(table, size, look, local)
            assert widest(lines) <= size.cols
            assert len(lines) <= size.rows


@pytest.mark.parametrize("mode", CARD_MODES)
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=3, deadline=None)
@given(st.integers(0, 2**32))
def test_in_every_mode_the_hand_the_news_and_the_whole_table_are_seen(name: str, mode: str, seed: int) -> None:
    for place, table in enumerate(rounds(name, seed)):
        if table.stage is not Stage.PLAYING:
            continue
        local = Local(hand=held(table, "rank"), mode=mode, happened=HAPPENED, coach="Your turn.")
        size = USUAL[place % 4]
        text = "\n".join(texts(painted(table, size, Look(), local)))
        assert "more lines" not in text
        assert "did it too" in text
        assert "Your turn." in text
        for card in local.hand:
            sign = table.game.ranking.format(card)
            assert sign[0] + dict(zip("CDHS", "♣♦♥♠", strict=True))[sign[1]] in text
        for seat in table.seats[1:]:
            assert seat.nick[:4] in text


@pytest.mark.parametrize("name", GAMES)
def test_text_has_no_boxes_and_art_has_drawn_cards_where_they_fit(name: str) -> None:
    drawn = set()
    for table in (table for seed in range(3) for table in rounds(name, seed)):
        if table.stage is not Stage.PLAYING:
            continue
        for mode in CARD_MODES:
            for size in USUAL:
                local = Local(hand=held(table, "rank"), mode=mode, happened=HAPPENED)
                text = "\n".join(map(text_of, painted(table, size, Look(), local)))
                if mode in ("text", "ascii"):
                    assert "╭" not in text
                if mode == "boxes":
                    assert "─────╮" not in text.replace("╭───────╮", "")
                if mode == "art" and "─────╮" in text:
                    drawn.add(size)
    assert USUAL[-1] in drawn

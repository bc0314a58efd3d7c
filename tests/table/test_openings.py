"""What a guest makes of the cards that are opened to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.cards import Card, cards_of
from p2pcards.errors import ProtocolError
from p2pcards.games.base import Seat
from p2pcards.games.onecard import OneCard
from p2pcards.games.onecard.pack import held
from p2pcards.games.onecard.state import Phase
from p2pcards.games.options import read_options
from p2pcards.games.registry import GAMES
from p2pcards.table.deal import card_salt, leaf
from p2pcards.table.leaves import Leaf, Opening, opened
from p2pcards.table.openings import Openings
from p2pcards.wire.entries import OpenPub
from p2pcards.wire.messages import View, encode
from p2pcards.wire.records import BODY_BYTES, Sealer
from tests.games.anygame import games
from tests.games.walk import AnyGame, seatings
from tests.testing.folding import EPOCH, TABLE, Folding
from tests.testing.tally import Tally

seeds = st.integers(0, 2**32)

WRONG = "a card that is not the one dealt"


class Shown:
    """A round, and the program of one seat that is shown its cards; `skip` of its leaves it was shown before."""

    def __init__(self, played: Folding, seat: int) -> None:
        self.played, self.seat, self.skip = played, seat, 0
        self.openings = Openings()
        if played.fold.leaves.up:
            self.openings.laid_open(OpenPub(self.of(played.fold.leaves.up)))

    def of(self, leaves: Sequence[Leaf]) -> tuple[Opening, ...]:
        """These cards, as an honest host opens them."""
        return opened(self.played.fold, self.played.secret, leaves)

    @property
    def fresh(self) -> tuple[Opening, ...]:
        """What an honest host opens now."""
        return self.played.openings(self.seat, self.skip)

    def look(self, shown: Sequence[Opening] | None = None, view: Any = None) -> None:
        """The program is shown the newest view, by an honest host unless somebody says otherwise."""
        played = self.played
        self.openings.take(
            played.game,
            played.books,
            played.fold.view(self.seat) if view is None else view,
            self.fresh if shown is None else shown,
        )
        self.skip = len(played.fold.leaves.of(self.seat))

    def refused(self, shown: Sequence[Opening], view: Any = None) -> str:
        """Why the program takes the host at fault; the honest view is good after it, so nothing has changed."""
        with pytest.raises(ProtocolError) as refusal:
            self.look(shown, view)
        self.look()
        return str(refusal.value)


def _tongits(seed: int | str = 1) -> Folding:
    return Folding(GAMES["tongits"](), 3, seed)


def _after_draws(seat: int, *, others: bool) -> Shown:
    """Tong-its; the program saw the deal, and then everybody (or the other two alone) has had a turn."""
    played = _tongits()
    shown = Shown(played, seat)
    shown.look()
    for _ in range(6):
        actor = played.fold.to_act[0]
        if others and actor == seat:
            break
        texts = [played.game.format(a) for a in played.game.legal_actions(played.fold.view(actor))]
        text = "draw" if "draw" in texts else next(text for text in texts if text.startswith("discard"))
        played.index += 1
        played.fold.act(actor, text, played.index)
    return shown


# ---- an honest host


@given(games(), seeds, st.integers(0, 9), st.booleans())
@settings(max_examples=60, deadline=None)
def test_an_honest_host_is_never_blamed_even_by_those_who_come_back(
    game: AnyGame, seed: int, draws: int, first: bool
) -> None:
    played = Folding(game, seatings(game)[seed % len(seatings(game))], seed, first=first, draws=draws)
    guests = [Shown(played, seat) for seat in range(played.seats)]
    for _ in range(80):
        for guest in guests:
            if played.rng.randrange(3):  # a batch of entries brings one view
                guest.look()
            if not played.rng.randrange(20):  # a new link: everything held is opened again
                guest.skip = 0
            if not played.rng.randrange(20):  # the program begins anew
                guests[guest.seat] = Shown(played, guest.seat)
        if not played.step():
            break
    for guest in guests:
        guest.look()


@pytest.mark.parametrize("seed", range(2))
def test_cards_of_a_new_stock_are_opened_like_the_others(seed: int) -> None:
    game = OneCard(read_options(OneCard, {"decks": "1", "must_play": "false"}))
    played = Folding(game, 4, seed, draws=7)
    guests = [Shown(played, seat) for seat in range(4)]
    while played.newest < EPOCH + 3:
        for guest in guests:
            guest.look()
        assert played.step()
    late = Shown(played, played.seats - 1)
    late.look()
    still = [(played.newest, len(played.orders[played.newest]) - 1)]
    assert late.refused(late.of(still)) in ("a card that was not drawn now", "a card opened that is not in our hand")


def test_a_spectator_is_opened_nothing() -> None:
    watching = Shown(_tongits(), 0)
    watching.look((), watching.played.fold.view(None))
    card = watching.of(watching.played.fold.leaves.of(0)[:1])
    with pytest.raises(ProtocolError, match="a card that was dealt to somebody else"):
        watching.look(card, watching.played.fold.view(None))


def test_a_deck_that_everybody_looks_into_may_be_opened_to_its_owners_too() -> None:
    shown = _after_draws(0, others=False)
    whole = [(EPOCH, place) for place in range(52)]
    shown.openings.laid_open(OpenPub(shown.of(whole)))
    shown.played.books.deck = bytes(card for *_, card in shown.of(whole))
    shown.look()


# ---- a host that isn't


def _forged(opening: Opening, card: int) -> Opening:
    return (*opening[:3], card)


def test_every_wrong_card_is_found_at_once() -> None:
    shown = Shown(_tongits(), 1)
    honest = shown.fresh
    for card in range(256):
        if card != honest[0][3]:
            assert shown.refused([_forged(honest[0], card), *honest[1:]]) == WRONG


def test_a_card_that_there_is_not_is_found_though_its_leaf_was_dealt() -> None:
    shown = Shown(_tongits(), 1)
    (epoch, place, salt, _), *others = shown.fresh
    deal = shown.played.books.epochs[epoch]
    honest = deal.leaves
    deal.leaves = honest[: 32 * place] + leaf(TABLE, epoch, place, salt, 52) + honest[32 * place + 32 :]
    with pytest.raises(ProtocolError, match=WRONG):
        shown.look([(epoch, place, salt, 52), *others])


@pytest.mark.parametrize("salt", [bytes(32), b""])
def test_a_wrong_salt_is_found(salt: bytes) -> None:
    shown = Shown(_tongits(), 1)
    (epoch, place, _, card), *others = shown.fresh
    assert shown.refused([(epoch, place, salt, card), *others]) == WRONG


@pytest.mark.parametrize("at", [(EPOCH + 1, 0), (EPOCH - 1, 0), (EPOCH, 52), (EPOCH, 65535), (0, 0)])
def test_a_place_of_no_order_is_found(at: Leaf) -> None:
    shown = Shown(_tongits(), 1)
    _, *others = shown.fresh
    assert shown.refused([(*at, card_salt(shown.played.secret, *at), 3), *others]) == WRONG


def test_a_missing_opening_is_found() -> None:
    shown = Shown(_tongits(), 1)
    assert shown.refused(shown.fresh[1:]) == "a card in our hand that was not shown to be dealt to us"


def test_a_missing_opening_of_a_drawn_card_is_found() -> None:
    shown = _after_draws(0, others=False)
    assert len(shown.fresh) == 1
    assert shown.refused(()) == "a card in our hand that was not shown to be dealt to us"


def test_a_card_of_another_hand_is_found() -> None:
    shown = Shown(_tongits(), 1)
    view = shown.played.fold.view(1)
    foreign = shown.of(shown.played.fold.leaves.of(2)[:1])
    hand = view.hand & ~(1 << shown.fresh[0][3]) | 1 << foreign[0][3]
    assert shown.refused([*foreign, *shown.fresh[1:]], replace(view, hand=hand)) == (
        "a card that was dealt to somebody else"
    )


def test_a_card_still_in_the_stock_is_found() -> None:
    shown = Shown(_tongits(), 1)
    view = shown.played.fold.view(1)
    foreign = shown.of([(EPOCH, 51)])
    hand = view.hand & ~(1 << shown.fresh[0][3]) | 1 << foreign[0][3]
    assert shown.refused([*foreign, *shown.fresh[1:]], replace(view, hand=hand)) == "a card that was not drawn now"


def test_a_card_that_was_drawn_before_our_last_view_is_not_drawn_again() -> None:
    shown = _after_draws(0, others=False)
    drew = {seat: shown.played.fold.leaves.of(seat)[-1] for seat in range(3)}
    shown.look()
    earlier = drew[1] if drew[1] < drew[0] else drew[2]
    foreign = shown.of([earlier])
    view = shown.played.fold.view(0)
    gone = Card(next(card for card in range(52) if view.hand >> card & 1))
    assert shown.refused(foreign, replace(view, hand=view.hand & ~(1 << gone) | 1 << foreign[0][3])) == (
        "a card that was not drawn now"
    )


def test_the_leaf_of_a_foreign_draw_is_not_ours_to_see() -> None:
    shown = _after_draws(0, others=True)
    drew = max(shown.played.fold.leaves.of(seat)[-1] for seat in (1, 2))
    assert shown.refused([*shown.fresh, *shown.of([drew])]) == "a card opened that is not in our hand"


def test_a_played_card_does_not_come_back_without_its_leaf() -> None:
    played = _tongits()
    seat = played.fold.to_act[0]
    shown = Shown(played, seat)
    shown.look()
    if "draw" in [played.game.format(a) for a in played.game.legal_actions(played.fold.view(seat))]:
        played.fold.act(seat, "draw", 6)
        shown.look()
    before = played.fold.view(seat).hand
    texts = [played.game.format(a) for a in played.game.legal_actions(played.fold.view(seat))]
    played.fold.act(seat, next(text for text in texts if text.startswith("discard")), 7)
    shown.look()
    view = played.fold.view(seat)
    gone = next(card for card in range(52) if (before & ~view.hand) >> card & 1)
    kept = next(card for card in range(52) if view.hand >> card & 1)
    back = replace(view, hand=view.hand & ~(1 << kept) | 1 << gone)
    assert shown.refused((), back) == "a card in our hand that was not shown to be dealt to us"


def test_a_hand_that_lost_a_card_is_found() -> None:
    shown = Shown(_tongits(), 1)
    view = shown.played.fold.view(1)
    lost = shown.fresh[0][3]
    assert shown.refused(shown.fresh[1:], replace(view, hand=view.hand & ~(1 << lost))) == (
        "a hand that is not of the size that everybody is told"
    )


def test_one_leaf_is_not_two_cards() -> None:
    game = OneCard(read_options(OneCard, {"decks": "2", "order_cards": "never"}))
    shown = Shown(Folding(game, 2, 4), 0)
    view, (first, second, *others) = shown.played.fold.view(0), shown.fresh
    twice = [card for *_, card in (first, first, *others)]
    assert second[3] != first[3]
    assert shown.refused([first, first, *others], replace(view, hand=held(map(Card, twice)))) == "a card opened twice"
    assert shown.refused([first, *others], replace(view, hand=held(map(Card, twice)))) == (
        "a card in our hand that was not shown to be dealt to us"
    )


@pytest.mark.parametrize("order_cards", ["every_round", "never"])
def test_a_card_that_lay_face_up_is_not_drawn(order_cards: str) -> None:
    game = OneCard(read_options(OneCard, {"decks": "1", "order_cards": order_cards, "must_play": "false"}))
    played = Folding(game, 2, 4)
    seat = played.fold.to_act[0]
    shown = Shown(played, seat)
    played.fold.act(seat, "draw", 6)
    view = played.fold.view(seat)
    drawn = shown.fresh[-1]
    for up in shown.of(played.fold.leaves.up):
        cards = [card for *_, card in (*shown.fresh[:-1], up)]
        assert shown.refused([*shown.fresh[:-1], up], replace(view, hand=held(map(Card, cards)))) == (
            "a card that nobody can draw"
        )
        shown = Shown(played, seat)
    shown.look()
    assert drawn[3] in [card for *_, card in shown.of([played.fold.leaves.of(seat)[-1]])]


def test_a_card_that_is_in_nobodys_hand_is_not_drawn() -> None:
    shown = Shown(Folding(GAMES["tienlen"](), 2, 3), 0)
    view, unused = shown.played.fold.view(0), shown.of([(EPOCH, 51)])
    hand = view.hand & ~(1 << shown.fresh[0][3]) | 1 << unused[0][3]
    assert shown.refused([*unused, *shown.fresh[1:]], replace(view, hand=hand)) == "a card that nobody can draw"


# ---- what others on the wire see of it


@pytest.mark.parametrize("name", GAMES)
def test_the_record_of_a_private_card_is_as_long_for_all_52_cards(name: str, tally: Tally) -> None:
    game = GAMES[name]()
    played = Folding(game, game.usual_seats, 1)
    view, (*_, (epoch, place, _, _)) = played.fold.view(0), played.openings(0)
    count = view.public.counts[0]
    lengths = set()
    for card in range(52):
        others = [other for other in range(52) if other != card][: count - 1]
        mine = replace(view, hand=cards_of(map(Card, (card, *others))))
        if name == "onecard":
            public = replace(view.public, phase=Phase.DRAWN, turn=Seat(0))
            mine = replace(mine, public=public, drawn=Card(card))
        told = View(6, game.encode_view(mine), ((epoch, place, bytes([card]) * 32, card),))
        lengths.add(len(Sealer(bytes(32), bytes(32)).seal(*encode(told))))
        lengths.add(len(encode(told)[1]) - 1_000_000)  # and before it was filled up
    assert len(lengths) == 2
    tally("13 statistics", name == "tongits")  # the games are one case


@given(st.integers(0, 51), st.integers(0, 2**32 - 1), st.integers(0, 2**16 - 1), st.binary(max_size=100))
def test_what_an_opening_adds_depends_on_its_place_alone(card: int, epoch: int, place: int, view: bytes) -> None:
    def length(face: int, salt: bytes) -> int:
        return len(encode(View(6, view, ((epoch, place, salt, face),)))[1])

    assert length(card, bytes(32)) == length(51, b"\xff" * 32)


def test_the_largest_hand_that_can_be_opened_at_once_fits_a_record() -> None:
    game = OneCard(read_options(OneCard, {"decks": "4"}))
    view = Folding(game, 2, 1).fold.view(0)
    whole = replace(view, hand=held(map(Card, [*range(52)] * 4)))
    far = tuple((2**32 - 1, 2**16 - 1, bytes(32), card % 52) for card in range(208))
    assert len(encode(View(2**63, game.encode_view(whole), far))[1]) < BODY_BYTES


def test_a_card_whose_view_was_taken_back_must_be_opened_again() -> None:
    """The table went on from before it was drawn: whoever shows it drawn again opens it again."""
    shown = _tongits_before_a_draw()
    played, actor = shown.played, shown.seat
    played.index += 1
    played.fold.act(actor, "draw", played.index)
    drawn, view = shown.fresh, played.fold.view(actor)
    shown.openings.take(played.game, played.books, view, drawn, index=2)
    shown.openings.take(played.game, played.books, view, (), index=2)
    shown.openings.rewind(2, Openings())
    with pytest.raises(ProtocolError, match="not shown to be dealt to us"):
        shown.openings.take(played.game, played.books, view, (), index=2)
    shown.openings.take(played.game, played.books, view, drawn, index=2)


def _tongits_before_a_draw() -> Shown:
    played = _tongits()
    while "draw" not in _texts(played):
        played.index += 1
        played.fold.act(played.fold.to_act[0], next(text for text in _texts(played) if "discard" in text), played.index)
    shown = Shown(played, played.fold.to_act[0])
    shown.look()
    return shown


def _texts(played: Folding) -> list[str]:
    view = played.fold.view(played.fold.to_act[0])
    return [played.game.format(action) for action in played.game.legal_actions(view)]

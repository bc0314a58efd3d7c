"""Tong-its once more, straight from docs/rules/tongits.md with lists, strings and itertools: slow and plain.

The engine is compared with it (tests/games/tongits/test_naive.py) and measured against it (tests/bench). Nothing of
the engine is used here; even the order of the cards is written down again.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any, Protocol

RANKS = "A23456789TJQK"
SUITS = "CDHS"
PACK = [rank + suit for rank in RANKS for suit in SUITS]


class Rng(Protocol):
    """What `random.Random` has."""

    def randrange(self, stop: int, /) -> int: ...
    def shuffle(self, x: list[Any], /) -> None: ...


def value(card: str) -> int:
    """R3."""
    return min(RANKS.index(card[0]) + 1, 10)


def is_meld(cards: list[str]) -> bool:
    """R4 to R6."""
    if len(cards) < 3:
        return False
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    if len(set(ranks)) == 1:
        return True
    same_suit = len({card[1] for card in cards}) == 1
    return same_suit and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def melds_of(hand: list[str]) -> list[list[str]]:
    """Every meld of these cards."""
    groups = [[card for card in hand if card[0] == rank] for rank in RANKS]
    groups += [[card for card in hand if card[1] == suit] for suit in SUITS]
    return [
        list(cards)
        for group in groups
        for size in range(3, len(group) + 1)
        for cards in combinations(group, size)
        if is_meld(list(cards))
    ]


def deadwood(hand: list[str]) -> int:
    """R7: every way to choose melds that share no card."""
    return _least(hand, melds_of(hand))


def _least(hand: list[str], melds: list[list[str]]) -> int:
    best = sum(map(value, hand))
    for place, meld in enumerate(melds):
        if all(card in hand for card in meld):
            rest = [card for card in hand if card not in meld]
            best = min(best, _least(rest, melds[place + 1 :]))
    return best


def _text(cards: list[str]) -> str:
    return " ".join(sorted(cards, key=PACK.index))


class NaiveRound:
    """One round. `options` holds those that differ from the defaults."""

    def __init__(
        self, hands: list[list[str]], stock: list[str], starter: int, options: Mapping[str, bool | int | str]
    ) -> None:
        self.hands, self.stock, self.turn, self.starter = hands, stock, starter, starter
        self.options = options
        self.phase = "act" if options.get("dealer_13") else "draw"
        self.discards: list[str] = []
        self.melds: list[tuple[int, list[str]]] = []
        self.blocked = [False, False, False]
        self.laid_on_own = False
        self.answers: dict[int, str] = {}
        self.reason: str | None = None
        self.winner: int | None = None
        self.compared: list[int] = []

    def acting(self) -> list[int]:
        """Whose turn it is."""
        if self.phase == "over":
            return []
        if self.phase == "respond":
            return [seat for seat in self._others() if self._may_contest(seat) and seat not in self.answers]
        return [self.turn]

    def legal(self, seat: int) -> list[str]:
        """The text of everything the seat may do."""
        if seat not in self.acting():
            return []
        if self.phase == "respond":
            return ["challenge", "fold"]
        hand = self.hands[seat]
        return self._legal_draw(seat, hand) if self.phase == "draw" else self._legal_act(hand)

    def _legal_draw(self, seat: int, hand: list[str]) -> list[str]:
        texts = ["draw"]
        if self.discards:
            top = self.discards[-1]
            for meld in melds_of([*hand, top]):
                if top in meld:
                    texts.append("take " + _text([card for card in meld if card != top]))
            if self.options.get("discard_layoff"):
                texts += [f"take {name}" for name in self._fitting(top)]
        if self._has_meld(seat) and not self.blocked[seat]:
            texts.append("call")
        return texts

    def _legal_act(self, hand: list[str]) -> list[str]:
        texts = ["expose " + _text(meld) for meld in melds_of(hand)]
        for card in hand:
            names = self._fitting(card)
            texts += [f"layoff {card} {name}" for name in names]
            if not (names and self.options.get("must_not_discard_layoffable")):
                texts.append(f"discard {card}")
        return texts

    def act(self, seat: int, text: str) -> None:
        """A legal action."""
        verb, *words = text.split()
        getattr(self, "_" + verb)(seat, words)
        if self.phase in ("draw", "act") and not self.hands[seat]:
            self._end("tongits", seat)
        elif verb == "discard" and not self.stock:
            self._exhausted(seat)
        elif verb == "discard":
            self.turn, self.phase = (seat + 1) % 3, "draw"

    def _draw(self, seat: int, words: list[str]) -> None:
        self.hands[seat].append(self.stock.pop(0))
        self.phase = "act"

    def _take(self, seat: int, words: list[str]) -> None:
        top = self.discards.pop()
        if self.options.get("taken_discard_blocks_draw"):
            self.blocked[(seat + 2) % 3] = True
        if words[0][0] == "m":
            self._lay(seat, top, words[0])
        else:
            self._show(seat, words, [*words, top])
        self.phase = "act"

    def _expose(self, seat: int, words: list[str]) -> None:
        self._show(seat, words, words)

    def _show(self, seat: int, used: list[str], meld: list[str]) -> None:
        for card in used:
            self.hands[seat].remove(card)
        self.melds.append((seat, list(meld)))
        if len(meld) > 3 and self.options.get("four_meld_is_self_layoff"):
            self.laid_on_own = True

    def _layoff(self, seat: int, words: list[str]) -> None:
        self.hands[seat].remove(words[0])
        self._lay(seat, words[0], words[1])

    def _lay(self, seat: int, card: str, name: str) -> None:
        owner, cards = self.melds[int(name[1:]) - 1]
        cards.append(card)
        if owner == seat:
            self.laid_on_own = True
        else:
            self.blocked[owner] = True

    def _discard(self, seat: int, words: list[str]) -> None:
        self.hands[seat].remove(words[0])
        self.discards.append(words[0])
        self.blocked[seat] = self.laid_on_own and bool(self.options.get("self_layoff_blocks_draw", True))
        self.laid_on_own = False

    def _call(self, seat: int, words: list[str]) -> None:
        self.phase = "respond"
        self._maybe_called()

    def _challenge(self, seat: int, words: list[str]) -> None:
        self.answers[seat] = "challenge"
        self._maybe_called()

    def _fold(self, seat: int, words: list[str]) -> None:
        self.answers[seat] = "fold"
        self._maybe_called()

    def _maybe_called(self) -> None:
        if self.acting():
            return
        challengers = [seat for seat in self._others() if self.answers.get(seat) == "challenge"]
        if challengers:
            self._compare("call", [*challengers, self.turn])
        else:
            self._end("call", self.turn)

    def _exhausted(self, last_drawer: int) -> None:
        order = [last_drawer, (last_drawer + 1) % 3, (last_drawer + 2) % 3]
        contenders = [seat for seat in order if self._may_contest(seat)]
        if contenders:
            self._compare("exhausted", contenders)
        else:
            self._end("exhausted", None)

    def _compare(self, reason: str, contenders: list[int]) -> None:
        counts = [self._counted(self.hands[seat]) for seat in contenders]
        self.compared = contenders
        self._end(reason, contenders[counts.index(min(counts))])

    def _counted(self, hand: list[str]) -> int:
        """R40: every way to lay cards off, one after another."""
        best = deadwood(hand)
        if self.options.get("showdown_layoff"):
            for card in hand:
                for name in self._fitting(card):
                    cards = self.melds[int(name[1:]) - 1][1]
                    cards.append(card)
                    best = min(best, self._counted([other for other in hand if other != card]))
                    cards.remove(card)
        return best

    def _end(self, reason: str, winner: int | None) -> None:
        self.phase, self.reason, self.winner = "over", reason, winner

    def _others(self) -> list[int]:
        return [(self.turn + 1) % 3, (self.turn + 2) % 3]

    def _has_meld(self, seat: int) -> bool:
        return any(owner == seat for owner, _ in self.melds)

    def _may_contest(self, seat: int) -> bool:
        secret = self.options.get("secret_set") and self._fours(seat)
        return self._has_meld(seat) or bool(secret)

    def _fours(self, seat: int) -> int:
        return sum(all(rank + suit in self.hands[seat] for suit in SUITS) for rank in RANKS)

    def _fitting(self, card: str) -> list[str]:
        return [f"m{place}" for place, (_, cards) in enumerate(self.melds, 1) if is_meld([*cards, card])]

    def points(self) -> list[int]:
        """R27, R29 to R31: without antes and pot."""
        if self.winner is None:
            return [0, 0, 0]
        if self.options.get("scoring") != "chips":
            return [int(seat == self.winner) for seat in range(3)]
        paid = [0, 0, 0]
        for seat in range(3):
            if seat != self.winner:
                paid[seat] = self._units(seat) * int(self.options.get("stake", 1))
        return [sum(paid) if seat == self.winner else -paid[seat] for seat in range(3)]

    def _units(self, loser: int) -> int:
        winner = self.winner if self.winner is not None else -1
        units = 1
        if self.reason == "tongits" or (self.reason == "call" and loser in self.compared):
            units = 3
        if not self._has_meld(loser):
            units += 1
        units += sum(card[0] == "A" for owner, cards in self.melds if owner == winner for card in cards)
        return units + 3 * self._fours(winner)

    def next_starter(self) -> int:
        """R8, R43."""
        if self.winner is not None:
            return self.winner
        return self.starter if self.options.get("no_winner_starter") == "same_starter" else (self.turn + 1) % 3


def dealt(pack: list[str], starter: int, options: Mapping[str, bool | int | str]) -> NaiveRound:
    """R9, R37: a round from this order of the cards."""
    hands: list[list[str]] = [[], [], []]
    count = 37 if options.get("dealer_13") else 36
    for place, card in enumerate(pack[:count]):
        hands[(starter + place) % 3].append(card)
    return NaiveRound(hands, list(pack[count:]), starter, options)


def random_round(rng: Rng) -> int:
    """Plays one round at random, every legal action listed at each step; how many steps it took."""
    pack = list(PACK)
    rng.shuffle(pack)
    played, steps = dealt(pack, rng.randrange(3), {}), 0
    while acting := played.acting():
        texts = played.legal(acting[0])
        played.act(acting[0], texts[rng.randrange(len(texts))])
        steps += 1
    return steps

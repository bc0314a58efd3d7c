"""Tiến lên once more, straight from docs/rules/tienlen.md with lists, strings and itertools: slow and plain.

The engine is compared with it (tests/games/tienlen/test_naive.py). Nothing of the engine is used here; even the order
of the cards is written down again.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations, product

RANKS = "3456789TJQKA2"
SUITS = "SCDH"
PACK = [rank + suit for rank in RANKS for suit in SUITS]

DEFAULTS: dict[str, bool | int | str] = {
    "first_lead": "random",
    "next_lead": "loser",
    "twos_in_sequences": True,
    "pass_lock": True,
    "out_rule": "next_player",
    "bomb_chain": "same_type",
    "bomb_quad_beats_pair_of_twos": True,
    "bomb_after_pass": "false",
    "instant_win": "ends_round",
    "instant_win_extra": "none",
    "no_finish_on_two": False,
    "suited_straight_lock": False,
    "objective": "shed",
    "scoring": "first_out",
}


def by_rank(cards: list[str]) -> dict[int, list[str]]:
    """The cards of each rank that there is one of."""
    return {
        rank: [card for card in cards if card[0] == letter]
        for rank, letter in enumerate(RANKS)
        if any(card[0] == letter for card in cards)
    }


def shape(cards: list[str], twos: bool) -> tuple[str, int] | None:
    """R4 to R7: kind and size; None for no combination."""
    ranks = by_rank(cards)
    sizes = {len(held) for held in ranks.values()}
    if len(ranks) == 1:
        return ("same", len(cards))
    if len(ranks) < 3 or max(ranks) - min(ranks) != len(ranks) - 1 or (12 in ranks and not twos):
        return None
    return {1: ("straight", len(ranks)), 2: ("doubles", len(ranks))}.get(sizes.pop()) if len(sizes) == 1 else None


def top(cards: list[str]) -> int:
    """R8."""
    return max(map(PACK.index, cards))


def combinations_in(hand: list[str], twos: bool) -> list[list[str]]:
    """Every combination of the hand."""
    ranks = by_rank(hand)
    found = [list(cards) for held in ranks.values() for size in range(1, 5) for cards in combinations(held, size)]
    for low, high in combinations(range(13), 2):
        run = range(low, high + 1)
        if len(run) >= 3 and all(rank in ranks for rank in run) and (twos or high < 12):
            for size in (1, 2):
                parts = product(*(combinations(ranks[rank], size) for rank in run))
                found += [[card for part in chosen for card in part] for chosen in parts]
    return found


def text(cards: list[str]) -> str:
    """As in a record."""
    return "play " + " ".join(sorted(cards, key=PACK.index))


class NaiveRound:
    """One round. `options` holds those that differ from the defaults."""

    def __init__(
        self, hands: list[list[str]], leader: int, first: bool, options: Mapping[str, bool | int | str]
    ) -> None:
        self.hands, self.options, self.seats = hands, {**DEFAULTS, **options}, len(hands)
        self.turn = self.starter = leader
        self.phase, self.reason = "lead", ""
        self.pile: list[str] = []
        self.owner = -1
        self.passed: set[int] = set()
        self.answered: set[int] = set()
        self.out: list[int] = []
        self.chopped: list[tuple[int, int, list[str]]] = []
        self.active: set[int] = set()
        self.must, self.three = "", False
        self.holder = self._instant()
        lowest = min((card for hand in hands for card in hand), key=PACK.index)
        if self.holder is not None:
            if self.options["instant_win"] == "ends_round":
                self.phase, self.reason = "over", "instant"
                return
            self.hands[self.holder] = []
            self.out = [self.holder]
            if self._finished():
                return
            if leader == self.holder:
                self.turn = self._next_holder(leader)
        if first and self.options["first_lead"] == "lowest_card" and lowest in self.hands[self.turn]:
            self.must = lowest

    def _instant(self) -> int | None:
        """R13, R44."""
        if self.options["instant_win"] == "off":
            return None
        order = [(self.starter + step) % self.seats for step in range(self.seats)]
        extra = str(self.options["instant_win_extra"])
        for kind in ("four_twos", "dragon", "five_pair_sequence", "six_pairs"):
            for seat in order:
                if (kind == "four_twos" or kind in extra) and self._wins(kind, by_rank(self.hands[seat])):
                    return seat
        return None

    def _wins(self, kind: str, ranks: dict[int, list[str]]) -> bool:
        count = [len(ranks.get(rank, [])) for rank in range(13)]
        if kind == "four_twos":
            return count[12] == 4
        if kind == "dragon":
            return 0 not in count[:12]
        if kind == "six_pairs":
            return sum(number // 2 for number in count) >= 6
        lows = range(9 if self.options["twos_in_sequences"] else 8)
        return any(all(number >= 2 for number in count[low : low + 5]) for low in lows)

    def _next_holder(self, seat: int) -> int:
        return next(
            other for other in ((seat + step) % self.seats for step in range(1, self.seats + 1)) if self.hands[other]
        )

    def acting(self) -> list[int]:
        """Whose turn it is."""
        return [] if self.phase == "over" else [self.turn]

    def beats(self, cards: list[str]) -> bool:
        """R9 to R11, R40, R41, R46."""
        twos, options = bool(self.options["twos_in_sequences"]), self.options
        mine, lying = shape(cards, twos), shape(self.pile, True)
        if mine is None or lying is None:
            return False
        if mine == lying:
            if mine[0] == "straight" and options["suited_straight_lock"] and len({card[1] for card in self.pile}) == 1:
                return top(cards) > top(self.pile) and len({card[1] for card in cards}) == 1
            return top(cards) > top(self.pile)
        pairs = mine[1] if mine[0] == "doubles" else 0
        quad = mine == ("same", 4)
        if all(card[0] == "2" for card in self.pile) and len(self.pile) < 4:
            if quad:
                return len(self.pile) == 1 or (len(self.pile) == 2 and bool(options["bomb_quad_beats_pair_of_twos"]))
            return pairs >= len(self.pile) + 2
        if options["bomb_chain"] == "southern":
            chain = [("doubles", 3), ("same", 4), ("doubles", 4), ("doubles", 5), ("doubles", 6)]
            if mine in chain and lying in chain:
                return chain.index(mine) > chain.index(lying)
        return False

    def legal(self, seat: int) -> list[str]:
        """Texts, in any order."""
        if seat not in self.acting():
            return []
        hand = self.hands[seat]
        plays = combinations_in(hand, bool(self.options["twos_in_sequences"]))
        leading = self.phase == "lead"
        if leading:
            plays = [cards for cards in plays if not self.must or self.must in cards]
        elif seat in self.passed:
            plays = [cards for cards in plays if self.beats(cards) and shape(cards, True) == ("doubles", 4)]
        else:
            plays = [cards for cards in plays if self.beats(cards)]
        if self.options["no_finish_on_two"]:
            kept = [cards for cards in plays if len(cards) < len(hand) or any(card[0] != "2" for card in cards)]
            plays = kept if kept or not leading else plays
        return [text(cards) for cards in plays] + ([] if leading else ["pass"])

    def act(self, seat: int, chosen: str) -> None:
        """R14 to R21, by the text of the action."""
        if chosen == "pass":
            if self.phase == "after_out":
                self._lead(seat)
                return
            self.passed.add(seat)
            self.answered.add(seat)
            self._ask_after(seat)
            return
        cards = chosen.split()[1:]
        if self.pile and all(card[0] == "2" for card in self.pile) and any(card[0] != "2" for card in cards):
            self.chopped.append((seat, self.owner, self.pile))
        self.hands[seat] = [card for card in self.hands[seat] if card not in cards]
        self.pile, self.owner, self.must = cards, seat, ""
        self.active.add(seat)
        self.answered = set()
        if not self.options["pass_lock"]:
            self.passed = set()
        self.phase = "follow"
        if not self.hands[seat]:
            if not self.out and cards == ["3S"]:
                self.three = True
            self.out.append(seat)
            if self._finished():
                return
            if self.options["out_rule"] == "next_player":
                following = self._next_holder(seat)
                if self._may_answer(following):
                    self.turn, self.phase = following, "after_out"
                else:
                    self._lead(following)
                return
        self._ask_after(seat)

    def _finished(self) -> bool:
        left = [seat for seat in range(self.seats) if self.hands[seat]]
        if len(left) == 1:
            self.out += left
            self.phase, self.reason = "over", "out"
        return len(left) == 1

    def _may_answer(self, seat: int) -> bool:
        """R16, R38, R42."""
        if seat not in self.passed:
            return True
        bombable = len(self.pile) <= 2 and all(card[0] == "2" for card in self.pile)
        wanted = self.options["bomb_after_pass"] != DEFAULTS["bomb_after_pass"] and bombable
        return wanted and len(self.hands[seat]) >= 8 and seat not in self.answered

    def _ask_after(self, seat: int) -> None:
        for other in ((seat + step) % self.seats for step in range(1, self.seats)):
            if other != self.owner and self.hands[other] and self._may_answer(other):
                self.turn = other
                return
        self._lead(self.owner if self.hands[self.owner] else self._next_holder(self.owner))

    def _lead(self, seat: int) -> None:
        self.turn, self.phase, self.pile, self.owner = seat, "lead", [], -1
        self.passed, self.answered = set(), set()

    def winner(self) -> int:
        """R13, R22, R47."""
        if self.reason == "instant":
            assert self.holder is not None
            return self.holder
        return self.out[-1] if self.options["objective"] == "hold" else self.out[0]

    def next_starter(self) -> int:
        """R22, R23, R36."""
        if self.reason == "instant":
            return self.winner() if self.options["next_lead"] == "winner" else self.starter
        return self.out[0] if self.options["next_lead"] == "winner" else self.out[-1]

    def points(self) -> list[int]:
        """R22, R23, R26 to R34, R47."""
        scoring, everybody = self.options["scoring"], range(self.seats)
        if self.reason == "instant":
            winner = self.winner()
            won = {"placement": self.seats - 1, "penalty": 0, "cards_left": 0, "chips": 2 * (self.seats - 1)}
            lost = {"penalty": self.seats - 1, "chips": -2}
            return [
                won.get(str(scoring), 1)
                if seat == winner
                else (-len(self.hands[seat]) if scoring == "cards_left" else lost.get(str(scoring), 0))
                for seat in everybody
            ]
        if scoring == "cards_left":
            return [-len(self.hands[seat]) for seat in everybody]
        if scoring == "chips":
            return self._chips()
        order = self.out[::-1] if self.options["objective"] == "hold" else self.out
        place = [order.index(seat) for seat in everybody]
        return {
            "first_out": [int(at == 0) for at in place],
            "all_but_loser": [int(at < self.seats - 1) for at in place],
            "placement": [self.seats - 1 - at for at in place],
            "penalty": place,
        }[str(scoring)]

    def _chips(self) -> list[int]:
        value = {"2S": 1, "2C": 1, "2D": 2, "2H": 2}
        paid = [(self.out[-1], self.out[0], 2)]
        if self.seats == 4:
            paid.append((self.out[2], self.out[1], 1))
        paid += [(owner, bomber, sum(value[card] for card in twos)) for bomber, owner, twos in self.chopped]
        paid += [(self.out[-1], self.out[-2], value[card]) for card in self.hands[self.out[-1]] if card in value]
        if self.active and self.out[-1] not in self.active:
            paid.append((self.out[-1], self.out[0], 2))
        return [
            sum(chips * ((creditor == seat) - (debtor == seat)) for debtor, creditor, chips in paid)
            for seat in range(self.seats)
        ]

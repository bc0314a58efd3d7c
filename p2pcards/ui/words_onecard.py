"""The sentences of One Card: why not, what an action does, what the coach says, what somebody did."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum, StrEnum
from typing import Any

from p2pcards.cards import ACE_LOW, Cards, format_cards, rank
from p2pcards.commands.coach_onecard import Tip
from p2pcards.commands.notes_onecard import Does, order
from p2pcards.errors import InvalidAction, InvalidCard
from p2pcards.games.base import Game, Shuffle
from p2pcards.games.onecard.actions import Draw, Pass, Play, parse_action
from p2pcards.games.onecard.pack import ANSWERING, JACK, QUEEN, SEVEN, THREE, TWO
from p2pcards.games.onecard.refusals import Refusal
from p2pcards.games.onecard.state import ENDED, SHUFFLE, Public, Reason, View, Why
from p2pcards.table.notices import Acted
from p2pcards.ui import combinations
from p2pcards.ui.voice import Cards as Signs
from p2pcards.ui.voice import Voice, counted, listed

REFUSALS: type[StrEnum] = Refusal

SENTENCES: Mapping[type[Enum], Mapping[Enum, str]] = {
    Refusal: {
        Refusal.NO_MATCH: "{0:The} does not fit {1:the}: a card must have its suit or its rank",
        Refusal.UNDER_ATTACK: (
            "{0:The} can't be played on {1:the} while an attack of {2:count card} waits for you: "
            "only a 2, 3, 7, jack or queen answers it"
        ),
        Refusal.REDIRECT_BY_SUIT: (
            "{0:The} can't turn the attack: on {1:the} a queen or jack must have the suit, not the rank alone"
        ),
        Refusal.MUST_PLAY: "You may not draw while you have a card that fits: {0:cards}",
        Refusal.ONLY_DRAWN: "You may not play {0:the} now: only {1:the} that you have just drawn, or pass",
        Refusal.ALREADY_DRAWN: "You have drawn already: play the drawn card, or pass",
        Refusal.DRAW_FIRST: "You may pass only when you have drawn",
        Refusal.NO_PASSING: "Nobody may pass at this table: who can't play draws",
        Refusal.NO_CALLING: "At this table the last card is not announced, so play the card without `one`",
        Refusal.NOT_ONE_CARD: "You would have {0:count card} left, not one, so there is nothing to announce",
        Refusal.SHUFFLE_FIRST: "The discards are being shuffled into a new stock; wait a moment",
        Refusal.NO_SHUFFLE: "The stock is shuffled anew only when a card is needed and none is left",
        Refusal.WRONG_SHUFFLE: "The new stock must be the discards under the top card, all of them and no other",
    },
    Does: {
        Does.PLAY: "then {0} plays",
        Does.AGAIN: "skips {0}: you play again",
        Does.ATTACK: "attacks {0} with {1:count card}",
        Does.ADD: "adds {0}: {1} faces {2:count card}",
        Does.CANCEL: "cancels the attack of {0:count card}",
        Does.SKIP: "skips {0}: {1} plays",
        Does.OVER: "skips {0}: {1} faces the {2:count card}",
        Does.STAYS: "skips {0}, but the attack of {1:count card} stays with you",
        Does.TURN: "turns the direction: {0} plays",
        Does.TURN_ATTACK: "turns the direction: the attack of {1:count card} goes to {0}",
        Does.EMPTIES: "empties your hand: you win the round",
        Does.EMPTIES_HITS: "empties your hand: you win the round, and {0} draws {1:count card}",
        Does.UNSAID: "without announcing your last card: you draw {0:count card} for it",
        Does.DRAW: "a card from the stock ({0} left)",
        Does.DRAW_UNTIL: "until a card fits ({0} in the stock)",
        Does.DRAW_SHUFFLED: "a card, after {0:count discard} have been shuffled",
        Does.DRAW_NOTHING: "there is nothing left to draw: your turn ends",
        Does.DRAW_ATTACK: "takes the {0:count card} of the attack",
        Does.DRAW_BANKRUPT: "brings you to {0:count card}: you are bankrupt and out of the round",
        Does.KEEP: "keeps the card that you drew; then {0} plays",
    },
    Tip: {
        Tip.PLAY: "Your turn: {rest:or cards} fits {0:the}, so you may not draw",
        Tip.PLAY_OR_DRAW: "Your turn: play {rest:or cards} on {0:the}, or draw a card",
        Tip.PLAY_MANY: "Your turn: {1:count card} of yours fit {0:the}, so you may not draw",
        Tip.PLAY_MANY_OR_DRAW: "Your turn: {1:count card} of yours fit {0:the}; play one, or draw",
        Tip.DRAW: "Your turn: nothing of yours fits {0:the}, so draw a card",
        Tip.DRAW_NOTHING: (
            "Your turn: nothing of yours fits {0:the}, and there is nothing to draw; `draw` ends your turn"
        ),
        Tip.ANSWER: "Attack of {0:count card}: answer it with {rest:or cards}, or draw",
        Tip.NO_ANSWER: "Attack of {0:count card}: nothing of yours answers it, so draw",
        Tip.GO_OUT: "You can empty your hand and win: {0}",
        Tip.STAYS: "Between two players the attack stays with you when you play {all:or cards}",
        Tip.SAY_ONE: "You will have one card left: announce it, like `{0}`, or draw {1:count card}",
        Tip.DREW: "You drew {0:the}, and it fits: play it, or pass",
        Tip.DREW_MISFIT: "You drew {0:the}, and it does not fit {1:the}: pass",
    },
}

VEILED: Mapping[Enum, str] = {
    Refusal.MUST_PLAY: "You may not draw while you have a card that fits",
    Refusal.ONLY_DRAWN: "You may not play {0:the} now: only the card that you have just drawn, or pass",
    Tip.ANSWER: "An attack of {0:count card} waits for you.",
    Tip.NO_ANSWER: "An attack of {0:count card} waits for you.",
    Tip.DREW: "You have drawn a card.",
    Tip.DREW_MISFIT: "You have drawn a card.",
}


# ---- what somebody did


def acted(voice: Voice, notice: Acted, who: str, nicks: tuple[str, ...]) -> str:
    """What a seat did, from the views around it where we have them. who: the subject; nicks: by seat."""
    try:
        action = parse_action(notice.text)
    except (InvalidAction, InvalidCard):  # a host may write anything
        return f"{who} did what is no action of One Card"
    match action:
        case Play(card, one):
            said = " and announced the last card" if one else ""
            return f"{who} played {voice.card(ACE_LOW.format(card))}{said}{_effect(voice, notice, one, nicks)}"
        case Draw():
            return f"{who} {_drew(voice, notice, nicks)}"
        case Pass():
            return f"{who} kept the drawn card"
        case Shuffle():
            return f"{who} shuffled the discards"


def _effect(voice: Voice, notice: Acted, one: bool, nicks: tuple[str, ...]) -> str:
    """What the played card brought about."""
    if not isinstance(notice.after, View) or not nicks:
        return ""
    after = notice.after.public
    before = notice.before.public if isinstance(notice.before, View) else None
    told = _on_others(voice, before, after, nicks)
    left = after.counts[notice.seat]
    penalty = _penalty(before, after, notice.seat) if before is not None and left else 0
    if left == 1 and not one and not penalty:
        told.append(f"{_verb(voice, notice.nick, 'have')} one card left")
    if penalty:
        told.append(f"{_verb(voice, notice.nick, 'draw')} {counted(penalty, 'card')} for not announcing the last one")
    if before is not None and not left:
        told += _final(voice, before, after, nicks)
    told += _ruined(voice, before, after, nicks)
    return f": {', '.join(told)}" if told else ""


def _on_others(voice: Voice, before: Public | None, after: Public, nicks: tuple[str, ...]) -> list[str]:
    """Whom the card skips, which way play goes on, whom an attack hits; nobody where the round is over."""
    told = list[str]()
    if after.reason is not None:
        return told
    hit = nicks[after.turn]
    if after.skipped is not None:
        told.append(f"{_is(voice, nicks[after.skipped])} skipped")
    elif before is not None and before.direction != after.direction:
        told.append("the direction turns")
    if after.pending:
        told.append(f"{_verb(voice, hit, 'face')} {counted(after.pending, 'card')}")
    elif before is not None and before.pending and rank(after.top) == SEVEN:
        told.append(f"the attack of {counted(before.pending, 'card')} is cancelled")
    return told


def _penalty(before: Public, after: Public, seat: int) -> int:
    """Cards drawn because nobody heard that one was left, those still to come included."""
    drawn = after.counts[seat] - before.counts[seat] + 1
    return drawn + (after.drawing.left if after.drawing is not None and after.drawing.why is Why.CALL else 0)


def _final(voice: Voice, before: Public, after: Public, nicks: tuple[str, ...]) -> list[str]:
    """Who draws for the attack of somebody's last card."""
    waits = after.drawing.left if after.drawing is not None else 0
    drawn = after.counts[after.turn] - before.counts[after.turn] + waits
    return [f"{_verb(voice, nicks[after.turn], 'draw')} {counted(drawn, 'card')} for it"] if drawn > 0 else []


def _drew(voice: Voice, notice: Acted, nicks: tuple[str, ...]) -> str:
    if not isinstance(notice.before, View) or not isinstance(notice.after, View):
        return "drew"
    before, after = notice.before.public, notice.after.public
    count = after.counts[notice.seat] - before.counts[notice.seat]
    if not count and after.phase is not SHUFFLE:
        over = f", so the attack of {counted(before.pending, 'card')} is over" if before.pending else ""
        return f"found nothing to draw{over}"
    cards = _cards(voice, notice, count)
    ruined = "".join(f"; {text}" for text in _ruined(voice, before, after, nicks))
    if after.phase is SHUFFLE:
        return f"drew {cards}, and the stock ran out" if count else "found the stock empty"
    if not before.pending:
        return f"drew {cards}{ruined}"
    if count < before.pending and not ruined:
        return f"drew {cards} for an attack of {before.pending}: there were no more"
    return f"drew {cards} for the attack{ruined}"


def _cards(voice: Voice, notice: Acted, count: int) -> str:
    """The cards that came into our hand; others' cards are theirs."""
    if notice.after.seat == notice.seat:
        return voice.card(format_cards(ACE_LOW, Cards(notice.after.hand & ~notice.before.hand)))
    return "a card" if count == 1 else counted(count, "card")


def _ruined(voice: Voice, before: Public | None, after: Public, nicks: tuple[str, ...]) -> list[str]:
    """Who is out of the round since then."""
    new = after.bankrupt[len(before.bankrupt) :] if before is not None else ()
    return [
        f"{_is(voice, nicks[seat])} bankrupt with {counted(after.counts[seat], 'card')} and out of the round"
        for seat in new
    ]


def _verb(voice: Voice, nick: str, verb: str) -> str:
    """`cy draws`, `you draw`."""
    return f"you {verb}" if nick == voice.me else f"{nick} {'has' if verb == 'have' else f'{verb}s'}"


def _is(voice: Voice, nick: str) -> str:
    return "you are" if nick == voice.me else f"{nick} is"


# ---- what lies there


_ANSWERS = (TWO, THREE, SEVEN, JACK, QUEEN)


def matching(options: Any, public: Public) -> tuple[str, ...]:
    """What may be played on the top card, `hearts or 3s`, or what answers the attack, `2♥`, `7♥`, `any 3`."""
    voice, top = Voice(Signs.SIGNS), ACE_LOW.format(public.top)
    if not public.pending:
        return (voice.say("{0:suit} or {1}", (top, combinations.ranks(top[0]))),)
    fits = ANSWERING[options.free_defence][options.redirect_by_rank][public.top]
    bound, free = list[str](), list[str]()
    for which in _ANSWERS:
        suits = fits >> 4 * which & 0b1111
        if suits == 0b1111:
            free.append(ACE_LOW.ranks[which])
        elif suits:
            bound.append(voice.cards(f"{ACE_LOW.ranks[which]}{top[1]}"))
    return (*bound, *([f"any {listed(free, 'or')}"] if free else []))


def going_round(public: Public, nicks: tuple[str, ...]) -> tuple[str, ...]:
    """Whose turn it is and who follows, by name."""
    return tuple(nicks[seat] for seat in order(public))


def order_cards(voice: Voice, public: Public, nicks: tuple[str, ...]) -> str:
    """Who got which order cards, and who starts for it; "" where none were turned up."""
    if not public.order:
        return ""
    drawings: list[dict[str, str]] = [{}]
    for seat, card in public.order:
        if nicks[seat] in drawings[-1]:  # the lowest were alike, and their seats drew again
            drawings.append({})
        drawings[-1][nicks[seat]] = voice.cards(ACE_LOW.format(card))
    told = [", ".join(f"{voice.who(nick)} {card}" for nick, card in drawn.items()) for drawn in drawings]
    starter = nicks[public.starter]
    return f"Order cards: {'; again '.join(told)}; {_verb(voice, starter, 'have')} the lowest"


def opening(voice: Voice, view: View, nicks: tuple[str, ...]) -> list[str]:
    """What was turned up before the first turn."""
    public = view.public
    lines = [line] if (line := order_cards(voice, public, nicks)) else []
    if public.actions:
        return lines
    effect = _on_others(voice, None, public, nicks)
    if public.direction < 0:
        effect.append("the direction turns")
    starter = f"The starter card is {voice.card(ACE_LOW.format(public.top))}"
    return [*lines, f"{starter}: {', '.join(effect)}" if effect else starter]


def ending(voice: Voice, view: View | None, reason: str, winners: tuple[str, ...], nicks: tuple[str, ...]) -> list[str]:
    """How the round ended, and what everybody held then."""
    public = view.public if view is not None else None
    if reason == Reason.BLOCKED:
        stuck = public is not None and public.idle >= len(nicks) - len(public.bankrupt)
        why = "Nobody can play and nothing is left to draw" if stuck else "The round has gone on for too long"
        lines = [f"{why}: it is blocked, and nobody wins"]
    elif public is not None and all(public.counts):
        lines = [f"All others are bankrupt, so {voice.who(winners[0])} won the round"]
    else:
        lines = [f"{voice.who(winners[0])} played the last card and won the round"] if winners else []
    for nick, held in zip(nicks, public.left if public is not None else (), strict=False):
        if held:
            cards = voice.cards(format_cards(ACE_LOW, held))
            lines.append(f"{voice.who(nick)} had {counted(held.bit_count(), 'card')} left: {cards}")
    return lines


def table(voice: Voice, view: View, nicks: tuple[str, ...]) -> list[str]:
    """What lies on the table, for plain mode's `table`."""
    public = view.public
    top = ACE_LOW.format(public.top)
    lines = [f"The top card is {voice.card(top)}"]
    if public.pending:
        lines.append(f"An attack of {counted(public.pending, 'card')} waits for {voice.who(nicks[public.turn])}")
    elif public.phase is not ENDED:
        lines[0] += voice.say(": {0:suit} and {1} fit", (top, combinations.ranks(top[0])))
    if public.phase is SHUFFLE:
        lines.append("The stock has run out, and the discards are being shuffled")
    elif public.phase is not ENDED:
        lines.append(f"The turn goes {', '.join(map(voice.who, going_round(public, nicks)))}, and so on")
    counts = [f"{voice.who(nick)} {count}" for nick, count in zip(nicks, public.counts, strict=True)]
    lines.append(f"The stock has {counted(public.stock, 'card')} left; cards in hand: {', '.join(counts)}")
    if public.bankrupt:
        out = [voice.who(nicks[seat]) for seat in public.bankrupt]
        lines.append(f"Bankrupt and out of the round: {listed(out, 'and')}")
    shown = order_cards(voice, public, nicks) if public.actions < len(nicks) else ""
    return [*lines, shown] if shown else lines


def hand(view: View) -> str:
    """Nothing that isn't seen: the cards count one each."""
    return ""


def unit(game: Game[Any, Any, Any]) -> str:
    """What scores count."""
    return "score"

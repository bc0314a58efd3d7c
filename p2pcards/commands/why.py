"""`why`: what may be done now and what not, and for a card or an action whether it is legal, by which rule.

A line is read as if it were typed (`commands.parse`), so what is refused is refused for the same reason. While others
act it is read as if it were one's turn, the table standing as it stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum

from msgspec.structs import replace

from p2pcards.cards import THREE_LOW, format_cards, in_order
from p2pcards.commands import cardwords
from p2pcards.commands.coach import Advice, coach
from p2pcards.commands.command import Command, Problem, Remark, Trouble
from p2pcards.commands.context import Context, Where
from p2pcards.commands.help import usage
from p2pcards.commands.legal import Legal, bits
from p2pcards.commands.parse import MELD, parse
from p2pcards.commands.table import named, verb
from p2pcards.commands.why_allowed import allowed
from p2pcards.commands.why_rules import Reason, rule
from p2pcards.commands.why_turn import supposed, why_not_mine
from p2pcards.errors import IllegalAction, InvalidAction, InvalidCard
from p2pcards.games.base import Refusal
from p2pcards.games.onecard.refusals import Refusal as OneCard
from p2pcards.games.straights.refusals import Refusal as Straights
from p2pcards.games.tienlen.refusals import Refusal as TienLen
from p2pcards.games.tongits.refusals import Refusal as TongIts


class Verdict(StrEnum):
    """What `why` says beside rules; its detail."""

    LEGAL = "legal"  # in a game that says no more
    EACH = "each"  # one line of several
    WITH = "with"  # the cards: what may be done with them
    MAY = "may"  # everything that may be done
    NOTHING_WITH = "nothing_with"  # the card
    ONE_AT_A_TIME = "one_at_a_time"  # the verb
    MORE = "more"  # how many lines were named, of how many
    UNKNOWN = "unknown"  # the word
    WORKS = "works"  # the command, its line of help
    NO_PLAY = "no_play"  # One Card: the top card
    NO_ANSWER = "no_answer"  # likewise, under attack
    NO_ROW = "no_row"  # Straights
    NO_BEATING = "no_beating"  # Tiến lên: the cards that lie there
    NO_TAKING = "no_taking"  # Tong-its: the top discard
    NO_MELD = "no_meld"
    NO_LAYOFF = "no_layoff"
    NO_TARGET = "no_target"  # no meld lies there
    FITS_NONE = "fits_none"  # the card, which fits no meld
    ALL_FIT = "all_fit"


_Refused = OneCard | Straights | TienLen | TongIts

MORE = "…"
"""In place of the lines that are not named."""

MOST = 6
"""Lines that are named; `legal` has them all."""

_FILLERS = frozenset(
    {
        *("can", "can't", "cant", "cannot", "could", "may", "might", "must", "should", "not", "do", "don't"),
        *("i", "is", "it", "the", "am", "are", "to", "we", "my"),
    }
)
"""What a question begins with that is typed as one would say it."""

_GENERAL = (OneCard.MUST_PLAY, Straights.MUST_PLAY, Straights.START_CARD, TienLen.ONLY_FOUR_PAIRS)
"""Refusals with a detail that are none of the one card's that was tried."""

_ONE_CARD: Mapping[str, str] = {"onecard": "R11", "straights": "R10", "tongits": "R10"}
"""The rule that says so, by game."""

_UNREAD = frozenset(
    {
        *(Trouble.NO_SUCH_CARD, Trouble.NO_SUCH_PLACE, Trouble.BARE_NUMBER, Trouble.TWICE, Trouble.UNKNOWN),
        *(Trouble.TOO_LONG, Trouble.LINES, Trouble.EMPTY, Trouble.NO_ROUND, Trouble.OTHER_GAME),
    }
)
"""Why a line is none at all, whosever turn it is."""


def why(asked: str, context: Context) -> tuple[Reason, ...]:
    """The answer to `why` with this behind it, one sentence each, what was asked first; it never raises."""
    line = _plain(asked)
    if not line or line == "turn":
        return tuple(_position(context))
    if found := named(line.split()[0].lower()):
        read = parse(line, context)
        works = Remark(Verdict.WORKS, (found[0].words, found[0].help))
        return (Reason(read if isinstance(read, Problem) else works),)
    if context.where is not Where.PLAYING or context.legal is None or context.me is None or context.pending:
        there = context if context.where is Where.PLAYING else replace(context, legal=None)
        read = parse(line, there)
        return (Reason(read if isinstance(read, Problem) else Problem(Trouble.EMPTY)),)
    return tuple(_line(line, context, context.legal))


def _plain(asked: str) -> str:
    """The line that is asked about, without the words around it."""
    words = asked.strip().rstrip("?!. ").split()
    while words and words[0].lower() in _FILLERS:
        del words[0]
    return " ".join(words)


# ---- where one stands


def _position(context: Context) -> Iterator[Reason]:
    """What may be done now and what not; while others act, why they do."""
    legal = context.legal
    acting = context.where is Where.PLAYING and context.me is not None and legal is not None and not context.pending
    mine = context.me in context.to_act
    for remark in coach(context):
        told = isinstance(remark.code, Advice) and remark.code is not Advice.WAIT_FOR
        if not acting or told or (mine and not isinstance(remark.code, _Refused | Advice)):
            yield Reason(remark)
    if not acting or legal is None:
        return
    if mine:
        yield from _refused_verbs(legal)
        return
    if (waits := why_not_mine(legal)) is not None:
        yield waits
    if (then := supposed(legal)) is not None and then.lines:
        yield from _listed(Remark(Verdict.MAY), then, range(len(then.lines)), now=False, briefly=True)


def _refused_verbs(legal: Legal) -> Iterator[Reason]:
    """Why the game's other verbs may not be used now, those of one reason together."""
    found: dict[tuple[object, tuple[str, ...]], Reason] = {}
    for own in legal.game.verbs:
        if own in legal.verbs:
            continue
        reason = _refused_verb(legal, own)
        if reason.said.code is TongIts.NO_CALL or (own == "play" and isinstance(reason.said, Remark)):
            continue  # nobody expects that one; of the other the coach has told
        key = (reason.said.code, reason.said.detail)
        about = found[key].about if key in found else ()
        found[key] = replace(reason, about=(*about, own))
    yield from found.values()


def _refused_verb(legal: Legal, own: str) -> Reason:
    """Why nothing can be done with the verb."""
    one, two = _held(legal)[:1], _held(legal)[:2]
    for words in ((), one, two, (*one, "m1")):
        line = " ".join([own, *words])
        problem = _checked(legal, line)
        if problem is not None and (not problem.detail or any(problem.code is code for code in _GENERAL)):
            return _because_of(legal, problem)
        if problem is not None:
            break
    return _nothing_for(legal, own)


def _held(legal: Legal) -> tuple[str, ...]:
    """The cards of the hand, each once."""
    return tuple(dict.fromkeys(map(legal.game.ranking.format, in_order(legal.game.hand(legal.view)))))


def _nothing_for(legal: Legal, own: str) -> Reason:
    """That none of one's cards will do for the verb."""
    public = legal.view.public
    name = legal.game.ranking.format
    match legal.game.name, own:
        case "onecard", "play":
            return Reason(*_no_answer(public, name(public.top)))
        case "straights", "play":
            return Reason(Remark(Verdict.NO_ROW), "R7")
        case "tienlen", "play" if public.pile is not None:
            return Reason(Remark(Verdict.NO_BEATING, (format_cards(THREE_LOW, public.pile.cards),)), "R9")
        case "tongits", "take" if public.discards:
            return Reason(Remark(Verdict.NO_TAKING, (name(public.discards[-1]),)), "R12")
        case "tongits", "expose":
            return Reason(Remark(Verdict.NO_MELD), "R6")
        case "tongits", "layoff":
            return Reason(Remark(Verdict.NO_LAYOFF if public.melds else Verdict.NO_TARGET), "R14")
        case "tongits", "discard":
            return Reason(Remark(Verdict.ALL_FIT), "R42")
    return Reason(Problem(Trouble.NOTHING_TO, (own,)))


def _no_answer(public: object, top: str) -> tuple[Remark, str]:
    attacked = getattr(public, "pending", 0)
    return Remark(Verdict.NO_ANSWER if attacked else Verdict.NO_PLAY, (top,)), "R16" if attacked else "R11"


# ---- one line


def _line(line: str, context: Context, legal: Legal) -> Iterator[Reason]:
    now = context.me in context.to_act
    then = legal if now else supposed(legal)
    there = replace(  # rules are asked about, which hold whoever is gone
        context, to_act=(context.me,), legal=then or legal, changing=False, waiting_for=(), connected=True
    )
    read = parse(line, there)
    if isinstance(read, Command) and not read.action:
        yield from (Reason(Remark(Verdict.WORKS, (one.words, one.help))) for one in named(read.verb)[:1])
        return
    if isinstance(read, Problem) and read.code in _UNREAD and not _is_ruled(line, there):
        word = read.detail[:1] if read.code is Trouble.UNKNOWN else ()
        yield Reason(Remark(Verdict.UNKNOWN, word) if word else read)
        return
    if not now:
        yield why_not_mine(legal) or Reason(Problem(Refusal.NOT_YOUR_TURN))
    if then is not None:
        judged = (replace(reason, now=now) for reason in _judged(line, read, there, then))
        yield from (reason for reason in judged if now or reason.said.code is not Verdict.NOTHING_WITH)


def _is_ruled(line: str, there: Context) -> bool:
    """Whether it is an action after all, of words that stand in no legal line: `play 8H one`."""
    return there.legal is not None and _checked(there.legal, line.lower()) is not None


def _judged(line: str, read: Command | Problem, there: Context, legal: Legal) -> Iterator[Reason]:
    if isinstance(read, Command):
        yield from _legal(legal, read.action)
        return
    own, words = _words(line, there, legal)
    held = [word for word in words if not MELD.fullmatch(word)]
    match read.code:
        case Trouble.WHICH:
            places = [legal.lines.index(text) for text in read.detail]
            yield from _listed(Remark(Verdict.WITH, tuple(held)), legal, places)
            return
        case Trouble.WHICH_CARD | Trouble.WHICH_CARDS:
            places = list(bits(legal.having(words, legal.verbs[own])))
            yield from _listed(Remark(Verdict.WITH, tuple(held)) if held else Remark(Verdict.MAY), legal, places)
            return
        case Trouble.NOTHING_TO:
            yield _refused_verb(legal, own)
        case Trouble.NO_USE | Trouble.NOT_AN_ACTION | Trouble.NO_SUCH_CARD | Trouble.ONE_CARD:
            yield _refused_cards(legal, own, line, words, read)
        case _:
            yield _because_of(legal, Problem(read.code, read.detail))
    yield from _instead(legal, held)


def _words(line: str, there: Context, legal: Legal) -> tuple[str, list[str]]:
    """The verb of the line, "" where it has none, and the cards and melds in it."""
    first, *rest = line.replace(",", " ").split() or [""]
    own = verb(legal.game, first.lower()) or ""
    found = []
    for word in rest if own else [first, *rest]:
        card = cardwords.read(legal.game.ranking, there.hand, word)
        if isinstance(card, str):
            found.append(card)
        elif MELD.fullmatch(word.lower()):
            found.append(word.lower())
    return own, found


def _legal(legal: Legal, line: str) -> Iterator[Reason]:
    place = legal.lines.index(line)
    because = allowed(legal.game, legal.view, legal.actions[place])
    said, number = because or (Remark(Verdict.LEGAL), "")
    yield Reason(said, number, (line,), legal.notes[place])


def _refused_cards(legal: Legal, own: str, line: str, words: list[str], read: Problem) -> Reason:
    """Why cards that were named without a verb, or as no action, can't be used: what they would be meant for."""
    if read.code is Trouble.NO_SUCH_CARD and (problem := _checked(legal, line.lower())):
        return _because_of(legal, problem)
    cards = [word for word in words if not MELD.fullmatch(word)]
    missing = [word for word in cards if word not in _held(legal)]
    if missing and not (own and read.code is Trouble.NO_USE):
        return _because_of(legal, Problem(Refusal.NOT_HELD, tuple(missing)))
    if not own:
        for meant in _meant(legal, words):
            if problem := _checked(legal, " ".join([meant, *words])):
                return _because_of(legal, problem)
    if own and len(cards) > 1 and usage(legal.game.name, own).split()[:1] == ["CARD"]:
        return Reason(Remark(Verdict.ONE_AT_A_TIME, (own,)), _ONE_CARD.get(legal.game.name, ""))
    if own == "layoff" and len(cards) == 1:
        if (problem := _checked(legal, f"layoff {cards[0]} m1")) and problem.code is not TongIts.DOES_NOT_FIT:
            unknown = problem.code is TongIts.UNKNOWN_MELD
            return Reason(Remark(Verdict.NO_TARGET), "R14") if unknown else _because_of(legal, problem)
        return Reason(Remark(Verdict.FITS_NONE, (cards[0],)), "R14")
    return Reason(read)


def _meant(legal: Legal, words: list[str]) -> tuple[str, ...]:
    """The verbs that cards alone may be meant for, the likeliest first."""
    if legal.game.name != "tongits":
        return ("play",)
    if any(MELD.fullmatch(word) for word in words):
        return ("layoff", "take")
    if len(words) == 1:
        return ("discard",)
    return ("expose", "take") if "draw" not in legal.verbs else ("take", "expose")


def _checked(legal: Legal, line: str) -> Problem | None:
    """Why the rules refuse the line; None where they don't, or where it is no action."""
    try:
        legal.game.check(legal.view, legal.game.parse(line))
    except IllegalAction as refused:
        return Problem(refused.code, refused.detail)
    except (InvalidAction, InvalidCard):
        return None
    return None


def _because_of(legal: Legal, problem: Problem) -> Reason:
    return Reason(problem, rule(legal.game, legal.view, problem.code))


def _instead(legal: Legal, cards: list[str]) -> Iterator[Reason]:
    """What may be done with the cards that are held, else at all."""
    held = [word for word in dict.fromkeys(cards) if word in _held(legal)]
    if held:
        if places := list(bits(legal.having(held, legal.all()))):
            yield from _listed(Remark(Verdict.WITH, tuple(held)), legal, places, briefly=True)
            return
        if len(cards) == 1 and legal.lines:
            yield Reason(Remark(Verdict.NOTHING_WITH, tuple(held)))
    if legal.lines:
        yield from _listed(Remark(Verdict.MAY), legal, range(len(legal.lines)), briefly=True)


def _listed(
    head: Remark, legal: Legal, places: Iterable[int], *, now: bool = True, briefly: bool = False
) -> Iterator[Reason]:
    """The lines at these places, in one sentence or each with what it does."""
    lines = [legal.lines[place] for place in places]
    more = Remark(Verdict.MORE, (str(MOST), str(len(lines)))) if len(lines) > MOST else None
    if len(lines) == 1 and not briefly:
        yield from (replace(reason, now=now) for reason in _legal(legal, lines[0]))
        return
    if briefly:
        yield Reason(head, about=(*lines[:MOST], *([MORE] if more else [])), now=now)
        return
    yield Reason(head, now=now)
    for place in list(places)[:MOST]:
        yield Reason(Remark(Verdict.EACH), "", (legal.lines[place],), legal.notes[place], now)
    if more is not None:
        yield Reason(more, now=now)

"""The sentences of `why`: what is legal and by which rule, what is not and what would be, why others act."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import Enum

from p2pcards.commands.coach import Advice
from p2pcards.commands.command import Problem, Remark, Trouble
from p2pcards.commands.context import Context
from p2pcards.commands.notes_onecard import Does as OneCardDoes
from p2pcards.commands.notes_tongits import Does as TongItsDoes
from p2pcards.commands.why import MORE, Verdict, why
from p2pcards.commands.why_allowed import Because
from p2pcards.commands.why_rules import Reason
from p2pcards.commands.why_turn import Waits
from p2pcards.ui.voice import listed, sentence
from p2pcards.ui.words import Words

VEILED = "Your cards are hidden, so nothing is told of what you may do with them; `hide` shows them again."

_SENTENCES: Mapping[type[Enum], Mapping[Enum, str]] = {
    Verdict: {
        Verdict.LEGAL: "the rules allow it",
        Verdict.EACH: "",
        Verdict.WITH: "With {all:cards} you {may}",
        Verdict.MAY: "You {may}",
        Verdict.NOTHING_WITH: "Nothing can be done with {all:cards} now",
        Verdict.ONE_AT_A_TIME: "`{0}` takes one card at a time",
        Verdict.MORE: "These are the first {0} of {1}",
        Verdict.UNKNOWN: "{0} is no card, no action of this game and no command: `why 7H` asks about a card",
        Verdict.WORKS: "`{0}` works here: {1}",
        Verdict.NO_PLAY: "No card of yours has the suit or the rank of {0:the}",
        Verdict.NO_ANSWER: "No 2, 3, 7, jack or queen of yours answers the attack on {0:the}",
        Verdict.NO_ROW: "No card of yours is a seven or the next one of a row on the table",
        Verdict.NO_BEATING: "Nothing of yours beats {0:card}",
        Verdict.NO_TAKING: "No two cards of yours make a meld with {0:the} on the discard pile",
        Verdict.NO_MELD: "You hold no meld: 3 or 4 of one rank, or 3 or more in a row of one suit",
        Verdict.NO_LAYOFF: "No card of yours fits a meld on the table",
        Verdict.NO_TARGET: "There is no meld on the table to lay a card on",
        Verdict.FITS_NONE: "{0:The} fits no meld on the table: it must be the fourth of a set or the next of a run",
        Verdict.ALL_FIT: "Every card of yours fits a meld on the table, and none of those may be discarded here",
    },
    Because: {
        Because.SUIT: "{0:the} has the suit of {1:the}",
        Because.RANK: "{0:the} has the rank of {1:the}",
        Because.TWIN: "{0:the} is the same card as the one on top",
        Because.ANSWERS_SUIT: "{0:the} answers the attack, as it has the suit of {1:the}",
        Because.ANSWERS_RANK: "{0:the} answers the attack, as it has the rank of {1:the}",
        Because.ANSWERS_FREE: "at this table {0:the} answers an attack without matching",
        Because.DREW_FITS: "you have just drawn {0:the}, and it fits {1:the}",
        Because.MAY_TAKE: "who is attacked may always draw the {0:count card} instead of answering",
        Because.NOTHING_FITS: "no card of yours fits {0:the}, and who can't play draws",
        Because.FREE_TO_DRAW: "at this table you may draw even while a card of yours fits",
        Because.MAY_KEEP: "who has drawn may keep the card",
        Because.OPENS: "{0:the} opens the round",
        Because.SEVENS: "a seven can always be played; it opens the row of its suit",
        Because.NEIGHBOUR: "{0:the} goes next to {1:the} on the table",
        Because.ASIDE: "no card of yours can be played, so any one may be put aside",
        Because.STUCK: "no card of yours can be played, and then you pass at this table",
        Because.LEADS: "you lead, and any combination may be led",
        Because.LEADS_WITH: "you lead, and {0:the} is in it, as it must be",
        Because.ABOVE: "{0:card} is above {1:card}",
        Because.HIGHER: "it is of the same kind and size, and its highest card {0:card} is above {1:card}",
        Because.BOMBS: "a bomb beats 2s, and {0:card} is nothing but 2s",
        Because.BOMBS_BOMB: "at this table a stronger bomb beats {0:card}",
        Because.FOUR_PAIRS: "four pairs in a row may be played on {0:card} even after passing",
        Because.PASSES: "who does not lead may always pass",
        Because.BEGINS: "your turn begins with a card from the stock, unless you take or call",
        Because.MELDS_TOP: "your cards make a meld with {0:the} on the discard pile",
        Because.FITS_TOP: "at this table the top discard may be laid on a meld, and {0:the} fits {1}",
        Because.MAY_CALL: "your turn has just begun, a meld of yours is exposed, and nothing blocks your call",
        Because.IS_SET: "{0:cards} is a set, cards of one rank",
        Because.IS_RUN: "{0:cards} is a run, cards of one suit in a row",
        Because.FITS: "{0:the} fits {1}",
        Because.ENDS_TURN: "you have your card for this turn, and a discard ends it",
        Because.ASKED: "somebody called, and a meld of yours is exposed or you hold four of a kind",
    },
    Waits: {
        Waits.BY_SEAT: "It is {0:whose} turn: the turns go round by seat",
        Waits.SKIPPED: "It is {0:whose} turn: you were skipped",
        Waits.BANKRUPT: "You are bankrupt with {0:count card} and out of the round",
        Waits.SHUFFLING: "Nobody can act for a moment: the discards are being shuffled into a new stock",
        Waits.LOCKED: "You have passed, so you have no turn until this trick ends",
        Waits.OUT: "You are out, {0:nth}, while the others play on",
        Waits.OWN_PILE: "{0:cards} is yours: the others may beat it, and if nobody does you lead next",
        Waits.CALLED: "You called, and now {all:who} must answer: challenge or fold",
        Waits.ANSWERED: "You have answered the call; the answer of {all:who} is awaited",
        Waits.BURNED: "{0} called, and you are not asked: nothing of yours is exposed",
        Waits.OVER: "The round is over",
    },
}

_EFFECTS: Mapping[type[Enum], Mapping[Enum, str]] = {
    OneCardDoes: {OneCardDoes.PLAY: "nothing more; then {0} plays", OneCardDoes.KEEP: "you keep it; then {0} plays"},
    TongItsDoes: {
        TongItsDoes.DRAW: "you get a card from the stock ({0} left)",
        TongItsDoes.CALL: "you claim the lowest hand; yours counts {0}",
        TongItsDoes.DISCARD: "it takes {0:count point} out of your hand",
        TongItsDoes.BREAKS: "it takes {0:count point} out of your hand, but breaks a meld in it",
    },
}
"""What actions do, where the words beside a suggestion need it to be read with."""


def answer(asked: str, context: Context, words: Words, hidden: bool) -> list[str]:
    """What `why` answers with that behind it, a sentence each; nothing of the hand where it is hidden."""
    reasons = why(asked, context)
    if not hidden or all(_is_public(reason) for reason in reasons):
        return [line for reason in reasons for line in _told(words, reason) if line]
    if asked:
        return [VEILED]
    waits = [line for reason in reasons if _is_public(reason) for line in _told(words, reason)]
    tips = tuple(one.said for one in reasons if isinstance(one.said, Remark) and type(one.said.code) not in _SENTENCES)
    return [*waits, words.coach(tips)] if tips else [*waits, VEILED]


def _is_public(reason: Reason) -> bool:
    """Whether it tells nothing of the hand."""
    code = reason.said.code
    return isinstance(code, Waits | Trouble | Advice) or code in (Verdict.WORKS, Verdict.UNKNOWN)


def _told(words: Words, reason: Reason) -> list[str]:
    said = reason.said
    if isinstance(said, Problem):
        return [_refused(reason, words.problem(said))]
    if type(said.code) not in _SENTENCES:
        return [words.coach((said,))]
    does = "" if reason.does is None else _effect(words, reason.does)
    if said.code is Verdict.EACH:
        return [sentence(f"{_codes(reason.about)}: {does}")]
    may = "may" if reason.now else "could"
    text = words.voice.say(_SENTENCES[type(said.code)][said.code].replace("{may}", may), said.detail)
    if said.code is Verdict.WITH or said.code is Verdict.MAY:
        head = text if reason.now else f"If it were your turn now, {text[0].lower()}{text[1:]}"
        return [sentence(f"{head} {_codes(reason.about)}" if reason.about else f"{head} do one of these:")]
    if isinstance(said.code, Because) or said.code is Verdict.LEGAL:
        legal = "is legal" if reason.now else "would be legal if it were your turn now"
        effect = "What it does" if reason.now else "What it would do"
        return [_ruled(f"{_codes(reason.about)} {legal}: {text}", reason.rule), sentence(f"{effect}: {does}")]
    return [_refused(reason, text)]


def _effect(words: Words, does: Remark) -> str:
    """What a legal action does, said in full where a note beside it is shorter."""
    template = _EFFECTS.get(type(does.code), {}).get(does.code)
    return words.note(does) if template is None else words.voice.say(template, does.detail)


def _refused(reason: Reason, text: str) -> str:
    """Why not: of verbs that it is said of, and of a turn that is not yet, at the head of it."""
    if len(reason.about) > 1 or not all(re.search(rf"\b{verb}", text) for verb in reason.about):
        text = f"Not {_codes(reason.about)}: {_lower(text)}"
    if not reason.now and not isinstance(reason.said.code, Trouble) and reason.said.code is not Verdict.MORE:
        text = f"Not even if it were your turn now: {_lower(text)}"
    return _ruled(text, reason.rule)


def _ruled(text: str, rule: str) -> str:
    """With the number of the rule at its end."""
    if not rule:
        return sentence(text)
    return f"{sentence(text).rstrip('.')} (rule {rule})."


def _lower(text: str) -> str:
    """To stand behind a colon; a card that it begins with stays as it is."""
    return text[0].lower() + text[1:] if text[1:2].islower() or text[1:2] == " " else text


def _codes(lines: Iterable[str]) -> str:
    *codes, last = (f"`{line}`" for line in lines)
    return f"{', '.join(codes)} and more" if last == f"`{MORE}`" else listed([*codes, last], "or")

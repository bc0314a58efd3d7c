"""Completion: text and context in, suggestions out; pure, and without a terminal.

Only what works here and is legal now is offered, one word at a time, cards in any order; as soon as a word leaves one
legal action, the rest of it is offered at once. Every suggestion therefore keeps a legal line reachable, and every
legal line is reached by accepting suggestions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct

from p2pcards.cards import Card, Ranking
from p2pcards.commands import cardwords
from p2pcards.commands.command import Problem, Remark
from p2pcards.commands.context import Choice, Context, Listed
from p2pcards.commands.entry import Arg, Entry, Kind
from p2pcards.commands.hand import hand_values
from p2pcards.commands.help import PAGES
from p2pcards.commands.legal import Legal, bits
from p2pcards.commands.meanings import means
from p2pcards.commands.notes import purpose
from p2pcards.commands.suggest_people import About, code_endings, kept, people_values, pressing
from p2pcards.commands.suggest_why import asked
from p2pcards.commands.table import ENTRIES, GAME_ALIASES, VERB_ALIASES, named, offered, verb
from p2pcards.commands.table_look import themes
from p2pcards.commands.table_tell import further
from p2pcards.games import registry


class Note(StrEnum):
    """What stands beside a suggestion that is no action; its detail."""

    HELP = "help"  # the line of help
    WAYS = "ways"  # how many legal actions are left
    GAME = "game"  # the game's title
    ROW = "row"  # title, game, host, free seats, state, then what is not as usual: option, value, option, value, …
    OPTION = "option"  # value now, effect
    CHANGED = "changed"  # likewise, and the usual value
    VALUE = "value"  # what it does, likewise for:
    PRESET = "preset"  # the game, then option, value, option, value, …
    NOW = "now"  # this is the value now
    USUAL = "usual"  # this is the usual value
    PLAIN = "plain"


class Suggestion(Struct, frozen=True):
    """text goes in place of everything from `start` on; display is shown in the menu, with the note beside it.

    Without a text it is no choice: it says what the line does as it stands.
    """

    text: str
    display: str
    note: Remark
    start: int


FEW = 3
"""So many actions of one verb, or fewer, are offered whole on an empty line."""
LINES = 5
"""So many actions, or fewer, are offered whole behind cards without a verb: what a menu shows at once."""
ENTER = "Enter"
"""How that is displayed which the line does as it stands, while more may follow."""

MORE = "+"
"""Behind a word that makes an action to which more may be added."""

_WORD = re.compile(r"[^\s,]+")
_NOTHING = Remark(Note.PLAIN)


def suggest(text: str, context: Context) -> tuple[Suggestion, ...]:
    """What may be typed next, the cursor standing at the end of `text`; it never raises."""
    start = len(text) - len(text.lstrip().removeprefix("/").lstrip())
    words = [(found.start(), found.group()) for found in _WORD.finditer(text, start)]
    if words and words[-1][0] + len(words[-1][1]) == len(text):
        at, fragment = words.pop()
    else:
        at, fragment = len(text), ""
    return tuple(_suggest(text, start, [word for _, word in words], at, fragment, context))


def _suggest(text: str, start: int, words: list[str], at: int, fragment: str, context: Context) -> Iterator[Suggestion]:
    legal = _mine(context)
    if not words:
        acts = [] if legal is None else list(_verbs(legal, at, fragment))
        cards = [] if legal is None else list(_bare(legal, start, [], at, fragment, context))
        entries = list(_entries(at, fragment, context))
        urgent = list(_urgent(at, fragment, context))
        yield from urgent
        yield from acts
        one_letter = len(fragment) == 1 and fragment.isalpha()  # of a rank it may begin a command as well
        both = [*entries, *cards] if one_letter else [*cards, *entries]
        told = {one.text for one in urgent}
        yield from (one for one in both if one not in acts and one.text not in told)
        if context.asking:
            yield from _code(text[start:], start)
        return
    first = words[0].lower()
    if found := named(first):
        yield from _arguments(found, text, start, words, at, fragment, context)
    elif legal is not None and (own := verb(legal.game, first)):
        yield from _action_words(legal, own, words[1:], at, fragment, context)
    elif legal is not None:
        yield from _bare(legal, start, words, at, fragment, context)
    elif context.asking:
        yield from _code(text[start:], start)


def _mine(context: Context) -> Legal | None:
    """The legal actions while it is our turn."""
    mine = context.me in context.to_act and not (context.pending or context.halts)
    return context.legal if mine else None


# ---- actions of the game


def _verbs(legal: Legal, at: int, fragment: str) -> Iterator[Suggestion]:
    lower = fragment.lower()
    aliases = {own: alias for alias, own in VERB_ALIASES.items() if lower and alias.startswith(lower)}
    for own, places in legal.verbs.items():
        word = own if own.startswith(lower) else aliases.get(own)
        if word is None:
            continue
        if places.bit_count() <= FEW:
            for place in bits(places):
                line = word + legal.lines[place].removeprefix(own)
                yield Suggestion(line, line, legal.notes[place], at)
        else:
            yield Suggestion(f"{word} ", word, Remark(Note.HELP, (purpose(legal.game, legal.view, own),)), at)


def _bare(legal: Legal, start: int, words: list[str], at: int, fragment: str, context: Context) -> Iterator[Suggestion]:
    """Cards without a verb: the actions with them, whole where they are few, else the next word."""
    typed = _read(legal, words, context)
    if typed is None or not (words or _begins_card(fragment, legal, context)):
        return
    among = legal.having(typed, legal.all())
    shown = among
    if fragment:
        shown = 0
        for word in _candidates(legal, among, typed, fragment, context):
            shown |= legal.containing[word] & among
    if shown.bit_count() <= LINES:
        yield from (_whole(legal, place, start) for place in bits(shown))
    elif len([own for own in legal.verbs.values() if own & among]) == 1:
        yield from _next(legal, among, typed, at, fragment, context, start)
    else:  # the verb is open: what these cards do by themselves is offered with it
        for places in () if fragment else legal.verbs.values():
            if (exact := legal.exactly(typed, places)) is not None:
                yield _whole(legal, exact, start)
        yield from _next(legal, among, typed, at, fragment, context, start)


def _begins_card(fragment: str, legal: Legal, context: Context) -> bool:
    """Whether the first word may become a card: it is a rank or a number, its place in the hand, or a card already."""
    ranking = legal.game.ranking
    begun = fragment[:1].isdecimal() or fragment.startswith("#") or (fragment and fragment.upper() in ranking.ranks)
    return bool(begun) or isinstance(cardwords.read(ranking, context.hand, fragment), str)


def _whole(legal: Legal, place: int, at: int) -> Suggestion:
    return Suggestion(legal.lines[place], legal.lines[place], legal.notes[place], at)


def _action_words(
    legal: Legal, own: str, words: list[str], at: int, fragment: str, context: Context
) -> Iterator[Suggestion]:
    typed = _read(legal, words, context)
    if typed is not None:
        yield from _next(legal, legal.having(typed, legal.verbs.get(own, 0)), typed, at, fragment, context)


def _next(
    legal: Legal, among: int, typed: list[str], at: int, fragment: str, context: Context, bare: int | None = None
) -> Iterator[Suggestion]:
    """What the line does as it stands, then the next words of the actions of `among`: those that make an action first.

    bare: where the line begins, if it has no verb: then an action that a word settles is offered with its verb.
    """
    found = list(_candidates(legal, among, typed, fragment, context))
    if found and not fragment and (exact := _alone(legal, typed, among)) is not None:
        yield Suggestion("", ENTER, legal.notes[exact], at)
    finished, open_ = 0, list[Suggestion]()
    for word in found:
        places = legal.containing[word] & among
        if places & finished == places and places.bit_count() == 1:
            continue  # the same action was offered with another of its words
        mark = f"#{_place(word, legal, context)} " if fragment.startswith("#") else ""
        if places.bit_count() == 1:
            finished |= places
            place = places.bit_length() - 1
            if bare is not None:
                yield _whole(legal, place, bare)
                continue
            rest = [word, *_without(legal.words[place], [*typed, word])]
            ordered = " ".join(_in_order(legal.words[place], rest))
            yield Suggestion(ordered, mark + ordered, legal.notes[place], at)
        elif (exact := _alone(legal, [*typed, word], places)) is None:
            note = Remark(Note.WAYS, (str(places.bit_count()),))
            open_.append(Suggestion(f"{word} ", mark + word, note, at))
        else:
            yield Suggestion(f"{word} ", f"{mark}{word} {MORE}", legal.notes[exact], at)
    yield from sorted(open_, key=lambda one: _place(one.text.rstrip(), legal, context) or 0)


def _alone(legal: Legal, words: list[str], among: int) -> int | None:
    """The action of these words and no other, where no other verb takes them."""
    places = legal.having(words, among)
    verbs = [own for own in legal.verbs.values() if own & places]
    return legal.exactly(words, places) if words and len(verbs) == 1 else None


def _candidates(legal: Legal, among: int, typed: list[str], fragment: str, context: Context) -> Iterator[str]:
    """The words, not typed yet, of the legal actions of `among` that the fragment may become, in legal order."""
    upper = fragment.upper()
    seen = set(typed)
    for place in bits(among):
        for word in legal.words[place]:
            if word in seen:
                continue
            seen.add(word)
            if upper.startswith("#"):
                number = _place(word, legal, context)
                matches = number is not None and f"#{number}".startswith(upper)
            else:
                matches = not upper or any(form.startswith(upper) for form in cardwords.forms(word))
            if matches:
                yield word


def _place(word: str, legal: Legal, context: Context) -> int | None:
    """The card's place in the hand as it is shown, from 1."""
    return _places(legal.game.ranking, context.hand).get(word)


@lru_cache(maxsize=4)
def _places(ranking: Ranking, hand: tuple[Card, ...]) -> Mapping[str, int]:
    """The place of each card by its text; of those of one text the first."""
    return {ranking.format(card): len(hand) - after for after, card in enumerate(reversed(hand))}


def _read(legal: Legal, words: Iterable[str], context: Context) -> list[str] | None:
    """The words, canonical; None when one of them can stand in no line, or stands there twice."""
    typed = []
    for word in words:
        card = cardwords.read(legal.game.ranking, context.hand, word)
        if isinstance(card, Problem):
            return None
        typed.append(card or word.lower())
    return typed if len(set(typed)) == len(typed) else None


def _without(words: Iterable[str], typed: list[str]) -> list[str]:
    left = list(words)
    for word in typed:
        left.remove(word)
    return left


def _in_order(words: tuple[str, ...], some: list[str]) -> list[str]:
    return sorted(some, key=words.index)


# ---- table commands


def _urgent(at: int, fragment: str, context: Context) -> Iterator[Suggestion]:
    """Whole lines that answer what waits for an answer."""
    for line, note in pressing(fragment.lower(), context):
        yield Suggestion(line, line, note, at)


def _code(begun: str, at: int) -> Iterator[Suggestion]:
    """The next word of the code that begins so, and stands at that place of the line."""
    for place, word in code_endings(begun):
        yield Suggestion(word, word, Remark(About.WORD), at + place)


def _entries(at: int, fragment: str, context: Context) -> Iterator[Suggestion]:
    lower = fragment.lower()
    begun = ENTRIES
    if lower:
        begun = tuple([one for one in ENTRIES if any(word.startswith(lower) for word in (one.word, *one.aliases))])
    shown = set()
    for entry in offered(context, begun):
        named_so = entry.word.startswith(lower)
        word = entry.word if named_so else next(alias for alias in entry.aliases if alias.startswith(lower))
        words = word + entry.words.removeprefix(entry.word)
        if words not in shown:
            shown.add(words)
            yield _entry(entry, words, at, context, word + entry.usage.removeprefix(entry.word))


def _entry(entry: Entry, words: str, at: int, context: Context, usage: str = "") -> Suggestion:
    note = Remark(Note.HELP, (entry.helps(searching=bool(context.joining)),))
    return Suggestion(words + (" " if entry.args else ""), usage or entry.usage, note, at)


def _arguments(
    found: tuple[Entry, ...], text: str, start: int, words: list[str], at: int, fragment: str, context: Context
) -> Iterator[Suggestion]:
    here = list(offered(context, found))
    if here and here[0].second:
        if len(words) == 1:
            for entry in here:
                if entry.second.startswith(fragment.lower()):
                    yield _entry(entry, entry.second, at, context)
            return
        here = [entry for entry in here if entry.second == words[1].lower()]
        words = words[1:]
    typed = words[1:]
    here = [entry for entry in here if len(entry.args) > len(typed)] or here
    if not here:
        return
    for place, arg in enumerate(here[0].args):
        if arg.kind in (Kind.TABLE, Kind.CODE, Kind.KEPT, Kind.LINE):
            tail = (text[start:].split(None, 1)[1:] or [""])[0]
            yield from _whole_line(arg.kind, tail, len(text) - len(tail), context)
            return
        if place == len(typed) or (arg.kind is Kind.WAYS and place < len(typed)):
            more = any(not later.optional for later in here[0].args[place + 1 :])
            yield from _values(here[0], arg, typed, at, fragment, context, " " if more else "")


def _whole_line(kind: Kind, tail: str, begins: int, context: Context) -> Iterator[Suggestion]:
    """What may be the whole rest of the line, which begins there."""
    if kind is Kind.TABLE:
        yield from _tables(tail, begins, context)
    elif kind is Kind.CODE:
        yield from _code(tail, begins)
    elif kind is Kind.LINE:
        yield from (Suggestion(word, word.rstrip(), note, begins + at) for at, word, note in asked(tail, context))
    else:
        yield from (Suggestion(name, name, note, begins) for name, note in kept(tail, context))


def _values(
    entry: Entry, arg: Arg, typed: list[str], at: int, fragment: str, context: Context, behind: str
) -> Iterator[Suggestion]:
    lower = fragment.lower()
    for value, note in _known(entry, arg, typed, lower, context):
        if value.lower().startswith(lower) or (arg.kind is Kind.EVENT and lower in value):
            yield Suggestion(value + behind, value, note, at)


def _known(entry: Entry, arg: Arg, typed: list[str], lower: str, context: Context) -> Iterator[tuple[str, Remark]]:
    """Every value that the argument can have, with what is to be said about it."""
    match arg.kind:
        case Kind.GAME:
            aliases = {name: alias for alias, name in GAME_ALIASES.items() if lower and alias.startswith(lower)}
            for name, game in registry.GAMES.items():
                word = name if name.startswith(lower) else aliases.get(name, name)
                yield word, Remark(Note.GAME, (game.title,))
        case Kind.LEVEL:
            yield from ((level, _NOTHING) for level in context.levels)
        case Kind.BOT:
            yield from ((chair.nick, _NOTHING) for chair in context.chairs if chair.bot)
        case Kind.CHOICE:
            yield from ((choice, _NOTHING) for choice in arg.choices)
        case Kind.TOPIC:
            yield from _topics(context)
        case Kind.THEME:
            yield from ((name, Remark(Note.HELP, (about,))) for name, about in themes(context))
        case Kind.EVENT | Kind.WAYS:
            yield from ((word, Remark(Note.HELP, (about,))) for word, about in further(typed))
        case Kind.OPTION:
            for choice in context.choices:
                changed = choice.now != choice.usual
                note = Remark(
                    Note.CHANGED if changed else Note.OPTION, (choice.now, means(choice, choice.now), choice.usual)
                )
                yield choice.name, note
        case Kind.VALUE:
            for choice in context.choices:
                if typed and choice.name == typed[0].lower():
                    yield from _choices(choice)
        case Kind.PRESET:  # also to be replaced
            for preset in context.presets:
                yield preset.name, Remark(Note.PRESET, (preset.game, *(word for rule in preset.rules for word in rule)))
        case Kind.CARD | Kind.PLACE:
            yield from hand_values(arg.kind, lower, context)
        case _:
            yield from people_values(entry, arg.kind, lower, context)


def _choices(choice: Choice) -> Iterator[tuple[str, Remark]]:
    """What the option can be; of a number the value now and the usual one."""
    for value in choice.values or dict.fromkeys((choice.now, choice.usual)):
        note = Note.NOW if value == choice.now else Note.USUAL if value == choice.usual else Note.VALUE
        yield value, Remark(note, (means(choice, value),))


def _topics(context: Context) -> Iterator[tuple[str, Remark]]:
    if context.game is not None:
        for own, help_line in context.game.verbs.items():
            yield own, Remark(Note.HELP, (help_line,))
    seen = set()
    for entry in offered(context):
        if entry.word not in seen:
            seen.add(entry.word)
            yield entry.word, Remark(Note.HELP, (entry.help,))
    for word, about in PAGES.items():
        yield word, Remark(Note.HELP, (about,))


def _tables(fragment: str, at: int, context: Context) -> Iterator[Suggestion]:
    """Tables by number, or by title once letters are typed."""
    lower = fragment.lower()
    by_number = not lower or lower.isdecimal()
    titles = [row.title.lower() for row in context.listed]
    for row in context.listed:
        name = str(row.number) if by_number or titles.count(row.title.lower()) > 1 else row.title
        if (name if by_number else row.title.lower()).startswith((lower, lower.removeprefix('"'))):
            yield Suggestion(name, name, _row(row), at)


def _row(row: Listed) -> Remark:
    rules = tuple(word for pair in row.rules for word in pair)
    return Remark(Note.ROW, (row.title, row.game, row.host, str(row.free), row.state, *rules))

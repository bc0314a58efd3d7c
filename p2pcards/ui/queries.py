"""Questions about what is known, answered in sentences: `hand`, `table`, `scores`, `who`, `legal`, `list`, `help`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from p2pcards.commands.command import Command
from p2pcards.commands.context import Choice, Context, Listed, Where
from p2pcards.commands.help import HelpLine, explain, overview
from p2pcards.commands.meanings import meanings, means
from p2pcards.commands.parse import halted
from p2pcards.table.listing import HomeView, KeptTable, Row
from p2pcards.table.tableview import SeatView, Stage, TableView
from p2pcards.ui import words_deal
from p2pcards.ui.dates import span
from p2pcards.ui.faces import Face, faces
from p2pcards.ui.gamewords import GAME_WORDS
from p2pcards.ui.ports import Node
from p2pcards.ui.voice import counted, house_rules, listed, sentence
from p2pcards.ui.words import STATES, Words, at
from p2pcards.ui.words_host import IF_THE_HOST_GOES, safety, standing
from p2pcards.ui.words_trust import HOW_IT_WORKS
from p2pcards.wire.text import NICK_CHARS, TITLE_BYTES, clean, table_text

_PAGES: Mapping[str, Sequence[str]] = {"deal": HOW_IT_WORKS, "safe": IF_THE_HOST_GOES}
"""What `help` explains at length, by `commands.help.PAGES`."""

DECK_ROW = 13
"""Cards of the deck in one line."""


def answer(command: Command, node: Node, context: Context, words: Words, lab_only: bool = False) -> list[str]:
    """The sentences that answer the query. lab_only: other tables of the list are hidden."""
    table = node.table
    match command.verb:
        case "help":
            return help_lines(context, command.args[0] if command.args else "")
        case "list":
            return tables(node.home, context, lab_only)
        case "hand":
            return hand(context, words)
        case "legal":
            return legal(context, words)
        case "set":
            return options(context, command.args[0] if command.args else "")
    if table is None:
        return []
    match command.verb:
        case "table":
            return on_table(table, words)
        case "scores":
            played = table.last.nicks if table.last and table.stage is Stage.OVER else ()
            nicks = played or tuple(seat.nick for seat in table.seats)
            return [words.scores(tuple(zip(nicks, table.scores, strict=False)))]
        case "clock":
            return clock(table, words, node.now())
        case "deck":
            return deck(table, words)
        case "who":
            return who(replace(table, safe=None) if node.alone else table, words, node.now(), faces(node.people, table))
    raise AssertionError(command.verb)


def hand(context: Context, words: Words) -> list[str]:
    """The own cards in the order shown, and what they count."""
    if context.legal is None or not context.hand:
        return ["You hold no cards."]
    ranking = context.legal.game.ranking
    held = words.voice.cards(" ".join(map(ranking.format, context.hand)))
    count = GAME_WORDS[context.legal.game.name].hand(context.legal.view)
    return [" ".join(filter(None, (f"You hold {held}.", count)))]


def legal(context: Context, words: Words) -> list[str]:
    """Each legal action with what it does."""
    if context.halts and (halt := halted("legal", context)) is not None:
        return [words.problem(halt)]
    if context.legal is None or context.me not in context.to_act:
        return ["It is not your turn, so you can do nothing now."]
    known = context.legal
    return [f"{line}: {words.note(note)}" for line, note in zip(known.lines, known.notes, strict=True)]


def options(context: Context, wanted: str) -> list[str]:
    """The rules of the table: all of them, the changed ones first and marked, or all about one."""
    if wanted:
        return [_option(choice) for choice in context.choices if choice.name == wanted]
    return [_value(choice) for choice in sorted(context.choices, key=_changed, reverse=True)]


def _value(choice: Choice) -> str:
    usual = f" (usually {choice.usual})" if _changed(choice) else ""
    return f"{choice.name}: {choice.now}{usual}: {means(choice, choice.now)}"


def agreed(context: Context) -> list[str]:
    """What is not as usual at this table, above the rules of its game."""
    changed = [choice for choice in context.choices if _changed(choice)]
    if not changed:
        return ["This table has the usual rules.", ""]
    told = [f"* {choice.name} {choice.now}, usually {choice.usual}: {means(choice, choice.now)}" for choice in changed]
    return ["At this table:", "", *told, ""]


def _option(choice: Choice) -> str:
    usual = f"here, usually {choice.usual}" if _changed(choice) else "as usual"
    if set(choice.values) <= meanings(choice).keys() and choice.values:
        return f"{choice.name} is {choice.now} {usual}. {choice.effect}."
    return f"{choice.name} is {choice.now} {usual}. It can be {choice.allowed}: {choice.effect}."


def _changed(choice: Choice) -> bool:
    return choice.now != choice.usual


def on_table(table: TableView, words: Words) -> list[str]:
    """What lies on the table; between rounds, what lay there at the end. While it is shuffled that stands first."""
    shuffling = [told] if (told := words_deal.shuffling(table)) else []
    view = table.view if table.view is not None else table.last.view if table.last and not table.dealing else None
    if view is None:
        return shuffling or ["Nothing is on the table yet."]
    lines = GAME_WORDS[table.game.name].table(words.voice, view, tuple(seat.nick for seat in table.seats))
    pot = [f"The pot is {table.pot}."] if table.pot else []
    return [*shuffling, *map(sentence, lines), *pot]


def clock(table: TableView, words: Words, now: float) -> list[str]:
    """How long the turn may still take."""
    seconds = dict(table.settings).get("turn_seconds", "0")
    if table.clock_at is not None and table.to_act:
        left = counted(max(0, round(table.clock_at - now)), "second")
        whose = listed([words.voice.whose(table.seats[seat].nick) for seat in table.to_act], "and")
        return [f"{left} left of {whose} time."]
    if seconds == "0":
        return ["There is no turn clock at this table; the host sets one in the lobby, `set turn_seconds 30`."]
    return [f"Nobody's time runs now; a turn may take {counted(int(seconds), 'second')}."]


def deck(table: TableView, words: Words) -> list[str]:
    """The deck that was laid open, in the order in which it was dealt."""
    texts = [table.game.ranking.format(card) for card in table.deck]
    rows = range(0, len(texts), DECK_ROW)
    return [
        "The deck as it was dealt, the first card first:",
        *(f"{first + 1}: {words.voice.cards(' '.join(texts[first : first + DECK_ROW]))}" for first in rows),
    ]


def goes_on(table: TableView | None, now: float) -> list[str]:
    """Between rounds: when the next one begins by itself."""
    if table is None or table.stage is not Stage.BETWEEN or table.next_at is None:
        return []
    return [f"The next round begins by itself in {counted(max(0, round(table.next_at - now)), 'second')}."]


def who(table: TableView, words: Words, now: float, met: Mapping[bytes, Face]) -> list[str]:
    """Everybody at the table with the words of their keys, seats from 1. met: their faces, by key."""
    lines = [f"Seat {place}: {_holder(table, seat, words, now, met)}." for place, seat in enumerate(table.seats, 1)]
    keys = dict(zip(table.spectators, table.spectator_keys, strict=False))
    watching = [_watcher(nick, met.get(keys.get(nick, b"")), table, words) for nick in table.spectators]
    waiting = [_named(knock.nick, met.get(knock.key), words) for knock in table.knocks]
    told = safety(table)
    return [
        *lines,
        *standing(table, now),
        *([sentence(told[0].upper() + told[1:])] if told else []),
        *([f"Watching: {', '.join(watching)}."] if watching else []),
        *([f"At the door: {', '.join(waiting)}."] if waiting else []),
    ]


def _named(nick: str, one: Face | None, words: Words) -> str:
    """`ana (mango-tiger, known)`; of oneself the words alone."""
    who = words.voice.who(clean(nick, NICK_CHARS))
    if one is None:
        return who
    return f"{who} ({one.chip if nick == words.voice.me else one.about})"


def _watcher(nick: str, one: Face | None, table: TableView, words: Words) -> str:
    """Oneself too: beside a bot that has one's seat, and one's nick there."""
    if table.me is None and nick == table.nick and one is not None:
        return f"you ({one.chip})"
    return _named(nick, one, words)


def _holder(table: TableView, seat: SeatView, words: Words, now: float, met: Mapping[bytes, Face]) -> str:
    if not seat.nick:
        return "free"
    about = [_named(seat.nick, None if seat.level else met.get(seat.key), words)]
    if seat.level:
        kept = table.kept_seat is not None and seat is table.seats[table.kept_seat]
        about.append(f"a bot ({seat.level})" + (", which keeps your seat until this round is over" if kept else ""))
    if seat.key == table.host_key:
        about.append("the host")
    if seat.program:
        about.append("played by a program")
    if seat.held_until is not None:
        about.append(f"line lost, the seat is kept for {counted(max(0, round(seat.held_until - now)), 'second')}")
    elif seat.bot_plays:
        about.append("a bot plays for now")
    return ", ".join(about)


def tables(home: HomeView, context: Context, lab_only: bool = False) -> list[str]:
    """The list of tables, one sentence each, those of the lab first; where there is none, what to do and what may be
    wrong."""
    rows = list(zip(home.rows, context.listed, strict=True))
    own = [table_line(row, listed) for row, listed in rows if row.lab]
    others = [table_line(row, listed) for row, listed in rows if not row.lab]
    if not home.in_lab and not own:
        lines = others
    else:
        hidden = [f"Other tables that are hidden: {len(others)}; `list all` shows them."] if others else []
        lines = ["Tables of your lab:", *own] if own else ["No table of your lab is open."]
        lines += hidden if lab_only else ["Other tables on this network:", *others] if others else []
    if not rows:
        lines = [
            "No tables yet. `practise tongits` plays bots now, `host tongits` opens a table, "
            "`join HOST` reaches one that the network hides."
        ]
    lines = [*kept(home), *lines]
    return [*lines, home.trouble] if home.trouble else lines


def kept(home: HomeView) -> list[str]:
    """The tables to go back to, one sentence each."""
    return [
        f"Your seat at {clean(one.title, TITLE_BYTES)} {_still(one)}, you were there {span(one.age)} ago: "
        f"`resume{'' if len(home.kept) == 1 else f' {clean(one.title, TITLE_BYTES)}'}` goes back."
        for one in home.kept
    ]


def _still(one: KeptTable) -> str:
    return "is still yours" if one.held is None else f"is held for {counted(one.held, 'second')} more"


def on_the_way(home: HomeView, until: float | None, now: float) -> str:
    """Where we are going, what holds us up, and how to give up. until: when the host's time to let us in is over."""
    if home.asking:
        return (
            f"The table {clean(home.asking, TITLE_BYTES)} asks for its code, two words that its host can see. Type "
            "them, Tab completes; `leave` gives up."
        )
    if not home.joining:
        return ""
    if until is not None:
        left = max(0, round(until - now))
        return f"At the door of {wanted(home)}: the host is asked, for {left} s more. `leave` gives up."
    return f"Looking for {wanted(home)} … `leave` gives up."


def wanted(home: HomeView) -> str:
    """What is being joined, as people know it: the title of a table of the list, else what was typed."""
    titles = [row.title for row in home.rows if home.joining == f"~{table_text(row.table)}"]
    return titles[0] if titles else home.joining


def table_line(row: Row, listed: Listed) -> str:
    """One row of the list, `1: lab, Tong-its, host ben, 1 of 3 seats taken, in the lobby; usual rules.`"""
    taken = f"{row.taken} of {counted(row.seats, 'seat')} taken"
    state = STATES.get(row.state, row.state)
    door = "" if row.door == "open" else f", door {clean(row.door, NICK_CHARS)}"
    line = f"{listed.number}: {row.title}, {listed.game}, host {row.host}, {taken}, {state}{door}"
    if row.barred:
        return f"{line}. It is for members of its lab only."
    if row.version:
        return f"{line}. It is another version of p2pcards: {row.version}."
    if not row.answers and not row.options:
        return f"{line}."
    rules = f"rules: {house_rules(row.options)}" if row.options else house_rules(())
    return f"{line}; {rules}."


def help_lines(context: Context, topic: str) -> list[str]:
    """Help for one word, or everything that works here."""
    if topic in _PAGES:
        return list(_PAGES[topic])
    if topic:
        return [line for told in explain(topic, context) for line in _explained(told)]
    return [*(_help_line(line) for line in overview(context)), *typing(context)]


def typing(context: Context) -> list[str]:
    """How lines are typed here: cards, and where more is to be found."""
    cards = []
    if context.where is Where.PLAYING and context.me is not None:
        melds = context.game is not None and "layoff" in context.game.verbs
        cards = [
            "Cards are typed as 7H, TD or QS, in any order, or by their place in your hand: #1 is your first card.",
            *(["Melds on the table are m1, m2 and so on."] if melds else []),
            "A card alone is played at once, where only one thing can be done with it.",
        ]
    return [*cards, "On a screen Tab completes; `help WORD` explains one command, with examples."]


def _explained(line: HelpLine) -> list[str]:
    """All about one command: what it does, when it works, how it looks."""
    lines = [_help_line(line)]
    if line.places:
        if line.places == frozenset(Where):
            where, alone = "everywhere", "; at a table for the host alone"
        else:
            where, alone = at([place for place in Where if place in line.places]), ", for the host alone"
        lines.append(f"It works {where}{alone if line.host else ''}.")
    lines += [line.more] if line.more else []
    return [*lines, f"For example: {listed([f'`{one}`' for one in line.examples], 'or')}."] if line.examples else lines


def _help_line(line: HelpLine) -> str:
    aliases = f" (also: {', '.join(line.aliases)})" if line.aliases else ""
    here = "" if line.here else " Not possible right now."
    game = f" ({line.game})" if line.game else ""
    return f"{line.usage}{game}: {line.help}{aliases}.{here}"

"""docs/bots.md, made from the structs of the protocol and the views of the games. To write it anew:

python -m tests.testing.bots_page > docs/bots.md
"""

from __future__ import annotations

import ast
import inspect
import json
import sys
from collections.abc import Iterator
from enum import Enum
from itertools import islice
from textwrap import fill
from typing import Any, get_args, get_type_hints

import msgspec
from msgspec import Struct

from p2pcards.bots.line import MOST_BYTES, PROTOCOL, Answer, Hello, Line, Request, Scores
from p2pcards.bots.registry import bot
from p2pcards.bots.telling import telling_of
from p2pcards.games.match import Match
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts
from p2pcards.net.botprocess import MOST_LOGGED
from p2pcards.net.botprogram import AT_TABLE, ENOUGH, IN_ARENA, MOST_SILENT, STARTS
from tests.bots.rounds import views
from tests.testing.house import ROOT

WIDTH = 118

TEXT = f"""# Bots of your own

A bot can be a program of its own, in any language: one JSON line in, one out, over standard input and output. It plays
in the arena and at real tables, wherever a level could be named:

```sh
p2pcards arena onecard --seat ./mybot --seat medium --rounds 200
p2pcards join "Friday night" --headless --bot "python3 ./mybot.py --fast"
p2pcards host tongits --headless --bot ./mybot --bots 2 --rounds 3
```

What has a path or arguments in it, or is a file, is a program; anything else is a level. It is split as a shell would
split it and run without a shell. This page is made from the code (`python -m tests.testing.bots_page`).

## In Python

With p2pcards installed for that Python, `docs/bots/cautious.py` is a whole bot:

```python
{{python}}
```

`choose` gets a `Request` and returns one of `request.legal`. `self.view(request)` is the view as the rules of p2pcards
have it, `self.game` the game under the options of the table: so `self.game.legal_actions(view)`, `.parse`, `.format`,
and for a search `.resample(view, random)` and `.step` are at hand. `begin` is called when the bot sits down somewhere;
`self.hello` says where. What it prints goes to the log, not among the answers.

## In a shell

`docs/bots/first.sh`, in POSIX shell:

```sh
{{shell}}
```

## In any other language

Two things that languages do unasked make a bot seem silent. They gather what is written until it is much: flush after
each answer (`print(…, flush=True)`, `fflush`). And they read ahead, which waits for lines that don't come: take what
gives one line at a time. The awk of Debian and Ubuntu, mawk, does so as `mawk -W interactive -f mybot.awk`.

## What is said

Lines end with a newline and are UTF-8; between the tokens of a line there are no spaces, and the fields stand in the
order below, `type` first, so that a shell can cut them. Later versions may add fields behind; pass over a `type` that
you don't know. Seats count from 0. Cards are `7H` or `TC`: rank, then suit. Actions are texts as in `docs/records.md`;
none has a quote, a bracket, a comma or a backslash in it.

{{messages}}
For example (here broken into lines):

```json
{{hello}}
{{request}}
```

and the bot answers

```json
{{answer}}
```

A request holds everything that the seat may know of the round, and the scores, and nothing else, so a bot need not
remember anything. A bot may: it sees all requests of its seat in their order, and `hello` comes before the first one at
a new place. In the arena it changes its place within each deal, and with `--jobs` several of it run at once. Where a
match has no end, each round of the arena is a match of its own.

## What is promised

* An answer has to be there within `seconds`: {AT_TABLE.seconds:g} at a table (`--bot-seconds` sets it), or half of
  `turn_seconds` where that is less; {IN_ARENA.seconds:g} in the arena. The first answer after a start may take
  {AT_TABLE.start:g} seconds longer: interpreters load.
* An answer that is no JSON, that has another `id`, or whose action is not one of `legal`, letter for letter, no answer
  in time, and the end of the program: each costs the safe default for that one action, the same that a person gets
  whose time is up. The program is told nothing of it; you are, in a sentence with the reason, the first time, the 10th,
  the 100th (in `--json` as `error`). Each is in the log.
* An answer that comes too late is passed over; it is not taken for an answer to the next request. So is a second one
  to the same request.
* A program that ended, that closed its output, that wrote a line of more than {MOST_BYTES} bytes, or that let
  {MOST_SILENT} requests in a row go unanswered is started again, so that it is started {STARTS} times in all at one
  table; after that its seat gets the safe default. {ENOUGH} answers to one start make up for the starts before.
* Its standard error goes into the log (`p2pcards where`), {MOST_LOGGED} lines of it at most; in the arena that is
  `arena.log`, and of each further process that plays at the same time `arena-2.log` and so on. They may name cards:
  mind whom you show that log to.
* When the table is over its standard input ends. A program that does not end by itself then is terminated, and killed
  soon after, with everything that it started in its process group; so it is, but on Windows, where p2pcards itself was
  killed. Ctrl-C does not reach it.
* Nobody waits for it but its own seat.
* It runs with all your rights: play with no bot that you would not run.
"""


def page() -> str:
    """The whole page."""
    game = TongIts()
    seen = views(game, [bot("tongits", "random")] * 3, 8)
    view = next(view for view in islice(seen, 9, None) if view.public.melds and len(list(game.legal_actions(view))) > 9)
    match = Match(game, (1, 0, 2), (1, 0, 2), 3)
    hello, request = Line().ask(game, view, AT_TABLE.seconds, match).splitlines()
    action = json.loads(request)["legal"][-1]
    text = TEXT.format(
        python=_source("cautious.py"),
        shell=_source("first.sh"),
        messages="\n".join(_messages()),
        hello=_pretty(json.loads(hello)),
        request=_pretty(json.loads(request)),
        answer=msgspec.json.encode(Answer(1, action)).decode(),
    )
    return text + "\n".join(_schema()) + "\n"


def _source(name: str) -> str:
    return (ROOT / "docs" / "bots" / name).read_text().strip()


MESSAGES: tuple[tuple[type[Struct], str], ...] = (
    (Hello, "to the bot"),
    (Request, "to the bot"),
    (Scores, "in a request, as `match`"),
    (Answer, "from the bot"),
)


def _messages() -> Iterator[str]:
    for kind, who in MESSAGES:
        yield f"**{kind.__name__}**, {who}. {kind.__doc__}"
        yield ""
        yield "| field | what it is |"
        yield "| --- | --- |"
        if kind.__struct_config__.tag is not None:
            yield f'| `type` | "{kind.__struct_config__.tag}" |'
        for field in msgspec.structs.fields(kind):
            yield f"| `{field.name}` | {field.type.__metadata__[0].description} |"
        yield ""


# ---- the schema


def schema() -> dict[str, Any]:
    """Every message, and what a seat may know in each game."""
    _, defs = msgspec.json.schema_components((Hello, Request, Answer))
    named = {name: GAMES[name]() for name in GAMES}
    for message in defs.values():  # what may be left out on reading is always written
        message["required"] = list(message["properties"])
        for field in message["properties"].values():
            field.pop("default", None)
    defs["Request"]["properties"]["view"] = {
        "description": defs["Request"]["properties"]["view"]["description"],
        "oneOf": [{"$ref": f"#/$defs/{name}.View"} for name in named],
    }
    for name, game in named.items():
        telling = telling_of(game)
        _, parts = msgspec.json.schema_components((telling.shape,), ref_template=f"#/$defs/{name}.{{name}}")
        kinds = _kinds(get_type_hints(type(game).view)["return"])
        for part, said in parts.items():
            _describe(kinds[part], said)
            defs[f"{name}.{part}"] = said
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"p2pcards bots, protocol {PROTOCOL}",
        "oneOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in (Hello, Request, Answer)],
        "$defs": defs,
    }


def _schema() -> Iterator[str]:
    yield ""
    yield "## Schema"
    yield ""
    yield "Of every message, and of the view in each game; descriptions are those of the code."
    yield ""
    yield "```json"
    yield _pretty(schema())
    yield "```"


def _kinds(kind: Any) -> dict[str, Any]:
    """The structs and enums in a type, by their names."""
    if isinstance(kind, type) and issubclass(kind, Enum):
        return {kind.__name__: kind}
    if isinstance(kind, type) and issubclass(kind, Struct):
        found = {kind.__name__: kind}
        for inner in get_type_hints(kind).values():
            found |= _kinds(inner)
        return found
    return {name: inner for each in get_args(kind) for name, inner in _kinds(each).items()}


def _describe(kind: Any, said: dict[str, Any]) -> None:
    """Adds what the comments beside the fields, or beside the members of an enum, say."""
    comments = _comments(kind)
    if issubclass(kind, Enum):
        told = [f"{member.value}: {comments[member.name]}" for member in kind if member.name in comments]
        said["description"] = "; ".join([str(kind.__doc__).rstrip("."), *told])
        return
    said["description"] = str(kind.__doc__)
    said["properties"] = {
        name: ({"description": comments[name]} if name in comments else {}) | described
        for name, described in said["properties"].items()
    }


def _comments(kind: Any) -> dict[str, str]:
    lines = inspect.getsource(kind).splitlines()
    (tree,) = ast.parse("\n".join(lines)).body
    found = {}
    for node in tree.body if isinstance(tree, ast.ClassDef) else ():
        target = (
            node.target
            if isinstance(node, ast.AnnAssign)
            else node.targets[0]
            if isinstance(node, ast.Assign)
            else None
        )
        comment = (
            lines[node.end_lineno - 1][node.end_col_offset :].strip() if node.end_lineno and node.end_col_offset else ""
        )
        if isinstance(target, ast.Name) and comment.startswith("# "):
            found[target.id] = comment[2:]
    return found


def _pretty(value: Any, indent: int = 0, before: int = 0) -> str:
    """JSON, on one line where it is short."""
    flat = json.dumps(value, ensure_ascii=False)
    if indent + before + len(flat) < WIDTH or not value or not isinstance(value, dict | list):
        return flat
    pad = " " * (indent + 2)
    if isinstance(value, list) and not any(isinstance(each, dict | list) for each in value):
        row = ", ".join(json.dumps(each).replace(" ", "\0") for each in value)  # lines end between values alone
        rows = fill(row, WIDTH, initial_indent=pad, subsequent_indent=pad, break_on_hyphens=False).replace("\0", " ")
        return "[\n" + rows + "\n" + " " * indent + "]"
    if isinstance(value, list):
        items = [pad + _pretty(each, indent + 2) for each in value]
        return "[\n" + ",\n".join(items) + "\n" + " " * indent + "]"
    pairs = [f"{pad}{json.dumps(key)}: {_pretty(each, indent + 2, len(key) + 4)}" for key, each in value.items()]
    return "{\n" + ",\n".join(pairs) + "\n" + " " * indent + "}"


if __name__ == "__main__":
    sys.stdout.write(page())

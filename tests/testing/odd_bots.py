"""Programs that play: as they should, or as no bot should."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

from tests.testing.house import ROOT

FIRST_SH = str(ROOT / "docs" / "bots" / "first.sh")
CAUTIOUS_PY = f"{shlex.quote(sys.executable)} {ROOT / 'docs' / 'bots' / 'cautious.py'}"

_LOOP = """#!{python} -IS
import json, os, signal, sys, time

def say(**fields):
    print(json.dumps(fields), flush=True)

{before}
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] != "request":
        continue
    number, legal = asked["id"], asked["legal"]
    {body}
"""


def written(folder: Path, body: str, before: str = "") -> str:
    """The command line of a bot that does this for each request: `number`, `legal` and `asked` are the request's.

    `say(id=number, action=legal[0])` answers it. before: what it does when it starts.
    """
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "odd.py"
    file.write_text(_LOOP.format(python=sys.executable, before=before, body=body))
    file.chmod(0o755)
    return shlex.quote(str(file))

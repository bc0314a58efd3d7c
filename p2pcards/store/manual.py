"""The rules of the games as people read them: they come with the installed package."""

from __future__ import annotations

from pathlib import Path

_SOURCE = Path(__file__).parents[2] / "docs" / "rules"


def rules_text(game: str) -> str:
    """`docs/rules/<game>.md`, from inside the installed package, or from the source tree it was installed from."""
    from importlib.resources import files  # not needed for the first picture

    name = f"{game}.md"
    packed = files("p2pcards") / "docs" / "rules" / name
    return (packed if packed.is_file() else _SOURCE / name).read_text(encoding="utf-8")

"""The page for a browser: everything in it, nothing of what others wrote as markup, and it plays in Chromium."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.games.base import DEALER, Seat
from p2pcards.games.reel import Reel
from p2pcards.games.registry import GAMES
from p2pcards.ui.replay_html import page
from tests.testing.replays import EMPTY, WRONG, reel, sample_reel

HOSTILE = "</title></script><script>alert(1)</script><img src=x onerror=alert(2)>&amp;\u202e\u2028'\"{match}"
CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
BROWSER_SECONDS = 120


class Page(HTMLParser):
    """What the page is made of: its elements with their attributes, and the text inside scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.inside: list[tuple[str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] in ("script", "style", "title", "h1") and data.strip():
            self.inside.append((self.tags[-1][0], data))

    def text(self, tag: str) -> list[str]:
        return [data for name, data in self.inside if name == tag]


def match(text: str) -> Any:
    found = re.search(r'<script type="application/json" id="match">(.*?)</script>', text, re.DOTALL)
    assert found
    return json.loads(found[1])


def named(game: str, **changes: Any) -> Reel:
    made = sample_reel(game)
    made.record = replace(made.record, **changes)
    return made


@pytest.mark.parametrize("game", GAMES)
def test_it_has_every_position_as_all_eyes_see_it(game: str) -> None:
    made = sample_reel(game)
    data = match(page(made, Seat(1)))
    assert data["eyes"] == 1
    assert [(one["round"], one["move"]) for one in data["spots"]] == list(made.spots)
    for one, spot in zip(data["spots"], made.spots, strict=True):
        assert len(one["said"]) == len(one["table"]) == len(made.players) + 1
        assert one["acts"] == [seat for seat in made.acting(spot) if seat != DEALER]
        for seat, cards in enumerate(one["hands"]):
            held = made.game.hand(made.game.view(made.state(spot), Seat(seat)))
            assert len(cards) == held.bit_count()
    last = data["spots"][-1]
    said = " ".join(data["texts"][place] for place in last["said"][-1])
    table = "".join(text for line in data["tables"][last["table"][-1]] for _, text in data["lines"][line])
    assert said
    assert "won the match" in table


def test_what_others_wrote_is_text_and_never_markup() -> None:
    usual = Page(page(sample_reel("tongits"), None))
    hostile = page(named("tongits", title=HOSTILE, date=HOSTILE, bots={"bot-1": HOSTILE}), None)
    parsed = Page(hostile)
    assert [tag for tag, _ in parsed.tags] == [tag for tag, _ in usual.tags]
    assert not any(name.startswith("on") for _, attributes in parsed.tags for name in attributes)
    assert "</title></script><script>alert(1)" in parsed.text("h1")[0]
    assert "\u202e" not in hostile
    assert HOSTILE.split("&")[0] in match(hostile)["players"][0]["bot"]


def test_it_needs_nothing_from_anywhere_and_lets_nothing_else_run() -> None:
    text = page(sample_reel("tongits"), None)
    parsed = Page(text)
    for tag, attributes in parsed.tags:
        assert "src" not in attributes
        assert "style" not in attributes
        assert attributes.get("href", "data:,") == "data:,"
        assert tag not in ("iframe", "object", "embed", "base", "form")
    assert not re.search(
        r"https?:|//[a-z]|@import|url\(", re.sub(r"<script type=.*?</script>", "", text, flags=re.DOTALL)
    )
    policy = next(one["content"] for tag, one in parsed.tags if one.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    data, script = parsed.text("script")
    (style,) = parsed.text("style")
    assert data.startswith("{")
    for kind, inside in (("script", script), ("style", style)):
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        assert f"{kind}-src 'sha256-{digest}'" in policy
    assert not re.search(r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(", script)


def test_every_control_has_a_name_and_what_happens_is_announced() -> None:
    text = page(sample_reel("tongits"), None)
    parsed = Page(text)
    labels = {attributes.get("for") for tag, attributes in parsed.tags if tag == "label"}
    for tag, attributes in parsed.tags:
        if tag in ("input", "select"):
            assert "aria-label" in attributes or attributes.get("id") in labels
        if tag == "button":
            assert re.search(rf'id="{attributes["id"]}"[^>]*(aria-label|>[^<]*[a-zA-Z])', text)
    assert any(attributes.get("aria-live") == "polite" for _, attributes in parsed.tags)
    assert ("html", {"lang": "en"}) in parsed.tags


def test_a_record_that_goes_wrong_says_so_on_its_page() -> None:
    assert "round 1, line 3, ben: draw: " in page(reel(WRONG), None)
    assert len(match(page(reel(EMPTY), None))["spots"]) == 1


# ---- in a browser


def dom(file: Path, fragment: str, log: Path) -> str:
    """The page as the browser has it once nothing moves any more; log: what the browser complains of."""
    if CHROMIUM is None:
        pytest.skip("chromium is not installed; it is large, and the page is checked without it as well")
    done = subprocess.run(
        [
            CHROMIUM,
            "--headless",
            "--no-sandbox",  # tests may run as root
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            f"--user-data-dir={log.parent / 'profile'}",
            "--enable-logging=stderr",
            "--virtual-time-budget=3600000",
            "--dump-dom",
            f"{file.as_uri()}{fragment}",
        ],
        capture_output=True,
        text=True,
        timeout=BROWSER_SECONDS,
        check=True,
    )
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert complaints == []
    return done.stdout


def stands(found: str, name: str) -> str:
    """The text of an element."""
    inside = re.search(rf'id="{name}"[^>]*>(.*?)</(?:span|div|pre)>', found, re.DOTALL)
    assert inside, name
    return re.sub(r"<[^>]*>", "", inside[1])


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_a_whole_match_in_chromium(game: str, tmp_path: Path) -> None:
    made = sample_reel(game)
    file = tmp_path / "match.html"
    file.write_text(page(made, None, speed=8.0), encoding="utf-8")
    found = dom(file, "#play", tmp_path / "log")
    last = made.spots[-1]
    assert stands(found, "where") == f"Round {made.rounds} of {made.rounds} · move {last.move} of {last.move}"
    table = re.search(r'<pre id="table">(.*?)</pre>', found, re.DOTALL)
    assert table
    assert "won the match" in re.sub(r"<[^>]*>", "", table[1])


def test_a_hostile_title_does_nothing_in_chromium(tmp_path: Path) -> None:
    file = tmp_path / "match.html"
    file.write_text(page(named("tongits", title=HOSTILE, bots={"bot-1": HOSTILE}), Seat(0)), encoding="utf-8")
    found = dom(file, "#20", tmp_path / "log")
    assert "<img" not in found
    assert found.count("<script") == 2
    assert stands(found, "where") == "Round 2 of 3 · move 3 of 40"
    assert stands(found, "seen") == "as bot-1"

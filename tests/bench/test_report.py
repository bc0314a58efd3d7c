"""How the benchmark tells its figures; none of them is judged here."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import pytest

from tests.bench import engine
from tests.bench.__main__ import as_json, as_line, main
from tests.bench.figure import Figure, Item, Missing, interleaved
from tests.bench.items import ITEMS

TWICE = Item("ours over theirs", "x", 2.0, lambda: Figure(1.5, {"us": 3.0}))
FASTER = Item("ours in the time of theirs", "x", 5.0, lambda: Figure(4.0, {"a second": 12345.678}), more_is_better=True)


def test_a_line_holds_figure_aim_and_verdict() -> None:
    assert as_line("twice", TWICE, TWICE.measure()) == (
        "twice                      1.50 x   aim <= 2.00  ok      ours over theirs (3.00 us)"
    )
    assert as_line("faster", FASTER, FASTER.measure()) == (
        "faster                     4.00 x   aim >= 5.00  missed  ours in the time of theirs (12345.68 a second)"
    )


def test_json_holds_the_same() -> None:
    assert json.loads(as_json("faster", FASTER, FASTER.measure())) == {
        "name": "faster",
        "value": 4.0,
        "unit": "x",
        "aim": 5.0,
        "at": "least",
        "ok": False,
        "parts": {"a second": 12345.678},
    }


def test_runs_take_turns_and_their_medians_count() -> None:
    turns: list[str] = []

    def run(name: str, times: Iterator[float]) -> float:
        turns.append(name)
        return next(times)

    left, right = iter((1.0, 9.0, 2.0)), iter((5.0, 4.0, 100.0))
    assert interleaved(3, lambda: run("a", left), lambda: run("b", right)) == [2.0, 5.0]
    assert turns == ["a", "b"] * 3


def test_only_what_is_named_is_measured(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ITEMS:
        monkeypatch.setitem(ITEMS, name, FASTER)
    monkeypatch.setitem(ITEMS, "sealed", TWICE)
    monkeypatch.setattr("sys.argv", ["bench", "sealed"])
    main()
    assert capsys.readouterr().out == as_line("sealed", TWICE, TWICE.measure()) + "\n"
    monkeypatch.setattr("sys.argv", ["bench", "--json"])
    main()
    assert [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()] == list(ITEMS)


def test_items_that_begin_alike_are_named_at_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ITEMS:
        monkeypatch.setitem(ITEMS, name, FASTER)
    monkeypatch.setattr("sys.argv", ["bench", "strength-tongits", "engine"])
    main()
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == [
        *("strength-tongits", "strength-tongits-easy"),
        *("engine-tongits", "engine-tienlen", "engine-straights", "engine-onecard"),
    ]


def test_what_an_item_lacks_is_told_and_the_others_are_measured(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def lacking() -> Figure:
        raise Missing("no such engine here: pip install it")

    monkeypatch.setitem(ITEMS, "tongits", Item("ours over theirs", "x", 1.0, lacking))
    monkeypatch.setitem(ITEMS, "deadwood", TWICE)
    monkeypatch.setattr("sys.argv", ["bench", "tongits", "deadwood"])
    main()
    first, second = capsys.readouterr().out.splitlines()
    assert first == "tongits                 no such engine here: pip install it"
    assert second == as_line("deadwood", TWICE, TWICE.measure())
    monkeypatch.setattr("sys.argv", ["bench", "tongits", "--json"])
    main()
    assert json.loads(capsys.readouterr().out) == {"name": "tongits", "missing": "no such engine here: pip install it"}


def test_without_openspiel_the_engine_items_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(Missing, match=r"not installed: pip install -e '\.\[bench\]'"):
        engine.beside("tongits", 3, engine.GIN_RUMMY)()


def test_an_engine_plays_the_same_choices_with_and_without_the_drawing_of_chance() -> None:
    ours = engine.Ours("tongits", 3)
    dealt = ours.dealt()
    assert ours.play(ours.copy(dealt), ours.draw) == ours.play(ours.dealt(), ours.draw) > engine.ROUNDS


def test_an_unknown_name_is_told(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["bench", "speed"])
    with pytest.raises(SystemExit):
        main()
    assert "nothing is called speed; there is: sealed, tongits" in capsys.readouterr().err

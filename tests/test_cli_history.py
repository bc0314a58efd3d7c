"""`p2pcards history` and what stands behind it: what is told, written and refused, and what it exits with."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from p2pcards.cli import run
from p2pcards.games.record import read, write
from p2pcards.games.registry import GAMES
from p2pcards.store.folders import Folders, folders
from p2pcards.store.history import History
from p2pcards.store.history_match import KeptMatch, MatchReader
from p2pcards.store.people import KnownPeople
from tests.testing.cluster import identity
from tests.testing.house import ROOT
from tests.testing.many_matches import fill
from tests.testing.recorded import one_game, record_parts
from tests.testing.require import require
from tests.testing.samples import FOLDER, record_file

Capture = pytest.CaptureFixture[str]

pytestmark = pytest.mark.usefixtures("home")


@pytest.fixture
def own(home: Path) -> Folders:
    return folders()


@pytest.fixture
def played(own: Folders) -> list[str]:
    """Records in the history: numbers 1 to 4, of Tong-its, Tiến lên, Straights and One Card."""
    texts = [one_game(game) for game in ("tongits", "tienlen", "straights", "onecard")]
    History(own).keep_all(map(match_of, texts))
    return texts


def match_of(text: str) -> KeptMatch:
    return MatchReader().match(record_parts(text))


def told(capsys: Capture, *arguments: str | Path, code: int = 0) -> tuple[list[str], list[str]]:
    """Lines on standard output and on standard error."""
    assert run(["history", *map(str, arguments)]) == code
    out, err = capsys.readouterr()
    return out.splitlines(), err.splitlines()


def listed(capsys: Capture, *arguments: str) -> list[dict[str, Any]]:
    (line,), err = told(capsys, "--json", *arguments)
    assert err == []
    found: list[dict[str, Any]] = json.loads(line)
    return found


# ---- the list


def test_an_empty_history_says_how_it_fills(home: Path, capsys: Capture) -> None:
    sentence = "Nothing has been played yet; `p2pcards practise tongits` plays bots now, and every match is kept."
    assert told(capsys) == ([sentence], [])
    assert listed(capsys) == []
    assert list(home.iterdir()) == []


def test_matches_are_told_the_newest_first_in_columns(capsys: Capture, own: Folders) -> None:
    straights, onecard = match_of(one_game("straights")), match_of(record_file("onecard").read_text())
    when = datetime(2026, 11, 30, 20, 15, tzinfo=UTC)
    early, late = ((when + timedelta(days=days)) for days in (0, 1))
    History(own).keep_all(
        [
            replace(onecard, date=f"{early:%Y-%m-%dT%H:%M:%SZ}"),
            replace(straights, date=f"{late:%Y-%m-%dT%H:%M:%SZ}"),
        ]
    )
    open_ = ", ".join(f"{t.name} {t.points}" for t in sorted(straights.takers, key=lambda taker: taker.place))
    won = "bot-1 won with -2; bot-3 -8, bot-2 -12, bot-4 -26"
    assert told(capsys)[0] == [
        f"2  {late.astimezone():%Y-%m-%d %H:%M}  straights  at lab: not over after 2 rounds: {open_}",
        f"1  {early.astimezone():%Y-%m-%d %H:%M}  onecard    practice: {won}",
    ]


def test_json_has_the_id_the_date_the_game_and_who_won_what(capsys: Capture, played: list[str]) -> None:
    record = read(played[3])
    (first, *_) = listed(capsys, "--game", "onecard")
    match = match_of(played[3])
    assert first == {
        "id": 4,
        "date": record.date,
        "game": "onecard",
        "players": list(record.players),
        "winners": [taker.name for taker in match.takers if taker.won],
        "scores": {taker.name: taker.points for taker in match.takers},
    }
    assert first["winners"]


def test_a_match_that_is_not_over_has_no_winners(capsys: Capture, played: list[str]) -> None:
    assert [one["winners"] for one in listed(capsys, "--game", "straights")] == [[]]


def test_the_list_is_short_unless_more_is_wanted_and_json_is_whole(capsys: Capture, own: Folders) -> None:
    fill(own, 30)
    out, _ = told(capsys)
    assert len(out) == 21
    assert out[-1] == "10 more: --limit shows as many as you want."
    assert len(told(capsys, "--limit", "30")[0]) == 30
    assert len(listed(capsys)) == 30
    assert [one["id"] for one in listed(capsys, "--limit", "2")] == [30, 29]
    somebody = Counter(name for one in listed(capsys) for name in one["players"]).most_common(1)[0][0]
    known, _ = told(capsys, "--limit", "99", "--with", somebody)
    assert len(known) > 2
    more = f"{len(known) - 1} more: --limit shows as many as you want."
    one, rest = told(capsys, "--limit", "1", "--with", somebody)[0]
    assert (one.split()[0], rest) == (known[0].split()[0], more)


def test_matches_are_chosen_by_game_player_and_date(capsys: Capture, played: list[str]) -> None:
    assert [one["game"] for one in listed(capsys, "--game", "sevens")] == ["straights"]
    assert {one["id"] for one in listed(capsys, "--with", "CY")} == {
        number for number, text in enumerate(played, 1) if "cy" in read(text).players
    }
    assert listed(capsys, "--since", "2w", "--game", "tongits") == listed(capsys, "--with", "nobody-here") == []
    assert len(listed(capsys, "--since", "2001-01-01")) == 4
    sentence = "No match of the history is like that; `p2pcards history` shows them all."
    assert told(capsys, "--with", "nobody-here")[0] == [sentence]


def test_a_person_is_found_by_every_name_that_their_key_has(capsys: Capture, played: list[str], own: Folders) -> None:
    KnownPeople(own).meet(identity("ben").key, "Benjamin", 1_700_000_000)
    assert {one["id"] for one in listed(capsys, "--with", "benjamin")} == {
        number for number, text in enumerate(played, 1) if "ben" in read(text).identities
    }
    own.people.write_text("?")
    out, err = told(capsys, "--with", "ben", "--json")
    assert len(json.loads(out[0])) == 4
    assert re.fullmatch(r".*can't be read as known people.* So only the names in the records count\.", err[0])


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--since", "soon"], "'soon' is neither a day like 2026-11-30 nor a time ago like 12h, 7d or 2w"),
        (["--since", "99999999d"], "'99999999d' is neither a day"),
        (["--limit", "0"], "'0' is not a number of matches, 1 or more"),
        (["--game", "tongit"], "No game is called 'tongit'; did you mean tongits?"),
        (["show", "x"], "'x' is not the number of a match"),
        (["show", "99999999999999999999999"], "is not the number of a match"),
        (["forget"], "Say which matches: their numbers, --before DATE or --all."),
        (["forget", "1", "--all"], "Say which matches: their numbers, --before DATE or --all."),
    ],
)
def test_what_can_not_be_meant_is_a_sentence_and_exit_2(
    capsys: Capture, played: list[str], arguments: list[str], sentence: str
) -> None:
    out, err = told(capsys, *arguments, code=2)
    assert out == []
    assert len(err) == 1
    assert sentence in err[0]
    assert len(listed(capsys)) == 4


@pytest.mark.parametrize("arguments", [["show", "9"], ["export", "9", "x"], ["forget", "1", "9"]])
def test_a_match_that_there_is_not_is_a_sentence_and_exit_1(
    capsys: Capture, played: list[str], arguments: list[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(home)
    sentence = "No match of the history has the number 9; `history` shows those that there are."
    assert told(capsys, *arguments, code=1) == ([], [sentence])
    assert len(listed(capsys)) == 4
    assert not (home / "x").exists()


# ---- one match


@pytest.mark.parametrize(("number", "game"), [(1, "tongits"), (2, "tienlen"), (3, "straights"), (4, "onecard")])
def test_a_match_is_shown_with_its_places_and_every_move(
    capsys: Capture, played: list[str], number: int, game: str
) -> None:
    out, err = told(capsys, "show", str(number))
    assert err == []
    assert out[0].startswith(f"Match {number}: {GAMES[game].title}, ")
    places = [re.match(r"(\d): ([\w-]+) \((a bot, medium|[a-z-]+)\), (-?\d+)", line) for line in out]
    shown = {found[2]: int(found[4]) for found in places if found}
    assert shown == {taker.name: taker.points for taker in match_of(played[number - 1]).takers}
    text = "\n".join(out)
    assert all(f"  {action.partition(': ')[2]}" in text for action in read(played[number - 1]).rounds[1].actions)


def test_what_is_exported_is_the_record_to_the_byte_and_verifies(
    capsys: Capture, played: list[str], tmp_path: Path
) -> None:
    file = tmp_path / "tongits.p2pcards.toml"
    assert told(capsys, "export", "1", file) == ([], [])
    assert file.read_bytes() == played[0].encode()
    assert [run([*command, str(file)]) for command in (["replay", "--check"], ["verify"])] == [0, 0]


def test_an_export_replaces_nothing_unless_it_is_told_to(capsys: Capture, played: list[str], tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("dear ben")
    assert told(capsys, "export", "1", file, code=1)[1] == [f"{file} is there already; --force writes over it."]
    assert file.read_text() == "dear ben"
    told(capsys, "export", "--force", "1", file)
    assert file.read_text() == played[0]
    nowhere = tmp_path / "nowhere" / "x"
    sentence = f"{nowhere} can't be written: there is no folder {nowhere.parent}."
    assert told(capsys, "export", "1", nowhere, code=2)[1] == [sentence]
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "gone")
    assert told(capsys, "export", "1", link, code=1)[1] == [f"{link} is there already; --force writes over it."]


# ---- what comes from elsewhere


def test_records_and_folders_of_them_are_taken_in_once(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    file = tmp_path / "deep" / "evening.p2pcards.toml"
    file.write_text(one_game("tongits"))
    (tmp_path / "notes.txt").write_text("not to be read")
    assert told(capsys, "import", tmp_path, FOLDER) == (["5 matches taken in."], [])
    assert told(capsys, "import", FOLDER, file) == (["0 matches taken in, 5 there already."], [])
    assert len(listed(capsys)) == 5


def test_what_was_exported_comes_back_whole(capsys: Capture, played: list[str], tmp_path: Path, own: Folders) -> None:
    files = [tmp_path / f"{number}.toml" for number in range(1, 5)]
    for number, file in enumerate(files, 1):
        told(capsys, "export", str(number), file)
    before = listed(capsys)
    assert told(capsys, "forget", "--all", "--yes") == (["4 matches forgotten."], [])
    assert told(capsys, "import", *files) == (["4 matches taken in."], [])
    strip = [{key: value for key, value in one.items() if key != "id"} for one in before]
    assert [{key: value for key, value in one.items() if key != "id"} for one in listed(capsys)] == strip
    assert sorted(filter(None, (History(own).text(number) for number in range(5, 9)))) == sorted(played)


def test_what_is_no_record_or_was_not_played_by_the_rules_is_named_and_left_out(
    capsys: Capture, tmp_path: Path
) -> None:
    letter, forged, good = (tmp_path / name for name in ("letter.toml", "forged.toml", "good.toml"))
    letter.write_text("dear ben")
    record = read(record_file("tienlen").read_text())
    first = replace(record.rounds[0], points=dict.fromkeys(record.players, 7))
    forged.write_text(write(replace(record, rounds=(first, *record.rounds[1:]))))
    good.write_text(record_file("tienlen").read_text())
    out, err = told(capsys, "import", letter, forged, good, tmp_path / "missing.toml", code=2)
    assert out == ["1 match taken in, 3 left out."]
    assert err == [
        f"{letter}: not a record: Expected '=' after a key in a key/value pair (at line 1, column 6); it is left out.",
        f"{forged}: round 1: points: bot-1 7, bot-2 7, bot-3 7, bot-4 7 stated, bot-1 0, bot-2 0, bot-3 1, bot-4 0 by "
        "the rules; it is left out.",
        f"{tmp_path / 'missing.toml'} can't be read: No such file or directory; it is left out.",
    ]
    assert told(capsys, "import", forged, letter, code=1)[0] == ["0 matches taken in, 2 left out."]


def test_a_match_that_went_on_elsewhere_goes_on_here_and_is_still_one(
    capsys: Capture, tmp_path: Path, own: Folders
) -> None:
    text = one_game("tongits")
    History(own).keep(MatchReader().match(record_parts(text)[:2]))
    file = tmp_path / "longer.toml"
    file.write_text(text)
    assert told(capsys, "import", file)[0] == ["0 matches taken in, 1 had come farther."]
    assert History(own).text(1) == text
    assert len(listed(capsys)) == 1


def test_a_record_in_another_shape_is_the_same_match(capsys: Capture, tmp_path: Path, played: list[str]) -> None:
    file = tmp_path / "shape.toml"
    file.write_text("# an evening\n" + played[1].partition("[rounds.proof]")[0].replace("\n\n", "\n\n\n"))
    assert told(capsys, "import", file)[0] == ["0 matches taken in, 1 there already."]


def test_keys_that_nothing_proves_are_nobodys(capsys: Capture, tmp_path: Path, own: Folders) -> None:
    text = one_game("tongits")
    proved, bare = tmp_path / "proved.toml", tmp_path / "bare.toml"
    proved.write_text(text)
    bare.write_text(text.partition("[rounds.proof]")[0].replace(read(text).table, "another"))
    told(capsys, "import", proved, bare)
    takers = {result.table: result.takers for result in History(own).results(unfinished=True)}
    identities = read(text).identities
    assert {taker.name: taker.key for taker in takers[read(text).table] if taker.key} == dict(identities)
    assert not any(taker.key for taker in takers["another"])
    assert identities.items() <= read(History(own).text(2) or "").identities.items(), "the record says what it said"


def test_what_is_proved_takes_the_place_of_what_is_not_and_never_the_other_way(
    capsys: Capture, tmp_path: Path, own: Folders
) -> None:
    text = one_game("tongits")
    proved, bare = tmp_path / "proved.toml", tmp_path / "bare.toml"
    proved.write_text(text)
    bare.write_text("".join(part.partition("\n[rounds.proof]")[0] for part in record_parts(text)))
    assert told(capsys, "import", bare)[0] == ["1 match taken in."]
    assert told(capsys, "import", proved)[0] == ["0 matches taken in, 1 had come farther."]
    assert told(capsys, "import", bare)[0] == ["0 matches taken in, 1 there already."]
    told(capsys, "forget", "--all", "--yes")
    History(own).keep(MatchReader().match(record_parts(text)[:2]))
    assert told(capsys, "import", bare)[0] == ["0 matches taken in, 1 there already."]
    assert any(taker.key for result in History(own).results(unfinished=True) for taker in result.takers)


def test_a_record_without_a_date_is_as_old_as_its_file(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "undated.toml"
    shutil.copy(record_file("tongits"), file)
    os.utime(file, (1_700_000_000, 1_700_000_000))
    told(capsys, "import", file)
    assert [one["date"] for one in listed(capsys)] == ["2023-11-14T22:13:20Z"]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_of_many_files_a_bar_tells_how_far_it_is_on_a_terminal_alone(tmp_path: Path, home: Path) -> None:
    record = read(record_file("tienlen").read_text())
    for number in range(12):
        (tmp_path / f"{number}.p2pcards.toml").write_text(write(replace(record, date=f"2026-01-{number + 1:02}")))
    (tmp_path / "letter.p2pcards.toml").write_text("dear ben")
    command = [sys.executable, "-m", "p2pcards", "history", "import", str(tmp_path)]
    terminal, its_end = os.openpty()
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=its_end, text=True)
    os.close(its_end)
    shown = os.read(terminal, 1 << 16).decode()
    os.close(terminal)
    assert done.stdout == "12 matches taken in, 1 left out.\n"
    assert "100%" in shown
    assert f"\r\x1b[2K{tmp_path / 'letter.p2pcards.toml'}: not a record" in shown
    elsewhere = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert elsewhere.stdout == "0 matches taken in, 12 there already, 1 left out.\n"
    assert "%" not in elsewhere.stderr


# ---- forgetting


def test_forgetting_asks_and_does_nothing_on_any_other_word(
    capsys: Capture, played: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = iter(["n\n", "y\n"])
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda prompt="": next(answers))
    assert told(capsys, "forget", "1", "2")[0] == ["Nothing was forgotten."]
    assert len(listed(capsys)) == 4
    assert told(capsys, "forget", "1", "2")[0] == ["2 matches forgotten."]
    assert {one["id"] for one in listed(capsys)} == {3, 4}


def test_what_is_older_is_forgotten_and_the_rest_stays(capsys: Capture, own: Folders) -> None:
    fill(own, 48)
    (newest, *_) = dates = [one["date"] for one in listed(capsys)]
    assert told(capsys, "forget", "--before", newest, "--yes")[0] == [f"{len(dates) - 1} matches forgotten."]
    assert [one["date"] for one in listed(capsys)] == [newest]
    assert told(capsys, "forget", "--before", newest, "--yes")[0] == ["There is nothing to forget."]


def test_nobody_who_can_answer_forgets_nothing(home: Path, played: list[str], capsys: Capture) -> None:
    command = [sys.executable, "-m", "p2pcards", "history", "forget", "--all"]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 130
    assert len(listed(capsys)) == 4


# ---- a game with a history that can't be kept

DEMO = ("practise", "onecard", "--demo", "--rounds", "2", "--option", "cards=3", "--plain", "--pace", "0")


ALONE = ("unshare", "--mount", "--propagation", "private", "sh", "-c")


def demo(*prefix: str) -> list[str]:
    """What a demo of two rounds tells; it ends as demos do."""
    command = [*prefix, sys.executable, "-m", "p2pcards", *DEMO]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0
    lines = [*done.stdout.splitlines(), *done.stderr.splitlines()]
    assert any(line.startswith("The match is over") for line in lines)
    return [line for line in lines if "history" in line.lower()]


def test_what_is_played_is_there_when_the_program_has_ended(home: Path, capsys: Capture) -> None:
    assert demo() == []
    (found,) = listed(capsys)
    assert (found["id"], found["game"], len(found["winners"]) > 0) == (1, "onecard", True)
    assert "  practice: " in told(capsys)[0][0]


def test_a_damaged_history_costs_one_sentence_and_no_game(home: Path, own: Folders) -> None:
    run(["identity"])
    own.history.write_bytes(b"x" * 9000)
    assert demo() == [
        f"The history {own.history} is damaged, so it is left as it is: move it away, and another one is begun. "
        "What is played is not kept there."
    ]
    assert own.history.read_bytes() == b"x" * 9000


@pytest.mark.parametrize(
    ("mount", "sentence"),
    [
        ("mount --bind {0} {0} && mount -o remount,bind,ro {0}", "Read-only file system"),
        ("mount -t tmpfs -o size=1m tmpfs {0} && cp {1} {0} && ! cat /dev/zero > {0}/ballast", "no space is left"),
    ],
    ids=["read-only", "full"],
)
def test_a_disk_that_takes_nothing_costs_one_sentence_and_no_game(
    home: Path, own: Folders, mount: str, sentence: str
) -> None:
    require(os.name == "posix" and os.geteuid() == 0, "mounting needs root")
    require(shutil.which("unshare"), "there is no unshare here")
    run(["identity"])
    key = shutil.copy(own.data / "identity.key", home / "identity.key")
    script = f'{mount.format(own.data, key)} && exec "$@"'
    wrong = f"The history {own.history} can't be written: {sentence}. What is played is not kept there."
    assert demo(*ALONE, script, "sh") == [wrong]


def test_a_history_that_may_only_be_read_is_read_and_no_game_is_lost_over_it(home: Path, own: Folders) -> None:
    require(os.name == "posix" and os.geteuid() == 0, "mounting needs root")
    require(shutil.which("unshare"), "there is no unshare here")
    run(["identity"])
    fill(own, 3)
    script = f'mount --bind {own.data} {own.data} && mount -o remount,bind,ro {own.data} && exec "$@"'
    wrong = f"The history {own.history} can't be written: it may only be read. What is played is not kept there."
    assert demo(*ALONE, script, "sh") == [wrong]
    command = [*ALONE, script, "sh", sys.executable, "-m", "p2pcards", "history", "--json"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert [one["id"] for one in json.loads(done.stdout)] == [3, 2, 1]

"""Records that verify, and the same ones once anything in them was changed (protocol 6.8; protocol 10, suite 16)."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import pytest

from p2pcards.errors import ProtocolError
from p2pcards.games import record
from p2pcards.games.record import read, read_canonical
from p2pcards.games.registry import GAMES
from p2pcards.table.verify import CHANGED, UNPROVED, Signer, Unverified, Verified, verify_record
from p2pcards.wire.entries import EntryKind, MatchEnd, RoundEnd, decode_pub, decode_wire
from tests.testing.cluster import Cluster, identity, play_round, started
from tests.testing.dice import dice
from tests.testing.recorded import (
    SUITE,
    Wires,
    edited,
    one_game,
    play,
    proofs,
    record_of,
    refuted,
    signed_anew,
    small,
    with_proofs,
)
from tests.testing.table import NAMES
from tests.testing.tally import Tally

DRAWN = 300


def verified(text: str) -> Verified:
    """What was verified."""
    found = verify_record(text.encode())
    assert isinstance(found, Verified), found
    return found


def signer(name: str, *, nick: str = "", host: bool = False, player: bool = True) -> Signer:
    return Signer(identity("host" if host else name).key, nick or name, host, player)


# ---- honest records


@pytest.mark.parametrize("game", GAMES)
def test_the_record_of_every_game_verifies_for_everybody_after_every_round(game: str, tally: Tally) -> None:
    seats = 3 if game == "tongits" else 4
    cluster = started(5, game=game, seats=seats, options={"rounds": "2"} if game == "onecard" else {})
    for number in (1, 2):
        play(cluster, 1)
        (text,) = {record_of(cluster, name) for name in NAMES}
        found = verified(text)
        assert (found.game, found.rounds, found.title) == (game, number, "lab")
        assert found.table == read(text).table
        assert found.keys == (signer("ana", host=True), signer("ben"), signer("cy"))
    tally(SUITE)


@pytest.mark.parametrize("game", GAMES)
def test_what_the_program_writes_is_canonical(game: str) -> None:
    text = one_game(game)
    assert read_canonical(text) == read(text)


def test_each_round_has_what_came_after_the_one_before_up_to_its_own_disclosure() -> None:
    cluster = started(options={"match_rounds": "3"})
    play(cluster, 3)
    parts = proofs(record_of(cluster))
    assert [wire for part in parts for wire in part] == cluster.host_journal[:-1]  # the last one is MATCH_END
    for number, part in enumerate(parts, 1):
        disclosures = [decode_wire(wire)[0] for wire in part if decode_wire(wire)[0].kind is EntryKind.DISCLOSE]
        assert [decode_pub(EntryKind.DISCLOSE, entry.pub).round for entry in disclosures] == [number]  # type: ignore[union-attr]  # it is a DISCLOSE
        assert decode_wire(part[-1])[0] == disclosures[0]


def test_a_second_match_of_a_table_proves_itself_from_the_first_entry_on() -> None:
    cluster = started(options={"match_rounds": "1"})
    play(cluster, 1)
    first = record_of(cluster)
    cluster.leave("cy")
    cluster.join("dot")
    cluster.order("start")
    play(cluster, 1)
    second = record_of(cluster)
    assert proofs(second)[0][: len(proofs(first)[0])] == proofs(first)[0]
    assert verified(second).rounds == 1
    assert {one.nick for one in verified(second).keys} == {"ana", "ben", "dot"}
    assert refuted(with_proofs(second, proofs(first))).exit_code == CHANGED


def test_no_host_calls_off_a_round_that_it_dealt_itself(tally: Tally) -> None:
    cluster = started(options={"match_rounds": "3"})
    play(cluster, 2)
    honest = proofs(record_of(cluster))
    cluster.act(cluster.movers[0].name, "draw")
    text, books = record_of(cluster), cluster.host.public
    with pytest.raises(ProtocolError, match="called off"):
        cluster.host._pen.write(EntryKind.ROUND_END, RoundEnd(books.round_number, "void", (), (0, 0, 0)))
    void = books.journal.wires[sum(map(len, honest)) :]
    found = refuted(with_proofs(text, [honest[0], honest[1] + void]))
    assert (found.exit_code, found.round, found.entry, found.whose) == (CHANGED, 2, books.journal.last, "ana")
    tally(SUITE)


def test_a_match_that_was_stopped_is_verified_and_so_is_the_same_before(tally: Tally) -> None:
    for game in ("tongits", "tienlen"):
        cluster = started(game=game)
        play(cluster, 1)
        play_round(cluster)
        before = record_of(cluster)
        cluster.want("ana", "stop")
        text = record_of(cluster)
        assert text != before
        assert (verified(before).stopped, verified(before).over) == (False, False)
        assert (verified(text).stopped, verified(text).over) == (True, False)
        assert refuted(text.replace("match_rounds = 2", "match_rounds = 3")).exit_code == CHANGED
        tally(SUITE)


def test_what_a_reader_should_know_of_the_deal_and_the_play_is_said() -> None:
    cluster = started(options={"match_rounds": "2"})
    cluster.silence("cy")
    cluster.pass_time(100)
    play(cluster, 1)
    found = verified(record_of(cluster))
    assert ("cy" in {nick for _, nick in found.stood_in}, found.left_out, found.alone) == (True, (), ())
    alone = Cluster(seats=3)
    alone.join("ana", host=True)
    alone.order("start")
    play_round(alone)
    by_itself = verified(record_of(alone, "ana"))
    assert (by_itself.alone, len(by_itself.bots)) == ((1,), 2)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda text: "", "it is empty"),
        (lambda text: "\ufeff" + text, "it begins with a byte order mark"),
        (lambda text: text.replace("\n", "\r\n"), "its lines end as on Windows"),
        (lambda text: text[:-1], "its last line has no end"),
        (lambda text: text.replace("format = 1", "format =  1", 1), "it says 'format =  1', but"),
    ],
)
def test_what_programs_do_to_files_is_called_by_its_name(change: Callable[[str], str], why: str) -> None:
    found = refuted(change(one_game("tongits")))
    assert found.exit_code == CHANGED
    assert found.why.startswith(why)


def test_a_stock_that_was_shuffled_again_is_verified(tally: Tally) -> None:
    text = one_game("onecard")
    assert '"dealer: shuffle ' in text
    assert verified(text).rounds == 2
    at = text.index('"dealer: shuffle ') + len('"dealer: shuffle ')
    swapped = text[:at] + text[at + 3 : at + 6] + text[at : at + 3] + text[at + 6 :]
    found = refuted(swapped)
    assert (found.round, found.line, found.whose) == (1, swapped[:at].count("\n") + 1, "")
    tally(SUITE)


def test_who_left_stands_among_the_keys_and_who_only_watches_does_not() -> None:
    cluster = started(options={"match_rounds": "2"})
    cluster.join("dot", watch=True)
    cluster.leave("cy")
    play(cluster, 2)
    assert [one.nick for one in verified(record_of(cluster)).keys] == ["ana", "ben", "cy"]


def test_a_host_that_only_deals_is_named_as_host() -> None:
    cluster = Cluster(game="onecard", seats=2, options={"decks": "1", "cards": "3"})
    cluster.join("ben")
    cluster.join("cy")
    cluster.order("start")
    play(cluster, 1)
    host, *players = verified(record_of(cluster)).keys
    assert (host.key, host.host, host.player) == (identity("host").key, True, False)
    assert {one.nick for one in players} == {"ben", "cy"}


def test_a_match_that_is_not_over_verifies_as_far_as_it_goes() -> None:
    cluster = started(options={"match_rounds": "2"})
    play(cluster, 2)
    whole = record_of(cluster)
    assert (verified(whole).rounds, verified(whole).over) == (2, True)
    cut = whole[: whole.rindex("\n[[rounds]]")]
    assert (verified(cut).rounds, verified(cut).over) == (1, False)


def test_keys_that_somebody_made_up_verify_too(tally: Tally) -> None:
    """Nothing in a file can tell that from the real thing: only the words can."""
    text = one_game("tongits")
    assert {one.key for one in verified(text).keys} == {identity(name).key for name in ("host", "ben", "cy")}
    tally(SUITE)


# ---- no proof


def test_a_record_without_proof_proves_nothing(tally: Tally) -> None:
    bare = with_proofs(one_game("tongits"), [[], []])
    assert refuted(bare) == Unverified(UNPROVED, "it carries no proof: only the record of a match at a table has one")
    tally(SUITE)


def test_no_round_may_lack_its_proof_where_another_has_one() -> None:
    for number in (1, 2):
        found = refuted(edited(one_game("tongits"), lambda parts, number=number: parts[number - 1].clear()))  # type: ignore[misc]  # the loop's own
        assert (found.exit_code, found.round, found.whose) == (CHANGED, number, "")
        assert "it carries no proof" in found.why


@pytest.mark.parametrize("data", [b"\xff\xfe", small().encode("utf-16"), small().encode().replace(b"lab", b"l\xe4b")])
def test_what_is_no_text_cannot_be_read(data: bytes) -> None:
    assert refuted(data) == Unverified(UNPROVED, "it is not text in UTF-8")


# ---- one byte


def test_any_other_byte_makes_another_content_or_is_not_canonical(
    tally: Tally, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every position of the file. What is still canonical says something else, and the next test is about that."""
    monkeypatch.setattr(record, "read", lru_cache(record.read))  # what stands around the proof is mostly the same
    text, rolled = small(), dice(16)
    whole = read_canonical(text)
    assert whole is not None
    for at, char in enumerate(text):
        other = chr(rolled.choice([code for code in (*range(32, 127), 10) if code != ord(char)]))
        assert read_canonical(text[:at] + other + text[at + 1 :]) != whole
    tally(SUITE, len(text))


def test_one_changed_byte_is_always_found(tally: Tally) -> None:
    data, rolled = small().encode(), dice(17)
    for at in sorted(rolled.sample(range(len(data)), DRAWN)):
        other = rolled.choice([byte for byte in range(256) if byte != data[at]])
        found = refuted(data[:at] + bytes([other]) + data[at + 1 :])
        assert found.exit_code == (CHANGED if other < 128 else UNPROVED), (at, other)
        assert found.whose == ""
    tally(SUITE, DRAWN)


@pytest.mark.parametrize("game", GAMES)
def test_one_other_letter_in_what_people_read_is_found_in_its_line(game: str, tally: Tally) -> None:
    text, rolled = one_game(game), dice(18)
    bare = [at for at, line in enumerate(text.split("\n")) if not line.startswith('  "AQ')]
    for number in rolled.sample(bare, min(20, len(bare))):
        lines = text.split("\n")
        if not lines[number]:
            continue
        at = rolled.randrange(len(lines[number]))
        char = rolled.choice([char for char in '0aZ "=5KQ' if char != lines[number][at]])
        lines[number] = lines[number][:at] + char + lines[number][at + 1 :]
        found = refuted("\n".join(lines))
        assert (found.exit_code, found.whose) == (CHANGED, "")
        assert found.line in (number + 1, None)
        tally(SUITE)


# ---- not canonical


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text + "\n",
        lambda text: text[:-1],
        lambda text: "\ufeff" + text,
        lambda text: text.replace("\n", "\r\n"),
        lambda text: "# played on Friday\n" + text,
        lambda text: text.replace("format = 1", "format = 0x1"),
        lambda text: text.replace("players = [", "players = [ "),
        lambda text: text + "tempo = 3\n",
        lambda text: text.replace("[rounds.proof]", "[rounds.prOof]"),
        lambda text: text.replace('  "AQ', '  "AR', 1),
        lambda text: text.replace('entries = [\n  "', 'entries = [\n  ".', 1),
        lambda text: text.replace("entries = [", "entries = {", 1),
        lambda text: text.replace("format = 1\n", ""),
        lambda text: "x = " + "[" * 50_000 + text,
        lambda text: "",
        lambda text: "no record at all",
    ],
)
def test_any_other_writing_counts_as_changed(change: Callable[[str], str]) -> None:
    found = refuted(change(small()))
    assert (found.exit_code, found.whose) == (CHANGED, "")
    assert found.why.isprintable()
    assert len(found.why) < 300


def test_the_first_line_that_is_written_otherwise_is_named() -> None:
    text = one_game("tongits")
    at = text.rindex("points = {")
    found = refuted(text[:at] + "points={" + text[at + len("points = {") :])
    assert (found.round, found.line) == (2, text[:at].count("\n") + 1)
    assert found.why.startswith("it says 'points={ ")


def test_a_round_that_cannot_be_read_is_named() -> None:
    text = one_game("tongits")
    at = text.rindex('hands = { ana = "') + len('hands = { ana = "')
    found = refuted(text[:at] + "XX" + text[at + 2 :])
    assert (found.exit_code, found.round, found.why) == (CHANGED, 2, "ana's hand: not a card: XX")
    assert refuted(text.replace('"ben"', '"ana"', 1)) == Unverified(CHANGED, "players: ana is there twice")


# ---- the text says something else


FIELDS: list[tuple[str, Callable[[str], str]]] = [
    ("date = ", lambda line: line.replace("2023", "2024")),
    ("title = ", lambda line: line.replace("lab", "bar")),
    ("table = ", lambda line: line[:-3] + ("aa" if line[-3:-1] != "aa" else "ba") + '"'),
    ("identities = ", lambda line: line.replace("cy = ", "ben = ").replace("ben = ", "cy = ", 1)),
    ("starter = ", lambda line: 'starter = "ben"' if "ben" not in line else 'starter = "cy"'),
    ("winners = ", lambda line: 'winners = ["ben"]' if "ben" not in line else 'winners = ["cy"]'),
    ("points = ", lambda line: line.replace("= 0", "= 1", 1)),
    ("stock = ", lambda line: f'stock = "{line[12:14]} {line[9:11]}{line[14:]}'),
    ('  "ana: draw"', lambda line: line.replace("ana", "ben")),
]


@pytest.mark.parametrize(("start", "change"), FIELDS, ids=[start.split()[0] for start, _ in FIELDS])
def test_whatever_the_text_says_must_follow_from_the_proof(start: str, change: Callable[[str], str]) -> None:
    lines = one_game("tongits").split("\n")
    number = next(at for at, line in enumerate(lines) if line.startswith(start))
    lines[number] = change(lines[number])
    text = "\n".join(lines)
    if start != "identities = ":
        assert read_canonical(text) is not None
    found = refuted(text)
    assert (found.exit_code, found.whose, found.line) == (CHANGED, "", number + 1)
    assert found.round == (1 if number > lines.index("[[rounds]]") else None)


def test_players_bots_and_options_must_follow_from_the_proof() -> None:
    cluster = started(3, game="straights", seats=4, options={"threshold": "60"})
    play(cluster, 1)
    text = record_of(cluster)
    for old, new in (
        ("threshold = 60", "threshold = 61"),
        ('bot-1 = "medium"', 'bot-1 = "random"'),
        ("bot-1", "bot-2"),
    ):
        assert read_canonical(text.replace(old, new)) is not None
        found = refuted(text.replace(old, new))
        assert (found.exit_code, found.whose) == (CHANGED, "")


def test_rounds_cannot_change_places() -> None:
    text = one_game("tongits")
    head, one, two = text.split("\n[[rounds]]\n")
    found = refuted("\n[[rounds]]\n".join((head, two.removesuffix("\n") + "\n", one)))
    assert (found.exit_code, found.round, found.entry) == (CHANGED, 1, 0)


# ---- other entries


def _swap(parts: list[Wires]) -> None:
    parts[0][8], parts[0][9] = parts[0][9], parts[0][8]


def _move(parts: list[Wires]) -> None:
    parts[1].insert(0, parts[0].pop())


EDITS: list[tuple[str, Callable[[list[Wires]], Any], int, str]] = [
    ("the first one is missing", lambda parts: parts[0].pop(0), 1, "does not begin with the first entry of a table"),
    ("one is missing", lambda parts: parts[0].pop(9), 1, "does not follow"),
    ("one stands twice", lambda parts: parts[0].insert(9, parts[0][9]), 1, "does not follow"),
    ("two are swapped", _swap, 1, "does not follow"),
    ("the tail is cut", lambda parts: parts[1].pop(), 2, "ends before its secret was disclosed"),
    ("the tail is cut in the middle", lambda parts: parts[0].pop(), 1, "ends before its secret was disclosed"),
    ("one is moved to the next round", _move, 1, "ends before its secret was disclosed"),
    ("one is moved to the round before", lambda parts: parts[0].append(parts[1].pop(0)), 1, "goes on after"),
    ("two rounds in one", lambda parts: parts[0].extend(parts[1]), 1, "has another round in it"),
    ("one is empty", lambda parts: parts[0].insert(3, b""), 1, "entry of 0 bytes"),
    ("one is long", lambda parts: parts[0].insert(3, bytes(10_000)), 1, "entry of 10000 bytes"),
]


@pytest.mark.parametrize(("edit", "round", "why"), [row[1:] for row in EDITS], ids=[row[0] for row in EDITS])
def test_no_entry_can_be_put_elsewhere(edit: Callable[[list[Wires]], Any], round: int, why: str) -> None:
    found = refuted(edited(one_game("tongits"), edit))
    assert (found.exit_code, found.whose, found.round) == (CHANGED, "", round)
    assert found.entry is not None
    assert why in found.why


def test_nothing_may_stand_behind_the_last_disclosure() -> None:
    cluster = started(options={"match_rounds": "1"})
    play(cluster, 1)
    assert isinstance(decode_pub(EntryKind.MATCH_END, decode_wire(cluster.host_journal[-1])[0].pub), MatchEnd)
    text = edited(record_of(cluster), lambda parts: parts[0].append(cluster.host_journal[-1]))
    found = refuted(text)
    assert (found.exit_code, found.entry) == (CHANGED, len(cluster.host_journal) - 1)


def test_the_proof_of_another_table_proves_something_else() -> None:
    cluster = started(2, title="bar")
    play(cluster, 2)
    found = refuted(with_proofs(one_game("tongits"), proofs(record_of(cluster))))
    assert (found.exit_code, found.whose) == (CHANGED, "")
    assert "by its proof it is " in found.why


def test_what_the_host_did_not_sign_is_named_by_its_entry() -> None:
    text = one_game("tongits")
    wires = proofs(text)[0]
    forged = signed_anew(wires, lambda entry: entry, identity("mallory"))
    for at in (0, 7, len(wires) - 1):
        mixed = [*wires[:at], forged[at], *wires[at + 1 :]]
        found = refuted(with_proofs(text, [mixed, proofs(text)[1]]))
        assert (found.exit_code, found.entry, found.whose) == (CHANGED, at, "")
        assert "not signed by the host" in found.why

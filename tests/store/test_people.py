"""Known people and bans, protocol 3: who is who, whose name is borrowed, and who stays outside."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import UserError
from p2pcards.store import people
from p2pcards.store.folders import Folders
from p2pcards.store.identity_file import key_file, seed
from p2pcards.store.people import KnownPeople
from p2pcards.table.people import Ban, Known, People, Person
from p2pcards.wire.identity import Identity

PEERS, BANS = "known_peers", "bans"
ANA, BEN, CY = (letter * 32 for letter in (b"a", b"b", b"c"))
NOON = 1_700_000_000


class Logins(dict[bytes, str]):
    """What a lab's directory of keys proves."""

    def login(self, key: bytes) -> str:
        return self.get(key, "")


def folders(base: Path) -> Folders:
    return Folders(base / "config", base / "data", base / "local")


def known(base: Path, **logins: bytes) -> People:
    return KnownPeople(folders(base), Logins({key: login for login, key in logins.items()}))


# ---- who is who


def test_nobody_is_known_at_first_and_no_file_is_made(tmp_path: Path) -> None:
    kept = known(tmp_path)
    assert kept.what(ANA, "ana") is Known.NEW
    assert (kept.person(ANA), kept.named("ana"), kept.everybody(), kept.bans()) == (None, (), (), ())
    assert list(tmp_path.iterdir()) == []


def test_whom_we_met_is_known_to_the_next_program(tmp_path: Path) -> None:
    known(tmp_path).meet(ANA, "Ana", NOON)
    kept = known(tmp_path)
    assert kept.what(ANA, "ana") is Known.MET
    assert kept.person(ANA) == Person(ANA, "Ana", NOON, NOON)
    assert kept.named("aNA") == (kept.person(ANA),)


def test_the_first_time_stays_and_name_and_last_time_follow(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    kept.meet(ANA, "anna", NOON + 7, "ana1")
    kept.meet(ANA, "anna", NOON + 7 + people.FRESH_SECONDS)
    assert kept.person(ANA) == Person(ANA, "anna", NOON, NOON + 7 + people.FRESH_SECONDS, login="ana1")
    assert kept.named("ana") == ()


def test_who_comes_again_soon_and_unchanged_is_not_written_down_anew(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    before = (tmp_path / "data" / PEERS).stat()
    kept.meet(ANA, "ana", NOON + people.FRESH_SECONDS - 1)
    assert (tmp_path / "data" / PEERS).stat() == before


def test_a_clock_that_was_ahead_once_is_put_right(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON + 86_400 * 365)
    kept.meet(ANA, "ana", NOON)
    assert [one.last for one in kept.everybody()] == [NOON]


def test_keys_that_somebody_wrote_in_capitals_are_the_same_keys(tmp_path: Path) -> None:
    ana, ben = b"\xaa" * 32, b"\xbb" * 32
    kept = known(tmp_path)
    kept.call(ana, "annie")
    kept.ban(Ban(ben, "ben"))
    for name in (PEERS, BANS):
        file = tmp_path / "data" / name
        file.write_text(re.sub("[0-9a-f]{64}", lambda found: found[0].upper(), file.read_text()))
    kept = known(tmp_path)
    kept.meet(ana, "ana", NOON)
    kept.ban(Ban(ben, "ben", reason="again"))
    assert [(one.nick, one.petname) for one in kept.everybody()] == [("ana", "annie")]
    assert [ban.reason for ban in kept.bans()] == ["again"]
    kept.unban(kept.bans())
    assert kept.bans() == ()


def test_everybody_is_one_tuple_as_long_as_nothing_changes_the_last_seen_first(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    kept.meet(BEN, "ben", NOON + 5)
    assert [person.key for person in kept.everybody()] == [BEN, ANA]
    assert kept.everybody() is kept.everybody()


def test_another_key_under_a_known_name_is_told_from_its_owner(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    assert kept.what(BEN, "ana") is Known.OTHER
    assert kept.what(BEN, "ANA") is Known.OTHER
    assert kept.what(BEN, "ben") is Known.NEW


def test_a_known_key_that_takes_the_name_of_another_is_told_too(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    kept.meet(BEN, "ben", NOON)
    kept.vouch(BEN, True)
    assert kept.what(BEN, "ana") is Known.OTHER
    assert kept.what(BEN, "ben") is Known.VERIFIED
    assert kept.what(BEN, "benny") is Known.VERIFIED


def test_two_who_are_known_by_one_name_are_both_known(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "sam", NOON)
    kept.meet(BEN, "sam", NOON + 1)
    assert kept.what(ANA, "sam") is kept.what(BEN, "sam") is Known.MET
    assert kept.what(CY, "sam") is Known.OTHER
    assert [person.key for person in kept.named("sam")] == [BEN, ANA]


def test_a_petname_can_not_be_borrowed_either(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "a17", NOON)
    kept.call(ANA, "Ana")
    assert kept.what(BEN, "ana") is Known.OTHER
    assert kept.what(ANA, "ana") is Known.MET
    assert kept.named("ana") == kept.named("A17") == (kept.person(ANA),)
    kept.call(ANA, "")
    assert kept.what(BEN, "ana") is Known.NEW


def test_who_was_vouched_for_is_verified_until_it_is_taken_back(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.vouch(ANA, True)
    assert kept.what(ANA, "ana") is Known.VERIFIED
    kept.vouch(ANA, False)
    assert kept.what(ANA, "ana") is Known.MET


def test_a_proved_login_verifies_and_one_kept_from_before_does_not(tmp_path: Path) -> None:
    kept = known(tmp_path, ana1=ANA)
    assert kept.login(ANA) == "ana1"
    assert kept.what(ANA, "ana") is Known.VERIFIED
    kept.meet(ANA, "ana", NOON, "ana1")
    assert known(tmp_path).what(ANA, "ana") is Known.MET


def test_another_key_of_the_same_proved_login_borrows_nothing(tmp_path: Path) -> None:
    kept = KnownPeople(folders(tmp_path), Logins({ANA: "ana1", BEN: "ana1", CY: "cy1"}))
    kept.meet(ANA, "ana", NOON, "ana1")
    assert kept.what(BEN, "ana") is Known.VERIFIED
    assert kept.what(CY, "ana") is Known.OTHER


def test_a_proved_login_does_not_make_a_borrowed_name_good(tmp_path: Path) -> None:
    kept = known(tmp_path, mallory=BEN)
    kept.meet(ANA, "ana", NOON)
    assert kept.what(BEN, "ana") is Known.OTHER


def test_ignoring_is_kept_and_taken_back(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.ignore(ANA, True)
    found = known(tmp_path).person(ANA)
    assert found is not None
    assert found.ignored
    kept.ignore(ANA, False)
    found = known(tmp_path).person(ANA)
    assert found is not None
    assert not found.ignored


# ---- programs of our own


def test_all_our_profiles_are_our_own_whatever_they_are_called(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    own = folders(tmp_path)
    keys = [Identity(seed(key_file(own.data, name))).key for name in ("default", "default-2", "lab")]
    assert [kept.what(key, "ana") for key in keys] == [Known.OWN] * 3
    assert kept.what(BEN, "ben") is Known.NEW


def test_a_profile_that_was_met_at_a_table_lends_its_name_to_nobody_but_warns_of_nobody(tmp_path: Path) -> None:
    mine = Identity(seed(key_file(folders(tmp_path).data, "default"))).key
    kept = known(tmp_path)
    kept.meet(mine, "ana", NOON)
    assert kept.what(BEN, "ana") is Known.NEW


def test_a_profile_made_later_or_filled_later_is_found(tmp_path: Path) -> None:
    own = folders(tmp_path)
    kept = known(tmp_path)
    assert kept.what(ANA, "ana") is Known.NEW
    file = key_file(own.data, "late")
    seed(file)
    text = file.read_bytes()
    file.write_bytes(b"")  # another program has made it, and is about to fill it
    assert kept.what(Identity(text).key, "me") is Known.NEW
    file.write_bytes(text)
    assert kept.what(Identity(text).key, "me") is Known.OWN
    file.unlink()
    assert kept.what(Identity(text).key, "me") is Known.NEW


@pytest.mark.skipif(sys.platform == "win32", reason="no modes there")
def test_a_key_file_that_can_not_be_trusted_is_nobodys(tmp_path: Path) -> None:
    file = key_file(folders(tmp_path).data, "default")
    key = Identity(seed(file)).key
    file.chmod(0o644)
    file.with_name("identity-short.key").write_bytes(b"x")
    file.with_name("identity-a b.key").write_bytes(b"x" * 32)
    assert known(tmp_path).what(key, "me") is Known.NEW


# ---- the files


def test_the_file_of_people_can_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    kept.ban(Ban(ANA, "ana"))
    for name in (PEERS, BANS):
        file = tmp_path / "data" / name
        if sys.platform != "win32":
            assert file.stat().st_mode & 0o777 == 0o600
    text = (tmp_path / "data" / PEERS).read_text()
    assert f'[{ANA.hex()}]\nfirst = {NOON}\nnick = "ana"\nlast = {NOON}\n' in text


def test_what_another_version_keeps_of_somebody_stays(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    file = tmp_path / "data" / PEERS
    file.write_text(f'[{ANA.hex()}]\nnick = "ana"\nshoe_size = 38\n')
    known(tmp_path).meet(ANA, "anna", NOON)
    assert "shoe_size = 38" in file.read_text()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (PEERS, "[aa]\n"),
        (PEERS, "[nobody]\n"),
        (PEERS, "x = 1\n"),
        (PEERS, f"[{ANA.hex()}]\nnick = 7\n"),
        (PEERS, f"[{ANA.hex()}]\nlast = 'yesterday'\n"),
        (BANS, "ban = 1\n"),
        (BANS, "[[ban]]\nkey = 'aa'\n"),
        (BANS, "[[ban]]\nuntil = 'tomorrow'\n"),
    ],
)
def test_a_file_that_holds_something_else_stops_the_program_with_one_sentence(
    tmp_path: Path, name: str, text: str
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).write_text(text)
    with pytest.raises(UserError, match=rf"{name} can't be read as .*: mend it, or move it away\.") as told:
        known(tmp_path)
    assert "\n" not in str(told.value)


def test_bans_stay_in_force_when_their_file_is_spoiled(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.ban(Ban(ANA, "ana"))
    (tmp_path / "data" / BANS).write_text("[[ban\n")
    assert kept.banned(ANA, "", NOON)
    with pytest.raises(UserError, match="can't be read as bans"):
        kept.ban(Ban(BEN, "ben"))


def test_of_those_who_only_passed_by_the_newest_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(people, "MOST_PASSERS", 3)
    kept = known(tmp_path)
    for number, mark in enumerate((kept.vouch, kept.ignore)):
        kept.meet(bytes([number]) * 32, "friend", NOON + number)
        mark(bytes([number]) * 32, True)
    kept.meet(bytes([2]) * 32, "friend", NOON + 2)
    kept.call(bytes([2]) * 32, "pal")
    for number in range(3, 9):
        kept.meet(bytes([number]) * 32, "passer", NOON + number)
    assert [person.key[0] for person in kept.everybody()] == [8, 7, 6, 2, 1, 0]


def test_a_flood_of_fresh_keys_does_not_push_out_who_came_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "MOST_PASSERS", 3)
    kept = known(tmp_path)
    kept.meet(ANA, "ana", NOON)
    kept.meet(ANA, "ana", NOON + people.AGAIN_SECONDS)
    for number in range(1, 9):
        kept.meet(bytes([number]) * 32, "ana", NOON + people.AGAIN_SECONDS + number)
    assert [person.key[0] for person in kept.everybody()] == [8, 7, ANA[0]]


# ---- bans


def test_a_ban_holds_for_the_key_in_the_next_program_too(tmp_path: Path) -> None:
    ban = Ban(ANA, "ana", reason="rude", since=NOON)
    known(tmp_path).ban(ban)
    kept = known(tmp_path)
    assert kept.bans() == (ban,)
    assert kept.banned(ANA, "", NOON) == ban
    assert kept.banned(BEN, "", NOON) is None
    assert kept.banned(b"", "", NOON) is None


def test_a_ban_holds_for_every_key_of_the_login(tmp_path: Path) -> None:
    kept = known(tmp_path)
    ban = Ban(ANA, "ana", "ana1", since=NOON)
    kept.ban(ban)
    kept.ban(Ban(b"", "cy", "cy1", since=NOON))
    assert kept.banned(BEN, "ana1", NOON) == ban
    assert kept.banned(BEN, "", NOON) is None
    assert kept.banned(b"", "", NOON) is None
    assert kept.banned(BEN, "cy1", NOON)
    assert kept.banned(BEN, "ANA1", NOON) is None


def test_a_ban_runs_out_to_the_second(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.ban(Ban(ANA, "ana", until=NOON))
    assert kept.banned(ANA, "", NOON - 1)
    assert kept.banned(ANA, "", NOON) is None
    assert kept.bans() != ()


def test_a_new_ban_stands_in_place_of_one_of_the_same_key(tmp_path: Path) -> None:
    kept = known(tmp_path)
    kept.ban(Ban(ANA, "ana", since=NOON))
    newer = Ban(ANA, "anna", "ana1", since=NOON + 1, until=NOON + 60)
    kept.ban(newer)
    assert kept.bans() == (newer,)


def test_of_several_that_stand_the_longest_is_told(tmp_path: Path) -> None:
    kept = known(tmp_path)
    for_good = Ban(BEN, "ben", "ana1", since=NOON)
    kept.ban(Ban(ANA, "ana", until=NOON + 60, since=NOON + 1))
    kept.ban(for_good)
    assert kept.banned(ANA, "ana1", NOON) == for_good


def test_lifted_bans_are_gone_and_others_stay(tmp_path: Path) -> None:
    kept = known(tmp_path)
    bans = [Ban(ANA, "ana", since=1), Ban(BEN, "ben", "ben1", since=2), Ban(b"", "cy", "cy1", since=3)]
    for ban in bans:
        kept.ban(ban)
    assert kept.bans() == tuple(reversed(bans))
    kept.unban([bans[0], bans[2]])
    assert known(tmp_path).bans() == (bans[1],)
    kept.unban([bans[0]])
    assert known(tmp_path).bans() == (bans[1],)


def test_of_bans_that_ran_out_the_newest_are_kept_and_none_that_stands_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(people, "MOST_PAST", 2)
    kept = known(tmp_path)
    for number in range(5):
        kept.ban(Ban(bytes([number]) * 32, "x", since=NOON + number, until=NOON + number + 1))
    kept.ban(Ban(ANA, "ana", since=NOON - 100))
    kept.ban(Ban(BEN, "ben", since=NOON + 50))
    assert [ban.key[:1] for ban in kept.bans()] == [b"b", bytes([4]), bytes([3]), b"a"]


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)


@given(st.builds(Ban, st.sampled_from([ANA, b""]), TEXT, TEXT, TEXT, st.integers(0, 2**40), st.integers(0, 2**40)))
def test_any_ban_comes_back_as_it_was(tmp_path_factory: pytest.TempPathFactory, ban: Ban) -> None:
    base = tmp_path_factory.mktemp("ban")
    known(base).ban(ban)
    assert known(base).bans() == (ban,)

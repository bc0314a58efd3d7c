"""The twelve properties of doors (protocol 10, suite 5): what holds whatever the values.

Each is tried with 200 examples; `python -m pytest tests/fuzz/test_properties.py --hypothesis-profile nightly` tries
5,000 of them.
"""

from __future__ import annotations

import unicodedata
from itertools import combinations
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.errors import ProtocolError
from p2pcards.store.folders import Folders
from p2pcards.store.people import KnownPeople
from p2pcards.table.people import Ban, Known
from p2pcards.wire.advert import Advert, decode_advert, encode_advert
from p2pcards.wire.chat import sign_chat, verify_chat
from p2pcards.wire.code import (
    Joining,
    answer,
    code_words,
    confirm_i,
    confirm_r,
    confirms_i,
    confirms_r,
    new_code,
    read_code,
)
from p2pcards.wire.entries import Entry, EntryFlag, EntryKind, Kick, decode_pub, decode_wire, encode_entry, encode_pub
from p2pcards.wire.envelope import ActKind, Envelope, decode_envelope, encode_envelope
from p2pcards.wire.fields import NO_SEAT
from p2pcards.wire.identity import Identity
from p2pcards.wire.lab import advert_tag, proof_i, proof_r, proves_i, proves_r, tagged
from p2pcards.wire.messages import BODIES, CHAT_CHARS, Message, decode, encode
from p2pcards.wire.text import clean, is_reserved, nick, unique_nick
from tests.fuzz.honest import HONEST
from tests.fuzz.targets import TARGETS
from tests.testing.dice import dice
from tests.testing.tally import Tally
from tests.wire.strategies import KEYS, TABLES, U8S, U32S, U64S, messages, structs
from tests.wire.test_advert import ADVERTS

EXAMPLES = max(200, settings().max_examples)
PROPERTY = settings(max_examples=EXAMPLES, suppress_health_check=list(HealthCheck))

ANY_TEXT = st.text(st.characters(), max_size=60)  # surrogates included
HONEST_VALUES = {name: sorted(values().values()) for name, values in HONEST.items()}
PEOPLE = [Identity(bytes([number]) * 32) for number in range(1, 5)]
IDENTITIES = st.sampled_from(PEOPLE)
SIGNATURES = st.binary(min_size=64, max_size=64)


@pytest.fixture(autouse=True)
def _counted(tally: Tally) -> None:
    tally(f"5 properties of doors, {EXAMPLES:,} examples each")


@st.composite
def _damaged(draw: st.DrawFn, target: str) -> bytes:
    """Honest bytes with some places changed, or cut short."""
    data = bytearray(draw(st.sampled_from(HONEST_VALUES[target])))
    for at in draw(st.lists(st.integers(0, len(data) - 1), max_size=3)):
        data[at : at + draw(st.integers(0, 3))] = draw(st.binary(max_size=3))
    return bytes(data[: draw(st.integers(0, len(data)))]) if draw(st.booleans()) else bytes(data)


@PROPERTY
@given(st.sampled_from(sorted(TARGETS)).flatmap(lambda name: st.tuples(st.just(name), _damaged(name))), st.binary())
def test_1_parsers_take_or_refuse_whatever_comes(damaged: tuple[str, bytes], noise: bytes) -> None:
    """Records, messages, entries, adverts and records of matches: each checks itself as a fuzzer's target."""
    name, data = damaged
    TARGETS[name].takes(data)
    TARGETS[name].takes(noise)


@PROPERTY
@given(st.one_of(*map(messages, BODIES.values())))
def test_2_a_message_comes_out_as_it_went_in(message: Message) -> None:
    kind, body = encode(message)
    assert decode(kind, body) == message
    with pytest.raises(ProtocolError):
        decode(kind, body + b"\0")


_WISHES = st.text(max_size=20).map(str.encode)
_BALLOTS = st.builds(Envelope, TABLES, U32S, U8S, U32S, U64S, KEYS, st.just(ActKind.VOTE), _WISHES)


@PROPERTY
@given(structs(Kick), _BALLOTS, st.integers(0, NO_SEAT - 1), U64S, KEYS, SIGNATURES, SIGNATURES)
def test_3_kicks_and_ballots_come_out_as_they_went_in(
    kick: Kick, said: Envelope, seat: int, index: int, prev: bytes, actsig: bytes, hostsig: bytes
) -> None:
    """A kick is the host's to sign and a ballot its voter's: neither passes with the other's voucher."""
    pub = encode_envelope(said)
    shown_out = Entry(EntryKind.KICK, EntryFlag(0), NO_SEAT, 1, 0, index, prev, 5, encode_pub(kick))
    voted = Entry(EntryKind.BALLOT, EntryFlag.ACTSIG, seat, 1, 0, index, prev, 5, pub, b"", actsig)
    for entry in (shown_out, voted):
        assert decode_wire(encode_entry(entry) + hostsig) == (entry, hostsig)
    assert decode_pub(EntryKind.KICK, shown_out.pub) == kick
    assert decode_envelope(voted.pub) == said
    for swapped in (replace(shown_out, kind=EntryKind.BALLOT), replace(voted, kind=EntryKind.KICK)):
        with pytest.raises(ValueError, match="with flags"):
            encode_entry(swapped)
    with pytest.raises(ValueError, match="with flags"):
        encode_entry(replace(voted, flags=EntryFlag.BOT, actsig=b""))


@PROPERTY
@given(ADVERTS)
def test_4_an_advert_comes_out_as_it_went_in_and_fits(advert: Advert) -> None:
    fields = {name.encode(): value.encode() for name, value in encode_advert(advert).items()}
    assert decode_advert(fields, 1) == advert
    assert sum(len(name) + len(value) + 2 for name, value in fields.items()) <= 400


Place = tuple[str, bytes, bytes, int, str, str]
_PLACES: st.SearchStrategy[Place] = st.tuples(
    st.text(st.characters(categories=("L", "N")), max_size=20),
    *(TABLES, KEYS, st.integers(0, 65535), st.sampled_from(["open", "ask", "lab", "lab+uid"])),
    st.sampled_from(["tongits", "onecard"]),
)


@PROPERTY
@given(KEYS, KEYS, _PLACES, _PLACES)
def test_5_a_tag_is_good_for_one_lab_and_one_table(lab: bytes, other: bytes, here: Place, there: Place) -> None:
    tag = advert_tag(lab, *here)
    for key, place in ((lab, here), (other, here), (lab, there)):
        assert tagged(key, *place, tag) is ((key, place) == (lab, here))
    for at in range(len(here)):
        mixed: Any = (*here[:at], there[at], *here[at + 1 :])
        assert tagged(lab, *(*mixed, tag)) is (mixed == here)


@PROPERTY
@given(st.binary(min_size=3, max_size=3), st.sampled_from(["-", " ", "  ", " - "]), st.booleans(), ANY_TEXT)
def test_6_a_code_is_read_however_it_is_typed_and_nothing_else_is(
    drawn: bytes, apart: str, capitals: bool, text: str
) -> None:
    code = new_code(lambda count: drawn[:count])
    typed = f" {code.replace('-', apart)} "
    assert read_code(typed.upper() if capitals else typed) == code
    found = read_code(text)
    assert found is None or (read_code(found) == found and set(found.split("-")) <= set(code_words()))
    assert read_code(f"{code}-{code}") is None
    assert read_code(code.partition("-")[0]) is None


_RUNS = st.tuples(st.sampled_from(["mango-tiger", "mango-tigers", "tiger-mango"]), *[st.integers(0, 1)] * 3)


@PROPERTY
@given(_RUNS, _RUNS, U64S)
def test_7_a_run_with_the_code_agrees_only_where_everything_is_equal(
    ours: tuple[str, int, int, int], theirs: tuple[str, int, int, int], seed: int
) -> None:
    """The same code, both keys and the session at both ends: then both confirm, else neither does."""
    random = dice(seed)

    def named(end: tuple[str, int, int, int]) -> tuple[str, bytes, bytes, bytes]:
        code, key_i, key_r, session = end
        return code, PEOPLE[key_i].key, PEOPLE[2 + key_r].key, bytes([session]) * 32

    joining = Joining(*named(ours), random.randbytes)
    point, secret = answer(*named(theirs), joining.point, random.randbytes)
    mine, session = joining.finish(point), named(ours)[3]
    said_i, said_r = (confirm(mine, session, joining.point, point) for confirm in (confirm_i, confirm_r))
    checked = (secret, named(theirs)[3], joining.point, point)
    assert confirms_i(*checked, said_i) is confirms_r(*checked, said_r) is (ours == theirs)
    assert not confirms_i(*checked, said_r)
    assert not confirms_r(*checked, said_i)


@PROPERTY
@given(KEYS, KEYS, KEYS, KEYS, KEYS)
def test_8_a_proof_of_the_lab_is_good_for_its_role_session_and_key(
    lab: bytes, other: bytes, session: bytes, later: bytes, noise: bytes
) -> None:
    one, two = proof_i(lab, session), proof_r(lab, session)
    assert one != two
    assert proves_i(lab, session, one)
    assert proves_r(lab, session, two)
    for said in (one, two, noise):
        assert proves_i(lab, session, said) is (said == one)
        assert proves_r(lab, session, said) is (said == two)
        assert proves_i(other, session, said) is (other == lab and said == one)
        assert proves_i(lab, later, said) is (later == session and said == one)
        assert not proves_i(b"", session, said)


@PROPERTY
@given(IDENTITIES, TABLES, U32S, U8S, st.text(max_size=CHAT_CHARS), st.data())
def test_9_what_is_said_is_its_speakers_word_for_word(
    speaker: Identity, table: bytes, n: int, scope: int, text: str, data: st.DataObject
) -> None:
    said = sign_chat(speaker, table, n, scope, text)
    assert verify_chat(table, said)
    changed = {
        "key": data.draw(IDENTITIES).key,
        "n": data.draw(U32S),
        "scope": data.draw(U8S),
        "text": data.draw(st.text(max_size=20)),
        "sig": data.draw(SIGNATURES),
    }
    for field, value in changed.items():
        assert verify_chat(table, replace(said, **{field: value})) is (value == getattr(said, field))
    elsewhere = data.draw(TABLES)
    assert verify_chat(elsewhere, said) is (elsewhere == table)


_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI", "BN"}
_BLANKS = set("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and signs that show nothing."""


@PROPERTY
@given(ANY_TEXT | st.text(st.sampled_from([*"a \u0301\x1b\u202e\u2066\u200b\ufeff", *_BLANKS])), st.integers(0, 60))
def test_10_cleaned_text_stays_as_it_is_and_can_be_shown_anywhere(text: str, limit: int) -> None:
    shown = clean(text, limit)
    assert clean(shown, limit) == shown
    assert len(shown) <= limit
    assert shown.isprintable()
    assert not any(unicodedata.category(char) in ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp") for char in shown)
    assert not any(unicodedata.bidirectional(char) in _TURNS for char in shown)
    assert not set(shown) & _BLANKS
    assert shown == " ".join(shown.split())


@PROPERTY
@given(st.lists(ANY_TEXT | st.sampled_from(["ana", "Ana", "ana-2", "bot-1", "DEALER", "x" * 40]), max_size=12))
def test_11_no_two_at_a_table_have_one_name(wanted: list[str]) -> None:
    given_names: list[str] = []
    for text in wanted:
        given_names.append(unique_nick(text, given_names))
    for name in given_names:
        assert nick(name) == name
        assert not is_reserved(name)
    assert all(one.lower() != other.lower() for one, other in combinations(given_names, 2))


_KEYS = [person.key for person in PEOPLE]
_NICKS = st.sampled_from(["ana", "Ana", "ben"])
_STEPS = st.one_of(
    st.tuples(st.just("meet"), st.sampled_from(_KEYS), _NICKS),
    st.tuples(st.just("call"), st.sampled_from(_KEYS), _NICKS | st.just("")),
    st.tuples(st.just("vouch"), st.sampled_from(_KEYS), st.booleans()),
    st.tuples(st.just("ban"), st.sampled_from(_KEYS), st.sampled_from([0, 500, 1500])),
    st.tuples(st.just("unban"), st.sampled_from(_KEYS), st.none()),
)


@PROPERTY
@given(st.lists(_STEPS, max_size=4), st.sampled_from(_KEYS), _NICKS, st.sampled_from([499.0, 500.0, 2000.0]))
def test_12_who_is_known_and_who_is_banned_goes_by_key(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, bytes, Any]], key: bytes, nick: str, wall: float
) -> None:
    """A name of somebody else's is told from that somebody, and a ban stands until its moment and no longer."""
    base = tmp_path_factory.mktemp("people")
    people = KnownPeople(Folders(base, base / "data", base / "local"))
    names: dict[bytes, dict[str, str]] = {}
    vouched: set[bytes] = set()
    until: dict[bytes, int] = {}
    for verb, whose, what in steps:
        if verb == "ban":
            until[whose] = what
            people.ban(Ban(whose, "x", until=what))
        elif verb == "unban":
            until.pop(whose, None)
            people.unban([ban for ban in people.bans() if ban.key == whose])
        elif verb == "vouch":
            names.setdefault(whose, {})
            (vouched.add if what else vouched.discard)(whose)
            people.vouch(whose, what)
        else:
            names.setdefault(whose, {})["nick" if verb == "meet" else "petname"] = what.lower()
            people.meet(whose, what, 100.0) if verb == "meet" else people.call(whose, what)
    owners = {owner for owner, called in names.items() if nick.lower() in called.values()}
    expected = Known.NEW if key not in names else Known.VERIFIED if key in vouched else Known.MET
    assert people.what(key, nick) is (Known.OTHER if owners - {key} and key not in owners else expected)
    stands = key in until and (until[key] == 0 or wall < until[key])
    assert (people.banned(key, "", wall) is not None) is stands
    assert people.banned(b"?" * 32, "", wall) is None

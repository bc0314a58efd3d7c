"""The known answers of doors (protocol 10, suites 1 and 2): ours are these, and those of a second program.

Those of the fair deal are in tests/table/test_deal_vectors.
"""

from __future__ import annotations

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from p2pcards.wire import code, lab
from p2pcards.wire.advert import Advert, decode_advert, encode_advert, host_record, instance_name
from p2pcards.wire.encode import digest, enc, expand, mac
from p2pcards.wire.handshake import Initiator, Responder
from p2pcards.wire.identity import Identity, chip, fingerprint, short, word_list, words
from p2pcards.wire.records import Opener, Sealer, record_length
from p2pcards.wire.text import parse_table
from tests.testing import second
from tests.testing.tally import Tally
from tests.vectors import Answers, Vector, check, every, hexed, unhex, vectors

HOW_MANY = {"enc": 8, "handshake": 6, "records": 10, "adverts": 5, "lab": 3, "code": 3, "fingerprints": 4}
SEEDS = st.binary(min_size=32, max_size=32)
NUMBERS = st.integers(1, 2**512 - 1)


# ---- ours


def our_enc(vector: Vector) -> Vector:
    label, parts, key = vector["label"], [bytes.fromhex(part) for part in vector["parts"]], unhex(vector)("key")
    return hexed(
        encoded=enc(label, *parts),
        digest=digest(label, *parts),
        mac=mac(key, enc(label, *parts)),
        expanded=expand(key, label, *parts),
        expanded_80=expand(key, label, *parts, length=80),
    )


def our_handshake(vector: Vector) -> Vector:
    """The keys of the records can't be asked for: they are held against the first record of each direction."""
    of = unhex(vector)
    initiator = Initiator(Identity(of("seed_i")), of("once_i"))
    responder = Responder(Identity(of("seed_r")), of("once_r"))
    m1, m2 = initiator.m1, responder.answer(initiator.m1)
    m3, ours = initiator.finish(m2)
    theirs = responder.finish(m3)
    th1 = digest("th1", m1, m2[:32])
    made = {"key_i": theirs.peer, "key_r": ours.peer, "m1": m1, "m2": m2, "m3": m3, "th1": th1}
    made |= {"th2": digest("th2", th1, m2), "th3": ours.th3}
    for role, sealer, opener in (("i", ours.sealer, theirs.opener), ("r", theirs.sealer, ours.opener)):
        keys = {f"app_{role}_{use}": of(f"app_{role}_{use}") for use in ("enc", "mac")}
        record = Sealer(*keys.values()).seal(1, b"first")
        assert sealer.seal(1, b"first") == record
        assert opener.open(record_length(record[:4]), record[4:]) == (1, b"first")
        made |= keys
    assert ours.th3 == theirs.th3
    return hexed(**made)


def our_record(vector: Vector) -> Vector:
    of = unhex(vector)
    sealer, opener = Sealer(of("enc_key"), of("mac_key")), Opener(of("enc_key"), of("mac_key"))
    sealer._seq = opener._seq = vector["seq"]
    record = sealer.seal(vector["kind"], of("body"))
    assert opener.open(record_length(record[:4]), record[4:]) == (vector["kind"], of("body"))
    return hexed(record=record)


def our_advert(vector: Vector) -> Vector:
    of = unhex(vector)
    taken, seats = map(int, vector["places"].split("/"))
    host, door, game = vector["host"], vector["door"], vector["game"]
    advert = Advert(
        1, of("table"), of("key"), door, game, taken, seats, vector["title"], host, vector["state"], vector["term"]
    )
    name = instance_name(advert.title, advert.table, advert.key)
    place = (name, advert.table, advert.key, vector["port"], door, game)
    if vector["lab"]:
        advert = msgspec.structs.replace(advert, tag=lab.advert_tag(of("lab"), *place))
        assert lab.tagged(of("lab"), *place, advert.tag)
    fields = encode_advert(advert)
    assert decode_advert({name.encode(): value.encode() for name, value in fields.items()}, 1) == advert
    assert parse_table(fields["t"]) == advert.table
    names = {"instance": name, "host_record": host_record(advert.key)}
    return names | {"tag": advert.tag.hex(), "fields": fields}


def our_lab_proof(vector: Vector) -> Vector:
    of = unhex(vector)
    key, th3 = of("lab"), of("th3")
    proof_i, proof_r = lab.proof_i(key, th3), lab.proof_r(key, th3)
    assert lab.proves_i(key, th3, proof_i)
    assert lab.proves_r(key, th3, proof_r)
    return hexed(proof_i=proof_i, proof_r=proof_r)


def our_run(vector: Vector) -> Vector:
    of = unhex(vector)
    ends = of("key_i"), of("key_r"), of("th3")
    joining = code.Joining(vector["code_i"], *ends, lambda _: of("random_i"))
    point_i = joining.point
    point_r, secret_r = code.answer(vector["code_r"], *ends, point_i, lambda _: of("random_r"))
    secret_i = joining.finish(point_r)
    run = (of("th3"), point_i, point_r)
    confirm_i, confirm_r = code.confirm_i(secret_i, *run), code.confirm_r(secret_r, *run)
    same = vector["code_i"] == vector["code_r"]
    assert code.confirms_i(secret_r, *run, confirm_i) is same
    assert code.confirms_r(secret_i, *run, confirm_r) is same
    points = hexed(point_i=point_i, point_r=point_r)
    return points | hexed(secret_i=secret_i, secret_r=secret_r, confirm_i=confirm_i, confirm_r=confirm_r)


def our_fingerprint(vector: Vector) -> Vector:
    key = unhex(vector)("key")
    return {"fingerprint": fingerprint(key).hex(), "short": short(key), "words": words(key), "chip": chip(key)}


# ---- the second program's


def its_enc(vector: Vector) -> Vector:
    label, parts, key = vector["label"], [bytes.fromhex(part) for part in vector["parts"]], unhex(vector)("key")
    encoded = second.enc(label, *parts)
    return hexed(
        encoded=encoded,
        digest=second.digest(label, *parts),
        mac=second.mac(key, encoded),
        expanded=second.expand(key, encoded),
        expanded_80=second.expand(key, encoded, 80),
    )


def its_handshake(vector: Vector) -> Vector:
    made = second.handshake(*(bytes.fromhex(vector[name]) for name in ("seed_i", "once_i", "seed_r", "once_r")))
    return hexed(**made._asdict())


def its_record(vector: Vector) -> Vector:
    of = unhex(vector)
    record = second.seal(of("enc_key"), of("mac_key"), vector["seq"], vector["kind"], of("body"))
    return hexed(record=record)


def its_advert(vector: Vector) -> Vector:
    of = unhex(vector)
    table, key, door, game = of("table"), of("key"), vector["door"], vector["game"]
    name = second.instance(vector["title"], table, key)
    tag = second.advert_tag(of("lab"), name, table, key, vector["port"], door, game) if vector["lab"] else b""
    rest = {field: vector[field] for field in ("places", "title", "host", "state", "term")}
    fields = second.advert_fields(table, key, door, game, tag=tag, **rest)
    record = f"p2pc-{second.fingerprint(key)[:4].hex()}.local."
    return {"instance": name, "host_record": record, "tag": tag.hex(), "fields": fields}


def its_lab_proof(vector: Vector) -> Vector:
    of = unhex(vector)
    return hexed(**{f"proof_{role}": second.lab_proof(of("lab"), role, of("th3")) for role in "ir"})


def its_run(vector: Vector) -> Vector:
    of = unhex(vector)
    ends = of("key_i"), of("key_r"), of("th3")
    run = second.pake(vector["code_i"], vector["code_r"], *ends, of("random_i"), of("random_r"))
    said = (of("th3"), run.point_i, run.point_r)
    confirm_i = second.confirm(run.secret_i, "i", *said)
    return hexed(**run._asdict(), confirm_i=confirm_i, confirm_r=second.confirm(run.secret_r, "r", *said))


def its_fingerprint(vector: Vector) -> Vector:
    key = unhex(vector)("key")
    seen = second.fingerprint(key).hex()
    return {"fingerprint": seen, "short": seen[:8], "words": second.words(key, 6), "chip": second.words(key, 2)}


# ---- both held against the files

OURS: dict[str, Answers] = {
    "enc": our_enc,
    "handshake": our_handshake,
    "records": our_record,
    "adverts": our_advert,
    "lab": our_lab_proof,
    "code": our_run,
    "fingerprints": our_fingerprint,
}
ITS: dict[str, Answers] = {
    "enc": its_enc,
    "handshake": its_handshake,
    "records": its_record,
    "adverts": its_advert,
    "lab": its_lab_proof,
    "code": its_run,
    "fingerprints": its_fingerprint,
}

every_vector = every(HOW_MANY)


def test_there_are_39() -> None:
    assert {name: len(vectors(name)) for name in HOW_MANY} == HOW_MANY
    assert sum(HOW_MANY.values()) == 39


@every_vector
def test_our_answers_are_the_known_ones(name: str, vector: Vector, tally: Tally) -> None:
    check(OURS[name], vector)
    tally("1 known answers")


@every_vector
def test_the_second_program_answers_alike(name: str, vector: Vector, tally: Tally) -> None:
    check(ITS[name], vector)
    assert set(OURS[name](vector)) == set(ITS[name](vector))
    tally("2 known answers of a second program")


# ---- both held against each other


@settings(max_examples=20)
@given(SEEDS, SEEDS, SEEDS, SEEDS)
def test_every_handshake_is_the_same_in_both(seed_i: bytes, once_i: bytes, seed_r: bytes, once_r: bytes) -> None:
    if seed_i != seed_r and once_i != once_r:
        theirs = its_handshake(hexed(seed_i=seed_i, once_i=once_i, seed_r=seed_r, once_r=once_r))
        assert our_handshake(hexed(seed_i=seed_i, once_i=once_i, seed_r=seed_r, once_r=once_r) | theirs) == theirs


@given(SEEDS, SEEDS, st.integers(0, 2**32 - 1), st.integers(0, 255), st.binary(max_size=400))
def test_every_record_is_the_same_in_both(enc_key: bytes, mac_key: bytes, seq: int, kind: int, body: bytes) -> None:
    vector = hexed(enc_key=enc_key, mac_key=mac_key, body=body) | {"seq": seq, "kind": kind}
    assert our_record(vector) == its_record(vector)


@settings(max_examples=10)
@given(st.sampled_from(word_list()), st.sampled_from(word_list()), SEEDS, SEEDS, SEEDS, NUMBERS, NUMBERS)
def test_every_run_with_a_code_is_the_same_in_both(
    one: str, other: str, key_i: bytes, key_r: bytes, th3: bytes, x: int, y: int
) -> None:
    vector = hexed(key_i=key_i, key_r=key_r, th3=th3) | {"code_i": f"{one}-{other}", "code_r": f"{one}-{other}"}
    vector |= {name: n.to_bytes(64, "big").hex() for name, n in (("random_i", x), ("random_r", y))}
    assert our_run(vector) == its_run(vector)

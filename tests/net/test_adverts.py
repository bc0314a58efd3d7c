"""Adverts in and out: what they lead to, whose they are, and which are of our lab."""

from __future__ import annotations

import secrets

import msgspec
import pytest
from zeroconf import ServiceInfo

from p2pcards import PROTOCOL
from p2pcards.errors import ProtocolError
from p2pcards.net.adverts import TYPE, read, service_of
from p2pcards.wire.advert import Advert, encode_advert, instance_name
from p2pcards.wire.identity import Identity

LAB, OTHER_LAB = b"l" * 32, b"m" * 32
ADDRESSES = ("10.0.0.7",)


def an_advert(**changes: object) -> Advert:
    advert = Advert(
        PROTOCOL, secrets.token_bytes(16), Identity(secrets.token_bytes(32)).key, "open", "tongits", 1, 3, "Mr. X",
        "ana", "lobby", 1,
    )  # fmt: skip
    return msgspec.structs.replace(advert, **changes)


def _name(advert: Advert) -> str:
    return f"{instance_name(advert.title, advert.table, advert.key)}.{TYPE}"


def _info(**changes: object) -> ServiceInfo:
    advert = an_advert()
    name = _name(advert)
    given: dict[str, object] = {
        "port": 7,
        "properties": encode_advert(advert),
        "parsed_addresses": ["10.0.0.7", "fe80::7", "224.0.0.1", "fd00::7"],
        "name": name,
        **changes,
    }
    return ServiceInfo(TYPE, **given)  # type: ignore[arg-type]  # a test may give anything


def test_addresses_that_cannot_be_dialled_are_left_out() -> None:
    info = _info()
    heard = read(info.name, info)
    assert heard is not None
    assert heard.targets == (("10.0.0.7", 7), ("fd00::7", 7))


@pytest.mark.parametrize("changes", [{"port": 0}, {"parsed_addresses": ["fe80::7"]}, {"parsed_addresses": []}])
def test_an_advert_that_leads_nowhere_is_not_told(changes: dict[str, object]) -> None:
    info = _info(**changes)
    assert read(info.name, info) is None


def test_what_is_told_is_heard() -> None:
    advert = an_advert()
    info = service_of(advert, 4711, ("10.0.0.7", "fe80::7%lo"))
    heard = read(info.name, info)
    assert heard is not None
    assert (heard.advert, heard.targets, heard.lab) == (advert, (("10.0.0.7", 4711),), False)


@pytest.mark.parametrize("other", ["table", "key"])
def test_a_name_tells_of_its_own_table_alone(other: str) -> None:
    mine, theirs = an_advert(), an_advert()
    changed = msgspec.structs.replace(theirs, **{other: getattr(mine, other)})
    info = _info(properties=encode_advert(changed))
    with pytest.raises(ProtocolError, match="name of another"):
        read(_name(mine), info)


@pytest.mark.parametrize("door", ["lab", "lab+uid"])
@pytest.mark.parametrize(("lab", "is_ours"), [(LAB, True), (OTHER_LAB, False), (b"", False)])
def test_a_lab_table_is_told_by_its_tag(door: str, lab: bytes, is_ours: bool) -> None:
    info = service_of(an_advert(door=door), 4711, ADDRESSES, LAB)
    heard = read(info.name, info, lab)
    assert heard is not None
    assert heard.lab is is_ours
    assert sum(len(name) + 1 + len(value or b"") + 1 for name, value in info.properties.items()) <= 400


@pytest.mark.parametrize("door", ["open", "ask", "code"])
def test_a_table_with_another_door_has_no_tag(door: str) -> None:
    info = service_of(an_advert(door=door), 4711, ADDRESSES, LAB)
    assert b"m" not in info.properties


def test_without_a_key_there_is_no_tag() -> None:
    assert b"m" not in service_of(an_advert(door="lab"), 4711, ADDRESSES).properties


@pytest.mark.parametrize(
    "changes", [{"port": 4712}, {"table": b"t" * 16}, {"door": "lab+uid"}, {"game": "onecard"}, {"title": "other"}, {}]
)
def test_a_tag_is_of_one_advert_at_one_port(changes: dict[str, object]) -> None:
    advert = an_advert(door="lab")
    tag = service_of(advert, 4711, ADDRESSES, LAB).properties[b"m"]
    port = changes.pop("port", 4711)
    said = msgspec.structs.replace(advert, **changes)
    fields: dict[str, object] = {**encode_advert(said), "m": tag}
    info = _info(properties=fields, port=port, name=_name(said), parsed_addresses=[*ADDRESSES])
    heard = read(info.name, info, LAB)
    assert heard is not None
    assert heard.lab is (not changes and port == 4711)

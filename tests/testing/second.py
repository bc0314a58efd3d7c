"""A second program for what goes over the wire, written from the protocol (sections 2 to 6) on PyNaCl, PyCryptodome
and the standard library. It imports nothing of p2pcards, so what both compute alike is what the text says.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import itertools
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from Crypto.Cipher import AES
from mnemonic import Mnemonic
from nacl import bindings
from nacl.signing import SigningKey

# ---- 2.1: one encoder


def enc(label: str, *parts: bytes) -> bytes:
    name = ("p2pcards/1 " + label).encode()
    out = struct.pack(">B", len(name)) + name + struct.pack(">B", len(parts))
    for part in parts:
        out += struct.pack(">I", len(part)) + part
    return out


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def digest(label: str, *parts: bytes) -> bytes:
    return sha256(enc(label, *parts))


def mac(key: bytes, data: bytes) -> bytes:
    return hmac.new(key, data, hashlib.sha256).digest()


def expand(prk: bytes, info: bytes, length: int = 32) -> bytes:
    """RFC 5869, 2.3."""
    out = block = b""
    for count in range(1, -(-length // 32) + 1):
        block = mac(prk, block + info + bytes([count]))
        out += block
    return out[:length]


def key_for(prk: bytes, label: str, *parts: bytes) -> bytes:
    return expand(prk, enc(label, *parts))


# ---- 4.4: records


def seal_plain(enc_key: bytes, mac_key: bytes, seq: int, plain: bytes) -> bytes:
    cipher = AES.new(enc_key, AES.MODE_CTR, nonce=b"", initial_value=struct.pack(">QQ", seq, 0))
    ct = cipher.encrypt(plain)
    tag = mac(mac_key, struct.pack(">QI", seq, len(ct)) + ct)
    return struct.pack(">I", len(ct) + len(tag)) + ct + tag


def seal(enc_key: bytes, mac_key: bytes, seq: int, kind: int, body: bytes) -> bytes:
    plain = struct.pack(">BBH", kind, 0, len(body)) + body
    while len(plain) % 64:
        plain += b"\0"
    return seal_plain(enc_key, mac_key, seq, plain)


# ---- 4.2: the handshake


class Handshake(NamedTuple):
    """Everything that both ends of one have in common."""

    key_i: bytes
    key_r: bytes
    m1: bytes
    m2: bytes
    m3: bytes
    th1: bytes
    th2: bytes
    th3: bytes
    app_i_enc: bytes
    app_i_mac: bytes
    app_r_enc: bytes
    app_r_mac: bytes


def handshake(seed_i: bytes, once_i: bytes, seed_r: bytes, once_r: bytes) -> Handshake:
    """Both ends at once: seeds of their keys and their one-time keys."""
    sign_i, sign_r = SigningKey(seed_i), SigningKey(seed_r)
    key_i, key_r = bytes(sign_i.verify_key), bytes(sign_r.verify_key)
    point_i, point_r = bindings.crypto_scalarmult_base(once_i), bindings.crypto_scalarmult_base(once_r)
    m1 = b"P2PC\x01\x01" + point_i
    th1 = digest("th1", m1, point_r)
    prk = mac(th1, bindings.crypto_scalarmult(once_i, point_r))

    sig_r = sign_r.sign(enc("sig r", th1, key_r)).signature
    mac_r = mac(key_for(prk, "sigma r"), enc("mac r", th1, key_r, sig_r))
    m2 = point_r + seal_plain(key_for(prk, "hs r enc"), key_for(prk, "hs r mac"), 0, key_r + sig_r + mac_r)
    th2 = digest("th2", th1, m2)

    sig_i = sign_i.sign(enc("sig i", th2, key_i, key_r)).signature
    mac_i = mac(key_for(prk, "sigma i"), enc("mac i", th2, key_i, sig_i))
    m3 = seal_plain(key_for(prk, "hs i enc"), key_for(prk, "hs i mac"), 0, key_i + sig_i + mac_i)
    th3 = digest("th3", th2, m3)

    ap = mac(th3, prk)
    keys = (key_for(ap, f"app {role} {use}") for role in "ir" for use in ("enc", "mac"))
    return Handshake(key_i, key_r, m1, m2, m3, th1, th2, th3, *keys)


# ---- 3: fingerprints


def fingerprint(key: bytes) -> bytes:
    return digest("fp", key)


def words(key: bytes, count: int) -> str:
    names = Mnemonic("english").wordlist
    bits = "".join(f"{byte:08b}" for byte in fingerprint(key))
    return "-".join(names[int(bits[at : at + 11], 2)] for at in range(0, 11 * count, 11))


# ---- 5.1, 5.2: adverts and the lab's key


def base64url(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def instance(title: str, table: bytes, key: bytes) -> str:
    return title.replace(".", "-") + " ~" + digest("inst", table, key).hex()[:8]


def advert_fields(
    table: bytes,
    key: bytes,
    door: str,
    game: str,
    places: str,
    title: str,
    host: str,
    state: str,
    term: int,
    tag: bytes,
) -> dict[str, str]:
    """The TXT fields of protocol 1; title and host clean."""
    fields = {"v": "1", "t": base64.b32encode(table).decode().rstrip("=").lower(), "k": base64url(key), "a": door}
    fields |= {"g": game, "p": places, "n": title, "h": host, "s": state, "e": str(term)}
    return fields | ({"m": base64url(tag)} if tag else {})


def advert_tag(lab: bytes, name: str, table: bytes, key: bytes, port: int, door: str, game: str) -> bytes:
    parts = (name.encode(), table, key, struct.pack(">H", port), door.encode(), game.encode())
    return mac(key_for(lab, "lab adv"), enc("adv", *parts))[:16]


def lab_proof(lab: bytes, role: str, th3: bytes) -> bytes:
    return mac(key_for(lab, "lab auth"), enc(f"lab {role}", th3))


# ---- 5.3: SPAKE2 over the points of Ed25519, as the first program's library has it

ORDER = 2**252 + 27742317777372353535851937790883648493
FIELD = 2**255 - 19


def scalar(number: int) -> bytes:
    return (number % ORDER).to_bytes(32, "little")


def hkdf(data: bytes, info: bytes, length: int) -> bytes:
    return expand(mac(bytes(32), data), info, length)


def times(number: int, point: bytes) -> bytes:
    return bindings.crypto_scalarmult_ed25519_noclamp(scalar(number), point)


@cache
def mask(name: bytes) -> bytes:
    """M or N: eight times the first point at or after the y that its name hashes to."""
    y = int.from_bytes(hkdf(name, b"SPAKE2 arbitrary element", 48), "big")
    while True:
        point = (y % FIELD).to_bytes(32, "little")
        try:
            for _ in range(3):
                point = bindings.crypto_core_ed25519_add(point, point)
        except Exception:  # not on the curve
            y += 1
        else:
            return point


class Pake(NamedTuple):
    """One run between two ends that have the same code, or not."""

    point_i: bytes
    point_r: bytes
    secret_i: bytes
    secret_r: bytes


def pake(code_i: str, code_r: str, key_i: bytes, key_r: bytes, th3: bytes, random_i: bytes, random_r: bytes) -> Pake:
    """random: 64 bytes each."""
    words_i, words_r = enc("code", code_i.encode()), enc("code", code_r.encode())
    w_i, w_r = (int.from_bytes(hkdf(word, b"SPAKE2 pw", 48), "big") for word in (words_i, words_r))
    x, y = int.from_bytes(random_i, "big"), int.from_bytes(random_r, "big")
    add, sub, base = (
        bindings.crypto_core_ed25519_add,
        bindings.crypto_core_ed25519_sub,
        bindings.crypto_scalarmult_ed25519_base_noclamp,
    )
    sent_i = add(base(scalar(x)), times(w_i, mask(b"M")))
    sent_r = add(base(scalar(y)), times(w_r, mask(b"N")))
    common_i = times(x, sub(sent_r, times(w_i, mask(b"N"))))
    common_r = times(y, sub(sent_i, times(w_r, mask(b"M"))))
    names = sha256(enc("pake i", key_i, th3)) + sha256(enc("pake r", key_r, th3))
    secret_i = sha256(sha256(words_i) + names + sent_i + sent_r + common_i)
    secret_r = sha256(sha256(words_r) + names + sent_i + sent_r + common_r)
    return Pake(b"A" + sent_i, b"B" + sent_r, secret_i, secret_r)


def confirm(secret: bytes, role: str, th3: bytes, point_i: bytes, point_r: bytes) -> bytes:
    return mac(secret, enc(f"conf {role}", th3, point_i, point_r))


# ---- 6.2: entries


def packed(value: Any) -> bytes:
    """The shortest msgpack of numbers, texts, bytes and lists of them."""
    match value:
        case bool():
            return b"\xc3" if value else b"\xc2"
        case int() if -32 <= value < 128:
            return struct.pack(">b", value)
        case int() if value < 0:
            width = next(at for at in range(4) if -value <= 2 ** (8 * 2**at - 1))
            return bytes([0xD0 + width]) + value.to_bytes(2**width, "big", signed=True)
        case int():
            width = next(at for at in range(4) if value < 2 ** (8 * 2**at))
            return bytes([0xCC + width]) + value.to_bytes(2**width, "big")
        case str():
            text = value.encode()
            start = bytes([0xA0 + len(text)]) if len(text) < 32 else b"\xd9" + struct.pack(">B", len(text))
            return start + text
        case bytes():
            return (b"\xc4" + bytes([len(value)]) if len(value) < 256 else struct.pack(">BH", 0xC5, len(value))) + value
        case _:
            start = bytes([0x90 + len(value)]) if len(value) < 16 else struct.pack(">BH", 0xDC, len(value))
            return start + b"".join(map(packed, value))


def envelope(
    table: bytes, epoch: int, seat: int, n: int, seen_index: int, seen_head: bytes, kind: int, payload: bytes
) -> bytes:
    numbers = struct.pack(">I", epoch), bytes([seat]), struct.pack(">I", n), struct.pack(">Q", seen_index)
    return enc("act", table, *numbers, seen_head, bytes([kind]), payload)


def entry(
    kind: int, seat: int, flags: int, term: int, epoch: int, index: int, prev: bytes, ms: int, pub: bytes, sealed: bytes
) -> bytes:
    """E up to the actsig."""
    out = bytes([1, kind, flags, seat]) + struct.pack(">IIQ", term, epoch, index) + prev + struct.pack(">Q", ms)
    return out + struct.pack(">H", len(pub)) + pub + struct.pack(">H", len(sealed)) + sealed


def head(table: bytes, body: bytes) -> bytes:
    return digest("entry", table, body)


def hostsig(seed: bytes, table: bytes, term: int, index: int, entry_head: bytes) -> bytes:
    return signature(seed, enc("head", table, struct.pack(">I", term), struct.pack(">Q", index), entry_head))


def signature(seed: bytes, data: bytes) -> bytes:
    return SigningKey(seed).sign(data).signature


def table_id(pub: bytes) -> bytes:
    return digest("table", pub)[:16]


# ---- 6.3: the deal


def root(table: bytes, epoch: int, secret: bytes) -> bytes:
    """C_R."""
    return digest("root", table, struct.pack(">I", epoch), secret)


def contribution(table: bytes, epoch: int, seat: int, part: bytes) -> bytes:
    """C_i."""
    return digest("contrib", table, struct.pack(">IB", epoch, seat), part)


def deck_seed(table: bytes, epoch: int, secret: bytes, parts: Mapping[int, bytes]) -> bytes:
    said = [bytes([seat]) + parts[seat] for seat in sorted(parts)]
    return mac(digest("deal salt", table, struct.pack(">I", epoch), *said), key_for(secret, "deal"))


def stream(seed: bytes) -> Iterator[int]:
    for number in itertools.count():
        yield from struct.unpack(">8I", mac(seed, enc("deck", struct.pack(">I", number))))


def accepted(numbers: Iterator[int], bound: int) -> int:
    """The first word that is not turned down, mod the bound."""
    return next(word for word in numbers if word < 2**32 // bound * bound) % bound


def shuffled(seed: bytes, cards: Sequence[int], seats: int) -> tuple[list[int], int]:
    """The order, and the starter that follows it."""
    numbers, order = stream(seed), list(cards)
    for i in range(len(order) - 1, 0, -1):
        k = accepted(numbers, i + 1)
        order[i], order[k] = order[k], order[i]
    return order, accepted(numbers, seats)


def copies(order: Sequence[int]) -> list[int]:
    """Which copy of its card each one is."""
    return [list(order[:at]).count(card) for at, card in enumerate(order)]


def drawn_seats(table: bytes, members: Mapping[bytes, int], bots: Sequence[int]) -> list[int]:
    """members: seats of the roster by key; bots: seats in the order they came."""
    keys = sorted(members)
    return shuffled(digest("seats", table, *keys), [*(members[key] for key in keys), *bots], 1)[0]


def card_salt(secret: bytes, epoch: int, place: int) -> bytes:
    return key_for(secret, "card salt", struct.pack(">IH", epoch, place))


def leaf(table: bytes, epoch: int, place: int, salt: bytes, card: int) -> bytes:
    return digest("card", table, struct.pack(">IH", epoch, place), salt, bytes([card]))


# ---- 6.4: hidden choices


def choice(table: bytes, epoch: int, seat: int, n: int, salt: bytes, body: bytes) -> bytes:
    return digest("choice", table, struct.pack(">I", epoch), bytes([seat]), struct.pack(">I", n), salt, body)


def sealed_choice(secret: bytes, term: int, index: int, salt: bytes, body: bytes) -> bytes:
    place = struct.pack(">IQ", term, index)
    keys = key_for(secret, "seal enc", place), key_for(secret, "seal mac", place)
    return seal_plain(*keys, 0, (salt + body).ljust(64, b"\0"))


def bot_salt(secret: bytes, index: int) -> bytes:
    return key_for(secret, "bot salt", struct.pack(">Q", index))


def opening(n: int, salt: bytes, body: bytes) -> bytes:
    return struct.pack(">I", n) + salt + body


# ---- 6.5: shares

P = 2**521 - 1


def shares(table: bytes, epoch: int, secret: bytes, threshold: int, holders: int) -> list[bytes]:
    coefficients = [int.from_bytes(secret, "big")]
    for j in range(1, threshold):
        info = enc("share coeff", table, struct.pack(">IHB", epoch, 0, j))
        coefficients.append(int.from_bytes(expand(secret, info, 80), "big") % P)
    values = (sum(a * pow(x, j, P) for j, a in enumerate(coefficients)) % P for x in range(1, holders + 1))
    return [value.to_bytes(66, "big") for value in values]


def share_commitment(table: bytes, epoch: int, x: int, share: bytes) -> bytes:
    """SC_x."""
    return digest("share", table, struct.pack(">IHB", epoch, 0, x), share)


def at_zero(points: Iterable[tuple[int, bytes]]) -> int:
    """The value at 0 of the polynomial through these shares (Lagrange)."""
    known = [(x, int.from_bytes(share, "big")) for x, share in points]
    total = 0
    for x, y in known:
        over = under = 1
        for other, _ in known:
            if other != x:
                over, under = over * -other % P, under * (x - other) % P
        total += y * over * pow(under, -1, P)
    return total % P

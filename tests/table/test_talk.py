"""Chat: what the host passes on and to whom, and what a guest believes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from p2pcards.table.journal import Journal
from p2pcards.table.notices import Refused as RefusedNotice
from p2pcards.table.notices import Spoken
from p2pcards.table.public import Public
from p2pcards.table.round import Refused
from p2pcards.table.talk import FLOOD, FLOOD_SECONDS, MOST_N, NEWCOMER, REMEMBERED, SILENCED_SECONDS, Switchboard, Talk
from p2pcards.wire.chat import sign_chat
from p2pcards.wire.messages import CHAT_CHARS, TO_ALL, TO_SPECTATORS, Chat
from p2pcards.wire.text import clean
from tests.testing.cluster import identity, three
from tests.testing.forge import Forge, bot, member

ANA, BEN, CY, DOT, EVE, FAY = (identity(name).key for name in ("ana", "ben", "cy", "dot", "eve", "fay"))
START = 1_700_000_000


def folded(forge: Forge) -> Public:
    journal = Journal()
    books = Public(journal)
    for wire in forge.journal.wires:
        books.fold(journal.accept(wire, forge.host.key))
    return books


def table() -> Public:
    """ana, ben and a bot in seats 0, 1 and 2; dot and eve watch."""
    forge = Forge()
    forge.genesis()
    forge.options()
    forge.roster(member("ana"), member("ben"), bot(), watchers=("dot", "eve"))
    return folded(forge)


BOOKS = table()


def said(name: str, text: str = "hello", *, n: int = 1, scope: int = TO_ALL, table: bytes | None = None) -> Chat:
    return sign_chat(identity(name), BOOKS.journal.table if table is None else table, n, scope, text)


def refusal(board: Switchboard, there: bytes, chat: Chat, now: float = 0.0) -> tuple[str, ...]:
    with pytest.raises(Refused) as caught:
        board.relay(there, chat, BOOKS, now)
    return (caught.value.code, *caught.value.detail)


# ---- the host


@pytest.mark.parametrize(
    ("speaker", "scope", "hearers"),
    [
        ("ana", TO_ALL, {ANA, BEN, DOT, EVE}),
        ("dot", TO_ALL, {ANA, BEN, DOT, EVE}),
        ("ana", TO_SPECTATORS, {ANA, DOT, EVE}),
        ("dot", TO_SPECTATORS, {DOT, EVE}),
        ("ana", 1, {ANA, BEN}),
        ("dot", 1, {DOT, BEN}),
        ("ben", 1, {BEN}),
    ],
)
def test_words_go_to_those_they_are_for_and_back_to_who_said_them(
    speaker: str, scope: int, hearers: set[bytes]
) -> None:
    told = Switchboard().relay(identity(speaker).key, said(speaker, scope=scope), BOOKS, 0.0)
    assert set(told) == hearers
    assert len(told) == len(hearers)


@pytest.mark.parametrize("scope", [2, 3, 7, 0xFD])
def test_a_seat_without_a_player_hears_nothing(scope: int) -> None:
    assert refusal(Switchboard(), ANA, said("ana", scope=scope)) == ("nobody_there",)


def test_nobody_speaks_as_somebody_else() -> None:
    board = Switchboard()
    assert refusal(board, ANA, said("ben")) == ("not_yours",)
    assert refusal(board, ANA, replace(said("ben"), key=ANA)) == ("not_yours",)
    assert refusal(board, ANA, said("ana", table=bytes(16))) == ("not_yours",)


@pytest.mark.parametrize("change", [{"text": "bye"}, {"scope": 1}, {"n": 2}, {"sig": bytes(64)}])
def test_what_was_signed_is_what_is_passed_on(change: dict[str, str | int | bytes]) -> None:
    assert refusal(Switchboard(), ANA, replace(said("ana"), **change)) == ("not_yours",)


def test_who_is_not_at_the_table_says_nothing_to_it() -> None:
    assert refusal(Switchboard(), FAY, said("fay")) == ("not_yours",)


def test_what_was_said_once_is_not_said_again() -> None:
    board = Switchboard()
    board.relay(ANA, said("ana", n=5), BOOKS, 0.0)
    assert refusal(board, ANA, said("ana", n=5)) == ("stale", "5")
    assert refusal(board, ANA, said("ana", n=4)) == ("stale", "5")
    assert board.relay(BEN, said("ben", n=5), BOOKS, 0.0)
    assert board.relay(ANA, said("ana", n=7), BOOKS, 0.0)


@pytest.mark.parametrize("text", [" a", "a ", "a  b", "a\nb", "\x1b[2J", "a\u202eb", "a\u200bb", "e\u0301"])
def test_only_text_that_is_safe_to_show_is_passed_on(text: str) -> None:
    assert refusal(Switchboard(), ANA, said("ana", text)) == ("not_clean",)


def test_words_are_1_to_300_characters() -> None:
    assert Switchboard().relay(ANA, said("ana", "a" * CHAT_CHARS), BOOKS, 0.0)
    assert refusal(Switchboard(), ANA, said("ana", "a" * (CHAT_CHARS + 1))) == ("not_clean",)
    assert refusal(Switchboard(), ANA, said("ana", "")) == ("nothing_said",)


# ---- floods


def spoken(board: Switchboard, count: int, now: float, n: int = 1) -> int:
    """How many of so many at once are passed on."""
    passed, codes = 0, set[str]()
    for number in range(n, n + count):
        try:
            board.relay(ANA, said("ana", n=number), BOOKS, now)
        except Refused as refused:
            codes.add(refused.code)
        else:
            passed += 1
    assert codes <= {"chat_flood"}
    return passed


def test_five_things_are_said_in_five_seconds_and_a_sixth_silences() -> None:
    board = Switchboard()
    assert spoken(board, FLOOD, 100.0) == FLOOD
    late = 100.0 + FLOOD_SECONDS - 0.5
    assert refusal(board, ANA, said("ana", n=6), late) == ("chat_flood", "15")
    assert refusal(board, ANA, said("ana", n=6), late + 4.5) == ("chat_flood", "11")
    assert refusal(board, ANA, said("ana", n=6), late + SILENCED_SECONDS - 0.1) == ("chat_flood", "1")
    assert spoken(board, FLOOD, late + SILENCED_SECONDS, n=6) == FLOOD


def test_five_seconds_later_five_more_are_said() -> None:
    board = Switchboard()
    assert spoken(board, FLOOD, 100.0) == FLOOD
    assert spoken(board, FLOOD, 100.0 + FLOOD_SECONDS, n=6) == FLOOD


def test_the_silence_of_one_is_nobody_elses() -> None:
    board = Switchboard()
    spoken(board, FLOOD + 1, 100.0)
    assert board.relay(BEN, said("ben"), BOOKS, 100.0)


def test_who_has_just_come_says_a_few_things_at_once_and_more_as_time_goes_by() -> None:
    for waited, allowed in ((0.0, NEWCOMER), (FLOOD_SECONDS - 1, NEWCOMER + 1), (FLOOD_SECONDS, FLOOD)):
        board = Switchboard()
        board.came(ANA, 100.0, BOOKS)
        assert spoken(board, FLOOD + 1, 100.0 + waited) == allowed


def test_coming_back_does_not_end_the_silence_nor_forget_what_was_said() -> None:
    board = Switchboard()
    spoken(board, FLOOD + 1, 100.0)
    board.came(ANA, 101.0, BOOKS)
    assert refusal(board, ANA, said("ana", n=9), 101.0) == ("chat_flood", "14")
    assert spoken(board, 1, 200.0, n=9) == 1
    board.came(ANA, 201.0, BOOKS)
    assert refusal(board, ANA, said("ana", n=9), 201.0)[0] == "stale"


def test_a_refused_message_uses_nothing_up() -> None:
    board = Switchboard()
    for _ in range(FLOOD + 1):
        refusal(board, ANA, said("ben"))
        refusal(board, ANA, said("ana", scope=2))
        refusal(board, ANA, replace(said("ana", n=1), sig=bytes(64)))
    assert spoken(board, FLOOD, 0.0) == FLOOD


@given(st.lists(st.tuples(st.floats(0, 4), st.integers(1, 8)), max_size=30))
def test_no_more_than_five_are_ever_passed_on_within_five_seconds(says: list[tuple[float, int]]) -> None:
    board, now, n, passed = Switchboard(), 0.0, 0, []
    for pause, count in says:
        now += pause
        for _ in range(count):
            n += 1
            if spoken(board, 1, now, n):
                passed.append(now)
    assert all(later - earlier >= FLOOD_SECONDS for earlier, later in zip(passed, passed[FLOOD:], strict=False))


def test_what_the_host_remembers_is_bounded_and_who_is_here_is_not_forgotten() -> None:
    board = Switchboard()
    board.relay(ANA, said("ana", n=5), BOOKS, 0.0)
    for stranger in range(2 * REMEMBERED):
        board.came(stranger.to_bytes(32, "big"), 0.0, BOOKS)
    assert len(board._speakers) == REMEMBERED
    assert refusal(board, ANA, said("ana", n=5))[0] == "stale"


# ---- the guest


def talk(name: str = "ben") -> Talk:
    return Talk(identity(name), START)


def test_a_guest_hears_what_is_for_it() -> None:
    assert talk().hear(said("ana"), BOOKS) == Spoken("ana", ANA, "", "hello")
    assert talk().hear(said("dot"), BOOKS) == Spoken("dot", DOT, "", "hello")
    assert talk().hear(said("ana", scope=1), BOOKS) == Spoken("ana", ANA, "ben", "hello")
    assert talk("ana").hear(said("ana", scope=1), BOOKS) == Spoken("ana", ANA, "ben", "hello")
    assert talk("dot").hear(said("ana", scope=TO_SPECTATORS), BOOKS) == Spoken("ana", ANA, "spectators", "hello")
    assert talk("ana").hear(said("ana", scope=TO_SPECTATORS), BOOKS) == Spoken("ana", ANA, "spectators", "hello")


@pytest.mark.parametrize(
    "chat",
    [
        said("fay"),
        said("ana", scope=0),
        said("dot", scope=0),
        said("ana", scope=2),
        said("ana", scope=3),
        said("ana", scope=TO_SPECTATORS),
        said("ana", ""),
        said("ana", "\x1b\u202e"),
        said("ana", table=bytes(16)),
        replace(said("ana"), sig=bytes(64)),
        replace(said("ana"), text="bye"),
        replace(said("ana"), n=2),
        replace(said("ana"), scope=1),
        replace(said("fay"), key=ANA),
    ],
    ids=[
        "of somebody who is not here",
        "for another seat",
        "of a spectator for another seat",
        "for a bot",
        "for a seat that there is not",
        "for spectators",
        "empty",
        "nothing to be seen",
        "of another table",
        "unsigned",
        "another text",
        "another count",
        "another scope",
        "signed by somebody else",
    ],
)
def test_what_is_not_proved_or_not_for_us_is_dropped_and_counted(chat: Chat) -> None:
    ben = talk()
    assert ben.hear(chat, BOOKS) is None
    assert ben.dropped == 1
    assert ben.hear(said("ana"), BOOKS) is not None, "nothing of it is held against who did not say it"


def test_a_guest_hears_nothing_twice() -> None:
    ben = talk()
    assert ben.hear(said("ana", n=5), BOOKS)
    assert ben.hear(said("ana", n=5), BOOKS) is None
    assert ben.hear(said("ana", n=4), BOOKS) is None
    assert ben.hear(said("dot", n=4), BOOKS)
    assert ben.hear(said("ana", n=6), BOOKS)
    assert ben.dropped == 2


def test_a_guest_shows_only_what_is_safe_to_show() -> None:
    heard = talk().hear(said("ana", "\x1b[31mred\u202e  alert\n"), BOOKS)
    assert heard == Spoken("ana", ANA, "", "[31mred alert")


def test_what_a_guest_remembers_is_bounded() -> None:
    ben = talk()
    ben._heard = {stranger.to_bytes(32, "big"): 1 for stranger in range(REMEMBERED)}
    assert ben.hear(said("ana"), BOOKS)
    assert len(ben._heard) == REMEMBERED
    assert ben.hear(said("ana"), BOOKS) is None


def test_what_is_said_counts_up_and_starts_above_an_earlier_program_of_ours() -> None:
    board, first, second = Switchboard(), Talk(identity("ana"), START), Talk(identity("ana"), START + 60)
    words = [first.say(BOOKS.journal.table, TO_ALL, "one"), first.say(BOOKS.journal.table, TO_ALL, "two")]
    words.append(second.say(BOOKS.journal.table, TO_ALL, "three"))
    assert [chat.n for chat in words] == [START + 1, START + 2, START + 61]
    assert all(board.relay(ANA, chat, BOOKS, 0.0) for chat in words)


def test_nothing_and_too_much_are_not_said() -> None:
    ana = talk("ana")
    for nothing in ("", "  \n", "\x1b\u200b"):
        with pytest.raises(Refused, match="nothing_said"):
            ana.say(BOOKS.journal.table, TO_ALL, nothing)
    with pytest.raises(Refused) as caught:
        ana.say(BOOKS.journal.table, TO_ALL, "a" * (CHAT_CHARS + 1))
    assert (caught.value.code, *caught.value.detail) == ("too_long", "300")
    assert ana.say(BOOKS.journal.table, TO_ALL, "a" * CHAT_CHARS).n == START + 1


def test_a_letter_that_is_two_when_written_canonically_is_not_cut_in_half() -> None:
    assert talk("ana").say(BOOKS.journal.table, TO_ALL, "\u0958").text == "\u0915\u093c"


@given(st.text(max_size=400))
def test_whatever_is_typed_is_refused_or_comes_through_to_everybody_as_it_was_cleaned(text: str) -> None:
    ana, ben = talk("ana"), talk("ben")
    try:
        chat = ana.say(BOOKS.journal.table, TO_ALL, text)
    except Refused:
        assert not 1 <= len(clean(text, 1000)) <= CHAT_CHARS
        return
    assert BEN in Switchboard().relay(ANA, chat, BOOKS, 0.0)
    heard = ben.hear(chat, BOOKS)
    assert heard is not None
    assert heard.text == clean(text, 1000)
    assert heard.text.isprintable()


@given(
    st.sampled_from(["ana", "ben", "dot", "fay"]),
    st.integers(0, 255),
    st.integers(0, 3),
    st.sampled_from(["hi", "", " hi", "a\u202eb"]),
    st.sampled_from(["ana", "ben", "dot", "fay"]),
)
def test_what_the_host_passes_on_is_heard_by_exactly_those_it_names(
    name: str, scope: int, n: int, text: str, link: str
) -> None:
    chat = said(name, text, n=n, scope=scope)
    try:
        told = Switchboard().relay(identity(link).key, chat, BOOKS, 0.0)
    except Refused:
        return
    assert name == link
    hearers = {key for key in ("ana", "ben", "dot", "eve") if talk(key).hear(chat, BOOKS)}
    assert {identity(hearer).key for hearer in hearers} == set(told)


@pytest.mark.parametrize("seed", range(5))
def test_words_for_one_player_never_reach_who_has_the_seat_by_then(seed: int) -> None:
    cluster = three(seed, settings={"seat_order": "random"})
    ben = cluster.peers["ben"]
    seat = cluster.peers["cy"].seat
    said = sign_chat(identity("ben"), cluster.host.table, 10**9, seat, "for cy alone")
    cluster.silence("ben")  # what the host tells now is still on its way to ben
    cluster.order("start")
    assert ben.link is not None
    ben.mute = False
    cluster.to_host(ben.link, said)
    cluster.settle()
    assert all(peer.told(Spoken) == [] for peer in cluster.peers.values())
    ben.deaf = False


# ---- a machine whose clock is behind


def test_who_goes_on_at_a_machine_whose_clock_is_behind_is_heard_all_the_same() -> None:
    cluster = three()
    cluster.speak("ben", "here I am")
    cluster.cut("ben")
    cluster.join("ben")  # at the very second at which the program before began to count
    cluster.speak("ben", "now here")
    cluster.speak("ben", "and still")
    for name in ("ana", "cy", "ben"):
        heard = [spoken.text for spoken in cluster.peers[name].told(Spoken)]
        assert heard[-2:] == ["now here", "and still"]
    assert cluster.peers["ben"].told(RefusedNotice) == []


def test_what_is_for_one_alone_is_not_said_again_by_itself() -> None:
    cluster = three()
    for _ in range(2):
        cluster.speak("ben", "here I am")
    cluster.cut("ben")
    cluster.join("ben")  # at the very second at which the program before began to count
    cluster.speak("ben", "for you", to="cy")
    assert [told.code for told in cluster.peers["ben"].told(RefusedNotice)] == ["stale"]
    cluster.speak("ben", "for you", to="cy")
    assert [spoken.text for spoken in cluster.peers["cy"].told(Spoken)][2:] == ["for you"]


def test_what_was_refused_is_said_again_once_and_within_bounds() -> None:
    ben = Talk(identity("ben"), START)
    assert ben.again(BOOKS.journal.table, START + 9) is None  # nothing was said
    ben.say(BOOKS.journal.table, TO_ALL, "hello")
    assert ben.again(BOOKS.journal.table, START) is None  # it was not for its count
    ben.say(BOOKS.journal.table, TO_ALL, "hello")
    again = ben.again(BOOKS.journal.table, START + 9)
    assert again is not None
    assert (again.n, again.text) == (START + 10, "hello")
    assert ben.again(BOOKS.journal.table, START + 99) is None
    ben.say(BOOKS.journal.table, TO_ALL, "hello")
    assert ben.again(BOOKS.journal.table, MOST_N + 1) is None
    assert ben.say(BOOKS.journal.table, TO_ALL, "hello").n == START + 12

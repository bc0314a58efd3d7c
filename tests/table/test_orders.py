"""What the host's keyboard may order, and that a refused order changes nothing."""

from __future__ import annotations

import pytest

from p2pcards.errors import InvalidOption, UserError
from p2pcards.table.notices import OptionsSet, Seated, SeatsFull, Vacated
from p2pcards.table.settings import DEFAULTS, EFFECTS, SECONDS_LIMIT, SHORTEST_TURN, check_setting, choices
from p2pcards.wire.entries import SeatKind
from tests.testing.cluster import Cluster, play_round, started, three


def refused(cluster: Cluster, *words: str) -> str:
    """The sentence with which an order is refused; nothing has changed then, for anybody."""
    books = cluster.host.public
    before = (list(books.journal.wires), [len(peer.received) for peer in cluster.peers.values()], books.seats)
    with pytest.raises(UserError) as error:
        cluster.order(*words)
    cluster.settle()
    after = (list(books.journal.wires), [len(peer.received) for peer in cluster.peers.values()], books.seats)
    assert after == before
    cluster.pass_time(0)
    assert books.journal.wires == before[0]
    text = str(error.value)
    assert text.startswith(words[1:2]) or text[0] == text[0].upper()  # an option is named as it is typed
    assert text.endswith(".")
    return text


# ---- options and settings


def test_an_option_is_set_for_everybody() -> None:
    cluster = three()
    cluster.order("set", "scoring", "chips")
    cluster.order("set", "ante", "5")
    cluster.order("set", "bot_level", "easy")
    for peer in cluster.peers.values():
        assert peer.told(OptionsSet)[-1] == OptionsSet((("scoring", "chips"), ("ante", "5")), (("bot_level", "easy"),))
        view = peer.guest.table_view()
        assert view is not None
        assert (view.game.options.scoring, view.game.options.ante) == ("chips", 5)
        assert dict(view.settings) == {"bot_level": "easy"}
    cluster.order("set", "ante", "0")  # back to the default: no longer named
    assert cluster.peers["ben"].told(OptionsSet)[-1].options == (("scoring", "chips"),)


@pytest.mark.parametrize(
    ("key", "value", "says"),
    [
        ("jokers", "2", "jokers"),
        ("scoring", "gold", "chips or wins"),
        ("ante", "-1", "0 to 1000000"),
        ("ante", "", "0 to 1000000"),
        ("dealer_13", "maybe", "true or false"),
        ("seat_order", "alphabet", "random, join_order"),
        ("bot_fill", "yes", "true, false"),
        ("bot_level", "genius", "random, easy, medium"),
        ("grace_seconds", "-1", "0 to 3600"),
        ("grace_seconds", "3601", "0 to 3600"),
        ("grace_seconds", "٣", "0 to 3600"),
        ("\x1b[2J", "1", "option"),
    ],
)
def test_an_unknown_or_impossible_option_is_refused_with_what_is_allowed(key: str, value: str, says: str) -> None:
    cluster = three()
    assert says in refused(cluster, "set", key, value)
    cluster.order("set", "ante", "1")  # and the others stand as they did
    assert cluster.peers["ben"].told(OptionsSet)[-1] == OptionsSet((("ante", "1"),), ())


@pytest.mark.parametrize(
    ("options", "settings"),
    [({"jokers": "2"}, {}), ({"ante": "x"}, {}), ({}, {"grace_seconds": "x"}), ({}, {"no": "1"})],
)
def test_no_table_is_opened_with_options_that_there_are_not(options: dict[str, str], settings: dict[str, str]) -> None:
    with pytest.raises(InvalidOption):
        Cluster(options=options, settings=settings)


def test_every_setting_is_explained_and_its_default_allowed() -> None:
    assert list(DEFAULTS) == list(EFFECTS)
    for key, default in DEFAULTS.items():
        check_setting("tongits", key, default)
        for value in choices("tongits", key):
            check_setting("tongits", key, value)
    for key in ("grace_seconds", "turn_seconds"):
        check_setting("tongits", key, str(SECONDS_LIMIT))
        with pytest.raises(InvalidOption, match="whole number"):
            check_setting("tongits", key, str(SECONDS_LIMIT + 1))
    check_setting("tongits", "turn_seconds", str(SHORTEST_TURN))
    with pytest.raises(InvalidOption, match=r"0 \(off\) or from 5 to 3600"):
        check_setting("tongits", "turn_seconds", str(SHORTEST_TURN - 1))


def test_the_historic_bots_sit_at_straights_alone() -> None:
    check_setting("straights", "bot_level", "seed-hard")
    with pytest.raises(InvalidOption, match=r"random, easy, medium, hard$"):
        check_setting("tongits", "bot_level", "seed-hard")


def test_rules_are_taken_all_at_once_and_the_rest_is_as_usual() -> None:
    cluster = Cluster(options={"ante": "5"}, settings={"bot_level": "easy"})
    cluster.join("ana", host=True)
    before = len(cluster.host.public.journal)
    cluster.order("rules", "scoring", "chips", "turn_seconds", "30")
    assert cluster.host.public.options == (("scoring", "chips"),)
    assert cluster.host.public.settings == (("turn_seconds", "30"),)
    assert len(cluster.host.public.journal) == before + 1
    for words in (("scoring", "gold"), ("turn_seconds", "2"), ("ante", "5", "jokers", "2")):
        refused(cluster, "rules", *words)
    assert cluster.host.public.options == (("scoring", "chips"),)
    cluster.order("rules")
    assert not cluster.host.public.settings


def test_the_table_can_be_made_of_another_size_before_the_match() -> None:
    cluster = Cluster(game="onecard", seats=4)
    cluster.join("ana", host=True)
    cluster.order("bot", "add", "easy")
    cluster.order("set", "seats", "6")
    assert len(cluster.host.public.seats) == 6
    cluster.order("set", "seats", "2")
    assert [held.nick for held in cluster.host.public.seats] == ["ana", "bot-1"]
    cluster.order("set", "seats", "8")
    assert "need 57 cards" in refused(cluster, "set", "decks", "1")
    for wrong in ("1", "9", "x", ""):
        assert "2 to 8" in refused(cluster, "set", "seats", wrong)
    cluster.order("bot", "add", "easy")
    assert refused(cluster, "set", "seats", "2") == "3 seats are taken; `bot remove` frees one."


def test_with_bot_fill_off_a_game_for_fewer_is_played_by_who_is_there() -> None:
    cluster = Cluster(game="tienlen", seats=4, settings={"bot_fill": "false"})
    cluster.join("ana", host=True)
    assert "3 of 4 seats" in refused(cluster, "start")
    cluster.join("ben")
    cluster.order("start")
    assert [held.nick for held in cluster.host.public.seats] in (["ana", "ben"], ["ben", "ana"])
    assert cluster.host.public.round is not None


# ---- bots


def test_bots_come_change_and_go() -> None:
    cluster = Cluster(settings={"bot_level": "easy"})
    ana = cluster.join("ana", host=True)
    cluster.order("bot", "add", "")
    cluster.order("bot", "add", "random")
    assert [(held.nick, held.level) for held in cluster.host.public.seats[1:]] == [
        ("bot-1", "easy"),
        ("bot-2", "random"),
    ]
    assert [(notice.seat, notice.nick, notice.level) for notice in ana.told(Seated)[-2:]] == [
        (1, "bot-1", "easy"),
        (2, "bot-2", "random"),
    ]
    cluster.order("bot", "level", "BOT-1", "medium")
    assert cluster.host.public.seats[1].level == "medium"
    cluster.order("bot", "level", "bot-1", "")
    assert cluster.host.public.seats[1].level == "easy"
    cluster.order("bot", "remove", "Bot-1")
    assert ana.told(Vacated) == [Vacated(1, "bot-1", "bot removed")]
    cluster.order("bot", "add", "")  # the lowest number that is free
    assert cluster.host.public.seats[1].nick == "bot-1"
    cluster.order("bot", "remove", "")  # the last one
    assert [held.kind for held in cluster.host.public.seats[1:]] == [SeatKind.BOT, SeatKind.OPEN]


@pytest.mark.parametrize(
    "words",
    [
        ("bot", "add", "genius"),
        ("bot", "remove", "bot-9"),
        ("bot", "remove", "ana"),
        ("bot", "level", "bot-9", "easy"),
        ("bot", "level", "bot-1", "genius"),
        ("bot", "level", "ana", "easy"),
        ("bot", "dance"),
        ("bot",),
        ("set", "ante"),
        ("swap", "0", "1"),
        ("dance",),
        (),
    ],
)
def test_orders_that_make_no_sense_are_refused(words: tuple[str, ...]) -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.order("bot", "add", "easy")
    refused(cluster, *words)


def test_a_full_table_takes_no_bot() -> None:
    assert refused(three(), "bot", "add", "easy") == "Every seat is taken."


def test_a_table_without_bots_has_none_to_remove() -> None:
    assert refused(three(), "bot", "remove", "") == "There is no bot here."


# ---- the start


def test_a_start_with_open_seats_and_no_filling_up_is_refused() -> None:
    cluster = Cluster(settings={"bot_fill": "false"})
    cluster.join("ana", host=True)
    needs = "seats are still open, and bot_fill is off: Tong-its is for 3 players, not"
    assert refused(cluster, "start") == f"2 of 3 {needs} 1."
    cluster.order("bot", "add", "")
    assert refused(cluster, "start") == f"1 of 3 {needs} 2."
    cluster.join("ben")
    cluster.order("start")
    assert cluster.host.public.round is not None


def test_who_waits_for_a_seat_counts_when_seats_are_to_be_full() -> None:
    cluster = started(options={"match_rounds": "1"}, settings={"bot_fill": "false"})
    cluster.leave("cy")
    cluster.join("dot")
    play_round(cluster)
    cluster.order("start")
    assert "dot" in cluster.host.public.names


def test_inside_a_match_nothing_is_ordered() -> None:
    cluster = started(options={"match_rounds": "2"})
    for _ in range(2):
        assert refused(cluster, "start") == "The match is on already."
        for words in (("set", "ante", "5"), ("set", "bot_level", "easy"), ("bot", "add", ""), ("bot", "remove", "")):
            assert refused(cluster, *words) == "Not inside a match: only in the lobby, before the start."
        play_round(cluster)
        if not cluster.host.public.match_over:
            for words in (("set", "ante", "5"), ("bot", "remove", "")):
                refused(cluster, *words)
            for name in ("ana", "ben", "cy"):
                cluster.want(name, "next")
    cluster.order("set", "ante", "5")


def test_a_full_table_is_told_once() -> None:
    cluster = Cluster()
    cluster.join("ana", host=True)
    cluster.join("ben")
    assert SeatsFull() not in cluster.host_notices
    cluster.join("cy")
    cluster.pass_time(5)
    assert cluster.host_notices.count(SeatsFull()) == 1
    cluster.cut("cy")
    cluster.pass_time(5)
    cluster.back("cy")
    assert cluster.host_notices.count(SeatsFull()) == 2
    cluster.order("start")
    cluster.pass_time(5)
    assert cluster.host_notices.count(SeatsFull()) == 2

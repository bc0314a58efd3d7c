"""Options as text and as values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from p2pcards.errors import InvalidOption
from p2pcards.games.options import changed_options, convert_options, explained, read_options, written_options
from p2pcards.games.registry import GAMES
from p2pcards.games.tongits import TongIts, TongItsOptions

DEFAULTS = {
    "self_layoff_blocks_draw": "true",
    "taken_discard_blocks_draw": "false",
    "dealer_13": "false",
    "discard_layoff": "false",
    "secret_set": "false",
    "showdown_layoff": "false",
    "four_meld_is_self_layoff": "false",
    "must_not_discard_layoffable": "false",
    "no_winner_starter": "next_in_turn",
    "scoring": "wins",
    "stake": "1",
    "ante": "0",
    "hitter_pot": "false",
    "target_wins": "0",
    "match_rounds": "0",
}


def test_every_option_of_tongits_and_its_default() -> None:
    assert {option.name: option.default for option in explained(TongIts)} == DEFAULTS
    assert read_options(TongIts, DEFAULTS) == TongItsOptions()


def test_what_is_allowed_is_told() -> None:
    allowed = {option.name: option.allowed for option in explained(TongIts)}
    assert allowed["scoring"] == "chips or wins"
    assert allowed["dealer_13"] == "true or false"
    assert allowed["stake"] == "1 to 1000000"
    choices = {option.name: option.choices for option in explained(TongIts)}
    assert choices["no_winner_starter"] == ("next_in_turn", "same_starter")
    assert choices["ante"] == ()


def test_only_what_differs_is_written() -> None:
    options = read_options(TongIts, {"scoring": "chips", "ante": "5", "dealer_13": "on", "stake": "1"})
    assert changed_options(options) == {"dealer_13": True, "scoring": "chips", "ante": 5}
    assert written_options(options) == (("dealer_13", "true"), ("scoring", "chips"), ("ante", "5"))


@pytest.mark.parametrize(
    ("texts", "sentence"),
    [
        ({"scorin": "chips"}, "Tong-its has no option scorin; it has self_layoff_blocks_draw, "),
        ({"\x1b": "1"}, "Tong-its has no option ?; it has "),
        ({"scoring": "money"}, "scoring can't be money; allowed: chips or wins"),
        ({"scoring": "\x07"}, "scoring can't be ?; allowed: chips or wins"),
        ({"dealer_13": "1"}, "dealer_13 can't be 1; allowed: true or false"),
        ({"ante": "-1"}, "ante can't be -1; allowed: 0 to 1000000"),
        ({"ante": "1000001"}, "ante can't be 1000001; allowed: 0 to 1000000"),
        ({"ante": "9" * 5000}, "ante can't be 9999"),
        ({"ante": "1e3"}, "ante can't be 1e3; "),
        ({"ante": ""}, "ante can't be ; allowed"),
        ({"stake": "0"}, "stake can't be 0; allowed: 1 to 1000000"),
        ({"ante": "x", "scorin": "y"}, "ante can't be x"),
    ],
)
def test_the_first_mistake_is_told_with_what_is_allowed(texts: dict[str, str], sentence: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        read_options(TongIts, texts)
    assert str(refused.value).startswith(sentence)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    "values", [{"ante": True}, {"ante": 1.0}, {"ante": "1"}, {"dealer_13": 1}, {"scoring": ["chips"]}, {"ante": None},
               {"ante": 10**400}, {"ante": 16**6000}, {"scoring": {}}]
)  # fmt: skip
def test_values_of_a_record_have_their_own_types(values: dict[str, object]) -> None:
    with pytest.raises(InvalidOption, match="allowed"):
        convert_options(TongIts, values)


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({"ante": "1"}, 'ante can\'t be "1"; allowed: 0 to 1000000'),
        ({"dealer_13": "true"}, 'dealer_13 can\'t be "true"; allowed: true or false'),
        ({"dealer_13": "perhaps"}, "dealer_13 can't be perhaps; allowed: true or false"),
        ({"ante": 16**6000}, "ante can't be that; allowed: 0 to 1000000"),
    ],
)
def test_a_text_that_only_looks_like_an_allowed_value_stands_in_quotes(value: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidOption) as refused:
        convert_options(TongIts, value)
    assert str(refused.value) == sentence


chosen = st.fixed_dictionaries(
    {},
    optional={
        option.name: st.sampled_from(option.choices) if option.choices else st.integers(1, 1_000_000).map(str)
        for option in explained(TongIts)
    },
)


@given(chosen)
def test_text_there_and_back(texts: dict[str, str]) -> None:
    options = read_options(TongIts, texts)
    assert read_options(TongIts, dict(written_options(options))) == options
    assert convert_options(TongIts, changed_options(options)) == options


@given(st.dictionaries(st.text(max_size=20) | st.sampled_from(sorted(DEFAULTS)), st.text(max_size=20), max_size=3))
def test_any_texts_are_options_or_refused(texts: dict[str, str]) -> None:
    try:
        read_options(TongIts, texts)
    except InvalidOption as refused:
        text = str(refused)
    else:
        text = ""
    assert text.isprintable()


def test_a_truth_value_is_the_word_of_an_option_that_has_it_among_others() -> None:
    """TOML has `false` without quotes."""
    tienlen = GAMES["tienlen"]
    assert convert_options(tienlen, {"bomb_after_pass": False}) == tienlen.options_type()
    with pytest.raises(InvalidOption, match="allowed: false or four_pairs"):
        convert_options(tienlen, {"bomb_after_pass": True})
    with pytest.raises(InvalidOption, match="scoring can't be"):
        convert_options(GAMES["tongits"], {"scoring": True})


@pytest.mark.parametrize(
    ("meant", "kept"),
    [
        ("six_pairs+dragon", "dragon+six_pairs"),
        ("six_pairs, dragon", "dragon+six_pairs"),
        ("five_pair_sequence dragon+six_pairs", "dragon+six_pairs+five_pair_sequence"),
        ("dragon+dragon", "dragon"),
        (["six_pairs", "dragon"], "dragon+six_pairs"),
        (["five_pair_sequence"], "five_pair_sequence"),
        ([], "none"),
    ],
)
def test_names_that_may_stand_together_come_in_any_order(meant: str | list[str], kept: str) -> None:
    tienlen = GAMES["tienlen"]
    options = convert_options(tienlen, {"instant_win_extra": meant})
    assert changed_options(options).get("instant_win_extra", "none") == kept
    if isinstance(meant, str):
        assert read_options(tienlen, {"instant_win_extra": meant}) == options


@pytest.mark.parametrize(
    "meant", ["", "+", "dragon+", "none+dragon", "dragon+x", ["dragon", 3], [["dragon"]], {}, [""]]
)
def test_names_that_no_option_has_are_refused(meant: object) -> None:
    with pytest.raises(InvalidOption, match="instant_win_extra can't be"):
        convert_options(GAMES["tienlen"], {"instant_win_extra": meant})

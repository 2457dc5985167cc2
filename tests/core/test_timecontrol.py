"""Time controls as text: every form that the module's page shows, and what is none."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rookery.core.clock import (
    LONGEST,
    UNLIMITED,
    Budget,
    PerMove,
    TimeControl,
    clock_for,
    format_length,
    in_words,
    parse_length,
    parse_time_control,
    taken_for,
)
from rookery.core.errors import BadTimeControl
from rookery.games.fish import Fish

SECOND = 1_000_000
MINUTE = 60 * SECOND

lengths = st.integers(1, LONGEST)
maybe = st.integers(0, LONGEST)
phases = st.from_regex(r"[a-z]{1,20}", fullmatch=True)
controls = st.one_of(
    st.just(UNLIMITED),
    st.builds(Budget, lengths, maybe, maybe),
    st.builds(PerMove, lengths),
    st.builds(PerMove, lengths, lengths, phases),
)


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("none", UNLIMITED),
        ("1m33s", Budget(93 * SECOND)),
        ("5m+3s", Budget(5 * MINUTE, increment=3 * SECOND)),
        ("5m delay 3s", Budget(5 * MINUTE, delay=3 * SECOND)),
        ("5m+2s delay 3s", Budget(5 * MINUTE, 2 * SECOND, 3 * SECOND)),
        ("10s/move", PerMove(10 * SECOND)),
        ("10s/move first 30s", PerMove(10 * SECOND, 30 * SECOND)),
        ("10s/move first 30s of move", PerMove(10 * SECOND, 30 * SECOND, "move")),
        ("10s/move first 30s of phase", PerMove(10 * SECOND, 30 * SECOND, "phase")),
    ],
)
def test_every_form_is_read_and_written(text: str, control: TimeControl) -> None:
    assert parse_time_control(text) == control
    assert str(control) == text


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("93", "1m33s"),
        ("93s", "1m33s"),
        ("5+3", "5m+3s"),
        ("5 + 3", "5m+3s"),
        ("3|2", "3m+2s"),
        ("0.5+0", "30s"),
        ("15 | 10", "15m+10s"),
        ("5 delay 3", "5m delay 3s"),
        ("5m + 3s", "5m+3s"),
        ("5m+3", "5m+3s"),
        ("5:00", "5m"),
        ("5:00+3", "5m+3s"),
        ("5:00 + 0:03", "5m+3s"),
        ("1:30:00", "1h30m"),
        ("0:45/move", "45s/move"),
        ("10/move", "10s/move"),
        ("  5M+3S ", "5m+3s"),
        ("5m   delay   3s", "5m delay 3s"),
        ("90s", "1m30s"),
        ("5m+0s", "5m"),
        ("10s/move first 30s of game", "10s/move first 30s"),
    ],
)
def test_other_ways_to_write_the_same_are_read(text: str, same: str) -> None:
    assert str(parse_time_control(text)) == same


@given(control=controls)
def test_what_is_written_is_read_back(control: TimeControl) -> None:
    assert parse_time_control(str(control)) == control


@pytest.mark.parametrize(
    "text",
    [
        "",
        "5x",
        "5m+",
        "+3s",
        "-5s",
        "5 m",
        "m",
        "5m+3s+1s",
        "3m|",
        "|2",
        "5:60",
        "5:0",
        "5:00:00:00",
        "40/5m",
        "40/90+30",
        "40/90m delay 5s",
        "5+3s",
        "300+3",
        "5m delay",
        "5m delay x",
        "5m first 3s",
        "10s/move delay 3s",
        "10s/move+3s",
        "10s/move first",
        "10s/move first 30s of",
        "10s/move first 30s of 3",
        "10s/turn",
        "/move",
        "none 5m",
        "1e3",
        "٣s",
        "5m+3s\0",
        "9999999999s",
        "0.1234567s",
    ],
)
def test_what_is_no_time_control_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(BadTimeControl) as caught:
        parse_time_control(text)
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("5m+", "5m+3s"),
        ("+3s", "5m+3s"),
        ("40/5m", "10s/move"),
        ("5+3s", "5m or 5s"),
        ("300+3", "300s or 300m"),
        ("5 m", "5m+3s"),
    ],
)
def test_a_refusal_says_the_form_to_use(text: str, form: str) -> None:
    with pytest.raises(BadTimeControl) as caught:
        parse_time_control(text)
    assert form in str(caught.value)
    assert "''" not in str(caught.value)


def test_a_clock_names_only_phases_that_the_game_has() -> None:
    assert str(clock_for("10s/move first 30s of move", Fish())).endswith("of move")
    for of in ("phase", "game"):
        clock_for(f"10s/move first 30s of {of}", Fish())
    with pytest.raises(BadTimeControl, match=r"no phase 'nosuchphase' in fish; .*place, move"):
        clock_for("10s/move first 30s of nosuchphase", Fish())


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("none", "Everyone may think as long as they like."),
        (
            "5+3",
            "Each player has 5 minutes for the whole game, and 3 seconds more after every move.",
        ),
        (
            "1h delay 2h",
            "Each player has 1 hour for the whole game; of every move the first 2 hours are free.",
        ),
        ("10s/move", "Each move may take 10 seconds."),
        ("0.5s/move first 1h", "Each move may take 0.5 seconds, the first of the game 1 hour."),
        (
            "1/move first 2 of move",
            "Each move may take 1 second, the first of the phase move 2 seconds.",
        ),
    ],
)
def test_a_clock_can_be_said_in_words(text: str, words: str) -> None:
    assert in_words(parse_time_control(text)) == words


@pytest.mark.parametrize("text", ["5+3", "3|2", "5:00", "93", "10/move", "5m+3", "5m delay 3"])
def test_whoever_leaves_a_unit_out_is_told_what_it_was_taken_for(text: str) -> None:
    control = parse_time_control(text)
    assert taken_for(text) == f"The clock {text} is taken for {control}. {in_words(control)}"


@pytest.mark.parametrize("text", ["none", "93s", "60s/move", "5m + 3s", "1m30s delay 0.5s"])
def test_whoever_writes_every_unit_is_told_nothing(text: str) -> None:
    assert taken_for(text) is None


@pytest.mark.parametrize("text", ["0", "0s", "0s/move", "10s/move first 0s", "0.0000004s"])
def test_nobody_plays_with_no_time_at_all(text: str) -> None:
    with pytest.raises(BadTimeControl):
        parse_time_control(text)


def test_a_year_is_the_longest_time() -> None:
    assert parse_time_control("8784h") == Budget(LONGEST)
    for text in ("8784h1s", "1s+8785h", "1s delay 8785h", "8785h/move", "1s/move first 8785h"):
        with pytest.raises(BadTimeControl):
            parse_time_control(text)


@given(text=st.text("0123456789.+ /adefhilmnoprstvy", max_size=12) | st.text(max_size=30))
def test_any_text_is_a_time_control_or_refused(text: str) -> None:
    try:
        control = parse_time_control(text)
    except BadTimeControl:
        return
    assert parse_time_control(str(control)) == control


@pytest.mark.parametrize(
    ("text", "micros"),
    [
        ("200ms", 200_000),
        ("0.5s", 500_000),
        ("0.000001s", 1),
        ("1.5m", 90 * SECOND),
        ("1h1m1s1ms", 3661 * SECOND + 1000),
        ("0", 0),
    ],
)
def test_lengths_are_read_exactly(text: str, micros: int) -> None:
    assert parse_length(text) == micros


@pytest.mark.parametrize(
    ("micros", "text"),
    [(0, "0s"), (1, "0.000001s"), (90 * SECOND, "1m30s"), (3600 * SECOND, "1h"), (200_000, "0.2s")],
)
def test_lengths_are_written_short(micros: int, text: str) -> None:
    assert format_length(micros) == text

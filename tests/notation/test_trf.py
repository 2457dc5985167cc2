"""A tour as a TRF file: a whole text, what another program reads in it, and back again."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from py4swiss.engines.common import PairingError
from py4swiss.engines.dutch import Engine
from py4swiss.trf import TrfParser

from rookery.core.chance import Chance
from rookery.core.events import (
    EntrantPaused,
    EntrantResumed,
    Joined,
    MatchEnded,
    TourOpened,
    TourStarted,
    Withdrawn,
)
from rookery.core.ids import PlayerId, TourId
from rookery.core.messages import EntrantLine, MatchLine, MemberOf, TourShown
from rookery.core.tour_values import ABSENT, Plan
from rookery.hall.tours import director
from rookery.hall.tours.lines import line_of, match_lines, standing_of
from rookery.hall.tours.tour import EVER, Tour, evolve_tour, open_tour
from rookery.notation.trf import BadTrf, TrfEntrant, TrfReport, report_of, trf_export, write_trf
from rookery.notation.trf_reading import read_trf
from tests.hall.trials import PLANS, Trial
from tests.laws.formats import any_result
from tests.notation.test_tours import MATCHES, tour

STEPS = 60


def shown_of(one: Tour) -> tuple[TourShown, tuple[MatchLine, ...]]:
    """A tour as a server would tell it."""
    member = MemberOf(PlayerId(1), "", "native", connected=True)
    entrants = tuple(
        EntrantLine(e.number, e.name, (member,), e.out, e.rating, paused=e.paused)
        for e in one.entrants
    )
    line = line_of(one, 0)
    shown = TourShown(line, one.plan, "", None, entrants, standing_of(one), one.n)
    return shown, match_lines(one, 0, len(one.matches))


FILES = Path(__file__).parent


def example() -> tuple[TourShown, tuple[MatchLine, ...]]:
    shown = tour()
    ann, *others = shown.entrants
    third = replace(MATCHES[3], round=3)
    return replace(shown, entrants=(replace(ann, rating=1532), *others)), (*MATCHES[:3], third)


def test_a_tour_has_a_line_an_entrant_and_ten_columns_a_round() -> None:
    assert trf_export(*example()) == (FILES / "tour.trf").read_text("utf-8")


def test_a_match_that_is_to_be_played_has_opponent_and_colour_alone() -> None:
    shown, (first, *_) = example()
    row = trf_export(shown, (replace(first, result=None),)).splitlines()[-3]
    assert row.endswith("    1     2 w")
    assert read_trf(trf_export(shown, (replace(first, result=None),))).pairings() == (
        (1, 1, 2, " "),
    )


def test_a_long_name_is_cut_and_none_is_made_up() -> None:
    shown, matches = example()
    names = ("x" * 40, "", "tab\there")
    entrants = tuple(replace(e, name=n) for e, n in zip(shown.entrants, names, strict=True))
    lines = report_of(replace(shown, entrants=entrants), matches).lines
    assert [line.name for line in lines] == ["x" * 33, "Entrant 2", "tab here"]


def test_points_that_are_not_the_usual_ones_are_said() -> None:
    shown, matches = example()
    text = trf_export(replace(shown, plan=replace(shown.plan, points="3-1½-0.5")), matches)
    assert "XXS W=3.0 D=1.5 L=0.5 PAB=3.0 ZPB=0.0\n" in text
    assert read_trf(text).points == "3-1.5-0.5"


def test_a_match_of_more_than_two_has_no_room() -> None:
    shown, (first, *_) = example()
    with pytest.raises(BadTrf, match=r"^A TRF file has matches of two, and in tour 7 more play"):
        trf_export(shown, (replace(first, sides=(1, 2, 3)),))


def test_two_matches_in_a_round_have_no_room() -> None:
    shown, (first, *_) = example()
    with pytest.raises(BadTrf, match=r"everybody, and entrant 1 of tour 7 has several in round 1"):
        trf_export(shown, (first, first))


def test_who_is_paused_or_out_is_said_not_to_be_paired() -> None:
    shown, matches = example()
    ann, bob, cyd = shown.entrants
    paused = (replace(ann, paused=True), replace(bob, out="removed"), cyd)
    text = trf_export(replace(shown, entrants=paused), matches)
    assert "XXZ 1 2\n" in text
    assert [line.name for line in read_trf(text).lines] == [one.name for one in paused]


@pytest.mark.parametrize(("points", "code"), [(1.0, "U"), (0.5, "H"), (0.0, "Z")])
def test_a_round_that_somebody_sat_out_has_the_code_of_what_it_is_worth(
    points: float, code: str
) -> None:
    shown, (_, bye, *_) = example()
    (cell, *_) = report_of(shown, (replace(bye, points=(points,)),)).lines[2].cells
    assert (cell.rival, cell.code) == (0, code)


# -- laws


trials = st.builds(
    Trial,
    st.sampled_from([plan for plan in PLANS if plan.format.split()[0] in ("swiss", "round_robin")]),
    st.integers(2, 9),
    st.integers(0, 1 << 32),
)


@settings(max_examples=40)
@given(trials, st.integers(0, STEPS))
def test_what_is_written_is_read_back(trial: Trial, steps: int) -> None:
    for _ in range(steps):
        trial.step()
    report = report_of(*shown_of(trial.tour))
    assert read_trf(write_trf(report)) == report
    assert [(line.name, line.rating) for line in report.lines] == [
        (one.name, one.rating) for one in trial.tour.entrants
    ]
    played = sorted(
        (match.fixture.round, *match.fixture.sides, *(0,) * (2 - len(match.fixture.sides)))
        for match in trial.tour.matches
        if match.fixture.rest is None
    )
    assert sorted(pairing[:3] for pairing in report.pairings()) == played


def by_another(text: str) -> list[tuple[int, ...]]:
    """The next round as py4swiss pairs it, which reads the file and checks the points."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tour.trf"
        file.write_text(text, encoding="utf-8")
        report = TrfParser.parse(file, strict=True)
    pairs = Engine.generate_pairings(report)
    return [(pair.white, pair.black) if pair.black else (pair.white,) for pair in pairs]


def swiss(count: int) -> Tour:
    """One that has just begun."""
    made = open_tour(TourId(1), TourOpened(Plan("nim", "swiss rounds=5")))
    for number in range(1, count + 1):
        made = evolve_tour(made, Joined(number, f"e{number}", PlayerId(number)))
    return evolve_tour(made, TourStarted())


def come_out(made: Tour, chance: Chance) -> Tour:
    """The tour when everything that was paired has come out somehow."""
    for number, match in enumerate(made.matches, 1):
        if match.result is not None:
            continue
        fixture = match.fixture
        if len(fixture.sides) == 1:
            result = director.bye(fixture)
        elif chance.below(8) == 0:
            result = director.walkover(fixture, frozenset(fixture.sides[:1]), ABSENT)
        else:
            result = any_result(fixture, chance)
        made = evolve_tour(made, MatchEnded(number, result))
    return made


@settings(max_examples=10, deadline=None)
@given(st.integers(5, 12), st.integers(0, 1 << 32))
def test_who_reads_the_file_pairs_the_next_round_as_we_do(count: int, seed: int) -> None:
    made, chance = swiss(count), Chance(seed)
    while (paired := director.pair(made, frozenset(), EVER)) is not None:
        away = {one.number for one in made.entrants if one.paused}
        met = [one.sides for one in paired.fixtures if len(one.sides) > 1]
        if made.matches and all(away.isdisjoint(sides) for sides in met):
            try:
                found = by_another(trf_export(*shown_of(made)))
            except PairingError:
                return  # ours gives way in colours then
            played = {one.sides for one in paired.fixtures if one.rest is None}
            assert set(found) == played
        made = come_out(evolve_tour(made, paired), chance)
        if chance.below(6) == 0:
            made = evolve_tour(made, Withdrawn(count, "withdrawn"))
            count -= 1
        for one in made.entrants[:3]:
            if not one.out and chance.below(3) == 0:
                change = EntrantResumed if one.paused else EntrantPaused
                made = evolve_tour(made, change(one.number))


# -- what other people wrote


def player(number: int, name: str, *cells: str) -> str:
    return f"001 {number:4d}      {name:33} 1500 {'':26}  0.0 {number:4d}" + "".join(
        f"  {cell}" for cell in cells
    )


def test_a_file_of_another_program_is_read() -> None:
    text = (FILES / "lyon.trf").read_text("utf-8").replace("\n", "\r\n")
    report = read_trf(text)
    assert (report.name, report.rounds) == ("Open de Lyon", 1)
    assert [(one.name, one.rating) for one in report.lines] == [
        ("Dupont, Marie", 2512),
        ("Ek, Åsa", None),
    ]
    assert report.pairings() == ((1, 1, 2, "1"),)


WRONG = [
    ("012 Nobody", "There is no player in it: no line begins with 001."),
    (player(1, ""), "Line 1: player 1 has no name."),
    (player(0, "ann"), "Line 1: players are numbered from 1."),
    (player(1, "a").replace("1500", "15x0"), "Line 1: The rating of a is a whole number up to"),
    (player(1, "a").replace(" 0.0", "half"), "Line 1: What a has in points is a whole or half"),
    (player(1, "a") + "\n" + player(1, "b"), "Line 2: there is a player 1 already."),
    (player(1, "a", "   2 w 1"), "Line 1, round 1: a cannot meet player 2."),
    (player(1, "a", "   1 w 1"), "Line 1, round 1: a cannot meet player 1."),
    (player(1, "a", "0000 - 1"), "Line 1, round 1: '1' is no result of somebody who has no"),
    (player(1, "a", "   2 x 1"), "Line 1, round 1: '2 x 1' is no opponent, colour and result."),
    (player(1, "a", "   2 w Q"), "Line 1, round 1: w and 'Q' are no colour and result of a match."),
    (
        player(1, "a", "   2 w 1") + "\n" + player(2, "b", "   1 b 1"),
        "Line 1, round 1: a and b do not say the same of their match.",
    ),
    (
        player(1, "a", "   2 w 1") + "\n" + player(2, "b"),
        "Line 1, round 1: a and b do not say the same of their match.",
    ),
    ("XXR many\n" + player(1, "a"), "Line 1: The number of rounds is a whole number up to 999,"),
    ("XXS W3\n" + player(1, "a"), "Line 1: points are written like W=3.0, not 'W3'."),
]


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=range(len(WRONG)))
def test_what_is_wrong_is_said_with_its_line(text: str, sentence: str) -> None:
    with pytest.raises(BadTrf) as wrong:
        read_trf(text)
    assert str(wrong.value).startswith(sentence)


@given(st.text(), st.lists(st.text("01 -+=wbUZ.59\n", max_size=60)))
def test_no_text_is_worse_than_a_mistake(head: str, rows: list[str]) -> None:
    text = head + "\n" + "\n".join(player(n, "a", *row.split("\n")) for n, row in enumerate(rows))
    try:
        report = read_trf(text)
    except BadTrf:
        return
    assert isinstance(report, TrfReport)
    assert all(isinstance(line, TrfEntrant) for line in report.lines)

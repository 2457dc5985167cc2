"""A tour as CSV, JSON and Markdown: whole texts, written by hand."""

import csv
import json
from io import StringIO

import pytest
from msgspec.structs import replace

from rookery.core.ids import PlayerId, TableId, TourId
from rookery.core.messages import EntrantLine, MatchLine, MemberOf, TourShown
from rookery.core.tour_values import Plan, Result, Row, TourLine
from rookery.notation.results import cross_table, halves
from rookery.notation.tours import csv_matches, csv_standing, json_export, markdown_export

PLAN = Plan("nim", "round_robin legs=2", "Class 3b", 2, ties=("wins", "fewest_forfeits"))

MATCHES = (
    MatchLine(1, 1, (1, 2), "over", TableId(4), Result((1, 2), "last", "Home won."), (1.0, 0.0)),
    MatchLine(2, 1, (3,), "over", None, Result((1,), "bye"), (1.0,)),
    MatchLine(3, 2, (2, 1), "over", TableId(5), Result((1, 1), "full"), (0.5, 0.5), voided=1),
    MatchLine(4, 2, (3, 1), "over", None, Result((2, 1), "absent", "Who?", (0,)), (0.0, 1.0)),
    MatchLine(5, 3, (2, 3), "playing", TableId(6), None, ()),
    MatchLine(6, 3, (3, 2), "waiting", None, None, ()),
)

ROWS = (
    Row(1, 1, "ann", 2.5, 3, 2, 1, 0, 0, 0, (2.0, 0.0), "", 1532.4, 210.0),
    Row(2, 3, "=cyd|x", 1.0, 1, 0, 0, 1, 1, 1, (0.0, -1.0), "", 1500.0, 250.0),
    Row(3, 2, "bob", 0.5, 2, 0, 1, 1, 0, 0, (0.0, 0.0), "removed", 1480.0, 211.6),
)
PAUSED = (ROWS[0], replace(ROWS[1], paused=True), ROWS[2])


def member(name: str) -> MemberOf:
    return MemberOf(PlayerId(1), name, "native", connected=True)


def tour(rows: tuple[Row, ...] = ROWS, plan: Plan = PLAN) -> TourShown:
    line = TourLine(
        TourId(7),
        plan.name,
        plan.variant,
        plan.format,
        "running",
        owner=None,
        coded=True,
        entrants=2,
        matches=6,
        played=4,
        running=1,
    )
    entrants = tuple(
        EntrantLine(row.entrant, row.name, (member(row.name),), row.out)
        for row in sorted(rows, key=lambda row: row.entrant)
    )
    return TourShown(line, plan, "SECRET", None, entrants, rows, 20)


STANDING = """\
place,entrant,name,players,points,played,wins,draws,losses,byes,forfeits,tie_wins,\
tie_fewest_forfeits,rating,uncertainty,out,counts,paused
1,1,ann,ann,2.5,3,2,1,0,0,0,2,0,1532.4,210,,1-0.5-0,
2,3,'=cyd|x,'=cyd|x,1,1,0,0,1,1,1,0,-1,1500,250,,1-0.5-0,yes
3,2,bob,bob,0.5,2,0,1,1,0,0,0,0,1480,211.6,removed,1-0.5-0,
"""


def test_the_gradebook_has_a_line_an_entrant_also_of_those_who_are_paused_or_out() -> None:
    assert csv_standing(tour(PAUSED)) == STANDING


MATCH_LINES = """\
match,round,table,status,side_1,side_2,points_1,points_2,result,winner,how,reason,voided,by_hand
1,1,4,over,ann,bob,1,0,win,ann,last,Home won.,0,
2,1,,over,'=cyd|x,,1,,bye,,bye,,0,
3,2,5,over,bob,ann,0.5,0.5,draw,,full,,1,
4,2,,over,'=cyd|x,ann,0,1,win,ann,absent,Who?,0,
5,3,6,playing,bob,'=cyd|x,,,,,,,0,
6,3,,waiting,'=cyd|x,bob,,,,,,,0,
"""


def test_the_matches_have_a_line_each_whether_or_not_they_were_played() -> None:
    assert csv_matches(tour(), MATCHES) == MATCH_LINES


def test_a_tour_without_matches_has_the_head_alone() -> None:
    assert csv_matches(tour(), ()) == MATCH_LINES.splitlines(keepends=True)[0]


MARKDOWN = r"""# Class 3b

nim, round\_robin legs=2, clock 5m, points 1-0.5-0. Tour 7, running: 4 of 6 matches played.

## Standing

| place | name | points | played | won | drawn | lost | byes | forfeits | wins | fewest forfeits | rating |  |
| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |
| 1 | ann | 2½ | 3 | 2 | 1 | 0 | 0 | 0 | 2 | 0 | 1532 ± 210 |  |
| 2 | =cyd\|x | 1 | 1 | 0 | 0 | 1 | 1 | 1 | 0 | -1 | 1500 ± 250 |  |
| 3 | bob | ½ | 2 | 0 | 1 | 1 | 0 | 0 | 0 | 0 | 1480 ± 212 | removed |

## Cross-table

|  |  | 1 | 2 | 3 |
| ---: | --- | ---: | ---: | ---: |
| 1 | ann | × | + | 1 ½ |
| 2 | =cyd\|x | - | × | \* . |
| 3 | bob | 0 ½ | \* . | × |

## Matches

| match | round | sides | points | how it ended | table |
| ---: | ---: | --- | ---: | --- | ---: |
| 1 | 1 | ann – bob | 1 : 0 | Home won. | 4 |
| 2 | 1 | =cyd\|x | 1 | bye |  |
| 3 | 2 | bob – ann | ½ : ½ | full | 5 |
| 4 | 2 | =cyd\|x – ann | 0 : 1 | Who? |  |
| 5 | 3 | bob – =cyd\|x | playing |  | 6 |
| 6 | 3 | =cyd\|x – bob | waiting |  |  |
"""  # noqa: E501 - a table of Markdown has no shorter lines


def test_the_page_has_the_standing_the_cross_table_and_the_matches() -> None:
    assert markdown_export(tour(), MATCHES) == MARKDOWN


def test_the_page_says_who_is_paused() -> None:
    paused = MARKDOWN.replace("1500 ± 250 |  |", "1500 ± 250 | paused |")
    assert markdown_export(tour(PAUSED), MATCHES) == paused


def test_json_has_everything_by_name() -> None:
    read = json.loads(json_export(tour(PAUSED), MATCHES))
    what = ["tour", "name", "status", "winners", "points", "plan", "standing", "matches"]
    assert list(read) == what
    assert read["points"] == "1-0.5-0"
    assert read["standing"][1] == {
        "place": 2,
        "entrant": 3,
        "name": "=cyd|x",
        "players": ["=cyd|x"],
        "points": 1.0,
        "played": 1,
        "wins": 0,
        "draws": 0,
        "losses": 1,
        "byes": 1,
        "forfeits": 1,
        "ties": {"wins": 0.0, "fewest_forfeits": -1.0},
        "rating": 1500.0,
        "uncertainty": 250.0,
        "out": "",
        "away": False,
        "paused": True,
    }
    assert [row["out"] for row in read["standing"]] == ["", "", "removed"]
    assert read["matches"][3] == {
        "match": 4,
        "round": 2,
        "table": None,
        "status": "over",
        "entrants": [3, 1],
        "sides": ["=cyd|x", "ann"],
        "points": [0.0, 1.0],
        "result": "win",
        "winners": ["ann"],
        "how": "absent",
        "reason": "Who?",
        "voided": 0,
        "by_hand": False,
    }


def test_the_join_code_is_in_no_export() -> None:
    texts = (
        csv_standing(tour()),
        csv_matches(tour(), MATCHES),
        json_export(tour(), MATCHES),
        markdown_export(tour(), MATCHES),
    )
    assert not any("SECRET" in text for text in texts)


def read_back(name: str) -> str:
    """What a reader of CSV takes for the name of an entrant called so."""
    text = csv_standing(tour((Row(1, 1, name, 0.0, 0, 0, 0, 0, 0, 0, ()),)))
    (found,) = csv.DictReader(StringIO(text, newline=""))
    return found["name"]


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "\tx"])
def test_a_name_that_would_be_a_formula_is_a_text(name: str) -> None:
    assert read_back(name) == f"'{name}"


@pytest.mark.parametrize("name", ["ann", "a,b", 'a "b"', "a\nb", "1=1", "'"])
def test_any_other_name_is_read_back_as_it_was(name: str) -> None:
    assert read_back(name) == name


def test_half_an_end_of_a_line_is_a_space() -> None:
    assert read_back("a\rb") == "a b"


def test_a_number_below_zero_is_a_number_and_no_formula() -> None:
    assert ",-1,1500," in csv_standing(tour())


def test_what_markdown_would_obey_is_escaped() -> None:
    name = "*a*_b_`c`<d>[e](f)\\\n#"
    page = markdown_export(tour((Row(1, 1, name, 0.0, 0, 0, 0, 0, 0, 0, ()),)), ())
    assert r"| 1 | \*a\*\_b\_\`c\`\<d\>\[e\](f)\\ \# | 0 |" in page


# -- the cross-table


def row(entrant: int) -> Row:
    return Row(entrant, entrant, f"p{entrant}", 0.0, 0, 0, 0, 0, 0, 0, ())


def test_three_at_a_table_each_have_met_the_two_others() -> None:
    played = MatchLine(1, 1, (1, 2, 3), "over", None, Result((1, 2, 2), "x"), (2.0, 0.5, 0.5))
    assert cross_table(tour((row(1), row(2), row(3))), [played]) == (
        ("×", "1", "1"),
        ("0", "×", "½"),
        ("0", "½", "×"),
    )


def test_partners_have_not_met() -> None:
    result = Result((1, 2, 2, 1), "mate")
    played = MatchLine(1, 1, (1, 2, 3, 4), "over", None, result, (1.0, 0, 0, 1.0), (0, 1, 1, 0))
    assert cross_table(tour((row(1), row(2), row(3), row(4))), [played]) == (
        ("×", "1", "1", ""),
        ("0", "×", "", "0"),
        ("0", "", "×", "0"),
        ("", "1", "1", "×"),
    )


def test_where_nobody_won_both_have_nothing() -> None:
    played = MatchLine(1, 1, (1, 2), "over", None, Result((2, 2), "time"), (0.0, 0.0))
    assert cross_table(tour((row(1), row(2))), [played]) == (("×", "0"), ("0", "×"))


def test_who_met_often_has_a_sum() -> None:
    results = [Result((1, 2), "x"), Result((1, 1), "x"), Result((2, 1), "x")] * 2
    played = [
        MatchLine(n, n, (1, 2), "over", None, result, ()) for n, result in enumerate(results, 1)
    ]
    waiting = MatchLine(7, 7, (1, 2), "waiting", None, None, ())
    assert cross_table(tour((row(1), row(2))), [*played, waiting])[0] == ("×", "3/6")


@pytest.mark.parametrize(
    ("points", "text"), [(0.0, "0"), (0.5, "½"), (1.0, "1"), (12.5, "12½"), (-1.0, "-1")]
)
def test_halves_are_written_as_people_do(points: float, text: str) -> None:
    assert halves(points) == text

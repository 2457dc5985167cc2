"""Who is away, paused or out, as the rows, the picture and the exports of a tour show it."""

import json
from io import StringIO

from rich.console import Console

from rookery.cli.tours.export import exported
from rookery.cli.tours.known import known
from rookery.cli.tours.picture import Size, picture
from rookery.core.intents import CancelTour, Withdraw
from rookery.core.tour_values import Plan
from rookery.notation.results import standing_rows
from tests.hall.contest import NIM, Contest, house_of_tours


def contest() -> Contest:
    one = Contest(house_of_tours(), Plan(NIM, time="none"))
    one.join("ann", "bob", "cyd")
    return one


def away(one: Contest) -> list[str]:
    return [row.name for row in standing_rows(one.shown()) if row.away]


def test_who_hangs_up_is_away_until_it_is_back() -> None:
    one = contest()
    one.start()
    assert away(one) == []
    one.house.hang_up(one.guests[1])
    assert away(one) == ["bob"]
    one.guests[1] = one.house.back(one.guests[1])
    assert away(one) == []


def test_who_is_out_is_not_away_and_nobody_is_once_it_is_over() -> None:
    one = contest()
    one.house.hang_up(one.guests[1])
    one.house.hang_up(one.guests[2])
    one.house.do(one.organiser, Withdraw(one.tour, 2))
    assert away(one) == ["cyd"]
    one.house.do(one.organiser, CancelTour(one.tour))
    assert away(one) == []


def test_the_picture_of_a_tour_says_who_is_away() -> None:
    one = contest()
    one.house.hang_up(one.guests[1])
    console = Console(file=StringIO(), width=100)
    console.print(picture(known(one.shown(), ()), Size(100), None, bar=False))
    assert isinstance(console.file, StringIO)
    lines = console.file.getvalue().splitlines()
    assert [line.split()[1] for line in lines if line.rstrip().endswith("away")] == ["bob"]


def test_who_is_paused_or_out_stays_in_the_picture_and_in_every_export() -> None:
    one = contest()
    one.join("dee")
    one.house.hang_up(one.guests[1])
    one.start()
    one.house.wait(300)
    one.house.do(one.organiser, Withdraw(one.tour, 4))
    now = known(one.shown(), tuple(one.matches()))
    console = Console(file=StringIO(), width=100)
    console.print(picture(now, Size(100), None, bar=False))
    assert isinstance(console.file, StringIO)
    drawn = console.file.getvalue().splitlines()
    assert marked(drawn, "paused") == ["bob"]
    assert marked(drawn, "removed") == ["dee"]
    cells = [line.split(",") for line in exported(now, "csv").splitlines()]
    assert [row[2] for row in cells if row[-1] == "yes"] == ["bob"]
    assert [row[2] for row in cells if "removed" in row] == ["dee"]
    rows = json.loads(exported(now, "json"))["standing"]
    assert {row["name"]: (row["paused"], row["out"]) for row in rows} == {
        "ann": (False, ""),
        "bob": (True, ""),
        "cyd": (False, ""),
        "dee": (False, "removed"),
    }
    table = exported(now, "md").splitlines()
    assert [line.split(" | ")[1] for line in table if line.endswith("| paused |")] == ["bob"]
    assert [line.split(" | ")[1] for line in table if line.endswith("| removed |")] == ["dee"]
    assert "XXZ 2 4" in exported(now, "trf").splitlines()


def marked(lines: list[str], word: str) -> list[str]:
    return [line.split()[1] for line in lines if line.rstrip().endswith(word)]

"""A tour on the wall: how one joins, who is in, the boards in turn, the standing, the podium."""

import re
import time

import msgspec
from playwright.sync_api import Route, expect

from tests.browser.contest import Contest, token_of
from tests.browser.people import Visit
from tests.browser.programs import Line
from tests.browser.test_tours import organise
from tests.server.process import Server

LAN = "http://192.168.1.5:7350"


def in_a_network(route: Route) -> None:
    """The server as one that others can reach."""
    told = msgspec.json.decode(route.fetch().body())
    route.fulfill(
        body=msgspec.json.encode(told | {"reach": [LAN]}), content_type="application/json"
    )


def test_a_room_reads_from_the_wall_how_to_join_and_comes_by_the_link(
    visit: Visit, server: Server
) -> None:
    teacher = Line(server)
    teacher.ask("organise", token=token_of(server))
    plan = {"variant": "tictactoe", "name": "Class 4b", "time": "none"}
    teacher.ask("open_tour", plan=plan, code="CLUB")
    eve, ann = visit(size=(1600, 900)), visit()
    page = eve.go("/tours/1")
    eve.press("I am the organiser")
    organise(eve, token_of(server))
    with page.expect_popup() as popup:  # so that the organiser keeps the tour's own page
        page.get_by_role("link", name="Show it on the wall").click()
    page = eve.page = popup.value
    page.wait_for_url("**/tours/1/screen")
    # This server hears only its own machine, and so nobody is sent there in vain.
    eve.sees("Only this machine can reach the server.")
    eve.sees("rookery serve --host 0.0.0.0")
    expect(page.get_by_text("CLUB", exact=True)).to_be_visible()
    expect(page.get_by_text("127.0.0.1")).to_have_count(0)
    page.route("**/api/server", in_a_network)
    page.reload()
    expect(page.get_by_text("192.168.1.5:7350", exact=True)).to_be_visible()
    code = page.get_by_role("img", name=f"QR code of {LAN}/tours/1?code=CLUB")
    expect(code).to_be_visible()
    assert eve.barriers() == []
    ann.enter("Ann", "/tours/1?code=CLUB")
    ann.press("Join the tour")
    ann.sees("You are in")
    expect(page.get_by_role("region", name="1 is in").get_by_text("Ann")).to_be_visible()
    eve.picture("wall")


def test_a_room_sees_boards_in_turn_who_rises_and_the_podium(visit: Visit, server: Server) -> None:
    contest = Contest(server, "Ann", "Bob", "Cyd", "Dan")
    viewer = visit(size=(1600, 900))
    page = viewer.go("/tours/1/screen")
    rows = page.get_by_role("region", name="Standing").get_by_role("listitem")
    viewer.sees("4 are in")
    contest.start()
    now = page.get_by_role("region", name="Now playing")
    first, second = sorted(contest.tables())
    expect(now.get_by_text(f"table {first}", exact=True)).to_be_visible()
    viewer.page.get_by_role("button", name="Next board").press("Enter")
    expect(now.get_by_text(f"table {second}", exact=True)).to_be_visible()
    assert viewer.barriers() == []
    expect(rows).to_have_count(4)
    contest.win(second)
    expect(rows.first.locator(".ladder-points")).to_have_text("1")
    expect(page.get_by_role("img", name=re.compile("^up ")).first).to_be_visible()
    contest.play()
    podium = page.get_by_role("list", name="Podium")
    expect(podium.get_by_role("listitem").first).to_be_visible()
    assert viewer.barriers() == []


def test_who_is_in_a_tour_to_come_is_reminded(visit: Visit, server: Server) -> None:
    teacher = Line(server)
    teacher.ask("organise", token=token_of(server))
    soon = (time.time_ns() // 1000) + 240_000_000  # four minutes
    plan = {"variant": "tictactoe", "name": "Friday", "starts": soon}
    tour = teacher.ask("open_tour", plan=plan, code="")["tour"]
    teacher.ask("open_tour", plan=plan | {"name": "Saturday"}, code="")
    ann = visit()
    page = ann.enter("Ann", f"/tours/{tour}")
    ann.sees("Begins by itself in 3:")
    ann.press("Join the tour")
    ann.sees("You are in")
    page.get_by_role("link", name="Lobby").click()
    head = page.get_by_role("banner")
    expect(head.get_by_text("Friday begins in 4:00.")).to_be_visible()
    ann.press("Later")
    expect(head.get_by_text("Friday begins")).to_have_count(0)
    page.reload()
    expect(head.get_by_text("Friday begins in 4:00.")).to_be_visible()
    head.get_by_role("link", name="To the tour").click()
    page.wait_for_url(f"**/tours/{tour}")
    assert ann.barriers() == []

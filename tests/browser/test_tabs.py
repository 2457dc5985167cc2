"""One person with two tabs: one of them plays, the other looks on."""

from playwright.sync_api import expect

from tests.browser.people import Visit
from tests.server.process import Server


def test_the_second_tab_looks_on_until_it_is_told_to_play(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.enter("Ann")
    first = ann.start("Tic-tac-toe", "Bot 1")
    expect(ann.playable()).to_have_count(9)
    second = ann.page = ann.open()
    ann.go("/tables/1")
    here = second.get_by_role("button", name="Ann: play here")
    expect(here).to_be_visible()
    expect(ann.playable()).to_have_count(0)
    here.click()
    expect(ann.playable()).to_have_count(9)
    expect(first.get_by_role("button", name="Ann: play here")).to_be_visible()
    ann.play("centre")
    for tab in (first, second):
        expect(tab.get_by_label("centre, X")).to_be_visible()
    ann.page = first
    expect(ann.playable()).to_have_count(0)


def test_a_tab_that_is_too_busy_to_answer_others_still_plays(visit: Visit, server: Server) -> None:
    ann = visit()
    ann.room.add_init_script("BroadcastChannel.prototype.postMessage = () => undefined")
    ann.enter("Ann")
    first = ann.start("Tic-tac-toe", "Bot 1")
    expect(ann.playable()).to_have_count(9)
    second = ann.page = ann.open()
    ann.go("/tables/1")
    expect(second.get_by_role("button", name="Ann: play here")).to_be_visible()
    ann.page = first
    ann.play("centre")
    expect(second.get_by_label("centre, X")).to_be_visible()

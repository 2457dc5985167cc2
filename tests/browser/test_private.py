"""A private table by its link, and a challenge from a player's page."""

from playwright.sync_api import expect

from tests.browser.edges import over_an_edge_too
from tests.browser.people import Visit


@over_an_edge_too
def test_somebody_is_challenged_to_a_table_that_nobody_else_sees(visit: Visit) -> None:
    ann, bob, eve = visit(), visit(), visit()
    ann.enter("Ann")
    bob.enter("Bob")
    ann.go("/players/2")
    ann.press("Challenge")
    dialog = ann.page.get_by_role("dialog", name="Challenge Bob")
    expect(dialog.get_by_label("Private: in no list, only for who has the link")).to_be_checked()
    assert ann.barriers() == []
    dialog.get_by_role("button", name="Open the table").click()
    ann.page.wait_for_url("**/tables/1?code=*")
    ann.sees("This table is private")
    link = ann.page.get_by_label("Link to invite somebody").input_value()
    assert "?code=" in link
    bob.sees("Ann challenges you to reversi")
    assert bob.barriers() == []
    bob.press("Look")
    bob.sit()
    ann.sees("being played")

    eve.go("/tables")
    eve.settles()
    expect(eve.page.get_by_role("link", name="table 1")).to_have_count(0)
    eve.go("/tables/1")
    eve.sees("There is no table 1.")
    eve.go(link.partition("/tables")[1] + link.partition("/tables")[2])
    eve.sees("being played")
    ann.page.reload()
    ann.sees("being played")

"""A player's page: games, how strong, and against whom it did how."""

from playwright.sync_api import expect

from tests.browser.contest import Contest
from tests.browser.people import Visit
from tests.server.process import Server


def test_a_player_s_page_has_its_rating_results_and_games(visit: Visit, server: Server) -> None:
    contest = Contest(server, "Ann", "Bob", "Cyd", "Dan")
    for title in ("Summer cup", "Autumn cup"):
        contest.start()
        contest.play()
        contest.open(title)
    viewer = visit()
    page = viewer.go("/players/1")
    results = page.get_by_role("region", name="Results by opponent")
    expect(results).to_contain_text("6 games: ")
    rating = page.get_by_role("region", name="Rating")
    expect(rating.locator("canvas")).to_be_visible()
    games = page.get_by_role("table").last
    expect(games.get_by_role("link", name="Tic-tac-toe")).to_have_count(6)
    viewer.picture("player")
    games.get_by_role("link", name="Tic-tac-toe").first.click()
    expect(page.get_by_role("heading", name="Replay")).to_be_visible()


def test_who_loads_the_list_of_players_is_in_it_from_the_first(visit: Visit) -> None:
    ann = visit()
    ann.enter("Ann")
    ann.page.add_init_script("window.setInterval = () => 0")  # it is not asked for again
    page = ann.go("/players")
    expect(
        page.get_by_role("region", name="Here now").get_by_role("link", name="Ann")
    ).to_be_visible()

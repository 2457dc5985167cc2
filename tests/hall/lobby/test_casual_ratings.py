"""Games that are of no tour have ratings too, where those who play would have it so."""

from msgspec.structs import replace

from rookery.core.events import GameRated, Record
from rookery.core.ids import MICROS_A_SECOND, PlayerId, TableId
from rookery.core.intents import Open, Play, Resign, Seek, Sit
from rookery.hall.limits import CASUAL_AT_HOME, CASUAL_GAMES, CASUAL_PAST
from rookery.hall.lobby.casual_ratings import LISTED_FROM, CasualStep, walk_back
from rookery.hall.scoring.ratings import shown
from tests.hall.house import Guest, House

ELSEWHERE = "203.0.113.7"
WINS = ("0", "3", "1", "4", "2")  # of tic-tac-toe, for who begins


def play(house: House, one: Guest, other: Guest, **terms: object) -> TableId:
    table = house.do(one, Open("tictactoe", player=one.player, **terms)).table  # type: ignore[arg-type]
    assert table is not None
    house.do(other, Sit(table, player=other.player, code=str(terms.get("code", ""))))
    for n, move in enumerate(WINS):
        house.do((one, other)[n % 2], Play(table, move, player=(one, other)[n % 2].player))
    return table


def rated(house: House) -> list[GameRated]:
    return [r.event for r in house.log if isinstance(r.event, GameRated)]


def now(house: House, player: PlayerId) -> dict[str, tuple[float, int]]:
    ratings = house.hall.casual.of(player)
    return {game: (shown(one.rating), one.games) for game, one in ratings.items()}


def past(house: House, player: PlayerId) -> dict[str, tuple[CasualStep, ...]]:
    """What game after game made of a player's ratings, as the log has it."""

    def read(seq: int) -> Record | None:
        return house.log[seq - 1]

    trails = house.hall.casual.trails(player)
    return {game: walk_back(trail, read) for game, trail in trails.items()}


def test_who_wins_goes_up_and_who_loses_goes_down(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = play(house, ann, bob)
    (up, games), (down, _) = (now(house, one.player)["tictactoe"] for one in (ann, bob))
    assert up > 1500 > down
    assert games == 1
    assert rated(house)[0].table == table


def test_casual_past(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob", house.connect(ELSEWHERE))
    for _ in range(CASUAL_PAST + 1):
        play(house, ann, bob)
        house.wait(60)  # they leave the table, and memory
    steps = past(house, ann.player)["tictactoe"]
    assert [step.games for step in steps] == list(range(2, CASUAL_PAST + 2))


def test_casual_at_home(house: House) -> None:
    """Of the games with others of one's home some count each day, whoever they are."""
    ann = house.enter("ann")
    for n in range(CASUAL_AT_HOME.burst + 5):
        play(house, ann, house.enter(f"bob{n}"))
        house.wait(60)
    assert now(house, ann.player)["tictactoe"][1] == CASUAL_AT_HOME.burst
    play(house, ann, house.enter("cyd", house.connect(ELSEWHERE)))
    assert now(house, ann.player)["tictactoe"][1] == CASUAL_AT_HOME.burst + 1
    house.wait(CASUAL_AT_HOME.every // MICROS_A_SECOND)
    play(house, ann, house.enter("dan"))
    assert now(house, ann.player)["tictactoe"][1] == CASUAL_AT_HOME.burst + 2


def test_who_was_made_elsewhere_and_plays_from_here_is_of_one_home_too(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob", house.connect(ELSEWHERE))
    house.hang_up(bob)
    bob = house.back(bob)
    for _ in range(CASUAL_AT_HOME.burst + 5):
        play(house, ann, bob)
        house.wait(60)
    assert now(house, ann.player)["tictactoe"][1] == CASUAL_AT_HOME.burst


def test_casual_games(house: House) -> None:
    """However quickly two play, from wherever: a game a minute counts, and some at once."""
    ann, bob = house.enter("ann"), house.enter("bob", house.connect(ELSEWHERE))
    for _ in range(CASUAL_GAMES.burst + 20):
        play(house, ann, bob)
    assert now(house, ann.player)["tictactoe"][1] == CASUAL_GAMES.burst
    house.wait(60)
    play(house, ann, bob)
    assert now(house, ann.player)["tictactoe"][1] == CASUAL_GAMES.burst + 1


def test_ratings_are_the_same_after_a_restart(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    for _ in range(3):
        play(house, ann, bob)
    before = past(house, ann.player), house.hall.casual.board("tictactoe")
    house.restart()
    assert (past(house, ann.player), house.hall.casual.board("tictactoe")) == before


def test_a_way_back_that_is_broken_or_leads_round_ends_there(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    for _ in range(3):
        play(house, ann, bob)
    trail = house.hall.casual.trails(ann.player)["tictactoe"]
    last = house.log[trail.seq - 1]
    assert isinstance(last.event, GameRated)
    round_ = replace(last, event=replace(last.event, before=(trail.seq, trail.seq)))
    for broken in (None, house.log[0], round_):
        read = {trail.seq: last, last.event.before[0]: broken}
        if broken is round_:
            read[trail.seq] = round_
        steps = walk_back(trail, read.get)
        assert [step.games for step in steps] == [3]


def test_what_was_opened_unrated_or_private_or_with_takebacks_does_not_count(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    play(house, ann, bob, rated=False)
    play(house, ann, bob, code="SECRETSECRET")
    play(house, ann, bob, takebacks=True)
    assert rated(house) == []


def test_who_would_not_be_rated_finds_no_table_that_counts(house: House) -> None:
    ann, bob, eve = house.enter("ann"), house.enter("bob"), house.enter("eve")
    first = house.do(ann, Seek("nim")).table
    second = house.do(bob, Seek("nim", rated=False)).table
    assert first != second
    assert house.do(eve, Seek("nim")).table == first


def test_a_game_given_up_before_everyone_moved_does_not_count(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    table = house.game("tictactoe", ann, bob)
    house.do(ann, Play(table, "4"))
    house.do(bob, Resign(table))
    assert rated(house) == []


def test_nobody_is_rated_by_house_bots_or_by_playing_against_oneself(house: House) -> None:
    ann = house.enter("ann")
    bot = house.enter("tictactoe-2", house.connect("house", "bot"), "bot")
    play(house, ann, bot)
    self_too = house.enter("bea", ann.session)
    play(house, ann, self_too)
    assert rated(house) == []


def test_one_is_on_the_leaderboard_after_some_games_the_best_first(house: House) -> None:
    ann, bob = house.enter("ann"), house.enter("bob")
    for n in range(LISTED_FROM):
        assert house.hall.casual.board("tictactoe") == [], n
        play(house, ann, bob)
    best = sorted(house.hall.casual.board("tictactoe"), key=lambda one: -one.mu)
    rows = house.hall.casual.rows(best)
    assert [(row.name, row.player, row.games) for row in rows] == [
        ("ann", ann.player, LISTED_FROM),
        ("bob", bob.player, LISTED_FROM),
    ]

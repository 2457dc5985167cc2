"""Tables at a glance, and what is counted from them."""

from msgspec.structs import replace

from rookery.core.events import Ended, LogEvent, Opened, Record, Sat, Seeded, Started, TakenOver
from rookery.core.game import Outcome
from rookery.core.ids import PlayerId, Seat, TableId
from rookery.core.policy import Policy
from rookery.server.web.api_players import Score, count, result_of
from rookery.server.web.history import Glance, glance_at

ANN, BOB, CID, DOT, BOT = map(PlayerId, range(1, 6))
NAMES = {ANN: "ann", BOB: "bob", CID: "cid", DOT: "dot"}


def records(
    variant: str, players: list[PlayerId], places: tuple[int, ...] | None, *, gone: Seat | None
) -> list[Record]:
    """A game of these, in which a bot plays on for whoever is gone."""
    opened = Opened(variant, 1, len(players), "none", Policy())
    seating = [Sat(Seat(n), player, NAMES[player]) for n, player in enumerate(players)]
    taken = [] if gone is None else [TakenOver(gone, BOT, "bot")]
    ended = [] if places is None else [Ended(Outcome(places, "found", "So it was."))]
    events: list[LogEvent] = [opened, Seeded(1), *seating, Started(), *taken, *ended]
    return [Record(n, "table/1", n, n * 1000, event) for n, event in enumerate(events, 1)]


def game(
    variant: str,
    players: list[PlayerId],
    places: tuple[int, ...] | None = None,
    gone: Seat | None = None,
) -> Glance:
    found = glance_at(TableId(1), records(variant, players, places, gone=gone))
    assert found is not None
    return found


def scores(glances: list[Glance]) -> dict[str, Score]:
    """Ann's, by opponent."""
    return {one.name: one.score for one in count(ANN, glances).opponents}


def test_a_glance_says_when_a_table_was_opened_and_when_it_ended() -> None:
    found = game("nim", [ANN, BOB], (1, 2))
    assert (found.opened_at, found.ended_at) == (1000, 6000)
    assert (found.line.status, found.line.n) == ("over", 6)


def test_a_glance_at_a_running_table_has_no_end() -> None:
    found = game("nim", [ANN, BOB])
    assert (found.line.status, found.ended_at) == ("playing", None)


def test_a_table_of_rules_that_nobody_knows_is_glanced_at_all_the_same() -> None:
    first, *rest = records("nim", [ANN, BOB], (1, 2), gone=None)
    assert isinstance(first.event, Opened)
    old = replace(first, event=replace(first.event, rules=9))
    found = glance_at(TableId(1), [old, *rest])
    assert found is not None
    assert (found.line.status, found.line.n) == ("over", 6)


def test_who_was_gone_still_has_the_seat_it_began_in() -> None:
    found = game("nim", [ANN, BOB], (1, 2), gone=Seat(0))
    assert found.seat_of(ANN) == 0
    assert found.seat_of(BOT) == 0
    assert found.seat_of(CID) is None


def test_a_game_that_a_bot_ended_for_somebody_counts_for_the_bot() -> None:
    played = game("nim", [ANN, BOB], (1, 2), gone=Seat(0))
    assert count(ANN, [played]).score == Score()
    assert count(BOT, [played]).score == Score(1, wins=1)
    assert [one.player for one in count(BOB, [played]).opponents] == [BOT]


def test_results_are_wins_draws_and_losses() -> None:
    played = [game("nim", [ANN, BOB], places) for places in ((1, 2), (1, 1), (2, 1), (2, 1))]
    assert count(ANN, played).score == Score(4, 1, 1, 2)
    assert scores(played) == {"bob": Score(4, 1, 1, 2)}


def test_a_game_that_nobody_won_counts_for_nothing() -> None:
    called_off = game("nim", [ANN, BOB], (2, 2))
    assert result_of(called_off.line.outcome, Seat(0)) == "none"
    assert count(ANN, [called_off]).score == Score()
    assert scores([called_off]) == {}


def test_a_game_that_runs_is_not_counted() -> None:
    assert scores([game("nim", [ANN, BOB])]) == {}


def test_among_several_the_better_place_wins() -> None:
    played = [game("fish", [ANN, BOB, CID, DOT], (2, 1, 2, 4))]
    assert count(ANN, played).score == Score(1, losses=1)
    assert scores(played) == {
        "bob": Score(1, losses=1),
        "cid": Score(1, draws=1),
        "dot": Score(1, wins=1),
    }


def test_who_was_met_most_stands_first() -> None:
    played = [game("nim", [ANN, BOB], (1, 2)), *[game("nim", [CID, ANN], (1, 2))] * 2]
    assert list(scores(played)) == ["cid", "bob"]

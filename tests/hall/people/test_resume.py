"""Coming back by number: who may be whom again, and what becomes of those left behind."""

from rookery.core.ids import MICROS_A_SECOND, PlayerId, SessionId
from rookery.core.intents import Enter, Open, Play, Rename, Resume, Sit
from rookery.core.messages import Done, Notice, Welcome
from rookery.core.policy import Policy, Return
from tests.hall.house import Guest, House

SILENCE = 3 * MICROS_A_SECOND
HERE, ELSEWHERE = "10.0.0.1", "10.0.0.2"


def come(
    house: House, host: str = HERE, dialect: str = "tourney", by: Return = Return.HOST
) -> Guest:
    """A new player of a dialect that knows players by number."""
    session = house.connect(host, dialect, by=by)
    welcome = house.ask(session, Enter("null", dialect), Welcome)
    return Guest(session, welcome.player, welcome.token)


def again(player: PlayerId, token: str | None = None, *, any_host: bool = False) -> Resume:
    return Resume(player, token, any_host, SILENCE)


def call(house: House, host: str = HERE, dialect: str = "tourney") -> SessionId:
    return house.connect(host, dialect)


def test_a_player_who_is_gone_comes_back_from_its_own_host(house: House) -> None:
    ann = come(house)
    house.hang_up(ann)
    assert house.no(call(house, ELSEWHERE), again(ann.player)) == "bad_token"
    assert house.ask(call(house), again(ann.player), Welcome).player == ann.player


def test_with_a_token_the_host_does_not_matter_and_without_the_right_one_nothing_helps(
    house: House,
) -> None:
    ann = come(house)
    house.hang_up(ann)
    assert house.no(call(house), again(ann.player, "guess")) == "bad_token"
    back = house.ask(call(house, ELSEWHERE), again(ann.player, ann.token), Welcome)
    assert back.player == ann.player


def test_any_host_will_do_where_that_is_asked_for(house: House) -> None:
    ann = come(house)
    house.hang_up(ann)
    back = house.ask(call(house, ELSEWHERE), again(ann.player, any_host=True), Welcome)
    assert back.player == ann.player


def test_nobody_becomes_a_player_of_another_dialect_or_of_one_with_tokens(house: House) -> None:
    ann, bob = come(house), come(house, dialect="native")
    house.hang_up(ann)
    house.hang_up(bob)
    assert house.no(call(house, dialect="bughouse"), again(ann.player)) == "bad_token"
    assert house.no(call(house), again(bob.player)) == "bad_token"
    assert house.no(call(house, dialect="native"), again(bob.player)) == "bad_token"
    assert house.no(call(house), again(PlayerId(99))) == "bad_token"


def notices(house: House, who: Guest) -> list[tuple[str, PlayerId | None]]:
    """What the server said to somebody, unasked."""
    told = house.inboxes[who.session]
    return [(notice.code, notice.player) for notice in told if isinstance(notice, Notice)]


def test_a_connection_that_stands_is_taken_over_by_nobody_however_long_it_is_silent(
    house: House,
) -> None:
    ann, other = come(house), call(house)
    for _ in range(100):
        house.now += 20 * SILENCE
        assert house.no(other, again(ann.player)) == "asked"
    assert house.do(ann, Rename("Ann")) == Done()


def test_only_a_silent_connection_is_asked_whether_it_is_there_and_not_all_the_time(
    house: House,
) -> None:
    ann, other = come(house), call(house)
    house.now += SILENCE - 1
    assert house.no(other, again(ann.player)) == "connected"
    assert notices(house, ann) == []
    house.now += 1
    for _ in range(10):
        assert house.no(other, again(ann.player)) == "asked"
    assert notices(house, ann) == [("wanted", ann.player)]
    house.hall.heard(ann.session, house.now)
    assert house.no(other, again(ann.player)) == "connected"


def test_once_the_old_connection_is_gone_the_player_can_be_had(house: House) -> None:
    ann, other = come(house), call(house)
    house.now += SILENCE
    assert house.no(other, again(ann.player)) == "asked"
    house.hang_up(ann)
    assert house.ask(other, again(ann.player), Welcome).player == ann.player


def test_with_its_token_a_player_is_had_from_a_connection_that_is_silent(house: House) -> None:
    ann, other = come(house), call(house)
    house.now += SILENCE - 1
    assert house.no(other, again(ann.player, ann.token)) == "connected"
    house.now += 1
    assert house.ask(other, again(ann.player, ann.token), Welcome).player == ann.player
    assert notices(house, ann) == [("taken_over", ann.player)]
    assert house.no(ann, Rename("Ann", player=ann.player)) == "not_yours"


def test_where_nobody_comes_back_a_player_is_its_connection_s_for_good(house: House) -> None:
    ann = come(house, by=Return.NEVER)
    house.hang_up(ann)
    assert house.no(call(house), again(ann.player)) == "bad_token"
    assert house.no(call(house), again(ann.player, any_host=True)) == "bad_token"
    house.restart()
    assert house.no(call(house), again(ann.player)) == "bad_token"
    back = house.ask(call(house), again(ann.player, ann.token), Welcome)
    assert back.player == ann.player


def test_and_by_such_a_port_nobody_is_had_who_came_by_another(house: House) -> None:
    ann = come(house)
    house.hang_up(ann)
    strict = house.connect(HERE, "tourney", by=Return.NEVER)
    assert house.no(strict, again(ann.player)) == "bad_token"


def test_one_may_say_again_who_one_is(house: House) -> None:
    ann = come(house)
    assert house.ask(ann, again(ann.player), Welcome).player == ann.player
    assert house.do(ann, Rename("Ann")) == Done()


def test_whoever_becomes_another_leaves_the_one_it_was(house: House) -> None:
    ann, bob, carl = come(house), come(house), come(house)
    table = house.do(ann, Open("nim sticks=3,4", policy=Policy(grace=SILENCE))).table
    assert table is not None
    house.do(carl, Sit(table))
    house.hang_up(bob)
    house.ask(ann, again(bob.player), Welcome)
    assert house.no(ann, Play(table, "0,1", player=ann.player)) == "not_yours"
    house.now += SILENCE
    house.take(house.hall.tick(house.now))
    assert house.no(carl, Play(table, "0,1")) == "over"

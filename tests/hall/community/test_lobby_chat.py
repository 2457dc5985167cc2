"""The lobby's chat and reports: who hears what, how much of it, and what is reported of it."""

import pytest

from rookery.core.ids import SessionId
from rookery.core.intents import Open, Reclaim, Say, Watch
from rookery.core.messages import Past, Welcome
from rookery.core.people.community_events import Reported
from rookery.core.people.community_intents import (
    Block,
    HearLobby,
    ListReports,
    Report,
    SayInLobby,
    SettleReport,
)
from rookery.core.people.community_messages import LobbyHeard, LobbySaid, Reports
from rookery.core.tours.tour_intents import Organise
from rookery.hall.community import lobby_chat, reporting
from rookery.hall.community.lobby_chat import ALL_RATE, RATE
from rookery.hall.limits import LOBBY_KEPT, LOBBY_LINE_MAX, REPORTS_A_HOME
from rookery.hall.people import conduct
from tests.hall.house import SECOND, Guest, House

TOKEN = "the organiser's own"
MARKUP = "<img src=x onerror=alert(1)> & \"quotes\" 'too'"


def hearing(house: House, name: str, host: str = "10.0.0.1") -> Guest:
    guest = house.enter(name, house.connect(host))
    house.ask(guest, HearLobby(), LobbyHeard)
    house.heard(guest)
    return guest


def lines(house: House, who: Guest | SessionId) -> list[str]:
    return [one.said.text for one in house.heard(who) if isinstance(one, LobbySaid)]


def organiser(house: House) -> SessionId:
    session = house.connect("10.9.9.9")
    house.do(session, Organise(TOKEN))
    return session


def test_who_listens_hears_it_and_nobody_else_does(house: House) -> None:
    ann, bob, cyd = hearing(house, "Ann"), hearing(house, "Bob"), house.enter("Cyd")
    house.do(ann, SayInLobby("hello"))
    house.ask(bob, HearLobby(hear=False), LobbyHeard)
    house.do(cyd, SayInLobby("hi"))
    assert (lines(house, ann), lines(house, bob), lines(house, cyd)) == (
        ["hello", "hi"],
        ["hello"],
        [],
    )


def test_lobby_kept(house: House) -> None:
    """Who comes is told the last lines, and nothing of it is in the log."""
    ann = house.enter("Ann")
    before = len(house.log)
    for n in range(LOBBY_KEPT + 1):
        house.now += 60 * SECOND
        house.do(ann, SayInLobby(f"line {n}"))
    heard = house.ask(house.connect(), HearLobby(), LobbyHeard)
    assert [line.text for line in heard.lines] == [f"line {n}" for n in range(1, LOBBY_KEPT + 1)]
    assert (heard.lines[-1].name, heard.lines[-1].at) == ("Ann", house.now)
    assert len(house.log) == before


def test_a_line_has_nothing_in_it_that_cannot_be_seen(house: House) -> None:
    ann = hearing(house, "Ann")
    assert house.no(ann, SayInLobby(" \u202e\n ")) == "empty"
    house.do(ann, SayInLobby(f"\x1b[2J{MARKUP}\x00"))
    assert lines(house, ann) == [f"[2J{MARKUP}"]
    assert house.no(house.connect(), SayInLobby("hey")) == "no_player"


def test_lobby_line_max(house: House) -> None:
    ann = hearing(house, "Ann")
    assert house.no(ann, SayInLobby("x" * (LOBBY_LINE_MAX + 1))) == "too_long"
    house.do(ann, SayInLobby("x" * LOBBY_LINE_MAX))
    assert lines(house, ann) == ["x" * LOBBY_LINE_MAX]


def test_a_home_says_so_much_whoever_it_says_to_be_and_goes_on_after_a_while(house: House) -> None:
    for n in range(RATE.burst):
        host = f"2001:db8:1:2::{n + 1}"
        house.do(house.enter(f"g{n}", house.connect(host)), SayInLobby("spam"))
    last = house.enter("g", house.connect("2001:db8:1:2:9::9"))
    assert house.no(last, SayInLobby("spam")) == "too_fast"
    house.do(house.enter("Ann", house.connect("2001:db8:1:3::1")), SayInLobby("hello"))
    house.now += RATE.every
    house.do(last, SayInLobby("sorry"))


def test_all_homes_together_say_no_more_than_can_be_read(house: House) -> None:
    for n in range(ALL_RATE.burst):
        house.do(house.enter("g", house.connect(f"10.1.{n}.1")), SayInLobby("flood"))
    ann = house.enter("Ann", house.connect("10.2.0.1"))
    assert house.no(ann, SayInLobby("hello")) == "too_fast"
    house.now += ALL_RATE.every
    house.do(ann, SayInLobby("hello"))


def test_lobby_hearers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lobby_chat, "LOBBY_HEARERS", 1)
    house = House()
    ann = hearing(house, "Ann")
    assert house.no(house.connect(), HearLobby()) == "too_many"
    house.ask(ann, HearLobby(), LobbyHeard)  # she does already
    house.hang_up(ann)
    house.ask(house.connect(), HearLobby(), LobbyHeard)


def test_who_has_blocked_somebody_hears_nothing_of_them_now_or_from_before(house: House) -> None:
    ann, eve = hearing(house, "Ann"), house.enter("Eve")
    house.do(eve, SayInLobby("one"))
    house.do(ann, Block(eve.player))
    house.do(eve, SayInLobby("two"))
    assert lines(house, ann) == ["one"]
    assert house.ask(ann, HearLobby(), LobbyHeard).lines == ()
    assert house.no(ann, Report(2)) == "no_line"


# -- reports


def test_a_report_has_the_line_as_it_was_said_and_survives_a_restart() -> None:
    house = House(organiser=TOKEN)
    ann, eve = hearing(house, "Ann"), house.enter("Eve")
    house.do(eve, SayInLobby(MARKUP))
    said = house.now
    house.now += SECOND
    house.do(ann, Report(1, reason="Rude"))
    for _ in range(2):
        (one,) = house.ask(organiser(house), ListReports(), Reports).reports
        assert (one.by_name, one.name, one.text, one.reason) == ("Ann", "Eve", MARKUP, "Rude")
        assert (one.said, one.at, one.table) == (said, said + SECOND, None)
        house.restart()
    boss = organiser(house)
    house.do(boss, SettleReport(one.report, "Spoken to"))
    assert house.ask(boss, ListReports(), Reports).reports == ()
    assert house.no(boss, SettleReport(one.report)) == "no_report"


def test_what_was_said_at_a_table_is_reported_by_its_event() -> None:
    house = House(organiser=TOKEN)
    ann, bob = house.enter("Ann"), house.enter("Bob")
    table = house.game("tictactoe", ann, bob)
    eve = house.enter("Eve")
    house.ask(eve, Watch(table), Past)
    house.do(eve, Say(table, "boo"))
    n = house.streams[f"table/{table}"][-1].n
    house.do(ann, Report(n, table))
    assert house.no(ann, Report(n - 1, table)) == "no_line"  # a move, or nothing that was said
    assert house.no(eve, Report(n, table)) == "no_line"  # one's own
    (one,) = house.ask(organiser(house), ListReports(), Reports).reports
    assert (one.table, one.line, one.text, one.name) == (table, n, "boo", "Eve")


def test_nobody_learns_of_a_private_table_or_a_team_s_words_by_reporting(house: House) -> None:
    ann, eve = house.enter("Ann"), house.enter("Eve")
    table = house.do(ann, Open("nim", code="wonderland7")).table
    assert table is not None
    house.do(ann, Say(table, "psst"))
    n = house.streams[f"table/{table}"][-1].n
    assert house.no(eve, Report(n, table)) == "no_table"
    four = [house.enter(name) for name in "abcd"]
    other = house.game("bughouse", *four)
    house.do(four[0], Say(other, "knight, please", team=True))
    n = house.streams[f"table/{other}"][-1].n
    assert house.no(four[1], Report(n, other)) == "no_line"
    house.do(four[3], Report(n, other))


def test_one_line_is_one_report_however_often_it_is_shown() -> None:
    house = House(organiser=TOKEN)
    eve = house.enter("Eve")
    house.do(eve, SayInLobby("boo"))
    for n in range(5):
        guest = house.enter(f"g{n}", house.connect(f"10.1.{n}.1"))
        for _ in range(2):
            house.do(guest, Report(1))
    (one,) = house.ask(organiser(house), ListReports(), Reports).reports
    assert one.more == 4
    assert sum(isinstance(record.event, Reported) for record in house.log) == 1


def test_reporters_max(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conduct, "REPORTERS_MAX", 2)
    house = House(organiser=TOKEN)
    house.do(house.enter("Eve"), SayInLobby("boo"))
    for n in range(5):
        house.do(house.enter(f"g{n}", house.connect(f"10.1.{n}.1")), Report(1))
    (one,) = house.ask(organiser(house), ListReports(), Reports).reports
    assert one.more == 2


def test_reports_a_home(house: House) -> None:
    eve, ann = house.enter("Eve", house.connect("10.3.0.1")), house.enter("Ann")
    for n in range(REPORTS_A_HOME + 1):
        house.now += 60 * SECOND
        house.do(eve, SayInLobby(f"line {n}"))
        if n < REPORTS_A_HOME:
            house.do(ann, Report(n + 1))
    assert house.no(ann, Report(REPORTS_A_HOME + 1)) == "too_many"
    bob = house.enter("Bob", house.connect("10.4.0.1"))
    house.do(bob, Report(REPORTS_A_HOME + 1))


def test_reports_count_for_the_home_of_their_player_from_wherever_they_come(house: House) -> None:
    eve, ann = house.enter("Eve", house.connect("10.3.0.1")), house.enter("Ann")
    house.hang_up(ann)
    away = house.connect("10.5.0.1")
    house.ask(away, Reclaim(ann.player, ann.token), Welcome)
    for n in range(REPORTS_A_HOME + 1):
        house.now += 60 * SECOND
        house.do(eve, SayInLobby(f"line {n}"))
        if n < REPORTS_A_HOME:
            house.do(away, Report(n + 1))
    assert house.no(away, Report(REPORTS_A_HOME + 1)) == "too_many"


def test_reports_max(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "REPORTS_MAX", 1)
    house = House(organiser=TOKEN)
    eve, ann = house.enter("Eve"), house.enter("Ann")
    for text in ("one", "two"):
        house.do(eve, SayInLobby(text))
    house.do(ann, Report(1))
    assert house.no(ann, Report(2)) == "too_many"
    house.do(organiser(house), SettleReport(1))
    house.do(ann, Report(2))


def test_a_home_reports_no_faster_than_somebody_reads(house: House) -> None:
    eve, ann = house.enter("Eve"), house.enter("Ann")
    house.do(eve, SayInLobby("boo"))
    for _ in range(reporting.RATE.burst):
        house.do(ann, Report(1))
    assert house.no(ann, Report(1)) == "too_fast"
    house.now += reporting.RATE.every
    house.do(ann, Report(1))

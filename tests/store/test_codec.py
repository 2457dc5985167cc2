"""The words of the log as text. These texts are in people's files: they must be read for ever."""

from typing import Final, get_args

import msgspec
import pytest
from hypothesis import given

from rookery.core.events import (
    BanLifted,
    Banned,
    Blocked,
    Closed,
    DrawDeclined,
    DrawOffered,
    Ended,
    EntrantPaused,
    EntrantResumed,
    Erred,
    Freed,
    GameRated,
    Joined,
    Left,
    LogEvent,
    MatchBegun,
    MatchEnded,
    MatchRuled,
    MatchVoided,
    Muted,
    NameGivenUp,
    NameKept,
    Numbered,
    Opened,
    Out,
    Owned,
    Paired,
    Parted,
    Partnered,
    PassphraseReset,
    Played,
    PlayerMade,
    PlayerNamed,
    Rematched,
    RematchWished,
    Renamed,
    Returned,
    Said,
    Sat,
    Seeded,
    Started,
    Swapped,
    TakebackAsked,
    TakebackDeclined,
    TakenBack,
    TakenOver,
    TokenGiven,
    ToldApart,
    TourClosing,
    TourDone,
    TourEnded,
    TourKeyed,
    TourOpened,
    TourPaused,
    TourSeeded,
    TourStarted,
    Unblocked,
    Unmuted,
    Withdrawn,
)
from rookery.core.game import Forfeit, Outcome
from rookery.core.ids import PlayerId, Seat, TableId, TourId
from rookery.core.policy import Policy
from rookery.core.tour_values import Fixture, Plan, Rated, Result, TourLine, Worth
from rookery.store import StoreBroken
from rookery.store.log import decode_event, encode_event
from tests.store.logs import ENTRIES, Entry

POLICY: Final = (
    '{"begin":"full","gone":"forfeit","grace":60000000,'
    '"errors":{"limit":0,"in_a_row":true,"out_of_turn":false},"only":""}'
)

TEXTS: Final[dict[str, LogEvent]] = {
    '{"type":"opened","variant":"reversi size=10","rules":1,"seats":2,"time":"5m+3s",'
    f'"policy":{POLICY},"by":4}}': Opened("reversi size=10", 1, 2, "5m+3s", Policy(), PlayerId(4)),
    '{"type":"opened","variant":"nim","rules":1,"seats":2,"time":"none",'
    f'"policy":{POLICY},"room":"den"}}': Opened("nim", 1, 2, "none", Policy(), room="den"),
    '{"type":"opened","variant":"nim","rules":1,"seats":2,"time":"none",'
    f'"policy":{POLICY},"tour":3}}': Opened("nim", 1, 2, "none", Policy(), tour=TourId(3)),
    '{"type":"opened","variant":"nim","rules":1,"seats":2,"time":"none",'
    f'"policy":{POLICY},"house":0}}': Opened("nim", 1, 2, "none", Policy(), house=0),
    '{"type":"seeded","seed":12345678901234567890}': Seeded(12345678901234567890),
    '{"type":"sat","seat":0,"player":4,"name":"Ann"}': Sat(Seat(0), PlayerId(4), "Ann"),
    '{"type":"left","seat":1,"player":4}': Left(Seat(1), PlayerId(4)),
    '{"type":"owned","player":4}': Owned(PlayerId(4)),
    '{"type":"swapped","one":0,"other":3}': Swapped(Seat(0), Seat(3)),
    '{"type":"started"}': Started(),
    '{"type":"taken_over","seat":1,"player":4,"name":"nim-2"}': TakenOver(
        Seat(1), PlayerId(4), "nim-2"
    ),
    '{"type":"played","seat":0,"move":"d3","spent":1234567}': Played(Seat(0), "d3", 1_234_567),
    '{"type":"erred","seat":0,"code":"flips_nothing"}': Erred(Seat(0), "flips_nothing"),
    '{"type":"draw_offered","seat":0}': DrawOffered(Seat(0)),
    '{"type":"draw_declined","seat":1}': DrawDeclined(Seat(1)),
    '{"type":"takeback_asked","seat":0}': TakebackAsked(Seat(0)),
    '{"type":"takeback_declined","seat":1}': TakebackDeclined(Seat(1)),
    '{"type":"taken_back","seat":0,"plies":2,"thought":[7,0]}': TakenBack(Seat(0), 2, (7, 0)),
    '{"type":"opened","variant":"nim","rules":1,"seats":2,"time":"none",'
    f'"policy":{POLICY},"takebacks":true}}': Opened("nim", 1, 2, "none", Policy(), takebacks=True),
    '{"type":"out","seat":1,"why":"late","spent":9}': Out(Seat(1), Forfeit.LATE, 9),
    '{"type":"ended","outcome":{"places":[1,2],"how":"discs","reason":"Black has more.",'
    '"scores":[40,24]}}': Ended(Outcome((1, 2), "discs", "Black has more.", (40, 24))),
    '{"type":"closed"}': Closed(),
    '{"type":"said","player":4,"name":"Ann","text":"Grüß dich","team":null}': Said(
        PlayerId(4), "Ann", "Grüß dich"
    ),
    '{"type":"rematch_wished","seat":0}': RematchWished(Seat(0)),
    '{"type":"rematched","table":18}': Rematched(TableId(18)),
    '{"type":"player_made","player":4,"name":"Ann","host":"127.0.0.1","token_hash":"ab",'
    '"dialect":"native"}': PlayerMade(PlayerId(4), "Ann", "127.0.0.1", "ab", "native"),
    '{"type":"player_named","player":4,"name":"Bob"}': PlayerNamed(PlayerId(4), "Bob"),
    '{"type":"game_rated","table":8,"game":"nim","rated":[{"key":"#4","name":"ann",'
    '"mu":27.635231,"sigma":8.065506,"games":2}],"before":[9]}': GameRated(
        TableId(8), "nim", (Rated("#4", "ann", 27.635231, 8.065506, 2),), (9,)
    ),
    '{"type":"name_kept","player":4,"passphrase_hash":"$argon2id$"}': NameKept(
        PlayerId(4), "$argon2id$"
    ),
    '{"type":"name_given_up","player":4}': NameGivenUp(PlayerId(4)),
    '{"type":"blocked","player":4,"whom":5}': Blocked(PlayerId(4), PlayerId(5)),
    '{"type":"unblocked","player":4,"whom":5}': Unblocked(PlayerId(4), PlayerId(5)),
    '{"type":"muted","reason":"Rude","player":5,"until":17,"home":"10.0.0.1","newcomers":9}': Muted(
        "Rude", PlayerId(5), 17, "10.0.0.1", PlayerId(9)
    ),
    '{"type":"unmuted","reason":"","player":5}': Unmuted("", PlayerId(5)),
    '{"type":"banned","reason":"","home":"10.0.0.1"}': Banned("", None, "10.0.0.1"),
    '{"type":"banned","reason":"","player":5,"home":"10.0.0.1"}': Banned(
        "", PlayerId(5), "10.0.0.1"
    ),
    '{"type":"ban_lifted","reason":"","player":5}': BanLifted("", PlayerId(5)),
    '{"type":"passphrase_reset","reason":"","player":4,"passphrase_hash":"$argon2id$"}': (
        PassphraseReset("", PlayerId(4), "$argon2id$")
    ),
    '{"type":"token_given","player":4,"token_hash":"ab","alone":false}': TokenGiven(
        PlayerId(4), "ab"
    ),
    '{"type":"told_apart","player":4,"number":2}': ToldApart(PlayerId(4), 2),
    '{"type":"numbered","dialect":"bughouse","kind":"table","thing":7,"number":1}': Numbered(
        "bughouse", "table", 7, 1
    ),
    '{"type":"freed","dialect":"tourney","kind":"player","number":3}': Freed(
        "tourney", "player", 3
    ),
    '{"type":"tour_done","tour":3,"line":{"tour":3,"name":"Class 7","variant":"nim",'
    '"format":"swiss rounds=5","status":"ended","owner":null,"coded":true,"entrants":2,'
    '"matches":1,"played":1,"running":0,"winners":["Ann"]},"rated":[{"key":"#4","name":"Ann",'
    '"mu":27.635231,"sigma":8.065506,"games":1}],"missed":[5]}': TourDone(
        TourId(3),
        TourLine(
            TourId(3),
            "Class 7",
            "nim",
            "swiss rounds=5",
            "ended",
            owner=None,
            coded=True,
            entrants=2,
            matches=1,
            played=1,
            running=0,
            winners=("Ann",),
        ),
        (Rated("#4", "Ann", 27.635231, 8.065506, 1),),
        (PlayerId(5),),
    ),
    '{"type":"tour_opened","plan":{"variant":"nim"}}': TourOpened(Plan("nim")),
    '{"type":"tour_opened","plan":{"variant":"nim","format":"swiss rounds=5","name":"Class 7",'
    f'"seats":2,"time":"1m","policy":{POLICY},"points":"3-1-0","ties":["wins"],"parallel":4,'
    '"at_once":2,"fair":true,"late":false,"absent":60000000,"strict":true,"farewell":true,'
    '"stays":true,"rated":false},"by":4}': TourOpened(
        Plan(
            "nim",
            "swiss rounds=5",
            "Class 7",
            2,
            "1m",
            Policy(),
            "3-1-0",
            ("wins",),
            parallel=4,
            at_once=2,
            fair=True,
            late=False,
            absent=60_000_000,
            strict=True,
            farewell=True,
            stays=True,
            rated=False,
        ),
        PlayerId(4),
    ),
    '{"type":"tour_keyed","seed":12345678901234567890,"code":"KXQTW"}': TourKeyed(
        12345678901234567890, "KXQTW"
    ),
    '{"type":"entrant_paused","entrant":1}': EntrantPaused(1),
    '{"type":"entrant_resumed","entrant":1}': EntrantResumed(1),
    '{"type":"joined","entrant":1,"name":"Ann","player":4}': Joined(1, "Ann", PlayerId(4)),
    '{"type":"partnered","entrant":1,"player":5}': Partnered(1, PlayerId(5)),
    '{"type":"renamed","entrant":1,"name":"ann"}': Renamed(1, "ann"),
    '{"type":"returned","entrant":1,"player":4,"now":6}': Returned(1, PlayerId(4), PlayerId(6)),
    '{"type":"withdrawn","entrant":1,"why":"late"}': Withdrawn(1, "late"),
    '{"type":"parted","entrant":2}': Parted(2),
    '{"type":"joined","entrant":2,"name":"Bob","player":5,"rating":1612}': Joined(
        2, "Bob", PlayerId(5), 1612
    ),
    '{"type":"tour_started"}': TourStarted(),
    '{"type":"tour_started","ratings":[[1,1520],[3,1480]]}': TourStarted(
        ratings=((1, 1520), (3, 1480))
    ),
    '{"type":"tour_started","until":1700000000000000}': TourStarted(1_700_000_000_000_000),
    '{"type":"tour_paused"}': TourPaused(),
    '{"type":"tour_paused","left":60000000}': TourPaused(60_000_000),
    '{"type":"paired","fixtures":[{"round":1,"sides":[1,2],"start":1},{"round":1,"sides":[3]},'
    '{"round":2,"sides":[1,2,3,4],"teams":[0,1,1,0]}]}': Paired(
        (
            Fixture(1, (1, 2), 1),
            Fixture(1, (3,)),
            Fixture(2, (1, 2, 3, 4), teams=(0, 1, 1, 0)),
        )
    ),
    '{"type":"paired","fixtures":[{"round":2,"sides":[1],"rest":"half"}]}': Paired(
        (Fixture(2, (1,), rest=Worth.HALF),)
    ),
    '{"type":"tour_seeded","order":[3,1,2]}': TourSeeded((3, 1, 2)),
    '{"type":"match_begun","match":1,"table":7}': MatchBegun(1, TableId(7)),
    '{"type":"match_ended","match":2,"result":{"places":[1],"how":"bye"}}': MatchEnded(
        2, Result((1,), "bye")
    ),
    '{"type":"match_ended","match":1,"result":{"places":[1,2],"how":"late","reason":"Why.",'
    '"forfeits":[1],"scores":[3,0]}}': MatchEnded(1, Result((1, 2), "late", "Why.", (1,), (3, 0))),
    '{"type":"match_ruled","match":1,"result":{"places":[1,2],"how":"by_hand","by_hand":true}}': (
        MatchRuled(1, Result((1, 2), "by_hand", by_hand=True))
    ),
    '{"type":"match_voided","match":1}': MatchVoided(1),
    '{"type":"tour_closing","how":"played","winners":[1,2]}': TourClosing("played", (1, 2)),
    '{"type":"tour_ended","how":"cancelled","winners":[]}': TourEnded("cancelled", ()),
}


def test_every_word_of_the_log_has_its_text_here() -> None:
    assert {type(event) for event in TEXTS.values()} >= set(get_args(LogEvent))


@pytest.mark.parametrize("text", TEXTS)
def test_a_text_in_an_old_file_still_means_what_it_meant(text: str) -> None:
    assert decode_event(text, 1) == TEXTS[text]


@pytest.mark.parametrize("text", TEXTS)
def test_a_new_file_says_it_in_the_same_words(text: str) -> None:
    told, written = msgspec.json.decode(text), msgspec.json.decode(encode_event(TEXTS[text]))
    assert all(written.get(word) == told[word] for word in told)


@given(entry=ENTRIES)
def test_every_event_is_read_back_from_its_text(entry: Entry) -> None:
    _, event, _ = entry
    assert decode_event(encode_event(event), 1) == event


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "null",
        "{}",
        '{"type":"abdicated"}',
        '{"type":"left"}',
        '{"type":"left","seat":"x"}',
    ],
)
def test_a_text_that_is_no_event_names_the_record_that_has_it(text: str) -> None:
    with pytest.raises(StoreBroken, match=r"Record 17 of the log cannot be read"):
        decode_event(text, 17)

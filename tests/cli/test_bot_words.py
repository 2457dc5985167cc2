"""Pilots line by line: what each makes of the words of its language, without any server."""

from collections.abc import Sequence

import pytest

from rookery.cli.bot import PILOTS
from rookery.cli.bot.pilot import (
    DRAWN,
    LOST,
    WON,
    BotWish,
    Heard,
    NoMoreGames,
    Over,
    Pilot,
    Unwelcome,
    time_for,
)
from rookery.cli.connection.address import NoServer
from rookery.core.ids import Seat
from rookery.games import parse_variant
from rookery.games.guess import Guessed, GuessView
from rookery.games.nim import NimView

START = "4" + "0" * 27 + "21" + "0" * 6 + "12" + "0" * 27


def pilot(dialect: str, game: str, code: str = "") -> Pilot:
    """A bot of this language called ann."""
    return PILOTS[dialect](BotWish(parse_variant(game), "ann", code))


def heard(bot: Pilot, *lines: str) -> list[Heard]:
    """What follows from these lines."""
    return list(bot.hear("".join(f"{line}\n" for line in lines).encode()))


def moves(bot: Pilot) -> Sequence[str]:
    """What it may play now."""
    return () if bot.question is None else bot.question.moves


# -- othello


def test_othello_a_board_with_our_colour_last_is_a_question() -> None:
    bot = pilot("othello", "reversi")
    assert bot.begin() == b"1\n"
    heard(bot, "11", f"{START}1")
    assert moves(bot) == ("d3", "c4", "f5", "e6")
    assert bot.play("f5") == b"254\n"
    assert bot.question is None


def test_othello_the_others_turn_is_no_question() -> None:
    bot = pilot("othello", "reversi")
    bot.begin()
    heard(bot, "12", f"{START}1")
    assert bot.question is None


def test_othello_an_invalid_move_is_not_tried_again() -> None:
    bot = pilot("othello", "reversi")
    bot.begin()
    heard(bot, "11", f"{START}1")
    bot.play("d3")
    heard(bot, "3")
    assert moves(bot) == ("c4", "f5", "e6")


@pytest.mark.parametrize(("end", "result"), [("51", WON), ("52", LOST), ("50", DRAWN)])
def test_othello_frame_5_says_who_won(end: str, result: str) -> None:
    bot = pilot("othello", "reversi")
    bot.begin()
    assert heard(bot, "11", f"{START}1", end)[-1] == Over(result)
    assert bot.again() == b"1\n"


def test_othello_an_end_before_any_board_is_no_game_and_it_signs_on_again() -> None:
    bot = pilot("othello", "reversi")
    bot.begin()
    assert heard(bot, "50") == []
    assert bot.idle() == b"1\n"
    assert bot.idle() == b""


# -- blackwhite


def test_blackwhite_the_board_is_kept_by_the_stones_that_are_told() -> None:
    bot = pilot("blackwhite", "reversi size=10")
    assert bot.begin() == b"ENTERROOM [ann]\n"
    heard(bot, "ENTERROOM [bob]", "ENTERROOM [ann]", "ASSIGN [WHITE]", "TURN [bob]")
    assert bot.question is None
    heard(bot, "PLAYBLACK [5,6] & REVERSETOBLACK [5,5]", "TURN [ann]")
    assert moves(bot) == ("g5", "e7", "g7")
    assert bot.play("g7") == b"PLAYWHITE [6,6]\n"
    heard(bot, "PLAYWHITE [INVALID]")
    assert moves(bot) == ("g5", "e7")


def test_blackwhite_whoever_looks_on_is_asked_nothing_and_counts_nothing() -> None:
    bot = pilot("blackwhite", "reversi size=10")
    bot.begin()
    assert heard(bot, "ENTERROOM [ann]", "TURN [bob]", "RESIGN [bob]", "WIN [cyd]") == []


def test_blackwhite_whoever_looks_on_asks_for_the_seat_of_a_player_who_left() -> None:
    bot = pilot("blackwhite", "reversi size=10")
    bot.begin()
    heard(bot, "ENTERROOM [bob]", "ENTERROOM [cyd]", "ENTERROOM [ann]", "TURN [bob]")
    assert bot.idle() == b""
    heard(bot, "QUIT [bob]")
    assert bot.idle() == b"", "the game is not over yet"
    heard(bot, "WIN [cyd]")
    assert bot.idle() == b"ENTERROOM [ann]\n"
    assert bot.idle() == b"", "once"
    heard(bot, "ENTERROOM [ann]", "ASSIGN [WHITE]", "TURN [cyd]", "QUIT [cyd]", "WIN [ann]")
    assert bot.idle() == b"", "it keeps its own seat"


def test_blackwhite_a_name_that_is_taken_is_tried_again() -> None:
    bot = pilot("blackwhite", "reversi size=10")
    bot.begin()
    heard(bot, "ERROR [Somebody is called so.]")
    assert bot.idle() == b"ENTERROOM [ann]\n"
    heard(bot, "ENTERROOM [ann]")
    assert bot.idle() == b""


def test_blackwhite_a_room_is_named_behind_the_name() -> None:
    wish = BotWish(parse_variant("reversi size=10"), "ann", room="den")
    bot = PILOTS["blackwhite"](wish)
    assert bot.begin() == b"ENTERROOM [ann] [den]\n"
    assert bot.again() == b"ENTERROOM [ann] [den]\n"


def test_blackwhite_who_looks_on_is_in_no_tour() -> None:
    bot = pilot("blackwhite", "reversi size=10", "DEN")
    bot.begin()
    with pytest.raises(Unwelcome, match="There is no tour with that code"):
        heard(bot, "ENTERROOM [bob]", "ENTERROOM [cyd]", "ENTERROOM [ann#DEN]", "TURN [bob]")


# -- tourney


@pytest.mark.parametrize(
    ("game", "state", "move", "words"),
    [
        ("nim", "0,3,1,0,2", "2,2", "2,2"),
        ("guess", "0,-,-", "50", "50"),
        ("tictactoe", "0,X,O, , , , , , , ", "4", "4"),
        ("reversi size=4", "0,4,4, , , , , ,O,X, , ,X,O, , , , , ", "b1", "0b"),
    ],
)
def test_tourney_a_state_says_which_game_it_is(
    game: str, state: str, move: str, words: str
) -> None:
    bot = pilot("tourney", game)
    bot.begin()
    heard(bot, "@PID:7", "@GAME:START:H:bob", f"@GAME:STATE:{state}")
    assert bot.question is not None
    assert bot.question.variant == game
    assert move in bot.question.moves
    assert bot.play(move) == f"@GAME:MOVE:{words}\n".encode()


def test_tourney_a_ping_is_answered_while_a_move_is_wanted() -> None:
    bot = pilot("tourney", "nim")
    bot.begin()
    heard(bot, "@PID:7", "@GAME:START:H:bob", "@GAME:STATE:0,3,1,0,2")
    assert heard(bot, "@PING") == [b"@PONG\n"]
    assert bot.question is not None


def test_tourney_it_joins_when_it_is_somebody_and_again_when_there_was_nothing() -> None:
    bot = pilot("tourney", "nim")
    assert bot.begin() == b"@NEW PLAYER\n@NAME:ann\n"
    assert heard(bot, "@PID:7") == [b"@TOUR:JOIN\n"]
    heard(bot, "@ERROR:Failed to join a tournament.")
    assert bot.idle() == b"@TOUR:JOIN\n"
    heard(bot, "@MESSAGE:Tournament 1 successfully joined.")
    assert bot.idle() == b""
    heard(bot, "@TOUR:END")
    assert bot.idle() == b"@TOUR:JOIN\n"


@pytest.mark.parametrize("answer", ["Failed to join a tournament.", "Error processing command."])
def test_tourney_a_code_that_no_tour_has_is_unwelcome(answer: str) -> None:
    bot = pilot("tourney", "nim", "DEN")
    bot.begin()
    assert heard(bot, "@PID:7") == [b"@TOUR:JOIN:DEN\n"]
    with pytest.raises(Unwelcome, match="There is no tour with that code to be joined"):
        heard(bot, f"@ERROR:{answer}")


def test_tourney_it_is_the_same_player_on_a_new_connection_or_a_new_one_if_forgotten() -> None:
    bot = pilot("tourney", "nim")
    bot.begin()
    heard(bot, "@PID:7:secret", "@MESSAGE:Tournament 1 successfully joined.")
    assert bot.begin() == b"@PLAYER:7:secret\n"
    assert heard(bot, "@PID:7:secret") == []
    bot.begin()
    assert heard(bot, "@ERROR:ID was not recognized.") == [b"@NEW PLAYER\n@NAME:ann\n"]


def test_native_who_was_taken_into_a_tour_and_not_told_so_plays_in_it() -> None:
    bot = pilot("native", "nim", "DEN")
    bot.begin()
    (join,) = heard(bot, '{"type":"hello","player":7,"token":"t"}')
    assert isinstance(join, bytes)
    assert b"join_tour" in join
    bot.begin()  # the server was killed before it answered
    heard(bot, '{"type":"hello","player":7,"token":"t"}')
    no = (
        '{"type":"refused","code":"joined_before","sentence":"You are in tour 3 already, or were."}'
    )
    assert heard(bot, no) == ["You are in tour 3 already, or were."]
    ended = '{"type":"tour_ended","how":"played","winners":[]}'
    over = f'{{"type":"tour_news","tour":3,"n":9,"at":1,"event":{ended}}}'
    assert heard(bot, over) == [NoMoreGames("Tour 3 is over.")]


def test_tourney_a_name_that_may_have_been_lost_with_the_server_is_said_again() -> None:
    bot = pilot("tourney", "nim")
    assert bot.begin() == b"@NEW PLAYER\n@NAME:ann\n"
    heard(bot, "@PID:7", "@MESSAGE:The server cannot write its log.")
    assert bot.begin() == b"@PLAYER:7\n@NAME:ann\n"
    heard(bot, "@PID:7", "@GAME:START:A:bob")
    assert bot.begin() == b"@PLAYER:7\n"


def test_tourney_what_it_guessed_is_known_after_a_lost_connection_too() -> None:
    bot = pilot("tourney", "guess")
    bot.begin()
    heard(bot, "@PID:7", "@GAME:START:H:bob", "@GAME:STATE:0,-,-")
    bot.play("50")
    heard(bot, "@GAME:STATE:1,H,-", "@GAME:STATE:0,H,L")
    bot.begin()
    heard(bot, "@PID:7", "@GAME:START:H:bob", "@GAME:STATE:0,H,L")
    assert bot.question is not None
    assert isinstance(bot.question.view, GuessView)
    assert bot.question.view.own == (Guessed(50, "H"),)


def test_tourney_who_loses_with_the_last_stick_is_what_was_wished() -> None:
    bot = pilot("tourney", "nim misere=true")
    bot.begin()
    heard(bot, "@PID:7", "@GAME:START:H:bob", "@GAME:STATE:0,3,1,0,2")
    assert bot.question is not None
    assert bot.question.view == NimView((1, 0, 2), Seat(0), misere=True)


def test_tourney_an_illegal_move_is_not_tried_again() -> None:
    bot = pilot("tourney", "tictactoe")
    bot.begin()
    heard(bot, "@PID:7", "@GAME:START:H:bob", "@GAME:STATE:0, , , , , , , , , ")
    bot.play("4")
    heard(bot, "@GAME:ERROR:This slot is already taken!", "@GAME:STATE:0, , , , , , , , , ")
    assert moves(bot) == ("0", "1", "2", "3", "5", "6", "7", "8")


# -- fish and fishcom

ICE = '"board":[[2,2],[2,2],[2,2],[2,2],[2,0]]'


def test_fish_whoever_was_removed_is_in_the_view_and_out_of_the_game() -> None:
    bot = pilot("fish", "fish")
    assert bot.begin() == b'{"type":"joinGame","age":30,"id":"ann"}\n'
    players = '[{"id":"ann","color":"red","score":0,"places":[[0,0],[0,1],[1,0]]}]'
    heard(
        bot,
        f'{{"type":"SendGameState","state":{{"phase":"move","players":{players},{ICE}}}}}',
        '{"type":"AssignColor","color":"red","turn":0,"penguinCount":3}',
        '{"type":"RequestMove"}',
    )
    assert bot.question is not None
    assert "0,0-2,0" in bot.question.moves
    assert bot.play("0,1-2,1") == b'{"type":"MoveAvatar","fromX":1,"fromY":0,"toX":1,"toY":2}\n'


def test_fishcom_calls_may_be_cut_anywhere_and_are_answered_one_by_one() -> None:
    bot = pilot("fishcom", "fish")
    assert bot.begin() == b'"ann"'
    mine = '{"color":"white","score":0,"places":[]}'
    other = '{"color":"red","score":0,"places":[[0,0]]}'
    calls = (
        '["start",[true]]["playing-as",["white"]]["playing-with",[["red"]]]'
        f'["setup",[{{"players":[{mine},{other}],{ICE}}}]]'
    )
    answers = [said for at in range(len(calls)) for said in bot.hear(calls[at : at + 1].encode())]
    assert [said for said in answers if isinstance(said, bytes)] == [b'"void"'] * 3
    assert moves(bot)[:2] == ("0,1", "1,0")
    assert bot.play("1,0") == b"[1,0]"


# -- bughouse


def test_bughouse_a_pawn_that_has_just_passed_can_be_taken() -> None:
    bot = pilot("bughouse", "bughouse")
    seated(bot, white=False)
    heard(
        bot,
        *(f"BROADCAST:MOVE:1\t{xy}" for xy in ("0\t1\t0\t2", "3\t6\t3\t4", "0\t2\t0\t3")),
        *(f"BROADCAST:MOVE:1\t{xy}" for xy in ("3\t4\t3\t3", "4\t1\t4\t3")),
        "BROADCAST:YOUR_TURN",
    )
    assert "1:d4e3" in moves(bot)
    assert bot.play("1:d4e3") == b"MOVE:1\t3\t3\t4\t2\n"


def test_bughouse_a_move_that_failed_is_not_tried_again() -> None:
    bot = pilot("bughouse", "bughouse")
    seated(bot, white=True)
    heard(bot, "BROADCAST:YOUR_TURN")
    bot.play("1:e2e4")
    heard(bot, "MOVE_FAILED:1", "BROADCAST:YOUR_TURN")
    assert "1:e2e4" not in moves(bot)


def test_bughouse_a_piece_from_the_partner_changes_the_question_but_not_its_turn() -> None:
    bot = pilot("bughouse", "bughouse")
    seated(bot, white=True)
    heard(bot, "BROADCAST:YOUR_TURN")
    before = bot.question
    heard(bot, "BROADCAST:PASS:2\t1\t2")
    after = bot.question
    assert before is not None
    assert after is not None
    assert before.turn == after.turn
    assert bot.play("1:N@e4") == b"PUT:1\t1\t0\t4\t3\n"


def test_bughouse_a_code_that_stays_in_the_name_is_no_tours() -> None:
    bot = pilot("bughouse", "bughouse", "den")
    assert bot.begin() == b"ADD_PLAYER:ann#den\n"
    assert heard(bot, "1") == [b"GET_NAME:1\n"]
    with pytest.raises(Unwelcome, match="There is no tour with that code"):
        heard(bot, "ann#den")


def test_bughouse_a_code_that_is_in_the_name_again_was_a_tours() -> None:
    bot = pilot("bughouse", "bughouse", "den")
    bot.begin()
    assert heard(bot, "1", "ann")[-1] == b"GET_CURRENT_GAME:1\n"
    bot.begin()
    assert heard(bot, "2", "ann#den")[-1] == NoMoreGames("The tour is over.")


def seated(bot: Pilot, *, white: bool) -> None:
    """Ann is player 1 on board 1, with 2, against 3 and 4."""
    bot.begin()
    heard(bot, "1", "-1", "4", "GAME_JOINED", "BROADCAST:GAME_STARTED:4", "1\t2")
    # Each team, and whether the first of it is white; team 1 has white on the first board.
    if white:
        heard(bot, "1\t2", "true", "3\t4", "true")
    else:
        heard(bot, "3\t4", "true", "1\t2", "false")


# -- native


def test_native_something_else_than_a_server_of_ours_is_one_sentence() -> None:
    bot = pilot("native", "nim")
    bot.begin()
    with pytest.raises(NoServer, match="does not speak as this Rookery does"):
        heard(bot, "220 mail.example.org ESMTP")


def test_native_words_of_later_days_are_passed_over() -> None:
    bot = pilot("native", "nim")
    bot.begin()
    hello = '{"type":"hello","version":1,"player":1,"name":"ann","token":"t","tables":[]}'
    assert heard(bot, hello) == [b'{"type":"list_tables","status":"open","after":0}\n']
    assert heard(bot, '{"type":"weather","sky":"blue"}') == []


def test_native_a_game_that_others_play_in_our_room_is_not_counted() -> None:
    bot = PILOTS["native"](BotWish(parse_variant("nim"), "ann", room="den"))
    bot.begin()
    hello = '{"type":"hello","version":1,"player":3,"name":"ann","token":"t","tables":[]}'
    (asked,) = heard(bot, hello)
    assert isinstance(asked, bytes)
    assert asked.startswith(b'{"type":"enter_room","room":"den","variant":"nim","time":"none"')
    roomed = '"player":3,"name":"ann","token":"","room":"den","variant":"nim"'
    heard(bot, f'{{"type":"roomed",{roomed},"members":[],"table":7}}')
    assert bot.idle() == b""
    outcome = '{"places":[1,2],"how":"last_stick","reason":"Why."}'
    ended = f'{{"type":"ended","outcome":{outcome}}}'
    assert heard(bot, f'{{"type":"news","table":7,"n":9,"at":0,"event":{ended}}}') == []


# -- time


@pytest.mark.parametrize(
    ("left", "millis"), [(None, 2000), (600_000_000, 2000), (5_000_000, 500), (1000, 20)]
)
def test_a_move_takes_a_part_of_what_is_left(left: int | None, millis: int) -> None:
    assert time_for(None if left is None else (left, 0), Seat(0)) == millis

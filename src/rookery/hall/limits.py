"""Every bound of the hall, each with its reason. What is over one is refused with a sentence."""

from typing import Final

from rookery.core.ids import MICROS_A_SECOND, Micros

NAME_MAX: Final = 40  # characters, of players and dialects; the longest an old dialect allows
CHAT_MAX: Final = 500  # characters; a thought, not a file
CHATS_A_TABLE: Final = 1_000  # what is said is in the log for ever
ASIDES_A_TABLE: Final = 500  # of these by viewers, who cannot silence those that play
VARIANT_MAX: Final = 200  # characters; the longest real one, nim with thirty rows, has 130
TIME_MAX: Final = 200  # characters of a time control; generous, since people write spaces
MOVE_MAX: Final = 100  # characters kept of a move's text; the longest real one has 13
TABLES_A_PLAYER: Final = 50  # seats at once; a simultaneous display has forty boards
PLAYERS_A_SESSION: Final = 16  # a family at one computer, or a test of four teams
TABLES_MAX: Final = 50_000  # open and running ones; about a gigabyte
MEMBERS_A_ROOM: Final = 500  # whoever comes in is told of everyone who is there
MOVES_MAX: Final = 32_000  # legal moves in one answer: nim has up to 30,000, about 300 kB
WATCHED_A_SESSION: Final = 200  # a wall of boards
PAST_PAGE: Final = 500  # events in one answer: about 50 kB
LIST_PAGE: Final = 1_000  # tables or players in one answer
LEVEL_MAX: Final = 5  # of house bots, the best
ERRORS_MAX: Final = 1_000  # illegal moves a table may count to; each is an event in the log
LINGER: Final[Micros] = 60 * MICROS_A_SECOND  # a finished table stays at hand for a rematch
# How long after its grace a seat can be taken over, before it loses as it would elsewhere.
OFFERED: Final[Micros] = 5 * MICROS_A_SECOND
WAIT_MAX: Final[Micros] = 3600 * MICROS_A_SECOND  # longer, and nobody who waits is there any more
KEPT_MAX: Final[Micros] = 3600 * MICROS_A_SECOND  # whose game begins without it has lost it soon
KEPT_TABLES: Final = TABLES_MAX // 2  # a hall with more tables keeps no empty chairs
GRACE_MAX: Final[Micros] = (
    7 * 24 * 3600 * MICROS_A_SECOND
)  # a week of waiting is a correspondence game
# How long a player's number waits for it in dialects that give numbers again: tourney's
# "free again an hour after its player is gone".
NUMBER_KEPT: Final[Micros] = 3600 * MICROS_A_SECOND
TOUR_NAME_MAX: Final = 80  # characters; a line of a table
TOURS_MAX: Final = 1_000  # tours that are not over; each has its timers and its entrants
TOURS_A_PLAYER: Final = 20  # tours one player owns at once
CODE_MAX: Final = 20  # characters of a join code; one types it
MATCH_PAGE: Final = 1_000  # matches in one answer: about 150 kB
# "The first not ended that was active in the last 12 h": the tourney page.
TOUR_ACTIVE: Final[Micros] = 12 * 3600 * MICROS_A_SECOND
SIGN_UP_MAX: Final[Micros] = 24 * 3600 * MICROS_A_SECOND  # longer, and nobody waits any more

"""Every bound of the hall, each with its reason. A request beyond one is refused in a sentence."""

from typing import Final

from msgspec import Struct

from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.network import LOOPBACK, Rate

NAME_MAX: Final = 40  # characters, of players and dialects; the longest an old dialect allows
CHAT_MAX: Final = 500  # characters; a thought, not a file
CHATS_A_TABLE: Final = 1_000  # what is said is in the log for ever
ASIDES_A_TABLE: Final = 500  # of these by viewers, who cannot silence those that play
VARIANT_MAX: Final = 200  # characters; the longest real one, nim with thirty rows, has 130
TIME_MAX: Final = 200  # characters of a time control; generous, since people write spaces
TAKEBACKS_A_TABLE: Final = 100  # or a game need never end, and its log would grow for ever
EARLIER_MAX: Final = 200  # positions a table remembers, where moves may be taken back
MOVE_MAX: Final = 100  # characters kept of a move's text; the longest real one has 13
TABLES_A_PLAYER: Final = 50  # seats at once; a simultaneous display has forty boards
PLAYERS_A_SESSION: Final = 16  # a family at one computer, or a test of four teams
TABLES_MAX: Final = 50_000  # open and running ones; about a gigabyte
TABLES_RESERVED: Final = 1_000  # of these, for the organiser alone: who is to clear up needs room
MEMBERS_A_ROOM: Final = 500  # a newcomer is told of everyone who is there
SENTENCE_MAX: Final = 1_000  # characters kept of what the rules say to a person
MOVES_MAX: Final = 2_000  # legal moves in one answer, about 0.5 ms; all of a large nim take 16
WATCHED_A_SESSION: Final = 200  # a wall of boards
PAST_PAGE: Final = 500  # events in one answer: about 50 kB
LIST_PAGE: Final = 200  # tables or players in one answer: about 1 ms
SURVEY_MAX: Final = 500  # games in an answer that has no pages: about 1 ms
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
TOURS_RESERVED: Final = 100  # of these, for the organiser alone
TOURS_A_PLAYER: Final = 20  # tours one player owns at once
CODE_MAX: Final = 20  # characters of a join code; one types it
CODE_LENGTH: Final = 8  # letters of one that is drawn: at ten tries a second, 349 years for all
PRIVATE_CODE_MIN: Final = 8  # characters: a guesser has no list to guess against
PRIVATE_CODE_MAX: Final = 40
MATCH_PAGE: Final = 1_000  # matches or tours in one answer: about 150 kB
# A tour that nobody is connected for is found without its number for so long after it was opened:
# "the oldest such created in the last 24 h". Later everybody may have forgotten it.
TOUR_FRESH: Final[Micros] = 24 * 3600 * MICROS_A_SECOND
SIGN_UP_MAX: Final[Micros] = 24 * 3600 * MICROS_A_SECOND  # longer, and nobody waits any more
# A tour that nobody ever joined goes: one of a player's after a day, one of the organiser's,
# who may open it for a class to come, after a month.
UNJOINED: Final[Micros] = 24 * 3600 * MICROS_A_SECOND
UNJOINED_OFFICIAL: Final[Micros] = 30 * 24 * 3600 * MICROS_A_SECOND
AHEAD_MAX: Final[Micros] = 366 * 24 * 3600 * MICROS_A_SECOND  # how far ahead a tour is planned
# A game on hold with nobody there ends after this; a setting of the server has another.
HOLD: Final[Micros] = 7 * 24 * 3600 * MICROS_A_SECOND  # a week, as the longest grace
# After a restart everyone has as long as this to come back to a game on hold, at the least.
HOLD_BACK: Final[Micros] = 3600 * MICROS_A_SECOND
REASON_MAX: Final = 200  # characters of why a table was closed, or a result entered by hand
CASUAL_PAST: Final = 100  # games shown in the past of a rating
# Games that change one person's ratings. Nobody plays more in earnest, and each is a record that
# every start reads.
CASUAL_GAMES: Final = Rate(20, 60 * MICROS_A_SECOND)
# … with others of the same home. Two browsers of one person cannot be told from two pupils behind
# one router: so some count, and not so many that it pays to give oneself games.
CASUAL_AT_HOME: Final = Rate(10, 8640 * MICROS_A_SECOND)  # ten a day
ACCOUNTS_MAX: Final = 100_000  # names kept by a passphrase; each is in memory
TOKENS_A_PLAYER: Final = 8  # browsers that an account is at home in; the oldest is forgotten
HOMES_A_PLAYER: Final = 8  # places where an account is known to be at home; as many as browsers
BLOCKS_A_PLAYER: Final = 200  # people that one hears nothing of
SANCTIONS_MAX: Final = 2_000  # players and homes muted or banned at once; all are in memory
LOBBY_KEPT: Final = 100  # lines of the lobby that who comes is told; a page of them
LOBBY_LINE_MAX: Final = 300  # characters; what is said to everybody is short
LOBBY_HEARERS: Final = 5_000  # connections that hear the lobby: telling all takes some 20 ms
RENAME_COST: Final = 10  # records that taking another name counts for: nobody does it all day


class Allowance(Struct, frozen=True):
    """What one home may use up: things that stay, records that grow the log, codes it may try.

    `seats` are those its players have at tables, with the open tables they own; `held` those
    of them at tables on hold, which wait for ever by themselves. `entries` are places in
    tours, each counted as often as it may play at once.
    """

    seats: int
    held: int
    tours: int
    entries: int
    records: Rate  # written for what it asks; a game that was played gives its own back
    guesses: Rate  # wrong codes of tours


# A class behind one router: 500 connections, a few games each, all sitting down at once.
A_HOST: Final = Allowance(
    seats=2_000,
    held=1_000,
    tours=50,
    entries=2_000,
    records=Rate(10_000, MICROS_A_SECOND // 100),
    guesses=Rate(50, 2 * MICROS_A_SECOND),
)
# Tests, bots and classes on the same machine; and still a fifth of the hall is for others.
A_LOOPBACK: Final = Allowance(
    seats=40_000,
    held=5_000,
    tours=400,
    entries=40_000,
    records=Rate(50_000, MICROS_A_SECOND // 500),
    guesses=Rate(500, MICROS_A_SECOND // 10),
)


class Allowances(Struct, frozen=True):
    """The allowances of hosts; other than these in tests only."""

    host: Allowance = A_HOST
    loopback: Allowance = A_LOOPBACK

    def of(self, host: str) -> Allowance:
        """The allowance of this host."""
        return self.loopback if host == LOOPBACK else self.host

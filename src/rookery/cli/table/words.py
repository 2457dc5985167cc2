"""What happened at a table, as sentences for a person; and lengths of time, short."""

from collections.abc import Sequence

from rookery.clients.native.players import Players
from rookery.core import events
from rookery.core.game import Forfeited, Outcome, opening_of
from rookery.core.ids import MICROS_A_SECOND, Micros


def event_words(
    event: events.TableEvent, players: Players, effects: list[str] | None = None
) -> str:
    """The event in a sentence; the words of its effects go behind a move."""
    match event:
        case events.Played(seat, move):
            did = f"plays {move}" if move else "moves"
            then = f": {'; '.join(effects)}" if effects else ""
            return f"{players.who(seat)} {did}{then}."
        case events.Erred(seat, code):
            return f"{players.who(seat)} makes an illegal move ({code})."
        case events.DrawOffered(seat):
            # The second side's offer is its yes.
            return f"{players.who(seat)} {'accepts the' if players.offers else 'offers a'} draw."
        case events.DrawDeclined(seat):
            return f"{players.who(seat)} declines the draw."
        case events.TakebackAsked(seat):
            return f"{players.who(seat)} asks to take the last move back."
        case events.TakebackDeclined(seat):
            return f"{players.who(seat)} takes nothing back."
        case events.TakenBack(seat, plies):
            many = "A move is" if plies == 1 else f"{plies} moves are"
            return f"{many} taken back: {players.who(seat)} moves again."
        case events.Out(seat, why):
            return f"{players.who(seat)}{Forfeited(seat, why).sentence('')}"
        case events.TakenOver(seat, name=name):
            return f"{name} plays on for {players.who(seat)}, who is gone."
        case events.Ended(outcome):
            return outcome_words(outcome, players)
        case _:
            return _around_the_game(event, players)


def _around_the_game(
    event: events.Opened
    | events.Seeded
    | events.Sat
    | events.Left
    | events.Owned
    | events.Swapped
    | events.Started
    | events.Closed
    | events.Said
    | events.RematchWished
    | events.Rematched,
    players: Players,
) -> str:
    match event:
        case events.Opened(variant=variant, seats=seats, time=time):
            clock = "no clock" if time == "none" else f"clock {time}"
            return f"The table is opened: {variant}, {seats} seats, {clock}."
        case events.Seeded(seed):
            opening = " ".join(move for _, move in opening_of(players.game, seed))
            return f"The seed is {seed}.{f' It draws the opening {opening}.' if opening else ''}"
        case events.Sat(seat, name=name):
            return f"{name} sits down as {players.seat(seat)}."
        case events.Left(seat):
            return f"{players.who(seat)} gets up."
        case events.Owned(player):
            return f"The table is player {player}'s now."
        case events.Swapped(one, other):
            return f"{players.who(one)} and {players.who(other)} change places."
        case events.Started():
            return "The game begins."
        case events.Closed(reason):
            return reason or "The table is closed: nobody is left at it."
        case events.Said(name=name, text=text, team=team):
            return f"{name}{'' if team is None else ' to the team'}: {text}"
        case events.RematchWished(seat):
            return f"{players.who(seat)} would like to play again."
        case events.Rematched(table):
            return f"They play again at table {table}."


def outcome_words(outcome: Outcome, players: Players) -> str:
    """A sentence that says who won, and why."""
    winners = [players.who(seat) for seat in outcome.winners]
    if not winners:
        return f"Nobody wins: {outcome.reason}"
    if outcome.drawn:
        return f"A draw: {outcome.reason}"
    return f"{listed(winners)} {'wins' if len(winners) == 1 else 'win'}: {outcome.reason}"


def clock_words(left: Micros) -> str:
    """What a clock shows: `1:02:03`, `4:58`, and tenths at the end, `0:07.3`."""
    seconds, micros = divmod(max(0, left), MICROS_A_SECOND)
    minutes, seconds = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours}:{minutes:02}:{seconds:02}"
    tenths = f".{micros // 100_000}" if not minutes and seconds < 10 else ""
    return f"{minutes}:{seconds:02}{tenths}"


def spent_words(spent: Micros) -> str:
    """How long a move took: `250 ms`, `12.3 s`, `2:05`."""
    if spent < MICROS_A_SECOND:
        return f"{spent // 1000} ms"
    if spent < 60 * MICROS_A_SECOND:
        return f"{spent / MICROS_A_SECOND:.1f} s"
    return clock_words(spent)


def listed(words: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last

"""Judges that nobody heard seeds, tokens of others, hidden moves or another team's words."""

from collections.abc import Iterator, Sequence
from typing import Final

from rookery.clients.native.words import Told
from rookery.core.events import Played, Said
from rookery.games import parse_variant
from rookery.games.guess import GuessView
from rookery_tools.sim.clients.person import WorldPerson
from rookery_tools.sim.machine.process import ORGANISER
from rookery_tools.sim.machine.wires import WorldLine
from rookery_tools.sim.observer.ledger import WorldLedger
from rookery_tools.sim.observer.transcript import Transcript
from rookery_tools.sim.observer.verdict import Failing

UNTOLD: Final = "secrets are kept"
HIDING: Final = "guess"  # the game in which moves are for the mover alone, until it is over


def judge_wires(
    lines: Sequence[WorldLine],
    people: Sequence[WorldPerson],
    seeds: Sequence[int],
    tokens: Sequence[str],
) -> Iterator[Failing]:
    """Judge that no wire carried a seed or the organiser's token, or a token of another person."""
    never = [str(seed).encode() for seed in seeds] + [ORGANISER.encode()]
    owner: dict[bytes, str] = {}
    whose = {
        line.number: person.name for person in people for line in (*person.lines, *person.errands)
    }
    for line in lines:
        said = b"".join(words for _, words in line.down)
        for secret in never:
            if secret in said:
                yield Failing(UNTOLD, f"{whose[line.number]} was told a secret: {secret.decode()}")
        for token in tokens:
            if token.encode() in said:
                first = owner.setdefault(token.encode(), whose[line.number])
                if first != whose[line.number]:
                    yield Failing(UNTOLD, f"{whose[line.number]} was told a token of {first}")


def judge_secrets(ledger: WorldLedger, transcripts: Sequence[Transcript]) -> Iterator[Failing]:
    """Judge that all that each person was told of tables was meant for them."""
    hiding = {table for table, opened in ledger.opened.items() if opened.variant.startswith(HIDING)}
    for read in transcripts:
        for _, told in read.news():
            if told.table in hiding and told.to_act:  # who is to act plays on
                yield from _judge_hidden(ledger, read, told)
            if isinstance(told.event, Said) and told.event.team is not None:
                yield from _judge_said(ledger, read, told, told.event.team)


def _judge_hidden(ledger: WorldLedger, read: Transcript, told: Told) -> Iterator[Failing]:
    event = told.event
    if isinstance(event, Played) and event.move:
        mover = ledger.seats[told.table].get(event.seat)
        if mover != read.player:
            yield Failing(UNTOLD, f"{read.name} was told the hidden move {event.move}")
    if isinstance(told.view, GuessView) and told.view.secret is not None:
        yield Failing(UNTOLD, f"{read.name} was told the hidden number {told.view.secret}")


def _judge_said(ledger: WorldLedger, read: Transcript, told: Told, team: int) -> Iterator[Failing]:
    opened = ledger.opened.get(told.table)
    if opened is None:
        return  # which is judged elsewhere
    teams = parse_variant(opened.variant).teams(opened.seats)
    mates = {player for seat, player in ledger.seats[told.table].items() if teams[seat] == team}
    if read.player not in mates:
        yield Failing(UNTOLD, f"{read.name} was told what team {team} says to itself")

r"""Reads and plays stories: what people ask of a server, and what comes of it.

A line at the margin is an act; the indented lines below it are what it leads to, compared to the
letter. `python -m tests.stories FILE…` writes them for you: read what it wrote.

    # A sentence that says what the story shows.
    ann, bob enter
    ann open variant="nim sticks=2,1" policy={"grace":5000000}
      done table=1 seat=0
    bob hangs up
    wait 6s
    ann hears
      news table=1 event=out(seat=1 why=gone)

What people do: `NAME calls from HOST`, `NAMES enter` (say hello, for the first time or again),
`NAME hangs up`, `NAME hears` (everything it was sent unasked since the last time), and every
request of the native language by its name: `NAME REQUEST field=value …`, where a value is JSON or
a plain word. `organiser` may run tours. `$ann` is Ann's player number.

What happens around them: `wait 5s`, `restart` (kill -9; everybody's connection is gone),
`table 1 plays on` or `table 1 plays 3 moves` (each time the first legal move of whoever is to
act), `tour 1 plays on` (all its matches), `tour 1 has 3 matches` (once they are paired), and
`log table/1` (what was written, a line an event).

Answers lose what differs from run to run: tokens, times, numbers of events.
"""

import json
import re
import shlex
from collections.abc import Callable, Iterator
from difflib import unified_diff
from time import monotonic
from typing import Any, Final

import msgspec
from msgspec import Struct

from rookery.core.clock import parse_length
from rookery.core.ids import MICROS_A_SECOND
from rookery.core.policy import Policy
from tests.server.process import UNASKED
from tests.stories.venues import ANSWER_TIMEOUT_S, HOME, Line, Venue

# What is another number, or another text, each time; and what says nothing.
HIDDEN: Final = {"token", "at", "n", "left", "server", "version", "spent", "seed"}
EMPTY: Final[tuple[object, ...]] = (None, "", [], {})
USUAL: Final = msgspec.to_builtins(Policy())  # of a table nobody said anything of
# Fields that are text, also where the text is a number.
TEXTS: Final = {"code", "move", "name", "reason", "room", "text", "time", "token", "variant"}
TURNS_MAX: Final = 2_000  # moves until a game that does not end is called wrong


class Act(Struct, frozen=True):
    """A line at the margin, and what is expected to come of it."""

    number: int
    words: str
    expected: tuple[str, ...]

    @property
    def needs_time(self) -> bool:
        """Whether time passes in it."""
        return self.words.startswith("wait ")


class Story(Struct, frozen=True):
    """A story as it is written: its acts, and the lines before each."""

    text: str
    acts: tuple[Act, ...]

    @property
    def needs_time(self) -> bool:
        """Whether it needs a clock that can be set."""
        return any(act.needs_time for act in self.acts)


class Differs(AssertionError):
    """Something else came of an act; the message shows both side by side."""


def read(text: str) -> Story:
    """A story, cut into acts."""
    acts: list[Act] = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("  "):
            assert acts, f"line {number}: nothing was done that this could follow"
            last = acts.pop()
            acts.append(Act(last.number, last.words, (*last.expected, line.strip())))
        elif line.strip() and not line.startswith("#"):
            acts.append(Act(number, line.strip(), ()))
    return Story(text, tuple(acts))


def play(story: Story, venue: Venue) -> None:
    """Play a story. Raises Differs at the first act that leads to something else."""
    stage = Stage(venue)
    for act in story.acts:
        came = stage.do(act)
        if came != list(act.expected):
            lines = unified_diff(act.expected, came, "as told", "as played", lineterm="", n=9)
            raise Differs("\n".join([f"line {act.number}: {act.words}", *list(lines)[2:]]))
    venue.finish()


def rewrite(story: Story, venue: Venue) -> str:
    """The story with what really comes of its acts."""
    stage, acts = Stage(venue), {act.number: act for act in story.acts}
    told: list[str] = []
    for number, line in enumerate(story.text.splitlines(), 1):
        if not line.startswith("  "):
            told.append(line)
        if number in acts:
            told += [f"  {came}" for came in stage.do(acts[number])]
    venue.finish()
    return "\n".join(told) + "\n"


class Person:
    """Somebody in a story: a connection, and who one is on it."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.player: int | None = None
        self.token = ""
        self.unasked: list[Line] = []
        self.replies: list[Line] = []


class Stage:
    """Everybody in a story, and the venue where it is played."""

    def __init__(self, venue: Venue) -> None:
        self._venue = venue
        self._people: dict[str, Person] = {}
        self._there: set[str] = set()  # whose connection stands

    def do(self, act: Act) -> list[str]:
        """Do it; what came of it, a line each."""
        for pattern, does in ACTS:
            if found := pattern.fullmatch(act.words):
                return list(does(self, act, *found.groups()))
        raise AssertionError(f"line {act.number} is no act of a story: {act.words}")

    # -- what people do

    def calls(self, _: Act, who: str, host: str) -> Iterator[str]:
        self._connect(who, host)
        yield from ()

    def enters(self, _: Act, names: str) -> Iterator[str]:
        for who in names.split(", "):
            self._enter(who)
        yield from ()

    def hangs_up(self, _: Act, who: str) -> Iterator[str]:
        self._venue.hang_up(who)
        self._there.discard(who)
        yield from ()

    def hears(self, act: Act, who: str) -> Iterator[str]:
        person = self._people[who]
        if who in self._there:
            self._listen(person, person.unasked, len(act.expected))
        came, person.unasked = person.unasked, []
        yield from map(shown, came)

    def asks(self, _: Act, names: str, request: str, fields: str | None) -> Iterator[str]:
        values = dict(self._field(word) for word in shlex.split(self._named(fields or "")))
        for who in names.split(", "):
            yield shown(self.ask(who, request, **values))

    # -- what happens around them

    def waits(self, _: Act, length: str) -> Iterator[str]:
        self._venue.wait(parse_length(length) / MICROS_A_SECOND)
        yield from ()

    def restarts(self, _: Act) -> Iterator[str]:
        self._venue.restart()
        self._there.clear()
        yield from ()

    def table_plays(self, _: Act, table: str, moves: str | None) -> Iterator[str]:
        for _move in range(int(moves or TURNS_MAX)):
            if not self._move(int(table)):
                break
        yield from self._outcome(int(table))

    def tour_plays(self, _: Act, tour: str) -> Iterator[str]:
        shown_tour = self.ask("organiser", "show_tour", tour=int(tour))
        give_up = monotonic() + ANSWER_TIMEOUT_S  # rounds may be paired by another process
        while shown_tour["line"]["status"] == "running" and monotonic() < give_up:
            matches = self.ask("organiser", "list_matches", tour=int(tour))["matches"]
            for match in matches:
                while match["status"] == "playing" and self._move(match["table"]):
                    pass
            shown_tour = self.ask("organiser", "show_tour", tour=int(tour))
        yield f"tour {tour} is {shown_tour['line']['status']}"
        yield from map(_body, shown_tour["standing"])

    def tour_has(self, _: Act, tour: str, count: str) -> Iterator[str]:
        found, give_up = 0, monotonic() + ANSWER_TIMEOUT_S
        while found < int(count) and monotonic() < give_up:
            found = len(self.ask("organiser", "list_matches", tour=int(tour))["matches"])
        assert found == int(count), f"tour {tour} has {found} matches"
        yield from ()

    def log(self, _: Act, stream: str) -> Iterator[str]:
        for record in self._venue.records():
            if record.stream == stream:
                yield _body(msgspec.json.decode(msgspec.json.encode(record.event)))

    # -- beneath

    def ask(self, who: str, request: str, **fields: object) -> Line:
        """The answer to a request."""
        if who not in self._there:
            self._enter(who)
        line = json.dumps({"type": request, **fields}).encode() + b"\n"
        self._venue.send(who, line)
        person = self._people[who]
        self._listen(person, person.replies, 1)
        assert person.replies, f"nothing answers {who}'s {request}"
        return person.replies.pop(0)

    def _listen(self, person: Person, wanted: list[Line], least: int) -> None:
        """Take all that came, and wait until so many lines of the wanted kind are there."""
        came = self._venue.take(person.name, 0)
        while came or len(wanted) < least:
            for line in came:
                (person.unasked if line["type"] in UNASKED else person.replies).append(line)
            if len(wanted) >= least or not (came := self._venue.take(person.name, 1)):
                return

    def _connect(self, who: str, host: str) -> Person:
        self._venue.connect(who, host)
        self._there.add(who)
        return self._people.setdefault(who, Person(who))

    def _enter(self, who: str) -> None:
        person = self._people.get(who) if who in self._there else self._connect(who, HOME)
        assert person is not None
        hello: dict[str, object] = {"version": 1}
        if person.player is None:
            hello["name"] = who.capitalize()
        else:
            hello |= {"player": person.player, "token": person.token}
        answer = self.ask(who, "hello", **hello)
        assert answer["type"] == "hello", f"{who} is not let in: {answer}"
        person.player, person.token = answer["player"], answer["token"]
        if who == "organiser":
            self.ask(who, "organise", token=self._venue.organiser)

    def _move(self, table: int) -> bool:
        """The first legal move of whoever is to act; False: nobody is."""
        by_player = {person.player: person.name for person in self._people.values()}
        anybody = next(iter(self._there))
        to_act = self.ask(anybody, "show", table=table).get("to_act") or []
        if not to_act:
            return False
        seats = self.ask(anybody, "show", table=table)["line"]["seats"]
        who = by_player[seats[to_act[0]]["player"]]
        moves = self.ask(who, "legal_moves", table=table)["moves"]
        answer = self.ask(who, "play", table=table, move=moves[0])
        assert answer["type"] == "done", f"{who} cannot play {moves[0]}: {answer}"
        return True

    def _outcome(self, table: int) -> Iterator[str]:
        line = self.ask(next(iter(self._there)), "show", table=table)["line"]
        yield f"table {table} is {line['status']}"
        if line["outcome"]:
            yield _body(line["outcome"])

    def _named(self, fields: str) -> str:
        return re.sub(r"\$(\w+)", lambda found: str(self._people[found[1]].player), fields)

    @staticmethod
    def _field(word: str) -> tuple[str, object]:
        name, equals, text = word.partition("=")
        assert equals, f"{word} is no field"
        if name in TEXTS:
            return name, text
        try:
            return name, json.loads(text)
        except json.JSONDecodeError:
            return name, text


def shown(line: Line) -> str:
    """A message as stories write it: its type, and what says something."""
    return f"{line['type']} {_body({k: v for k, v in line.items() if k != 'type'})}".rstrip()


def _body(fields: dict[str, Any]) -> str:  # Any: JSON
    """Fields, without those that are hidden or empty; the type of a thing goes before it."""
    pairs = {k: v for k, v in fields.items() if k not in HIDDEN and v not in (*EMPTY, USUAL)}
    kind = pairs.pop("type", None)
    words = " ".join(f"{name}={_word(value)}" for name, value in pairs.items())
    return f"{kind}: {words}".rstrip(": ") if kind else words


def _word(value: object) -> str:
    match value:
        case {"type": kind, **rest}:
            return f"{kind}({_body({str(name): one for name, one in rest.items()})})"
        case dict():
            return f"({_body(value)})"
        case list() | tuple():
            return f"[{' '.join(map(_word, value))}]"
        case str():
            return value if re.fullmatch(r"[\w.,:+-]+", value) else json.dumps(value)
        case _:
            return json.dumps(value)


# Any: what an act is given are the groups of its pattern.
ACTS: Final[tuple[tuple[re.Pattern[str], Callable[..., Iterator[str]]], ...]] = (
    (re.compile(r"wait (\S+)"), Stage.waits),
    (re.compile(r"restart"), Stage.restarts),
    (re.compile(r"table (\d+) plays (?:on|(\d+) moves?)"), Stage.table_plays),
    (re.compile(r"tour (\d+) plays on"), Stage.tour_plays),
    (re.compile(r"tour (\d+) has (\d+) matches"), Stage.tour_has),
    (re.compile(r"log (\S+)"), Stage.log),
    (re.compile(r"(\w+) calls from (\S+)"), Stage.calls),
    (re.compile(r"((?:\w+, )*\w+) enters?"), Stage.enters),
    (re.compile(r"(\w+) hangs up"), Stage.hangs_up),
    (re.compile(r"(\w+) hears"), Stage.hears),
    (re.compile(r"((?:\w+, )*\w+) (\w+)(?: (.*))?"), Stage.asks),
)

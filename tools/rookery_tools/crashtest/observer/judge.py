"""The judge: holds all that clients heard against the log that is left, and says what is wrong.

After every kill, before the next server starts, all that clients heard by then must be in the
log. At the end of a day the whole log is replayed, and no game may be left unfinished.
It judges no claim twice.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final

from rookery.cli.bot.pilot import LOST
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.manners import Matched
from rookery.dialects import LANGUAGES
from rookery.server.fairtime import BEAT
from rookery_tools.crashtest.machine.machine import FROZEN, CrashtestOutage
from rookery_tools.crashtest.observer.claims import (
    UNNAMED,
    Claims,
    EventHeard,
    ResultHeard,
    Sighting,
)
from rookery_tools.crashtest.observer.ledger import Charge, CrashtestLedger, Place
from rookery_tools.sim.observer import ledger as log_read
from rookery_tools.sim.observer.clocks import CLOCK, Span, overlap
from rookery_tools.sim.observer.keeping import KEPT, ORDER, SAFE, is_same, judge_keeping, judge_news
from rookery_tools.sim.observer.observer import ENDS
from rookery_tools.sim.observer.people.secrets import judge_secrets
from rookery_tools.sim.observer.tours.judging import judge_log
from rookery_tools.sim.observer.verdict import Failing

ENDINGS: Final = ("kill", "stop")
LATE: Final[Micros] = MICROS_A_SECOND // 5  # a notice is heard at most so long after it was meant
STRANGE: Final = "everybody is served"
SHOWN: Final = 4  # boards that are shown beside one that never was
GRAIN: Final[Micros] = MICROS_A_SECOND // 100  # two clocks of one machine agree within this


class Judge:
    """Judges a day, kill by kill."""

    def __init__(
        self, ledger: CrashtestLedger, claims: Claims, outages: Sequence[CrashtestOutage]
    ) -> None:
        self.ledger, self.claims, self.outages = ledger, claims, outages
        self.judged: Counter[str] = Counter()
        self._news = self._sightings = self._charges = self._opened = 0  # judged so far
        self._last_board: dict[int, Place] = {}
        self._strange = 0

    def look(self) -> Iterator[Failing]:
        """Yields what is wrong with new claims. The log was read before; no server writes to it."""
        claims = self.claims
        news, self._news = claims.heard[self._news :], len(claims.heard)
        for told in news:
            yield from self._judge_news(told)
        seen, self._sightings = claims.sightings[self._sightings :], len(claims.sightings)
        for sighting in seen:
            yield from self._judge_board(sighting)
        charges = self.ledger.charges[self._charges :]
        self._charges = len(self.ledger.charges)
        for charge in charges:
            yield from self._judge_charge(charge)
        for tour in set(claims.opened) - self.ledger.tours:
            yield Failing(KEPT, f"Tour {tour} was said to be open, and is not in the log.")
        for words in claims.strange[self._strange :]:
            yield Failing(STRANGE, words)
        self._strange = len(claims.strange)
        self.judged.update(news=len(news), boards=len(seen), charges=len(charges))

    def close(self) -> Iterator[Failing]:
        """Yields what is wrong with the day as a whole, once it is over."""
        yield from judge_log(self.ledger.records)
        for table in self.ledger.running:
            yield Failing(ENDS, f"Table {table.id} ({table.opened.variant}) did not end.")
        for out in self.ledger.outs:
            yield Failing(CLOCK, f"An honest player lost without being beaten: {out}.")
        yield from self._judge_transcripts()
        yield from self._judge_results()

    # -- one by one

    def _judge_news(self, told: EventHeard) -> Iterator[Failing]:
        there = self.ledger.at.get((told.table, told.n))
        what = f"{told.who} heard {told.event} as event {told.n} of table {told.table}"
        if there is None:
            yield Failing(SAFE, f"{what}, which is not in the log.")
        elif not is_same(told.event, there):
            yield Failing(KEPT, f"{what}, and the log has {there}.")

    def _judge_board(self, seen: Sighting) -> Iterator[Failing]:
        """Judge that a board is in the log, and not before the last one seen on this line."""
        places = self.ledger.boards.get((seen.who, seen.seat, seen.key), [])
        last = self._last_board.get(seen.line)
        if not places:
            boards = self.ledger.boards
            there = [(key[2], at) for key, at in boards.items() if key[:2] == (seen.who, seen.seat)]
            shown = f"{seen.who} in seat {seen.seat} was shown {seen.key}, after {last}"
            yield Failing(SAFE, f"{shown}, which never was; the last were {there[-SHOWN:]}.")
            return
        later = [place for place in places if last is None or place[0] != last[0] or place >= last]
        if not later:
            yield Failing(ORDER, f"{seen.who} was shown {seen.key} of {places} after {last}.")
            return
        here = [place for place in later if last is not None and place[0] == last[0]]
        # Small boards come again at later tables: it is taken for the first that it can be.
        onward = [place for place in later if last is None or place > last]
        self._last_board[seen.line] = min(here or onward or later)

    def _judge_charge(self, charge: Charge) -> Iterator[Failing]:
        """Judge that a move was charged no more time than passed in its turn, less all outages.

        After a kill a turn begins anew, when its player is back.
        """
        since = charge.since
        for outage in self.outages:
            ended = max(outage.since, outage.decides_until)
            if (
                outage.kind in ENDINGS
                and charge.since - GRAIN <= outage.since
                and ended <= charge.at
            ):
                backs = self.claims.back.get(charge.who, [])
                back = [at for at in backs if outage.since <= at <= charge.at]
                since = max(since, outage.until or charge.at, min(back, default=0))
        frozen = [(one.since, one.until) for one in self.outages if one.kind == FROZEN]
        span = since, charge.at
        away = overlap(span, frozen) + max(overlap(span, one) for one in self._stood())
        # What stood still is noticed a beat late.
        most = max(0, charge.at - since - away) + GRAIN + (BEAT if away else 0)
        # Who is away has its turn from when the move before it was read; later it is dated.
        if any(charge.since <= at <= charge.at for at in self.claims.calls.get(charge.who, [])):
            most += LATE
        if charge.spent > most:
            said = f"{charge.spent} µs, and there were {most} at most"
            yield Failing(CLOCK, f"{charge.who} was charged {said}, at table {charge.table}.")

    def _stood(self) -> list[list[Span]]:
        """The spans in which the log could not be written and no clock ran, as each line heard."""
        spans: defaultdict[int, list[Span]] = defaultdict(list)
        since: dict[int, Micros] = {}
        for at, line, code in self.claims.notices:
            if code == "no_disk":
                since.setdefault(line, at)
            elif code == "resumed" and line in since:
                began = since.pop(line)
                spans[line].append((began, max(began, at - LATE)))
        return [[], *spans.values()]

    # -- as a whole

    def _judge_transcripts(self) -> Iterator[Failing]:
        """Judge what native clients asked and heard, by the judges of made-up worlds."""
        transcripts = list(self.claims.transcripts.values())
        records = self.ledger.records
        read = log_read.WorldLedger(records, [0] * len(records))  # nobody saw when they were safe
        yield from judge_keeping(read, transcripts)
        yield from judge_news(read, transcripts)
        yield from judge_secrets(read, transcripts)
        self.judged["answers"] += sum(len(one.exchanges) for one in transcripts)

    def _judge_results(self) -> Iterator[Failing]:
        """Judge that the results each named player heard are those of its games, in order."""
        heard: defaultdict[str, list[ResultHeard]] = defaultdict(list)
        for result in self.claims.results:
            if LANGUAGES[result.dialect].matched is not Matched.CALLED:  # else of a whole tour
                heard[result.who].append(result)
        for who, results in heard.items():
            places = self.ledger.ends[who]
            if who in UNNAMED:
                lost = sum(result.result == LOST for result in results)
                if lost > sum(place != 1 for place in places) or len(results) > len(places):
                    yield Failing(KEPT, f"In {who} {results} were heard, and {places} played.")
                continue
            rest = iter(places)
            if not all(any(_is_so(result, place) for place in rest) for result in results):
                said = [result.result for result in results]
                yield Failing(KEPT, f"{who} heard {said}, and the log has the places {places}.")
        self.judged["results"] += len(self.claims.results)


def _is_so(result: ResultHeard, place: int) -> bool:
    return (place != 1) == (result.result == LOST)

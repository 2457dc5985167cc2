"""Reports, and what the organiser is shown: open reports, recent acts, who is muted or banned.

The hall has heard each line that is reported, so nobody can report what was not said. Reports
are bounded for each home, and one line is one report however many show it. It mutates little: a
count.
"""

from itertools import islice
from typing import Final

from rookery.core.events import Said
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.messages import Done, Refused
from rookery.core.people import community_events as deeds
from rookery.core.people.community_intents import Report, SettleReport
from rookery.core.people.community_messages import (
    ActLine,
    Acts,
    ReportLine,
    Reports,
    Sanctions,
)
from rookery.core.visitors.buckets import Buckets, Rate
from rookery.core.visitors.hosts import home_of
from rookery.hall.community.lobby_chat import LobbyChat
from rookery.hall.limits import LIST_PAGE, REPORTS_A_HOME, REPORTS_MAX
from rookery.hall.people.asking import Asking, Refusal
from rookery.hall.people.conduct import ActDone, OpenReport, read_reason
from rookery.hall.people.people import People
from rookery.hall.tables.answers import find, past_page
from rookery.hall.tables.floor import Floor
from rookery.hall.tables.rulings.privacy import check_known

RATE: Final = Rate(5, 20 * MICROS_A_SECOND)
LOOPBACK_RATE: Final = Rate(50, MICROS_A_SECOND)


class Reporting:
    """Takes reports, settles them, and shows them to the organiser."""

    def __init__(self, people: People, floor: Floor, chat: LobbyChat) -> None:
        self._presence = people.presence
        self._register = people.register
        self._conduct = people.register.conduct
        self._floor = floor
        self._chat = chat
        self._rates = Buckets(RATE, LOOPBACK_RATE)

    def report(self, asking: Asking, intent: Report) -> None:
        """File a player's report of somebody else's line. Raises Refusal."""
        reported = self._read(asking, intent)
        host, now = self._presence.host(asking.session), asking.draft.now
        if self._rates.wait(host, now):
            sentence = "Your host has reported much; wait a minute."
            raise Refusal(Refused("too_fast", sentence))
        known = self._conduct.filed(reported)
        if known is None:
            self._check_room(asking.who.host)  # as it will be counted
            self._register.write(asking.draft, reported)
        else:
            self._conduct.again(known, reported.player)
        self._rates.spend(host, now)
        asking.tell(Done(intent.table))

    def _read(self, asking: Asking, intent: Report) -> deeds.Reported:
        """The report to file, with the line as it was said. Raises Refusal."""
        who, reason = asking.who, read_reason(intent.reason)
        number = self._conduct.next_report()
        if intent.table is None:
            line = self._chat.find(intent.line, asking.session)
            if line is None or line.player == who.id:
                raise _nothing()
            said = line.player, line.name, line.text, line.at
            return deeds.Reported(number, who.id, *said, None, line.line, reason)
        check_known(find(self._floor, intent.table), asking.session, self._presence)
        page = past_page(self._floor, asking.session, intent.table, intent.line - 1)
        entry = next(iter(page.events), None)
        if entry is None or entry.n != intent.line or not isinstance(entry.event, Said):
            raise _nothing()
        event = entry.event
        if event.player == who.id:
            raise _nothing()
        said = event.player, event.name, event.text, entry.at
        return deeds.Reported(number, who.id, *said, intent.table, intent.line, reason)

    def _check_room(self, host: str) -> None:
        """Raise Refusal where so many reports wait that nobody would read one more."""
        home, players = home_of(host), self._register.players
        mine = sum(
            home_of(players[one.reported.player].host) == home
            for one in self._conduct.reports.values()
        )
        if mine >= REPORTS_A_HOME or len(self._conduct.reports) >= REPORTS_MAX:
            sentence = "So many reports wait already that this one would not be read."
            raise Refusal(Refused("too_many", sentence))

    def settle(self, asking: Asking, intent: SettleReport) -> None:
        """Mark a report as dealt with. Raises Refusal."""
        reason = read_reason(intent.reason)
        if intent.report not in self._conduct.reports:
            sentence = f"There is no report {intent.report} that waits."
            raise Refusal(Refused("no_report", sentence))
        self._register.write(asking.draft, deeds.ReportSettled(reason, intent.report))
        asking.tell(Done())

    # -- what the organiser is shown

    def reports(self, after: int) -> Reports:
        """A page of the reports after this number that wait, the oldest first."""
        found = (one for number, one in self._conduct.reports.items() if number > after)
        lines = list(islice(map(self._report_line, found), LIST_PAGE + 1))
        return Reports(tuple(lines[:LIST_PAGE]), more=len(lines) > LIST_PAGE)

    def _report_line(self, filed: OpenReport) -> ReportLine:
        one = filed.reported
        by = self._register.players[one.player]
        return ReportLine(
            one.report,
            filed.at,
            by.id,
            by.shown,
            one.whom,
            one.name,
            one.text,
            one.said,
            one.table,
            one.line,
            one.reason,
            len(filed.others),
        )

    def acts(self) -> Acts:
        """What the organiser did lately, the newest first."""
        return Acts(tuple(self._act_line(one) for one in reversed(self._conduct.acts)))

    def sanctions(self, at: int) -> Sanctions:
        """Who is muted or banned now."""
        conduct = self._conduct
        conduct.forget_ended(at)
        banned = (*conduct.banned.values(), *conduct.barred.values())
        return Sanctions(
            tuple(self._act_line(one) for one in conduct.muted.values()),
            tuple(self._act_line(one) for one in banned),
        )

    def _act_line(self, done: ActDone) -> ActLine:
        act = done.act
        whom = deeds.whom_of(act)
        return ActLine(
            done.at,
            str(act.__struct_config__.tag),
            act.reason,
            whom,
            "" if whom is None else self._name(whom),
            act.home if isinstance(act, deeds.Banned | deeds.BanLifted | deeds.Muted) else "",
            act.table if isinstance(act, deeds.TableShut) else None,
            act.report if isinstance(act, deeds.ReportSettled) else 0,
            act.until if isinstance(act, deeds.Muted | deeds.Banned) else 0,
        )

    def _name(self, player: PlayerId) -> str:
        known = self._register.players.get(player)
        return "" if known is None else known.shown


def _nothing() -> Refusal:
    sentence = "There is no such line of somebody else's, or it is too long ago."
    return Refusal(Refused("no_line", sentence))

"""What the organiser is shown: recent acts, and who is muted or banned. It keeps nothing."""

from rookery.core.ids import PlayerId
from rookery.core.people import community_events as deeds
from rookery.core.people.community_messages import ActLine, Acts, Sanctions
from rookery.hall.people.conduct import ActDone
from rookery.hall.people.people import People


class Reporting:
    """Shows the organiser what was done."""

    def __init__(self, people: People) -> None:
        self._register = people.register
        self._conduct = people.register.conduct

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
            act.until if isinstance(act, deeds.Muted | deeds.Banned) else 0,
        )

    def _name(self, player: PlayerId) -> str:
        known = self._register.players.get(player)
        return "" if known is None else known.shown

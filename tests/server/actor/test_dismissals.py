"""Who is banned is told so and hung up on, wherever its connection is kept."""

import pytest

from rookery.core.ids import PlayerId
from rookery.core.intents import Ban, Enter, LiftBan
from rookery.core.messages import Done, Notice, Welcome
from tests.server.clusters.test_links import answer, settled
from tests.server.desk import Ear
from tests.server.spans import Span, spanned

BOSS = "10.9.9.9"


def notices(ear: Ear) -> list[str]:
    return [one.sentence for one in ear.sent if isinstance(one, Notice)]


@pytest.mark.parametrize("afar", [False, True])
def test_who_is_banned_hears_why_and_is_hung_up_on_here_and_at_an_edge(*, afar: bool) -> None:
    async def story(span: Span) -> None:
        boss, eve, ann = span.ear(BOSS), span.ear("10.0.0.6"), span.ear("10.0.0.7")
        found = await answer(span, eve, Enter("eve"))
        assert isinstance(found, Welcome)
        await answer(span, ann, Enter("ann"))
        await answer(span, boss, Enter("boss"))
        presence = span.desk.hall.presence
        presence.organise(presence.sessions_at(BOSS)[0])
        ban = Ban(PlayerId(found.player), home=True, reason="Floods")
        assert isinstance(await answer(span, boss, ban), Done)

        def gone(ear: Ear) -> bool:
            return ear.session in span.dismissed if afar else ear.closed

        await settled(span, lambda: gone(eve))
        assert notices(eve) == ["The organiser has banned your address: Floods."]
        assert not gone(ann)
        again = span.ear("10.0.0.6")
        await settled(span, lambda: gone(again))
        assert notices(again) == ["Your address is banned from this server for good: Floods."]
        assert isinstance(await answer(span, boss, LiftBan(host="10.0.0.6")), Done)
        back = span.ear("10.0.0.6")
        assert isinstance(await answer(span, back, Enter("eve")), Welcome)
        assert not gone(back)

    spanned(story, afar=afar)

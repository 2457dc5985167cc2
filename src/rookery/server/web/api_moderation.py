"""Moderating over HTTP: mutes, bans, and lifting both.

All of it needs the organiser's token. Times are seconds here, as everywhere in the
API that people write to.
"""

from typing import Annotated, Final

from msgspec import Meta, Struct

from rookery.core import intents
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.messages import Done
from rookery.hall.limits import AHEAD_MAX, REASON_MAX
from rookery.server.web.routes import Asked, Call, Id

Reason = Annotated[str, Meta(max_length=REASON_MAX, description="why; it is in the log")]
Seconds = Annotated[
    int,
    Meta(ge=0, le=AHEAD_MAX // MICROS_A_SECOND, description="for how long; 0 is for ever"),
]
Host = Annotated[str, Meta(max_length=60, description="an address, for who has no player")]


class NewMute(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is to say nothing."""

    player: Id
    seconds: Seconds = 0
    reason: Reason = ""


class OfPlayer(Struct, frozen=True, forbid_unknown_fields=True):
    """Whom it is about."""

    player: Id
    reason: Reason = ""


class NewBan(Struct, frozen=True, forbid_unknown_fields=True):
    """Who is not to be here: a player, with `home` all from where it comes, or a host."""

    player: Id | None = None
    home: bool = False
    host: Host = ""
    seconds: Seconds = 0
    reason: Reason = ""
    force: Annotated[bool, Meta(description="also this machine's own address")] = False


class OldBan(Struct, frozen=True, forbid_unknown_fields=True):
    """Who may be here again: a player, with the home banned by it, or a host."""

    player: Id | None = None
    host: Host = ""
    reason: Reason = ""


async def mute(asked: Asked) -> Done:
    """Let a player say nothing for a time."""
    body = await asked.body(NewMute)
    time = body.seconds * MICROS_A_SECOND
    return await _do(asked, intents.Mute(PlayerId(body.player), time, body.reason))


async def unmute(asked: Asked) -> Done:
    """Let a player speak again."""
    body = await asked.body(OfPlayer)
    return await _do(asked, intents.Unmute(PlayerId(body.player), body.reason))


async def ban(asked: Asked) -> Done:
    """Ban a player, a player's home, or a host."""
    body = await asked.body(NewBan)
    whom = None if body.player is None else PlayerId(body.player)
    time = body.seconds * MICROS_A_SECOND
    wish = intents.Ban(whom, body.home, body.host, time, body.reason, force=body.force)
    return await _do(asked, wish)


async def lift_ban(asked: Asked) -> Done:
    """Let a player, or who comes from a host, be here again."""
    body = await asked.body(OldBan)
    whom = None if body.player is None else PlayerId(body.player)
    return await _do(asked, intents.LiftBan(whom, body.host, body.reason))


async def _do(asked: Asked, wish: intents.OrganiserAct) -> Done:
    reply = await asked.sources.desk.organise(asked.token, wish)
    assert isinstance(reply, Done), "it is done or refused"
    return reply


TOPIC: Final = "moderation"
_PATH: Final = "/api/moderation"

CALLS: Final = (
    Call(
        "POST",
        f"{_PATH}/mutes",
        "Mute a player, and who comes anew from its home, for a time or for ever",
        TOPIC,
        mute,
        Done,
        body=NewMute,
        example=NewMute(7, 3600, "Shouting"),
    ),
    Call(
        "POST",
        f"{_PATH}/mutes/lift",
        "Let a player speak again",
        TOPIC,
        unmute,
        Done,
        body=OfPlayer,
        example=OfPlayer(7, "Said sorry"),
    ),
    Call(
        "POST",
        f"{_PATH}/bans",
        "Ban a player, all from its home, or a host, for a time or for ever",
        TOPIC,
        ban,
        Done,
        body=NewBan,
        example=NewBan(7, seconds=86_400, reason="Cheating"),
    ),
    Call(
        "POST",
        f"{_PATH}/bans/lift",
        "Let a player, or who comes from a host, be here again",
        TOPIC,
        lift_ban,
        Done,
        body=OldBan,
        example=OldBan(host="192.0.2.7", reason="It is a school"),
    ),
)

"""Moderating over HTTP: mutes, bans, and lifting both.

All of it needs the organiser's token. Times are seconds here, as everywhere in the
API that people write to.
"""

from typing import Annotated

from msgspec import Meta, Struct

from rookery.core import intents
from rookery.core.ids import MICROS_A_SECOND, PlayerId
from rookery.core.messages import Done
from rookery.hall.limits import AHEAD_MAX, REASON_MAX
from rookery.server.web.routes import ApiRequest, Id, post

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


@post(
    "/api/moderation/mutes",
    "moderation",
    "Mute a player, and who comes anew from its home, for a time or for ever",
    example=NewMute(7, 3600, "Shouting"),
)
async def mute(request: ApiRequest, body: NewMute) -> Done:
    """Let a player say nothing for a time."""
    time = body.seconds * MICROS_A_SECOND
    return await request.organise(intents.Mute(PlayerId(body.player), time, body.reason), Done)


@post(
    "/api/moderation/mutes/lift",
    "moderation",
    "Let a player speak again",
    example=OfPlayer(7, "Said sorry"),
)
async def unmute(request: ApiRequest, body: OfPlayer) -> Done:
    """Let a player speak again."""
    return await request.organise(intents.Unmute(PlayerId(body.player), body.reason), Done)


@post(
    "/api/moderation/bans",
    "moderation",
    "Ban a player, all from its home, or a host, for a time or for ever",
    example=NewBan(7, seconds=86_400, reason="Cheating"),
)
async def ban(request: ApiRequest, body: NewBan) -> Done:
    """Ban a player, a player's home, or a host."""
    whom = None if body.player is None else PlayerId(body.player)
    time = body.seconds * MICROS_A_SECOND
    wish = intents.Ban(whom, body.home, body.host, time, body.reason, force=body.force)
    return await request.organise(wish, Done)


@post(
    "/api/moderation/bans/lift",
    "moderation",
    "Let a player, or who comes from a host, be here again",
    example=OldBan(host="192.0.2.7", reason="It is a school"),
)
async def lift_ban(request: ApiRequest, body: OldBan) -> Done:
    """Let a player, or who comes from a host, be here again."""
    whom = None if body.player is None else PlayerId(body.player)
    return await request.organise(intents.LiftBan(whom, body.host, body.reason), Done)

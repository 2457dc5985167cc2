"""Accounts over HTTP: a name kept by a passphrase, and a token for who says it.

What proves who asks stands in the body, so these need no organiser's token. A token of a player
serves the native dialect as ever: `{"type":"reclaim"}`, or `hello` with it.
"""

from typing import Annotated

from msgspec import Meta, Struct

from rookery.core.ids import PlayerId
from rookery.core.intents import Admit, GiveUpName, KeepName, ResetPassphrase
from rookery.core.messages import Welcome
from rookery.hall.limits import REASON_MAX
from rookery.hall.people.asking import Refusal
from rookery.hall.people.players import Player
from rookery.server.web.http import Left
from rookery.server.web.passphrases import Passphrases, draw_passphrase
from rookery.server.web.problems import missing, refusal
from rookery.server.web.routes import ApiRequest, Id, post, unfit

Secret = Annotated[str, Meta(max_length=1_000, description="a few words that nobody else knows")]
Token = Annotated[str, Meta(max_length=200, description="the player's own, from its `welcome`")]
Name = Annotated[str, Meta(min_length=1, max_length=60, description="the name that is kept")]


class NewAccount(Struct, frozen=True, forbid_unknown_fields=True):
    """Keep this player's name by this passphrase."""

    player: Id
    token: Token
    passphrase: Secret


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """Who says to be whom; with `new` the passphrase is another one from now on."""

    name: Name
    passphrase: Secret
    new: Secret = ""  # and every browser but this one has to say it


class Owner(Struct, frozen=True, forbid_unknown_fields=True):
    """Who says to keep this name."""

    name: Name
    passphrase: Secret


class SignedIn(Struct, frozen=True):
    """Who one is, and the token that says so."""

    player: PlayerId
    name: str
    token: str


class Forgotten(Struct, frozen=True, forbid_unknown_fields=True):
    """Whose passphrase is forgotten."""

    name: Name
    reason: Annotated[str, Meta(max_length=REASON_MAX, description="why; it is in the log")] = ""


class Drawn(Struct, frozen=True):
    """Whose account it is, and a passphrase that opens it from now on; it is said once."""

    player: PlayerId
    name: str
    passphrase: str


class GivenUp(Struct, frozen=True):
    """Whose name is kept no more."""

    player: PlayerId
    name: str


@post(
    "/api/accounts",
    "players",
    "Keep a player's name by a passphrase; the player's own token proves whose it is",
    anyone=True,
    example=NewAccount(1, "the-player's-token", "four words or more"),
)
async def keep_name(request: ApiRequest, body: NewAccount) -> SignedIn:
    """Keep a player's name by a passphrase."""
    player = PlayerId(body.player)
    try:  # before anybody works for it
        request.state.hall.accounts.check_token(player, body.token)
    except Refusal as no:
        raise refusal(no.refused) from None
    hashed = await _passphrases(request).keep(body.passphrase, request.home)
    keep = KeepName(player, body.token, hashed, request.home)
    return _signed_in(await request.act(keep, Welcome))


@post(
    "/api/accounts/sign-in",
    "players",
    "Be the player who keeps a name: a token for `hello` and `reclaim`",
    anyone=True,
    example=Credentials("Ann", "four words or more"),
)
async def sign_in(request: ApiRequest, body: Credentials) -> SignedIn:
    """A token for who says the passphrase of a name."""
    owner = await _owner(request, body.name, body.passphrase)
    new = await _passphrases(request).hashed(body.new, request.home) if body.new else ""
    admit = Admit(owner.id, owner.kept, new, alone=bool(new), home=request.home)
    return _signed_in(await request.act(admit, Welcome))


@post(
    "/api/accounts/give-up",
    "players",
    "Keep a name no more: its player is a guest again, and somebody else may keep it",
    anyone=True,
    example=Owner("Ann", "four words or more"),
)
async def give_up_name(request: ApiRequest, body: Owner) -> GivenUp:
    """Keep a name no more, for who says its passphrase."""
    owner = await _owner(request, body.name, body.passphrase)
    reply = await request.act(GiveUpName(owner.id, owner.kept), Welcome)
    return GivenUp(reply.player, reply.name)


@post(
    "/api/accounts/reset",
    "players",
    "Another passphrase for who forgot theirs: it is drawn, told once, and voids all tokens",
    refusals=(404,),
    example=Forgotten("Ann", "She asked me in person"),
)
async def reset_passphrase(request: ApiRequest, body: Forgotten) -> Drawn:
    """Another passphrase for an account, drawn here, as the organiser."""
    found = request.state.hall.accounts.keeper(body.name)
    if found is None:
        raise missing("Nobody keeps that name by a passphrase.")
    passphrase = draw_passphrase()
    hashed = await _passphrases(request).hashed(passphrase, request.home)
    reset = ResetPassphrase(found.id, hashed, body.reason)
    reply = await request.organise(reset, Welcome)
    return Drawn(reply.player, reply.name, passphrase)


async def _owner(request: ApiRequest, name: str, passphrase: str) -> Player:
    """The player who keeps this name, if this is the passphrase. Raises HttpProblem."""
    owner = request.state.hall.accounts.keeper(name)
    kept, known = ("", False) if owner is None else (owner.kept, owner.is_at_home(request.home))
    check = _passphrases(request).check(name, kept, passphrase, request.home, known=known)
    try:
        await request.while_there(check)
    except Left:
        raise unfit("Stay for the answer: this connection had said it will say no more.") from None
    assert owner is not None, "nobody has no passphrase"
    return owner


def _signed_in(reply: Welcome) -> SignedIn:
    return SignedIn(reply.player, reply.name, reply.token)


def _passphrases(request: ApiRequest) -> Passphrases:
    found = request.state.passphrases
    if found is None:
        raise missing("This server keeps no names.")
    return found

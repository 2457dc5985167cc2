"""Accounts over HTTP: a name kept by a passphrase, and a token for who says it.

What proves who asks stands in the body, so these need no organiser's token. A token of a player
serves the native dialect as ever: `{"type":"reclaim"}`, or `hello` with it.
"""

from typing import Annotated, Final

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
from rookery.server.web.routes import Asked, Call, Id, unfit

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


async def keep_name(asked: Asked) -> SignedIn:
    """Keep a player's name by a passphrase."""
    wanted = await asked.body(NewAccount)
    player = PlayerId(wanted.player)
    try:  # before anybody works for it
        asked.sources.hall.accounts.check_token(player, wanted.token)
    except Refusal as no:
        raise refusal(no.refused) from None
    hashed = await _passphrases(asked).keep(wanted.passphrase, asked.home)
    keep = KeepName(player, wanted.token, hashed, asked.home)
    return _told(await asked.sources.desk.ask_alone(keep))


async def sign_in(asked: Asked) -> SignedIn:
    """A token for who says the passphrase of a name."""
    wanted = await asked.body(Credentials)
    owner = await _owner(asked, wanted.name, wanted.passphrase)
    new = await _passphrases(asked).hashed(wanted.new, asked.home) if wanted.new else ""
    admit = Admit(owner.id, owner.kept, new, alone=bool(new), home=asked.home)
    return _told(await asked.sources.desk.ask_alone(admit))


async def give_up_name(asked: Asked) -> GivenUp:
    """Keep a name no more, for who says its passphrase."""
    wanted = await asked.body(Owner)
    owner = await _owner(asked, wanted.name, wanted.passphrase)
    reply = await asked.sources.desk.ask_alone(GiveUpName(owner.id, owner.kept))
    assert isinstance(reply, Welcome), "a name is given up or it is refused"
    return GivenUp(reply.player, reply.name)


async def reset_passphrase(asked: Asked) -> Drawn:
    """Another passphrase for an account, drawn here, as the organiser."""
    wanted = await asked.body(Forgotten)
    found = asked.sources.hall.accounts.keeper(wanted.name)
    if found is None:
        raise missing("Nobody keeps that name by a passphrase.")
    passphrase = draw_passphrase()
    hashed = await _passphrases(asked).hashed(passphrase, asked.home)
    reset = ResetPassphrase(found.id, hashed, wanted.reason)
    reply = await asked.sources.desk.organise(asked.token, reset)
    assert isinstance(reply, Welcome), "a passphrase is reset or it is refused"
    return Drawn(reply.player, reply.name, passphrase)


async def _owner(asked: Asked, name: str, passphrase: str) -> Player:
    """The player who keeps this name, if this is the passphrase. Raises Trouble."""
    owner = asked.sources.hall.accounts.keeper(name)
    kept, known = ("", False) if owner is None else (owner.kept, owner.is_at_home(asked.home))
    check = _passphrases(asked).check(name, kept, passphrase, asked.home, known=known)
    try:
        await asked.while_there(check)
    except Left:
        raise unfit("Stay for the answer: this connection had said it will say no more.") from None
    assert owner is not None, "nobody has no passphrase"
    return owner


def _told(reply: object) -> SignedIn:
    assert isinstance(reply, Welcome), "who keeps a name, or is admitted, is welcome"
    return SignedIn(reply.player, reply.name, reply.token)


def _passphrases(asked: Asked) -> Passphrases:
    found = asked.sources.passphrases
    if found is None:
        raise missing("This server keeps no names.")
    return found


CALLS: Final = (
    Call(
        "POST",
        "/api/accounts",
        "Keep a player's name by a passphrase; the player's own token proves whose it is",
        "players",
        keep_name,
        SignedIn,
        body=NewAccount,
        anyone=True,
        example=NewAccount(1, "the-player's-token", "four words or more"),
    ),
    Call(
        "POST",
        "/api/accounts/sign-in",
        "Be the player who keeps a name: a token for `hello` and `reclaim`",
        "players",
        sign_in,
        SignedIn,
        body=Credentials,
        anyone=True,
        example=Credentials("Ann", "four words or more"),
    ),
    Call(
        "POST",
        "/api/accounts/give-up",
        "Keep a name no more: its player is a guest again, and somebody else may keep it",
        "players",
        give_up_name,
        GivenUp,
        body=Owner,
        anyone=True,
        example=Owner("Ann", "four words or more"),
    ),
    Call(
        "POST",
        "/api/accounts/reset",
        "Another passphrase for who forgot theirs: it is drawn, told once, and voids all tokens",
        "players",
        reset_passphrase,
        Drawn,
        body=Forgotten,
        refusals=(404,),
        example=Forgotten("Ann", "She asked me in person"),
    ),
)

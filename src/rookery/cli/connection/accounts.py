"""Accounts of a server, from the command line: passphrases are asked for, and never typed in view.

They go to the server's API, as from the page; the API answers with a player's token, with which
a client says hello.
"""

import os
from http.client import HTTPConnection, HTTPException
from typing import Final

import click
import msgspec
from msgspec import Struct

from rookery.cli.connection.address import Address, NoServer
from rookery.cli.connection.server import Rejected
from rookery.clients.native.words import Greeting
from rookery.core.ids import PlayerId

PATIENCE: Final = 20.0  # seconds
SAID: Final = "ROOKERY_PASSPHRASE"  # where a program without a terminal may have it from


class _Found(Struct, frozen=True):
    """The fields of any answer of the accounts API; those that do not come stay empty."""

    player: int = 0
    name: str = ""
    token: str = ""
    passphrase: str = ""
    code: str = ""
    detail: str = ""


def passphrase_for(name: str, *, new: bool = False) -> str:
    """Ask for the passphrase of a name, a new one twice, unless the environment has it."""
    said = os.environ.get(SAID)
    if said is not None:
        return said
    asked: str = click.prompt(
        f"Passphrase of {name}", hide_input=True, confirmation_prompt=new, err=True
    )
    return asked


def sign_in(at: Address, name: str, passphrase: str) -> Greeting:
    """Sign in to an account; returns its player and a token. Raises Rejected, NoServer."""
    found = _post(at, "/api/accounts/sign-in", {"name": name, "passphrase": passphrase})
    return Greeting(PlayerId(found.player), found.token)


def keep_name(at: Address, player: int, token: str, passphrase: str) -> None:
    """Keep a player's name by a passphrase. Raises Rejected, NoServer."""
    body = {"player": player, "token": token, "passphrase": passphrase}
    _post(at, "/api/accounts", body)


def give_up_name(at: Address, name: str, passphrase: str) -> None:
    """Keep a name no more. Raises Rejected, NoServer."""
    _post(at, "/api/accounts/give-up", {"name": name, "passphrase": passphrase})


def reset_passphrase(at: Address, token: str, name: str, reason: str) -> str:
    """Give an account a new passphrase, as the organiser; returns it. Raises Rejected, NoServer."""
    body: dict[str, object] = {"name": name, "reason": reason}
    return _post(at, "/api/accounts/reset", body, token).passphrase


def _post(at: Address, path: str, body: dict[str, object], token: str = "") -> _Found:
    line = HTTPConnection(at.host, at.port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    try:
        line.request("POST", path, msgspec.json.encode(body), headers)
        found = msgspec.json.decode(line.getresponse().read(), type=_Found)
    except (OSError, HTTPException, msgspec.DecodeError):
        raise NoServer(f"What listens at {at} keeps no names.") from None
    finally:
        line.close()
    if not found.player:
        raise Rejected(found.code, found.detail)
    return found

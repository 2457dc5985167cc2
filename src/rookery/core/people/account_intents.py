"""What the server's own desk asks of the hall once it has looked at a passphrase.

No client can say these: the desk hashes and compares passphrases outside the hall, and tells it
the result.
"""

from msgspec import Struct

from rookery.core.ids import PlayerId


class AccountIntent(Struct, frozen=True, gc=False):
    """Something about a name that is kept by a passphrase."""

    player: PlayerId


class KeepName(AccountIntent, frozen=True, tag="keep_name"):
    """Keep a player's name by a passphrase with this hash; the token proves who asks."""

    token: str
    hash: str
    home: str = ""  # where the client is


class Admit(AccountIntent, frozen=True, tag="admit"):
    """Give a token to a client that said a player's passphrase, whose hash was `was`."""

    was: str
    hash: str = ""  # of another passphrase, that it is to be from now on
    alone: bool = False  # whether all other tokens are void from now on
    home: str = ""  # where the client is


class GiveUpName(AccountIntent, frozen=True, tag="give_up_name"):
    """Give a player's kept name up, for a client that said its passphrase, whose hash was `was`."""

    was: str


class ResetPassphrase(AccountIntent, frozen=True, tag="reset_passphrase"):
    """Give an account a passphrase with this hash, and void its tokens. For the organiser alone."""

    hash: str
    reason: str = ""


AnyAccountIntent = KeepName | Admit | GiveUpName | ResetPassphrase

"""What the server's own desk asks of the hall once it has looked at a passphrase.

No client can say these: passphrases are hashed and compared outside the hall, which is told
what came out.
"""

from msgspec import Struct

from rookery.core.game import snake_tag
from rookery.core.ids import PlayerId


class AccountIntent(Struct, frozen=True, tag=snake_tag, gc=False):
    """Something about a name that is kept by a passphrase."""

    player: PlayerId


class KeepName(AccountIntent, frozen=True):
    """Keep a player's name by a passphrase with this hash; its token says that it is one's own."""

    token: str
    hash: str


class Admit(AccountIntent, frozen=True):
    """Give a token to who said a player's passphrase, whose hash was this."""

    was: str
    hash: str = ""  # of another passphrase, that it is to be from now on
    alone: bool = False  # whether all other tokens are void from now on


class GiveUpName(AccountIntent, frozen=True):
    """Keep a player's name no more, as who said its passphrase wishes, whose hash was this."""

    was: str


class ResetPassphrase(AccountIntent, frozen=True):
    """Let an account have a passphrase with this hash, and no token. For the organiser alone."""

    hash: str
    reason: str = ""


AnyAccountIntent = KeepName | Admit | GiveUpName | ResetPassphrase

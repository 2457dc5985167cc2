"""The server's data folder: for its owner alone, with the log and the organiser's token.

A log has everything in it, hidden numbers and join codes too. So the folder is made for its
owner alone, and so is every file. A file that others could read is restricted, with a warning.
A folder that was there before us is only restricted where nothing but our own files is in it:
it may be somebody's home.

The organiser's token shows that somebody may run every tour of this server. It is kept in a
file beside the log and made at the first start. A server that keeps nothing has a new one each
time it starts.
"""

import logging
import os
import secrets
import stat
from collections.abc import Iterator
from hmac import compare_digest
from pathlib import Path
from typing import Final

from msgspec import Struct

from rookery.core.errors import Mistake
from rookery.hall.people.players import hash_token
from rookery.server.config import IN_MEMORY
from rookery.store.sqlite_file import OWNER_ALONE

log = logging.getLogger(__name__)

LOG_FILE: Final = "rookery.db"
FOLDER_MODE: Final = 0o700
TOKEN_FILE: Final = "organiser.token"  # noqa: S105 - where it is, not what it is
TOKEN_BYTES: Final = 18  # nobody guesses one of 2^144
_OTHERS: Final = 0o077

_OURS: Final = (LOG_FILE, TOKEN_FILE)  # and what begins with them


class BadFolder(Mistake):
    """The folder cannot be made."""


def make_folder(path: Path) -> None:
    """Make this folder, for its owner alone, if there is none. Raises BadFolder."""
    try:
        path.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
    except OSError as wrong:
        raise BadFolder(f"The folder {path} cannot be made: {wrong.strerror}.") from None


def close_to_others(folder: Path) -> None:
    """See that nobody but the owner can read what the server keeps here."""
    try:
        found = list(folder.iterdir())
    except OSError:
        return  # what is wrong is said when the log is opened
    ours = [path for path in found if path.name.startswith(_OURS)]
    files = [path for path in ours if path.is_file() and not path.is_symlink()]
    mended = list(_mended(files, OWNER_ALONE))
    if ours and len(ours) == len(found):
        mended += _mended([folder], FOLDER_MODE)
    if mended:
        log.warning("others could read %s: from now on only the owner can", ", ".join(mended))


def _mended(paths: list[Path], mode: int) -> Iterator[str]:
    """Restrict these to their owner; yield those that others could read, with the old mode."""
    for path in paths:
        try:
            was = restrict(path, mode)
        except OSError as wrong:
            log.warning("others may be able to read %s: %s", path, wrong.strerror)
        else:
            if was is not None:
                yield f"{path} ({was:04o})"


def restrict(path: Path, mode: int) -> int | None:
    """Give the file this mode if others can read it, and return its old one. Raises OSError."""
    was = stat.S_IMODE(path.stat().st_mode)
    if not was & _OTHERS:
        return None
    path.chmod(mode)
    return was


# -- the organiser's token


class BadToken(Mistake):
    """The token's file cannot be read or written, or has no token in it."""


class Organiser(Struct, frozen=True):
    """The token in force, and what the server says of it when it starts."""

    token: str
    sentence: str

    def is_token(self, token: str) -> bool:
        """Whether this is the token; the comparison takes equally long for all others."""
        return compare_digest(hash_token(self.token), hash_token(token))


def organiser_of(folder: str) -> Organiser:
    """The organiser of the server whose log is in this folder. Raises BadToken."""
    if folder == IN_MEMORY:
        token = draw_token()
        return Organiser(token, f"The organiser's token until it stops is {token}")
    path = Path(folder) / TOKEN_FILE
    if path.exists():
        return Organiser(read_token(path), f"The organiser's token is in {path}{_closed(path)}")
    token = draw_token()
    _write(path, token)
    return Organiser(token, f"The organiser's token is {token}, and is kept in {path}")


def read_token(path: Path) -> str:
    """The token in this file. Raises BadToken."""
    try:
        token = path.read_text("utf-8").strip()
    except OSError as wrong:
        raise BadToken(f"The organiser's token {path} cannot be read: {wrong.strerror}.") from None
    except UnicodeDecodeError:
        token = ""
    if not token or not token.isprintable() or " " in token:
        raise BadToken(
            f"There is no token in {path}; without that file the server makes a new one."
        )
    return token


def _closed(path: Path) -> str:
    """Let nobody else read a token that was put there by hand; return what to say of that."""
    try:
        if os.name != "posix" or restrict(path, OWNER_ALONE) is None:
            return ""
    except OSError:
        return ", which others on this machine can read: make it yours alone"
    return ", which others on this machine could read until now: delete it to have another"


def draw_token() -> str:
    """Draw a new token; none that a command line takes for an option."""
    while (token := secrets.token_urlsafe(TOKEN_BYTES)).startswith("-"):
        pass
    return token


def _write(path: Path, token: str) -> None:
    """Write the token, whole or not at all: after a crash there is no half token."""
    fresh = path.with_name(f"{path.name}.new")
    try:
        fresh.unlink(missing_ok=True)  # of a start that was cut short
        number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ALONE)
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(f"{token}\n")
            file.flush()
            os.fsync(number)
        fresh.replace(path)
    except OSError as wrong:
        why = wrong.strerror
        raise BadToken(f"The organiser's token {path} cannot be written: {why}.") from None

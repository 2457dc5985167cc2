"""Settings: one table of them, read from flags, the environment and a TOML file.

A flag beats the environment, the environment beats the file, the file beats the default.
Everything about a setting stands in its field here; `docs/settings.md` and
`rookery serve --help` say the same, and a test holds them to it.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct

from rookery.core.errors import Mistake

PREFIX: Final = "ROOKERY_"  # of a setting in the environment
IN_MEMORY: Final = ":memory:"  # as --data: keep nothing


class BadSetting(Mistake):
    """A setting that cannot be read, or that cannot be."""


class Settings(Struct, frozen=True):
    """How a server is run."""

    host: Annotated[str, Meta(description="address to listen on; 0.0.0.0 for all of IPv4")] = (
        "127.0.0.1"
    )
    port: Annotated[
        int, Meta(description="port to listen on; 0 picks a free one", ge=0, le=65535)
    ] = 7350
    data: Annotated[
        str, Meta(description="folder of the log, made if missing; :memory: keeps nothing")
    ] = "data"
    tls_cert: Annotated[str, Meta(description="file with the TLS certificate chain")] = ""
    tls_key: Annotated[str, Meta(description="file with the TLS private key")] = ""
    log_level: Annotated[
        str, Meta(description="what the server says on stderr: debug, info, warning or error")
    ] = "info"

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise BadSetting(f"A port is a number from 0 to 65535, not {self.port}.")
        if bool(self.tls_cert) != bool(self.tls_key):
            raise BadSetting("TLS needs both tls_cert and tls_key.")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise BadSetting(f"log_level is debug, info, warning or error, not {self.log_level!r}.")


class Described(Struct, frozen=True):
    """A setting, for a person."""

    name: str
    default: str
    description: str


def described() -> tuple[Described, ...]:
    """Every setting there is."""
    hints = get_type_hints(Settings, include_extras=True)
    rows = []
    for field in msgspec.structs.fields(Settings):
        meta = next(m for m in get_args(hints[field.name]) if isinstance(m, Meta))
        rows.append(Described(field.name, str(field.default), meta.description or ""))
    return tuple(rows)


def load(
    flags: Mapping[str, object], environment: Mapping[str, str], file: Path | None
) -> Settings:
    """The settings in force. Flags that are None were not given. Raises BadSetting."""
    values: dict[str, object] = {}
    if file is not None:
        values |= _read_file(file)
    names = {field.name for field in msgspec.structs.fields(Settings)}
    for name in names:
        if (text := environment.get(PREFIX + name.upper())) is not None:
            values[name] = text
    values |= {name: value for name, value in flags.items() if value is not None}
    try:
        return msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as wrong:
        if isinstance(wrong.__cause__, BadSetting):
            raise wrong.__cause__ from None
        raise BadSetting(f"A setting cannot be read: {wrong}.") from None


def _read_file(file: Path) -> dict[str, object]:
    try:
        read = tomllib.loads(file.read_text("utf-8"))
    except OSError as wrong:
        raise BadSetting(f"The settings file {file} cannot be read: {wrong.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadSetting(f"The settings file {file} is no TOML: {wrong}.") from None
    known = sorted(field.name for field in msgspec.structs.fields(Settings))
    unknown = [name for name in read if name not in known]
    if unknown:
        raise BadSetting(f"{file} has no use for {unknown[0]!r}; it knows {', '.join(known)}.")
    return read

"""Settings: one table of them, read from flags, the environment and a TOML file.

A flag beats the environment, the environment beats the file, the file beats the default.
Everything about a setting stands in its field here; `docs/settings.md` and
`rookery serve --help` say the same, and a test holds them to it.
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, get_args, get_type_hints

import msgspec
from msgspec import Meta, Struct, field
from msgspec.structs import FieldInfo

from rookery.bots import BEST
from rookery.core.errors import BadOption, Mistake
from rookery.core.ids import MICROS_A_SECOND, Micros
from rookery.core.network import Doorway
from rookery.core.options import bad_field, check_whole, ill_set, ours
from rookery.core.policy import Return
from rookery.dialects import DIALECTS, LANGUAGES, read_options
from rookery.games import GAMES, find_game
from rookery.hall.limits import HOLD

_KINDS: Final = {"str": "a text", "object": "a table of settings"}
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*\.?")  # of a host
PREFIX: Final = "ROOKERY_"  # of a setting in the environment
IN_MEMORY: Final = ":memory:"  # as --data: keep nothing
MINUTE: Final[Micros] = 60 * MICROS_A_SECOND
HOLD_MINUTES_MAX: Final = 527_040  # a year
LEEWAY_MAX: Final = 10_000
RULES_TIMEOUT_MIN: Final = 20  # milliseconds: a look of the watchdog
RULES_TIMEOUT_MAX: Final = 60_000
EDGES: Final = "edges"  # of the file: a table of settings for edges
LEASE: Final = 6.0  # seconds
LEASE_MIN: Final = 0.5  # seconds: a renewal every sixth of one
LEASE_MAX: Final = 600.0
DEAF: Final = 5.0  # seconds
DEAF_MIN: Final = 2.0  # seconds: a leader hears itself four times, and a stand-by twice, in it
DEAF_MAX: Final = 3_600.0
WAIT_MAX: Final = 86_400.0  # seconds
LOCAL: Final = frozenset({"127.0.0.1", "localhost", "::1"})  # where only this machine can call
SWITCHES: Final = {"on": True, "off": False, "true": True, "false": False}
AUTO: Final = "auto"
HOUSE_NAMES: Final = ("enabled", "games", "wait", "level", "workers", "settle", "pace")
HOUSE_WAIT_MAX: Final = 3600  # seconds
WORKERS_MAX: Final = 64
PACE_MAX: Final = 60  # seconds, of either


class BotPace(Struct, frozen=True):
    """How much time bots give people, in seconds: as the house has it set."""

    settle: float = 0.6  # in which one's own move is seen before it is answered
    beside: float = 6.0  # for a move of bots among themselves, at most, while people think


class BotTerms(Struct, frozen=True):
    """How long a player waits alone before a bot comes, and the level of that bot."""

    wait: Micros = 3 * MICROS_A_SECOND
    level: int = 2


class HouseTerms(Struct, frozen=True):
    """What the house does for everyone: the settings of `[house]`."""

    enabled: bool | None = None  # None: only if nobody but this machine can call
    games: frozenset[str] = field(default_factory=lambda: frozenset(GAMES))
    terms: BotTerms = BotTerms()
    workers: int = 0  # processes that think; 0: as many as suit the machine
    pace: BotPace = BotPace()

    def open_at(self, host: str) -> bool:
        """Whether a server that listens on this address has house bots for everyone."""
        return host in LOCAL if self.enabled is None else self.enabled

    def games_at(self, host: str) -> frozenset[str]:
        """The games for which everyone at such a server has house bots."""
        return self.games if self.open_at(host) else frozenset()


class Port(Struct, frozen=True):
    """What is spoken on one port: one dialect with its options, or whatever is recognised."""

    dialect: str = ""
    port: int = 0  # the number
    options: Struct | None = None
    tour: str = ""  # the code of the tour that its callers are bound for
    by: Return = Return.HOST  # how its callers come back
    page: int = 0  # the port where a browser should have called, where this one has a dialect

    @property
    def house(self) -> BotTerms | None:
        """When a house bot joins a client that waits; None if the port has no terms of its own."""
        if self.options is None:
            return None
        bot = DIALECTS[self.dialect].house_bot(self.options)
        return None if bot is None else BotTerms(bot.after, bot.level)

    def doorway(self, *, private: bool) -> Doorway:
        """What the hall must know of a client that came here; `private`: none overhears it."""
        return Doorway(self.tour, self.by, private)


ANY: Final = Port()


def classic_ports() -> dict[str, int]:
    """The ports that the old servers had, by dialect, the lowest first."""
    had = [(one.classic_port, one.name) for one in LANGUAGES if one.classic_port is not None]
    return {dialect: port for port, dialect in sorted(had)}


def _classic_words() -> str:
    return " and ".join(f"{dialect} on {port}" for dialect, port in classic_ports().items())


class BadSetting(Mistake):
    """A setting that cannot be read, or that cannot be."""


class Settings(Struct, frozen=True, rename={"by": "return"}):
    """How a server is run."""

    host: Annotated[str, Meta(description="address to listen on; 0.0.0.0 for all of IPv4")] = (
        "127.0.0.1"
    )
    port: Annotated[int, Meta(description="port to listen on; 0 picks a free one")] = 7350
    data: Annotated[
        str,
        Meta(
            description="folder of the log, made if missing, or a postgresql:// address; "
            ":memory: keeps nothing"
        ),
    ] = "data"
    tls_cert: Annotated[str, Meta(description="file with the TLS certificate chain")] = ""
    tls_key: Annotated[str, Meta(description="file with the TLS private key")] = ""
    public_host: Annotated[
        tuple[str, ...],
        Meta(description="names by which browsers may call it, with commas between; * is any"),
    ] = ()
    tour: Annotated[
        str, Meta(description="code of the tour that players who come to this port are bound for")
    ] = ""
    by: Annotated[
        Return,
        Meta(description="how players without a token come back: by their host, or never"),
    ] = Return.HOST
    listen: Annotated[
        dict[str, dict[str, object]],
        Meta(description="ports that speak one dialect: DIALECT=PORT, with commas between"),
    ] = {}
    house: Annotated[
        dict[str, object],
        Meta(description="house bots: on, off or auto (on where only this machine can call)"),
    ] = {}
    classic_ports: Annotated[bool, Meta(description=f"also listen for {_classic_words()}")] = False
    hold_minutes: Annotated[
        int,
        Meta(description="minutes that a game on hold waits with nobody there, before it ends"),
    ] = HOLD // MINUTE
    nats: Annotated[
        str, Meta(description="NATS servers between a hall and its edges, as nats://HOST:PORT")
    ] = ""
    hall: Annotated[str, Meta(description="name of the hall, of those that share NATS servers")] = (
        "main"
    )
    leeway: Annotated[
        int,
        Meta(description="milliseconds that a move may take from an edge before a flag falls"),
    ] = 250
    lease: Annotated[
        float,
        Meta(description="seconds until a hall that is gone is taken over, in a database"),
    ] = LEASE
    deaf: Annotated[
        float,
        Meta(
            description="seconds without NATS after which a leading hall makes way for a stand-by "
            "that hears it"
        ),
    ] = DEAF
    wait: Annotated[
        float,
        Meta(description="seconds that the database and NATS may be away when it is started"),
    ] = 0.0
    node: Annotated[
        str, Meta(description="name of this part of a cluster in what it logs; none: its machine's")
    ] = ""
    rules_timeout: Annotated[
        int,
        Meta(description="milliseconds of processor time for one call of a plug-in's rules"),
    ] = 250
    log_level: Annotated[
        str, Meta(description="what the server says on stderr: debug, info, warning or error")
    ] = "info"

    def ports(self) -> tuple[Port, ...]:
        """The ports of one dialect each, with their options. Raises Mistake."""
        classic = classic_ports() if self.classic_ports else {}
        # A dialect's options hold for its classic port too; then it needs no other.
        wanted = [
            _listen(name, {"port": classic.get(name, ""), **given}, self.by)
            for name, given in self.listen.items()
        ]
        opened = {(one.dialect, one.port) for one in wanted}
        for name, port in classic.items():
            if (name, port) not in opened:
                given = {**self.listen.get(name, {}), "port": port}
                wanted.append(_listen(name, given, self.by))
        return tuple(wanted)

    def house_terms(self) -> HouseTerms:
        """The house's terms for everyone. Raises Mistake."""
        return read_house(self.house)

    def __post_init__(self) -> None:
        if not 0 <= self.port <= 65535:
            raise BadSetting(f"A port is a number from 0 to 65535, not {self.port}.")
        _check_code(self.tour)
        for name in self.public_host:
            if name != "*" and not _NAME.fullmatch(name):
                raise BadSetting(
                    "A public host is a name like games.example.org, without http:// and without "
                    f"a port, not {name!r}."
                )
        if bool(self.tls_cert) != bool(self.tls_key):
            raise BadSetting("TLS needs both tls_cert and tls_key.")
        if not 1 <= self.hold_minutes <= HOLD_MINUTES_MAX:
            raise BadSetting(
                f"hold_minutes is a number from 1 to {HOLD_MINUTES_MAX}, not {self.hold_minutes}."
            )
        if not 0 <= self.leeway <= LEEWAY_MAX:
            raise BadSetting(f"leeway is a number from 0 to {LEEWAY_MAX}, not {self.leeway}.")
        if not LEASE_MIN <= self.lease <= LEASE_MAX:
            raise BadSetting(
                f"lease is a number from {LEASE_MIN:g} to {LEASE_MAX:g}, not {self.lease:g}."
            )
        if not DEAF_MIN <= self.deaf <= DEAF_MAX:
            raise BadSetting(
                f"deaf is a number from {DEAF_MIN:g} to {DEAF_MAX:g}, not {self.deaf:g}."
            )
        if not 0 <= self.wait <= WAIT_MAX:
            raise BadSetting(f"wait is a number from 0 to {WAIT_MAX:g}, not {self.wait:g}.")
        least, most = RULES_TIMEOUT_MIN, RULES_TIMEOUT_MAX
        if not least <= self.rules_timeout <= most:
            raise BadSetting(
                f"rules_timeout is a number from {least} to {most}, not {self.rules_timeout}."
            )
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
    for one in msgspec.structs.fields(Settings):
        meta = next(m for m in get_args(hints[one.name]) if isinstance(m, Meta))
        rows.append(Described(one.encode_name, _default(one), meta.description or ""))
    return tuple(rows)


def load(
    flags: Mapping[str, object],
    environment: Mapping[str, str],
    file: Path | None,
    *,
    edge: bool = False,
) -> Settings:
    """Read the settings in force. Flags that are None were not given. Raises BadSetting.

    Of those in the file, what is under `[edges]` is for an edge alone.
    """
    values: dict[str, object] = {}
    if file is not None:
        values |= _read_file(file, edge=edge)
    if isinstance(house := values.get("house"), str):
        values["house"] = split_house(house)  # the file may say it in one text too
    for name in _names():
        if (text := environment.get(PREFIX + name.upper())) is not None:
            values[name] = _over(values, name, text)
    for name, value in flags.items():
        if value is not None:
            values[name] = _over(values, name, value)
    if isinstance(names := values.get("public_host"), str):
        values["public_host"] = [name.strip() for name in names.split(",") if name.strip()]
    if isinstance(listen := values.get("listen"), str):
        values["listen"] = _split_listen(listen)
    try:
        settings = msgspec.convert(values, Settings, strict=False)
        settings.ports()  # what is wrong with them is said before anything is opened
        settings.house_terms()
    except msgspec.ValidationError as wrong:
        raise ours(wrong, BadSetting) or BadSetting(_unreadable(wrong)) from None
    return settings


def _names() -> set[str]:
    """The names of all settings, as users write them."""
    return {one.encode_name for one in msgspec.structs.fields(Settings)}


def _over(values: Mapping[str, object], name: str, value: object) -> object:
    """A setting's value when it is given again; a text for the house changes what it names."""
    before = values.get("house", {})
    if name == "house" and isinstance(value, str) and isinstance(before, dict):
        return before | split_house(value)
    return value


def _unreadable(wrong: msgspec.ValidationError) -> str:
    """What msgspec found wrong, in a sentence of ours."""
    found = bad_field(wrong)
    if found.where == "return" and found.value is not None:
        return f"return is {' or '.join(Return)}, not '{found.value}'."
    return ill_set(wrong, _KINDS) or f"A setting cannot be read: {wrong}."


def _default(field: FieldInfo) -> str:
    match field.default:
        case bool(flag):
            return str(flag).lower()
        case str() | int() | float():
            return f"{field.default:g}" if isinstance(field.default, float) else str(field.default)
        case _ if field.name == "house":
            return AUTO
        case _:
            return ""


def _split_listen(text: str) -> dict[str, dict[str, object]]:
    """Split `DIALECT=PORT,DIALECT=PORT` into what the settings file would have."""
    ports: dict[str, dict[str, object]] = {}
    for word in filter(None, text.split(",")):
        name, equals, port = word.strip().partition("=")
        if not equals:
            raise BadSetting(f"A port of one dialect is written DIALECT=PORT, not {word!r}.")
        if name in ports:
            raise BadSetting(f"There is more than one port for {name!r}.")
        ports[name] = {"port": port}
    return ports


def _port(name: str, value: object) -> int:
    text = str(value)
    if not text.isascii() or not text.isdigit() or not 0 <= int(text) <= 65535:
        raise BadSetting(f"The port of {name} is a number from 0 to 65535, not {text!r}.")
    return int(text)


def _listen(name: str, given: dict[str, object], by: Return) -> Port:
    port = _port(name, given.pop("port", ""))
    tour = given.pop("tour", "")
    _check_code(tour)
    wish = given.pop("return", by.value)
    if wish not in list(Return):
        raise BadSetting(f"return of {name} is {' or '.join(Return)}, not {wish!r}.")
    options = read_options(name, given)
    returns = Return(str(wish))
    if clash := DIALECTS[name].clash(options, returns):
        raise BadSetting(clash)
    return Port(name, port, options, str(tour), returns)


def _check_code(code: object) -> None:
    good = isinstance(code, str) and code.isascii() and code.isalnum()
    if code != "" and not good:
        raise BadSetting(f"A tour is given by its code, which is letters and digits, not {code!r}.")


def _read_file(file: Path, *, edge: bool) -> dict[str, object]:
    try:
        read = tomllib.loads(file.read_text("utf-8"))
    except OSError as wrong:
        raise BadSetting(f"The settings file {file} cannot be read: {wrong.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise BadSetting(f"The settings file {file} is no TOML: {wrong}.") from None
    at_edges = read.pop(EDGES, {})
    if not isinstance(at_edges, dict):
        raise BadSetting(f"{EDGES} is a table of settings, and what is given is not.")
    if edge:
        read |= at_edges
    known = sorted(_names())
    unknown = [name for name in (*read, *at_edges) if name not in known]
    if unknown:
        raise BadSetting(f"{file} has no use for {unknown[0]!r}; it knows {', '.join(known)}.")
    return read


# -- house bots: `[house]` of the file, or one text (`--house`, `ROOKERY_HOUSE`) of words with
# commas between: `on`, `off` or `auto`, and `NAME=VALUE` for the others.


def read_house(given: Mapping[str, object]) -> HouseTerms:
    """Read the house's terms from the settings. Raises BadOption."""
    for name in given:
        if name not in HOUSE_NAMES:
            raise BadOption(f"The house has no setting {name!r}; it has {', '.join(HOUSE_NAMES)}.")
    level = _whole(given, "level", BotTerms().level, 1, BEST)
    return HouseTerms(
        _enabled(given.get("enabled", AUTO)),
        _games(given.get("games", tuple(GAMES))),
        BotTerms(round(_seconds(given, "wait", 3, HOUSE_WAIT_MAX) * MICROS_A_SECOND), level),
        _whole(given, "workers", 0, 0, WORKERS_MAX),
        BotPace(
            _seconds(given, "settle", BotPace().settle, PACE_MAX),
            _seconds(given, "pace", BotPace().beside, PACE_MAX),
        ),
    )


def split_house(text: str) -> dict[str, object]:
    """Split `on,level=3` into what the settings file would have. Raises BadOption."""
    words: dict[str, object] = {}
    for word in filter(None, (word.strip() for word in text.split(","))):
        name, equals, value = word.partition("=")
        if equals:
            words[name] = value
        elif word in (*SWITCHES, AUTO):
            words["enabled"] = word
        else:
            raise BadOption(f"The house is on, off, auto or NAME=VALUE, not {word!r}.")
    return words


def _enabled(value: object) -> bool | None:
    if value == AUTO:
        return None
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value in SWITCHES:
        return SWITCHES[value]
    raise BadOption(f"The house is on, off or auto, not {value!r}.")


def _games(value: object) -> frozenset[str]:
    """Read a list of names of games, or a text with + between them."""
    names = value.split("+") if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise BadOption("The games of the house are a list of names.")
    for name in names:
        find_game(name)
        if name not in GAMES:
            raise BadOption(f"There is no bot for {name}.")
    return frozenset(names)


def _seconds(given: Mapping[str, object], name: str, default: float, most: int) -> float:
    """Read a setting in seconds, maybe with a fraction."""
    value = given.get(name, default)
    try:
        seconds = float(value) if isinstance(value, str | int | float) else -1.0
    except ValueError:
        seconds = -1.0
    if isinstance(value, bool) or not 0 <= seconds <= most:
        raise BadOption(f"{name} is a number of seconds from 0 to {most}, not {value!r}.")
    return seconds


def _whole(given: Mapping[str, object], name: str, default: int, least: int, most: int) -> int:
    value = given.get(name, default)
    if isinstance(value, str) and value.isascii() and value.isdigit():
        value = int(value)
    check_whole(name, value, least, most)
    assert isinstance(value, int), "a whole number was checked to be one"
    return value

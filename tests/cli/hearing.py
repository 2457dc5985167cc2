"""What people who speak an old language are shown and answer, without a socket."""

from rich.text import Text

from rookery.cli.by_hand import PERSONS
from rookery.cli.by_hand.person import Heard, PersonByHand, Who


def come(dialect: str, name: str = "ann", age: int = 30) -> PersonByHand:
    """Somebody who has begun."""
    person = PERSONS[dialect](Who(name, age))
    person.begin()
    return person


def heard(person: PersonByHand, *lines: str) -> list[Heard]:
    """All that these lines lead to."""
    return list(person.hear("".join(f"{line}\n" for line in lines).encode()))


def shown(person: PersonByHand, *lines: str) -> list[str]:
    """The sentences these lines lead to, without the boards."""
    return [words for words in heard(person, *lines) if isinstance(words, str)]


def answered(person: PersonByHand, *lines: str) -> list[bytes]:
    """What these lines are answered without anybody typing."""
    return [words for words in heard(person, *lines) if isinstance(words, bytes) and words]


def board(person: PersonByHand, *lines: str) -> list[str]:
    """The last board these lines lead to, row by row."""
    drawn = [words.plain for words in heard(person, *lines) if isinstance(words, Text)]
    return drawn[-1].split("\n")

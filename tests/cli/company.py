"""People at their terminals and a real hall, without sockets, on a made clock."""

from rich.text import Text

from rookery.cli.by_hand import PERSONS
from rookery.cli.by_hand.person import Heard, PersonByHand, Shown, Who
from rookery.core.ids import MICROS_A_SECOND
from rookery.dialects.bughouse import BughouseOptions
from tests.transcripts.wired_hall import WiredHall

AT_ONCE = BughouseOptions(gap=0, welcome=0, first_turn=0)  # nobody here has an old client

MOMENT = MICROS_A_SECOND // 4  # long enough for what a dialect says only in silence


class Company:
    """Whoever has come, by name, and all that they were shown. Mutates."""

    def __init__(self) -> None:
        self.hall = WiredHall()
        self.hall.options["bughouse"] = AT_ONCE
        self.people: dict[str, PersonByHand] = {}
        self._seen: dict[str, list[Shown]] = {}

    def come(self, dialect: str, *names: str) -> None:
        """These people begin, one after the other; the first is the youngest."""
        for age, name in enumerate(names, 20):
            self.hall.connect(name, dialect)
            self.people[name] = PERSONS[dialect](Who(name, age))
            self._seen[name] = []
            self.hall.send(name, self.people[name].begin())
            self.settle()

    def type(self, name: str, *lines: str) -> None:
        """Somebody types, and everyone sees what comes of it."""
        for line in lines:
            self._take(name, self.people[name].say(line))
            self.settle()

    def settle(self) -> None:
        """Until nobody has anything to say."""
        for silence in (0, MOMENT):
            self.hall.advance(silence)
            while [name for name in self.people if self._listen(name)]:
                pass

    def sentences(self, name: str) -> list[str]:
        """What somebody was told since the last time, without the boards."""
        seen, self._seen[name] = self._seen[name], []
        return [words for words in seen if isinstance(words, str)]

    def board(self, name: str) -> str:
        """The last board somebody was shown since then."""
        drawn = [words.plain for words in self._seen[name] if isinstance(words, Text)][-1]
        return drawn.partition("\n\nClocks: ")[0]  # which run, and are another test's

    def _listen(self, name: str) -> bool:
        said = self.hall.take(name)
        for heard in self.people[name].hear(said):
            self._take(name, heard)
        return bool(said)

    def _take(self, name: str, heard: Heard) -> None:
        if isinstance(heard, bytes):
            self.hall.send(name, heard)
        else:
            self._seen[name].append(heard)

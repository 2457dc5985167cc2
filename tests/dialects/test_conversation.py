"""The driver of languages that ask and wait, tried on a language of three words."""

from collections.abc import Sequence

from rookery.core.ids import TableId
from rookery.core.intents import AnyIntent, Show, Watch
from rookery.core.messages import Done, Notice, Refused
from rookery.dialects.base import Lines
from rookery.dialects.conversation import ENOUGH, Conversation, Conversing, Unasked

NEWS = Notice("news", "Something happened.")
LIMIT = ENOUGH + 1


class Parrot(Conversing[bytes]):
    """Says a number when two questions about it are answered, and a `!` when news follow."""

    def __init__(self) -> None:
        super().__init__(Lines(8), LIMIT, too_long="long", too_many="many")

    def _begin(self, request: bytes) -> Conversation[None] | None:
        if request == b"bye":
            return self._go()
        if request.isdigit():
            return self._look(TableId(int(request)))
        self._said.append(b"?")
        return None

    def _look(self, table: TableId) -> Conversation[None]:
        yield Show(table)
        reply = yield Watch(table)
        self._said.append(b"%d" % table)
        if isinstance(reply, Done):
            yield None
            self._said.append(b"!")

    def _go(self) -> Conversation[None]:
        self._leave()
        yield Watch(TableId(9))

    def _hear(self, news: Unasked) -> None:
        self._said.append(b"n" if isinstance(news, Notice) else b"")

    def _say_last(self, sentence: str) -> None:
        self._said.append(sentence.encode())

    def stop(self) -> None:
        """Hang up, whatever is before the hall."""
        self._hang_up()


def replies(parrot: Parrot, *messages: Done | Refused | Notice) -> list[AnyIntent]:
    asked: list[Sequence[AnyIntent]] = [parrot.tell(message) for message in messages]
    return [intent for some in asked for intent in some]


NO = Refused("no", "No.")


def test_a_request_is_taken_up_when_the_one_before_it_is_answered() -> None:
    parrot = Parrot()
    assert list(parrot.receive(b"1\n?\n2\n", 0)) == [Show(TableId(1))]
    assert parrot.drain() == b""
    assert replies(parrot, NO, NO) == [Watch(TableId(1)), Show(TableId(2))]
    assert parrot.drain() == b"1?"


def test_a_conversation_may_wait_for_news_which_are_told_first() -> None:
    parrot = Parrot()
    parrot.receive(b"1\n2\n", 0)
    assert replies(parrot, NEWS, Done(), Done()) == [Watch(TableId(1))]
    assert parrot.drain() == b"n1"
    assert replies(parrot, NEWS) == [Show(TableId(2))]
    assert parrot.drain() == b"n!"


def test_news_go_out_while_a_reply_is_awaited() -> None:
    parrot = Parrot()
    parrot.receive(b"1\n", 0)
    assert replies(parrot, NEWS) == []
    assert parrot.drain() == b"n"


def test_it_is_full_when_enough_waits_and_more_than_that_ends_it() -> None:
    parrot = Parrot()
    parrot.receive(b"1\n" + b"?\n" * (ENOUGH - 1), 0)
    before = parrot.full
    parrot.receive(b"?\n" * 2, 0)
    assert (before, parrot.full) == (False, True)
    parrot.receive(b"?\n", 0)
    assert list(parrot.receive(b"2\n", 0)) == []
    replies(parrot, NO)
    assert not parrot.closing
    replies(parrot, NO)
    assert parrot.drain() == b"1" + b"?" * (LIMIT + 1) + b"many"
    assert parrot.closing


def test_who_leaves_is_hung_up_on_when_the_hall_knows() -> None:
    parrot = Parrot()
    assert list(parrot.receive(b"bye\n1\n", 0)) == [Watch(TableId(9))]
    assert not parrot.closing
    assert replies(parrot, Done()) == []
    assert parrot.closing


def test_who_is_hung_up_on_at_once_is_not_told_what_the_hall_replies() -> None:
    parrot = Parrot()
    parrot.receive(b"1\n2\n", 0)
    parrot.stop()
    assert parrot.closing
    assert replies(parrot, NO) == []
    assert parrot.drain() == b""


def test_a_thousand_requests_that_need_no_hall_need_no_depth() -> None:
    parrot = Parrot()
    parrot.receive(b"?\n" * 50_000, 0)
    assert parrot.drain() == b"?" * 50_000
    assert not parrot.closing

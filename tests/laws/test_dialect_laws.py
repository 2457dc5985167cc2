"""What every dialect must do, whatever its grammar: tried on all that are registered."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DataObject, SearchStrategy

from rookery.core.messages import Refused
from rookery.dialects import DIALECTS, begin
from rookery.hall.people.numbers import Numbers
from rookery.hall.people.players import PlayerRegistry
from rookery.testing.dialects import converse, cut
from tests.dialects.by_heart import BY_HEART
from tests.laws.speakers import SPEAKERS, Speaker, speaker_of
from tests.transcripts.wired_hall import WiredHall

NOBODY = Numbers(PlayerRegistry())  # a directory of nobody

every_dialect = pytest.mark.parametrize("name", DIALECTS)
every_answering_dialect = pytest.mark.parametrize(
    "name", [name for name, speaker in SPEAKERS.items() if speaker.answers_all]
)
# The others call and are answered: who says something wrong to them is closed, untold. Of a
# dialect without a speaker nobody knows which of its lines is an answer.
every_answered_dialect = pytest.mark.parametrize(
    "name", [name for name in SPEAKERS if name != "fishcom"]
)


def test_every_dialect_that_is_known_by_heart_has_a_speaker() -> None:
    assert BY_HEART <= set(SPEAKERS) <= set(DIALECTS)


@every_dialect
@given(st.data())
def test_input_is_read_the_same_however_it_is_cut(name: str, chosen: DataObject) -> None:
    sent = chosen.draw(_speech(speaker_of(name)))
    pieces = cut(sent, chosen.draw(_places(sent)))
    assert converse(begin(name, NOBODY), pieces) == converse(begin(name, NOBODY), [sent])


@every_dialect
@given(st.data())
def test_input_is_read_the_same_byte_by_byte(name: str, chosen: DataObject) -> None:
    sent = chosen.draw(_speech(speaker_of(name)))
    bytewise = [bytes([byte]) for byte in sent]
    assert converse(begin(name, NOBODY), bytewise) == converse(begin(name, NOBODY), [sent])


@every_dialect
@given(st.data())
def test_answers_are_the_same_however_late_the_hall_replies(name: str, chosen: DataObject) -> None:
    sent = chosen.draw(_speech(speaker_of(name)))
    prompt, late = begin(name, NOBODY), begin(name, NOBODY)
    pieces = cut(sent, chosen.draw(_places(sent)))
    assert converse(prompt, pieces) == converse(late, pieces, late=True)


@every_dialect
@given(st.lists(st.binary(max_size=80), max_size=20))
def test_no_bytes_make_it_raise_and_all_it_says_is_well_formed(
    name: str, pieces: list[bytes]
) -> None:
    said = converse(begin(name, NOBODY), pieces)[1]
    assert speaker_of(name).news(said) == []


@every_answered_dialect
@given(st.data())
def test_every_request_gets_one_answer(name: str, chosen: DataObject) -> None:
    speaker = speaker_of(name)
    requests = chosen.draw(st.lists(st.sampled_from(speaker.requests), max_size=12))
    noise = chosen.draw(st.lists(st.sampled_from(speaker.noise), max_size=4))
    sent = b"".join(chosen.draw(st.permutations(requests + noise)))
    said = converse(begin(name, NOBODY), [sent])[1]
    assert len(speaker.answers(said)) == len(requests)


@every_answered_dialect
def test_too_much_is_refused_with_a_message_and_ends_the_connection(name: str) -> None:
    dialect, speaker = begin(name, NOBODY), speaker_of(name)
    intents, said = converse(dialect, [speaker.too_long, speaker.requests[0]])
    assert intents == []
    assert len(speaker.answers(said)) == 1
    assert dialect.closing


@every_answered_dialect
@given(st.data())
def test_it_does_not_hang_up_before_it_has_given_the_answers_it_owes(
    name: str, chosen: DataObject
) -> None:
    dialect, speaker = begin(name, NOBODY), speaker_of(name)
    requests = chosen.draw(st.lists(st.sampled_from(speaker.requests), max_size=5))
    intents = list(dialect.receive(b"".join(requests) + speaker.too_long, 0))
    said = dialect.drain()
    for _ in intents:  # it grows: a reply may lead to another question
        assert not dialect.closing
        intents += dialect.tell(Refused("no", "No."))
        said += dialect.drain()
    assert dialect.closing
    assert len(speaker.answers(said)) == len(requests) + 1


@every_dialect
def test_it_reads_nothing_after_the_other_side_hung_up(name: str) -> None:
    dialect = begin(name, NOBODY)
    for request in speaker_of(name).requests:
        assert list(dialect.receive(b"", 0)) == []
        assert list(dialect.receive(request, 0)) == []
        assert dialect.drain() == b""


@every_answered_dialect
def test_what_is_drained_is_given_out_once(name: str) -> None:
    dialect = begin(name, NOBODY)
    intents = list(dialect.receive(b"".join(speaker_of(name).requests), 0))
    for intent in intents:
        intents += dialect.tell(Refused("no", f"No, {intent}."))
    assert dialect.drain() != b""
    assert dialect.drain() == b""


@every_answering_dialect
@given(st.data())
def test_in_a_real_hall_every_request_gets_one_answer_in_its_turn(
    name: str, chosen: DataObject
) -> None:
    speaker, hall = speaker_of(name), WiredHall()
    clients = st.sampled_from(["ann", "bob"])
    script = chosen.draw(
        st.lists(st.tuples(clients, st.sampled_from(speaker.requests)), min_size=5, max_size=25)
    )
    hall.connect("ann", name)
    hall.connect("bob", name)
    for who, request in script:
        hall.send(who, request)
        assert len(speaker.answers(hall.take(who))) == 1
        other = "bob" if who == "ann" else "ann"
        assert speaker.answers(hall.take(other)) == []


@every_dialect
@given(st.data())
def test_in_a_real_hall_the_same_is_heard_however_the_input_is_cut(
    name: str, chosen: DataObject
) -> None:
    speaker = speaker_of(name)
    sent = b"".join(chosen.draw(st.lists(st.sampled_from(speaker.requests), max_size=25)))
    whole = _in_a_hall(name, [sent])
    pieced = _in_a_hall(name, cut(sent, chosen.draw(_places(sent))))
    # Own answers and news may pass each other: who asks late is answered late.
    assert speaker.answers(pieced) == speaker.answers(whole)
    assert speaker.news(pieced) == speaker.news(whole)


def _speech(speaker: Speaker) -> SearchStrategy[bytes]:
    """Requests, noise, rubbish, and now and then too much of it."""
    words = (*speaker.requests, *speaker.requests, *speaker.noise, speaker.too_long)
    return st.lists(st.sampled_from(words) | st.binary(max_size=10), max_size=12).map(b"".join)


def _places(sent: bytes) -> SearchStrategy[list[int]]:
    return st.lists(st.integers(0, len(sent)), max_size=8)


def _in_a_hall(name: str, pieces: Iterable[bytes]) -> bytes:
    hall = WiredHall()
    hall.connect("ann", name)
    for piece in pieces:
        hall.send("ann", piece)
    return hall.take("ann")

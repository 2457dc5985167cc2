"""Answers keep their order, whoever gives them."""

import pytest

from rookery.dialects.base import Owed


def test_an_own_answer_goes_out_at_once_when_nothing_is_owed() -> None:
    owed: Owed[str] = Owed()
    owed.say(b"pong ")
    assert owed.drain() == b"pong "


def test_an_own_answer_waits_for_the_replies_before_it() -> None:
    owed: Owed[str] = Owed()
    owed.owe("first")
    owed.owe("second")
    owed.say(b"pong ")
    owed.owe("third")
    owed.settle(b"1 ")
    assert owed.drain() == b"1 "
    owed.settle(b"2 ")
    assert owed.drain() == b"2 pong "
    owed.settle(b"3 ")
    assert owed.drain() == b"3 "


def test_news_wait_for_nobody_and_stay_between_the_replies_they_came_between() -> None:
    owed: Owed[str] = Owed()
    owed.owe("first")
    owed.news(b"early ")
    owed.settle(b"1 ")
    owed.news(b"late ")
    assert owed.drain() == b"early 1 late "


def test_the_question_answered_next_is_the_oldest_open_one() -> None:
    owed: Owed[str] = Owed()
    owed.owe("first")
    owed.owe("second")
    assert owed.asked == "first"
    owed.settle(b"")
    assert owed.asked == "second"


def test_it_knows_whether_a_question_is_open() -> None:
    owed: Owed[str] = Owed()
    assert not owed
    owed.owe("first")
    assert owed
    owed.settle(b"")
    assert not owed


def test_a_reply_to_nothing_is_our_own_mistake() -> None:
    with pytest.raises(AssertionError, match="only to what it was asked"):
        Owed[str]().settle(b"?")

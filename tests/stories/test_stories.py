"""Every story, in a hall alone, on a simulated server and on a real one."""

from pathlib import Path

import pytest

from tests.stories.runner import Differs, Story, play, read
from tests.stories.venues import HallVenue, ProcessVenue, Venue, WorldVenue

TOLD = Path(__file__).parent / "told"
STORIES = {path.stem: read(path.read_text("utf-8")) for path in sorted(TOLD.glob("*.txt"))}
# Time is nobody's to set on a real server.
TIMELESS = [name for name, story in STORIES.items() if not story.needs_time]


def play_at(story: Story, venue: Venue) -> None:
    try:
        play(story, venue)
    except Differs as differs:
        pytest.fail(str(differs), pytrace=False)
    finally:
        venue.close()


@pytest.mark.parametrize("name", STORIES)
def test_the_story_is_true_of_a_hall(name: str) -> None:
    play_at(STORIES[name], HallVenue())


@pytest.mark.parametrize("name", STORIES)
def test_the_story_is_true_of_a_simulated_server(name: str, tmp_path: Path) -> None:
    play_at(STORIES[name], WorldVenue(tmp_path))


@pytest.mark.parametrize("name", TIMELESS)
def test_the_story_is_true_of_a_real_server(name: str, tmp_path: Path) -> None:
    play_at(STORIES[name], ProcessVenue(tmp_path))


def test_what_comes_instead_is_shown_beside_what_was_told() -> None:
    story = read("ann ping\n  pang\n")
    with pytest.raises(Differs, match=r"(?s)line 1: ann ping.*-pang.*\+pong"):
        play(story, HallVenue())


def test_every_story_begins_with_a_sentence() -> None:
    assert [name for name, story in STORIES.items() if not story.text.startswith("# ")] == []
